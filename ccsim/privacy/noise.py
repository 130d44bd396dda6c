"""Integer noise, sampled exactly: two-sided geometric and discrete Gaussian noise."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import count

import flint
import numpy as np
import numpy.typing as npt

from ccsim.budget import in_time
from ccsim.data import validated
from ccsim.errors import DomainError, InstanceTooLargeError, NotDecidedError
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.intervals import ball_interval
from ccsim.exact.probability import SYSTEM, Randomness

MAX_DEVIATION = 1 << 16
"""Largest standard deviation for which noise is sampled from a table."""

_BITS = 64
_PRECISION = 256

Integers = npt.NDArray[np.int64]


class Noise(ABC):
    """A distribution on all integers that is symmetric about 0."""

    @property
    @abstractmethod
    def deviation(self) -> float:
        """The standard deviation, slightly rounded up, for display."""

    @abstractmethod
    def _ratio(self, size: int) -> flint.arb:
        """Return the probability of a value divided by the probability of 0."""

    @abstractmethod
    def _rest(self, size: int) -> flint.arb:
        """Return an upper bound on the sum of `_ratio` over a value and all larger values."""

    def draw(self, number: int, rng: Randomness = SYSTEM) -> Integers:
        """Draw independent values with exactly this distribution.

        Complexity: a table of about ten standard deviations is computed once, and searched once for
        each value.
        """
        if self.deviation > MAX_DEVIATION:
            raise InstanceTooLargeError(
                f"noise must have a standard deviation of at most {MAX_DEVIATION}, not "
                f"{self.deviation:.3g}"
            )
        lows, highs = _tails(self)
        words = np.frombuffer(rng.bytes(_BITS // 8 * number), "<u8")
        # a size of at least k has words below its tail; tails fall with k
        sizes = len(lows) - np.searchsorted(lows[::-1], words, side="right")
        other = len(highs) - np.searchsorted(highs[::-1], words, side="right")
        if (sizes != other).any():
            raise NotDecidedError(f"a random draw is undecided after {_BITS} random bits")
        signs = 1 - 2 * (np.frombuffer(rng.bytes(number), np.uint8) & 1).astype(np.int64)
        values: Integers = sizes.astype(np.int64) * signs
        return values


@lru_cache(maxsize=16)
def _tails(noise: Noise) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
    """Return bounds on ``2^64 Pr[|Z| >= k]`` for ``k = 1, 2, ..`` until they are 0 and 1."""
    with flint.ctx.workprec(_PRECISION):
        sizes = [noise._ratio(0)]
        for k in in_time(count(1)):
            rest = 2 * noise._rest(k)
            if rest * (flint.arb(2) ** (_BITS + 4)) < 1:
                break
            sizes.append(2 * noise._ratio(k))
        beyond = flint.arb(0).union(rest)
        tails = [beyond]
        for size in in_time(reversed(sizes)):
            tails.append(tails[-1] + size)
        whole = tails.pop()
        scale = flint.arb(2) ** _BITS / whole
        scaled = [ball_interval(tail * scale) for tail in in_time(tails[::-1])]
    low = [max(0, t.lower.numerator // t.lower.denominator) for t in scaled]
    high = [-(-t.upper.numerator // t.upper.denominator) for t in scaled]
    return np.array(low, dtype=np.uint64), np.array(high, dtype=np.uint64)


@validated
class GeometricNoise(Noise):
    """Noise with value ``z`` with probability proportional to ``e^(-epsilon |z| / s)``.

    Added to an integer that changes by at most ``s`` between neighbours, it is ``epsilon``-private.
    """

    epsilon: Epsilon  # positive
    sensitivity: int = 1  # at least 1

    def __post_init__(self) -> None:
        if not self.epsilon.is_positive:
            raise DomainError(f"epsilon must be positive, not {self.epsilon}")
        if self.sensitivity < 1:
            raise DomainError(f"sensitivity must be at least 1, not {self.sensitivity}")

    @property
    def deviation(self) -> float:
        """The standard deviation, rounded: ``sqrt(2 r) / (1 - r)`` for ``r = e^(-epsilon/s)``."""
        scale = float(self.epsilon) / self.sensitivity
        # neither a small nor a large scale may overflow, or be lost in a difference
        spread = -math.expm1(-scale)
        return math.sqrt(2) * math.exp(-scale / 2) / spread if spread else math.inf

    def _power(self, size: int) -> flint.arb:
        exponent = self.epsilon.ball() / self.sensitivity
        return (-exponent * size).exp()

    def _ratio(self, size: int) -> flint.arb:
        return self._power(size)

    def _rest(self, size: int) -> flint.arb:
        return self._power(size) / (1 - self._power(1))


@validated
class GaussianNoise(Noise):
    """Noise with value ``z`` with probability proportional to ``e^(-z^2 / (2 v))``.

    Source: Canonne, Kamath and Steinke, *The discrete Gaussian*, 2020. The variance is at most
    ``v``.
    """

    variance: Fraction  # of the continuous counterpart, ``v``; positive

    def __post_init__(self) -> None:
        if self.variance <= 0:
            raise DomainError(f"variance must be positive, not {self.variance}")

    @property
    def deviation(self) -> float:
        """The square root of ``v``, rounded."""
        return math.sqrt(self.variance)

    def _ratio(self, size: int) -> flint.arb:
        return (-_ball(size * size / (2 * self.variance))).exp()

    def _rest(self, size: int) -> flint.arb:
        # from k to k + 1 the ratio falls by at least e^(-k / v)
        return self._ratio(size) / (1 - (-_ball(size / self.variance)).exp())


def _ball(number: Fraction) -> flint.arb:
    return flint.arb(flint.fmpq(number.numerator, number.denominator))


def draw_first_above(
    missing: Sequence[int], epsilon: Epsilon, rng: Randomness = SYSTEM
) -> int | None:
    """Draw from the distribution of `ccsim.privacy.mechanisms.noisy_answers.first_above`."""
    if not len(missing):
        return None
    noise = GeometricNoise(epsilon, 4).draw(len(missing), rng)
    threshold = int(GeometricNoise(epsilon, 2).draw(1, rng)[0])
    reached = np.flatnonzero(noise >= np.asarray(missing) + threshold)
    return int(reached[0]) if len(reached) else None
