"""The best deterministic protocol for weighted inputs, exactly, by tables over subsets of rows.

With positive weights on value 1 and negative ones on value 0, a class ``S`` of Alice's partition
costs ``sum_y min(weight of ones, weight of zeros)``, which is half of the weight of its rows minus
half of the sum of the absolute balances of its columns. The best protocol with ``k`` messages is
the cheapest partition into at most ``k`` classes. Small tables are made with numpy, larger ones by
compiled loops; weights beyond 64 bits stay Python integers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, product
from math import comb
from typing import Any, TypeVar

import numpy as np

from ccsim.budget import Budget
from ccsim.errors import InstanceTooLargeError

__all__ = ["MAX_ROWS", "Weights", "balances", "cheapest_classes", "check_rows"]

MAX_ROWS = 20
"""Most rows for which subset tables are built. Beyond: bounds on the error."""
MAX_ROWS_OF_TWO = 25
"""Most rows that are split into two classes. Beyond: bounds on the error."""
MAX_CHOICES = 1 << 16
"""Most choices of Bob's answers to all messages that are compared one by one."""
_STEPS = 1 << 25
"""Steps of a compiled loop between two looks at the clock."""
_COMPILING = 10
"""Seconds that are enough to compile the loops."""
_PLAIN_ROWS = 10
_PLAIN_ROWS_OF_TWO = 16

N = TypeVar("N", int, float)

Weights = Sequence[Sequence[int]]
"""Signed weights, rows of Alice times columns of Bob: positive on value 1, negative on value 0."""

Table = np.ndarray[Any, np.dtype[Any]]
Split = Callable[[Table, Table, int], tuple[int, int]]
Extend = Callable[[Table, Table, Budget], Table]


def check_rows(rows: int, columns: int, messages: int) -> None:
    """Refuse more rows than subset tables are built for, unless there are few columns.

    Raises
    ------
    InstanceTooLargeError
    """
    most = MAX_ROWS_OF_TWO if messages == 2 else MAX_ROWS
    if 1 < messages < rows and rows > most and not _few_choices(columns, messages):
        more = f", or {MAX_ROWS_OF_TWO} with many symmetries" if most < MAX_ROWS_OF_TWO else ""
        raise InstanceTooLargeError(
            f"exact search with {messages} messages is limited to {most} inputs of Alice after "
            f"reduction{more}, got {rows}"
        )


def _few_choices(columns: int, messages: int) -> bool:
    """Whether Bob's answers to all messages can be compared one by one."""
    return columns <= 16 and comb(1 << columns, messages) <= MAX_CHOICES


def cheapest_classes(
    weights: Weights, messages: int, budget: Budget | None = None
) -> tuple[int, list[int]]:
    """Return the least cost of a partition of the rows, and the class of each row.

    Parameters
    ----------
    weights : matrix of int
        Signed weights; at least one row.
    messages : int
        Most classes, at least 1.
    budget : Budget, optional
        Looked at several times a second. With little time nothing is compiled for it.

    Raises
    ------
    InstanceTooLargeError
        If there are too many rows for subset tables.
    OutOfTimeError

    Notes
    -----
    Complexity: ``rows`` times the choices of ``messages`` of Bob's ``2**columns`` answers where
    those are few; else ``2**(rows-1) columns`` steps for two messages and ``(messages - 2)
    3**(rows-1) / 2`` for more; 16 rows take some 10 ms a class, 20 rows a second.

    Examples
    --------
    >>> cheapest_classes([[1, -1], [-2, 1]], 2)
    (0, [0, 1])
    >>> cheapest_classes([[1, -1], [-2, 1]], 1)
    (2, [0, 0])
    """
    rows, budget = len(weights), budget or Budget()
    if messages >= rows:
        return 0, list(range(rows))
    check_rows(rows, len(weights[0]), messages)
    if messages == 1:
        total = sum(abs(w) for row in weights for w in row)
        (row,) = balances(weights, [0] * rows, 1)
        return (total - sum(map(abs, row))) // 2, [0] * rows
    array = integer_array(weights)
    plain = rows <= (_PLAIN_ROWS_OF_TWO if messages == 2 else _PLAIN_ROWS)
    if not plain and _few_choices(len(weights[0]), messages):
        return _by_answers(array, min(messages, 1 << len(weights[0])))
    if plain or array.dtype == object or not _compiled_in(budget):
        costs = class_costs(array, budget)
        return _assemble((costs, messages), _best_split, _one_more_class, budget)
    from ccsim.communication.partitions import compiled
    from ccsim.compiled import announce

    announce(compiled.class_costs)
    if messages == 2:
        members, cost = _two_classes(array, budget)
        return cost // 2, [1 - (members >> x & 1) for x in range(rows)]
    part = max(1, _STEPS >> rows)
    costs = np.zeros(1 << rows, np.int64)
    for first in range(0, array.shape[1], part):
        budget.spend()
        costs += compiled.class_costs(array[:, first : first + part].copy())
    return _assemble((costs, messages), compiled.best_split, _one_more_class_compiled, budget)


def _compiled_in(budget: Budget) -> bool:
    """Whether the compiled loops are kept, or there is time to compile them."""
    if budget.remaining > _COMPILING:
        return True
    from ccsim.communication.partitions import compiled
    from ccsim.compiled import is_kept

    loops = (compiled.class_costs, compiled.best_split, compiled.add_class)
    return is_kept(*loops, compiled.continue_two_classes)


def _by_answers(weights: Table, messages: int) -> tuple[int, list[int]]:
    """Compare all choices of Bob's answers; each row goes to the message that errs least on it."""
    columns = weights.shape[1]
    answers = np.array(list(product((0, 1), repeat=columns)))
    ones, zeros = np.maximum(weights, 0), np.maximum(-weights, 0)
    errors = (1 - answers) @ ones.T + answers @ zeros.T
    chosen = np.array(list(combinations(range(len(answers)), messages)))
    least = errors[chosen[:, 0]]
    for m in range(1, messages):
        least = np.minimum(least, errors[chosen[:, m]])
    costs = least.sum(axis=1)
    best = int(costs.argmin())
    return int(costs[best]), errors[chosen[best]].argmin(axis=0).tolist()


def _two_classes(weights: Table, budget: Budget) -> tuple[int, int]:
    """Return the class with the last row of the best partition into two, and twice its cost."""
    from ccsim.communication.partitions.compiled import continue_two_classes

    rows, columns = weights.shape
    sides = np.array([weights[-1], weights[:-1].sum(axis=0)])
    cost = np.abs(weights).sum() - np.abs(sides).sum()
    found = np.array([1 << rows - 1, 1 << rows - 1, cost])
    part = max(1, _STEPS // columns)
    for start in range(1, 1 << rows - 1, part):
        continue_two_classes(weights, sides, found, start, min(start + part, 1 << rows - 1))
        budget.spend()
    return int(found[1]), int(found[2])


def _one_more_class_compiled(costs: Table, level: Table, budget: Budget) -> Table:
    """Do as `_one_more_class`, a part of the subsets at a time."""
    from ccsim.communication.partitions.compiled import add_class

    result = np.zeros_like(costs)
    rows = len(costs).bit_length() - 1
    part = 2 * max(1, _STEPS * len(costs) // 3 ** (rows - 1))  # there are 3**(rows-1) / 2 steps
    for start in range(2, len(costs), part):
        add_class(costs, level, result, start, min(start + part, len(costs)))
        budget.spend()
    return result


def _assemble(
    game: tuple[Table, int], best_split: Split, one_more_class: Extend, budget: Budget
) -> tuple[int, list[int]]:
    """Build the levels of one, two, ... classes and read the best partition off them."""
    costs, messages = game
    rows = len(costs).bit_length() - 1
    levels = [costs]  # levels[j][S]: twice the least cost of S in at most j + 1 classes
    while len(levels) < messages - 1:
        levels.append(one_more_class(costs, levels[-1], budget))
    remaining = (1 << rows) - 1
    classes, total = [0] * rows, 0
    for m, level in enumerate(reversed(levels)):
        part, cost = best_split(costs, level, remaining)
        total = total if m else int(cost)
        remaining &= ~int(part)
        for x in range(rows):
            classes[x] += remaining >> x & 1
        if not remaining:
            break
    return total // 2, classes


def integer_array(weights: Weights) -> Table:
    """Return the weights as an array, of Python integers where sums could leave 64 bits."""
    machine = 4 * sum(abs(w) for row in weights for w in row) < 1 << 63
    return np.array(weights, dtype=np.int64 if machine else object)


def class_costs(weights: Table, budget: Budget) -> Table:
    """Return twice the cost of every subset of rows, indexed by bit mask.

    Examples
    --------
    >>> class_costs(np.array([[1, -1], [-2, 1]]), Budget()).tolist()
    [0, 0, 0, 4]
    """
    costs = subset_sums(np.abs(weights).sum(axis=1))
    for column in weights.T:
        budget.spend()
        costs -= np.abs(subset_sums(column))
    return costs


def subset_sums(values: Table) -> Table:
    sums: Table = np.zeros(1, dtype=values.dtype)
    for value in values:
        sums = np.concatenate([sums, sums + value])
    return sums


def _submasks(mask: int) -> Table:
    """Return all submasks of a bit mask, the empty one first."""
    result = np.zeros(1, dtype=np.int64)
    while mask:
        low = mask & -mask
        result = np.concatenate([result, result | low])
        mask ^= low
    return result


def _best_split(costs: Table, level: Table, mask: int) -> tuple[int, int]:
    """Return the best class that holds the lowest row of ``mask``, and the cost of the whole."""
    low = mask & -mask
    others = _submasks(mask ^ low)
    values = costs[others | low] + level[mask ^ low ^ others]
    best = int(values.argmin())
    return int(others[best]) | low, int(values[best])


def _one_more_class(costs: Table, level: Table, budget: Budget) -> Table:
    """Least cost with one class more; only subsets without row 0 are asked for later."""
    result = costs.copy()
    for mask in range(2, len(costs), 2):
        budget.spend()
        result[mask] = _best_split(costs, level, mask)[1]
    return result


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
