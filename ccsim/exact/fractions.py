"""Numbers that are arguments: reading, ranges, probability vectors, logarithms of sizes."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from fractions import Fraction

from ccsim.arguments.checked import checked_types, iterated
from ccsim.arguments.numbers import (
    BLANKS,
    MAX_DIGITS,
    exact_spelling,
    fraction_of,
    integer_of,
    is_float,
)
from ccsim.arguments.values import show_value
from ccsim.errors import DomainError

_WITH_EXPONENT = re.compile(r"[+-]?[0-9]*\.?[0-9]+[eE][+-]?[0-9]+")
"""Numbers that are refused only because they are too long when they are written out."""

INTEGER = re.compile(r"-?[0-9]+")
"""How labels that are integers are written; Python reads ``1_0``, ``+1`` and all digits."""


def as_integer(value: object, name: str, least: int | None = None, most: int | None = None) -> int:
    """Return ``value`` as an integer from ``least`` to ``most``."""
    number = integer_of(value)
    if number is None:
        raise DomainError(f"{name} must be an integer{_limit(value)}, not {show_value(value)}")
    return int(_inside(Fraction(number), name, least, most))


def as_fraction(
    value: object,
    name: str,
    lower: Fraction | int | None = None,
    upper: Fraction | int | None = None,
) -> Fraction:
    """Return ``value`` as an exact fraction inside ``[lower, upper]``.

    Parameters
    ----------
    value : int, Fraction, Decimal or str
        Also an integer or a fraction of NumPy or SymPy. A float is refused: 0.1 is not one tenth.
        Text is ``p``, ``p/q`` or a decimal number, with an exponent or without (``1e-3``).
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
    >>> as_fraction(0.1, "error")
    Traceback (most recent call last):
    ...
    ccsim.errors.DomainError: error must be an exact number, not the float 0.1: write "1/10" or \
Fraction(0.1)
    """
    number = fraction_of(value)
    if number is None:
        raise DomainError(f"{name} must be {_rule(value)}")
    return _inside(number, name, lower, upper)


def _rule(value: object) -> str:
    """Return what a fraction must be, and what to write instead of a value that is none."""
    if isinstance(value, str):
        return f"a fraction p/q or a decimal number{_limit(value)}, not {show_value(value)}"
    if is_float(value):
        return f"an exact number, not the float {exact_spelling(value)}"
    return f"an int, a Fraction or text such as '1/3', not {show_value(value)}"


def _limit(value: object) -> str:
    """Return how long a number may be, if a text is longer."""
    long = isinstance(value, str) and (
        len(value.strip(BLANKS)) > MAX_DIGITS or _WITH_EXPONENT.fullmatch(value.strip(BLANKS))
    )
    return f" of at most {MAX_DIGITS} digits" if long else ""


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


@checked_types
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


@checked_types
def common_denominator(values: Iterable[Fraction]) -> int:
    """Return the least positive integer that makes every value an integer.

    Examples
    --------
    >>> common_denominator([Fraction(1, 6), Fraction(3, 4)])
    12
    """
    return math.lcm(1, *(value.denominator for value in values))


@checked_types
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
