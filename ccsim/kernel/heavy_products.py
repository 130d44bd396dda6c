"""A search that decides whether a rectangle in a product of rectangles exceeds a weight.

An input of the product has an entry in each factor. Its code is the sum of the codes of these
entries. Inputs with equal codes have equal weights.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, groupby, islice, permutations, product
from math import prod
from operator import add

from .rules import *

GROUP = 8  # number of columns of which all subsets are listed
MAX_MOVES = 720  # maximum number of permutations of factors that compare sets of rows

Lines = Sequence[Sequence[int]]
Waiting = list[tuple[Sequence[int], int]]  # moves, and the first position not compared so far
Factor = tuple[Lines, Sequence[int], Sequence[int]]  # codes; multiplicities of rows and of columns


def merged(table: Iterable[Sequence[int]]) -> tuple[Lines, Sequence[int]]:
    """Return the distinct rows of a table, and how often each one occurs."""
    found = [(row, len([*equal])) for row, equal in groupby(sorted(map(tuple, table)))]
    return [row for row, _ in found], [times for _, times in found]


def factor(table: Lines) -> Factor:
    """Merge equal rows and columns: a heaviest rectangle may contain all of them or none."""
    rows, ours = merged(table)
    columns, theirs = merged(zip(*rows, strict=True))
    return [*zip(*columns, strict=True)], ours, theirs


def arranged(lines: Lines, names: Lines) -> tuple[Lines, Lines]:
    """Sort lines by the sums of their absolute values, and then by their names."""
    sums = [-sum(map(abs, line)) for line in lines]
    keys = zip(sums, map(sorted, names), names, lines, strict=True)
    order = sorted(keys, key=lambda key: key[:3])
    return [line for *_, line in order], [name for *_, name, _ in order]


def exceeds(factors: Sequence[Factor], weights: dict[int, int], most: int) -> bool:
    """Return whether a rectangle in a product of factors weighs more than `most`.

    Equal factors stand together; permutations of equal factors preserve weights.
    """
    table, times = [[0]], [[1], [1]]
    names: list[list[tuple[int, ...]]] = [[()], [()]]
    for codes, *both in factors:
        sizes = [len(old) * len(new) for old, new in zip(names, both, strict=True)]
        spend(20 + 8 * prod(sizes) + 30 * sum(sizes))
        table = [[a + b for a in row for b in local] for row in table for local in codes]
        times = [[s * t for s in old for t in new] for old, new in zip(times, both, strict=True)]
        sides = zip(names, both, strict=True)
        names = [[(*name, i) for name in old for i in range(len(new))] for old, new in sides]
    bits = max(w.bit_length() for w in weights.values()) if weights else 0
    spend(len(table) * len(table[0]) * (10 + (bits >> 6)))
    lines = zip(table, times[0], strict=True)
    found: Lines = [
        [s * t * weights.get(c, 0) for c, t in zip(row, times[1], strict=True)] for row, s in lines
    ]
    if sum(w for row in found for w in row if w > 0) <= most:
        return False
    ours, theirs = names
    if len(ours) > len(theirs):
        found, ours, theirs = [*zip(*found, strict=True)], theirs, ours
    columns, _ = arranged([*zip(*found, strict=True)], theirs)
    rows, order = arranged([*zip(*columns, strict=True)], ours)
    place, blocks, start = {name: i for i, name in enumerate(map(tuple, order))}, list[range](), 0
    for _, equal in groupby(factors):
        blocks.append(range(start, start := start + len([*equal])))
    some = (islice(permutations(block), MAX_MOVES) for block in blocks)
    ways = [[*chain(*move)] for move in islice(product(*some), 1, MAX_MOVES)]
    spend(len(ways) * len(ours) * (5 + len(factors)))
    moves = [[place[tuple([name[i] for i in way])] for name in order] for way in ways]
    return above(rows, moves, most)


def subset_sums(row: Sequence[int]) -> list[list[int]]:
    """Return, for each group of columns, the sums over all of its subsets."""
    found = list[list[int]]()
    for i in range(0, len(row), GROUP):
        found.append([0])
        for w in row[i : i + GROUP]:
            found[-1] += [s + w for s in found[-1]]
    return found


def undecided(x: Sequence[int], waiting: Waiting) -> Waiting | None:
    """Compare a partial set of rows with its images; return None if it is smaller than one."""
    found = Waiting()
    for move, start in waiting:
        j = start
        while j < len(x) and move[j] < len(x) and x[j] == x[move[j]]:
            j += 1
        if j == len(x) or move[j] >= len(x):
            found.append((move, j))
        elif x[j] < x[move[j]]:
            return None
    return found


def above(rows: Lines, moves: Lines, most: int) -> bool:
    """Decide, by including or excluding rows one by one, whether a rectangle exceeds `most`.

    A move permutes the rows and preserves the weight of every rectangle, for some permutation of
    the columns. So sets of rows that are lexicographically smaller than an image are left out. In
    the bound on the weight, each set of columns of a group chooses the later rows for itself.
    """
    bits = sum(abs(w) for row in rows for w in row).bit_length()
    work = (len(rows[0]) << GROUP) // GROUP * (2 + (bits >> 7)) // 2
    spend(10 * len(rows) * work)
    sums, later = [subset_sums(row) for row in rows], [subset_sums([0] * len(rows[0]))]
    for groups in reversed(sums):
        pairs = zip(later[-1], groups, strict=True)
        later.append([[r + max(s, 0) for r, s in zip(*pair, strict=True)] for pair in pairs])
    left = [(list[int](), later[0], [(move, 0) for move in moves])]
    while left:
        taken, found, waiting = left.pop()
        i = len(taken)
        spend(20 + i + work + 5 * len(waiting))
        ends = zip(found, later[len(rows) - i], strict=True)
        if sum(max(map(add, *pair)) for pair in ends) <= most:
            continue
        if i == len(rows):
            return True
        for bit in (0, 1):
            x = [*taken, bit]
            if (rest := undecided(x, waiting)) is not None:
                grown = [[*map(add, *pair)] for pair in zip(found, sums[i], strict=True)]
                left.append((x, grown if bit else found, rest))
    return False
