"""Gaussian privacy and trade-off functions: the errors of tests that distinguish neighbours."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cmp_to_key
from itertools import accumulate, pairwise
from typing import Annotated, Any

from .enclosures import *
from .mechanisms import Event, Law, Mechanism, Place
from .powers import Ratio, Value
from .reader import *
from .rules import *

Real = Annotated[Ratio, lambda value, it: it.instance.powers.number(value)]


class GaussianPrivacy(Divergence, Quantity, kind="gaussian_privacy"):
    """The least mu such that neighbours are as hard to distinguish as normal variables."""

    instance: Annotated[Mechanism, Mechanism.read]

    @least
    def test(
        self, database: Place, neighbour: Place, outcomes: Event, x: Number, bits: Bits,
        bound: Infinite,
    ) -> Fraction:  # fmt: skip
        """Check a test whose errors are at most Phi(x) and Phi(-bound - x)."""
        p, q = near(self.instance, database, neighbour)
        require(bound < math.inf, "the bound must be finite")
        chosen = set(outcomes)
        errors = (p, outcomes, x), (q, [o for o in range(len(q)) if o not in chosen], -bound - x)
        for law, event, y in errors:
            high = sum(law[o].high for o in event)
            known = high << bits.bits <= bits.normal(y)[0] * total(law).low
            require(known, "the errors of the test must be at most Phi(x) and Phi(-bound - x)")
        return bound

    @most
    def points(self, points: Numbers, bits: Bits, bound: Infinite) -> Fraction:
        """Check that each likelihood ratio test has errors above a point (Phi(x), Phi(-bound - x)).

        The normal variables have a convex trade-off function, symmetric in both errors. So the
        mirror images of the points are points, and one order of each pair suffices.
        """
        require(0 <= bound < math.inf, "the bound must be a number of at least 0")
        curve = [(bits.normal(x)[1], bits.normal(-bound - x)[1]) for x in points]
        curve = sorted(curve + [(v, u) for u, v in curve])
        first, lowest = [u for u, _ in curve], list(accumulate((v for _, v in curve), min))
        for p, q in pairs(self.instance):
            sums = total(p).high, total(q).high
            for alpha, beta in self._tests(p, q):
                place = bisect_right(first, (alpha << bits.bits) // sums[0]) - 1
                above = place >= 0 and lowest[place] * sums[1] <= beta << bits.bits
                require(above, "a test has errors below the points")
        return bound

    def _tests(self, p: Law, q: Law) -> Iterator[tuple[int, int]]:
        """Yield lower bounds on the errors of the likelihood ratio tests, in weights of p and q."""
        found, sign = common(p, q), self.instance.powers.sign
        alpha, beta = 0, sum(times * y.low for (_, y), times in found.items())
        for a, b in pairwise(rising(found, sign)):
            alpha, beta = alpha + found[a] * a[0].low, beta - found[a] * a[1].low
            if sign(a[0] * b[1] - b[0] * a[1]):
                yield alpha, beta


class TypeTwoError(Quantity, kind="type_two_error"):
    """The least type II error of a test of two neighbours whose type I error is at most a level."""

    instance: Annotated[Mechanism, Mechanism.read]
    level: Real
    number = staticmethod(lambda value, it: it.instance.powers.number(value))

    @least
    def all_neighbours(self, bound: Real) -> Ratio:
        """Check the best tests of all pairs of neighbours, in both orders."""
        a, sign = self.level, self.instance.powers.sign
        blind = a.under * bound.under - a.over * bound.under - a.under * bound.over
        require(sign(blind) >= 0, "a test that ignores the output has an error below the bound")
        for p, q in pairs(self.instance):
            for law, other in ((p, q), (q, p)):
                require(self._is_above(law, other, bound), "a test has an error below the bound")
        return bound

    @most
    def test(self, database: Place, neighbour: Place, outcomes: Event, bound: Real) -> Ratio:
        """Check a test that rejects the first of two neighbours on some outcomes."""
        (p, q), sign = near(self.instance, database, neighbour), self.instance.powers.sign
        error, miss = total(p[o] for o in outcomes), total(q) - total(q[o] for o in outcomes)
        for number, whole, limit in (error, total(p), self.level), (miss, total(q), bound):
            known = sign(limit.over * whole - limit.under * number) >= 0
            require(known, "the errors of the test must be at most the level and the bound")
        return bound

    def _is_above(self, p: Law, q: Law, bound: Ratio) -> bool:
        """Whether the best test, which rejects p for the smallest p / q, has at least an error."""
        sign, a, whole = self.instance.powers.sign, self.level, (total(p), total(q))
        left, right, found = total([]), total([]), grouped(p, q)
        for x, y in rising(found, sign):
            more = left + x.times(found[x, y])
            if sign(a.over * whole[0] - a.under * more) < 0:
                break  # the test rejects a part of these outcomes
            left, right = more, right + y.times(found[x, y])
        else:
            return sign(bound.over) == 0
        rest = (whole[1] - right) * x * a.under - y * (a.over * whole[0] - a.under * left)
        return sign(rest * bound.under - bound.over * whole[1] * x * a.under) >= 0


def rising(found: Groups, sign: Callable[[Value], int]) -> list[tuple[Value, Value]]:
    """Return groups of outcomes in the order of their ratios ``p / q``."""
    spend(len(found) * (40 + 10 * len(found).bit_length()))
    order: Any = cmp_to_key(lambda a, b: sign(a[0] * b[1] - b[0] * a[1]))
    return sorted(found, key=order)
