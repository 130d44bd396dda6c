"""``ccsim learn --learner rectangles``: boxes over long axes, on hard samples or on records."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ccsim.budget import Budget
from ccsim.cli.output import (
    NOT_PRIVATE,
    float_bounds,
    noise_data,
    report,
    show_coins,
    show_fraction,
)
from ccsim.data import frozen
from ccsim.errors import DomainError
from ccsim.exact import Epsilon, clopper_pearson
from ccsim.exact.probability import randomness
from ccsim.instances.records import record_rows
from ccsim.release.rectangles import (
    Example,
    LearnedRectangle,
    RectangleLearner,
    printed_rectangle_size,
)
from ccsim.surveys.targets import BOX_TARGETS
from ccsim.texts.reading import name_of_file
from ccsim.texts.tables import Cell, refuse, refuse_record

_RUNS = 3
_MOST_EXAMPLES = 1 << 22
_LONGEST = 40
_CONFIDENCE = Fraction(95, 100)


@frozen
class BoxTask:
    """The parameters of ``ccsim learn --learner rectangles``."""

    instance: str  # ``boxes:b=...,d=...``
    accuracy: Fraction
    failure: Fraction
    epsilon: Epsilon
    samples: int
    runs: int | None
    # without one, records get the system's random bytes, and the targets the seed 0
    seed: int | None
    records: str | None  # A file of examples
    require_theorem: bool
    with_error: bool


def learn_boxes(
    task: BoxTask, delta: Fraction, learner: RectangleLearner, budget: Budget, *, as_json: bool
) -> int:
    """Learn boxes, print the result, and return the exit status."""
    bits, dimension = learner.cuts.last.bit_length(), learner.dimension
    asked = task.accuracy, task.failure, task.epsilon, delta
    theorem = printed_rectangle_size(*asked, bits, dimension)
    no_number = (
        "no theorem states a number of samples for these cuts; with cuts by san-thresholds, "
        f"Theorem 3.22 needs {theorem}"
    )
    if task.require_theorem:
        raise DomainError(no_number)
    size = task.samples
    if size > _MOST_EXAMPLES:
        raise DomainError(f"samples must be at most {_MOST_EXAMPLES} for rectangles, not {size}")
    runs: dict[str, list[LearnedRectangle]] = {}
    if task.records is not None:
        examples = _read(task.records, bits, dimension, budget)
        size = len(examples)
        with budget.heard():
            runs["records"] = [learner.learn(examples, randomness(task.seed))]
    else:
        for number, (name, draw) in enumerate(BOX_TARGETS.items()):
            for run in range(task.runs or _RUNS):
                budget.spend()
                key = np.random.SeedSequence(task.seed or 0, spawn_key=(number, run))
                rng = np.random.default_rng(key)
                with budget.heard():
                    learned = learner.learn(draw(bits, dimension, size, rng), rng)
                runs.setdefault(name, []).append(learned)
    epsilon, spent = learner.privacy
    privacy = f"epsilon = {epsilon}, delta = {spent}"
    data: dict[str, Any] = {
        "instance": task.instance,
        "learner": "rectangles",
        "accuracy": str(task.accuracy),
        "failure": str(task.failure),
        "epsilon": str(epsilon),
        "delta": str(spent),
        "samples": size,
        "theorem": theorem,
        "trials": [],
        "boxes": [],
    }
    if task.records is not None:
        data |= noise_data(f"{privacy}, if one record is replaced", task.seed, ["boxes"])
    lines = [
        ("learner", f"rectangles of {task.instance}"),
        ("privacy", data.get("privacy", privacy)),
        ("guarantee", f"none: {no_number}"),
        ("samples", f"{size}"),
    ]
    for name, found_boxes in runs.items():
        _describe(name, found_boxes, task, data, lines)
    report(data, lines, as_json=as_json)
    return 0


def _describe(
    name: str,
    learned: Sequence[LearnedRectangle],
    task: BoxTask,
    data: dict[str, Any],
    lines: list[tuple[str, str]],
) -> None:
    errors = [box.empirical_error for box in learned]
    last = learned[-1]
    sides = [list(side) for side in last.concept.sides]
    data["boxes"].append({"target": name, "sides": sides})
    box = " x ".join(f"[{low}, {high}]" for low, high in last.concept.sides)
    shown = "empty" if last.concept.sides[0] == (1, 0) else box
    if task.records is not None:
        lines += [("coins", show_coins(task.seed)), ("box", shown)]
        if task.with_error:
            data["not_private"] = [*data["not_private"], "error"]
            data["error"] = {"empirical_error": str(last.empirical_error)}
            lines.append(("empirical error", show_fraction(last.empirical_error)))
            lines.append(("", NOT_PRIVATE))
        return
    data["boxes"][-1]["empirical_error"] = str(last.empirical_error)
    failures = sum(error > task.accuracy for error in errors)
    interval = clopper_pearson(failures, len(errors), _CONFIDENCE)
    data["trials"].append(
        {
            "target": name,
            "runs": len(errors),
            "seed": task.seed or 0,
            "failures": failures,
            "failure_interval": float_bounds(interval.lower, interval.upper),
            "confidence": str(_CONFIDENCE),
            "largest_error": str(max(errors)),
            "average_error": str(sum(errors, Fraction(0)) / len(errors)),
        }
    )
    lines.append(
        (
            name,
            f"{failures} of {len(errors)} runs failed, largest empirical error "
            f"{show_fraction(max(errors))}",
        )
    )


def _read(path: str, bits: int, dimension: int, budget: Budget) -> list[Example]:
    """Return the examples in a file, each row of which has the coordinates and a label."""
    examples: list[Example] = []
    rows, path = record_rows(path), name_of_file(path)
    for row, cells in rows:
        budget.spend()
        if len(cells) != dimension + 1:
            place = Cell(path, row, min(len(cells), dimension + 1) + 1)
            refuse(place, f"{len(cells)} cells", f"expected {dimension} coordinates and a label")
        point = []
        for column, cell in enumerate(cells[:-1], 1):
            known = cell.isascii() and cell.isdigit() and len(cell) <= _LONGEST
            if not known or int(cell) >> bits:
                refuse_record(Cell(path, row, column), f"expected a number below 2^{bits}")
            point.append(int(cell))
        if cells[-1] not in {"0", "1"}:
            refuse_record(Cell(path, row, dimension + 1), "expected 0 or 1")
        examples.append((tuple(point), int(cells[-1])))
    return examples
