"""Measure the methods for the Littlestone dimension: time and memory, one process for each run.

    python benchmarks/littlestone.py [FAMILY:SIZE ...] [--limit SECONDS] [--methods ...]

A run builds the class and measures the processor time of the search with both proofs, of writing
the certificate, of the result's own check, and of the kernel's check, which reads the file; "too
long" means that a check needs more steps than the kernel permits. A run that takes more processor
time than the limit is stopped. A family may be named by the beginning of its name; by default, all
families are measured. The table is printed to standard output.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from itertools import product
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np
from textbook_littlestone import littlestone_dimension as textbook

from ccsim import (
    ConceptClass,
    intervals,
    kernel,
    lines,
    littlestone_dimension,
    random_class,
    thresholds,
)
from ccsim.errors import InstanceTooLargeError

METHODS = ("bare", "textbook", "python", "compiled", "dense")
BARE = Path(__file__).with_name("bare_littlestone.c")


def halfspaces(d: int) -> ConceptClass:
    """Return the linear threshold functions on {0,1}^d, d <= 4, where weights up to 3 suffice."""
    cube = np.array(list(product((0, 1), repeat=d)))
    sums = np.array(list(product(range(-3, 4), repeat=d))) @ cube.T
    signs = np.concatenate([sums >= t for t in range(-3 * d, 3 * d + 2)])
    rows = np.unique(signs, axis=0) @ (1 << np.arange(1 << d))
    return ConceptClass.from_rows([int(row) for row in rows], range(1 << d))


def quadratics(p: int) -> ConceptClass:
    """Return the graphs of the polynomials of degree at most 2 over Z_p."""
    rows = [
        sum(1 << p * x + (a * x * x + b * x + c) % p for x in range(p))
        for a, b, c in product(range(p), repeat=3)
    ]
    return ConceptClass.from_rows(rows, range(p * p))


def two_intervals(n: int) -> ConceptClass:
    """Return the unions of at most two intervals of n points."""
    single = intervals(n).rows
    return ConceptClass.from_rows(sorted({a | b for a in single for b in single}), range(n))


def monotone(n: int) -> ConceptClass:
    """Return the monotone functions of n bits."""
    masks = {0, 1}
    for width in (1 << k for k in range(n)):
        masks = {a | b << width for a in masks for b in masks if not a & ~b}
    return ConceptClass.from_rows(sorted(masks), range(1 << n))


FAMILIES: dict[str, tuple[Callable[[int], ConceptClass], tuple[int, ...]]] = {
    "thresholds (b)": (thresholds, (4, 6, 7, 8, 10, 12, 13)),
    "lines (p)": (lines, (3, 5, 7, 23, 89)),
    "intervals (n)": (intervals, (8, 12, 16, 40, 100, 200, 300, 400)),
    "two intervals (n)": (two_intervals, (6, 8, 12, 16, 20, 24, 28)),
    "halfspaces of {0,1}^d": (halfspaces, (2, 3, 4)),
    "quadratics (p)": (quadratics, (2, 3, 5, 7, 11, 17, 23, 31)),
    "monotone functions (n)": (monotone, (3, 4, 5)),
    "random, n points, 50n rows": (lambda n: random_class(50 * n, n, seed=0), (20, 40)),
    "random, n points, 20n rows": (lambda n: random_class(20 * n, n, seed=0), (8, 12, 16, 30)),
}


def bare(C: ConceptClass) -> list[str]:
    """Return the value and the processor seconds of the search in C without proofs."""
    width = len(C.points)
    rows = "".join(f"{format(row, f'0{width}b')[::-1]}\n" for row in C.rows)
    with tempfile.TemporaryDirectory() as directory:
        program = str(Path(directory) / "bare")
        command = ["cc", "-O3", "-march=native", "-o", program, str(BARE)]
        subprocess.run(command, check=True)  # noqa: S603
        given = f"{len(C)} {width}\n{rows}"
        done = subprocess.run(  # noqa: S603
            [program], input=given, capture_output=True, text=True, check=True
        )
    value, searched, _ = done.stdout.split()
    return [value, f"{float(searched):.4f}", "", "", "", "", ""]


def seconds_of(check: Callable[[], object]) -> str:
    """Return the seconds of a check, or that it needs more steps than the kernel permits."""
    start = time.process_time()
    try:
        check()
    except (kernel.TooLong, InstanceTooLargeError):
        return "too long"
    return f"{time.process_time() - start:.2f}"


def run(build: Callable[[int], ConceptClass], size: int, method: str, answer: Connection) -> None:
    """Measure one method on one class, and send the row of the table."""
    C = build(size)
    if method == "bare":
        answer.send([*bare(C), ""])
        return
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    if method == "textbook":
        value = textbook(list(C.rows), len(C.points))
        row = [f"{value}", f"{time.process_time() - start:.4f}", "", "", "", "", ""]
    else:
        try:
            result = littlestone_dimension(C, method=method)
            times = 1
            while time.process_time() - start < 0.1:  # a mean, where it is short
                littlestone_dimension(C, method=method)
                times += 1
        except InstanceTooLargeError:
            answer.send(["", "too large", "", "", "", "", ""])
            return
        found = time.process_time()
        took = (found - start) / times
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "made.json"
            result.certificate().write(path)
            written, megabytes = time.process_time(), path.stat().st_size / 1e6
            in_kernel = seconds_of(lambda: kernel.check(kernel.read(path)))
        checked = seconds_of(result.check)
        row = [f"{result.value}", f"{took:.4f}", f"{written - found:.2f}"]
        row += [
            checked,
            in_kernel,
            f"{len(result.refutation.entries)}",
            f"{megabytes:.2f}",
        ]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    answer.send([*row, f"{peak / 1024:.0f}"])


def limited(
    limit: int, build: Callable[[int], ConceptClass], size: int, method: str, answer: Connection
) -> None:
    """Run one method until the process has used the given processor time."""
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    run(build, size, method, answer)


def measure(build: Callable[[int], ConceptClass], size: int, method: str, limit: int) -> list[str]:
    """Run one method in its own process, with a limit on the processor time."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=limited, args=(limit, build, size, method, sender))
    process.start()
    sender.close()
    try:
        row = receiver.recv()
    except EOFError:
        process.join()
        stopped = process.exitcode in {-signal.SIGXCPU, -signal.SIGKILL}  # by its limit
        return ["", f"> {limit}" if stopped else "failed", "", "", "", "", ""]
    process.join()
    return row


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--limit", type=int, default=60, help="processor seconds for each run")
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=METHODS)
    parser.add_argument("--families", nargs="+", help="beginnings of names; default all")
    parser.add_argument("cases", nargs="*", metavar="FAMILY:SIZE", help="default all")
    options = parser.parse_args()
    cases = [case.rsplit(":", 1) for case in options.cases]
    head = ["value", "search s", "write s", "check s", "kernel s", "entries", "file MB", "peak MB"]
    print("| family | size | method | " + " | ".join(head) + " |")  # noqa: T201
    print("|---|---" * 1 + "|---" * (len(head) + 1) + "|")  # noqa: T201
    for family, (build, sizes) in FAMILIES.items():
        if options.families and not family.startswith(tuple(options.families)):
            continue
        asked = tuple(int(size) for name, size in cases if family.startswith(name))
        for method in options.methods:
            for size in asked if cases else sizes:
                row = measure(build, size, method, options.limit)
                cells = " | ".join(
                    [family, str(size), method, *row, *[""] * (len(head) - len(row))]
                )
                print(f"| {cells} |", flush=True)  # noqa: T201
                if row[1].startswith((">", "too", "failed")):
                    break  # larger members take longer


if __name__ == "__main__":
    main()
