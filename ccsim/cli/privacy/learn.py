"""``ccsim learn``: a private learner with its theorem's sample size, tested on hard targets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import click

from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.classes.given import as_class
from ccsim.cli.main import EXIT_INTERRUPTED, EXIT_NOT_DECIDED
from ccsim.cli.output import report, time_limit_option, told
from ccsim.cli.parameters import EPSILON, INPUT, INSTANCE, Command, Integer, Rational
from ccsim.cli.privacy.boxes import BoxTask, learn_boxes
from ccsim.cli.privacy.learned import (
    Answer,
    answer_from_records,
    answer_on_samples,
    check_theorem,
    describe,
    two_points,
    worst_answer,
)
from ccsim.cli.privacy.registered import (
    parameter_options,
    registered_option,
    settings_of,
)
from ccsim.cli.privacy.table import TABLE_LEARNERS, or_of_a_table
from ccsim.dimensions import vc_dimension
from ccsim.errors import DomainError, NotDecidedError
from ccsim.exact import Epsilon, as_fraction
from ccsim.instances import check_keys, parse_call
from ccsim.instances.hypotheses import read_hypotheses
from ccsim.instances.records import read_examples
from ccsim.learning.learner import Learner, LearningTrial, Target, learning_trial
from ccsim.learning.learners.public_points import LabelPrivateLearner
from ccsim.learning.learners.representation import OccamLearner, RepresentationLearner
from ccsim.learning.sample_size import check_parameters
from ccsim.representation import (
    FailureResult,
    HypothesisSet,
    RepresentationResult,
    failure_probability,
    probabilistic_representation_size,
    representation_error,
)
from ccsim.representation.neighbourhoods import MAX_POINTS
from ccsim.surveys.targets import (
    hard_class_targets,
    hard_line_targets,
    hard_point_targets,
    hard_threshold_targets,
)
from ccsim.texts.registry import LEARNER_CLASSES

_LEAST = 0.75  # seconds that the targets of a class may take in any case
_RUNS = 40
_MOST_BITS = 64
_FAMILIES: Mapping[str, Mapping[str, str]] = {
    "boxes": {"b": "bits", "d": "dimension"},
    "lines": {"p": "p"},
    "points": {"b": "bits"},
    "thresholds": {"b": "bits"},
}
"""Families that may be too large to build: their parameters, and the fields of learners."""
SEARCH_SECONDS = 20.0
"""Seconds for the search for a representation."""


def represented(
    C: ConceptClass, error: Fraction, failure: Fraction, file: str | None, budget: Budget
) -> FailureResult | RepresentationResult:
    """Return a representation of a class with a checked proof of its error and failure."""
    proved: FailureResult | RepresentationResult
    if file is None:
        pool = None if len(C.points) <= MAX_POINTS else C.rows
        left = min(SEARCH_SECONDS, budget.remaining / 2)
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


@click.command(cls=Command)
@click.argument("instance", type=INSTANCE, required=False)
@registered_option(LEARNER_CLASSES, TABLE_LEARNERS)
@click.option("--accuracy", metavar="A", help="Largest allowed error; 1/10 for --data.")
@click.option(
    "--failure", metavar="F", help="Allowed probability of a larger error; 1/10 for --data."
)
@click.option("--epsilon", default="1", show_default=True, type=EPSILON, metavar="E",
              help="Privacy parameter, e.g. 1/2 or 'ln 3'.")  # fmt: skip
@click.option(
    "--delta",
    type=Rational(0, 1),
    default="1/1000",
    show_default=True,
    metavar="D",
    help="Privacy parameter delta, if the learner has one.",
)
@parameter_options(LEARNER_CLASSES)
@click.option(
    "--records",
    type=INPUT,
    metavar="FILE",
    help="Labelled examples to learn from: lines of point,label.",
)
@click.option("--error", "with_error", is_flag=True,
              help="Also print the error on the records; NOT PRIVATE.")  # fmt: skip
@click.option(
    "--require-theorem", is_flag=True, help="Refuse fewer examples than the theorem needs."
)
@click.option(
    "--hypotheses",
    type=INPUT,
    metavar="FILE",
    help="Hypotheses for --learner representation (table or JSON).",
)
@time_limit_option("Stop after S seconds with the runs completed so far.")
@click.option("--runs", type=Integer(1), metavar="N",
              help="Runs on each target (default 40; 3 for rectangles).")  # fmt: skip
@click.option("--seed", type=Integer(0),
              metavar="N",
              help="Seed (default 0); NOT PRIVATE for --records and --data.")  # fmt: skip
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
    records: str | None,
    with_error: bool,
    require_theorem: bool,
    hypotheses: str | None,
    time_limit: float,
    runs: int | None,
    seed: int | None,
    as_json: bool,
    **options: object,
) -> int:
    """Test a private learner of INSTANCE on hard targets, or learn a rule from --data.

    The class INSTANCE is points:b=B with B from 1 to 64, thresholds:b=B with B from 2 to 64,
    boxes:b=B,d=D, lines:p=P, or any class for the learners that accept one. Each run draws a new
    sample, of the size in the learner's theorem unless --samples is given. The errors of the
    hypotheses are exact. The failure probability is given as an interval with confidence 95 %.
    The exit status is 3 after the time limit and 130 after Ctrl-C; the completed runs are printed.
    The learner representation spends at most 20 seconds on the search for its hypotheses. If the
    class has more than 10 points, these are concepts of the class.

    With --data, a rule that predicts one column of a table is learned privately, for 'ccsim
    predict'. The learner is thresholds, intervals, points, sets, stumps or boxes, or occam with a
    class INSTANCE (docs/learn-from-a-table.md).
    """
    budget = Budget(time_limit)
    allowed, missed = as_fraction(accuracy, "accuracy", 0, 1), as_fraction(failure, "failure", 0, 1)
    bound = Epsilon.of(epsilon)
    kind = LEARNER_CLASSES.load_class(learner)
    _check_options(learner, kind, hypotheses, records, with_error=with_error)
    given = settings_of(LEARNER_CLASSES, learner, (), options)
    if "samples" in given and records is not None:
        raise click.UsageError("give either --samples or --records, not both")
    check_parameters(allowed, missed, bound)
    given |= {"accuracy": allowed, "failure": missed, "epsilon": bound, "delta": delta}
    if kind.family:
        given |= _family_parameters(instance, kind.family)
    if kind.family == "boxes":
        size = given.get("samples", LEARNER_CLASSES.declared(kind)["samples"].default)
        task = BoxTask(
            *(instance, allowed, missed, bound, size, runs, seed, records),
            *(require_theorem, with_error),
        )
        return learn_boxes(task, delta, kind.for_task(**given), budget, as_json=as_json)
    runs = runs or _RUNS
    targets: Mapping[str, Target] = {}
    if records is not None:
        chosen = kind.for_task(**given)
        examples = read_examples(records, chosen.bits, budget)
        chosen = _ready(replace(chosen, samples=len(examples)), require_theorem=require_theorem)
        exact = answer_from_records(chosen, examples, seed, with_error=with_error)
    elif kind.family:
        chosen = _ready(kind.for_task(**given), require_theorem=require_theorem)
        targets, exact = _targets(kind.family, chosen, seed or 0)
    else:
        chosen, targets, exact = _of_class(kind, instance, given, hypotheses, seed or 0, budget)
    trials = _trials(chosen, targets, runs, seed or 0, budget)
    data, lines = describe(instance, learner, chosen, trials, exact[0].get("privacy"))
    report(data | exact[0], lines + exact[1], as_json=as_json)
    if sum(t.runs for t in trials.values()) == runs * len(targets):
        return 0
    return EXIT_INTERRUPTED if budget.interrupted else EXIT_NOT_DECIDED


def _family_parameters(instance: str, family: str) -> dict[str, int]:
    """Read ``family:key=value,...`` as fields of learners, without building the class."""
    keys = _FAMILIES[family]
    name, parameters = parse_call(instance)
    if name != family:
        usage = ",".join(f"{key}=..." for key in keys)
        raise DomainError(f"INSTANCE must be {family}:{usage} for this learner, not {instance}")
    check_keys(family, parameters, [*keys], [*keys])
    if family == "thresholds" and not 2 <= parameters["b"] <= _MOST_BITS:
        raise DomainError(f"b must be between 2 and {_MOST_BITS}, not {parameters['b']}")
    if family == "boxes":
        for key, number in parameters.items():
            if not 1 <= number <= _MOST_BITS:
                raise DomainError(f"{key} must be between 1 and {_MOST_BITS}, not {number}")
    return {field: parameters[key] for key, field in keys.items()}


def _ready(learner: Any, *, require_theorem: bool) -> Any:  # noqa: ANN401 - of a family
    """Check that a learner can be run and, if required, has its theorem's sample size.

    The learner is returned.
    """
    if require_theorem and hasattr(learner, "theorem_size"):
        check_theorem(learner)
    learner.check_work()
    return learner


def _targets(family: str, learner: Any, seed: int) -> tuple[Mapping[str, Target], Answer]:  # noqa: ANN401
    """Return the hard targets of a family, and the proved bounds on the failure."""
    if family == "lines":
        return hard_line_targets(learner.p, learner.accuracy, seed), ({}, [])
    if family == "points":
        targets = hard_point_targets(learner.bits, learner.accuracy, seed)
        return targets, worst_answer(learner)
    targets = hard_threshold_targets(learner.bits, learner.accuracy, seed)
    return targets, answer_on_samples(learner, targets, seed)


def _of_class(
    kind: Any,  # noqa: ANN401 - a class of learners
    instance: str,
    given: dict[str, Any],
    hypotheses: str | None,
    seed: int,
    budget: Budget,
) -> tuple[Learner, Mapping[str, Target], Answer]:
    """Return a learner of any class, its hard targets, and its failure if it can be computed."""
    C = given["concept_class"] = as_class(instance, budget)
    accuracy, failure = given["accuracy"], given["failure"]
    with budget.at_least(_LEAST).heard():
        targets = hard_class_targets(C, accuracy, seed, agnostic=given.get("agnostic", False))
    if issubclass(kind, LabelPrivateLearner):
        given["vc"] = _vc(C, budget)
    elif kind is RepresentationLearner:
        # a set of one hypothesis needs the fewest examples
        one = ConceptClass.from_rows([0], C.points)
        OccamLearner.for_task(**given | {"concept_class": one}).check_work()
        given["proved"] = represented(C, accuracy / 2, failure / 3, hypotheses, budget)
    chosen: Learner = kind.for_task(**given)
    chosen.check_work()
    exact = two_points(chosen, C, budget) if isinstance(chosen, RepresentationLearner) else ({}, [])
    return chosen, targets, exact


def _vc(C: ConceptClass, budget: Budget) -> int:
    if not C.rows:
        raise DomainError(f"{C.name} must have at least one concept for a learner, not 0")
    found = vc_dimension(C, time_limit=budget)
    if found.value is None:
        raise NotDecidedError(
            f"the VC dimension of {C.name} is undecided (at least {found.lower}); raise "
            "--time-limit"
        )
    return found.value


def _check_options(
    learner: str,
    kind: type[Learner],
    hypotheses: str | None,
    records: str | None,
    *,
    with_error: bool,
) -> None:
    """Refuse options that do not apply to the learner."""
    if hypotheses is not None and kind is not RepresentationLearner:
        raise click.UsageError(f"--hypotheses needs --learner representation, not {learner}")
    if records is not None and kind.family not in {"boxes", "thresholds"}:
        raise click.UsageError(f"--records needs a learner of thresholds or boxes, not {learner}")
    if with_error and records is None:
        raise click.UsageError("--error needs --records")


def _trials(
    learner: Learner, targets: Mapping[str, Target], runs: int, seed: int, budget: Budget
) -> dict[str, LearningTrial]:
    """Return the trials on all targets, or those completed in time.

    There is always at least one, on the first target.
    """
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
