"""Proper private learners from improper ones whose hypotheses have few candidates.

Each hypothesis determines a set of candidates, concepts of which one is about as good. If the
hypotheses of an improper learner had few candidates, a proper learner could choose one of them; but
proper learners need many examples (`bbkn` Theorems 4.11 and 5.4). Both theorems use the same
reduction: run the learner on fresh examples until its hypothesis has at most ``limit`` candidates,
then choose among them by the exponential mechanism on fresh examples.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import ClassVar, TypeAlias

import numpy as np

from ccsim.arguments.checked import checked_types
from ccsim.data import frozen, validated
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.fractions import as_fraction
from ccsim.learning.learner import Bits, Hypothesis, Learner, Points, Sample
from ccsim.learning.learners.points import PointFunction
from ccsim.learning.packing import proper_point_lower_bound
from ccsim.learning.sample_size import occam_sample_size
from proofs_check.claims.beimel_brenner.constructions.packing_sizes import (
    proper_segment_lower_bound,
)
from proofs_check.claims.beimel_brenner.constructions.segments import InitialSegment

__all__ = [
    "LightReconstruction",
    "Reconstruction",
    "SwitchReconstruction",
    "least_candidates",
    "reconstruction_runs",
]

MAX_POINTS = 1 << 20
"""Maximum number of points; hypotheses are evaluated on all points."""

MakeLearner: TypeAlias = Callable[[Fraction, Fraction, Epsilon], Learner]
"""Gives an improper learner with a stated accuracy, failure and epsilon."""


def reconstruction_runs(failure: Fraction) -> int:
    """Return the least number of runs ``r`` with ``2^-r <= failure / 4``.

    Examples
    --------
    >>> reconstruction_runs(Fraction(1, 10))
    6
    """
    runs = 1
    while Fraction(1, 2**runs) > failure / 4:
        runs += 1
    return runs


@dataclass(frozen=True, slots=True)
class _Part(Sample):
    """The part of a sample in a range of positions."""

    whole: Sample
    start: int
    size: int

    def __len__(self) -> int:
        return self.size

    def take(self, positions: np.typing.NDArray[np.int64]) -> tuple[Points, Bits]:
        """Return the points and labels of the examples at the given positions."""
        return self.whole.take(self.start + positions)

    def positives(self, start: int, stop: int) -> Points:
        """Return the distinct points of the positive examples in a range of positions."""
        return self.whole.positives(self.start + start, self.start + stop)


@frozen
class Reconstruction(Learner):
    """A proper learner that chooses among the candidates of an improper learner's hypothesis.

    Attributes
    ----------
    size : int
        The points are ``0 .. size - 1``; at most `MAX_POINTS`.
    limit : int
        Maximum number of candidates. The guarantees for accuracy and failure hold if, on every
        target, the improper learner's hypothesis has at most `limit` candidates with probability at
        least 1/2.
    make : callable
        Returns the improper learner for an accuracy, a failure and an epsilon.

    Notes
    -----
    With probability at most ``failure / 4``, no run returns a hypothesis with few candidates. The
    first such hypothesis has the distribution of `inner`, conditioned on an event of probability at
    least 1/2, so that it misses its accuracy with probability at most ``2 failure / 8``. Then some
    candidate has error at most ``accuracy / 2``, and the exponential mechanism errs more than
    ``accuracy`` with probability at most ``failure / 2`` (`bbkn` Theorem 3.2). Every example is
    used once, so that the whole learner has the epsilon of its parts.
    """

    size: int
    limit: int
    make: MakeLearner

    share: ClassVar[Fraction]
    """What part of the accuracy is asked of the improper learner."""

    def __post_init__(self) -> None:
        Learner.__post_init__(self)
        if self.limit < 1 or self.size < 1:
            raise DomainError(
                f"size and limit must be at least 1, not {self.size} and {self.limit}"
            )
        if self.size > MAX_POINTS:
            raise InstanceTooLargeError(f"size must be at most {MAX_POINTS}, not {self.size}")

    @property
    def inner(self) -> Learner:
        """The improper learner at the accuracy and failure that the reduction requires."""
        return self.make(self.accuracy * self.share, self.failure / 8, self.epsilon)

    @property
    def runs(self) -> int:
        """Number of runs of the improper learner."""
        return reconstruction_runs(self.failure)

    @property
    def selection_size(self) -> int:
        """Number of examples for the exponential mechanism."""
        return occam_sample_size(self.limit, self.epsilon, self.accuracy, self.failure / 2)

    @property
    def sample_size(self) -> int:
        """Number of examples for all runs and for the selection."""
        return self.runs * self.inner.sample_size + self.selection_size

    @abstractmethod
    def candidates(self, values: Bits) -> tuple[int, ...]:
        """Return the candidates of a hypothesis, which is given by its values on all points."""

    @abstractmethod
    def concept(self, number: int) -> Hypothesis:
        """Return the concept with the given index."""

    def fit(self, sample: Sample, rng: np.random.Generator) -> Hypothesis:
        """Learn properly from the first `sample_size` examples."""
        self.check_sample(sample)
        learner, domain = self.inner, np.arange(self.size, dtype=np.uint64)
        each = learner.sample_size
        for run in range(self.runs):
            answer = learner.fit(_Part(sample, run * each, each), rng)
            offered = self.candidates(answer.predict(domain))
            if len(offered) <= self.limit:
                start = self.runs * each
                points, labels = sample.take(np.arange(start, start + self.selection_size))
                return self._select([self.concept(j) for j in offered], points, labels, rng)
        return self.concept(0)

    def _select(
        self, offered: list[Hypothesis], points: Points, labels: Bits, rng: np.random.Generator
    ) -> Hypothesis:
        wrong = np.array([int((h.predict(points) != labels).sum()) for h in offered])
        weights = np.exp(-float(self.epsilon) / 2 * (wrong - wrong.min()))
        return offered[int(rng.choice(len(offered), p=weights / weights.sum()))]


@validated
class LightReconstruction(Reconstruction):
    """Point functions, from hypotheses that are 1 on few points (`bbkn` Theorem 4.11).

    The candidates are the points on which the hypothesis is 1. If its error on the target ``t`` is
    at most ``accuracy / 4``, one of them has at most the same error: ``t`` itself if it is among
    them, otherwise any. For the zero function, the candidates are ``ceil(4 / accuracy)`` points,
    one of which has mass at most ``accuracy / 4``.
    """

    share: ClassVar[Fraction] = Fraction(1, 4)

    def candidates(self, values: Bits) -> tuple[int, ...]:
        """Return the points on which the hypothesis is 1, or some points if there is none."""
        ones = tuple(int(x) for x in np.flatnonzero(values))
        return ones or tuple(range(min(ceil(4 / self.accuracy), self.size)))

    def concept(self, number: int) -> Hypothesis:
        """Return the function of a point."""
        return PointFunction(number)


@validated
class SwitchReconstruction(Reconstruction):
    """Initial segments, from hypotheses with few switching points (`bbkn` Theorem 5.4).

    The segment of one of the switching points has at most the error of the hypothesis
    (`proofs_check.claims.beimel_brenner.constructions.segments.switch_within`).
    """

    share: ClassVar[Fraction] = Fraction(1, 2)

    def candidates(self, values: Bits) -> tuple[int, ...]:
        """Return the switching points."""
        changes = np.flatnonzero(values[1:] != values[:-1]) + 1
        return (0, *(int(j) for j in changes), self.size)

    def concept(self, number: int) -> Hypothesis:
        """Return the segment before a point."""
        return InitialSegment(number)


@checked_types
def least_candidates(
    problem: type[Reconstruction],
    bits: int,
    samples: int,
    accuracy: Fraction | int | str,
    failure: Fraction | int | str,
    epsilon: Epsilon | Fraction | int | str,
) -> int:
    """Return a lower bound on the candidates of an improper learner with few examples.

    Parameters
    ----------
    problem : type
        `LightReconstruction` (numbers of points with value 1) or `SwitchReconstruction` (switching
        points of hypotheses for initial segments).
    bits : int
        Binary logarithm of the number of points; at least 2.
    samples : int
        Examples of a private learner with accuracy ``accuracy / 4`` or ``accuracy / 2`` and failure
        ``failure / 8``.
    accuracy, failure : Fraction
        Parameters of the resulting proper learner; accuracy below 1/2.
    epsilon : Epsilon

    Returns
    -------
    int
        The least ``z`` for which the reconstruction with limit ``z`` has at least as many examples
        as proper learners need. For every such learner and some target, the hypothesis has at least
        ``z`` candidates with probability above 1/2; for `LightReconstruction`, ``z`` bounds the
        number of points with value 1 if it is above ``ceil(4 / accuracy)``.

    Examples
    --------
    >>> sizes = [64, 1024, 4096, 16384]
    >>> quarter, tenth, one = Fraction(1, 4), Fraction(1, 10), Epsilon.of(1)
    >>> [
    ...     least_candidates(SwitchReconstruction, b, 10, quarter, tenth, one).bit_length()
    ...     for b in sizes
    ... ]
    [1, 1, 17, 86]
    """
    accuracy = as_fraction(accuracy, "accuracy")
    failure = as_fraction(failure, "failure")
    epsilon = Epsilon.of(epsilon, "epsilon")
    needed = (
        proper_point_lower_bound
        if issubclass(problem, LightReconstruction)
        else proper_segment_lower_bound
    )(1 << bits, epsilon, accuracy, failure)
    rest = needed - reconstruction_runs(failure) * samples

    def enough(limit: int) -> bool:
        return occam_sample_size(limit, epsilon, accuracy, failure / 2) >= rest

    low, high = 0, 1
    while not enough(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
