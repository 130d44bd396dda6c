"""``ccsim learn``: a private learner at the sample size of its theorem, tried on hard targets."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import click

from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.classes.given import as_class
from ccsim.cli.main import EXIT_INTERRUPTED, EXIT_NOT_DECIDED
from ccsim.cli.output import report, time_limit_option
from ccsim.cli.parameters import INPUT, INSTANCE, Command, Integer, Rational
from ccsim.cli.privacy.boxes import BoxTask, learn_boxes
from ccsim.cli.privacy.learned import (
    LONG_LEARNERS,
    Answer,
    Asked,
    Steps,
    check_theorem,
    describe,
    family_parameter,
    long_learner,
    worst_answer,
)
from ccsim.cli.privacy.public_points import PUBLIC_POINTS_LEARNERS, public_points_learner
from ccsim.cli.privacy.represented import SEARCH_SECONDS, represented, two_points
from ccsim.cli.privacy.table import TABLE_LEARNERS, or_of_a_table
from ccsim.cli.progress import told
from ccsim.exact import Epsilon, as_fraction
from ccsim.learning.learner import Learner, LearningTrial, Target, learning_trial
from ccsim.learning.learners.lines import LineLearner
from ccsim.learning.learners.representation import RepresentationLearner
from ccsim.learning.sample_size import check_parameters
from ccsim.privacy.mechanisms.stable_choice import VARIANTS
from ccsim.surveys.point_learners import POINT_LEARNERS
from ccsim.surveys.targets import hard_class_targets, hard_line_targets, hard_point_targets

_LEAST = 1  # second that the targets of a class may take in any case
_AGNOSTIC = ("occam", "representation")
_OF_CLASSES = (*_AGNOSTIC, *PUBLIC_POINTS_LEARNERS)
_NAMES = sorted([*POINT_LEARNERS, *LONG_LEARNERS, "lines", "rectangles", *_OF_CLASSES])
_OF_RECORDS = {"rectangles", *(n for n, family in LONG_LEARNERS.items() if family == "thresholds")}
_RUNS = 40


@click.command(cls=Command)
@click.argument("instance", type=INSTANCE, required=False)
@click.option(
    "--learner",
    required=True,
    type=click.Choice(sorted({*_NAMES, *TABLE_LEARNERS})),
    help="Of points: proper: exponential mechanism over all points; improper-code: over a small "
    "representation; improper-constant: number of samples independent of the domain. Of lines: "
    "lines: stable mode of a basic learner, with delta above 0. Of any class: occam: exponential "
    "mechanism over its concepts; representation: over sets of hypotheses drawn by public coins; "
    "label-private: points of examples are public; semi-private: those of the first half alone. "
    "With delta: approximate-points, of points; rec-concave, of thresholds. exponential: of "
    "thresholds, pure. A threshold is 1 below a place. rectangles: of boxes:b=1 to 64,d=..., pure. "
    "The others are of --data.",
)
@click.option("--accuracy", metavar="A", help="Allowed error of the hypothesis; of --data 1/10.")
@click.option("--failure", metavar="F", help="Allowed probability of more; of --data 1/10.")
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
    help="Examples of a run, instead of those of the theorem; for points and thresholds. 30000 for "
    "rectangles, whose theorem states none.",
)
@click.option(
    "--records",
    type=INPUT,
    metavar="FILE",
    help="Learn a threshold from the lines 'point,label' of FILE instead of hard targets, or a box "
    "from lines of coordinates and a label.",
)
@click.option("--error", "with_error", is_flag=True,
              help="With --records: also print the error on them; not private.")  # fmt: skip
@click.option(
    "--choice",
    type=click.Choice(VARIANTS),
    help="How rec-concave chooses intervals; corrected, or optimal with --best-split.",
)
@click.option(
    "--best-split", is_flag=True, help="Of rec-concave: divide epsilon as is proved to be good."
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
    f"takes at most a half of them, and at most {SEARCH_SECONDS:g}."
)
@click.option("--runs", type=Integer(1), help="40 unless given; 3 of rectangles.")
@click.option("--seed", type=Integer(0),
              help="0 unless given. On --records and --data: NOT PRIVATE.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@or_of_a_table
def learn(  # noqa: PLR0913 - one argument for each option
    *,
    instance: str,
    learner: str,
    accuracy: str,
    failure: str,
    epsilon: str,
    delta: Fraction,
    samples: int | None,
    records: str | None,
    with_error: bool,
    choice: str | None,
    best_split: bool,
    require_theorem: bool,
    hypotheses: str | None,
    agnostic: bool,
    time_limit: float,
    runs: int | None,
    seed: int | None,
    as_json: bool,
) -> int:
    """Run a private learner of INSTANCE on hard targets, or learn from your own --data.

    With --data a rule is learned from a table, for new records: by thresholds, intervals, points,
    sets, stumps, boxes, or by occam a concept of INSTANCE (docs/your-own-data.md).

    Else INSTANCE is points:b=1 to 64, thresholds:b=2 to 64, boxes:b=1 to 64,d=..., lines:p=...,
    or any class.

    Each run has a fresh sample of the size that the learner's theorem asks for. The errors of the
    hypotheses are exact; the interval of the failure probability has confidence 95 %. An interrupt
    (Ctrl-C) prints what was run by then, and the exit status is 130; so does the time limit, with
    status 3.
    """
    budget = Budget(time_limit)
    allowed, missed = as_fraction(accuracy, "accuracy", 0, 1), as_fraction(failure, "failure", 0, 1)
    bound = Epsilon.of(epsilon)
    _check_options(learner, hypotheses, samples, agnostic=agnostic)
    if samples is not None and records is not None:
        raise click.UsageError("--samples is the number of the --records; give one of the two")
    _check_steps(learner, choice, records, best=best_split, with_error=with_error)
    choice = choice or ("optimal" if best_split else "corrected")
    steps = Steps(choice, best_split, records, seed, with_error)
    check_parameters(allowed, missed, bound)
    if learner == "rectangles":
        task = BoxTask(
            *(instance, allowed, missed, bound, samples, runs, seed, records),
            *(require_theorem, with_error),
        )
        return learn_boxes(task, delta, budget, as_json=as_json)
    seed = seed or 0
    runs = runs or _RUNS
    chosen: Learner
    exact: Answer = {}, []
    if learner in _OF_CLASSES:
        asked = allowed, missed, bound
        chosen, targets, exact = _of_class(
            learner, instance, asked, hypotheses, seed, budget, agnostic=agnostic
        )
    elif learner == "lines":
        p = family_parameter(instance, "lines", "p")
        chosen = LineLearner(allowed, missed, bound, delta, p)
        targets = hard_line_targets(p, allowed, seed)
    else:
        family = LONG_LEARNERS.get(learner, "points")
        given = allowed, missed, bound, family_parameter(instance, family, "b"), samples or 0
        chosen, targets, exact = _of_long_domains(
            learner, given, delta, seed, steps, budget, require_theorem=require_theorem
        )
    trials = _trials(chosen, targets, runs, seed, budget)
    data, lines = describe(instance, learner, chosen, trials, exact[0].get("privacy"))
    report(data | exact[0], lines + exact[1], as_json=as_json)
    if sum(t.runs for t in trials.values()) == runs * len(targets):
        return 0
    return EXIT_INTERRUPTED if budget.interrupted else EXIT_NOT_DECIDED


def _of_class(
    learner: str,
    instance: str,
    asked: tuple[Fraction, Fraction, Epsilon],
    hypotheses: str | None,
    seed: int,
    budget: Budget,
    *,
    agnostic: bool,
) -> tuple[Learner, Mapping[str, Target], Answer]:
    """Return a learner of any class, its hard targets, and its failure if added up."""
    chosen: Learner
    C = as_class(instance, budget)
    with budget.at_least(_LEAST).heard():
        targets = hard_class_targets(C, asked[0], seed, agnostic=agnostic)
    if learner in PUBLIC_POINTS_LEARNERS:
        chosen = public_points_learner(learner, asked, C, budget)
    elif learner == "occam":
        chosen = RepresentationLearner.occam(C, *asked, agnostic=agnostic)
    else:
        # a set of one hypothesis needs the fewest examples
        one = ConceptClass.from_rows([0], C.points)
        RepresentationLearner.occam(one, *asked, agnostic=agnostic).check_work()
        representation = represented(C, asked[0] / 2, asked[1] / 3, hypotheses, budget)
        chosen = RepresentationLearner.of(representation, *asked, agnostic=agnostic)
    chosen.check_work()
    exact = two_points(chosen, C, budget) if isinstance(chosen, RepresentationLearner) else ({}, [])
    return chosen, targets, exact


def _check_options(
    learner: str, hypotheses: str | None, samples: int | None, *, agnostic: bool
) -> None:
    """Refuse options that are for other learners."""
    if learner != "representation" and hypotheses is not None:
        raise click.UsageError(f"--hypotheses is for the learner representation, not {learner}")
    if agnostic and learner not in _AGNOSTIC:
        raise click.UsageError(
            f"--agnostic is for the learners {' and '.join(_AGNOSTIC)}, not {learner}"
        )
    if samples is not None and learner in (*_OF_CLASSES, "lines"):
        raise click.UsageError(
            f"--samples is for the learners of points and thresholds, not {learner}"
        )


def _check_steps(
    learner: str, choice: str | None, records: str | None, *, best: bool, with_error: bool
) -> None:
    """Refuse options of learners of thresholds, and of records, for others."""
    if learner != "rec-concave" and (best or choice is not None):
        raise click.UsageError(f"--choice and --best-split are for rec-concave, not {learner}")
    if records is not None and learner not in _OF_RECORDS:
        raise click.UsageError(
            f"--records is for learners of thresholds and rectangles, not {learner}"
        )
    if with_error and records is None:
        raise click.UsageError("--error is for --records")


def _of_long_domains(
    learner: str,
    asked: Asked,
    delta: Fraction,
    seed: int,
    steps: Steps,
    budget: Budget,
    *,
    require_theorem: bool,
) -> tuple[Learner, Mapping[str, Target], Answer]:
    """Return a learner of points or thresholds, its hard targets, and its failure if added up."""
    if learner in LONG_LEARNERS:
        return long_learner(
            learner, asked, delta, seed, steps, budget, require_theorem=require_theorem
        )
    chosen = POINT_LEARNERS[learner](*asked)
    if require_theorem:
        check_theorem(chosen)
    return chosen, hard_point_targets(asked[3], asked[0], seed), worst_answer(chosen)


def _trials(
    learner: Learner, targets: Mapping[str, Target], runs: int, seed: int, budget: Budget
) -> dict[str, LearningTrial]:
    """Return the trials on all targets, or what was run in time: at least once, on the first."""
    if not targets:
        return {}

    def trial(name: str) -> LearningTrial:
        with told(lambda done, runs: f"{name}: run {done} of {runs}") as shown:
            return learning_trial(
                learner, targets[name], runs, seed, progress=shown, time_limit=budget
            )

    first, *others = targets
    trials = {first: trial(first)}
    with budget:
        for name in others:
            budget.spend()
            trials[name] = trial(name)
    return trials
