"""Compiled loops of the search for mistake trees, on version spaces as rows of 64-bit words.

Main definitions: `ask`, `advance`, and the steps they are made of.

Implementation notes: of a row of words only the non-zero ones, the *active* ones, are visited. The
stack of the depth-first search lies in arrays, so that a search pauses after so much work and goes
on later. Answers are remembered under a 128-bit hash of the version space. A collision may
misguide the search; the proofs that are read off afterwards compare words, so that it ends in a
failure and never in a wrong proof.

Kept compiled code is made anew when its own file changes, not when a file does that it calls: who
edits this one deletes ``__pycache__``.
"""

from __future__ import annotations

import numpy as np

from ccsim.dimensions.compiled_data import Memory, Stack, Table, Words, compiled

__all__ = [
    "NO",
    "PAUSED",
    "YES",
    "advance",
    "ask",
    "copy_memory",
    "find_splits",
    "known",
    "popcount",
    "put_root",
    "put_side",
    "sort_splits",
]

NO, YES, PAUSED = 0, 1, 2
UNBOUNDED = 100
"""Above every depth."""
_ONE = np.uint64(1)
_M1 = np.uint64(0x9E3779B97F4A7C15)
_M2 = np.uint64(0xD6E8FEB86659FD93)
_M3 = np.uint64(0xC2B2AE3D27D4EB4F)
_S29, _S32 = np.uint64(29), np.uint64(32)


@compiled
def popcount(v: np.uint64) -> np.uint64:
    """Return the number of ones, which compiles to one instruction."""
    v = v - ((v >> _ONE) & np.uint64(0x5555555555555555))
    v = (v & np.uint64(0x3333333333333333)) + ((v >> np.uint64(2)) & np.uint64(0x3333333333333333))
    v = (v + (v >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (v * np.uint64(0x0101010101010101)) >> np.uint64(56)


@compiled
def find(memory: Memory, a: np.uint64, b: np.uint64) -> int:
    mask = memory.keys.shape[0] - 1
    i = np.int64(a & np.uint64(mask))
    while memory.bounds[i, 0] >= 0 and (memory.keys[i, 0] != a or memory.keys[i, 1] != b):
        i = (i + 1) & mask
    return int(i)


@compiled
def store(memory: Memory, a: np.uint64, b: np.uint64, lower: int, upper: int) -> None:
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
    return bool(memory.used[1] != 0 and memory.used[0] * 2 > memory.keys.shape[0])


@compiled
def put_side(table: Table, stack: Stack, level: int, x: int, label: int) -> None:
    """Write one side of a point of a level into the next level."""
    k, size = 0, np.uint64(0)
    a = b = np.uint64(0)
    for i in range(stack.num_active[level]):
        w = stack.active[level, i]
        v = stack.words[level, w]
        v = v & table.columns[x, w] if label else v & ~table.columns[x, w]
        if v:
            stack.active[level + 1, k] = w
            stack.words[level + 1, w] = v
            k += 1
            size += popcount(v)
            t = (v ^ table.salts[w]) * _M1
            t = (t ^ (t >> _S32)) * _M2
            a += t
            b += (t ^ (t >> _S29)) * _M3
    stack.num_active[level + 1] = k
    stack.size[level + 1] = np.int64(size)
    stack.keys[level + 1, 0], stack.keys[level + 1, 1] = a, b


@compiled
def put_root(table: Table, stack: Stack, words: Words) -> None:
    """Write a version space into level 1."""
    k = 0
    for w in range(words.shape[0]):
        if words[w]:
            stack.active[0, k] = w
            stack.words[0, w] = words[w]
            k += 1
    stack.num_active[0] = k
    zero = table.columns.shape[0] - 1  # the last column has no ones
    put_side(table, stack, 0, zero, 0)


@compiled
def lists_are_cheaper(table: Table, stack: Stack, level: int, cost: int) -> bool:
    """Decide whether going through the ones of the concepts beats words times candidates."""
    total = 2 * stack.size[level]
    for i in range(stack.num_active[level]):
        if total > cost:
            return False
        w = stack.active[level, i]
        v = stack.words[level, w]
        while v:
            c = 64 * w + np.int64(popcount((v & (~v + _ONE)) - _ONE))
            v &= v - _ONE
            total += 2 * (table.starts[c + 1] - table.starts[c])
    return bool(total <= cost)


@compiled
def count_by_lists(table: Table, stack: Stack, level: int, above: int) -> None:
    for j in range(stack.num_candidates[above]):
        table.counts[stack.candidates[above, j]] = 0
    for i in range(stack.num_active[level]):
        w = stack.active[level, i]
        v = stack.words[level, w]
        while v:
            c = 64 * w + np.int64(popcount((v & (~v + _ONE)) - _ONE))
            v &= v - _ONE
            for j in range(table.starts[c], table.starts[c + 1]):
                table.counts[table.ones[j]] += 1


@compiled
def find_splits(table: Table, stack: Stack, level: int, above: int) -> int:
    """List the points with ``2**(depth - 1)`` concepts on each side; return the work done.

    Candidates are those of the level ``above``. At depth 2 the first such point is enough: two
    concepts always have a tree of depth 1.
    """
    need = np.int64(1) << (stack.depth[level] - 1)
    size, num = stack.size[level], stack.num_candidates[above]
    work = stack.num_active[level] * num
    by_lists = lists_are_cheaper(table, stack, level, work)
    if by_lists:
        count_by_lists(table, stack, level, above)
    m = k = 0
    for j in range(num):
        x = stack.candidates[above, j]
        if by_lists:
            ones = table.counts[x]
        else:
            s = np.uint64(0)
            for i in range(stack.num_active[level]):
                w = stack.active[level, i]
                s += popcount(stack.words[level, w] & table.columns[x, w])
            ones = np.int64(s)
        small = min(ones, size - ones)
        if small >= 2:  # fewer never do at any depth below
            stack.candidates[level, k] = x
            k += 1
        if small >= need:
            stack.points[level, m], stack.ones[level, m] = x, ones
            m += 1
            if need == 2:
                break
    stack.num_candidates[level], stack.num_splits[level] = k, m
    stack.position[level] = stack.phase[level] = 0
    return int(work)


@compiled
def sort_splits(stack: Stack, level: int) -> None:
    """Put the best balanced points first."""
    m, size = stack.num_splits[level], stack.size[level]
    if m < 2:
        return
    larger = np.empty(m, np.int64)
    for j in range(m):
        larger[j] = max(stack.ones[level, j], size - stack.ones[level, j])
    order = np.argsort(larger, kind="mergesort")
    points, ones = stack.points[level, :m].copy(), stack.ones[level, :m].copy()
    for j in range(m):
        stack.points[level, j], stack.ones[level, j] = points[order[j]], ones[order[j]]


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
