"""Proofs read off the compiled search: trees, and refutations level by level.

Main definitions: `split`, `expand`, `largest`.

Implementation notes: everything here is decided on the version spaces themselves; the memory of the
search only says where to look. A failure, which needs a collision of hashes, is reported.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ccsim.dimensions.compiled_data import Ints, Memory, Stack, Table, Words, compiled
from ccsim.dimensions.compiled_kernels import (
    PAUSED,
    YES,
    ask,
    find_splits,
    popcount,
    put_root,
    put_side,
    sort_splits,
)

__all__ = ["FAILED", "MORE_MEMORY", "Sides", "copy_sides", "expand", "largest", "split"]

FAILED, MORE_MEMORY = -1, -2
_ONE = np.uint64(1)


class Sides(NamedTuple):
    """The refuted sides that a level of version spaces rests on, without repetition.

    Attributes
    ----------
    words : uint64, sides by words
    origin : int64, sides by 5
        Number of the version space, point and label that gave the side first; its size and hash.
    slots : int64
        Open hash table of the numbers of the sides, -1 where free.
    steps : int64, steps by 4
        Number of the version space, point, label and number of the side.
    used : int64
        How many sides and how many steps there are.
    """

    words: Words
    origin: Ints
    slots: Ints
    steps: Ints
    used: Ints


@compiled
def find_side(sides: Sides, stack: Stack) -> int:
    """Return the slot of the version space of level 1, compared word by word."""
    mask = sides.slots.shape[0] - 1
    i = np.int64(stack.keys[1, 0] >> _ONE) & mask
    while sides.slots[i] >= 0:
        row = sides.slots[i]
        same = sides.origin[row, 3] == stack.size[1]
        for k in range(stack.num_active[1]):
            w = stack.active[1, k]
            if not same or sides.words[row, w] != stack.words[1, w]:
                same = False
                break
        if same:
            break
        i = (i + 1) & mask
    return int(i)


@compiled
def add_side(sides: Sides, stack: Stack, space: int, x: int, label: int) -> None:
    """Record that a version space rests on level 1 at a point."""
    i = find_side(sides, stack)
    if sides.slots[i] < 0:
        row = sides.slots[i] = sides.used[0]
        sides.used[0] += 1
        for k in range(stack.num_active[1]):
            w = stack.active[1, k]
            sides.words[row, w] = stack.words[1, w]
        sides.origin[row, 0], sides.origin[row, 1] = space, x
        sides.origin[row, 2], sides.origin[row, 3] = label, stack.size[1]
        sides.origin[row, 4] = np.int64(stack.keys[1, 0] >> _ONE)
    row, j = sides.slots[i], sides.used[1]
    sides.steps[j, 0], sides.steps[j, 1] = space, x
    sides.steps[j, 2], sides.steps[j, 3] = label, row
    sides.used[1] += 1


@compiled
def copy_sides(source: Sides, target: Sides) -> None:
    """Copy sides and steps into larger arrays."""
    mask = target.slots.shape[0] - 1
    for row in range(source.used[0]):
        target.words[row] = source.words[row]
        target.origin[row] = source.origin[row]
        i = source.origin[row, 4] & mask
        while target.slots[i] >= 0:
            i = (i + 1) & mask
        target.slots[i] = row
    target.steps[: source.used[1]] = source.steps[: source.used[1]]
    target.used[:] = source.used


@compiled
def is_listed(table: Table, sides: Sides, stack: Stack, x: int, label: int) -> bool:
    """Say whether a side of level 0 is among the sides already."""
    put_side(table, stack, 0, x, label)
    return bool(sides.slots[find_side(sides, stack)] >= 0)


@compiled
def refuted_label(
    table: Table, memory: Memory, stack: Stack, sides: Sides, x: int, first: int, at: Ints
) -> int:
    """Return the label of a side of level 0 that has no tree of depth ``at[1] - 1``.

    A side that is listed already is taken at once, otherwise the first of the two that is refuted.
    """
    for label in (first, 1 - first):
        if is_listed(table, sides, stack, x, label):
            return label
    for label in (first, 1 - first):
        put_side(table, stack, 0, x, label)
        stack.depth[1] = at[1] - 1
        find_splits(table, stack, 1, 0)
        if stack.num_splits[1] == 0:
            return label
    for label in (first, 1 - first):
        put_side(table, stack, 0, x, label)
        answer = ask(table, memory, stack, at[1] - 1, at[2])
        if answer != YES:
            return MORE_MEMORY if answer == PAUSED else label
    return FAILED


@compiled
def expand(
    table: Table, memory: Memory, stack: Stack, spaces: Words, sides: Sides, at: Ints
) -> int:
    """Refute version spaces at a depth from ``at[0]`` on; return YES, PAUSED or FAILED.

    ``at`` holds the number of the next version space, the depth, the work that one question may
    take, and how many version spaces may be refuted. A pause means that one of these is not enough,
    or that the memory or the sides must grow.
    """
    last = min(spaces.shape[0], at[0] + at[3])
    num = table.columns.shape[0] - 1
    points, labels = np.empty(num, np.int64), np.empty(num, np.int64)
    while at[0] < last:
        full = sides.used[0] + num > sides.words.shape[0]
        if full or sides.used[1] + num > sides.steps.shape[0]:
            return PAUSED
        before = sides.used[1]
        put_root(table, stack, spaces[at[0]])
        stack.depth[1] = at[1]
        find_splits(table, stack, 1, 0)
        m = 0 if at[1] == 2 else stack.num_splits[1]
        if at[1] == 2 and stack.num_splits[1]:
            return FAILED
        for j in range(m):
            points[j] = stack.points[1, j]
            labels[j] = 2 * stack.ones[1, j] <= stack.size[1]
        for j in range(m):
            label = refuted_label(table, memory, stack, sides, points[j], labels[j], at)
            if label == MORE_MEMORY:
                sides.used[1] = before
                return PAUSED
            if label == FAILED:
                return FAILED
            put_side(table, stack, 0, points[j], label)
            add_side(sides, stack, at[0], points[j], label)
        at[0] += 1
    return YES if at[0] == spaces.shape[0] else PAUSED


@compiled
def is_inside(words: Words, active: Ints, inner: int, outer: int) -> bool:
    for w in active:  # noqa: SIM110 - compiled
        if words[inner, w] & ~words[outer, w]:
            return False
    return True


@compiled
def largest(words: Words, order: Ints, heads: Ints, room: int) -> Ints:
    """Return for each set one of the sets, maximal under inclusion, that contains it.

    ``order`` lists the sets by falling size, ``heads`` is -1 for each concept, and ``room`` is at
    least the sum of the sizes. For each concept the maximal sets that hold it are chained.
    """
    serving = np.empty(order.shape[0], np.int64)
    lengths = np.zeros(heads.shape[0], np.int64)
    owner, following = np.empty(room, np.int32), np.empty(room, np.int64)
    members = np.empty(heads.shape[0], np.int64)
    used = 0
    for s in order:
        active = np.flatnonzero(words[s])
        size = 0
        for w in active:
            v = words[s, w]
            while v:
                members[size] = 64 * w + int(popcount((v & (~v + _ONE)) - _ONE))
                v &= v - _ONE
                size += 1
        rarest = members[np.argmin(lengths[members[:size]])]
        link = heads[rarest]
        while link >= 0 and not is_inside(words, active, s, owner[link]):
            link = following[link]
        if link >= 0:
            serving[s] = owner[link]
            continue
        serving[s] = s
        for c in members[:size]:
            owner[used], following[used] = s, heads[c]
            heads[c] = used
            lengths[c] += 1
            used += 1
    return serving


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
