"""Compiled search for shattered sets by the numbers of rows in their cells.

Main definition: `CountingSearch`.

Implementation notes: sets grow one column at a time, and a *cell* holds the rows with one labelling
of the columns chosen, as words of 64 rows. A column may come next if, whichever columns follow, all
labellings of them may stand on both its sides of all cells, by the number of rows there. Of what is
refused for a set nothing is tried with larger sets. Small cells are looked at first, so that most
columns are refused after a few words. The kernel looks at the same columns in the same cells (form
``counting``), so that the work of its check is known.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ccsim.budget import Budget
from ccsim.dimensions.shattering.counting import native
from ccsim.dimensions.shattering.counting.stack import PAUSED, YES, Stack, Steps
from ccsim.symmetry.subsets import orbit

__all__ = ["CountingSearch", "is_had_within"]

_SLICE = 1 << 22
"""Words looked at between two glances at the clock: some hundredths of a second."""
_LOADING = 1
"""Seconds that are enough to load what numba has compiled."""
_COMPILING = 15
"""Seconds that are enough for numba to compile, and for a search."""


class CountingSearch:
    """A search for a shattered set of one size.

    Of columns that symmetries of the table exchange, while they fix the columns chosen, one is
    tried.

    Parameters
    ----------
    columns : sequence of int
        Masks of rows, which are distinct.
    height : int
        The number of rows.
    size : int
        At least 1.
    moves : sequence of sequences of int
        The images of all columns under symmetries of the table.

    Attributes
    ----------
    stack : Stack
    work : int
        Words that were looked at: some twenty times as long takes the kernel's check for each.

    Examples
    --------
    >>> cube = [0b10101010, 0b11001100, 0b11110000]
    >>> CountingSearch(cube, 8, 3).find(Budget()), CountingSearch(cube[:2] * 2, 8, 3).find(Budget())
    ((0, 1, 2), None)
    """

    def __init__(
        self,
        columns: Sequence[int],
        height: int,
        size: int,
        moves: Sequence[Sequence[int]] = (),
    ) -> None:
        words, width = max(-(-height // 64), 1), len(columns)
        data = b"".join(column.to_bytes(8 * words, "little") for column in columns)
        table = np.frombuffer(data, np.uint64).reshape(width, words)
        cells = np.zeros((1 << size, words), np.uint64)
        everything = ((1 << height) - 1).to_bytes(8 * words, "little")
        cells[0] = np.frombuffer(everything, np.uint64)
        half = 1 << size - 1
        first = [x for x, c in enumerate(columns) if half <= c.bit_count() <= height - half]
        left = np.zeros((size + 1, max(width, 1)), np.int64)
        left[0, : len(first)] = first[::-1]
        number, chosen = np.zeros(size + 1, np.int64), np.zeros(size + 1, np.int64)
        number[0] = len(first)
        self.stack = Stack(table, cells, left, number, chosen, np.zeros(1, np.int64))
        self._steps = native.steps(self.stack, size) or _compiled_steps(self.stack, size)
        self._size, self._moves, self.work = size, moves, 0

    def find(self, budget: Budget) -> tuple[int, ...] | None:
        """Return a shattered set of the size, or None if there is none."""
        if not self._find(0, self._moves, budget):
            return None
        return tuple(sorted(int(x) for x in self.stack.chosen[: self._size]))

    def _find(self, level: int, moves: Sequence[Sequence[int]], budget: Budget) -> bool:
        """Decide whether the columns chosen up to a level belong to a shattered set."""
        stack = self.stack
        if level == self._size:
            return True
        if not moves:
            return self._find_all(level, budget)
        left = [int(x) for x in stack.left[level, : stack.number[level]]]
        left.sort(key=lambda x: (sum(move[x] == x for move in moves), -x))
        while left:
            column = left.pop()
            stack.left[level, : len(left)], stack.number[level] = left, len(left)
            done = self._steps.extend(level, column, self._size - level - 1)
            self._spend(abs(done), budget)
            if done > 0:
                fixing = [move for move in moves if move[column] == column]
                if self._find(level + 1, fixing, budget):
                    return True
            images = set(orbit(column, moves, lambda x, move: move[x]))
            left = [x for x in left if x not in images]
        return False

    def _find_all(self, level: int, budget: Budget) -> bool:
        self.stack.level[0] = level
        while True:
            answer, work = self._steps.advance(level, _SLICE)
            self._spend(int(work), budget)
            if answer != PAUSED:
                return bool(answer == YES)

    def _spend(self, work: int, budget: Budget) -> None:
        self.work += work
        budget.spend(work)


def _compiled_steps(stack: Stack, size: int) -> Steps:
    """Return the steps that numba compiles."""
    from ccsim.compiled import announce
    from ccsim.dimensions.shattering.counting.compiled import advance, steps

    announce(advance)
    return steps(stack, size)


def is_had_within(seconds: float) -> bool:
    """Say whether the steps can be had in so many seconds."""
    if native.found() is not None:
        return True
    if seconds < _LOADING:
        return False
    from ccsim.compiled import is_kept
    from ccsim.dimensions.shattering.counting.compiled import advance

    return seconds >= _COMPILING or is_kept(advance)
