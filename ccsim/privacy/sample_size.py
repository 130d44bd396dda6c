"""How many examples private learners need, with explicit constants, rounded up rigorously."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil

import flint

from ccsim.errors import DomainError
from ccsim.exact.exponentials import enclose_log
from ccsim.privacy.epsilon import Epsilon

__all__ = [
    "agnostic_sample_size",
    "check_parameters",
    "constant_learner_runs",
    "log_ceiling",
    "nonprivate_point_sample_size",
    "occam_sample_size",
    "packing_sample_size",
    "proper_point_lower_bound",
    "proper_segment_lower_bound",
    "samples_allowed",
    "subsampled_point_sample_size",
]

_ONE = Epsilon(Fraction(1))


def log_ceiling(factor: Fraction, logarithm_of: Fraction, divisor: Epsilon) -> int:
    """Return ``ceil(factor ln(logarithm_of) / divisor)``, deciding the ceiling rigorously.

    Examples
    --------
    >>> log_ceiling(Fraction(3), Fraction(4), Epsilon.of("ln 2"))
    6
    """
    precision = 64
    while True:
        log, by = enclose_log(logarithm_of, precision), divisor.enclose(precision)
        low, high = (
            ceil(factor * end / other)
            for end, other in ((log.lower, by.upper), (log.upper, by.lower))
        )
        if low == high or (precision > 256 and _is_power(factor, logarithm_of, divisor, low)):
            return low
        precision *= 2


def _is_power(factor: Fraction, logarithm_of: Fraction, divisor: Epsilon, whole: int) -> bool:
    """Decide ``factor ln(logarithm_of) = whole divisor``, for a divisor that is a logarithm."""
    p, q = factor.numerator, factor.denominator
    return not divisor.rational and logarithm_of**p == divisor.factor ** (whole * q)


def occam_sample_size(
    size: int | Fraction, epsilon: Epsilon, accuracy: Fraction, failure: Fraction
) -> int:
    """Return enough examples for the exponential mechanism over ``size`` hypotheses.

    If some hypothesis has error at most ``accuracy / 2``, the mechanism returns one of error at
    most ``accuracy`` except with probability ``failure`` (`bbkn` Theorem 3.2 with its constants):
    ``max(72 / accuracy, 12 / (epsilon accuracy)) ln(3 size / failure)``.

    Examples
    --------
    >>> occam_sample_size(4, Epsilon.of(1), Fraction(1, 10), Fraction(1, 10))
    3447
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

    Examples
    --------
    >>> agnostic_sample_size(4, Epsilon.of(1), Fraction(1, 10), Fraction(1, 10))
    14023
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

    Examples
    --------
    >>> subsampled_point_sample_size(Epsilon.of(1), Fraction(1, 10))
    53234
    """
    check_parameters(accuracy, Fraction(1, 2), epsilon)
    return log_ceiling(384 / accuracy**2, Fraction(4), epsilon)


def constant_learner_runs(failure: Fraction) -> int:
    """Return the least number of runs, each failing with probability 4/5, of which one succeeds.

    All of them fail with probability at most ``failure / 5``.

    Examples
    --------
    >>> constant_learner_runs(Fraction(1, 100))
    28
    """
    runs = 1
    while Fraction(4, 5) ** runs > failure / 5:
        runs += 1
    return runs


def nonprivate_point_sample_size(accuracy: Fraction, failure: Fraction) -> int:
    """Return enough examples to learn points without privacy: ``ln(1 / failure) / accuracy``.

    The learner returns the positive example, if there is one.

    Examples
    --------
    >>> nonprivate_point_sample_size(Fraction(1, 10), Fraction(1, 10))
    24
    """
    check_parameters(accuracy, failure, None)
    return log_ceiling(1 / accuracy, 1 / failure, _ONE)


def packing_sample_size(size: int, epsilon: Epsilon, failure: Fraction) -> int:
    """Return the least ``m`` that packing allows for a proper learner with ``size`` hypotheses.

    Every ``epsilon``-private learner that uses a minimal set of ``size`` hypotheses needs
    ``m >= (ln(size - 1) + ln((1 - failure) / failure)) / epsilon`` (`bbkn` Theorem 3.6).

    Examples
    --------
    >>> packing_sample_size(2**64, Epsilon.of(1), Fraction(1, 10))
    47
    """
    return samples_allowed({Fraction(1): size - 1}, epsilon, failure)


def proper_point_lower_bound(
    size: int, epsilon: Epsilon, accuracy: Fraction, failure: Fraction
) -> int:
    """Return how many examples a proper private learner of ``size`` point functions needs.

    All targets but one put a mass just above the accuracy on their own point and the rest on a
    common one (`bbkn` Lemma 3.9, with the inequality of `ccsim.privacy.LearningPacking`): ``(size -
    2) (1 - failure) / failure <= (1 + accuracy (e^epsilon - 1))^m``.

    Examples
    --------
    >>> proper_point_lower_bound(16, Epsilon.of(1), Fraction(1, 10), Fraction(1, 10))
    31
    """
    check_parameters(accuracy, failure, epsilon)
    near = {accuracy: max(size - 2, 0)}
    return max(samples_allowed(near, epsilon, failure), packing_sample_size(size, epsilon, failure))


def proper_segment_lower_bound(
    size: int, epsilon: Epsilon, accuracy: Fraction, failure: Fraction
) -> int:
    """Return how many examples a proper private learner of initial segments needs.

    There are ``size`` points and ``size + 1`` segments. The others err at least 1/2 on a segment
    under the uniform distribution on the two points at its end (`bbkn` Lemma 5.2: ``ln(size) +
    ln((1 - failure) / failure) <= epsilon m``). For an accuracy below 1/2 the masses of the two
    points may be lowered to just above the accuracy, the rest going to the first point: ``(size -
    3) (1 - failure) / failure <= (1 + 2 accuracy (e^epsilon - 1))^m``.

    Examples
    --------
    >>> proper_segment_lower_bound(16, Epsilon.of(1), Fraction(1, 10), Fraction(1, 10))
    17
    """
    check_parameters(accuracy, failure, epsilon)
    if accuracy >= Fraction(1, 2):
        msg = f"accuracy must be below 1/2 for initial segments, not {accuracy}"
        raise DomainError(msg)
    near = {2 * accuracy: max(size - 3, 0)}
    far = packing_sample_size(size + 1, epsilon, failure)
    return max(samples_allowed(near, epsilon, failure), far)


def samples_allowed(distances: Mapping[Fraction, int], epsilon: Epsilon, failure: Fraction) -> int:
    """Return the least ``m`` that a packing with these distances from its center allows.

    It is the least ``m >= 0`` with ``sum of n (1 + t (e^epsilon - 1))^-m <= failure / (1 -
    failure)``, where ``n`` other targets have the distance ``t``.

    Parameters
    ----------
    distances : mapping of Fraction to int
        Numbers of other targets by their distance from the center, above 0 and at most 1. They may
        be astronomically large.
    epsilon : Epsilon
        Positive.
    failure : Fraction
        Strictly between 0 and 1.

    Notes
    -----
    Complexity: two balls for each doubling of the answer. Where they cannot tell the sides apart,
    which happens for rational ``e^epsilon`` alone (otherwise it is transcendental, and both sides
    are different), the comparison is made in fractions.

    Source: why no learner has fewer examples is said at `ccsim.privacy.LearningPacking`.

    Examples
    --------
    >>> samples_allowed({Fraction(1): 4}, Epsilon.of("ln 2"), Fraction(1, 2))
    2
    >>> samples_allowed({Fraction(1, 10): 2**64 - 2}, Epsilon.of(1), Fraction(1, 10))
    294
    """
    check_parameters(Fraction(1, 2), failure, epsilon)
    for t in distances:
        if not 0 < t <= 1:
            msg = f"distances of targets must lie above 0 and be at most 1, not {t}"
            raise DomainError(msg)
    allowed = failure / (1 - failure)
    low, high = -1, 0
    while _outweighs(distances, high, epsilon, allowed):
        low, high = high, 2 * high + 1
    while high - low > 1:
        middle = (low + high) // 2
        if _outweighs(distances, middle, epsilon, allowed):
            low = middle
        else:
            high = middle
    return high


def _outweighs(
    distances: Mapping[Fraction, int], samples: int, epsilon: Epsilon, allowed: Fraction
) -> bool:
    """Decide ``sum of n (1 + t (e^epsilon - 1))^-samples > allowed``."""
    precision = 64
    while epsilon.rational or precision <= 256:
        with flint.ctx.workprec(precision):
            growth = _ball(epsilon.rational).exp() * _ball(epsilon.factor) - 1
            powers = (n / (1 + _ball(t) * growth) ** samples for t, n in distances.items())
            total = sum(powers, flint.arb(0)) - _ball(allowed)
            if not total.contains(0):
                return bool(total > 0)
        precision *= 2
    factor = epsilon.factor
    exact = (n / (1 + t * (factor - 1)) ** samples for t, n in distances.items())
    return sum(exact, Fraction(0)) > allowed


def _ball(value: Fraction) -> flint.arb:
    return flint.arb(flint.fmpq(value.numerator, value.denominator))


def check_parameters(accuracy: Fraction, failure: Fraction, epsilon: Epsilon | None) -> None:
    """Refuse an accuracy or failure outside ``(0, 1)`` and an epsilon that is not positive.

    Raises
    ------
    DomainError
    """
    for name, value in (("accuracy", accuracy), ("failure", failure)):
        if not 0 < value < 1:
            msg = f"{name} must lie strictly between 0 and 1, not {value}"
            raise DomainError(msg)
    if epsilon is not None and epsilon.exp() <= 1:
        msg = f"epsilon must be positive, not {epsilon}"
        raise DomainError(msg)
