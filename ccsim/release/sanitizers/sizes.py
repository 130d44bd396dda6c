"""How many records the paper's sanitizers ask for, and what they spend, as the theorems say.

`bns` Theorem 4.7, Claim 4.10, Theorem 4.13 and Lemma 4.8; for Theorem 4.6 see
`ccsim.release.sanitizers.point_failure.san_points_sample_size`. Logarithms of Claim 4.10 are
binary, as those of RecConcave are; all numbers are rounded up from rigorous enclosures.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, isqrt

from ccsim.arguments.checked import checked_types
from ccsim.errors import DomainError
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.exponentials import enclose_log
from ccsim.exact.fractions import as_fraction
from ccsim.learning.learners.thresholds.sizes import log_star
from ccsim.privacy.mechanisms.choosing import choosing_sample_size
from ccsim.release.sanitizers.budget import printed_share, rounded_down
from ccsim.release.sanitizers.point_failure import san_points_sample_size


@checked_types
def k_points_sample_size(
    accuracy: Fraction | int | str,
    failure: Fraction | int | str,
    epsilon: Epsilon | Fraction | int | str,
    delta: Fraction | int | str,
    k: int,
) -> int:
    """Return the number of records that the sanitizer for sets of ``k`` points asks for.

    That of SanPoints with accuracy ``accuracy / k`` (`bns` Theorem 4.7).
    """
    epsilon = Epsilon.of(epsilon)
    delta = as_fraction(delta, "delta")
    failure = as_fraction(failure, "failure")
    accuracy = as_fraction(accuracy, "accuracy")
    if k < 1:
        raise DomainError(f"k must be at least 1, not {k}")
    return san_points_sample_size(accuracy / k, failure, epsilon, delta)


@checked_types
def run_sample_size(
    accuracy: Fraction | int | str,
    failure: Fraction | int | str,
    epsilon: Epsilon | Fraction | int | str,
    delta: Fraction | int | str,
    calls: int,
    bits: int,
) -> int:
    """Return the number of records from which on a run of SanThresholds goes well.

    ``8^L (60 c / (accuracy epsilon)) L log2(12 L / (failure epsilon delta))`` for ``c`` calls and
    ``L = log* bits``, at least 1; ``B1``, ``B2`` and ``B3`` then fail with probability at most ``3
    c failure`` (`bns` Claim 4.10).
    """
    epsilon = Epsilon.of(epsilon)
    delta = as_fraction(delta, "delta")
    failure = as_fraction(failure, "failure")
    accuracy = as_fraction(accuracy, "accuracy")
    for name, value in (("accuracy", accuracy), ("failure", failure), ("delta", delta)):
        if not 0 < value <= 1:
            raise DomainError(f"{name} must be positive and at most 1, not {value}")
    if not epsilon.is_positive:
        raise DomainError(f"epsilon must be positive, not {epsilon}")
    if calls * accuracy < 77:
        raise DomainError(f"calls must be at least {ceil(77 / accuracy)}, not {calls}")
    if bits < 1:
        raise DomainError(f"bits must be at least 1, not {bits}")
    stars, privacy = max(1, log_star(bits)), epsilon.enclose().lower
    log = (
        enclose_log(12 * stars / (failure * privacy * delta)).upper / enclose_log(Fraction(2)).lower
    )
    needed: Fraction = 8**stars * 60 * calls / (accuracy * privacy) * stars * log
    return ceil(needed)


@checked_types
def san_thresholds_sample_size(
    accuracy: Fraction | int | str,
    failure: Fraction | int | str,
    epsilon: Epsilon | Fraction | int | str,
    delta: Fraction | int | str,
    bits: int,
) -> int:
    """Return the number of records that SanThresholds asks for (`bns` Theorem 4.13).

    That of Claim 4.10 for ``c = 77 / accuracy`` calls with ``epsilon / (2 sqrt(8 c ln(5 /
    delta)))``, ``delta / (5 c)`` and failure probability ``failure / (3 c)`` each, or that of Lemma
    4.8 if it is larger.
    """
    epsilon = Epsilon.of(epsilon)
    delta = as_fraction(delta, "delta")
    failure = as_fraction(failure, "failure")
    accuracy = as_fraction(accuracy, "accuracy")
    calls = ceil(77 / accuracy)
    share = printed_share(epsilon, Fraction(32 * calls), delta)
    each = failure / (3 * calls), share, delta / (5 * calls)
    return max(
        run_sample_size(accuracy, *each, calls, bits),
        choosing_sample_size(accuracy / 64, *each, growth=2),
    )


@checked_types
def printed_thresholds_epsilon(
    epsilon: Epsilon | Fraction | int | str, delta: Fraction | int | str, calls: int
) -> Epsilon:
    """Return what Lemma 4.8 says of the epsilon of SanThresholds, rounded up.

    ``sqrt(8 c ln(1 / (c delta))) epsilon + 8 c epsilon^2`` for ``c`` calls; its delta is ``5 c
    delta`` (`bns` Lemma 4.8).
    """
    epsilon = Epsilon.of(epsilon)
    delta = as_fraction(delta, "delta")
    if not 0 < calls * delta < 1:
        raise DomainError(f"calls times delta must lie between 0 and 1, not {calls * delta}")
    log = enclose_log(1 / (calls * delta)).upper
    privacy = epsilon.enclose().upper
    square = 8 * calls * log * privacy**2
    scale = 1 << 128
    root = Fraction(isqrt(ceil(square * scale**2)) + 1, scale)
    return Epsilon(-rounded_down(-(root + 8 * calls * privacy**2)))
