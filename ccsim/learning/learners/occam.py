"""The private Occam's razor: the exponential mechanism over the hypotheses of a representation."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Annotated, Self, TypeAlias

from ccsim.arguments.parameters import Parameter
from ccsim.arguments.renamed import Renamed
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact.distribution import Distribution
from ccsim.exact.epsilon import Epsilon
from ccsim.privacy.constructions import CanonicalMechanism, Rows, Setting
from ccsim.privacy.mechanisms.exponential import ChoiceByScore, ExponentialMechanism

Sensitivity: TypeAlias = Annotated[
    Fraction,
    Parameter("Sensitivity assumed for the noise (true value: 1)", above=0, called="scale"),
]
Example = tuple[int, int]  # a labelled example: number of a point and its label


def labelled_examples(num_points: int) -> tuple[Example, ...]:
    """Return all labelled examples, whether or not a concept of the class has their labels."""
    return tuple(product(range(num_points), (0, 1)))


def empirical_errors(sample: Sequence[Example], hypothesis: int) -> int:
    """Return the number of examples that a hypothesis (a bit mask) labels incorrectly."""
    return sum((hypothesis >> x & 1) != label for x, label in sample)


@validated
class PrivateOccam(ChoiceByScore[Example, int]):
    """Output a hypothesis with probability proportional to ``e^(-epsilon errors / 2)``.

    The mechanism is ``epsilon``-private. If the hypotheses represent a class with error
    ``accuracy / 2``, it learns the class from `ccsim.learning.sample_size.occam_sample_size`
    examples (`bbkn` Theorem 3.2; `fx` Appendix C).

    Attributes
    ----------
    num_points : int
    hypotheses : tuple of int
        Distinct bit masks over the points.
    epsilon : Epsilon

    Examples
    --------
    >>> learner = PrivateOccam(2, (0b01, 0b10), Epsilon.of("ln 4"))
    >>> learner.distribution([(0, 1)]).items
    ((1, Fraction(2, 3)), (2, Fraction(1, 3)))
    """

    num_points: int
    hypotheses: tuple[int, ...]
    epsilon: Epsilon
    sensitivity: Sensitivity = Fraction(1)

    symmetric = True

    def __post_init__(self) -> None:
        for h in self.hypotheses:
            if not 0 <= h < 1 << self.num_points:
                raise DomainError(
                    f"hypotheses must be integers from 0 to 2**{self.num_points} - 1, not {h}"
                )

    @classmethod
    def on_class(
        cls, num_points: int, concepts: Rows, epsilon: Epsilon, delta: Fraction, **given: Setting
    ) -> Self:
        """Return the mechanism that chooses from the concepts of a class."""
        return cls(num_points, concepts, epsilon, **given)

    @property
    def records(self) -> tuple[Example, ...]:
        """All labelled examples."""
        return labelled_examples(self.num_points)

    @property
    def exponential(self) -> ExponentialMechanism:
        """The exponential mechanism that draws the hypothesis."""
        return ExponentialMechanism(
            self.records,
            self.hypotheses,
            lambda sample, h: -empirical_errors(sample, h),
            self.epsilon,
            self.sensitivity,
        )


@validated
class TabledLearner(CanonicalMechanism[Example, int]):
    """A learner given by its output distribution on every multiset of labelled examples."""

    num_points: int
    distributions: tuple[tuple[tuple[Example, ...], Distribution[int]], ...]

    laws = Renamed("distributions")
    symmetric = True

    @property
    def records(self) -> tuple[Example, ...]:
        """All labelled examples."""
        return labelled_examples(self.num_points)

    def distribution_of(self, database: tuple[Example, ...]) -> Distribution[int]:
        """Return the distribution of the hypothesis."""
        return dict(self.distributions)[database]
