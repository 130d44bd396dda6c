"""Proofs read off the compiled search: trees, and refutations level by level.

Main definitions: `split`, `expand`.

Implementation notes: everything here is decided on the version spaces themselves; the memory of the
search only says where to look. A failure, which needs a collision of hashes, is reported. The sides
that a level rests on are known by the literals ``2x + b`` ("point x has label b") that all their
concepts share: these define the side, and a side lies in another if it shares all its literals.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ccsim.compiled import compiled
from ccsim.dimensions.version_spaces.compiled.data import Ints, Memory, Stack, Table, Words
from ccsim.dimensions.version_spaces.compiled.kernels import NO, PAUSED, YES, ask, known
from ccsim.dimensions.version_spaces.compiled.spaces import (
    count_by_lists,
    find_splits,
    least_image,
    lists_are_cheaper,
    mixed,
    popcount,
    put_root,
    put_shared,
    put_side,
    sort_splits,
)

__all__ = ["FAILED", "MORE_MEMORY", "Sides", "copy_sides", "expand", "split"]

FAILED, MORE_MEMORY = -1, -2
_PROBES = 8
"""Points tried for a split of a side before all are."""
_ONE = np.uint64(1)


class Sides(NamedTuple):
    """The refuted sides that a level of version spaces may rest on, without repetition.

    Attributes
    ----------
    literals : uint64, sides by words
        What all concepts of the side share; the least image of that under the symmetries.
    origin : int64, sides by 3
        Number of the version space and literal that gave the side first, and its size.
    by_size : bool
        Whether a side is refuted by its size alone, and so needs no further sides.
    slots : int64
        Open hash table of the numbers of the sides, -1 where free.
    steps : int64, steps by 6
        Number of the version space, point, the two sides, -1 for one that is not known to be
        refuted, and for each the symmetry that takes it to the one that is listed.
    used : int64
        How many sides and how many steps there are.
    """

    literals: Words
    origin: Ints
    by_size: npt.NDArray[np.bool_]
    slots: Ints
    steps: Ints
    used: Ints


@compiled
def find_side(sides: Sides, row: int) -> int:
    """Return the slot of the side that shares the literals of a row."""
    mask = sides.slots.shape[0] - 1
    key = np.uint64(0)
    for v in sides.literals[row]:
        key = mixed(key ^ v)
    i = np.int64(key >> _ONE) & mask
    while sides.slots[i] >= 0:
        same = True
        for k in range(sides.literals.shape[1]):
            same = same and sides.literals[sides.slots[i], k] == sides.literals[row, k]
        if same:
            break
        i = (i + 1) & mask
    return int(i)


@compiled
def count_ones(table: Table, stack: Stack) -> None:
    """Count the concepts of level 1 with label 1 on each point."""
    num = table.columns.shape[0] - 1
    if lists_are_cheaper(table, stack, 1, stack.num_active[1] * num):
        count_by_lists(table, stack, 1, 0)
    else:
        for x in range(num):
            table.counts[x] = ones_on(table, stack, x)


@compiled
def ones_on(table: Table, stack: Stack, x: int) -> int:
    """Return the number of concepts of level 1 with label 1 on a point."""
    ones = np.uint64(0)
    for i in range(stack.num_active[1]):
        w = stack.active[1, i]
        ones += popcount(stack.words[1, w] & table.columns[x, w])
    return int(ones)


@compiled
def is_decided_by_size(table: Table, stack: Stack) -> bool:
    """Say whether no point splits the version space of level 1 into sides that are large enough.

    The points in ``stack.points[0]`` are tried first.
    """
    need = np.int64(1) << (stack.depth[1] - 1)
    for x in stack.points[0, : min(stack.num_splits[0], _PROBES)]:
        if need <= ones_on(table, stack, x) <= stack.size[1] - need:
            return False
    count_ones(table, stack)
    for ones in table.counts:  # noqa: SIM110 - compiled
        if need <= ones <= stack.size[1] - need:
            return False
    return True


@compiled
def add_side(table: Table, sides: Sides, stack: Stack, space: int, literal: int) -> tuple[int, int]:
    """Return the number of the version space of level 1, entered if new, and a symmetry to it."""
    row, element = sides.used[0], 0
    if table.moves.shape[0] > 1:
        sides.literals[row, 0], element = least_image(table, stack.shared[1])
    else:
        sides.literals[row] = 0
        count_ones(table, stack)
        for x in range(table.columns.shape[0] - 1):
            ones = table.counts[x]
            if ones == 0 or ones == stack.size[1]:
                shared = 2 * x + (ones > 0)
                sides.literals[row, shared // 64] |= _ONE << np.uint64(shared % 64)
    i = find_side(sides, row)
    if sides.slots[i] < 0:
        sides.slots[i] = row
        sides.origin[row, 0], sides.origin[row, 1] = space, literal
        sides.origin[row, 2] = stack.size[1]
        sides.by_size[row] = is_decided_by_size(table, stack)
        sides.used[0] += 1
    return int(sides.slots[i]), element


@compiled
def copy_sides(source: Sides, target: Sides) -> None:
    """Copy sides and steps into larger arrays."""
    m, k = source.used
    target.literals[:m] = source.literals[:m]
    target.origin[:m] = source.origin[:m]
    target.by_size[:m] = source.by_size[:m]
    target.steps[:k] = source.steps[:k]
    target.used[:] = source.used
    for row in range(m):
        target.slots[find_side(target, row)] = row


@compiled
def refute_sides(
    table: Table, memory: Memory, stack: Stack, sides: Sides, x: int, first: int, at: Ints
) -> int:
    """Enter the sides of level 0 at a point that are seen to be refuted at depth ``at[1] - 1``.

    At least one is: if nothing is known of both, the one with label ``first`` is looked at, and
    where that has a tree, the other one has none. Returns NO, PAUSED or FAILED.
    """
    depth, step = at[1] - 1, sides.steps[sides.used[1]]
    step[0], step[1] = at[0], x
    answers = np.empty(2, np.int64)
    for label in range(2):
        put_side(table, stack, 0, x, label)
        stack.depth[1] = depth
        answers[label], step[2 + label] = known(memory, stack, 1, depth), -1
        if answers[label] < 0 and is_decided_by_size(table, stack):
            answers[label] = NO
        if answers[label] == NO:
            step[2 + label], step[4 + label] = add_side(table, sides, stack, at[0], 2 * x + label)
    if answers[0] == answers[1] == YES:
        return FAILED
    if max(step[2], step[3]) < 0:
        label = 1 if answers[0] == YES else 0
        if answers[0] == answers[1]:
            put_side(table, stack, 0, x, first)
            answer = ask(table, memory, stack, depth, at[2])
            if answer == PAUSED:
                return PAUSED
            label = first if answer == NO else 1 - first
        put_side(table, stack, 0, x, label)
        stack.depth[1] = depth
        step[2 + label], step[4 + label] = add_side(table, sides, stack, at[0], 2 * x + label)
    sides.used[1] += 1
    return NO


@compiled
def expand(
    table: Table, memory: Memory, stack: Stack, spaces: Words, sides: Sides, at: Ints
) -> int:
    """Refute version spaces at a depth from ``at[0]`` on; return YES, PAUSED or FAILED.

    They are given by the literals that they share. ``at`` holds the number of the next version
    space, the depth, the work that one question may take, and how many version spaces may be
    refuted. A pause means that one of these is not enough, or that the memory or the sides must
    grow.
    """
    last = min(spaces.shape[0], at[0] + at[3])
    num = table.columns.shape[0] - 1
    points, labels = np.empty(num, np.int64), np.empty(num, np.int64)
    while at[0] < last:
        full = sides.used[0] + 2 * num >= sides.literals.shape[0]
        if full or sides.used[1] + num > sides.steps.shape[0]:
            return PAUSED
        before = sides.used[1]
        put_shared(table, stack, spaces[at[0]])
        stack.depth[1] = at[1]
        find_splits(table, stack, 1, 0)
        sort_splits(stack, 1)
        m = stack.num_splits[0] = stack.num_splits[1]
        if at[1] == 2 and m:
            return FAILED
        for j in range(m):
            points[j] = stack.points[0, j] = stack.points[1, j]
            labels[j] = 2 * stack.ones[1, j] <= stack.size[1]
        for j in range(m):
            answer = refute_sides(table, memory, stack, sides, points[j], labels[j], at)
            if answer != NO:
                sides.used[1] = before
                return answer
        at[0] += 1
    return YES if at[0] == spaces.shape[0] else PAUSED


@compiled
def split(
    table: Table,
    memory: Memory,
    stack: Stack,
    space: Words,
    depth: int,
    halves: Words,
    work: int,
) -> int:
    """Return a point at which both sides of a version space have trees of depth ``depth - 1``.

    The sides are written to ``halves``. Otherwise ``FAILED``, or ``MORE_MEMORY`` if a question
    takes more than so much work.
    """
    put_root(table, stack, space)
    stack.depth[1] = depth
    find_splits(table, stack, 1, 0)
    sort_splits(stack, 1)
    m = stack.num_splits[1]
    points = stack.points[1, :m].copy()
    for x in points:
        both = True
        for label in range(2):
            put_side(table, stack, 0, x, label)
            answer = ask(table, memory, stack, depth - 1, work)
            if answer == PAUSED:
                return MORE_MEMORY
            both = both and answer == YES
        if both:
            for w in range(space.shape[0]):
                halves[0, w] = space[w] & ~table.columns[x, w]
                halves[1, w] = space[w] & table.columns[x, w]
            return int(x)
    return FAILED
