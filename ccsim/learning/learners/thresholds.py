"""Private learners of thresholds over large domains (`bns` section 3.4).

The threshold ``c_j`` is 1 exactly on the points below ``j``, for ``j`` from 0 to ``2^bits``.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate, count
from math import ceil
from typing import Annotated

import numpy as np

from ccsim.arguments.checked import checked_types
from ccsim.arguments.parameters import Parameter
from ccsim.arguments.renamed import Renamed
from ccsim.arguments.values import show_value
from ccsim.data import frozen, validated
from ccsim.errors import DomainError
from ccsim.exact.epsilon import Arithmetic, Epsilon, Value, arithmetic
from ccsim.exact.intervals import Interval
from ccsim.exact.probability import SYSTEM, Randomness
from ccsim.exact.steps import StepFunction
from ccsim.learning.learner import Bits, Learner, Points, Sample, SizedLearner
from ccsim.learning.sample_size import (
    check_accounting,
    least_enough,
    log_star,
    occam_sample_size,
    threshold_sample_size,
    uniform_convergence_size,
)
from ccsim.privacy.constructions import Setting
from ccsim.privacy.mechanisms.exponential import RangeDistribution, exponential_over_range
from ccsim.privacy.mechanisms.recursive_concave import RecConcave, RecursionTrace, trace_of_draw
from ccsim.privacy.mechanisms.stable_choice import (
    VARIANTS,
    check_stable,
    optimal_releases,
    release_probability,
)

_UNIT = 1000  # shares of epsilon are multiples of one part in so many
_SEARCH_BITS = 53
_TRIES = 60
_ROUNDS = 7
_TINY = Fraction(1, 1 << 100)  # odds below which lengths are not looked at one by one
_OTHERS = 15  # points that may be bad, for each one that is good, among those of the last step
MAX_BITS = 1 << 20  # maximum number of bits of a point
_SAMPLE_BITS, _PRECISION = 64, 128
"""Bits of a point in an array, and precision of the intervals of a distribution."""


@checked_types
def threshold_agreement(
    examples: Iterable[tuple[int, int]], bits: int, copies: Iterable[int] | None = None
) -> StepFunction:
    """Return the number of examples that each threshold ``0 .. 2^bits`` labels correctly.

    Parameters
    ----------
    examples : iterable of (int, int)
        Points below ``2^bits`` with labels 0 or 1.
    bits : int
        Number of bits of a point, at least 1.
    copies : iterable of int, optional
        Multiplicity of each example; 1 by default.

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
        raise DomainError(f"bits must be between 1 and {MAX_BITS}, not {show_value(bits)}")
    end = 1 << bits
    changes: Counter[int] = Counter()
    zeros = 0
    listed = list(examples)
    times_of = copies or [1] * len(listed)
    for (number, (x, label)), times in zip(enumerate(listed, 1), times_of, strict=True):
        if not 0 <= x < end:
            raise DomainError(f"example {number}: the point must be between 0 and 2^{bits} - 1")
        if label not in (0, 1):
            raise DomainError(f"example {number}: the label must be 0 or 1")
        changes[x + 1] += times if label else -times
        zeros += 0 if label else times
    starts = sorted(changes)
    values = accumulate((changes[start] for start in starts), initial=zeros)
    return StepFunction.from_steps(dict(zip((0, *starts), values, strict=True)), end)


@frozen
class ThresholdFunction:
    """The function that is 1 exactly on the points below ``place``.

    Attributes
    ----------
    place : int
        The first point with value 0.
    """

    place: int

    def predict(self, points: Points) -> Bits:
        """Return the value on each point."""
        if self.place >> _SAMPLE_BITS:
            return np.ones(len(points), dtype=np.bool_)
        return np.asarray(points < np.uint64(self.place), dtype=np.bool_)


@frozen
class LearnedThreshold:
    """The output of a learner of thresholds, and the probability that it is inaccurate.

    Attributes
    ----------
    concept : ThresholdFunction
        The learned threshold function.
    empirical_error : Fraction
        Error of the concept on the sample. Not private.
    target : Fraction
        Largest empirical error that counts as accurate.
    failure : Interval
        Probability, over the coins, of an error above the target. Not private.
    epsilon : Epsilon
        Privacy parameter epsilon.
    delta : Fraction
        Privacy parameter delta.
    promised : bool
        Whether the sample is consistent and as large as the theorem requires.
    consistent : bool
        Whether some threshold labels the whole sample correctly. Not private.
    trace : RecursionTrace or None
        Trace of the calls of a recursive learner; None for other learners. Not private.
    """

    concept: ThresholdFunction
    empirical_error: Fraction
    target: Fraction
    failure: Interval
    epsilon: Epsilon
    delta: Fraction
    promised: bool
    consistent: bool
    trace: RecursionTrace | None = None


@frozen
class ThresholdLearner(SizedLearner):
    """A learner of thresholds over ``2**bits`` points, with empirical error ``accuracy / 2``."""

    family = "thresholds"
    most_bits = MAX_BITS

    @property
    def privacy(self) -> tuple[Epsilon, Fraction]:
        """Epsilon and delta."""
        return self.epsilon, Fraction(0)

    @abstractmethod
    def distribution(self, agreement: StepFunction, size: int) -> RangeDistribution:
        """Return the output distribution in ball arithmetic, given the agreement with a sample."""

    def draw(
        self, distribution: RangeDistribution, agreement: StepFunction, size: int, rng: Randomness
    ) -> tuple[int, RecursionTrace | None]:
        """Draw a threshold; return it and a trace of the steps (None if there is no trace)."""
        return distribution.draw(rng), None

    def empirical_failure(self, agreement: StepFunction, size: int) -> Interval:
        """Enclose the probability of an empirical error above ``accuracy / 2``."""
        return self._missed(self.distribution(agreement, size), size)

    def _missed(self, distribution: RangeDistribution, size: int) -> Interval:
        target = (1 - self.accuracy / 2) * size
        return distribution.probability_below(target)  # type: ignore[return-value]  # the distribution is in balls

    def learn(
        self, examples: Iterable[tuple[int, int]], rng: Randomness = SYSTEM
    ) -> LearnedThreshold:
        """Return a threshold learned from all examples, whose number is public."""
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
            raise DomainError("sample must have at least one example, not 0")
        distribution, consistent = self.distribution(agreement, size), agreement.highest == size
        place, trace = self.draw(distribution, agreement, size, rng)
        return LearnedThreshold(
            ThresholdFunction(place),
            1 - agreement(place) / size,
            self.accuracy / 2,
            self._missed(distribution, size),
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
    """Choose a threshold by the exponential mechanism (pure privacy).

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
        """Sample size of the exponential mechanism over all thresholds (`bbkn` Theorem 3.2)."""
        return occam_sample_size((1 << self.bits) + 1, self.epsilon, self.accuracy, self.failure)

    law = Renamed("distribution")

    def distribution(self, agreement: StepFunction, size: int) -> RangeDistribution:
        """Return the distribution of the place of the threshold."""
        return exponential_over_range(agreement, self.epsilon, _PRECISION)


@validated
class RecConcaveThresholdLearner(ThresholdLearner):
    """Learn thresholds by the mechanism RecConcave, with the number of examples as its promise.

    Attributes
    ----------
    delta : Fraction
        Privacy parameter delta of the learner, positive and below 1/2.
    depth : int
        Maximum number ``N`` of calls; at least 1.
    accounting : str
        Division of the privacy budget. ``counted``: the budget is divided among the steps that
        occur; the innermost call is a single mechanism, and the exponential mechanism uses no
        delta. ``printed``: as in the paper, every step has ``epsilon / (3 N)`` and
        ``delta / (3 N)``.
    split : tuple of (Fraction, Fraction, Fraction)
        Weights by which epsilon is divided if ``accounting`` is ``counted``: the weights of the
        innermost call, of each choice of an interval, and of each last step.
    run_accuracy : Fraction, optional
        Accuracy of RecConcave; the default is half the accuracy of the learner. A larger value
        increases the lead in the choices of intervals; a smaller value increases the margin of the
        last step. Only for at most two calls; see `best_split`.

    Examples
    --------
    >>> import numpy as np
    >>> tenth, delta = Fraction(1, 10), Fraction(1, 10**6)
    >>> learner = RecConcaveThresholdLearner(tenth, tenth, Epsilon.of(1), 64, 0, delta)
    >>> learned = learner.learn([(5, 1), (2**63, 0)] * 5000, np.random.default_rng(0))
    >>> 5 < learned.concept.place <= 2**63, float(learned.failure.upper) < 1e-6
    (True, True)
    >>> str(learner.algorithm(1).epsilon), str(learner.algorithm(1).delta), learner.theorem_size
    ('1/4', '1/2000000', 3118553)
    """

    delta: Fraction = Fraction(1, 10**6)
    depth: int = 2
    accounting: str = "counted"
    split: tuple[Fraction, Fraction, Fraction] = (Fraction(1), Fraction(1), Fraction(1))
    choice: Annotated[
        str,
        Parameter(
            "Rule for noise and threshold",
            choices=VARIANTS,
        ),
    ] = "corrected"
    run_accuracy: Fraction | None = None

    def __post_init__(self) -> None:
        ThresholdLearner.__post_init__(self)
        if not 0 < self.delta < Fraction(1, 2):
            raise DomainError(f"delta must be strictly between 0 and 1/2, not {self.delta}")
        if self.depth < 1:
            raise DomainError(f"depth must be at least 1, not {self.depth}")
        check_accounting(self.accounting)
        if min(self.split) <= 0:
            raise DomainError(f"weights of the split must be positive, not {min(self.split)}")
        if self.accounting == "printed" and len(set(self.split)) > 1:
            raise DomainError(
                "split must have equal weights with printed accounting; use accounting='counted'"
            )
        if self.run_accuracy is not None:
            if not 0 < self.run_accuracy <= Fraction(1, 2):
                raise DomainError(
                    f"run_accuracy must be positive and at most 1/2, not {self.run_accuracy}"
                )
            if self.calls > 2:
                raise DomainError(
                    f"run_accuracy requires at most 2 calls, not {self.calls}; lower depth"
                )
        self.algorithm(1)  # refuses parameters of the steps that make no sense

    @classmethod
    def for_task(
        cls,
        *,
        best: Annotated[
            bool,
            Parameter("Use the best proved split of epsilon", called="best_split"),
        ] = False,
        **given: Setting,
    ) -> Learner:
        """Return the learner, with the best split of epsilon if ``best_split`` is set."""
        if given["accuracy"] > Fraction(1, 2):
            raise DomainError(
                f"accuracy must be at most 1/2 for rec-concave, not {given['accuracy']}"
            )
        if not best:
            return Learner.for_task.__func__(cls, **given)  # type: ignore[attr-defined,no-any-return]
        choice = given.get("choice", "optimal")
        asked = {name: given[name] for name in ("accuracy", "failure", "epsilon", "bits", "delta")}
        found = best_split(**asked, choice=choice)
        return replace(found, samples=given.get("samples", 0))

    @property
    def calls(self) -> int:
        """Number of calls on this range, at most `depth`."""
        one = Fraction(1)
        bare = RecConcave(one, self.accuracy / 2, Epsilon(one), self.delta, self.depth)
        return bare.calls(1 << self.bits)

    @property
    def theorem_size(self) -> int:
        """Number of examples for which accuracy and failure are proved.

        Theorem 3.18 gives the number if every step has at least the epsilon of the printed
        accounting. Otherwise, it is the number for the smaller epsilon whose printed shares equal
        the smallest share. If ``run_accuracy`` is given, the number follows from `proved_failure`.
        """
        if self.run_accuracy is not None:
            return max(
                least_proved_size(self.run, self.failure / 2),
                uniform_convergence_size(self.accuracy, self.failure),
            )
        share = Fraction(1)
        if self.accounting == "counted":
            inner, choice, last = self.split
            whole = inner + (self.calls - 1) * (2 * choice + last)
            share = min(share, min(self.split) / whole * 3 * self.depth)
        depth = min(self.depth, log_star(1 << self.bits))
        return threshold_sample_size(
            self.accuracy, self.failure, self.epsilon * share, self.delta, self.bits, depth
        )

    @property
    def run(self) -> TwoCallRun:
        """The parameters of the steps, if there are at most two calls."""
        algorithm = self.algorithm(1)
        return TwoCallRun(
            self.bits,
            self.accuracy / 2,
            algorithm.accuracy,
            algorithm.epsilon,
            algorithm.choice_epsilon or algorithm.epsilon,
            algorithm.last_epsilon or algorithm.epsilon,
            algorithm.delta,
            self.choice,
        )

    @property
    def privacy(self) -> tuple[Epsilon, Fraction]:
        """Epsilon and delta; for the printed A_dist, the parameters of `choice_privacy`."""
        if self.calls == 1:
            return self.epsilon, Fraction(0)
        if self.choice != "printed":
            return self.epsilon, self.delta
        return self.algorithm(1).privacy(1 << self.bits)

    def algorithm(self, size: int) -> RecConcave:
        """Return the RecConcave algorithm for a number of examples."""
        calls = self.calls
        if self.accounting == "printed":
            each = self.epsilon / (3 * self.depth)
            shares, delta = (each, each, each), self.delta / (3 * self.depth)
        else:
            inner, choice, last = self.split
            whole = inner + (calls - 1) * (2 * choice + last)
            first, second, third = (self.epsilon * (part / whole) for part in self.split)
            shares, delta = (first, second, third), self.delta / max(2 * (calls - 1), 1)
        return RecConcave(
            Fraction(size),
            self.run_accuracy or self.accuracy / 2,
            shares[0],
            delta,
            self.depth,
            variant=self.choice,
            choice_epsilon=shares[1],
            last_epsilon=shares[2],
        )

    law = Renamed("distribution")

    def distribution(self, agreement: StepFunction, size: int) -> RangeDistribution:
        """Return the distribution of the place of the threshold."""
        return self.algorithm(size).distribution(agreement, _PRECISION)

    def draw(
        self,
        distribution: RangeDistribution,
        agreement: StepFunction,
        size: int,
        rng: Randomness = SYSTEM,
    ) -> tuple[int, RecursionTrace]:
        """Draw a threshold step by step; return it with the trace of every call."""
        trace = trace_of_draw(self.algorithm(size), agreement, rng, _PRECISION)
        return trace.calls[0].output or 0, trace


Point = tuple[float, ...]
"""Shares of the innermost call and of each choice, and the run's accuracy divided by the target."""
_START: Point = (0.28, 0.25, 1.35)
_MOVES: tuple[Point, ...] = ((0.05, 0, 0), (0, -0.04, 0), (0, 0, 0.15))


@validated
class TwoCallRun:
    """The parameters of all steps of RecConcave on the thresholds over ``2^bits`` points.

    Attributes
    ----------
    bits : int
        Number of bits of a point, at least 6.
    target : Fraction
        Largest empirical error that does not count as a failure, below 1.
    accuracy : Fraction
        Accuracy of the run, positive and at most 1/2.
    inner : Epsilon
        Epsilon of the innermost call.
    choice : Epsilon
        Epsilon of each choice of an interval.
    last : Epsilon
        Epsilon of the last step.
    delta : Fraction
        Delta of each choice.
    variant : str
        Variant of A_dist, which makes the choices.
    """

    bits: int
    target: Fraction
    accuracy: Fraction
    inner: Epsilon
    choice: Epsilon
    last: Epsilon
    delta: Fraction
    variant: str = "corrected"

    def __post_init__(self) -> None:
        if self.bits < 6:
            raise DomainError(f"bits must be at least 6 for two calls, not {self.bits}")
        if not 0 < self.target < 1:
            raise DomainError(f"target must be strictly between 0 and 1, not {self.target}")
        if not 0 < self.accuracy <= Fraction(1, 2):
            raise DomainError(f"accuracy must be positive and at most 1/2, not {self.accuracy}")
        for name in ("inner", "choice", "last"):
            epsilon: Epsilon = getattr(self, name)
            if not epsilon.is_positive:
                raise DomainError(f"{name} must be positive, not {epsilon}")
        check_stable(self.delta, self.choice, self.variant)


def proved_failure(run: TwoCallRun, size: int, precision: int = 128) -> Fraction:
    """Return a bound on the probability of an empirical error above the target, for any sample.

    Proof: as for Lemma 3.14 of `bns`, with the probabilities of the steps in place of their bounds.
    The agreement is an integer, quasi-concave, and ``m`` at some point. Let ``r = m``, let ``a`` be
    the accuracy of the run, and ``f = (1 - a) r``. Some length has ``q >= R = a r / 2``, so a
    length with a smaller ``q`` is drawn with odds of at most ``e^(-eps (R - q) / 2)``. For a length
    ``2^k`` with ``q > 0``, the points better than ``L(k + 1)`` form an interval of fewer than
    ``2^(k + 1)`` points. Some interval of a family contains it, has a lead of ``r - L(k + 1)``, and
    contains ``2^k`` consecutive points of agreement ``L(k)`` or more. If this interval is released,
    at least 1/16 of the points of the last draw are that good. Either ``q = r - L(k + 1)``, with
    ``L(k) >= max(f + q, r - q)``; or ``q = L(k) - f``, with ``r - L(k + 1) >= max(q, a r - q)``.

    Complexity: linear in the number of relevant leads (some hundreds) and, for the optimal choice,
    in the number of examples; milliseconds for 5000 examples. No bound is below ``2^-100``.
    """
    if size < 1:
        raise DomainError(f"size must be at least 1, not {size}")
    powers = [arithmetic(epsilon, precision) for epsilon in (run.inner, run.choice, run.last)]
    with powers[0].working():
        found = powers[0].result(_bound(run, size, powers))
        if not isinstance(found, Interval):
            raise TypeError(f"the failure probability must be an interval, not {found!r}")
        return min(Fraction(1), found.upper)


def _bound(run: TwoCallRun, size: int, powers: list[Arithmetic]) -> Value:
    inner, choice, last = powers
    one = inner.number(1)
    floor, peak = (1 - run.accuracy) * size, run.accuracy * size / 2
    bad = ceil((1 - run.target) * size) - 1
    released = _releases(run, choice)

    def failed(lead: int, agreement: int) -> Value:
        if lead <= 0:  # another interval may be as good
            return one
        odds = last.exp(Fraction(bad - agreement, 2)) * _OTHERS
        return one - released(lead) / (one + odds)

    top = failed(ceil(peak), ceil(floor + peak))
    worst, tiny = top, inner.number(_TINY)
    sides: tuple[Callable[[int], tuple[Fraction, Value]], ...] = (
        lambda lead: (Fraction(lead), failed(lead, max(ceil(floor + lead), size - lead))),
        lambda agreement: (
            agreement - floor,
            failed(max(ceil(agreement - floor), size - agreement), agreement),
        ),
    )
    for side, start in zip(sides, (ceil(peak), ceil(floor + peak)), strict=True):
        for value in count(start - 1, -1):
            quality, failure = side(value)
            weight = inner.exp((quality - peak) / 2) * run.bits
            worst = inner.largest(worst, (top + weight * failure) / (one + weight))
            if top + weight <= worst or value <= 0:
                break
            if weight <= tiny:  # what is left comes with less
                worst = inner.largest(worst, top + weight)
                break
    return worst


def _releases(run: TwoCallRun, powers: Arithmetic) -> Callable[[int], Value]:
    """Return the function that maps the lead of an interval to the probability of its release."""
    if run.variant != "optimal":
        return lambda lead: release_probability(lead, run.delta, powers, run.variant)
    found: list[Value] = []
    steps = optimal_releases(run.delta, powers)

    def released(lead: int) -> Value:
        while 2 * len(found) < lead + 2:
            found.append(next(steps))
        return found[(lead + 1) // 2]

    return released


def least_proved_size(run: TwoCallRun, failure: Fraction) -> int:
    """Return the least number of examples for which `proved_failure` is at most ``failure``."""
    if failure <= 0:
        raise DomainError(f"failure must be positive, not {failure}")
    return least_enough(lambda size: proved_failure(run, size) <= failure, 1)


def best_split(
    accuracy: Fraction,
    failure: Fraction,
    epsilon: Epsilon,
    bits: int,
    delta: Fraction,
    choice: str = "optimal",
) -> RecConcaveThresholdLearner:
    """Return a learner of thresholds with a small proved number of examples (not always minimal).

    The shares of epsilon and the accuracy of the run are optimised with some hundreds of
    evaluations of `proved_failure`. This takes a second at the default sizes.
    """
    equal = RecConcaveThresholdLearner(
        accuracy, failure, epsilon, bits, delta=delta, depth=2, choice=choice
    )
    accuracy, failure = equal.accuracy, equal.failure
    if accuracy > Fraction(1, 2):
        raise DomainError(f"accuracy must be at most 1/2, not {accuracy}")

    def at(point: Point) -> RecConcaveThresholdLearner:
        inner, each = (Fraction(round(share * _UNIT), _UNIT) for share in point[:2])
        run = accuracy / 2 * Fraction(round(point[2] * _UNIT), _UNIT)
        return replace(equal, split=(inner, each, 1 - inner - 2 * each), run_accuracy=run)

    def inside(point: Point) -> bool:
        shares = (*point[:2], 1 - point[0] - 2 * point[1])
        return min(shares) >= 2 / _UNIT and 2 / _UNIT < point[2] * float(accuracy) <= 1

    best = at(_START)
    start, high = _START, least_proved_size(best.run, failure / 2)
    low = high // 2
    for _ in range(_ROUNDS):
        size = (low + high) // 2

        def failed(point: Point, size: int = size) -> Fraction:
            if not inside(point):
                return Fraction(2)
            return proved_failure(at(point).run, size, _SEARCH_BITS)

        start = _descent(failed, start)
        if failed(start) <= failure / 2:
            best, high = at(start), size
        else:
            low = size
    return best


def _descent(value: Callable[[Point], Fraction], start: Point) -> Point:
    """Return a point at which a function is small, found by the Nelder-Mead method."""
    n = len(start)
    points = [
        tuple(a + b for a, b in zip(start, move, strict=True)) for move in ((0.0,) * n, *_MOVES)
    ]
    known = sorted((value(point), point) for point in points)
    for _ in range(_TRIES // 2):
        middle = [sum(point[i] for _, point in known[:-1]) / n for i in range(n)]
        worst = known[-1][1]

        def moved(by: float, middle: list[float] = middle, worst: Point = worst) -> Point:
            return tuple(c + by * (w - c) for c, w in zip(middle, worst, strict=True))

        reflected = moved(-1)
        found = value(reflected)
        if found < known[0][0]:
            further = moved(-2)
            known[-1] = min((found, reflected), (value(further), further))
        elif found < known[-2][0]:
            known[-1] = found, reflected
        else:
            nearer = moved(-0.5 if found < known[-1][0] else 0.5)
            if (again := value(nearer)) < min(found, known[-1][0]):
                known[-1] = again, nearer
            else:
                best = known[0][1]
                halves = [
                    tuple((a + b) / 2 for a, b in zip(best, point, strict=True))
                    for _, point in known[1:]
                ]
                known = [known[0], *((value(point), point) for point in halves)]
        known.sort()
    return known[0][1]
