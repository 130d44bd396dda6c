"""Largest fooling sets, found as cliques: two inputs are adjacent if they share no rectangle."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import NamedTuple

from ccsim.budget import Budget
from ccsim.classes.masks import members
from ccsim.measures.rectangles import Side

_MOST_INPUTS = 1 << 14  # for which it is known with which others they share no rectangle


class Fooling(NamedTuple):
    """The best fooling set found, and an upper bound on the size of all fooling sets."""

    inputs: tuple[int, ...]  # ``x * width + y`` each
    upper: int


def crossed(side: Side) -> Callable[[int], int]:
    """Return the function that maps an input to the inputs with which it shares no rectangle."""
    width, inputs = side.width, side.inputs
    starts = [1 << z * width for z in range(len(side.held))]
    rows = [bars * sum(starts) for bars in side.barred]  # the same columns in each row
    across = [
        sum(s for s, bars in zip(starts, side.barred, strict=True) if bars >> y & 1)
        for y in range(width)
    ]
    columns = [(bits << width) - bits for bits in across]  # whole rows

    def others(i: int) -> int:
        x, y = divmod(i, width)
        return inputs & (columns[y] | rows[x])

    return others


def _taken_in_turn(side: Side) -> Fooling:
    """Return a greedy fooling set; its bound counts the rows and columns with the value."""
    found = list[tuple[int, int]]()
    for x, (held, bars) in enumerate(zip(side.held, side.barred, strict=True)):
        free = held
        for z, y in found:
            if not bars >> y & 1:
                free &= side.barred[z]
        if free:
            found.append((x, (free & -free).bit_length() - 1))
    columns = reduce(or_, side.held, 0).bit_count()
    upper = min(sum(map(bool, side.held)), columns)
    return Fooling(tuple(x * side.width + y for x, y in found), upper)


def largest_fooling_set(side: Side, budget: Budget, work: int) -> Fooling:
    """Return the best fooling set and bound found while at most `work` inputs are coloured."""
    first, of_input = _taken_in_turn(side), crossed(side)
    if len(first.inputs) == first.upper or side.inputs.bit_count() > _MOST_INPUTS:
        return first
    others = dict[int, int]()
    for i in members(side.inputs):
        others[i] = of_input(i)
        if i % 64 == 0 and budget.expired:
            return first
    best, path = [*first.inputs], list[int]()
    upper = max((number for _, number in _coloured(side.inputs, others)), default=0)
    stack = [(_coloured(side.inputs, others), side.inputs)]
    steps = 0
    while stack:
        order, left = stack[-1]
        if len(path) > len(best):
            best = [*path]
        steps += 1
        if work < 0 or (steps % 64 == 0 and budget.expired):
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
        work -= 1 + rest.bit_count()
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
