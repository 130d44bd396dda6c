"""The worst failure of a learner of points over all targets, for 2^64 points too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from ccsim.budget import check_time
from ccsim.data import frozen
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact.epsilon import Epsilon, arithmetic
from ccsim.exact.intervals import Interval
from ccsim.learning.sample_size import check_parameters

_SMALL = Fraction(1, 1 << 100)
"""A failure below which further cases are bounded together."""
_CLOSE = 1 + Fraction(1, 1 << 20)
"""Ratio of the ends of an enclosure of the worst failure that is small enough."""
_PRECISION = 256
"""Bits: the number of points, a precision above the other errors, and the terms."""
_WIDTH = Fraction(1, 1 << 20)
"""Width of an enclosure, beside its lower end, that is small enough."""
_FEW = 10
"""Bits of a domain on which all numbers of wrong answers may be tried."""
MAX_SAMPLES = 1 << 20
"""Most examples, each of which may be positive."""


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


def worst_exponential_point_failure(
    bits: int, samples: int, epsilon: Epsilon, accuracy: Fraction
) -> WorstPointFailure:
    """Return the failure probability on the worst target and distribution, rigorously.

    Method: with ``k`` positive examples, and ``n_i`` negative ones at other points ``i``, the
    answer is wrong with probability ``A / (1 + A + B)``, where ``A`` sums ``e^(-epsilon (k + n_i) /
    2)`` over the wrong points and ``B`` over the other ones. Each term is at most ``t = e^(-epsilon
    k / 2)``, and all but ``samples - k`` of them are that; so for ``w`` wrong points and ``N``
    points in all it is at most ``w t / (1 + max(w, N - 1 - samples + k) t)``, which falls with
    ``k``. It is at most ``w`` times the mean of ``e^(-epsilon errors / 2)`` too, where the errors
    of a wrong answer are binomial, with a probability above the accuracy, which says more over few
    points. If all points are wrong, ``A`` is largest when the examples share one point, because it
    is convex; this case is exact. The ends of the enclosure differ by about ``samples / N``.
    """
    check_parameters(accuracy, Fraction(1, 2), epsilon)
    if bits < 1:
        raise DomainError(f"bits must be at least 1, not {bits}")
    if not 1 <= samples <= MAX_SAMPLES:
        raise InstanceTooLargeError(f"samples must lie between 1 and {MAX_SAMPLES}, not {samples}")

    def failure(mass: Fraction, wrong: int, most: int) -> Interval:
        found = point_failure_bound(bits, samples, epsilon, mass, wrong, most)
        return found if most < 0 else Interval(found.lower, min(found.upper, most * single))

    # a bound on the probability of any one answer that is too wrong
    powers = arithmetic(epsilon, _PRECISION)
    with powers.working():
        kept = powers.number(1 - accuracy) + powers.number(accuracy) * powers.exp(Fraction(-1, 2))
        single = powers.result(kept**samples).upper  # type: ignore[union-attr]  # of balls

    # just above the accuracy all points are wrong; below it, as many as share the other mass
    exact = WorstPointFailure(failure(accuracy, -1, -1), accuracy, (1 << bits) - 1)
    width = Fraction(2 * samples, 1 << bits) if bits > _FEW else Fraction(0)
    found = worst_over_masses(bits, accuracy, failure, 1 + max(width, _WIDTH))
    upper = max(found.failure.upper, exact.failure.upper)
    best = exact if exact.failure.lower >= found.failure.lower else found
    return WorstPointFailure(Interval(best.failure.lower, upper), best.mass, best.wrong)


def point_failure_bound(
    bits: int, samples: int, epsilon: Epsilon, mass: Fraction, wrong: int, most: int
) -> Interval:
    """Return bounds on the failure with so many wrong answers; see `worst_over_masses`.

    With -1 wrong answers, all points are wrong and one of them has all of the other mass.
    """
    powers = arithmetic(epsilon, _PRECISION)
    with powers.working():
        number = powers.number
        others = (1 << bits) - 1
        low, high, one = number(0), number(0), number(1)
        chance = number(1 - mass) ** samples
        odds = number(mass / (1 - mass)) if mass < 1 else number(0)
        weight, step = one, powers.exp(Fraction(-1, 2))
        last = powers.exp(Fraction(-samples, 2))
        for k in range(samples + 1):
            if not k & 1023:
                check_time()
            if mass == 1:
                chance = number(int(k == samples))
            if most < 0:
                among = number(others - 1) * weight + last
                term = chance * among / (one + among)
                low, high = low + term, high + term
            else:
                left = max(others - (samples - k), 0)
                high += chance * (most * weight) / (one + max(most, left) * weight)
                sure = max(wrong - (samples - k), 0)
                low += chance * (sure * weight) / (one + (others - wrong + sure) * weight)
            chance = chance * (samples - k) / (k + 1) * odds
            weight = weight * step
        bounds = powers.result(low), powers.result(high)
        return Interval(max(bounds[0].lower, Fraction(0)), min(bounds[1].upper, Fraction(1)))  # type: ignore[union-attr]  # of balls
