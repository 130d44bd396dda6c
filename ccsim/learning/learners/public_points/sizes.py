"""How many examples a learner needs to which some points are public, with explicit constants."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from ccsim.data import frozen
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact.epsilon import Epsilon
from ccsim.learning.sample_size import check_parameters, log_ceiling

VARIANTS = ("corrected", "counted", "printed")
"""Which constants; see `public_points_sizes`."""

MAX_BITS = 1 << 22
"""Most bits of the numbers whose logarithms are taken."""

_ONE = Epsilon(Fraction(1))


@frozen
class PublicPointsSizes:
    """Numbers of examples."""

    public: int  # examples of which the point alone is used
    total: int  # all of them


def consistent_sample_size(vc: int, accuracy: Fraction, failure: Fraction) -> int:
    """Return enough examples for every consistent concept to be accurate.

    ``(8 / accuracy) (vc ln(16 / accuracy) + ln(2 / failure))`` (`bns` Theorem 2.13).
    """
    check_parameters(accuracy, failure, None)
    return log_ceiling(8 / accuracy, _power(16 / accuracy, vc) * 2 / failure, _ONE)


def public_points_sizes(
    vc: int,
    concepts: int,
    epsilon: Epsilon,
    accuracy: Fraction,
    failure: Fraction,
    variant: str = "counted",
) -> PublicPointsSizes:
    """Return sufficient examples for label-private and semi-private learning (`bns` Theorem 6.2).

    Method: ``printed``: ``(32 / accuracy) (vc ln(64 / accuracy) + ln(8 / failure))`` public points,
    and ``768 / (accuracy^2 epsilon) (vc ln(64 / accuracy) + 2 ln(8 / failure))`` examples; the
    first number is that of Theorem 2.13 for an error of ``accuracy / 4``, where ``accuracy / 8`` is
    used (erratum 10), and the second one may be smaller than the first if ``epsilon`` is large.
    ``corrected``: public points for an error of ``accuracy / 8`` and a failure of ``failure / 4``;
    then as many more as the three events of the proof need, with at most ``2^public`` hypotheses
    and ``epsilon`` at most 1 for two of them. ``counted``: the same with the hypotheses counted by
    Sauer's lemma, and no more than there are concepts.
    """
    check_parameters(accuracy, failure, epsilon)
    if variant not in VARIANTS:
        raise DomainError(f"variant must be one of {', '.join(VARIANTS)}, not {variant!r}")
    if vc < 0 or concepts < 1:
        raise DomainError(f"a class must have a concept to be learned, not {concepts}")
    if variant == "printed":
        base = _power(64 / accuracy, vc) * 8 / failure
        public = log_ceiling(32 / accuracy, base, _ONE)
        return PublicPointsSizes(
            public, log_ceiling(768 / accuracy**2, base * 8 / failure, epsilon)
        )
    public = consistent_sample_size(vc, accuracy / 8, failure / 4)
    counted = variant == "counted"
    if not counted and public > MAX_BITS:
        raise InstanceTooLargeError(
            f"2^{public} hypotheses are above the limit of 2^{MAX_BITS}: choose counted"
        )
    most = min(sum(comb(public, i) for i in range(vc + 1)), concepts) if counted else 1 << public
    choice = most * 4 / failure
    more = max(
        log_ceiling(24 / accuracy, 4 / failure, _ONE),
        log_ceiling(8 / accuracy, choice, _ONE),
        log_ceiling(8 / accuracy, choice, epsilon),
    )
    return PublicPointsSizes(public, public + more)


def _power(base: Fraction, exponent: int) -> Fraction:
    bits = max(base.numerator, base.denominator).bit_length() * exponent
    if bits > MAX_BITS:
        raise InstanceTooLargeError(
            f"numbers of {bits} bits are above the limit of {MAX_BITS}: the VC dimension is large"
        )
    return base**exponent
