"""Covers from public points: one concept for each behaviour on them, and the cells they leave.

A query is a concept whose labels count as ``+1`` (label 1) and ``-1`` (label 0); its answer is the
mean over the records, from -1 to 1. A cover keeps one concept for each way in which the class
labels the public points (`pap` Algorithm 3), and the domain falls into *cells*, the points that no
concept of the cover tells apart (`pap` Definition 2). What a release costs depends on the numbers
of concepts and of cells, never on the size of the domain.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import field
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from ccsim.arguments.values import show_value
from ccsim.classes import ConceptClass
from ccsim.data import frozen
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.privacy.neighbours import Domain
from ccsim.release.queries.sign_table import SignTable
from ccsim.texts.labels import Label

MAX_ENTRIES = 1 << 33
"""Most entries, concepts times cells, of a cover that is kept as a table: one bit each."""

Record = TypeVar("Record", bound=Hashable)
Concept = TypeVar("Concept")
Signs: TypeAlias = npt.NDArray[np.int8]
Floats: TypeAlias = npt.NDArray[np.float64]
Counts: TypeAlias = npt.NDArray[np.int64]


class Cover(ABC, Generic[Record, Concept]):
    """A family of concepts that public points choose, with its cells.

    Subclasses are frozen data classes. They must not look at private records: then whatever is
    private on the counts of the cells is private on the records, for every public sample.
    """

    @property
    @abstractmethod
    def public(self) -> tuple[Record, ...]:
        """The public points, at least one."""

    @property
    @abstractmethod
    def concepts(self) -> int:
        """How many concepts there are: one for each behaviour on the public points."""

    @property
    @abstractmethod
    def cells(self) -> int:
        """How many cells hold a point of the domain."""

    @abstractmethod
    def cell(self, record: Record) -> int:
        """Return the number of the cell of a record."""

    @abstractmethod
    def representative(self, cell: int) -> Record:
        """Return a point of a cell, always the same."""

    @abstractmethod
    def project(self, concept: Concept) -> int:
        """Return the number of the concept of the cover that agrees on all public points."""

    @abstractmethod
    def signs(self, number: int) -> Signs:
        """Return the sign, +1 or -1, of a concept of the cover on every cell."""

    def sums(self, weights: Floats) -> Floats:
        """Return the sum of signs times weights over all cells, for every concept of the cover.

        The answers are these sums for weights of sum 1. They are exact where the weights are
        integers whose absolute values sum to less than ``2^53``.
        """
        return np.array([self.signs(k) @ weights for k in range(self.concepts)], dtype=np.float64)

    def counts(self, records: Sequence[Record]) -> Counts:
        """Return how many of the records each cell holds."""
        found = np.zeros(self.cells, dtype=np.int64)
        np.add.at(found, [self.cell(record) for record in records], 1)
        return found

    def columns(self, cells: Sequence[int]) -> Signs:
        """Return the signs of every concept, one row each, on some cells."""
        held = list(cells)
        return np.array([self.signs(k)[held] for k in range(self.concepts)], dtype=np.int8)

    def behaviours(self) -> Signs:
        """Return the signs of every concept, one row each, on the public points."""
        return self.columns([self.cell(point) for point in self.public])


def check_cover_size(concepts: int, cells: int) -> None:
    """Refuse a cover whose table would be too large."""
    if concepts * cells > MAX_ENTRIES:
        raise InstanceTooLargeError(
            f"the cover needs {-(-concepts * cells // 8)} bytes ({concepts} concepts times {cells} "
            f"cells), more than {MAX_ENTRIES // 8}; use fewer public points"
        )


@frozen
class ClassCover(Cover[Label, Label]):
    """The cover of a finite class, by enumeration.

    Concepts are given by their labels. Of the concepts with one behaviour the first one is kept.

    Complexity: concepts of the class times public points, and concepts of the cover times points.
    Source: `pap` Algorithm 3 and Definition 2.
    """

    concept_class: ConceptClass  # with at least one concept and one point
    public: tuple[Label, ...]  # at least one; they may repeat
    kept: tuple[Label, ...] = field(init=False)
    """Labels of the concepts of the cover."""
    _numbers: dict[Label, int] = field(init=False, repr=False, compare=False)
    _cells: dict[Label, int] = field(init=False, repr=False, compare=False)
    _first: tuple[Label, ...] = field(init=False, repr=False, compare=False)
    _table: SignTable = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        known = self.concept_class
        if not known.rows or not known.points:
            raise DomainError("class must have a concept and a point")
        if not self.public:
            raise DomainError("public sample must have a record")
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
        for name, value in {
            "kept": tuple(known.concepts[i] for i in number_of.values()),
            "_numbers": projections,
            "_cells": held,
            "_first": tuple(leading.values()),
            "_table": SignTable.of(table),
        }.items():
            object.__setattr__(self, name, value)

    @property
    def concepts(self) -> int:
        """How many concepts the cover has."""
        return len(self.kept)

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return len(self._first)

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

    def signs(self, number: int) -> Signs:
        """Return the signs of a kept concept on the cells."""
        return self._table.row(number)

    def columns(self, cells: Sequence[int]) -> Signs:
        """Return the signs of all kept concepts on some cells."""
        return self._table.columns(cells)

    def sums(self, weights: Floats) -> Floats:
        """Return the sums for all kept concepts."""
        return self._table.sums(weights)


def _looked_up(numbers: dict[Label, int], label: Any, rule: str) -> int:  # noqa: ANN401
    try:
        return numbers[label]
    except (KeyError, TypeError):
        raise DomainError(rule) from None
