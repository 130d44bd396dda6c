"""The comparisons of an audit: what is needed for each pair of laws, and which pair needs most.

Implementation notes: most pairs need no more than some pair before them, and enclosures tell so
(`Screen`). Of the others, laws with rational probabilities are brought to one
denominator each, once, so that a comparison is some products of integers; laws with powers of ``e``
are compared as `ccsim.information` does.

Enclosures: every probability is enclosed once in integers over ``2**96``, so that a pair of laws is
some products of integers whatever its probabilities are. Where an enclosure does not tell two
numbers apart, they are compared exactly, once for each pair of numbers.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from fractions import Fraction
from functools import cmp_to_key
from math import lcm
from typing import TypeAlias

from ccsim.budget import in_time
from ccsim.errors import NotDecidedError
from ccsim.exact.epsilon import PRECISIONS, Epsilon, Excess, fractions_near
from ccsim.exact.exponentials import Exponential, Real
from ccsim.exact.law import Law
from ccsim.information.divergences import divergence, least_factor, likelier_event
from ccsim.privacy.audit_result import Violation
from ccsim.privacy.audited_laws import AuditedLaws, Numbers

Counted: TypeAlias = "tuple[int, dict[Hashable, int]]"
"""A denominator, and the numerators of the probabilities."""


class Comparisons:
    """The comparisons made so far; equal pairs of laws are compared once."""

    near: tuple[Fraction, Fraction] | None = None

    def __init__(self, laws: AuditedLaws, bound: Real, delta: Fraction) -> None:
        self.bound, self.delta = bound, delta
        self.worst: tuple[Real, tuple[Numbers, Numbers]] | None = None
        self.tightest: tuple[Real | None, tuple[Numbers, Numbers]] | None = None
        self._laws = laws
        self._screen = Screen(laws, self.bound, delta)
        self._seen: set[tuple[int, int]] = set()
        self._counted: list[Counted | None] = []

    def compare(self, database: Numbers, neighbour: Numbers) -> None:
        """Compare the laws of two neighbours, in both orders."""
        i, j = self._laws.number(database), self._laws.number(neighbour)
        self._compare(i, j, (database, neighbour))
        self._compare(j, i, (neighbour, database))

    def _compare(self, i: int, j: int, pair: tuple[Numbers, Numbers]) -> None:
        """Compare two laws of an ordered pair of neighbours."""
        if (i, j) in self._seen:
            return
        self._seen.add((i, j))
        if self._screen.rests(i, j):
            return
        p, q = self._laws.laws[i], self._laws.laws[j]
        first, second = self._in_integers(i), self._in_integers(j)
        excess: Real
        factor: Real | None
        if first is None or second is None or not isinstance(self.bound, Fraction):
            excess, factor = divergence(p, q, self.bound), least_factor(p, q, self.delta)
        else:
            excess = _divergence(first, second, self.bound)
            factor = _least_factor(first, second, self.delta)
        if self.worst is None or excess > self.worst[0]:
            self.worst = excess, pair
        if self.tightest is None or (
            self.tightest[0] is not None and (factor is None or factor > self.tightest[0])
        ):
            self.tightest = factor, pair
        self._screen.needs(self.worst[0], self.tightest[0])

    def violation(self) -> Violation | None:
        """Return the worst event."""
        if self.worst is None:
            return None
        excess, pair = self.worst
        p, q = (self._laws.laws[self._laws.number(database)] for database in pair)
        event = likelier_event(p, q, self.bound)
        on_database, on_neighbour = p.mass(event), q.mass(event)
        database, neighbour = map(self._laws.database, pair)
        return Violation(database, neighbour, event, on_database, on_neighbour, excess)

    def _in_integers(self, number: int) -> Counted | None:
        """Return a law over one denominator, or None if its probabilities are not rational."""
        while len(self._counted) <= number:
            self._counted.append(_counted(self._laws.laws[len(self._counted)]))
        return self._counted[number]


class Nearby:
    """Comparisons with fractions below and above ``e^epsilon``, which is not computed with exactly.

    For a pair of databases and an event the excess is a linear function of the factor, and the
    largest of them all is convex. So an event that is worst at both fractions is worst between
    them. What holds at the lower one holds at ``e^epsilon``, and what fails at the upper one fails.
    """

    def __init__(self, laws: AuditedLaws, epsilon: Epsilon, delta: Fraction, bits: int) -> None:
        below, above = fractions_near(epsilon, bits)
        self.near = min(below, _HIGH) if bits == PRECISIONS[0] else below, above
        self.ends = tuple(Comparisons(laws, end, delta) for end in self.near)
        self.delta, self._epsilon = delta, epsilon

    @property
    def tightest(self) -> tuple[Real | None, tuple[Numbers, Numbers]] | None:
        """As of `Comparisons`; it does not depend on epsilon."""
        return self.ends[0].tightest

    @property
    def is_settled(self) -> bool:
        """Whether it is known which event is worst, and whether it violates delta."""
        (first, second), (below, _) = self.ends, self.near
        if (found := self._worst()) is None or first.worst is None:
            return True
        if not found.neighbour_probability:  # it asks for as much at all factors from the lower one
            return second.worst is None or first.worst[0] == second.worst[0]
        excess = found.probability - below * found.neighbour_probability
        is_worst = second.worst is not None and excess == first.worst[0]
        return is_worst and self._violates(found) is not None

    def violation(self) -> Violation | None:
        """Return the worst event; if that is not settled, one that violates delta or None."""
        found = self._worst()
        return found if found is None or self.is_settled or self._violates(found) else None

    def _violates(self, found: Violation) -> bool | None:
        try:
            return found.delta > self.delta
        except NotDecidedError:
            return None

    def _worst(self) -> Violation | None:
        """Return the event that is worst at the upper fraction, or at the lower one so far."""
        first, second = self.ends
        found = (second if second.worst is not None else first).violation()
        if found is None or not found.neighbour_probability:
            return found
        p, q = found.probability, found.neighbour_probability
        return replace(found, delta=Excess(p, self._epsilon, q))


def _counted(law: Law[Hashable]) -> Counted | None:
    shares: dict[int, Fraction] = {}  # many outcomes may share a probability
    for _, p in law.items:
        if not isinstance(p, Fraction):
            return None
        shares[id(p)] = p
    common = lcm(*(p.denominator for p in shares.values()))
    of = {key: p.numerator * (common // p.denominator) for key, p in shares.items()}
    return common, {outcome: of[id(p)] for outcome, p in in_time(law.items)}


def _divergence(first: Counted, second: Counted, factor: Fraction) -> Fraction:
    """Return the hockey-stick divergence of two laws."""
    (whole, p), (other_whole, q) = first, second
    times, less = factor.denominator * other_whole, factor.numerator * whole
    excess = 0
    for outcome, mass in in_time(p.items()):
        more = mass * times - q.get(outcome, 0) * less
        if more > 0:
            excess += more
    return Fraction(excess, whole * times) if excess else _ZERO


def _least_factor(first: Counted, second: Counted, delta: Fraction) -> Fraction | None:
    """Return the least factor of two laws that is enough at a delta, at least 1; None if none."""
    (whole, p), (other_whole, q) = first, second
    if not delta:
        above, below = whole, other_whole
        for outcome, mass in in_time(p.items()):
            other = q.get(outcome, 0)
            if not other:
                return None
            if mass * below > above * other:
                above, below = mass, other
        return Fraction(above * other_whole, below * whole)
    both = [(mass, q[outcome]) for outcome, mass in in_time(p.items()) if outcome in q]
    alone = sum(mass for outcome, mass in p.items() if outcome not in q)
    excess, beside = alone * delta.denominator - delta.numerator * whole, 0
    if excess > 0:
        return None
    both.sort(key=cmp_to_key(_by_falling_ratio))
    above, below = whole * delta.denominator, other_whole  # that stands for 1
    for mass, other in both:
        excess, beside = excess + mass * delta.denominator, beside + other
        if excess * below > above * beside:
            above, below = excess, beside
    return Fraction(above * other_whole, below * whole * delta.denominator)


def _by_falling_ratio(one: tuple[int, int], other: tuple[int, int]) -> int:
    return other[0] * one[1] - one[0] * other[1]


_ZERO = Fraction(0)
_HIGH = Fraction(1 << 512)
"""A factor above which, as a rule, no event is worst but what one of two laws excludes."""


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
    """What all pairs of laws so far need, as far as a further pair is to be told by it."""

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
