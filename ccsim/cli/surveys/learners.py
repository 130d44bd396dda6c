"""``ccsim survey learners``: measured numbers of examples for learners of points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

import click

from ccsim.certificates.files import make_folder
from ccsim.cli.main import EXIT_INTERRUPTED, EXIT_NOT_DECIDED
from ccsim.cli.output import report, time_limit_option, told
from ccsim.cli.parameters import EPSILON, Command, Integer, OutputFolder
from ccsim.errors import DomainError
from ccsim.exact import Epsilon
from ccsim.exact.fractions import as_fraction, as_integer
from ccsim.surveys.point_learners import (
    POINT_LEARNERS,
    Cell,
    Experiment,
    measure,
    write_cells,
)

_ANSWERS, _TABLE, _PICTURE = "answers.db", "table.json", "table.svg"


@click.command(cls=Command)
@click.option("--bits", default="4,8,16,32,64", show_default=True, metavar="B,...",
              help="Sizes of the domain: 2^B points.")  # fmt: skip
@click.option("--learners", default=",".join(POINT_LEARNERS), show_default=True,
              metavar="NAME,...", help="Learners to measure.")  # fmt: skip
@click.option("--accuracy", default="1/10", show_default=True, metavar="A",
              help="Largest allowed error.")  # fmt: skip
@click.option("--failure", default="1/10", show_default=True, metavar="F",
              help="Allowed probability of a larger error.")  # fmt: skip
@click.option("--epsilon", default="1", show_default=True, type=EPSILON, metavar="E",
              help="Privacy parameter.")  # fmt: skip
@click.option("--runs", type=Integer(1), default=100, show_default=True, metavar="N",
              help="Runs for each number of examples.")  # fmt: skip
@click.option("--seed", type=Integer(0), default=0, show_default=True, metavar="N",
              help="Seed of all runs.")  # fmt: skip
@click.option(
    "--out",
    type=OutputFolder(_ANSWERS, _TABLE, _PICTURE),
    metavar="FOLDER",
    help="Folder for table.json, table.svg and answers.db.",
)
@click.option("--jobs", type=Integer(1, 256), default=1, show_default=True, metavar="N",
              help="Number of processes on this machine.")  # fmt: skip
@time_limit_option("Stop after S seconds with the cells measured so far.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def learners(  # noqa: PLR0913 - one argument for each option
    *,
    bits: str,
    learners: str,
    accuracy: str,
    failure: str,
    epsilon: str,
    runs: int,
    seed: int,
    out: Path | None,
    jobs: int,
    time_limit: float,
    as_json: bool,
) -> int:
    """Measure the number of examples that learners of points on 2^B points need.

    The experiment corresponds to Table 1 of Beimel, Brenner, Kasiviswanathan and Nissim. Each error
    bar goes from a number of examples that is too small to one that is enough, both with 95 %
    confidence. The exit status is 3 if the time limit left cells unmeasured, and 130 after an
    interrupt. Repeat the command with the same folder to measure the missing cells
    (docs/surveys.md).
    """
    experiment = Experiment(
        tuple(as_integer(text, "bits", 1) for text in bits.split(",")),
        tuple(learners.split(",")),
        as_fraction(accuracy, "accuracy", 0, 1),
        as_fraction(failure, "failure", 0, 1),
        Epsilon.of(epsilon),
        runs,
        seed,
    )
    answers = None if out is None else _checked(out)
    with told(_progress) as shown:
        cells, complete = measure(
            experiment, answers, jobs=jobs, progress=shown, time_limit=time_limit
        )
    if out is not None and cells:
        _write(out, experiment, cells)
    wanted = [c for c in cells if c.bits in experiment.bits and c.learner in experiment.learners]
    rows = [(f"{cell.learner}, 2^{cell.bits} points", _line(cell)) for cell in wanted]
    number = len(set(experiment.bits)) * len(set(experiment.learners))
    if len(wanted) < number:
        rows.append(("measured", f"{len(wanted)} of {number} cells before the time limit"))
    data = {**experiment.settings(), "cells": [_json(cell) for cell in wanted]}
    report(data, rows, as_json=as_json)
    if len(wanted) == number:
        return 0
    return EXIT_NOT_DECIDED if complete else EXIT_INTERRUPTED


def _checked(out: Path) -> Path:
    """Return the database in the folder; refuse a folder with files of other programs."""
    from ccsim.pictures.figures import check_matplotlib

    check_matplotlib()
    answers = out / _ANSWERS
    for path in (out / _TABLE, out / _PICTURE):
        if path.exists() and not answers.exists():
            raise DomainError(
                f"{path} was not written by a survey, as {_ANSWERS} is missing; choose another "
                "folder"
            )
    make_folder(out)
    return answers


def _write(out: Path, experiment: Experiment, cells: Sequence[Cell]) -> None:
    """Write the results for these settings."""
    from ccsim.pictures.figures import save_figure
    from ccsim.pictures.samples import draw_samples

    write_cells(out / _TABLE, experiment, cells)
    save_figure(out / _PICTURE, draw_samples(cells))


def _progress(counts: Counter[int], number: int) -> str:
    return f"{counts[0]} of {number} measured"


def _line(cell: Cell) -> str:
    enough = "?" if cell.sufficient is None else str(cell.sufficient)
    bound = f", lower bound {cell.lower_bound}" if cell.lower_bound else ""
    return (
        f"about {cell.estimate} examples ({cell.insufficient} too few, {enough} enough); "
        f"theorem {cell.theorem}{bound}"
    )


def _json(cell: Cell) -> dict[str, object]:
    return {f.name: getattr(cell, f.name) for f in fields(cell)}
