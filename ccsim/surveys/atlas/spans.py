"""Bounds on the quantities of the atlas, and their texts."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

Span: TypeAlias = tuple[Fraction | int, Fraction | int | None]
"""A lower and an upper bound; None for no upper bound."""

Bounds = tuple[Fraction, Fraction | None]
_DOTS = ".."


def write_span(span: Span) -> str:
    """Return bounds as text."""
    lower, upper = span
    if lower == upper:
        return str(lower)
    return f"{lower}{_DOTS}{'' if upper is None else upper}"


def read_span(text: str | int) -> tuple[Fraction, Fraction | None]:
    """Return the bounds given by a text or a number."""
    first, dots, last = str(text).partition(_DOTS)
    lower = Fraction(first)
    if not dots:
        return lower, lower
    return lower, Fraction(last) if last else None
