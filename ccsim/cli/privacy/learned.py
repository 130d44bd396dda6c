"""What ``ccsim learn`` says of a learner, and the learners whose failure is added up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import numpy as np

from ccsim.budget import Budget
from ccsim.cli.output import float_bounds, rounded_up, show_fraction
from ccsim.cli.privacy.traced import answer_on_records, learned_answer
from ccsim.data import frozen
from ccsim.errors import DomainError
from ccsim.exact import Epsilon
from ccsim.exact.probability import randomness
from ccsim.instances import check_keys, parse_call
from ccsim.instances.examples import read_examples
from ccsim.learning.learner import DrawnSample, Learner, LearningTrial, Target
from ccsim.learning.learners.points import ApproximatePointLearner, PointLearner, ProperPointLearner
from ccsim.learning.learners.public_points import LabelPrivateLearner
from ccsim.learning.learners.representation import RepresentationLearner
from ccsim.learning.learners.thresholds import (
    ExponentialThresholdLearner,
    RecConcaveThresholdLearner,
    ThresholdLearner,
    best_split,
    proved_failure,
)
from ccsim.surveys.targets import hard_point_targets, hard_threshold_targets

Answer = tuple[dict[str, Any], list[tuple[str, str]]]
"""Data for JSON, and lines for people."""
LONG_LEARNERS: Mapping[str, str] = MappingProxyType(
    {"approximate-points": "points", "exponential": "thresholds", "rec-concave": "thresholds"}
)
"""Learners of long domains whose failure is added up, and the family that they learn."""
Asked = tuple[Fraction, Fraction, Epsilon, int, int]
"""Accuracy, failure, epsilon, bits of a point, and examples (0 for those of the theorem)."""


@frozen
class Steps:
    """How thresholds are learned: choice of intervals, whether the best split is sought, a file.

    ``coins`` is a seed of the noise on its records; ``with_error`` asks for the unprotected, too.
    """

    choice: str = "corrected"
    best: bool = False
    records: str | None = None
    coins: int | None = None
    with_error: bool = False


_MOST_BITS = 64
_MOST_ADDED = 1 << 16
"""Most samples of the exponential mechanism whose failure is added up: seconds."""


def family_parameter(instance: str, family: str, key: str) -> int:
    """Read ``family:key=value`` without building the class, which may be far too large."""
    name, parameters = parse_call(instance)
    if name != family:
        raise DomainError(f"{instance}: this learner is for {family}:{key}=...")
    check_keys(family, parameters, [key], [key])
    return parameters[key]


def _above(learner: Learner) -> str:
    agnostic = isinstance(learner, RepresentationLearner) and learner.agnostic
    return " above the best concept's" if agnostic else ""


def describe(
    instance: str,
    name: str,
    learner: Learner,
    trials: Mapping[str, LearningTrial],
    privacy: str | None = None,
) -> Answer:
    """Return what is said of a learner, of its privacy unless given, and of its trials."""
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
        ("privacy", privacy or private),
        (
            "guarantee",
            f"error at most {learner.accuracy}{_above(learner)}, except with probability "
            f"{learner.failure}{_unless(learner)}",
        ),
        ("samples", f"{learner.sample_size}"),
    ]
    if isinstance(learner, RepresentationLearner):
        data["hypotheses"] = learner.hypotheses
        data["agnostic"] = learner.agnostic
        sets = len(learner.representation.sets)
        drawn = "" if sets == 1 else f", in the largest of {sets} sets"
        lines.insert(1, ("hypotheses", f"{learner.hypotheses}{drawn}"))
    if isinstance(learner, LabelPrivateLearner):
        data |= {"private": learner.protected, "public": learner.sizes.public}
        lines[1] = ("privacy", f"{private}, for {learner.protected}")
        lines.append(("public points", f"{learner.sizes.public}, of the first examples"))
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


def _unless(learner: Learner) -> str:
    """Return a reservation if the samples are too few for the theorem, or the domain too small."""
    if isinstance(learner, PointLearner | ThresholdLearner):
        try:
            check_theorem(learner)
        except DomainError as error:
            return f"; not promised: {error}"
    return ""


def check_theorem(learner: PointLearner | ThresholdLearner) -> None:
    """Refuse fewer examples than the learner's theorem asks for."""
    if learner.sample_size < learner.theorem_size:
        raise DomainError(
            f"samples must be at least {learner.theorem_size} for the theorem, not "
            f"{learner.sample_size}"
        )


def long_learner(
    name: str,
    asked: Asked,
    delta: Fraction,
    seed: int,
    steps: Steps,
    budget: Budget,
    *,
    require_theorem: bool,
) -> tuple[PointLearner | ThresholdLearner, Mapping[str, Target], Answer]:
    """Return a learner of `LONG_LEARNERS`, its hard targets, and its failure.

    Of points it is the failure on the worst target and distribution; of thresholds that of too
    large an empirical error, on one sample of each target, or on the labelled points of a file;
    then there is no target.
    """
    accuracy, _, _, bits, _ = asked
    if name == "approximate-points":
        points = ApproximatePointLearner(*asked, delta)
        _check(points, require_theorem=require_theorem)
        return points, hard_point_targets(bits, accuracy, seed), worst_answer(points)
    learner = threshold_learner(name, asked, delta, steps)
    if steps.records is not None:
        examples = read_examples(steps.records, learner.bits, budget)
        learner = replace(learner, samples=len(examples))
    _check(learner, require_theorem=require_theorem)
    if steps.records is not None:
        learned = learner.learn(examples, randomness(steps.coins))
        data, lines = answer_on_records(learned, steps.coins, with_error=steps.with_error)
        known, proved = _on_every_sample(learner)
        return learner, {}, (known | data, proved + lines)
    targets = hard_threshold_targets(bits, accuracy, seed)
    return learner, targets, _on_samples(learner, targets, seed)


def threshold_learner(name: str, asked: Asked, delta: Fraction, steps: Steps) -> ThresholdLearner:
    """Return a learner of thresholds."""
    accuracy, failure, epsilon, bits, samples = asked
    if not 2 <= bits <= _MOST_BITS:
        raise DomainError(f"bits must lie between 2 and {_MOST_BITS}, not {bits}")
    if name == "exponential":
        return ExponentialThresholdLearner(*asked)
    if accuracy > Fraction(1, 2):
        raise DomainError(f"accuracy must be at most 1/2 for rec-concave, not {accuracy}")
    if steps.best:
        best = best_split(accuracy, failure, epsilon, bits, delta, steps.choice)
        return replace(best, samples=samples)
    return RecConcaveThresholdLearner(*asked, delta, choice=steps.choice)


def _check(learner: PointLearner | ThresholdLearner, *, require_theorem: bool) -> None:
    if require_theorem:
        check_theorem(learner)
    learner.check_work()


def worst_answer(learner: Learner) -> Answer:
    """Return the failure of a learner of points on its worst target, if it can be added up soon."""
    if not isinstance(learner, ApproximatePointLearner | ProperPointLearner):
        return {}, []
    if isinstance(learner, ProperPointLearner) and learner.sample_size > _MOST_ADDED:
        return {}, [("worst target", f"not added up for more than {_MOST_ADDED} samples")]
    worst = learner.worst_failure()
    data = {
        "mass": str(worst.mass),
        "wrong": worst.wrong,
        "failure": float_bounds(worst.failure.lower, worst.failure.upper),
    }
    proved = (
        f"failure probability at most {rounded_up(worst.failure.upper)}, proved, for all targets; "
        f"worst where the point has mass {show_fraction(worst.mass)}"
    )
    return {"worst": data}, [("worst target", proved)]


def _on_every_sample(learner: ThresholdLearner) -> Answer:
    """Return what is proved of the empirical error on all samples of a threshold, if anything."""
    if not isinstance(learner, RecConcaveThresholdLearner) or learner.calls != 2:
        return {}, []
    bound = proved_failure(learner.run, learner.sample_size)
    if bound >= 1:
        return {"every_sample": 1.0}, []
    shown = (
        f"empirical error above {learner.accuracy / 2} with probability at most "
        f"{rounded_up(bound)}, proved"
    )
    return {"every_sample": float_bounds(bound, bound)[1]}, [("every sample", shown)]


def _on_samples(learner: ThresholdLearner, targets: Mapping[str, Target], seed: int) -> Answer:
    found: list[dict[str, Any]] = []
    lines: list[tuple[str, str]] = []
    for number, (name, target) in enumerate(targets.items()):
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number, 0)))
        learned = learner.learn_sample(DrawnSample(target, learner.sample_size, rng), rng)
        data, shown = learned_answer(name, learned)
        found.append(data)
        lines += shown
    known, proved = _on_every_sample(learner)
    return known | {"one_sample": found}, proved + lines
