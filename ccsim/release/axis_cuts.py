"""Intervals of few records each, from a sanitizer for thresholds (`bns` section 3.5).

The share of an interval is a difference of the values of two thresholds, so a database that is near
on all thresholds within ``a`` is near on all intervals within ``2 a``.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ccsim.arguments.checked import checked_types
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact import Epsilon
from ccsim.exact.law import Law
from ccsim.exact.probability import SYSTEM, Randomness
from ccsim.learning.learners.rectangles import AxisCuts, RectangleLearner
from ccsim.release.sanitizers.budget import san_thresholds_sample_size
from ccsim.release.sanitizers.thresholds import Cuts, QuantileTree


@validated
class TreeCuts(AxisCuts):
    """The intervals between the cuts of a tree of private medians.

    A cut through equal records starts an interval at their value and one behind it.
    """

    tree: QuantileTree

    @property
    def last(self) -> int:
        """The largest point."""
        return self.tree.last

    @property
    def privacy(self) -> tuple[Epsilon, Fraction]:
        """That of the tree, and no delta."""
        return self.tree.epsilon, Fraction(0)

    def starts_law(self, records: Sequence[int]) -> Law[tuple[int, ...]]:
        """Return the law of the starts."""
        return self.tree.law(records).map(self._starts)

    def draw_starts(self, records: Sequence[int], rng: Randomness = SYSTEM) -> tuple[int, ...]:
        """Draw the starts."""
        return self._starts(self.tree.draw(records, rng))

    def _starts(self, cuts: Cuts) -> tuple[int, ...]:
        low = (1 << self.tree.bits) - 1
        ends = {place for cut in cuts for place in (cut, cut + low)}
        starts = {end >> self.tree.bits for end in ends}
        return tuple(sorted(start for start in starts if 0 < start <= self.last))


@checked_types
def printed_rectangle_size(
    accuracy: Fraction,
    failure: Fraction,
    epsilon: Epsilon,
    delta: Fraction,
    bits: int,
    dimension: int,
) -> int:
    """Return the number of examples that the cuts by SanThresholds ask for on all axes.

    `bns` Theorem 3.22 states no constant. A box has ``2 dimension`` sides, so that an interval may
    hold ``accuracy / (2 dimension)`` of the examples, and a database for thresholds may be off by
    half of that; every axis gets its part of the failure, of delta and of half of the epsilon.
    """
    share = Fraction(1, dimension)
    return san_thresholds_sample_size(
        accuracy * share / 4, failure * share, epsilon * (share / 2), delta * share, bits
    )


@checked_types
def rectangle_learner(
    bits: int,
    dimension: int,
    epsilon: Epsilon,
    levels: int = 6,
    cutting: Fraction = Fraction(3, 4),
) -> RectangleLearner:
    """Return the pure learner of boxes over ``{0 .. 2^bits - 1}^dimension`` with cuts by trees."""
    for name, value in (("bits", bits), ("dimension", dimension)):
        if value < 1:
            raise DomainError(f"{name} must be at least 1, not {value}")
    if not epsilon.is_positive:
        raise DomainError(f"epsilon must be positive, not {epsilon}")
    if not 0 < cutting < 1:
        raise DomainError(f"part of the cuts must lie between 0 and 1, not {cutting}")
    axis = epsilon / dimension
    tree = QuantileTree((1 << bits) - 1, axis * cutting, levels)
    return RectangleLearner(dimension, TreeCuts(tree), axis * (1 - cutting))
