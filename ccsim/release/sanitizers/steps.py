"""Noisy counts, and choices among many counts, for sanitizers (`bns` sections 2.5.1 and 4.1)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from math import floor
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from ccsim.data import validated
from ccsim.errors import DomainError, NotDecidedError
from ccsim.exact.distribution import Distribution
from ccsim.exact.epsilon import Arithmetic, BallArithmetic, Epsilon, Value, arithmetic
from ccsim.exact.intervals import ball_interval
from ccsim.exact.probability import SYSTEM, Randomness, uniform_below
from ccsim.privacy.mechanisms.choosing import THRESHOLDS
from ccsim.privacy.mechanisms.exponential import draw_weighted

_BITS = 64  # bits of a uniform number, at first

Solution = TypeVar("Solution", bound=Hashable)


@validated
class RoundedLaplace:
    """Laplace noise of scale ``1 / epsilon``, rounded to the nearest integer."""

    epsilon: Epsilon  # positive

    def __post_init__(self) -> None:
        if not self.epsilon.is_positive:
            raise DomainError(f"epsilon must be positive, not {self.epsilon}")

    def tail(self, least: int, powers: Arithmetic) -> Value:
        """Return the probability of a value of at least ``least``."""
        half = Fraction(1, 2)
        if least > 0:
            return powers.exp(half - least) / 2
        return powers.number(1) - powers.exp(least - half) / 2

    def draw(self, rng: Randomness = SYSTEM) -> int:
        """Draw the noise exactly: bits of ``U`` are drawn until ``ln(1/U)`` can be rounded."""
        sign = 1 - 2 * uniform_below(2, rng)
        number, bits = uniform_below(1 << _BITS, rng), _BITS
        while bits <= 8 * _BITS:
            balls = BallArithmetic(self.epsilon, 2 * bits)
            with balls.working():
                unit = balls.number(Fraction(1, 1 << bits))
                ends = [
                    ball_interval(-(unit * n).log() / balls.exp(1).log())
                    for n in (number + 1, number)
                    if n
                ]
            low, high = (floor(end + Fraction(1, 2)) for end in (ends[0].lower, ends[-1].upper))
            if number and low == high:
                return sign * max(low, 0)
            number, bits = number << _BITS | uniform_below(1 << _BITS, rng), bits + _BITS
        raise NotDecidedError(f"a random draw is undecided after {bits} random bits")


@validated
class CountChoice:
    """The choosing mechanism on counts, which chooses a large count or None.

    Attributes
    ----------
    epsilon : Epsilon
        Privacy parameter epsilon, positive.
    delta : Fraction
        Privacy parameter delta, above 0 and at most 1/2.
    growth : int
        Maximum number of counts that one additional record increases, at least 1.
    threshold : str
        Rule for the threshold: ``fixed`` or ``paper``, as in `ChoosingMechanism`.
    accuracy : Fraction
        Accuracy of the paper's threshold.
    """

    epsilon: Epsilon
    delta: Fraction
    growth: int = 1
    threshold: str = "fixed"
    accuracy: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        if self.threshold not in THRESHOLDS:
            names = ", ".join(THRESHOLDS)
            raise DomainError(f"threshold must be one of {names}, not {self.threshold!r}")
        if not self.epsilon.is_positive:
            raise DomainError(f"epsilon must be positive, not {self.epsilon}")
        if not 0 < self.delta <= Fraction(1, 2):
            raise DomainError(f"delta must be positive and at most 1/2, not {self.delta}")

    def released(self, best: int, size: int, powers: Arithmetic) -> Value:
        """Return the probability that some count is chosen, for a largest count of at least 1."""
        if self.threshold == "fixed":
            ratio = powers.exp(Fraction(best - 1, 4)) * powers.number(2 * self.delta / self.growth)
        else:
            ratio = powers.exp((best - self.accuracy * size / 2) / 4)
        return powers.laplace_tail(ratio)

    def distribution(
        self, counts: Mapping[Solution, int], size: int
    ) -> Distribution[Solution | None]:
        """Return the distribution of the chosen solution; None stands for no choice."""
        powers = arithmetic(self.epsilon)
        good = {solution: count for solution, count in counts.items() if count >= 1}
        if not good:
            return Distribution.certain(None)
        best = max(good.values())
        released = self.released(best, size, powers)
        weights = {s: powers.exp(Fraction(count - best, 4)) for s, count in good.items()}
        total = sum(weights.values(), powers.number(0))
        chosen = {s: released * weight / total for s, weight in weights.items()}
        return Distribution.of({None: 1 - released, **chosen})

    def draw(
        self, counts: Sequence[int] | npt.NDArray[np.int64], size: int, rng: Randomness = SYSTEM
    ) -> int | None:
        """Draw the index of a count with exactly this distribution; None stands for no choice.

        Complexity: one power of ``e`` for each distinct count.
        """
        listed = np.asarray(counts, np.int64)
        values, numbers = np.unique(listed[listed >= 1], return_counts=True)
        if not len(values):
            return None
        powers, best = BallArithmetic(self.epsilon), int(values[-1])
        with powers.working():
            released = self.released(best, size, powers)
            if not draw_weighted([powers.number(1) - released, released], powers, rng):
                return None
            weights = [
                powers.exp(Fraction(int(value) - best, 4)) * int(number)
                for value, number in zip(values, numbers, strict=True)
            ]
            value = int(values[draw_weighted(weights, powers, rng)])
        places = np.flatnonzero(listed == value)
        return int(places[uniform_below(len(places), rng)])
