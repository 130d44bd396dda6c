"""The steps of the compiled search for shattered sets, on rows as words of 64 columns.

Main definitions: `Stack`, `advance`, `split`, `sort_cells`.

Implementation notes: sets grow one column at a time, and a *cell* holds the rows with one labelling
of the columns chosen. A row is cut to the columns that may still be chosen, and rows that are then
equal are one *trace*: ``more`` further columns need ``2**more`` traces in every cell, and each of
them leaves half as many on both sides. That is counted for 64 columns at once. The smallest cells
are split first, so that most columns fail after a few traces. The depth-first search lies in arrays
and goes on where it paused.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ccsim.compiled import compiled
from ccsim.dimensions.version_spaces.compiled.data import Ints, Words
from ccsim.dimensions.version_spaces.compiled.spaces import popcount

__all__ = ["ONE", "PAUSED", "YES", "Stack", "advance", "sort_cells", "split"]

_FIRST_CELLS = 16
"""Cells that are put in the order of their sizes."""
_NO, YES, PAUSED = 0, 1, 2
ONE, _FULL = np.uint64(1), np.uint64(0xFFFFFFFFFFFFFFFF)
_MIX, _FOLD = np.uint64(0x9E3779B97F4A7C15), np.uint64(29)


class Stack(NamedTuple):
    """One partial shattered set for each level; level ``l`` has ``l`` columns and ``2**l`` cells.

    Attributes
    ----------
    traces : uint64, levels by rows by words
    cells : int64, levels by cells by 2
        Where the traces of a cell begin and end; some of the smallest cells come first.
    left : uint64, levels by words
        The columns still to try.
    free : int64, levels
        How many they were when the traces were last cut to them.
    chosen : int64, levels
    level : int64
        The current level.
    slots, stamps : int64
        Hash table from traces to their numbers; a slot with an old stamp, the last entry of
        ``stamps`` being the new one, is free.
    digits : uint64
        Room for counts of columns.
    """

    traces: Words
    cells: Ints
    left: Words
    free: Ints
    chosen: Ints
    level: Ints
    slots: Ints
    stamps: Ints
    digits: Words


@compiled
def _merge(stack: Stack, part: Words, left: Words) -> int:
    """Cut traces to the columns left, in place, each once; return their number."""
    width, mask = left.shape[0], stack.slots.shape[0] - 1
    stack.stamps[-1] += 1
    stamp, filled = stack.stamps[-1], 0
    for i in range(part.shape[0]):
        key = np.uint64(0)
        for w in range(width):
            part[filled, w] = part[i, w] & left[w]
            key = (key ^ part[filled, w]) * _MIX
            key ^= key >> _FOLD
        slot, known = np.int64(key & np.uint64(mask)), False
        while stack.stamps[slot] == stamp and not known:
            known = True
            for w in range(width):
                known = known and part[stack.slots[slot], w] == part[filled, w]
            if not known:
                slot = (slot + 1) & mask
        if not known:
            stack.slots[slot], stack.stamps[slot] = filled, stamp
            filled += 1
    return filled


@compiled
def _part(source: Words, column: int, target: Words) -> int:
    """Copy traces, those with label 0 on a column first; return how many these are."""
    width = source.shape[1]
    word, bit = column >> 6, np.uint64(column & 63)
    zeros, ones = 0, source.shape[0] - 1
    for i in range(source.shape[0]):
        if (source[i, word] >> bit) & ONE:
            place = ones
            ones -= 1
        else:
            place = zeros
            zeros += 1
        for w in range(width):
            target[place, w] = source[i, w]
    return zeros


@compiled
def _balanced(stack: Stack, part: Words, number: int, w: int, more: int) -> np.uint64:
    """Return the columns of a word that leave ``2**(more - 1)`` of the traces on both sides.

    All columns are counted at once: digit ``i`` of the counts is one word.
    """
    if more < 2:
        some, every = np.uint64(0), _FULL
        for i in range(number):
            some |= part[i, w]
            every &= part[i, w]
        return some & ~every if more else _FULL
    digits, used = stack.digits, 0
    for i in range(number):
        carry, j = part[i, w], 0
        while carry:
            if j == used:
                digits[j] = np.uint64(0)
                used += 1
            both = digits[j] & carry
            digits[j] ^= carry
            carry = both
            j += 1
    least = 1 << (more - 1)
    return _at_least(digits, used, least) & ~_at_least(digits, used, number - least + 1)


@compiled
def _at_least(digits: Words, used: int, least: int) -> np.uint64:
    """Return the columns that are counted so often, at least once."""
    reached, i = _FULL, 0
    while i < used or least >> i:
        digit = digits[i] if i < used else np.uint64(0)
        reached = digit & reached if (least >> i) & 1 else digit | reached
        i += 1
    return reached


@compiled
def split(stack: Stack, level: int, column: int, more: int) -> int:
    """Split all cells by a column, for ``more`` further columns; return the work, negative if vain.

    What is left to choose shrinks to the columns that split every part well enough.
    """
    left, width = stack.left[level + 1], stack.left.shape[1]
    left[:] = stack.left[level]
    filled, work = 0, 0
    for cell in range(1 << level):
        begin, end = stack.cells[level, cell]
        target = stack.traces[level + 1, filled : filled + end - begin]
        zeros = _part(stack.traces[level, begin:end], column, target)
        work += 2 * (end - begin) * width
        for side in range(2):
            part = target[zeros:] if side else target[:zeros]
            number = part.shape[0]
            if number < 1 << more:
                return int(-work - 1)
            free = 0
            for w in range(width):
                if left[w]:
                    left[w] &= _balanced(stack, part, number, w, more)
                    free += int(popcount(left[w]))
            if free < more:
                return int(-work - 1)
            stack.cells[level + 1, 2 * cell + side, 0] = filled
            filled += number
            stack.cells[level + 1, 2 * cell + side, 1] = filled
    return int(work + 1)


@compiled
def _shrink(stack: Stack, level: int, more: int) -> int:
    """Cut the traces to the columns left; return the work, negative if a cell has too few."""
    work = 0
    for cell in range(1 << level):
        begin, end = stack.cells[level, cell]
        number = _merge(stack, stack.traces[level, begin:end], stack.left[level])
        work += (end - begin) * stack.left.shape[1]
        if number < 1 << more:
            return int(-work - 1)
        stack.cells[level, cell, 1] = begin + number
    return int(work + 1)


@compiled
def sort_cells(stack: Stack, level: int) -> None:
    """Put some of the smallest cells first."""
    number, cells = 1 << level, stack.cells[level]
    for place in range(min(number - 1, _FIRST_CELLS)):
        smallest = place
        for cell in range(place + 1, number):
            if cells[cell, 1] - cells[cell, 0] < cells[smallest, 1] - cells[smallest, 0]:
                smallest = cell
        for end in range(2):
            moved = cells[place, end]
            cells[place, end] = cells[smallest, end]
            cells[smallest, end] = moved


@compiled
def advance(stack: Stack, base: int, size: int, most_work: int) -> tuple[int, int]:
    """Search on below level ``base`` for a shattered set; return the answer and the work done."""
    work = 0
    width = stack.left.shape[1]
    while work < most_work:
        level = int(stack.level[0])
        left = stack.left[level]
        more, free, last = size - level, 0, -1
        for w in range(width):
            free += int(popcount(left[w]))
            if left[w]:
                last = w
        done = 1
        if free >= more and 8 * free <= 7 * stack.free[level]:
            done = _shrink(stack, level, more)
            stack.free[level] = free
        work += abs(done) + width
        if free < more or done < 0:
            if level == base:
                return _NO, work
            stack.level[0] -= 1
            continue
        high = 63
        while not (left[last] >> np.uint64(high)) & ONE:
            high -= 1
        left[last] ^= ONE << np.uint64(high)
        column = 64 * last + high
        done = split(stack, level, column, more - 1)
        work += abs(done)
        if done > 0:
            stack.chosen[level] = column
            if level + 1 == size:
                return YES, work
            stack.level[0] = level + 1
            stack.free[level + 1] = free
            sort_cells(stack, level + 1)
    return PAUSED, work
