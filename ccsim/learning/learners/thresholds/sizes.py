"""Promises and sample sizes for RecConcave and its learner of thresholds, rounded up rigorously.

`bns` Lemma 3.14, Theorems 3.15 and 3.18, Remarks 3.16 and 3.19. Their logarithms are binary: with
natural ones the base case of Lemma 3.14 fails (erratum 36).
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil

import flint

from ccsim.arguments.values import show_value
from ccsim.errors import DomainError, NotDecidedError
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.intervals import MAX_PRECISION
from ccsim.learning.sample_size import log_ceiling

_ONE = Epsilon(Fraction(1))


def log_star(number: int) -> int:
    """Return how often the binary logarithm, rounded up, is taken until at most 1 is left."""
    times = 0
    while number > 1:
        number, times = (number - 1).bit_length(), times + 1
    return times


def step_promise(
    accuracy: Fraction, failure: Fraction, epsilon: Epsilon, delta: Fraction, last: int, depth: int
) -> int:
    """Return the promise of Lemma 3.14, for the parameters of every step.

    If the quality is quasi-concave on ``0 .. last`` and somewhere at least ``r = 8^N (4 / (accuracy
    epsilon)) (log2(32 / (failure delta)) + log^N(last))`` for depth ``N``, with logarithms rounded
    up in the last term, then a point of quality at least ``(1 - accuracy) r`` is found except with
    probability ``2 failure N``.
    """
    _check(accuracy, failure, epsilon, delta, last, depth)
    left = last
    for _ in range(depth):
        left = (left - 1).bit_length()
    return _ceiling(8**depth * 4 / accuracy, 32 / (failure * delta), left, 0, epsilon)


def recursion_promise(
    accuracy: Fraction, failure: Fraction, epsilon: Epsilon, delta: Fraction, bits: int, depth: int
) -> int:
    """Return the promise of Theorem 3.15 for the range ``0 .. 2^bits``, for the whole budget.

    ``8^N (36 N / (accuracy epsilon)) (log2(6 N / (failure delta)) + log^(N)(2^bits))``, where every
    step has ``epsilon / (3 N)`` and ``delta / (3 N)``: then a point of quality at least ``(1 -
    accuracy) r`` is found except with probability ``failure``. It follows from Lemma 3.14 where
    ``failure delta <= 1/2``, which is demanded.
    """
    _check(accuracy, failure, epsilon, delta, 1 << bits, depth)
    factor, inside = 8**depth * 36 * depth / accuracy, 6 * depth / (failure * delta)
    if depth == 1:
        return _ceiling(factor, inside, bits, 0, epsilon)
    if depth == 2:  # one logarithm, whose value is rational only for a power of 2
        return _ceiling(factor, inside * bits, 0, 0, epsilon)
    return _ceiling(factor, inside, bits, depth - 1, epsilon)


def recursion_promise_at_most(
    accuracy: Fraction, failure: Fraction, epsilon: Epsilon, delta: Fraction, bits: int
) -> int:
    """Return the promise of Remark 3.16, where every call that can happen is allowed.

    ``8^N (36 N / (accuracy epsilon)) log2(12 N / (failure delta))`` for ``N = log_star(2^bits)``.
    """
    depth = log_star(1 << bits)
    _check(accuracy, failure, epsilon, delta, 1 << bits, depth)
    factor = 8**depth * 36 * depth / accuracy
    return _ceiling(factor, 12 * depth / (failure * delta), 0, 0, epsilon)


def threshold_sample_size(
    accuracy: Fraction, failure: Fraction, epsilon: Epsilon, delta: Fraction, bits: int, depth: int
) -> int:
    """Return the examples that Theorem 3.18 asks for, to learn thresholds over ``2^bits`` points.

    The larger one of the promise of Theorem 3.15 for half of the accuracy and of the failure, and
    of ``(200 / accuracy^2) ln(4 / (accuracy failure))``, for uniform convergence.
    """
    return max(
        uniform_convergence_size(accuracy, failure),
        recursion_promise(accuracy / 2, failure / 2, epsilon, delta, bits, depth),
    )


def threshold_sample_size_at_most(
    accuracy: Fraction, failure: Fraction, epsilon: Epsilon, delta: Fraction, bits: int
) -> int:
    """Return the examples of Remark 3.19, where every call that can happen is allowed."""
    return max(
        uniform_convergence_size(accuracy, failure),
        recursion_promise_at_most(accuracy / 2, failure / 2, epsilon, delta, bits),
    )


def uniform_convergence_size(accuracy: Fraction, failure: Fraction) -> int:
    """Return ``(200 / accuracy^2) ln(4 / (accuracy failure))``, as in Theorem 3.18.

    From so many examples on, all empirical errors are within ``accuracy / 2`` of the true ones,
    except with probability ``failure / 2`` (`bns` Theorem 2.14, for VC dimension 1).
    """
    return log_ceiling(200 / accuracy**2, 4 / (accuracy * failure), _ONE)


def _check(
    accuracy: Fraction, failure: Fraction, epsilon: Epsilon, delta: Fraction, last: int, depth: int
) -> None:
    if not 0 < accuracy <= Fraction(1, 2):
        raise DomainError(f"accuracy must be positive and at most 1/2, not {accuracy}")
    for name, value in (("failure", failure), ("delta", delta)):
        if not 0 < value < 1:
            raise DomainError(f"{name} must lie strictly between 0 and 1, not {value}")
    if failure * delta > Fraction(1, 2):
        raise DomainError(f"failure times delta must be at most 1/2, not {failure * delta}")
    if not epsilon.is_positive:
        raise DomainError(f"epsilon must be positive, not {epsilon}")
    if last < 2:
        raise DomainError(f"range must have at least 3 points, not end at {show_value(last)}")
    if not 1 <= depth <= log_star(last):
        raise DomainError(f"depth must lie between 1 and {log_star(last)}, not {depth}")


def _ceiling(factor: Fraction, inside: Fraction, added: int, times: int, divisor: Epsilon) -> int:
    """Return ``ceil(factor (log2(inside) + log2(...log2(added))) / divisor)``, with ``times`` logs.

    A sum that is rational is so because its logarithms are those of powers of 2, and is exact.
    """
    if divisor.factor == 1:
        first: Fraction | None = _exact_log2(inside)
        last: Fraction | None = Fraction(added)
        for _ in range(times):
            last = _exact_log2(last) if last is not None else None
        if first is not None and last is not None:
            return ceil(factor * (first + last) / divisor.rational)
    precision = 64
    while precision <= MAX_PRECISION:
        with flint.ctx.workprec(precision):
            ball = flint.arb(added)
            for _ in range(times):
                ball = _log2(ball)
            whole = (_ball(factor) * (_log2(_ball(inside)) + ball) / divisor.ball()).ceil()
            if (found := whole.unique_fmpz()) is not None:
                return int(found)
        precision *= 2
    raise NotDecidedError(f"the ceiling of a sample size is not decided at {MAX_PRECISION} bits")


def _ball(number: Fraction) -> flint.arb:
    return flint.arb(flint.fmpq(number.numerator, number.denominator))


def _log2(ball: flint.arb) -> flint.arb:
    return ball.log() / flint.arb(2).log()


def _exact_log2(number: Fraction) -> Fraction | None:
    """Return the binary logarithm of a power of 2, and None of any other number."""
    top, bottom = number.numerator, number.denominator
    if top & (top - 1) or bottom & (bottom - 1):
        return None
    return Fraction(top.bit_length() - bottom.bit_length())
