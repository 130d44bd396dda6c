"""What ``ccsim learn`` says of a learner."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ccsim.cli.output import float_bounds, show_fraction
from ccsim.learning.learner import Learner, LearningTrial
from ccsim.learning.learners.representation import RepresentationLearner

__all__ = ["Answer", "describe"]

Answer = tuple[dict[str, Any], list[tuple[str, str]]]
"""Data for JSON, and lines for people."""


def _above(learner: Learner) -> str:
    agnostic = isinstance(learner, RepresentationLearner) and learner.agnostic
    return " above the best concept's" if agnostic else ""


def describe(
    instance: str, name: str, learner: Learner, trials: Mapping[str, LearningTrial]
) -> Answer:
    """Return what is said of a learner and of its trials."""
    guarantee = learner.privacy
    private = (
        "not private" if guarantee is None else f"epsilon = {guarantee[0]}, delta = {guarantee[1]}"
    )
    data: dict[str, Any] = {
        "instance": instance,
        "learner": name,
        "accuracy": str(learner.accuracy),
        "failure": str(learner.failure),
        "epsilon": None if guarantee is None else str(guarantee[0]),
        "delta": None if guarantee is None else str(guarantee[1]),
        "samples": learner.sample_size,
        "trials": [],
    }
    lines = [
        ("learner", f"{name} of {instance}"),
        ("privacy", private),
        (
            "guarantee",
            f"error at most {learner.accuracy}{_above(learner)}, except with probability "
            f"{learner.failure}",
        ),
        ("samples", f"{learner.sample_size}"),
    ]
    if isinstance(learner, RepresentationLearner):
        data["hypotheses"] = learner.hypotheses
        data["agnostic"] = learner.agnostic
        sets = len(learner.representation.sets)
        drawn = "" if sets == 1 else f", in the largest of {sets} sets"
        lines.insert(1, ("hypotheses", f"{learner.hypotheses}{drawn}"))
    for target, trial in trials.items():
        low, high = float_bounds(trial.interval.lower, trial.interval.upper)
        data["trials"].append(
            {
                "target": target,
                "runs": trial.runs,
                "seed": trial.seed,
                "failures": trial.failures,
                "failure_interval": [low, high],
                "confidence": str(trial.confidence),
                "largest_error": str(trial.largest),
                "average_error": str(trial.average),
            }
        )
        lines.append(
            (
                target,
                f"{trial.failures} of {trial.runs} runs failed (failure probability in "
                f"[{low:.3g}, {high:.3g}] with {float(100 * trial.confidence):g}% confidence), "
                f"largest error {show_fraction(trial.largest)}",
            )
        )
    return data, lines
