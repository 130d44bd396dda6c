"""Measures of privacy in ``ccsim audit``: Renyi, zCDP, Gaussian privacy and trade-off functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeAlias

import click

from ccsim.appearance import counted
from ccsim.budget import Budget
from ccsim.certificates import Certificate, Certificates
from ccsim.certificates.answer import is_checked
from ccsim.cli.output import float_bounds, report, show_fraction, told
from ccsim.cli.privacy.own import Subject
from ccsim.errors import DomainError, NotDecidedError
from ccsim.exact import Epsilon, as_fraction
from ccsim.exact.epsilon import LARGEST_EPSILON
from ccsim.exact.exponentials import Real
from ccsim.pictures import draw_trade_off, save_figure
from ccsim.privacy import (
    ConcentratedPrivacy,
    GaussianPrivacy,
    NoiseProgram,
    RenyiPrivacy,
    TradeOff,
    Verdict,
    concentrated_privacy,
    gaussian_privacy,
    renyi_privacy,
    trade_off,
)
from ccsim.privacy.renyi import read_order

Measured: TypeAlias = RenyiPrivacy | ConcentratedPrivacy | GaussianPrivacy
NAMES = ("approximate", "pure", "renyi:ORDER", "zcdp", "gdp", "trade-off")
_LETTERS = {"renyi": "epsilon", "zcdp": "rho", "gdp": "mu"}
_EXIT = {Verdict.HOLDS: 0, Verdict.FAILS: 5, Verdict.NOT_DECIDED: 3}
_POINTS = 12  # breakpoints of a trade-off function in a table


def read_measure(given: str) -> tuple[str, str]:
    """Return the name of a measure, and the order of a Renyi divergence."""
    name, colon, order = given.partition(":")
    if name in NAMES and not colon:
        return name, ""
    if name == "renyi" and order:
        read_order(order)
        return name, order
    raise DomainError(f"--measure must be {', '.join(NAMES[:-1])} or {NAMES[-1]}, not {given!r}")


def measured(
    subject: Subject, measure: tuple[str, str], bound: str | None, budget: Budget
) -> Measured | TradeOff:
    """Return the result of a measure after its check, or a result without an upper bound."""
    name, order = measure
    if bound is not None and name in {"zcdp", "gdp"}:
        as_fraction(bound, "--bound", 0, LARGEST_EPSILON)
    if bound is not None and name == "renyi":
        Epsilon.of(bound, "--bound")
    mechanism, near = subject.mechanism, subject.compared
    if isinstance(mechanism, NoiseProgram):
        with budget.heard():
            mechanism, near = mechanism.on(near)
    with told(lambda done, total: f"compared {done} of {total} pairs") as progress:
        how: dict[str, Any] = {"time_limit": budget, "progress": progress}
        if name == "trade-off":
            if bound is not None:
                raise DomainError("--bound cannot be used with --measure trade-off")
            found: Measured | TradeOff = trade_off(mechanism, near, **how)
        elif name == "renyi":
            found = renyi_privacy(mechanism, order, near, target=bound, **how)
        else:
            ask: Callable[..., Measured] = (
                concentrated_privacy if name == "zcdp" else (gaussian_privacy)
            )
            found = ask(mechanism, near, target=bound, **how)
    if not found.pairs or (name == "trade-off" and found.reason):
        return found
    if is_checked(found, budget):
        return found
    return found.if_stopped("the time limit stopped the check of the certificate")


def report_measure(
    subject: Subject,
    measure: tuple[str, str],
    bound: str | None,
    budget: Budget,
    files: tuple[str | None, str | None],
    *,
    as_json: bool,
) -> int:
    """Print a measure of privacy, write its picture and its certificate; return the exit status."""
    result = measured(subject, measure, bound, budget)
    picture, certificate = files
    data = {**subject.data, "mechanism": subject.name, "measure": measure[0]}
    data |= {"pairs": result.pairs, "reason": result.reason}
    lines = [("mechanism", subject.title), *subject.about]
    if isinstance(result, TradeOff):
        own, more = _function(result)
        status = 3 if result.reason else 0
    else:
        own, more = _parameter(subject, result, measure)
        open_bounds = result.upper is None and not result.is_infinite
        verdict = result.verdict
        status = (3 if open_bounds else 0) if verdict is None else _EXIT[verdict]
    compared = subject.pairs_of or "neighbouring databases"
    pairs = f"{counted(result.pairs, 'pair', 'pairs')} of {compared}, in both orders"
    lines += [*more[:1], ("pairs compared", pairs), *more[1:]]
    lines += [("reason", result.reason)] if result.reason else []
    if picture is not None:
        _draw(subject, result, picture, budget)
    report(data | own, lines, as_json=as_json)
    if certificate is not None:
        _write(result, subject, certificate, budget)
    return status


def _parameter(
    subject: Subject, result: Measured, measure: tuple[str, str]
) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """Return the JSON keys and the lines of the least parameter of a measure."""
    letter, verdict = _LETTERS[measure[0]], result.verdict
    kind = {
        "renyi": f"Renyi privacy of order {measure[1]}",
        "zcdp": "zero-concentrated privacy",
        "gdp": "Gaussian privacy",
    }
    title = kind[measure[0]]
    stated = "" if verdict is None else f"{verdict} at {letter} = {result.target}"
    data: dict[str, Any] = {"bound": None if result.target is None else str(result.target)}
    data |= {"verdict": None if verdict is None else str(verdict), "infinite": result.is_infinite}
    data |= {"lower": _text(result.lower), "upper": _text(result.upper)}
    ends = (result.lower, result.upper)
    known = None not in ends
    data[f"least_{letter}"] = float_bounds(*ends) if known else None  # type: ignore[arg-type]
    lines = [(title, stated)] if stated else [("measure", title)]
    lines.append((f"least {letter}", _ends(result)))
    if isinstance(result, RenyiPrivacy):
        data |= {"order": measure[1], "moment": _text(result.moment)}
        if result.moment is not None and result.order is not None:
            lines.append(("largest moment", _number(result.moment)))
        elif result.moment is not None:
            lines.append(("largest ratio", _number(result.moment)))
    if isinstance(result, ConcentratedPrivacy):
        data["order"] = None if result.is_infinite else str(result.order)
        at = "the limit of orders above 1" if result.order == 1 else f"{float(result.order):.6g}"
        lines += [] if result.is_infinite or result.worst is None else [("order", at)]
    if isinstance(result, GaussianPrivacy):
        data["event"] = list(map(subject.shown[1], result.event))
    data["database"] = data["neighbour"] = None
    if result.worst is not None:
        shown = [list(map(subject.shown[0], database)) for database in result.worst]
        data["database"], data["neighbour"] = shown
        lines += [("database", " ".join(shown[0])), ("neighbour", " ".join(shown[1]))]
    return data, lines


def _function(result: TradeOff) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """Return the JSON keys and the lines of a trade-off function."""
    points = [[str(alpha), str(beta)] for alpha, beta in result.points]
    convex = "yes" if result.is_minimum else "no; the function is its convex hull"
    lines = [
        ("measure", "trade-off function: least type II error for each level"),
        ("minimum is convex", convex),
        ("breakpoints", str(len(points))),
    ]
    for alpha, beta in result.points[:_POINTS]:
        lines.append((f"at {_number(alpha)}", _number(beta)))
    if len(points) > _POINTS:
        lines.append(("...", "--json prints all breakpoints"))
    return {"points": points, "is_minimum": result.is_minimum}, lines


def _ends(result: Measured) -> str:
    """Return the least parameter, rounded, with the distance of the bounds."""
    lower, upper = result.lower, result.upper
    if lower is None:
        return "infinite: an output is possible on one neighbour only"
    if upper is None:
        return f"at least {float(lower):.9g}"
    if lower == upper:
        return show_fraction(lower)
    if upper - lower <= upper / 10**7:
        return f"about {float(upper):.9g} (bounds differ by {float(upper - lower):.1g})"
    return f"from {float(lower):.9g} to {float(upper):.9g}"


def _number(value: Real) -> str:
    return show_fraction(value) if isinstance(value, Fraction) else f"about {float(value):.6g}"


def _text(value: Real | None) -> str | None:
    return None if value is None else str(value)


def _draw(subject: Subject, result: Measured | TradeOff, file: str, budget: Budget) -> None:
    """Draw the trade-off function, with the curve of the least mu beside it."""
    if not isinstance(result, TradeOff):
        raise DomainError("--out draws a trade-off function; give --measure trade-off")
    mu = gaussian_privacy(result.mechanism, subject.compared, time_limit=budget).upper
    save_figure(file, draw_trade_off({subject.short: result}, gaussian=mu))


def _write(result: Measured | TradeOff, subject: Subject, file: str, budget: Budget) -> None:
    """Write the certificate of a measure, if there is time for it."""
    written: Certificate | Certificates | None = None
    reason = "its distributions were not recomputed within the time limit"
    try:
        with budget:
            written = result.certificate(*subject.labels, time_limit=budget)
    except NotDecidedError as error:
        reason = str(error)
    if written is None:
        click.echo(f"no certificate was written: {reason}", err=True)
        return
    parts = written.parts if isinstance(written, Certificates) else (written,)
    name = {"name": subject.short}
    named = [replace(part, instance=part.instance | name) for part in parts]
    (Certificates(tuple(named)) if named[1:] else named[0]).write(file)
