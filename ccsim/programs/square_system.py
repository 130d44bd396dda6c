"""Square systems of linear equations in integers, solved exactly from both sides.

Rows and columns with at most two entries are eliminated first, which never adds entries. FLINT
solves the remaining system by p-adic lifting.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import lcm
from typing import Any, NamedTuple, cast

import flint
import numpy as np
import numpy.typing as npt

_SPARSE = 4  # matrices with at most so many nonzero entries in a row, on average, are reduced
_SMALL = 30  # matrices up to this size are not reduced
_ZERO = flint.fmpq(0)
Line = dict[int, flint.fmpq]


class Pivot(NamedTuple):
    """An eliminated entry, with the other entries of its row and of its column at that time."""

    row: int
    column: int
    entry: flint.fmpq
    across: Line
    down: Line


class SquareSystem:
    """A square matrix with integer entries, given as a list of rows, columns and values."""

    def __init__(
        self,
        size: int,
        rows: npt.NDArray[np.int64],
        columns: npt.NDArray[np.int64],
        values: npt.NDArray[np.object_],
    ) -> None:
        self._size = size
        self._pivots: list[Pivot] = []
        self._rows: Sequence[int] = range(size)
        self._columns: Sequence[int] = range(size)
        self._scales = [1] * size  # of the rows of the core
        if size <= _SMALL or len(values) > _SPARSE * size:
            matrix: npt.NDArray[Any] = np.zeros((size, size), dtype=object)
            matrix[rows, columns] = values
            self._core = flint.fmpz_mat(size, size, matrix.ravel().tolist())
        else:
            self._reduce(zip(rows.tolist(), columns.tolist(), values.tolist(), strict=True))

    def _reduce(self, entries: Iterable[tuple[int, int, int]]) -> None:
        """Eliminate rows and columns with at most two entries; raise if the matrix is singular."""
        reduction = _Reduction(self._size, entries)
        reduction.run()
        self._pivots = reduction.pivots
        self._rows = [i for i, row in enumerate(reduction.rows) if row]
        self._columns = [j for j, column in enumerate(reduction.columns) if column]
        left = len(self._rows)
        if len(self._columns) != left or left + len(self._pivots) != self._size:
            raise ZeroDivisionError("the matrix is singular")
        self._scales, core = [], []
        for i in self._rows:
            row = reduction.rows[i]
            numbers, scale = _common(list(row.values()))
            self._scales.append(scale)
            line = dict(zip(row, numbers, strict=True))
            core += [line.get(j, 0) for j in self._columns]
        self._core = flint.fmpz_mat(left, left, core)

    def solve(self, target: Sequence[int]) -> tuple[list[int], int]:
        """Return the column ``x`` with ``K x = target``: numerators and positive denominator."""
        if not self._pivots:
            return _solution(self._core, target)
        b = [flint.fmpq(number) for number in target]
        for pivot in self._pivots:
            share = b[pivot.row] / pivot.entry
            if share != 0:
                for i, entry in pivot.down.items():
                    b[i] -= share * entry
        x = [_ZERO] * self._size
        scaled = [b[i] * scale for i, scale in zip(self._rows, self._scales, strict=True)]
        for j, number in zip(self._columns, _rational_solution(self._core, scaled), strict=True):
            x[j] = number
        for pivot in reversed(self._pivots):
            rest = sum((entry * x[j] for j, entry in pivot.across.items()), _ZERO)
            x[pivot.column] = (b[pivot.row] - rest) / pivot.entry
        return _common(x)

    def solve_transposed(self, target: Sequence[int]) -> tuple[list[int], int]:
        """Return the row ``y`` with ``y K = target``: numerators and positive denominator."""
        if not self._pivots:
            return _solution(self._core.transpose(), target)
        c = [flint.fmpq(number) for number in target]
        for pivot in self._pivots:
            share = c[pivot.column] / pivot.entry
            if share != 0:
                for j, entry in pivot.across.items():
                    c[j] -= share * entry
        y = [_ZERO] * self._size
        left = _rational_solution(self._core.transpose(), [c[j] for j in self._columns])
        for i, scale, number in zip(self._rows, self._scales, left, strict=True):
            y[i] = number * scale
        for pivot in reversed(self._pivots):
            rest = sum((entry * y[i] for i, entry in pivot.down.items()), _ZERO)
            y[pivot.row] = (c[pivot.column] - rest) / pivot.entry
        return _common(y)


class _Reduction:
    """The elimination of the rows and columns with at most two entries."""

    def __init__(self, size: int, entries: Iterable[tuple[int, int, int]]) -> None:
        self.rows: list[Line] = [{} for _ in range(size)]
        self.columns: list[set[int]] = [set() for _ in range(size)]
        self.pivots: list[Pivot] = []
        for i, j, value in entries:
            self.rows[i][j] = flint.fmpq(value)
            self.columns[j].add(i)
        self._short_rows = [i for i, row in enumerate(self.rows) if len(row) <= 2]
        self._short_columns = [j for j, column in enumerate(self.columns) if len(column) <= 2]

    def run(self) -> None:
        """Eliminate short rows and columns until there are none."""
        rows, columns = self.rows, self.columns
        while self._short_rows or self._short_columns:
            if self._short_rows:
                i = self._short_rows.pop()
                if 0 < len(rows[i]) <= 2:
                    self._eliminate(i, min(rows[i], key=lambda j: len(columns[j])))
            else:
                j = self._short_columns.pop()
                if 0 < len(columns[j]) <= 2:
                    self._eliminate(min(columns[j], key=lambda i: len(rows[i])), j)

    def _eliminate(self, i: int, j: int) -> None:
        """Remove a row and a column by subtracting multiples of the row from the others."""
        across, self.rows[i] = self.rows[i], {}
        entry = across.pop(j)
        self.columns[j].remove(i)
        down = {k: self.rows[k].pop(j) for k in self.columns[j]}
        self.columns[j] = set()
        for column in across:
            self.columns[column].remove(i)
        for k, factor in down.items():
            row, share = self.rows[k], factor / entry
            for column, value in across.items():
                changed = row.get(column, _ZERO) - share * value
                if changed != 0:
                    row[column] = changed
                    self.columns[column].add(k)
                elif row.pop(column, None) is not None:
                    self.columns[column].remove(k)
        self.pivots.append(Pivot(i, j, entry, across, down))
        self._short_rows += [k for k in down if len(self.rows[k]) <= 2]
        self._short_columns += [column for column in across if len(self.columns[column]) <= 2]


def _solution(matrix: flint.fmpz_mat, target: Sequence[int]) -> tuple[list[int], int]:
    """Return the solution of a nonsingular system: numerators and positive denominator."""
    if not target:
        return [], 1
    solution = matrix.solve(flint.fmpz_mat(len(target), 1, list(target)))
    numerators, denominator = cast("flint.fmpq_mat", solution).numer_denom()
    return [int(entry) for entry in numerators.entries()], int(denominator)


def _rational_solution(
    matrix: flint.fmpz_mat, target: Sequence[flint.fmpq]
) -> Iterator[flint.fmpq]:
    """Yield the solution of a nonsingular system with a rational right-hand side."""
    integers, unit = _common(target)
    numerators, denominator = _solution(matrix, integers)
    yield from (flint.fmpq(number, unit * denominator) for number in numerators)


def _common(numbers: Sequence[flint.fmpq]) -> tuple[list[int], int]:
    """Return fractions as numerators over their least common denominator."""
    pairs = [(int(number.p), int(number.q)) for number in numbers]
    unit = lcm(*{q for _, q in pairs})
    return [p * (unit // q) for p, q in pairs], unit
