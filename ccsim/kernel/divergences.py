"""Renyi divergences of the distributions on neighbours, and zero-concentrated privacy."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Annotated, Any

from .enclosures import *
from .mechanisms import Law, Mechanism, Place
from .powers import Value
from .reader import *
from .rules import *


class Losses:
    """The logarithms of the probabilities p and q of the outcomes of two distributions."""

    def __init__(self, units: Units, p: Law, q: Law) -> None:
        self.units, self.groups, self.totals = units, common(p, q), (total(p), total(q))
        self.logs: list[tuple[int, Ends, Ends]] = [
            (times, self._log(x, self.totals[0]), self._log(y, self.totals[1]))
            for (x, y), times in self.groups.items()
        ]

    def _log(self, weight: Value, whole: Value) -> Ends:
        log = self.units.log
        ends = [(log(w.low)[0], log(w.high)[1]) for w in (weight, whole)]
        return ends[0][0] - ends[1][1], ends[0][1] - ends[1][0]

    def turned(self) -> Losses:
        """Return the losses with p and q exchanged."""
        other = object.__new__(Losses)
        other.units, other.totals = self.units, self.totals[::-1]
        other.groups = {(y, x): times for (x, y), times in self.groups.items()}
        other.logs = [(times, b, a) for times, a, b in self.logs]
        return other

    def cumulant(self, s: Fraction, side: int) -> int:
        """Bound the logarithm of the sum of ``p (p/q)^s``: below (side 0) or above (1)."""
        n, d = s.as_integer_ratio()
        spend(len(self.logs) * (50 + (n.bit_length() + d.bit_length() >> 4)))
        units, least = self.units, not side
        x = [
            p[0] + n * (p[0] - q[1]) // d if least else p[1] + up(n * (p[1] - q[0]), d)
            for _, p, q in self.logs
        ]
        top = max(x)
        parts = zip(self.logs, x, strict=True)
        whole = sum(times * units.exp(top - each)[side] for (times, _, _), each in parts)
        require(whole, "{} bits do not suffice for a logarithm", units.bits)
        return top + units.log(whole)[side] - units.bits * units.log_2[1 - side]

    def divergence(self, order: float | Fraction, side: int) -> Fraction:
        """Bound the Renyi divergence of an order: below (side 0) or above (1)."""
        require(order >= 1, "the order must be at least 1, not {}", order)
        one, first = self.units.one, self.totals[0]
        losses = [(p[0] - q[1], p[1] - q[0])[side] for _, p, q in self.logs]
        if order == math.inf:
            return Fraction(max(losses), one)
        if order > 1:
            return Fraction(self.cumulant(s := Fraction(order - 1), side), one) / s
        ends: Callable[..., Any] = (min, max)[side]
        each = zip(self.groups.items(), losses, strict=True)
        whole = sum(n * ends(x.low * loss, x.high * loss) for ((x, _), n), loss in each)
        return Fraction(ends(Fraction(whole, w * one) for w in (first.low, first.high)))


def all_losses(M: Mechanism, units: Units) -> Iterator[Losses]:
    """Yield the losses of different distributions on neighbours, in both orders."""
    for p, q in pairs(M):
        found = Losses(units, p, q)
        yield found
        yield found.turned()


class RenyiMoment(Divergence, Quantity, kind="renyi_moment"):
    """The largest sum of ``p^order q^(1 - order)`` for distributions p and q on neighbours."""

    instance: Annotated[Mechanism, Mechanism.read]
    order: Positive

    @least
    def pair(self, database: Place, neighbour: Place) -> Fraction:
        """Compute the sum for a pair of neighbours."""
        return self._moment(*near(self.instance, database, neighbour))

    @most
    def all_neighbours(self) -> Fraction:
        """Compute the sum for all pairs of neighbours in both orders."""
        both = ((p, q) for pair in pairs(self.instance) for p, q in (pair, pair[::-1]))
        return max((self._moment(p, q) for p, q in both), default=Fraction(1))

    def _moment(self, p: Law, q: Law) -> Fraction:
        a, found, sums = self.order, common(p, q), (total(p), total(q))
        require(a > 1, "order must be above 1, not {}", a)
        require(all(w.low == w.high for pair in found for w in pair), "weights must be integers")
        size = a * sum(s.high.bit_length() for s in sums)
        spend(len(found) * (200 + (size >> 6) ** 2))
        terms = (
            times * Fraction(x.low, sums[0].low) ** a * Fraction(sums[1].low, y.low) ** (a - 1)
            for (x, y), times in found.items()
        )
        return sum(terms, Fraction(0))


class RenyiDivergence(Divergence, Quantity, kind="renyi_divergence"):
    """The largest Renyi divergence of an order, for distributions on neighbours, in nats."""

    instance: Annotated[Mechanism, Mechanism.read]
    order: Infinite

    @least
    def pair(self, database: Place, neighbour: Place, bits: Bits, bound: Infinite) -> Fraction:
        """Enclose the divergence for a pair of neighbours."""
        found = Losses(bits, *near(self.instance, database, neighbour)).divergence(self.order, 0)
        require(bound <= max(found, Fraction(0)), "the divergence must be at least the bound")
        return bound

    @most
    def all_neighbours(self, bits: Bits, bound: Infinite) -> Fraction:
        """Enclose the divergences for all pairs of neighbours in both orders."""
        for losses in all_losses(self.instance, bits):
            require(losses.divergence(self.order, 1) <= bound, "a divergence is above the bound")
        require(0 <= bound < math.inf, "the bound must be a number of at least 0")
        return bound


class ConcentratedPrivacy(Divergence, Quantity, kind="concentrated_privacy"):
    """The least rho such that all Renyi divergences of orders a > 1 are at most ``a rho``."""

    instance: Annotated[Mechanism, Mechanism.read]

    @least
    def order(
        self, database: Place, neighbour: Place, order: Infinite, bits: Bits, bound: Infinite
    ) -> Fraction:
        """Enclose the divergence of one order; the order 1 is the limit of orders above 1."""
        require(order < math.inf, "order must be finite")
        found = Losses(bits, *near(self.instance, database, neighbour)).divergence(order, 0)
        known = bound * order <= max(found, Fraction(0))
        require(known, "the divergence must be at least order times the bound")
        return bound

    @most
    def orders(self, orders: Numbers, bits: Bits, bound: Infinite) -> Fraction:
        """Cover all orders for all pairs of neighbours: by chords, and from the last order on."""
        steps = [Fraction(0), *(a - 1 for a in orders)]
        require(
            all(map(Fraction.__lt__, steps, steps[1:])), "orders must be above 1 and increasing"
        )
        require(0 <= bound < math.inf, "the bound must be a number of at least 0")
        for losses in all_losses(self.instance, bits):
            largest = losses.divergence(math.inf, 1)
            require(largest <= (1 + steps[-1]) * bound, "the last order is too small for the bound")
            _Chords(losses, steps, bound).cover()
        return bound


class _Chords:
    """Chords of the cumulant K, which is convex, below the parabola ``rho s (1 + s)``."""

    def __init__(self, losses: Losses, steps: list[Fraction], rho: Fraction) -> None:
        self.losses, self.steps, self.rho = losses, steps, rho
        self.known = {0: Fraction(0)}  # upper bounds on the cumulant

    def above(self, i: int) -> tuple[Fraction, Fraction]:
        """Return a step s, and an upper bound on the cumulant at s."""
        if i not in self.known:
            high = self.losses.cumulant(self.steps[i], 1)
            self.known[i] = Fraction(high, self.losses.units.one)
        return self.steps[i], self.known[i]

    def cover(self) -> None:
        """Cover the steps by chords, each of which is split if it is not below the parabola."""
        left = [(0, len(self.steps) - 1)]
        while left:
            i, j = left.pop()
            if i == j or self.is_below(*self.above(i), *self.above(j)):
                continue
            rule = "the chord of the orders {} and {} is not below the bound"
            require(j - i > 1, rule, 1 + self.steps[i], 1 + self.steps[j])
            middle = (i + j) // 2
            left += [(middle, j), (i, middle)]

    def is_below(self, s: Fraction, k: Fraction, t: Fraction, m: Fraction) -> bool:
        """Whether the chord from (s, k) to (t, m) is at most ``rho x (1 + x)`` for x in [s, t]."""
        spend(100 + (sum(x.denominator.bit_length() for x in (s, k, t, m)) >> 6) ** 2)
        rho, slope = self.rho, (m - k) / (t - s)
        if 2 * rho * s < slope - rho < 2 * rho * t:  # where the distance is least
            return 4 * rho * (k - slope * s) + (slope - rho) ** 2 <= 0
        return k <= rho * s * (1 + s) and m <= rho * t * (1 + t)
