"""How exact objects are written in JSON."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

__all__ = ["encode_fraction", "encode_fractions", "text_row"]


def encode_fraction(value: Fraction | int) -> str:
    """Return ``p/q`` in lowest terms, or ``p`` for an integer.

    Examples
    --------
    >>> encode_fraction(Fraction(2, 6)), encode_fraction(Fraction(4, 2))
    ('1/3', '2')
    """
    return str(Fraction(value))


def encode_fractions(values: Iterable[Fraction | int]) -> list[str]:
    """Encode a vector of fractions.

    Examples
    --------
    >>> encode_fractions([Fraction(1, 3), Fraction(2, 3)])
    ['1/3', '2/3']
    """
    return [encode_fraction(value) for value in values]


def text_row(ones: int, length: int, defined: int | None = None) -> str:
    """Return a bit mask as text, column 0 first, with ``*`` where ``defined`` has no bit.

    Examples
    --------
    >>> text_row(0b011, 4), text_row(0b011, 4, 0b0111)
    ('1100', '110*')
    """
    row = format(ones, f"0{length}b")[::-1] if length else ""
    if defined is None:
        return row
    mask = format(defined, f"0{length}b")[::-1] if length else ""
    return "".join(bit if inside == "1" else "*" for bit, inside in zip(row, mask, strict=True))
