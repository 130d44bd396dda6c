"""Public data classes with tuples accept lists and ranges for them."""

import dataclasses
import importlib
import inspect
import pkgutil
import types
import typing
from fractions import Fraction

import pytest

import ccsim
from ccsim.certificates import Certified
from ccsim.communication import DeterministicProtocol, HardDistribution, PublicCoinProtocol
from ccsim.dimensions import littlestone_dimension
from ccsim.exact import Distribution, Epsilon, LogSum
from ccsim.learning import PrivateOccam
from ccsim.learning.rules import OneOf
from ccsim.privacy import (
    Composed,
    Deterministic,
    FunctionMechanism,
    QualityNeighbours,
    RandomizedResponse,
    RestrictedNeighbours,
)
from ccsim.programs import LinearProgram
from proofs_check.claims.beimel_nissim_stemmer.constructions.utility import Estimates

PACKAGES = (
    ccsim,
    *(
        importlib.import_module(found.name)
        for found in pkgutil.walk_packages(ccsim.__path__, "ccsim.")
        if found.ispkg
    ),
)


def keeps_a_tuple(hint):
    if typing.get_origin(hint) in {typing.Union, types.UnionType}:
        return any(map(keeps_a_tuple, typing.get_args(hint)))
    return typing.get_origin(hint) is tuple


def tuples_of(kind):
    hints = typing.get_type_hints(kind)
    return [f.name for f in dataclasses.fields(kind) if f.init and keeps_a_tuple(hints[f.name])]


KINDS = {
    kind
    for package in PACKAGES
    for kind in (getattr(package, name) for name in getattr(package, "__all__", ()))
    if inspect.isclass(kind) and dataclasses.is_dataclass(kind) and not issubclass(kind, Certified)
    if tuples_of(kind)
}


@pytest.mark.parametrize("kind", sorted(KINDS, key=lambda kind: kind.__qualname__))
def test_every_public_data_class_with_tuples_takes_lists(kind):
    """Results, which users do not construct, are excluded; `Distribution` has its own reader."""
    if kind is Distribution:
        return
    assert kind.__init__.__code__.co_qualname == "_checked.<locals>.checked"


CLASS = ccsim.thresholds(2)
PROTOCOL = DeterministicProtocol((0, 1), (1, 2), 2)
LN3 = Epsilon.of("ln 3")
EXAMPLES = (
    ccsim.ConceptClass((0, 1, 2), ("a", "b"), (1, 6)),
    ccsim.CommunicationProblem.from_matrix([[0, 1], [1, 0]]),
    PROTOCOL,
    PROTOCOL.to_private_coin(),
    PublicCoinProtocol.mixture([(1, PROTOCOL)]),
    HardDistribution(((0, 0, 1), (1, 1, 2))),
    littlestone_dimension(CLASS).tree,
    Distribution.uniform("ab"),
    LogSum.log2(6),
    ccsim.HypothesisSet((0, 1), 2),
    ccsim.ProbabilisticRepresentation.mixture([(1, ccsim.HypothesisSet((0, 1), 2))]),
    LinearProgram.minimise([1, 1], [({0: 1, 1: 2}, ">=", 1)]),
    PrivateOccam(2, (1, 2), LN3),
    OneOf("colour", ("red", "blue")),
    RandomizedResponse((0, 1), LN3),
    Composed((RandomizedResponse((0, 1), LN3),)),
    Deterministic((0, 1), sum),
    FunctionMechanism((0, 1), lambda _: {0: 1}),
    QualityNeighbours.all_functions(solutions=2, most=1),
    QualityNeighbours(((Fraction(0),), (Fraction(1),)), pairs=((0, 1),)),
    RestrictedNeighbours(2, 1, ((0, 1), (2,))),
    Estimates((Fraction(1, 2), Fraction(1, 3))),
)


def in_lists(value):
    return [in_lists(entry) for entry in value] if type(value) is tuple else value


def taken(kind, values):
    made = kind(**values)
    return {field.name: getattr(made, field.name) for field in dataclasses.fields(made)}


@pytest.mark.parametrize("made", EXAMPLES, ids=lambda made: type(made).__name__)
def test_lists_become_the_tuples_that_are_kept(made):
    values = {f.name: getattr(made, f.name) for f in dataclasses.fields(made) if f.init}
    known = {f.name: getattr(made, f.name) for f in dataclasses.fields(made)}
    listed = [name for name in tuples_of(type(made)) if values[name] is not None]
    assert listed
    for name in listed:
        assert taken(type(made), values | {name: list(values[name])}) == known
        assert taken(type(made), values | {name: in_lists(values[name])}) == known


def test_ranges_are_tuples_too():
    assert FunctionMechanism(range(3), lambda _: {0: 1}).records == (0, 1, 2)
    assert Deterministic(range(3), sum) == Deterministic([0, 1, 2], sum)
    assert ccsim.HypothesisSet(range(3), 2).rows == (0, 1, 2)


@pytest.mark.parametrize("value", ["ab", b"ab", {0: 1}, {0, 1}, 3, None])
def test_other_collections_are_refused_as_before(value):
    with pytest.raises(ccsim.DomainError, match="domain must be a tuple, not"):
        FunctionMechanism(value, lambda _: {0: 1})


def test_arguments_that_are_too_many_are_named_as_before():
    with pytest.raises(TypeError, match="positional arguments but"):
        ccsim.HypothesisSet([0], 2, [3])
