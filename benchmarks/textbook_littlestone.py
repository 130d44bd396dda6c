"""The Littlestone dimension by the textbook recursion with memoisation.

LDim of a class is 0 for one concept, and otherwise the largest, over the points that split it, of
1 + the smaller dimension of its two restrictions. This is the reference of the benchmark.
"""

from __future__ import annotations

from functools import cache

__all__ = ["littlestone_dimension"]


def littlestone_dimension(rows: list[int], num_points: int) -> int:
    """Return the Littlestone dimension of a non-empty class of bit masks over the points."""

    @cache
    def dimension(space: frozenset[int]) -> int:
        best = 0
        for x in range(num_points):
            ones = frozenset(row for row in space if row >> x & 1)
            zeros = space - ones
            if ones and zeros:
                best = max(best, 1 + min(dimension(zeros), dimension(ones)))
        return best

    return dimension(frozenset(rows))
