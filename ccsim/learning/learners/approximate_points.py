"""A proper learner of points with approximate privacy, whose examples do not grow with the domain.

`bns` section 3.1: A_dist over the numbers of positive examples, and a random point if it answers
nothing. How often it fails in the worst case is a sum of few binomial terms, for 2^64 points too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

import numpy as np

from ccsim.arguments.checked import checked_types
from ccsim.data import validated
from ccsim.errors import DomainError, NotDecidedError
from ccsim.exact.epsilon import Epsilon, Value, arithmetic
from ccsim.exact.exponentials import Real
from ccsim.exact.intervals import Interval
from ccsim.exact.probability import draw, uniform_below
from ccsim.learning.learners.point_hypotheses import PointFunction
from ccsim.learning.learners.point_laws.worst import (
    WorstPointFailure,
    most_wrong,
    worst_over_masses,
)
from ccsim.learning.learners.points import PointLearner, ProperPointLearner
from ccsim.learning.sample import Sample
from ccsim.learning.sample_size import stable_point_sample_size
from ccsim.privacy.mechanisms.stable_choice import check_stable, release_probability

_ONE = Epsilon(Fraction(1))
_PRECISION = 128
_SMALL = Fraction(1, 1 << 100)
"""A probability of no release below which further terms are bounded together."""
_MOST_BITS = 40
"""Of a number of examples that is tried."""


@validated
class ApproximatePointLearner(PointLearner):
    """Answer the point with the most positive examples if its lead is large, or a random point.

    If no example is positive, it answers with a random point. The paper's A_dist can release a
    point of no example then, with probability at most delta, which its proof passes over; where
    delta is above the failure, that alone is too much. Never to release it costs no privacy: one
    more example lets a point be released with probability at most delta.

    Attributes
    ----------
    delta : Fraction
        Positive, below 1/2.
    variant : str
        Of A_dist; see `ccsim.privacy.mechanisms.stable_choice.release_probability`.
    proper : bool
        Whether a random point is the answer if none is released. Otherwise it is the zero function,
        which is no point function: no condition on the domain is left (`bns` Remark 3.3).

    Examples
    --------
    >>> tenth, delta = Fraction(1, 10), Fraction(1, 10**6)
    >>> learner = ApproximatePointLearner(tenth, tenth, Epsilon.of(1), 64, 400, delta)
    >>> worst = learner.worst_failure()
    >>> float(worst.mass), worst.wrong == 2**64 - 1, worst.failure.upper < tenth
    (0.1, True, True)
    """

    delta: Fraction = Fraction(1, 10**6)
    variant: str = "corrected"
    proper: bool = True

    def __post_init__(self) -> None:
        PointLearner.__post_init__(self)
        if not 0 < self.delta < Fraction(1, 2):
            raise DomainError(f"delta must lie strictly between 0 and 1/2, not {self.delta}")
        check_stable(self.delta, self.epsilon, self.variant)

    @property
    def theorem_size(self) -> int:
        """Of the corrected Lemma 3.2, or of Remark 3.3.

        Raises
        ------
        DomainError
            If the domain is too small for Lemma 3.2.
        """
        asked = self.accuracy, self.failure, self.epsilon, self.delta
        if not self.proper:
            return stable_point_sample_size(*asked, proper=False)
        least = 2 / (self.accuracy * self.failure)
        if 1 << self.bits < least:
            raise DomainError(
                f"bits must be at least {(-(-least // 1) - 1).bit_length()} for Lemma 3.2, "
                f"corrected, not {self.bits}; or give the number of samples"
            )
        return stable_point_sample_size(*asked)

    @property
    def privacy(self) -> tuple[Epsilon, Fraction] | None:
        """Epsilon and delta; None for the printed A_dist, which is less private than it says."""
        return None if self.variant == "printed" else (self.epsilon, self.delta)

    def _learn(self, sample: Sample, rng: np.random.Generator) -> PointFunction:
        points, labels = sample.take(np.arange(self.sample_size))
        best, released = self.release(Counter(points[labels].tolist()))
        if draw([1 - released, released], rng):
            return PointFunction(best)
        return PointFunction(uniform_below(1 << self.bits, rng) if self.proper else None)

    def release(self, positives: Mapping[int, int]) -> tuple[int | None, Real]:
        """Return the point that may be released, and the probability that it is.

        Parameters
        ----------
        positives : mapping of int to int
            How many positive examples the points have that have any; of equally many, the first
            point counts.
        """
        if not positives:
            return None, Fraction(0)
        best = min(positives, key=lambda x: (-positives[x], x))
        lead = positives[best] - max((n for x, n in positives.items() if x != best), default=0)
        powers = arithmetic(self.epsilon)
        return best, release_probability(lead, self.delta, powers, self.variant)

    def failure_at(self, mass: Fraction) -> Interval:
        """Return the failure probability if the target has this mass, on the worst distribution.

        As many other points are wrong answers as can be.

        Raises
        ------
        DomainError
            If the mass is negative or above 1.
        """
        if not 0 <= mass <= 1:
            raise DomainError(f"mass must lie between 0 and 1, not {mass}")
        if not self.proper and mass <= self.accuracy:  # the zero function is right enough
            return Interval(Fraction(0), Fraction(0))
        wrong = most_wrong(self.bits, self.accuracy, mass)
        return self._failure(mass, wrong, wrong)

    def _failure(self, mass: Fraction, wrong: int, most: int) -> Interval:
        """Return an interval from the failure with so many wrong answers to that with the most."""
        powers, size = arithmetic(self.epsilon, _PRECISION), self.sample_size
        silences = _silences(self.epsilon, self.delta, self.variant)
        with powers.working():
            missed, rest = powers.number(0), powers.number(0)
            if mass == 1:
                missed = silences[size] if size < len(silences) else missed
            else:
                chance, odds = powers.number(1 - mass) ** size, powers.number(mass / (1 - mass))
                for k, silent in enumerate(silences[: size + 1]):
                    missed += chance * silent
                    chance = chance * (size - k) / (k + 1) * odds
                if size >= len(silences):
                    rest = silences[-1]
            low = powers.result(powers.number(self._share(wrong)) * missed)
            high = powers.result(powers.number(self._share(most)) * (missed + rest))
            return Interval(max(low.lower, Fraction(0)), min(high.upper, Fraction(1)))  # type: ignore[union-attr]  # of balls

    def _share(self, wrong: int) -> Fraction:
        """Return how likely the answer is wrong if nothing is released."""
        return Fraction(wrong, 1 << self.bits) if self.proper else Fraction(1)

    def worst_failure(self) -> WorstPointFailure:
        """Return the failure probability on the worst target and distribution, rigorously."""
        if not self.proper:
            found = self._failure(self.accuracy, 0, 0)
            return WorstPointFailure(found, self.accuracy, 0)
        return worst_over_masses(self.bits, self.accuracy, self._failure)


@lru_cache(maxsize=16)
def _silences(epsilon: Epsilon, delta: Fraction, variant: str) -> tuple[Value, ...]:
    """Return the probability of no release for 0, 1, ... positive examples, until it is small."""
    powers = arithmetic(epsilon, _PRECISION)
    with powers.working():
        found = [powers.number(1)]
        while not found[-1] < powers.number(_SMALL):
            released = release_probability(len(found), delta, powers, variant)
            found.append(powers.number(1) - released)
    return tuple(found)


@checked_types
def least_point_samples(learner: ApproximatePointLearner | ProperPointLearner) -> int:
    """Return the least number of examples with which a learner fails as rarely as it shall.

    The failure in the worst case falls with the number of examples, because more of them are
    positive; the number is found by bisection.

    Parameters
    ----------
    learner : ApproximatePointLearner or ProperPointLearner
        Its own number of examples does not matter.

    Raises
    ------
    NotDecidedError
        If an enclosure of the failure contains the allowed one.
    DomainError
        If no number up to 2^40 is enough, because the domain is too small.

    Examples
    --------
    >>> tenth, delta = Fraction(1, 10), Fraction(1, 10**6)
    >>> least_point_samples(ApproximatePointLearner(tenth, tenth, Epsilon.of(1), 64, 0, delta))
    363
    >>> least_point_samples(ProperPointLearner(tenth, tenth, Epsilon.of(1), 64))
    1018
    """

    def enough(size: int) -> bool:
        found = replace(learner, samples=size).worst_failure().failure
        if found.lower <= learner.failure < found.upper:
            raise NotDecidedError(f"the failure with {size} samples is not told from the allowed")
        return found.upper <= learner.failure

    high = 1
    while not enough(high):
        if high >> _MOST_BITS:
            raise DomainError(
                f"no number of samples up to 2^{_MOST_BITS} gives failure {learner.failure} over "
                f"2^{learner.bits} points"
            )
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
