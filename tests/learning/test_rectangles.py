"""The learner of boxes: distribution and privacy by enumeration, and errors over 2^64 points."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, product

import numpy as np
import pytest

from ccsim import DomainError
from ccsim.exact import Epsilon
from ccsim.exact.exponentials import rational
from ccsim.privacy import Verdict, audit
from ccsim.privacy.mechanisms.noisy_answers import truncated_geometric_distribution
from ccsim.release.rectangles import (
    Rectangle,
    RectangleLearner,
    SideRule,
    TreeCuts,
    rectangle_learner,
)
from ccsim.release.sanitizers.thresholds import QuantileTree

END = 2**64 - 1
LN16 = Epsilon.of("ln 16")
HALF = Fraction(1, 2)
EMPTY = Rectangle(((1, 0),))


# --- The law, by hand -----------------------------------------------------------------------------


def run_by_hand(rule, counts):
    """Return the first and the last interval of a side, from all runs."""
    level, drift = rule.level(len(counts)), rule.drift

    def start(values):
        for end in range(len(values)):
            sums = [sum(values[i : end + 1]) for i in range(end + 1)]
            if max(sums) >= level:
                return max(i for i, total in enumerate(sums) if total == max(sums))
        return None

    surplus = [count - drift for count in counts]
    first, last = start(surplus), start(surplus[::-1])
    if first is None:
        return None
    last = len(counts) - 1 - last
    half = Fraction(sum(counts[first : last + 1]), 2 * (last + 1 - first))
    low = first + 1 if counts[first] < half else first
    high = last - 1 if counts[last] < half else last
    return (low, high) if low <= high else (first, last)


def distribution_by_hand(learner, database):
    """Return the distribution of the box on one axis with one cut of parameter ln 16."""
    last, size = learner.cuts.last, len(database)
    ranks = {cut: sum(p[0] < cut for p, _ in database) for cut in range(last + 2)}
    weights = {cut: Fraction(1, 2 ** abs(2 * rank - size)) for cut, rank in ranks.items()}
    distribution = Counter()
    for cut, weight in weights.items():
        starts = [cut] if 0 < cut <= last else []
        ends = list(zip([0, *starts], [s - 1 for s in starts] + [last], strict=True))
        counts = [sum(a <= p[0] <= b for p, label in database if label) for a, b in ends]
        for seen in product(range(-size, 2 * size + 1), repeat=len(counts)):
            chance = weight / sum(weights.values())
            for count, x in zip(counts, seen, strict=True):
                mass = sum(Fraction(3, 5) / 4 ** abs(z - count) for z in range(x, x + 1))
                if x in (-size, 2 * size):  # all that lies beyond is moved there
                    far = abs(x - count)
                    mass = Fraction(4, 5) / 4**far
                chance *= mass
            run = run_by_hand(learner.rule, seen)
            box = EMPTY if run is None else Rectangle(((ends[run[0]][0], ends[run[1]][1]),))
            distribution[box] += chance
    return dict(distribution)


def tiny(last=1, failure=HALF):
    cuts = TreeCuts(QuantileTree(last, LN16, 1, 0))
    return RectangleLearner(1, cuts, LN16, failure)


@pytest.mark.parametrize("last", [1, 2])
@pytest.mark.parametrize("size", [1, 2])
def test_distribution_is_that_of_an_enumeration(last, size):
    learner = tiny(last)
    for database in combinations_with_replacement(learner.records, size):
        assert learner.distribution(database).as_mapping() == distribution_by_hand(
            learner, database
        )


def test_privacy_is_that_of_an_enumeration():
    learner, size = tiny(), 2
    distributions = {
        database: distribution_by_hand(learner, database)
        for database in combinations_with_replacement(learner.records, size)
    }
    least = max(
        p / other[box]
        for database, distribution in distributions.items()
        for neighbour, other in distributions.items()
        if sum((Counter(database) - Counter(neighbour)).values()) == 1
        for box, p in distribution.items()
    )
    epsilon, delta = learner.privacy
    assert (str(epsilon), delta) == ("ln 256", 0)
    result = audit(learner, epsilon, 0, size)
    assert result.verdict is Verdict.HOLDS
    assert 1 < result.factor == least <= rational(epsilon.exp())
    result.check()


def test_counts_without_enough_noise_are_found_out(monkeypatch):
    """The noise is sufficient for only half of the change caused by a replaced example."""

    def bold(count, ratio, low, high):
        return truncated_geometric_distribution(count, ratio**64, low, high)

    monkeypatch.setattr("ccsim.release.rectangles.truncated_geometric_distribution", bold)
    learner = tiny()
    bare = RectangleLearner(1, learner.cuts, LN16, HALF)
    assert audit(bare, bare.privacy[0], 0, 2).verdict is Verdict.FAILS


def test_two_axes_are_independent_given_the_examples():
    both = RectangleLearner(2, TreeCuts(QuantileTree(1, LN16, 1, 0)), LN16, HALF)
    one = RectangleLearner(1, both.cuts, LN16, HALF / 2)
    database = (((0, 1), 1), ((1, 1), 1))
    sides = [
        one.distribution([((p[axis],), y) for p, y in database]).as_mapping() for axis in (0, 1)
    ]
    distribution = both.distribution(database).as_mapping()
    for (a, p), (b, q) in product(sides[0].items(), sides[1].items()):
        if EMPTY not in (a, b):
            assert distribution[Rectangle(a.sides + b.sides)] == p * q
    assert sum(distribution.values()) == 1
    assert str(both.privacy[0]) == "ln 65536"


def test_draws_have_the_distribution_and_repeat_by_their_seed():
    learner, database, tries = tiny(), [((0,), 1), ((0,), 1), ((1,), 0)], 1500
    rng = np.random.default_rng(4)
    found = Counter(learner.learn(database, rng).concept for _ in range(tries))
    distribution = learner.distribution(database).as_mapping()
    assert set(found) <= set(distribution)
    for box, p in distribution.items():
        assert abs(found[box] - tries * float(p)) < 5 * (tries * float(p)) ** 0.5
    again = [learner.learn(database, np.random.default_rng(1)).concept for _ in range(2)]
    assert again[0] == again[1]


# --- The rule for a side --------------------------------------------------------------------------


@pytest.mark.parametrize("intervals", [1, 2, 3, 4])
def test_runs_are_those_among_all_runs(intervals):
    rule = SideRule(Epsilon.of(3), HALF)
    for counts in product(range(-1, 5), repeat=intervals):
        assert rule.run(counts) == run_by_hand(rule, counts)


@pytest.mark.parametrize("epsilon", [1, 2, 4])
def test_the_drift_is_the_least_for_the_bound(epsilon):
    rule = SideRule(Epsilon.of(epsilon), HALF)
    ratio, theta = math.exp(-epsilon / 2), 0.4 * epsilon

    def mean(drift):
        noise = ((1 - ratio) / (1 + ratio) * ratio ** abs(z) for z in range(-400, 401))
        return sum(p * math.exp(theta * (z - drift)) for z, p in enumerate(noise, -400))

    assert mean(rule.drift) <= 1
    assert rule.drift == 1 or mean(rule.drift - 1) > 1


@pytest.mark.parametrize("intervals", [1, 2, 3])
def test_without_positive_examples_a_side_is_found_rarely(intervals):
    rule, reach = SideRule(LN16, Fraction(1, 5)), 7
    masses = {z: Fraction(3, 5) / 4 ** abs(z) for z in range(-reach, reach + 1)}
    found = Fraction(0)
    for seen in product(masses, repeat=intervals):
        if rule.run(seen) is not None:
            found += math.prod(masses[z] for z in seen)
    missed = 1 - sum(masses.values()) ** intervals
    assert found > 0
    assert found + missed <= rule.failure


# --- Long axes ------------------------------------------------------------------------------------


def uniform(size, axes, rng):
    return rng.integers(2**64, size=(size, axes), dtype=np.uint64).tolist()


def scales(size, axes, rng):
    exponents = rng.integers(0, 64, size=(size, axes)).tolist()
    return [[2**e for e in row] for row in exponents]


def ties(size, axes, rng):
    values = [0, 7, 2**30, 2**30 + 1, 2**63, END]
    return [[values[i] for i in row] for row in rng.integers(0, 6, size=(size, axes)).tolist()]


@pytest.mark.parametrize("axes", [2, pytest.param(3, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("points", "side"),
    [
        (uniform, (2**61, 2**63 + 2**61)),
        pytest.param(uniform, (2**60, 2**64 - 2**61), marks=pytest.mark.slow),
        pytest.param(scales, (2**20, 2**50), marks=pytest.mark.slow),
        pytest.param(ties, (7, 2**30), marks=pytest.mark.slow),
    ],
)
def test_error_over_long_axes(axes, points, side):
    learner, rng = rectangle_learner(64, axes, Epsilon.of(1)), np.random.default_rng(7)
    target = Rectangle((side,) * axes)
    examples = [(tuple(p), target(tuple(p))) for p in points(30_000, axes, rng)]
    learned = learner.learn(examples, rng)
    assert learned.empirical_error <= Fraction(1, 20)
    wrong = sum(learned.concept(p) != y for p, y in examples)
    assert learned.empirical_error == Fraction(wrong, 30_000)
    assert (str(learned.epsilon), learned.delta) == ("1", 0)


def test_without_positive_examples_the_box_is_empty():
    rng = np.random.default_rng(3)
    examples = [(tuple(p), 0) for p in uniform(2000, 2, rng)]
    learned = rectangle_learner(64, 2, Epsilon.of(1)).learn(examples, rng)
    assert learned.concept == Rectangle(((1, 0), (1, 0)))
    assert learned.empirical_error == 0


def test_cuts_through_equal_records_part_them_from_both_sides():
    cuts = TreeCuts(QuantileTree(7, LN16, 1, 2))
    distribution = cuts.starts_distribution([3])
    assert distribution[3, 4] > distribution[4,] > 0
    assert all(0 < start <= 7 for starts in distribution for start in starts)


LEARNER = rectangle_learner(3, 2, Epsilon.of(1))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rectangle_learner(3, 0, Epsilon.of(1)), "dimension must be at least 1, not 0"),
        (lambda: rectangle_learner(0, 1, Epsilon.of(1)), "bits must be at least 1, not 0"),
        (lambda: rectangle_learner(3, 1, Epsilon.of(0)), "epsilon must be positive, not 0"),
        (
            lambda: rectangle_learner(3, 1, Epsilon.of(1), 6, Fraction(1)),
            "share of epsilon for the cuts must be strictly between 0 and 1, not 1",
        ),
        (lambda: tiny(1, Fraction(1)), "failure must be strictly between 0 and 1, not 1"),
        (
            lambda: RectangleLearner(1, LEARNER.cuts, Epsilon.of(0)),
            "epsilon of the counts must be positive, not 0",
        ),
        (lambda: LEARNER.learn([], None), "sample must have at least one example, not 0"),
        (lambda: LEARNER.learn([((1,), 0)], None), "points must have 2 coordinates, not 1"),
        (
            lambda: LEARNER.learn([((1, 8), 0)], None),
            "example 1: the coordinates must be between 0 and 7",
        ),
        (lambda: LEARNER.learn([((1, 1), 2)], None), "example 1: the label must be 0 or 1"),
        (lambda: Rectangle(((0, 1),)).error([]), "sample must have at least one example, not 0"),
    ],
)
def test_wrong_parameters_are_refused(call, message):
    with pytest.raises(DomainError, match=message):
        call()
