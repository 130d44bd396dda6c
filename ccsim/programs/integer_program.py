"""Linear programs in integers: the form in which every exact method works.

Minimise ``c x`` subject to ``l_j <= x_j <= u_j`` for every column and ``l_i <= (A x)_i <= u_i`` for
every row; all numbers are integers, a bound may be absent (None). The *activity* ``(A x)_i`` is
treated as one more variable, number ``n + i``, so that rows and columns obey the same rules: there
are ``n + m`` variables with bounds, and ``m`` equations ``A x - r = 0``.

A program can end in three ways, each with its check in integers, which knows nothing of bases.
Main statement (weak duality): for every vector ``y`` of row prices, ``c x`` is the sum of
``d_j x_j`` over all ``n + m`` variables, where ``d = (c - y A, y)`` are the reduced costs. So it is
at least the sum of ``d_j l_j`` over ``d_j > 0`` and of ``d_j u_j`` over ``d_j < 0``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import flint
import numpy as np
import numpy.typing as npt

from ccsim.data import frozen

Integers = npt.NDArray[np.object_]
"""A vector of Python integers of any length."""

Indices = npt.NDArray[np.int64]


class IntegerProgram:
    """A linear program with integer data, its matrix stored by columns."""

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
        self._last: tuple[tuple[tuple[int, ...], ...], flint.fmpz_mat] | None = None
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
        asked = tuple(rows), tuple(columns)
        if self._last is not None and self._last[0] == asked:
            return self._last[1]  # a basis is asked for its point and for its prices
        taken = np.array(asked[1], np.int64)
        number = np.diff(self.start)[taken]
        ends = np.cumsum(number)
        entries = np.arange(number.sum()) + np.repeat(self.start[taken] - ends + number, number)
        place = np.full(self.rows, -1)
        place[list(rows)] = np.arange(len(rows))
        at, across = place[self.index[entries]], np.repeat(np.arange(len(taken)), number)
        part: npt.NDArray[Any] = np.zeros((len(rows), len(taken)), dtype=object)
        part[at[at >= 0], across[at >= 0]] = self.values[entries[at >= 0]]
        made = flint.fmpz_mat(len(rows), len(taken), part.ravel().tolist())
        self._last = asked, made
        return made

    def reduced_costs(self, y: Integers, scale: int, cost: Sequence[int] | None = None) -> Integers:
        """Return ``scale c - y A`` for the columns, followed by ``y`` for the rows."""
        amounts = np.array(self.cost if cost is None else cost, dtype=object) * scale
        return np.concatenate((amounts - self.priced(y), y))


@frozen
class Optimum:
    """An optimal point and optimal prices of the rows, numerators over denominators."""

    x: Sequence[int]
    x_scale: int
    y: Integers
    y_scale: int
    pivots: int = 0

    def is_proved(self, program: IntegerProgram) -> bool:
        """Whether the point is feasible and costs as much as the prices demand."""
        if not is_feasible(program, self.x, self.x_scale):
            return False
        value = sum(c * number for c, number in zip(program.cost, self.x, strict=True) if number)
        bound = dual_bound(program, self.y, self.y_scale)
        return bound is not None and value * self.y_scale == bound * self.x_scale


@frozen
class Contradiction:
    """Weights of the rows that prove by Farkas' lemma that no point is feasible."""

    weights: Integers
    pivots: int = 0

    def is_proved(self, program: IntegerProgram) -> bool:
        """Whether the weights bound 0 from below by a positive number."""
        bound = dual_bound(program, self.weights, 0)
        return bound is not None and bound > 0


@frozen
class Descent:
    """A feasible point and a direction in which the costs fall for ever."""

    x: Sequence[int]
    x_scale: int
    ray: Sequence[int]
    pivots: int = 0

    def is_proved(self, program: IntegerProgram) -> bool:
        """Whether the point is feasible, and the direction never leaves the bounds and descends."""
        rates = [*self.ray, *program.activity(self.ray)]
        bounds = zip(rates, program.lower, program.upper, strict=True)
        return (
            is_feasible(program, self.x, self.x_scale)
            and all((l is None or r >= 0) and (u is None or r <= 0) for r, l, u in bounds)
            and sum(c * rate for c, rate in zip(program.cost, self.ray, strict=True)) < 0
        )


ProgramEnd = Optimum | Contradiction | Descent


def is_feasible(program: IntegerProgram, x: Sequence[int], scale: int) -> bool:
    """Decide in integers whether ``x / scale`` obeys all bounds, those of the rows included."""
    everything = [*x, *program.activity(x)]
    return scale > 0 and all(
        (low is None or low * scale <= number) and (high is None or number <= high * scale)
        for number, low, high in zip(everything, program.lower, program.upper, strict=True)
    )


def dual_bound(program: IntegerProgram, y: Integers, scale: int) -> int | None:
    """Return ``scale`` times the bound that the prices ``y / scale`` give; None if it is none.

    With ``scale = 0`` the costs are left out: a positive bound then is Farkas' proof that the
    program has no feasible point.
    """
    total = 0
    bounds = zip(program.reduced_costs(y, scale), program.lower, program.upper, strict=True)
    for d, low, high in bounds:
        if d:
            end = low if d > 0 else high
            if end is None:
                return None
            total += d * end
    return total
