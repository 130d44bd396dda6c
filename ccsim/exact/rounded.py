"""Arrays of floats as fractions, with the distance by which they moved."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from ccsim.arguments.checked import checked_types, iterated
from ccsim.arguments.numbers import fraction_of, is_float
from ccsim.arguments.values import show_value
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.frames import opened_frame


@validated
class RoundedTable:
    """Fractions near the numbers of an array.

    Attributes
    ----------
    values : tuple of Fraction, or of tuples of Fraction
        In the shape of the array.
    moved : Fraction
        The largest distance between a number and its fraction; 0 if all are equal.
    """

    values: tuple[Any, ...]
    moved: Fraction


@checked_types
def fractions_of(array: Any, *, max_denominator: int = 1000) -> RoundedTable:  # noqa: ANN401
    """Return fractions with small denominators near the numbers of an array.

    Functions of this package refuse floats, since ``0.1`` is not one tenth. This function makes
    the rounding explicit: results hold for the fractions, which are within ``moved`` of the floats.

    Parameters
    ----------
    array : array of numpy, data frame, or list
        Of floats, integers or other exact numbers, with one or two dimensions.
    max_denominator : int
        Largest denominator; every number becomes the nearest such fraction.

    Returns
    -------
    RoundedTable
        The fractions and the largest distance to them. Sums are not kept: rows that sum to 1 up to
        rounding need not sum to exactly 1.

    Raises
    ------
    DomainError
        If an entry is not a finite real number, or ``max_denominator`` is below 1.

    Examples
    --------
    >>> import numpy as np
    >>> found = fractions_of(np.array([[0.1, 1 / 3], [0.5, 2.0]]))
    >>> print(*found.values[0], float(found.moved) < 1e-16)
    1/10 1/3 True
    >>> coarse = fractions_of([0.75, 3.14159], max_denominator=10)
    >>> print(*coarse.values, float(coarse.moved))
    3/4 22/7 0.0012671428571429746
    """
    if max_denominator < 1:
        raise DomainError(f"max_denominator must be at least 1, not {max_denominator}")
    distances = [Fraction(0)]

    def near(value: object, name: str, depth: int) -> Any:  # noqa: ANN401 - nested tuples
        if isinstance(value, str) or not hasattr(value, "__iter__") or _shape(value) == ():
            number = _exact(value, name)
            found = number.limit_denominator(max_denominator)
            distances.append(abs(found - number))
            return found
        if depth == 0:
            raise DomainError(f"array must have one or two dimensions, but {name} is a list")
        entries = enumerate(iterated(value, name, "numbers"))
        return tuple(near(entry, f"{name}[{i}]", depth - 1) for i, entry in entries)

    whole = opened_frame(array)
    entries = enumerate(iterated(whole, "array", "numbers"))
    values = tuple(near(entry, f"array[{i}]", 1) for i, entry in entries)
    return RoundedTable(values, max(distances))


def _shape(value: object) -> object:
    return getattr(value, "shape", None)


def _exact(value: object, name: str) -> Fraction:
    """Return the number that an entry is exactly."""
    if is_float(value) and math.isfinite(number := float(value)):  # type: ignore[arg-type]
        return Fraction(number)
    found = None if isinstance(value, str) else fraction_of(value)
    if found is None:
        raise DomainError(f"{name} must be a finite number, not {show_value(value)}")
    return found
