"""What classes and partitions of Alice's inputs cost under a hard distribution, recomputed.

Rows are mappings from column to signed weight, positive on value 1 and negative on value 0. A class
costs in every column the lighter of its ones and its zeros. All of this serves checks; the search
(`pricing`) has code of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from ccsim.budget import Budget

__all__ = ["class_costs", "integer_type", "least_cost", "over_classes"]

_ROWS_OF_TABLES, _ROWS_OF_TWO = 20, 25
_FEW_CHOICES = 1 << 16


def integer_type(largest: int) -> Any:  # noqa: ANN401 - a type of numpy or object
    """Return a type of array entries for sums of this size."""
    return np.int64 if largest < 1 << 61 else object


def over_classes(values: Sequence[int], dtype: Any) -> Any:  # noqa: ANN401 - arrays of either type
    """Return the sum of the values of each class, classes numbered by bit mask."""
    sums = np.zeros(1, dtype=dtype)
    for value in values:
        sums = np.concatenate([sums, sums + value])
    return sums


def class_costs(
    rows: Sequence[Mapping[int, int]],
    dtype: Any,  # noqa: ANN401
    included: Sequence[Mapping[int, int]] = (),
    budget: Budget | None = None,
) -> Any:  # noqa: ANN401
    """Return what each class costs: in every column the lighter of its ones and its zeros.

    Parameters
    ----------
    rows : sequence of mappings from column to signed weight
    dtype : type of the entries
    included : sequence of the same mappings, optional
        Further rows that all the classes contain.
    budget : Budget, optional

    Raises
    ------
    OutOfTimeError
    """
    costs, budget = np.zeros(1 << len(rows), dtype=dtype), budget or Budget()
    for y in {y for row in (*rows, *included) for y in row}:
        budget.spend()
        sides = []
        for sign in (1, -1):
            side = over_classes([max(sign * row.get(y, 0), 0) for row in rows], dtype)
            side += sum(max(sign * row.get(y, 0), 0) for row in included)
            sides.append(side)
        costs += np.minimum(*sides)
    return costs


def least_cost(
    rows: Sequence[Mapping[int, int]], messages: int, budget: Budget | None = None
) -> int:
    """Return the least cost of a partition of rows into at most ``messages`` classes.

    Where Bob has few columns all his answers are compared. Up to 20 rows (25 for two messages),
    class after class is joined to every set of rows that the earlier classes can cover. Beyond,
    rows are sent one after another into the classes of Alice's partition; what the remaining rows
    cost alone bounds what they add, because the cost of a union is at least the sum of the costs;
    those suffix optima are found first, from the last row backwards.

    Raises
    ------
    OutOfTimeError

    Examples
    --------
    >>> least_cost([{0: 1, 1: -1}, {0: -2, 1: 1}], 1)
    2
    """
    budget = budget or Budget()
    if messages >= len(rows):
        return 0
    total = sum(abs(w) for row in rows for w in row.values())
    columns = sorted({y for row in rows for y in row})
    if len(columns) <= 6 and comb(1 << len(columns), messages) <= _FEW_CHOICES:
        return _least_over_answers(rows, columns, min(messages, 1 << len(columns)))
    if messages == 2 and len(rows) <= _ROWS_OF_TWO:
        return _least_of_two(rows, columns, total, budget)
    if len(rows) <= _ROWS_OF_TABLES:
        return _joined(class_costs(rows, integer_type(total), (), budget), messages, budget)
    ordered = sorted(rows, key=lambda row: sum(map(abs, row.values())))
    suffix = [0] * (len(ordered) + 1)
    for start in range(len(ordered) - 1, -1, -1):
        suffix[start] = _cheapest(ordered, start, (messages, suffix), budget)
    return suffix[0]


def _least_over_answers(
    rows: Sequence[Mapping[int, int]], columns: Sequence[int], messages: int
) -> int:
    """Least cost over all choices of Bob's answers, each row served by the best of them."""
    errors = []
    for answers in range(1 << len(columns)):
        wrong = [[(w > 0) != answers >> columns.index(y) & 1 for y, w in r.items()] for r in rows]
        errors.append(
            [
                sum(abs(w) for w, bad in zip(r.values(), each, strict=True) if bad)
                for r, each in zip(rows, wrong, strict=True)
            ]
        )
    served = (map(min, zip(*q, strict=True)) for q in combinations(errors, messages))
    return min(map(sum, served))


def _least_of_two(
    rows: Sequence[Mapping[int, int]], columns: Sequence[int], total: int, budget: Budget
) -> int:
    """Least cost of two classes: what both majorities save, the first row in the first class."""
    dtype = integer_type(total)
    saved = np.zeros(1 << len(rows) - 1, dtype=dtype)
    for y in columns:
        budget.spend()
        first, *others = (row.get(y, 0) for row in rows)
        inside = over_classes(others, dtype)
        inside += first
        saved += np.abs(inside)
        inside -= first + sum(others)
        saved += np.abs(inside)
    return (total - int(saved.max())) // 2


def _joined(costs: Any, messages: int, budget: Budget) -> int:  # noqa: ANN401 - of either type
    """Least cost of a partition: each class joins the lowest row left to some of those above it."""
    everything = len(costs) - 1
    covered = {0: 0}  # what the classes so far cover, and the least cost of covering it
    for _ in range(messages - 1):
        reached = np.full(len(costs), costs[everything], dtype=costs.dtype)
        seen = np.zeros(len(costs), dtype=bool)
        for done, cost in covered.items():
            budget.spend()
            left = everything & ~done
            lowest = left & -left
            classes = lowest | _sets_within(left ^ lowest)
            unions = done | classes
            reached[unions] = np.minimum(reached[unions], cost + costs[classes])
            seen[unions] = True
        covered = {int(S): reached[S] for S in np.flatnonzero(seen) if everything != S}
    return int(min([cost + costs[everything & ~done] for done, cost in covered.items()]))


def _sets_within(rows: int) -> Any:  # noqa: ANN401 - an array of bit masks
    found = np.zeros(1, dtype=np.int64)
    for x in range(rows.bit_length()):
        if rows >> x & 1:
            found = np.concatenate([found, found | 1 << x])
    return found


def _cheapest(
    rows: Sequence[Mapping[int, int]], start: int, known: tuple[int, list[int]], budget: Budget
) -> int:
    """Least cost of the rows from ``start`` on, given the least costs of all later suffixes."""
    messages, suffix = known
    best = suffix[start + 1] + sum(abs(w) for w in rows[start].values())
    classes: list[tuple[dict[int, int], dict[int, int]]] = []

    def place(i: int, cost: int) -> None:
        nonlocal best
        budget.spend()
        if cost + suffix[i] >= best and i > start:
            return
        if i == len(rows):
            best = cost
            return
        for members in classes:
            added = _add(members, rows[i])
            place(i + 1, cost + added)
            _remove(members, rows[i])
        if len(classes) < messages:
            classes.append(({}, {}))
            _add(classes[-1], rows[i])
            place(i + 1, cost)
            classes.pop()

    place(start, 0)
    return best


def _add(members: tuple[dict[int, int], dict[int, int]], row: Mapping[int, int]) -> int:
    """Put a row into a class and return by how much the class becomes more expensive."""
    ones, zeros = members
    added = 0
    for y, w in row.items():
        before = min(ones.get(y, 0), zeros.get(y, 0))
        side = ones if w > 0 else zeros
        side[y] = side.get(y, 0) + abs(w)
        added += min(ones.get(y, 0), zeros.get(y, 0)) - before
    return added


def _remove(members: tuple[dict[int, int], dict[int, int]], row: Mapping[int, int]) -> None:
    for y, w in row.items():
        members[0 if w > 0 else 1][y] -= abs(w)
