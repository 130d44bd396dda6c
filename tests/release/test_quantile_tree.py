"""The tree of private medians: distribution and privacy by enumeration, errors on long ranges."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, product

import numpy as np
import pytest

from ccsim import DomainError
from ccsim.budget import Budget, OutOfTimeError
from ccsim.exact import Epsilon
from ccsim.exact.exponentials import rational
from ccsim.exact.probability import uniform_numbers
from ccsim.privacy import Verdict, audit
from ccsim.release import max_threshold_error
from ccsim.release.sanitizers.thresholds import QuantileTree, _extended

WIDE = 2**64 - 1
TENTH = Fraction(1, 10)


def part_distribution(records, low, high, levels, depth):
    """Return the distribution of the cuts of a part, with point weights ``2^-|2 rank - n|``."""
    if not levels:
        return {(): Fraction(1)}
    found, ranks = Counter(), {}
    for point in range(low, high + 1):
        ranks[point] = sum(x < point for x in records)
    weights = {
        point: Fraction(1, 2 ** min(abs(2 * rank - len(records)), 2 * depth))
        for point, rank in ranks.items()
    }
    for point, weight in weights.items():
        left = part_distribution([x for x in records if x < point], low, point, levels - 1, depth)
        right = part_distribution(
            [x for x in records if x >= point], point, high, levels - 1, depth
        )
        for (a, p), (b, q) in product(left.items(), right.items()):
            found[*a, point, *b] += weight / sum(weights.values()) * p * q
    return found


def distribution_by_hand(tree, database):
    distribution = Counter()
    ways = list(product(range(2**tree.bits), repeat=len(database)))
    for low in ways:
        longer = [x * 2**tree.bits + y for x, y in zip(database, low, strict=True)]
        end = (tree.last + 1) * 2**tree.bits
        for cuts, p in part_distribution(longer, 0, end, tree.levels, tree.least_quality).items():
            distribution[cuts] += p / len(ways)
    return dict(distribution)


def tree_of(last, levels, bits, depth=None):
    """Return a tree of parameter ``levels ln 16``, so that its weights are powers of 1/2."""
    return QuantileTree(last, Epsilon.of(f"ln {16**levels}"), levels, bits, depth)


TREES = [
    tree_of(3, 1, 0),
    tree_of(2, 2, 0),
    tree_of(1, 1, 2),
    tree_of(1, 2, 1),
    tree_of(3, 1, 0, 1),
    tree_of(2, 2, 0, 1),
]


@pytest.mark.parametrize("tree", TREES, ids=str)
@pytest.mark.parametrize("size", [0, 1, 2, 3])
def test_distribution_is_that_of_an_enumeration(tree, size):
    for database in combinations_with_replacement(range(tree.last + 1), size):
        assert tree.distribution(database).as_mapping() == distribution_by_hand(tree, database)


@pytest.mark.parametrize("tree", TREES, ids=str)
def test_privacy_is_that_of_an_enumeration(tree):
    size = 3
    distributions = {
        database: distribution_by_hand(tree, database)
        for database in combinations_with_replacement(range(tree.last + 1), size)
    }
    least = max(
        p / other[cuts]
        for database, distribution in distributions.items()
        for neighbour, other in distributions.items()
        if sum((Counter(database) - Counter(neighbour)).values()) == 1
        for cuts, p in distribution.items()
    )
    result = audit(tree, tree.epsilon, 0, size)
    assert result.verdict is Verdict.HOLDS
    assert result.factor == least <= rational(tree.epsilon.exp())
    result.check()


def test_one_level_of_many_records_comes_near_its_parameter():
    tree = tree_of(4, 1, 0)
    assert audit(tree, "ln 16", 0, 4).factor == Fraction(34, 3)
    assert audit(tree, "ln 4", 0, 4).verdict is Verdict.FAILS


def databases(records, rng):
    half = records // 2
    near = [2**e for e in range(64)] * 6
    yield "uniform", [int(x) for x in rng.integers(2**64, size=records, dtype=np.uint64)]
    yield "two values", [7] * half + [2**63] * (records - half)
    yield "one value", [12345] * records
    yield "all scales", [2 ** int(e) for e in rng.integers(64, size=records)]
    yield "scales at the median", [0] * (half - 192) + near + [WIDE] * (records - half - 192)


@pytest.mark.parametrize("records", [10_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_error_over_every_threshold_of_a_long_range(records):
    tree, rng = QuantileTree(WIDE, Epsilon.of(1)), np.random.default_rng(5)
    for name, database in databases(records, rng):
        cuts = tree.draw(database, rng)
        assert len(cuts) == 15
        worst = max_threshold_error(database, tree.release(cuts), WIDE)
        assert worst.error <= Fraction(1, 20), (name, worst)


@pytest.mark.parametrize(("records", "reached"), [(10_000, False), (30_000, True)])
def test_a_value_that_ends_near_a_cut_needs_more_records(records, reached):
    """The cut may miss the end of 8/10 equal records: over 2^64 points, 250 records are too few."""
    ends, rng = records // 10, np.random.default_rng(5)
    database = [0] * ends + [2**40] * (records - 2 * ends) + [WIDE] * ends
    tree = QuantileTree(WIDE, Epsilon.of(1))
    worst = max_threshold_error(database, tree.release(tree.draw(database, rng)), WIDE)
    assert (worst.error <= Fraction(1, 20)) is reached
    assert worst.error <= tree.error_bound(records, TENTH)


def test_equal_records_need_the_low_bits():
    database, rng = [12345] * 10_000, np.random.default_rng(5)
    without = QuantileTree(WIDE, Epsilon.of(1), bits=0)
    worst = max_threshold_error(database, without.release(without.draw(database, rng)), WIDE)
    assert worst.error > Fraction(1, 10)


def test_draws_have_the_distribution_and_repeat_by_their_seed():
    tree, database, tries = tree_of(1, 1, 1), [0, 0, 1], 1000
    rng = np.random.default_rng(2)
    found = Counter(tree.draw(database, rng) for _ in range(tries))
    distribution = tree.distribution(database).as_mapping()
    assert set(found) == set(distribution)
    for cuts, p in distribution.items():
        assert abs(found[cuts] - tries * float(p)) < 5 * (tries * float(p)) ** 0.5
    first, again = (tree.draw(database, np.random.default_rng(8)) for _ in range(2))
    assert first == again


def test_exact_cuts_are_off_by_half_a_part():
    tree = QuantileTree(15, Epsilon.of(1), 2, 3)
    worst = max_threshold_error(range(16), tree.release((32, 64, 96)), 15)
    assert worst.error == Fraction(1, 8)
    assert tree.release((0, 1, 128)) == (0, 0, 0, 0, 0, 15, 15, 15)


def test_the_bound_on_the_error_holds_for_the_distribution():
    tree, failure = QuantileTree(1, Epsilon.of(f"ln {2**400}"), 1, 3), Fraction(1, 4)
    bound = tree.error_bound(2, failure)
    assert bound < 1
    for database in ((0, 0), (0, 1)):
        distribution = tree.distribution(database).as_mapping()
        off = sum(
            p
            for cuts, p in distribution.items()
            if max_threshold_error(database, tree.release(cuts), 1).error > bound
        )
        assert off <= failure


@pytest.mark.parametrize("accuracy", ["1/25", "1/20", "1/10", "1/9", "1/3"])
def test_the_number_of_records_is_the_least_one(accuracy):
    tree = QuantileTree(255, Epsilon.of(1))
    size = tree.sample_size(Fraction(accuracy), TENTH)
    bounds = [tree.error_bound(n, TENTH) for n in (size, size - 1)]
    assert bounds[0] <= Fraction(accuracy) < bounds[1]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: QuantileTree(-1, Epsilon.of(1)), "last record must be at least 0, not -1"),
        (lambda: QuantileTree(1, Epsilon.of(0)), "epsilon must be positive, not 0"),
        (lambda: QuantileTree(1, Epsilon.of(1), 0), "levels must be between 1 and 12, not 0"),
        (lambda: QuantileTree(1, Epsilon.of(1), 13), "levels must be between 1 and 12, not 13"),
        (lambda: QuantileTree(1, Epsilon.of(1), 1, -1), "bits must be at least 0, not -1"),
        (lambda: QuantileTree(1, Epsilon.of(1), depth=0), "depth must be at least 1, not 0"),
        (
            lambda: QuantileTree(1, Epsilon.of(1)).draw([2], np.random.default_rng(0)),
            "must be between 0 and 1, but is not",
        ),
        (lambda: QuantileTree(1, Epsilon.of(1)).error_bound(0, TENTH), "records must be at least"),
        (
            lambda: QuantileTree(1, Epsilon.of(1), bits=4).error_bound(10, TENTH),
            "failure must be strictly between 2.81 and 1, not 1/10",
        ),
        (
            lambda: QuantileTree(1, Epsilon.of(1), depth=9).error_bound(10, TENTH),
            "failure must be larger for depth 9",
        ),
    ],
)
def test_wrong_parameters_are_refused(call, message):
    with pytest.raises(DomainError, match=message):
        call()


def test_a_draw_ends_with_its_time():
    tree = QuantileTree(7, Epsilon.of(1), 2)
    with Budget(0).heard(), pytest.raises(OutOfTimeError):
        tree.draw([3, 5], np.random.default_rng(0))


@pytest.mark.parametrize(("last", "bits"), [(1, 0), (7, 3), (WIDE, 40), (WIDE, 64), (7, 70)])
def test_records_with_low_bits_are_those_of_whole_numbers(last, bits):
    given = np.random.default_rng(0)
    records = [last - int(x) for x in given.integers(0, min(last, 5) + 1, 50)]
    low = uniform_numbers(1 << bits, 50, np.random.default_rng(1))
    expected = sorted((x << bits) + y for x, y in zip(records, low, strict=True))
    found = _extended(records, last, bits, np.random.default_rng(1))
    assert [*found] == expected
    assert [*found[3:40]] == expected[3:40]
    assert bisect_left(found, expected[20]) == bisect_left(expected, expected[20])
