"""The best deterministic protocol for weighted inputs, exactly, by tables over subsets of rows.

With positive weights on value 1 and negative ones on value 0, a class ``S`` of Alice's partition
costs ``sum_y min(weight of ones, weight of zeros)``, which is half of the weight of its rows minus
half of the sum of the absolute balances of its columns. The best protocol with ``k`` messages is
the cheapest partition into at most ``k`` classes. Weights beyond 64 bits stay Python integers.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product
from math import comb
from typing import TypeVar

import numpy as np

from ccsim.budget import Budget
from ccsim.communication.partitions.subsets import (
    Table,
    add_class,
    best_pair,
    best_split,
    class_costs,
)
from ccsim.errors import InstanceTooLargeError

MAX_ROWS = 20  # Most rows for which subset tables are built. Beyond: bounds on the error.
MAX_ROWS_OF_TWO = 25  # Most rows that are split into two classes. Beyond: bounds on the error.
MAX_CHOICES = 1 << 16  # most choices of Bob's answers to all messages that are compared one by one
_PLAIN_ROWS = 10
_PLAIN_ROWS_OF_TWO = 16

N = TypeVar("N", int, float)

# signed weights, rows of Alice times columns of Bob: positive on value 1, negative on value 0
Weights = Sequence[Sequence[int]]


def check_rows(rows: int, columns: int, messages: int) -> None:
    """Refuse more rows than subset tables are built for, unless there are few columns."""
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

    Complexity: ``rows`` times the choices of ``messages`` of Bob's ``2**columns`` answers where
    those are few; else ``2**(rows-1) columns`` steps for two messages and ``(messages - 2)
    3**(rows-1) / 2`` for more; 16 rows take some 10 ms a class, 20 rows a second.
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
    many = rows > (_PLAIN_ROWS_OF_TWO if messages == 2 else _PLAIN_ROWS)
    if many and _few_choices(len(weights[0]), messages):
        return _by_answers(array, min(messages, 1 << len(weights[0])))
    if messages == 2:
        members, cost = best_pair(array, budget)
        return cost // 2, [1 - (members >> x & 1) for x in range(rows)]
    return _assemble(class_costs(array, budget), messages, budget)


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


def _assemble(costs: Table, messages: int, budget: Budget) -> tuple[int, list[int]]:
    """Build the levels of one, two, ... classes and read the best partition off them."""
    rows = len(costs).bit_length() - 1
    levels = [costs]  # levels[j][S]: twice the least cost of S in at most j + 1 classes
    while len(levels) < messages - 1:
        levels.append(add_class(costs, levels[-1], budget))
    remaining = (1 << rows) - 1
    classes, total = [0] * rows, 0
    for m, level in enumerate(reversed(levels)):
        part, cost = best_split(costs, level, remaining)
        total = total if m else cost
        remaining &= ~part
        for x in range(rows):
            classes[x] += remaining >> x & 1
        if not remaining:
            break
    return total // 2, classes


def integer_array(weights: Weights) -> Table:
    """Return the weights as an array, of Python integers where sums could leave 64 bits."""
    machine = 4 * sum(abs(w) for row in weights for w in row) < 1 << 63
    return np.array(weights, dtype=np.int64 if machine else object)


def balances(
    weights: Sequence[Sequence[N]], classes: Sequence[int], messages: int
) -> list[list[N]]:
    """Return for each class and column the sum of the signed weights of its rows.

    Bob's best answer is 1 where it is positive.
    """
    zero = [0 * w for w in weights[0]]
    result = [list(zero) for _ in range(messages)]
    for m, row in zip(classes, weights, strict=True):
        result[m] = [a + b for a, b in zip(result[m], row, strict=True)]
    return result
