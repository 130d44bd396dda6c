"""Linear programs in integers: the form in which every exact method works.

Minimise ``c x`` subject to ``l_j <= x_j <= u_j`` for every column and ``l_i <= (A x)_i <= u_i`` for
every row; all numbers are integers, a bound may be absent (None). The *activity* ``(A x)_i`` is
treated as one more variable, number ``n + i``, so that rows and columns obey the same rules: there
are ``n + m`` variables with bounds, and ``m`` equations ``A x - r = 0``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import flint
import numpy as np
import numpy.typing as npt

__all__ = ["IntegerProgram", "Integers"]

Integers = npt.NDArray[np.object_]
"""A vector of Python integers of any length."""

Indices = npt.NDArray[np.int64]


class IntegerProgram:
    """A linear program with integer data, its matrix stored by columns.

    Parameters
    ----------
    start : int array of shape (n + 1,)
        Column ``j`` has its entries at ``start[j], ..., start[j + 1] - 1``.
    index, values : arrays of one length
        Row and value of each entry; the values are Python integers.
    cost : sequence of int, length n
    lower, upper : sequences of int or None, length n + m
        Bounds of the columns, followed by those of the rows.

    Examples
    --------
    >>> program = IntegerProgram.from_rows([{0: 1, 1: 2}], [3, 1], [0, 0, 4], [None] * 3)
    >>> program.rows, program.columns, program.activity([2, 1]).tolist()
    (1, 2, [4])
    """

    def __init__(
        self,
        start: Indices,
        index: Indices,
        values: Integers,
        cost: Sequence[int],
        bounds: tuple[Sequence[int | None], Sequence[int | None]],
    ) -> None:
        self.start, self.index, self.values = start, index, values
        self.cost = list(cost)
        self.lower, self.upper = list(bounds[0]), list(bounds[1])
        self.columns = len(self.cost)
        self.rows = len(self.lower) - self.columns

    @classmethod
    def from_rows(
        cls,
        rows: Sequence[dict[int, int]],
        cost: Sequence[int],
        lower: Sequence[int | None],
        upper: Sequence[int | None],
    ) -> IntegerProgram:
        """Return the program whose rows are given as maps from columns to entries."""
        counts = [len(row) for row in rows]
        total = sum(counts)
        columns = np.fromiter((j for row in rows for j in row), np.int64, total)
        values = np.empty(total, dtype=object)
        values[:] = [value for row in rows for value in row.values()]
        order = np.argsort(columns, kind="stable")
        start = np.searchsorted(columns[order], np.arange(len(cost) + 1))
        index = np.repeat(np.arange(len(rows)), counts)[order]
        return cls(start, index, values[order], cost, (lower, upper))

    def column(self, j: int) -> tuple[Indices, Integers]:
        """Return rows and values of the entries of a column."""
        entries = slice(self.start[j], self.start[j + 1])
        return self.index[entries], self.values[entries]

    def activity(self, x: Sequence[int]) -> Integers:
        """Return ``A x``."""
        total = np.zeros(self.rows, dtype=object)
        for j, amount in enumerate(x):
            if amount:
                rows, values = self.column(j)
                total[rows] += values * amount
        return total

    def priced(self, y: Integers) -> Integers:
        """Return ``y A``."""
        total = np.zeros(self.columns, dtype=object)
        filled = np.flatnonzero(np.diff(self.start))
        if len(filled):
            total[filled] = np.add.reduceat(self.values * y[self.index], self.start[filled])
        return total

    def kernel(self, rows: Sequence[int], columns: Iterable[int]) -> flint.fmpz_mat:
        """Return the submatrix of some rows and columns."""
        place = np.full(self.rows, -1)
        place[list(rows)] = np.arange(len(rows))
        columns = list(columns)
        part: npt.NDArray[Any] = np.zeros((len(rows), len(columns)), dtype=object)
        for k, j in enumerate(columns):
            index, values = self.column(j)
            at = place[index]
            part[at[at >= 0], k] = values[at >= 0]
        return flint.fmpz_mat(len(rows), len(columns), part.ravel().tolist())

    def reduced_costs(self, y: Integers, scale: int, cost: Sequence[int] | None = None) -> Integers:
        """Return ``scale c - y A`` for the columns, followed by ``y`` for the rows."""
        amounts = np.array(self.cost if cost is None else cost, dtype=object) * scale
        return np.concatenate((amounts - self.priced(y), y))
