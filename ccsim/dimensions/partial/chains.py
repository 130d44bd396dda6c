"""Thresholds in a partial class: chains of concepts and points with all their labels defined."""

from __future__ import annotations

from collections.abc import Sequence

from ccsim.budget import Budget
from ccsim.classes.masks import members
from ccsim.classes.partial import PartialClass, dual_sides, sides

MAX_CHAIN = 480
"""Maximum length of a chain in the search, which is recursive. Beyond: bounds."""
Sides = tuple[int, int]  # of a line: its positions with label 0, and those with label 1
Pairs = list[tuple[int, int]]


def longest_chain(partial_class: PartialClass, budget: Budget) -> tuple[Pairs, int]:
    """Return the concepts and points of a chain, and an upper bound on the length of chains."""
    C = partial_class
    by_points = len(C.points) < len(C)
    upper = min(len(C.points), len(C))
    chain: Pairs = []
    with budget:
        lines = sides(C) if by_points else dual_sides(C)
        height = len(C) if by_points else len(C.points)
        left = [(y, zeros, ones) for y, (zeros, ones) in enumerate(lines) if ones]
        while len(chain) < min(upper, MAX_CHAIN):
            budget.report(len(chain), upper)
            found = _extended([], (1 << height) - 1, left, len(chain) + 1, budget)
            if found is None:
                upper = len(chain)
            else:
                chain = [pair if by_points else pair[::-1] for pair in found]
                chain = chain if by_points else chain[::-1]
        budget.report(len(chain), upper)
    return chain, upper


def _extended(
    tails: list[tuple[int, int]],
    zeros: int,
    left: Sequence[tuple[int, int, int]],
    more: int,
    budget: Budget,
) -> Pairs | None:
    """Return the positions and lines of a chain with ``more`` further lines, or None.

    ``tails`` has the lines so far, each with the positions that have label 0 on the earlier lines
    and label 1 from it on; ``zeros`` has the positions with label 0 on all of them.
    """
    if not more:
        return [(next(members(tail)), y) for y, tail in tails]
    budget.spend()
    fit = [line for line in left if zeros & line[2] and all(t & line[2] for _, t in tails)]
    for y, off, on in fit if len(fit) >= more else ():
        if (zeros & off).bit_count() < more - 1:
            continue
        after = [*((z, tail & on) for z, tail in tails), (y, zeros & on)]
        if (found := _extended(after, zeros & off, fit, more - 1, budget)) is not None:
            return found
    return None
