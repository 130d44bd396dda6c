"""Rational numbers at the border of the package: parsing, ranges, logarithms of sizes."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction

from ccsim.errors import DomainError

__all__ = ["MAX_DIGITS", "as_fraction", "ceil_log2", "common_denominator"]

MAX_DIGITS = 4000
"""Longest text that is read as a number (Python itself refuses more than 4300 digits)."""


def as_fraction(
    value: object,
    name: str,
    lower: Fraction | int | None = None,
    upper: Fraction | int | None = None,
) -> Fraction:
    """Return ``value`` as an exact fraction inside ``[lower, upper]``.

    Parameters
    ----------
    value : int, Fraction or str
        A float is refused: 0.1 is not one tenth. Text may be ``p/q`` or a decimal number.
    name : str
        What the number is, for the message.
    lower, upper : Fraction or int, optional
        Closed range.

    Returns
    -------
    Fraction

    Raises
    ------
    DomainError
        If the value is not a rational number or lies outside the range.

    Examples
    --------
    >>> as_fraction("0.25", "error", 0, 1)
    Fraction(1, 4)
    >>> as_fraction("5/4", "error", 0, 1)
    Traceback (most recent call last):
    ...
    ccsim.errors.DomainError: error must lie between 0 and 1, not 5/4
    """
    if isinstance(value, bool) or not isinstance(value, int | Fraction | str):
        msg = f"{name} must be an int, a Fraction or text such as '1/3', not {value!r}"
        raise DomainError(msg)
    try:
        if isinstance(value, str) and (len(value) > MAX_DIGITS or "e" in value.lower()):
            raise ValueError  # noqa: TRY301 - one message for every text that is not p/q or decimal
        number = Fraction(value)
    except (ValueError, ZeroDivisionError):
        msg = f"{name} must be a fraction p/q or a decimal number, not {str(value)[:40]!r}"
        raise DomainError(msg) from None
    if (lower is not None and number < lower) or (upper is not None and number > upper):
        if upper is None:
            rule = f"be at least {lower}"
        elif lower is None:
            rule = f"be at most {upper}"
        else:
            rule = f"lie between {lower} and {upper}"
        msg = f"{name} must {rule}, not {_shown(number)}"
        raise DomainError(msg)
    return number


def _shown(number: Fraction) -> str:
    """Return a number as messages show it; Python refuses to print more than 4300 digits."""
    bits = max(number.numerator.bit_length(), number.denominator.bit_length())
    return str(number) if bits <= MAX_DIGITS else f"a number of {bits} bits"


def ceil_log2(size: int) -> int:
    """Return the number of bits that name one of ``size`` messages, ``ceil(log2 size)``.

    Examples
    --------
    >>> [ceil_log2(k) for k in (1, 2, 3, 4, 5)]
    [0, 1, 2, 2, 3]
    """
    if size < 1:
        msg = f"size must be at least 1, not {size}"
        raise DomainError(msg)
    return (size - 1).bit_length()


def common_denominator(values: Iterable[Fraction]) -> int:
    """Return the least positive integer that makes every value an integer.

    Examples
    --------
    >>> common_denominator([Fraction(1, 6), Fraction(3, 4)])
    12
    """
    return math.lcm(1, *(value.denominator for value in values))
