"""The best simultaneous protocol for weighted inputs, from all partitions of one side.

Alice's inputs fall into at most ``2**i`` classes and Bob's into at most ``2**j``, where ``i + j``
is the number of bits; a referee answers for each pair of classes. Gains are as for trees.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from ctypes import c_int32, c_int64
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ccsim.budget import Budget
from ccsim.communication.interactive.trees import MAX_ENTRIES, MAX_STEPS, Table
from ccsim.communication.partitions.tables import Weights, integer_array
from ccsim.errors import InstanceTooLargeError
from ccsim.exact import ceil_log2
from ccsim.kernel.messages import Messages
from ccsim.native import Library

Pair = tuple[tuple[int, ...], tuple[int, ...], tuple[tuple[int, ...], ...]]
"""The message of each input of Alice and of Bob, and the answer to each pair of messages."""

_STEPS = 1 << 25  # steps of a loop between two looks at the clock
_WIDE = 1 << 120
_HEAVY = 1 << 40  # weight of an input in distributions found by linear programs
_PAUSED, _NO_MEMORY = 2, 4
_TABLE, _NUMBER = np.ctypeslib.ndpointer(np.int64, flags="C_CONTIGUOUS"), c_int64
_VISIT = (c_int32, (_TABLE, *4 * [_NUMBER], *3 * [_TABLE], _NUMBER))
_LIBRARY = Library("splits", {"partitions": _VISIT, "partitions_wide": _VISIT})


@cache
def _partitions(n: int, k: int) -> int:
    """Return the number of partitions of n elements into at most k classes."""
    numbers = [1] + [0] * k  # with exactly 0, 1, ... classes
    for _ in range(n):
        numbers = [0] + [j * numbers[j] + numbers[j - 1] for j in range(1, k + 1)]
    return sum(numbers)


class Plan(NamedTuple):
    """A way to search all pairs of partitions: list one side's, and find the other side's best."""

    steps: int
    side: int  # whose partitions are visited
    classes: int
    halvings: int  # log2 of the classes of the other side; negative if each line has its own

    @classmethod
    def cheapest(cls, shape: tuple[int, int], exponents: tuple[int, int]) -> Plan:
        """Return the cheapest plan for at most ``2**exponents[side]`` classes of each side."""
        return min(cls._of(side, shape, exponents) for side in (0, 1))

    @classmethod
    def _of(cls, side: int, shape: tuple[int, int], exponents: tuple[int, int]) -> Plan:
        n, m = shape[side], shape[1 - side]
        k = min(1 << min(exponents[side], 32), n)
        j = exponents[1 - side]
        is_free = j >= 32 or 1 << j >= min(m, 1 << k)
        each = k * m
        if not is_free and j > 0:
            each += (k + 1 << m) + (j - 1) * 3**m
            if k + 2 << m > MAX_ENTRIES:
                each += MAX_STEPS
        return cls((1 if k == n else _partitions(n, k)) * each, side, k, -1 if is_free else j)


def steps_of_pairs(rows: int, columns: int, bits: int) -> int:
    """Return the number of steps for a best pair of partitions; raise if there are too many."""
    steps = sum(Plan.cheapest((rows, columns), (i, bits - i)).steps for i in range(bits + 1))
    if steps > MAX_STEPS:
        raise InstanceTooLargeError(
            f"{rows} x {columns} inputs remain after reduction; a best simultaneous protocol of "
            f"{bits} bits takes {steps} steps; the limit is {MAX_STEPS}"
        )
    return steps


def steps_to_check_pairs(rows: int, columns: int, bits: int) -> int:
    """Return about the number of steps in which the kernel finds the cost of best messages."""
    sides = [[[_HEAVY] * n] * m for n, m in ((columns, rows), (rows, columns))]
    tops, found = [ceil_log2(rows), ceil_log2(columns)], 0
    total = min(bits, sum(tops))
    for i in range(max(0, total - tops[1]), min(total, tops[0]) + 1):
        k = [min(1 << i, rows), min(1 << total - i, columns)]
        found += min(Messages(sides[s], k[s], k[1 - s]).steps for s in (0, 1))
    return found


class PairSearch:
    """The largest gain of a simultaneous protocol for each division of the bits."""

    def __init__(self, weights: Weights, bits: int, budget: Budget | None = None) -> None:
        self._weights = integer_array(weights)
        self._budget = budget or Budget()
        self.total = int(np.abs(self._weights).sum())
        found = [self._best((i, bits - i)) for i in range(bits + 1)]
        found.sort(key=lambda each: -each[0])  # stable
        self.gain = found[0][0]
        self._found = found

    @property
    def cost(self) -> int:
        """The minimum weight of the inputs on which a protocol errs."""
        return (self.total - self.gain) // 2

    def pairs(self, least: int = 0) -> list[Pair]:
        """Return a best protocol and the other ones whose gain is above a number, best first."""
        kept = [pair for i, (gain, pair) in enumerate(self._found) if i == 0 or gain > least]
        return list(dict.fromkeys(kept))

    def _best(self, exponents: tuple[int, int]) -> tuple[int, Pair]:
        """Return the largest gain, and a protocol, for given numbers of bits of both players."""
        rows, columns = self._weights.shape
        plan = Plan.cheapest((rows, columns), exponents)
        weights = np.ascontiguousarray(self._weights if plan.side == 0 else self._weights.T)
        gain, classes = self._visit(weights, plan)
        sums = np.zeros((max(classes) + 1, weights.shape[1]), weights.dtype)
        np.add.at(sums, classes, weights)
        other = column_classes(sums, plan.halvings)
        both = (classes, other) if plan.side == 0 else (other, classes)
        return gain, with_answers(self._weights, *both)

    def _visit(self, weights: Table, plan: Plan) -> tuple[int, list[int]]:
        """Return the largest gain over all partitions of the rows, and the first one with it."""
        rows, k = len(weights), plan.classes
        first = list(range(rows)) if k == rows else [0] * rows
        library = _LIBRARY.found()
        if library is None or 4 * self.total >= _WIDE:
            best, found = -1, first
            for classes in self._budget.each(_strings(first, k)):
                sums = np.zeros((k, weights.shape[1]), weights.dtype)
                np.add.at(sums, classes, weights)
                if (gain := _gain(sums, plan.halvings)) > best:
                    best, found = gain, list(classes)
            return best, found
        is_wide = weights.dtype == object
        visit = library.partitions_wide if is_wide else library.partitions
        given = _words(weights.ravel().tolist()) if is_wide else weights
        most = _words([-1]) if is_wide else np.array([-1])
        at, kept = np.array(first), np.zeros(rows, np.int64)
        part = max(1, _STEPS * (_partitions(rows, k) if k < rows else 1) // max(1, plan.steps))
        state = _PAUSED
        while state == _PAUSED:
            self._budget.spend()
            state = visit(given, *weights.shape, k, plan.halvings, at, most, kept, part)
        if state == _NO_MEMORY:
            raise MemoryError
        return int.from_bytes(most.tobytes(), "little", signed=True), kept.tolist()


def _words(numbers: Sequence[int]) -> Table:
    """Return integers of 128 bits as words, the lower one first."""
    data = b"".join(number.to_bytes(16, "little", signed=True) for number in numbers)
    return np.frombuffer(data, "<i8").copy()


def _strings(first: list[int], k: int) -> Iterator[list[int]]:
    """Yield the partitions from the first one, as classes in order of first appearance."""
    classes = list(first)
    while True:
        yield classes
        used = [0]
        for own in classes:
            used.append(max(used[-1], own + 1))
        x = len(classes) - 1
        while x > 0 and classes[x] in (k - 1, used[x]):
            classes[x] = 0
            x -= 1
        if x <= 0:
            return
        classes[x] += 1


def _levels(sums: Table, halvings: int) -> list[Table]:
    """Return the gains of each set of columns in 1, 2, 4, ... classes, up to half of them."""
    sets = np.zeros((len(sums), 1), sums.dtype)
    for column in sums.T:
        sets = np.concatenate((sets, sets + column[:, None]), axis=1)
    levels = [np.abs(sets).sum(axis=0)]
    for _ in range(halvings - 1):
        last, after = levels[-1], levels[-1].copy()
        for members in range(len(last)):
            parts = _submasks(members)
            after[members] = (last[parts] + last[members ^ parts]).max()
        levels.append(after)
    return levels


def _submasks(mask: int) -> Table:
    found = np.zeros(1, np.int64)
    while mask:
        low = mask & -mask
        found = np.concatenate((found, found | low))
        mask ^= low
    return found


def _gain(sums: Table, halvings: int) -> int:
    """Return the largest gain for given balances of each class in each column."""
    if halvings < 0:
        return int(np.abs(sums).sum())
    if halvings == 0:
        return int(np.abs(sums.sum(axis=1)).sum())
    last = _levels(sums, halvings)[-1]
    return int((last + last[::-1]).max())


def column_classes(sums: Table, halvings: int) -> list[int]:
    """Return the class of each column in a best partition."""
    columns = sums.shape[1]
    if halvings == 0:
        return [0] * columns
    if halvings < 0:
        number: dict[tuple[bool, ...], int] = {}
        vectors = (sums > 0).T.tolist()
        return [number.setdefault(tuple(vector), len(number)) for vector in vectors]
    levels = _levels(sums, halvings)
    parts = [(1 << columns) - 1]
    for level in reversed(levels):
        halves = []
        for members in parts:
            subsets = _submasks(members)
            best = int(subsets[(level[subsets] + level[members ^ subsets]).argmax()])
            halves += [best, members ^ best]
        parts = halves
    return [next(i for i, part in enumerate(parts) if part >> y & 1) for y in range(columns)]


def with_answers(weights: Any, rows: Sequence[int], columns: Sequence[int]) -> Pair:  # noqa: ANN401
    """Return the best protocol with given classes, which are numbered in order of appearance."""
    both = []
    for classes in (rows, columns):
        number: dict[int, int] = {}
        both.append(tuple(number.setdefault(own, len(number)) for own in classes))
    sums = np.zeros((max(both[0]) + 1, max(both[1]) + 1), weights.dtype)
    np.add.at(sums, np.ix_(*both), weights)
    return both[0], both[1], tuple(tuple(map(int, row)) for row in (sums > 0).tolist())


def answers_of_pair(pair: Pair) -> Table:
    """Return the Boolean matrix of the answers of a protocol."""
    rows, columns, answers = pair
    return np.array(answers, np.bool_)[np.ix_(rows, columns)]
