"""Compiled steps on version spaces as rows of 64-bit words: sides, keys and splits.

Main definitions: `put_root`, `put_side`, `find_splits`.

Implementation notes: of a row of words only the non-zero ones, the *active* ones, are visited. The
key of a version space is the set of literals that its concepts share, up to symmetry, and without
symmetries a 128-bit hash.
"""

from __future__ import annotations

import numpy as np

from ccsim.compiled import compiled
from ccsim.dimensions.version_spaces.compiled.data import Ints, Stack, Table, Words

__all__ = [
    "count_by_lists",
    "find_splits",
    "image_of",
    "least_image",
    "lists_are_cheaper",
    "lowest",
    "mixed",
    "popcount",
    "put_root",
    "put_shared",
    "put_side",
    "sort_splits",
]

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
def lowest(v: np.uint64) -> int:
    """Return the place of the lowest one of a word that is not 0."""
    return int(popcount((v & (~v + _ONE)) - _ONE))


@compiled
def mixed(v: np.uint64) -> np.uint64:
    """Return a word whose last bits depend on all bits."""
    v = (v ^ (v >> _S32)) * _M1
    v = (v ^ (v >> _S29)) * _M2
    return v ^ (v >> _S32)


@compiled
def put_side(table: Table, stack: Stack, level: int, x: int, label: int) -> None:
    """Write one side of a point of a level into the next level."""
    k, size = 0, np.uint64(0)
    for i in range(stack.num_active[level]):
        w = stack.active[level, i]
        v = stack.words[level, w]
        v = v & table.columns[x, w] if label else v & ~table.columns[x, w]
        if v:
            stack.active[level + 1, k] = w
            stack.words[level + 1, w] = v
            k += 1
            size += popcount(v)
    stack.num_active[level + 1] = k
    stack.size[level + 1] = np.int64(size)
    if table.moves.shape[0] > 1:
        shared = share(table, stack, level + 1, stack.shared[level])
        stack.shared[level + 1] = shared
        least = least_image(table, shared)[0]
        stack.keys[level + 1, 0], stack.keys[level + 1, 1] = mixed(least), least
    else:
        put_hash(table, stack, level + 1)


@compiled
def put_hash(table: Table, stack: Stack, level: int) -> None:
    """Take a hash of the words of a level as its key."""
    a = b = np.uint64(0)
    for i in range(stack.num_active[level]):
        w = stack.active[level, i]
        t = (stack.words[level, w] ^ table.salts[w]) * _M1
        t = (t ^ (t >> _S32)) * _M2
        a += t
        b += (t ^ (t >> _S29)) * _M3
    stack.keys[level, 0], stack.keys[level, 1] = a, b


@compiled
def shared_label(table: Table, stack: Stack, level: int, x: int) -> int:
    """Return the label that all concepts of a level have on a point, or -1."""
    zeros = ones = False
    for i in range(stack.num_active[level]):
        w = stack.active[level, i]
        v, column = stack.words[level, w], table.columns[x, w]
        ones = ones or v & column != 0
        zeros = zeros or v & ~column != 0
        if zeros and ones:
            return -1
    return int(ones)


@compiled
def share(table: Table, stack: Stack, level: int, shared: np.uint64) -> np.uint64:
    """Return the literals that all concepts of a level share, given some of them."""
    for x in range(table.columns.shape[0] - 1):
        shift = np.uint64(2 * x)
        if (shared >> shift) & np.uint64(3) == 0:
            label = shared_label(table, stack, level, x)
            if label >= 0:
                shared |= np.uint64(1 + label) << shift
    return shared


@compiled
def image_of(moves: Ints, element: int, shared: np.uint64) -> np.uint64:
    """Return the image of a set of literals under an element of a group."""
    image, v = np.uint64(0), shared
    while v:
        image |= _ONE << np.uint64(moves[element, lowest(v)])
        v &= v - _ONE
    return image


@compiled
def least_image(table: Table, shared: np.uint64) -> tuple[np.uint64, int]:
    """Return the least image of a set of literals, and the first element that gives it."""
    least, element = shared, 0
    for e in range(1, table.moves.shape[0]):
        image = image_of(table.moves, e, shared)
        if image < least:
            least, element = image, e
    return least, element


@compiled
def put_root(table: Table, stack: Stack, words: Words) -> None:
    """Write a version space into levels 0 and 1."""
    k = 0
    for w in range(words.shape[0]):
        if words[w]:
            stack.active[0, k] = w
            stack.words[0, w] = words[w]
            k += 1
    stack.num_active[0], stack.shared[0] = k, 0
    zero = table.columns.shape[0] - 1  # the last column has no ones
    put_side(table, stack, 0, zero, 0)
    stack.shared[0] = stack.shared[1]


@compiled
def put_shared(table: Table, stack: Stack, literals: Words) -> None:
    """Write the concepts that share some literals into levels 0 and 1."""
    words = table.everything.copy()
    for k in range(literals.shape[0]):
        v = literals[k]
        while v:
            literal = 64 * k + lowest(v)
            v &= v - _ONE
            for w in range(words.shape[0]):
                column = table.columns[literal >> 1, w]
                words[w] &= column if literal & 1 else ~column
    put_root(table, stack, words)


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
            c = 64 * w + lowest(v)
            v &= v - _ONE
            total += 2 * (table.starts[c + 1] - table.starts[c])
    return bool(total <= cost)


@compiled
def count_by_lists(table: Table, stack: Stack, level: int, above: int) -> None:
    """Count the concepts with label 1 on each candidate, going through the ones of concepts."""
    for j in range(stack.num_candidates[above]):
        table.counts[stack.candidates[above, j]] = 0
    for i in range(stack.num_active[level]):
        w = stack.active[level, i]
        v = stack.words[level, w]
        while v:
            c = 64 * w + lowest(v)
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
