"""Compare the no-clash teaching dimension with the VC dimension, a conjectured upper bound.

    python benchmarks/no_clash.py [--points N] [--dimension D] [--random R] [--seed S]

A teacher for a class also teaches its subclasses, so that only maximal classes of a VC dimension
are examined. Without ``--random``, all classes of VC dimension at most D on N points are covered.
Each of them misses a pattern on each set of D + 1 points. Therefore the script removes the concepts
with one of these patterns, in all possible ways up to permutations of points and flips of labels,
until no such set is shattered. With ``--random``, it draws R maximal classes by adding concepts in
random order while the VC dimension allows it. Every value is computed with proofs, which the kernel
checks. The output, in Markdown, is the number of classes with each pair of dimensions, and each
class whose no-clash dimension is larger than its VC dimension.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations, product

import numpy as np
import numpy.typing as npt

from ccsim import ConceptClass, no_clash_teaching_dimension, vc_dimension

Words = npt.NDArray[np.uint64]


def moves(points: int) -> list[Words]:
    """Return, for each byte of a set of concepts, its images under all symmetries of the cube."""
    size = 1 << points
    moved = [
        [sum((row >> x & 1) << to[x] for x in range(points)) ^ flips for row in range(size)]
        for to in permutations(range(points))
        for flips in range(size)
    ]
    bits = np.uint64(1) << np.array(moved, np.uint64)
    tables = []
    for first in range(0, size, 8):
        table = np.zeros((256, len(moved)), np.uint64)
        for byte, bit in product(range(256), range(min(8, size - first))):
            if byte >> bit & 1:
                table[byte] |= bits[:, first + bit]
        tables.append(table)
    return tables


def least_image(family: int, tables: list[Words]) -> int:
    """Return the least of the images of a set of concepts."""
    images = tables[0][family & 255].copy()
    for i, table in enumerate(tables[1:], 1):
        images |= table[family >> 8 * i & 255]
    return int(images.min())


def patterns(points: int, size: int) -> list[list[int]]:
    """Return, for each set of ``size`` points and each pattern, the concepts with this pattern."""
    rows = range(1 << points)
    return [
        [
            sum(
                1 << row
                for row in rows
                if all(row >> x & 1 == b for x, b in zip(xs, labels, strict=True))
            )
            for labels in product((0, 1), repeat=size)
        ]
        for xs in combinations(range(points), size)
    ]


def cover(points: int, dimension: int) -> set[int]:
    """Return classes such that every class of at most this VC dimension is in an image of one."""
    tables, cells = moves(points), patterns(points, dimension + 1)
    level, found = {(1 << (1 << points)) - 1}, set()
    while level:
        below = set()
        for family in level:
            shattered = [cell for cell in cells if all(family & part for part in cell)]
            if not shattered:
                found.add(family)
                continue
            left = min(
                ([family & ~part for part in cell] for cell in shattered),
                key=lambda parts: sum(map(int.bit_count, parts)),
            )
            below |= {least_image(each, tables) for each in left}
        level = below
    return found


def maximal(points: int, dimension: int, rng: random.Random) -> int:
    """Return a random class to which no concept can be added without a larger VC dimension."""
    cells, family = patterns(points, dimension + 1), 0
    for row in rng.sample(range(1 << points), 1 << points):
        more = family | 1 << row
        if not any(all(more & part for part in cell) for cell in cells):
            family = more
    return family


def families(asked: argparse.Namespace) -> Iterator[int]:
    """Yield the classes that the options select, as bit masks of concepts."""
    if not asked.random:
        yield from sorted(cover(asked.points, asked.dimension))
        return
    rng = random.Random(asked.seed)  # noqa: S311 - a seed, not a secret
    for _ in range(asked.random):
        yield maximal(asked.points, asked.dimension, rng)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--points", type=int, default=5, help="at most 5 without --random")
    parser.add_argument("--dimension", type=int, default=2)
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    start, counts = time.process_time(), Counter[tuple[int, int, int]]()
    for family in families(asked):
        rows = [row for row in range(1 << asked.points) if family >> row & 1]
        C = ConceptClass.from_rows(rows, range(asked.points))
        vc, no_clash = vc_dimension(C), no_clash_teaching_dimension(C)
        vc.check()
        no_clash.check()
        counts[len(rows), vc.value, no_clash.value] += 1
        if no_clash.value > vc.value:
            print(f"no-clash {no_clash.value} above VC {vc.value}: {rows}")  # noqa: T201
    print("| concepts | VC | no-clash | classes |\n|---|---|---|---|")  # noqa: T201
    for key, number in sorted(counts.items()):
        print("| " + " | ".join(map(str, (*key, number))) + " |")  # noqa: T201
    print(f"\n{sum(counts.values())} classes in {time.process_time() - start:.0f} s")  # noqa: T201


if __name__ == "__main__":
    main()
