"""Largest fooling sets, found as cliques: two inputs are adjacent if they share no rectangle."""

from __future__ import annotations

from typing import NamedTuple

from ccsim.budget import Budget
from ccsim.classes.masks import members
from ccsim.measures.rectangles import Side


class Fooling(NamedTuple):
    """The best fooling set found, and an upper bound on the size of all fooling sets."""

    inputs: tuple[int, ...]  # ``x * width + y`` each
    upper: int


def crossed(side: Side) -> dict[int, int]:
    """Return, for each input of the value, the inputs with which it shares no rectangle."""
    n, width = len(side.held), side.width
    across = [sum((bars >> y & 1) << x for x, bars in enumerate(side.barred)) for y in range(width)]
    return {
        x * width + y: sum(
            (side.held[z] & (-1 if across[y] >> z & 1 else side.barred[x])) << z * width
            for z in range(n)
        )
        for x in range(n)
        for y in members(side.held[x])
    }


def largest_fooling_set(side: Side, budget: Budget, work: int) -> Fooling:
    """Return the best fooling set and bound found by branch and bound, within `work` steps."""
    others = crossed(side)
    best, path = list[int](), list[int]()
    upper = max((number for _, number in _coloured(side.inputs, others)), default=0)
    stack = [(_coloured(side.inputs, others), side.inputs)]
    steps = 0
    while stack:
        order, left = stack[-1]
        if len(path) > len(best):
            best = [*path]
        steps += 1
        if steps > work or (steps % 64 == 0 and budget.expired):
            return Fooling(tuple(sorted(best)), upper)
        if not order or len(path) + order[-1][1] <= len(best):
            stack.pop()
            if path:
                path.pop()
            continue
        i, _ = order.pop()
        stack[-1] = order, left ^ 1 << i
        path.append(i)
        rest = left & others[i]
        stack.append((_coloured(rest, others), rest))
    return Fooling(tuple(sorted(best)), len(best))


def _coloured(left: int, others: dict[int, int]) -> list[tuple[int, int]]:
    """Return a greedy colouring, by increasing colour; inputs of one colour share rectangles."""
    order, number = list[tuple[int, int]](), 0
    while left:
        number, free = number + 1, left
        while free:
            i = (free & -free).bit_length() - 1
            order.append((i, number))
            left, free = left ^ 1 << i, free & ~others[i] & ~(1 << i)
    return order
