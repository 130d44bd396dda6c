"""Numbers as arguments: fractions, integers, probability vectors, rounded floats, primes."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from fractions import Fraction
from itertools import count
from typing import Any

from ccsim.arguments.checked import checked_types, iterated
from ccsim.arguments.numbers import (
    BLANKS,
    MAX_DIGITS,
    exact_spelling,
    fraction_of,
    integer_of,
    is_float,
)
from ccsim.arguments.renamed import Renamed
from ccsim.arguments.values import show_value
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.frames import opened_frame

INTEGER = re.compile(r"-?[0-9]+")
"""The accepted form of integer labels, which excludes ``1_0``, ``+1`` and non-ASCII digits."""
_WITH_EXPONENT = re.compile(r"[+-]?[0-9]*\.?[0-9]+[eE][+-]?[0-9]+")
"""Texts of numbers that are refused only because they are too long when written out."""


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
        Also an integer or a fraction of NumPy or SymPy. A text is ``p``, ``p/q`` or a decimal
        number, possibly with an exponent (``1e-3``). Floats are refused, since ``0.1`` is not one
        tenth.
    name : str
        Name of the number in messages.
    lower, upper : Fraction or int, optional
        Bounds of a closed range.

    Examples
    --------
    >>> as_fraction("0.25", "error", 0, 1)
    Fraction(1, 4)
    >>> as_fraction("5/4", "error", 0, 1)
    Traceback (most recent call last):
    ...
    ccsim.errors.DomainError: error must be between 0 and 1, not 5/4
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


@checked_types
def ceil_log2(size: int) -> int:
    """Return ``ceil(log2 size)``, the number of bits that encode one of ``size`` messages.

    Parameters
    ----------
    size : int
        Number of messages, at least 1.

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
    """Return the least common denominator of some fractions.

    Parameters
    ----------
    values : iterable of Fraction

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
        Name of the vector in messages.

    Examples
    --------
    >>> probability_vector(["1/3", "2/3"])
    (Fraction(1, 3), Fraction(2, 3))
    >>> probability_vector(["1/3", "1/3"])
    Traceback (most recent call last):
    ...
    ccsim.errors.DomainError: distribution must sum to 1, not 2/3
    """
    listed = [*iterated(values, name, "probabilities")]
    found: dict[int, Fraction] = {}  # by object: many probabilities are the same
    for i, value in enumerate(listed):
        if id(value) not in found:
            found[id(value)] = as_fraction(value, f"{name}[{i}]", 0)
    weights = tuple(found[id(value)] for value in listed)
    if (total := sum(filter(None, weights), Fraction(0))) != 1:
        raise DomainError(f"{name} must sum to 1, not {total}")
    return weights


@validated
class RoundedTable:
    """The numbers of an array rounded to fractions.

    Attributes
    ----------
    values : tuple of Fraction, or of tuples of Fraction
        The fractions, in the shape of the array.
    rounding_error : Fraction
        The largest distance between a number and its fraction; 0 if no number was changed.
    """

    values: tuple[Any, ...]
    rounding_error: Fraction
    moved = Renamed("rounding_error")


@checked_types
def fractions_of(array: Any, *, max_denominator: int = 1000) -> RoundedTable:  # noqa: ANN401
    """Round each number in an array to the nearest fraction with a small denominator.

    Functions of this package refuse floats, since ``0.1`` is not one tenth. This function makes the
    rounding explicit: results hold for the fractions, which are within ``rounding_error`` of the
    floats.

    Parameters
    ----------
    array : numpy array, data frame or list
        Floats, integers or other exact numbers, in one or two dimensions.
    max_denominator : int
        Every number is rounded to the nearest fraction with at most this denominator.

    Returns
    -------
    RoundedTable
        The fractions and the largest rounding error. Sums are not preserved: rows that sum to 1 in
        floats need not sum to exactly 1.

    Examples
    --------
    >>> import numpy as np
    >>> found = fractions_of(np.array([[0.1, 1 / 3], [0.5, 2.0]]))
    >>> print(*found.values[0], float(found.rounding_error) < 1e-16)
    1/10 1/3 True
    """
    if max_denominator < 1:
        raise DomainError(f"max_denominator must be at least 1, not {max_denominator}")
    distances = [Fraction(0)]

    def near(value: object, name: str, depth: int) -> Any:  # noqa: ANN401 - nested tuples
        if (
            isinstance(value, str)
            or not hasattr(value, "__iter__")
            or getattr(value, "shape", 0) == ()
        ):
            number = _exact(value, name)
            found = number.limit_denominator(max_denominator)
            distances.append(abs(found - number))
            return found
        if depth == 0:
            raise DomainError(
                f"array must have one or two dimensions, but the entry {name} is a list"
            )
        entries = enumerate(iterated(value, name, "numbers"))
        return tuple(near(entry, f"{name}[{i}]", depth - 1) for i, entry in entries)

    whole = opened_frame(array)
    entries = enumerate(iterated(whole, "array", "numbers"))
    values = tuple(near(entry, f"array[{i}]", 1) for i, entry in entries)
    return RoundedTable(values, max(distances))


def check_prime(name: str, p: int) -> None:
    """Raise an error unless a number is a prime."""
    if not _is_prime(p):
        raise DomainError(f"{name} must be a prime, not {p}")


def next_prime(least: int) -> int:
    """Return the smallest prime that is at least ``least``."""
    return next(p for p in count(max(least, 2)) if _is_prime(p))


def _is_prime(p: int) -> bool:
    """Return whether a number is a prime; for small numbers, flint is not loaded."""
    if p < 1 << 10:
        return p > 1 and all(p % divisor for divisor in range(2, math.isqrt(p) + 1))
    import flint

    return bool(flint.fmpz(p).is_prime())


def _rule(value: object) -> str:
    """Return the rule for fractions that a value violates, with advice."""
    if isinstance(value, str):
        return f"a fraction p/q or a decimal number{_limit(value)}, not {show_value(value)}"
    if is_float(value):
        return f"an exact number, not the float {exact_spelling(value)}"
    return f"an int, a Fraction or text such as '1/3', not {show_value(value)}"


def _limit(value: object) -> str:
    """Return the limit on the number of digits as text.

    The text is empty if the value does not exceed the limit.
    """
    long = isinstance(value, str) and (
        len(value.strip(BLANKS)) > MAX_DIGITS or _WITH_EXPONENT.fullmatch(value.strip(BLANKS))
    )
    return f" of at most {MAX_DIGITS} digits" if long else ""


def _inside(
    number: Fraction, name: str, lower: Fraction | int | None, upper: Fraction | int | None
) -> Fraction:
    """Return a number after checking that it lies in a closed range."""
    if (lower is not None and number < lower) or (upper is not None and number > upper):
        rule = f"be at least {lower}" if upper is None else f"be between {lower} and {upper}"
        rule = f"be at most {upper}" if lower is None else rule
        raise DomainError(f"{name} must {rule}, not {_shown(number)}")
    return number


def _shown(number: Fraction) -> str:
    """Return the text of a number for messages; Python prints at most 4300 digits."""
    bits = max(number.numerator.bit_length(), number.denominator.bit_length())
    return str(number) if bits <= MAX_DIGITS else f"a number of {bits} bits"


def _exact(value: object, name: str) -> Fraction:
    """Return the exact value of an entry of an array."""
    if is_float(value) and math.isfinite(number := float(value)):  # type: ignore[arg-type]
        return Fraction(number)
    found = None if isinstance(value, str) else fraction_of(value)
    if found is None:
        raise DomainError(f"{name} must be a finite number, not {show_value(value)}")
    return found
