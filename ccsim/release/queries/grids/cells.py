"""Cells of a grid: the points that no concept of a family tells apart, found by streaming."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from ccsim.appearance import one_line
from ccsim.arguments.values import show_value
from ccsim.budget import check_time
from ccsim.classes.families.grids import check_sides
from ccsim.errors import DomainError
from ccsim.release.queries.covers import Cover, Floats, Signs
from ccsim.release.queries.sign_table import SignTable

Point = int | tuple[int, ...]
Bits = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]

_WORD = 40
"""Rows that are compared at once; with the number of a cell they fill a word of 64 bits."""
_MOST_COLUMNS = 1 << 22

Concept = TypeVar("Concept", bound=Hashable)


@one_line
@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Which columns of a table are equal."""

    # the cell of each column; cells are numbered in the order of their first columns
    number: Numbers
    first: Numbers  # the first column of each cell


def distinct_columns(columns: int, blocks: Iterable[Bits]) -> Cells:
    """Return which columns of a table are equal, from blocks of at most 40 rows.

    Complexity: a sort of the columns for each block.
    """
    if not 1 <= columns <= _MOST_COLUMNS:
        raise DomainError(
            f"cells must be looked for among 1 to {_MOST_COLUMNS} points, not {columns}"
        )
    number, count = np.zeros(columns, dtype=np.int64), 1
    for block in blocks:
        check_time()
        powers = np.int64(1) << np.arange(len(block), dtype=np.int64)
        word = (number << _WORD) + sum(
            (row.astype(np.int64) * power for row, power in zip(block, powers, strict=True)),
            np.zeros(columns, dtype=np.int64),
        )
        found, number = np.unique(word, return_inverse=True)
        count = len(found)
        if count == columns:
            break
    _, first, number = np.unique(number, return_index=True, return_inverse=True)
    place = np.empty(count, dtype=np.int64)
    place[np.argsort(first)] = np.arange(count)
    return Cells(place[number], np.sort(first))


def check_points(sides: Sequence[int], public: Sequence[Point], family: str) -> None:
    """Refuse sides that bound no grid, an empty public sample, and points outside of the grid."""
    check_sides(sides, family)
    if not public:
        raise DomainError("public sample must have a record")
    for point in public:
        point_of(sides, point, "public point")


def point_of(sides: Sequence[int], record: object, name: str = "record") -> tuple[int, ...]:
    """Return the coordinates of a record: an integer in one dimension, else a tuple of integers."""
    point = (record,) if len(sides) == 1 and type(record) is int else record
    if (
        not isinstance(point, tuple)
        or len(point) != len(sides)
        or not all(type(x) is int and 0 <= x < n for x, n in zip(point, sides, strict=True))
    ):
        sizes = " x ".join(show_value(n) for n in sides)
        raise DomainError(f"{name} must be a point of the grid {sizes}")
    return point


class GridCover(Cover[Any, Concept]):
    """A cover over a grid whose signs are kept as a table of concepts and cells."""

    @property
    @abstractmethod
    def table(self) -> SignTable:
        """The signs of all concepts on all cells."""

    @property
    @abstractmethod
    def kept(self) -> tuple[Concept, ...]:
        """The concepts of the cover."""

    @property
    def concepts(self) -> int:
        """How many concepts the cover has."""
        return len(self.kept)

    @property
    def cells(self) -> int:
        """How many cells hold a point of the grid."""
        return self.table.cells

    def signs(self, number: int) -> Signs:
        """Return the signs of a kept concept on the cells."""
        return self.table.row(number)

    def columns(self, cells: Sequence[int]) -> Signs:
        """Return the signs of all kept concepts, one row each, on some cells."""
        return self.table.columns(cells)

    def behaviours(self) -> Signs:
        """Return the signs of all kept concepts, one row each, on the public points."""
        return self.columns([self.cell(point) for point in self.public])

    def sums(self, weights: Floats) -> Floats:
        """Return the sums for all kept concepts."""
        return self.table.sums(weights)


def grid_number(sides: Sequence[int], point: Sequence[int]) -> int:
    """Return the number of a point of a grid, the last coordinate running fastest."""
    number = 0
    for x, n in zip(point, sides, strict=True):
        number = number * n + x
    return number


def grid_point(sides: Sequence[int], number: int) -> tuple[int, ...]:
    """Return the point of a grid that has a number."""
    point = []
    for i in range(len(sides)):
        inner = prod(sides[i + 1 :])
        point.append(number // inner % sides[i])
    return tuple(point)
