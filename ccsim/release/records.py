"""Records of a long range in order: how many lie where, also if there are millions of each."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import TypeAlias

from ccsim.arguments.values import show_value
from ccsim.data import frozen
from ccsim.errors import DomainError

Records: TypeAlias = Sequence[int] | Mapping[int, int]
"""The records one by one, or how often each value occurs."""


@frozen
class SortedRecords:
    """How many records lie below a point, for all points."""

    values: tuple[int, ...]  # the distinct values, increasing
    # how many records are smaller than each of them, and the number of all records
    below: tuple[int, ...]

    @classmethod
    def of(cls, records: Records, last: int, name: str = "database") -> SortedRecords:
        """Count records of the range ``0 .. last``."""
        if isinstance(records, Mapping):
            for copies in records.values():
                if copies < 0:
                    raise DomainError(f"copies of each record of the {name} must be at least 0")
            counts: Mapping[int, int] = {x: n for x, n in records.items() if n}
        else:
            counts = Counter(records)
        if not counts:
            raise DomainError(f"{name} must have a record")
        values = tuple(sorted(counts))
        for value in (values[0], values[-1]):
            if not 0 <= value <= last:
                raise DomainError(
                    f"records of the {name} must lie from 0 to {show_value(last)}; one does not"
                )
        return cls(values, tuple(accumulate((counts[x] for x in values), initial=0)))

    @property
    def size(self) -> int:
        """The number of records."""
        return self.below[-1]

    def rank(self, point: int) -> int:
        """Return how many records are smaller than a point."""
        return self.below[bisect_left(self.values, point)]

    def inside(self, first: int, last: int) -> int:
        """Return how many records lie from the first to the last point of an interval."""
        return self.rank(last + 1) - self.rank(first)

    def share_below(self, point: int) -> Fraction:
        """Return which share of the records is smaller than a point."""
        return Fraction(self.rank(point), self.size)

    def counts(self) -> dict[int, int]:
        """Return how often each value occurs."""
        ends = zip(self.values, self.below, self.below[1:], strict=False)
        return {value: end - start for value, start, end in ends}
