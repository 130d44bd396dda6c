"""Compiled search for shattered sets, on rows as words of 64 columns.

Main definition: `CompiledShattering`.

Implementation notes: as in `ccsim.dimensions.shattered_search`, sets grow one column at a time, and
a *cell* holds the rows with one labelling of the columns chosen. Here a row is cut to the columns
that may still be chosen, and rows that are then equal are one *trace*: ``more`` further columns
need ``2**more`` traces in every cell, and few columns leave few traces. Cells are split smallest
first, so that most columns fail after a few traces. The depth-first search lies in arrays and goes
on where it paused.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from ccsim.budget import Budget
from ccsim.compiled import compiled
from ccsim.dimensions.compiled_data import Ints, Words
from ccsim.dimensions.compiled_spaces import popcount
from ccsim.dimensions.masks import members

__all__ = ["CompiledShattering"]

_SLICE = 1 << 22
"""Words looked at between two glances at the clock: some hundredths of a second."""
_NO, _YES, _PAUSED = 0, 1, 2
_ONE, _FULL = np.uint64(1), np.uint64(0xFFFFFFFFFFFFFFFF)
_MIX, _FOLD = np.uint64(0x9E3779B97F4A7C15), np.uint64(29)


class _Stack(NamedTuple):
    """One partial shattered set for each level; level ``l`` has ``l`` columns and ``2**l`` cells.

    Attributes
    ----------
    traces : uint64, levels by rows by words
    starts : int64, levels by cells and one more
        The traces of a cell, smallest cell first.
    left : uint64, levels by words
        The columns still to try.
    chosen : int64, levels
    meta : int64
        The current level.
    slots, stamps : int64
        Hash table from traces to their numbers; a slot with an old stamp is free.
    """

    traces: Words
    starts: Ints
    left: Words
    chosen: Ints
    meta: Ints
    slots: Ints
    stamps: Ints


@compiled
def _gather(
    stack: _Stack, source: Words, span: tuple[int, int], column: int, left: Words, target: Words
) -> int:
    """Copy the traces of one part of a cell on the columns left, each once; return their number.

    The part is that of label ``column & 1`` on column ``column >> 1``, or all if this is negative.
    """
    width, mask = left.shape[0], stack.slots.shape[0] - 1
    word, bit = max(column, 0) >> 7, np.uint64((column >> 1) & 63)
    stack.meta[1] += 1
    stamp, filled = stack.meta[1], 0
    for i in range(span[0], span[1]):
        if column >= 0 and (source[i, word] >> bit) & _ONE != np.uint64(column & 1):
            continue
        key = np.uint64(0)
        for w in range(width):
            key = (key ^ (source[i, w] & left[w])) * _MIX
            key ^= key >> _FOLD
        slot, known = np.int64(key & np.uint64(mask)), False
        while stack.stamps[slot] == stamp and not known:
            known = True
            for w in range(width):
                known = known and target[stack.slots[slot], w] == source[i, w] & left[w]
            if not known:
                slot = (slot + 1) & mask
        if not known:
            stack.slots[slot], stack.stamps[slot] = filled, stamp
            for w in range(width):
                target[filled, w] = source[i, w] & left[w]
            filled += 1
    return filled


@compiled
def _split(stack: _Stack, level: int, column: int, more: int) -> int:
    """Split all cells by a column, for ``more`` further columns; return the work, negative if vain.

    What is left to choose shrinks to the columns that split every part.
    """
    left, width = stack.left[level + 1], stack.left.shape[1]
    left[:] = stack.left[level]
    source, target = stack.traces[level], stack.traces[level + 1]
    starts, ends = stack.starts[level], stack.starts[level + 1]
    filled, work = 0, 0
    for cell in range(1 << level):
        for side in range(2):
            span = (starts[cell], starts[cell + 1])
            part = target[filled:]
            number = _gather(stack, source, span, 2 * column + side, left, part)
            work += (span[1] - span[0]) * width
            if number < 1 << more:
                return int(-work - 1)
            free = 0
            for w in range(width):
                some, every = np.uint64(0), _FULL
                for i in range(number):
                    some |= part[i, w]
                    every &= part[i, w]
                left[w] &= some & ~every
                free += int(popcount(left[w]))
            work += number * width
            if free < more:
                return int(-work - 1)
            filled += number
            ends[2 * cell + side + 1] = filled
    return int(work + 1)


@compiled
def _shrink(stack: _Stack, level: int, more: int) -> int:
    """Cut the traces to the columns left; return the work, negative if a cell has too few."""
    traces, starts, left = stack.traces[level], stack.starts[level], stack.left[level]
    filled, work = 0, 0
    begin = 0
    for cell in range(1 << level):
        end = starts[cell + 1]
        number = _gather(stack, traces, (begin, end), -1, left, traces[filled:])
        work += (end - begin) * left.shape[0]
        if number < 1 << more:
            return int(-work - 1)
        filled += number
        begin, starts[cell + 1] = end, filled
    return int(work + 1)


@compiled
def _sort_cells(stack: _Stack, level: int) -> None:
    """Put the smallest cells first; the level above serves as room."""
    number = 1 << level
    starts, traces, room = stack.starts[level], stack.traces[level], stack.traces[level + 1]
    sizes, order = np.empty(number, np.int64), np.empty(number, np.int64)
    for cell in range(number):
        sizes[cell] = starts[cell + 1] - starts[cell]
        place = cell
        while place > 0 and sizes[order[place - 1]] > sizes[cell]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = cell
    begins = starts[:number].copy()
    filled = 0
    for k in range(number):
        cell = order[k]
        starts[k] = filled
        for i in range(begins[cell], begins[cell] + sizes[cell]):
            room[filled] = traces[i]
            filled += 1
    traces[:filled] = room[:filled]


@compiled
def _advance(stack: _Stack, base: int, size: int, most_work: int) -> tuple[int, int]:
    """Search on below level ``base`` for a shattered set; return the answer and the work done."""
    work = 0
    width = stack.left.shape[1]
    while work < most_work:
        level = int(stack.meta[0])
        left = stack.left[level]
        more, free, last = size - level, 0, -1
        for w in range(width):
            free += int(popcount(left[w]))
            if left[w]:
                last = w
        done = 1
        if free >= more and free % max(free >> 5, 1) == 0:
            done = _shrink(stack, level, more)
        work += abs(done) + width
        if free < more or done < 0:
            if level == base:
                return _NO, work
            stack.meta[0] -= 1
            continue
        high = 63
        while not (left[last] >> np.uint64(high)) & _ONE:
            high -= 1
        left[last] ^= _ONE << np.uint64(high)
        column = 64 * last + high
        done = _split(stack, level, column, more - 1)
        work += abs(done)
        if done > 0:
            stack.chosen[level] = column
            if level + 1 == size:
                return _YES, work
            stack.meta[0] = level + 1
            _sort_cells(stack, level + 1)
    return _PAUSED, work


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
        traces = np.empty((size + 2, len(rows), words), np.uint64)
        traces[0] = np.frombuffer(data, np.uint64).reshape(len(rows), words)
        starts = np.zeros((size + 2, (2 << size) + 1), np.int64)
        starts[0, 1] = len(rows)
        left = np.zeros((size + 2, words), np.uint64)
        left[0] = np.frombuffer(((1 << width) - 1).to_bytes(8 * words, "little"), np.uint64)
        slots = np.zeros(1 << (2 * len(rows)).bit_length(), np.int64)
        chosen, meta = np.zeros(size + 1, np.int64), np.zeros(2, np.int64)
        self._stack = _Stack(traces, starts, left, chosen, meta, slots, np.zeros_like(slots))
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
        while columns := _columns(left):
            column = max(columns, key=lambda x: (sum(move[x] == x for move in moves), x))
            _remove(left, [column])
            done = _split(stack, level, column, size - level - 1)
            budget.spend(abs(done))
            if done > 0:
                stack.chosen[level] = column
                _sort_cells(stack, level + 1)
                fixing = [move for move in moves if move[column] == column]
                if self._find(level + 1, fixing, budget):
                    return True
            _remove(left, _orbit(column, moves))
        return False

    def _find_all(self, level: int, budget: Budget) -> bool:
        self._stack.meta[0] = level
        while True:
            answer, work = _advance(self._stack, level, self._size, _SLICE)
            if answer != _PAUSED:
                return bool(answer == _YES)
            budget.spend(int(work))


def _columns(left: Words) -> list[int]:
    return list(members(int.from_bytes(left.tobytes(), "little")))


def _remove(left: Words, columns: Iterable[int]) -> None:
    for x in columns:
        left[x >> 6] &= ~(_ONE << np.uint64(x & 63))


def _orbit(column: int, moves: Sequence[Sequence[int]]) -> set[int]:
    """Return all images of a column."""
    orbit, new = {column}, [column]
    while new:
        x = new.pop()
        for move in moves:
            if move[x] not in orbit:
                orbit.add(move[x])
                new.append(move[x])
    return orbit
