"""Values of the atlas: numbers or bounds on them, as texts of the file.

Main definitions: `Span`, `read_span`, `write_span`, and the parameters at which it has quantities.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

__all__ = ["ERRORS", "SAMPLES", "Span", "read_span", "write_span"]

Span: TypeAlias = tuple[Fraction | int, Fraction | int | None]
"""A lower and an upper bound; None for no upper bound."""

ERRORS = (Fraction(1, 3), Fraction(1, 4))
"""Errors at which sizes of representations and private messages are known."""
SAMPLES = (Fraction(1, 4), Fraction(1, 3), "ln 9")
"""Accuracy, failure and epsilon of the private learners whose examples are counted."""
_DOTS = ".."


def write_span(span: Span) -> str:
    """Return bounds as a text.

    Examples
    --------
    >>> write_span((2, 2)), write_span((Fraction(1, 3), Fraction(2, 5))), write_span((5, None))
    ('2', '1/3..2/5', '5..')
    """
    lower, upper = span
    if lower == upper:
        return str(lower)
    return f"{lower}{_DOTS}{'' if upper is None else upper}"


def read_span(text: str | int) -> tuple[Fraction, Fraction | None]:
    """Return the bounds that a text or a number stands for.

    Examples
    --------
    >>> read_span("1/3..2/5"), read_span(2), read_span("5..")
    ((Fraction(1, 3), Fraction(2, 5)), (Fraction(2, 1), Fraction(2, 1)), (Fraction(5, 1), None))
    """
    first, dots, last = str(text).partition(_DOTS)
    lower = Fraction(first)
    if not dots:
        return lower, lower
    return lower, Fraction(last) if last else None
