"""Compiled loops over subsets of Alice's inputs, on 64-bit integers.

Twice the cost of a class is the weight of its rows minus the sum of the absolute balances of its
columns; everything here is doubled, so that it stays in integers. Callers see to it that no sum
leaves 64 bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ccsim.dimensions.compiled_data import compiled

__all__ = ["best_split", "class_costs", "leading_sets", "one_more_class", "two_classes"]

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
def one_more_class(costs: Integers, level: Integers) -> Integers:
    """Return the least costs with one class more, of the subsets without row 0 (others are 0)."""
    result = np.zeros_like(costs)
    for members in range(2, costs.shape[0], 2):
        result[members] = best_split(costs, level, members)[1]
    return result


@compiled
def two_classes(weights: Integers) -> tuple[int, int]:
    """Return the best class with the last row of a partition into two, and twice its cost.

    The subsets of the other rows are visited by single changes, without any table.
    """
    rows, columns = weights.shape
    inside = weights[rows - 1].copy()
    outside = np.zeros(columns, np.int64)
    for x in range(rows - 1):
        outside += weights[x]
    total = np.abs(weights).sum()
    members = 1 << (rows - 1)
    best_class, best = members, total - np.abs(inside).sum() - np.abs(outside).sum()
    for step in range(1, 1 << (rows - 1)):
        x = 0
        while not step >> x & 1:
            x += 1
        sign = -1 if members >> x & 1 else 1
        members ^= 1 << x
        cost = total
        for y in range(columns):
            inside[y] += sign * weights[x, y]
            outside[y] -= sign * weights[x, y]
            cost -= abs(inside[y]) + abs(outside[y])
        if cost < best:
            best_class, best = members, cost
    return best_class, best


@compiled
def leading_sets(moved: Integers, most: int) -> Integers:
    """Return the sets whose number, read as a bit mask, no element of a group makes larger.

    The bit of the image of row ``x`` under element ``g`` is ``moved[x, g]``. Without its lowest row
    such a set is one again, so that all of them are found by adding lower and lower rows. Empty
    if there are more than ``most``.
    """
    rows, order = moved.shape
    found = np.zeros(most, np.int64)
    images = np.zeros((rows + 1, order), np.int64)
    added = np.zeros(rows + 1, np.int64)
    count, depth, members, x = 1, 0, 0, rows - 1
    while True:
        if x < 0:
            if depth == 0:
                return found[:count]
            depth -= 1
            x = added[depth]
            members ^= 1 << x
        else:
            grown = members | 1 << x
            leads = True
            for g in range(order):
                image = images[depth, g] | moved[x, g]
                images[depth + 1, g] = image
                if image > grown:
                    leads = False
                    break
            if leads:
                if count == most:
                    return found[:0]
                found[count] = grown
                count += 1
                added[depth] = x
                depth += 1
                members = grown
        x -= 1
