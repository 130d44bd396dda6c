"""The exponential mechanism: outcomes with higher scores are more likely.

On a long ordered range of 2^64 points or more, the quality is a step function, and probabilities
are sums over its steps.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import field
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any, Generic, TypeVar, cast

import flint

from ccsim.arguments.checked import checked_types
from ccsim.budget import in_time
from ccsim.data import frozen, validated
from ccsim.errors import DomainError, NotDecidedError
from ccsim.exact import as_fraction
from ccsim.exact.distribution import Distribution, total_mass
from ccsim.exact.epsilon import Arithmetic, Epsilon, Probability, Value, arithmetic
from ccsim.exact.exponentials import Real
from ccsim.exact.probability import SYSTEM, Randomness, uniform_below
from ccsim.exact.steps import StepFunction
from ccsim.privacy.constructions import CanonicalMechanism, OverDomain

_CHOICE_BITS = 128
"""Precision in bits of the balls for drawing by scores."""

Record = TypeVar("Record", bound=Hashable)
Outcome = TypeVar("Outcome", bound=Hashable)


@validated
class ExponentialMechanism(OverDomain[Hashable]):
    """Output ``o`` with probability proportional to ``e^(epsilon score(database, o) / (2 s))``.

    The mechanism is ``epsilon``-private if no score changes by more than the sensitivity ``s``
    between neighbours (`fx` Theorem C.1, `bbkn` section 3).

    Attributes
    ----------
    domain : tuple
        The values of a record.
    outcomes : tuple
        One or more distinct outcomes.
    score : callable
        Function that maps a database, in the order of the domain, and an outcome to an integer or
        fraction.
    epsilon : Epsilon
    sensitivity : Fraction
        Assumed sensitivity of the score, positive. If it is below the true sensitivity, the
        mechanism is not ``epsilon``-private.

    Examples
    --------
    >>> vote = ExponentialMechanism("ab", "ab", lambda votes, o: votes.count(o), Epsilon.of("ln 4"))
    >>> vote.distribution(("a", "a", "b")).items
    (('a', Fraction(2, 3)), ('b', Fraction(1, 3)))
    """

    domain: Sequence[Hashable] | str
    outcomes: Sequence[Hashable] | str
    score: Callable[[tuple[Any, ...], Any], Fraction | int]
    epsilon: Epsilon
    sensitivity: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        if not self.outcomes or len(set(self.outcomes)) < len(self.outcomes):
            raise DomainError("outcomes must be one or more distinct values")
        if self.sensitivity <= 0:
            raise DomainError(f"sensitivity must be positive, not {self.sensitivity}")

    def distribution_of(self, database: tuple[Hashable, ...]) -> Distribution[Hashable]:
        """Return the distribution of the outcome."""
        scores = [_exact(self.score(database, o)) for o in in_time(self.outcomes)]
        best = max(scores)
        below = [best - score for score in scores]
        counts = frozenset(Counter(below).items())
        shares = _shares(self.epsilon, self.sensitivity, counts)
        return Distribution(tuple(zip(self.outcomes, map(shares.__getitem__, below), strict=True)))


def _exact(score: object) -> Fraction | int:
    return score if type(score) is int else as_fraction(score, "score")


@lru_cache(maxsize=1 << 10)
def _shares(
    epsilon: Epsilon, sensitivity: Fraction, below: frozenset[tuple[Fraction | int, int]]
) -> dict[Fraction | int, Real]:
    """Return, for each distance below the best score, the probability of one such outcome."""
    weights = {far: _power(epsilon, -far / (2 * sensitivity)) for far, _ in below}
    total = total_mass(weights[far] for far, times in sorted(below) for _ in range(times))
    return {far: weight / total for far, weight in weights.items()}


@lru_cache(maxsize=1 << 10)
def _power(epsilon: Epsilon, times: Fraction) -> Real:
    """Return ``e^(times epsilon)``, cached for the distributions on many databases."""
    return epsilon.exp(times)


class ChoiceByScore(CanonicalMechanism[Record, Outcome], Generic[Record, Outcome]):
    """A mechanism that equals an exponential mechanism.

    Subclasses define `exponential`, from which samplers can draw.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def exponential(self) -> ExponentialMechanism:
        """The exponential mechanism that makes the choice."""

    def distribution_of(self, database: tuple[Record, ...]) -> Distribution[Outcome]:
        """Return the distribution of the outcome."""
        return cast("Distribution[Outcome]", self.exponential.distribution_of(database))


def choose_by_score(
    scores: Sequence[Fraction | int], epsilon: Epsilon, rng: Randomness = SYSTEM
) -> int:
    """Draw an index with probability proportional to ``e^(epsilon score / 2)``, exactly.

    ``rng`` is the operating system's source unless another one is given.

    Complexity: that of sorting the scores and of computing a power of e for each score.
    """
    if not scores:
        raise DomainError("there must be at least one score")
    order = sorted(range(len(scores)), key=scores.__getitem__)
    steps: dict[int, Fraction | int] = {}
    for place, number in enumerate(order):
        if not place or scores[number] != scores[order[place - 1]]:
            steps[place] = scores[number]
    ranked = StepFunction.from_steps(steps, len(order) - 1)
    return order[exponential_over_range(ranked, epsilon, _CHOICE_BITS).draw(rng)]


Interval = tuple[int, int]
"""First and last point."""


def merged(intervals: Iterable[Interval]) -> tuple[Interval, ...]:
    """Return disjoint intervals with the same points, in order."""
    found: list[Interval] = []
    for first, last in sorted(intervals):
        if found and first <= found[-1][1] + 1:
            found[-1] = found[-1][0], max(last, found[-1][1])
        else:
            found.append((first, last))
    return tuple(found)


@frozen
class Part:
    """The exponential mechanism on some intervals, with the probability that it is used."""

    share: Value
    intervals: tuple[Interval, ...]  # disjoint, in order


_ACCURATE = 64
"""Minimum relative precision in bits of the sum over an interval, for balls of 128 bits or more."""


class _Masses:
    """Sums over intervals, where all points of a step have the same weight."""

    def __init__(self, quality: StepFunction, weights: Sequence[Value], zero: Value) -> None:
        self.weights, self._quality, self._zero = weights, quality, zero
        sizes = (last + 1 - first for first, last, _ in quality.pieces())
        self._masses = [weight * size for weight, size in zip(weights, sizes, strict=True)]
        self._sums = list(accumulate(self._masses, initial=zero))
        self._positive = list(accumulate((w != 0 for w in weights), initial=0))

    def of(self, first: int, last: int) -> Value:
        """Return the sum over the points from ``first`` to ``last``."""
        i, j = self._quality.step_at(first), self._quality.step_at(last)
        if i == j:
            return self.weights[i] * (last + 1 - first)
        left = self.weights[i] * (self._quality.end(i) + 1 - first)
        right = self.weights[j] * (last + 1 - self._quality.starts[j])
        return left + self._between(i + 1, j) + right

    def _between(self, i: int, j: int) -> Value:
        """Return the sum over all points of the steps ``i`` to ``j - 1``."""
        if self._positive[i] == self._positive[j]:
            return self._zero
        found = self._sums[j] - self._sums[i]
        if isinstance(found, flint.arb) and found.rel_accuracy_bits() < _ACCURATE:
            return sum(self._masses[i:j], self._zero)  # the difference of far larger sums
        return found

    def of_all(self, intervals: Iterable[Interval]) -> Value:
        """Return the sum over disjoint intervals."""
        return sum((self.of(first, last) for first, last in intervals), self._zero)


@frozen
class RangeDistribution:
    """A distribution on the integers ``0 .. last``: a mixture of exponential mechanisms.

    Attributes
    ----------
    quality : StepFunction
        The quality function.
    powers : Arithmetic
        Arithmetic for powers of e^epsilon, exact or with balls.
    parts : tuple of Part
        Parts of the mixture. Their shares sum to 1.
    """

    quality: StepFunction
    powers: Arithmetic
    parts: tuple[Part, ...]
    _all: _Masses = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        with self.powers.working():
            values, scale = self.quality.integers()  # which are faster to look up
            best = max(values)
            of_value = {v: self.powers.exp(Fraction(v - best, 2 * scale)) for v in set(values)}
            weights = list(map(of_value.__getitem__, values))
            masses = _Masses(self.quality, weights, self.powers.number(0))
        object.__setattr__(self, "_all", masses)

    def value(self, first: int, last: int) -> Value:
        """Return the probability of the points from ``first`` to ``last``, using ``powers``."""
        found = self.powers.number(0)
        for part in self.parts:
            shared = ((max(first, a), min(last, b)) for a, b in part.intervals)
            mass = self._all.of_all(pair for pair in shared if pair[0] <= pair[1])
            found += part.share * mass / self._all.of_all(part.intervals)
        return found

    def probability(self, first: int, last: int) -> Probability:
        """Return the probability of the points from ``first`` to ``last``."""
        if not 0 <= first <= last <= self.quality.last:
            raise DomainError(
                f"interval must be within 0 .. {self.quality.last}, not {first} .. {last}"
            )
        with self.powers.working():
            return self.powers.result(self.value(first, last))

    def probability_below(self, quality: Fraction | int) -> Probability:
        """Return the probability that a drawn point has quality below a given value.

        Complexity: ``O(K + P log P)`` for ``K`` steps of the quality function and ``P`` parts of
        the mixture.
        """
        with self.powers.working():
            zero = self.powers.number(0)
            weights = [
                weight if value < quality else zero
                for weight, value in zip(self._all.weights, self.quality.values, strict=True)
            ]
            bad = _Masses(self.quality, weights, zero)
            found = zero
            for part in self.parts:
                mass = bad.of_all(part.intervals)
                found += part.share * mass / self._all.of_all(part.intervals)
            return self.powers.result(found)

    def pieces(self) -> Iterator[tuple[int, int, Probability]]:
        """Yield intervals in order, each with the probability of one of its points."""
        ends = {0, self.quality.last + 1, *self.quality.starts}
        for part in self.parts:
            for first, last in part.intervals:
                ends |= {first, last + 1}
        cuts = sorted(ends)
        for first, following in pairwise(cuts):
            yield first, following - 1, self.probability(first, first)

    def draw(self, rng: Randomness = SYSTEM) -> int:
        """Draw a point from exactly this distribution."""
        with self.powers.working():
            part = self.parts[draw_weighted([part.share for part in self.parts], self.powers, rng)]
            masses = [self._all.of(*interval) for interval in part.intervals]
            first, last = part.intervals[draw_weighted(masses, self.powers, rng)]
            low, high = self.quality.step_at(first), self.quality.step_at(last)
            within = [
                self._all.weights[i]
                * (min(self.quality.end(i), last) + 1 - max(self.quality.starts[i], first))
                for i in range(low, high + 1)
            ]
            step = low + draw_weighted(within, self.powers, rng)
            left = max(self.quality.starts[step], first)
            return left + uniform_below(min(self.quality.end(step), last) + 1 - left, rng)


_BITS = 64
"""Initial number of bits of the uniform number."""


def draw_weighted(weights: Sequence[Value], powers: Arithmetic, rng: Randomness) -> int:
    """Return an index with probability proportional to its weight, using a uniform number.

    The uniform number has a few bits; more are drawn if they are needed to decide.
    """
    if len(weights) == 1:
        return 0
    sums = list(accumulate(weights))
    numerator, bits = uniform_below(1 << _BITS, rng), _BITS
    while bits <= 4 * _BITS:
        unit = powers.number(Fraction(1, 1 << bits)) * sums[-1]
        least, most = unit * numerator, unit * (numerator + 1)
        low, high = 0, len(sums) - 1
        while low < high:  # the first sum that is certainly above the number
            middle = (low + high) // 2
            if sums[middle] >= most:
                high = middle
            else:
                low = middle + 1
        if low == 0 or sums[low - 1] <= least:
            return low
        numerator, bits = numerator * (1 << _BITS) + uniform_below(1 << _BITS, rng), bits + _BITS
    raise NotDecidedError(
        f"a random draw is undecided after {bits} random bits; choose a higher precision"
    )


@checked_types
def exponential_over_range(
    quality: StepFunction, epsilon: Epsilon | Fraction | int | str, precision: int | None = None
) -> RangeDistribution:
    """Return the distribution of the exponential mechanism over a range.

    A point of quality ``q`` has probability proportional to ``e^(epsilon q / 2)``; the distribution
    is ``epsilon``-private if no value of the quality changes by more than 1 between neighbours
    (`bns` Proposition 2.25).

    Complexity: linear in the number of steps, with one power of e for each distinct value.
    """
    epsilon = Epsilon.of(epsilon)
    whole = Part(Fraction(1), ((0, quality.last),))
    powers = arithmetic(epsilon, precision)
    with powers.working():
        return RangeDistribution(quality, powers, (Part(powers.number(1), whole.intervals),))
