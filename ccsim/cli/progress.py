"""One line of a terminal that says how far a search is, and vanishes with it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from fractions import Fraction
from typing import Any

from ccsim.budget import Progress


@contextmanager
def progress_line() -> Iterator[Callable[[str], None] | None]:
    """Yield a function that shows a text in place of the one before, or None without a terminal."""
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
    task = drawn.add_task("", total=None)

    def show(text: str) -> None:
        drawn.update(task, description=text)

    with drawn:
        yield show


@contextmanager
def told(say: Callable[[Any, Any], str]) -> Iterator[Progress | None]:
    """Show what a function says of the two numbers that a search reports; elsewhere give None."""
    with progress_line() as show:
        if show is None:
            yield None
            return
        watched = show
        yield lambda first, second: watched(say(first, second))


def closing_in(what: str | Callable[[], str]) -> AbstractContextManager[Progress | None]:
    """Show both bounds of something closing in; its name may change from time to time."""

    def say(lower: float | Fraction, upper: float | Fraction) -> str:
        name = what if isinstance(what, str) else what()
        return f"{name} between {_short(lower)} and {_short(upper)}"

    return told(say)


def _short(bound: float | Fraction) -> str:
    return str(bound) if isinstance(bound, int) else f"{float(bound):.6f}"
