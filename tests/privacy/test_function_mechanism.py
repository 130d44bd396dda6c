"""Mechanisms given by a function are audited like the built-in ones."""

from __future__ import annotations

from fractions import Fraction

import pytest

import ccsim
from ccsim.errors import DomainError
from ccsim.exact import Epsilon
from ccsim.exact.distribution import Distribution
from ccsim.privacy import FunctionMechanism, RandomizedResponse


def test_randomized_response_written_as_a_function_has_the_same_audit():
    built_in = RandomizedResponse((0, 1), Epsilon.of("ln 3"))
    own = FunctionMechanism((0, 1), built_in.distribution)
    for epsilon in ("ln 3", "ln 2"):
        verdicts = [ccsim.audit(each, epsilon, 0, 1).verdict for each in (own, built_in)]
        assert verdicts[0] == verdicts[1]


def test_a_function_that_publishes_its_database_is_not_private():
    assert (
        ccsim.audit(FunctionMechanism(("a", "b"), lambda d: {d: 1}), 100, 0, 1).verdict.value
        == "fails"
    )
    constant = FunctionMechanism(("a", "b"), lambda _: Distribution.certain(0))
    assert ccsim.audit(constant, 0, 0, 2).verdict.value == "holds"


def test_a_sorting_mechanism_sees_multisets():
    seen = []
    own = FunctionMechanism((0, 1), lambda d: seen.append(d) or {sum(d): Fraction(1)}, sorts=True)
    assert own.distribution((1, 0)) == own.distribution((0, 1))
    assert seen == [(0, 1), (0, 1)]


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (
            lambda _: 3,
            "a mapping from outcomes to probabilities, not 3",
        ),
        (lambda _: {0: Fraction(1, 2)}, "probabilities must sum to 1, not 1/2"),
        (lambda _: {0: 0.5, 1: 0.5}, "probability"),
    ],
)
def test_what_returns_no_distribution_is_refused(function, message):
    with pytest.raises(DomainError, match=message):
        FunctionMechanism((0, 1), function).distribution((0,))


def test_what_is_no_function_and_equal_records_are_refused():
    with pytest.raises(DomainError, match="function must be a function, not 3"):
        FunctionMechanism((0, 1), 3)
    with pytest.raises(DomainError, match="records must be distinct"):
        FunctionMechanism((1, True), lambda _: {0: 1})
