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
from ccsim.exact.fractions import as_fraction

Outcome = TypeVar("Outcome", bound=Hashable)

_MOST_TOTALS = 1 << 10
_TOTALS: dict[frozenset[tuple[int, int]], tuple[Real, tuple[Real, ...]]] = {}
"""Sums of irrational numbers by how often each object is among them, and these objects."""
_POSITIVE: dict[int, Real] = {}
"""Irrational numbers that were found to be at least 0, by their ids."""


def exact_mass(value: object, outcome: object, what: str = "probability") -> Real:
    """Return a number of at least 0 that is given exactly."""
    if type(value) is not Fraction and type(value) is not Exponential:
        value = as_fraction(value, f"{what} of {outcome!r}")
    if value.numerator < 0 if type(value) is Fraction else _is_negative(value):
        raise DomainError(f"{what} of {outcome!r} must be at least 0, not {value}")
    return value


def _is_negative(value: Real) -> bool:
    if _POSITIVE.get(id(value)) is value:
        return False
    if value < 0:
        return True
    if len(_POSITIVE) >= _MOST_TOTALS:
        _POSITIVE.clear()
    _POSITIVE[id(value)] = value
    return False


def exact_masses(
    items: Iterable[tuple[Outcome, object]], what: str
) -> tuple[tuple[Outcome, Real], ...]:
    """Return outcomes with exact numbers; one object that stands for many is looked at once."""
    exact: dict[int, tuple[object, Real]] = {}
    found = []
    for outcome, number in in_time(items):
        if id(number) not in exact:  # the object itself is kept, so that no other gets its id
            exact[id(number)] = number, exact_mass(number, outcome, what)
        found.append((outcome, exact[id(number)][1]))
    return tuple(found)


def total_mass(numbers: Iterable[Real]) -> Real:
    """Return the sum; one object that stands for many is multiplied."""
    listed = list(numbers)
    one = {id(number): number for number in listed}
    fractions = {key: p for key, p in one.items() if type(p) is Fraction}
    if len(fractions) == len(one):  # integers over one denominator are added faster
        whole = lcm(*(p.denominator for p in fractions.values()))
        share = {key: whole // p.denominator * p.numerator for key, p in fractions.items()}
        return Fraction(sum(share[id(number)] for number in in_time(listed)), whole)
    counts = Counter(map(id, listed))
    key = frozenset(counts.items())
    if (known := _TOTALS.get(key)) is not None:
        return known[0]
    total: Real = Fraction(0)
    for number, times in in_time(counts.items()):
        total = total + one[number] * times
    if isinstance(total, Exponential) and total.is_rational:
        total = total.as_fraction()  # which compares faster
    if len(_TOTALS) >= _MOST_TOTALS:
        _TOTALS.clear()
    _TOTALS[key] = total, tuple(one.values())
    return total
