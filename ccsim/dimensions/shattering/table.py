"""Shattered sets from the definition: the check of both VC dimensions, apart from the search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ccsim.budget import Budget
from ccsim.classes import Label
from ccsim.errors import CertificateError
from ccsim.symmetry.matrix import Symmetry

__all__ = ["Table"]


@dataclass(frozen=True, slots=True)
class Table:
    """A 0/1 table whose columns are to be shattered by its rows.

    Attributes
    ----------
    column, row : str
        What columns and rows are: ``"point"`` and ``"concept"``, or the other way round.
    column_labels, row_labels : tuple of int or str
    rows, columns : tuple of int
        The same entries twice: a mask of columns for each row, a mask of rows for each column.

    Examples
    --------
    >>> table = Table("point", ("a", "b"), "concept", (0, 1), (0b00, 0b01), (0b10, 0b00))
    >>> table.check_shattered(1, [0], [0, 1])
    >>> table.check_none_larger(0)
    Traceback (most recent call last):
    ...
    ccsim.errors.CertificateError: a shattered set of more than 0 points exists: points 0 (a)
    """

    column: str
    column_labels: tuple[Label, ...]
    row: str
    row_labels: tuple[Label, ...]
    rows: tuple[int, ...]
    columns: tuple[int, ...]

    def check_shattered(
        self,
        size: int,
        chosen: Sequence[int],
        realising: Sequence[int],
        budget: Budget | None = None,
    ) -> None:
        """Check that row number ``i`` realises labelling number ``i`` of the chosen columns.

        Complexity: one look at each entry, 16 million in a second.
        """
        budget = budget or Budget()
        self._check_indices(self.column, chosen, size, len(self.columns))
        self._check_indices(self.row, realising, 1 << size if size >= 0 else 0, len(self.rows))
        for t, x in enumerate(chosen):
            budget.spend()
            given = "".join(map(self._text(x).__getitem__, realising))
            needed = ("0" * (1 << t) + "1" * (1 << t)) * (1 << size - t - 1)
            if given != needed:
                i = next(i for i, label in enumerate(given) if label != needed[i])
                r = realising[i]
                raise CertificateError(
                    f"{self.row} {r} ({self.row_labels[r]}) has {given[i]} on "
                    f"{self.column} {x} ({self.column_labels[x]}), labelling {i} needs {needed[i]}"
                )

    def _text(self, x: int) -> str:
        """Return a column as text, a character for each row."""
        return f"{self.columns[x]:0{len(self.rows)}b}"[::-1]

    @staticmethod
    def _check_indices(name: str, indices: Sequence[int], number: int, bound: int) -> None:
        if len(set(indices)) != max(number, 0) or len(indices) != len(set(indices)):
            raise CertificateError(
                f"{max(number, 0)} different {name}s are needed, not {list(indices)}"
            )
        for i in indices:
            if not 0 <= i < bound:
                raise CertificateError(f"{name} {i} does not exist, there are {bound}")

    def check_none_larger(
        self, size: int, symmetries: Sequence[Symmetry] = (), budget: Budget | None = None
    ) -> None:
        """Check that no set of more than ``size`` columns is shattered.

        Complexity: about that of the search, whose code it does not use; see `vc_dimension`.

        Parameters
        ----------
        size : int
        symmetries : sequence of Symmetry
            Of the rows; each is verified.
        budget : Budget, optional

        Raises
        ------
        CertificateError
            With a larger set.
        OutOfTimeError
            If the time is over.
        """
        budget = budget or Budget()
        for symmetry in symmetries:
            budget.spend()
            symmetry.verify(self.rows, len(self.columns))
        everything = (1 << len(self.rows)) - 1
        number: dict[int, int] = {}
        for x, column in enumerate(self.columns):
            number.setdefault(column if symmetries else min(column, everything & ~column), x)
        moves = [[self.columns[x] for x in symmetry.columns] for symmetry in symmetries]
        images = [dict(zip(self.columns, move, strict=True)) for move in moves]
        order = sorted(number, key=lambda c: sum(image[c] == c for image in images))
        order = order if images else sorted(number, key=int.bit_count)
        larger = _shattered([everything], order, size + 1, images, budget)
        if larger is not None:
            named = ", ".join(
                f"{number[x]} ({self.column_labels[number[x]]})"
                for x in sorted(larger, key=number.__getitem__)
            )
            what = f"{self.column}s {named}" if named else "the empty set"
            raise CertificateError(
                f"a shattered set of more than {size} {self.column}s exists: {what}"
            )

    def check_size(self, size: int) -> None:
        """Check that there are fewer different rows than labellings of ``size + 1`` columns."""
        if len(set(self.rows)) >> (size + 1):
            raise CertificateError(
                f"{len(set(self.rows))} {self.row}s are enough to shatter {size + 1} {self.column}s"
            )

    def check_tree(
        self, size: int, edges: Sequence[tuple[int, int]], budget: Budget | None = None
    ) -> None:
        """Check that a spanning tree of the rows leaves no more than ``size`` columns shattered."""
        budget = budget or Budget()
        reached = {0} if self.rows else set()
        for r, s in edges:
            budget.spend()
            self._check_indices(self.row, (r, s), 2, len(self.rows))
            if len(reached & {r, s}) != 1:
                raise CertificateError(
                    f"the edge {r}, {s} does not join one {self.row} more to the tree"
                )
            reached |= {r, s}
        if len(reached) != len(self.rows):
            raise CertificateError(f"the tree joins {len(reached)} of {len(self.rows)} {self.row}s")
        crossed = []
        for x in range(len(self.columns)):
            budget.spend()
            label = self._text(x)
            crossed.append(sum(label[r] != label[s] for r, s in edges))
        most = sum(sorted(crossed, reverse=True)[: size + 1])
        if len(crossed) > size and (1 + most) >> (size + 1):
            raise CertificateError(
                f"{size + 1} {self.column}s cross {most} edges of the tree, enough to be shattered"
            )


def _shattered(
    cells: list[int],
    columns: list[int],
    size: int,
    images: Sequence[dict[int, int]],
    budget: Budget,
) -> tuple[int, ...] | None:
    """Return ``size`` of the columns that split each set of rows into all labellings.

    What follows from the definition: every set of rows has at least ``2**size`` rows, and every
    chosen column leaves at least half as many on either side. Columns that are equal or
    complementary on a set of rows split it alike, so that a set with few traces is tried by itself
    before all are tried together. Columns that symmetries exchange while they keep the sets of rows
    up to their order split them alike too, so that one of them is tried.
    """
    budget.spend()
    cells = sorted(cells, key=int.bit_count)
    smallest = cells[0]
    if smallest.bit_count() < 1 << size:
        return None
    if size == 0:
        return ()
    half = 1 << size >> 1
    fit = columns
    for cell in cells:
        fit = [x for x in fit if half <= (cell & x).bit_count() <= cell.bit_count() - half]
    if size > 1 and len(cells) > 1:
        traces = {x & smallest if x & smallest & -smallest else ~x & smallest for x in fit}
        few = len(traces) <= len(fit) // 2
        if few and _shattered([smallest], list(traces), size, (), budget) is None:
            return None
    while len(fit) >= size:
        x = fit.pop()
        parts = [s & side for s in cells for side in (x, ~x)]
        fixing = [image for image in images if image[x] == x]
        found = _shattered(parts, fit, size - 1, fixing, budget)
        if found is not None:
            return (x, *found)
        orbit = [x]
        for y in orbit:  # grows while it is read
            orbit += {image[y] for image in images} - set(orbit)
        fit = [y for y in fit if y not in set(orbit)]
    return None
