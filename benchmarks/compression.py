"""Compare the least sizes of sample compression schemes with the VC dimension.

    python benchmarks/compression.py [--points N] [--dimension D] [--all]
        [--unlabelled] [--stable] [--proper]

A scheme for a class is also a scheme for its subclasses, unless its functions must be concepts. So
only maximal classes of VC dimension D on N points are examined, up to permutations of points and
flips of labels. With ``--all``, the classes of the atlas on at most N points are examined instead,
N being at most 4. The kernel checks the proofs of all sizes. The output, in Markdown, is the number
of classes with each VC dimension and size.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator

from no_clash import cover, patterns

from ccsim import ConceptClass, compression_size, vc_dimension
from ccsim.surveys.atlas.table import atlas


def maximal_classes(points: int, dimension: int) -> Iterator[ConceptClass]:
    """Yield the classes to which no concept can be added without a larger VC dimension."""
    cells, rows = patterns(points, dimension + 1), range(1 << points)

    def fits(family: int) -> bool:
        return not any(all(family & part for part in cell) for cell in cells)

    for family in sorted(cover(points, dimension)):
        if not any(fits(family | 1 << row) for row in rows if not family >> row & 1):
            yield ConceptClass.from_rows([row for row in rows if family >> row & 1], range(points))


def all_classes(points: int) -> Iterator[ConceptClass]:
    """Yield the classes of the atlas on at most the given number of points."""
    for entry in atlas():
        if entry.points <= points:
            rows = [row for row in range(1 << entry.points) if entry.chosen >> row & 1]
            yield ConceptClass.from_rows(rows, range(entry.points))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--points", type=int, default=5)
    parser.add_argument("--dimension", type=int, default=2)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--unlabelled", action="store_true")
    parser.add_argument("--stable", action="store_true")
    parser.add_argument("--proper", action="store_true")
    asked = parser.parse_args()
    start, counts = time.process_time(), Counter[tuple[int, int]]()
    classes = all_classes(asked.points) if asked.all else None
    for C in classes or maximal_classes(asked.points, asked.dimension):
        vc = vc_dimension(C)
        size = compression_size(
            C, labelled=not asked.unlabelled, stable=asked.stable, proper=asked.proper
        )
        vc.check()
        size.check()
        counts[vc.value, size.value] += 1
    print("| VC dimension | size | classes |\n|---|---|---|")  # noqa: T201
    for key, number in sorted(counts.items()):
        print("| " + " | ".join(map(str, (*key, number))) + " |")  # noqa: T201
    print(f"\n{time.process_time() - start:.0f} processor seconds")  # noqa: T201


if __name__ == "__main__":
    main()
