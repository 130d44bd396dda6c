"""Exact weights of outcomes, of which many may share one number.

Exponential mechanisms have millions of outcomes and a handful of probabilities: an object that
stands for many outcomes is looked at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from fractions import Fraction
from math import lcm
from typing import TypeVar

from ccsim.budget import in_time
from ccsim.errors import DomainError
from ccsim.exact.exponentials import Exponential, Real

__all__ = ["exact_mass", "exact_masses", "total_mass"]

Outcome = TypeVar("Outcome", bound=Hashable)


def exact_mass(value: object, outcome: object, what: str = "probability") -> Real:
    """Return a number of at least 0 that is given exactly.

    Raises
    ------
    DomainError

    Examples
    --------
    >>> exact_mass(1, "heads")
    Fraction(1, 1)
    """
    if type(value) is int:
        value = Fraction(value)
    if type(value) is not Fraction and type(value) is not Exponential:
        raise DomainError(
            f"{what} of {outcome!r} must be a Fraction, an Exponential or an int, not {value!r}"
        )
    if value.numerator < 0 if type(value) is Fraction else value < 0:
        raise DomainError(f"{what} of {outcome!r} must be at least 0, not {value}")
    return value


def exact_masses(
    items: Iterable[tuple[Outcome, object]], what: str
) -> tuple[tuple[Outcome, Real], ...]:
    """Return outcomes with exact numbers; one object that stands for many is looked at once.

    Raises
    ------
    DomainError
        At the first number that is negative or not exact.

    Examples
    --------
    >>> exact_masses([("a", 0), ("b", 1)], "weight")
    (('a', Fraction(0, 1)), ('b', Fraction(1, 1)))
    """
    exact: dict[int, tuple[object, Real]] = {}
    found = []
    for outcome, number in in_time(items):
        if id(number) not in exact:  # the object itself is kept, so that no other gets its id
            exact[id(number)] = number, exact_mass(number, outcome, what)
        found.append((outcome, exact[id(number)][1]))
    return tuple(found)


def total_mass(numbers: Iterable[Real]) -> Real:
    """Return the sum; one object that stands for many is multiplied.

    Examples
    --------
    >>> total_mass([Fraction(1, 4)] * 3)
    Fraction(3, 4)
    """
    listed = list(numbers)
    one = {id(number): number for number in listed}
    fractions = {key: p for key, p in one.items() if type(p) is Fraction}
    if len(fractions) == len(one):  # integers over one denominator are added faster
        whole = lcm(*(p.denominator for p in fractions.values()))
        share = {key: whole // p.denominator * p.numerator for key, p in fractions.items()}
        return Fraction(sum(share[id(number)] for number in in_time(listed)), whole)
    total: Real = Fraction(0)
    for key, times in in_time(Counter(map(id, listed)).items()):
        total = total + one[key] * times
    return total
