"""``ccsim learn``: a private learner at the sample size of its theorem, tried on hard targets."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import click

from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.cli.main import EXIT_INTERRUPTED, EXIT_NOT_DECIDED
from ccsim.cli.output import (
    float_bounds,
    on_terminal,
    report,
    rewrite,
    rounded_up,
    time_limit_option,
)
from ccsim.cli.parameters import INPUT, INSTANCE, Command, Integer, Rational, read_class
from ccsim.cli.privacy.learned import (
    LONG_LEARNERS,
    Answer,
    Asked,
    check_theorem,
    describe,
    long_learner,
)
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact import Epsilon, as_fraction
from ccsim.instances import check_keys, parse_call
from ccsim.instances.hypotheses import read_hypotheses
from ccsim.learning.learner import Learner, LearningTrial, learning_trial
from ccsim.learning.learners.lines import LineLearner
from ccsim.learning.learners.representation import RepresentationLearner
from ccsim.learning.optimum.two_point_failure import hard_two_points
from ccsim.learning.sample import Target
from ccsim.learning.sample_size import check_parameters
from ccsim.pictures.labels import show_label
from ccsim.representation import (
    FailureResult,
    HypothesisSet,
    RepresentationResult,
    failure_probability,
    probabilistic_representation_size,
    representation_error,
)
from ccsim.representation.hitting_sets.neighbourhoods import MAX_POINTS
from ccsim.surveys.point_learners import POINT_LEARNERS
from ccsim.surveys.targets import hard_class_targets, hard_line_targets, hard_point_targets

__all__ = ["learn"]

_LEAST = 1
"""Seconds that the targets of a class may take in any case."""
_SEARCH = 20.0
"""Seconds for the search for a representation."""
_OF_CLASSES = ("occam", "representation")
_NAMES = sorted([*POINT_LEARNERS, *LONG_LEARNERS, "lines", "occam", "representation"])


@click.command(cls=Command)
@click.argument("instance", type=INSTANCE)
@click.option(
    "--learner",
    required=True,
    type=click.Choice(_NAMES),
    help="Of points: proper: exponential mechanism over all points; improper-code: over a small "
    "representation; improper-constant: number of samples independent of the domain. Of lines: "
    "lines: stable mode of a basic learner, with delta above 0. Of any class: occam: exponential "
    "mechanism over its concepts; representation: over sets of hypotheses drawn by public coins. "
    "With delta: approximate-points, of points; rec-concave, of thresholds. exponential: of "
    "thresholds, pure. A threshold is 1 below a place.",
)
@click.option("--accuracy", required=True, metavar="A", help="Allowed error of the hypothesis.")
@click.option("--failure", required=True, metavar="F", help="Allowed probability of more.")
@click.option("--epsilon", default="1", show_default=True, metavar="E", help="1/2 or 'ln 2'.")
@click.option(
    "--delta",
    type=Rational(0, 1),
    default="1/1000",
    show_default=True,
    metavar="D",
    help="For lines, approximate-points and rec-concave.",
)
@click.option(
    "--samples",
    type=Integer(1),
    metavar="M",
    help="Examples of a run, instead of those of the theorem; for points and thresholds.",
)
@click.option("--require-theorem", is_flag=True, help="Refuse fewer samples than the theorem's.")
@click.option(
    "--hypotheses",
    type=INPUT,
    metavar="FILE",
    help="For representation: a table of hypotheses, or JSON with a distribution over sets of "
    "them; without it the smallest sets that are found, over more than 10 points of concepts.",
)
@click.option("--agnostic", is_flag=True, help="For occam and representation: whatever the labels.")
@time_limit_option(
    "Stop after S seconds, or on Ctrl-C, with the runs done by then; a search for a representation "
    f"takes at most a half of them, and at most {_SEARCH:g}."
)
@click.option("--runs", type=Integer(1), default=40, show_default=True)
@click.option("--seed", type=Integer(0), default=0, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def learn(  # noqa: PLR0913 - one argument for each option
    *,
    instance: str,
    learner: str,
    accuracy: str,
    failure: str,
    epsilon: str,
    delta: Fraction,
    samples: int | None,
    require_theorem: bool,
    hypotheses: str | None,
    agnostic: bool,
    time_limit: float,
    runs: int,
    seed: int,
    as_json: bool,
) -> int:
    """Run a private learner of INSTANCE on hard targets.

    INSTANCE is points:b=1 to 64, thresholds:b=2 to 64, lines:p=..., or any class.

    Each run has a fresh sample of the size that the learner's theorem asks for. The errors of the
    hypotheses are exact; the interval of the failure probability has confidence 95 %. An interrupt
    (Ctrl-C) prints what was run by then, and the exit status is 130; so does the time limit, with
    status 3.
    """
    budget = Budget(time_limit)
    allowed, missed = as_fraction(accuracy, "accuracy", 0, 1), as_fraction(failure, "failure", 0, 1)
    bound = Epsilon.of(epsilon)
    _check_options(learner, hypotheses, samples, agnostic=agnostic)
    check_parameters(allowed, missed, bound)
    chosen: Learner
    exact: Answer = {}, []
    if learner in _OF_CLASSES:
        C = read_class(instance, budget)
        with budget.at_least(_LEAST).heard():
            targets = hard_class_targets(C, allowed, seed, agnostic=agnostic)
        asked = allowed, missed, bound
        if learner == "occam":
            chosen = RepresentationLearner.occam(C, *asked, agnostic=agnostic)
        else:
            # a set of one hypothesis needs the fewest examples
            one = ConceptClass.from_rows([0], C.points)
            RepresentationLearner.occam(one, *asked, agnostic=agnostic).check_work()
            representation = _represented(C, allowed / 2, missed / 3, hypotheses, budget)
            chosen = RepresentationLearner.of(representation, *asked, agnostic=agnostic)
        chosen.check_work()
        exact = _two_points(chosen, C, budget)
    elif learner == "lines":
        p = _parameter(instance, "lines", "p")
        chosen = LineLearner(allowed, missed, bound, delta, p)
        targets = hard_line_targets(p, allowed, seed)
    else:
        family = LONG_LEARNERS.get(learner, "points")
        given = allowed, missed, bound, _parameter(instance, family, "b"), samples or 0
        chosen, targets, exact = _of_long_domains(
            learner, given, delta, seed, require_theorem=require_theorem
        )
    trials = _trials(chosen, targets, runs, seed, budget)
    data, lines = describe(instance, learner, chosen, trials)
    report(data | exact[0], lines + exact[1], as_json=as_json)
    if sum(t.runs for t in trials.values()) == runs * len(targets):
        return 0
    return EXIT_INTERRUPTED if budget.interrupted else EXIT_NOT_DECIDED


def _check_options(
    learner: str, hypotheses: str | None, samples: int | None, *, agnostic: bool
) -> None:
    """Refuse options that are for other learners."""
    if learner != "representation" and hypotheses is not None:
        raise click.UsageError(f"--hypotheses is for the learner representation, not {learner}")
    if agnostic and learner not in _OF_CLASSES:
        raise click.UsageError(
            f"--agnostic is for the learners {' and '.join(_OF_CLASSES)}, not {learner}"
        )
    if samples is not None and learner in (*_OF_CLASSES, "lines"):
        raise click.UsageError(
            f"--samples is for the learners of points and thresholds, not {learner}"
        )


def _of_long_domains(
    learner: str, asked: Asked, delta: Fraction, seed: int, *, require_theorem: bool
) -> tuple[Learner, Mapping[str, Target], Answer]:
    """Return a learner of points or thresholds, its hard targets, and its failure if added up."""
    if learner in LONG_LEARNERS:
        return long_learner(learner, asked, delta, seed, require_theorem=require_theorem)
    chosen = POINT_LEARNERS[learner](*asked)
    if require_theorem:
        check_theorem(chosen)
    return chosen, hard_point_targets(asked[3], asked[0], seed), ({}, [])


def _trials(
    learner: Learner, targets: Mapping[str, Target], runs: int, seed: int, budget: Budget
) -> dict[str, LearningTrial]:
    """Return the trials on all targets, or what was run in time: at least once, on the first."""

    def trial(name: str) -> LearningTrial:
        def show(done: int, runs: int) -> None:
            rewrite(f"{name}: run {done} of {runs}" if done < runs else "")

        shown = on_terminal(show)
        return learning_trial(learner, targets[name], runs, seed, progress=shown, time_limit=budget)

    first, *others = targets
    trials = {first: trial(first)}
    with budget:
        for name in others:
            budget.spend()
            trials[name] = trial(name)
    return trials


def _represented(
    C: ConceptClass, error: Fraction, failure: Fraction, file: str | None, budget: Budget
) -> FailureResult | RepresentationResult:
    """Return a representation of a class with a checked proof of its error and failure."""
    proved: FailureResult | RepresentationResult
    if file is None:
        pool = None if len(C.points) <= MAX_POINTS else C.rows
        left = min(_SEARCH, budget.remaining / 2)
        found = probabilistic_representation_size(C, error, failure, pool, time_limit=left)
        proved = found.representation
    else:
        H = read_hypotheses(file.removeprefix("@"), C, budget)
        proved = (
            representation_error(H, C)
            if isinstance(H, HypothesisSet)
            else failure_probability(H, C, error)
        )
    proved.check()
    return proved


def _two_points(learner: RepresentationLearner, C: ConceptClass, budget: Budget) -> Answer:
    """Return the rigorous failure probability on the worst target with two points."""
    found, reason = None, "the time limit was over"
    try:
        mass = min(learner.accuracy * 11 / 10, Fraction(1))
        with budget, budget.heard():
            found = hard_two_points(learner, C, mass)
    except InstanceTooLargeError as error:
        reason = str(error)
    if found is None:
        return {}, [("two points", f"not added up: {reason}")]
    target, failure = found
    names = [show_label(C.points[x]) for x in target.points]
    data = {
        "points": names,
        "labels": list(target.labels),
        "masses": [str(mass) for mass in target.masses],
        "failure": float_bounds(failure.lower, failure.upper),
    }
    shown = ", ".join(
        f"Pr({name} labelled {label}) = {mass}"
        for name, label, mass in zip(names, target.labels, target.masses, strict=True)
    )
    proved = f"failure probability at most {rounded_up(failure.upper)}, proved, for {shown}"
    return {"two_points": data}, [("two points", proved)]


def _parameter(instance: str, family: str, key: str) -> int:
    """Read ``family:key=value`` without building the class, which may be far too large."""
    name, parameters = parse_call(instance)
    if name != family:
        raise DomainError(f"{instance}: this learner is for {family}:{key}=...")
    check_keys(family, parameters, [key], [key])
    return parameters[key]
