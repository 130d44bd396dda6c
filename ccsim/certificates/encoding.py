"""How exact objects are written in JSON."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

__all__ = ["encode_fraction", "encode_fractions"]


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
