"""The best deterministic protocol for weighted inputs, by tables over subsets of Alice's inputs.

A class ``S`` of Alice's partition costs ``sum_y min(weight of ones, weight of zeros)``; the best
protocol with ``k`` messages is the cheapest partition into at most ``k`` classes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

from ccsim.errors import InstanceTooLargeError

__all__ = [
    "MAX_ROWS",
    "Weights",
    "balances",
    "cheapest_classes",
    "cheapest_partition",
    "check_rows",
    "subset_costs",
]

MAX_ROWS = 16
"""Most rows for which subset tables are built."""

N = TypeVar("N", int, float)

Weights = Sequence[Sequence[int]]
"""Signed weights, rows of Alice times columns of Bob: positive on value 1, negative on value 0."""

Table = np.ndarray[tuple[int], np.dtype[Any]]


def check_rows(rows: int) -> None:
    """Refuse more rows than subset tables are built for.

    Raises
    ------
    InstanceTooLargeError
    """
    if rows > MAX_ROWS:
        msg = f"exact search is limited to {MAX_ROWS} inputs of Alice after reduction, got {rows}"
        raise InstanceTooLargeError(msg)


def subset_costs(weights: Weights) -> Table:
    """Return the cost of every subset of rows, indexed by bit mask.

    Complexity: ``2**rows * columns`` additions; 16 rows and 16 columns take some 10 ms.

    Examples
    --------
    >>> subset_costs([[1, -1], [-2, 1]]).tolist()
    [0, 0, 0, 2]
    """
    total = sum(abs(w) for row in weights for w in row)
    dtype: Any = np.int64 if total < 1 << 62 else object
    costs = np.zeros(1 << len(weights), dtype=dtype)
    for column in zip(*weights, strict=True):
        ones, zeros = np.zeros(1, dtype=dtype), np.zeros(1, dtype=dtype)
        for w in column:
            ones = np.concatenate([ones, ones + max(w, 0)])
            zeros = np.concatenate([zeros, zeros + max(-w, 0)])
        costs += np.minimum(ones, zeros)
    return costs


def cheapest_partition(costs: Table, messages: int) -> tuple[int, list[int]]:
    """Return the least cost of a partition of all rows into at most ``messages`` classes.

    Parameters
    ----------
    costs : array of length ``2**rows``
        Cost of every subset, from `subset_costs`.
    messages : int
        At least 1.

    Returns
    -------
    cost : int
    classes : list of int
        Bit masks of the classes, disjoint, none empty.

    Notes
    -----
    Complexity: one pass for two messages, ``(messages - 2) 3**(rows-1)`` steps otherwise.

    Examples
    --------
    >>> cheapest_partition(subset_costs([[1, -1], [-2, 1]]), 2)
    (0, [1, 2])
    """
    rows = len(costs).bit_length() - 1
    if rows == 0:
        return 0, []
    if messages >= rows:
        return int(sum(costs[1 << x] for x in range(rows))), [1 << x for x in range(rows)]
    levels = [costs]  # levels[j][S]: least cost of S in at most j + 1 classes
    while len(levels) < messages - 1:
        levels.append(_one_more_class(costs, levels[-1]))
    remaining = (1 << rows) - 1
    classes, total = [], None
    for level in reversed([None, *levels[: messages - 1]]):
        if not remaining:
            break
        first, cost = (
            (remaining, int(costs[remaining])) if level is None else _split(costs, level, remaining)
        )
        total = cost if total is None else total
        classes.append(first)
        remaining &= ~first
    return total or 0, classes


def _submasks(mask: int) -> Table:
    """Return all submasks of a bit mask, the empty one first."""
    result = np.zeros(1, dtype=np.int64)
    while mask:
        low = mask & -mask
        result = np.concatenate([result, result | low])
        mask ^= low
    return result


def _split(costs: Table, level: Table, mask: int) -> tuple[int, int]:
    """Return the best class that holds the lowest row of ``mask``, and the cost of the whole."""
    low = mask & -mask
    others = _submasks(mask ^ low)
    values = costs[others | low] + level[mask ^ low ^ others]
    best = int(values.argmin())
    return int(others[best]) | low, int(values[best])


def _one_more_class(costs: Table, level: Table) -> Table:
    """Least cost with one class more; only subsets without row 0 are asked for later."""
    result = costs.copy()
    for mask in range(2, len(costs), 2):
        result[mask] = _split(costs, level, mask)[1]
    return result


def cheapest_classes(weights: Weights, messages: int) -> tuple[int, list[int]]:
    """Return the least cost of a protocol and the class of each row.

    Examples
    --------
    >>> cheapest_classes([[1, -1], [-2, 1]], 2)
    (0, [0, 1])
    """
    cost, classes = cheapest_partition(subset_costs(weights), messages)
    return cost, [
        next(m for m, members in enumerate(classes) if members >> x & 1)
        for x in range(len(weights))
    ]


def balances(
    weights: Sequence[Sequence[N]], classes: Sequence[int], messages: int
) -> list[list[N]]:
    """Return for each class and column the sum of the signed weights of its rows.

    Bob's best answer is 1 where it is positive.

    Examples
    --------
    >>> balances([[1, -1], [-2, 1]], [0, 0], 2)
    [[-1, 0], [0, 0]]
    """
    zero = [0 * w for w in weights[0]]
    result = [list(zero) for _ in range(messages)]
    for m, row in zip(classes, weights, strict=True):
        result[m] = [a + b for a, b in zip(result[m], row, strict=True)]
    return result
