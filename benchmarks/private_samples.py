"""Compute sample complexities of pure and approximate private learning of all small classes.

    python benchmarks/private_samples.py [--points M] [--epsilon E] [--delta D] [--failure F]
        [--limit N] [--seconds S]

The table has one row for each class on at most M points, up to permutations of the points and flips
of the labels. A row contains the VC and Littlestone dimensions, the size of the smallest set of
hypotheses that represents the class with the same error, the size of the smallest random sets that
do so with the same failure (their logarithms are DRDim and PRDim), and the numbers of examples. The
kernel checks both proofs of each number. Times and the limit are processor time, for search and
check of both numbers together. The table is printed to standard output, in Markdown.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations

from ccsim import (
    deterministic_representation_size,
    littlestone_dimension,
    private_sample_complexity,
    probabilistic_representation_size,
    vc_dimension,
)
from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.learning import PrivateSampleComplexity

ACCURACY = Fraction(1, 4)


def classes(points: int) -> Iterator[ConceptClass]:
    """Yield the first class of each orbit under permutations and flips, smaller domains first."""
    for m in range(1, points + 1):
        moves = [
            [sum((f >> x & 1) << y for x, y in enumerate(order)) ^ flips for f in range(1 << m)]
            for order in permutations(range(m))
            for flips in range(1 << m)
        ]
        for chosen in range(1, 1 << (1 << m)):
            rows = [f for f in range(1 << m) if chosen >> f & 1]
            if chosen == min(sum(1 << move[f] for f in rows) for move in moves):
                yield ConceptClass.from_rows(rows, range(m))


def number(found: PrivateSampleComplexity) -> str:
    """Return a number of examples, or its known bounds, as text."""
    if found.exact:
        return str(found.value)
    return f"{found.lower} to {found.upper}" if found.upper is not None else f">= {found.lower}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--points", type=int, default=3)
    parser.add_argument("--epsilon", default="ln 3")
    parser.add_argument("--delta", default="1/10")
    parser.add_argument("--failure", default="1/3")
    parser.add_argument("--limit", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=60.0, help="for each number")
    asked = parser.parse_args()
    sizes = "DRDim as a size", "PRDim as a size"
    heads = "concepts", "VC", "LDim", *sizes, "pure", f"delta = {asked.delta}", "seconds"
    print("|", " | ".join(heads), "|")  # noqa: T201
    print("|---" * len(heads) + "|")  # noqa: T201
    for C in classes(asked.points):
        start, found = time.process_time(), list[PrivateSampleComplexity]()
        for delta in ("0", asked.delta):
            found.append(
                private_sample_complexity(
                    C, ACCURACY, asked.failure, asked.epsilon,
                    delta=delta, limit=asked.limit,
                    time_limit=Budget(asked.seconds, clock=time.process_time),
                )
            )  # fmt: skip
            found[-1].check()
        seconds = time.process_time() - start
        sets = deterministic_representation_size(C, ACCURACY).value
        size = probabilistic_representation_size(C, ACCURACY, asked.failure).value
        rows = " ".join(format(f, f"0{len(C.points)}b") for f in C.rows)
        dimensions = vc_dimension(C).value, littlestone_dimension(C).value, sets, size
        cells = (rows, *dimensions, *map(number, found), f"{seconds:.1f}")
        print("|", " | ".join(map(str, cells)), "|", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
