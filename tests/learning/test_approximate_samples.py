"""The least failure of approximately private learners, and the first gap to pure ones."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from ccsim.classes import ConceptClass, points
from ccsim.errors import CertificateError, DomainError, InstanceTooLargeError
from ccsim.learning.optimum.approximate import least_approximate_failure
from ccsim.learning.optimum.search import least_private_failure
from ccsim.privacy import Verdict

F = Fraction
TINY = F(1, 10**6)
PAIR = ConceptClass.from_matrix([[0, 0], [1, 0]])


@pytest.mark.parametrize("delta", [F(0), F(1, 10), F(1, 3)])
def test_one_example_of_two_complementary_points(delta):
    # One example tells which: p <= 3 (1 - p) + delta is all that privacy says of the right answer.
    found = least_approximate_failure(points(1), 1, "1/4", "ln 3", delta)
    assert found.lower <= (1 - delta) / 4 <= found.upper <= found.lower + TINY
    for part in (found.program, found.worst, found.privacy):
        part.check()
    assert found.privacy.verdict is Verdict.HOLDS


def test_without_delta_it_is_pure_privacy():
    pure = least_private_failure(PAIR, 2, "1/4", "ln 3")
    found = least_approximate_failure(PAIR, 2, "1/4", "ln 3", 0)
    assert max(found.lower, pure.lower) <= min(found.upper, pure.upper)


def test_first_gap_between_pure_and_approximate_privacy():
    pure = least_private_failure(PAIR, 3, "1/4", "ln 3", target="1/3")
    pure.check()
    found = least_approximate_failure(PAIR, 3, "1/4", "ln 3", "1/10", target="1/3")
    assert pure.lower > F(1, 3) >= found.upper == found.worst.upper
    found.worst.check()
    found.privacy.check()
    assert found.privacy.verdict is Verdict.HOLDS
    fewer = least_approximate_failure(PAIR, 2, "1/4", "ln 3", "1/10", target="1/3")
    assert fewer.lower > F(1, 3)
    fewer.program.check()
    with pytest.raises(CertificateError):
        replace(fewer.program, lower=fewer.lower + TINY).check()
    with pytest.raises(CertificateError):
        replace(found.worst, upper=found.upper - TINY).check()


def test_bad_input_is_refused():
    with pytest.raises(DomainError, match="samples must be at least 1"):
        least_approximate_failure(PAIR, 0, "1/4", "ln 3", "1/10")
    with pytest.raises(DomainError, match="must be rational"):
        least_approximate_failure(PAIR, 1, "1/4", 1, "1/10")
    with pytest.raises(InstanceTooLargeError):
        least_approximate_failure("all_functions:n=4", 9, "1/4", "ln 3", "1/10")
