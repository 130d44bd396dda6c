"""Exact probability vectors."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from ccsim.errors import DomainError
from ccsim.exact.fractions import as_fraction

__all__ = ["probability_vector"]


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
    weights = tuple(as_fraction(v, f"{name}[{i}]", 0) for i, v in enumerate(values))
    if (total := sum(weights, Fraction(0))) != 1:
        msg = f"{name} must sum to 1, not {total}"
        raise DomainError(msg)
    return weights
