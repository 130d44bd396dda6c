"""Which pairs of laws cannot need more than those before them, told by enclosures of masses.

Main definition: `Screen`.

Implementation notes: every probability is enclosed once in integers over ``2**96``, so that a pair
of laws is some products of integers whatever its probabilities are. Where an enclosure does not
tell two numbers apart, they are compared exactly, once for each pair of numbers.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from ccsim.exact.exponentials import Exponential, Real
from ccsim.privacy.audited_laws import AuditedLaws

__all__ = ["Screen"]

_BITS = 96
"""Bits of a probability after the point."""

Ends: TypeAlias = "tuple[int, int]"
Shared: TypeAlias = "list[tuple[int, int]]"
"""The numbers of the masses under two laws; -1 is 0."""


class _Factor:
    """A factor, its lower and upper end, and the pairs of masses that were compared by it."""

    def __init__(self, value: Real) -> None:
        self.value, (self.lower, self.upper) = value, _ends(value)
        self.below: dict[tuple[int, int], bool] = {}


class Screen:
    """What all pairs of laws so far need, as far as a further pair is to be told by it.

    Parameters
    ----------
    laws : AuditedLaws
    bound : Fraction or Exponential
        The factor by which events are compared.
    delta : Fraction
    """

    def __init__(self, laws: AuditedLaws, bound: Real, delta: Fraction) -> None:
        self._laws, self._bound = laws, _Factor(bound)
        self._delta = _ends(delta)[0]
        self._ends: list[Ends] = []
        self._worst: int | None = None
        self._tightest: _Factor | None = None
        self._is_unbounded = self._is_one_enough = False

    def needs(self, excess: Real, factor: Real | None) -> None:
        """Note the largest excess over the bound, and the largest least factor, None if none is."""
        self._worst = _ends(excess)[0] if excess else 0
        self._is_unbounded = factor is None
        if factor is not None and (self._tightest is None or self._tightest.value != factor):
            self._tightest = _Factor(factor)
        # a pair that a factor up to the bound is enough for has no excess over the bound
        self._is_one_enough = factor is not None and not self._delta and factor <= self._bound.value

    def rests(self, i: int, j: int) -> bool:
        """Say whether a law and another one are known to need no more than those before."""
        if self._worst is None:
            return False
        pairs = self._shared(i, j)
        if not self._is_unbounded and self._tightest is not None:
            if not self._is_within(pairs, self._tightest, self._delta):
                return False
            if self._is_one_enough:
                return True
        return self._is_within(pairs, self._bound, self._worst)

    def _shared(self, i: int, j: int) -> Shared:
        first, second = self._laws.shares[i], self._laws.shares[j]
        masses = self._laws.masses
        while len(self._ends) < len(masses):
            self._ends.append(_ends(masses[len(self._ends)]))
        return [(mass, second.get(outcome, -1)) for outcome, mass in first.items()]

    def _is_within(self, pairs: Shared, factor: _Factor, most: int) -> bool:
        """Say whether the divergence by a factor is known to be at most some ``most / 2**96``."""
        excess, ends, lower = 0, self._ends, factor.lower
        close = False
        for p, q in pairs:
            if q < 0:
                excess += ends[p][1] << _BITS
            elif (over := (ends[p][1] << _BITS) - ends[q][0] * lower) > 0:
                excess += over
                close = True
        if excess <= most << _BITS:
            return True
        if most or not close:
            return False
        return all(q >= 0 and self._is_below(p, q, factor) for p, q in pairs)

    def _is_below(self, p: int, q: int, factor: _Factor) -> bool:
        """Say whether a mass is at most a factor times another one."""
        ends = self._ends
        if ends[p][1] << _BITS <= ends[q][0] * factor.lower:
            return True
        if ends[p][0] << _BITS > ends[q][1] * factor.upper:
            return False
        if (p, q) not in factor.below:
            masses = self._laws.masses
            factor.below[p, q] = masses[p] <= factor.value * masses[q]
        return factor.below[p, q]


def _ends(value: Real) -> Ends:
    """Return integers that enclose a number times ``2**96``."""
    if isinstance(value, Exponential):
        interval = value.enclose(2 * _BITS)
        lower, upper = interval.lower, interval.upper
    else:
        lower = upper = value
    down = (lower.numerator << _BITS) // lower.denominator
    return down, -((-upper.numerator << _BITS) // upper.denominator)
