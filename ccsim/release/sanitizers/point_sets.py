"""Shares of all sets of ``k`` points, from those of points (`bns` section 4.2, figure 10)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

from ccsim.arguments.values import show_value
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.law import Law
from ccsim.exact.probability import SYSTEM, Randomness
from ccsim.privacy.mechanism import CanonicalMechanism
from ccsim.release.records import Records, SortedRecords
from ccsim.release.sanitizer import QueryError
from ccsim.release.sanitizers.frequent_points import PointShares, SanPoints


@validated
class PointSets(CanonicalMechanism[int, tuple[int, ...]]):
    """Shares of all sets of ``k`` points: sums of those of SanPoints with accuracy ``alpha / k``.

    The outcome of the law is the sum of the noisy numbers, for every set in order.
    """

    sanitizer: SanPoints  # with ``1 / k`` of the accuracy
    k: int  # from 1 to the number of points

    symmetric = True

    def __post_init__(self) -> None:
        if not 1 <= self.k <= self.sanitizer.last + 1:
            raise DomainError(f"k must be from 1 to the number of points, not {show_value(self.k)}")

    @property
    def records(self) -> tuple[int, ...]:
        """The domain, listed."""
        return self.sanitizer.records

    @property
    def privacy(self) -> tuple[Epsilon, Fraction]:
        """Epsilon and delta of the whole."""
        return self.sanitizer.privacy

    @property
    def parameters(self) -> Mapping[str, Hashable]:
        """What it was made with."""
        return {**self.sanitizer.parameters, "k": self.k}

    def law_of(self, database: tuple[int, ...]) -> Law[tuple[int, ...]]:
        """Return the law of the noisy numbers of all sets, in the order of `combinations`."""

        def sums(outcome: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
            noisy = dict(outcome)
            return tuple(
                sum(noisy.get(x, 0) for x in chosen)
                for chosen in combinations(self.records, self.k)
            )

        return self.sanitizer.law_of(database).map(sums)

    def sanitize(self, records: Records, rng: Randomness = SYSTEM) -> PointShares:
        """Draw the shares of the points; the error is that of the worst set of ``k`` points."""
        single = self.sanitizer.sanitize(records, rng)
        known = SortedRecords.of(records, self.sanitizer.last)
        counts, released = known.counts(), single.released
        named = counts.keys() | released.keys()
        spare = (x for x in range(self.sanitizer.last + 1) if x not in named)
        points = [*sorted(named), *(x for x, _ in zip(spare, range(self.k), strict=False))]
        true = {x: Fraction(counts.get(x, 0), known.size) for x in points}
        shares = {x: released.get(x, Fraction(0)) for x in points}
        by_error = sorted(points, key=lambda x: shares[x] - true[x])
        worst = max(
            (
                QueryError(
                    ",".join(map(str, sorted(chosen))),
                    sum((true[x] for x in chosen), Fraction(0)),
                    sum((shares[x] for x in chosen), Fraction(0)),
                )
                for chosen in (by_error[: self.k], by_error[-self.k :])
            ),
            key=lambda query: query.error,
        )
        return replace(single, accuracy=self.sanitizer.accuracy * self.k, error=worst)
