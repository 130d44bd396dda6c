"""``ccsim compose``: the privacy of several runs of mechanisms."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import click

from ccsim.appearance import counted
from ccsim.budget import Budget
from ccsim.certificates import Certificate, Certificates
from ccsim.cli.output import (
    SEARCHING,
    checked,
    encode_short,
    float_bounds,
    output_options,
    report,
    show_fraction,
    time_limit_option,
    time_to_check,
)
from ccsim.cli.parameters import EPSILON, INSTANCE, SIZES, Command, Integer, picture_option
from ccsim.cli.privacy.own import Subject, own_subject, refuse_options
from ccsim.data import frozen
from ccsim.errors import DomainError
from ccsim.exact import Epsilon, as_fraction
from ccsim.pictures import draw_privacy, save_figure
from ccsim.privacy import (
    ComposedDelta,
    ComposedEpsilon,
    DominantMechanism,
    Mechanism,
    NoiseProgram,
    composed_delta,
    composed_epsilon,
)

_DIGITS = 12


@frozen
class _Runs:
    """The composed mechanisms, their numbers of runs, and their names."""

    mechanisms: tuple[Mechanism[Any, Any], ...]
    times: tuple[int, ...]
    names: tuple[str, ...]
    neighbours: Any
    adaptive: bool

    def delta(self, epsilon: Epsilon, budget: Budget) -> ComposedDelta:
        """Return the least delta at an epsilon, after its check."""
        found = composed_delta(
            self.mechanisms,
            self.times,
            epsilon,
            self.neighbours,
            time_limit=budget.share(SEARCHING),
            adaptive=self.adaptive,
        )
        return checked(found, time_to_check(budget))

    def epsilon(self, delta: Fraction, budget: Budget) -> ComposedEpsilon:
        """Return the least epsilon at a delta, after its check."""
        found = composed_epsilon(
            self.mechanisms,
            self.times,
            delta,
            self.neighbours,
            time_limit=budget.share(SEARCHING),
            adaptive=self.adaptive,
        )
        return checked(found, time_to_check(budget))


@click.command(cls=Command)
@click.argument("subjects", nargs=-1, metavar="[MECHANISM]...")
@click.option(
    "--parameters",
    multiple=True,
    metavar="E,D",
    help="Any (E, D)-private mechanism, such as 1/10,0.",
)
@click.option(
    "--times",
    default="1",
    show_default=True,
    metavar="K,...",
    help="Number of runs of each mechanism.",
)
@click.option(
    "--one-database",
    is_flag=True,
    help="Run the mechanisms on one database (default: adaptive).",
)
@click.option(
    "--neighbours",
    type=INSTANCE,
    metavar="WHICH",
    help="Neighbouring databases; see 'ccsim audit --help'.",
)
@click.option(
    "--domain", metavar="A,B,...", help="Possible values of a record, for a mechanism in Python."
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
    "--key",
    type=Integer(0),
    metavar="INDEX",
    help="Index of the key in a record, for --neighbours key.",
)
@click.option(
    "--epsilon",
    type=EPSILON,
    metavar="E",
    help="Compute the least delta at E, e.g. 1/2 or 'ln 3'.",
)
@click.option("--delta", metavar="D", help="Compute the least epsilon at D, e.g. 1/1000000.")
@click.option(
    "--curve",
    type=EPSILON,
    metavar="E,...",
    help="Also compute the least delta for these epsilons.",
)
@time_limit_option("Stop after S seconds without an answer.", default=600)
@picture_option("Draw the curve")
@output_options
def compose(  # noqa: PLR0913 - one argument for each option
    *,
    subjects: tuple[str, ...],
    parameters: tuple[str, ...],
    times: str,
    one_database: bool,
    neighbours: str | None,
    domain: str | None,
    samples: tuple[int | None, int] | None,
    queries: int | None,
    key: int | None,
    epsilon: str | None,
    delta: str | None,
    curve: str | None,
    time_limit: float,
    out: str | None,
    as_json: bool,
    certificate: str | None,
) -> None:
    """Compute the privacy of several runs of mechanisms.

    MECHANISM is a table of probabilities, such as @channel.csv, or a function in a Python file,
    such as module.py:function; see 'ccsim audit --help'. --parameters stands for every mechanism
    with these parameters. The command prints the least delta at --epsilon, the least epsilon at
    --delta, or both, exactly or between two proved bounds.

    By default the runs are adaptive: each run is any mechanism that is as private as the given
    one, and may depend on the outputs of the runs before. With --one-database, the mechanisms
    themselves run on the same database with independent randomness, which may require less.
    """
    if epsilon is None and delta is None and curve is None:
        raise click.UsageError("give --epsilon E, --delta D, or both")
    if out is not None and curve is None:
        raise DomainError("--out draws the curve; give --curve as well")
    if not subjects:
        own = {"neighbours": neighbours, "domain": domain, "samples": samples, "key": key}
        own["queries"] = queries
        refuse_options("without a MECHANISM", **own)
    budget = Budget(time_limit)
    given = {"samples": samples, "key": key, "queries": queries}
    found = [own_subject(s, neighbours, domain, dict(given), budget) for s in subjects]
    with budget.heard():
        runs = _runs(found, parameters, times, adaptive=not one_database)
    results: list[ComposedDelta | ComposedEpsilon] = []
    if epsilon is not None:
        results.append(runs.delta(Epsilon.of(epsilon), budget))
    if delta is not None:
        results.append(runs.epsilon(as_fraction(delta, "delta", 0, 1), budget))
    epsilons = [] if curve is None else [Epsilon.of(text.strip()) for text in curve.split(",")]
    points = [runs.delta(each, budget) for each in epsilons]
    if out is not None:
        drawn = [(e, point.upper or Fraction(0)) for e, point in zip(epsilons, points, strict=True)]
        save_figure(out, draw_privacy({_title(runs): drawn}))
    report(_data(runs, results, points), _lines(runs, [*results, *points]), as_json=as_json)
    if certificate is not None:
        _write([*results, *points], certificate)


def _runs(
    found: list[Subject], parameters: tuple[str, ...], times: str, *, adaptive: bool
) -> _Runs:
    """Return the mechanisms with their numbers of runs."""
    mechanisms, compared = _mechanisms(found)
    names = [subject.title for subject in found]
    for text in parameters:
        head, comma, tail = text.rpartition(",")
        if not comma:
            raise DomainError(f"--parameters must be an epsilon and a delta such as 1/10,0: {text}")
        bound, slack = Epsilon.of(head.strip()), as_fraction(tail.strip(), "delta", 0, 1)
        mechanisms.append(DominantMechanism(bound, slack))
        names.append(f"any ({bound}, {slack})-private mechanism")
        compared.append(1)
    if not mechanisms:
        raise click.UsageError("give a MECHANISM such as @channel.csv, or --parameters 1/10,0")
    if any(each != compared[0] for each in compared):
        raise DomainError(
            "several mechanisms need the same pairs of neighbours; use tables with the same row "
            "labels, or --neighbours all"
        )
    if parameters and not adaptive:
        raise click.UsageError("--one-database cannot be used with --parameters")
    numbers = [as_fraction(text.strip(), "times") for text in times.split(",")]
    if any(number.denominator != 1 for number in numbers):
        raise DomainError(f"times must be integers, not {times}")
    if len(numbers) == 1:
        numbers *= len(mechanisms)
    if len(numbers) != len(mechanisms):
        raise DomainError(
            f"--times must have one number, or one for each of the {len(mechanisms)} mechanisms, "
            f"not {len(numbers)}"
        )
    return _Runs(tuple(mechanisms), tuple(map(int, numbers)), tuple(names), compared[0], adaptive)


def _mechanisms(found: list[Subject]) -> tuple[list[Mechanism[Any, Any]], list[Any]]:
    """Return the mechanisms with their neighbours; noise programs on ranges of their outputs."""
    mechanisms, compared = list[Mechanism[Any, Any]](), list[Any]()
    for subject in found:
        mechanism, near = subject.mechanism, subject.compared
        if isinstance(mechanism, NoiseProgram):
            mechanism, near = mechanism.on(near)
        mechanisms.append(mechanism)
        compared.append(near)
    return mechanisms, compared


def _title(runs: _Runs) -> str:
    parts = zip(runs.times, runs.names, strict=True)
    return "; ".join(f"{counted(k, 'run', 'runs')} of {name}" for k, name in parts)


def _losses(result: ComposedDelta | ComposedEpsilon) -> str:
    if result.grid is None:
        return "exact"
    return f"rounded up and down to multiples of ln(1 + 1/{result.grid})"


def _lines(runs: _Runs, results: list[ComposedDelta | ComposedEpsilon]) -> list[tuple[str, str]]:
    how = "adaptive" if runs.adaptive else "independent, on one database"
    rows = [("composition", _title(runs)), ("runs", how)]
    for result in results:
        if isinstance(result, ComposedDelta):
            rows.append((f"least delta at epsilon = {result.epsilon}", _bounds(result)))
        else:
            rows.append((f"least epsilon at delta = {result.delta}", _epsilon(result)))
        rows.append(("losses", _losses(result)))
    last = rows[-1]
    if all(row[1] == last[1] for row in rows if row[0] == "losses"):
        rows = [row for row in rows if row[0] != "losses"]
        rows.insert(2, last)
    return rows


def _bounds(result: ComposedDelta) -> str:
    if result.lower == result.upper:
        return show_fraction(result.lower)
    return _between(result.lower, result.upper or Fraction(1))


def _between(lower: Fraction, upper: Fraction) -> str:
    """Return two bounds, rounded outwards; equal digits are printed once."""
    low, high = float_bounds(lower, upper)
    if f"{low:.{_DIGITS}g}" == f"{high:.{_DIGITS}g}":
        return f"about {low:.{_DIGITS}g}"
    digits = next(n for n in range(6, 20) if f"{low:.{n}g}" != f"{high:.{n}g}")
    return f"between {low:.{digits}g} and {high:.{digits}g}"


def _epsilon(result: ComposedEpsilon) -> str:
    ends = result.epsilon
    if ends is None:
        return "none"
    if result.lower == result.upper:
        return f"{float(ends.upper):.6g}, the logarithm of {show_fraction(result.lower)}"
    return _between(ends.lower, ends.upper)


def _data(
    runs: _Runs,
    results: list[ComposedDelta | ComposedEpsilon],
    points: list[ComposedDelta],
) -> dict[str, Any]:
    data: dict[str, Any] = {
        "mechanisms": list(runs.names),
        "times": list(runs.times),
        "adaptive": runs.adaptive,
    }
    for result in results:
        if isinstance(result, ComposedDelta):
            data |= {"epsilon": str(result.epsilon), "least_delta": _ends(result)}
        else:
            ends = result.epsilon
            data |= {
                "delta": str(result.delta),
                "least_factor": _ends(result),
                "least_epsilon": None if ends is None else float_bounds(ends.lower, ends.upper),
            }
        data["losses"] = _losses(result)
    if points:
        data["curve"] = [
            {"epsilon": str(point.epsilon), "least_delta": _ends(point)} for point in points
        ]
    return data


def _ends(result: ComposedDelta | ComposedEpsilon) -> list[str | None]:
    """Return both bounds for JSON."""
    return [None if end is None else encode_short(end) for end in (result.lower, result.upper)]


def _write(results: list[ComposedDelta | ComposedEpsilon], file: str) -> None:
    parts: list[Certificate] = []
    for result in results:
        made = result.certificate()
        parts += made.parts if isinstance(made, Certificates) else (made,)
    (Certificates(tuple(parts)) if parts[1:] else parts[0]).write(file)
