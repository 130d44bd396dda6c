"""Exact private sample complexity on tiny domains: a linear program over all mechanisms."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from ccsim.classes import ConceptClass, all_functions, points
from ccsim.errors import CertificateError, DomainError, InstanceTooLargeError
from ccsim.privacy import Epsilon, audit
from ccsim.privacy.least_private_failure import least_private_failure
from ccsim.privacy.private_sample_complexity import private_sample_complexity

F = Fraction
THREE_POINTS = ConceptClass.from_matrix([[1, 0, 0], [0, 1, 0], [0, 0, 1]])


@pytest.mark.parametrize(
    ("samples", "ratio", "failure"),
    [
        # The examples of one concept turn into those of the other in as many steps; a likelihood
        # and its complement grow at most by the ratio in each.
        (1, 3, F(1, 4)),
        (2, 3, F(1, 6)),
        (3, 3, F(1, 12)),
        (1, 2, F(1, 3)),
        (2, 2, F(1, 4)),
    ],
)
def test_two_complementary_points_are_told_apart_step_by_step(samples, ratio, failure):
    result = least_private_failure(points(1), samples, "1/4", f"ln {ratio}")
    assert result.lower == result.upper == failure
    result.check()


def test_the_learner_is_private_and_accurate_on_a_grid():
    result = least_private_failure(THREE_POINTS, 1, "1/4", "ln 3", gap="1/50")
    assert audit(result.learner, "ln 3", 0, 1).verdict == "holds"
    assert result.upper - result.lower <= F(1, 50)
    for i, j in product(range(9), repeat=2):
        if i + j > 8:
            continue
        D = (F(i, 8), F(j, 8), F(8 - i - j, 8))
        for concept in THREE_POINTS.rows:
            success = sum(
                D[x] * p
                for x in range(3)
                for h, p in result.learner.law([(x, concept >> x & 1)]).items
                if sum(D[y] for y in range(3) if (h ^ concept) >> y & 1) <= F(1, 4)
            )
            assert 1 - success <= result.upper


def test_without_privacy_in_the_way_more_examples_help():
    loose = [least_private_failure(points(1), n, "1/4", "ln 1000").upper for n in (1, 2)]
    assert loose[1] < loose[0] < F(1, 1000)


def test_a_class_of_one_concept_needs_no_luck():
    C = ConceptClass.from_matrix([[0, 1]])
    assert least_private_failure(C, 1, 0, "ln 2").upper == 0


def test_altered_bounds_are_rejected():
    result = least_private_failure(points(1), 1, "1/4", "ln 3")
    with pytest.raises(CertificateError, match="has value 1/4, not 1/3"):
        replace(result, lower=F(1, 3)).check()
    with pytest.raises(CertificateError, match="fails more than 1/5"):
        replace(result, upper=F(1, 5)).check()
    with pytest.raises(CertificateError, match="not the one of these targets"):
        replace(result, targets=result.targets[:1]).check()
    with pytest.raises(CertificateError, match="not the one of these targets"):
        replace(result, epsilon=Epsilon.of("ln 2")).check()


def test_sample_complexity_is_proved_from_both_sides():
    result = private_sample_complexity(points(1), "1/4", "1/6", "ln 3")
    assert (result.lower, result.upper) == (2, 2)
    assert result.exact
    result.check()
    more = private_sample_complexity(points(1), "1/4", "1/100", "ln 3", limit=2)
    assert (more.lower, more.upper) == (3, None)
    more.check()
    with pytest.raises(CertificateError, match="nothing shows that 1 examples are too few"):
        replace(result, impossible=None).check()
    with pytest.raises(CertificateError, match="examples may fail 1/6"):
        replace(result, failure=F(1, 7)).check()


def test_unreasonable_requests_are_refused():
    with pytest.raises(InstanceTooLargeError, match="above the limit of 1200"):
        least_private_failure(all_functions(4), 3, "1/4", "ln 2")
    with pytest.raises(DomainError, match="samples must be at least 1"):
        least_private_failure(points(1), 0, "1/4", "ln 2")
    with pytest.raises(DomainError, match="must be rational"):
        least_private_failure(points(1), 1, "1/4", "1")
