"""Rational numbers at the border: parsing, ranges, probability vectors, logarithms of sizes."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from fractions import Fraction

from ccsim.border import iterated, show_value
from ccsim.errors import DomainError

__all__ = [
    "INTEGER",
    "MAX_DIGITS",
    "as_fraction",
    "as_integer",
    "ceil_log2",
    "common_denominator",
    "probability_vector",
]

MAX_DIGITS = 4000
"""Longest text that is read as a number (Python itself refuses more than 4300 digits)."""

INTEGER = re.compile(r"-?[0-9]+")
"""How integers are written, everywhere; Python reads ``1_0``, ``+1`` and all scripts' digits."""
_FRACTION = re.compile(r"-?(?:[0-9]+(?:/0*[1-9][0-9]*|\.[0-9]+)?|\.[0-9]+)")


def as_integer(value: object, name: str, least: int | None = None, most: int | None = None) -> int:
    """Return ``value`` as an integer from ``least`` to ``most``.

    Parameters
    ----------
    value : int or str
        A float or a truth value is refused; text is decimal digits, with a sign if negative.
    name : str
        What the number is, for the message.
    least, most : int, optional
        Closed range.

    Raises
    ------
    DomainError
        If the value is not an integer, has more than `MAX_DIGITS` digits, or lies outside.

    Examples
    --------
    >>> as_integer("12", "runs", 1)
    12
    >>> as_integer("1_0", "runs", 1)
    Traceback (most recent call last):
    ...
    ccsim.errors.DomainError: runs must be an integer, not '1_0'
    """
    if isinstance(value, str):
        if not INTEGER.fullmatch(value):
            raise DomainError(f"{name} must be an integer, not {value[:40]!r}")
        if len(value) > MAX_DIGITS:
            raise DomainError(f"{name} has {len(value)} digits, the limit is {MAX_DIGITS}")
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise DomainError(f"{name} must be an integer, not {show_value(value)}")
    return int(_inside(Fraction(value), name, least, most))


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
        A float is refused: 0.1 is not one tenth. Text is ``p``, ``p/q`` or a decimal number.
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
        raise DomainError(
            f"{name} must be an int, a Fraction or text such as '1/3', not {show_value(value)}"
        )
    if isinstance(value, str) and (len(value) > MAX_DIGITS or not _FRACTION.fullmatch(value)):
        raise DomainError(f"{name} must be a fraction p/q or a decimal number, not {value[:40]!r}")
    return _inside(Fraction(value), name, lower, upper)


def _inside(
    number: Fraction, name: str, lower: Fraction | int | None, upper: Fraction | int | None
) -> Fraction:
    """Return a number after a check that it lies in a closed range."""
    if (lower is not None and number < lower) or (upper is not None and number > upper):
        if upper is None:
            rule = f"be at least {lower}"
        elif lower is None:
            rule = f"be at most {upper}"
        else:
            rule = f"lie between {lower} and {upper}"
        raise DomainError(f"{name} must {rule}, not {_shown(number)}")
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
        raise DomainError(f"size must be at least 1, not {size}")
    return (size - 1).bit_length()


def common_denominator(values: Iterable[Fraction]) -> int:
    """Return the least positive integer that makes every value an integer.

    Examples
    --------
    >>> common_denominator([Fraction(1, 6), Fraction(3, 4)])
    12
    """
    return math.lcm(1, *(value.denominator for value in values))


def probability_vector(
    values: Iterable[object], name: str = "distribution"
) -> tuple[Fraction, ...]:
    """Return the values as fractions after checking that they form a probability vector.

    Parameters
    ----------
    values : iterable of int, Fraction or str
        Weights; they must be non-negative and sum to exactly one.
    name : str
        What the vector is, for the message.

    Raises
    ------
    DomainError
        If a weight is negative or the sum is not one.

    Examples
    --------
    >>> probability_vector(["1/3", "2/3"])
    (Fraction(1, 3), Fraction(2, 3))
    >>> probability_vector(["1/3", "1/3"])
    Traceback (most recent call last):
    ...
    ccsim.errors.DomainError: distribution must sum to 1, not 2/3
    """
    listed = iterated(values, name, "probabilities")
    weights = tuple(as_fraction(v, f"{name}[{i}]", 0) for i, v in enumerate(listed))
    if (total := sum(weights, Fraction(0))) != 1:
        raise DomainError(f"{name} must sum to 1, not {total}")
    return weights
