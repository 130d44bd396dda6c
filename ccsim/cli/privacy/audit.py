"""``ccsim audit``: whether a mechanism is private, decided on all neighbouring databases.

The mechanism is either a registered one on a class, or the user's own (`ccsim.cli.privacy.own`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

import click

from ccsim.appearance import counted, show_label
from ccsim.budget import Budget
from ccsim.certificates import Certificates
from ccsim.certificates.answer import is_checked
from ccsim.certificates.files import read_json
from ccsim.classes import ConceptClass
from ccsim.classes.given import as_class
from ccsim.cli.output import (
    float_bounds,
    output_options,
    report,
    show_fraction,
    time_limit_option,
    told,
)
from ccsim.cli.parameters import EPSILON, INPUT, INSTANCE, SIZES, Command, Integer, picture_option
from ccsim.cli.privacy.measures import read_measure, report_measure
from ccsim.cli.privacy.own import Subject, own_subject, refuse_options
from ccsim.cli.privacy.programs import enclosed_data, enclosed_lines
from ccsim.cli.privacy.registered import (
    parameter_options,
    registered_option,
    settings_of,
)
from ccsim.errors import DomainError
from ccsim.exact import Epsilon, as_fraction
from ccsim.exact.epsilon import Excess
from ccsim.exact.exponentials import Exponential, Real, enclose_log
from ccsim.pictures import draw_privacy, save_figure
from ccsim.privacy import (
    AuditResult,
    ByQuality,
    Mechanism,
    NoiseProgram,
    ProgramAudit,
    QualityNeighbours,
    RestrictedNeighbours,
    Verdict,
    Violation,
)
from ccsim.privacy import audit as decide
from ccsim.privacy.audit_result import event_needing
from ccsim.texts.registry import MECHANISM_CLASSES

_LONG = 60  # characters of an exact number in a table; JSON has longer ones
_SHOWN = 8  # outputs of an event that are listed
Compared: TypeAlias = int | QualityNeighbours | RestrictedNeighbours

_EXIT = MappingProxyType({Verdict.HOLDS: 0, Verdict.NOT_DECIDED: 3, Verdict.FAILS: 5})


@click.command(cls=Command)
@click.argument("instance", type=INSTANCE)
@registered_option(MECHANISM_CLASSES, required=False)
@click.option(
    "--neighbours",
    type=INSTANCE,
    metavar="WHICH",
    help="Neighbouring databases of your own mechanism; see above.",
)
@click.option(
    "--key",
    type=Integer(0),
    metavar="INDEX",
    help="Index of the key in a record, for --neighbours key.",
)
@click.option(
    "--domain",
    metavar="A,B,...",
    help="Values of a record: 0,1 or 0..9 or red,blue.",
)
@click.option(
    "--samples",
    type=SIZES,
    metavar="M",
    help="Number of records in each database, or a range L..M.",
)
@click.option(
    "--queries",
    type=Integer(1),
    metavar="M",
    help="Number of queries of a noise program.",
)
@click.option(
    "--qualities",
    type=Integer(1),
    metavar="M",
    help="Compare all quality functions with values 0 to M.",
)
@click.option(
    "--quality-pairs",
    type=INPUT,
    metavar="FILE",
    help="Compare the pairs of quality functions in a JSON file.",
)
@click.option(
    "--growth",
    type=Integer(1),
    metavar="K",
    help="Maximum number of qualities increased by one record.",
)
@click.option(
    "--epsilon",
    type=EPSILON,
    metavar="E",
    help="Privacy parameter, e.g. 1/2 or 'ln 3' (default: least).",
)
@click.option(
    "--delta", default="0", show_default=True, metavar="D", help="Privacy parameter delta."
)
@parameter_options(MECHANISM_CLASSES, by_set=True)
@click.option(
    "--measure",
    metavar="NAME",
    help="Measure of privacy (default: approximate); see above.",
)
@click.option(
    "--bound",
    type=EPSILON,
    metavar="B",
    help="Decide whether the least epsilon, rho or mu is at most B.",
)
@click.option(
    "--curve",
    type=EPSILON,
    metavar="E,...",
    help="Also compute the least delta for these epsilons.",
)
@time_limit_option("Stop after S seconds; report violations found so far.", default=600)
@picture_option("Draw the curve or the trade-off")
@output_options
def audit(  # noqa: PLR0913 - one argument for each option
    *,
    instance: str,
    mechanism: str | None,
    neighbours: str | None,
    domain: str | None,
    epsilon: str | None,
    delta: str,
    curve: str | None,
    measure: str | None,
    bound: str | None,
    time_limit: float,
    out: str | None,
    as_json: bool,
    certificate: str | None,
    **options: Any,  # noqa: ANN401 - of the mechanism on a class
) -> int:
    """Decide whether a mechanism is (epsilon, delta)-private.

    With --mechanism, INSTANCE is a class. Otherwise it is your own mechanism: a table of output
    probabilities such as @channel.csv, with a row for each database and a column for each output,
    or a function in a Python file such as module.py:function. The Python file is executed.

    The neighbours of your own mechanism are given by --neighbours. For a table: all, consecutive,
    records or add-remove (row labels are lists of records), or @FILE. For a function: replace (the
    default), labels, add-remove, key, remove-key or own; the last four compare databases with 0 to
    M records.

    A function with the decorator ccsim.privacy.mechanism is a noise program. Give the number of
    its queries and their values with --queries and --domain LOW..HIGH, and how they differ between
    neighbours with --neighbours: each, one-direction, one-query, replacement or total (with :K
    for changes up to K), or @FILE.

    All pairs of neighbouring databases are compared exactly. The output states the least epsilon
    and the least delta, with the databases and the event that attain them. The exit status is 5
    if the mechanism is not private, and 3 if the time limit or Ctrl-C stopped the audit before an
    answer; no certificate is written then.

    The mechanisms a-dist, choosing and rec-concave depend only on a quality function of the
    concepts. With --qualities or --quality-pairs, pairs of quality functions at distance at most 1
    are compared instead of databases. A file of pairs is JSON such as [[[2, 0], [1, "1/2"]]].

    --measure selects another measure of privacy: the least epsilon at delta 0 (pure), the least
    epsilon of Renyi privacy of an order (renyi:2, renyi:3/2, renyi:infinity), the least rho of
    zero-concentrated privacy (zcdp), the least mu of Gaussian privacy (gdp), or the trade-off
    function (trade-off). --bound states an epsilon, rho or mu to compare it with.
    """
    kind = None if measure is None else read_measure(measure)
    other = kind is not None and kind[0] not in {"approximate", "pure"}
    _check_options(kind, bound=bound, curve=curve, out=out, delta=delta, other=other)
    budget = Budget(time_limit)
    stated = Epsilon.of("0" if epsilon is None else epsilon)
    allowed = as_fraction(delta, "delta", 0, 1)
    if mechanism is None:
        subject = own_subject(instance, neighbours, domain, options, budget)
    elif epsilon is None:
        raise DomainError("give --epsilon, the parameter of the mechanism: 1, 1/2 or 'ln 3'")
    else:
        key = options.pop("key")
        refuse_options(
            "with --mechanism",
            neighbours=neighbours,
            domain=domain,
            key=key,
            queries=options.pop("queries"),
        )
        subject = _on_class(instance, mechanism, (stated, allowed), options, budget)
    if kind is not None and other:
        files = out, certificate
        return report_measure(subject, kind, bound, budget, files, as_json=as_json)
    epsilons = [] if curve is None else [Epsilon.of(text.strip()) for text in curve.split(",")]
    found = _decided(subject, stated, allowed, budget)
    if epsilon is None and found.factor is not None:
        found = _decided(subject, _logarithm(found), allowed, budget)
    if isinstance(found, ProgramAudit):
        refuse_options("for a noise program whose privacy is only enclosed", curve=curve)
        asked = epsilon is not None or found.factor is not None
        return _enclosed(subject, found, certificate, as_json=as_json, asked=asked)
    result = _checked(found, budget)
    tightest = None if result.tightest is None else _tightest(result)
    data, lines = _data(subject, result, tightest), _lines(subject, result, tightest)
    if epsilons:
        points = [(e, _least_delta(subject, e, budget)) for e in epsilons]
        if out is not None:
            _draw_curve(subject.short, points, out)
        data["curve"] = [
            {"epsilon": str(e), "least_delta": None if d is None else _exact(d)} for e, d in points
        ]
        lines += [
            (f"least delta at epsilon = {e}", "not decided" if d is None else _number(d))
            for e, d in points
        ]
    report(data, lines, as_json=as_json)
    if certificate is not None:
        _write(result, subject, certificate, budget)
    return _EXIT[result.verdict]


def _enclosed(
    subject: Subject, result: ProgramAudit, certificate: str | None, *, as_json: bool, asked: bool
) -> int:
    """Report the audit of a noise program whose privacy is only enclosed."""
    result.check()
    stated = f"epsilon = {result.epsilon}, delta = {result.delta}"
    rows = [("mechanism", subject.title), *subject.about]
    if asked:
        rows.append(("privacy", f"{result.verdict} at {stated}"))
    rows.append(("pairs compared", _compared(subject, result.classes)))
    if asked and result.reason:
        rows.append(("reason", result.reason))
    rows += enclosed_lines(result)
    if (found := result.worst) is not None and found.event:
        rows += _event_lines(subject, found)
    data = {
        **subject.data,
        "mechanism": subject.name,
        "epsilon": str(result.epsilon),
        "delta": str(result.delta),
        "verdict": str(result.verdict),
        "pairs": result.pairs,
        **enclosed_data(result),
        "reason": result.reason,
        "worst": _event(subject, result.worst),
    }
    report(data, rows, as_json=as_json)
    if certificate is not None:
        click.echo(
            "no certificate was written: it would prove only the lower bounds of an enclosure",
            err=True,
        )
    return _EXIT[result.verdict] if asked else 0


def _check_options(
    kind: tuple[str, str] | None,
    *,
    bound: str | None,
    curve: str | None,
    out: str | None,
    delta: str,
    other: bool,
) -> None:
    """Refuse options that do not apply to the measure."""
    if bound is not None and not other:
        raise DomainError("--bound is for --measure renyi:ORDER, zcdp or gdp; give --epsilon")
    if curve is not None and other:
        raise DomainError("--curve cannot be used with this measure")
    if kind is not None and kind[0] == "pure" and delta != "0":
        raise DomainError("--measure pure has delta 0; omit --delta")
    if out is not None and curve is None and (kind is None or kind[0] != "trade-off"):
        raise DomainError(
            "--out draws a curve or a trade-off function; give --curve or --measure trade-off"
        )


def _decided(
    subject: Subject, epsilon: Epsilon, delta: Fraction, budget: Budget
) -> AuditResult | ProgramAudit:
    mechanism, compared = subject.mechanism, subject.compared
    with told(_progress) as progress:
        if isinstance(mechanism, NoiseProgram):
            return decide(mechanism, epsilon, delta, compared, time_limit=budget, progress=progress)
        return decide(mechanism, epsilon, delta, compared, time_limit=budget, progress=progress)


def _logarithm(result: AuditResult | ProgramAudit) -> Epsilon:
    """Return the least epsilon of an audit, if it is the logarithm of a fraction."""
    factor = result.factor
    if isinstance(factor, Exponential) and factor.is_rational:
        factor = factor.as_fraction()
    if isinstance(factor, Exponential) and (exponent := factor.exponent) is not None:
        return Epsilon.of(exponent)
    if not isinstance(factor, Fraction):
        raise DomainError(
            f"give --epsilon; the least epsilon is about {_least(result)}, which is not the "
            "logarithm of a fraction"
        )
    return Epsilon.of(f"ln {factor}")


def _least(result: AuditResult | ProgramAudit) -> str:
    """Return the least epsilon, rounded.

    If the audited epsilon is smaller but rounds to the same number, the text is "just above" it.
    """
    least = result.least_epsilon
    if least is None:
        return "none"
    asked = enclose_log(result.epsilon.exp())
    rounded = f"{float(least.upper):.6g}"
    same = result.verdict is Verdict.FAILS and rounded == f"{float(asked.upper):.6g}"
    return f"just above {result.epsilon}" if same else rounded


def _write(result: AuditResult, subject: Subject, file: str, budget: Budget) -> None:
    """Write the certificate of a decided audit, if there is time for it."""
    written, reason = None, result.reason
    if not reason:
        with budget:
            written = result.certificate(*subject.labels, time_limit=budget)
        reason = "its distributions were not recomputed within the time limit"
    if written is None:
        click.echo(f"no certificate was written: {reason}", err=True)
    else:
        parts = written.parts if isinstance(written, Certificates) else (written,)
        name = {"name": subject.short}
        named = [replace(part, instance=part.instance | name) for part in parts]
        (Certificates(tuple(named)) if named[1:] else named[0]).write(file)


def _on_class(
    instance: str,
    name: str,
    privacy: tuple[Epsilon, Fraction],
    options: dict[str, Any],
    budget: Budget,
) -> Subject:
    """Return a registered mechanism on a class, with the compared databases."""
    samples, qualities, quality_pairs, growth, settings = (
        options.pop(key) for key in ("samples", "qualities", "quality_pairs", "growth", "settings")
    )
    if qualities is not None and quality_pairs is not None:
        raise DomainError("give --qualities or --quality-pairs, not both")
    least, size = (None, None) if samples is None else samples
    if least is not None:
        raise DomainError("--samples must be one number with --mechanism, not a range")
    C = as_class(instance, budget)
    functions = None
    if qualities is not None or quality_pairs is not None:
        functions = partial(_quality_functions, len(C.rows), qualities, quality_pairs)
    chosen, compared, entries = _made(
        name, C, privacy, functions, size, growth, (settings, options)
    )
    show = _Names(C, entries, chosen.published)
    return Subject(
        name,
        f"{name} on {show_label(C.name or 'class')}",
        f"{name} on {show_label(C)}",
        chosen,
        compared,
        (show.record, show.outcome),
        (show.record, show.outcome),
        {"instance": C.name},
    )


def _made(
    name: str,
    C: ConceptClass,
    privacy: tuple[Epsilon, Fraction],
    functions: Callable[[int | None], QualityNeighbours] | None,
    size: int | None,
    growth: int | None,
    given: tuple[tuple[str, ...], dict[str, object]],
) -> tuple[Mechanism[Any, Any], Compared, str]:
    """Return a mechanism on a class, the compared databases, and the kind of its records."""
    kind, (texts, options) = MECHANISM_CLASSES.load_class(name), given
    is_own = "growth" in MECHANISM_CLASSES.declared(kind)
    if is_own or functions is None:
        options["growth"] = growth
    values = settings_of(MECHANISM_CLASSES, name, texts, options)
    chosen = kind.on_class(len(C.points), C.rows, *privacy, **values)
    if functions is None:
        if size is None:
            raise DomainError("give --samples M, the number of records in each database")
        return chosen, chosen.neighbours(size), chosen.entries
    if not hasattr(chosen, "distribution_of_scores"):
        raise DomainError(f"{name} does not use a quality function; give --samples instead")
    compared = functions(chosen.growth if is_own else growth)
    by_quality = ByQuality(compared.functions, partial(chosen.distribution_of_scores, size=size))
    return by_quality, compared, "quality functions"


def _quality_functions(
    solutions: int, most: int | None, file: str | None, growth: int | None
) -> QualityNeighbours:
    """Return all quality functions with values up to a maximum, or the pairs in a JSON file."""
    if most is not None:
        return QualityNeighbours.all_functions(solutions, most, growth)
    pairs = read_json(Path(file or ""), exact=True)
    if not isinstance(pairs, list):
        raise DomainError(f"{file}: expected a list of pairs of quality functions")
    found = QualityNeighbours.of_pairs(pairs, growth)
    if (width := len(found.functions[0])) != solutions:
        raise DomainError(
            f"quality functions must have {solutions} values, one for each concept, not {width}"
        )
    return found


def _checked(result: AuditResult, budget: Budget) -> AuditResult:
    """Return a result after its check; if there was no time for the check, a stopped audit."""
    if result.verdict is Verdict.NOT_DECIDED:
        return result
    if is_checked(result, budget):
        return result
    checked = result.if_stopped("the time limit stopped the check of the audit")
    if checked.verdict is Verdict.FAILS:
        checked.check()  # of one pair
    return checked


def _least_delta(subject: Subject, epsilon: Epsilon, budget: Budget) -> Real | Excess | None:
    """Return the least delta at epsilon; None, with a line on stderr, if it cannot be decided."""
    try:
        result = _decided(subject, epsilon, Fraction(0), budget)
    except DomainError as error:  # the mechanism's own epsilon had an answer, which is not lost
        reason = str(error)
    else:
        if isinstance(result, AuditResult) and result.least_delta is not None:
            return result.least_delta
        reason = result.reason
    click.echo(f"no least delta at epsilon = {epsilon}: {reason}", err=True)
    return None


def _progress(done: int, total: int) -> str:
    return f"compared {done} of {total} pairs"


def _number(value: Real | Excess) -> str:
    if isinstance(value, Fraction):
        return show_fraction(value)
    exact = _exact(value)
    rounded = f"{float(value):.6g}"
    return f"about {rounded}" if len(exact) > _LONG else f"{exact} ({rounded})"


def _tightest(result: AuditResult) -> Violation:
    """Return the event that requires the least epsilon, with its probabilities."""
    database, neighbour = result.tightest or ((), ())
    p, q = result.mechanism.distribution(database), result.mechanism.distribution(neighbour)
    event = tuple(event_needing(p, q, result.factor))
    return Violation(database, neighbour, event, p.mass(event), q.mass(event), result.delta)


def _data(subject: Subject, result: AuditResult, tightest: Violation | None) -> dict[str, Any]:
    least, qualities = result.least_epsilon, _qualities_of(result)
    return {
        **subject.data,
        "mechanism": subject.name,
        "epsilon": str(result.epsilon),
        "delta": str(result.delta),
        "verdict": str(result.verdict),
        "samples": None if subject.pairs_of else result.size,
        "pairs": result.pairs,
        "private": _what_is_private(result.neighbours),
        "qualities": None if qualities is None else len(qualities.functions),
        "growth": None if qualities is None else qualities.growth,
        "least_delta": None if result.least_delta is None else _exact(result.least_delta),
        "least_factor": None if result.factor is None else _exact(result.factor),
        "least_epsilon": None if least is None else float_bounds(least.lower, least.upper),
        "reason": result.reason,
        "witness": _event(subject, result.witness),
        "tightest": _event(subject, tightest),
    }


def _event(subject: Subject, found: Violation | None) -> dict[str, Any] | None:
    """Return a pair of neighbours and an event for JSON; None if there is none."""
    if found is None:
        return None
    record, outcome = subject.shown
    return {
        "database": list(map(record, found.database)),
        "neighbour": list(map(record, found.neighbour)),
        "event": list(map(outcome, found.event)),
        "probability": _exact(found.probability),
        "neighbour_probability": _exact(found.neighbour_probability),
    }


def _exact(value: Real | Excess) -> str:
    return str(
        value.as_fraction() if isinstance(value, Exponential) and value.is_rational else value
    )


def _lines(
    subject: Subject, result: AuditResult, tightest: Violation | None
) -> list[tuple[str, str]]:
    stated = f"epsilon = {result.epsilon}, delta = {result.delta}"
    rows = [
        ("mechanism", subject.title),
        *subject.about,
        ("privacy", f"{result.verdict} at {stated}"),
        ("pairs compared", _compared(subject, result)),
    ]
    if result.reason:
        rows.append(("reason", result.reason))
    if result.least_delta is not None:
        rows.append((f"least delta at epsilon = {result.epsilon}", _number(result.least_delta)))
        exact = "" if result.factor is None else f", the logarithm of {_number(result.factor)}"
        rows.append((f"least epsilon at delta = {result.delta}", _least(result) + exact))
    if (found := result.witness or tightest) is not None:
        rows += _event_lines(subject, found)
    return rows


def _event_lines(subject: Subject, found: Violation) -> list[tuple[str, str]]:
    """Return the lines on a pair of neighbours and an event."""
    record, outcome = subject.shown
    others = len(found.event) - _SHOWN
    more = f"; and {counted(others, 'more output', 'more outputs')}" if others > 0 else ""
    return [
        ("database", " ".join(map(record, found.database)) or "no records"),
        ("neighbour", " ".join(map(record, found.neighbour)) or "no records"),
        ("event", "; ".join(map(outcome, found.event[:_SHOWN])) + more),
        (
            "its probabilities",
            f"{_number(found.probability)} and {_number(found.neighbour_probability)}",
        ),
    ]


class _Names:
    """Printed names of records and hypotheses: the labels of the class."""

    def __init__(self, C: ConceptClass, entries: str, published: str) -> None:
        self._numbers = published == "numbers"
        self._points, self._entries = C.points, entries
        self._concepts = dict(zip(C.rows, C.concepts, strict=True))

    def hypothesis(self, h: Hashable) -> str:
        """Return the label of a concept, or the points on which another hypothesis is 1."""
        if h is None:
            return "no answer"
        if not isinstance(h, int):
            return str(h)
        if h in self._concepts:
            return show_label(self._concepts[h])
        ones = ", ".join(show_label(p) for x, p in enumerate(self._points) if h >> x & 1)
        return f"1 on {{{ones}}}"

    def record(self, record: Hashable) -> str:
        """Return the printed form of a record: an example, point, vote or quality function."""
        if record is None:
            return "*"
        if self._entries == "points" and isinstance(record, int):
            return show_label(self._points[record])
        if isinstance(record, tuple):
            if self._entries == "quality functions":
                return f"({', '.join(map(str, record))})"
            x, label = record
            return f"({show_label(self._points[x])}, {label})"
        return self.hypothesis(record)

    def outcome(self, outcome: Hashable) -> str:
        """Return the printed form of an output: a hypothesis, reported records, or numbers."""
        if self._numbers:
            return str(outcome)
        if outcome == ():
            return "nothing"
        if isinstance(outcome, tuple):
            return " ".join(self.record(r) for r in outcome)
        return self.hypothesis(outcome)


def _qualities_of(result: AuditResult) -> QualityNeighbours | None:
    """Return the compared quality functions; None if the audit compares databases."""
    return result.neighbours if isinstance(result.neighbours, QualityNeighbours) else None


def _compared(subject: Subject, result: AuditResult) -> str:
    """Return a description of the compared pairs."""
    if subject.pairs_of:
        return f"{_pairs(result)} of {subject.pairs_of}, in both orders"
    if (qualities := _qualities_of(result)) is None:
        private = _what_is_private(result.neighbours)
        only = "" if private is None else f" that differ only in {private}"
        return f"{_pairs(result)} of neighbouring databases{only}, in both orders"
    growth = "" if qualities.growth is None else f", growth {qualities.growth}"
    return f"{_pairs(result)} of quality functions at distance at most 1{growth}, in both orders"


def _pairs(result: AuditResult) -> str:
    return counted(result.pairs, "pair", "pairs")


def _draw_curve(name: str, points: list[tuple[Epsilon, Real | Excess | None]], out: str) -> None:
    """Draw the points of a curve at which the least delta was decided."""
    decided = [(epsilon, delta) for epsilon, delta in points if delta is not None]
    if decided:
        save_figure(out, draw_privacy({name: decided}))
    else:
        click.echo("no picture was written, because no least delta was decided", err=True)


def _what_is_private(neighbours: object) -> str | None:
    """Return the part of a database in which neighbours differ; None if there is no restriction."""
    if not isinstance(neighbours, RestrictedNeighbours):
        return None
    return "labels" if neighbours.groups else f"examples after the first {neighbours.public}"
