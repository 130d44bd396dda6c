"""The histogram of frequent points: distribution, privacy and failure by enumeration."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, product

import numpy as np
import pytest

from ccsim import DomainError
from ccsim.exact import Epsilon
from ccsim.privacy import Verdict, audit
from ccsim.release.sanitizers.budget import san_points_sample_size
from ccsim.release.sanitizers.points import (
    StabilityHistogram,
    histogram_sample_size,
    least_kept_count,
)
from proofs_check.claims.beimel_nissim_stemmer.constructions.histogram_failure import (
    histogram_failure,
    worst_histogram_failure,
)

TENTH, MILLIONTH = Fraction(1, 10), Fraction(1, 10**6)
HALF = Fraction(1, 2)
LN4 = Epsilon.of("ln 4")
"""Noise of ratio 1/2, whose masses are 1/3 2^-|z|."""
FAR = 60
"""Noise is listed up to here, and what is beyond is at the end."""


def noise_masses():
    masses = {z: Fraction(1, 3) * HALF ** abs(z) for z in range(-FAR, FAR + 1)}
    for end in (-FAR, FAR):
        masses[end] += Fraction(1, 3) * HALF**FAR
    assert sum(masses.values()) == 1
    return masses


def distribution_by_hand(database, least):
    distribution = Counter({(): Fraction(1)})
    for point, count in sorted(Counter(database).items()):
        longer = Counter()
        for (before, p), (z, q) in product(distribution.items(), noise_masses().items()):
            value = min(count + z, len(database)) if count + z >= least else None
            after = before if value is None else (*before, (point, value))
            longer[after] += p * q
        distribution = longer
    return dict(distribution)


@pytest.mark.parametrize("delta", ["1/6", "1/24", "1/100"])
def test_distribution_is_that_of_an_enumeration(delta):
    histogram = StabilityHistogram((0, 1, 2), LN4, Fraction(delta))
    for size in (1, 2, 4):
        for database in combinations_with_replacement((0, 1, 2), size):
            assert histogram.distribution(database).as_mapping() == distribution_by_hand(
                database, histogram.least
            )


def test_kept_sets_are_independent():
    histogram = StabilityHistogram("abc", LN4, Fraction(1, 6))
    kept = histogram.distribution("aaab").map(lambda parts: frozenset(point for point, _ in parts))
    a, b = Fraction(2, 3), Fraction(1, 6)  # noise of at least 0, and of at least 2
    assert kept[frozenset("ab")] == a * b
    assert kept[frozenset("a")] == a * (1 - b)
    assert kept[frozenset()] == (1 - a) * (1 - b)


@pytest.mark.parametrize("size", [1, 2, 3, 4])
@pytest.mark.parametrize("delta", ["1/6", "1/7", "1/50"])
def test_privacy_needs_the_chance_that_one_record_is_seen(size, delta):
    histogram = StabilityHistogram((0, 1, 2), LN4, Fraction(delta))
    seen = HALF ** (histogram.least - 1) * Fraction(2, 3)
    assert seen <= Fraction(delta) < 2 * seen
    result = audit(histogram, LN4, delta, size)
    assert result.verdict is Verdict.HOLDS
    assert result.least_delta == seen
    result.check()


def test_a_lower_threshold_and_a_smaller_epsilon_are_violated():
    histogram = StabilityHistogram((0, 1), LN4, Fraction(1, 6))
    assert audit(histogram, LN4, Fraction(1, 7), 2).verdict is Verdict.FAILS
    assert audit(histogram, "ln 2", Fraction(1, 6), 5).verdict is Verdict.FAILS


def test_numbers_in_e():
    histogram = StabilityHistogram((0, 1), Epsilon.of(1), Fraction(1, 10))
    assert audit(histogram, 1, Fraction(1, 10), 2).verdict is Verdict.HOLDS
    assert least_kept_count(Epsilon.of(1), MILLIONTH) == 28
    ratio = Epsilon.of(1).exp("-1/2")
    assert ratio**27 / (1 + ratio) <= MILLIONTH < ratio**26 / (1 + ratio)


def failed(database, release, accuracy):
    true, estimate = Counter(database), dict(release)
    bound = accuracy * len(database)
    return any(abs(true[p] - estimate.get(p, 0)) > bound for p in {*true, *estimate})


@pytest.mark.parametrize("accuracy", ["1/4", "1/2", "3/4"])
@pytest.mark.parametrize("delta", ["1/6", "1/24"])
def test_failures_are_those_of_the_distribution(accuracy, delta):
    accuracy, delta = Fraction(accuracy), Fraction(delta)
    for size in (1, 3, 4):
        domain = tuple(range(size))
        histogram, seen = StabilityHistogram(domain, LN4, delta), []
        for database in combinations_with_replacement(domain, size):
            distribution = histogram.distribution(database).as_mapping()
            wrong = sum(
                p for release, p in distribution.items() if failed(database, release, accuracy)
            )
            counts = list(Counter(database).values())
            assert histogram_failure(counts, accuracy, LN4, delta) == wrong
            ball = histogram_failure(counts, accuracy, LN4, delta, 96)
            assert ball.lower <= wrong <= ball.upper
            seen.append(wrong)
        assert worst_histogram_failure(size, accuracy, LN4, delta, None) == max(seen)


def test_four_hundred_records_are_enough_and_the_paper_asks_for_many_more():
    asked = san_points_sample_size(TENTH, TENTH, Epsilon.of(1), MILLIONTH)
    assert asked == 758535
    proved = histogram_sample_size(TENTH, TENTH, Epsilon.of(1), MILLIONTH)
    assert proved <= 400
    for size in range(proved, 420, 7):
        assert worst_histogram_failure(size, TENTH, Epsilon.of(1), MILLIONTH).upper <= TENTH
    assert worst_histogram_failure(339, TENTH, Epsilon.of(1), MILLIONTH).lower > TENTH


@pytest.mark.parametrize("epsilon", ["1/4", "ln 4", 2])
def test_sizes_are_proved_for_other_parameters(epsilon):
    privacy, accuracy = Epsilon.of(epsilon), Fraction(1, 3)
    size = histogram_sample_size(accuracy, TENTH, privacy, Fraction(1, 100))
    for records in (size, size + 1, size + 2):
        assert worst_histogram_failure(records, accuracy, privacy, Fraction(1, 100)).upper <= TENTH


def test_draws_over_a_wide_domain_repeat_by_their_seed():
    histogram = StabilityHistogram(range(2**64), Epsilon.of(1), MILLIONTH)
    database = [2**64 - 1] * 300 + [5] * 100 + list(range(10, 210))
    first, again = (histogram.draw(database, np.random.default_rng(3)) for _ in range(2))
    assert first == again
    assert [point for point, _ in first] == [5, 2**64 - 1]
    assert not failed(database, first, TENTH)


def test_draws_have_the_distribution():
    histogram = StabilityHistogram("ab", LN4, Fraction(1, 6))
    rng, tries = np.random.default_rng(1), 1000
    found = Counter(histogram.draw("aab", rng) for _ in range(tries))
    distribution = histogram.distribution("aab").as_mapping()
    assert set(found) == set(distribution)
    for release, p in distribution.items():
        assert abs(found[release] - tries * float(p)) < 5 * (tries * float(p)) ** 0.5


@pytest.mark.parametrize("domain", ["zyx", ("z", "y", "x")])
def test_draws_do_not_tell_whose_record_came_first(domain):
    histogram = StabilityHistogram(domain, LN4, Fraction(1, 6))
    one, other = (
        histogram.draw(database, np.random.default_rng(4)) for database in ("xz" * 9, "zx" * 9)
    )
    assert one == other
    assert [point for point, _ in one] == ["z", "x"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: StabilityHistogram((0,), Epsilon.of(0), TENTH), "epsilon must be positive"),
        (
            lambda: StabilityHistogram((0,), LN4, Fraction(0)),
            "delta must be strictly between 0 and 1",
        ),
        (
            lambda: StabilityHistogram((0,), LN4, Fraction(1)),
            "delta must be strictly between 0 and 1",
        ),
        (
            lambda: StabilityHistogram(range(4), LN4, TENTH).draw([3, 4], np.random.default_rng(0)),
            "record 2 must be in the domain, but is not",
        ),
        (
            lambda: StabilityHistogram((0,), Epsilon.of("1/30000"), TENTH**300),
            "epsilon is too small, as the noise would be about [0-9]+",
        ),
        (lambda: histogram_failure([], TENTH, LN4, TENTH), "counts must have at least one entry"),
        (
            lambda: histogram_failure([2, 0], TENTH, LN4, TENTH),
            "counts must have at least one entry",
        ),
        (lambda: histogram_failure([2], 2, LN4, TENTH), "accuracy"),
        (lambda: worst_histogram_failure(0, TENTH, LN4, TENTH), "records must be at least 1"),
        (
            lambda: histogram_sample_size(Fraction(0), TENTH, LN4, TENTH),
            "accuracy must be strictly between 0 and 1, not 0",
        ),
        (
            lambda: san_points_sample_size(TENTH, Fraction(1), LN4, TENTH),
            "failure must be strictly between 0 and 1, not 1",
        ),
    ],
)
def test_wrong_parameters_are_refused(call, message):
    with pytest.raises(DomainError, match=message):
        call()
