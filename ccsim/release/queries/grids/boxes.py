"""The cover of all boxes over a grid, and of all intervals, from public points."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from itertools import pairwise
from math import prod
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ccsim.arguments.values import show_value
from ccsim.budget import check_time
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.release.queries.covers import Counts, check_cover_size
from ccsim.release.queries.grids.cells import (
    Bits,
    Cells,
    GridCover,
    Point,
    check_points,
    distinct_columns,
    grid_number,
    grid_point,
    point_of,
)
from ccsim.release.queries.sign_table import SignTable

Box: TypeAlias = tuple[tuple[int, int], ...]
"""``((s_1, t_1), ..., (s_d, t_d))``: the points with ``s_i <= x_i <= t_i``; empty if none has."""

Coordinates = npt.NDArray[np.int64]
Required = list[Bits]

_BLOCK = 40


def box_subsets(points: Sequence[Sequence[int]]) -> int:
    """Return how many subsets of points a box cuts off, the empty one included, without listing.

    Each but the empty one is counted once, as the smallest box that holds it.

    Complexity: pairs of coordinates of each axis but the last, times points; in the plane 100
    points take a second.
    """
    distinct = sorted({tuple(point) for point in points})
    if not distinct:
        raise DomainError("points must be at least one")
    ranks = _ranks(distinct)
    return 1 + sum(int((low + 1).sum()) for _, _, low in _slabs(ranks, (), []))


def _ranks(points: Sequence[Sequence[int]]) -> Coordinates:
    """Return the coordinates of points as places among those of their axis."""
    columns = [sorted(set(axis)) for axis in zip(*points, strict=True)]
    rows = [[bisect_left(c, x) for c, x in zip(columns, p, strict=True)] for p in points]
    return np.array(rows, dtype=np.int64)


def _slabs(
    points: Coordinates, fixed: Box, required: Required
) -> Iterator[tuple[Box, Coordinates, Coordinates]]:
    """Yield the ends on all axes but the last, with what they leave to the last one.

    That are the coordinates that may end a box there, and for each the place of the last one among
    them at which a box may start that has a point at every end chosen before; -1 if there is none.
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
    """Yield the smallest boxes of all subsets that a box cuts off, but the empty one."""
    for fixed, found, low in _slabs(ranks, (), []):
        for end, last in zip(found.tolist(), low.tolist(), strict=True):
            for start in found[: last + 1].tolist():
                yield (*fixed, (start, end))


@validated
class BoxCover(GridCover[Box]):
    """The boxes over the grid ``{0..n_1-1} x ... x {0..n_d-1}``; intervals for ``d = 1``.

    One concept is kept for each subset of the public points that some box cuts off: the smallest
    box that holds it, with each side moved halfway to the next coordinate of a public point. So
    ``k`` points leave at most ``(k + 2)^d`` cells; a side may be ``2^64`` and more.

    Complexity: that of `box_subsets`, and concepts times cells. Source: `pap` Algorithm 3.
    """

    sides: tuple[int, ...]  # each at least 1
    # at least one point of the grid; they may repeat; A point is a tuple of integers, in one
    # dimension an integer
    public: tuple[Point, ...]
    kept: tuple[Box, ...] = field(init=False, repr=False)
    """The boxes of the cover; ``()`` is the empty one."""
    table: SignTable = field(init=False, repr=False, compare=False)
    _distinct: tuple[tuple[int, ...], ...] = field(init=False, repr=False, compare=False)
    _numbers: dict[Box, int] = field(init=False, repr=False, compare=False)
    _starts: tuple[tuple[int, ...], ...] = field(init=False, repr=False, compare=False)
    """On each axis the first coordinates of the pieces between the sides of boxes."""
    _cells: Cells = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_points(self.sides, self.public, "boxes")
        distinct = tuple(sorted({point_of(self.sides, point) for point in self.public}))
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
        cells = distinct_columns(prod(shape), _rows(shape, pieces))
        parts = (block[:, cells.first] for block in _rows(shape, pieces))
        named = (tuple((axes[a][s], axes[a][t]) for a, (s, t) in enumerate(box)) for box in tight)
        for name, value in {
            "kept": ((), *kept),
            "table": SignTable.of_blocks(parts),
            "_distinct": distinct,
            "_numbers": {(): 0, **{box: k for k, box in enumerate(named, start=1)}},
            "_starts": starts,
            "_cells": cells,
        }.items():
            object.__setattr__(self, name, value)

    def _piece(self, point: Sequence[int]) -> int:
        """Return the number of the product of pieces that a point lies in."""
        found = [bisect_right(start, x) - 1 for start, x in zip(self._starts, point, strict=True)]
        return grid_number([len(start) for start in self._starts], found)

    def cell(self, record: Point) -> int:
        """Return the number of the cell of a point of the grid."""
        return int(self._cells.number[self._piece(point_of(self.sides, record))])

    def counts(self, records: Iterable[Point]) -> Counts:
        """Return how many of the records each cell holds."""
        held = [self._piece(point_of(self.sides, record)) for record in records]
        return np.bincount(self._cells.number[held], minlength=self.cells).astype(np.int64)

    def representative(self, cell: int) -> Point:
        """Return the first corner of a cell."""
        piece = grid_point([len(start) for start in self._starts], int(self._cells.first[cell]))
        point = tuple(start[i] for start, i in zip(self._starts, piece, strict=True))
        return point if len(point) > 1 else point[0]

    def project(self, concept: Box) -> int:
        """Return the number of the kept box that holds the same public points."""
        given: object = concept
        if (
            not isinstance(given, tuple)
            or (given and len(given) != len(self.sides))
            or not all(isinstance(x, tuple) and [type(y) for y in x] == [int, int] for x in given)
        ):
            raise DomainError(
                f"query must be {len(self.sides)} pairs of integers, or none for the empty box, "
                f"not {show_value(concept)}"
            )
        inside = [
            point
            for point in (self._distinct if concept else ())
            if all(s <= x <= t for x, (s, t) in zip(point, concept, strict=True))
        ]
        return self._numbers[tuple((min(axis), max(axis)) for axis in zip(*inside, strict=True))]


def _rows(shape: Sequence[int], pieces: Coordinates) -> Iterator[Bits]:
    """Yield the labels of boxes on all products of pieces, in blocks of rows."""
    for start in range(0, len(pieces), _BLOCK):
        part = pieces[start : start + _BLOCK]
        block = np.ones((len(part), 1), dtype=np.bool_)
        for axis, n in enumerate(shape):
            at = np.arange(n)
            low, high = part[:, axis, :1], part[:, axis, 1:]
            covered = (at >= low) & (at < high)
            block = (block[:, :, None] & covered[:, None, :]).reshape(len(part), -1)
        yield block
