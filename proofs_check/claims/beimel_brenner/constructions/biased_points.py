"""The learners of points that answer with a biased random function (`bbkn` section 4.2)."""

from __future__ import annotations

from fractions import Fraction

from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact.distribution import Distribution
from ccsim.learning.learners.noisy_points import (
    NULL,
    Hypothesis,
    Record,
    SubsampledPoint,
    consistent_point,
    noisy,
)
from ccsim.learning.learners.occam import labelled_examples
from ccsim.privacy.constructions import CanonicalMechanism, Subsampled


@validated
class BiasedConsistentPoint(CanonicalMechanism[Record, Hypothesis]):
    """Algorithm A4 with a truly random function: biased coins, except 1 on the positive point.

    Not private. Attributes are those of `NoisyConsistentPoint`; ``flip``, here above 0, is
    ``accuracy / 4`` in the paper.

    Examples
    --------
    >>> A4 = BiasedConsistentPoint(2, Fraction(1, 4))
    >>> A4.distribution([(0, 1)])[0b01], A4.distribution([(0, 0)])[0b01]
    (Fraction(3, 4), Fraction(3, 16))
    """

    num_points: int
    flip: Fraction

    symmetric = True

    def __post_init__(self) -> None:
        if self.num_points < 1 or not 0 < self.flip <= 1:
            raise DomainError(
                f"points must be at least 1 and flip above 0 and at most 1, not {self.num_points} "
                f"and {self.flip}"
            )

    @property
    def records(self) -> tuple[Record, ...]:
        """All labelled examples, and the null record."""
        return (*labelled_examples(self.num_points), NULL)

    def distribution_of(self, database: tuple[Record, ...]) -> Distribution[Hypothesis]:
        """Return the distribution of the hypothesis, which is 1 on the positive point, if any."""
        center = consistent_point(database, self.num_points)
        if center is None:
            return Distribution.certain(None)
        coins = noisy(0, self.num_points, self.flip).items
        return Distribution.proportional(
            {h: p for h, p in coins if h is not None and h & center == center}
        )


@validated
class SubsampledBiasedPoint(SubsampledPoint):
    """Algorithm A5 with truly random functions: A2 with A4 in place of A1.

    For ``accuracy < 1/2`` it is ``ln(1 + 8 / (4 - accuracy))``-private, as A2 is. ``flip`` is
    ``accuracy / 4`` unless given.

    Examples
    --------
    >>> A5 = SubsampledBiasedPoint(3, Fraction(2, 5))
    >>> A5.distribution([(0, 1)])[None], A5.distribution([(0, 1)])[0b001]
    (Fraction(1, 20), Fraction(29241, 200000))
    """

    @property
    def subsampled(self) -> Subsampled[Record, Hypothesis]:
        """A4 on a random subsample."""
        flip = self.accuracy / 4 if self.flip is None else self.flip
        return Subsampled(BiasedConsistentPoint(self.num_points, flip), self.accuracy / 4, NULL)
