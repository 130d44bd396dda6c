"""``ccsim program``: a linear program in a file, solved with a proof."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import click

from ccsim.appearance import counted
from ccsim.budget import Budget
from ccsim.certificates.envelope import encode_fraction
from ccsim.cli.game import MOST_SHOWN, TOO_LONG
from ccsim.cli.main import EXIT_NOT_DECIDED
from ccsim.cli.output import (
    SEARCHING,
    check_writable,
    checked,
    encode_short,
    output_options,
    report,
    show_fraction,
    time_limit_option,
    time_to_check,
)
from ccsim.cli.parameters import INPUT, Command
from ccsim.errors import DomainError, NotDecidedError
from ccsim.interchange import NamedProgram
from ccsim.interchange.programs import read_program
from ccsim.programs import (
    InfeasibilityProof,
    LinearOutcome,
    OptimalSolution,
    ProgramBounds,
    UnboundednessProof,
)
from ccsim.programs.program import solve_for_certificate
from ccsim.texts.reading import Reading, announce


@click.command(cls=Command)
@click.argument("file", type=INPUT)
@time_limit_option("Stop after S seconds with the bounds proved so far.")
@output_options
def program(*, file: str, time_limit: float, as_json: bool, certificate: str | None) -> int:
    """Solve the linear program in FILE exactly, with a proof.

    FILE ends in .mps (free or fixed format), .lp (CPLEX's format) or .vipr. The answer is an
    optimum with its dual prices, or a proof that the program is infeasible or unbounded. Integer
    variables are refused. After a time limit the answer may be an interval; the exit status is
    then 3.
    """
    budget = Budget(time_limit)
    if file.startswith("@") and not Path(file).exists():
        raise DomainError(f"FILE must be written without @; write {file[1:]}")
    given = read_program(file, time_limit=budget)
    notes = tuple(f"{file}: {note}" for note in given.notes)
    announce(Reading(file, guesses=notes))
    result = solve_for_certificate(given.program, budget.share(SEARCHING))
    if isinstance(result, ProgramBounds) and result.lower is result.upper is None:
        raise NotDecidedError("no bound was proved before the time limit")
    check_writable(result)
    result = checked(result, time_to_check(budget))
    lines = _lines(given, result, file)
    if certificate is not None:
        result.certificate().write(certificate)
        if given.sense == "maximise" or given.constant:
            lines.append(("certificate", _stated(given)))
    if isinstance(result, ProgramBounds) and math.isinf(time_limit):
        lines.append(("note", TOO_LONG))
    report(_data(given, result, file, notes), lines, as_json=as_json)
    return EXIT_NOT_DECIDED if isinstance(result, ProgramBounds) else 0


def _stated(given: NamedProgram) -> str:
    """Return a description of the optimum that the certificate states."""
    what = "minus the objective" if given.sense == "maximise" else "the objective"
    rest = f", without the constant {given.constant}" if given.constant else ""
    return f"states the least value of {what}{rest}"


def _bounds(given: NamedProgram, result: LinearOutcome) -> list[Fraction | None]:
    """Return the bounds on the optimum for the objective in the file; None for an unknown bound."""
    ends: list[Fraction | None] = [None, None]
    if isinstance(result, OptimalSolution):
        ends = [result.value, result.value]
    elif isinstance(result, ProgramBounds):
        ends = [result.lower, result.upper]
    return [None if end is None else given.value(end) for end in ends[:: given.sign]]


def _prices(given: NamedProgram, result: LinearOutcome) -> dict[str, Fraction] | None:
    """Return the dual prices of the rows, or weights whose sum of rows contradicts the bounds."""
    if isinstance(result, InfeasibilityProof):
        prices, sign = result.weights, 1
    elif isinstance(result, UnboundednessProof) or result.dual is None:
        return None
    else:
        prices, sign = result.dual, given.sign
    of_rows = dict.fromkeys(given.rows, Fraction(0))
    for name, price in zip(given.rows, prices, strict=True):
        of_rows[name] += sign * price
    return of_rows


def _data(
    given: NamedProgram, result: LinearOutcome, file: str, notes: tuple[str, ...]
) -> dict[str, object]:
    low, high = (None if end is None else encode_short(end) for end in _bounds(given, result))
    prices = _prices(given, result)
    values = None if prices is None else list(map(encode_fraction, prices.values()))
    infeasible = isinstance(result, InfeasibilityProof)
    point, ray = (
        None if found is None else list(map(encode_fraction, found))
        for found in (getattr(result, "primal", None), getattr(result, "ray", None))
    )
    return {
        "question": result.question,
        "program": file,
        "title": given.title,
        "status": result.status,
        "sense": given.sense,
        "objective": given.objective,
        "value": low if low == high else None,
        "lower": low,
        "upper": high,
        "variables": given.variables,
        "primal": point,
        "ray": ray,
        "rows": list(dict.fromkeys(given.rows)),
        "dual": None if infeasible else values,
        "weights": values if infeasible else None,
        "notes": notes,
    }


def _lines(given: NamedProgram, result: LinearOutcome, file: str) -> list[tuple[str, str]]:
    variables = counted(len(given.variables), "variable", "variables")
    rows = counted(len(set(given.rows)), "row", "rows")
    lines = [
        ("program", f"{file}: {variables}, {rows}, {given.sense} {given.objective}"),
        ("status", result.status),
    ]
    low, high = _bounds(given, result)
    if low is not None or high is not None:
        shown = [show_fraction(end) for end in (low, high) if end is not None]
        side = (
            ""
            if low is not None and high is not None
            else "at least "
            if high is None
            else "at most "
        )
        lines.append(("optimum", side + " to ".join(dict.fromkeys(shown))))
    point = "feasible point" if isinstance(result, UnboundednessProof) else "variables"
    named = [
        (point, getattr(result, "primal", None), given.variables),
        ("unbounded direction", getattr(result, "ray", None), given.variables),
    ]
    prices = _prices(given, result)
    if prices is not None:
        what = (
            "contradictory sum of rows" if isinstance(result, InfeasibilityProof) else "dual prices"
        )
        named.append((what, tuple(prices.values()), tuple(prices)))
    lines += [
        (what, _nonzero(names, numbers)) for what, numbers, names in named if numbers is not None
    ]
    return lines


def _nonzero(names: Sequence[str], numbers: Sequence[Fraction]) -> str:
    """Return the names with non-zero numbers, and these numbers."""
    used = [
        f"{name}: {show_fraction(number)}"
        for name, number in zip(names, numbers, strict=True)
        if number
    ]
    more = len(used) - MOST_SHOWN
    rest = f", and {more} more (see --json)" if more > 0 else ""
    return (", ".join(used[:MOST_SHOWN]) or "all 0") + rest
