"""The representation of objects: one short line, also for large, unusual or incomplete ones."""

from dataclasses import dataclass, field, fields, is_dataclass
from fractions import Fraction
from importlib import import_module
from inspect import isabstract
from pkgutil import walk_packages

import pytest

import ccsim
import protocols
from ccsim import (
    ConceptClass,
    DeterministicProtocol,
    HypothesisSet,
    MistakeTree,
    ProbabilisticRepresentation,
    PublicCoinProtocol,
    equality,
    equivalence_table,
    littlestone_dimension,
    minimax_error,
    points,
    thresholds,
)
from ccsim.appearance import MOST_CHARACTERS, MOST_OF_A_RESULT, in_short, one_line
from ccsim.budget import Workers
from ccsim.certificates import Certified
from ccsim.exact.epsilon import Excess
from ccsim.exact.exponentials import Exponential, exponential
from ccsim.privacy.noise_programs.outcomes import Alike, Range
from ccsim.privacy.noise_programs.values import Value
from tests.cases import every

MOST = 120
HOSTILE = {
    "nothing": None,
    "a long number": 10**5000,
    "a long fraction": Fraction(10**5000 + 1, 3),
    "a text of many lines": "line\n" * 1000,
    "a text without lines": "\x1b[31m" * 9,
    "many numbers": tuple(range(10**5)),
    "few long texts": ("x" * 10**5,) * 3,
    "deep": (((((((10**5000,),),),),),),),
    "a table": dict.fromkeys(range(1000), "x" * 99),
    "a large class": thresholds(6),
    "a generator": (i for i in range(3)),
    "a function": max,
    "a type": dict,
}


def dataclasses_of(package):
    for module in walk_packages(package.__path__, f"{package.__name__}."):
        if module.name.endswith("__main__"):
            continue
        loaded = import_module(module.name)
        for name, kind in vars(loaded).items():
            own = is_dataclass(kind) and getattr(kind, "__module__", "") == module.name
            if own and isinstance(kind, type) and not name.startswith("_"):
                yield kind


KERNEL = "ccsim.kernel"  # it imports the standard library alone, and shows nothing to people
KINDS = [
    kind
    for package in (ccsim, protocols)
    for kind in dataclasses_of(package)
    if not kind.__module__.startswith(KERNEL)
    if not issubclass(kind, Exception | Exponential | Excess)
    if not issubclass(kind, Range | Alike | Value)  # texts of outcomes; what has no text
    if kind is not Workers  # which refuses all but a few short fields
]


def on_one_line(thing):
    text = repr(thing)
    most = MOST_OF_A_RESULT if isinstance(thing, Certified) else MOST
    return text.isprintable() and 0 < len(text) <= most


def test_there_are_data_classes_to_look_at():
    assert {ConceptClass, PublicCoinProtocol, MistakeTree} <= set(KINDS)
    assert len(KINDS) > 200


@every("kind", KINDS)
def test_whatever_an_object_holds_it_is_one_line(kind):
    if isabstract(kind):
        kind = type(kind.__name__, (kind,), dict.fromkeys(kind.__abstractmethods__))
    for what, value in HOSTILE.items():
        thing = object.__new__(kind)
        assert on_one_line(thing), f"while it is made: {thing!r}"
        for held in fields(kind):
            object.__setattr__(thing, held.name, value)
        assert on_one_line(thing), what


def test_a_representation_that_lists_everything_would_be_noticed():
    @dataclass(frozen=True)
    class Listed:
        entries: tuple[int, ...]

    assert on_one_line(Listed((1, 2)))
    assert not on_one_line(Listed(HOSTILE["many numbers"]))
    assert on_one_line(one_line(Listed)(HOSTILE["many numbers"]))


@pytest.mark.parametrize(
    "thing",
    [
        ConceptClass.from_matrix([[0, 1], [1, 0]]),
        HypothesisSet.from_rows([0, 3], 2),
        MistakeTree((0, 1, (1, 2, 0))),
        DeterministicProtocol((0, 1), (1, 0), 1),
        ProbabilisticRepresentation((Fraction(1),), (HypothesisSet.from_rows([0], 2),)),
    ],
    ids=lambda thing: type(thing).__name__,
)
def test_what_is_small_is_written_out_so_that_it_can_be_read_back(thing):
    assert eval(repr(thing)) == thing  # noqa: S307 - that is what is promised


def test_what_is_large_says_what_it_is_its_size_and_its_value():
    assert repr(thresholds(6)) == "ConceptClass(thresholds:b=6: 64 concepts over 64 points)"
    f = equality(8)
    assert repr(f) == "CommunicationProblem(equality:n=8: 8 x 8, total)"
    found = minimax_error(f, 2)
    assert repr(found).startswith("MinimaxResult(value=9/32, problem=<equality:n=8: 8 x 8, total>,")
    assert repr(found.protocol) == "PublicCoinProtocol(63 seeds, 8 x 8, 2 messages)"
    tree = littlestone_dimension(thresholds(6))
    assert repr(tree).startswith("LittlestoneResult(value=6, concept_class=<thresholds:b=6: 64 ")
    assert repr(tree.tree) == "MistakeTree(depth 6)"


def test_a_value_that_is_not_decided_is_shown_by_its_bounds():
    bounds = minimax_error(equality(8), 3, time_limit=0)
    assert repr(bounds).startswith(f"MinimaxResult(lower={bounds.lower}, upper={bounds.upper}, ")


def test_results_are_one_line():
    table = equivalence_table(points(2), "1/4", "1/4")
    for thing in (table, *table.results):
        assert on_one_line(thing)


def test_numbers_of_many_digits_are_told_by_their_size():
    assert repr(exponential(Fraction(1, 2))) == "(e^(1/2))"
    assert repr(exponential(1) + 10**4000) == "(4005 digits and signs)"
    assert in_short(10**5000) == "a number of 16610 bits"
    assert in_short(Fraction(10**5000 + 1, 3)) == "a fraction of 16610 bits"


def test_fields_that_are_not_shown_stay_hidden():
    @one_line
    @dataclass(frozen=True, slots=True)
    class Table:
        name: str
        inside: dict = field(repr=False)

    assert repr(Table("x", {1: 2})) == "Table(name='x')"
    assert repr(Table("x" * 200, {1: 2})) == f"Table(name='{'x' * 40}')"
    assert len(repr(Table("x" * 200, {}))) <= MOST_CHARACTERS
