"""The tree of medians with counts: distribution and privacy by enumeration, error with ties."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, product

import numpy as np
import pytest

from ccsim import DomainError
from ccsim.exact import Epsilon
from ccsim.exact.exponentials import rational
from ccsim.privacy import Verdict, audit
from ccsim.release import max_threshold_error
from ccsim.release.sanitizers.thresholds import CountedTree

END = 2**64 - 1
HALF = Fraction(1, 2)


def tiny(last, bits):
    """Return a tree with one cut and two counts, each with parameter ln 16."""
    return CountedTree(last, Epsilon.of("ln 256"), 1, bits, HALF)


def noisy(count, size):
    """Return the distribution of a count with noise of ratio 1/4, clamped to the range."""
    distribution = {x: Fraction(3, 5) / 4 ** abs(x - count) for x in range(-size, 2 * size + 1)}
    for end in (-size, 2 * size):
        distribution[end] = (
            Fraction(4, 5) / 4 ** abs(end - count) if end != count else Fraction(4, 5)
        )
    return distribution


def distribution_by_hand(tree, database):
    distribution, size = Counter(), len(database)
    ways = list(product(range(2**tree.bits), repeat=size))
    for low in ways:
        longer = [x * 2**tree.bits + y for x, y in zip(database, low, strict=True)]
        ranks = {c: sum(x < c for x in longer) for c in range((tree.last + 1) * 2**tree.bits + 1)}
        weights = {cut: Fraction(1, 2 ** abs(2 * rank - size)) for cut, rank in ranks.items()}
        for cut, weight in weights.items():
            left = noisy(ranks[cut], size)
            right = noisy(size - ranks[cut], size)
            for (a, p), (b, q) in product(left.items(), right.items()):
                chance = weight / sum(weights.values()) * p * q / len(ways)
                distribution[(cut,), (a, b)] += chance
    return dict(distribution)


@pytest.mark.parametrize(("last", "bits"), [(1, 0), (2, 0), (1, 1)])
@pytest.mark.parametrize("size", [1, 2])
def test_distribution_is_that_of_an_enumeration(last, bits, size):
    tree = tiny(last, bits)
    for database in combinations_with_replacement(range(last + 1), size):
        assert tree.distribution(database).as_mapping() == distribution_by_hand(tree, database)


@pytest.mark.parametrize(("last", "bits"), [(1, 0), (2, 0), (1, 1)])
def test_privacy_is_that_of_an_enumeration(last, bits):
    tree, size = tiny(last, bits), 2
    distributions = {
        database: distribution_by_hand(tree, database)
        for database in combinations_with_replacement(range(last + 1), size)
    }
    least = max(
        p / other[outcome]
        for database, distribution in distributions.items()
        for neighbour, other in distributions.items()
        if sum((Counter(database) - Counter(neighbour)).values()) == 1
        for outcome, p in distribution.items()
    )
    result = audit(tree, tree.epsilon, 0, size)
    assert result.verdict is Verdict.HOLDS
    assert result.factor == least <= rational(tree.epsilon.exp())
    result.check()
    assert audit(tree, "ln 8", 0, size).verdict is Verdict.FAILS


def test_two_levels_share_the_epsilon():
    """The second level has 7/5 of the epsilon of the first; their chain has the total epsilon."""
    tree = CountedTree(1, Epsilon.of(f"ln {2**96}"), 2, 0, HALF)
    first, second = (step.epsilon for step in tree._steps())
    assert (first + second) == Epsilon.of(f"ln {2**48}")
    assert second == first * Fraction(7, 5)
    result = audit(tree, tree.epsilon, 0, 1)
    assert result.verdict is Verdict.HOLDS


def databases(size, rng):
    """Yield databases with ties near the cuts of an even tree, at all scales, and without ties."""
    part = size // 10
    yield [0] * part + [2**40] * (size - 2 * part) + [END] * part
    yield [i * 2**60 + 5 for i in range(10) for _ in range(part)]
    yield [i * 2**60 + 5 for i in range(9) for _ in range(size // 9)] + [3] * (size % 9)
    yield [2 ** (6 * i) for i in range(10) for _ in range(part)]
    cuts = (size * 22 // 100, size * 6 // 100)
    yield [0] * cuts[0] + [2**40] * cuts[1] + [END] * (size - sum(cuts))
    yield [0] * (size // 2) + [2**40] * (size - size // 2)
    yield [2 ** int(e) for e in rng.integers(64, size=size)]
    yield rng.integers(2**64, size=size, dtype=np.uint64).tolist()
    up, left, records = 10, size, []
    for more in (520, 370, 260, 190, 130):  # on one path every median falls on the far side
        inner = left // 2 + more
        records += [2 ** (70 - up)] * (left - inner)
        up, left = up + 10, inner
    yield [*records, *[1] * left]


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(s, marks=pytest.mark.slow) for s in range(1, 20))]
)
def test_ten_thousand_records_are_enough_whatever_the_ties(seed):
    rng, tree = np.random.default_rng(seed), CountedTree(END, Epsilon.of(1))
    for database in databases(10_000, rng):
        released = tree.release(tree.draw(database, rng), len(database))
        assert sum(released.values()) == len(database)
        worst = max_threshold_error(database, released, END)
        assert worst.error <= Fraction(1, 20), worst


def test_draws_have_the_distribution_and_repeat_by_their_seed():
    tree, database, tries = tiny(1, 1), [0, 1], 2000
    rng = np.random.default_rng(2)
    found = Counter(tree.draw(database, rng) for _ in range(tries))
    distribution = tree.distribution(database).as_mapping()
    assert set(found) <= set(distribution)
    for outcome, p in distribution.items():
        assert abs(found[outcome] - tries * float(p)) < 5 * (tries * float(p)) ** 0.5 + 2
    first, again = (tree.draw(database, np.random.default_rng(8)) for _ in range(2))
    assert first == again


def test_numbers_that_fall_or_miss_the_size_are_mended():
    tree = CountedTree(15, Epsilon.of(1), 2, 0)
    ends = (0, 3, 4, 7, 8, 11, 12, 15)
    assert tree.release(((4, 8, 12), (4, 4, 4, 4)), 16) == dict.fromkeys(ends, 2)
    assert sum(tree.release(((4, 8, 12), (-3, 9, -2, 30)), 16).values()) == 16
    assert tree.release(((0, 0, 16), (0, 0, 16, 0)), 16) == {0: 8, 15: 8}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: CountedTree(1, Epsilon.of(1), 0), "levels must be between 1 and 12, not 0"),
        (lambda: CountedTree(-1, Epsilon.of(1)), "last record must be at least 0, not -1"),
        (lambda: CountedTree(1, Epsilon.of(0)), "epsilon must be positive, not 0"),
        (
            lambda: CountedTree(1, Epsilon.of(1), counting=Fraction(1)),
            "share of epsilon for the counts must be strictly between 0 and 1, not 1",
        ),
        (
            lambda: CountedTree(1, Epsilon.of(1)).draw([2], np.random.default_rng(0)),
            "must be between 0 and 1, but is not",
        ),
    ],
)
def test_wrong_parameters_are_refused(call, message):
    with pytest.raises(DomainError, match=message):
        call()
