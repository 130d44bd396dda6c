"""Learners that add independent noise to a concept, and reconstruction of the concept.

`bbkn` section 5.2: noise hides a point function, but not an initial segment: it is the segment that
disagrees least with the noisy function. So a learner that adds noise to segments gives a proper
learner, and needs as many examples.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Generic, TypeVar

from ccsim.arguments.checked import checked_types
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact import as_fraction
from ccsim.exact.distribution import Distribution
from ccsim.learning.learners.noisy_points import noisy
from ccsim.privacy.constructions import CanonicalMechanism, Mechanism, is_symmetric
from proofs_check.claims.beimel_brenner.constructions.segments import segment

__all__ = [
    "IndependentNoise",
    "nearest_segment",
    "reconstruction_failure",
    "stays_positive",
]

Record = TypeVar("Record")


@validated
class IndependentNoise(CanonicalMechanism[Record, int | None], Generic[Record]):
    """The outer learner of `bbkn` Definition 5.6: it adds noise to the concept of an inner learner.

    Attributes
    ----------
    inner : Mechanism
        Its outcomes are bit masks over points, or None.
    num_points : int
    concepts : tuple of int
        The concept class; other outcomes of the inner learner are replaced by None, "fail".
    noise : Fraction
        Probability with which each value is flipped; must not depend on the database.
    """

    inner: Mechanism[Record, int] | Mechanism[Record, int | None]
    num_points: int
    concepts: tuple[int, ...]
    noise: Fraction

    def __post_init__(self) -> None:
        as_fraction(self.noise, "noise", 0, 1)

    @property
    def records(self) -> tuple[Record, ...]:
        """Records of the inner learner."""
        return self.inner.records

    @property
    def symmetric(self) -> bool:
        """Whether the inner learner is symmetric by construction."""
        return is_symmetric(self.inner)

    def distribution_of(self, database: tuple[Record, ...]) -> Distribution[int | None]:
        """Return the distribution of the noisy hypothesis; None stands for "fail"."""
        return self.inner.distribution(database).then(self._outer)

    def _outer(self, concept: int | None) -> Distribution[int | None]:
        if concept is None or concept not in self.concepts:
            return Distribution[int | None].certain(None)
        return noisy(concept, self.num_points, self.noise)


def nearest_segment(hypothesis: int, size: int) -> int | None:
    """Return the initial segment that disagrees with a function on the fewest points.

    Returns
    -------
    int or None
        Its length; None if two segments disagree on equally few points (step 3 of the
        reconstruction in the proof of `bbkn` Theorem 5.8).

    Examples
    --------
    >>> nearest_segment(0b100111, 6), nearest_segment(0b01, 2), nearest_segment(0b10, 2) is None
    (3, 1, True)
    """
    mismatches = [(hypothesis ^ segment(end)).bit_count() for end in range(size + 1)]
    least = min(mismatches)
    return mismatches.index(least) if mismatches.count(least) == 1 else None


def stays_positive(steps: int, noise: Fraction) -> Fraction:
    """Return the probability that a random walk from 0 is above 0 after each of its steps.

    Each step is -1 with probability ``noise``, otherwise +1.

    Notes
    -----
    By the ballot theorem, a share of ``(u - d) / (u + d)`` of the walks with ``u`` steps up and ``d
    < u`` steps down is always above 0. For an infinite walk, the probability is ``1 - 2 noise``,
    for noise below 1/2.

    Examples
    --------
    >>> [str(stays_positive(n, Fraction(1, 4))) for n in range(4)]
    ['1', '3/4', '9/16', '9/16']
    """
    if steps == 0:
        return Fraction(1)
    up = 1 - noise
    ways = (
        (Fraction(2 * u - steps, steps) * comb(steps, u), u)
        for u in range(steps // 2 + 1, steps + 1)
    )
    return sum((n * up**u * noise ** (steps - u) for n, u in ways), Fraction(0))


@checked_types
def reconstruction_failure(size: int, end: int, noise: Fraction | int | str) -> Fraction:
    """Return the probability that a noisy segment's nearest segment is not the segment itself.

    Parameters
    ----------
    size : int
        Points.
    end : int
        Length of the segment, from 0 to ``size``.
    noise : Fraction, int or str
        Probability with which each value is flipped, independently.

    Notes
    -----
    A longer segment disagrees with the noisy function on no more points exactly if at least half of
    the points between the ends are flipped, that is, if a random walk along these points, with a
    step up on each point that is not flipped, ends at 0 or below. The walks to the right and to the
    left of the end are independent. So the probability is at most ``1 - (1 - 2 noise)^2 <= 4
    noise``; the proof of `bbkn` Theorem 5.8 has ``8 noise``.

    Complexity: ``size`` products of integers of ``size`` digits; thousands of points in seconds.

    Examples
    --------
    >>> reconstruction_failure(3, 1, "1/4")
    Fraction(37, 64)
    """
    flip = as_fraction(noise, "noise", 0, 1)
    if not 0 <= end <= size:
        raise DomainError(f"a segment of {size} points must end between 0 and {size}, not at {end}")
    return 1 - stays_positive(size - end, flip) * stays_positive(end, flip)
