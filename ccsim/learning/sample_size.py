"""How many examples private learners need, with explicit constants, rounded up rigorously."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from ccsim.arguments.values import show_value
from ccsim.errors import DomainError
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.exponentials import check_exponent, enclose_log

_ONE = Epsilon(Fraction(1))


def log_ceiling(factor: Fraction, logarithm_of: Fraction, divisor: Epsilon) -> int:
    """Return ``ceil(factor ln(logarithm_of) / divisor)``, deciding the ceiling rigorously."""
    if logarithm_of == 1:
        return 0
    precision = 64
    while True:  # ends: the quotient is irrational, or `_is_power` decides
        log, by = enclose_log(logarithm_of, precision), divisor.enclose(precision)
        low, high = (
            ceil(factor * end / other)
            for end, other in ((log.lower, by.upper), (log.upper, by.lower))
        )
        if low == high or (precision > 256 and _is_power(factor, logarithm_of, divisor, low)):
            return low
        precision *= 2


def _is_power(factor: Fraction, logarithm_of: Fraction, divisor: Epsilon, whole: int) -> bool:
    """Decide ``factor ln(logarithm_of) = whole divisor``.

    Proof: if the divisor is not the logarithm of a rational number, ``e^divisor`` is transcendental
    and the sides differ. Otherwise they are equal if ``logarithm_of**p == divisor.factor**r`` for
    coprime ``p`` and ``r``, that is if the first number is the ``r``-th and the second one the
    ``p``-th power of the same fraction; it is not 1, so that ``r`` and ``p`` are at most the
    numbers of bits.
    """
    power = whole / (factor * divisor.root)
    p, r = power.denominator, power.numerator
    if divisor.rational or max(p, r) > max(_bits(logarithm_of), _bits(divisor.factor)):
        return False
    return logarithm_of**p == divisor.factor**r


def _bits(number: Fraction) -> int:
    return max(number.numerator.bit_length(), number.denominator.bit_length())


def occam_sample_size(
    size: int | Fraction, epsilon: Epsilon, accuracy: Fraction, failure: Fraction
) -> int:
    """Return enough examples for the exponential mechanism over ``size`` hypotheses.

    If some hypothesis has error at most ``accuracy / 2``, the mechanism returns one of error at
    most ``accuracy`` except with probability ``failure`` (`bbkn` Theorem 3.2 with its constants):
    ``max(72 / accuracy, 12 / (epsilon accuracy)) ln(3 size / failure)``.
    """
    check_parameters(accuracy, failure, epsilon)
    argument = 3 * Fraction(size) / failure
    return max(
        log_ceiling(72 / accuracy, argument, _ONE),
        log_ceiling(12 / accuracy, argument, epsilon),
    )


def agnostic_sample_size(
    size: int | Fraction, epsilon: Epsilon, accuracy: Fraction, failure: Fraction
) -> int:
    """Return enough examples for agnostic learning by the exponential mechanism.

    If one of ``size`` hypotheses errs at most ``accuracy / 2`` more than the best concept, the
    mechanism returns one that errs at most ``accuracy`` more, except with probability ``failure``:
    ``max(32 / accuracy**2, 8 / (epsilon accuracy)) ln(2 size / failure)``.

    Proof: by Hoeffding's inequality the best hypothesis does not look worse than it is by more than
    ``accuracy / 8``, and none of the others better, except with probability
    ``size e^(-m accuracy**2 / 32)``; the mechanism chooses one that looks worse by more than
    ``accuracy / 4`` than the one that looks best with probability at most
    ``size e^(-epsilon m accuracy / 8)``. Each is at most ``failure / 2``. (`fx`, after Theorem 6
    (=2.5), with constants.)
    """
    check_parameters(accuracy, failure, epsilon)
    argument = 2 * Fraction(size) / failure
    return max(
        log_ceiling(32 / accuracy**2, argument, _ONE),
        log_ceiling(8 / accuracy, argument, epsilon),
    )


def subsampled_point_sample_size(epsilon: Epsilon, accuracy: Fraction) -> int:
    """Return enough examples for one run of the subsampled learner of points.

    ``384 ln 4 / (epsilon accuracy**2)``, with which it fails with probability below 4/5; for
    ``epsilon <= 1`` (`bbkn` Claim 4.5).
    """
    check_parameters(accuracy, Fraction(1, 2), epsilon)
    return log_ceiling(384 / accuracy**2, Fraction(4), epsilon)


def constant_learner_runs(failure: Fraction) -> int:
    """Return the least number of runs, each failing with probability 4/5, of which one succeeds.

    All of them fail with probability at most ``failure / 5``.
    """
    return log_ceiling(Fraction(1), 5 / failure, Epsilon(Fraction(0), Fraction(5, 4)))


def nonprivate_point_sample_size(accuracy: Fraction, failure: Fraction) -> int:
    """Return enough examples to learn points without privacy: ``ln(1 / failure) / accuracy``.

    The learner returns the positive example, if there is one.
    """
    check_parameters(accuracy, failure, None)
    return log_ceiling(1 / accuracy, 1 / failure, _ONE)


def check_parameters(accuracy: Fraction, failure: Fraction, epsilon: Epsilon | None) -> None:
    """Refuse an accuracy or failure outside ``(0, 1)`` and an epsilon that is not positive."""
    for name, value in (("accuracy", accuracy), ("failure", failure)):
        if not 0 < value < 1:
            raise DomainError(f"{name} must lie strictly between 0 and 1, not {show_value(value)}")
    if epsilon is None:
        return
    check_exponent(epsilon.rational)
    if not epsilon.is_positive:
        raise DomainError(f"epsilon must be positive, not {epsilon}")
