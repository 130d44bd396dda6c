"""Compiled loops of the search for mistake trees.

Main definitions: `ask`, `advance`.

Implementation notes: the stack of the depth-first search lies in arrays, so that a search pauses
after so much work and goes on later. Answers are remembered under the keys of `compiled_spaces`. A
collision of keys may misguide the search; the proofs that are read off afterwards compare version
spaces, so that it ends in a failure and never in a wrong proof.

Kept compiled code is made anew when its own file changes, not when a file does that it calls: who
edits this one or `compiled_spaces` deletes ``__pycache__``.
"""

from __future__ import annotations

import numpy as np

from ccsim.compiled import compiled
from ccsim.dimensions.version_spaces.compiled.data import Memory, Stack, Table
from ccsim.dimensions.version_spaces.compiled.spaces import find_splits, put_side, sort_splits

__all__ = ["NO", "PAUSED", "YES", "advance", "ask", "copy_memory", "known"]

NO, YES, PAUSED = 0, 1, 2
UNBOUNDED = 100
"""Above every depth."""


@compiled
def find(memory: Memory, a: np.uint64, b: np.uint64) -> int:
    """Return the slot of a key."""
    mask = memory.keys.shape[0] - 1
    i = np.int64(a & np.uint64(mask))
    while memory.bounds[i, 0] >= 0 and (memory.keys[i, 0] != a or memory.keys[i, 1] != b):
        i = (i + 1) & mask
    return int(i)


@compiled
def store(memory: Memory, a: np.uint64, b: np.uint64, lower: int, upper: int) -> None:
    """Narrow the bounds of a key."""
    i = find(memory, a, b)
    if memory.bounds[i, 0] < 0:
        if memory.used[0] * 10 > memory.keys.shape[0] * 9:
            return  # full, and not allowed to grow
        memory.keys[i, 0], memory.keys[i, 1] = a, b
        memory.bounds[i, 0], memory.bounds[i, 1] = 0, UNBOUNDED
        memory.used[0] += 1
    memory.bounds[i, 0] = max(lower, memory.bounds[i, 0])
    memory.bounds[i, 1] = min(upper, memory.bounds[i, 1])


@compiled
def copy_memory(source: Memory, target: Memory) -> None:
    """Copy everything into a larger table."""
    for i in range(source.keys.shape[0]):
        if source.bounds[i, 0] >= 0:
            a, b = source.keys[i, 0], source.keys[i, 1]
            store(target, a, b, source.bounds[i, 0], source.bounds[i, 1])


@compiled
def is_tight(memory: Memory) -> bool:
    """Say whether the memory is half full and may grow."""
    return bool(memory.used[1] != 0 and memory.used[0] * 2 > memory.keys.shape[0])


@compiled
def known(memory: Memory, stack: Stack, level: int, depth: int) -> int:
    """Return what size and memory say about a tree of a depth: no, yes, or -1."""
    if stack.size[level] < np.int64(1) << depth:
        return NO
    if depth <= 1:
        return YES  # two different concepts differ on some point
    i = find(memory, stack.keys[level, 0], stack.keys[level, 1])
    if memory.bounds[i, 0] >= depth:
        return YES
    if memory.bounds[i, 0] >= 0 and memory.bounds[i, 1] < depth:
        return NO
    return -1


@compiled
def remember(memory: Memory, stack: Stack, level: int, answer: int) -> None:
    """Note what a level says about its depth."""
    a, b, depth = stack.keys[level, 0], stack.keys[level, 1], stack.depth[level]
    if answer == YES:
        store(memory, a, b, depth, UNBOUNDED)
    else:
        store(memory, a, b, 0, depth - 1)


@compiled
def advance(table: Table, memory: Memory, stack: Stack, work: int) -> int:
    """Go on with the question of level 1 (of depth at least 3) until it is answered or paused."""
    level, answer = stack.meta[0], stack.meta[1]
    while True:
        if answer == YES and stack.phase[level] == 0:
            stack.phase[level] = 1
            answer = -1
        elif answer == NO:
            stack.position[level] += 1
            stack.phase[level] = 0
            answer = -1
        done = answer == YES  # both sides of the point have trees
        if done or stack.position[level] == stack.num_splits[level]:
            answer = YES if done else NO
            remember(memory, stack, level, answer)
            level -= 1
            if level == 0:
                return answer
            continue
        if work <= 0 or is_tight(memory):
            stack.meta[0], stack.meta[1] = level, -1
            return PAUSED
        p = stack.position[level]
        smaller = 2 * stack.ones[level, p] <= stack.size[level]
        label = 1 if smaller == (stack.phase[level] == 0) else 0
        put_side(table, stack, level, stack.points[level, p], label)
        work -= 4 * stack.num_active[level]
        depth = stack.depth[level] - 1
        answer = known(memory, stack, level + 1, depth)
        if answer < 0:
            stack.depth[level + 1] = depth
            work -= find_splits(table, stack, level + 1, level)
            if depth == 2:
                answer = YES if stack.num_splits[level + 1] else NO
                remember(memory, stack, level + 1, answer)
            else:
                sort_splits(stack, level + 1)
                level += 1


@compiled
def ask(table: Table, memory: Memory, stack: Stack, depth: int, work: int) -> int:
    """Decide whether the version space of level 1 has a tree of a depth: no, yes, or paused."""
    answer = known(memory, stack, 1, depth)
    if answer >= 0:
        return answer
    stack.depth[1] = depth
    find_splits(table, stack, 1, 0)
    if depth == 2:
        return YES if stack.num_splits[1] else NO
    sort_splits(stack, 1)
    stack.meta[0], stack.meta[1] = 1, -1
    return advance(table, memory, stack, work)
