"""A private learner of axis-parallel boxes over long axes (`bns` section 3.5).

A tree of private medians cuts each axis into intervals. A constant, the drift, is subtracted from
the noisy count of positive examples in each interval. A run of intervals is significant if the sum
of these differences is at least a threshold. The box extends from the first to the last significant
run.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import product
from math import ceil
from typing import Annotated

from ccsim.arguments.parameters import Parameter
from ccsim.arguments.values import show_value
from ccsim.data import frozen, validated
from ccsim.errors import DomainError
from ccsim.exact.distribution import Distribution, independent, mixture
from ccsim.exact.epsilon import BallArithmetic, Epsilon
from ccsim.exact.intervals import ball_interval
from ccsim.exact.probability import SYSTEM, Randomness
from ccsim.privacy.constructions import CanonicalMechanism, Setting
from ccsim.privacy.mechanisms.noisy_answers import GeometricNoise, truncated_geometric_distribution
from ccsim.release.sanitizers.budget import san_thresholds_sample_size
from ccsim.release.sanitizers.thresholds import Cuts, QuantileTree

Point = tuple[int, ...]
Example = tuple[Point, int]
Starts = tuple[int, ...]
"""The first points of all intervals of an axis except the first, in increasing order."""
Side = tuple[int, int]
Run = tuple[int, int]  # numbers of the first and the last interval
_PART = Fraction(4, 5)  # exponent of the bound on the noise, as part of its largest


@validated
class TreeCuts:
    """The intervals between the cuts of a tree of private medians."""

    tree: QuantileTree

    @property
    def last(self) -> int:
        """The largest coordinate."""
        return self.tree.last

    @property
    def privacy(self) -> tuple[Epsilon, Fraction]:
        """Epsilon of the tree, and delta 0."""
        return self.tree.epsilon, Fraction(0)

    def starts_distribution(self, records: Sequence[int]) -> Distribution[tuple[int, ...]]:
        """Return the distribution of the first points of the intervals."""
        return self.tree.distribution(records).map(self._starts)

    def draw_starts(self, records: Sequence[int], rng: Randomness = SYSTEM) -> tuple[int, ...]:
        """Draw the first points of the intervals."""
        return self._starts(self.tree.draw(records, rng))

    def _starts(self, cuts: Cuts) -> tuple[int, ...]:
        low = (1 << self.tree.bits) - 1
        ends = {place for cut in cuts for place in (cut, cut + low)}
        starts = {end >> self.tree.bits for end in ends}
        return tuple(sorted(start for start in starts if 0 < start <= self.last))


@frozen
class Rectangle:
    """The function that is 1 on a box.

    Attributes
    ----------
    sides : tuple of Side
        First and last coordinate on each axis; for an empty side, the first exceeds the last.
    """

    sides: tuple[Side, ...]

    def __call__(self, point: Point) -> int:
        """Return the value at a point."""
        inside = (low <= x <= high for x, (low, high) in zip(point, self.sides, strict=True))
        return int(all(inside))

    def error(self, examples: Iterable[Example]) -> Fraction:
        """Return the fraction of examples whose label differs from the value."""
        wrong = [self(point) != label for point, label in examples]
        if not wrong:
            raise DomainError("sample must have at least one example, not 0")
        return Fraction(sum(wrong), len(wrong))


@frozen
class LearnedRectangle:
    """The output of `RectangleLearner`.

    Attributes
    ----------
    concept : Rectangle
        The learned rectangle.
    empirical_error : Fraction
        Error of the concept on the sample. Not private.
    intervals : tuple of int
        Number of intervals of each side.
    epsilon : Epsilon
        Privacy parameter epsilon.
    delta : Fraction
        Privacy parameter delta.
    """

    concept: Rectangle
    empirical_error: Fraction
    intervals: tuple[int, ...]
    epsilon: Epsilon
    delta: Fraction


@validated
class RectangleLearner(CanonicalMechanism[Example, Rectangle]):
    """Cut each axis privately, and learn a box from noisy counts of examples between the cuts.

    The domain is ``{0 .. last}^dimension`` (`bns` Theorem 3.22).

    On each axis, the mechanism `cuts` cuts the range of coordinates into intervals, from the
    coordinates of all examples with any label. The number of positive examples in each interval is
    published with two-sided geometric noise of ratio ``e^(-counting / 2)``, clamped to ``-m .. 2
    m`` for ``m`` examples. From these counts, `rule` finds the side of the box on this axis. If it
    finds none on some axis, the box is empty.

    Replacing an example changes at most two counts of an axis by 1, so the counts are
    ``counting``-private. The epsilon of the learner is ``dimension`` times the sum of ``counting``
    and the epsilon of the cuts; its delta is ``dimension`` times the delta of the cuts.

    Attributes
    ----------
    dimension : int
        Number of axes, at least 1.
    cuts : TreeCuts
        The mechanism that cuts an axis.
    counting : Epsilon
        Epsilon of the counts of an axis, positive.
    failure : Fraction
        Upper bound on the probability of a non-empty box if there are no positive examples,
        strictly between 0 and 1.

    Examples
    --------
    >>> from ccsim.release.rectangles import rectangle_learner
    >>> learner = rectangle_learner(64, 2, Epsilon.of(1))
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> points = [tuple(map(int, p)) for p in rng.integers(2**62, size=(20000, 2))]
    >>> target = Rectangle(((2**60, 2**61), (0, 2**61)))
    >>> learned = learner.learn([(p, target(p)) for p in points], rng)
    >>> learned.empirical_error < Fraction(1, 10), str(learned.epsilon), learned.delta
    (True, '1', Fraction(0, 1))
    """

    dimension: int
    cuts: TreeCuts
    counting: Epsilon
    failure: Fraction = Fraction(1, 20)

    symmetric = True

    family = "boxes"

    def __post_init__(self) -> None:
        if self.dimension < 1:
            raise DomainError(f"dimension must be at least 1, not {self.dimension}")
        self.rule.__post_init__()

    @classmethod
    def for_task(
        cls,
        *,
        samples: Annotated[
            int,
            Parameter("Examples per run; the theorem states no number", least=1),
        ] = 30_000,
        **given: Setting,
    ) -> RectangleLearner:
        """Return the learner that ``ccsim learn`` runs, for ``bits`` and ``dimension``."""
        return rectangle_learner(given["bits"], given["dimension"], given["epsilon"])

    @property
    def rule(self) -> SideRule:
        """The rule that finds the side of the box from the counts of an axis."""
        return SideRule(self.counting, self.failure / self.dimension)

    @property
    def privacy(self) -> tuple[Epsilon, Fraction]:
        """Epsilon and delta of the box."""
        epsilon, delta = self.cuts.privacy
        return (epsilon + self.counting) * self.dimension, delta * self.dimension

    @property
    def records(self) -> tuple[Example, ...]:
        """All labelled points."""
        axis = range(self.cuts.last + 1)
        return tuple((p, label) for p in product(axis, repeat=self.dimension) for label in (0, 1))

    def distribution_of(self, database: tuple[Example, ...]) -> Distribution[Rectangle]:
        """Return the exact distribution of the box, by enumeration of all cuts and counts."""
        axes = (self._side_distribution(database, axis) for axis in range(self.dimension))
        return independent(axes).map(self._box)

    def _box(self, sides: tuple[Side | None, ...]) -> Rectangle:
        """Return the box with the given sides; all empty boxes are equal."""
        found = tuple(side for side in sides if side is not None)
        return Rectangle(found if len(found) == len(sides) else ((1, 0),) * len(sides))

    def _side_distribution(
        self, database: tuple[Example, ...], axis: int
    ) -> Distribution[Side | None]:
        ratio, size = self.counting.exp(Fraction(-1, 2)), len(database)
        noisy = [
            truncated_geometric_distribution(count, ratio, -size, 2 * size)
            for count in range(size + 1)
        ]

        def side(starts: Starts) -> Distribution[Side | None]:
            counts = self._counts(database, axis, starts)
            return independent(noisy[count] for count in counts).map(
                lambda seen: self._side(starts, seen)
            )

        starts = self.cuts.starts_distribution([point[axis] for point, _ in database])
        return mixture((p, side(cut)) for cut, p in starts.items)

    def _side(self, starts: Starts, counts: Sequence[int]) -> Side | None:
        """Return the side of the box for noisy counts."""
        run = self.rule.run(counts)
        if run is None:
            return None
        return (0, *starts)[run[0]], (*(start - 1 for start in starts), self.cuts.last)[run[1]]

    def _counts(self, examples: Sequence[Example], axis: int, starts: Starts) -> list[int]:
        """Return the number of positive examples in each interval."""
        counts = [0] * (len(starts) + 1)
        for point, label in examples:
            counts[bisect_right(starts, point[axis])] += label
        return counts

    def learn(self, examples: Iterable[Example], rng: Randomness = SYSTEM) -> LearnedRectangle:
        """Draw a box from the exact distribution, over axes of any length."""
        listed = list(examples)
        self._check(listed)
        size, noise = len(listed), GeometricNoise(self.counting / 2)
        sides, intervals = [], []
        for axis in range(self.dimension):
            starts = self.cuts.draw_starts([point[axis] for point, _ in listed], rng)
            seen = [
                max(-size, min(count + noise.draw(rng), 2 * size))
                for count in self._counts(listed, axis, starts)
            ]
            sides.append(self._side(starts, seen))
            intervals.append(len(seen))
        box = self._box(tuple(sides))
        return LearnedRectangle(box, box.error(listed), tuple(intervals), *self.privacy)

    def _check(self, examples: Sequence[Example]) -> None:
        if not examples:
            raise DomainError("sample must have at least one example, not 0")
        last = self.cuts.last
        for number, (point, label) in enumerate(examples, 1):
            if len(point) != self.dimension:
                raise DomainError(
                    f"points must have {self.dimension} coordinates, not {len(point)}"
                )
            for x in point:
                if not 0 <= x <= last:
                    raise DomainError(
                        f"example {number}: the coordinates must be between 0 and "
                        f"{show_value(last)}"
                    )
            if label not in (0, 1):
                raise DomainError(f"example {number}: the label must be 0 or 1")


def printed_rectangle_size(
    accuracy: Fraction,
    failure: Fraction,
    epsilon: Epsilon,
    delta: Fraction,
    bits: int,
    dimension: int,
) -> int:
    """Return the sample size for cuts by SanThresholds (`bns` Theorem 3.22, with a constant)."""
    share = Fraction(1, dimension)
    return san_thresholds_sample_size(
        accuracy * share / 4, failure * share, epsilon * (share / 2), delta * share, bits
    )


def rectangle_learner(
    bits: int, dimension: int, epsilon: Epsilon, levels: int = 6, cutting: Fraction = Fraction(3, 4)
) -> RectangleLearner:
    """Return the pure learner of boxes over ``{0 .. 2^bits - 1}^dimension`` with tree cuts."""
    for name, value in (("bits", bits), ("dimension", dimension)):
        if value < 1:
            raise DomainError(f"{name} must be at least 1, not {value}")
    if not epsilon.is_positive:
        raise DomainError(f"epsilon must be positive, not {epsilon}")
    if not 0 < cutting < 1:
        raise DomainError(
            f"share of epsilon for the cuts must be strictly between 0 and 1, not {cutting}"
        )
    axis = epsilon / dimension
    tree = QuantileTree((1 << bits) - 1, axis * cutting, levels)
    return RectangleLearner(dimension, TreeCuts(tree), axis * (1 - cutting))


@validated
class SideRule:
    """A rule that finds a side of a box from noisy counts of intervals.

    It subtracts a constant, the *drift*, from each count, and looks for runs of intervals whose
    counts have a large sum.

    Attributes
    ----------
    epsilon : Epsilon
        Privacy parameter of the noisy counts, positive.
    failure : Fraction
        Allowed failure probability for a side, strictly between 0 and 1.

    Proof: noise ``Z`` of ratio ``r = e^(-epsilon / 2)`` has ``E e^(theta Z) = (1 - r)^2 / ((1 - r
    e^theta) (1 - r e^-theta))``. The drift is the least integer with
    ``E e^(theta (Z - drift)) <= 1`` at ``theta = 2 epsilon / 5``. For intervals without positive
    examples, let ``S`` be the sum of the noisy counts minus the drift, from one interval on. Then
    ``e^(theta S)`` is a supermartingale, and ``S`` reaches the level ``ln(intervals / failure) /
    theta`` with probability at most ``failure / intervals``. Hence a side without positive examples
    is non-empty with probability at most ``failure``, for any number of intervals.
    """

    epsilon: Epsilon
    failure: Fraction

    def __post_init__(self) -> None:
        if not self.epsilon.is_positive:
            raise DomainError(f"epsilon of the counts must be positive, not {self.epsilon}")
        if not 0 < self.failure < 1:
            raise DomainError(f"failure must be strictly between 0 and 1, not {self.failure}")

    @property
    def drift(self) -> int:
        """The drift, which is subtracted from every count; at least 1."""
        balls = BallArithmetic(self.epsilon)
        with balls.working():
            r, up = balls.exp(Fraction(-1, 2)), balls.exp(_PART / 2)
            mean = (1 - r) ** 2 / ((1 - r * up) * (1 - r / up))
            return max(1, ceil(ball_interval(mean.log() / up.log()).upper))

    def level(self, intervals: int) -> int:
        """Return the least sum of (count - `drift`) for which a run of intervals is significant."""
        balls = BallArithmetic(self.epsilon)
        with balls.working():
            log = balls.number(intervals / self.failure).log()
            return ceil(ball_interval(log / balls.exp(_PART / 2).log()).upper)

    def run(self, counts: Sequence[int]) -> Run | None:
        """Return the first and the last interval of a side; None if there is none.

        The side extends from the first to the last significant run; an end interval with less than
        half the average count is omitted.
        """
        drift, level = self.drift, self.level(len(counts))
        surplus = [count - drift for count in counts]
        first, last = _start(surplus, level), _start(surplus[::-1], level)
        if first is None or last is None:
            return None
        last = len(counts) - 1 - last
        total, size = sum(counts[first : last + 1]), last + 1 - first
        low = first + (2 * counts[first] * size < total)
        high = last - (2 * counts[last] * size < total)
        return (low, high) if low <= high else (first, last)


def _start(surplus: Sequence[int], level: int) -> int | None:
    """Return the start of the first run of positive partial sums that reach a level, or None."""
    start = total = 0
    for i, value in enumerate(surplus):
        if total <= 0:
            start, total = i, 0
        total += value
        if total >= level:
            return start
    return None
