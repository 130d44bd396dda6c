"""Output of the subcommands: results, tables, progress, and numbers in readable form.

Implementation notes: rich breaks lines, measures wide characters and respects ``NO_COLOR``,
``TERM`` and ``COLUMNS``. Loading it takes longer than many answers, so it is loaded only when a
table is printed.
"""

from __future__ import annotations

import json
import math
import os
import shutil
import sys
import textwrap
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from typing import Any, TypeVar

import click

from ccsim.arguments.numbers import MAX_DIGITS
from ccsim.budget import Budget, Progress
from ccsim.certificates import Certified
from ccsim.certificates.answer import Checkable, is_checked, is_writable
from ccsim.certificates.envelope import encode_fraction
from ccsim.cli.parameters import INSTANCE, OUTPUT, READINGS, SECONDS
from ccsim.data import frozen
from ccsim.errors import InstanceTooLargeError, NotDecidedError
from ccsim.texts.reading import name_of_file

NOT_PRIVATE = "NOT PRIVATE: computed from the records, printed on request (--error)"
"""The warning next to values without privacy protection."""

F = TypeVar("F", bound=Callable[..., Any])

_DIGITS_FOR_PEOPLE = 18
NOT_CHECKED = "note: the check of {} was stopped by the time limit"
SEARCHING = 0.7
"""Fraction of a time limit for a search; the rest is for checking the result."""
_MOST_EXACT = 1 << 53
"""Larger integers are not all doubles, to which some readers of JSON convert integers."""
_LEAST = 0.75
_PATIENCE = 10
"""Seconds for a check after an interrupt."""


def output_options(command: F) -> F:
    """Add ``--json`` and ``--certificate FILE`` to a subcommand."""
    certificate = click.option(
        "--certificate",
        type=OUTPUT,
        metavar="FILE",
        help="Write the certificate to FILE, replacing an existing file.",
    )
    as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
    return as_json(certificate(command))


def time_limit_option(text: str, default: float = math.inf) -> Callable[[F], F]:
    """Add ``--time-limit S``, in seconds or ``none``; ``text`` is its help."""
    return click.option(
        "--time-limit",
        type=SECONDS,
        default=default,
        show_default=not math.isinf(default),
        metavar="S|none",
        help=text,
    )


R = TypeVar("R", bound=Checkable)


def time_to_check(budget: Budget, most: Budget | None = None) -> Budget:
    """Return the time limit of a check: the remaining time, or 0.75 seconds of processor time.

    The larger one counts. If there are several checks, ``most`` bounds their total processor time;
    see `overtime`.
    """
    if budget.interrupted or budget.remaining > _LEAST:
        return budget.grace(_PATIENCE)
    seconds = _LEAST if most is None else min(_LEAST, most.remaining)
    return Budget(seconds, clock=time.process_time)


def overtime(budget: Budget) -> Budget:
    """Return the limit on the total processor time of all checks of a command."""
    return Budget(budget.remaining + _LEAST, clock=time.process_time)


def checked(
    result: R, budget: Budget, weaken: Callable[[R], R] | None = None, what: str = "the lower bound"
) -> R:
    """Check a result and return it; if the time is too short, check and return a weaker result."""
    if is_checked(result, budget):
        return result
    if weaken is None:
        raise NotDecidedError("the time limit was reached before the answer was checked")
    click.echo(NOT_CHECKED.format(what), err=True)
    weaker = weaken(result)
    weaker.check(Budget())
    return weaker


def check_writable(result: Certified) -> None:
    """Refuse a result whose numbers are too long for a certificate."""
    if not is_writable(result):
        raise InstanceTooLargeError(
            f"numbers in a certificate must have at most {MAX_DIGITS} digits, but the result has "
            "longer ones; write the input with fewer digits"
        )


def echo_json(data: object) -> None:
    """Print the JSON output of a command on one line, with its INSTANCE if it has one.

    ``instance`` is the text on the command line; for the content of a file or of standard input,
    ``reading`` states the assumptions made in reading it. Integers beyond 2^53, which other
    programs round, are texts.
    """
    context = click.get_current_context(silent=True)
    asked = context.command.params if context is not None else []
    given = [context.params.get(p.name or "") for p in asked if p.type is INSTANCE and context]
    about: dict[str, object] = {}
    if context is not None and given and given[0]:
        about["instance"] = given[0]
        source = name_of_file(given[0].removeprefix("@"))
        for reading in context.meta.get(READINGS, ()):
            if given[0].startswith("@") and reading.source == source:
                about["reading"] = reading.to_json()
    click.echo(json.dumps(_portable(data, about)))


def _portable(value: object, about: dict[str, object]) -> object:
    """Return a value with large integers as texts; objects with a key instance get ``about``."""
    if isinstance(value, Mapping):
        known = {key: _portable(inside, about) for key, inside in value.items()}
        return known | (about if "instance" in known else {})
    if isinstance(value, list | tuple):
        return [_portable(inside, about) for inside in value]
    if isinstance(value, int) and abs(value) > _MOST_EXACT:
        return str(value)
    return value


def report(data: Mapping[str, object], lines: Sequence[tuple[str, str]], *, as_json: bool) -> None:
    """Print a result."""
    if as_json:
        echo_json(data)
        return
    print_table([Column(), Column(breaks=True)], lines)


def float_bounds(lower: Fraction, upper: Fraction) -> list[float]:
    """Return the endpoints of an interval for JSON, rounded outwards."""
    low, high = float(lower), float(upper)
    return [
        low if Fraction(low) <= lower else math.nextafter(low, -math.inf),
        high if Fraction(high) >= upper else math.nextafter(high, math.inf),
    ]


def rounded_up(value: Fraction) -> str:
    """Return an upper bound as text, rounded upwards to three significant digits."""
    context = Context(prec=3, rounding=ROUND_CEILING)
    return f"{context.divide(Decimal(value.numerator), Decimal(value.denominator)):g}"


def large(number: int) -> int | None:
    """Return an integer for JSON, or None if it has more digits than some JSON readers accept."""
    return number if number.bit_length() <= 3 * MAX_DIGITS else None


def encode_short(value: Fraction) -> str | None:
    """Return a fraction for JSON, or None if it has more digits than some JSON readers accept."""
    short = large(value.numerator) is not None and large(value.denominator) is not None
    return encode_fraction(value) if short else None


def show_size(number: int) -> str:
    """Return a positive integer in readable form: exact if short, otherwise a power of two."""
    if number < 10**_DIGITS_FOR_PEOPLE:
        return str(number)
    exponent = number.bit_length() - 1
    return f"2^{exponent}" if number == 1 << exponent else f"about 2^{exponent}"


def show_messages(messages: int, bits: int) -> str:
    """Return a number of messages with its length in bits."""
    return f"{show_size(messages)} ({bits} bit{'' if bits == 1 else 's'})"


def show_coins(seed: int | None) -> str:
    """Return the source of the noise, with a warning if it is a seed."""
    if seed is None:
        return "random bytes of the operating system"
    return f"seed {seed}, for demonstrations: NOT PRIVATE"


def noise_data(guarantee: str, seed: int | None, outputs: Iterable[str] = ()) -> dict[str, Any]:
    """Return the JSON keys that state the privacy of outputs computed from records."""
    if seed is None:
        return {"privacy": guarantee, "coins": "system", "not_private": []}
    none = f"NOT PRIVATE: seed {seed} determines the noise; without a seed {guarantee}"
    return {"privacy": none, "coins": "seed", "not_private": list(outputs)}


def show_fraction(value: Fraction) -> str:
    """Return a number in readable form: exact if short, otherwise rounded."""
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    if value and abs(exponent) > 1000:
        return f"about {'-' if value < 0 else ''}2^{exponent}"
    if value.denominator == 1:
        return str(value)
    rounded = f"{float(value):.6g}"
    if value.denominator >= 10**_DIGITS_FOR_PEOPLE:
        return f"about {rounded}"
    return f"{value} ({rounded})"


_PLAIN_WIDTH = 1 << 24
"""A width larger than any line of a file or of a pipe."""

_FILE_WIDTH = 80
"""The width to which rows are fitted in a file or a pipe, unless ``COLUMNS`` is set."""


@frozen
class Column:
    """The layout of a column."""

    right: bool = False  # whether its cells stand on the right
    breaks: bool = False  # whether its cells may be broken into lines
    least: int = 0  # characters that it has at least


HELD = "\N{NO-BREAK SPACE}"
"""A space in a cell at which `print_table` does not break the line; it is printed as a space."""
_HELD_IN_RICH = "\ue000"  # rich breaks lines at no-break spaces too


def fits_width(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> bool:
    """Return whether a table needs no broken cells in the terminal, or in 80 characters."""
    unbroken = [Column(least=column.least) for column in columns]
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else _file_width()
    return _least_width(unbroken, rows) <= width + 2


def print_table(
    columns: Sequence[Column],
    rows: Iterable[Sequence[str]],
    styles: Iterable[Sequence[str]] | None = None,
) -> None:
    """Print a table without ruled lines; rows are fitted to the terminal, or to 80 characters."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    terminal = sys.stdout.isatty()
    listed = list(rows) if terminal else _fitted(columns, list(rows))
    console = Console(
        force_terminal=terminal, width=None if terminal else _PLAIN_WIDTH, file=sys.stdout
    )
    console.width = max(console.width, _least_width(columns, listed))
    table = Table.grid(padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(
            justify="right" if column.right else "left",
            no_wrap=not column.breaks,
            overflow="fold",
            min_width=column.least,
        )
    looks = [[""] * len(row) for row in listed] if styles is None else styles
    for row, look in zip(listed, looks, strict=True):
        texts = (cell.replace(HELD, _HELD_IN_RICH) for cell in row)
        table.add_row(*(Text(cell, style) for cell, style in zip(texts, look, strict=True)))
    with console.capture() as captured:
        console.print(table)
    for line in captured.get().replace(_HELD_IN_RICH, " ").splitlines():
        click.echo(line.rstrip(), color=terminal)


def _file_width() -> int:
    """Return the width of lines in a file or a pipe; words are never cut there."""
    given = os.environ.get("COLUMNS", "")
    return int(given) if given.isdecimal() and len(given) < _DIGITS_FOR_PEOPLE else _FILE_WIDTH


def _fitted(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return rows with one column broken into lines of a file: the last that may be."""
    breaking = [place for place, column in enumerate(columns) if column.breaks]
    if not breaking:
        return [list(row) for row in rows]
    own = breaking[-1]
    others = [Column(least=column.least) for place, column in enumerate(columns) if place != own]
    taken = _least_width(others, [[*row[:own], *row[own + 1 :]] for row in rows])
    wrapper = textwrap.TextWrapper(
        max(_file_width() - taken, _LEAST_FITTED), break_long_words=False, break_on_hyphens=False
    )
    found = []
    for row in rows:
        lines = [line for part in row[own].split("\n") for line in wrapper.wrap(part) or [""]]
        found.append([*row[:own], "\n".join(lines), *row[own + 1 :]])
    return found


def _least_width(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> int:
    """Return the width at which no cell is cut; a narrower terminal wraps the lines itself."""
    from rich.cells import cell_len

    least = 0
    for place, column in enumerate(columns):
        widest = max((cell_len(row[place]) for row in rows), default=0)
        least += 2 + (min(widest, _LEAST_BROKEN) if column.breaks else max(widest, column.least))
    return least


_LEAST_BROKEN = 12
"""The least width of a column whose cells may be broken, if they are as long."""

_LEAST_FITTED = 20
"""The least width to which a column is fitted in a file or a pipe."""


@contextmanager
def progress_line() -> Iterator[Callable[[str], None] | None]:
    """Yield a function that replaces the displayed progress text; None if there is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress as Drawn
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

    drawn = Drawn(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    task, shown = drawn.add_task("", total=None), ["", ""]

    def show(text: str | None = None, cubes: str | None = None) -> None:
        shown[0], shown[1] = text or shown[0], cubes or shown[1]
        drawn.update(task, description="; ".join(filter(None, shown)))

    _LINES.append(show)
    with drawn:
        try:
            yield show
        finally:
            _LINES.remove(show)


_LINES: list[Callable[[str | None, str | None], None]] = []  # the line that is displayed, if any


def show_cubes(done: int, total: int) -> None:
    """Add the number of finished parts of a search to the line of its progress, if any."""
    for show in _LINES:
        show(None, f"{done} of {total} parts")


@contextmanager
def told(say: Callable[[Any, Any], str]) -> Iterator[Progress | None]:
    """Yield a progress function that displays a text for two numbers; None without a terminal."""
    with progress_line() as show:
        if show is None:
            yield None
            return
        watched = show
        yield lambda first, second: watched(say(first, second))


def closing_in(what: str | Callable[[], str]) -> AbstractContextManager[Progress | None]:
    """Return a context whose progress function shows the current name and bounds of a quantity."""

    def say(lower: float | Fraction, upper: float | Fraction) -> str:
        name = what if isinstance(what, str) else what()
        return f"{name} between {_short(lower)} and {_short(upper)}"

    return told(say)


def _short(bound: float | Fraction) -> str:
    return str(bound) if isinstance(bound, int) else f"{float(bound):.6f}"
