"""Release of a database for all thresholds of a long range, by trees of private medians.

Random low bits are appended to every record to separate equal records.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate, pairwise, product
from math import ceil, comb
from typing import Annotated, Any, Self, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from ccsim.arguments.parameters import Parameter
from ccsim.arguments.values import show_value
from ccsim.budget import check_time
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact import Epsilon
from ccsim.exact.distribution import Distribution, independent, mixture
from ccsim.exact.exponentials import enclose_log
from ccsim.exact.probability import SYSTEM, Randomness, uniform_numbers
from ccsim.exact.steps import StepFunction
from ccsim.learning.sample_size import least_enough
from ccsim.privacy.constructions import CanonicalMechanism, Rows, Setting
from ccsim.privacy.mechanisms.exponential import RangeDistribution, exponential_over_range
from ccsim.privacy.mechanisms.noisy_answers import GeometricNoise, truncated_geometric_distribution
from ccsim.release.sanitizer import Release, max_threshold_error

MAX_LEVELS = 12  # maximum number of levels of the tree over the points

_PRECISION = 128  # bits of the balls in which cuts are drawn

_RARE = 40  # binary logarithm of how rarely the default depth matters

Levels: TypeAlias = Annotated[int, Parameter("Levels of the tree", least=1, most=MAX_LEVELS)]
Bits: TypeAlias = Annotated[int, Parameter("Random low bits appended to each record", least=0)]

_Whole: TypeAlias = npt.NDArray[np.unsignedinteger[Any]]

Cuts = tuple[int, ...]  # points of the range with low bits that split the records evenly, in order

_GROWTH = Fraction(7, 5)
"""Ratio of the epsilons of a level and of the level above it, about the square root of 2."""

CountedCuts = tuple[tuple[int, ...], tuple[int, ...]]
"""Points that split the records, and noisy counts of the parts."""


@validated
class QuantileTree(CanonicalMechanism[int, Cuts]):
    """Split the records into ``2^levels`` parts of similar size by private medians.

    Each record ``x`` becomes ``x 2^bits`` plus random low bits. A median of all records is chosen
    privately, then a median of the records on each side of it, and so on. In a part with ``n``
    records, the quality of a point is ``-|2 rank - n| / 2``, where ``rank`` is the number of
    records below it. Each level uses epsilon ``epsilon / levels``.

    Replacing a record changes the qualities of one part by at most 1, or, if it moves from one part
    to another, those of two parts by at most 1/2. So each level is ``epsilon / levels``-private,
    given all earlier cuts, and the tree is ``epsilon``-private.

    Attributes
    ----------
    last : int
        Largest record; records are ``0 .. last``.
    epsilon : Epsilon
        Privacy parameter epsilon, positive.
    bits : int
        Number of random low bits, at least 0. Of ``m`` equal records, two remain equal with
        probability at most ``C(m, 2) 2^-bits``.
    depth : int, optional
        A number of at least 1. Qualities below ``-depth`` are replaced by ``-depth``, so that most
        records need not be examined. The default depends only on the range. With the default, the
        points of quality ``-depth`` have total probability at most ``2^-40`` if a point of quality
        0 or ``-1/2`` exists.

    Examples
    --------
    >>> tree = QuantileTree(1, Epsilon.of("ln 4"), 1, 0)
    >>> [str(p) for _, p in tree.distribution([0, 0, 1, 1]).items]
    ['1/6', '2/3', '1/6']
    >>> wide = QuantileTree(2**64 - 1, Epsilon.of(1))
    >>> import numpy as np
    >>> cuts = wide.draw([7] * 5000 + [2**63] * 5000, np.random.default_rng(0))
    >>> len(cuts), len(wide.release(cuts)), 7 in wide.release(cuts)
    (15, 32, True)
    """

    last: int
    epsilon: Epsilon
    levels: Levels = 4
    bits: int = 40
    depth: int | None = None

    symmetric = True
    family, is_pure, entries, published = "thresholds", True, "points", "numbers"

    def __post_init__(self) -> None:
        if self.last < 0:
            raise DomainError(f"last record must be at least 0, not {show_value(self.last)}")
        if not self.epsilon.is_positive:
            raise DomainError(f"epsilon must be positive, not {self.epsilon}")
        if self.bits < 0:
            raise DomainError(f"bits must be at least 0, not {self.bits}")
        if self.depth is not None and self.depth < 1:
            raise DomainError(f"depth must be at least 1, not {self.depth}")

    @property
    def privacy(self) -> tuple[Epsilon, Fraction]:
        """Epsilon and delta."""
        return self.epsilon, Fraction(0)

    @classmethod
    def for_task(cls, **given: Setting) -> QuantileTree:
        """Return the sanitizer that ``ccsim sanitize`` runs."""
        names = ("last", "epsilon", "levels")
        return cls(**{name: given[name] for name in names if name in given})

    @classmethod
    def on_class(
        cls,
        num_points: int,
        concepts: Rows,
        epsilon: Epsilon,
        delta: Fraction,
        *,
        levels: Levels = 1,
        bits: Bits = 1,
        **_: Setting,
    ) -> Self:
        """Return the tree over the points of a class, in their order."""
        return cls(num_points - 1, epsilon, levels, bits)

    @classmethod
    def least_records(cls, **given: Setting) -> int:
        """Return a number of records that is proved to suffice for the accuracy and failure."""
        return cls.for_task(**given).sample_size(given["accuracy"], given["failure"])

    def release_records(self, records: Sequence[int], rng: Randomness = SYSTEM) -> Release:
        """Draw a random release of the given records."""
        released = self.release(self.draw(records, rng))
        return Release(
            "database",
            tuple(sorted(Counter(released).items())),
            {"levels": self.levels},
            lambda: max_threshold_error(records, released, self.last),
        )

    @property
    def records(self) -> tuple[int, ...]:
        """The domain as a tuple."""
        return tuple(range(self.last + 1))

    @property
    def least_quality(self) -> int:
        """The depth, or its default."""
        if self.depth is not None:
            return self.depth
        return 1 + ceil(self._rank_error(Fraction(1, 1 << _RARE)))

    def _rank_error(self, failure: Fraction) -> Fraction:
        """Return a bound on the rank error of a median, except with probability ``failure``."""
        log = enclose_log(Fraction(self._end + 1) / failure).upper
        return 2 * self.levels * log / self.epsilon.enclose().lower

    @property
    def _end(self) -> int:
        return self.last + 1 << self.bits

    def distribution_of(self, database: tuple[int, ...]) -> Distribution[Cuts]:
        """Return the distribution of the cuts, for audits on tiny domains."""
        steps = [self] * self.levels
        return mixture(
            (share, _cuts_distribution(part, 0, self._end, steps))
            for share, part in _extensions(database, self.bits)
        )

    def median(
        self, part: Sequence[int], low: int, high: int, precision: int | None = None
    ) -> RangeDistribution:
        """Return the distribution of a median of sorted records, counted from the low end."""
        check_time()
        size, depth = len(part), self.least_quality

        @cache  # two ranks have each quality
        def value(below: int) -> Fraction:
            return Fraction(-below, 2 * self.levels)

        def quality(rank: int) -> Fraction:
            return value(min(abs(2 * rank - size), 2 * depth))

        first, end = max(0, size // 2 - depth - 1), min(size, size // 2 + depth + 2)
        steps: dict[int, Fraction | int] = {0: quality(0)}
        for i in range(first, end):  # of equal records the last one stays
            steps[part[i] + 1 - low] = quality(i + 1)
        if end:
            steps[part[end - 1] + 1 - low] = quality(bisect_right(part, part[end - 1]))
        function = StepFunction.from_steps(steps, high - low)
        return exponential_over_range(function, self.epsilon, precision)

    def draw(self, database: Sequence[int], rng: Randomness = SYSTEM) -> Cuts:
        """Draw the cuts from the exact distribution, over any range."""
        whole = _extended(database, self.last, self.bits, rng)
        return _drawn_cuts(whole, self._end, [self] * self.levels, rng)

    def release(self, cuts: Cuts) -> tuple[int, ...]:
        """Return the synthetic database given by the cuts.

        The database has two records directly below each cut and one at each end of the range. If
        the cuts are exact medians, the value of a threshold between two cuts is then the midpoint
        of its possible values.
        """
        below = (max(0, (cut - 1) >> self.bits) for cut in cuts)
        return (0, *(x for x in below for _ in range(2)), self.last)

    def error_bound(self, records: int, failure: Fraction) -> Fraction:
        """Return a bound on the error of all thresholds, valid with probability ``1 - failure``.

        Each of the ``m`` records is extended by random bits. Unless two extended records are equal,
        a median of quality 0 or ``-1/2`` exists, and each of the ``2^levels - 1`` cuts has a rank
        error of at most ``t + 1/2``, where
        ``t = (2 levels / epsilon) ln((2^levels - 1) R / failure)`` for a range of ``R`` points. An
        error in a cut counts half as much at each lower level. So the error is at most
        ``2^-(levels + 1) + (2 t + 1) / m``.
        """
        if records < 1:
            raise DomainError(f"records must be at least 1, not {show_value(records)}")
        ties = Fraction(comb(records, 2), 1 << self.bits)
        if not ties < failure < 1:
            raise DomainError(
                f"failure must be strictly between {float(ties):.3g} and 1, not {failure}"
            )
        most = self._rank_error((failure - ties) / ((1 << self.levels) - 1))
        if most + 1 > self.least_quality:
            raise DomainError(
                f"failure must be larger for depth {self.least_quality}; increase failure or depth"
            )
        return Fraction(1, 2 << self.levels) + (2 * most + 1) / records

    def sample_size(self, accuracy: Fraction, failure: Fraction) -> int:
        """Return the least number of records for which `error_bound` is at most the accuracy."""
        if accuracy <= Fraction(1, 2 << self.levels):
            raise DomainError(
                f"accuracy must be above 1/{2 << self.levels} for {self.levels} levels, "
                f"not {accuracy}"
            )
        return least_enough(lambda size: self.error_bound(size, failure) <= accuracy, 1)


@validated
class CountedTree(CanonicalMechanism[int, CountedCuts]):
    """Split the records into ``2^levels`` parts by private medians, and count the parts with noise.

    The cuts are those of `QuantileTree`, except that the epsilon of each level is 7/5 of that of
    the level above, because each later level halves the errors of earlier cuts. The count of each
    part is published with two-sided geometric noise of ratio ``r = e^(-counting epsilon / 2)``,
    clamped to ``-m .. 2 m`` for ``m`` records.

    Replacing a record changes two counts by 1, so the counts are ``(counting epsilon)``-private
    given the cuts. The cuts have the remaining epsilon, and the release is ``epsilon``-private.

    Attributes
    ----------
    last : int
        Largest record; records are ``0 .. last``.
    epsilon : Epsilon
        Privacy parameter epsilon, positive.
    bits : int
        Number of random low bits, which separate equal records.
    counting : Fraction
        Share of epsilon for the counts, strictly between 0 and 1.

    Examples
    --------
    >>> tree = CountedTree(2**64 - 1, Epsilon.of(1))
    >>> records = [0] * 1000 + [2**40] * 8000 + [2**64 - 1] * 1000
    >>> import numpy as np
    >>> released = tree.release(tree.draw(records, np.random.default_rng(0)), 10_000)
    >>> from ccsim.release import max_threshold_error
    >>> max_threshold_error(records, released, 2**64 - 1).error <= Fraction(1, 20)
    True
    """

    last: int
    epsilon: Epsilon
    levels: Levels = 6
    bits: int = 24
    counting: Fraction = Fraction(1, 5)

    symmetric = True
    family, is_pure, entries, published = "thresholds", True, "points", "numbers"

    def __post_init__(self) -> None:
        if not 0 < self.counting < 1:
            raise DomainError(
                "share of epsilon for the counts must be strictly between 0 and 1, "
                f"not {self.counting}"
            )
        self._steps()

    @property
    def privacy(self) -> tuple[Epsilon, Fraction]:
        """Epsilon and delta."""
        return self.epsilon, Fraction(0)

    @classmethod
    def for_task(cls, **given: Setting) -> CountedTree:
        """Return the sanitizer that ``ccsim sanitize`` runs."""
        names = ("last", "epsilon", "levels")
        return cls(**{name: given[name] for name in names if name in given})

    @classmethod
    def on_class(
        cls,
        num_points: int,
        concepts: Rows,
        epsilon: Epsilon,
        delta: Fraction,
        *,
        levels: Levels = 1,
        bits: Bits = 1,
        **_: Setting,
    ) -> Self:
        """Return the tree over the points of a class, in their order."""
        return cls(num_points - 1, epsilon, levels, bits)

    @classmethod
    def least_records(cls, **given: Setting) -> int:
        """Return a number of records that is proved to suffice for the accuracy and failure."""
        raise DomainError(
            "no sample size is proved for counted-tree; use quantile-tree for a proved size (in "
            "experiments, 10000 records sufficed for accuracy 1/20)"
        )

    def release_records(self, records: Sequence[int], rng: Randomness = SYSTEM) -> Release:
        """Draw a random release of the given records."""
        released = self.release(self.draw(records, rng), len(records))
        return Release(
            "database",
            tuple(released.items()),
            {"levels": self.levels},
            lambda: max_threshold_error(records, released, self.last),
        )

    def _steps(self) -> list[QuantileTree]:
        """Return the functions that find the medians of each level."""
        weights = [_GROWTH**i for i in range(self.levels)]
        unit = (1 - self.counting) / sum(weights)
        return [QuantileTree(self.last, self.epsilon * (w * unit), 1, self.bits) for w in weights]

    @property
    def records(self) -> tuple[int, ...]:
        """The domain as a tuple."""
        return tuple(range(self.last + 1))

    @property
    def _end(self) -> int:
        return self.last + 1 << self.bits

    def distribution_of(self, database: tuple[int, ...]) -> Distribution[CountedCuts]:
        """Return the distribution of the cuts and counts; for audits on tiny domains."""
        steps, size = self._steps(), len(database)
        ratio = self.epsilon.exp(-self.counting / 2)

        def whole(records: list[int]) -> Distribution[CountedCuts]:
            def counted(cuts: Cuts) -> Distribution[CountedCuts]:
                distributions = [
                    truncated_geometric_distribution(count, ratio, -size, 2 * size)
                    for count in self._counts(records, cuts)
                ]
                return independent(distributions).map(lambda numbers: (cuts, numbers))

            return _cuts_distribution(records, 0, self._end, steps).then(counted)

        return mixture(
            (share, whole(records)) for share, records in _extensions(database, self.bits)
        )

    def _counts(self, records: Sequence[int], cuts: Sequence[int]) -> list[int]:
        places = [0, *(bisect_left(records, cut) for cut in cuts), len(records)]
        return [b - a for a, b in pairwise(places)]

    def draw(self, database: Sequence[int], rng: Randomness = SYSTEM) -> CountedCuts:
        """Draw cuts and counts from the exact distribution, over any range."""
        size = len(database)
        whole = _extended(database, self.last, self.bits, rng)
        inner = _drawn_cuts(whole, self._end, self._steps(), rng)
        noise = GeometricNoise(self.epsilon * (self.counting / 2))
        counts = self._counts(whole, inner)
        return inner, tuple(max(-size, min(count + noise.draw(rng), 2 * size)) for count in counts)

    def release(self, outcome: CountedCuts, size: int) -> dict[int, int]:
        """Return a synthetic database of a given size from cuts and counts, as multiplicities.

        The difference between the size and the sum of the counts is divided evenly among the parts.
        Half of each part is placed at its first point and half at its last point, so that the value
        of a threshold inside the part is the midpoint of its possible values.
        """
        cuts, numbers = outcome
        parts, missing = len(numbers), size - sum(numbers)
        ranks, highest = [0], 0
        for i, rank in enumerate(accumulate(numbers), 1):
            highest = max(highest, min(size, rank + missing * i // parts))
            ranks.append(highest)
        ranks[-1] = size
        places = [0, *cuts, self._end]
        copies: dict[int, int] = {}
        for (first, end), (a, b) in zip(pairwise(places), pairwise(ranks), strict=True):
            for x, times in (
                (min(first >> self.bits, self.last), (b - a + 1) // 2),
                (max(0, end - 1 >> self.bits), (b - a) // 2),
            ):
                if times:
                    copies[x] = copies.get(x, 0) + times
        return dict(sorted(copies.items()))


def _extensions(database: Sequence[int], bits: int) -> Iterator[tuple[Fraction, list[int]]]:
    """Yield the ways to append low bits to records, sorted, with their probabilities."""
    share = Fraction(1, 1 << bits * len(database))
    for low in product(range(1 << bits), repeat=len(database)):
        yield share, sorted((x << bits) + y for x, y in zip(database, low, strict=True))


class _LongRecords(Sequence[int]):
    """Records with low bits, sorted, as two arrays: 10^7 records take 160 MB."""

    def __init__(self, high: _Whole, low: _Whole, bits: int) -> None:
        self._high, self._low, self._bits = high, low, bits

    def __len__(self) -> int:
        return len(self._high)

    @overload
    def __getitem__(self, place: int) -> int: ...
    @overload
    def __getitem__(self, place: slice) -> _LongRecords: ...
    def __getitem__(self, place: int | slice) -> int | _LongRecords:
        high, low = self._high[place], self._low[place]
        if isinstance(place, slice):
            return _LongRecords(high, low, self._bits)
        return (int(high) << self._bits) + int(low)


def _extended(database: Sequence[int], last: int, bits: int, rng: Randomness) -> Sequence[int]:
    """Return records with random low bits, sorted; refuse records outside the range."""
    for number, record in enumerate(database, 1):
        if not 0 <= record <= last:
            raise DomainError(
                f"record {number} must be between 0 and {show_value(last)}, but is not"
            )
    low = uniform_numbers(1 << bits, len(database), rng)
    if max(bits, last.bit_length()) <= 64:
        high = np.fromiter(database, np.min_scalar_type(last), len(database))
        below = np.fromiter(low, np.min_scalar_type((1 << bits) - 1), len(database))
        order = np.lexsort((below, high))
        high = high[order]  # in place of the old array, to spare memory
        below = below[order]
        return _LongRecords(high, below, bits)
    return sorted((x << bits) + y for x, y in zip(database, low, strict=True))


def _cuts_distribution(
    part: list[int], low: int, high: int, steps: Sequence[QuantileTree]
) -> Distribution[Cuts]:
    """Return the distribution of the cuts of sorted records in a part of the range."""
    if not steps:
        return Distribution.certain(())

    def further(cut: int) -> Distribution[Cuts]:
        at = bisect_left(part, cut)
        sides = (
            _cuts_distribution(part[:at], low, cut, steps[1:]),
            _cuts_distribution(part[at:], cut, high, steps[1:]),
        )
        return independent(sides).map(lambda cuts: (*cuts[0], cut, *cuts[1]))

    chosen = steps[0].median(part, low, high)
    points = ((point, p) for first, end, p in chosen.pieces() for point in range(first, end + 1))
    return mixture((p, further(low + point)) for point, p in points)  # type: ignore[misc]


def _drawn_cuts(
    whole: Sequence[int], end: int, steps: Sequence[QuantileTree], rng: Randomness
) -> Cuts:
    """Draw the cuts of sorted records in ``0 .. end - 1``, level by level."""
    cuts = [0, end]
    for step in steps:
        found = []
        for first, last in pairwise(cuts):
            part = whole[bisect_left(whole, first) : bisect_left(whole, last)]
            found.append(first + step.median(part, first, last, _PRECISION).draw(rng))
        cuts = sorted([*cuts, *found])
    return tuple(cuts[1:-1])
