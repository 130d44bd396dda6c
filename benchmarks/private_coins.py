"""Intervals for the minimax error with private coins: all small problems, and a sample of 5 x 5.

A problem is given by its columns, which are sets of Alice's inputs. No column is constant or equal
to another column or its complement, and no two rows are equal. Every other total problem is one of
these with additional dominated inputs. For each class of problems up to the order of inputs, the
program prints both bounds, the width of the interval, the seconds of processor time and, with
``--check``, those of the kernel. The limit is a limit on processor time.

    python benchmarks/private_coins.py [--gap 1/100] [--rows 4] [--columns 4] [--messages 3]
        [--sample 12] [--seed 1] [--seconds 120] [--check] [--jobs 2]
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import combinations, permutations
from time import process_time

from ccsim import CommunicationProblem, equality, greater_than, minimax_error
from ccsim.budget import Budget


def classes(rows: int, columns: int) -> Iterator[tuple[int, ...]]:
    """Yield one problem of each class, as columns: bit masks over Alice's inputs."""
    whole = (1 << rows) - 1
    orders = list(permutations(range(rows)))
    seen: set[tuple[int, ...]] = set()
    for chosen in combinations(range(1, 1 << (rows - 1)), columns):
        if chosen in seen:
            continue
        for order in orders:
            moved = [sum((c >> x & 1) << order[x] for x in range(rows)) for c in chosen]
            seen.add(tuple(sorted(min(c, whole ^ c) for c in moved)))
        if len({tuple(c >> x & 1 for c in chosen) for x in range(rows)}) == rows:
            yield chosen


def measure(chosen: tuple[int, ...], args: argparse.Namespace) -> str:
    """Return the line of the output for a problem."""
    matrix = [[c >> x & 1 for c in chosen] for x in range(args.rows)]
    problem = CommunicationProblem.from_matrix(matrix)
    start, budget = process_time(), Budget(args.seconds, clock=process_time)
    result = minimax_error(problem, args.messages, "private", gap=args.gap, time_limit=budget)
    took, low, high = process_time() - start, float(result.lower), float(result.upper)
    size, kind = len(result.certificate().to_json()) / 1000, type(result.below).__name__
    name, checked = " ".join("".join(map(str, row)) for row in matrix), ""
    if args.check:
        start = process_time()
        result.check()
        checked = f"  {process_time() - start:.1f} s"
    return (
        f"{name}  {low:.5f} {high:.5f} {high - low:.5f} {took:6.1f} s {size:6.0f} kB  "
        f"{kind}{checked}\n"
    )


def compile_first() -> None:
    """Solve small problems, so that compilation is not measured."""
    for problem in greater_than(4), equality(4):
        minimax_error(problem, 3, "private", gap="1/100", time_limit=200)


def main() -> None:
    """Print a line for each problem."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gap", default="1/100")
    for name, number in (("rows", 4), ("columns", 4), ("messages", 3), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=number)
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    args = parser.parse_args()
    found = list(classes(args.rows, args.columns))
    sys.stdout.write(
        f"{len(found)} classes of {args.rows} x {args.columns}, {args.messages} messages\n"
    )
    if args.sample is not None and args.sample < len(found):
        found = random.Random(args.seed).sample(found, args.sample)  # noqa: S311
    with ProcessPoolExecutor(args.jobs, initializer=compile_first) as pool:
        for line in pool.map(partial(measure, args=args), found):
            sys.stdout.write(line)
            sys.stdout.flush()


if __name__ == "__main__":
    main()
