"""Compiled loops over subsets of Alice's inputs, on 64-bit integers.

Twice the cost of a class is the weight of its rows minus the sum of the absolute balances of its
columns; everything here is doubled, so that it stays in integers. Callers see to it that no sum
leaves 64 bits, and that a call takes a fraction of a second: nothing interrupts it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ccsim.compiled import compiled

__all__ = ["add_class", "best_split", "class_costs", "continue_two_classes"]

Integers = np.ndarray[Any, np.dtype[np.int64]]


@compiled
def class_costs(weights: Integers) -> Integers:
    """Return twice the cost of every subset of rows, indexed by bit mask."""
    rows, columns = weights.shape
    size = 1 << rows
    costs = np.zeros(size, np.int64)
    balance = np.zeros(size, np.int64)
    for y in range(-1, columns):
        for x in range(rows):
            low = 1 << x
            w = np.abs(weights[x]).sum() if y < 0 else weights[x, y]
            for rest in range(low):
                balance[low + rest] = balance[rest] + w
        for members in range(size):
            costs[members] += balance[members] if y < 0 else -abs(balance[members])
    return costs


@compiled
def best_split(costs: Integers, level: Integers, members: int) -> tuple[int, int]:
    """Return the best class that holds the lowest row of a set, and the cost of the whole set."""
    low = members & -members
    rest = members ^ low
    part = rest
    best_class, best = members, costs[members] + level[0]
    while part:
        part = (part - 1) & rest
        cost = costs[part | low] + level[rest ^ part]
        if cost < best:
            best_class, best = part | low, cost
    return best_class, best


@compiled
def add_class(costs: Integers, level: Integers, result: Integers, start: int, stop: int) -> None:
    """Write the least costs with one class more of the sets ``start, start + 2, ... < stop``."""
    for members in range(start, stop, 2):
        result[members] = best_split(costs, level, members)[1]


@compiled
def continue_two_classes(
    weights: Integers, sides: Integers, found: Integers, start: int, stop: int
) -> None:
    """Visit partitions number ``start, ..., stop - 1`` into two classes, ``start`` at least 1.

    Each differs from the one before by one row, never the last one, so that no table is needed.
    ``sides`` holds the balances of the class of the last row and of the other one, ``found`` that
    class as a bit mask, the best so far, and twice its cost; all are brought up to date.
    """
    inside, outside = sides[0].copy(), sides[1].copy()
    total = np.abs(weights).sum()
    members, best_class, best = found
    for step in range(start, stop):
        x = 0
        while not step >> x & 1:
            x += 1
        sign = -1 if members >> x & 1 else 1
        members ^= 1 << x
        cost = total
        for y in range(weights.shape[1]):
            inside[y] += sign * weights[x, y]
            outside[y] -= sign * weights[x, y]
            cost -= abs(inside[y]) + abs(outside[y])
        if cost < best:
            best_class, best = members, cost
    sides[0], sides[1] = inside, outside
    found[0], found[1], found[2] = members, best_class, best
