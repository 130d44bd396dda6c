"""The steps of the search by numbers of rows, compiled by numba.

Main definition: `steps`.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from ccsim.compiled import compiled
from ccsim.dimensions.shattering.counting.stack import NO, PAUSED, YES, Stack, Steps
from ccsim.dimensions.version_spaces.compiled.spaces import popcount

__all__ = ["advance", "steps"]


def steps(stack: Stack, size: int) -> Steps:
    """Return the steps towards a shattered set of a size."""
    return Steps(
        partial(extend, stack), lambda base, most_work: advance(stack, base, size, most_work)
    )


@compiled
def extend(stack: Stack, level: int, column: int, more: int) -> int:
    """Take a column, with ``more`` to follow; return the work, negative if it is in vain."""
    c, words = stack.columns[column], stack.columns.shape[1]
    level_left, kept, work = stack.left[level + 1], 0, 1
    stack.chosen[level] = column
    if not more:
        return work
    half, number = 1 << (more - 1), stack.number[level]
    cells = stack.cells[(1 << level) - 1 : (2 << level) - 1]
    for i in range(number):
        if kept + number - i < more:
            return int(-work)
        other, serves = stack.columns[stack.left[level, i]], True
        for cell in range(1 << level):
            part = cells[cell]
            inside, both, some, ones = np.uint64(0), np.uint64(0), np.uint64(0), np.uint64(0)
            for w in range(words):
                side = part[w] & c[w]
                inside += popcount(side)
                both += popcount(side & other[w])
                rest = part[w] & ~c[w]
                some += popcount(rest)
                ones += popcount(rest & other[w])
            work += words
            if not half <= int(both) <= int(inside) - half:
                serves = False
                break
            if not half <= int(ones) <= int(some) - half:
                serves = False
                break
        if serves:
            level_left[kept] = stack.left[level, i]
            kept += 1
    stack.number[level + 1] = kept
    if kept < more:
        return int(-work)
    work += words << level
    split(stack, level, column)
    return int(work)


@compiled
def split(stack: Stack, level: int, column: int) -> None:
    """Split the cells of a level by a column, small ones first."""
    c, number, words = stack.columns[column], 1 << level, stack.columns.shape[1]
    cells, below = stack.cells[number - 1 :], stack.cells[2 * number - 1 :]
    sizes = np.empty(2 * number, np.int64)
    for cell in range(number):
        part = cells[cell]
        inside, outside = np.uint64(0), np.uint64(0)
        for w in range(words):
            inside += popcount(part[w] & c[w])
            outside += popcount(part[w] & ~c[w])
        sizes[2 * cell], sizes[2 * cell + 1] = int(inside), int(outside)
    order = np.argsort(sizes)
    for place in range(2 * number):
        cell, side = order[place] >> 1, order[place] & 1
        for w in range(words):
            word = cells[cell, w]
            below[place, w] = word & ~c[w] if side else word & c[w]


@compiled
def advance(stack: Stack, base: int, size: int, most_work: int) -> tuple[int, int]:
    """Search on below level ``base`` for a shattered set; return the answer and the work done."""
    work = 0
    while work < most_work:
        level = int(stack.level[0])
        if stack.number[level] < size - level:
            if level == base:
                return NO, work
            stack.level[0] -= 1
            continue
        stack.number[level] -= 1
        done = extend(stack, level, stack.left[level, stack.number[level]], size - level - 1)
        work += abs(done)
        if done > 0:
            if level + 1 == size:
                return YES, work
            stack.level[0] = level + 1
    return PAUSED, work
