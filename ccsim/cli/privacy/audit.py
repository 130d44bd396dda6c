"""``ccsim audit``: whether a mechanism is private, decided on all neighbouring databases."""

from __future__ import annotations

from fractions import Fraction
from types import MappingProxyType
from typing import Any

import click

from ccsim.budget import Budget
from ccsim.certificates import is_checked
from ccsim.classes import ConceptClass
from ccsim.classes.given import as_class
from ccsim.cli.output import (
    float_bounds,
    output_options,
    report,
    show_fraction,
    time_limit_option,
)
from ccsim.cli.parameters import INPUT, INSTANCE, Command, Integer, picture_option
from ccsim.cli.privacy.asked import Asked
from ccsim.cli.privacy.audited import MECHANISMS, setting
from ccsim.cli.privacy.audited import quality_pairs as read_quality_pairs
from ccsim.cli.privacy.names import Names, draw_curve, qualities_of, show_compared
from ccsim.cli.privacy.public_points import what_is_private
from ccsim.cli.progress import told
from ccsim.errors import DomainError
from ccsim.exact import Epsilon, as_fraction
from ccsim.exact.epsilon import Excess
from ccsim.exact.exponentials import Exponential, Real
from ccsim.pictures.labels import show_label
from ccsim.privacy import (
    AuditResult,
    Mechanism,
    QualityNeighbours,
    RestrictedNeighbours,
    Verdict,
)
from ccsim.privacy import audit as decide
from ccsim.privacy.mechanisms.choosing import THRESHOLDS
from ccsim.privacy.mechanisms.stable_choice import VARIANTS

_EXIT = MappingProxyType({Verdict.HOLDS: 0, Verdict.NOT_DECIDED: 3, Verdict.FAILS: 5})


@click.command(cls=Command)
@click.argument("instance", type=INSTANCE)
@click.option(
    "--mechanism",
    required=True,
    type=click.Choice(sorted(MECHANISMS)),
    help="exponential: over the class, by errors; subsampled-point: the improper learner of "
    "points, before amplification; stable-mode: release of the most frequent hypothesis; "
    "randomized-response: of labelled examples; a-dist, choosing: of a concept that contains many "
    "records, which are points; rec-concave: of a concept that agrees with many labelled examples; "
    "label-private, semi-private: learners to which the points of the first examples are public.",
)
@click.option("--samples", type=Integer(1), help="Entries of a database.")
@click.option(
    "--qualities",
    type=Integer(1),
    metavar="M",
    help="Compare, instead of databases, all quality functions on the concepts with values 0 .. M "
    "that are at distance at most 1.",
)
@click.option(
    "--quality-pairs",
    type=INPUT,
    metavar="FILE",
    help='Compare these pairs of quality functions, in JSON: [[[2, 0], [1, "1/2"]], ...].',
)
@click.option(
    "--growth",
    type=Integer(1),
    metavar="K",
    help="Most qualities that a record adds to; by default those of the class for choosing, and "
    "any number for the others.",
)
@click.option(
    "--variant",
    type=click.Choice(VARIANTS),
    help="Noise and threshold of a-dist, also inside of rec-concave; corrected by default.",
)
@click.option("--threshold", type=click.Choice(THRESHOLDS), help="Of choosing; fixed by default.")
@click.option(
    "--any-size", is_flag=True, help="Allow the paper's threshold on fewer records than it asks."
)
@click.option("--epsilon", required=True, metavar="E", help="1, 1/2 or a logarithm such as 'ln 3'.")
@click.option("--delta", default="0", show_default=True, metavar="D")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="KEY=VALUE",
    help="Parameter of the mechanism: scale (of the noise), margin, flip, accuracy, failure, "
    "released; promise, base, depth (of rec-concave).",
)
@click.option(
    "--curve",
    metavar="E,...",
    help="Also print the least delta for each of these epsilons.",
)
@time_limit_option(
    "Stop after S seconds, or on Ctrl-C; a violation found by then is printed.", default=600
)
@picture_option("With --curve: draw it")
@output_options
def audit(  # noqa: PLR0913 - one argument for each option
    *,
    instance: str,
    mechanism: str,
    samples: int | None,
    qualities: int | None,
    quality_pairs: str | None,
    growth: int | None,
    variant: str | None,
    threshold: str | None,
    any_size: bool,
    epsilon: str,
    delta: str,
    settings: tuple[str, ...],
    curve: str | None,
    time_limit: float,
    out: str | None,
    as_json: bool,
    certificate: str | None,
) -> int:
    """Decide whether a mechanism on the class INSTANCE is (epsilon, delta)-private.

    All pairs of neighbouring databases are compared, exactly; or pairs of quality functions, of
    which alone a-dist, choosing and rec-concave depend. For rec-concave epsilon and delta are those
    of the whole, split equally over its steps. The exit status is 5 if the mechanism
    is not private, and the output then names the databases and the event that show it. An audit
    that the time limit stops is printed as far as it got; a certificate is not written then.
    """
    _check_asked(qualities, quality_pairs, curve, out)
    budget = Budget(time_limit)
    C = as_class(instance, budget)
    bound, allowed = Epsilon.of(epsilon), as_fraction(delta, "delta", 0, 1)
    asked = Asked(bound, allowed, dict(setting(text) for text in settings))
    asked.variant, asked.threshold, asked.any_size = variant, threshold, any_size
    asked.samples, asked.most, asked.growth = samples, qualities, growth
    asked.pairs = None if quality_pairs is None else read_quality_pairs(quality_pairs)
    chosen, functions = MECHANISMS[mechanism](C, asked)
    asked.refuse_the_rest(mechanism)
    compared = functions or samples
    if compared is None:
        raise DomainError("give --samples, the entries of a database")
    epsilons = [] if curve is None else [Epsilon.of(text.strip()) for text in curve.split(",")]
    with told(_progress) as progress:
        found = decide(chosen, bound, allowed, compared, time_limit=budget, progress=progress)
    result = _checked(found, budget)
    are_points = mechanism in {"a-dist", "choosing"}
    show = Names(C, points=are_points, qualities=isinstance(functions, QualityNeighbours))
    data, lines = _data(C, mechanism, result, show), _lines(C, mechanism, result, show)
    if epsilons:
        points = [(e, _least_delta(chosen, e, compared, budget)) for e in epsilons]
        if out is not None:
            draw_curve(f"{mechanism} on {show_label(C.name or 'class')}", points, out)
        data["curve"] = [
            {"epsilon": str(e), "least_delta": None if d is None else _exact(d)} for e, d in points
        ]
        lines += [
            (f"least delta at epsilon = {e}", "not decided" if d is None else _number(d))
            for e, d in points
        ]
    report(data, lines, as_json=as_json)
    if certificate is not None:
        written, reason = None, result.reason
        if not reason:
            with budget:
                written = result.certificate(show.record, show.outcome, time_limit=budget)
            reason = "its laws were not computed again within the time limit"
        if written is None:
            click.echo(f"no certificate was written: {reason}", err=True)
        else:
            written.write(certificate)
    return _EXIT[result.verdict]


def _check_asked(
    qualities: int | None, quality_pairs: str | None, curve: str | None, out: str | None
) -> None:
    if qualities is not None and quality_pairs is not None:
        raise DomainError("give --qualities or --quality-pairs, not both")
    if out is not None and curve is None:
        raise DomainError("--out draws a curve: give --curve")


def _checked(result: AuditResult, budget: Budget) -> AuditResult:
    """Return what is checked of a result: what a stopped audit states, if the time is over."""
    if result.verdict is Verdict.NOT_DECIDED:
        return result
    if is_checked(result, budget):
        return result
    checked = result.if_stopped("the check of the audit was stopped")
    if checked.verdict is Verdict.FAILS:
        checked.check()  # of one pair
    return checked


def _least_delta(
    mechanism: Mechanism[Any, Any],
    epsilon: Epsilon,
    compared: int | QualityNeighbours | RestrictedNeighbours,
    budget: Budget,
) -> Real | Excess | None:
    """Return the least delta at epsilon; None, with a line on stderr, if it cannot be decided."""
    try:
        with told(_progress) as progress:
            result = decide(mechanism, epsilon, 0, compared, time_limit=budget, progress=progress)
    except DomainError as error:  # the mechanism's own epsilon had an answer, which is not lost
        reason = str(error)
    else:
        if result.least_delta is not None:
            return result.least_delta
        reason = result.reason
    click.echo(f"no least delta at epsilon = {epsilon}: {reason}", err=True)
    return None


def _progress(done: int, total: int) -> str:
    return f"compared {done} of {total} pairs"


def _number(value: Real | Excess) -> str:
    return show_fraction(value) if isinstance(value, Fraction) else f"{value} ({float(value):.6g})"


def _data(C: ConceptClass, name: str, result: AuditResult, show: Names) -> dict[str, Any]:
    least, qualities = result.least_epsilon, qualities_of(result)
    data: dict[str, Any] = {
        "instance": C.name,
        "mechanism": name,
        "epsilon": str(result.epsilon),
        "delta": str(result.delta),
        "verdict": str(result.verdict),
        "samples": result.size,
        "pairs": result.pairs,
        "private": what_is_private(result.neighbours),
        "qualities": None if qualities is None else len(qualities.functions),
        "growth": None if qualities is None else qualities.growth,
        "least_delta": None if result.least_delta is None else _exact(result.least_delta),
        "least_factor": None if result.factor is None else _exact(result.factor),
        "least_epsilon": None if least is None else float_bounds(least.lower, least.upper),
        "reason": result.reason,
        "witness": None,
    }
    if (found := result.witness) is not None:
        data["witness"] = {
            "database": [show.record(r) for r in found.database],
            "neighbour": [show.record(r) for r in found.neighbour],
            "event": [show.outcome(o) for o in found.event],
            "probability": _exact(found.probability),
            "neighbour_probability": _exact(found.neighbour_probability),
        }
    return data


def _exact(value: Real | Excess) -> str:
    return str(
        value.as_fraction() if isinstance(value, Exponential) and value.is_rational else value
    )


def _lines(C: ConceptClass, name: str, result: AuditResult, show: Names) -> list[tuple[str, str]]:
    stated = f"epsilon = {result.epsilon}, delta = {result.delta}"
    rows = [
        ("mechanism", f"{name} on {show_label(C)}"),
        ("privacy", f"{result.verdict} at {stated}"),
        ("pairs compared", show_compared(result)),
    ]
    if result.reason:
        rows.append(("reason", result.reason))
    if result.least_delta is not None:
        rows.append((f"least delta at epsilon = {result.epsilon}", _number(result.least_delta)))
        least = result.least_epsilon
        value = "none" if least is None else f"{float(least.upper):.6g}"
        exact = "" if result.factor is None else f", the logarithm of {_exact(result.factor)}"
        rows.append((f"least epsilon at delta = {result.delta}", value + exact))
    if (found := result.witness) is not None:
        rows += [
            ("database", " ".join(map(show.record, found.database))),
            ("neighbour", " ".join(map(show.record, found.neighbour))),
            ("event", "; ".join(map(show.outcome, found.event))),
            (
                "its probabilities",
                f"{_number(found.probability)} and {_number(found.neighbour_probability)}",
            ),
        ]
    return rows
