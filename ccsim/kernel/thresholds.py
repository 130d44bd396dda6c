"""Thresholds inside a class, and points that its concepts tell apart."""

from __future__ import annotations

from functools import reduce
from typing import Annotated, Any, ClassVar

from .reader import *
from .rules import *

Columns = Annotated[list[int], lambda value, it: distinct(value, it.instance.width)]


class ThresholdDimension(Quantity, kind="threshold_dimension"):
    """The largest number of concepts and points with ``c_i(x_j) = 1`` exactly if ``i <= j``."""

    instance: Class
    number: ClassVar[Any] = staticmethod(lambda value, _: integer(value, -1))

    @least
    def trivial(self) -> int:
        """Prove what always holds."""
        return -1

    @least
    def chain(self, concepts: Rows, points: Columns) -> int:
        """Show such concepts and points."""
        spend(len(concepts) * len(points) * (2 + (self.instance.width >> 9)))
        require(self.instance.rows, "there is no concept")
        require(len(concepts) == len(points), "there must be as many points as concepts")
        for i, row in enumerate(self.instance.rows[c] for c in concepts):
            right = all(row >> x & 1 == (i <= j) for j, x in enumerate(points))
            require(right, "concept {} has another label on a point", concepts[i])
        return len(points)

    @most
    def ones(self) -> int:
        """Count ones: the lines of a chain have 1, 2, ... or more, be they concepts or points."""
        lengths = []
        for lines in (self.instance.rows, self.instance.columns):
            ones = sorted(map(int.bit_count, set(lines)))
            lengths.append(reduce(lambda k, size: k + (size > k), ones, 0))
        return min(lengths) if self.instance.rows else -1

    @most
    def rank(self) -> int:
        """Eliminate over the field of two elements, in which a chain is independent."""
        basis: list[int] = []
        for row in self.instance.rows:
            spend(5 + len(basis) * (2 + (self.instance.width >> 9)))
            if rest := reduce(lambda row, b: min(row, row ^ b), basis, row):
                basis.append(rest)
        return len(basis)

    @most
    def extension(self, size: Positive) -> int:
        """Exclude a chain of a size: lines follow each other while each tail has ones alone."""

        def extend(tails: list[int], zeros: int, lines: list[int]) -> None:
            spend(20 + len(lines) * (3 + len(tails)) * (1 + (self.instance.width >> 10)))
            require(len(tails) < 500, "sets grow to 500 lines at most")
            fit = [y for y in lines if zeros & y and all(tail & y for tail in tails)]
            for y in fit if len(tails) + len(fit) >= size else ():
                require(len(tails) + 1 < size, "there are {} thresholds", size)
                extend([*(tail & y for tail in tails), zeros & y], zeros & ~y, fit)

        rows, columns = list(set(self.instance.rows)), list(set(self.instance.columns))
        extend([], -1, rows if len(rows) <= len(columns) else columns)
        return size - 1


class EffectiveDomain(Quantity, kind="effective_domain"):
    """The number of points that the concepts tell apart."""

    instance: Class
    number: ClassVar[Any] = staticmethod(lambda value, _: integer(value))

    @least
    def apart(self, points: Columns) -> int:
        """List points with different columns."""
        columns = {self.instance.columns[x] for x in points}
        require(len(columns) == len(points), "two points have equal labels")
        return len(points)

    @most
    def representatives(self, points: Entries) -> int:
        """Give each point a representative with equal labels."""
        columns, width = self.instance.columns, self.instance.width
        alike = columns == [columns[r] for r in indices(points, width, width)]
        require(alike, "a point is not labelled like its representative")
        return len(set(points))
