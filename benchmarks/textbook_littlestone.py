"""The Littlestone dimension by the textbook recursion with memoisation.

The dimension of a single concept is 0. Otherwise it is the maximum, over the points on which the
concepts differ, of 1 plus the smaller dimension of the two restrictions. The benchmarks compare
with this reference.
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
