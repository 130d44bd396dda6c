"""The learner of points by A_dist on a small domain, with its exact output distributions."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact.distribution import Distribution
from ccsim.exact.epsilon import Epsilon, arithmetic
from ccsim.exact.exponentials import Real
from ccsim.learning.learners.occam import Example, labelled_examples
from ccsim.privacy.constructions import CanonicalMechanism
from ccsim.privacy.mechanisms.stable_choice import check_stable, release_probability

__all__ = ["ApproximatePoints"]


@validated
class ApproximatePoints(CanonicalMechanism[Example, int]):
    """A_dist on the numbers of positive examples of points; after bottom, a random point function.

    `ccsim.learning.ApproximatePointLearner` draws from these distributions on large domains.

    Attributes
    ----------
    num_points : int
        At least 2.
    epsilon : Epsilon
    delta : Fraction
    variant : str
        Variant of A_dist; see `ccsim.privacy.mechanisms.stable_choice.release_probability`.
    proper : bool
        If False, the answer after bottom is the zero function (`bns` Remark 3.3).
    quiet : bool
        Whether nothing is released if no example is positive. If False, the first point may be
        released, as in `bns`; this is private too, but wrong with probability about delta.

    Examples
    --------
    >>> learner = ApproximatePoints(2, Epsilon.of("ln 4"), Fraction(1, 8))
    >>> learner.distribution([(0, 1), (0, 1), (0, 1)]).items
    ((1, Fraction(5, 8)), (2, Fraction(3, 8)))
    """

    num_points: int
    epsilon: Epsilon
    delta: Fraction
    variant: str = "corrected"
    proper: bool = True
    quiet: bool = True

    symmetric = True

    def __post_init__(self) -> None:
        if self.num_points < 2:
            raise DomainError(f"points must be at least 2, not {self.num_points}")
        check_stable(self.delta, self.epsilon, self.variant)

    @property
    def records(self) -> tuple[Example, ...]:
        """All labelled examples."""
        return labelled_examples(self.num_points)

    def distribution_of(self, database: tuple[Example, ...]) -> Distribution[int]:
        """Return the distribution of the hypothesis, a bit mask."""
        counts = Counter(x for x, label in database if label)
        ranked = sorted(range(self.num_points), key=lambda x: (-counts[x], x))
        released: Real = Fraction(0)
        if counts or not self.quiet:
            lead = counts[ranked[0]] - counts[ranked[1]]
            powers = arithmetic(self.epsilon)
            released = release_probability(lead, self.delta, powers, self.variant)
        distribution: dict[int, Real] = {1 << ranked[0]: released}
        points = range(self.num_points) if self.proper else ()
        answers = [1 << x for x in points] or [0]
        for answer in answers:
            distribution[answer] = distribution.get(answer, Fraction(0)) + (
                1 - released
            ) * Fraction(1, len(answers))
        return Distribution.of(distribution)
