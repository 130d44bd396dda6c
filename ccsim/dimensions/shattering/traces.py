"""Search for shattered sets by the numbers of different rows in their cells.

Implementation notes: sets grow as in `ccsim.dimensions.shattering.search`, and a *cell* holds the
rows with one labelling of the columns chosen. A row is cut to the columns that may still be chosen,
and rows that are then equal are one *trace*: ``more`` further columns need ``2**more`` traces in
every cell, and each of them leaves half as many on both sides. The smallest cells are split first,
so that most columns fail after a few traces. The steps are in C (``traces.c``); without the engine
`PlainSteps` does the same.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from ctypes import POINTER, c_int32, c_int64, c_void_p
from types import SimpleNamespace

import numpy as np

from ccsim.classes.masks import members
from ccsim.dimensions.shattering.growing import NO, PAUSED, YES, Growing, NativeSteps
from ccsim.native import Library

_FIRST_CELLS = 16
"""Cells that are put in the order of their sizes."""


class _Traces(ctypes.Structure):
    """The `Traces` of ``traces.c``."""

    _fields_ = (
        ("words", c_int64),
        ("rows", c_int64),
        ("size", c_int64),
        ("mask", c_int64),
        ("traces", c_void_p),
        ("cells", c_void_p),
        ("left", c_void_p),
        ("free", c_void_p),
        ("chosen", c_void_p),
        ("level", c_void_p),
        ("slots", c_void_p),
        ("stamps", c_void_p),
    )


_TRACES = POINTER(_Traces)
_LIBRARY = Library(
    "traces",
    {
        "extend": (c_int64, (_TRACES, c_int64, c_int64, c_int64)),
        "advance": (c_int32, (_TRACES, c_int64, c_int64, POINTER(c_int64))),
    },
)


class TraceSearch(Growing):
    """A search for a shattered set of one size."""

    def __init__(
        self, rows: Sequence[int], width: int, size: int, moves: Sequence[Sequence[int]] = ()
    ) -> None:
        library = _LIBRARY.found()
        table = (rows, width, size)
        steps = PlainSteps(*table) if library is None else _NativeSteps(library, *table)
        super().__init__(steps, size, moves)


class PlainSteps:
    """The steps in Python."""

    def __init__(self, rows: Sequence[int], width: int, size: int) -> None:
        self._size, self._words = size, max(-(-width // 64), 1)
        self._cells = [[list(rows)], *([] for _ in range(size))]
        self._left, self._free = [(1 << width) - 1] * (size + 1), [width] * (size + 1)
        self._chosen, self._level = [0] * size, 0

    def left(self, level: int) -> list[int]:
        """Return the columns that may come next."""
        return list(members(self._left[level]))

    def leave(self, level: int, columns: Sequence[int]) -> None:
        """Let only these columns come next."""
        self._left[level] = sum(1 << x for x in columns)

    def chosen(self) -> list[int]:
        """Return the columns of the set that was found."""
        return self._chosen

    def begin(self, level: int) -> None:
        """Prepare to search on below a level."""
        self._level = level

    def extend(self, level: int, column: int, more: int) -> int:
        """Split all cells by a column; return the work, negative if it is in vain."""
        left, work, parts = self._left[level], 0, []
        for cell in self._cells[level]:
            zeros = [trace for trace in cell if not trace >> column & 1]
            ones = [trace for trace in cell if trace >> column & 1]
            work += 2 * len(cell) * self._words
            for part in (zeros, ones):
                if len(part) < 1 << more:
                    return -work - 1
                left &= _balanced(part, more)
                if left.bit_count() < more:
                    return -work - 1
                parts.append(part)
        for place in range(min(len(parts) - 1, _FIRST_CELLS)):
            smallest = min(range(place, len(parts)), key=lambda i: len(parts[i]))
            parts[place], parts[smallest] = parts[smallest], parts[place]
        self._cells[level + 1], self._left[level + 1] = parts, left
        self._chosen[level], self._free[level + 1] = column, self._left[level].bit_count()
        return work + 1

    def advance(self, base: int, most_work: int) -> tuple[int, int]:
        """Search on below a level for so much work; return the answer and the work done."""
        work = 0
        while work < most_work:
            level = self._level
            left, more, done = self._left[level], self._size - level, 1
            free = left.bit_count()
            if free >= more and 8 * free <= 7 * self._free[level]:
                done, self._free[level] = self._shrink(level, more), free
            work += abs(done) + self._words
            if free < more or done < 0:
                if level == base:
                    return NO, work
                self._level -= 1
                continue
            column = left.bit_length() - 1
            self._left[level] ^= 1 << column
            done = self.extend(level, column, more - 1)
            work += abs(done)
            if done > 0:
                if level + 1 == self._size:
                    return YES, work
                self._level = level + 1
        return PAUSED, work

    def _shrink(self, level: int, more: int) -> int:
        """Cut the traces to the columns left; return the work, negative if a cell has too few."""
        left, cells, work = self._left[level], self._cells[level], 0
        for i, cell in enumerate(cells):
            traces = list(dict.fromkeys([trace & left for trace in cell]))
            work += len(cell) * self._words
            if len(traces) < 1 << more:
                return -work - 1
            cells[i] = traces
        return work + 1


def _balanced(part: Sequence[int], more: int) -> int:
    """Return the columns that leave ``2**(more - 1)`` of the traces on both sides."""
    if more < 1:
        return -1
    digits: list[int] = []  # digit i of the counts of all columns
    for trace in part:
        carry, j = trace, 0
        while carry:
            if j == len(digits):
                digits.append(0)
            digits[j], carry = digits[j] ^ carry, digits[j] & carry
            j += 1
    least = 1 << (more - 1)
    return _at_least(digits, least) & ~_at_least(digits, len(part) - least + 1)


def _at_least(digits: Sequence[int], least: int) -> int:
    """Return the columns that are counted at least so often, at least once."""
    reached = -1
    for i in range(max(len(digits), least.bit_length())):
        digit = digits[i] if i < len(digits) else 0
        reached = digit & reached if least >> i & 1 else digit | reached
    return reached


class _NativeSteps(NativeSteps):
    """The steps in C."""

    def __init__(
        self, library: SimpleNamespace, rows: Sequence[int], width: int, size: int
    ) -> None:
        words = max(-(-width // 64), 1)
        data = b"".join(row.to_bytes(8 * words, "little") for row in rows)
        traces = np.empty((size + 1, len(rows), words), np.uint64)
        traces[0] = np.frombuffer(data, np.uint64).reshape(len(rows), words)
        cells = np.zeros((size + 1, 1 << size, 2), np.int64)
        cells[0, 0, 1] = len(rows)
        self._marks, self._size = np.zeros((size + 1, words), np.uint64), size
        free = np.full(size + 1, width, np.int64)
        self._found, self._at = np.zeros(size + 1, np.int64), np.zeros(1, np.int64)
        slots = np.zeros(1 << (2 * len(rows)).bit_length(), np.int64)
        stamps = np.zeros(len(slots) + 1, np.int64)
        arrays = (traces, cells, self._marks, free, self._found, self._at, slots, stamps)
        pointers = [array.ctypes.data for array in arrays]
        structure = _Traces(words, len(rows), size, len(slots) - 1, *pointers)
        super().__init__(library, structure, arrays)
        self.leave(0, range(width))

    def left(self, level: int) -> list[int]:
        return list(members(int.from_bytes(self._marks[level].tobytes(), "little")))

    def leave(self, level: int, columns: Sequence[int]) -> None:
        marks = sum(1 << x for x in columns).to_bytes(8 * self._marks.shape[1], "little")
        self._marks[level] = np.frombuffer(marks, np.uint64)

    def begin(self, level: int) -> None:
        self._at[0] = level

    def chosen(self) -> list[int]:
        found: list[int] = self._found[: self._size].tolist()
        return found
