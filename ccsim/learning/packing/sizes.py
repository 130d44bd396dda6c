"""How many examples packings demand of private learners, decided exactly at any size."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import reduce
from math import ceil, floor

import flint

from ccsim.errors import DomainError, InstanceTooLargeError, NotDecidedError
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.intervals import ball_interval
from ccsim.learning.sample_size import check_parameters

MAX_POWER_BITS = 1 << 22
"""Most bits of the powers in which ties are decided."""
MAX_SAMPLES = 1 << 128
"""Most examples or records that a bound is proved for."""
MAX_PRECISION = 1 << 16
"""Most bits of the balls in which both sides are compared."""
_EXACT_FROM = 1 << 12
_MOST_TURNS = 8
"""Most places at which a sequence is tried for its maximum."""


def proper_point_lower_bound(
    size: int, epsilon: Epsilon, accuracy: Fraction, failure: Fraction
) -> int:
    """Return how many examples a proper private learner of ``size`` point functions needs.

    All targets but one put a mass just above the accuracy on their own point and the rest on a
    common one (`bbkn` Lemma 3.9, with the inequality of `ccsim.learning.LearningPacking`), so that
    ``size - 2`` others are at a distance of the accuracy from a target.
    """
    check_parameters(accuracy, failure, epsilon)
    near, far = {accuracy: max(size - 2, 0)}, {Fraction(1): size - 1}
    return max(samples_allowed(each, epsilon, failure) for each in (near, far))


def samples_allowed(
    distances: Mapping[Fraction, int],
    epsilon: Epsilon,
    failure: Fraction,
    most: int | None = None,
) -> int:
    """Return the least ``m`` that a packing with these distances from its center allows.

    It is the least ``m >= 0`` with ``sum of n w(m) <= failure``, where ``n`` other targets have the
    distance ``t`` and, with ``g = 1 + t (e^epsilon - 1)``, ``w(m)`` is the largest over ``0 <= s <=
    m`` of ``(1 - failure g^s) g^(s - m)`` (`ccsim.learning.LearningPacking`).

    Proof: without examples both sides are rational. With ``m >= 1``, the left side is a rational
    function of ``e^epsilon`` and not constant: a term with ``s < m`` has a pole where its ``g`` is
    0, which no other distance shares; and if every ``s`` is ``m``, it is a polynomial of which all
    leading coefficients are negative. Where ``e^epsilon`` is transcendental it is therefore never
    ``failure``, and balls of high precision decide. Where it is rational, fractions decide.

    Complexity: two balls for each doubling of the answer.
    """
    check_parameters(Fraction(1, 2), failure, epsilon)
    for t in distances:
        if not 0 < t <= 1:
            raise DomainError(f"distances of targets must lie above 0 and be at most 1, not {t}")
    low, high = -1, 0
    while _outweighs(distances, high, epsilon, failure):
        if high == most:
            raise InstanceTooLargeError(
                f"a packing excludes {most} examples, more than are proved: "
                "choose a larger accuracy or epsilon"
            )
        low, high = high, 2 * high + 1 if most is None else min(2 * high + 1, most)
    while high - low > 1:
        middle = (low + high) // 2
        if _outweighs(distances, middle, epsilon, failure):
            low = middle
        else:
            high = middle
    return high


def _outweighs(
    distances: Mapping[Fraction, int], samples: int, epsilon: Epsilon, failure: Fraction
) -> bool:
    """Decide ``sum of n w(samples) > failure``."""
    if samples == 0:
        return sum(distances.values()) * (1 - failure) > failure
    precision = 64
    while precision <= MAX_PRECISION:
        with flint.ctx.workprec(precision):
            more = epsilon.ball().exp() - 1
            weights = (
                n * _weight_ball(1 + _ball(t) * more, samples, failure)
                for t, n in distances.items()
            )
            excess = sum(weights, flint.arb(0)) - _ball(failure)
            if not excess.contains(0):
                return bool(excess > 0)
        if precision >= _EXACT_FROM and epsilon.is_logarithm:
            growths = {1 + t * (epsilon.factor - 1): n for t, n in distances.items()}
            if _power_bits(samples, growths) <= MAX_POWER_BITS:
                exact = (n * _weight(g, samples, failure) for g, n in growths.items())
                return sum(exact, Fraction(0)) > failure
        precision *= 2
    raise NotDecidedError(
        f"{samples} examples: {MAX_PRECISION} bits do not decide whether a packing excludes them"
    )


def exclusion(
    growths: Mapping[Fraction, int], samples: int, failure: Fraction
) -> tuple[dict[Fraction, int], int]:
    """Return how a packing excludes a number of examples, for its certificate."""
    samples = max(samples, 0)
    precision = 128 + samples.bit_length()
    while precision <= MAX_PRECISION:
        with flint.ctx.workprec(precision):
            best = {g: _turn(g, samples, failure) for g in growths}
            weights = (
                n * (1 - _ball(failure) * _ball(g) ** best[g]) * _ball(g) ** (best[g] - samples)
                for g, n in growths.items()
            )
            slack = sum(weights, flint.arb(0)) - _ball(failure)
            if slack > 0:
                rounded = (4 * samples + 8) * sum(growths.values())  # in parts of 2^bits
                needed = (flint.arb(rounded) / slack).log() / flint.arb(2).log()
                return best, max(1, ceil(ball_interval(needed).upper) + 1)
            if slack < 0:
                break
        precision *= 2
    return best, 1


def _turn(growth: Fraction, samples: int, failure: Fraction) -> int:
    """Return the best ``s``, or a neighbour of it where they are almost equal."""
    g = _ball(growth)
    at = (1 / (_ball(failure) * (1 + g))).log() / g.log()
    if not at.is_finite():
        return 0
    turn = ball_interval(at)
    return max(0, min(samples, ceil((turn.lower + turn.upper) / 2)))


def _power_bits(power: int, bases: Iterable[Fraction]) -> int:
    """Return how many bits the powers of fractions have in all, at most."""
    digits = sum(base.numerator.bit_length() + base.denominator.bit_length() for base in bases)
    return power * digits


def _weight(growth: Fraction, samples: int, failure: Fraction) -> Fraction:
    """Return the largest ``(1 - failure g^s) g^(s - samples)``: rising as long as it may.

    It is not smaller for ``s + 1`` than for ``s`` exactly if ``failure g^s (1 + g) <= 1``.
    """
    s = bisect_left(range(samples), x=True, key=lambda s: failure * growth**s * (1 + growth) >= 1)
    return (1 - failure * growth**s) * growth ** (s - samples)


def _weight_ball(growth: flint.arb, samples: int, failure: Fraction) -> flint.arb:
    """Enclose the same: the best ``s`` is next to where the condition turns."""
    turn = (1 / (_ball(failure) * (1 + growth))).log() / growth.log()
    if not turn.is_finite():
        return flint.arb("nan")
    ends = ball_interval(turn)
    low, high = (max(0, min(samples, n)) for n in (floor(ends.lower), ceil(ends.upper)))
    if high - low > _MOST_TURNS:
        return flint.arb("nan")
    tried = (
        (1 - _ball(failure) * growth**s) * growth ** (s - samples) for s in range(low, high + 1)
    )
    return reduce(flint.arb.max, tried)


def _ball(value: Fraction) -> flint.arb:
    return flint.arb(flint.fmpq(value.numerator, value.denominator))
