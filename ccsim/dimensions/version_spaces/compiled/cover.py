"""A few version spaces whose refutations serve a whole level.

Main definition: `cover`.

Statement: a version space without a complete mistake tree of some depth refutes all its subsets,
and all subsets of its images. Every step of a refutation needs one of two sides refuted, so the
sides that are proved must contain one side of each step. The fewest are hard to find; `cover` takes
them greedily.

Implementation notes: a set is given by the literals that all its elements share, and lies in
another if it shares all literals of that. Chosen sets are filed under their two rarest literals.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ccsim.compiled import compiled
from ccsim.dimensions.version_spaces.compiled.data import Ints, Words
from ccsim.dimensions.version_spaces.compiled.proofs import Sides
from ccsim.dimensions.version_spaces.compiled.spaces import image_of, lowest

__all__ = ["cover"]

_ONE = np.uint64(1)


class _Files(NamedTuple):
    """Sets, each in one of many files.

    Attributes
    ----------
    under : int64
        The file of each set.
    starts, filled : int64
        Where a file begins and how many sets are in it.
    first : int64
        How many sets in files have a literal as the lower one of the two.
    owners : int64
    literals : uint64, sets by words
        The sets that are filed, and what they share.
    image : uint64
        Room for one set.
    """

    under: Ints
    starts: Ints
    filled: Ints
    first: Ints
    owners: Ints
    literals: Words
    image: Words


@compiled
def members(literals: Words, found: Ints) -> int:
    """Write the literals of a set one after the other and return their number."""
    m = 0
    for k in range(literals.shape[0]):
        v = literals[k]
        while v:
            found[m] = 64 * k + lowest(v)
            v &= v - _ONE
            m += 1
    return m


@compiled
def file_of(i: int, j: int) -> int:
    """Return the file of the sets whose rarest literals are ``i <= j``."""
    return 64 * i + j % 64


@compiled
def empty_files(literals: Words) -> _Files:
    """Return room for all sets."""
    num, width = literals.shape
    found = np.empty(64 * width, np.int64)
    counts = np.zeros(64 * width, np.int64)
    for s in range(num):
        for literal in found[: members(literals[s], found)]:
            counts[literal] += 1
    under = np.empty(num, np.int64)
    starts = np.zeros(64 * 64 * width + 1, np.int64)
    for s in range(num):
        i, j = -1, -1
        for literal in found[: members(literals[s], found)]:
            if i < 0 or counts[literal] < counts[i]:
                i, j = literal, i
            elif j < 0 or counts[literal] < counts[j]:
                j = literal
        under[s] = file_of(min(i, j), max(i, j)) if j >= 0 else file_of(i, i)
        starts[under[s] + 1] += 1
    return _Files(
        under,
        np.cumsum(starts),
        np.zeros(64 * 64 * width, np.int64),
        np.zeros(64 * width, np.int64),
        np.empty(num, np.int64),
        np.empty((num, width), np.uint64),
        np.empty(width, np.uint64),
    )


@compiled
def put(files: _Files, literals: Words, s: int) -> None:
    """File a set."""
    file = files.under[s]
    i = files.starts[file] + files.filled[file]
    files.filled[file] += 1
    files.first[file // 64] += 1
    files.owners[i] = s
    files.literals[i] = literals[s]


@compiled
def find_holder(files: _Files, literals: Words) -> int:
    """Return a set on file that contains a set, or -1."""
    found = np.empty(64 * literals.shape[0], np.int64)
    m = members(literals, found)
    for p in range(m):
        if files.first[found[p]] == 0:
            continue
        for q in range(p, m):
            file = file_of(found[p], found[q])
            start = files.starts[file]
            for i in range(start, start + files.filled[file]):
                inside = True
                for k in range(literals.shape[0]):
                    if files.literals[i, k] & ~literals[k]:
                        inside = False
                        break
                if inside:
                    return int(files.owners[i])
    return -1


@compiled
def holder(files: _Files, literals: Words, moves: Ints) -> tuple[int, int]:
    """Return a set on file that contains an image of a set, or -1, and which image."""
    found = find_holder(files, literals)
    if found >= 0:
        return found, 0
    for e in range(1, moves.shape[0]):
        files.image[0] = image_of(moves, e, literals[0])  # one word where there are symmetries
        found = find_holder(files, files.image)
        if found >= 0:
            return found, e
    return -1, 0


@compiled
def put_maximal(literals: Words, moves: Ints, order: Ints, chosen: Ints, serving: Ints) -> _Files:
    """File the chosen sets that lie in no other, and note which one each of them lies in."""
    files = empty_files(literals)
    for s in order:
        if chosen[s]:
            serving[s, 0], serving[s, 1] = holder(files, literals[s], moves)
            if serving[s, 0] < 0:
                put(files, literals, s)
                serving[s, 0] = s
    return files


@compiled
def choose(sides: Sides, files: _Files, moves: Ints, chosen: Ints) -> bool:
    """Choose one side of each step that the sides on file do not serve; say whether there are any.

    A side that size decides comes first, then one that serves many steps.
    """
    literals, steps, size = sides.literals, sides.steps, sides.origin[:, 2]
    counts = steps.shape[0] * sides.by_size.astype(np.int64)
    left = np.empty(steps.shape[0], np.int64)
    m = 0
    for j in range(steps.shape[0]):
        a, b = steps[j, 2], steps[j, 3]
        if min(a, b) >= 0 and not (chosen[a] or chosen[b]):
            left[m] = j
            m += 1
            counts[a] += 1
            counts[b] += 1
    best = np.empty(m, np.int64)
    for i in range(m):
        a, b = steps[left[i], 2], steps[left[i], 3]
        best[i] = a if (counts[a], -size[a]) > (counts[b], -size[b]) else b
    more = False
    for i in np.argsort(-counts[best], kind="mergesort"):
        a, b = steps[left[i], 2], steps[left[i], 3]
        served = holder(files, literals[a], moves)[0] >= 0
        if not served and holder(files, literals[b], moves)[0] < 0:
            put(files, literals, best[i])
            chosen[best[i]] = 1
            more = True
    return more


@compiled
def cover(sides: Sides, moves: Ints, order: Ints) -> Ints:
    """Return for each side a chosen one that contains an image of it, or -1, and which image.

    Chosen are the sides without which some step has none, unless they lie in others, and then those
    that serve most steps.

    Parameters
    ----------
    sides : Sides
        Cut to what is used.
    moves : int64, elements by literals
    order : int64
        The numbers of the sides by falling size.
    """
    literals, steps = sides.literals, sides.steps
    chosen = np.zeros(literals.shape[0], np.int64)
    serving = np.empty((literals.shape[0], 2), np.int64)
    for j in range(steps.shape[0]):
        if min(steps[j, 2], steps[j, 3]) < 0:
            chosen[max(steps[j, 2], steps[j, 3])] = 1
    files = put_maximal(literals, moves, order, chosen, serving)
    if choose(sides, files, moves, chosen):
        files = put_maximal(literals, moves, order, chosen, serving)
    for s in order:
        if not chosen[s]:
            serving[s, 0], serving[s, 1] = holder(files, literals[s], moves)
    return serving
