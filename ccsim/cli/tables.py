"""Tables for people: fitted to a terminal, plain and as wide as they are elsewhere.

Implementation notes: rich breaks lines, measures wide characters and heeds ``NO_COLOR``, ``TERM``
and ``COLUMNS``; it takes longer to load than many answers, so it is loaded when a table is printed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

import click

from ccsim.data import frozen

_PLAIN_WIDTH = 1 << 24
"""More characters than the lines of a file or of a pipe have."""


@frozen
class Column:
    """How a column is set."""

    right: bool = False  # whether its cells stand on the right
    breaks: bool = False  # whether its cells may be broken into lines
    least: int = 0  # characters that it has at least


def print_table(
    columns: Sequence[Column],
    rows: Iterable[Sequence[str]],
    styles: Iterable[Sequence[str]] | None = None,
) -> None:
    """Print a table without rules; on a terminal its lines fit."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    terminal = sys.stdout.isatty()
    width = None if terminal else _PLAIN_WIDTH
    console = Console(force_terminal=terminal, width=width, file=sys.stdout)
    table = Table.grid(padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(
            justify="right" if column.right else "left",
            no_wrap=not column.breaks,
            overflow="fold",
            min_width=column.least,
        )
    listed = list(rows)
    looks = [[""] * len(row) for row in listed] if styles is None else styles
    for row, look in zip(listed, looks, strict=True):
        table.add_row(*(Text(cell, style) for cell, style in zip(row, look, strict=True)))
    with console.capture() as captured:
        console.print(table)
    for line in captured.get().splitlines():
        click.echo(line.rstrip(), color=terminal)
