"""Where a box begins and ends on an axis, told from noisy counts of positive examples.

The counts of an axis may be small in each interval and large in many of them together. So intervals
are not judged one by one: a drift is taken off every noisy count, and a run of intervals whose sum
then comes to a level is significant.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil

from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact.epsilon import BallArithmetic, Epsilon
from ccsim.exact.intervals import ball_interval

Run = tuple[int, int]
"""Numbers of the first and the last interval."""
_PART = Fraction(4, 5)
"""Exponent of the bound on the noise, as part of its largest."""


@validated
class SideRule:
    """A rule that finds the intervals of a side among noisy counts.

    Proof: noise ``Z`` of ratio ``r = e^(-epsilon / 2)`` has ``E e^(theta Z) = (1 - r)^2 / ((1 - r
    e^theta) (1 - r e^-theta))``. The drift is the least integer with ``E e^(theta (Z - drift)) <=
    1`` at ``theta = 2 epsilon / 5``. Then ``e^(theta S)`` is a supermartingale for the sums ``S``
    of a run whose counts are 0, which comes to the level ``ln(intervals / failure) / theta`` with
    probability at most ``failure / intervals``: a side without positive examples is found with
    probability at most ``failure``, whatever the number of its intervals.
    """

    epsilon: Epsilon  # of the counts, positive
    failure: Fraction  # between 0 and 1

    def __post_init__(self) -> None:
        if not self.epsilon.is_positive:
            raise DomainError(f"epsilon of the counts must be positive, not {self.epsilon}")
        if not 0 < self.failure < 1:
            raise DomainError(f"failure must lie between 0 and 1, not {self.failure}")

    @property
    def drift(self) -> int:
        """What is taken off every count, at least 1."""
        balls = BallArithmetic(self.epsilon)
        with balls.working():
            r, up = balls.exp(Fraction(-1, 2)), balls.exp(_PART / 2)
            mean = (1 - r) ** 2 / ((1 - r * up) * (1 - r / up))
            return max(1, ceil(ball_interval(mean.log() / up.log()).upper))

    def level(self, intervals: int) -> int:
        """Return the least sum of a significant run on a side of so many intervals."""
        balls = BallArithmetic(self.epsilon)
        with balls.working():
            log = balls.number(intervals / self.failure).log()
            return ceil(ball_interval(log / balls.exp(_PART / 2).log()).upper)

    def run(self, counts: Sequence[int]) -> Run | None:
        """Return the first and the last interval of a side; None if there is none.

        They are those of the first and the last significant run; an interval at the end that has
        less than half of the average count is left out.
        """
        drift, level = self.drift, self.level(len(counts))
        surplus = [count - drift for count in counts]
        first, last = _start(surplus, level), _start(surplus[::-1], level)
        if first is None or last is None:
            return None
        last = len(counts) - 1 - last
        total, size = sum(counts[first : last + 1]), last + 1 - first
        low = first + (2 * counts[first] * size < total)
        high = last - (2 * counts[last] * size < total)
        return (low, high) if low <= high else (first, last)


def _start(surplus: Sequence[int], level: int) -> int | None:
    """Return where the first run begins that comes to a level, without sums below 0."""
    start = total = 0
    for i, value in enumerate(surplus):
        if total <= 0:
            start, total = i, 0
        total += value
        if total >= level:
            return start
    return None
