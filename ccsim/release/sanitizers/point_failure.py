"""How likely a histogram of frequent points is far off, exactly, and how many records it needs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor

from ccsim.arguments.checked import checked_types
from ccsim.arguments.values import show_value
from ccsim.errors import DomainError
from ccsim.exact import Epsilon, as_fraction
from ccsim.exact.epsilon import Arithmetic, BallArithmetic, Probability, Value, arithmetic
from ccsim.exact.intervals import ball_interval
from ccsim.privacy.mechanisms.geometric import geometric_tail
from ccsim.release.sanitizers.points import least_kept_count


class _Failure:
    """How likely the released number for a point of a given count is far off."""

    def __init__(
        self, records: int, accuracy: Fraction, ratio: Value, least: int, zero: Value
    ) -> None:
        self._records, self._ratio, self._least, self._zero = records, ratio, least, zero
        self._most = floor(accuracy * records)

    def of(self, count: int) -> Value:
        """Return the probability of an error above the accuracy."""
        kept, most = self._least - count, self._most
        low = high = self._zero
        if count > most:
            low = 1 - geometric_tail(self._ratio, max(kept, -most))
        if count + most < self._records:
            high = geometric_tail(self._ratio, max(kept, most + 1))
        return low + high


@checked_types
def histogram_failure(
    counts: Sequence[int],
    accuracy: Fraction | int | str,
    epsilon: Epsilon | Fraction | int | str,
    delta: Fraction | int | str,
    precision: int | None = None,
) -> Probability:
    """Return the probability that a histogram is far off at some point.

    Complexity: a few powers of ``e`` for each count.
    """
    epsilon = Epsilon.of(epsilon)
    delta = as_fraction(delta, "delta")
    if not counts or min(counts) < 1:
        raise DomainError("counts must be at least one, and none below 1")
    powers = arithmetic(epsilon, precision)
    with powers.working():
        one = powers.number(1)
        failure = _failure(sum(counts), accuracy, epsilon, delta, powers)
        right = one
        for count in counts:
            right = right * (one - failure.of(count))
        return powers.result(one - right)


@checked_types
def worst_histogram_failure(
    records: int,
    accuracy: Fraction | int | str,
    epsilon: Epsilon | Fraction | int | str,
    delta: Fraction | int | str,
    precision: int | None = 128,
) -> Probability:
    """Return the largest `histogram_failure` over all databases of one size.

    The domain must have at least as many points as there are records; with fewer it is an upper
    bound.

    Complexity: quadratic in the number of records (400 take a tenth of a second, as balls).
    """
    epsilon = Epsilon.of(epsilon)
    delta = as_fraction(delta, "delta")
    if records < 1:
        raise DomainError(f"records must be at least 1, not {show_value(records)}")
    powers = arithmetic(epsilon, precision)
    with powers.working():
        one = powers.number(1)
        failure = _failure(records, accuracy, epsilon, delta, powers)
        right = [one - failure.of(count) for count in range(1, records + 1)]
        least = [one]  # of the probabilities that all points of so many records come out right
        for size in range(1, records + 1):
            least.append(
                powers.least(*(right[c - 1] * least[size - c] for c in range(1, size + 1)))
            )
        return powers.result(one - least[records])


def _failure(
    records: int, accuracy: object, epsilon: Epsilon, delta: Fraction, powers: Arithmetic
) -> _Failure:
    wanted = as_fraction(accuracy, "accuracy", 0, 1)
    kept = least_kept_count(epsilon, delta)
    return _Failure(records, wanted, powers.exp(Fraction(-1, 2)), kept, powers.number(0))


@checked_types
def histogram_sample_size(
    accuracy: Fraction | int | str,
    failure: Fraction | int | str,
    epsilon: Epsilon | Fraction | int | str,
    delta: Fraction | int | str,
) -> int:
    """Return a number of records from which on a histogram fails rarely enough, on every database.

    With ``A = floor(accuracy m)``, at most ``m < (A + 1) / accuracy`` points of at most ``A``
    records each come out above ``A`` by noise alone, and at most ``1 / accuracy`` others are off by
    more than ``A`` or not kept: the failure is at most ``((A + 1) t(A + 1) + t(A + 1) + t(A + 2 -
    T)) / accuracy`` for the tail ``t(k) = r^k / (1 + r)``. That falls from ``A + 1 >= r / (1 - r)``
    on.
    """
    epsilon = Epsilon.of(epsilon)
    delta = as_fraction(delta, "delta")
    failure = as_fraction(failure, "failure")
    accuracy = as_fraction(accuracy, "accuracy")
    _check_accuracy(accuracy, failure)
    kept = least_kept_count(epsilon, delta)
    balls = BallArithmetic(epsilon)
    with balls.working():
        ratio = balls.exp(Fraction(-1, 2))
        allowed = balls.number(failure * accuracy)
        most = kept
        while True:
            far = geometric_tail(ratio, most + 1)
            bound = (most + 1) * far + far + geometric_tail(ratio, most + 2 - kept)
            if bound <= allowed and (most + 1) * (1 - ratio) >= ratio:
                return ceil(most / accuracy)
            most += 1


@checked_types
def san_points_sample_size(
    accuracy: Fraction | int | str,
    failure: Fraction | int | str,
    epsilon: Epsilon | Fraction | int | str,
    delta: Fraction | int | str,
) -> int:
    """Return the number of records that SanPoints asks for (`bns` Theorem 4.6).

    The larger one of ``(32 / (a e')) ln(640 / (a^3 b e' delta))`` for ``e' = epsilon / sqrt((32 /
    a) ln(5 / delta))``, which its choosing mechanisms need, and ``(6 / (a^1.5 epsilon)) ln(4 / (a
    b)) sqrt(ln(5 / delta))``, which its noise needs; rounded up from a rigorous enclosure.
    """
    epsilon = Epsilon.of(epsilon)
    delta = as_fraction(delta, "delta")
    failure = as_fraction(failure, "failure")
    accuracy = as_fraction(accuracy, "accuracy")
    _check_accuracy(accuracy, failure)
    least_kept_count(epsilon, delta)
    balls = BallArithmetic(epsilon)
    with balls.working():
        a, b = balls.number(accuracy), balls.number(failure)
        privacy, log = balls.exp(1).log(), balls.number(5 / delta).log()
        part = privacy / (32 / a * log).sqrt()
        choices = 32 / (a * part) * (640 / (a**3 * b * part * balls.number(delta))).log()
        noise = 6 / (a * a.sqrt() * privacy) * (4 / (a * b)).log() * log.sqrt()
        return ceil(ball_interval(choices.max(noise)).upper)


def _check_accuracy(accuracy: Fraction, failure: Fraction) -> None:
    """Refuse an accuracy or a failure probability that is not between 0 and 1."""
    for name, value in (("accuracy", accuracy), ("failure", failure)):
        if not 0 < value < 1:
            raise DomainError(f"{name} must lie between 0 and 1, not {value}")
