"""Compiled search for shattered sets, on rows as words of 64 columns.

Main definition: `CompiledShattering`.

Implementation notes: sets grow as in `ccsim.dimensions.shattering.search`, one column at a
time; the steps, and the arrays that they work on, are in `ccsim.dimensions.shattering.kernels`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ccsim.budget import Budget
from ccsim.classes.masks import members
from ccsim.dimensions.shattering.kernels import (
    ONE,
    PAUSED,
    YES,
    Stack,
    advance,
    sort_cells,
    split,
)
from ccsim.dimensions.version_spaces.compiled.data import Words
from ccsim.symmetry.subsets import orbit

__all__ = ["CompiledShattering"]

_SLICE = 1 << 22
"""Words looked at between two glances at the clock: some hundredths of a second."""


class CompiledShattering:
    """A search for a shattered set of one size.

    Of columns that symmetries of the table exchange, while they fix the columns chosen, one is
    tried: if no set with it serves, none with its images does.

    Parameters
    ----------
    rows : sequence of int
        Masks of columns; at least one.
    width : int
        The number of columns.
    size : int
        At least 1.
    moves : sequence of sequences of int
        The images of all columns under symmetries of the table.
    """

    def __init__(
        self, rows: Sequence[int], width: int, size: int, moves: Sequence[Sequence[int]] = ()
    ) -> None:
        words = max(-(-width // 64), 1)
        data = b"".join(row.to_bytes(8 * words, "little") for row in rows)
        traces = np.empty((size + 1, len(rows), words), np.uint64)
        traces[0] = np.frombuffer(data, np.uint64).reshape(len(rows), words)
        cells = np.zeros((size + 1, 1 << size, 2), np.int64)
        cells[0, 0, 1] = len(rows)
        left = np.zeros((size + 1, words), np.uint64)
        left[0] = np.frombuffer(((1 << width) - 1).to_bytes(8 * words, "little"), np.uint64)
        slots = np.zeros(1 << (2 * len(rows)).bit_length(), np.int64)
        free = np.full(size + 1, width, np.int64)
        chosen, level = np.zeros(size + 1, np.int64), np.zeros(1, np.int64)
        stamps, digits = np.zeros(len(slots) + 1, np.int64), np.zeros(64, np.uint64)
        self._stack = Stack(traces, cells, left, free, chosen, level, slots, stamps, digits)
        self._size, self._moves = size, moves

    def find(self, budget: Budget) -> tuple[int, ...] | None:
        """Return a shattered set of the size, or None if there is none."""
        if not self._find(0, self._moves, budget):
            return None
        return tuple(int(x) for x in self._stack.chosen[: self._size])

    def _find(self, level: int, moves: Sequence[Sequence[int]], budget: Budget) -> bool:
        """Decide whether the columns chosen up to a level belong to a shattered set."""
        stack, size = self._stack, self._size
        if level == size:
            return True
        if not moves:
            return self._find_all(level, budget)
        left = stack.left[level]
        columns = _columns(left)
        columns.sort(key=lambda x: (sum(move[x] == x for move in moves), x))
        while columns:
            column = columns.pop()
            _remove(left, [column])
            done = split(stack, level, column, size - level - 1)
            budget.spend(abs(done))
            if done > 0:
                stack.chosen[level] = column
                sort_cells(stack, level + 1)
                fixing = [move for move in moves if move[column] == column]
                if self._find(level + 1, fixing, budget):
                    return True
            images = set(orbit(column, moves, lambda x, move: move[x]))
            _remove(left, images)
            columns = [x for x in columns if x not in images]
        return False

    def _find_all(self, level: int, budget: Budget) -> bool:
        self._stack.level[0] = level
        while True:
            answer, work = advance(self._stack, level, self._size, _SLICE)
            if answer != PAUSED:
                return bool(answer == YES)
            budget.spend(int(work))


def _columns(left: Words) -> list[int]:
    return list(members(int.from_bytes(left.tobytes(), "little")))


def _remove(left: Words, columns: Iterable[int]) -> None:
    for x in columns:
        left[x >> 6] &= ~(ONE << np.uint64(x & 63))
