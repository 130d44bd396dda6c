"""Thresholds in a partial class: chains of concepts and points with all their labels defined."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ccsim.budget import Budget
from ccsim.classes.masks import members
from ccsim.classes.partial import PartialClass, dual_sides, sides

MAX_CHAIN = 64
"""Maximum length of a chain in the exhaustive search. Beyond: bounds by a greedy chain."""
Line = tuple[int, int, int]  # its number, and its positions with label 0 and with label 1
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
        for chain in _greedy((1 << height) - 1, left, budget):
            budget.report(len(chain), upper)
        while len(chain) < min(upper, MAX_CHAIN):
            budget.report(len(chain), upper)
            found = _extended([], (1 << height) - 1, left, len(chain) + 1, budget)
            if found is None:
                upper = len(chain)
            else:
                chain = found
        budget.report(len(chain), upper)
    return chain if by_points else [(line, y) for y, line in reversed(chain)], upper


def _greedy(zeros: int, left: Sequence[Line], budget: Budget) -> Iterator[Pairs]:
    """Yield longer and longer chains; each added line keeps most positions with label 0."""
    tails = list[tuple[int, int]]()
    while left := _fitting(tails, zeros, left):
        budget.spend()
        y, off, on = max(left, key=lambda line: (zeros & line[1]).bit_count())
        tails, zeros = [*((z, tail & on) for z, tail in tails), (y, zeros & on)], zeros & off
        yield _pairs(tails)


def _fitting(tails: Sequence[tuple[int, int]], zeros: int, left: Sequence[Line]) -> list[Line]:
    """Return the lines whose addition to a chain leaves all tails nonempty."""
    return [line for line in left if zeros & line[2] and all(t & line[2] for _, t in tails)]


def _pairs(tails: Sequence[tuple[int, int]]) -> Pairs:
    """Return the positions and lines of a chain."""
    return [(next(members(tail)), y) for y, tail in tails]


def _extended(
    tails: list[tuple[int, int]],
    zeros: int,
    left: Sequence[Line],
    more: int,
    budget: Budget,
) -> Pairs | None:
    """Return the positions and lines of a chain with ``more`` further lines, or None.

    ``tails`` has the lines so far, each with the positions that have label 0 on the earlier lines
    and label 1 from it on; ``zeros`` has the positions with label 0 on all of them.
    """
    if not more:
        return _pairs(tails)
    budget.spend()
    fit = _fitting(tails, zeros, left)
    for y, off, on in fit if len(fit) >= more else ():
        if (zeros & off).bit_count() < more - 1:
            continue
        after = [*((z, tail & on) for z, tail in tails), (y, zeros & on)]
        if (found := _extended(after, zeros & off, fit, more - 1, budget)) is not None:
            return found
    return None
