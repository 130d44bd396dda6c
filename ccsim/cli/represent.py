"""``ccsim represent``: smallest representations of a class, given ones, and failure curves."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import click

from ccsim.appearance import counted, show_label
from ccsim.budget import Budget, Workers
from ccsim.certificates.envelope import encode_fraction
from ccsim.classes import ConceptClass
from ccsim.classes.given import as_class
from ccsim.cli.main import EXIT_NOT_DECIDED
from ccsim.cli.output import (
    SEARCHING,
    checked,
    closing_in,
    output_options,
    overtime,
    report,
    show_fraction,
    time_limit_option,
    time_to_check,
)
from ccsim.cli.parameters import INPUT, INSTANCE, Command, Integer, picture_option
from ccsim.cli.workers import workers_options
from ccsim.exact import as_fraction
from ccsim.instances.hypotheses import read_hypotheses
from ccsim.pictures import draw_equivalence, save_figure
from ccsim.representation.equivalence import EquivalenceTable, Quantity, equivalence_table
from ccsim.representation.error import RepresentationResult, representation_error
from ccsim.representation.failure import FailureResult, failure_probability
from ccsim.representation.hypotheses import HypothesisSet, ProbabilisticRepresentation
from ccsim.representation.random_sets import (
    FailureCurve,
    LeastFailureResult,
    ProbabilisticSizeResult,
    failure_curve,
    probabilistic_representation_size,
)
from ccsim.representation.size import DeterministicSizeResult, deterministic_representation_size
from ccsim.texts.labels import text_row

_SHOWN = 12

_Size = DeterministicSizeResult | ProbabilisticSizeResult


@click.command(cls=Command)
@click.argument("instance", type=INSTANCE)
@click.option(
    "--error",
    required=True,
    metavar="P/Q",
    help="Largest error of a hypothesis that represents a concept.",
)
@click.option(
    "--failure", metavar="P/Q", help="Allowed probability that no drawn hypothesis is accurate."
)
@click.option(
    "--hypotheses",
    type=INPUT,
    metavar="FILE",
    help="Check the hypotheses in FILE (a table, or JSON).",
)
@click.option("--proper", is_flag=True, help="Search only among the concepts of the class.")
@click.option("--curve", is_flag=True,
              help="Print least failure probabilities of 1, 2, ... hypotheses.")  # fmt: skip
@click.option("--most", type=Integer(1), metavar="N",
              help="With --curve: largest number of hypotheses.")  # fmt: skip
@time_limit_option("Stop after S seconds with the bounds proved so far.", default=120)
@workers_options
@picture_option("Draw the inequalities")
@output_options
def represent(  # noqa: PLR0913 - one parameter for each option
    *,
    instance: str,
    error: str,
    failure: str | None,
    hypotheses: str | None,
    proper: bool,
    curve: bool,
    most: int | None,
    time_limit: float,
    workers: Workers,
    out: str | None,
    as_json: bool,
    certificate: str | None,
) -> int:
    """Find the smallest representation of the class INSTANCE, or check a given one.

    A set of hypotheses represents a class if, for every concept and every distribution over points,
    some hypothesis in the set has at most the given error. A random set represents the class if it
    contains such a hypothesis except with the given failure probability.

    Without --hypotheses, the least size is computed. With --failure it is printed together with the
    communication complexities that bound it. The exit status is 3 if only bounds are known. Ctrl-C
    stops the search like a time limit. If there was no time to check a bound, a note reports this,
    and the certificate omits the bound.

    The FILE of --hypotheses is a table of hypotheses, or JSON with a distribution over sets of
    hypotheses. If they do not represent the class, a concept and a distribution are printed as a
    counterexample.

    With --curve, the least failure probability of random sets of 1, 2, ... hypotheses is printed,
    up to N or until it is 0. A set fails for a concept and a distribution over points if every
    hypothesis in it has more than the given error. The certificate proves both bounds for every
    number.
    """
    unlike_a_size = failure is not None or hypotheses is not None or out is not None
    conflicts = {
        "--curve must not be combined with --failure, --hypotheses or --out": curve
        and unlike_a_size,
        "--most needs --curve": most is not None and not curve,
        "give either --proper or --hypotheses, not both": proper and hypotheses is not None,
        "--out needs --failure and must not be combined with --proper or --hypotheses": out
        is not None
        and (failure is None or proper or hypotheses is not None),
    }
    for rule, broken in conflicts.items():
        if broken:
            raise click.UsageError(rule)
    if curve:
        return print_curve(
            instance, error, most, Budget.of(time_limit, jobs=workers), proper=proper,
            as_json=as_json, certificate=certificate,
        )  # fmt: skip
    budget = Budget.of(time_limit, jobs=workers)
    C = as_class(instance, budget)
    allowed = as_fraction(error, "--error", 0, 1)
    risk = None if failure is None else as_fraction(failure, "--failure", 0, 1)
    if hypotheses is None:
        return _print_smallest(
            C,
            allowed,
            risk,
            proper=proper,
            budget=budget,
            as_json=as_json,
            certificate=certificate,
            out=out,
        )
    return print_given(
        C,
        allowed,
        risk,
        read_hypotheses(hypotheses.removeprefix("@"), C),
        budget,
        as_json=as_json,
        certificate=certificate,
    )


def _print_smallest(  # noqa: PLR0913 - what is asked, and where it goes
    C: ConceptClass,
    error: Fraction,
    failure: Fraction | None,
    *,
    proper: bool,
    budget: Budget,
    as_json: bool,
    certificate: str | None,
    out: str | None,
) -> int:
    """Search for a smallest representation, print it, and return the exit status."""
    pool, most = C.rows if proper else None, overtime(budget)
    table = None
    result: _Size
    with closing_in("bounds") as progress:
        limit = budget.share(SEARCHING, progress=progress)
        if failure is None:
            result = deterministic_representation_size(C, error, pool, time_limit=limit)
        elif proper:
            result = probabilistic_representation_size(C, error, failure, pool, time_limit=limit)
        else:
            table = equivalence_table(C, error, failure, time_limit=limit)
            result = table.probabilistic
    left = time_to_check(budget, most.at_least(1 / 4))
    certified, unchecked = _checked(result, table, left)
    if certificate is not None:
        certified.certificate().write(certificate)
    if out is not None and table is not None:
        save_figure(out, draw_equivalence(table))
    size = Quantity("", result.lower, result.upper, result)
    if table is not None:  # whose theorems may bound it better
        size = next(q for q in table.quantities if q.result is result)
    needed = None if size.exact else result.needed
    data: dict[str, Any] = {
        "instance": C.name,
        "kind": "deterministic" if failure is None else "probabilistic",
        "size": size.value if size.exact else None,
        "lower": size.lower,
        "upper": size.upper,
        "lower_from": size.lower_from,
        "upper_from": size.upper_from,
        "needed": needed,
        "represents": True,
        "error": encode_fraction(error),
        "failure": None if failure is None else encode_fraction(failure),
        "proper": proper,
        "representation": _representation(result),
        "unchecked": unchecked,
        "merged": C.merged,
    }
    if table is not None:
        data |= table.to_dict()
    open_end = [] if needed is None else [("to be exact", needed)]
    report(data, _lines(C, result, size) + open_end + _table_lines(table), as_json=as_json)
    return 0 if size.exact else EXIT_NOT_DECIDED


def _checked(
    result: _Size, table: EquivalenceTable | None, budget: Budget
) -> tuple[_Size, list[str]]:
    """Check the result; return its checked part, and the names of bounds not checked in time."""
    if table is None:
        certified = checked(result, budget, _without_lower)
        return certified, [] if certified is result else ["size"]
    unchecked = list(table.check_within(budget))
    if unchecked:
        names = ", ".join(unchecked)
        click.echo(f"note: the check of {names} was stopped by the time limit", err=True)
    if not any(q.result is result and q.name in unchecked for q in table.quantities):
        return result, unchecked
    weaker = result.without_lower()
    weaker.check()
    return weaker, unchecked


def _without_lower(result: _Size) -> _Size:
    return result.without_lower()


def _representation(result: DeterministicSizeResult | ProbabilisticSizeResult) -> Any:  # noqa: ANN401
    if isinstance(result, DeterministicSizeResult):
        return result.representation.hypotheses.to_json()
    return result.representation.representation.to_json()


def _lines(
    C: ConceptClass, result: DeterministicSizeResult | ProbabilisticSizeResult, found: Quantity
) -> list[tuple[str, str]]:
    size = _bounds(found)
    lines = [("class", show_label(C)), ("error", show_fraction(result.error))]
    if isinstance(result, DeterministicSizeResult):
        lines.append(("smallest representation", counted(size, "hypothesis", "hypotheses")))
        H = result.representation.hypotheses
        lines += [("hypothesis", row) for row in H.to_json()[:_SHOWN]]
        if H.size > _SHOWN:
            lines.append(("", f"and {H.size - _SHOWN} more"))
        return lines
    R = result.representation.representation
    lines += [
        ("failure probability", show_fraction(result.failure)),
        ("smallest random set", counted(size, "hypothesis", "hypotheses")),
        *_origins(found),
        ("failure attained", show_fraction(result.representation.upper)),
    ]
    for weight, H in list(zip(R.weights, R.sets, strict=True))[:_SHOWN]:
        rows = " ".join(text_row(row, R.num_points) for row in H.rows)
        lines.append((f"set of probability {show_fraction(weight)}", rows))
    if len(R.sets) > _SHOWN:
        lines.append(("", f"and {len(R.sets) - _SHOWN} more"))
    return lines


def _bounds(found: Quantity) -> str:
    return f"{found.upper}" if found.exact else f"between {found.lower} and {found.upper}"


def _origins(found: Quantity) -> list[tuple[str, str]]:
    """Return lines with the sources of bounds that a quantity's own certificate does not prove."""
    sides = (("at least", found.lower_from), ("at most", found.upper_from))
    return [("", f"{side} by {source}") for side, source in sides if source is not None]


def _table_lines(table: EquivalenceTable | None) -> list[tuple[str, str]]:
    if table is None:
        return []
    lines: list[tuple[str, str]] = []
    for q in table.quantities:
        lines += [(q.name, _bounds(q)), *_origins(q)]
    for each in table.inequalities:
        verdict = {True: "holds", False: "fails", None: "not decided"}[each.holds]
        slack = "" if each.slack is None else f", slack {each.slack}"
        lines.append((f"{each.left} <= {each.right}", f"{verdict}{slack} ({each.source})"))
    return lines


_VERDICTS = {True: "yes", False: "no", None: "not decided"}

_Given = RepresentationResult | FailureResult


def print_given(
    C: ConceptClass,
    allowed: Fraction,
    risk: Fraction | None,
    H: HypothesisSet | ProbabilisticRepresentation,
    budget: Budget,
    *,
    as_json: bool,
    certificate: str | None,
) -> int:
    """Check given hypotheses, print the verdict, and return the exit status."""
    result: _Given
    with closing_in("error" if risk is None else "failure probability") as progress:
        hunt = budget.share(SEARCHING, progress=progress)
        if risk is not None:
            result = failure_probability(_as_mixture(H), C, allowed, time_limit=hunt, target=risk)
            verdict = result.represents(risk)
        elif isinstance(H, HypothesisSet):
            result = representation_error(H, C, time_limit=hunt)
            verdict = result.represents(allowed)
        else:
            raise click.UsageError(
                "--failure is required for hypotheses with a distribution over sets"
            )
    lower, upper = result.lower, result.upper
    certified = checked(result, time_to_check(budget), _without_upper, "the upper bound")
    if certificate is not None:
        certified.certificate().write(certificate)
    data = {
        "instance": C.name,
        "kind": "deterministic" if risk is None else "probabilistic",
        "size": H.size,
        "represents": verdict,
        "error": encode_fraction(allowed),
        "failure": None if risk is None else encode_fraction(risk),
        "lower": encode_fraction(lower),
        "upper": encode_fraction(upper),
        "unchecked": [] if certified is result else ["error" if risk is None else "failure"],
        "merged": C.merged,
    }
    lines = [
        ("class", show_label(C)),
        ("hypotheses", f"{H.size}{'' if risk is None else ' in the largest set'}"),
        ("error" if risk is None else "failure probability", _shown(lower, upper)),
        ("represents", _VERDICTS[verdict]),
    ]
    if verdict is False:
        lines += _refutation(C, result.concept, result.distribution)
    report(data, lines, as_json=as_json)
    return EXIT_NOT_DECIDED if verdict is None else 0


def _without_upper(result: _Given) -> _Given:
    return result.without_upper()


def _as_mixture(
    hypotheses: HypothesisSet | ProbabilisticRepresentation,
) -> ProbabilisticRepresentation:
    """Return a set of hypotheses as the distribution that always draws this set."""
    if isinstance(hypotheses, ProbabilisticRepresentation):
        return hypotheses
    return ProbabilisticRepresentation.mixture([(1, hypotheses)])


def _shown(lower: Fraction, upper: Fraction) -> str:
    return show_fraction(lower) if lower == upper else f"between {lower} and {upper}"


def _refutation(
    C: ConceptClass, concept: int, distribution: Sequence[Fraction]
) -> list[tuple[str, str]]:
    shown = [f"Pr({show_label(x)}) = {p}" for x, p in zip(C.points, distribution, strict=True) if p]
    return [
        ("not represented", show_label(C.concepts[concept])),
        ("under the distribution", ", ".join(shown)),
    ]


@click.command(cls=Command, hidden=True)
@click.argument("instance", type=INSTANCE)
@click.option(
    "--error",
    required=True,
    metavar="P/Q",
    help="Largest error of a hypothesis that represents a concept.",
)
@click.option(
    "--most",
    type=Integer(1),
    metavar="N",
    help="Largest number of hypotheses.",
)
@click.option("--proper", is_flag=True, help="Search only among the concepts of the class.")
@time_limit_option("Stop after S seconds with the bounds proved so far.", default=120)
@workers_options
@output_options
def failures(  # noqa: PLR0913 - one parameter for each option
    *,
    instance: str,
    error: str,
    most: int | None,
    proper: bool,
    time_limit: float,
    workers: Workers,
    as_json: bool,
    certificate: str | None,
) -> int:
    """Run ``ccsim represent --curve`` under its former name."""
    return print_curve(
        instance, error, most, Budget.of(time_limit, jobs=workers), proper=proper, as_json=as_json,
        certificate=certificate,
    )  # fmt: skip


def print_curve(
    instance: str,
    error: str,
    most: int | None,
    budget: Budget,
    *,
    proper: bool,
    as_json: bool,
    certificate: str | None,
) -> int:
    """Print the least failure probability of random sets of 1, 2, ... hypotheses."""
    C = as_class(instance, budget)
    allowed = as_fraction(error, "--error", 0, 1)
    pool = C.rows if proper else None
    with closing_in("least failure") as progress:
        hunt = budget.share(SEARCHING)
        curve = failure_curve(C, allowed, most, pool, time_limit=hunt, progress=progress)
    left = time_to_check(budget)
    curve = FailureCurve(checked(each, left, LeastFailureResult.without_lower) for each in curve)
    if certificate is not None:
        curve.certificate().write(certificate)
    data = {
        "instance": C.name,
        "error": encode_fraction(allowed),
        "proper": proper,
        "failures": curve.to_dict(),
        "merged": C.merged,
    }
    heading = ("random set", "least failure probability")
    lines = [("class", show_label(C)), ("error", show_fraction(allowed)), heading] + [
        (
            counted(f"{each.size}", "hypothesis", "hypotheses"),
            " to ".join(show_fraction(bound) for bound in sorted({each.lower, each.upper})),
        )
        for each in curve
    ]
    report(data, lines, as_json=as_json)
    return 0 if all(each.exact for each in curve) else EXIT_NOT_DECIDED
