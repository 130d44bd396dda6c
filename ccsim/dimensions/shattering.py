"""Shattered sets from the definition: the check of both VC dimensions, apart from the search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ccsim.classes import Label
from ccsim.errors import CertificateError

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

    def check_shattered(self, size: int, chosen: Sequence[int], realising: Sequence[int]) -> None:
        """Check that row number ``i`` realises labelling number ``i`` of the chosen columns."""
        self._check_indices(self.column, chosen, size, len(self.columns))
        self._check_indices(self.row, realising, 1 << size if size >= 0 else 0, len(self.rows))
        for i, r in enumerate(realising):
            for t, x in enumerate(chosen):
                if self.rows[r] >> x & 1 != i >> t & 1:
                    msg = (
                        f"{self.row} {r} ({self.row_labels[r]}) has {self.rows[r] >> x & 1} on "
                        f"{self.column} {x} ({self.column_labels[x]}), "
                        f"labelling {i} needs {i >> t & 1}"
                    )
                    raise CertificateError(msg)

    @staticmethod
    def _check_indices(name: str, indices: Sequence[int], number: int, bound: int) -> None:
        if len(set(indices)) != max(number, 0) or len(indices) != len(set(indices)):
            msg = f"{max(number, 0)} different {name}s are needed, not {list(indices)}"
            raise CertificateError(msg)
        for i in indices:
            if not 0 <= i < bound:
                msg = f"{name} {i} does not exist, there are {bound}"
                raise CertificateError(msg)

    def check_none_larger(self, size: int) -> None:
        """Check that no set of more than ``size`` columns is shattered."""
        everything = [(1 << len(self.rows)) - 1]
        larger = self._shattered_set(everything, list(range(len(self.columns))), size + 1)
        if larger is not None:
            named = ", ".join(f"{x} ({self.column_labels[x]})" for x in larger)
            what = f"{self.column}s {named}" if named else "the empty set"
            msg = f"a shattered set of more than {size} {self.column}s exists: {what}"
            raise CertificateError(msg)

    def _shattered_set(
        self, cells: list[int], candidates: list[int], more: int
    ) -> tuple[int, ...] | None:
        """Return ``more`` candidates that split each cell into all labellings, if there are."""
        if min(cell.bit_count() for cell in cells) < 1 << more:
            return None
        if more == 0:
            return ()
        splitting = [
            x for x in candidates if all(0 != cell & self.columns[x] != cell for cell in cells)
        ]
        for i, x in enumerate(splitting[: len(splitting) - more + 1]):
            ones = self.columns[x]
            split = [part for cell in cells for part in (cell & ~ones, cell & ones)]
            found = self._shattered_set(split, splitting[i + 1 :], more - 1)
            if found is not None:
                return (x, *found)
        return None
