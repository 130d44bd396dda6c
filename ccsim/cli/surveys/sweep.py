"""``ccsim sweep``: how many examples learners of points need, by the size of the domain."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from ccsim.budget import Budget
from ccsim.cli.main import EXIT_INTERRUPTED, EXIT_NOT_DECIDED
from ccsim.cli.output import report, time_limit_option
from ccsim.cli.parameters import Command, Integer, OutputFolder
from ccsim.cli.terminal.progress import progress_line
from ccsim.errors import DomainError
from ccsim.exact import Epsilon
from ccsim.exact.fractions import as_fraction, as_integer
from ccsim.surveys.point_learners import (
    POINT_LEARNERS,
    Cell,
    Experiment,
    measure,
    read_cells,
    write_cells,
)

__all__ = ["sweep"]


@click.command(cls=Command)
@click.option("--bits", default="4,8,16,32,64", show_default=True, metavar="B,...")
@click.option("--learners", default=",".join(POINT_LEARNERS), show_default=True, metavar="NAME,...")
@click.option("--accuracy", default="1/10", show_default=True, metavar="A")
@click.option("--failure", default="1/10", show_default=True, metavar="F")
@click.option("--epsilon", default="1", show_default=True, metavar="E")
@click.option("--runs", type=Integer(1), default=100, show_default=True)
@click.option("--seed", type=Integer(0), default=0, show_default=True)
@click.option(
    "--out",
    type=OutputFolder("table.json", "table.svg"),
    help="Folder for table.json, which an interrupted sweep goes on from, and table.svg.",
)
@time_limit_option("Stop after S seconds, or on Ctrl-C, with the cells measured by then.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def sweep(  # noqa: PLR0913 - one argument for each option
    *,
    bits: str,
    learners: str,
    accuracy: str,
    failure: str,
    epsilon: str,
    runs: int,
    seed: int,
    out: Path | None,
    time_limit: float,
    as_json: bool,
) -> int:
    """Measure the examples that learners of 2^bits points need, beside their theorems.

    This is Table 1 of Beimel, Brenner, Kasiviswanathan and Nissim as an experiment. The error bars
    span the numbers of examples that are too few and enough with 95 % confidence. The exit status
    is 3 if the time limit left cells unmeasured, and 130 if an interrupt did.
    """
    budget = Budget(time_limit)
    experiment = Experiment(
        tuple(as_integer(text, "bits", 1) for text in bits.split(",")),
        tuple(learners.split(",")),
        as_fraction(accuracy, "accuracy", 0, 1),
        as_fraction(failure, "failure", 0, 1),
        Epsilon.of(epsilon),
        runs,
        seed,
    )
    for name in experiment.learners:
        if name not in POINT_LEARNERS:
            raise DomainError(f"unknown learner {name!r}; known are {', '.join(POINT_LEARNERS)}")
    cells = _run(experiment, out, budget)
    wanted = [c for c in cells if c.bits in experiment.bits and c.learner in experiment.learners]
    rows = [(f"{cell.learner}, 2^{cell.bits} points", _line(cell)) for cell in wanted]
    data = {**experiment.settings(), "cells": [_json(cell) for cell in wanted]}
    report(data, rows, as_json=as_json)
    if len(wanted) == len(set(experiment.bits)) * len(set(experiment.learners)):
        return 0
    return EXIT_INTERRUPTED if budget.interrupted else EXIT_NOT_DECIDED


def _run(experiment: Experiment, out: Path | None, budget: Budget) -> list[Cell]:
    """Measure what is missing; every cell is on disk before the next one begins."""
    with progress_line() as show:

        def progress(learner: str, bits: int) -> None:
            if show is not None:
                show(f"measuring {learner} on 2^{bits} points")

        return _measured(experiment, out, budget, progress)


def _measured(
    experiment: Experiment,
    out: Path | None,
    budget: Budget,
    progress: Callable[[str, int], None],
) -> list[Cell]:
    if out is None:
        return list(measure(experiment, (), progress, time_limit=budget))
    from ccsim.pictures.figures import check_matplotlib, save_figure
    from ccsim.pictures.samples import draw_samples

    check_matplotlib()

    table, picture = out / "table.json", out / "table.svg"
    with _alone_in(out):
        if picture.exists() and not table.exists():
            raise DomainError(
                f"{picture}: it is there without {table.name}, so that no sweep has drawn it"
            )
        cells = read_cells(table, experiment)
        for cell in measure(experiment, tuple(cells), progress, time_limit=budget):
            cells.append(cell)
            write_cells(table, experiment, cells)
        save_figure(picture, draw_samples(cells))
    return cells


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Keep other sweeps out of a folder; the system forgets the lock with the process."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise DomainError(
                f"{folder}: another sweep is writing there; wait for it, or choose another folder"
            ) from None
        yield
    finally:
        os.close(handle)


def _line(cell: Cell) -> str:
    enough = "?" if cell.sufficient is None else str(cell.sufficient)
    bound = f", lower bound {cell.lower_bound}" if cell.lower_bound else ""
    return (
        f"about {cell.estimate} examples ({cell.insufficient} too few, {enough} enough); "
        f"theorem {cell.theorem}{bound}"
    )


def _json(cell: Cell) -> dict[str, object]:
    return {name: getattr(cell, name) for name in cell.__slots__}
