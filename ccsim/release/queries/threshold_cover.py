"""The cover of all thresholds of a long range, from public points."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import field
from itertools import pairwise

import numpy as np

from ccsim.arguments.values import show_value
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.release.queries.covers import Counts, Cover, Floats, Signs


@validated
class ThresholdCover(Cover[int, int]):
    """The thresholds ``x < t`` on ``0 .. last``, given by ``t`` from 0 to ``last + 1``.

    Of the thresholds between two successive public points the middle one is kept, so that ``k``
    distinct public points leave ``k + 1`` concepts and at most ``k + 2`` cells.

    Complexity: sorting, for any range; a release costs as much as there are distinct public points.
    Source: `pap` Algorithm 3 and the example after Definition 2.
    """

    last: int  # the largest possible record, at least 0
    public: tuple[int, ...]  # at least one point of the range
    thresholds: tuple[int, ...] = field(init=False)
    """The thresholds of the cover, in order."""
    _distinct: tuple[int, ...] = field(init=False, repr=False, compare=False)
    _starts: tuple[int, ...] = field(init=False, repr=False, compare=False)
    _below: Counts = field(init=False, repr=False, compare=False)
    """How many cells lie below each threshold of the cover."""

    def __post_init__(self) -> None:
        if self.last < 0:
            raise DomainError(f"last record must be at least 0, not {show_value(self.last)}")
        if not self.public:
            raise DomainError("public sample must have a record")
        for point in self.public:
            self._check(point, "public point")
        distinct = tuple(sorted(set(self.public)))
        # a threshold t puts exactly the points below it on one side: low < t <= high
        middles = tuple(
            (low + high + 1) // 2 for low, high in pairwise((-1, *distinct, self.last + 1))
        )
        starts = tuple(t for t in (0, *(t for t in middles if t)) if t <= self.last)
        object.__setattr__(self, "thresholds", middles)
        object.__setattr__(self, "_distinct", distinct)
        object.__setattr__(self, "_starts", starts)
        below = np.array([bisect_left(starts, t) for t in middles], dtype=np.int64)
        object.__setattr__(self, "_below", below)

    def _check(self, point: int, name: str) -> None:
        if type(point) is not int or not 0 <= point <= self.last:
            raise DomainError(f"{name} must be an integer from 0 to {show_value(self.last)}")

    @property
    def concepts(self) -> int:
        """How many thresholds the cover has."""
        return len(self.thresholds)

    @property
    def cells(self) -> int:
        """How many intervals between its thresholds hold a point."""
        return len(self._starts)

    def cell(self, record: int) -> int:
        """Return the number of the cell of a record."""
        self._check(record, "record")
        return bisect_right(self._starts, record) - 1

    def representative(self, cell: int) -> int:
        """Return the public point of a cell, or its first point if there is none."""
        start = self._starts[cell]
        end = self._starts[cell + 1] if cell + 1 < len(self._starts) else self.last + 1
        at = bisect_left(self._distinct, start)
        return (
            self._distinct[at] if at < len(self._distinct) and self._distinct[at] < end else start
        )

    def project(self, concept: int) -> int:
        """Return the number of the threshold with as many public points below it."""
        if type(concept) is not int or not 0 <= concept <= self.last + 1:
            raise DomainError(
                f"query must be a threshold from 0 to {show_value(self.last + 1)}, "
                f"not {show_value(concept)}"
            )
        return bisect_left(self._distinct, concept)

    def signs(self, number: int) -> Signs:
        """Return the signs of a threshold of the cover: +1 on the cells below it."""
        row = np.full(self.cells, -1, dtype=np.int8)
        row[: self._below[number]] = 1
        return row

    def columns(self, cells: Sequence[int]) -> Signs:
        """Return the signs of all thresholds of the cover on some cells."""
        signs: Signs = np.where(np.array(cells) < self._below[:, None], 1, -1).astype(np.int8)
        return signs

    def sums(self, weights: Floats) -> Floats:
        """Return the sums for all thresholds of the cover, in one pass over the cells."""
        until = np.concatenate([[0.0], np.cumsum(weights)])
        sums: Floats = 2 * until[self._below] - until[-1]
        return sums

    def counts(self, records: Sequence[int]) -> Counts:
        """Return how many of the records each cell holds."""
        ordered = sorted(records)
        for record in records:
            self._check(record, "record")
        ends = [bisect_left(ordered, start) for start in self._starts]
        ends.append(len(ordered))
        return np.array([end - start for start, end in pairwise(ends)], dtype=np.int64)
