"""A matrix game as a linear program, and what the ends of the program say about the game.

The player with more strategies has the variables, since the work of a linear program follows the
number of its rows. For the row player it is ``max v`` under ``(x A)_j >= v``, ``sum x = 1``,
``x >= 0``; the prices are the strategy of the column player. With more columns than rows the roles,
and the sign of the payoff, are exchanged.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

import highspy
import numpy as np

from ccsim.budget import Budget, OutOfTimeError
from ccsim.errors import CertificateError
from ccsim.programs.basis import Basis
from ccsim.programs.float_basis import Suggestion, suggest
from ccsim.programs.integer_program import IntegerProgram, Integers, Optimum
from ccsim.programs.quiet import QuietHighs
from ccsim.programs.solver import solve_integer_program

_GRID = 1 << 50
_SMALL = 1 << 60
"""Entries below this are put together as machine integers."""
_ROUGH, _FINE = 1e-3, 1e-8
"""Tolerances of the interior point method."""
_SLICES = 8
"""Times that a program is gone on with where the solver's clock runs faster than the budget's."""

IntegerMatrix = Sequence[Sequence[int]]
Guarantee = tuple[Fraction, tuple[Fraction, ...]]
Strategies = tuple[Fraction, tuple[Fraction, ...], tuple[Fraction, ...]]


class GameProgram:
    """The linear program of an integer matrix game."""

    def __init__(self, matrix: Sequence[Sequence[int]]) -> None:
        low, high = min(map(min, matrix)), max(map(max, matrix))
        small = low > -_SMALL and high < _SMALL
        payoff = np.empty((len(matrix), len(matrix[0])), dtype=np.int64 if small else object)
        payoff[:] = matrix
        self._exchanged = len(matrix) < len(matrix[0])
        if self._exchanged:
            payoff, low, high = -payoff.T, -high, -low
        self._shift = low if low > 0 else high if high < 0 else 0  # keeps large entries small
        self._payoff = payoff - self._shift if self._shift else payoff
        self.program = _program(self._payoff)

    def suggest(self, budget: Budget | None = None) -> Iterator[Suggestion]:
        """Yield bases from the float solver, at last some for the other player's program."""
        yield from suggest(self.program, budget)
        other = _program(-self._payoff.T)
        for suggestion in suggest(other, budget):
            m, n = self._payoff.shape
            # what is basic for one player is tight for the other; the value is basic for both
            rows = tuple(i for i in suggestion.basis.tight if i < m)
            columns = tuple(j for j in suggestion.basis.columns if j < n)
            yield Suggestion(Basis((*rows, m), (*columns, n)), suggestion.optimal, (), ())

    def read(self, optimum: Optimum) -> Strategies:
        """Return the value of the game, and the strategies of row and column player."""
        m, n = self._payoff.shape
        x = tuple(Fraction(number, optimum.x_scale) for number in optimum.x[:m])
        y = tuple(Fraction(number, optimum.y_scale) for number in optimum.y[:n])
        value = Fraction(optimum.x[m], optimum.x_scale) + self._shift
        return (-value, y, x) if self._exchanged else (value, x, y)

    def rounded(self, suggestion: Suggestion | None) -> tuple[Guarantee, Guarantee]:
        """Return what the rounded strategies of a suggestion guarantee: row, then column player.

        Without a suggestion, or where it has no strategy, all choices are equally likely.
        """
        m, n = self._payoff.shape
        x = _distribution(suggestion.x[:m] if suggestion else (), m)
        y = _distribution(suggestion.y[:n] if suggestion else (), n)
        lower = Fraction(min(x @ self._payoff), sum(x)) + self._shift
        upper = Fraction(max(self._payoff @ y), sum(y)) + self._shift
        row = (lower, _normalised(x))
        column = (upper, _normalised(y))
        if self._exchanged:
            return (-upper, column[1]), (-lower, row[1])
        return row, column


def solve_integer_game(
    matrix: IntegerMatrix, budget: Budget | None = None
) -> tuple[Fraction, tuple[Fraction, ...], tuple[Fraction, ...], str]:
    """Return ``(value, row strategy, column strategy, method)`` of an integer game, verified."""
    game = GameProgram(matrix)
    end = solve_integer_program(game.program, game.suggest(budget), budget)
    if not isinstance(end, Optimum):
        raise CertificateError("a matrix game ended without a value")
    value, x, y = game.read(end)
    return value, x, y, "pivoting" if end.pivots else "basis"


def _distribution(weights: Sequence[float], size: int) -> Integers:
    """Return integers in proportion to floats; equal ones if these are no weights at all."""
    rounded = [max(0, round(w * _GRID)) if math.isfinite(w) else 0 for w in weights]
    distribution: Integers = np.array(rounded if any(rounded) else [1] * size, dtype=object)
    return distribution


def _normalised(weights: Integers) -> tuple[Fraction, ...]:
    total = sum(weights)
    return tuple(Fraction(weight, total) for weight in weights)


def _program(payoff: Integers) -> IntegerProgram:
    """Minimise ``-v`` under ``(x A)_j - v >= 0`` for each column and ``sum x = 1``; v is free."""
    m, n = payoff.shape
    columns = np.ones((m + 1, n + 1), dtype=payoff.dtype)  # row i is column i of the program
    columns[:m, :n] = payoff
    columns[m] = -1
    columns[m, n] = 0
    filled = columns != 0
    start = np.append(0, np.cumsum(filled.sum(axis=1)))
    return IntegerProgram(
        start,
        np.nonzero(filled)[1],
        columns[filled].astype(object),
        [0] * m + [-1],
        ([0] * m + [None] + [0] * n + [1], [None] * (m + 1 + n) + [1]),
    )


class GrowingGame:
    """Minimise ``v`` subject to ``A y <= v``, ``sum y = 1``, ``y >= 0``, column by column.

    The program that is kept is the other player's: a column of the game is a row there, so that
    the strategies before satisfy all but the new rows, which the dual simplex method repairs.
    """

    def __init__(self, rows: int, tolerance: float = 1e-7) -> None:
        self._rows = rows
        self._mixture: list[float] = []
        self._is_rough = False
        self._highs = QuietHighs()
        self._highs.setOptionValue("primal_feasibility_tolerance", tolerance)
        self._highs.setOptionValue("dual_feasibility_tolerance", tolerance)
        infinity, nothing = highspy.kHighsInf, (0, np.array([], np.int32), np.array([]))
        self._highs.addCol(-1.0, -infinity, infinity, *nothing)  # the value
        for _ in range(rows):
            self._highs.addCol(0.0, 0.0, infinity, *nothing)
        index = np.arange(1, rows + 1, dtype=np.int32)
        self._highs.addRow(1.0, 1.0, rows, index, np.ones(rows))

    def add_column(self, paid: Sequence[int], amounts: Sequence[float] | None = None) -> None:
        """Add a column that pays 1, or the given amounts, on the given rows and 0 elsewhere."""
        index = np.array([0, *(i + 1 for i in paid)], np.int32)
        values = np.ones(len(index))
        values[0] = -1.0
        if amounts is not None:
            values[1:] = amounts
        self._highs.addRow(0.0, highspy.kHighsInf, len(index), index, values)

    def add_row(self, paying: Sequence[int], amounts: Sequence[float] | None = None) -> None:
        """Add a row where the columns with these numbers pay 1, or amounts, and the others 0."""
        index = np.array([0, *(j + 1 for j in paying)], np.int32)
        values = np.ones(len(index))
        if amounts is not None:
            values[1:] = amounts
        self._highs.addCol(0.0, 0.0, highspy.kHighsInf, len(index), index, values)
        self._rows += 1

    def solve(
        self, budget: Budget | None = None, *, roughly: bool = False
    ) -> tuple[float, list[float]]:
        """Return the float value and the row player's float strategy."""
        if roughly or self._is_rough:  # far from a corner all over, it is faster to the end as well
            self._highs.clearSolver()
            self._highs.setOptionValue("run_crossover", "off" if roughly else "on")
            self._highs.setOptionValue("ipm_optimality_tolerance", _ROUGH if roughly else _FINE)
            self._run("ipm", budget)
        if not roughly:
            self._run("simplex", budget)
        self._is_rough = roughly
        solution = self._highs.getSolution()
        self._mixture = [max(w, 0.0) for w in solution.row_dual[1:]]
        weights = np.maximum(np.array(solution.col_value[1:]), 0.0)
        total = weights.sum()
        strategy = weights / total if total > 0 else np.full(self._rows, 1 / self._rows)
        return -float(self._highs.getInfo().objective_function_value), strategy.tolist()

    def _run(self, method: str, budget: Budget | None) -> None:
        self._highs.setOptionValue("solver", method)
        for _ in range(_SLICES):
            seconds = math.inf if budget is None else budget.remaining
            # the solver adds up the time of all its runs, and goes on where it stopped
            self._highs.setOptionValue("time_limit", self._highs.getRunTime() + seconds)
            self._highs.run()
            if budget is not None:
                budget.spend()
            if self._highs.getModelStatus() != highspy.HighsModelStatus.kTimeLimit:
                return
        raise OutOfTimeError

    def column_strategy(self) -> list[float]:
        """Return the column player's float strategy in the last game that was solved."""
        return self._mixture
