"""Dimensions of every class over at most 5 points by plain counting, compiled.

Main definitions: `COUNTED`, `counted_dimensions`.

A class is a bit mask over the ``2**n`` functions, a function one over the points. Nothing here is
shared with `ccsim.dimensions`, so that each is a test of the other. Only dimensions that neither
permutations of the points nor flips (exchanges of 0 and 1 on points) change are properties of an
isomorphism type; the dual VC and the threshold dimension are not, so that the least and the
largest value over all flips are counted.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from ccsim.compiled import compiled

__all__ = ["COUNTED", "MOST_STEPS", "counted_dimensions"]

COUNTED = (
    "concepts",
    "vc",
    "littlestone",
    "dual_vc_least",
    "dual_vc_most",
    "threshold_least",
    "threshold_most",
    "star",
    "teaching",
    "recursive_teaching",
    "no_clash_teaching",
    "no_clash_teaching_upper",
)
"""What is counted of a class, in this order; of the last but one the last one is an upper bound."""

MOST_STEPS = 100_000
"""Steps of a search for teachers of one size without clashes; more leave an interval."""

Masks: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]
Bytes: TypeAlias = np.ndarray[Any, np.dtype[np.int8]]


def counted_dimensions(n: int, classes: Masks, limit: int = MOST_STEPS) -> Bytes:
    """Return a row of the dimensions `COUNTED` for each class.

    Parameters
    ----------
    n : int
        Number of points, at most 5.
    classes : array of int
        Not empty, as `ccsim.classes.families.some_functions.some_functions` numbers them.
    limit : int
        Steps of a search for teachers without clashes.

    Notes
    -----
    Complexity: about a tenth of a millisecond a class on 5 points; 30 milliseconds where 24
    concepts or more make the search for teachers long.

    Examples
    --------
    >>> counted_dimensions(2, np.array([0b1111])).tolist()
    [[4, 2, 2, 1, 1, 2, 2, 2, 2, 2, 1, 1]]
    """
    sizes = np.array([bin(s).count("1") for s in range(1 << n)], np.int64)
    return _all(n, classes.astype(np.int64), sizes, _agreeing(n), limit)


def _agreeing(n: int) -> Masks:
    """Return for each set of points and each function the functions that agree with it there."""
    size = 1 << n
    found = np.zeros((size, size), np.int64)
    for s in range(size):
        for f in range(size):
            found[s, f] = sum(1 << g for g in range(size) if not (f ^ g) & s)
    return found


@compiled
def _all(n: int, classes: Masks, sizes: Masks, agreeing: Masks, limit: int) -> Bytes:
    found = np.zeros((len(classes), 12), np.int8)
    rows = np.zeros(1 << n, np.int64)
    chained = np.zeros((1 << n, 1 << n), np.int64)
    for number in range(len(classes)):
        members, m = classes[number], 0
        for f in range(1 << n):
            if members >> f & 1:
                rows[m] = f
                m += 1
        out = found[number]
        out[0] = m
        while _splits(members, m, n, out[2] + 1, agreeing):
            out[2] += 1
        _subsets(n, rows[:m], sizes, chained, out)
        _flips(n, rows[:m], sizes, chained, out)
        _teaching(n, members, sizes, agreeing, out)
        _teachers(n, rows[:m], sizes, limit, out)
    return found


@compiled
def _count(mask: int) -> int:
    number = 0
    while mask:
        mask &= mask - 1
        number += 1
    return number


@compiled
def _splits(members: int, m: int, n: int, depth: int, agreeing: Masks) -> bool:
    """Say whether there is a mistake tree of this depth."""
    if depth == 0:
        return m > 0
    if m < 1 << depth:
        return False
    for x in range(n):
        zeros = members & agreeing[1 << x, 0]
        few = _count(zeros)
        if (
            _splits(zeros, few, n, depth - 1, agreeing)
            and _splits(members ^ zeros, m - few, n, depth - 1, agreeing)
        ):  # fmt: skip
            return True
    return False


@compiled
def _subsets(n: int, rows: Masks, sizes: Masks, chained: Masks, out: Bytes) -> None:
    """Look at the patterns on each set of points: all of them, stars, and chains after flips."""
    for s in range(1 << n):
        there = 0
        for row in rows:
            there |= 1 << (row & s)
        if _count(there) == 1 << sizes[s] and sizes[s] > out[1]:
            out[1] = sizes[s]
        for row in rows:
            near = 0
            for x in range(n):
                near += s >> x & 1 and there >> (row & s ^ 1 << x) & 1
            if near == sizes[s] and sizes[s] > out[7]:
                out[7] = sizes[s]
        flip = s
        while True:
            chained[s, flip] = _has_chain(n, there, s, flip)
            if flip == 0:
                break
            flip = (flip - 1) & s


@compiled
def _has_chain(n: int, there: int, s: int, flip: int) -> int:
    """Say whether all of the points and ever fewer, down to one, are among the flipped patterns."""
    if s == 0:
        return 1
    reached = 0
    a = s
    while a:
        if there >> (a ^ flip) & 1:
            above = a == s
            for x in range(n):
                above = above or bool((s & ~a) >> x & reached >> (a | 1 << x) & 1)
            if above:
                reached |= 1 << a
                if a & (a - 1) == 0:
                    return 1
        a = (a - 1) & s
    return 0


@compiled
def _flips(n: int, rows: Masks, sizes: Masks, chained: Masks, out: Bytes) -> None:
    """Find the least and the largest dual VC and threshold dimension over all flips."""
    everything = (1 << n) - 1
    out[3], out[4], out[5], out[6] = 9, 0, 9, 0
    for flip in range(1 << n):
        longest, dual = 0, 0
        for s in range(1 << n):
            if sizes[s] > longest and chained[s, flip & s]:
                longest = sizes[s]
        for i in range(len(rows)):
            first = rows[i] ^ flip
            if dual == 0 and first not in (0, everything):
                dual = 1
            for j in range(i):
                second = rows[j] ^ flip
                both, neither = first & second, everything & ~(first | second)
                if both and neither and first & ~second and second & ~first:
                    dual = 2
                    break
            if dual == 2:
                break
        out[3], out[4] = min(out[3], dual), max(out[4], dual)
        out[5], out[6] = min(out[5], longest), max(out[6], longest)


@compiled
def _teaching(n: int, members: int, sizes: Masks, agreeing: Masks, out: Bytes) -> None:
    """Remove again and again the concepts that are easiest to teach; the first round is for all."""
    left = members
    while left:
        easiest, removed = 99, 0
        for f in range(1 << n):
            if not left >> f & 1:
                continue
            least = n
            for s in range(1 << n):
                if sizes[s] < least and left & agreeing[s, f] == 1 << f:
                    least = sizes[s]
            if least < easiest:
                easiest, removed = least, 0
            if least == easiest:
                removed |= 1 << f
            if left == members and least > out[8]:
                out[8] = least
        out[9] = max(out[9], easiest)
        left ^= removed


@compiled
def _teachers(n: int, rows: Masks, sizes: Masks, limit: int, out: Bytes) -> None:
    """Bound the size of teachers without clashes; recursive teaching bounds it from above."""
    size, decided = 0 if len(rows) == 1 else 1, True
    out[10], out[11] = size, out[9]
    while size < out[9]:
        answer = _no_clash(n, rows, sizes, size, limit)
        if answer > 0:
            out[11] = size
            break
        decided = decided and answer == 0
        size += 1
        if decided:
            out[10] = size


@compiled
def _no_clash(  # noqa: C901, PLR0912, PLR0915 - one loop, as compiled searches are
    n: int, rows: Masks, sizes: Masks, size: int, limit: int
) -> int:
    """Say if sets of so many points let no two concepts clash: 1, 0, or -1 if that takes long.

    The concept with the fewest sets left is next; bit ``s`` of a domain stands for the set ``s``.
    """
    m = len(rows)
    full, steps, depth = 0, 0, 0
    meeting = np.zeros(1 << n, np.int64)
    for s in range(1 << n):
        if sizes[s] == size:
            full |= 1 << s
            for d in range(1 << n):
                if s & d:
                    meeting[d] |= 1 << s
    domains = np.zeros((m + 1, m), np.int64)
    taken = np.zeros(m + 1, np.int64)
    done = np.zeros(m, np.int64)
    domains[0, :], taken[0] = full, -1
    while True:
        if depth == m:
            return 1
        if taken[depth] < 0:
            best = -1
            for i in range(m):
                if not done[i] and (
                    best < 0 or _count(domains[depth, i]) < _count(domains[depth, best])
                ):
                    best = i
            taken[depth] = best
            done[best] = 1
        i = taken[depth]
        if domains[depth, i] == 0:
            done[i] = 0
            depth -= 1
            if depth < 0:
                return 0
            continue
        lowest = domains[depth, i] & -domains[depth, i]
        domains[depth, i] ^= lowest
        s = 0
        while lowest >> s != 1:
            s += 1
        steps += 1
        if steps > limit:
            return -1
        possible = True
        for j in range(m):
            domains[depth + 1, j] = domains[depth, j]
            if not done[j]:
                difference = rows[i] ^ rows[j]
                if not s & difference:
                    domains[depth + 1, j] &= meeting[difference]
                    if domains[depth + 1, j] == 0:
                        possible = False
                        break
        if possible:
            depth += 1
            if depth < m:
                taken[depth] = -1
