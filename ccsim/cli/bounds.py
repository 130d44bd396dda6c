"""``ccsim bounds``: every complexity measure of a two-party function, with certified bounds."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor

import click

from ccsim.appearance import show_label
from ccsim.budget import Budget, Workers
from ccsim.certificates import Certificates
from ccsim.certificates.answer import (
    OneBound,
    certified_parts,
    instances_read_once,
    is_checked,
)
from ccsim.cli.main import EXIT_NOT_DECIDED
from ccsim.cli.output import (
    NOT_CHECKED,
    SEARCHING,
    Column,
    echo_json,
    fits_width,
    output_options,
    overtime,
    print_table,
    time_limit_option,
    time_to_check,
)
from ccsim.cli.parameters import INSTANCE, Command, Integer, Name, picture_option
from ccsim.cli.workers import workers_options
from ccsim.communication.given import as_problem
from ccsim.communication.problem import CommunicationProblem
from ccsim.errors import DomainError, NotDecidedError
from ccsim.exact import ceil_log2
from ccsim.measures import BoundsTable
from ccsim.measures.questions import (
    MeasureResult,
    allowed_error,
    fractional_partition_number,
)
from ccsim.measures.table import ROWS, Bound, bounds_of, keys_of, table_of
from ccsim.pictures import draw_measure, save_figure
from ccsim.pictures.matrix import check_drawable


@click.command(cls=Command)
@click.argument("instance", type=INSTANCE)
@click.option(
    "--only",
    multiple=True,
    type=Name([*ROWS]),
    metavar="MEASURE",
    help="Compute only this measure, such as D; may be repeated.",
)
@click.option(
    "--power",
    type=Integer(1),
    metavar="K",
    help="Bound fractional partition numbers of the K-th AND power.",
)
@click.option("--error", metavar="P/Q", help="Also bound the cost of protocols with this error.")
@picture_option("Draw the proofs (with --only)")
@time_limit_option("Stop after S seconds in all with the bounds proved so far.", default=60)
@workers_options
@output_options
def bounds(  # noqa: PLR0913 - one argument for each option
    *,
    instance: str,
    only: tuple[str, ...],
    error: str | None,
    power: int | None,
    out: str | None,
    time_limit: float,
    workers: Workers,
    as_json: bool,
    certificate: str | None,
) -> int | None:
    """Bound every complexity measure of the problem INSTANCE.

    Prints a table of deterministic two-way cost and protocol size, cover and partition numbers,
    fooling sets, ranks, discrepancy, and the norm gamma_2. Each row has a certificate. If
    the bound of a row follows from another row or from the size of the matrix, a last column names
    the reason. The exit status is 3 if a bound was not computed or not checked in time, or if a row
    with a certificate is an interval wider than 1/100000.

    With --power K, prints fractional partition numbers of the inputs of the K-th AND power, whose
    matrix is the K-th Kronecker power. It also prints a decimal number that is at least the K-th
    root of the upper bound. The default measure is fractional_partition_1.
    """
    budget = Budget.of(time_limit, jobs=workers)
    most = overtime(budget)
    problem = as_problem(instance, budget)
    if power is not None:
        _check_power(only, error, out)
        results = _of_power(problem, power, only, budget)
        return _print_power(results, power, as_json=as_json, certificate=certificate)
    if out is not None:
        _check_picture(only, problem)
    allowed = None if error is None else allowed_error(error, "--error")
    keys = keys_of(problem, allowed, only)
    limit = budget.share(SEARCHING)
    table = bounds_of(problem, keys, limit, allowed)
    computed = [key for key in keys if ROWS[key].compute is not None]
    if missing := [key for key in computed if table[key].result is None]:
        click.echo(
            "note: not computed, as the problem is too large or the time limit too short: "
            f"{', '.join(missing)}; their bounds follow from the numbers of inputs and other rows",
            err=True,
        )
    with instances_read_once():
        table = _checked(table, time_to_check(budget, most.at_least(1 / 4)))
    if certificate is not None:
        if not table.results:
            raise NotDecidedError(f"{certificate}: not written, as no bound was checked in time")
        table.certificate().write(certificate)
    if out is not None:
        if not _is_checked(table.rows[0]):
            raise NotDecidedError(f"{out}: not drawn, as the proofs were not checked in time")
        save_figure(out, draw_measure(table.rows[0].result))
    if as_json:
        echo_json(table.to_dict())
    else:
        _print_table(table)
    is_whole = all(_is_checked(table[key]) for key in computed)
    is_close = all(row.upper - row.lower <= _CLOSE for row in table.rows if row.result is not None)
    return None if is_whole and is_close else EXIT_NOT_DECIDED


def _print_table(table: BoundsTable) -> None:
    """Print the rows of the table, and the costs in bits of the models."""
    click.echo(f"problem  {show_label(table.problem)}")
    rows = [("measure", "key", "value", "bound by another measure")]
    rows += [
        (row.name, row.key, _interval(row.lower, row.upper), _by(row.lower_by, row.upper_by))
        for row in table.rows
    ]
    kept = 4 if any(row[3] for row in rows[1:]) else 3
    columns = [Column(breaks=True), Column(), Column(), Column(breaks=True)]
    is_narrow = kept == 4 and not fits_width(columns, rows)
    kept -= is_narrow
    print_table(columns[:kept], [row[:kept] for row in rows])
    if is_narrow:
        click.echo()
        others = [(key, by) for _, key, _, by in rows if by]
        print_table([Column(), Column(breaks=True)], others)
        click.echo()
    if models := _models(table):
        print_table([Column(), Column(breaks=True)], [("bits", "; ".join(models))])


_POWERS = {"fractional_partition_1": 1, "fractional_partition_0": 0}


def _check_power(only: tuple[str, ...], error: str | None, out: str | None) -> None:
    """Refuse options that do not fit a power."""
    if error is not None or out is not None:
        raise DomainError("--power cannot be combined with --error or --out; omit one of them")
    if unknown := [key for key in only if key not in _POWERS]:
        raise DomainError(f"--power has the measures {' and '.join(_POWERS)}, not {unknown[0]}")


def _of_power(
    problem: CommunicationProblem, power: int, only: tuple[str, ...], budget: Budget
) -> dict[str, MeasureResult]:
    """Return the checked fractional partition numbers of a power, by their keys."""
    keys = [key for key in _POWERS if key in only] or ["fractional_partition_1"]
    most, limit, found = overtime(budget), budget.share(SEARCHING), dict[str, MeasureResult]()
    for i, key in enumerate(keys):
        part = limit.share(1 / (len(keys) - i)) if limit.limited else limit
        found[key] = fractional_partition_number(problem, _POWERS[key], power, time_limit=part)
    for key, result in found.items():
        if is_checked(result, time_to_check(budget, most.at_least(1 / 2))):
            continue
        click.echo(NOT_CHECKED.format("better bounds"), err=True)
        found[key] = fractional_partition_number(problem, _POWERS[key], power, time_limit=0)
        if not is_checked(found[key], time_to_check(budget, most.at_least(1 / 2))):
            raise NotDecidedError("the time limit was reached before a bound was checked")
    return found


def _print_power(
    results: dict[str, MeasureResult], power: int, *, as_json: bool, certificate: str | None
) -> int | None:
    """Print fractional partition numbers of a power; return the exit status."""
    if certificate is not None:
        Certificates(tuple(r.certificate() for r in results.values())).write(certificate)
    problem = next(iter(results.values())).problem
    roots = {key: _root(result.upper, power) for key, result in results.items()}
    if as_json:
        data: dict[str, object] = {
            "question": "bounds on the fractional partition number of a power",
            "instance": problem.name,
            "power": power,
        }
        for key, result in results.items():
            ends = {"lower": str(result.lower), "upper": str(result.upper)}
            known = {"value": ends["upper"]} if result.lower == result.upper else ends
            data[key] = known | {"root_at_most": roots[key]}
        echo_json(data)
    else:
        click.echo(f"problem  {show_label(problem)}")
        click.echo(f"power    {power}")
        rows = [("measure of the power", "key", "value", "root at most")]
        rows += [
            (ROWS[key].name, key, _interval(result.lower, result.upper), roots[key])
            for key, result in results.items()
        ]
        print_table([Column(breaks=True), Column(), Column(), Column()], rows)
    return None if all(r.lower == r.upper for r in results.values()) else EXIT_NOT_DECIDED


def _root(value: Fraction | int, power: int) -> str:
    """Return the least decimal number with seven places whose power is at least a value."""
    low, high, unit = 0, ceil(value) * 10**7, 10**7
    while low < high:
        middle = (low + high) // 2
        low, high = (
            (low, middle) if Fraction(middle, unit) ** power >= value else (middle + 1, high)
        )
    return f"{Decimal(low).scaleb(-7):f}"


_CLOSE = Fraction(1, 10**5)
"""Width of the interval of a norm, which is seldom rational, that counts as decided."""


def _check_picture(only: tuple[str, ...], problem: CommunicationProblem) -> None:
    """Before the search, refuse measures that have no picture, and matrices too large to draw."""
    if len(only) != 1 or only[0] not in DRAWN_ROWS:
        raise DomainError(
            f"--out draws one measure; give --only once, with one of {', '.join(DRAWN_ROWS)}"
        )
    check_drawable(problem)


DRAWN_ROWS = (
    *("fooling_1", "fooling_0", "rank", "gf2_rank", "discrepancy_uniform", "discrepancy"),
    *("cover_1", "cover_0", "partition_1", "partition_0", "leaves", "D"),
)
"""Keys of the measures with a picture."""


def _checked(table: BoundsTable, budget: Budget) -> BoundsTable:
    """Return the table of the results, or of one of their bounds, whose check ended in time."""
    parts = iter(certified_parts(table.results, budget))
    kept = [(row.key, None if row.result is None else next(parts)) for row in table.rows]
    found = table_of(kept, table.problem, table.error)
    if left := [row.key for row in table.rows if found[row.key].result is not row.result]:
        click.echo(
            "note: not all bounds were checked in time; weaker bounds are printed for "
            + ", ".join(left),
            err=True,
        )
    return found


def _is_checked(row: Bound) -> bool:
    """Whether a row has proofs of both bounds."""
    return row.result is not None and not isinstance(row.result, OneBound)


def _interval(lower: Fraction | int, upper: Fraction | int) -> str:
    if lower == upper:
        return _number(lower, round)
    return f"{_number(lower, floor)} .. {_number(upper, ceil)}"


def _number(value: Fraction | int, to_integer: Callable[[Fraction], int]) -> str:
    """Return an integer or a short fraction exactly, another number rounded to seven decimals."""
    value = Fraction(value)
    if value.denominator < 10**4:
        return str(value)
    return f"{Decimal(to_integer(value * 10**7)).scaleb(-7):f}"


def _by(lower_by: str, upper_by: str) -> str:
    found = [
        f"{side}: {'size of the matrix' if by == 'size' else by}"
        for side, by in (("lower", lower_by), ("upper", upper_by))
        if by != "certificate"
    ]
    return "; ".join(found)


_MODELS = (
    ("deterministic, two-way", "D", False),
    ("nondeterministic", "cover_1", True),
    ("conondeterministic", "cover_0", True),
    ("unambiguous", "partition_1", True),
    ("one-way, Alice to Bob", "one_way", True),
    ("one-way, Bob to Alice", "one_way_back", True),
    ("simultaneous", "simultaneous", False),
    ("one-way, public coins", "public_coins", True),
    ("one-way, private coins", "private_coins", True),
)
"""Models, the measures that determine their costs, and whether these count rectangles."""


def _models(table: BoundsTable) -> list[str]:
    """Return, as text, the cost in bits in each model whose measure is in the table."""
    known = {row.key: row for row in table.rows}
    found = []
    for model, key, is_number in _MODELS:
        if key in known:
            ends = [known[key].lower, known[key].upper]
            bits = [ceil_log2(max(1, end)) if is_number else end for end in ends]
            found.append(f"{model} {_interval(*bits)}")
    if table.randomised:
        found.append(f"randomised, two-way at least {table.randomised}")
    return found
