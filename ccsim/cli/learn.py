"""``ccsim learn``: a private learner at the sample size of its theorem, tried on hard targets."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import click

from ccsim.cli.output import report, show_fraction
from ccsim.errors import DomainError
from ccsim.exact import as_fraction
from ccsim.instances import check_keys, parse_call
from ccsim.privacy import Epsilon
from ccsim.privacy.hard_targets import hard_line_targets, hard_point_targets
from ccsim.privacy.learner import Learner, LearningTrial, learning_trial
from ccsim.privacy.line_learner import LineLearner
from ccsim.privacy.point_learners import (
    CodePointLearner,
    ConstantPointLearner,
    NonprivatePointLearner,
    ProperPointLearner,
)

__all__ = ["learn"]

_POINTS: Mapping[str, Callable[[Fraction, Fraction, Epsilon, int], Learner]] = MappingProxyType(
    {
        "improper-code": CodePointLearner,
        "improper-constant": ConstantPointLearner,
        "nonprivate": NonprivatePointLearner,
        "proper": ProperPointLearner,
    }
)
_NAMES = sorted([*_POINTS, "lines"])


@click.command()
@click.argument("instance")
@click.option(
    "--learner",
    required=True,
    type=click.Choice(_NAMES),
    help="proper: exponential mechanism over all points; improper-code: over a small "
    "representation; improper-constant: number of samples independent of the domain; "
    "lines: stable mode of a basic learner, with delta above 0.",
)
@click.option("--accuracy", required=True, metavar="A", help="Allowed error of the hypothesis.")
@click.option("--failure", required=True, metavar="F", help="Allowed probability of more.")
@click.option("--epsilon", default="1", show_default=True, metavar="E", help="1/2 or 'ln 2'.")
@click.option("--delta", default="1/1000", show_default=True, metavar="D", help="For lines.")
@click.option("--runs", type=click.IntRange(min=1), default=40, show_default=True)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def learn(  # noqa: PLR0913 - one argument for each option
    *,
    instance: str,
    learner: str,
    accuracy: str,
    failure: str,
    epsilon: str,
    delta: str,
    runs: int,
    seed: int,
    as_json: bool,
) -> None:
    """Run a private learner of INSTANCE (points:b=1 to 64, or lines:p=...) on hard targets.

    Each run has a fresh sample of the size that the learner's theorem asks for. The errors of the
    hypotheses are exact; the interval of the failure probability has confidence 95 %.
    """
    allowed, missed = as_fraction(accuracy, "accuracy", 0, 1), as_fraction(failure, "failure", 0, 1)
    bound = Epsilon.of(epsilon)
    chosen: Learner
    if learner == "lines":
        p = _parameter(instance, "lines", "p")
        chosen = LineLearner(allowed, missed, bound, as_fraction(delta, "delta", 0, 1), p)
        targets = hard_line_targets(p, allowed, seed)
    else:
        bits = _parameter(instance, "points", "b")
        chosen = _POINTS[learner](allowed, missed, bound, bits)
        targets = hard_point_targets(bits, allowed, seed)
    trials = {}
    for name, target in targets.items():
        trials[name] = learning_trial(chosen, target, runs, seed, progress=_progress(name))
    data, lines = _describe(instance, learner, chosen, trials)
    report(data, lines, as_json=as_json)


def _parameter(instance: str, family: str, key: str) -> int:
    """Read ``family:key=value`` without building the class, which may be far too large."""
    name, parameters = parse_call(instance)
    if name != family:
        msg = f"{instance}: this learner is for {family}:{key}=..."
        raise DomainError(msg)
    check_keys(family, parameters, [key], [key])
    return parameters[key]


def _progress(name: str) -> Callable[[int, int], None] | None:
    if not sys.stderr.isatty():
        return None

    def show(done: int, runs: int) -> None:
        text = f"{name}: run {done} of {runs}" if done < runs else ""
        click.echo(f"\r{text:<70}\r", err=True, nl=False)

    return show


def _describe(
    instance: str, name: str, learner: Learner, trials: Mapping[str, LearningTrial]
) -> tuple[dict[str, Any], list[tuple[str, str]]]:
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
            f"error at most {learner.accuracy}, except with probability {learner.failure}",
        ),
        ("samples", f"{learner.sample_size}"),
    ]
    for target, trial in trials.items():
        low, high = float(trial.interval.lower), float(trial.interval.upper)
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
