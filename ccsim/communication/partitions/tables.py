"""The optimal deterministic protocol for weighted inputs, from tables over subsets of rows.

A class costs half of the weight of its rows minus half of the sum of the absolute balances of its
columns. Tables list twice the cost of each set of rows by its bit mask. Loops run in C, the longest
one in several threads, or in numpy beyond 64 bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import c_int32, c_int64
from itertools import combinations, product
from math import comb
from typing import Any, TypeVar

import numpy as np

from ccsim.budget import Budget
from ccsim.errors import InstanceTooLargeError
from ccsim.native import Library
from ccsim.parallel.threads import in_threads

Table = np.ndarray[Any, np.dtype[Any]]
N = TypeVar("N", int, float)
# signed weights, rows of Alice times columns of Bob: positive on value 1, negative on value 0
Weights = Sequence[Sequence[int]]

MAX_ROWS = 20  # maximum number of rows for tables of subsets. Beyond: bounds on the error
MAX_ROWS_OF_TWO = 25  # maximum number of rows for two classes. Beyond: bounds on the error
MAX_CHOICES = 1 << 16  # maximum number of tuples of Bob's answers that are compared one by one
_PLAIN_ROWS, _PLAIN_ROWS_OF_TWO = 10, 16  # beyond, answers are compared where they are few
_AT_ONCE = 1 << 10  # such tuples whose errors are in one array
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


def check_rows(rows: int, columns: int, messages: int) -> None:
    """Raise `InstanceTooLargeError` if there are too many rows and too many choices of answers."""
    most = MAX_ROWS_OF_TWO if messages == 2 else MAX_ROWS
    if 1 < messages < rows and rows > most and not _few_choices(columns, messages):
        more = f", or {MAX_ROWS_OF_TWO} with many symmetries" if most < MAX_ROWS_OF_TWO else ""
        raise InstanceTooLargeError(
            f"{rows} inputs of Alice remain after reduction; the limit of an exact search with "
            f"{messages} messages is {most}{more}"
        )


def _few_choices(columns: int, messages: int) -> bool:
    """Return whether all choices of Bob's answers can be compared."""
    return columns <= 16 and comb(1 << columns, messages) <= MAX_CHOICES


def cheapest_classes(
    weights: Weights, messages: int, budget: Budget | None = None
) -> tuple[int, list[int]]:
    """Return the minimum cost of a partition of the rows, and the class of each row.

    Complexity: the number of rows times the number of choices of Bob's answers if there are few
    choices; otherwise ``2**(rows-1) columns`` steps for two messages and ``(messages - 2)
    3**(rows-1) / 2`` for more.
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
    """Compare all choices of Bob's answers; each row sends the message of smallest error."""
    columns = weights.shape[1]
    answers = np.array(list(product((0, 1), repeat=columns)))
    ones, zeros = np.maximum(weights, 0), np.maximum(-weights, 0)
    errors = (1 - answers) @ ones.T + answers @ zeros.T
    chosen = np.array(list(combinations(range(len(answers)), messages)))
    found = []
    for part in np.split(chosen, range(_AT_ONCE, len(chosen), _AT_ONCE)):
        least = errors[part[:, 0]]
        for m in range(1, messages):
            least = np.minimum(least, errors[part[:, m]])
        costs = least.sum(axis=1)
        best = int(costs.argmin())
        found.append((int(costs[best]), part[best]))
    cost, answered = min(found, key=lambda each: each[0])
    return cost, errors[answered].argmin(axis=0).tolist()


def _assemble(costs: Table, messages: int, budget: Budget) -> tuple[int, list[int]]:
    """Build the tables for one, two, ... classes and extract the best partition."""
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
    """Return the weights as an array, of Python integers if sums could exceed 64 bits."""
    machine = 4 * sum(abs(w) for row in weights for w in row) < 1 << 63
    return np.array(weights, dtype=np.int64 if machine else object)


def balances(
    weights: Sequence[Sequence[N]], classes: Sequence[int], messages: int
) -> list[list[N]]:
    """Return sums of weights by class and column; Bob's best answer is 1 for positive sums."""
    zero = [0 * w for w in weights[0]]
    result = [list(zero) for _ in range(messages)]
    for m, row in zip(classes, weights, strict=True):
        result[m] = [a + b for a, b in zip(result[m], row, strict=True)]
    return result


def class_costs(weights: Table, budget: Budget) -> Table:
    """Return twice the cost of every subset of rows."""
    library = _LIBRARY.found()
    if library is None or weights.dtype == object:
        costs = subset_sums(np.abs(weights).sum(axis=1))
        for column in budget.each(weights.T):
            costs -= np.abs(subset_sums(column))
        return costs
    weights, (rows, columns) = np.ascontiguousarray(weights), weights.shape
    costs, part = np.empty(1 << rows, np.int64), max(1, _STEPS >> rows)
    if not library.weigh(weights, rows, columns, costs):
        raise MemoryError
    for start in budget.each(range(0, columns, part)):
        stop = min(start + part, columns)
        if not library.balance(weights, rows, columns, start, stop, costs):
            raise MemoryError
    return costs


def best_split(costs: Table, level: Table, members: int) -> tuple[int, int]:
    """Return the best class that contains the lowest row of a set, and the cost of the set."""
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
    """Return the minimum costs of subsets without row 0, with one more class than a given table."""
    result, library = np.zeros_like(costs), _LIBRARY.found()
    if library is None or costs.dtype == object:
        for members in budget.each(range(2, len(costs), 2)):
            result[members] = best_split(costs, level, members)[1]
        return result
    rows = len(costs).bit_length() - 1
    part = 2 * max(1, _STEPS * len(costs) // 3 ** (rows - 1))  # there are 3**(rows-1) / 2 steps

    def fill(start: int) -> None:
        library.add_class(costs, level, result, start, min(start + part, len(costs)))

    for _ in in_threads(fill, range(2, len(costs), part), budget.workers.jobs):
        budget.spend()
    return result


def best_pair(weights: Table, budget: Budget) -> tuple[int, int]:
    """Return the class of row 0 in the best partition into two, and twice the partition's cost."""
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
