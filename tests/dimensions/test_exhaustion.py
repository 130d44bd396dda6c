"""The dimensions of all small classes, computed at once, against those of single classes."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product
from math import comb, e

import numpy as np
import pytest

from ccsim.dimensions import all_classes, dual_vc_dimension, representative_domain, vc_dimension
from ccsim.errors import DomainError, InstanceTooLargeError
from proofs_check.claims.public_data.constructions.counting_bounds import (
    largest_dual_dimension,
    most_labellings,
    most_representatives,
)


def _numbers(points: int) -> list[int]:
    every = range(1 << (1 << points))
    return list(every) if points < 4 else np.random.default_rng(0).choice(every, 300).tolist()


@pytest.mark.parametrize("points", [1, 2, 3, 4])
def test_single_classes(points: int) -> None:
    every = all_classes(points)
    for number in _numbers(points):
        C = every.class_of(number)
        assert len(C) == every.concepts[number]
        assert vc_dimension(C).value == every.vc[number]
        assert dual_vc_dimension(C).value == every.dual_vc[number]
        assert len(representative_domain(C)) == every.effective_sizes[number]


def _largest_shattered(words: set[str]) -> int:
    """Return the VC dimension of a set of words, by trying all sets of positions."""
    length = len(next(iter(words)))
    sizes = (
        size
        for size in range(length + 1)
        for places in combinations(range(length), size)
        if len({tuple(w[i] for i in places) for w in words}) == 2**size
    )
    return max(sizes)


def test_table_of_three_points_by_words() -> None:
    words = ["".join(w) for w in product("01", repeat=3)]
    found = Counter[tuple[int, int]]()
    for size in range(1, 9):
        for chosen in combinations(words, size):
            dual = {"".join(w[x] for w in chosen) for x in range(3)}
            found[_largest_shattered(set(chosen)), _largest_shattered(dual)] += 1
    assert all_classes(3).table() == found


def test_table_of_four_points() -> None:
    """All 65 535 nonempty classes, counted by pairs of dimensions."""
    table = all_classes(4).table()
    assert sum(table.values()) == 2**16 - 1
    assert table[4, 2] == 1  # all functions
    assert table[0, 0] + table[0, 1] == 16  # single functions
    assert table[0, 0] == 2
    # two points cannot be shattered by a class of VC dimension 0, four not by less than 16 concepts
    assert all(dual <= 2 for _, dual in table)
    assert sum(count for (_, dual), count in table.items() if not dual) == 3  # constant functions


def test_counts_are_met_by_small_sets() -> None:
    for points in range(6):
        for d in range(-1, points + 1):
            sets = sum(1 for s in range(1 << points) if s.bit_count() <= d)
            assert most_labellings(d, points) == sets
    assert most_labellings(9, 4) == 16


def test_bound_of_claim_3() -> None:
    for concepts in range(1, 12):
        for p in range(1, concepts + 1):
            bound = most_representatives(p, concepts)
            assert abs(float(bound.lower) - (e * concepts / p) ** p) < 1e-9 * (concepts + 2) ** p
            assert bound.lower <= bound.upper
            assert sum(comb(concepts, i) for i in range(p + 1)) <= bound.lower


def test_bad_arguments() -> None:
    for call in (
        lambda: all_classes(0),
        lambda: most_labellings(-2, 3),
        lambda: most_labellings(1, -1),
        lambda: most_representatives(0, 3),
        lambda: most_representatives(4, 3),
        lambda: largest_dual_dimension(-1),
    ):
        with pytest.raises(DomainError):
            call()
    with pytest.raises(InstanceTooLargeError, match="points must be at most 4, not 5"):
        all_classes(5)
