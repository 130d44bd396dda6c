"""The threshold dimension."""

from __future__ import annotations

from functools import reduce
from typing import Annotated

from .reader import *
from .rules import *

Sort = Annotated[str, lambda value, _: choice(value, ("points", "concepts"))]
Label = Annotated[int, lambda value, _: index(value, 2)]


class ThresholdDimension(Dimension, Quantity, kind="threshold_dimension"):
    """The largest number of concepts and points with ``c_i(x_j) = 1`` exactly if ``i <= j``."""

    @least
    def chain(self, concepts: Rows, points: Columns) -> int:
        """Check a chain of concepts and points; return its length."""
        spend(len(concepts) * len(points) * (2 + (self.instance.width >> 9)))
        require(self.instance.rows, "the class must have at least one concept")
        require(len(concepts) == len(points), "there must be as many points as concepts")
        for i, row in enumerate(self.instance.rows[c] for c in concepts):
            right = all(row >> x & 1 == (i <= j) for j, x in enumerate(points))
            rule = "concept {} must have label 1 exactly on the points from position {} on"
            require(right, rule, concepts[i], i)
        return len(points)

    @most
    def ones(self) -> int:
        """Return the bound by numbers of ones: lines of a chain have at least 1, 2, ... ones."""
        lengths = []
        for lines in (self.instance.rows, self.instance.columns):
            ones = sorted(map(int.bit_count, different(lines).values()))
            lengths.append(reduce(lambda k, size: k + (size > k), ones, 0))
        return min(lengths) if self.instance.rows else -1

    @most
    def rank(self) -> int:
        """Return the rank over the field of two elements; the rows of a chain are independent."""
        basis: list[int] = []
        for row in self.instance.rows:
            spend(5 + len(basis) * (2 + (self.instance.width >> 9)))
            if rest := reduce(lambda row, b: min(row, row ^ b), basis, row):
                basis.append(rest)
        return len(basis)

    @most
    def extension(self, size: Positive) -> int:
        """Exclude chains of `size` points: search all sequences of lines with nonempty tails."""

        def extend(tails: list[int], zeros: int, lines: list[int]) -> None:
            spend(20 + len(lines) * (3 + len(tails)) * (1 + (self.instance.width >> 10)))
            require(len(tails) < 500, "the search is limited to 500 rows or columns")
            fit = [y for y in lines if zeros & y and all(tail & y for tail in tails)]
            for y in fit if len(tails) + len(fit) >= size else ():
                require(len(tails) + 1 < size, "bound too small: a chain has {} thresholds", size)
                extend([*(tail & y for tail in tails), zeros & y], zeros & ~y, fit)

        both = map(different, (self.instance.rows, self.instance.columns))
        rows, columns = ([*lines.values()] for lines in both)
        extend([], -1, rows if len(rows) <= len(columns) else columns)
        return size - 1

    @most
    def tails(self, size: Positive, lines: Sort, label: Label) -> int:
        """Exclude chains of `size`: search sequences of lines, from the end with the given label.

        Positions with the label on all lines so far are kept. The tail of a line consists of the
        positions with the label on all earlier lines, and not on this line and the later ones. No
        tail may become empty.
        """
        C, known = self.instance, dict[str, bool]()
        found, height = (C.columns, len(C.rows)) if lines == "points" else (C.rows, C.width)
        everything, cost = (1 << height) - 1, 1 + (height >> 9)
        every = [*different(line if label else everything ^ line for line in found).values()]
        asked = size - 2

        def goes_on(tails: list[int], kept: int, left: list[int], more: int) -> bool:
            """Decide whether `more` of the remaining lines can follow."""
            require(len(tails) < 500, "the search is limited to 500 rows or columns")
            fit, looks = [y for y in left if kept & ~y], len(left)
            for tail in tails:
                looks += len(fit)
                fit = [y for y in fit if tail & ~y] if len(fit) >= more else []
            spend(20 + looks * cost)
            for y in fit if len(fit) >= more else ():
                rest = kept & y
                if rest.bit_count() < more - 1 + label:
                    continue
                if more < asked or alone(rest, more - 1):
                    behind = [*(tail & ~y for tail in tails), kept & ~y]
                    if more == 1 or goes_on(behind, rest, fit, more - 1):
                        return True
            return not more

        def alone(kept: int, more: int) -> bool:
            """Decide whether `more` lines can follow in any order, if earlier tails are ignored."""
            if (case := f"{kept:x} {more}") not in known:
                known[case] = goes_on([], kept, every, more)
            return known[case]

        starts = [y for y in every if y.bit_count() >= size] if label else [everything]
        holds = not any(goes_on([], kept, every, size - label) for kept in starts)
        require(holds, "bound too small: a chain has {} thresholds", size)
        return size - 1
