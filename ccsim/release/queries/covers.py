"""Covers from public points: one concept for each behaviour on these points, and the cells.

Labels of queries count as ``+1`` (label 1) and ``-1`` (label 0); answers are means, from -1 to 1.
*Cells* are the sets of points that no concept of the cover separates (`pap` Definition 2).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from ccsim.appearance import one_line
from ccsim.arguments.values import show_value
from ccsim.budget import check_time
from ccsim.classes import ConceptClass
from ccsim.data import frozen, validated
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.privacy.neighbours import Domain
from ccsim.texts.labels import Label

MAX_ENTRIES = 1 << 33
"""Maximum number of entries of a cover (concepts times cells), at one bit each."""

Record = TypeVar("Record", bound=Hashable)
Concept = TypeVar("Concept")
Signs: TypeAlias = npt.NDArray[np.int8]
Floats: TypeAlias = npt.NDArray[np.float64]
Counts: TypeAlias = npt.NDArray[np.int64]

_PACKED = 8
_EVERY = 1 << 10

_PATTERNS = 2.0 * np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).T - 1
"""The signs of eight cells for each value of a byte, one column per value."""


@one_line
@dataclass(frozen=True, slots=True, eq=False)
class SignTable:
    """A packed table of signs: eight cells per byte, with the bytes of all concepts adjacent.

    Sums take one look-up per eight signs; 4000 concepts on 65536 cells take a tenth of a second.
    """

    cells: int
    packed: npt.NDArray[np.uint8]  # in row ``j`` the concepts' signs on ``8 j .. 8 j + 7``

    @classmethod
    def of(cls, blocks: Iterable[npt.NDArray[np.generic]]) -> SignTable:
        """Return the table of the given blocks of rows; a row has the signs of one concept."""
        parts, widths = [], set()
        for block in blocks:
            check_time()
            widths.add(block.shape[1])
            parts.append(np.packbits(block > 0, axis=1))  # type: ignore[operator]
        if len(widths) != 1:
            raise DomainError(f"rows of signs must have the same length, not {sorted(widths)}")
        return cls(widths.pop(), np.ascontiguousarray(np.concatenate(parts).T))

    @property
    def concepts(self) -> int:
        """Number of rows."""
        return int(self.packed.shape[1])

    def row(self, concept: int) -> Signs:
        """Return the signs of a concept on all cells."""
        bits = np.unpackbits(self.packed[:, concept])[: self.cells]
        signs: Signs = 2 * bits.astype(np.int8) - 1
        return signs

    def columns(self, cells: Sequence[int]) -> Signs:
        """Return the signs of all concepts, one row each, on the given cells."""
        found = np.empty((self.concepts, len(cells)), dtype=np.int8)
        for i, cell in enumerate(cells):
            bits = self.packed[cell // _PACKED] >> (7 - cell % _PACKED) & 1
            found[:, i] = 2 * bits.astype(np.int8) - 1
        return found

    def sums(self, weights: Floats) -> Floats:
        """Return, for every concept, the sum of signs times weights, exact below ``2^53``."""
        padded = np.zeros(len(self.packed) * _PACKED)
        padded[: self.cells] = weights
        parts = padded.reshape(-1, _PACKED) @ _PATTERNS
        total = np.zeros(self.concepts)
        for number, (part, bytes_) in enumerate(zip(parts, self.packed, strict=True)):
            if number % _EVERY == 0:
                check_time()
            total += part.take(bytes_)
        return total


class Cover(ABC, Generic[Record, Concept]):
    """A family of concepts and its cells, determined by public points without private records."""

    @property
    @abstractmethod
    def public(self) -> tuple[Record, ...]:
        """The public points, at least one."""

    @property
    @abstractmethod
    def kept(self) -> tuple[Concept, ...]:
        """The concepts: one for each behaviour on the public points."""

    @property
    def concepts(self) -> int:
        """Number of concepts."""
        return len(self.kept)

    @property
    @abstractmethod
    def cells(self) -> int:
        """Number of cells that contain a point of the domain."""

    @abstractmethod
    def cell(self, record: Record) -> int:
        """Return the number of the cell of a record."""

    @abstractmethod
    def representative(self, cell: int) -> Record:
        """Return a fixed point of a cell."""

    @abstractmethod
    def project(self, concept: Concept) -> int:
        """Return the number of the concept of the cover that agrees on all public points."""

    @abstractmethod
    def signs(self, number: int) -> Signs:
        """Return the sign, +1 or -1, of a concept of the cover on every cell."""

    @abstractmethod
    def columns(self, cells: Sequence[int]) -> Signs:
        """Return the signs of every concept, one row each, on the given cells."""

    @abstractmethod
    def sums(self, weights: Floats) -> Floats:
        """Return, for every concept of the cover, the sum over all cells of sign times weight."""

    def counts(self, records: Sequence[Record]) -> Counts:
        """Return the number of records in each cell."""
        held = [self.cell(record) for record in records]
        return np.bincount(np.array(held, np.int64), minlength=self.cells).astype(np.int64)

    def behaviours(self) -> Signs:
        """Return the signs of every concept, one row each, on the public points."""
        return self.columns([self.cell(point) for point in self.public])

    def _set(self, **found: object) -> None:
        """Set the fields that are computed from the others."""
        for name, value in found.items():
            object.__setattr__(self, name, value)


class TableCover(Cover[Record, Concept]):
    """A cover whose signs are kept as a table of concepts and cells."""

    table: SignTable

    @property
    def cells(self) -> int:
        """Number of cells."""
        return self.table.cells

    def signs(self, number: int) -> Signs:
        """Return the signs of a kept concept on the cells."""
        return self.table.row(number)

    def columns(self, cells: Sequence[int]) -> Signs:
        """Return the signs of all kept concepts on the given cells."""
        return self.table.columns(cells)

    def sums(self, weights: Floats) -> Floats:
        """Return, for every kept concept, the sum over all cells of sign times weight."""
        return self.table.sums(weights)


@frozen
class ClassCover(TableCover[Label, Label]):
    """The cover of a finite class, by enumeration; the first concept of each behaviour is kept."""

    concept_class: ConceptClass  # with at least one concept and one point
    public: tuple[Label, ...]  # at least one; they may repeat
    kept: tuple[Label, ...] = field(init=False)
    _numbers: dict[Label, int] = field(init=False, repr=False, compare=False)
    _cells: dict[Label, int] = field(init=False, repr=False, compare=False)
    _first: tuple[Label, ...] = field(init=False, repr=False, compare=False)
    table: SignTable = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        known = self.concept_class
        if not known.rows or not known.points:
            raise DomainError("class must have at least one concept and one point")
        if not self.public:
            raise DomainError("public sample must have at least one record, not 0")
        numbers = sorted(set(Domain.of(known.points).numbered(self.public)))
        first: dict[tuple[int, ...], int] = {}
        projections = {}
        for label, row in zip(known.concepts, known.rows, strict=True):
            seen = tuple(row >> x & 1 for x in numbers)
            projections[label] = first.setdefault(seen, len(first))
        number_of = dict[int, int]()
        for i, label in enumerate(known.concepts):
            number_of.setdefault(projections[label], i)
        rows = [known.rows[i] for i in number_of.values()]
        cells: dict[tuple[int, ...], int] = {}
        held = {
            point: cells.setdefault(tuple(row >> x & 1 for row in rows), len(cells))
            for x, point in enumerate(known.points)
        }
        check_cover_size(len(rows), len(cells))
        leading: dict[int, Label] = {}
        for point in known.points:
            leading.setdefault(held[point], point)
        table = np.array(list(cells), dtype=np.int8).T.reshape(len(rows), len(cells))
        self._set(
            kept=tuple(known.concepts[i] for i in number_of.values()),
            _numbers=projections,
            _cells=held,
            _first=tuple(leading.values()),
            table=SignTable.of([table]),
        )

    def cell(self, record: Label) -> int:
        """Return the number of the cell of a point."""
        return _looked_up(self._cells, record, "record must be a point of the class")

    def representative(self, cell: int) -> Label:
        """Return the first point of a cell."""
        return self._first[cell]

    def project(self, concept: Label) -> int:
        """Return the number of the kept concept that agrees on all public points."""
        rule = f"query must be a concept of the class, not {show_value(concept)}"
        return _looked_up(self._numbers, concept, rule)


@validated
class ThresholdCover(Cover[int, int]):
    """The thresholds ``x < t`` on ``0 .. last``, given by ``t`` from 0 to ``last + 1``.

    Of the thresholds between two successive public points, the middle one is kept. So ``k``
    distinct points lead to ``k + 1`` concepts and at most ``k + 2`` cells (`pap` Algorithm 3).
    """

    last: int  # the largest possible record, at least 0
    public: tuple[int, ...]  # at least one point of the range
    kept: tuple[int, ...] = field(init=False)  # the thresholds of the cover, in order
    _distinct: tuple[int, ...] = field(init=False, repr=False, compare=False)
    _starts: tuple[int, ...] = field(init=False, repr=False, compare=False)
    _below: Counts = field(init=False, repr=False, compare=False)  # cells below each threshold

    def __post_init__(self) -> None:
        if self.last < 0:
            raise DomainError(f"last record must be at least 0, not {show_value(self.last)}")
        if not self.public:
            raise DomainError("public sample must have at least one record, not 0")
        for point in self.public:
            self._check(point, "public point")
        distinct = tuple(sorted(set(self.public)))
        # a threshold t puts exactly the points below it on one side: low < t <= high
        middles = tuple(
            (low + high + 1) // 2 for low, high in pairwise((-1, *distinct, self.last + 1))
        )
        starts = tuple(t for t in (0, *(t for t in middles if t)) if t <= self.last)
        below = np.array([bisect_left(starts, t) for t in middles], dtype=np.int64)
        self._set(kept=middles, _distinct=distinct, _starts=starts, _below=below)

    def _check(self, point: int, name: str) -> None:
        if type(point) is not int or not 0 <= point <= self.last:
            raise DomainError(f"{name} must be an integer from 0 to {show_value(self.last)}")

    @property
    def cells(self) -> int:
        """Number of intervals between the thresholds that contain a point."""
        return len(self._starts)

    def cell(self, record: int) -> int:
        """Return the number of the cell of a record."""
        self._check(record, "record")
        return bisect_right(self._starts, record) - 1

    def representative(self, cell: int) -> int:
        """Return the public point of a cell, or its first point if it has no public point."""
        start = self._starts[cell]
        end = self._starts[cell + 1] if cell + 1 < len(self._starts) else self.last + 1
        at = bisect_left(self._distinct, start)
        return (
            self._distinct[at] if at < len(self._distinct) and self._distinct[at] < end else start
        )

    def project(self, concept: int) -> int:
        """Return the number of the kept threshold with as many public points below it."""
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
        """Return the signs of all thresholds of the cover on the given cells."""
        signs: Signs = np.where(np.array(cells) < self._below[:, None], 1, -1).astype(np.int8)
        return signs

    def sums(self, weights: Floats) -> Floats:
        """Return, for every threshold, the sum over all cells of sign times weight, in one pass."""
        until = np.concatenate([[0.0], np.cumsum(weights)])
        sums: Floats = 2 * until[self._below] - until[-1]
        return sums

    def counts(self, records: Sequence[int]) -> Counts:
        """Return the number of records in each cell."""
        ordered = sorted(records)
        for record in records:
            self._check(record, "record")
        ends = [bisect_left(ordered, start) for start in self._starts]
        ends.append(len(ordered))
        return np.array([end - start for start, end in pairwise(ends)], dtype=np.int64)


def _looked_up(numbers: dict[Label, int], label: Any, rule: str) -> int:  # noqa: ANN401
    try:
        return numbers[label]
    except (KeyError, TypeError):
        raise DomainError(rule) from None


def check_cover_size(concepts: int, cells: int) -> None:
    """Refuse a cover whose table would be too large."""
    if concepts * cells > MAX_ENTRIES:
        raise InstanceTooLargeError(
            f"the cover needs {-(-concepts * cells // 8)} bytes ({concepts} concepts times {cells} "
            f"cells), but the limit is {MAX_ENTRIES // 8}; use fewer public points"
        )
