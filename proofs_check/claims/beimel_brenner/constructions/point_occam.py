"""The exponential mechanism over point functions, whose distribution has few different weights.

`bbkn` Lemma 3.4: all points that do not occur in the sample have the same weight, so that ``m + 1``
weights describe the distribution for ``m`` examples.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact.distribution import Distribution
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.exponentials import Real
from ccsim.learning.learners.occam import Example, empirical_errors, labelled_examples
from ccsim.privacy.constructions import CanonicalMechanism

__all__ = ["PointOccam", "distinct_points"]


def distinct_points(sample: Sequence[Example]) -> int:
    """Return how many points occur in a sample.

    Examples
    --------
    >>> distinct_points([(0, 1), (0, 1), (2, 0)])
    2
    """
    return len({x for x, _ in sample})


@validated
class PointOccam(CanonicalMechanism[Example, int]):
    """The exponential mechanism over point functions, with weights ``e^(-epsilon errors / 2)``.

    Attributes
    ----------
    num_points : int
    epsilon : Epsilon
    seen : callable
        Number of points that have their own weight, `distinct_points` by default. With any other
        number, the mechanism is faulty, and an audit must detect it; `bbkn` prints the number of
        examples.

    Examples
    --------
    >>> sampler = PointOccam(4, Epsilon.of("ln 4"))
    >>> sampler.distribution([(0, 1), (0, 1)]).items[:2]
    ((1, Fraction(4, 7)), (2, Fraction(1, 7)))
    >>> printed = PointOccam(4, Epsilon.of("ln 4"), seen=len)
    >>> printed.distribution([(0, 1), (0, 1)]).items[:2]
    ((1, Fraction(2, 3)), (2, Fraction(1, 9)))
    """

    num_points: int
    epsilon: Epsilon
    seen: Callable[[Sequence[Example]], int] = distinct_points

    symmetric = True

    @property
    def records(self) -> tuple[Example, ...]:
        """All labelled examples."""
        return labelled_examples(self.num_points)

    def weights(self, sample: Sequence[Example]) -> tuple[dict[int, Real], Real]:
        """Return the weight of each point that occurs, and the total weight of all others.

        Raises
        ------
        DomainError
            If `seen` returns more than the number of points.
        """
        occurring = dict.fromkeys(x for x, _ in sample)
        weights = {x: self._weight(empirical_errors(sample, 1 << x)) for x in occurring}
        rest = self.num_points - self.seen(sample)
        if rest < 0:
            raise DomainError(
                f"the function seen must return at most {self.num_points}, the number of points, "
                f"not {self.num_points - rest}"
            )
        return weights, rest * self._weight(sum(y for _, y in sample))

    def _weight(self, errors: int) -> Real:
        return self.epsilon.exp(Fraction(-errors, 2))

    def distribution_of(self, database: tuple[Example, ...]) -> Distribution[int]:
        """Return the output distribution, which is uniform on the points outside the sample."""
        weights, rest = self.weights(database)
        others = [x for x in range(self.num_points) if x not in weights]
        shares = {x: rest * Fraction(1, len(others)) for x in others}
        return Distribution.proportional({1 << x: w for x, w in {**weights, **shares}.items()})


@validated
class WeightedOccam(CanonicalMechanism[Example, int]):
    """The exponential mechanism with a prior weight for each hypothesis.

    It returns a hypothesis with probability proportional to ``weight e^(-epsilon errors / 2)`` and
    is ``epsilon``-private, for all weights. Hypotheses with large weights are returned with high
    probability (`bbkn` section 6).

    Attributes
    ----------
    num_points : int
    hypotheses : tuple of int
        Bit masks over points, distinct.
    weights : tuple of Fraction
        One for each, at least 0 and not all 0.
    epsilon : Epsilon

    Raises
    ------
    DomainError
        If there are not as many weights as hypotheses.

    Examples
    --------
    >>> weights = (Fraction(3), Fraction(1))
    >>> WeightedOccam(2, (0b01, 0b10), weights, Epsilon.of("ln 4")).distribution([(1, 1)]).items
    ((1, Fraction(3, 5)), (2, Fraction(2, 5)))
    """

    num_points: int
    hypotheses: tuple[int, ...]
    weights: tuple[Fraction, ...]
    epsilon: Epsilon

    symmetric = True

    def __post_init__(self) -> None:
        if len(self.weights) != len(self.hypotheses):
            raise DomainError(
                f"there must be one weight for each of {len(self.hypotheses)} hypotheses, "
                f"not {len(self.weights)}"
            )

    @property
    def records(self) -> tuple[Example, ...]:
        """All labelled examples."""
        return labelled_examples(self.num_points)

    def distribution_of(self, database: tuple[Example, ...]) -> Distribution[int]:
        """Return the distribution of the hypothesis."""
        return Distribution.proportional(
            {
                h: self.epsilon.exp(Fraction(-empirical_errors(database, h), 2)) * weight
                for h, weight in zip(self.hypotheses, self.weights, strict=True)
            }
        )
