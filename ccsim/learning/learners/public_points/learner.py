"""Label-private and semi-private learners of any class (`bns` section 6)."""

from __future__ import annotations

from dataclasses import field

import numpy as np

from ccsim.classes import ConceptClass
from ccsim.data import validated
from ccsim.dimensions import vc_dimension
from ccsim.errors import DomainError, NotDecidedError
from ccsim.learning.learner import Learner
from ccsim.learning.learners.public_points.mechanism import PublicPointsOccam, realized
from ccsim.learning.learners.representation import TabledHypothesis, weighted_values
from ccsim.learning.sample import Sample
from ccsim.learning.sample_size import (
    PublicPointsSizes,
    public_points_sizes,
)


@validated
class LabelPrivateLearner(Learner):
    """Choose among the concepts that the points of the first examples tell apart.

    It is ``epsilon``-private for the labels alone: whoever knows all points of the sample, and all
    labels but one, learns little of that one (`bns` Definition 6.1).

    Attributes
    ----------
    concept_class : ConceptClass
        At least one concept.
    variant : str
        Of the numbers of examples: ``counted``, ``corrected`` or ``printed``; see
        `ccsim.learning.sample_size.public_points_sizes`.
    vc : int
        VC dimension of the class, unless it is -1: it is computed then.

    Notes
    -----
    Rounding: the weights of the choice are doubles; `mechanism` has the exact law.

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
            raise DomainError(f"{self.concept_class.name} must have a concept to be learned")
        if self.vc < 0:
            found = vc_dimension(self.concept_class)
            if found.value is None:
                raise NotDecidedError(
                    f"the VC dimension of {self.concept_class.name} is not decided"
                )
            object.__setattr__(self, "vc", found.value)
        if self.sizes.total <= self.sizes.public:
            raise DomainError(
                f"the printed {self.sizes.total} examples must be more than the "
                f"{self.sizes.public} whose points are public: choose another variant"
            )

    @property
    def protected(self) -> str:
        """What of a sample is private."""
        return "the labels"

    @property
    def sizes(self) -> PublicPointsSizes:
        """Numbers of examples whose points are public, and of all."""
        C = self.concept_class
        asked = self.epsilon, self.accuracy, self.failure
        return public_points_sizes(self.vc, len(C.rows), *asked, self.variant)

    @property
    def sample_size(self) -> int:
        """Number of all examples."""
        return self.sizes.total

    @property
    def mechanism(self) -> PublicPointsOccam:
        """The exact law, for samples of the theorem's size."""
        C = self.concept_class
        return PublicPointsOccam(len(C.points), C.rows, self.sizes.public, self.epsilon)

    def fit(self, sample: Sample, rng: np.random.Generator) -> TabledHypothesis:
        """Learn from the first `sample_size` examples; labels of the first ones are not read."""
        self.check_sample(sample)
        rows, width = self.concept_class.rows, len(self.concept_class.points)
        sizes = self.sizes
        points, labels = sample.take(np.arange(sizes.total))
        if (largest := int(points.max())) >= width:
            raise DomainError(f"points of the sample must be below {width}, not {largest}")
        hypotheses = realized(rows, np.unique(points[: sizes.public]).tolist())
        points, labels = points[sizes.public :].astype(np.int64), labels[sizes.public :]
        ones = np.bincount(points[labels], minlength=width)
        zeros = np.bincount(points[~labels], minlength=width)
        wrong = weighted_values(hypotheses, zeros - ones)
        weights = np.exp(-float(self.epsilon) / 2 * (wrong - wrong.min()))
        chosen = int(rng.choice(len(hypotheses), p=weights / weights.sum()))
        return TabledHypothesis(hypotheses[chosen], width)


@validated
class SemiPrivateLearner(LabelPrivateLearner):
    """The same, where the first points are those of a public database without labels.

    It is ``epsilon``-private for all of the other examples, points and labels (`bns` section 6.2).

    Examples
    --------
    >>> from ccsim import points
    >>> from ccsim.exact import Epsilon, as_fraction
    >>> tenth = as_fraction("1/10", "accuracy")
    >>> SemiPrivateLearner(tenth, tenth, Epsilon.of(1), points(3)).protected
    'the examples behind the first 7384, whose points are public'
    """

    @property
    def protected(self) -> str:
        """What of a sample is private."""
        return f"the examples behind the first {self.sizes.public}, whose points are public"
