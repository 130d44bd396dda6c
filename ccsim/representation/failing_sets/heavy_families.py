"""Families of sets of few points that all weigh more than a bound under one distribution.

A hypothesis fails for a concept under a distribution when the points where they differ weigh more
than the allowed error. Over few points there are few largest families of point sets that can do
so together, and what fails for a concept is an image of one of them.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAX_POINTS = 6
"""Most points over which families are listed."""
_LARGEST_WEIGHT = (1, 1, 1, 2, 3, 5, 9)
"""By number of points, a weight that suffices for every threshold function (Muroga)."""

HeavyFamilies = dict[int, tuple[int, ...]]
"""For each family, a mask of point sets, integer weights of points under which all are heavy."""


@cache
def heavy_families(num_points: int, error: Fraction) -> HeavyFamilies:
    """Return the largest families of point sets that weigh more than a bound together.

    Complexity: some thousand weights and the permutations of the points; a second for 6 points.
    """
    subsets = np.arange(1 << num_points)
    points = np.arange(num_points)
    inside = subsets[:, None] >> points & 1
    weights = np.array(
        [
            each[::-1]
            for each in combinations_with_replacement(
                range(_LARGEST_WEIGHT[num_points] + 1), num_points
            )
            if any(each)
        ]
    )
    totals = weights.sum(1)
    light = np.array([int(error * total) for total in range(int(np.max(totals)) + 1)])
    heavy = weights @ inside.T > light[totals][:, None]
    first: dict[int, NDArray[np.intp]] = {}
    for family, law in sorted(
        zip(_masks(heavy), weights, strict=True), key=lambda pair: pair[1].sum()
    ):
        first.setdefault(family, law)
    moves = np.array(list(permutations(range(num_points))))
    images = (inside[None, :, :] << moves[:, None, :]).sum(2)  # of each point set, by permutation
    result: HeavyFamilies = {}
    known = np.zeros(0, np.uint64)
    for family in sorted(first, key=int.bit_count, reverse=True):
        if np.any((known & np.uint64(family)) == np.uint64(family)):
            continue
        law = first[family]
        members = subsets[[family >> int(s) & 1 == 1 for s in subsets]]
        masks = np.bitwise_or.reduce(np.uint64(1) << images[:, members].astype(np.uint64), axis=1)
        moved = law[np.argsort(moves, axis=1)]
        even = moved[masks == np.uint64(family)].sum(0)  # as heavy, and image of itself as it is
        even //= np.gcd.reduce(even)
        for mask, move in zip(masks.tolist(), moves, strict=True):
            if mask not in result:
                image = np.zeros(num_points, np.intp)
                image[move] = even
                result[mask] = tuple(image.tolist())
        known = np.fromiter(result, np.uint64, len(result))
    return result


def _masks(rows: NDArray[Any]) -> list[int]:
    """Return Boolean rows as bit masks."""
    return [
        int.from_bytes(packed.tobytes(), "little")
        for packed in np.packbits(rows, axis=1, bitorder="little")
    ]
