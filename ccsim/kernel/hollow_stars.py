"""The hollow star number of a class."""

from __future__ import annotations

from typing import Annotated

from .reader import *
from .rules import *

Size = Annotated[int, lambda value, _: integer(value, 1)]
Labels = Annotated[str, lambda value, _: text(value, len(value) if type(value) is str else 0)]


class HollowStarNumber(Dimension, Quantity, kind="hollow_star_number"):
    """The largest number of columns with labels that no row has, but a row for each single flip."""

    @least
    def trivial(self) -> int:
        """Return 0, or -1 for the empty class."""
        return 0 if self.instance.rows else -1

    @least
    def hollow_star(self, points: Columns, labels: Labels, neighbours: Rows) -> int:
        """Check a hollow star; return its size."""
        C, number = self.instance, len(points)
        require(number, "at least one column must be given")
        require(number == len(labels) == len(neighbours), "there must be as many labels and rows")
        spend((len(C.rows) + number) * (5 + (C.width >> 8)) + number * (9 + (C.width >> 8)))
        chosen = sum(1 << x for x in points)
        centre = sum(1 << x for x, b in zip(points, labels, strict=True) if b == "1")
        for x, i in zip(points, neighbours, strict=True):
            alone = (C.rows[i] ^ centre) & chosen == 1 << x
            require(alone, "neighbour {} must differ from the labels only on column {}", i, x)
        is_hollow = all((row ^ centre) & chosen for row in C.rows)
        require(is_hollow, "no row may have all the labels")
        return number

    @most
    def rows(self) -> int:
        """Return the number of rows, since neighbours are distinct; -1 for the empty class."""
        return len(self.instance.rows) or -1

    @most
    def columns(self) -> int:
        """Return the number of columns."""
        return self.instance.width

    @most
    def extension(self, size: Size) -> int:
        """Exclude hollow stars of at least the given size: add columns with labels in order.

        Fewer columns of a hollow star have labels that some row has.
        """
        C, everything = self.instance, (1 << len(self.instance.rows)) - 1

        def extend(own: list[int], free: int, first: int) -> None:
            # free: the rows with all labels; each set in own differs on one column only
            for x in range(first, C.width - max(0, size - len(own) - 1)):
                spend(30 + 2 * (len(own) + 2) * (3 + (len(C.rows) >> 9)))
                for same in (C.columns[x], everything ^ C.columns[x]):
                    rest = [*(each & same for each in own), free & ~same]
                    if all(rest):
                        is_smaller = len(rest) < size or free & same
                        require(is_smaller, "there is a hollow star of {} columns", len(rest))
                        if free & same:
                            extend(rest, free & same, x + 1)

        if C.rows:
            extend([], everything, 0)
        return size - 1
