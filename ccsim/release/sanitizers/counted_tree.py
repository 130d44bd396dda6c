"""A tree of private medians whose parts are counted as well: for records with heavy ties.

A median may fall beside the records that it should part, where the range is long: a cut at the
wrong rank. If the ranks of the cuts are told, such a cut does no harm but to leave a larger part,
and a larger part is off by half of what it has too much.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, pairwise, product

from ccsim.arguments.values import show_value
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact import Epsilon
from ccsim.exact.exponentials import Real
from ccsim.exact.law import Law, independent, mixture
from ccsim.exact.probability import SYSTEM, Randomness, uniform_numbers
from ccsim.privacy.mechanism import CanonicalMechanism
from ccsim.privacy.mechanisms.geometric import GeometricNoise, geometric_tail
from ccsim.release.sanitizers.thresholds import MAX_LEVELS, QuantileTree

_PRECISION = 128
_GROWTH = Fraction(7, 5)
"""How much more epsilon a level has than the one above it, about the square root of 2."""

CountedCuts = tuple[tuple[int, ...], tuple[int, ...]]
"""Points that split the records, and noisy numbers of the records of the parts."""


@validated
class CountedTree(CanonicalMechanism[int, CountedCuts]):
    """Points that split the records into ``2^levels`` parts, with the noisy numbers of records.

    The cuts are those of `QuantileTree`, but the parameter of a level grows by 7/5 from one to the
    next: what a part has too much is halved by each later level. Each part is then counted with
    two-sided geometric noise of ratio ``r = e^(-counting epsilon / 2)``, moved into ``-m .. 2 m``
    for ``m`` records.

    A record that is replaced changes two numbers by 1, so the numbers are ``(counting
    epsilon)``-private given the cuts, the cuts are as those of the tree, and all is
    ``epsilon``-private.
    """

    last: int  # records are ``0 .; last``
    epsilon: Epsilon  # positive
    levels: int = 6  # at least 1
    bits: int = 24  # random low bits, which tell equal records apart
    counting: Fraction = Fraction(1, 5)  # which part of epsilon the numbers have, between 0 and 1

    symmetric = True

    def __post_init__(self) -> None:
        if not 0 < self.counting < 1:
            raise DomainError(f"part of the counts must lie between 0 and 1, not {self.counting}")
        if not 1 <= self.levels <= MAX_LEVELS:
            raise DomainError(f"levels must be from 1 to {MAX_LEVELS}, not {self.levels}")
        self._steps()

    def _steps(self) -> list[QuantileTree]:
        """Return what finds the medians of each level."""
        weights = [_GROWTH**i for i in range(self.levels)]
        unit = (1 - self.counting) / sum(weights)
        return [QuantileTree(self.last, self.epsilon * (w * unit), 1, self.bits) for w in weights]

    @property
    def records(self) -> tuple[int, ...]:
        """The domain, listed."""
        return tuple(range(self.last + 1))

    @property
    def _end(self) -> int:
        return self.last + 1 << self.bits

    def law_of(self, database: tuple[int, ...]) -> Law[CountedCuts]:
        """Return the law of the cuts with the numbers.

        Complexity: ``2^(bits records)`` ways to append low bits, and for each as many cuts and
        numbers as there are; for audits of tiny domains.
        """
        steps, size = self._steps(), len(database)
        ways = product(range(1 << self.bits), repeat=size)
        share = Fraction(1, 1 << self.bits * size)

        def cuts_law(part: list[int], low: int, high: int, level: int) -> Law[tuple[int, ...]]:
            if level == self.levels:
                return Law.certain(())

            def further(cut: int) -> Law[tuple[int, ...]]:
                at = bisect_left(part, cut)
                sides = (
                    cuts_law(part[:at], low, cut, level + 1),
                    cuts_law(part[at:], cut, high, level + 1),
                )
                return independent(sides).map(lambda cuts: (*cuts[0], cut, *cuts[1]))

            chosen = steps[level].median(part, low, high)
            return mixture(
                (p, further(low + point))  # type: ignore[misc]
                for first, end, p in chosen.pieces()
                for point in range(first, end + 1)
            )

        def whole(records: list[int]) -> Law[CountedCuts]:
            def counted(cuts: tuple[int, ...]) -> Law[CountedCuts]:
                laws = [self._noisy(count, size) for count in self._counts(records, cuts)]
                return independent(laws).map(lambda numbers: (cuts, numbers))

            return cuts_law(records, 0, self._end, 0).then(counted)

        longer = (
            sorted((x << self.bits) + y for x, y in zip(database, low, strict=True)) for low in ways
        )
        return mixture((share, whole(records)) for records in longer)

    def _noisy(self, count: int, size: int) -> Law[int]:
        ratio = self.epsilon.exp(-self.counting / 2)
        inner: list[Real] = [
            geometric_tail(ratio, x - count) for x in range(1 - size, 2 * size + 1)
        ]
        tails = [Fraction(1), *inner, Fraction(0)]
        return Law.of({i - size: a - b for i, (a, b) in enumerate(pairwise(tails))})

    def _counts(self, records: Sequence[int], cuts: Sequence[int]) -> list[int]:
        places = [0, *(bisect_left(records, cut) for cut in cuts), len(records)]
        return [b - a for a, b in pairwise(places)]

    def draw(self, database: Sequence[int], rng: Randomness = SYSTEM) -> CountedCuts:
        """Draw cuts and numbers with exactly this law, on any range.

        Complexity: sorting, and some powers of ``e`` for each record near a median.
        """
        for number, record in enumerate(database, 1):
            if not 0 <= record <= self.last:
                raise DomainError(
                    f"records must lie from 0 to {show_value(self.last)}; record {number} does not"
                )
        size = len(database)
        low = uniform_numbers(1 << self.bits, size, rng)
        whole = sorted((x << self.bits) + y for x, y in zip(database, low, strict=True))
        cuts = [0, self._end]
        for step in self._steps():
            found = []
            for first, end in pairwise(cuts):
                part = whole[bisect_left(whole, first) : bisect_left(whole, end)]
                found.append(first + step.median(part, first, end, _PRECISION).draw(rng))
            cuts = sorted([*cuts, *found])
        inner = tuple(cuts[1:-1])
        noise = GeometricNoise(self.epsilon * (self.counting / 2))
        counts = self._counts(whole, inner)
        return inner, tuple(max(-size, min(count + noise.draw(rng), 2 * size)) for count in counts)

    def release(self, outcome: CountedCuts, size: int) -> dict[int, int]:
        """Return a database of a given size that stands for cuts and numbers, as numbers of copies.

        What the numbers miss of the size is divided evenly among the parts; the ranks of the cuts
        are made to increase. Half of a part lies at its first point, half at its last: a threshold
        inside of it has the value in the middle.
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
