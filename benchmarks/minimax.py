"""Measure public-coin minimax errors: search, checks and size of the certificate.

    python benchmarks/minimax.py [--set small|medium|large] [--families NAME ...]

Every instance is solved for all its numbers of messages by one solver, as `ccsim.error_curve` does.
Each certificate passes the result's own check and the kernel, in the same run; a line gives seconds
and bytes of the worst number of messages. The table goes to standard output.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import dataclass

from ccsim import (
    CommunicationProblem,
    ConceptClass,
    augmented_index,
    equality,
    evaluation_problem,
    greater_than,
    intervals,
    lines,
    parities,
    random_class,
)
from ccsim.budget import Budget
from ccsim.certificates import verify
from ccsim.communication.minimax import least_error
from ccsim.communication.public_coins.solver import PublicCoinSolver

Build = Callable[[int], CommunicationProblem]


def of(build: Callable[[int], ConceptClass]) -> Build:
    """Return the evaluation problems of a family of classes."""
    return lambda size: evaluation_problem(build(size))


@dataclass(frozen=True, slots=True)
class Run:
    """An instance with its numbers of messages; None for all of them."""

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


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--set", choices=("small", "medium", "large"), default="medium")
    parser.add_argument("--families", nargs="+", help="beginnings of names; default all")
    arguments = parser.parse_args()
    begins = tuple(arguments.families or [""])
    start = time.perf_counter()
    print("| family | size | messages | all k | search | check | kernel | kilobytes |")  # noqa: T201
    print("|---|---|---|---|---|---|---|---|")  # noqa: T201
    for run in runs(arguments.set):
        if run.family.startswith(begins):
            print(measure(run), flush=True)  # noqa: T201
    print(f"\n{time.perf_counter() - start:.0f} s altogether")  # noqa: T201


if __name__ == "__main__":
    main()
