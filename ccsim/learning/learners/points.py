"""Learners of point functions over large domains (`bbkn` section 3, `bns` section 3.1)."""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from math import ceil

import numpy as np
import numpy.typing as npt

from ccsim.arguments.checked import checked_types
from ccsim.budget import check_time
from ccsim.data import frozen, validated
from ccsim.errors import DomainError, InstanceTooLargeError, NotDecidedError
from ccsim.exact.epsilon import Epsilon, Value, arithmetic
from ccsim.exact.exponentials import Real
from ccsim.exact.intervals import Interval
from ccsim.exact.probability import draw, uniform_below
from ccsim.learning.learner import (
    Bits,
    Hypothesis,
    Points,
    Sample,
    SizedLearner,
    choose_by_errors,
)
from ccsim.learning.sample_size import (
    check_parameters,
    constant_learner_runs,
    least_enough,
    nonprivate_point_sample_size,
    occam_sample_size,
    stable_point_sample_size,
    subsampled_point_sample_size,
)
from ccsim.privacy.constructions import printed_keeping_rate
from ccsim.privacy.mechanisms.stable_choice import check_stable, release_probability
from ccsim.representation.constructions import ReedSolomonSets, reed_solomon_sets

_KEY_BYTES, _KEYS = 32, 256
_PRECISION = 128  # bits of the enclosures of a failure
_SMALL = Fraction(1, 1 << 100)
"""Probability below which the remaining terms or cases are bounded together."""
_MOST_BITS = 40  # of a number of examples that is tried
_CLOSE = 1 + Fraction(1, 1 << 20)
"""Required ratio of the endpoints of an enclosure of the worst failure."""
_FINE = 256  # bits: the number of points, a precision above the other errors, and the terms
_WIDTH = Fraction(1, 1 << 20)  # width of an enclosure, beside its lower end, that is small enough
_FEW = 10  # bits of a domain on which all numbers of wrong answers may be tried
MAX_SAMPLES = 1 << 20  # maximum number of examples of a sample
_SYMBOLS = 1 << 21
"""Number of symbols processed at a time: some tenths of a second, and 16 megabytes."""


@frozen
class PointFunction:
    """The function that is 1 on a single point, or the zero function if the point is None."""

    point: int | None

    def predict(self, points: Points) -> Bits:
        """Return the value on each point."""
        if self.point is None:
            return np.zeros(len(points), dtype=np.bool_)
        return np.asarray(points == np.uint64(self.point), dtype=np.bool_)


@frozen
class BiasedFunction:
    """A function that is 1 where the keyed BLAKE2b digest of a point is below a bias."""

    key: bytes  # at most 64 bytes
    bias: Fraction  # between 0 and 1

    def value(self, point: int) -> bool:
        """Return the value on one point."""
        digest = hashlib.blake2b(point.to_bytes(8, "big"), key=self.key, digest_size=8).digest()
        number = int.from_bytes(digest, "big")
        return number * self.bias.denominator < self.bias.numerator << 64

    def predict(self, points: Points) -> Bits:
        """Return the value on each point."""
        distinct, inverse = np.unique(points, return_inverse=True)
        values = np.array([self.value(int(x)) for x in distinct], dtype=np.bool_)
        return np.asarray(values[inverse], dtype=np.bool_)


@frozen
class PointLearner(SizedLearner):
    """A learner of the point functions over at most ``2**64`` points."""

    family = "points"
    most_bits = 64

    def fit(self, sample: Sample, rng: np.random.Generator) -> Hypothesis:
        """Return a hypothesis learned from the first `sample_size` examples."""
        self.check_sample(sample)
        return self._learn(sample, rng)

    @abstractmethod
    def _learn(self, sample: Sample, rng: np.random.Generator) -> Hypothesis: ...


@validated
class NonprivatePointLearner(PointLearner):
    """Return the point of a positive example, or the zero function if there is none. Not private.

    Examples
    --------
    >>> tenth = Fraction(1, 10)
    >>> NonprivatePointLearner(tenth, tenth, Epsilon.of(1), 16).sample_size
    24
    """

    @property
    def theorem_size(self) -> int:
        """Number of examples, ``ln(1 / failure) / accuracy``."""
        return nonprivate_point_sample_size(self.accuracy, self.failure)

    @property
    def privacy(self) -> None:
        """None, since the learner publishes an example."""

    def _learn(self, sample: Sample, rng: np.random.Generator) -> PointFunction:
        points, labels = sample.take(np.arange(self.sample_size))
        positive = points[labels]
        return PointFunction(int(positive[0]) if len(positive) else None)


@validated
class ProperPointLearner(PointLearner):
    """Choose a point function by the exponential mechanism, in time linear in the sample.

    All points outside the sample have the same number of errors, so they get one common weight, and
    each point of the sample its own (`bbkn` Lemma 3.4). The number of other points is ``2**bits``
    minus the number of *distinct* points of the sample.

    Notes
    -----
    Rounding: the draw uses doubles. `ccsim.learning.PrivateOccam` computes the exact distribution.

    Examples
    --------
    >>> tenth = Fraction(1, 10)
    >>> ProperPointLearner(tenth, tenth, Epsilon.of(1), 16).sample_size
    10434
    """

    @property
    def theorem_size(self) -> int:
        """Sample size of the exponential mechanism over all points (`bbkn` Theorem 3.2)."""
        return occam_sample_size(1 << self.bits, self.epsilon, self.accuracy, self.failure)

    def worst_failure(self) -> WorstPointFailure:
        """Enclose the failure probability on the worst target and distribution."""
        asked = self.bits, self.sample_size, self.epsilon, self.accuracy
        return worst_exponential_point_failure(*asked)

    def _learn(self, sample: Sample, rng: np.random.Generator) -> PointFunction:
        points, labels = sample.take(np.arange(self.sample_size))
        positives = int(labels.sum())
        errors: Counter[int] = Counter()  # of the function of a point, relative to the others
        for x, label in zip(points.tolist(), labels.tolist(), strict=True):
            errors[x] += -1 if label else 1
        seen = list(errors)
        others = (1 << self.bits) - len(seen)
        scores = np.array([errors[x] for x in seen] + [0], dtype=np.float64) + positives
        logs = -float(self.epsilon) / 2 * scores
        logs[-1] += np.log(float(others)) if others else -np.inf
        weights = np.exp(logs - logs.max())
        chosen = int(rng.choice(len(weights), p=weights / weights.sum()))
        if chosen < len(seen):
            return PointFunction(seen[chosen])
        last = (1 << self.bits) - 1
        while True:
            point = int(rng.integers(0, last, dtype=np.uint64, endpoint=True))
            if point not in errors:
                return PointFunction(point)


@validated
class CodePointLearner(PointLearner):
    """Choose by the exponential mechanism from a small set of hypotheses that represents points.

    The hypotheses are the sets ``{x : symbol i of the code word of x is v}`` of a Reed-Solomon
    code. Two points have few of these sets in common, so a random set among those that contain a
    given point has small measure elsewhere. The learner needs ``O(log bits)`` examples (`bbkn`
    Theorem 4.2, with a code instead of random sets).

    Examples
    --------
    >>> tenth = Fraction(1, 10)
    >>> CodePointLearner(tenth, tenth, Epsilon.of(1), 16).sample_size
    7779
    """

    @property
    def hypotheses(self) -> ReedSolomonSets:
        """The representation, whose error is at most ``accuracy / 2``."""
        return reed_solomon_sets(self.bits, self.accuracy / 2)

    @property
    def work(self) -> int:
        """Number of examples plus number of hypotheses."""
        return self.sample_size + self.hypotheses.size

    @property
    def theorem_size(self) -> int:
        """Sample size of the exponential mechanism over the representation (`bbkn` Theorem 3.2)."""
        return occam_sample_size(self.hypotheses.size, self.epsilon, self.accuracy, self.failure)

    def _learn(self, sample: Sample, rng: np.random.Generator) -> Hypothesis:
        sets = self.hypotheses
        points, labels = sample.take(np.arange(self.sample_size))
        errors = np.full((sets.length, sets.field), int(labels.sum()), dtype=np.float64)
        block = max(_SYMBOLS // sets.length, 1)
        for start in range(0, len(points), block):
            check_time()
            wrong = ~labels[start : start + block]
            for i, symbols in enumerate(sets.words(points[start : start + block]).T):
                errors[i] += np.bincount(symbols[wrong], minlength=sets.field)
                errors[i] -= np.bincount(symbols[~wrong], minlength=sets.field)
        chosen = choose_by_errors(errors.ravel(), self.epsilon, rng)
        return sets.hypothesis(*divmod(chosen, sets.field))


@validated
class ConstantPointLearner(PointLearner):
    """Learn points improperly, with a number of examples that is independent of the domain.

    Each of several runs keeps a few examples at random. If one of these examples is positive, the
    run answers with a pseudorandom function that is 1 on its point (algorithms A5 and A3 of `bbkn`
    section 4.2). The exponential mechanism then selects one of the answers, with fresh examples
    (Claim 4.5).

    Notes
    -----
    With truly random functions the learner is private. It uses keyed BLAKE2b instead, so it is
    private against observers who cannot distinguish keyed BLAKE2b from a random function. The runs
    have accuracy ``accuracy / 8``; ``epsilon`` must be at most 1.

    Examples
    --------
    >>> tenth = Fraction(1, 10)
    >>> ConstantPointLearner(tenth, tenth, Epsilon.of(1), 16).sample_size
    61329935
    """

    def __post_init__(self) -> None:
        PointLearner.__post_init__(self)
        if self.epsilon.exp() > Epsilon(Fraction(1)).exp():
            raise DomainError(f"epsilon must be at most 1 for this learner, not {self.epsilon}")

    @property
    def runs(self) -> int:
        """Number of runs; with probability at least ``1 - failure / 5`` one of them succeeds."""
        return constant_learner_runs(self.failure)

    @property
    def parts(self) -> tuple[int, int]:
        """Number of examples for one run, and for the selection."""
        run = subsampled_point_sample_size(self.epsilon, self.accuracy / 8)
        run = run * self.sample_size // self.theorem_size
        return run, self.sample_size - self.runs * run

    @property
    def theorem_size(self) -> int:
        """Number of examples for all runs and the selection."""
        run = subsampled_point_sample_size(self.epsilon, self.accuracy / 8)
        return self.runs * run + occam_sample_size(
            self.runs, self.epsilon, self.accuracy, self.failure * 4 / 5
        )

    @property
    def work(self) -> int:
        """Approximate number of examples read and keys tried in all runs."""
        size, fresh = self.parts
        return fresh + self.runs * ceil(size * self._rate + 8 / self.accuracy)

    @property
    def _rate(self) -> float:
        """Probability that a run keeps an example."""
        rate = printed_keeping_rate(self.epsilon, Epsilon.of("ln 4"))
        return float(rate) * float(self.accuracy / 32)

    def _learn(self, sample: Sample, rng: np.random.Generator) -> Hypothesis:
        size, fresh = self.parts
        answers = [self._run(sample, i * size, size, rng) for i in range(self.runs)]
        start = self.runs * size
        points, labels = sample.take(np.arange(start, start + fresh))
        wrong = [
            len(points) if h is None else int((h.predict(points) != labels).sum()) for h in answers
        ]
        chosen = answers[choose_by_errors(np.array(wrong), self.epsilon, rng)]
        return PointFunction(None) if chosen is None else chosen

    def _run(
        self, sample: Sample, start: int, size: int, rng: np.random.Generator
    ) -> BiasedFunction | None:
        """Run A5 on a block of examples; return None for the answer "inconsistent"."""
        accuracy = self.accuracy / 8
        if rng.random() < accuracy / 8:
            return None
        points, labels = sample.take(start + _kept(size, self._rate, rng))
        positive = np.unique(points[labels])
        if len(positive) > 1 or np.isin(positive, points[~labels]).any():
            return None
        bias = accuracy / 4
        point = int(positive[0]) if len(positive) else None
        while True:  # about one key in 1 / bias has the value 1 on the point
            check_time()
            keys = rng.bytes(_KEY_BYTES * _KEYS)
            for i in range(_KEYS):
                function = BiasedFunction(keys[_KEY_BYTES * i : _KEY_BYTES * (i + 1)], bias)
                if point is None or function.value(point):
                    return function


def _kept(size: int, rate: float, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """Draw the kept positions below ``size``, in order; each is kept independently at a rate."""
    kept: list[npt.NDArray[np.int64]] = []
    last = -1
    while last < size:
        gaps = rng.geometric(rate, size=int(size * rate) + 16)
        kept.append(last + np.cumsum(gaps))
        last = int(kept[-1][-1])
    positions = np.concatenate(kept)
    return positions[positions < size]


@validated
class ApproximatePointLearner(PointLearner):
    """Release the point with the most positive examples if its lead is large, else a random point.

    The mechanism A_dist (`ccsim.privacy`) compares the lead with a threshold. If no example is
    positive, this learner always answers with a random point. A_dist as printed would release a
    point without positive examples with probability at most delta; the proof in the paper overlooks
    this failure, which matters if delta exceeds the allowed failure probability. The learner is
    private, because with one positive example a point is released with probability at most delta.

    Attributes
    ----------
    delta : Fraction
        Privacy parameter delta, positive and below 1/2.
    variant : str
        Variant of A_dist; see `ccsim.privacy.mechanisms.stable_choice.release_probability`.
    proper : bool
        Whether the answer is a random point if no point is released. If False, the answer is the
        zero function, which is not a point function, and the domain may have any size (`bns` Remark
        3.3).

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
            raise DomainError(f"delta must be strictly between 0 and 1/2, not {self.delta}")
        check_stable(self.delta, self.epsilon, self.variant)

    @property
    def theorem_size(self) -> int:
        """Number of examples in the corrected Lemma 3.2, or in Remark 3.3 if improper."""
        asked = self.accuracy, self.failure, self.epsilon, self.delta
        if not self.proper:
            return stable_point_sample_size(*asked, proper=False)
        least = 2 / (self.accuracy * self.failure)
        if 1 << self.bits < least:
            raise DomainError(
                f"bits must be at least {(-(-least // 1) - 1).bit_length()} for Lemma 3.2, "
                f"corrected, not {self.bits}; raise bits or set samples"
            )
        return stable_point_sample_size(*asked)

    @property
    def privacy(self) -> tuple[Epsilon, Fraction] | None:
        """Epsilon and delta; None for the printed A_dist, which does not satisfy them."""
        return None if self.variant == "printed" else (self.epsilon, self.delta)

    def _learn(self, sample: Sample, rng: np.random.Generator) -> PointFunction:
        points, labels = sample.take(np.arange(self.sample_size))
        best, released = self.release(Counter(points[labels].tolist()))
        if draw([1 - released, released], rng):
            return PointFunction(best)
        return PointFunction(uniform_below(1 << self.bits, rng) if self.proper else None)

    def release(self, positives: Mapping[int, int]) -> tuple[int | None, Real]:
        """Return the candidate point, and the probability of its release."""
        if not positives:
            return None, Fraction(0)
        best = min(positives, key=lambda x: (-positives[x], x))
        lead = positives[best] - max((n for x, n in positives.items() if x != best), default=0)
        powers = arithmetic(self.epsilon)
        return best, release_probability(lead, self.delta, powers, self.variant)

    def failure_at(self, mass: Fraction) -> Interval:
        """Return the largest failure probability for a given mass of the target point.

        In the worst case as many other points as possible are wrong answers.
        """
        if not 0 <= mass <= 1:
            raise DomainError(f"mass must be between 0 and 1, not {mass}")
        if not self.proper and mass <= self.accuracy:  # the zero function is right enough
            return Interval(Fraction(0), Fraction(0))
        wrong = most_wrong(self.bits, self.accuracy, mass)
        return self._failure(mass, wrong, wrong)

    def _failure(self, mass: Fraction, wrong: int, most: int) -> Interval:
        """Return an interval from the failure for ``wrong`` wrong points to that for ``most``."""
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
        """Return the probability of a wrong answer if no point is released."""
        return Fraction(wrong, 1 << self.bits) if self.proper else Fraction(1)

    def worst_failure(self) -> WorstPointFailure:
        """Enclose the failure probability on the worst target and distribution."""
        if not self.proper:
            found = self._failure(self.accuracy, 0, 0)
            return WorstPointFailure(found, self.accuracy, 0)
        return worst_over_masses(self.bits, self.accuracy, self._failure)


@lru_cache(maxsize=16)
def _silences(epsilon: Epsilon, delta: Fraction, variant: str) -> tuple[Value, ...]:
    """Return the probabilities of no release for 0, 1, ... positive examples, until negligible."""
    powers = arithmetic(epsilon, _PRECISION)
    with powers.working():
        found = [powers.number(1)]
        while not found[-1] < powers.number(_SMALL):
            released = release_probability(len(found), delta, powers, variant)
            found.append(powers.number(1) - released)
    return tuple(found)


@checked_types
def least_point_samples(learner: ApproximatePointLearner | ProperPointLearner) -> int:
    """Return the least number of examples for which a learner has the required failure.

    The worst-case failure probability decreases with the number of examples, because there are more
    positive examples. The number is therefore found by bisection.

    Parameters
    ----------
    learner : ApproximatePointLearner or ProperPointLearner
        A learner, whose own number of examples is ignored.

    Raises
    ------
    NotDecidedError
        If an enclosure of the failure probability contains the required one.
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
            raise NotDecidedError(
                f"it is undecided with {_PRECISION} bits of precision whether {size} examples "
                "suffice"
            )
        return found.upper <= learner.failure

    none = DomainError(
        f"failure {learner.failure} over 2^{learner.bits} points needs more than 2^{_MOST_BITS} "
        "samples; raise failure or bits"
    )
    return least_enough(enough, 1, (1 << _MOST_BITS, none))


@frozen
class WorstPointFailure:
    """The failure probability of a learner of points on the worst target and distribution.

    Attributes
    ----------
    failure : Interval
        Interval that contains the supremum of the failure probability.
    mass : Fraction
        Probability of the target at which the failure probability is near the supremum.
    wrong : int
        Number of points that are wrong answers; they share the remaining probability.
    """

    failure: Interval
    mass: Fraction
    wrong: int


def most_wrong(bits: int, accuracy: Fraction, mass: Fraction) -> int:
    """Return the maximum number of wrong answers other than the target, whose mass is given."""
    wrong = (1 << bits) - 1
    if mass < accuracy:
        wrong = min(wrong, -(-(1 - mass) // (accuracy - mass)) - 1)
    return wrong


def worst_over_masses(
    bits: int,
    accuracy: Fraction,
    failure: Callable[[Fraction, int, int], Interval],
    close: Fraction = _CLOSE,
) -> WorstPointFailure:
    """Enclose the failure probability on the worst target and distribution.

    Method: ``n`` wrong answers are possible only if the target has a mass above
    ``(n accuracy - 1) / (n - 1)``. Ranges of ``n`` are bisected; each is bounded with its largest
    ``n`` and smallest mass.
    """

    def least_mass(wrong: int) -> Fraction:
        if wrong == 1:
            return Fraction(0)
        return max(Fraction(0), (wrong * accuracy - 1) / (wrong - 1))

    total = (1 << bits) - 1
    first = least_mass(total)
    best = WorstPointFailure(failure(first, total, total), first, total)
    left, done = [(1, total)], best.failure.upper
    while left:
        a, b = left.pop()
        mass = least_mass(a)
        bound = failure(mass, a, b)
        if bound.lower > best.failure.lower:
            best = WorstPointFailure(bound, mass, a)
        if a == b or bound.upper <= best.failure.lower * close + _SMALL:
            done = max(done, bound.upper)
        else:
            middle = (a + b) // 2
            left += [(a, middle), (middle + 1, b)]
    return replace(best, failure=Interval(best.failure.lower, done))


def worst_exponential_point_failure(
    bits: int, samples: int, epsilon: Epsilon, accuracy: Fraction
) -> WorstPointFailure:
    """Enclose the failure probability on the worst target and distribution.

    Method: with ``k`` positive examples, and ``n_i`` negative ones at other points ``i``, the
    answer is wrong with probability ``A / (1 + A + B)``, where ``A`` is the sum of
    ``e^(-epsilon (k + n_i) / 2)`` over the wrong points and ``B`` that over the other points. Each
    term is at most ``t = e^(-epsilon k / 2)``, with equality except for ``samples - k`` terms. So
    for ``w`` wrong points among ``N`` points, the probability is at most
    ``w t / (1 + max(w, N - 1 - samples + k) t)``, which decreases in ``k``. Another bound, better
    for few points, is ``w`` times the mean of ``e^(-epsilon errors / 2)``, where the errors of a
    wrong answer are binomial with a probability above the accuracy. If all points are wrong, the
    convex function ``A`` is largest if all examples share one point; this case is exact. The ends
    of the enclosure differ by about ``samples / N``.
    """
    check_parameters(accuracy, Fraction(1, 2), epsilon)
    if bits < 1:
        raise DomainError(f"bits must be at least 1, not {bits}")
    if not 1 <= samples <= MAX_SAMPLES:
        raise InstanceTooLargeError(f"samples must be between 1 and {MAX_SAMPLES}, not {samples}")

    def failure(mass: Fraction, wrong: int, most: int) -> Interval:
        found = point_failure_bound(bits, samples, epsilon, mass, wrong, most)
        return found if most < 0 else Interval(found.lower, min(found.upper, most * single))

    # a bound on the probability of any one answer that is too wrong
    powers = arithmetic(epsilon, _FINE)
    with powers.working():
        kept = powers.number(1 - accuracy) + powers.number(accuracy) * powers.exp(Fraction(-1, 2))
        single = powers.result(kept**samples).upper  # type: ignore[union-attr]  # of balls

    # just above the accuracy all points are wrong; below it, as many as share the other mass
    exact = WorstPointFailure(failure(accuracy, -1, -1), accuracy, (1 << bits) - 1)
    width = Fraction(2 * samples, 1 << bits) if bits > _FEW else Fraction(0)
    found = worst_over_masses(bits, accuracy, failure, 1 + max(width, _WIDTH))
    upper = max(found.failure.upper, exact.failure.upper)
    best = exact if exact.failure.lower >= found.failure.lower else found
    return WorstPointFailure(Interval(best.failure.lower, upper), best.mass, best.wrong)


def point_failure_bound(
    bits: int, samples: int, epsilon: Epsilon, mass: Fraction, wrong: int, most: int
) -> Interval:
    """Bound the failure for ``wrong`` to ``most`` wrong points; -1 stands for all points."""
    powers = arithmetic(epsilon, _FINE)
    with powers.working():
        number = powers.number
        others = (1 << bits) - 1
        low, high, one = number(0), number(0), number(1)
        chance = number(1 - mass) ** samples
        odds = number(mass / (1 - mass)) if mass < 1 else number(0)
        weight, step = one, powers.exp(Fraction(-1, 2))
        last = powers.exp(Fraction(-samples, 2))
        for k in range(samples + 1):
            if not k & 1023:
                check_time()
            if mass == 1:
                chance = number(int(k == samples))
            if most < 0:
                among = number(others - 1) * weight + last
                term = chance * among / (one + among)
                low, high = low + term, high + term
            else:
                left = max(others - (samples - k), 0)
                high += chance * (most * weight) / (one + max(most, left) * weight)
                sure = max(wrong - (samples - k), 0)
                low += chance * (sure * weight) / (one + (others - wrong + sure) * weight)
            chance = chance * (samples - k) / (k + 1) * odds
            weight = weight * step
        bounds = powers.result(low), powers.result(high)
        return Interval(max(bounds[0].lower, Fraction(0)), min(bounds[1].upper, Fraction(1)))  # type: ignore[union-attr]  # of balls
