"""``ccsim learn --data``: a private rule from a table of records, for `ccsim predict`."""

from __future__ import annotations

import csv
import functools
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from ccsim.budget import Budget
from ccsim.classes.given import as_class
from ccsim.cli.output import noise_data, report, show_coins
from ccsim.cli.parameters import INPUT, OUTPUT
from ccsim.errors import DomainError
from ccsim.exact import Epsilon, as_fraction
from ccsim.instances.records import read_people
from ccsim.learning.rules import LEARNERS, RuleModel, learn_rule
from ccsim.learning.rules.learn import most_excess
from ccsim.learning.sample_size import agnostic_sample_size, check_parameters

F = TypeVar("F", bound=Callable[..., Any])

TABLE_LEARNERS = tuple(LEARNERS)
"""Learners of rules on a table."""
_OF_TABLES = ("data", "target", "columns", "labels", "labels_only", "noise", "out")
_SHARED = ("instance", "learner", "accuracy", "failure", "epsilon", "seed", "time_limit", "as_json")
_NEEDED = (
    ("instance", "'INSTANCE'", "argument"),
    ("accuracy", "'--accuracy'", "option"),
    ("failure", "'--failure'", "option"),
)
_TENTH = Fraction(1, 10)
_NOISE: Mapping[str, str] = {
    "system": "exact, from random bytes of the operating system",
    "opendp": "from OpenDP",
}


def or_of_a_table(of_instance: F) -> F:
    """Extend a command for INSTANCE so that, with ``--data``, it learns from a table instead."""

    @functools.wraps(of_instance)
    def either(**given: Any) -> object:  # noqa: ANN401 - the parameters of a command
        table = {name: given.pop(name) for name in _OF_TABLES}
        if table["data"] is not None:
            _refuse_others((*_OF_TABLES, *_SHARED), "cannot be used with --data")
            _learn(**table, **{name: given[name] for name in _SHARED})
            return None
        _refuse_others((*given,), "needs --data")
        if given["learner"] in TABLE_LEARNERS and given["learner"] != "occam":
            raise click.UsageError(f"the learner {given['learner']} needs --data")
        for name, hint, kind in _NEEDED:
            if given[name] is None:
                raise click.MissingParameter(param_hint=hint, param_type=kind)
        return of_instance(**given)

    options = (
        click.option(
            "--data",
            type=INPUT,
            metavar="FILE",
            help="Table to learn a rule from, with a header (- for stdin).",
        ),
        click.option("--target", metavar="NAME", help="Column to predict."),
        click.option(
            "--column",
            "columns",
            multiple=True,
            metavar="TEXT",
            help="Column of the rule with its values: age:0..100, city:A,B.",
        ),
        click.option(
            "--labels",
            metavar="NO,YES",
            help="Values of the target column (default 0,1).",
        ),
        click.option(
            "--labels-only",
            is_flag=True,
            help="Protect only the target column; all others are public.",
        ),
        click.option(
            "--noise",
            type=click.Choice(["system", "opendp"]),
            default="system",
            show_default=True,
            help="Source of the noise.",
        ),
        click.option(
            "--out",
            type=OUTPUT,
            metavar="FILE",
            help="Write the model to FILE, for 'ccsim predict'.",
        ),
    )
    made: Any = either
    for option in reversed(options):
        made = option(made)
    return made  # type: ignore[no-any-return]


def _refuse_others(names: tuple[str, ...], reason: str) -> None:
    """Refuse given command-line options whose names are not listed."""
    context = click.get_current_context()
    for param in context.command.params:
        given = context.get_parameter_source(param.name or "") is ParameterSource.COMMANDLINE
        if given and param.name not in names:
            raise click.UsageError(f"{param.opts[0]} {reason}")


def _learn(  # noqa: PLR0913 - one argument for each option
    *,
    data: str,
    target: str | None,
    columns: tuple[str, ...],
    labels: str | None,
    labels_only: bool,
    noise: str,
    out: str | None,
    instance: str | None,
    learner: str,
    accuracy: str | None,
    failure: str | None,
    epsilon: str,
    seed: int | None,
    time_limit: float,
    as_json: bool,
) -> None:
    """Learn a rule, and print its guarantees."""
    budget = Budget(time_limit)
    if learner not in TABLE_LEARNERS:
        raise click.UsageError(f"--learner must be one of {', '.join(TABLE_LEARNERS)} with --data")
    if (learner == "occam") != (instance is not None):
        raise click.UsageError(
            "with --data, the learner occam needs an INSTANCE; other learners take none"
        )
    allowed = _TENTH if accuracy is None else as_fraction(accuracy, "accuracy", 0, 1)
    missed = _TENTH if failure is None else as_fraction(failure, "failure", 0, 1)
    bound = Epsilon.of(epsilon)
    check_parameters(allowed, missed, bound)
    C = None if instance is None else as_class(instance, budget)
    names = {target or "", *(column.partition(":")[0] for column in columns)}
    records = read_people(data, names, budget)
    header = records.header
    if target is None:
        raise click.UsageError("give --target NAME, the column to predict")
    if target not in header:
        raise DomainError(f"{data}: the header (the first row) must have a column {target}")
    if not columns:
        others = [name for name in header if name != target] or ["age"]
        how = others[0] if labels_only else f"{others[0]}:0..100' or '{others[0]}:a,b"
        raise click.UsageError(
            f"give the columns that the rule may use, such as --column '{how}'; the table has "
            f"{_some(others)}. State the possible values yourself, since private records must not "
            "decide them"
        )
    try:
        model = learn_rule(
            records,
            target=target,
            columns=columns,
            learner=learner,
            epsilon=bound,
            labels=("0", "1") if labels is None else _pair(labels),
            concept_class=C,
            labels_only=labels_only,
            noise=noise,
            seed=seed,
            time_limit=budget,
        )
    except DomainError as error:
        if str(error).startswith("record "):
            raise type(error)(f"{data}: {error}") from None
        raise
    if out is not None:
        model.write(out)
    adaptive = labels_only and any(":" not in column for column in columns) and C is None
    facts = _promises(model, allowed, missed, adaptive=adaptive)
    found = model.to_dict() | {"instance": instance} | facts | {"file": out}
    found |= noise_data(model.privacy, seed, ["rule"]) | {
        "privacy": model.privacy,
        "coins": model.noise,
    }
    found["rule"] = model.to_dict()["rule"] | {"in_words": model.in_words}
    report(found, _lines(model, facts, out), as_json=as_json)


def _some(names: list[str]) -> str:
    return ", ".join(names[:8]) + (", ..." if len(names) > 8 else "")


def _pair(text: str) -> tuple[str, ...]:
    """Read two labels."""
    try:
        (found,) = csv.reader([text], strict=True)
    except (csv.Error, ValueError):
        found = []
    if len(found) != 2:
        raise DomainError(f"--labels must be two values such as no,yes, not {text!r}")
    return tuple(label.strip() for label in found)


def _promises(
    model: RuleModel, accuracy: Fraction, failure: Fraction, *, adaptive: bool
) -> dict[str, Any]:
    """Return the proved bounds on the errors, which depend only on the number of records."""
    needed = None
    if not adaptive:
        needed = agnostic_sample_size(model.hypotheses, model.epsilon, accuracy, failure)
    return {
        "accuracy": str(accuracy),
        "failure": str(failure),
        "excess": most_excess(model.hypotheses, model.epsilon, failure),
        "theorem": needed,
        "promised": needed is not None and model.records >= needed,
    }


def _lines(model: RuleModel, facts: Mapping[str, Any], out: str | None) -> list[tuple[str, str]]:
    unless = f"except with probability {facts['failure']}"
    noise = show_coins(model.seed) if model.seed is not None else _NOISE[model.noise]
    if facts["theorem"] is None:
        new = "no guarantee, because the rules depend on the records"
    else:
        known = "guaranteed"
        if not facts["promised"]:
            known += f" from {facts['theorem']} records on"
        new = f"error at most {facts['accuracy']} above the best rule's, {unless}; {known}"
    lines = [
        ("rule", f"{model.target}: {model.in_words}"),
        ("learner", f"{model.learner}, one of {model.hypotheses} rules"),
        ("privacy", model.privacy),
        ("noise", noise),
        ("records", str(model.records)),
        ("these records", f"at most {facts['excess']} more errors than the best rule, {unless}"),
        ("other records", new),
    ]
    return [*lines, ("written to", out)] if out is not None else lines
