"""Search for shattered sets by the numbers of rows in their cells.

Implementation notes: sets grow one column at a time, and a *cell* holds the rows with one labelling
of the columns chosen, as words of 64 rows. A column may come next if, whichever columns follow, all
labellings of them may stand on both its sides of all cells, by the number of rows there. Of what is
refused for a set nothing is tried with larger sets. Small cells are looked at first, so that most
columns are refused after a few words. The kernel looks at the same columns in the same cells (form
``counting``), so that the work of its check is known. The steps are in C (``cells.c``); without the
engine `PlainSteps` does the same.

`listed` finds all sizes of shattered sets, before anything else is looked for: trees, vectors and
symmetries make proofs short, but where few sets are shattered the search that counts rows has ended
before they are found. So it comes first, for a while, and what its proof takes to check is
estimated from what it looked at.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from ctypes import POINTER, c_int32, c_int64, c_void_p
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np

from ccsim.budget import Budget, OutOfWorkError
from ccsim.classes import ConceptClass
from ccsim.dimensions.shattering.growing import NO, PAUSED, YES, Growing, NativeSteps
from ccsim.native import Library


class _Stack(ctypes.Structure):
    """The `Stack` of ``cells.c``."""

    _fields_ = (
        ("words", c_int64),
        ("width", c_int64),
        ("size", c_int64),
        ("columns", c_void_p),
        ("cells", c_void_p),
        ("left", c_void_p),
        ("number", c_void_p),
        ("chosen", c_void_p),
        ("level", c_void_p),
        ("room", c_void_p),
    )


_STACK = POINTER(_Stack)
_LIBRARY = Library(
    "cells",
    {
        "extend": (c_int64, (_STACK, c_int64, c_int64, c_int64)),
        "advance": (c_int32, (_STACK, c_int64, c_int64, POINTER(c_int64))),
    },
)


class CountingSearch(Growing):
    """A search for a shattered set of one size."""

    def __init__(
        self,
        columns: Sequence[int],
        height: int,
        size: int,
        moves: Sequence[Sequence[int]] = (),
    ) -> None:
        table, library = (columns, height, size), _LIBRARY.found()
        steps = PlainSteps(*table) if library is None else _NativeSteps(library, *table)
        half = 1 << size - 1
        first = [x for x, c in enumerate(columns) if half <= c.bit_count() <= height - half]
        steps.leave(0, first[::-1])
        super().__init__(steps, size, moves)


class PlainSteps:
    """The steps in Python."""

    def __init__(self, columns: Sequence[int], height: int, size: int) -> None:
        self._columns, self._size, self._words = columns, size, max(-(-height // 64), 1)
        self._cells = [[(1 << height) - 1], *([] for _ in range(size))]
        self._left: list[list[int]] = [[] for _ in range(size + 1)]
        self._chosen, self._level = [0] * size, 0

    def left(self, level: int) -> list[int]:
        """Return the columns that may come next."""
        return list(self._left[level])

    def leave(self, level: int, columns: Sequence[int]) -> None:
        """Let only these columns come next."""
        self._left[level] = list(columns)

    def chosen(self) -> list[int]:
        """Return the columns of the set that was found."""
        return self._chosen

    def begin(self, level: int) -> None:
        """Prepare to search on below a level."""
        self._level = level

    def extend(self, level: int, column: int, more: int) -> int:
        """Take a column, with so many to follow; return the work, negative if it is in vain."""
        self._chosen[level], work = column, 1
        if not more:
            return work
        c, cells, half = self._columns[column], self._cells[level], 1 << (more - 1)
        left, kept, sides = self._left[level], list[int](), list[tuple[int, int]]()
        for i, x in enumerate(left):
            if len(kept) + len(left) - i < more:
                return -work
            other = self._columns[x]
            for at in range(2 * len(cells)):
                if at == len(sides):
                    one, zero = cells[at >> 1] & c, cells[at >> 1] & ~c
                    sides += (one, one.bit_count() - half), (zero, zero.bit_count() - half)
                    work += self._words
                work += 0 if at & 1 else self._words
                side, most = sides[at]
                if not half <= (side & other).bit_count() <= most:
                    break
            else:
                kept.append(x)
        self._left[level + 1] = kept
        if len(kept) < more:
            return -work
        self._cells[level + 1] = sorted((side for side, _ in sides), key=int.bit_count)
        return work + self._words * len(cells)

    def advance(self, base: int, most_work: int) -> tuple[int, int]:
        """Search on below a level for so much work; return the answer and the work done."""
        work = 0
        while work < most_work:
            level = self._level
            more = self._size - level
            if len(self._left[level]) < more:
                if level == base:
                    return NO, work
                self._level -= 1
                continue
            done = self.extend(level, self._left[level].pop(), more - 1)
            work += abs(done)
            if done > 0:
                if more == 1:
                    return YES, work
                self._level = level + 1
        return PAUSED, work


class _NativeSteps(NativeSteps):
    """The steps in C."""

    def __init__(
        self, library: SimpleNamespace, columns: Sequence[int], height: int, size: int
    ) -> None:
        words, width = max(-(-height // 64), 1), len(columns)
        data = b"".join(column.to_bytes(8 * words, "little") for column in columns)
        table = np.frombuffer(data, np.uint64)
        cells = np.zeros((1 << size, words), np.uint64)
        everything = ((1 << height) - 1).to_bytes(8 * words, "little")
        cells[0] = np.frombuffer(everything, np.uint64)
        self._marks = np.zeros((size + 1, max(width, 1)), np.int64)
        self._number, self._found = np.zeros(size + 1, np.int64), np.zeros(size + 1, np.int64)
        self._at, self._size = np.zeros(1, np.int64), size
        room = np.empty(len(cells), np.uint64)
        arrays = (table, cells, self._marks, self._number, self._found, self._at, room)
        pointers = [array.ctypes.data for array in arrays]
        structure = _Stack(words, self._marks.shape[1], size, *pointers)
        super().__init__(library, structure, arrays)

    def left(self, level: int) -> list[int]:
        found: list[int] = self._marks[level, : self._number[level]].tolist()
        return found

    def leave(self, level: int, columns: Sequence[int]) -> None:
        self._marks[level, : len(columns)], self._number[level] = columns, len(columns)

    def begin(self, level: int) -> None:
        self._at[0] = level

    def chosen(self) -> list[int]:
        found: list[int] = self._found[: self._size].tolist()
        return found


_ENTRIES = 1 << 11
"""Rows times columns from which on: smaller tables are soon done in Python."""
_SECONDS = 0.15
"""Of the search in C, about; in Python thirty times as long."""
_LOOK, _WORD = 13e-9, 0.18e-9
"""Seconds of the search for a look at a column in a cell, and for each word of it."""
_CHECKED_LOOK, _CHECKED_WORD = 0.4e-6, 2.5e-9
"""The same of the kernel's check."""


class Listed(NamedTuple):
    """What came of the search."""

    chosen: tuple[int, ...]  # the largest shattered set that was found
    seconds: float | None  # of the check that none is larger, about; None if that was not shown


def is_listed(table: ConceptClass) -> bool:
    """Say whether a table is large enough."""
    return len(table) * len(table.points) >= _ENTRIES


def listed(columns: Sequence[int], height: int, most: int, budget: Budget) -> Listed:
    """Look for shattered sets of 1, 2, ... columns for a tenth of a second or two."""
    words = max(-(-height // 64), 1)
    shared = budget.share(work=int(_SECONDS / (_LOOK + words * _WORD)) * words)
    chosen: tuple[int, ...] = ()
    while len(chosen) < most:
        search = CountingSearch(columns, height, len(chosen) + 1)
        try:
            found = search.find(shared)
        except OutOfWorkError:
            break
        if found is None:
            looks = search.work / words
            return Listed(chosen, looks * (_CHECKED_LOOK + words * _CHECKED_WORD))
        chosen = found
    return Listed(chosen, None)
