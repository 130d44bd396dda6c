"""The worst failure of a learner of points over all targets, from bounds by the target's mass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from ccsim.data import frozen
from ccsim.exact.intervals import Interval

_SMALL = Fraction(1, 1 << 100)
"""A failure below which further cases are bounded together."""
_CLOSE = 1 + Fraction(1, 1 << 20)
"""Ratio of the ends of an enclosure of the worst failure that is small enough."""


@frozen
class WorstPointFailure:
    """How often a learner of points fails, on the worst target and distribution."""

    failure: Interval  # encloses the supremum of the failure probability
    # of the target, near which the failure comes to the lower end (from above, it may not be
    # attained)
    mass: Fraction
    # points other than the target's that are too wrong an answer; they share the other mass
    wrong: int


def most_wrong(bits: int, accuracy: Fraction, mass: Fraction) -> int:
    """Return how many points other than the target's can be too wrong an answer.

    If the mass of the target is below the accuracy, each of them must have more than the
    difference.
    """
    wrong = (1 << bits) - 1
    if mass < accuracy:
        wrong = min(wrong, -(-(1 - mass) // (accuracy - mass)) - 1)
    return wrong


def worst_over_masses(
    bits: int,
    accuracy: Fraction,
    failure: Callable[[Fraction, int, int], Interval],
    close: Fraction = _CLOSE,
) -> WorstPointFailure:
    """Return the failure probability on the worst target and distribution, rigorously.

    Method: ``n`` wrong answers are possible if the mass of the target is above ``(n accuracy - 1) /
    (n - 1)``, and a learner fails the less often, the larger the mass. So the range of ``n`` is
    divided, where ``n`` is bounded by its largest value and the mass by its least.
    """

    def least_mass(wrong: int) -> Fraction:
        if wrong == 1:
            return Fraction(0)
        return max(Fraction(0), (wrong * accuracy - 1) / (wrong - 1))

    total = (1 << bits) - 1
    first = least_mass(total)
    best = WorstPointFailure(failure(first, total, total), first, total)
    left, done = [(1, total)], best.failure.upper
    while left:
        a, b = left.pop()
        mass = least_mass(a)
        bound = failure(mass, a, b)
        if bound.lower > best.failure.lower:
            best = WorstPointFailure(bound, mass, a)
        if a == b or bound.upper <= best.failure.lower * close + _SMALL:
            done = max(done, bound.upper)
        else:
            middle = (a + b) // 2
            left += [(a, middle), (middle + 1, b)]
    return replace(best, failure=Interval(best.failure.lower, done))
