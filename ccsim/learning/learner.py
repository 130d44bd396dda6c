"""Labelled samples and learners: guarantees, numbers of examples, and trials.

Points of a large domain are 64-bit integers. The examples of an i.i.d. sample are drawn only when a
learner reads them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Protocol, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

from ccsim.appearance import one_line
from ccsim.arguments.checked import checked_fields, checked_types
from ccsim.arguments.parameters import Parameter
from ccsim.arguments.values import show_value
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.data import frozen, validated
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact import Interval, as_fraction, clopper_pearson
from ccsim.exact.binomial import check_trials
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.fractions import probability_vector
from ccsim.learning.sample_size import check_parameters
from ccsim.privacy.constructions import Setting

Points: TypeAlias = npt.NDArray[np.uint64]
Bits: TypeAlias = npt.NDArray[np.bool_]

Samples: TypeAlias = Annotated[
    int,
    Parameter("Examples per run, where 0 means the number in the theorem", least=0),
]
MAX_POSITIONS = 1 << 62  # maximum number of examples of a sample
_LEAST = 1  # seconds that the first run may take in any case
MAX_WORK = 1 << 25
"""Maximum number of examples, hypotheses or attempts of a run, which takes gigabytes or minutes."""


@runtime_checkable
class Sample(Protocol):
    """A sequence of labelled examples."""

    def __len__(self) -> int:
        """Return the number of examples."""

    def take(self, positions: npt.NDArray[np.int64]) -> tuple[Points, Bits]:
        """Return the points and labels of the examples at the given distinct positions."""

    def positives(self, start: int, stop: int) -> Points:
        """Return the distinct points of the positive examples at positions below ``stop``."""


@checked_fields
@one_line
@dataclass(frozen=True, slots=True, eq=False)
class TabledSample:
    """A sample held in memory.

    Attributes
    ----------
    points : array of uint64
        The points of the examples.
    labels : array of bool
        The labels of the examples; the same length as ``points``.

    Examples
    --------
    >>> sample = TabledSample.of([(3, 1), (5, 0)])
    >>> len(sample), sample.take(np.array([1]))[0].tolist()
    (2, [5])
    """

    points: Points
    labels: Bits

    def __post_init__(self) -> None:
        if self.points.shape != self.labels.shape or self.points.ndim != 1:
            raise DomainError(
                f"points and labels must be lists of the same length, not {self.points.shape} and "
                f"{self.labels.shape}"
            )

    @classmethod
    def of(cls, examples: Sequence[tuple[int, int]]) -> TabledSample:
        """Return the sample of the given examples."""
        points = np.array([x for x, _ in examples], dtype=np.uint64)
        return cls(points, np.array([bool(label) for _, label in examples], dtype=np.bool_))

    def __len__(self) -> int:
        return len(self.points)

    def take(self, positions: npt.NDArray[np.int64]) -> tuple[Points, Bits]:
        """Return the points and labels of the examples at the given positions."""
        return self.points[positions], self.labels[positions]

    def positives(self, start: int, stop: int) -> Points:
        """Return the distinct points of the positive examples at positions below ``stop``."""
        return np.unique(self.points[start:stop][self.labels[start:stop]])


@validated
class Target:
    """A distribution on finitely many labelled points of a large domain.

    Attributes
    ----------
    points : tuple of int
        The labelled points: distinct integers below ``2**64``.
    masses : tuple of Fraction
        Probabilities of the points; they sum to 1.
    labels : tuple of int
        The label, 0 or 1, of each point.
    best : Fraction
        Error of the best concept; 0 if some concept has these labels. For agnostic learning it may
        be positive, and a point may be listed twice with different labels.

    Examples
    --------
    >>> target = Target((7, 9), (Fraction(1, 4), Fraction(3, 4)), (1, 0))
    >>> target.error(np.array([True, True]))
    Fraction(3, 4)
    """

    points: tuple[int, ...]
    masses: tuple[Fraction, ...]
    labels: tuple[int, ...]
    best: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        probability_vector(self.masses, "masses")
        if not len(self.points) == len(self.masses) == len(self.labels):
            raise DomainError(
                f"a target must have a mass and a label for each of its {len(self.points)} points"
            )

    def error(self, predictions: Bits) -> Fraction:
        """Return the probability of the points whose predictions differ from the labels."""
        wrong = np.flatnonzero(predictions != np.array(self.labels, dtype=np.bool_))
        return sum((self.masses[i] for i in wrong), Fraction(0))

    def domain(self) -> Points:
        """Return the labelled points as an array."""
        return np.array(self.points, dtype=np.uint64)


class DrawnSample:
    """An i.i.d. sample of a target whose examples are drawn when they are first read.

    Each position may be read only once, since a second reading would draw another example. All
    learners of this package read each position at most once.

    Parameters
    ----------
    target : Target
    size : int
        Number of examples.
    rng : numpy.random.Generator

    Notes
    -----
    Rounding: draws use probabilities rounded to doubles. Reported errors are exact.
    """

    @checked_types
    def __init__(self, target: Target, size: int, rng: np.random.Generator) -> None:
        self._size, self._rng = size, rng
        self._points = target.domain()
        self._labels = np.array(target.labels, dtype=np.bool_)
        masses = np.array([float(mass) for mass in target.masses])
        self._masses: npt.NDArray[Any] = masses / masses.sum()
        self._cumulative: npt.NDArray[Any] = np.cumsum(self._masses)

    def __len__(self) -> int:
        return self._size

    def take(self, positions: npt.NDArray[np.int64]) -> tuple[Points, Bits]:
        """Draw the examples at the given positions."""
        drawn = np.searchsorted(self._cumulative, self._rng.random(len(positions)), side="right")
        drawn = np.minimum(drawn, len(self._points) - 1)
        return self._points[drawn], self._labels[drawn]

    def positives(self, start: int, stop: int) -> Points:
        """Draw the distinct positive points in a range of positions, which may be long."""
        counts = self._rng.multinomial(stop - start, self._masses)
        return self._points[(counts > 0) & self._labels]


@runtime_checkable
class Hypothesis(Protocol):
    """A Boolean function on a large domain."""

    def predict(self, points: Points) -> Bits:
        """Return the value on each point."""


@validated
class Learner(ABC):
    """A learner for a concept class, with its guarantee.

    Given `sample_size` independent examples labelled by a concept of the class, `fit` returns a
    hypothesis of error at most ``accuracy`` with probability at least ``1 - failure``. On every
    sample it is ``(epsilon, delta)``-private for the parameters that `privacy` returns.

    Attributes
    ----------
    accuracy, failure : Fraction
        Allowed error and failure probability, strictly between 0 and 1.
    epsilon : Epsilon
        Privacy parameter epsilon, positive.
    family : str
        Name of the family of classes that the learner handles, whose parameters are fields of the
        learner; empty if the learner handles every class.
    """

    family = ""

    accuracy: Fraction
    failure: Fraction
    epsilon: Epsilon

    def __post_init__(self) -> None:
        check_parameters(self.accuracy, self.failure, self.epsilon)

    @classmethod
    def for_task(cls, **given: Setting) -> Learner:
        """Return the learner that ``ccsim learn`` runs.

        Parameters
        ----------
        **given
            Values of the fields: ``accuracy``, ``failure``, ``epsilon`` and ``delta``; ``bits`` or
            ``p`` for a family; ``concept_class`` for a learner of any class; and the declared
            parameters that are set. Other names are ignored.
        """
        names = {field.name for field in fields(cls)}
        return cls(**{name: value for name, value in given.items() if name in names})

    @property
    @abstractmethod
    def sample_size(self) -> int:
        """Number of examples that the learner's theorem requires."""

    @property
    def privacy(self) -> tuple[Epsilon, Fraction] | None:
        """Epsilon and delta; None if the learner is not private."""
        return self.epsilon, Fraction(0)

    @property
    def work(self) -> int:
        """Bound on the number of examples, hypotheses or attempts of a run."""
        return self.sample_size

    def check_work(self) -> None:
        """Raise `InstanceTooLargeError` if a run would need too much memory or time."""
        size = self.sample_size
        if size > MAX_POSITIONS:
            raise InstanceTooLargeError(
                f"a sample must have at most {MAX_POSITIONS} examples, not {show_value(size)}"
            )
        if self.work > MAX_WORK:
            raise InstanceTooLargeError(
                f"a run must examine at most {MAX_WORK} examples and hypotheses, not "
                f"{show_value(self.work)}; choose a larger accuracy, failure or epsilon"
            )

    @abstractmethod
    def fit(self, sample: Sample, rng: np.random.Generator) -> Hypothesis:
        """Learn from a sample of at least `sample_size` examples."""

    def check_sample(self, sample: Sample) -> None:
        """Raise `DomainError` if a sample is too small."""
        if len(sample) < self.sample_size:
            raise DomainError(
                f"sample must have at least {self.sample_size} examples, not {len(sample)}"
            )


@frozen
class SizedLearner(Learner):
    """A learner over ``2**bits`` points with a given number of examples.

    Attributes
    ----------
    bits : int
        Number of bits of a point, from 1 to `most_bits`. Points in arrays have at most 64 bits.
    """

    bits: int
    samples: Samples = 0

    most_bits: ClassVar[int]

    def __post_init__(self) -> None:
        if not 1 <= self.bits <= self.most_bits:
            raise DomainError(
                f"bits must be between 1 and {self.most_bits}, not {show_value(self.bits)}"
            )
        Learner.__post_init__(self)

    @property
    @abstractmethod
    def theorem_size(self) -> int:
        """Number of examples for which the theorem proves accuracy and failure."""

    @property
    def sample_size(self) -> int:
        """Number of examples that the learner uses."""
        return self.samples or self.theorem_size


def choose_by_errors(errors: npt.NDArray[Any], epsilon: Epsilon, rng: np.random.Generator) -> int:
    """Draw an index with probability nearly proportional to its ``e^(-epsilon errors / 2)``."""
    weights = np.exp(-float(epsilon) / 2 * (errors - errors.min()))
    return int(rng.choice(len(errors), p=weights / weights.sum()))


@validated
class LearningTrial:
    """The observed failures of a learner on one target.

    Attributes
    ----------
    runs, failures : int
        Number of independent runs, and number of runs whose hypothesis has an error above the
        accuracy. The errors are computed exactly.
    seed : int
        Seed of the samples and of the learner's coins.
    confidence : Fraction
        Confidence level of the interval.
    interval : Interval
        Clopper-Pearson interval for the failure probability.
    largest : Fraction
        Largest error of a hypothesis.
    average : Fraction
        Average error of the hypotheses.
    """

    runs: int
    failures: int
    seed: int
    confidence: Fraction
    interval: Interval
    largest: Fraction
    average: Fraction


@checked_types
def learning_trial(
    learner: Learner,
    target: Target,
    runs: int,
    seed: int,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
    confidence: Fraction | int | str = Fraction(95, 100),
) -> LearningTrial:
    """Run a learner on independent samples of the size that its theorem requires.

    Parameters
    ----------
    learner : Learner
    target : Target
        A distribution on points, with the labels of a concept.
    runs : int
        Number of runs, at least 1.
    seed : int
        Seed of the samples and of the learner's coins.
    time_limit : float or Budget, optional
        Seconds after which the trial stops; the result then has fewer runs. The first run may take
        one second more. If a limit is given, an interrupt (Ctrl-C) after the first run has the same
        effect.
    progress : callable, optional
        Called with the number of finished runs and the number of all runs.
    confidence : Fraction, int or str
        Confidence level of the interval.

    Returns
    -------
    LearningTrial
        The failures, with an interval for their probability (Clopper-Pearson).

    Raises
    ------
    OutOfTimeError
        If the time runs out before the first run is done.
    InstanceTooLargeError
        If there are too many runs, or a run is too large; raised before the first run.

    Examples
    --------
    >>> from ccsim import points
    >>> from ccsim.exact import Epsilon
    >>> from ccsim.learning import RepresentationLearner
    >>> half = Fraction(1, 2)
    >>> learner = RepresentationLearner.occam(points(1), half, half, Epsilon.of("ln 4"))
    >>> target = Target((0, 1), (half, half), (1, 0))
    >>> learning_trial(learner, target, 5, seed=0).failures
    0
    """
    if runs < 1:
        raise DomainError(f"runs must be at least 1, not {runs}")
    check_trials(runs)
    learner.check_work()
    level = as_fraction(confidence, "confidence")
    errors: Counter[Fraction] = Counter()
    budget = Budget.of(time_limit, progress)

    def run(number: int) -> None:
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))
        sample = DrawnSample(target, learner.sample_size, rng)
        errors[target.error(learner.fit(sample, rng).predict(target.domain()))] += 1
        budget.report(number + 1, runs)

    with budget.at_least(_LEAST).heard():
        run(0)
    with budget, budget.heard():
        for number in range(1, runs):
            budget.spend()
            run(number)
    done = errors.total()
    failures = sum(n for error, n in errors.items() if error > target.best + learner.accuracy)
    interval = clopper_pearson(failures, done, level)
    average = sum((error * n for error, n in errors.items()), Fraction(0)) / done
    return LearningTrial(done, failures, seed, level, interval, max(errors), average)
