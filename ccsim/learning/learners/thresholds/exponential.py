"""Private learners of thresholds over ``2^bits`` points that never list the domain.

`bns` section 3.4: the threshold ``c_j`` is 1 below ``j``, for ``j`` from 0 to ``2^bits``. How many
examples it labels correctly is a step function of ``j``, on which a mechanism runs.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

import numpy as np

from ccsim.arguments.checked import checked_types
from ccsim.arguments.values import show_value
from ccsim.data import frozen, validated
from ccsim.errors import DomainError
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.intervals import Interval
from ccsim.exact.probability import SYSTEM, Randomness
from ccsim.exact.steps import StepFunction
from ccsim.learning.learner import Learner
from ccsim.learning.sample import Bits, Points, Sample
from ccsim.learning.sample_size import occam_sample_size
from ccsim.privacy.mechanisms.range_choice import RangeLaw, exponential_over_range
from ccsim.privacy.mechanisms.recursion_trace import RecursionTrace

MAX_BITS = 1 << 20
"""Most bits of a point; every place is a number with so many."""
_SAMPLE_BITS, PRECISION = 64, 128
"""Bits of a point in an array, and of the rigorous intervals of a law."""


@checked_types
def threshold_agreement(
    examples: Iterable[tuple[int, int]], bits: int, copies: Iterable[int] | None = None
) -> StepFunction:
    """Return how many examples each threshold labels correctly, on ``0 .. 2^bits``.

    Parameters
    ----------
    examples : iterable of (int, int)
        Points below ``2^bits`` with labels 0 or 1.
    bits : int
        At least 1.
    copies : iterable of int, optional
        How often each example occurs; once, unless given.

    Raises
    ------
    DomainError
        If a point lies outside of the domain, or a label is neither 0 nor 1.

    Notes
    -----
    Complexity: ``O(m log m)`` for ``m`` examples.

    Examples
    --------
    >>> agreement = threshold_agreement([(1, 1), (2, 1), (5, 0)], 3)
    >>> agreement.starts, [int(v) for v in agreement.values], agreement.last
    ((0, 2, 3, 6), [1, 2, 3, 2], 8)
    """
    if not 1 <= bits <= MAX_BITS:
        raise DomainError(f"bits must lie between 1 and {MAX_BITS}, not {show_value(bits)}")
    end = 1 << bits
    changes: Counter[int] = Counter()
    zeros = 0
    listed = list(examples)
    times_of = copies or [1] * len(listed)
    for (number, (x, label)), times in zip(enumerate(listed, 1), times_of, strict=True):
        if not 0 <= x < end:
            raise DomainError(f"point must lie from 0 to 2^{bits} - 1; see example {number}")
        if label not in (0, 1):
            raise DomainError(f"label must be 0 or 1; see example {number}")
        changes[x + 1] += times if label else -times
        zeros += 0 if label else times
    steps: dict[int, Fraction | int] = {0: zeros}
    value = zeros
    for start in sorted(changes):
        value += changes[start]
        steps[start] = value
    return StepFunction.from_steps(steps, end)


@frozen
class ThresholdFunction:
    """The function that is 1 on the points below a place."""

    place: int  # from 0 to the number of points

    def predict(self, points: Points) -> Bits:
        """Return the value on each point."""
        if self.place >> _SAMPLE_BITS:
            return np.ones(len(points), dtype=np.bool_)
        return np.asarray(points < np.uint64(self.place), dtype=np.bool_)


@frozen
class LearnedThreshold:
    """What a learner answers, and how surely it was going to answer well."""

    concept: ThresholdFunction
    empirical_error: Fraction  # of the concept
    target: Fraction  # largest empirical error that is good enough
    # encloses the probability, over the coins of the learner on this sample, of an empirical error
    # above the target
    failure: Interval
    epsilon: Epsilon
    # the answer is ``(epsilon, delta)``-private; failure and empirical error are not to be
    # published, because they depend on the sample
    delta: Fraction
    # whether the sample is as large as the learner's theorem asks for, and consistent
    promised: bool
    # whether some threshold labels the whole sample correctly; not to be published either
    consistent: bool
    # what a recursive learner did; it is not to be published either
    trace: RecursionTrace | None = None


@frozen
class ThresholdLearner(Learner):
    """A learner of the thresholds over ``2**bits`` points.

    It is accurate if the empirical error is at most ``accuracy / 2``.

    Attributes
    ----------
    bits : int
        At least 1; samples that are arrays have points of at most 64.
    samples : int, optional
        How many examples `fit` uses. Unless given, those of the theorem; the privacy does not
        depend on it, the accuracy is promised for no fewer.
    """

    bits: int
    samples: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.bits <= MAX_BITS:
            raise DomainError(
                f"bits must lie between 1 and {MAX_BITS}, not {show_value(self.bits)}"
            )
        if self.samples < 0:
            raise DomainError(f"samples must be at least 1, not {self.samples}")
        Learner.__post_init__(self)

    @property
    @abstractmethod
    def theorem_size(self) -> int:
        """Examples for which accuracy and failure are proved."""

    @property
    @abstractmethod
    def privacy(self) -> tuple[Epsilon, Fraction]:
        """Epsilon and delta."""

    @abstractmethod
    def law(self, agreement: StepFunction, size: int) -> RangeLaw:
        """Return the law of the place in balls, for the agreement with so many examples."""

    def draw(
        self, law: RangeLaw, agreement: StepFunction, size: int, rng: Randomness
    ) -> tuple[int, RecursionTrace | None]:
        """Draw a place, and say what was done where there is more to it than the law."""
        return law.draw(rng), None

    @property
    def sample_size(self) -> int:
        """Number of examples that are used."""
        return self.samples or self.theorem_size

    def empirical_failure(self, agreement: StepFunction, size: int) -> Interval:
        """Return the probability of an empirical error above ``accuracy / 2``, rigorously."""
        return self._missed(self.law(agreement, size), size)

    def _missed(self, law: RangeLaw, size: int) -> Interval:
        target = (1 - self.accuracy / 2) * size
        return law.probability_below(target)  # type: ignore[return-value]  # the law is in balls

    def learn(
        self, examples: Iterable[tuple[int, int]], rng: Randomness = SYSTEM
    ) -> LearnedThreshold:
        """Learn from all of some examples, whose number is public."""
        listed = list(examples)
        return self._learned(threshold_agreement(listed, self.bits), len(listed), rng)

    def learn_sample(self, sample: Sample, rng: Randomness = SYSTEM) -> LearnedThreshold:
        """Learn from the first `sample_size` examples of a sample."""
        self.check_sample(sample)
        points, labels = sample.take(np.arange(self.sample_size))
        counts: Counter[tuple[int, int]] = Counter()
        for label in (0, 1):
            distinct, copies = np.unique(points[labels == bool(label)], return_counts=True)
            pairs = ((x, label) for x in distinct.tolist())
            counts.update(dict(zip(pairs, copies.tolist(), strict=True)))
        agreement = threshold_agreement(list(counts), self.bits, list(counts.values()))
        return self._learned(agreement, self.sample_size, rng)

    def _learned(self, agreement: StepFunction, size: int, rng: Randomness) -> LearnedThreshold:
        if not size:
            raise DomainError("sample must have at least 1 example, not 0")
        law, consistent = self.law(agreement, size), agreement.highest == size
        place, trace = self.draw(law, agreement, size, rng)
        return LearnedThreshold(
            ThresholdFunction(place),
            1 - agreement(place) / size,
            self.accuracy / 2,
            self._missed(law, size),
            *self.privacy,
            consistent and size >= self.theorem_size,
            consistent,
            trace,
        )

    def fit(self, sample: Sample, rng: Randomness) -> ThresholdFunction:
        """Learn from the first `sample_size` examples."""
        return self.learn_sample(sample, rng).concept


@validated
class ExponentialThresholdLearner(ThresholdLearner):
    """The exponential mechanism over all thresholds: pure privacy.

    Examples
    --------
    >>> learner = ExponentialThresholdLearner("1/10", "1/10", 1, 64)
    >>> sample = [(5, 1), (2**63, 0)] * 1000
    >>> learned = learner.learn(sample, np.random.default_rng(0))
    >>> 5 < learned.concept.place <= 2**63, learned.empirical_error, learned.promised
    (True, Fraction(0, 1), False)
    """

    @property
    def theorem_size(self) -> int:
        """Of the exponential mechanism over ``2**bits + 1`` hypotheses (`bbkn` Theorem 3.2)."""
        return occam_sample_size((1 << self.bits) + 1, self.epsilon, self.accuracy, self.failure)

    @property
    def privacy(self) -> tuple[Epsilon, Fraction]:
        """Epsilon, and no delta."""
        return self.epsilon, Fraction(0)

    def law(self, agreement: StepFunction, size: int) -> RangeLaw:
        """Return the law of the place."""
        return exponential_over_range(agreement, self.epsilon, PRECISION)
