"""Searches for shattered sets that grow by one column at a time, in C or in Python."""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import byref, c_int64
from types import SimpleNamespace
from typing import Any, Protocol

from ccsim.budget import Budget
from ccsim.symmetry.groups import orbit

NO, YES, PAUSED = range(3)
_SLICE = 1 << 18
"""Words looked at between two glances at the clock: a millisecond, or a tenth of a second."""


class Steps(Protocol):
    """A search for a set of one size; level ``l`` has ``l`` columns."""

    def left(self, level: int) -> list[int]:
        """Return the columns that may come next."""
        ...

    def leave(self, level: int, columns: Sequence[int]) -> None:
        """Let only these columns come next."""
        ...

    def extend(self, level: int, column: int, more: int) -> int:
        """Take a column, with so many to follow; return the work, negative if it is in vain."""
        ...

    def begin(self, level: int) -> None:
        """Prepare to search on below a level."""
        ...

    def advance(self, base: int, most_work: int) -> tuple[int, int]:
        """Search on below a level for so much work; return the answer and the work done."""
        ...

    def chosen(self) -> list[int]:
        """Return the columns of the set that was found."""
        ...


class NativeSteps:
    """What steps in C have in common: a structure of pointers to arrays that live as long."""

    def __init__(self, library: SimpleNamespace, structure: Any, arrays: Sequence[Any]) -> None:  # noqa: ANN401
        self._library, self._structure, self._arrays = library, structure, tuple(arrays)

    def extend(self, level: int, column: int, more: int) -> int:
        """Take a column, with so many to follow; return the work, negative if it is in vain."""
        return int(self._library.extend(byref(self._structure), level, column, more))

    def advance(self, base: int, most_work: int) -> tuple[int, int]:
        """Search on below a level for so much work; return the answer and the work done."""
        work = c_int64()
        answer = self._library.advance(byref(self._structure), base, most_work, byref(work))
        return int(answer), work.value


class Growing:
    """A search for a shattered set of one size.

    Of columns that symmetries of the table exchange, while they fix the columns chosen, one is
    tried: if no set with it serves, none with its images does.
    """

    def __init__(self, steps: Steps, size: int, moves: Sequence[Sequence[int]]) -> None:
        self._steps, self._size, self._moves, self.work = steps, size, moves, 0

    def find(self, budget: Budget) -> tuple[int, ...] | None:
        """Return a shattered set of the size, or None if there is none."""
        if not self._find(0, self._moves, budget):
            return None
        return tuple(sorted(self._steps.chosen()))

    def _find(self, level: int, moves: Sequence[Sequence[int]], budget: Budget) -> bool:
        """Decide whether the columns chosen up to a level belong to a shattered set."""
        if level == self._size:
            return True
        if not moves:
            return self._find_all(level, budget)
        left = self._steps.left(level)
        left.sort(key=lambda x: (sum(move[x] == x for move in moves), -x))
        while left:
            column = left.pop()
            self._steps.leave(level, left)
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
        self._steps.begin(level)
        while True:
            answer, work = self._steps.advance(level, _SLICE)
            self._spend(work, budget)
            if answer != PAUSED:
                return answer == YES

    def _spend(self, work: int, budget: Budget) -> None:
        self.work += work
        budget.spend(work)
