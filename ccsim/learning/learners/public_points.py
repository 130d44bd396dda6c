"""Label-private and semi-private learners of any class (`bns` section 6).

The points of the first examples, without their labels, reduce a class to one concept for each
labelling of these points. The exponential mechanism chooses one of these concepts on the other
examples.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from fractions import Fraction
from typing import Annotated, Self

import numpy as np

from ccsim.arguments.parameters import Parameter
from ccsim.classes import ConceptClass
from ccsim.data import validated
from ccsim.dimensions import vc_dimension
from ccsim.errors import DomainError, NotDecidedError
from ccsim.exact.distribution import Distribution
from ccsim.exact.epsilon import Epsilon
from ccsim.learning.learner import Learner, Sample
from ccsim.learning.learners.occam import Example, PrivateOccam, Sensitivity, labelled_examples
from ccsim.learning.learners.representation import TabledHypothesis, chosen_row, take_below
from ccsim.learning.sample_size import (
    PublicPointsSizes,
    public_points_sizes,
)
from ccsim.privacy.constructions import CanonicalMechanism, Rows, Setting
from ccsim.privacy.neighbours import RestrictedNeighbours


def realized(concepts: Iterable[int], points: Iterable[int]) -> tuple[int, ...]:
    """Return the first concept with each of the labellings of some points by the class."""
    mask = 0
    for x in points:
        mask |= 1 << x
    first: dict[int, int] = {}
    for row in concepts:
        first.setdefault(row & mask, row)
    return tuple(first.values())


@validated
class PublicPointsOccam(CanonicalMechanism[Example, int]):
    """Reduce a class by public points, then choose a concept by the exponential mechanism.

    The points of the first examples are public. For each labelling of these points, one concept is
    kept. The exponential mechanism chooses among the kept concepts by their errors on the other
    examples. The mechanism is ``epsilon``-private for all labels, and for the points of the other
    examples (`bns` Figure 13 and section 6.2).

    Attributes
    ----------
    num_points : int
    concepts : tuple of int
        Distinct bit masks over the points. Of concepts that agree on the public points, the first
        one is kept.
    epsilon : Epsilon

    Examples
    --------
    >>> learner = PublicPointsOccam(3, (0b000, 0b001, 0b011, 0b111), 1, Epsilon.of("ln 4"))
    >>> learner.distribution([(1, 0), (0, 1), (2, 0)]).items
    ((0, Fraction(1, 3)), (3, Fraction(2, 3)))
    """

    num_points: int
    concepts: tuple[int, ...]
    public: Annotated[
        int, Parameter("Number of leading examples with public points (default 1)", least=1)
    ]
    epsilon: Epsilon
    sensitivity: Sensitivity = Fraction(1)

    def __post_init__(self) -> None:
        if not self.concepts:
            raise DomainError("the class must have at least one concept, not 0")

    @classmethod
    def on_class(
        cls, num_points: int, concepts: Rows, epsilon: Epsilon, delta: Fraction, **given: Setting
    ) -> Self:
        """Return the mechanism for a concept class."""
        public = given.pop("public", 1)
        return cls(num_points, concepts, public, epsilon, **given)

    @property
    def records(self) -> tuple[Example, ...]:
        """All labelled examples."""
        return labelled_examples(self.num_points)

    def choice(self, points: Sequence[int]) -> PrivateOccam:
        """Return the exponential mechanism on the other examples, given the public points."""
        H = realized(self.concepts, points)
        return PrivateOccam(self.num_points, H, self.epsilon, self.sensitivity)

    def distribution_of(self, database: tuple[Example, ...]) -> Distribution[int]:
        """Return the distribution of the hypothesis."""
        if len(database) <= self.public:
            raise DomainError(
                f"sample must have more than {self.public} examples, not {len(database)}"
            )
        points = [x for x, _ in database[: self.public]]
        return self.choice(points).distribution(database[self.public :])


@validated
class LabelPrivateOccam(PublicPointsOccam):
    """Reduce a class by public points, then choose a concept by its errors; labels are private.

    The attributes are those of `PublicPointsOccam`; `neighbours` differ in one label.

    Examples
    --------
    >>> from ccsim import audit
    >>> learner = LabelPrivateOccam(2, (0b00, 0b01, 0b11), 1, Epsilon.of("ln 4"))
    >>> audit(learner, "ln 4", 0, learner.neighbours(2)).verdict
    <Verdict.HOLDS: 'holds'>
    """

    def neighbours(self, size: int) -> RestrictedNeighbours:
        """Return the pairs of samples of a given size that differ in one label."""
        return label_neighbours(self.num_points, size)


@validated
class SemiPrivateOccam(PublicPointsOccam):
    """Reduce a class by public points, then choose a concept by its errors on private examples.

    The attributes are those of `PublicPointsOccam`; `neighbours` differ in one private example.

    Examples
    --------
    >>> from ccsim import audit
    >>> learner = SemiPrivateOccam(2, (0b00, 0b01, 0b11), 1, Epsilon.of("ln 4"))
    >>> audit(learner, "ln 4", 0, learner.neighbours(2)).verdict
    <Verdict.HOLDS: 'holds'>
    """

    def neighbours(self, size: int) -> RestrictedNeighbours:
        """Return the pairs of samples of a given size that differ in one private example."""
        return semi_private_neighbours(size, self.public)


def label_neighbours(num_points: int, size: int) -> RestrictedNeighbours:
    """Return the pairs of samples that differ in one label (`bns` Definition 6.1)."""
    pairs = tuple(((x, 0), (x, 1)) for x in range(num_points))
    return RestrictedNeighbours(size, groups=pairs)


def semi_private_neighbours(size: int, public: int) -> RestrictedNeighbours:
    """Return the pairs of samples that differ in one example after the public ones (`bns` 6.2)."""
    return RestrictedNeighbours(size, public)


@validated
class LabelPrivateLearner(Learner):
    """Learn any class with privacy for the labels only; the points of the examples are public.

    The learner is ``epsilon``-private for the labels only: an observer who knows all points of the
    sample and all labels except one learns little about that label (`bns` Definition 6.1).

    Attributes
    ----------
    concept_class : ConceptClass
        The class to learn, with at least one concept.
    variant : str
        Formula for the numbers of examples: ``counted``, ``corrected`` or ``printed``.
    vc : int
        VC dimension of the class; -1 (the default) if it is to be computed.

    Notes
    -----
    Rounding: the choice uses doubles; `mechanism` computes the exact distribution.

    Examples
    --------
    >>> from ccsim import points
    >>> from ccsim.exact import Epsilon, as_fraction
    >>> tenth = as_fraction("1/10", "accuracy")
    >>> learner = LabelPrivateLearner(tenth, tenth, Epsilon.of(1), points(3))
    >>> learner.sizes, learner.protected
    (PublicPointsSizes(public=7384, total=8270), 'the labels')
    """

    concept_class: ConceptClass
    variant: str = "counted"
    vc: int = field(default=-1)

    def __post_init__(self) -> None:
        Learner.__post_init__(self)
        if not self.concept_class.rows:
            raise DomainError(f"{self.concept_class.name} must have at least one concept, not 0")
        if self.vc < 0:
            found = vc_dimension(self.concept_class)
            if found.value is None:
                raise NotDecidedError(
                    f"the VC dimension of {self.concept_class.name} is undecided; give it as vc"
                )
            object.__setattr__(self, "vc", found.value)
        if self.sizes.total <= self.sizes.public:
            raise DomainError(
                f"the printed formula gives {self.sizes.total} examples in total, which must "
                f"exceed the {self.sizes.public} with public points; choose another variant"
            )

    @property
    def protected(self) -> str:
        """Description of the private part of a sample."""
        return "the labels"

    @property
    def sizes(self) -> PublicPointsSizes:
        """Number of examples whose points are public, and number of all examples."""
        C = self.concept_class
        asked = self.epsilon, self.accuracy, self.failure
        return public_points_sizes(self.vc, len(C.rows), *asked, self.variant)

    @property
    def sample_size(self) -> int:
        """Number of all examples."""
        return self.sizes.total

    @property
    def mechanism(self) -> PublicPointsOccam:
        """The mechanism with the exact distribution, for samples of `sample_size` examples."""
        C = self.concept_class
        return PublicPointsOccam(len(C.points), C.rows, self.sizes.public, self.epsilon)

    def fit(self, sample: Sample, rng: np.random.Generator) -> TabledHypothesis:
        """Learn from the first `sample_size` examples; labels of public points are not read."""
        self.check_sample(sample)
        rows, width = self.concept_class.rows, len(self.concept_class.points)
        sizes = self.sizes
        points, labels = take_below(width, sample, sizes.total)
        hypotheses = realized(rows, np.unique(points[: sizes.public]).tolist())
        points, labels = points[sizes.public :], labels[sizes.public :]
        return chosen_row(hypotheses, width, points, labels, self.epsilon, rng)


@validated
class SemiPrivateLearner(LabelPrivateLearner):
    """Learn any class from private examples, and from the points of a few public examples.

    The learner is ``epsilon``-private for the points and labels of the private examples (`bns`
    section 6.2).

    Examples
    --------
    >>> from ccsim import points
    >>> from ccsim.exact import Epsilon, as_fraction
    >>> tenth = as_fraction("1/10", "accuracy")
    >>> SemiPrivateLearner(tenth, tenth, Epsilon.of(1), points(3)).protected
    'the examples after the first 7384, whose points are public'
    """

    @property
    def protected(self) -> str:
        """Description of the private part of a sample."""
        return f"the examples after the first {self.sizes.public}, whose points are public"
