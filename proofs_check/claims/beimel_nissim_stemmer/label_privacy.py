"""Section 6: label-private and semi-private learners."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import product

from ccsim.exact import Distribution, Epsilon, Interval
from ccsim.exact.exponentials import Real, rational
from ccsim.learning.learners.occam import Example
from ccsim.learning.learners.public_points import (
    PublicPointsOccam,
    label_neighbours,
    semi_private_neighbours,
)
from ccsim.learning.sample_size import (
    public_points_sizes,
)
from ccsim.privacy import audit
from ccsim.privacy.constructions import CanonicalMechanism
from ccsim.privacy.neighbours import RestrictedNeighbours
from proofs_check.claims.claim import Kind, Verdict, claim
from proofs_check.claims.decision import Decision, all_of, at_most, holds
from proofs_check.claims.evidence import recheck
from proofs_check.claims.grid import table
from proofs_check.claims.variants import near, plus, times

CLASSES = {
    "points": (2, (0b01, 0b10)),
    "thresholds": (2, (0b00, 0b01, 0b11)),
    "functions": (2, (0b00, 0b01, 0b10, 0b11)),
    "three": (3, (0b001, 0b010, 0b100)),
}
ONE = Epsilon.of(1)
Related = Callable[[int, int], RestrictedNeighbours]


@dataclass(frozen=True, slots=True)
class _FixedPoints(CanonicalMechanism[int, int]):
    """The algorithm A(S_x, .), whose database consists of the labels only."""

    learner: PublicPointsOccam
    points: tuple[int, ...]

    @property
    def records(self) -> tuple[int, int]:
        return 0, 1

    def distribution_of(self, database: tuple[int, ...]) -> Distribution[int]:
        return self.learner.distribution(tuple(zip(self.points, database, strict=True)))


def _learner(name: str, public: int, factor: str = "4") -> PublicPointsOccam:
    return PublicPointsOccam(*CLASSES[name], public, Epsilon.of(f"ln({factor})"))


@cache
def _least_factor(learner: PublicPointsOccam, neighbours: RestrictedNeighbours) -> Real | None:
    return recheck(audit(learner, learner.epsilon, 0, neighbours)).factor


def _within(factor: Real | None, bound: Fraction) -> Decision:
    if factor is None:
        return holds(factor is not None, "no e^eps is enough")
    return at_most(factor, bound)


@claim(
    "bns/def-6.1",
    "Definition 6.1",
    "Label privacy",
    Kind.DEFINITION,
    over=table("name public examples", ("points", 1, 3), ("thresholds", 1, 3), ("functions", 2, 3)),
    near=near(
        "The statement if points may change too.",
        related=lambda _, size: RestrictedNeighbours(size),
    ),
)
def label_privacy(
    name: str, public: int, examples: int, *, related: Related = label_neighbours
) -> Decision:
    """A learner is eps-label-private if for all points S_x the algorithm A(S_x, .), whose database
    consists of the labels, is eps-private. Equivalently, it is eps-private for samples that differ
    in one label. Both least values of e^eps are compared, on all samples.
    """
    learner = _learner(name, public)
    found = _least_factor(learner, related(learner.num_points, examples))
    fixed = (
        recheck(audit(_FixedPoints(learner, points), learner.epsilon, 0, examples)).factor
        for points in product(range(learner.num_points), repeat=examples)
    )
    least = max(factor for factor in fixed if factor is not None)
    return holds(found == least, f"{least}, over all points one after another")


@dataclass(frozen=True, slots=True)
class _ReadsLabels(PublicPointsOccam):
    """A variant of the learner that keeps only the concepts consistent with the first examples."""

    def distribution_of(self, database: tuple[Example, ...]) -> Distribution[int]:
        first = database[: self.public]
        agree = tuple(c for c in self.concepts if all(c >> x & 1 == y for x, y in first))
        learner = _plain(self, agree or self.concepts)
        return learner.distribution(database)


def _plain(learner: PublicPointsOccam, concepts: tuple[int, ...]) -> PublicPointsOccam:
    fields = learner.public, learner.epsilon, learner.sensitivity
    return PublicPointsOccam(learner.num_points, concepts, *fields)


def _as_stated(learner: PublicPointsOccam) -> PublicPointsOccam:
    return learner


def _reading(learner: PublicPointsOccam) -> PublicPointsOccam:
    fields = learner.public, learner.epsilon, learner.sensitivity
    return _ReadsLabels(learner.num_points, learner.concepts, *fields)


def _louder(learner: PublicPointsOccam) -> PublicPointsOccam:
    return replace(learner, sensitivity=Fraction(1, 2))


@claim(
    "bns/alg-label-printed",
    "Figure 13, as printed",
    "The label-private learner works for every epsilon",
    Kind.ERRATUM,
    over=table("alpha beta power", ("2/5", "1/10", 200), ("9/20", "1/2", 300)),
    near=near("The statement if eps > 1 is replaced by 1.", capped=True),
    recorded=Verdict.FAILS,
    survives="yes: Theorem 6.2 treats eps as a constant; an eps above 1 can be replaced by 1",
)
def printed_learner(alpha: str, beta: str, power: int, *, capped: bool = False) -> Decision:
    """With m = (768/(alpha^2 eps)) (VC ln(64/alpha) + 2 ln(8/beta)) examples, of which only the
    points of the first (32/alpha) (VC ln(64/alpha) + ln(8/beta)) are used, the learner of Figure 13
    has error above alpha with probability at most beta, for every eps. But m decreases as eps
    grows, and the second number does not. So from eps = 48/alpha on, at the latest, no example with
    a used label remains, and the output is uniform among the candidates. Refuted for the class of
    all functions on two points, under the uniform distribution, at eps = power ln 2.
    """
    accuracy, failure = Fraction(alpha), Fraction(beta)
    epsilon = Epsilon(Fraction(0), Fraction(2**power))
    counted = ONE if capped else epsilon
    sizes = public_points_sizes(2, 4, counted, accuracy, failure, "printed")
    left = max(sizes.total - sizes.public, 0)
    unseen = Fraction(2, 2 ** min(sizes.public, sizes.total, 99))
    if not left:
        lower, upper = Fraction(3, 4) * (1 - unseen), Fraction(1)
    else:  # the mean of the sum of the weights of the three wrong functions
        weight = rational(epsilon.exp(Fraction(-1, 2)))
        lower, upper = Fraction(0), 2 * ((1 + weight) / 2) ** min(left, 99) + weight + unseen
    detail = f"{sizes.public} points of {sizes.total} examples, {left} left"
    return at_most(Interval(lower, upper), failure, detail, trivial=1)


@claim(
    "bns/alg-label",
    "Figure 13",
    "Label-private learner",
    Kind.LEMMA,
    over=table(
        "name public examples",
        ("points", 1, 4),
        ("thresholds", 1, 3),
        ("functions", 2, 3),
    ).medium(("thresholds", 1, 4), ("functions", 2, 4), ("three", 1, 3)),
    near=[
        near("The learner is private with 7/10 of e^eps.", share=times(Fraction(7, 10))),
        near("The candidates are the concepts with the labels of S1.", variant=_reading),
        near("The exponential mechanism uses half the sensitivity.", variant=_louder),
        near(
            "The statement if points may change too.",
            related=lambda _, size: RestrictedNeighbours(size),
        ),
    ],
    uses=["bns/def-6.1", "bns/prop-2.25"],
    corrects="bns/alg-label-printed",
)
def label_private_learner(
    name: str,
    public: int,
    examples: int,
    *,
    share: Fraction = Fraction(1),
    variant: Callable[[PublicPointsOccam], PublicPointsOccam] = _as_stated,
    related: Related = label_neighbours,
) -> Decision:
    """The candidates of the learner are one concept for each labelling of the points of S1 by the
    class. The exponential mechanism chooses a candidate by its agreement with S2. The learner is
    eps-label-private for all sizes (if the figure requires too few examples, eps is replaced by 1).
    Checked at e^eps = 4, on all samples.
    """
    learner = variant(_learner(name, public))
    found = _least_factor(learner, related(learner.num_points, examples))
    return _within(found, 4 * share)


@claim(
    "bns/sec-6.2",
    "section 6.2",
    "Semi-private learning",
    Kind.LEMMA,
    over=table(
        "name public examples",
        ("points", 1, 4),
        ("thresholds", 1, 3),
        ("functions", 2, 3),
    ).medium(("thresholds", 1, 4), ("functions", 2, 4), ("three", 1, 3)),
    near=[
        near("The learner is private with 7/10 of e^eps.", share=times(Fraction(7, 10))),
        near("The statement if the points of S1 may change too.", known=plus(-1)),
        near("The candidates are the concepts with the labels of S1.", variant=_reading),
    ],
    uses=["bns/alg-label"],
)
def semi_privacy(
    name: str,
    public: int,
    examples: int,
    *,
    share: Fraction = Fraction(1),
    known: Callable[[int], int] = lambda public: public,
    variant: Callable[[PublicPointsOccam], PublicPointsOccam] = _as_stated,
) -> Decision:
    """The labels of S1 are not used, so a public database without labels can take its place; and
    given this database, the learner is eps-private for the labels and points of S2. Checked at
    e^eps = 4, on all samples; with each public database, the learner is the exponential mechanism
    over one concept for each labelling of its points."""
    learner = variant(_learner(name, public))
    neighbours = semi_private_neighbours(examples, known(public))

    def cases() -> Iterator[tuple[object, Decision]]:
        yield "privacy", _within(_least_factor(learner, neighbours), 4 * share)
        for sample in product(learner.records, repeat=public + 1):
            points = [x for x, _ in sample[:public]]
            one = learner.choice(points).distribution(sample[public:])
            yield (
                sample,
                holds(learner.distribution(sample) == one, "the distribution without labels of S1"),
            )

    return all_of(cases())
