"""Privacy budgets and sample sizes of the paper's sanitizers.

Logarithms of `bns` Claim 4.10 are binary; numbers are rounded up from rigorous enclosures.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

from ccsim.data import frozen
from ccsim.errors import DomainError
from ccsim.exact.epsilon import BallArithmetic, Epsilon
from ccsim.exact.exponentials import enclose_log
from ccsim.exact.intervals import ball_interval
from ccsim.learning.sample_size import log_star
from ccsim.privacy.mechanisms.choosing import choosing_sample_size
from ccsim.release.sanitizer import check_accuracy, check_budget
from ccsim.release.sanitizers.points import least_kept_count

_DIGITS = 48  # bits to which an irrational epsilon is rounded, down for a step and up for a sum


@frozen
class Steps:
    """The privacy parameters of each step."""

    epsilon: Epsilon  # of each
    delta: Fraction  # of each that has one
    slack: Fraction  # of delta, spent for a smaller sum of the epsilons; with 0 they are added


def composed_epsilon(epsilon: Epsilon, times: int, slack: Fraction) -> Epsilon:
    """Return the total epsilon of ``times`` steps, rounded up.

    ``min(times epsilon, sqrt(2 times ln(1/slack)) epsilon + times epsilon (e^epsilon - 1))``
    (Dwork, Rothblum and Vadhan).
    """
    if times < 1:
        raise DomainError(f"times must be at least 1, not {times}")
    if not 0 <= slack < 1:
        raise DomainError(f"slack must be at least 0 and below 1, not {slack}")
    added = epsilon * times
    if not slack:
        return added
    balls = BallArithmetic(epsilon)
    with balls.working():
        each = balls.exp(1).log()
        root = (balls.number(2 * times) * (1 / balls.number(slack)).log()).sqrt()
        most = ball_interval(root * each + times * each * (balls.exp(1) - 1)).upper
        if most >= ball_interval(balls.exp(times).log()).lower:
            return added
    return Epsilon(-rounded_down(-most))


def split_budget(epsilon: Epsilon, delta: Fraction, times: int, with_delta: int) -> Steps:
    """Return equal steps that together satisfy a budget, with almost the largest epsilon."""
    check_budget(epsilon, delta)
    plain = Steps(epsilon / times, delta / with_delta, Fraction(0))
    slack = delta / 2
    low, high = Fraction(0), epsilon.enclose().lower
    for _ in range(_DIGITS):
        middle = (low + high) / 2
        step = Epsilon(middle)
        kept = composed_epsilon(step, times, slack).enclose().upper <= epsilon.enclose().lower
        low, high = (middle, high) if kept else (low, middle)
    if low <= plain.epsilon.enclose().upper * Fraction(101, 100):
        return plain
    return Steps(Epsilon(rounded_down(low)), delta / (2 * with_delta), slack)


def printed_share(epsilon: Epsilon, number: Fraction, delta: Fraction) -> Epsilon:
    """Return ``epsilon / sqrt(number ln(5 / delta))``, the share as printed, rounded down."""
    check_budget(epsilon, delta)
    balls = BallArithmetic(epsilon)
    with balls.working():
        root = (balls.number(number) * balls.number(5 / delta).log()).sqrt()
        share = ball_interval(balls.exp(1).log() / root).lower
    return Epsilon(rounded_down(share))


def rounded_down(number: Fraction) -> Fraction:
    """Return a number with few bits that is slightly below, or equal to, the given number."""
    size = abs(number.numerator).bit_length() - number.denominator.bit_length()
    unit = Fraction(2) ** (size - _DIGITS)
    return floor(number / unit) * unit


def k_points_sample_size(
    accuracy: Fraction, failure: Fraction, epsilon: Epsilon, delta: Fraction, k: int
) -> int:
    """Return the number of records for sets of ``k`` points (`bns` Theorem 4.7)."""
    if k < 1:
        raise DomainError(f"k must be at least 1, not {k}")
    return san_points_sample_size(accuracy / k, failure, epsilon, delta)


def run_sample_size(
    accuracy: Fraction, failure: Fraction, epsilon: Epsilon, delta: Fraction, calls: int, bits: int
) -> int:
    """Return the number of records from which a run is likely to succeed (`bns` Claim 4.10).

    ``8^L (60 c / (accuracy epsilon)) L log2(12 L / (failure epsilon delta))`` for ``c`` calls and
    ``L = log* bits``, at least 1; the run fails with probability at most ``3 c failure``.
    """
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


def san_thresholds_sample_size(
    accuracy: Fraction, failure: Fraction, epsilon: Epsilon, delta: Fraction, bits: int
) -> int:
    """Return the number of records that SanThresholds requires (`bns` Theorem 4.13).

    It is the maximum of those of Claim 4.10, for ``77 / accuracy`` calls, and of Lemma 4.8.
    """
    calls = ceil(77 / accuracy)
    share = printed_share(epsilon, Fraction(32 * calls), delta)
    each = failure / (3 * calls), share, delta / (5 * calls)
    return max(
        run_sample_size(accuracy, *each, calls, bits),
        choosing_sample_size(accuracy / 64, *each, growth=2),
    )


def san_points_sample_size(
    accuracy: Fraction, failure: Fraction, epsilon: Epsilon, delta: Fraction
) -> int:
    """Return the number of records that SanPoints requires (`bns` Theorem 4.6).

    ``max((32 / (a e')) ln(640 / (a^3 b e' delta)), (6 / (a^1.5 epsilon)) ln(4 / (a b)) sqrt(ln(5 /
    delta)))`` for ``e' = epsilon / sqrt((32 / a) ln(5 / delta))``.
    """
    check_accuracy(accuracy, failure)
    least_kept_count(epsilon, delta)
    balls = BallArithmetic(epsilon)
    with balls.working():
        a, b = balls.number(accuracy), balls.number(failure)
        privacy, log = balls.exp(1).log(), balls.number(5 / delta).log()
        part = privacy / (32 / a * log).sqrt()
        choices = 32 / (a * part) * (640 / (a**3 * b * part * balls.number(delta))).log()
        noise = 6 / (a * a.sqrt() * privacy) * (4 / (a * b)).log() * log.sqrt()
        return ceil(ball_interval(choices.max(noise)).upper)
