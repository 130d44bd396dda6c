"""Private learners from probabilistic representations, and the private Occam's razor.

A set of hypotheses is drawn with public coins, and the exponential mechanism chooses a hypothesis
according to its number of errors (`bbkn` Theorem 3.2 for a fixed set, `fx` Theorem 6 (=2.5) for
random sets).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations, product
from typing import Annotated

import flint
import numpy as np
import numpy.typing as npt

from ccsim.arguments.checked import checked_types
from ccsim.arguments.parameters import Parameter
from ccsim.arguments.values import show_value
from ccsim.budget import check_time, in_time
from ccsim.classes import ConceptClass
from ccsim.data import frozen, validated
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact import Interval
from ccsim.exact.distribution import Distribution, mixture
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.intervals import ball_interval, ball_of
from ccsim.exact.probability import draw
from ccsim.learning.learner import Bits, Learner, Points, Sample, Target, choose_by_errors
from ccsim.learning.learners.occam import Example, PrivateOccam, labelled_examples
from ccsim.learning.sample_size import agnostic_sample_size, occam_sample_size
from ccsim.privacy.constructions import CanonicalMechanism, Setting
from ccsim.representation import (
    FailureResult,
    HypothesisSet,
    ProbabilisticRepresentation,
    RepresentationResult,
)

# maximum number of examples for an exact failure probability, which takes seconds
MAX_EXAMPLES = 1 << 18
MAX_STEPS = 1 << 24
"""Maximum number of pairs of labelled points times hypotheses in the search for hard targets."""
_PRECISION = 192
_HARDEST = 4
Pattern = tuple[int, int]
_ENTRIES = 1 << 20
"""Number of function values processed at a time: a hundredth of a second, and some megabytes."""


@frozen
class TabledHypothesis:
    """A Boolean function on points ``0 .. num_points - 1``, as a bit mask.

    Attributes
    ----------
    row : int
        Values on the points, as a bit mask.
    num_points : int
        Number of points.
    """

    row: int
    num_points: int

    def predict(self, points: Points) -> Bits:
        """Return the value on each point."""
        return np.asarray(_table([self.row], self.num_points)[0][points], dtype=np.bool_)


@validated
class PublicCoinOccam(CanonicalMechanism[Example, tuple[int, int]]):
    """Draw a set of hypotheses with public coins, then choose one by the exponential mechanism.

    The outcome consists of the index of the set, which is public, and the hypothesis. The mechanism
    is ``epsilon``-private.

    Attributes
    ----------
    representation : ProbabilisticRepresentation
    epsilon : Epsilon

    Examples
    --------
    >>> sets = [HypothesisSet((0, 1), 2), HypothesisSet((2,), 2)]
    >>> R = ProbabilisticRepresentation.mixture([("1/4", sets[0]), ("3/4", sets[1])])
    >>> distribution = PublicCoinOccam(R, Epsilon.of("ln 4")).distribution([(0, 1)])
    >>> distribution[0, 1], distribution[1, 2]
    (Fraction(1, 6), Fraction(3, 4))
    """

    representation: ProbabilisticRepresentation
    epsilon: Epsilon

    symmetric = True

    @property
    def records(self) -> tuple[Example, ...]:
        """All labelled examples."""
        return labelled_examples(self.representation.num_points)

    def distribution_of(self, database: tuple[Example, ...]) -> Distribution[tuple[int, int]]:
        """Return the joint distribution of the index of the set and the hypothesis."""
        R = self.representation
        distributions = (
            PrivateOccam(R.num_points, H.rows, self.epsilon).distribution(database) for H in R.sets
        )
        return mixture(
            (weight, distribution.map(lambda h, r=r: (r, h)))  # type: ignore[misc]
            for r, (weight, distribution) in enumerate(zip(R.weights, distributions, strict=True))
        )


@validated
class RepresentationLearner(Learner):
    """Choose by the exponential mechanism from a set of hypotheses drawn with public coins.

    Points are numbered as in the class. Suppose that for every concept and distribution the drawn
    set contains a hypothesis of error at most ``accuracy / 2``, except with probability ``miss``.
    Then the error of the learner on `sample_size` examples is at most ``accuracy``, except with
    probability ``failure``. An agnostic learner exceeds the error of the best concept by at most
    ``accuracy``, for arbitrary labels.

    Attributes
    ----------
    representation : ProbabilisticRepresentation
    miss : Fraction
        Probability that the drawn set contains no accurate hypothesis, below ``failure``. The
        difference ``failure - miss`` is the failure probability of the choice.

    Notes
    -----
    Rounding: the choice uses doubles; `mechanism` computes the exact distribution.

    Examples
    --------
    >>> from ccsim import points
    >>> quarter = Fraction(1, 4)
    >>> learner = RepresentationLearner.occam(points(2), quarter, quarter, Epsilon.of(1))
    >>> learner.sample_size, learner.hypotheses
    (1115, 4)
    """

    representation: ProbabilisticRepresentation
    miss: Fraction = Fraction(0)
    agnostic: Annotated[bool, Parameter("Agnostic learning")] = False

    def __post_init__(self) -> None:
        Learner.__post_init__(self)
        if not 0 <= self.miss < self.failure:
            raise DomainError(
                f"miss must be at least 0 and below the failure {self.failure}, not {self.miss}"
            )

    @classmethod
    def occam(
        cls,
        concept_class: ConceptClass,
        accuracy: Fraction,
        failure: Fraction,
        epsilon: Epsilon,
        *,
        agnostic: bool = False,
    ) -> RepresentationLearner:
        """Return the learner that chooses from the concepts themselves."""
        H = HypothesisSet.from_rows(concept_class.rows, len(concept_class.points))
        alone = ProbabilisticRepresentation.mixture([(1, H)])
        return cls(accuracy, failure, epsilon, alone, agnostic=agnostic)

    @classmethod
    def of(
        cls,
        proved: FailureResult | RepresentationResult,
        accuracy: Fraction,
        failure: Fraction,
        epsilon: Epsilon,
        *,
        agnostic: bool = False,
    ) -> RepresentationLearner:
        """Return the learner that chooses from a representation with a proved error or failure.

        Parameters
        ----------
        proved : FailureResult or RepresentationResult
            A proved representation, for an error of at most ``accuracy / 2``.
        accuracy, failure, epsilon, agnostic
            As for `RepresentationLearner`.
        """
        if isinstance(proved, RepresentationResult):
            R = ProbabilisticRepresentation.mixture([(1, proved.hypotheses)])
            error, miss = proved.value, Fraction(0)
        else:
            R, error, miss = proved.representation, proved.error, proved.upper
        if error > accuracy / 2:
            raise DomainError(
                f"the error of the representation must be at most {accuracy / 2}, half the "
                f"accuracy, not {error}"
            )
        return cls(accuracy, failure, epsilon, R, miss, agnostic)

    @classmethod
    def for_task(cls, **given: Setting) -> Learner:
        """Return the learner that ``ccsim learn`` runs on a representation; see `of`."""
        asked = (given[name] for name in ("accuracy", "failure", "epsilon"))
        return cls.of(given["proved"], *asked, agnostic=given.get("agnostic", False))

    @property
    def hypotheses(self) -> int:
        """Largest number of hypotheses in a set of the representation."""
        return self.representation.size

    @property
    def sample_size(self) -> int:
        """Number of examples for which the choice fails with probability ``failure - miss``."""
        enough = agnostic_sample_size if self.agnostic else occam_sample_size
        return enough(self.hypotheses, self.epsilon, self.accuracy, self.failure - self.miss)

    @property
    def mechanism(self) -> PublicCoinOccam:
        """The mechanism with the exact distribution, which can be audited on small samples."""
        return PublicCoinOccam(self.representation, self.epsilon)

    def fit(self, sample: Sample, rng: np.random.Generator) -> TabledHypothesis:
        """Learn from the first `sample_size` examples."""
        self.check_sample(sample)
        R = self.representation
        H = R.sets[draw(R.weights, rng)]
        points, labels = take_below(R.num_points, sample, self.sample_size)
        return chosen_row(H.rows, R.num_points, points, labels, self.epsilon, rng)


@validated
class OccamLearner(RepresentationLearner):
    """Choose a concept of any class by the exponential mechanism on its errors.

    The attributes are those of `RepresentationLearner`.

    Examples
    --------
    >>> from ccsim import points
    >>> given = {"accuracy": "1/4", "failure": "1/4", "epsilon": Epsilon.of(1)}
    >>> OccamLearner.for_task(concept_class=points(2), **given).sample_size
    1115
    """

    @classmethod
    def for_task(cls, **given: Setting) -> Learner:
        """Return the learner of a class."""
        asked = (given[name] for name in ("concept_class", "accuracy", "failure", "epsilon"))
        return cls.occam(*asked, agnostic=given.get("agnostic", False))


def take_below(num_points: int, sample: Sample, size: int) -> tuple[Points, Bits]:
    """Return the first examples of a sample, after a check of their points."""
    points, labels = sample.take(np.arange(size))
    if (largest := int(points.max())) >= num_points:
        raise DomainError(f"points of the sample must be below {num_points}, not {largest}")
    return points, labels


def chosen_row(
    rows: Sequence[int],
    num_points: int,
    points: Points,
    labels: Bits,
    epsilon: Epsilon,
    rng: np.random.Generator,
) -> TabledHypothesis:
    """Draw a hypothesis according to the number of its errors on examples."""
    points = points.astype(np.int64)
    ones = np.bincount(points[labels], minlength=num_points)
    zeros = np.bincount(points[~labels], minlength=num_points)
    chosen = choose_by_errors(weighted_values(rows, zeros - ones), epsilon, rng)
    return TabledHypothesis(rows[chosen], num_points)


def _table(rows: Sequence[int], num_points: int) -> Bits:
    """Return the values of functions on all points, one row for each function."""
    size = -(-num_points // 8)
    data = b"".join(row.to_bytes(size, "little") for row in rows)
    packed = np.frombuffer(data, np.uint8).reshape(len(rows), size)
    return np.unpackbits(packed, axis=1, count=num_points, bitorder="little").view(np.bool_)


def weighted_values(rows: Sequence[int], weights: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return, for each function, the sum of the weights of the points on which it is 1."""
    block = max(_ENTRIES // len(weights), 1)
    values = []
    for start in range(0, len(rows), block):
        check_time()
        values.append(_table(rows[start : start + block], len(weights)) @ weights)
    return np.concatenate(values)


@checked_types
def two_point_failure(
    learner: RepresentationLearner, target: Target, samples: int | None = None
) -> Interval:
    """Enclose the failure probability of a learner on a target with two labelled points.

    Parameters
    ----------
    learner : RepresentationLearner
    target : Target
        A target with two labelled points. The learner fails if the error of its hypothesis exceeds
        ``target.best + accuracy``.
    samples : int, optional
        Number of examples; the default is ``learner.sample_size``, which suffices.

    Raises
    ------
    InstanceTooLargeError
        If the sample has more than `MAX_EXAMPLES` examples.

    Notes
    -----
    Complexity: about ``4 learner.sample_size`` operations in interval arithmetic for each type of
    set. Two sets have the same type if, for each set of examples, they contain the same number of
    hypotheses that are wrong exactly on these examples. 20000 examples take a fifth of a second.

    Examples
    --------
    >>> from ccsim import points
    >>> from ccsim.exact import Epsilon
    >>> half = Fraction(1, 2)
    >>> learner = RepresentationLearner.occam(points(1), half, half, Epsilon.of("ln 4"))
    >>> target = Target((0, 1), (Fraction(3, 5), Fraction(2, 5)), (1, 0))
    >>> float(two_point_failure(learner, target).upper) < 1e-20
    True
    >>> few = two_point_failure(learner, target, 9)
    >>> few.lower <= Fraction(1, 1 + 2**9) <= few.upper
    True
    """
    if len(target.points) != 2:
        raise DomainError(f"the target must have 2 examples, not {len(target.points)}")
    n = learner.sample_size if samples is None else samples
    if not 0 <= n <= MAX_EXAMPLES:
        raise InstanceTooLargeError(
            f"two_point_failure is limited to {MAX_EXAMPLES} examples, not {show_value(n)}"
        )
    R, shares = learner.representation, dict[frozenset[tuple[Pattern, int]], Fraction]()
    for weight, H in zip(R.weights, R.sets, strict=True):
        kind = frozenset(_patterns(H, target).items())
        shares[kind] = shares.get(kind, Fraction(0)) + weight
    total = Interval(Fraction(0), Fraction(0))
    for kind, weight in shares.items():
        part = _failure(learner, target, Counter(dict(kind)), n)
        total = Interval(total.lower + weight * part.lower, total.upper + weight * part.upper)
    return Interval(max(total.lower, Fraction(0)), min(total.upper, Fraction(1)))


def hard_two_points(
    learner: RepresentationLearner,
    concept_class: ConceptClass,
    mass: Fraction,
    samples: int | None = None,
) -> tuple[Target, Interval]:
    """Return a target of two points, one of a given mass, on which a learner fails often."""
    R, m = learner.representation, len(concept_class.points)
    steps = len(concept_class) * m * max(m - 1, 0) * sum(H.size for H in R.sets)
    n = learner.sample_size if samples is None else samples
    if steps > MAX_STEPS or n > MAX_EXAMPLES:
        raise InstanceTooLargeError(
            f"the search for two hard points must take at most {MAX_STEPS} steps on at most "
            f"{MAX_EXAMPLES} examples, not {show_value(steps)} steps on {show_value(n)} examples"
        )
    kinds: dict[tuple[frozenset[tuple[Pattern, int]], ...], tuple[Fraction, Target]] = {}
    pairs = product(concept_class.rows, permutations(range(m), 2))
    for row, (x, y) in pairs:
        check_time()
        target = Target((x, y), (mass, 1 - mass), (row >> x & 1, row >> y & 1))
        patterns = [_patterns(H, target) for H in R.sets]
        shares = (Fraction(of[1, 0], H.size) for H, of in zip(R.sets, patterns, strict=True))
        alone = sum((w * s for w, s in zip(R.weights, shares, strict=True)), Fraction(0))
        kinds.setdefault(tuple(frozenset(of.items()) for of in patterns), (alone, target))
    if not kinds:
        raise DomainError(f"{concept_class.name} must have at least one concept and two points")
    hardest = sorted(kinds.values(), key=lambda kind: kind[0], reverse=True)[:_HARDEST]
    found = ((target, two_point_failure(learner, target, n)) for _, target in hardest)
    return max(found, key=lambda pair: pair[1].upper)


def _patterns(H: HypothesisSet, target: Target) -> Counter[Pattern]:
    """Return, for each set of examples, the number of hypotheses that err on exactly this set."""
    (x, y), (a, b) = target.points, target.labels
    return Counter(((h >> x & 1) ^ a, (h >> y & 1) ^ b) for h in H.rows)


def _failure(
    learner: RepresentationLearner, target: Target, patterns: Counter[Pattern], n: int
) -> Interval:
    """Enclose the failure probability, summed over the multiplicity ``j`` of the first example."""
    first, second = target.masses
    allowed = learner.accuracy + target.best
    bad = {(u, v) for u, v in patterns if u * first + v * second > allowed}
    if not bad or len(bad) == len(patterns):
        return Interval(Fraction(bool(bad)), Fraction(bool(bad)))
    with flint.ctx.workprec(_PRECISION):
        step = (-learner.epsilon.ball() / 2).exp()  # by which an error lowers a weight
        p, q, powers = ball_of(first), ball_of(second), [flint.arb(1)]
        for _ in in_time(range(n)):
            powers.append(powers[-1] * step)
        total, chance, zero = flint.arb(0), q**n if second else p**n, flint.arb(0)
        kinds = sorted(patterns, key=bad.__contains__, reverse=True)
        for j in in_time(range(0 if second else n, n + 1)):
            wrong = [u * j + v * (n - j) for u, v in kinds]
            least = min(wrong)
            weights = [patterns[o] * powers[w - least] for o, w in zip(kinds, wrong, strict=True)]
            missed = sum(weights[: len(bad)], zero)
            total += chance * missed / sum(weights[len(bad) :], missed)
            if j < n:
                chance = chance * p / q * (n - j) / (j + 1)
        return ball_interval(total)
