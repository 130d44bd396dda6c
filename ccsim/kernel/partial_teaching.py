"""The star number and the teaching dimension of partial concept classes."""

from __future__ import annotations

from .partial_classes import Partial, sides
from .reader import *
from .rules import *
from .teaching import Few, Fewer, Sets, hard


class PartialStarNumber(Dimension, Quantity, kind="partial_star_number"):
    """The largest size of a star: a row, and for each column a row that differs there only."""

    instance: Partial

    @least
    def star(self, centre: Row, points: Columns, neighbours: Rows) -> int:
        """Check a star, all of whose rows are defined on its columns; return its size."""
        C, chosen = self.instance, sum(1 << x for x in points)
        spend((len(points) + 1) * (5 + (C.width >> 8)))
        require(len(points) == len(neighbours), "there must be as many points as neighbours")
        for i in (centre, *neighbours):
            require(not chosen & ~C.defined[i], "row {} must be defined on all the points", i)
        for x, i in zip(points, neighbours, strict=True):
            alone = (C.rows[i] ^ C.rows[centre]) & chosen == 1 << x
            require(alone, "among the points, neighbour {} must differ only on column {}", i, x)
        return len(points)

    @most
    def rows(self) -> int:
        """Return the number of rows minus 1: the centre and neighbours are distinct."""
        return len(self.instance.rows) - 1

    @most
    def extension(self, size: Fewer) -> int:
        """Exclude stars of the given size: search all columns with the labels of the centre."""
        C, both = self.instance, sides(self.instance.across())

        def extend(own: list[int], free: int, after: list[int], more: int) -> None:
            # the centre and rows for more columns are free; each set in own differs on one column
            spend(20 + len(after) * (8 + 2 * len(own)) * (1 + (len(C.rows) >> 11)))
            require(len(own) < 500, "the search is limited to 500 columns")
            fit = [
                (x, same, free & other)
                for x in after
                for same, other in (both[x], both[x][::-1])
                if (free & same).bit_count() >= more and free & other
                if all(each_one & same for each_one in own)
            ]
            columns = list(dict.fromkeys(x for x, *_ in fit))
            if len(columns) < more:
                return
            require(more > 1, "bound too small: there is a star of {} points", size)
            last = {x: i + 1 for i, x in enumerate(columns[: len(columns) - more + 1])}
            for x, same, other in (one for one in fit if one[0] in last):
                rest = [*(each_one & same for each_one in own), other]
                extend(rest, free & same, columns[last[x] :], more - 1)

        if size and C.texts:
            extend([], (1 << len(C.rows)) - 1, list(range(C.width)), size)
        require(size or not C.texts, "bound too small: a row is a star of 0 points")
        return size - 1


class PartialTeachingDimension(Dimension, Quantity, kind="partial_teaching_dimension"):
    """The least d such that d labelled points of each row exclude all rows that do not extend it.

    A row *extends* another if it is defined and has the same label wherever this one is defined. A
    labelled point excludes the rows that have the other label there, or are undefined.
    """

    instance: Partial

    def excluded(self, i: int) -> list[int]:
        """Return, for each row, the columns whose labels in row `i` exclude it."""
        C = self.instance
        spend(len(C.rows) * (20 + (C.width >> 6)))
        both = zip(C.rows, C.defined, strict=True)
        return [C.defined[i] & (~inside | (C.rows[i] ^ row)) for row, inside in both]

    @least
    def concept(self, concept: Row, size: Few) -> int:
        """Check that fewer than `size` points do not exclude all rows that do not extend a row."""
        width, everything = self.instance.width, (1 << len(self.instance.rows)) - 1
        texts = [f"{columns:0{width}b}"[::-1] for columns in self.excluded(concept)]
        hard(Matrix("", texts if width else [""] * len(texts), width), concept, everything, size)
        return size

    @most
    def sets(self, sets: Sets) -> int:
        """Check columns that serve for each row; return the largest number of them."""
        C = self.instance
        require(len(sets) == len(C.rows), "there must be as many sets as rows")
        for i, columns in enumerate(sets):
            rule = "row {} must be defined on its columns, and they must exclude row {}"
            require(not columns & ~C.defined[i], rule, i, i)
            missed = [j for j, out in enumerate(self.excluded(i)) if out and not out & columns]
            require(not missed, rule, i, missed[0] if missed else i)
        return max(map(int.bit_count, sets), default=-1)
