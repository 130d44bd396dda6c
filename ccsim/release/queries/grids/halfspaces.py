"""The cover of all halfspaces over a grid, from public points in any position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from fractions import Fraction
from math import gcd, prod
from typing import TypeAlias

import numpy as np

from ccsim.arguments.values import show_value
from ccsim.classes.families.dichotomies import cover_bound, dichotomies
from ccsim.data import validated
from ccsim.errors import DomainError, InstanceTooLargeError
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

Number: TypeAlias = Fraction | int
Halfspace: TypeAlias = tuple[Number, ...]
"""``(w_1, ..., w_d, t)``: the points ``x`` with ``w_1 x_1 + ... + w_d x_d >= t``."""

_BLOCK = 40
_LARGEST = 1 << 62
_PLANE = 2


def separable_subsets(points: Sequence[Sequence[int]]) -> int:
    """Return how many subsets of points a halfspace cuts off, without listing them.

    Exactly for points of a line or of the plane: ``2 + 2 sum (k_L - 1)`` over the lines ``L``
    through ``k_L >= 2`` of the points (Zaslavsky). In more dimensions it is Cover's bound, which is
    exact for points in general position.

    Complexity: pairs of points. Source: T. Zaslavsky (1975), Facing up to arrangements.
    """
    distinct = sorted({tuple(point) for point in points})
    if not distinct:
        raise DomainError("points must be at least one")
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
    """The halfspaces over the grid ``{0..n_1-1} x ... x {0..n_d-1}``.

    One concept is kept for each subset of the public points that some halfspace cuts off; none is
    missed where points lie on one line (see `ccsim.classes.families.dichotomies`). Its weights are
    the sum of the extreme rays of its chamber.

    Complexity: that of `dichotomies`, and concepts times points of the grid: 36 000 concepts on 64
    x 64 points or 10 000 on 256 x 256 take two to five seconds. Source: `pap` Algorithm 3 and the
    remark on halfspaces after Definition 2.
    """

    # each at least 1; the grid is streamed over, so that it should have at most some 100 000 points
    sides: tuple[int, ...]
    # at least one point of the grid; they may repeat; A point is a tuple of integers, in one
    # dimension an integer
    public: tuple[Point, ...]
    kept: tuple[Halfspace, ...] = field(init=False, repr=False)
    """Integer weights and thresholds of the concepts of the cover."""
    table: SignTable = field(init=False, repr=False, compare=False)
    _distinct: tuple[tuple[int, ...], ...] = field(init=False, repr=False, compare=False)
    _numbers: dict[int, int] = field(init=False, repr=False, compare=False)
    _cells: Cells = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_points(self.sides, self.public, "halfspaces")
        distinct = tuple(sorted({point_of(self.sides, point) for point in self.public}))
        check_cover_size(separable_subsets(distinct), prod(self.sides))
        found = dichotomies([(*point, 1) for point in distinct])
        kept = tuple(_threshold(dichotomy.weights) for dichotomy in found)
        weights = np.array(kept, dtype=np.int64)
        if int(np.abs(weights).max()) * (1 + sum(self.sides)) >= _LARGEST:
            raise InstanceTooLargeError("weights of halfspaces must fit 64 bits on the whole grid")
        cells = distinct_columns(prod(self.sides), _rows(self.sides, weights))
        parts = (block[:, cells.first] for block in _rows(self.sides, weights))
        for name, value in {
            "kept": kept,
            "table": SignTable.of_blocks(parts),
            "_distinct": distinct,
            "_numbers": {d.positive: k for k, d in enumerate(found)},
            "_cells": cells,
        }.items():
            object.__setattr__(self, name, value)

    def cell(self, record: Point) -> int:
        """Return the number of the cell of a point of the grid."""
        return int(self._cells.number[grid_number(self.sides, point_of(self.sides, record))])

    def counts(self, records: Iterable[Point]) -> Counts:
        """Return how many of the records each cell holds."""
        sides = self.sides
        held = [grid_number(sides, point_of(sides, record)) for record in records]
        return np.bincount(self._cells.number[held], minlength=self.cells).astype(np.int64)

    def representative(self, cell: int) -> Point:
        """Return the first point of a cell."""
        point = grid_point(self.sides, int(self._cells.first[cell]))
        return point if len(point) > 1 else point[0]

    def project(self, concept: Halfspace) -> int:
        """Return the number of the kept halfspace that agrees on all public points."""
        given: object = concept
        if (
            not isinstance(given, tuple)
            or len(given) != len(self.sides) + 1
            or not all(isinstance(w, Fraction | int) for w in given)
        ):
            raise DomainError(
                f"query must be {len(self.sides)} exact weights and a threshold, "
                f"not {show_value(concept)}"
            )
        *weights, threshold = concept
        inside = 0
        for i, point in enumerate(self._distinct):
            if sum(w * x for w, x in zip(weights, point, strict=True)) >= threshold:
                inside |= 1 << i
        return self._numbers[inside]


def _threshold(weights: Sequence[int]) -> Halfspace:
    """Return ``<w, x> + c > 0`` with the least integer threshold."""
    *inner, constant = weights
    divisor = gcd(*inner) or 2  # for a constant concept: threshold 0 or 1
    return (*(w // divisor for w in inner), -constant // divisor + 1)


def _rows(
    sides: Sequence[int], weights: np.ndarray[tuple[int, ...], np.dtype[np.int64]]
) -> Iterator[Bits]:
    """Yield the labels of halfspaces on all points of a grid, in blocks of rows."""
    axes = [np.arange(n, dtype=np.int64) for n in sides]
    for start in range(0, len(weights), _BLOCK):
        part = weights[start : start + _BLOCK]
        values = part[:, -1]  # what is still to be reached
        for axis, points in enumerate(axes[:-1]):
            steps = np.multiply.outer(part[:, axis], points)
            shape = (len(part), *(1 for _ in range(axis)), len(points))
            values = values[..., None] - steps.reshape(shape)
        last = np.multiply.outer(part[:, len(axes) - 1], axes[-1])
        shape = (len(part), *(1 for _ in axes[:-1]), sides[-1])
        yield (last.reshape(shape) >= values[..., None]).reshape(len(part), -1)
