"""Searches for shattered sets that add one column at a time, in C or in Python.

A *cell* contains the rows with one labelling of the chosen columns. `counting_search` counts the
rows with each label of a column in each cell, as the kernel does for proofs of the form
``counting``. `trace_search` counts *traces*: distinct rows on the columns that may still be chosen.
"""

from __future__ import annotations

import ctypes
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from ctypes import POINTER, byref, c_int32, c_int64, c_void_p
from functools import partial
from itertools import count
from math import comb
from typing import Any, NamedTuple

import numpy as np

from ccsim.budget import Budget, OutOfWorkError
from ccsim.classes import ConceptClass
from ccsim.classes.masks import at_least, digits_of, members
from ccsim.native import Functions, Library
from ccsim.parallel.division import Branch, divided
from ccsim.symmetry.groups import orbit

_NO, _YES, _PAUSED = range(3)
_SLICE = 1 << 18
"""Words of work between two checks of the time: a millisecond in C, a tenth of a second else."""
_FIRST_CELLS = 16  # cells of traces that are put in the order of their sizes
_ENTRIES = 1 << 11
"""Minimum of rows times columns for calling `listed`; smaller tables are fast in Python."""
_SECONDS = 0.15  # of the search of `listed` in C, about; in Python thirty times as long
_LOOK, _WORD = 13e-9, 0.18e-9
"""Seconds of the search for a column in a cell, and for each of its words."""
_CHECKED_LOOK, _CHECKED_WORD = 0.4e-6, 2.5e-9  # the same of the kernel's check
_STEPS: Functions = {
    "extend": (c_int64, (c_void_p, c_int64, c_int64, c_int64)),
    "advance": (c_int32, (c_void_p, c_int64, c_int64, POINTER(c_int64))),
}
_CELLS, _TRACES = Library("cells", _STEPS), Library("traces", _STEPS)
_LEVELS = 5  # the number of ways to choose so many columns estimates the size of a case
_Node = tuple[Sequence[int], Sequence[int]]  # chosen columns, and those that may be added
Moves = Sequence[Sequence[int]]  # where symmetries of the table take its columns


class Case(NamedTuple):
    """A part of a search: columns are chosen, and the next one is one of some places."""

    chosen: Sequence[int]
    left: Sequence[int]  # columns that may be added
    first: int  # of the places in the order of the search
    last: int  # the end of the places


class Listed(NamedTuple):
    """The result of `listed`: a shattered set, and the time to check that none is larger."""

    chosen: tuple[int, ...]  # the largest shattered set that was found
    seconds: float | None  # of the check that none is larger, about; None if that was not shown


def is_listed(table: ConceptClass) -> bool:
    """Whether a table is large enough for `listed` to be used."""
    return len(table) * len(table.points) >= _ENTRIES


def listed(columns: Sequence[int], height: int, most: int, budget: Budget) -> Listed:
    """Search for shattered sets of 1, 2, ... columns for one or two tenths of a second.

    If few sets are shattered, this is faster than searches for trees, vectors or symmetries.
    """
    words = max(-(-height // 64), 1)
    shared = budget.share(work=int(_SECONDS / (_LOOK + words * _WORD)) * words)
    chosen: tuple[int, ...] = ()
    while len(chosen) < most:
        search = counting_search(columns, height, len(chosen) + 1)
        try:
            found = search.find(shared)
        except OutOfWorkError:
            break
        if found is None:
            looks = search.work / words
            return Listed(chosen, looks * (_CHECKED_LOOK + words * _CHECKED_WORD))
        chosen = found
    return Listed(chosen, None)


def counting_search(columns: Sequence[int], height: int, size: int, moves: Moves = ()) -> Growing:
    """Return a search for a shattered set of the given size that counts the rows in cells."""
    kind = _PlainCounting if _CELLS.found() is None else _NativeCounting
    return kind(columns, height, size, moves)


def trace_search(rows: Sequence[int], width: int, size: int, moves: Moves = ()) -> Growing:
    """Return a search for a shattered set of the given size that counts distinct rows in cells."""
    kind = _PlainTraces if _TRACES.found() is None else _NativeTraces
    return kind(rows, width, size, moves)


def rows_cut_to(chosen: Sequence[int], columns: Sequence[int], height: int) -> list[int]:
    """Return the rows restricted to the chosen columns."""
    rows = [0] * height
    for i, x in enumerate(chosen):
        text = f"{columns[x]:b}"
        for c, character in enumerate(reversed(text)):
            if character == "1":
                rows[c] |= 1 << i
    return rows


class Growing(ABC):
    """A search for a shattered set of one size; at level ``l``, ``l`` columns are chosen.

    Of each orbit under the symmetries that fix the chosen columns, only one column is tried.
    """

    def __init__(self, size: int, moves: Moves) -> None:
        self._size, self._moves, self.work = size, moves, 0

    def find(self, budget: Budget) -> tuple[int, ...] | None:
        """Return a shattered set, or None if there is none."""
        return self._found() if self._find(0, self._moves, budget) else None

    def find_in(self, case: Case, budget: Budget) -> tuple[int, ...] | None:
        """Return a shattered set of a case, or None if there is none."""
        moves = self._enter(case.chosen, case.left)
        ends = self._find_next(len(case.chosen), moves, budget, case.first, case.last)
        return self._found() if ends else None

    def divided(self, number: int, budget: Budget) -> list[Case]:
        """Return about this number of cases that together are the whole search, long ones first.

        The length of a case is estimated by the number of ways to choose some columns.
        """
        deep = min(self._size, _LEVELS)

        def branches(node: _Node) -> Iterator[Branch[_Node]]:
            level, moves = len(node[0]), self._enter(*node)
            for place, _ in self._tried(level, moves, budget, 0, None):
                length = comb(len(self._left(level + 1)), deep - level - 1)
                below = partial(self._below, Case(*node, place, place + 1), budget)
                yield Branch(place, length, below, level + 2 >= deep)

        root: _Node = ((), self._left(0))
        groups = divided(root, branches, number)
        return [Case(*node, *places) for group in groups for node, *places in group]

    def _below(self, case: Case, budget: Budget) -> _Node:
        """Return the columns chosen in a case with a single place, and those left below it."""
        level, moves = len(case.chosen), self._enter(case.chosen, case.left)
        _, column = next(self._tried(level, moves, budget, case.first, case.last))
        return (*case.chosen, column), self._left(level + 1)

    def _enter(self, chosen: Sequence[int], left: Sequence[int]) -> Moves:
        """Choose columns, and restrict the next ones; return the symmetries that fix them."""
        for level, column in enumerate(chosen):
            self._leave(level, [*left, *chosen[level + 1 :]])
            self._extend(level, column, self._size - level - 1)
        self._leave(len(chosen), left)
        return [move for move in self._moves if all(move[x] == x for x in chosen)]

    def _find(self, level: int, moves: Moves, budget: Budget) -> bool:
        """Decide whether the columns chosen up to a level can be extended to a shattered set."""
        if level == self._size:
            return True
        if not moves:
            return self._find_all(level, budget)
        return self._find_next(level, moves, budget, 0, None)

    def _find_next(
        self, level: int, moves: Moves, budget: Budget, first: int, last: int | None
    ) -> bool:
        """Decide whether some of the next columns, given by their places, can be extended."""
        return any(
            self._find(level + 1, [move for move in moves if move[column] == column], budget)
            for _, column in self._tried(level, moves, budget, first, last)
        )

    def _tried(
        self, level: int, moves: Moves, budget: Budget, first: int, last: int | None
    ) -> Iterator[tuple[int, int]]:
        """Add each column that serves, one of each orbit; yield its place and the column."""
        left = self._left(level)
        left.sort(key=lambda x: (sum(move[x] == x for move in moves), -x))
        self._leave(level, left)
        for place in count() if last is None else range(last):
            if not left:
                return
            column = left.pop()
            self._drop(level, column)
            if place >= first:
                done = self._extend(level, column, self._size - level - 1)
                self._spend(abs(done), budget)
                if done > 0:
                    yield place, column
            if moves:
                images = set(orbit(column, moves, lambda x, move: move[x]))
                left = [x for x in left if x not in images]
                self._leave(level, left)

    def _find_all(self, level: int, budget: Budget) -> bool:
        self._begin(level)
        while True:
            answer, work = self._advance(level, _SLICE)
            self._spend(work, budget)
            if answer != _PAUSED:
                return answer == _YES

    def _spend(self, work: int, budget: Budget) -> None:
        self.work += work
        budget.spend(work)

    def _found(self) -> tuple[int, ...]:
        return tuple(sorted(self._picked()))

    @abstractmethod
    def _left(self, level: int) -> list[int]:
        """Return the columns that may be chosen next at a level."""

    @abstractmethod
    def _leave(self, level: int, columns: Sequence[int]) -> None:
        """Restrict the columns that may be chosen next at a level."""

    @abstractmethod
    def _drop(self, level: int, column: int) -> None:
        """Remove the last of the columns to which `_leave` restricted a level."""

    @abstractmethod
    def _begin(self, level: int) -> None:
        """Prepare the search below a level."""

    @abstractmethod
    def _extend(self, level: int, column: int, more: int) -> int:
        """Add a column, with ``more`` to follow; return the work, negated if this is impossible."""

    @abstractmethod
    def _advance(self, base: int, most_work: int) -> tuple[int, int]:
        """Continue below a level up to a limit on the work; return the answer and the work."""

    @abstractmethod
    def _picked(self) -> list[int]:
        """Return the columns of the set found."""


class _Plain(Growing):
    """A search in Python."""

    def __init__(self, size: int, moves: Moves) -> None:
        super().__init__(size, moves)
        self._chosen, self._level = [0] * size, 0

    def _begin(self, level: int) -> None:
        self._level = level

    def _picked(self) -> list[int]:
        return self._chosen


class _PlainCounting(_Plain):
    def __init__(self, columns: Sequence[int], height: int, size: int, moves: Moves) -> None:
        super().__init__(size, moves)
        self._columns, self._words = columns, max(-(-height // 64), 1)
        self._cells = [[(1 << height) - 1], *([] for _ in range(size))]
        self._kept: list[list[int]] = [[] for _ in range(size + 1)]
        self._leave(0, _first(columns, height, size))

    def _left(self, level: int) -> list[int]:
        return list(self._kept[level])

    def _leave(self, level: int, columns: Sequence[int]) -> None:
        self._kept[level] = list(columns)

    def _drop(self, level: int, column: int) -> None:
        self._kept[level].pop()

    def _extend(self, level: int, column: int, more: int) -> int:
        self._chosen[level], work = column, 1
        if not more:
            return work
        c, cells, half = self._columns[column], self._cells[level], 1 << (more - 1)
        left, kept, sides = self._kept[level], list[int](), list[tuple[int, int]]()
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
        self._kept[level + 1] = kept
        if len(kept) < more:
            return -work
        self._cells[level + 1] = sorted((side for side, _ in sides), key=int.bit_count)
        return work + self._words * len(cells)

    def _advance(self, base: int, most_work: int) -> tuple[int, int]:
        work = 0
        while work < most_work:
            level = self._level
            more = self._size - level
            if len(self._kept[level]) < more:
                if level == base:
                    return _NO, work
                self._level -= 1
                continue
            done = self._extend(level, self._kept[level].pop(), more - 1)
            work += abs(done)
            if done > 0:
                if more == 1:
                    return _YES, work
                self._level = level + 1
        return _PAUSED, work


class _PlainTraces(_Plain):
    def __init__(self, rows: Sequence[int], width: int, size: int, moves: Moves) -> None:
        super().__init__(size, moves)
        self._words = max(-(-width // 64), 1)
        self._cells = [[list(rows)], *([] for _ in range(size))]
        self._marks, self._free = [(1 << width) - 1] * (size + 1), [width] * (size + 1)

    def _left(self, level: int) -> list[int]:
        return list(members(self._marks[level]))

    def _leave(self, level: int, columns: Sequence[int]) -> None:
        self._marks[level] = sum(1 << x for x in columns)

    def _drop(self, level: int, column: int) -> None:
        self._marks[level] ^= 1 << column

    def _extend(self, level: int, column: int, more: int) -> int:
        left, work, parts = self._marks[level], 0, []
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
        self._cells[level + 1], self._marks[level + 1] = parts, left
        self._chosen[level], self._free[level + 1] = column, self._marks[level].bit_count()
        return work + 1

    def _advance(self, base: int, most_work: int) -> tuple[int, int]:
        work = 0
        while work < most_work:
            level = self._level
            left, more, done = self._marks[level], self._size - level, 1
            free = left.bit_count()
            if free >= more and 8 * free <= 7 * self._free[level]:
                done, self._free[level] = self._shrink(level, more), free
            work += abs(done) + self._words
            if free < more or done < 0:
                if level == base:
                    return _NO, work
                self._level -= 1
                continue
            column = left.bit_length() - 1
            self._marks[level] ^= 1 << column
            done = self._extend(level, column, more - 1)
            work += abs(done)
            if done > 0:
                if level + 1 == self._size:
                    return _YES, work
                self._level = level + 1
        return _PAUSED, work

    def _shrink(self, level: int, more: int) -> int:
        """Restrict the traces to the remaining columns; return the work, negated on failure."""
        left, cells, work = self._marks[level], self._cells[level], 0
        for i, cell in enumerate(cells):
            traces = list(dict.fromkeys([trace & left for trace in cell]))
            work += len(cell) * self._words
            if len(traces) < 1 << more:
                return -work - 1
            cells[i] = traces
        return work + 1


def _first(columns: Sequence[int], height: int, size: int) -> list[int]:
    """Return the columns with enough zeros and ones for a shattered set, in reverse order."""
    half = 1 << size - 1
    return [x for x, c in enumerate(columns) if half <= c.bit_count() <= height - half][::-1]


def _balanced(part: Sequence[int], more: int) -> int:
    """Return the columns with both labels on at least ``2**(more - 1)`` of the traces."""
    if more < 1:
        return -1
    digits, least = digits_of(part), 1 << (more - 1)
    return at_least(digits, least) & ~at_least(digits, len(part) - least + 1)


class _Native(Growing):
    """A search in C; the object owns the arrays to which the C structure points."""

    def __init__(
        self,
        size: int,
        moves: Moves,
        library: Library,
        numbers: Sequence[int],
        arrays: Sequence[Any],
    ) -> None:
        super().__init__(size, moves)
        self._functions: Any = library.found()
        kinds = [c_int64] * len(numbers) + [c_void_p] * len(arrays)
        fields = {"_fields_": [(f"field_{i}", kind) for i, kind in enumerate(kinds)]}
        made: Any = type("State", (ctypes.Structure,), fields)
        self._arrays = arrays
        self._state = made(*numbers, *(array.ctypes.data for array in arrays))
        self._chosen, self._at = arrays[4:6]

    def _begin(self, level: int) -> None:
        self._at[0] = level

    def _extend(self, level: int, column: int, more: int) -> int:
        return int(self._functions.extend(byref(self._state), level, column, more))

    def _advance(self, base: int, most_work: int) -> tuple[int, int]:
        work = c_int64()
        answer = self._functions.advance(byref(self._state), base, most_work, byref(work))
        return int(answer), work.value

    def _picked(self) -> list[int]:
        found: list[int] = self._chosen[: self._size].tolist()
        return found


class _NativeCounting(_Native):
    """A search with the structure `Stack` of ``cells.c``."""

    def __init__(self, columns: Sequence[int], height: int, size: int, moves: Moves) -> None:
        words, width = max(-(-height // 64), 1), max(len(columns), 1)
        cells = np.zeros((1 << size, words), np.uint64)
        cells[0] = _words([(1 << height) - 1], words)
        self._marks = np.zeros((size + 1, width), np.int64)
        self._number, chosen = np.zeros(size + 1, np.int64), np.zeros(size + 1, np.int64)
        at, room = np.zeros(1, np.int64), np.empty(len(cells), np.uint64)
        table = _words(columns, words)
        arrays = (table, cells, self._marks, self._number, chosen, at, room)
        super().__init__(size, moves, _CELLS, (words, width, size), arrays)
        self._leave(0, _first(columns, height, size))

    def _left(self, level: int) -> list[int]:
        found: list[int] = self._marks[level, : self._number[level]].tolist()
        return found

    def _leave(self, level: int, columns: Sequence[int]) -> None:
        self._marks[level, : len(columns)], self._number[level] = columns, len(columns)

    def _drop(self, level: int, column: int) -> None:
        self._number[level] -= 1


class _NativeTraces(_Native):
    """A search with the structure `Traces` of ``traces.c``."""

    def __init__(self, rows: Sequence[int], width: int, size: int, moves: Moves) -> None:
        words, height = max(-(-width // 64), 1), len(rows)
        traces = np.empty((size + 1, height, words), np.uint64)
        traces[0] = _words(rows, words).reshape(height, words)
        cells = np.zeros((size + 1, 1 << size, 2), np.int64)
        cells[0, 0, 1] = height
        self._marks = np.zeros((size + 1, words), np.uint64)
        free = np.full(size + 1, width, np.int64)
        chosen, at = np.zeros(size + 1, np.int64), np.zeros(1, np.int64)
        slots = np.zeros(1 << (2 * height).bit_length(), np.int64)
        stamps = np.zeros(len(slots) + 1, np.int64)
        arrays = (traces, cells, self._marks, free, chosen, at, slots, stamps)
        super().__init__(size, moves, _TRACES, (words, height, size, len(slots) - 1), arrays)
        self._leave(0, range(width))

    def _left(self, level: int) -> list[int]:
        return list(members(int.from_bytes(self._marks[level].tobytes(), "little")))

    def _leave(self, level: int, columns: Sequence[int]) -> None:
        bits = np.zeros(64 * self._marks.shape[1], np.uint8)
        bits[list(columns)] = 1
        self._marks[level] = np.packbits(bits, bitorder="little").view(np.uint64)

    def _drop(self, level: int, column: int) -> None:
        self._marks[level, column >> 6] ^= np.uint64(1 << (column & 63))


def _words(sets: Sequence[int], words: int) -> Any:  # noqa: ANN401 - an array
    """Return sets of bits as one array of words of 64 bits."""
    data = b"".join(each.to_bytes(8 * words, "little") for each in sets)
    return np.frombuffer(data, np.uint64)
