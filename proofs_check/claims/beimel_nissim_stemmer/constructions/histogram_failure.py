"""The exact failure probability of a histogram of frequent points."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor

from ccsim.arguments.values import show_value
from ccsim.errors import DomainError
from ccsim.exact import Epsilon, as_fraction
from ccsim.exact.epsilon import Arithmetic, Probability, Value, arithmetic
from ccsim.privacy.mechanisms.noisy_answers import geometric_tail
from ccsim.release.sanitizers.points import least_kept_count


class _Failure:
    """The probability, by count, that the released number for a point is inaccurate."""

    def __init__(
        self, records: int, accuracy: Fraction, ratio: Value, least: int, zero: Value
    ) -> None:
        self._records, self._ratio, self._least, self._zero = records, ratio, least, zero
        self._most = floor(accuracy * records)

    def of(self, count: int) -> Value:
        """Return the probability of an error above the accuracy at a point with the given count."""
        kept, most = self._least - count, self._most
        low = high = self._zero
        if count > most:
            low = 1 - geometric_tail(self._ratio, max(kept, -most))
        if count + most < self._records:
            high = geometric_tail(self._ratio, max(kept, most + 1))
        return low + high


def histogram_failure(
    counts: Sequence[int],
    accuracy: Fraction,
    epsilon: Epsilon,
    delta: Fraction,
    precision: int | None = None,
) -> Probability:
    """Return the probability that the error of a histogram is above the accuracy at some point.

    Complexity: a few powers of ``e`` for each count.
    """
    if not counts or min(counts) < 1:
        raise DomainError(
            f"counts must have at least one entry, all at least 1, not {list(counts)}"
        )
    powers = arithmetic(epsilon, precision)
    with powers.working():
        one = powers.number(1)
        failure = _failure(sum(counts), accuracy, epsilon, delta, powers)
        right = one
        for count in counts:
            right = right * (one - failure.of(count))
        return powers.result(one - right)


def worst_histogram_failure(
    records: int,
    accuracy: Fraction,
    epsilon: Epsilon,
    delta: Fraction,
    precision: int | None = 128,
) -> Probability:
    """Return the maximum of `histogram_failure` over all databases with ``records`` records.

    If the domain has fewer points than records, the result is only an upper bound.

    Complexity: quadratic in the number of records (400 take a tenth of a second, as balls).
    """
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
