"""Table 1 of Beimel et al. as a resumable survey: sample sizes of learners of points."""

from __future__ import annotations

import json
import math
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import get_args, get_type_hints

import numpy as np

from ccsim.budget import Budget, OutOfTimeError, TimeLimit
from ccsim.certificates.files import write_text_atomically
from ccsim.data import frozen
from ccsim.errors import CcsimError, DomainError, NotDecidedError, UnreadableInputError
from ccsim.exact.epsilon import Epsilon
from ccsim.learning.learner import Learner, LearningTrial, Target, learning_trial
from ccsim.learning.learners.points import (
    CodePointLearner,
    ConstantPointLearner,
    NonprivatePointLearner,
    PointLearner,
    ProperPointLearner,
)
from ccsim.learning.packing import proper_point_lower_bound
from ccsim.parallel.store import Store
from ccsim.surveys.instances import Asked
from ccsim.surveys.survey import CRASHED, NOT_DECIDED, Reply, Survey, survey
from ccsim.surveys.targets import point_target
from ccsim.texts.calls import parse_call

POINT_LEARNERS: Mapping[str, type[PointLearner]] = MappingProxyType(
    {
        "nonprivate": NonprivatePointLearner,
        "proper": ProperPointLearner,
        "improper-code": CodePointLearner,
        "improper-constant": ConstantPointLearner,
    }
)
"""Learners of points, by their names on the command line."""

FORMAT = 1  # version of the file to which cells are written
VERSION = "1"  # of the measurement, part of the key of an answer
_REFUSED = 2

_SLACK = 4


@frozen
class Experiment:
    """An experiment: the sample sizes of learners on domains of size ``2**bits``."""

    bits: tuple[int, ...]
    learners: tuple[str, ...]  # keys of `POINT_LEARNERS`
    accuracy: Fraction
    failure: Fraction
    epsilon: Epsilon
    runs: int  # runs for each number of examples
    seed: int

    def learner(self, name: str, bits: int, samples: int) -> PointLearner:
        """Return the learner of ``2**bits`` points with the given number of examples."""
        made = POINT_LEARNERS[name]
        return made(self.accuracy, self.failure, self.epsilon, bits, samples)

    def settings(self) -> dict[str, str | int]:
        """Return the settings of a cell other than its learner and domain."""
        names = ("accuracy", "failure", "epsilon")
        texts = {name: str(getattr(self, name)) for name in names}
        return {**texts, "runs": self.runs, "seed": self.seed}


@frozen
class Cell:
    """One measured entry of the table."""

    learner: str
    bits: int
    estimate: int  # these three as in `SamplesNeeded`
    insufficient: int
    sufficient: int | None
    theorem: int  # examples that the learner's theorem asks for
    lower_bound: int  # examples that every private proper learner needs; 0 for other learners


@frozen
class Measure:
    """An experiment as the question of a survey, with instances ``LEARNER:bits=B``."""

    experiment: Experiment
    end: float = math.inf  # when to stop, by the clock of this machine (`time.monotonic`)

    def __call__(self, instance: str) -> Reply:
        """Return the cell of an instance as a JSON object."""
        name, values = parse_call(instance)
        try:
            budget = Budget(max(self.end - time.monotonic(), 0.0))
            cell = _cell(self.experiment, name, values["bits"], budget)
        except OutOfTimeError:
            return Reply(
                NOT_DECIDED, None, "the time limit was reached before the measurement ended"
            )
        except CcsimError as error:
            return Reply(_REFUSED, None, " ".join(str(error).split()))
        return Reply(0, json.dumps(asdict(cell)))


def survey_of(experiment: Experiment, answers: Path | str) -> Survey:
    """Return the survey of an experiment, with its answers in a database."""
    for name in experiment.learners:
        if name not in POINT_LEARNERS:
            raise DomainError(f"unknown learner {name!r}; known: {', '.join(POINT_LEARNERS)}")
        for bits in experiment.bits:
            learner = experiment.learner(name, bits, 0)
            experiment.learner(name, bits, _SLACK * learner.theorem_size).check_work()
    asked = tuple(
        Asked(f"{name}:bits={b}") for name in experiment.learners for b in experiment.bits
    )
    settings = ", ".join(f"{name} {value}" for name, value in experiment.settings().items())
    question = f"examples needed, {settings}"
    return Survey(question, VERSION, asked, Store(answers), math.inf)


def measure(
    experiment: Experiment,
    answers: Path | str | None = None,
    *,
    jobs: int = 1,
    progress: Callable[[Counter[int], int], None] | None = None,
    time_limit: TimeLimit = None,
) -> tuple[list[Cell], bool]:
    """Measure the missing cells; return all cells, and whether all are measured."""
    if answers is None:
        with TemporaryDirectory() as folder:
            return measure(
                experiment, Path(folder, "answers.db"),
                jobs=jobs, progress=progress, time_limit=time_limit,
            )  # fmt: skip
    budget, about = Budget.of(time_limit), survey_of(experiment, answers)
    ask = Measure(experiment, time.monotonic() + budget.remaining)
    complete = survey(ask, about, jobs=jobs, progress=progress, time_limit=budget)
    for row in about.rows():
        if row.status in {_REFUSED, CRASHED}:
            refused = DomainError if row.status == _REFUSED else NotDecidedError
            raise refused(f"{row.instance}: {row.message}")
    found = [row.answer for row in about.store.rows(about.question, about.version)]
    cells = [_cell_from_json(answer, answers) for answer in found if answer is not None]
    names = list(POINT_LEARNERS)
    return sorted(cells, key=lambda cell: (names.index(cell.learner), cell.bits)), complete


def _cell(experiment: Experiment, name: str, bits: int, budget: Budget) -> Cell:
    def learner(samples: int) -> PointLearner:
        return experiment.learner(name, bits, samples)

    budget.spend()
    mass = min(experiment.accuracy * 11 / 10, Fraction(1))
    target = point_target(bits, mass, np.random.default_rng(experiment.seed))
    theorem = learner(0).theorem_size
    found = samples_needed(
        learner, target, _SLACK * theorem, experiment.runs, experiment.seed, time_limit=budget
    )
    proper = name == "proper"
    parameters = experiment.epsilon, experiment.accuracy, experiment.failure
    least = proper_point_lower_bound(1 << bits, *parameters) if proper else 0
    return Cell(name, bits, found.estimate, found.insufficient, found.sufficient, theorem, least)


def write_cells(path: Path, experiment: Experiment, cells: Sequence[Cell]) -> None:
    """Write the cells and their settings to a file, which is never left incomplete."""
    content = {"format": FORMAT, "settings": experiment.settings(), "cells": [*map(asdict, cells)]}
    write_text_atomically(path, json.dumps(content, indent=1) + "\n")


def _cell_from_json(text: str, path: Path | str) -> Cell:
    """Return a cell from JSON text, after checking every entry."""
    try:
        entries = json.loads(text)
        hints = get_type_hints(Cell).items()
        kinds = {name: type(entries[name]) in (get_args(hint) or (hint,)) for name, hint in hints}
        known = entries["learner"] in POINT_LEARNERS
        if known and entries.keys() == kinds.keys() and all(kinds.values()):
            return Cell(**entries)
    except (ValueError, TypeError, LookupError):
        pass
    raise UnreadableInputError(
        f"{path}: the database contains an answer of another experiment: {text[:40]}"
    )


_OCTAVES = 10


@frozen
class SamplesNeeded:
    """A measured number of examples."""

    estimate: int  # least number on the grid at which no more than the allowed share of runs failed
    insufficient: int  # largest one at which more fail, with the trials' confidence; 0 for none
    sufficient: int | None  # least one at which no more fail, with that confidence
    trials: int  # runs for each number


def samples_needed(
    learner: Callable[[int], Learner],
    target: Target,
    largest: int,
    runs: int,
    seed: int,
    *,
    time_limit: TimeLimit = None,
) -> SamplesNeeded:
    """Measure the number of examples with which a learner reaches its accuracy on a target.

    Numbers on a grid of ratio about ``2**(1/4)`` are tried in increasing order, then by bisection,
    then around the threshold until the Clopper-Pearson intervals decide on both sides.
    """
    budget, grid = Budget.of(time_limit), _grid(largest)
    tried: dict[int, LearningTrial] = {}

    def trial(i: int) -> LearningTrial:
        if i not in tried:
            budget.spend()
            found = learning_trial(learner(grid[i]), target, runs, seed + i, time_limit=budget)
            if found.runs < runs:
                raise OutOfTimeError
            tried[i] = found
        return tried[i]

    def enough(i: int) -> bool:
        return Fraction(trial(i).failures, runs) <= allowed

    learner(largest).check_work()
    allowed = learner(largest).failure
    low, high = -1, max(len(grid) - 1 - 4 * _OCTAVES, 0)
    while not enough(high):  # from below, because runs on few examples are quick
        if high == len(grid) - 1:
            raise DomainError(
                f"{trial(high).failures} of {runs} runs failed even with {largest} examples"
            )
        low, high = high, min(high + 4, len(grid) - 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    above, below = high, low
    while above < len(grid) - 1 and trial(above).interval.upper > allowed:
        above += 1
    while below >= 0 and trial(below).interval.lower <= allowed:
        below -= 1
    sufficient = grid[above] if trial(above).interval.upper <= allowed else None
    return SamplesNeeded(grid[high], grid[below] if below >= 0 else 0, sufficient, runs)


def _grid(largest: int) -> list[int]:
    """Return an increasing grid of numbers up to the largest, about four per factor of 2."""
    numbers = [largest]
    while numbers[-1] > 1:
        numbers.append(numbers[-1] * 84 // 100)
    return sorted({*numbers} - {0})
