"""Two-sided geometric noise: the integer counterpart of Laplace noise.

The noise takes the value ``z`` with probability ``(1 - r) / (1 + r) r^|z|`` for
``r = e^(-epsilon / s)``.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor
from typing import Any

from ccsim.arguments.values import show_value
from ccsim.data import validated
from ccsim.errors import DomainError, NotDecidedError
from ccsim.exact.epsilon import BallArithmetic, Epsilon
from ccsim.exact.exponentials import Real
from ccsim.exact.intervals import ball_interval
from ccsim.exact.law import Law
from ccsim.exact.probability import SYSTEM, Randomness, uniform_below
from ccsim.privacy.mechanism import CanonicalMechanism

_BITS = 128
"""Random bits of a comparison with the ratio of the noise."""


def geometric_tail(ratio: Real, least: int) -> Real:
    """Return ``Pr[Z >= least]`` for two-sided geometric noise ``Z``."""
    if least > 0:
        return ratio**least / (1 + ratio)
    return 1 - ratio ** (1 - least) / (1 + ratio)


class GeometricNoise:
    """A source of two-sided geometric noise of ratio ``e^-epsilon``.

    Parameters
    ----------
    epsilon : Epsilon
        Positive.

    Examples
    --------
    >>> import numpy as np
    >>> noise, rng = GeometricNoise(Epsilon.of("ln 2")), np.random.default_rng(0)
    >>> [noise.draw(rng) for _ in range(8)]
    [2, -3, 1, -1, -2, 0, 1, 0]
    """

    def __init__(self, epsilon: Epsilon) -> None:
        balls = BallArithmetic(epsilon, 2 * _BITS)
        with balls.working():
            ends = ball_interval(balls.exp(Fraction(-1)))
        self._ends = floor(ends.lower * 2**_BITS), ceil(ends.upper * 2**_BITS)

    def draw(self, rng: Randomness = SYSTEM) -> int:
        """Draw a number with exactly this law, as the difference of two one-sided ones.

        Complexity: ``O(1 + 1 / epsilon)`` random numbers.
        """
        return self._successes(rng) - self._successes(rng)

    def _successes(self, rng: Randomness) -> int:
        """Return how many trials with this probability succeed before one does not."""
        count = 0
        while True:
            number = uniform_below(1 << _BITS, rng)
            if number >= self._ends[1]:
                return count
            if number >= self._ends[0]:
                raise NotDecidedError(f"{_BITS} random bits do not decide a draw")
            count += 1


@validated
class TruncatedGeometric(CanonicalMechanism[Hashable, int]):
    """An integer query plus geometric noise, moved into a range of answers.

    It is ``epsilon``-private if the query changes by at most the sensitivity between neighbours.

    Attributes
    ----------
    domain : tuple
        The values of a record.
    query : callable
        Maps a database, in the order of the domain, to an integer.
    epsilon : Epsilon
        ``e^(epsilon / sensitivity)`` must be rational if ``epsilon`` is a logarithm.
    low, high : int
        Ends of the range, both possible answers.
    sensitivity : int

    Examples
    --------
    >>> count = TruncatedGeometric((0, 1), sum, Epsilon.of("ln 2"), 0, 2)
    >>> [str(count.law((1, 1))[answer]) for answer in range(3)]
    ['1/6', '1/6', '2/3']
    """

    domain: Sequence[Hashable] | str
    query: Callable[[tuple[Any, ...]], int]
    epsilon: Epsilon
    low: int
    high: int
    sensitivity: int = 1

    symmetric = True

    def __post_init__(self) -> None:
        if self.low > self.high or self.sensitivity < 1:
            raise DomainError(
                f"range must have low <= high, not {self.low} > {self.high}; sensitivity >= 1"
            )

    @property
    def records(self) -> tuple[Hashable, ...]:
        """The domain."""
        return tuple(self.domain)

    def law_of(self, database: tuple[Hashable, ...]) -> Law[int]:
        """Return the law of the answer."""
        value = _whole(self.query(database), "query")
        ratio = self.epsilon.exp(Fraction(-1, self.sensitivity))
        tails: list[Real] = [
            geometric_tail(ratio, answer - value) for answer in range(self.low + 1, self.high + 1)
        ]
        at_least = [Fraction(1), *tails, Fraction(0)]
        return Law.of(
            {self.low + i: first - second for i, (first, second) in enumerate(pairwise(at_least))}
        )


@validated
class NoisyArgmax(CanonicalMechanism[Hashable, Hashable]):
    """The outcome with the largest noisy score; the first one of equal noisy scores.

    Each integer score gets independent geometric noise with ``r = e^(-epsilon / (2 s))``. The
    outcome alone is published, and is ``epsilon``-private if no score changes by more than ``s``.

    Attributes
    ----------
    domain, outcomes : tuple
        The values of a record, and at least one outcome, distinct.
    score : callable
        Maps a database, in the order of the domain, and an outcome to an integer.
    epsilon : Epsilon
        ``e^(epsilon / (2 s))`` must be rational if ``epsilon`` is a logarithm.
    sensitivity : int

    Examples
    --------
    >>> vote = NoisyArgmax("ab", "ab", lambda votes, o: votes.count(o), Epsilon.of("ln 4"))
    >>> vote.law(("a",))["a"]
    Fraction(20, 27)
    """

    domain: Sequence[Hashable] | str
    outcomes: Sequence[Hashable] | str
    score: Callable[[tuple[Any, ...], Any], int]
    epsilon: Epsilon
    sensitivity: int = 1

    symmetric = True

    def __post_init__(self) -> None:
        if not self.outcomes or len(set(self.outcomes)) < len(self.outcomes):
            raise DomainError(
                f"outcomes must be at least one and distinct, not {len(self.outcomes)}"
            )

    @property
    def records(self) -> tuple[Hashable, ...]:
        """The domain."""
        return tuple(self.domain)

    def law_of(self, database: tuple[Hashable, ...]) -> Law[Hashable]:
        """Return the law of the outcome.

        Notes
        -----
        Above the largest and below the smallest score the chance that an outcome wins with noisy
        score ``z`` is a sum of geometric sequences in ``z``, so the infinite sums are closed.
        Complexity: ``len(outcomes)**2`` times the spread of the scores, plus ``2**len(outcomes)``.
        """
        scores = [_whole(self.score(database, o), "score") for o in self.outcomes]
        ratio = self.epsilon.exp(Fraction(-1, 2 * self.sensitivity))
        low, high = min(scores), max(scores)
        chances = []
        for i in range(len(scores)):
            total = _below(scores, i, low, ratio) + _above(scores, i, high, ratio)
            for z in range(low, high + 1):
                total = total + _wins(scores, i, z, ratio)
            chances.append(total)
        return Law.of(dict(zip(self.outcomes, chances, strict=True)))


def _whole(value: object, name: str) -> int:
    """Return what a query answered, if it is an integer."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise DomainError(f"{name} must be an integer, not {show_value(value)}")
    return value


def _mass(ratio: Real, z: int) -> Real:
    return (1 - ratio) / (1 + ratio) * ratio ** abs(z)


def _beaten(i: int, j: int, z: int) -> int:
    """Return the least noisy score of outcome ``j`` that keeps ``i`` from winning with ``z``."""
    return z if j < i else z + 1


def _wins(scores: Sequence[int], i: int, z: int, ratio: Real) -> Real:
    """Return the chance that outcome ``i`` wins with noisy score ``z``."""
    chance = _mass(ratio, z - scores[i])
    for j, score in enumerate(scores):
        if j != i:
            chance = chance * (1 - geometric_tail(ratio, _beaten(i, j, z) - score))
    return chance


def _above(scores: Sequence[int], i: int, high: int, ratio: Real) -> Real:
    """Return the chance that outcome ``i`` wins with a noisy score above all scores.

    For ``z > high`` every factor is ``1 - c_j r^z``; the product is expanded in powers of ``r^z``.
    """
    expansion: list[Real] = [Fraction(1)]
    for j, score in enumerate(scores):
        if j != i:
            c = ratio ** (_beaten(i, j, 0) - score) / (1 + ratio)
            longer: list[Real] = [*expansion, Fraction(0)]
            for k, term in enumerate(expansion):
                longer[k + 1] = longer[k + 1] - c * term
            expansion = longer
    total: Real = Fraction(0)
    for k, term in enumerate(expansion):  # sum over z > high of term r^(k z) mass
        step = ratio ** (k + 1)
        total = total + term * step ** (high + 1) / (1 - step)
    return total * (1 - ratio) / (1 + ratio) * ratio ** -scores[i]


def _below(scores: Sequence[int], i: int, low: int, ratio: Real) -> Real:
    """Return the chance that outcome ``i`` wins with a noisy score below all scores.

    For ``z < low`` every factor is ``c_j r^-z``.
    """
    constant: Real = (1 - ratio) / (1 + ratio) * ratio ** scores[i]
    for j, score in enumerate(scores):
        if j != i:
            constant = constant * ratio ** (score - _beaten(i, j, 0) + 1) / (1 + ratio)
    step = ratio ** len(scores)  # sum over z < low of r^(-z len(scores))
    return constant * step ** (1 - low) / (1 - step)
