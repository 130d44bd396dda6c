"""``ccsim packing``: lower bounds on the examples or records that privacy requires, by packings."""

from __future__ import annotations

from typing import Any

import click

from ccsim.appearance import counted, show_label
from ccsim.budget import Budget
from ccsim.certificates.envelope import encode_fraction
from ccsim.classes import ConceptClass
from ccsim.classes.given import as_class
from ccsim.cli.output import (
    SEARCHING,
    checked,
    output_options,
    report,
    show_fraction,
    time_limit_option,
    time_to_check,
)
from ccsim.cli.parameters import EPSILON, INSTANCE, Command
from ccsim.learning.packing import PackingBound, learning_lower_bound
from ccsim.release.lower_bound import ReleaseBound, release_lower_bound

_TASKS = ("learning", "proper", "release")
_SHOWN = 4


@click.command(cls=Command)
@click.argument("instance", type=INSTANCE)
@click.option("--accuracy", required=True, metavar="A", help="Largest allowed error.")
@click.option(
    "--failure", required=True, metavar="F", help="Allowed probability of a larger error."
)
@click.option(
    "--epsilon",
    required=True,
    type=EPSILON,
    metavar="E",
    help="Privacy parameter, e.g. 1/2 or 'ln 3'.",
)
@click.option(
    "--task",
    type=click.Choice(_TASKS),
    default="learning",
    show_default=True,
    help="Task: learning, proper learning, or query release.",
)
@time_limit_option("Stop after S seconds with the best packing found so far.", default=60)
@output_options
def packing(  # noqa: PLR0913 - one argument for each option
    *,
    instance: str,
    accuracy: str,
    failure: str,
    epsilon: str,
    task: str,
    time_limit: float,
    as_json: bool,
    certificate: str | None,
) -> None:
    """Compute a lower bound on the sample size of private learners of the class INSTANCE.

    A packing is a set of targets, each a concept with a distribution over points, such that no
    hypothesis has error at most A for two of them. An epsilon-private learner with fewer examples
    than the bound has an error above A on one of the targets with probability above F. Other
    packings may give larger bounds.

    Tasks: in learning the learner may output any hypothesis, in proper learning only concepts of
    the class. In release, the targets are databases; each concept is a counting query, and every
    answer has an error below A.
    """
    budget = Budget(time_limit)
    C = as_class(instance, budget)
    bound: PackingBound | ReleaseBound
    if task == "release":
        bound = release_lower_bound(C, accuracy, failure, epsilon)
        bound.check()
        data, lines = _release(C, bound)
    else:
        found = learning_lower_bound(
            C, accuracy, failure, epsilon, proper=task == "proper",
            time_limit=budget.share(SEARCHING),
        )  # fmt: skip
        bound = checked(found, time_to_check(budget), PackingBound.with_fewer_targets)
        data, lines = _learning(C, bound)
    if certificate is not None:
        bound.certificate().write(certificate)
    common = {
        "instance": C.name,
        "task": task,
        "epsilon": str(bound.epsilon),
        "factor": encode_fraction(bound.factor),
        "failure": encode_fraction(bound.failure),
        "merged": C.merged,
    }
    report({**common, **data}, [("class", show_label(C)), *lines], as_json=as_json)


def _learning(C: ConceptClass, bound: PackingBound) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    found = bound.packing
    concept, distribution = found.targets[bound.center]
    spread = sorted(found.distances(bound.center).items())
    masses = [
        f"Pr({show_label(x)}) = {p}" for x, p in zip(C.points, distribution, strict=True) if p
    ]
    data = {
        "lower": bound.samples,
        "accuracy": encode_fraction(found.accuracy),
        "targets": len(found.targets),
        "center": C.concepts[concept],
        "distances": [[encode_fraction(t), n] for t, n in spread],
    }
    shown = [
        f"{counted(n, 'target', 'targets')} at distance {show_fraction(t)}"
        for t, n in spread[:_SHOWN]
    ]
    lines = [
        ("examples", f"at least {bound.samples}"),
        ("packing", f"{len(found.targets)} targets"),
        ("center", f"{show_label(C.concepts[concept])}, {', '.join(masses[:_SHOWN])}"),
        ("distances", ", ".join(shown + ["..."] * (len(spread) > _SHOWN)) or "none"),
    ]
    return data, lines


def _release(C: ConceptClass, bound: ReleaseBound) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    data = {
        "lower": bound.records,
        "accuracy": encode_fraction(bound.accuracy),
        "targets": len(bound.points),
        "center": C.points[bound.points[0]],
    }
    lines = [
        ("records", f"at least {bound.records}"),
        (
            "packing",
            f"{len(bound.points)} databases, one for each point that the concepts distinguish",
        ),
        ("center", f"copies of {show_label(C.points[bound.points[0]])}"),
    ]
    return data, lines
