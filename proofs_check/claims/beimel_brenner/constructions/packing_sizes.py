"""Lower bounds on numbers of examples from the paper that the library does not use."""

from __future__ import annotations

from fractions import Fraction

from ccsim.errors import DomainError
from ccsim.exact.epsilon import Epsilon
from ccsim.learning.packing import samples_allowed
from ccsim.learning.sample_size import check_parameters, log_ceiling


def packing_sample_size(size: int, epsilon: Epsilon, failure: Fraction) -> int:
    """Return the packing lower bound on the sample size of proper learners.

    Every ``epsilon``-private learner that uses a minimal set of ``size`` hypotheses needs
    ``m >= (ln(size - 1) + ln((1 - failure) / failure)) / epsilon`` examples (`bbkn` Theorem 3.6).
    """
    check_parameters(Fraction(1, 2), failure, epsilon)
    argument = (size - 1) * (1 - failure) / failure
    return max(log_ceiling(Fraction(1), argument, epsilon), 0) if argument > 1 else 0


def proper_segment_lower_bound(
    size: int, epsilon: Epsilon, accuracy: Fraction, failure: Fraction
) -> int:
    """Return a lower bound on the number of examples of a proper private learner of segments.

    There are ``size + 1`` segments.

    Proof: all other segments have error at least 1/2 on a segment under the uniform distribution on
    the two points at its end (`bbkn` Lemma 5.2: ``ln(size) + ln((1 - failure) / failure) <= epsilon
    m``). For an accuracy below 1/2 the masses of the two points may be lowered to just above the
    accuracy, with the remaining mass on the first point, so that ``size - 3`` other segments have
    error at least twice the accuracy.
    """
    check_parameters(accuracy, failure, epsilon)
    if accuracy >= Fraction(1, 2):
        raise DomainError(f"accuracy must be below 1/2 for initial segments, not {accuracy}")
    near, far = {2 * accuracy: max(size - 3, 0)}, {Fraction(1): size}
    return max(samples_allowed(each, epsilon, failure) for each in (near, far))
