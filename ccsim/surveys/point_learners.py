"""Table 1 of Beimel et al. as an experiment: examples needed to learn points, by domain size.

Each cell is measured on its own, so that an interrupted experiment goes on where it stopped.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType

import numpy as np

from ccsim.appearance import one_line
from ccsim.budget import Budget, TimeLimit
from ccsim.certificates import read_json, write_text_atomically
from ccsim.errors import DomainError, UnreadableInputError
from ccsim.exact.epsilon import Epsilon
from ccsim.learning.learners.points import (
    CodePointLearner,
    ConstantPointLearner,
    NonprivatePointLearner,
    PointLearner,
    ProperPointLearner,
)
from ccsim.learning.packing.sizes import proper_point_lower_bound
from ccsim.surveys.samples_needed import samples_needed
from ccsim.surveys.targets import point_target

__all__ = ["POINT_LEARNERS", "Cell", "Experiment", "measure", "read_cells", "write_cells"]

POINT_LEARNERS: Mapping[str, type[PointLearner]] = MappingProxyType(
    {
        "nonprivate": NonprivatePointLearner,
        "proper": ProperPointLearner,
        "improper-code": CodePointLearner,
        "improper-constant": ConstantPointLearner,
    }
)
"""Learners of points by their names on the command line."""

FORMAT = 1
"""Version of the file in which cells are kept."""

_SLACK = 4
_ENTRIES: Mapping[str, tuple[type, ...]] = MappingProxyType(
    {
        "learner": (str,),
        "bits": (int,),
        "estimate": (int,),
        "insufficient": (int,),
        "sufficient": (int, type(None)),
        "theorem": (int,),
        "lower_bound": (int,),
    }
)


@one_line
@dataclass(frozen=True, slots=True)
class Experiment:
    """What is measured: for each learner and domain ``2**bits`` the examples that it needs.

    Attributes
    ----------
    bits : tuple of int
    learners : tuple of str
        Keys of `POINT_LEARNERS`.
    accuracy, failure : Fraction
    epsilon : Epsilon
    runs : int
        Runs for each number of examples.
    seed : int
    """

    bits: tuple[int, ...]
    learners: tuple[str, ...]
    accuracy: Fraction
    failure: Fraction
    epsilon: Epsilon
    runs: int
    seed: int

    def settings(self) -> dict[str, str | int]:
        """Return what a cell depends on, beside its learner and domain."""
        names = ("accuracy", "failure", "epsilon")
        texts = {name: str(getattr(self, name)) for name in names}
        return {**texts, "runs": self.runs, "seed": self.seed}


@one_line
@dataclass(frozen=True, slots=True)
class Cell:
    """One measured entry of the table.

    Attributes
    ----------
    learner : str
    bits : int
    estimate, insufficient, sufficient
        As in `ccsim.surveys.samples_needed.SamplesNeeded`.
    theorem : int
        Examples that the learner's theorem asks for.
    lower_bound : int
        Examples that every private learner needs that answers with points (0 if the learner is not
        private, or answers with something else).
    """

    learner: str
    bits: int
    estimate: int
    insufficient: int
    sufficient: int | None
    theorem: int
    lower_bound: int


def measure(
    experiment: Experiment,
    known: Sequence[Cell] = (),
    progress: Callable[[str, int], None] | None = None,
    *,
    time_limit: TimeLimit = None,
) -> Iterator[Cell]:
    """Yield the cells of an experiment that are not known yet.

    The target has slightly more mass on its point than a hypothesis may miss, the rest is spread.
    When the time is over, or with a limit, however large, at an interrupt (Ctrl-C), the cell in
    work is given up, and no other begins.

    Examples
    --------
    >>> tenth = Fraction(1, 10)
    >>> small = Experiment((4,), ("nonprivate",), tenth, tenth, Epsilon.of(1), 100, 0)
    >>> [(cell.learner, cell.bits, cell.theorem) for cell in measure(small)]
    [('nonprivate', 4, 24)]
    """
    budget = Budget.of(time_limit)
    done = {(cell.learner, cell.bits) for cell in known}
    mass = min(experiment.accuracy * 11 / 10, Fraction(1))
    for name in experiment.learners:
        for bits in experiment.bits:
            if (name, bits) not in done:
                if progress is not None:
                    progress(name, bits)
                cell = None
                with budget:
                    cell = _cell(experiment, name, bits, mass, budget)
                if cell is None:
                    return
                yield cell


def _cell(experiment: Experiment, name: str, bits: int, mass: Fraction, budget: Budget) -> Cell:
    def learner(samples: int) -> PointLearner:
        made = POINT_LEARNERS[name]
        return made(experiment.accuracy, experiment.failure, experiment.epsilon, bits, samples)

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
    """Write the cells with the settings that they were measured with, whole or not at all."""
    content = {"format": FORMAT, "settings": experiment.settings(), "cells": [*map(asdict, cells)]}
    write_text_atomically(path, json.dumps(content, indent=1) + "\n")


def read_cells(path: Path, experiment: Experiment) -> list[Cell]:
    """Return the cells of an interrupted experiment; none if there is no file.

    Cells of other learners and domains count, because each is measured on its own.

    Raises
    ------
    DomainError
        If they were measured with other settings.
    UnreadableInputError
        If the file is no such table.
    """
    if not path.exists():
        return []
    content = read_json(path)
    if not isinstance(content, dict) or not {"settings", "cells"} <= content.keys():
        raise UnreadableInputError(f"{path}: not a table of such an experiment")
    here = {"format": FORMAT, **experiment.settings()}
    there = {"format": FORMAT, **content, **_object(content["settings"], path)}
    for name, value in here.items():
        if there.get(name) != value:
            raise DomainError(
                f"{path}: measured with other settings, {name} {there.get(name)} "
                f"and not {value}; choose another folder"
            )
    return [_cell_from_json(cell, path) for cell in content["cells"]]


def _object(value: object, path: Path) -> dict[str, object]:
    if not isinstance(value, dict):
        raise UnreadableInputError(
            f"{path}: not a table of such an experiment: {str(value)[:40]} is no object"
        )
    return value


def _cell_from_json(value: object, path: Path) -> Cell:
    """Return a cell after a check of every entry."""
    entries = _object(value, path)
    for name, kind in _ENTRIES.items():
        if type(entries.get(name)) not in kind:
            raise UnreadableInputError(
                f"{path}: not a table of such an experiment: a cell without its {name}"
            )
    if entries.keys() != _ENTRIES.keys() or entries["learner"] not in POINT_LEARNERS:
        raise UnreadableInputError(
            f"{path}: not a table of such an experiment: a cell of something else"
        )
    return Cell(**entries)  # type: ignore[arg-type]  # checked one by one
