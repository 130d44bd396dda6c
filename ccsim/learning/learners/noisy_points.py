"""Exact distributions of improper learners of points of constant sample size (`bbkn` 4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Self, TypeAlias

from ccsim.arguments.parameters import Parameter
from ccsim.data import validated
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact.distribution import Distribution, mixture
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.exponentials import Real
from ccsim.learning.learners.occam import Example, labelled_examples
from ccsim.privacy.constructions import CanonicalMechanism, Rows, Setting, Subsampled

MAX_POINTS = 20  # maximum number of points for the distribution of a noisy concept


def noisy(concept: int, num_points: int, noise: Fraction) -> Distribution[int | None]:
    """Return the distribution of a concept each value of which is flipped independently."""
    if num_points > MAX_POINTS:
        raise InstanceTooLargeError(
            f"functions must have at most {MAX_POINTS} points, not {num_points}"
        )
    weights: dict[int | None, Real] = {}
    for flips in range(1 << num_points):
        n = flips.bit_count()
        weights[concept ^ flips] = noise**n * (1 - noise) ** (num_points - n)
    return Distribution.of(weights)


NULL = None  # the null record, written as a star in the paper

Record: TypeAlias = Example | None
Hypothesis: TypeAlias = int | None
"""Bit mask over points, or None for the answer "inconsistent"."""


def consistent_point(sample: Sequence[Record], num_points: int) -> Hypothesis:
    """Return the hypothesis of the first two steps of A1, before noise."""
    positive = {z[0] for z in sample if z is not None and z[1]}
    negative = {z[0] for z in sample if z is not None and not z[1]}
    if len(positive) > 1 or positive & negative or len(negative) == num_points:
        return None
    return 1 << positive.pop() if positive else 0


@validated
class NoisyConsistentPoint(CanonicalMechanism[Record, Hypothesis]):
    """Return a consistent point function, each value of which is flipped at random. Not private.

    This is algorithm A1 of `bbkn` section 4.2.

    Attributes
    ----------
    num_points : int
        Number of points, at least 1.
    flip : Fraction
        Probability of a flip, between 0 and 1; the paper has ``accuracy / 8``.

    Examples
    --------
    >>> NoisyConsistentPoint(2, Fraction(1, 4)).distribution([(0, 1)])[0b01]
    Fraction(9, 16)
    """

    num_points: int
    flip: Fraction

    symmetric = True

    def __post_init__(self) -> None:
        if self.num_points < 1:
            raise DomainError(f"num_points must be at least 1, not {self.num_points}")
        if not 0 <= self.flip <= 1:
            raise DomainError(f"flip must be between 0 and 1, not {self.flip}")

    @property
    def records(self) -> tuple[Record, ...]:
        """All labelled examples and the null record."""
        return (*labelled_examples(self.num_points), NULL)

    def distribution_of(self, database: tuple[Record, ...]) -> Distribution[Hypothesis]:
        """Return the distribution of the hypothesis, over all ``2**num_points`` functions."""
        center = consistent_point(database, self.num_points)
        if center is None:
            return Distribution.certain(None)
        return noisy(center, self.num_points, self.flip)


@validated
class SubsampledPoint(CanonicalMechanism[Record, Hypothesis]):
    """Learn points from a random subsample by `NoisyConsistentPoint`, or return no answer.

    This is algorithm A2 of `bbkn` section 4.2; the probability of no answer is small. For
    ``accuracy < 1/2`` the learner is ``ln 4``-private, and even ``ln(1 + 8 / (4 -
    accuracy))``-private (`bbkn` Claim 4.3). With ``32 ln 4 / accuracy**2`` examples it fails with
    probability at most 5/8.

    Attributes
    ----------
    num_points : int

    Examples
    --------
    >>> A2 = SubsampledPoint(3, Fraction(2, 5))
    >>> A2.distribution([(0, 1)])[None], A2.distribution([(0, 1)])[0b001]
    (Fraction(1, 20), Fraction(48013, 400000))
    """

    num_points: int
    accuracy: Annotated[Fraction, Parameter("Accuracy of the learner", above=0, below="1/2")] = (
        Fraction(2, 5)
    )
    flip: Annotated[
        Fraction | None,
        Parameter("Probability of a wrong label (default accuracy / 8)", least=0, most=1),
    ] = None

    symmetric = True

    @classmethod
    def on_class(
        cls, num_points: int, concepts: Rows, epsilon: Epsilon, delta: Fraction, **given: Setting
    ) -> Self:
        """Return the mechanism for the class of all point functions."""
        if set(concepts) != {1 << x for x in range(num_points)}:
            raise DomainError(
                "subsampled-point learns only the class of all point functions, such as points:b=2"
            )
        return cls(num_points, **given)

    def __post_init__(self) -> None:
        if not 0 < self.accuracy < Fraction(1, 2):
            raise DomainError(f"accuracy must be strictly between 0 and 1/2, not {self.accuracy}")

    @property
    def subsampled(self) -> Subsampled[Record, Hypothesis]:
        """A1 on a random subsample."""
        flip = self.accuracy / 8 if self.flip is None else self.flip
        return Subsampled(NoisyConsistentPoint(self.num_points, flip), self.accuracy / 4, NULL)

    @property
    def records(self) -> tuple[Record, ...]:
        """All labelled examples and the null record."""
        return self.subsampled.records

    def distribution_of(self, database: tuple[Record, ...]) -> Distribution[Hypothesis]:
        """Return the distribution of the hypothesis; None stands for no answer."""
        nothing, distribution = self.accuracy / 8, self.subsampled.distribution(database)
        return mixture(
            [(nothing, Distribution[Hypothesis].certain(None)), (1 - nothing, distribution)]
        )
