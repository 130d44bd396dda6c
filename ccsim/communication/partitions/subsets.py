"""Tables over subsets of Alice's inputs: costs of classes, and partitions with one class more.

Twice the cost of a class is the weight of its rows minus the sum of the absolute balances of its
columns; everything here is doubled, so that it stays in integers. Subsets are bit masks.

Implementation notes: the loops are in C; without the engine, and for integers beyond 64 bits, numpy
takes their place. Of classes that cost the same both take the one with the smallest number.
"""

from __future__ import annotations

from ctypes import c_int32, c_int64
from typing import Any

import numpy as np

from ccsim.budget import Budget
from ccsim.native import Library

Table = np.ndarray[Any, np.dtype[Any]]

_STEPS = 1 << 25  # steps of a loop between two looks at the clock
_TABLE, _NUMBER = np.ctypeslib.ndpointer(np.int64, flags="C_CONTIGUOUS"), c_int64
_WEIGHTS = (_TABLE, _NUMBER, _NUMBER)
_LIBRARY = Library(
    "subsets",
    {
        "weigh": (c_int32, (*_WEIGHTS, _TABLE)),
        "balance": (c_int32, (*_WEIGHTS, _NUMBER, _NUMBER, _TABLE)),
        "best_split": (c_int64, (_TABLE, _TABLE, _NUMBER, _TABLE)),
        "add_class": (None, (_TABLE, _TABLE, _TABLE, _NUMBER, _NUMBER)),
        "two_classes": (None, (*_WEIGHTS, _TABLE, _TABLE, _NUMBER, _NUMBER)),
    },
)


def class_costs(weights: Table, budget: Budget) -> Table:
    """Return twice the cost of every subset of rows."""
    library = _LIBRARY.found()
    if library is None or weights.dtype == object:
        costs = subset_sums(np.abs(weights).sum(axis=1))
        for column in weights.T:
            budget.spend()
            costs -= np.abs(subset_sums(column))
        return costs
    weights, (rows, columns) = np.ascontiguousarray(weights), weights.shape
    costs, part = np.empty(1 << rows, np.int64), max(1, _STEPS >> rows)
    if not library.weigh(weights, rows, columns, costs):
        raise MemoryError
    for start in range(0, columns, part):
        budget.spend()
        stop = min(start + part, columns)
        if not library.balance(weights, rows, columns, start, stop, costs):
            raise MemoryError
    return costs


def best_split(costs: Table, level: Table, members: int) -> tuple[int, int]:
    """Return the best class that holds the lowest row of a set, and the cost of the whole set."""
    library = _LIBRARY.found()
    if library is None or costs.dtype == object:
        low = members & -members
        others = _submasks(members ^ low)
        values = costs[others | low] + level[members ^ low ^ others]
        best = int(values.argmin())
        return int(others[best]) | low, int(values[best])
    found = np.empty(1, np.int64)
    cost = library.best_split(costs, level, members, found)
    return int(found[0]), cost


def add_class(costs: Table, level: Table, budget: Budget) -> Table:
    """Return the least costs with one class more than a level has, of subsets without row 0."""
    result, library = np.zeros_like(costs), _LIBRARY.found()
    if library is None or costs.dtype == object:
        for members in range(2, len(costs), 2):
            budget.spend()
            result[members] = best_split(costs, level, members)[1]
        return result
    rows = len(costs).bit_length() - 1
    part = 2 * max(1, _STEPS * len(costs) // 3 ** (rows - 1))  # there are 3**(rows-1) / 2 steps
    for start in range(2, len(costs), part):
        library.add_class(costs, level, result, start, min(start + part, len(costs)))
        budget.spend()
    return result


def best_pair(weights: Table, budget: Budget) -> tuple[int, int]:
    """Return the class of the first row in the best partition into two, and twice its cost."""
    rows, columns = weights.shape
    if (library := _LIBRARY.found()) is None or weights.dtype == object:
        costs = class_costs(weights, budget)
        return best_split(costs, costs, (1 << rows) - 1)
    weights = np.ascontiguousarray(weights)
    sides = np.array([weights[-1], weights[:-1].sum(axis=0)])
    cost = np.abs(weights).sum() - np.abs(sides).sum()
    found = np.array([1 << rows - 1, (1 << rows - 1) - 1, cost])
    part = max(1, _STEPS // max(columns, 1))
    for start in range(1, 1 << rows - 1, part):
        stop = min(start + part, 1 << rows - 1)
        library.two_classes(weights, rows, columns, sides, found, start, stop)
        budget.spend()
    return int(found[1]), int(found[2])


def subset_sums(values: Table) -> Table:
    """Return the sum of the values of every subset."""
    sums: Table = np.zeros(1, dtype=values.dtype)
    for value in values:
        sums = np.concatenate([sums, sums + value])
    return sums


def _submasks(mask: int) -> Table:
    """Return all submasks of a bit mask, in order."""
    result = np.zeros(1, dtype=np.int64)
    while mask:
        low = mask & -mask
        result = np.concatenate([result, result | low])
        mask ^= low
    return result
