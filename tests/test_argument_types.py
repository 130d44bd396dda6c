"""Arguments of public functions that do not have the annotated type are refused in one line."""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Protocol, runtime_checkable

import pytest

import ccsim
from ccsim import CcsimError, DomainError, HypothesisSet, ProbabilisticRepresentation
from ccsim.arguments.checked import checked_types
from ccsim.arguments.values import show_value
from protocols import EqualityHashing
from tests.cases import every

FUNCTIONS = {
    name: member
    for name in (*ccsim.__all__, *ccsim._ELSEWHERE)
    if inspect.isfunction(member := getattr(ccsim, name)) and name != "audit"
}
"""All public functions; `audit` checks a mechanism, which has tests of its own."""

CLASS, PROBLEM = ccsim.points(1), ccsim.equality(2)
SETS = HypothesisSet((1, 2), 2)
PROTOCOL = ccsim.DeterministicProtocol((0, 1), (1, 2), 2)
GOOD = MappingProxyType(
    {
        "accuracy": Fraction(1, 4),
        "array": [1],
        "b": 1,
        "concept_class": CLASS,
        "chosen": 1,
        "count": 1,
        "d": 1,
        "dimension": 1,
        "epsilon": "ln 3",
        "error": Fraction(1, 4),
        "failure": Fraction(1, 4),
        "g": 1,
        "excess": Fraction(1, 4),
        "hypotheses": SETS,
        "k": 1,
        "length": 1,
        "m": 1,
        "messages": 1,
        "distribution": {(0, 0): Fraction(1)},
        "n": 2,
        "order": "best",
        "p": 2,
        "problem": PROBLEM,
        "protocol": ccsim.PublicCoinProtocol.mixture([(1, PROTOCOL)]),
        "q": 2,
        "queries": "membership",
        "repetitions": 1,
        "representation": ProbabilisticRepresentation.mixture([(1, SETS)]),
        "runs": 1,
        "seed": 0,
        "size": 1,
        "text": "points:b=1",
        "x": 0,
        "y": 0,
    }
)
"""A good value for every parameter that must be given."""
OF_ITS_OWN = MappingProxyType(
    {
        ("from_private_coin_protocol", "protocol"): PROTOCOL,
        ("simulate", "protocol"): EqualityHashing(bits=4, repetitions=1),
    }
)
STRANGE = (
    None,
    True,
    2.0,
    math.nan,
    "nonsense",
    "",
    -1,
    Fraction(1, 3),
    (),
    [None],
    ["3"],
    [[Fraction(1, 2), 0.5]],
    [2.0],
    {},
    {"a": Fraction(1)},
    {(0, 9): Fraction(1)},
    {(0, 0): 1.0},
    object(),
    int,
    CLASS,
    PROBLEM,
    SETS,
    PROTOCOL,
    lambda: None,
)
CALLED_BACK = ("progress", "trying")
KINDS = MappingProxyType(
    {
        "int": int,
        "str": str,
        "ClassLike": (ccsim.ConceptClass, ccsim.CommunicationProblem),
        "PartialClassLike": (
            ccsim.ConceptClass,
            ccsim.PartialClass,
            ccsim.CommunicationProblem,
        ),
        "ProblemLike": (ccsim.ConceptClass, ccsim.CommunicationProblem),
        "HypothesisSet": HypothesisSet,
        "ProbabilisticRepresentation": ProbabilisticRepresentation,
    }
)
TAKEN = ("ClassLike", "PartialClassLike", "ProblemLike")
"""Annotations that texts and matrices go with as well."""


INSTEAD = {("minimax_error", "messages")}  # one of several parameters, of which one is required


def arguments_of(name):
    """Return valid arguments for the parameters that are required."""
    given = {}
    for key, parameter in inspect.signature(FUNCTIONS[name]).parameters.items():
        if parameter.default is parameter.empty or (name, key) in INSTEAD:
            given[key] = OF_ITS_OWN.get((name, key), GOOD.get(key))
            assert given[key] is not None, f"{name}: no good value for {key}"
    return given


PARAMETERS = [
    (name, key)
    for name, member in FUNCTIONS.items()
    for key in inspect.signature(member).parameters
]


def refusal(name, arguments):
    """Return the message with which a function refuses arguments; None if it accepts them."""
    try:
        FUNCTIONS[name](**arguments)
    except CcsimError as error:
        return str(error)
    return None


@every("name, key", PARAMETERS)
def test_a_strange_argument_is_used_or_refused_in_one_line(name, key):
    for value in STRANGE:
        if callable(value) and key in CALLED_BACK:
            continue  # it is called, and may fail as it likes
        message = refusal(name, {**arguments_of(name), key: value})
        assert message is None or len(message.splitlines()) == 1, value


@every("name, key", PARAMETERS)
def test_what_is_not_of_the_annotated_class_is_refused_by_name(name, key):
    annotation = str(inspect.signature(FUNCTIONS[name]).parameters[key].annotation)
    kind = KINDS.get(annotation)
    if kind is None:
        return  # a union, a function or a collection: covered above
    refused = [v for v in STRANGE if not isinstance(v, kind) or (kind is int and v is True)]
    if annotation in TAKEN:
        refused = [v for v in refused if isinstance(v, Mapping) or not isinstance(v, Iterable)]
    assert len(refused) > 10
    for value in refused:
        with pytest.raises(
            DomainError, match=f"{name}: {key} must be an? .*, not|must be text, not"
        ):
            FUNCTIONS[name](**{**arguments_of(name), key: value})


@every("name", FUNCTIONS)
def test_the_good_arguments_are_of_the_right_types(name):
    message = refusal(name, arguments_of(name))
    assert message is None or not message.startswith(f"{name}: ")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: ccsim.minimax_error(SETS, 2),
            "minimax_error: problem must be a CommunicationProblem, a ConceptClass, an INSTANCE "
            "text "
            "or a matrix of 0, 1 and None, not a HypothesisSet",
        ),
        (
            lambda: ccsim.evaluation_problem(PROTOCOL),
            "evaluation_problem: concept_class must be a ConceptClass, a total "
            "CommunicationProblem, an INSTANCE text or a matrix of 0 and 1, not a "
            "DeterministicProtocol",
        ),
        (
            lambda: ccsim.vc_dimension(PROTOCOL),
            "vc_dimension: concept_class must be a ConceptClass, a PartialClass, a "
            "CommunicationProblem, an INSTANCE text or a matrix of 0, 1 and None, not a "
            "DeterministicProtocol",
        ),
        (
            lambda: ccsim.vc_dimension("equality"),
            "equality: parameter n is missing; write equality:n=...",
        ),
        (
            lambda: ccsim.vc_dimension([[0, 1], [1]]),
            "row 1 has 1 entry, but row 0 has 2",
        ),
        (
            lambda: ccsim.vc_dimension([[0, 1], 1]),
            "row 1 must be a list of entries, not 1",
        ),
        (
            lambda: ccsim.effective_domain_size([[0, None]]),
            "entry (0, 1) must be 0 or 1, not None",
        ),
        (
            lambda: ccsim.evaluation_problem(ccsim.CommunicationProblem.from_matrix([[0, None]])),
            "problem must be total to become a concept class, but has a promise",
        ),
        (
            lambda: ccsim.least_failure(CLASS, 1, "1/4"),
            "least_failure: size must be an integer, not '1/4'",
        ),
        (
            lambda: ccsim.minimax_error(PROBLEM, 2.0),
            "minimax_error: messages must be an integer or None, not 2.0",
        ),
        (
            lambda: ccsim.minimax_error(PROBLEM, 2, "secret"),
            "coins must be one of public, private, deterministic, not 'secret'",
        ),
        (
            lambda: ccsim.minimax_error(PROBLEM, 2, time_limit=math.nan),
            "minimax_error: time_limit must be a number, a Budget or None, not nan",
        ),
        (
            lambda: ccsim.minimax_error(PROBLEM, 2, time_limit=10**400),
            "minimax_error: time_limit must be a number, a Budget or None, "
            "not a number of 1329 bits",
        ),
        (lambda: ccsim.points(True), "points: b must be an integer, not True"),
    ],
)
def test_messages_say_what_helps(call, message):
    with pytest.raises(DomainError) as caught:
        call()
    assert str(caught.value) == message


def test_values_are_written_short():
    long = [10**5000, Fraction(1, 10**5000), "x" * 10**6, [0] * 10**6, CLASS, object(), -(10**99)]
    assert all(len(show_value(value)) < 50 for value in long)


def test_a_decorated_function_keeps_name_documentation_and_signature():
    def half(number: int) -> int:
        """Return half of it."""
        return number // 2

    checked = checked_types(half)
    assert (checked.__name__, checked.__doc__) == ("half", "Return half of it.")
    assert inspect.signature(checked) == inspect.signature(half)


def test_no_attribute_is_computed_to_tell_a_type():
    @runtime_checkable
    class Sized(Protocol):
        @property
        def size(self) -> int: ...

    class Large(Sized):
        @property
        def size(self) -> int:
            raise MemoryError

    def name(item: Sized) -> str:
        return type(item).__name__

    name.__annotations__ = {"item": Sized, "return": str}
    assert checked_types(name)(Large()) == "Large"
