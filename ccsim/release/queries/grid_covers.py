"""The covers of boxes, intervals and halfspaces over a grid, from public points."""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from math import gcd, prod
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from ccsim.appearance import one_line
from ccsim.arguments.values import show_value
from ccsim.budget import check_time
from ccsim.classes.families.dichotomies import cover_bound, dichotomies
from ccsim.classes.families.grids import check_sides
from ccsim.data import validated
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.release.queries.covers import Counts, SignTable, TableCover, check_cover_size

Point = int | tuple[int, ...]
Bits = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]

_TOGETHER = 40
"""Number of rows compared at a time; with the number of a cell they fill a word of 64 bits."""
_MOST_COLUMNS = 1 << 22

Concept = TypeVar("Concept", bound=Hashable)


@one_line
@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """The classes of equal columns of a table."""

    number: Numbers  # of the cell of each column, in the order of first columns
    first: Numbers  # the first column of each cell


def distinct_columns(columns: int, blocks: Iterable[Bits]) -> Cells:
    """Return the classes of equal columns of a table by sorting blocks of at most 40 rows."""
    if not 1 <= columns <= _MOST_COLUMNS:
        raise DomainError(
            f"the number of points must be between 1 and {_MOST_COLUMNS}, not {columns}"
        )
    number, count = np.zeros(columns, dtype=np.int64), 1
    for block in blocks:
        check_time()
        powers = np.int64(1) << np.arange(len(block), dtype=np.int64)
        word = (number << _TOGETHER) + sum(
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


def _distinct_points(
    sides: Sequence[int], public: Sequence[Point], family: str
) -> tuple[tuple[int, ...], ...]:
    """Return the distinct public points in order, after checks of the points and of the grid."""
    check_sides(sides, family)
    if not public:
        raise DomainError("public sample must have at least one record, not 0")
    return tuple(sorted({point_of(sides, point, "public point") for point in public}))


def point_of(sides: Sequence[int], record: object, name: str = "record") -> tuple[int, ...]:
    """Return the coordinates of a record: an integer in one dimension, otherwise a tuple."""
    point = (record,) if len(sides) == 1 and type(record) is int else record
    if (
        not isinstance(point, tuple)
        or len(point) != len(sides)
        or not all(type(x) is int and 0 <= x < n for x, n in zip(point, sides, strict=True))
    ):
        sizes = " x ".join(show_value(n) for n in sides)
        raise DomainError(f"{name} must be a point of the grid {sizes}")
    return point


class GridCover(TableCover[Any, Concept]):
    """A cover over a grid, whose cells consist of pieces: products of intervals, or points."""

    sides: tuple[int, ...]
    _cells: Cells

    @abstractmethod
    def _piece(self, point: tuple[int, ...]) -> int:
        """Return the number of the piece that contains a point."""

    @abstractmethod
    def _corner(self, piece: int) -> tuple[int, ...]:
        """Return the first point of a piece."""

    def _set_table(self, pieces: int, rows: Callable[[], Iterator[Bits]]) -> None:
        """Set cells and signs from the labels of all concepts on all pieces."""
        cells = distinct_columns(pieces, rows())
        table = SignTable.of(block[:, cells.first] for block in rows())
        self._set(_cells=cells, table=table)

    def cell(self, record: Point) -> int:
        """Return the number of the cell of a point of the grid."""
        return int(self._cells.number[self._piece(point_of(self.sides, record))])

    def counts(self, records: Iterable[Point]) -> Counts:
        """Return the number of records in each cell."""
        held = [self._piece(point_of(self.sides, record)) for record in records]
        return np.bincount(self._cells.number[held], minlength=self.cells).astype(np.int64)

    def representative(self, cell: int) -> Point:
        """Return the first point of a cell."""
        point = self._corner(int(self._cells.first[cell]))
        return point if len(point) > 1 else point[0]


def grid_number(sides: Sequence[int], point: Sequence[int]) -> int:
    """Return the number of a point of a grid; the last coordinate varies fastest."""
    number = 0
    for x, n in zip(point, sides, strict=True):
        number = number * n + x
    return number


def grid_point(sides: Sequence[int], number: int) -> tuple[int, ...]:
    """Return the point of a grid with a given number."""
    point = []
    for i in range(len(sides)):
        inner = prod(sides[i + 1 :])
        point.append(number // inner % sides[i])
    return tuple(point)


Box: TypeAlias = tuple[tuple[int, int], ...]
"""A box ``((s_1, t_1), ..., (s_d, t_d))``: the points with ``s_i <= x_i <= t_i``, possibly none."""

Coordinates = npt.NDArray[np.int64]
Required = list[Bits]


def box_subsets(points: Sequence[Sequence[int]]) -> int:
    """Return the number of subsets of points that boxes cut off, including the empty one.

    Each subset is counted by its smallest box, without a list. Complexity: number of pairs of
    coordinates on each axis except the last, times points; in the plane 100 points take a second.
    """
    distinct = sorted({tuple(point) for point in points})
    if not distinct:
        raise DomainError("there must be at least one point")
    ranks = _ranks(distinct)
    return 1 + sum(int((low + 1).sum()) for _, _, low in _slabs(ranks, (), []))


def _ranks(points: Sequence[Sequence[int]]) -> Coordinates:
    """Return the coordinates of points as ranks among the coordinates of their axis."""
    columns = [sorted(set(axis)) for axis in zip(*points, strict=True)]
    rows = [[bisect_left(c, x) for c, x in zip(columns, p, strict=True)] for p in points]
    return np.array(rows, dtype=np.int64)


def _slabs(
    points: Coordinates, fixed: Box, required: Required
) -> Iterator[tuple[Box, Coordinates, Coordinates]]:
    """Yield the sides of boxes on all axes except the last, and the possible sides on the last.

    The sides on the last axis are given by the coordinates at which a box may end and, for each of
    them, the position of the last coordinate at which it may start so that the box has a point on
    each of its other sides; -1 if there is none.
    """
    check_time()
    axis = len(fixed)
    found = np.unique(points[:, axis])
    if axis + 1 == points.shape[1]:
        places = np.searchsorted(found, points[:, axis])
        low = np.arange(len(found))
        for holds in required:
            here = np.full(len(found), -1)
            here[places[holds]] = places[holds]
            low = np.minimum(low, np.maximum.accumulate(here))
        yield fixed, found, low
        return
    for i, start in enumerate(found):
        for end in found[i:]:
            kept = (points[:, axis] >= start) & (points[:, axis] <= end)
            ends = [required_[kept] for required_ in required]
            inside = points[kept]
            ends += [inside[:, axis] == start, inside[:, axis] == end]
            if all(e.any() for e in ends):
                yield from _slabs(inside, (*fixed, (int(start), int(end))), ends)


def _tight_boxes(ranks: Coordinates) -> Iterator[Box]:
    """Yield the smallest boxes of all non-empty subsets that a box cuts off."""
    for fixed, found, low in _slabs(ranks, (), []):
        for end, last in zip(found.tolist(), low.tolist(), strict=True):
            for start in found[: last + 1].tolist():
                yield (*fixed, (start, end))


@validated
class BoxCover(GridCover[Box]):
    """The boxes over the grid ``{0..n_1-1} x ... x {0..n_d-1}``; intervals for ``d = 1``.

    For each subset of the public points that a box cuts off, the smallest such box is kept, with
    its sides moved halfway to the next coordinates (`pap` Algorithm 3). There are at most
    ``(k + 2)^d`` cells.
    """

    sides: tuple[int, ...]  # each at least 1
    public: tuple[Point, ...]  # at least one; they may repeat
    kept: tuple[Box, ...] = field(init=False, repr=False)  # ``()`` is the empty one
    table: SignTable = field(init=False, repr=False, compare=False)
    _distinct: tuple[tuple[int, ...], ...] = field(init=False, repr=False, compare=False)
    _numbers: dict[Box, int] = field(init=False, repr=False, compare=False)
    # on each axis the first coordinates of the pieces between the sides of boxes
    _starts: tuple[tuple[int, ...], ...] = field(init=False, repr=False, compare=False)
    _cells: Cells = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        distinct = _distinct_points(self.sides, self.public, "boxes")
        axes = [sorted(set(axis)) for axis in zip(*distinct, strict=True)]
        cuts = [
            [(low + high + 1) // 2 for low, high in pairwise((-1, *axis, n))]
            for axis, n in zip(axes, self.sides, strict=True)
        ]
        starts = tuple(
            tuple(t for t in (0, *(t for t in cut if t)) if t < n)
            for cut, n in zip(cuts, self.sides, strict=True)
        )
        shape = [len(start) for start in starts]
        check_cover_size(box_subsets(distinct), prod(shape))
        tight = sorted(_tight_boxes(_ranks(distinct)))
        kept = [
            tuple((cut[s], cut[t + 1] - 1) for cut, (s, t) in zip(cuts, box, strict=True))
            for box in tight
        ]
        # the pieces that a box covers on each axis
        pieces = np.zeros((1 + len(kept), len(self.sides), 2), dtype=np.int64)
        for row, box in enumerate(kept, start=1):
            for axis, (start, (s, t)) in enumerate(zip(starts, box, strict=True)):
                pieces[row, axis] = bisect_left(start, s), bisect_left(start, t + 1)
        named = (tuple((axes[a][s], axes[a][t]) for a, (s, t) in enumerate(box)) for box in tight)
        numbers = {(): 0, **{box: k for k, box in enumerate(named, start=1)}}
        self._set(kept=((), *kept), _distinct=distinct, _numbers=numbers, _starts=starts)
        self._set_table(prod(shape), lambda: _box_rows(shape, pieces))

    def _piece(self, point: Sequence[int]) -> int:
        found = [bisect_right(start, x) - 1 for start, x in zip(self._starts, point, strict=True)]
        return grid_number([len(start) for start in self._starts], found)

    def _corner(self, piece: int) -> tuple[int, ...]:
        place = grid_point([len(start) for start in self._starts], piece)
        return tuple(start[i] for start, i in zip(self._starts, place, strict=True))

    def project(self, concept: Box) -> int:
        """Return the number of the kept box that contains the same public points."""
        given: object = concept
        if (
            not isinstance(given, tuple)
            or (given and len(given) != len(self.sides))
            or not all(isinstance(x, tuple) and [type(y) for y in x] == [int, int] for x in given)
        ):
            raise DomainError(
                f"query must be a list of {len(self.sides)} pairs of integers, or an empty list "
                f"for the empty box, not {show_value(concept)}"
            )
        inside = [
            point
            for point in (self._distinct if concept else ())
            if all(s <= x <= t for x, (s, t) in zip(point, concept, strict=True))
        ]
        return self._numbers[tuple((min(axis), max(axis)) for axis in zip(*inside, strict=True))]


def _box_rows(shape: Sequence[int], pieces: Coordinates) -> Iterator[Bits]:
    """Yield the labels of boxes on all products of pieces, in blocks of rows."""
    for start in range(0, len(pieces), _TOGETHER):
        part = pieces[start : start + _TOGETHER]
        block = np.ones((len(part), 1), dtype=np.bool_)
        for axis, n in enumerate(shape):
            at = np.arange(n)
            low, high = part[:, axis, :1], part[:, axis, 1:]
            covered = (at >= low) & (at < high)
            block = (block[:, :, None] & covered[:, None, :]).reshape(len(part), -1)
        yield block


Number: TypeAlias = Fraction | int
Halfspace: TypeAlias = tuple[Number, ...]
"""A halfspace ``(w_1, ..., w_d, t)``: the points ``x`` with ``w_1 x_1 + ... + w_d x_d >= t``."""

_LARGEST = 1 << 62
_PLANE = 2


def separable_subsets(points: Sequence[Sequence[int]]) -> int:
    """Return the number of subsets of points that halfspaces cut off.

    Exact in the plane: ``2 + 2 sum (k_L - 1)`` over the lines ``L`` through ``k_L >= 2`` points (T.
    Zaslavsky, Facing up to arrangements, 1975). In higher dimensions, the result is Cover's bound.
    """
    distinct = sorted({tuple(point) for point in points})
    if not distinct:
        raise DomainError("there must be at least one point")
    if len(distinct[0]) > _PLANE:
        return cover_bound(len(distinct), len(distinct[0]) + 1)
    # each point of a line but its first one sees the earlier ones in one direction
    seen = 0
    for i, point in enumerate(distinct):
        steps = ([a - b for a, b in zip(point, other, strict=True)] for other in distinct[:i])
        seen += len({tuple(a // gcd(*step) for a in step) for step in steps})
    return 2 + 2 * seen


@validated
class HalfspaceCover(GridCover[Halfspace]):
    """The halfspaces over the grid ``{0..n_1-1} x ... x {0..n_d-1}`` (`pap` Algorithm 3).

    One halfspace is kept for each of the `dichotomies` of the public points.
    """

    sides: tuple[int, ...]  # each at least 1, with at most some 100 000 points in all
    public: tuple[Point, ...]  # at least one; they may repeat
    kept: tuple[Halfspace, ...] = field(init=False, repr=False)  # of integers
    table: SignTable = field(init=False, repr=False, compare=False)
    _distinct: tuple[tuple[int, ...], ...] = field(init=False, repr=False, compare=False)
    _numbers: dict[int, int] = field(init=False, repr=False, compare=False)
    _cells: Cells = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        distinct = _distinct_points(self.sides, self.public, "halfspaces")
        check_cover_size(separable_subsets(distinct), prod(self.sides))
        found = dichotomies([(*point, 1) for point in distinct])
        kept = tuple(_threshold(dichotomy.weights) for dichotomy in found)
        weights = np.array(kept, dtype=np.int64)
        if int(np.abs(weights).max()) * (1 + sum(self.sides)) >= _LARGEST:
            raise InstanceTooLargeError("weights of halfspaces must fit 64 bits on the whole grid")
        numbers = {d.positive: k for k, d in enumerate(found)}
        self._set(kept=kept, _distinct=distinct, _numbers=numbers)
        self._set_table(prod(self.sides), lambda: _halfspace_rows(self.sides, weights))

    def _piece(self, point: tuple[int, ...]) -> int:
        return grid_number(self.sides, point)

    def _corner(self, piece: int) -> tuple[int, ...]:
        return grid_point(self.sides, piece)

    def project(self, concept: Halfspace) -> int:
        """Return the number of the kept halfspace that agrees on all public points."""
        given: object = concept
        if (
            not isinstance(given, tuple)
            or len(given) != len(self.sides) + 1
            or not all(isinstance(w, Fraction | int) for w in given)
        ):
            raise DomainError(
                f"query must be a list of {len(self.sides)} exact weights and a threshold, "
                f"not {show_value(concept)}"
            )
        *weights, threshold = concept
        inside = 0
        for i, point in enumerate(self._distinct):
            if sum(w * x for w, x in zip(weights, point, strict=True)) >= threshold:
                inside |= 1 << i
        return self._numbers[inside]


def _threshold(weights: Sequence[int]) -> Halfspace:
    """Return ``<w, x> + c > 0`` as a halfspace with the least integer threshold."""
    *inner, constant = weights
    divisor = gcd(*inner) or 2  # for a constant concept: threshold 0 or 1
    return (*(w // divisor for w in inner), -constant // divisor + 1)


def _halfspace_rows(
    sides: Sequence[int], weights: np.ndarray[tuple[int, ...], np.dtype[np.int64]]
) -> Iterator[Bits]:
    """Yield the labels of halfspaces on all points of a grid, in blocks of rows."""
    axes = [np.arange(n, dtype=np.int64) for n in sides]
    for start in range(0, len(weights), _TOGETHER):
        part = weights[start : start + _TOGETHER]
        values = part[:, -1]  # what is still to be reached
        for axis, points in enumerate(axes[:-1]):
            steps = np.multiply.outer(part[:, axis], points)
            shape = (len(part), *(1 for _ in range(axis)), len(points))
            values = values[..., None] - steps.reshape(shape)
        last = np.multiply.outer(part[:, len(axes) - 1], axes[-1])
        shape = (len(part), *(1 for _ in axes[:-1]), sides[-1])
        yield (last.reshape(shape) >= values[..., None]).reshape(len(part), -1)
