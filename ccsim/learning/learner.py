"""Learners as objects: what they guarantee, how many examples they need, and how they learn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from fractions import Fraction
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from ccsim.arguments.checked import checked_types
from ccsim.arguments.values import show_value
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.data import validated
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact import Interval, as_fraction, clopper_pearson
from ccsim.exact.binomial import check_trials
from ccsim.exact.epsilon import Epsilon
from ccsim.learning.sample import Bits, DrawnSample, Points, Sample, Target
from ccsim.learning.sample_size import check_parameters

MAX_POSITIONS = 1 << 62
"""Most examples of a sample, whose positions are 64-bit integers."""
_LEAST = 1
"""Seconds that the first run may take in any case."""
MAX_WORK = 1 << 25
"""Most examples, hypotheses or tries of one run; with so many it takes gigabytes, or minutes."""


@runtime_checkable
class Hypothesis(Protocol):
    """A Boolean function on a large domain."""

    def predict(self, points: Points) -> Bits:
        """Return the value on each point."""


@validated
class Learner(ABC):
    """A learner of a class, with its guarantee.

    From `sample_size` independent examples that a concept of the class labels, `fit` returns, with
    probability at least ``1 - failure``, a hypothesis of error at most ``accuracy``; and it is
    ``(epsilon, delta)``-private on every sample, for what `privacy` returns.

    Attributes
    ----------
    accuracy, failure : Fraction
        Strictly between 0 and 1.
    epsilon : Epsilon
        Positive.
    """

    accuracy: Fraction
    failure: Fraction
    epsilon: Epsilon

    def __post_init__(self) -> None:
        check_parameters(self.accuracy, self.failure, self.epsilon)

    @property
    @abstractmethod
    def sample_size(self) -> int:
        """Number of examples that the learner's theorem asks for."""

    @property
    def privacy(self) -> tuple[Epsilon, Fraction] | None:
        """Epsilon and delta; None if the learner is not private."""
        return self.epsilon, Fraction(0)

    @property
    def work(self) -> int:
        """Most examples, hypotheses or tries of a run: what its memory or time grows with."""
        return self.sample_size

    def check_work(self) -> None:
        """Refuse to run a learner that needs too much memory or time.

        Raises
        ------
        InstanceTooLargeError
        """
        size = self.sample_size
        if size > MAX_POSITIONS:
            raise InstanceTooLargeError(
                f"samples are limited to {MAX_POSITIONS} examples, not {show_value(size)}"
            )
        if self.work > MAX_WORK:
            raise InstanceTooLargeError(
                f"a run is limited to {MAX_WORK} examples or hypotheses that are looked at, not "
                f"{show_value(self.work)}: choose a larger accuracy, failure or epsilon"
            )

    @abstractmethod
    def fit(self, sample: Sample, rng: np.random.Generator) -> Hypothesis:
        """Learn from a sample of at least `sample_size` examples."""

    def check_sample(self, sample: Sample) -> None:
        """Refuse a sample that is too small.

        Raises
        ------
        DomainError
        """
        if len(sample) < self.sample_size:
            raise DomainError(
                f"sample must have at least {self.sample_size} examples, not {len(sample)}"
            )


def choose_by_errors(errors: npt.NDArray[Any], epsilon: Epsilon, rng: np.random.Generator) -> int:
    """Draw a number with probability about proportional to ``e^(-epsilon errors / 2)``."""
    weights = np.exp(-float(epsilon) / 2 * (errors - errors.min()))
    return int(rng.choice(len(errors), p=weights / weights.sum()))


@validated
class LearningTrial:
    """How often a learner missed its accuracy on one target.

    Attributes
    ----------
    runs, failures : int
        Independent runs, and those whose hypothesis missed the accuracy; the errors are exact.
    seed : int
    confidence : Fraction
    interval : Interval
        Of Clopper and Pearson for the failure probability.
    largest : Fraction
        Largest error of a run.
    average : Fraction
        Average error.
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
    """Run a learner on fresh samples of the size that its theorem asks for.

    Parameters
    ----------
    learner : Learner
    target : Target
        A distribution, and the labels of a concept.
    runs : int
        At least 1.
    seed : int
        Seed of the samples and of the learner's coins.
    time_limit : float or Budget, optional
        Seconds after which no run goes on but the first, for which there is a second more if need
        be: the result has fewer runs. With a limit, however large, an interrupt (Ctrl-C) ends the
        trial likewise once a run is done.
    progress : callable, optional
        Called with the number of runs done and of all runs.
    confidence : Fraction, int or str
        Of the interval.

    Returns
    -------
    LearningTrial
        The failures, with an interval for their probability (Clopper-Pearson).

    Raises
    ------
    OutOfTimeError
        If the time is over before the first run is done.
    DomainError
        If there is no run.
    InstanceTooLargeError
        If there are too many runs, or one is too large; before the first.

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
