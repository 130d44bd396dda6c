"""Measure public-coin minimax errors: search, checks and size of the certificate.

    python benchmarks/minimax.py [--set small|medium|large] [--families NAME ...]
    python benchmarks/minimax.py --set frontier --before PATH [--seconds 3]
    python benchmarks/minimax.py --set curves [--seconds 3] [--families NAME ...]

Each instance is solved for all its numbers of messages by one solver, as in `ccsim.error_curve`.
Each certificate is checked by the result itself and by the kernel, in the same run. A line contains
the seconds and bytes of the worst number of messages. The table is printed to standard output.

The set ``frontier`` consists of problems with more than 20 inputs of Alice, with a limit on the
processor time of each. This file is also run with the package of a second checkout, and the table
contains the bounds of both checkouts. The set ``curves`` consists of all numbers of messages of
small classes and of their duals; each number has its own solver and limit of processor time.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from ccsim import (
    CommunicationProblem,
    ConceptClass,
    augmented_index,
    equality,
    evaluation_problem,
    greater_than,
    halfspaces,
    intervals,
    lines,
    parities,
    random_class,
)
from ccsim.budget import Budget
from ccsim.certificates import verify
from ccsim.communication.minimax import least_error
from ccsim.communication.partitions.tables import cheapest_classes
from ccsim.communication.public_coins.solver import PublicCoinSolver

Build = Callable[[int], CommunicationProblem]
SETS = ("small", "medium", "large")


def of(build: Callable[[int], ConceptClass]) -> Build:
    """Return the function that maps a size to the evaluation problem of a class."""
    return lambda size: evaluation_problem(build(size))


@dataclass(frozen=True, slots=True)
class Run:
    """An instance with the numbers of messages to solve; None for all of them."""

    family: str
    build: Build
    size: int
    messages: tuple[int, ...] | None = None


def runs(which: str) -> list[Run]:
    """Return the instances of a set."""
    random = of(lambda n: random_class(n, n, seed=0))
    small = [
        *(Run("equality (n)", equality, n) for n in (4, 6, 8)),
        *(Run("greater than (n)", greater_than, n) for n in (4, 6, 8)),
        Run("augmented index (d)", augmented_index, 3),
        Run("lines (p)", of(lines), 2),
        Run("lines (p)", of(lines), 3),
        Run("inner product (bits)", of(parities), 2),
    ]
    medium = [
        *(Run("equality (n)", equality, n) for n in (10, 12)),
        *(Run("greater than (n)", greater_than, n) for n in (9, 10)),
        Run("augmented index (d)", augmented_index, 4),
        Run("inner product (bits)", of(parities), 3),
        Run("intervals (n)", of(intervals), 5, (2, 3, 4)),
        Run("random n x n", random, 10, (2, 3)),
    ]
    large = [
        *(Run("greater than (n)", greater_than, n) for n in (11, 12)),
        Run("equality (n)", equality, 16, (2, 4, 8)),
        Run("lines (p)", of(lines), 5),
        Run("random n x n", random, 12, (2, 3)),
    ]
    return {"small": small, "medium": small + medium, "large": small + medium + large}[which]


def measure(run: Run) -> str:
    """Return one row of the table."""
    problem = run.build(run.size)
    solver = PublicCoinSolver(problem)
    numbers = run.messages or range(1, len(problem.alice) + 1)
    total, worst = 0.0, [0.0, 0.0, 0.0, 0]
    for k in numbers:
        start = time.perf_counter()
        result = least_error(solver, k, "public", Budget())
        found = time.perf_counter()
        result.check()
        checked = time.perf_counter()
        text = result.certificate().to_json()
        certificate = json.loads(text)
        written = time.perf_counter()
        verify(certificate)
        seconds = [found - start, checked - found, time.perf_counter() - written, len(text)]
        worst = list(map(max, worst, seconds))
        total += seconds[0]
    search, check, proof, size = worst
    name = f"k = {', '.join(map(str, run.messages))}" if run.messages else "every k"
    return (
        f"| {run.family} | {run.size} | {name} | {total:.2f} | {search:.2f} | {check:.2f} "
        f"| {proof:.2f} | {size / 1000:.1f} |"
    )


def random_problem(rows: int, columns: int, ones: float = 0.5) -> CommunicationProblem:
    """Return a problem whose values are independently 1 with probability ``ones``."""
    coins = random.Random(f"{rows} {columns} {ones}")  # noqa: S311 - a seed, no secret
    return CommunicationProblem.from_matrix(
        [[int(coins.random() < ones) for _ in range(columns)] for _ in range(rows)]
    )


def blocks(rows: int, size: int) -> CommunicationProblem:
    """Return a problem that is random in square blocks on its diagonal, and 0 elsewhere."""
    coins = random.Random(size)  # noqa: S311 - a seed, no secret
    return CommunicationProblem.from_matrix(
        [
            [int(x // size == y // size and coins.random() < 1 / 2) for y in range(rows)]
            for x in range(rows)
        ]
    )


def products(rows: int, rank: int) -> CommunicationProblem:
    """Return a square problem of inner products of random vectors over two elements."""
    coins = random.Random(rank)  # noqa: S311 - a seed, no secret
    left, right = ([coins.getrandbits(rank) for _ in range(rows)] for _ in range(2))
    return CommunicationProblem.from_matrix(
        [[(x & y).bit_count() & 1 for y in right] for x in left]
    )


FRONTIER: dict[str, tuple[Callable[[], CommunicationProblem], tuple[int, ...]]] = {
    "random 20 x 20": (lambda: random_problem(20, 20), (2,)),
    "random 24 x 30": (lambda: random_problem(24, 30), (2, 3)),
    "random 30 x 40": (lambda: random_problem(30, 40), (2, 3)),
    "random 40 x 40": (lambda: random_problem(40, 40), (2,)),
    "sparse 30 x 30": (lambda: random_problem(30, 30, 0.1), (2,)),
    "blocks of 6, 30 x 30": (lambda: blocks(30, 6), (3,)),
    "rank 4 over GF(2), 24 x 24": (lambda: products(24, 4), (3,)),
    "lines over Z_7 (49 x 49)": (lambda: evaluation_problem(lines(7)), (2, 4, 8)),
    "halfspaces on {0,1}^3 (104 x 8)": (
        lambda: evaluation_problem(halfspaces(1, 3)),
        (4, 10, 40),
    ),
    "intervals on 6 points (22 x 6)": (lambda: evaluation_problem(intervals(6)), (4, 20)),
    "intervals on 7 points (29 x 7)": (lambda: evaluation_problem(intervals(7)), (4,)),
    "intervals on 8 points (37 x 8)": (lambda: evaluation_problem(intervals(8)), (4,)),
}


def ends(name: str, messages: int, seconds: float, *, checked: bool) -> None:
    """Print both bounds, the processor time, and the result of the kernel's check."""
    problem = FRONTIER[name][0]()
    for rows, k in ((17, 2), (11, 3)):  # loads what is compiled
        cheapest_classes([[x * y % 7 - 3 for y in range(18)] for x in range(rows)], k)
    start = time.process_time()
    budget = Budget(seconds, clock=time.process_time)
    result = least_error(PublicCoinSolver(problem), messages, "public", budget)
    passed = time.process_time() - start
    start = time.process_time()
    try:
        if checked:
            verify(json.loads(result.certificate().to_json()))
        kernel = f"{time.process_time() - start:.1f}"
    except Exception as error:
        kernel = "too long" if "steps" in str(error) else type(error).__name__
    print(json.dumps([str(result.lower), str(result.upper), passed, kernel]))  # noqa: T201


def frontier(before: Path, seconds: float) -> None:
    """Print the table of the frontier set."""
    print("| problem | k | before | s | now | s | gap before | gap now | kernel, s |")  # noqa: T201
    print("|---|---|---|---|---|---|---|---|---|")  # noqa: T201
    for name, (_, numbers) in FRONTIER.items():
        for k in numbers:
            cells, gaps = [], []
            for folder in (before, Path(__file__).parents[1]):
                asked = ["--one", name, "--messages", str(k), "--seconds", str(seconds)]
                asked += ["--checked"] * (folder != before)
                done = subprocess.run(  # noqa: S603 - this file
                    [sys.executable, __file__, *asked],
                    env=os.environ | {"PYTHONPATH": str(folder)},
                    capture_output=True,
                    text=True,
                    check=True,
                )
                lower, upper, passed, kernel = json.loads(done.stdout.splitlines()[-1])
                low, high = Fraction(lower), Fraction(upper)
                exact = lower if len(lower) <= 24 else f"{float(low):.6f}... (exact)"
                both = exact if low == high else f"{float(low):.6f} to {float(high):.6f}"
                cells.append(f"{both} | {passed:.1f}")
                gaps.append(f"{float(high - low):.2g}")
            row = " | ".join([name, str(k), *cells, *gaps, kernel])
            print(f"| {row} |", flush=True)  # noqa: T201


CURVES: dict[str, Callable[[], ConceptClass]] = {
    "intervals on 6 points": lambda: intervals(6),
    "intervals on 7 points": lambda: intervals(7),
    "intervals on 8 points": lambda: intervals(8),
    "halfspaces on {0,1}^3": lambda: halfspaces(1, 3),
    "lines over Z_7": lambda: lines(7),
}


def curves(begins: tuple[str, ...], seconds: float) -> None:
    """Print both bounds for every number of messages."""
    print("| problem | k | error | gap | s | kernel, s | kB |")  # noqa: T201
    print("|---|---|---|---|---|---|---|")  # noqa: T201
    for name, build in CURVES.items():
        if not name.startswith(begins):
            continue
        for direction in (build(), build().dual())[: 1 if name.startswith("lines") else 2]:
            problem = evaluation_problem(direction)
            rows, columns = len(problem.alice), len(problem.bob)
            for k in range(2, rows):
                start = time.process_time()
                budget = Budget(seconds, clock=time.process_time)
                result = least_error(PublicCoinSolver(problem), k, "public", budget)
                found = time.process_time()
                text = result.certificate().to_json()
                verify(json.loads(text))
                checked = time.process_time()
                low, high = result.lower, result.upper
                exact = str(low) if len(str(low)) <= 24 else f"{float(low):.6f}... (exact)"
                both = exact if low == high else f"{float(low):.6f} to {float(high):.6f}"
                row = f"{both} | {float(high - low):.2g} | {found - start:.1f}"
                row += f" | {checked - found:.1f} | {len(text) / 1000:.0f}"
                print(f"| {name} ({rows} x {columns}) | {k} | {row} |", flush=True)  # noqa: T201


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--set", choices=(*SETS, "frontier", "curves"), default="medium")
    parser.add_argument("--before", type=Path, help="a checkout to compare the frontier with")
    parser.add_argument("--seconds", type=float, default=3, help="of processor time")
    parser.add_argument("--one", choices=FRONTIER, help=argparse.SUPPRESS)
    parser.add_argument("--messages", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--checked", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--families", nargs="+", help="beginnings of names; default all")
    arguments = parser.parse_args()
    if arguments.one:
        ends(arguments.one, arguments.messages, arguments.seconds, checked=arguments.checked)
        return
    if arguments.set == "frontier":
        if arguments.before is None:
            parser.error("--before is needed")
        frontier(arguments.before, arguments.seconds)
        return
    begins = tuple(arguments.families or [""])
    if arguments.set == "curves":
        curves(begins, arguments.seconds)
        return
    start = time.perf_counter()
    print("| family | size | messages | all k | search | check | kernel | kilobytes |")  # noqa: T201
    print("|---|---|---|---|---|---|---|---|")  # noqa: T201
    for run in runs(arguments.set):
        if run.family.startswith(begins):
            print(measure(run), flush=True)  # noqa: T201
    print(f"\n{time.perf_counter() - start:.0f} s altogether")  # noqa: T201


if __name__ == "__main__":
    main()
