"""The least delta and the least fixed threshold of the choosing mechanism, against audits."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from ccsim.errors import DomainError
from ccsim.exact import Epsilon
from ccsim.privacy import QualityNeighbours, audit_by_qualities
from ccsim.privacy.mechanisms.choosing import ChoosingMechanism
from proofs_check.claims.beimel_nissim_stemmer.constructions.choosing_threshold import (
    choosing_delta,
    largest_release,
)

EIGHTH, TENTH = Fraction(1, 8), Fraction(1, 10)


def audited(epsilon, released, growth, solutions, most):
    epsilon = Epsilon.of(epsilon)
    choosing = ChoosingMechanism(
        (), tuple(range(solutions)), max, epsilon, TENTH, growth, released=released
    )
    every = QualityNeighbours.all_functions(solutions, most, growth)
    return audit_by_qualities(
        lambda q: choosing.distribution_of_scores(q, 0), epsilon, TENTH, every
    )


SETTINGS = [
    ("ln 16", 1, 2, 6),
    ("ln 16", 2, 3, 5),
    ("ln(81/16)", 2, 3, 5),
    ("ln(14641/10000)", 2, 3, 4),
    ("ln 16", 3, 4, 3),
]


@pytest.mark.parametrize(("epsilon", "growth", "solutions", "most"), SETTINGS)
@pytest.mark.parametrize("released", ["1/20", "1/7", "1/2"])
def test_the_formula_is_the_least_delta_on_all_qualities(
    epsilon, growth, solutions, most, released
):
    released = Fraction(released)
    found = audited(epsilon, released, growth, solutions, most)
    assert found.least_delta == choosing_delta(released, growth, Epsilon.of(epsilon), most)


@pytest.mark.parametrize(("solutions", "most"), [(2, 3), (4, 2), (5, 1)])
def test_with_fewer_or_more_solutions_than_needed_the_formula_bounds_it(solutions, most):
    found = audited("ln 16", EIGHTH, 2, solutions, most)
    bound = choosing_delta(EIGHTH, 2, Epsilon.of("ln 16"), most)
    assert found.least_delta <= bound
    assert (found.least_delta == bound) == (solutions > 2)


@pytest.mark.parametrize(
    ("growth", "epsilon", "delta"),
    [*product((1, 2, 5), ("ln 16", "ln(81/16)"), ("1/10", "1/2", "1/10000"))],
)
def test_the_least_threshold_is_tight(growth, epsilon, delta):
    epsilon, delta = Epsilon.of(epsilon), Fraction(delta)
    largest = largest_release(growth, epsilon, delta)
    assert delta / growth <= largest <= delta
    assert choosing_delta(largest, growth, epsilon, 200) == delta
    if largest < Fraction(499, 1000):
        higher = largest * Fraction(1001, 1000)
        assert choosing_delta(higher, growth, epsilon, 200) > delta


def test_both_ends_are_audited():
    epsilon, delta = Epsilon.of("ln 16"), TENTH
    largest = largest_release(2, epsilon, delta)
    assert largest > delta / 2
    holds = audited("ln 16", largest, 2, 3, 6)
    fails = audited("ln 16", largest * Fraction(1001, 1000), 2, 3, 6)
    assert (holds.verdict, fails.verdict) == ("holds", "fails")
    assert holds.least_delta == delta
    fails.check()
    assert fails.witness.delta > delta


def test_the_delta_of_many_growing_solutions_peaks_after_the_median():
    """The search for the worst quality must continue after the release exceeds one half."""
    epsilon, growth, released = Epsilon.of("ln(81/16)"), 40, Fraction(1, 2)
    needed = choosing_delta(released, growth, epsilon, 60)
    each = [
        (1 - 1 / (4 * released * Fraction(3, 2) ** (best - 1)))
        * growth
        / (growth + Fraction(3, 2) ** (best - 1))
        for best in range(2, 60)
    ]
    assert needed == max(each) > each[0]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: choosing_delta(EIGHTH, 0, Epsilon.of(1), 3), "growth must be at least 1"),
        (lambda: choosing_delta(EIGHTH, 1, Epsilon.of(0), 3), "epsilon must be positive"),
        (lambda: choosing_delta(Fraction(2, 3), 1, Epsilon.of(1), 3), "released must be positive"),
        (lambda: choosing_delta(EIGHTH, 1, Epsilon.of(1), 0), "most must be between"),
        (lambda: largest_release(1, Epsilon.of(1), Fraction(0)), "delta must be positive"),
        (
            lambda: largest_release(1, Epsilon.of("1/999"), Fraction(1, 9)),
            "above the largest quality, 4096",
        ),
    ],
)
def test_wrong_parameters_are_refused(call, message):
    with pytest.raises(DomainError, match=message):
        call()
