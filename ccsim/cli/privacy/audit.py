"""``ccsim audit``: whether a mechanism is private, decided on all neighbouring databases."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import click

from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.cli.output import (
    float_bounds,
    on_terminal,
    output_options,
    report,
    rewrite,
    show_fraction,
    time_limit_option,
)
from ccsim.cli.parameters import INSTANCE, Command, Integer, read_class
from ccsim.errors import DomainError
from ccsim.exact import Epsilon, as_fraction
from ccsim.exact.exponentials import Exponential, Real
from ccsim.instances import look_up
from ccsim.learning import PrivateOccam, SubsampledPoint
from ccsim.pictures.labels import show_label
from ccsim.privacy import AuditResult, Mechanism, RandomizedResponse, StableMode, Verdict
from ccsim.privacy import audit as decide

__all__ = ["audit"]

_EXIT = MappingProxyType({Verdict.HOLDS: 0, Verdict.NOT_DECIDED: 3, Verdict.FAILS: 5})

Parameters = dict[str, Fraction]
_Maker = Callable[[ConceptClass, Epsilon, Fraction, Parameters], Mechanism[Any, Any]]


def _exponential(
    C: ConceptClass, epsilon: Epsilon, _: Fraction, given: Parameters
) -> Mechanism[Any, Any]:
    return PrivateOccam(len(C.points), C.rows, epsilon, given.pop("scale", Fraction(1)))


def _points(C: ConceptClass, _: Epsilon, __: Fraction, given: Parameters) -> Mechanism[Any, Any]:
    size = len(C.points)
    if set(C.rows) != {1 << x for x in range(size)}:
        raise DomainError(f"subsampled-point learns the point functions, {C.name} is another class")
    return SubsampledPoint(size, given.pop("accuracy", Fraction(2, 5)), given.pop("flip", None))


def _stable(
    C: ConceptClass, epsilon: Epsilon, delta: Fraction, given: Parameters
) -> Mechanism[Any, Any]:
    size = len(C.points)
    candidates = (0, *(1 << x for x in range(size)), *C.rows)
    margin, scale = given.pop("margin", Fraction(1)), given.pop("scale", Fraction(1))
    return StableMode(tuple(dict.fromkeys(candidates)), 0, epsilon, delta, margin, scale)


def _response(
    C: ConceptClass, epsilon: Epsilon, _: Fraction, __: Parameters
) -> Mechanism[Any, Any]:
    return RandomizedResponse(tuple((x, y) for x in range(len(C.points)) for y in (0, 1)), epsilon)


_MECHANISMS: Mapping[str, _Maker] = MappingProxyType(
    {
        "exponential": _exponential,
        "randomized-response": _response,
        "stable-mode": _stable,
        "subsampled-point": _points,
    }
)


@click.command(cls=Command)
@click.argument("instance", type=INSTANCE)
@click.option(
    "--mechanism",
    required=True,
    type=click.Choice(sorted(_MECHANISMS)),
    help="exponential: over the class, by errors; subsampled-point: the improper learner of "
    "points, before amplification; stable-mode: release of the most frequent hypothesis; "
    "randomized-response: of labelled examples.",
)
@click.option("--samples", type=Integer(1), required=True, help="Entries of a database.")
@click.option("--epsilon", required=True, metavar="E", help="1, 1/2 or a logarithm such as 'ln 3'.")
@click.option("--delta", default="0", show_default=True, metavar="D")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="KEY=VALUE",
    help="Parameter of the mechanism: scale (of the noise), margin, flip, accuracy.",
)
@click.option(
    "--curve",
    metavar="E,...",
    help="Also print the least delta for each of these epsilons.",
)
@time_limit_option(
    "Stop after S seconds, or on Ctrl-C; a violation found by then is printed.", default=600
)
@output_options
def audit(  # noqa: PLR0913 - one argument for each option
    *,
    instance: str,
    mechanism: str,
    samples: int,
    epsilon: str,
    delta: str,
    settings: tuple[str, ...],
    curve: str | None,
    time_limit: float,
    as_json: bool,
    certificate: str | None,
) -> int:
    """Decide whether a mechanism on the class INSTANCE is (epsilon, delta)-private.

    All pairs of neighbouring databases are compared, exactly. The exit status is 5 if the mechanism
    is not private, and the output then names the databases and the event that show it. An audit
    that the time limit stops is printed as far as it got; a certificate is not written then.
    """
    budget = Budget(time_limit)
    C = read_class(instance, budget)
    bound, allowed = Epsilon.of(epsilon), as_fraction(delta, "delta", 0, 1)
    given = dict(_setting(text) for text in settings)
    chosen = _MECHANISMS[mechanism](C, bound, allowed, given)
    if given:
        raise DomainError(f"{mechanism} has no parameter {', '.join(given)}")
    epsilons = [] if curve is None else [Epsilon.of(text.strip()) for text in curve.split(",")]
    progress = on_terminal(_show_progress)
    result = _checked(decide(chosen, bound, allowed, samples, progress, time_limit=budget), budget)
    show = _Names(C)
    data, lines = _data(C, mechanism, result, show), _lines(C, mechanism, result, show)
    if epsilons:
        points = [(e, _least_delta(chosen, e, samples, budget)) for e in epsilons]
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


def _checked(result: AuditResult, budget: Budget) -> AuditResult:
    """Return what is checked of a result: what a stopped audit states, if the time is over."""
    if result.verdict is Verdict.NOT_DECIDED:
        return result
    checked = result.if_stopped("the check of the audit was stopped")
    with budget:
        result.check(budget)
        checked = result
    if checked is not result and checked.verdict is Verdict.FAILS:
        checked.check()  # of one pair
    return checked


def _least_delta(
    mechanism: Mechanism[Any, Any], epsilon: Epsilon, samples: int, budget: Budget
) -> Real | None:
    """Return the least delta at epsilon; None, with a line on stderr, if it cannot be decided."""
    try:
        progress = on_terminal(_show_progress)
        result = decide(mechanism, epsilon, 0, samples, progress, time_limit=budget)
    except DomainError as error:  # the mechanism's own epsilon had an answer, which is not lost
        reason = str(error)
    else:
        if result.least_delta is not None:
            return result.least_delta
        reason = result.reason
    click.echo(f"no least delta at epsilon = {epsilon}: {reason}", err=True)
    return None


def _show_progress(done: int, total: int) -> None:
    if done % 1000 == 0 or done == total:
        rewrite(f"compared {done} of {total} pairs" if done < total else "")


def _setting(text: str) -> tuple[str, Fraction]:
    key, equals, value = text.partition("=")
    look_up({"scale": 0, "margin": 0, "flip": 0, "accuracy": 0}, "parameter", key)
    if not equals:
        raise DomainError(f"--set needs KEY=VALUE, not {text!r}")
    return key, as_fraction(value, key, 0)


class _Names:
    """How records and hypotheses are shown: by the labels of the class."""

    def __init__(self, C: ConceptClass) -> None:
        self._points = C.points
        self._concepts = dict(zip(C.rows, C.concepts, strict=True))

    def hypothesis(self, h: Hashable) -> str:
        """Return a concept's label, or the points on which a hypothesis is 1."""
        if h is None:
            return "no answer"
        if not isinstance(h, int):
            return str(h)
        if h in self._concepts:
            return show_label(self._concepts[h])
        ones = ", ".join(show_label(p) for x, p in enumerate(self._points) if h >> x & 1)
        return f"1 on {{{ones}}}"

    def record(self, record: Hashable) -> str:
        """Return a labelled example, a vote or the null record."""
        if record is None:
            return "*"
        if isinstance(record, tuple):
            x, label = record
            return f"({show_label(self._points[x])}, {label})"
        return self.hypothesis(record)

    def outcome(self, outcome: Hashable) -> str:
        """Return a hypothesis, or a tuple of reported records."""
        if isinstance(outcome, tuple):
            return " ".join(self.record(r) for r in outcome)
        return self.hypothesis(outcome)


def _number(value: Real) -> str:
    return show_fraction(value) if isinstance(value, Fraction) else f"{value} ({float(value):.6g})"


def _data(C: ConceptClass, name: str, result: AuditResult, show: _Names) -> dict[str, Any]:
    least = result.least_epsilon
    data: dict[str, Any] = {
        "instance": C.name,
        "mechanism": name,
        "epsilon": str(result.epsilon),
        "delta": str(result.delta),
        "verdict": str(result.verdict),
        "pairs": result.pairs,
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


def _exact(value: Real) -> str:
    return str(
        value.as_fraction() if isinstance(value, Exponential) and value.is_rational else value
    )


def _lines(C: ConceptClass, name: str, result: AuditResult, show: _Names) -> list[tuple[str, str]]:
    stated = f"epsilon = {result.epsilon}, delta = {result.delta}"
    rows = [
        ("mechanism", f"{name} on {show_label(C)}"),
        ("privacy", f"{result.verdict} at {stated}"),
        ("pairs compared", f"{result.pairs} of neighbouring databases, both ways"),
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
