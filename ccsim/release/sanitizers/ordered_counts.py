"""Counts that SanThresholds asks for: of windows of a length, and of two divisions of a range."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from ccsim.appearance import one_line
from ccsim.arguments.values import show_value
from ccsim.errors import DomainError
from ccsim.release.records import SortedRecords

MAX_LAST = 2**64 - 1
"""The end of the longest range."""


@one_line
@dataclass(frozen=True, slots=True, eq=False)
class OrderedCounts:
    """The records of a part ``[first, last]`` of the range."""

    first: int
    last: int
    values: npt.NDArray[np.uint64]  # the distinct values in it, increasing
    # one longer: the number of records before each value, up to a constant
    below: npt.NDArray[np.int64]

    @classmethod
    def of(cls, records: SortedRecords, last: int) -> OrderedCounts:
        """Return the counts on the whole range ``0 .. last``."""
        if not 0 <= last <= MAX_LAST:
            raise DomainError(f"last record must be from 0 to 2^64 - 1, not {show_value(last)}")
        values = np.array(records.values, np.uint64)
        return cls(0, last, values, np.array(records.below, np.int64))

    @property
    def size(self) -> int:
        """Number of records."""
        return int(self.below[-1] - self.below[0])

    @property
    def log_length(self) -> int:
        """Binary logarithm of the number of points, rounded up."""
        return (self.last - self.first).bit_length()

    def part(self, first: int, last: int) -> OrderedCounts:
        """Return the records of an interval of the part, which may be empty."""
        if first > last:
            return OrderedCounts(first, last, self.values[:0], self.below[:1])
        start = int(np.searchsorted(self.values, np.uint64(first), "left"))
        end = int(np.searchsorted(self.values, np.uint64(last), "right"))
        return OrderedCounts(first, last, self.values[start:end], self.below[start : end + 1])

    def heaviest(self, log: int) -> int:
        """Return ``I(S, log)``: the most records in an interval of at most ``2^log`` points.

        One pass: a heaviest window may be taken to begin at a record.
        """
        if not len(self.values):
            return 0
        room = np.uint64(self.last) - self.values
        ends = self.values + np.minimum(room, np.uint64(min((1 << log) - 1, MAX_LAST)))
        after = np.searchsorted(self.values, ends, "right")
        return int((self.below[after] - self.below[:-1]).max())

    def length_qualities(self, share: Fraction) -> list[Fraction]:
        """Return ``Q(S, j) = min(I(S, j) - share/32, 3 share/32 - I(S, j - 1))`` for all ``j``."""
        most = [0, *(self.heaviest(j) for j in range(self.log_length + 1))]
        return [min(now - share / 32, 3 * share / 32 - before) for before, now in pairwise(most)]

    def divided(self, log: int) -> tuple[list[tuple[int, int]], npt.NDArray[np.int64]]:
        """Return the intervals with records among which step 9 or 10 chooses, with their numbers.

        For ``log`` 0 those are points. Otherwise they have length ``2^(log + 1)`` and begin at the
        start of the range, or ``2^log`` later; the last ones are shorter.
        """
        if log == 0:
            return [(int(x), int(x)) for x in self.values], np.diff(self.below)
        intervals: list[tuple[int, int]] = []
        counts: list[npt.NDArray[np.int64]] = []
        for begin in (self.first, self.first + (1 << log)):
            if begin > self.last:
                continue
            inside = self.part(begin, self.last)
            width = log + 1
            away = inside.values - np.uint64(begin)
            number = away >> np.uint64(width) if width < away.itemsize * 8 else np.zeros_like(away)
            numbers, starts = np.unique(number, return_index=True)
            for n in numbers:
                start = begin + (int(n) << width)
                intervals.append((start, min(start + (1 << width) - 1, self.last)))
            ends = np.append(starts[1:], len(inside.values))
            counts.append(inside.below[ends] - inside.below[starts])
        return intervals, np.concatenate(counts)
