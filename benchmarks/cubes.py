"""Measure hard questions with one process, with two, and on a Dask cluster of two workers.

    python benchmarks/cubes.py [NAME ...] [--no-dask]

Each run has a process of its own. The certificates of all runs must be the same bytes. The times of
the cubes come from the database that the run with one process writes. They give an estimate for 16
and 256 processes: the time outside the cubes, and the time until processes that take the cubes in
order have answered the last one. The output is the table in docs/many-cores.md, in a quarter of
an hour on two idle cores.
"""

from __future__ import annotations

import argparse
import hashlib
import multiprocessing
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import click

from ccsim import (
    Workers,
    cover_number,
    deterministic_representation_size,
    minimax_error,
    no_clash_teaching_dimension,
    random_class,
    star_number,
    vc_dimension,
)
from ccsim.parallel.cubes import makespan


def random_matrix(size: int, seed: int) -> list[list[int]]:
    """Return a random square matrix, whose entries are 1 with probability 0.7."""
    draw = random.Random(seed)  # noqa: S311 - no secret
    return [[int(draw.random() < 0.7) for _ in range(size)] for _ in range(size)]


QUESTIONS: dict[str, tuple[str, Callable[[Workers], Any]]] = {
    "vc": (
        "VC dimension of 500 random concepts on 100 points",
        lambda w: vc_dimension(random_class(500, 100, seed=1), jobs=w),
    ),
    "star": (
        "star number of 300 random concepts on 50 points",
        lambda w: star_number(random_class(300, 50, seed=1), jobs=w),
    ),
    "no-clash": (
        "no-clash dimension of 52 random concepts on 47 points",
        lambda w: no_clash_teaching_dimension(random_class(52, 47, seed=0), jobs=w),
    ),
    "size": (
        "representation of 12 random concepts on 7 points",
        lambda w: deterministic_representation_size("random:m=12,n=7,seed=3", "1/4", jobs=w),
    ),
    "cover": (
        "cover of the ones of a random matrix of size 15",
        lambda w: cover_number(random_matrix(15, 1), 1, jobs=w),
    ),
    "private": (
        "private coins, `greater_than:n=7`, 3 messages, gap 1/40",
        lambda w: minimax_error("greater_than:n=7", 3, "private", gap="1/40", jobs=w),
    ),
}
"""Questions of different searches that take from half a minute to five minutes."""

WORKERS = (16, 256)
_Run = tuple[float, str]  # seconds, and the digest of the certificate


def main() -> int:
    """Measure the questions that the arguments name, or all."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(QUESTIONS))
    parser.add_argument("--no-dask", action="store_true", help="leave out the cluster")
    given = parser.parse_args()
    if unknown := set(given.names) - set(QUESTIONS):
        parser.error(f"unknown question: {', '.join(sorted(unknown))}")
    click.echo("| question | 1 process, s | 2 processes, s | ratio | 2 Dask workers, s | cubes |"
          " largest cube | 16 processes, s | 256 processes, s |")  # fmt: skip
    click.echo("|---|---|---|---|---|---|---|---|---|")
    same = True
    for name in given.names or QUESTIONS:
        same &= measure(name, dask=not given.no_dask)
    return 0 if same else 1


def measure(name: str, *, dask: bool) -> bool:
    """Print the row of a question; return whether all certificates are the same."""
    with tempfile.TemporaryDirectory() as folder:
        store = str(Path(folder, "cubes.db"))
        one = in_process(name, Workers(1, store=store))
        cubes = times(store)
    two = in_process(name, Workers(2))
    runs = [one, two]
    remote = "-"
    if dask:
        with cluster() as address:
            runs.append(in_process(name, Workers(scheduler=address)))
        remote = f"{runs[-1][0]:.1f}"
    outside = one[0] - sum(cubes)
    more = [f"{outside + makespan(cubes, workers):.1f}" for workers in WORKERS]
    largest = f"{100 * max(cubes) / sum(cubes):.1f} %" if cubes else "-"
    cells = [
        f"`{name}`: {QUESTIONS[name][0]}",
        f"{one[0]:.1f}",
        f"{two[0]:.1f}",
        f"{one[0] / two[0]:.2f}",
    ]
    click.echo("| " + " | ".join([*cells, remote, str(len(cubes)), largest, *more]) + " |")
    same = len({digest for _, digest in runs}) == 1
    if not same:
        click.echo(f"{name}: the certificates differ", err=True)
    return same


def in_process(name: str, workers: Workers) -> _Run:
    """Answer a question in a new process."""
    context = multiprocessing.get_context("spawn")
    results: multiprocessing.Queue[_Run] = context.Queue()
    process = context.Process(target=answer, args=(name, workers, results))
    process.start()
    found = results.get()
    process.kill()  # it would wait for its idle processes
    process.join()
    return found


def answer(name: str, workers: Workers, results: multiprocessing.Queue[_Run]) -> None:
    """Answer a question, and hand over the time and the digest of the certificate."""
    begin = time.perf_counter()
    result = QUESTIONS[name][1](workers)
    seconds = time.perf_counter() - begin
    results.put((seconds, digest_of(result)))


def digest_of(result: Any) -> str:  # noqa: ANN401 - results of any question
    """Return the digest of the certificate of a result."""
    return hashlib.sha256(result.certificate().to_json().encode()).hexdigest()


def times(store: str) -> list[float]:
    """Return the seconds of the cubes, in their order."""
    with closing(sqlite3.connect(store)) as database:
        return [
            seconds
            for (seconds,) in database.execute("SELECT seconds FROM answers ORDER BY message + 0")
        ]


@contextmanager
def cluster() -> Iterator[str]:
    """Yield the address of a Dask cluster of two workers."""
    from dask.distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as made:
        yield made.scheduler_address


if __name__ == "__main__":
    sys.exit(main())
