"""Matrix games, solved exactly as linear programs, with both strategies as certificates.

The row player maximises. The variables of the program are the mixture of the player with more
strategies.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from math import lcm
from typing import Annotated, Any, ClassVar, TypeAlias, cast

import highspy
import numpy as np

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, OutOfTimeError, TimeLimit
from ccsim.certificates import Answer, Certificate, Certified
from ccsim.certificates.answer import is_writable
from ccsim.certificates.envelope import (
    encode_fraction,
    encode_integers,
    no_cycles,
    weights_of,
)
from ccsim.data import frozen
from ccsim.errors import CertificateError, DomainError, InstanceTooLargeError
from ccsim.exact.fractions import as_fraction
from ccsim.frames import rows_in
from ccsim.programs.highs import QuietHighs, Suggestion, suggest
from ccsim.programs.integer_program import Basis, IntegerProgram, Integers, Optimum
from ccsim.programs.program import (
    LinearProgram,
    OptimalSolution,
    remembered,
    solve_integer_program,
    solve_linear_program,
)

Payoff: TypeAlias = Annotated[Iterable[Any], "a list of rows"]
"""Payoffs as nested lists, an array or a data frame."""
IntegerMatrix = Sequence[Sequence[int]]
Guarantee = tuple[Fraction, tuple[Fraction, ...]]
Strategies = tuple[Fraction, tuple[Fraction, ...], tuple[Fraction, ...]]
_LONGEST = 13000  # bits of a common denominator that can be written in a certificate
_LONG = 1024  # bits of a common denominator beyond which each column of a game keeps its own
_GRID = 1 << 50
_SMALL = 1 << 60  # entries below this are put together as machine integers
_ROUGH, _FINE = 1e-3, 1e-8  # tolerances of the interior point method
_SLICES = 8
"""Maximum number of times a run is resumed if the solver's clock is ahead of the budget's."""


@frozen
class MatrixGameSolution(Certified):
    """Value and optimal strategies of a matrix game.

    Attributes
    ----------
    payoff : tuple of tuple of Fraction
        Entry ``[i][j]`` is the payment from the column player to the row player for row ``i`` and
        column ``j``.
    value : Fraction
        ``max_x min_j (x^T A)_j = min_y max_i (A y)_i``.
    row_strategy, column_strategy : tuple of Fraction
        Optimal ``x`` (certificate of the lower bound) and ``y`` (certificate of the upper bound).
    method : str
        Method that found the strategies: ``"basis"`` or ``"pivoting"``.
    """

    question = "the value of a matrix game"
    asked = ("payoff",)
    answered = ("value",)

    payoff: tuple[tuple[Fraction, ...], ...]
    value: Fraction
    row_strategy: tuple[Fraction, ...]
    column_strategy: tuple[Fraction, ...]
    method: str

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel."""
        return _certificate(
            self.payoff, (self.row_strategy, self.value), (self.column_strategy, self.value)
        )


@frozen
class MatrixGameBounds(Answer[Fraction]):
    """An interval that contains the value of a matrix game, with a strategy for each endpoint.

    Attributes
    ----------
    payoff : tuple of tuple of Fraction
        Payoffs to the row player, as in `MatrixGameSolution`.
    lower, upper : Fraction
        Minimum payment under ``row_strategy``, and maximum payment under ``column_strategy``.
    row_strategy, column_strategy : tuple of Fraction
        Mixed strategies of the players, which prove the bounds.
    """

    asked = ("payoff",)

    quantity: ClassVar[str] = "the value of the game"

    payoff: tuple[tuple[Fraction, ...], ...]
    lower: Fraction
    upper: Fraction
    row_strategy: tuple[Fraction, ...]
    column_strategy: tuple[Fraction, ...]

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel."""
        return _certificate(
            self.payoff, (self.row_strategy, self.lower), (self.column_strategy, self.upper)
        )


def _certificate(
    payoff: Sequence[Sequence[Fraction]],
    row: tuple[Sequence[Fraction], Fraction],
    column: tuple[Sequence[Fraction], Fraction],
) -> Certificate:
    """Return the certificate of bounds with the strategies that guarantee them."""
    unit = _unit(payoff)
    if unit.bit_length() > _LONGEST:
        raise CertificateError(
            f"the payoffs have a common denominator of {unit.bit_length()} bits; the limit of a "
            f"certificate is {_LONGEST}"
        )
    rows = [encode_integers(entries) for entries in _integers(payoff, unit)]
    (x, lower), (y, upper) = row, column
    return Certificate(
        "matrix_game",
        {"type": "matrix game", "unit": encode_integers([unit])[0], "payoff": rows},
        {"lower": encode_fraction(lower), "upper": encode_fraction(upper)},
        {"row_strategy": {"weights": weights_of(x)}},
        {"column_strategy": {"weights": weights_of(y)}},
    )


@checked_types
def solve_matrix_game(payoff: Payoff) -> MatrixGameSolution:
    """Return the exact value of a matrix game with both optimal strategies.

    Parameters
    ----------
    payoff : matrix of int, Fraction or str
        A matrix with at least one row and one column; the row player maximises. It is given as
        nested lists, an array or a data frame, whose labels are ignored.

    Notes
    -----
    Complexity: one linear program in floats, and two exact solutions of a square linear system as
    large as the support. A 300 x 300 matrix takes about a second; a matrix of 800 x 800 or 100 000
    x 30 entries takes about ten seconds.

    Examples
    --------
    >>> solution = solve_matrix_game([[0, 1], [1, 0]])
    >>> solution.value, solution.row_strategy
    (Fraction(1, 2), (Fraction(1, 2), Fraction(1, 2)))
    >>> solution.check()
    """
    with no_cycles():
        return _solve_game(rows_in(payoff, "payoff"))


def _solve_game(payoff: list[list[Any]]) -> MatrixGameSolution:
    """Return the solution of a game given by rows of entries."""
    whole = _is_whole(payoff)
    rows = _payoff(payoff, whole=whole)
    unit = 1 if whole else _unit(rows)
    if unit.bit_length() > _LONG:
        return _solve_by_columns(rows)
    integers = cast("IntegerMatrix", payoff) if whole else _integers(rows, unit)
    value, x, y, method = solve_integer_game(integers)
    return MatrixGameSolution(rows, value / unit, x, y, method)


def _solve_by_columns(payoff: tuple[tuple[Fraction, ...], ...]) -> MatrixGameSolution:
    """Solve a game as a linear program with a separate denominator for each column of the game."""
    m = len(payoff)
    rows = [([*column, -1], ">=", 0) for column in zip(*payoff, strict=True)]
    rows.append(([1] * m + [0], "=", 1))
    end = solve_linear_program(LinearProgram.minimise([0] * m + [-1], rows, [0] * m + [None]))
    if not isinstance(end, OptimalSolution):
        raise CertificateError("the solver did not find the value of the matrix game")
    return MatrixGameSolution(payoff, -end.value, end.primal[:-1], end.dual[:-1], end.method)


def solve_game_in_time(
    rows: tuple[tuple[Fraction, ...], ...], budget: Budget
) -> MatrixGameSolution | MatrixGameBounds:
    """Return the value of a matrix game, or bounds at a limit on time or certificate size."""
    unit = 1
    for denominator in {a.denominator for row in rows for a in row}:
        unit = lcm(unit, denominator)
        if unit.bit_length() > _LONGEST:
            raise InstanceTooLargeError(
                f"the payoffs have a common denominator of more than {_LONGEST} bits, the "
                "limit of a certificate; write them with fewer digits"
            )
    game = GameProgram(_integers(rows, unit))
    seen: list[Suggestion] = []
    end = None
    with budget:
        end = solve_integer_program(game.program, remembered(game.suggest(budget), seen), budget)
    if isinstance(end, Optimum):
        value, x, y = game.read(end)
        method = "pivoting" if end.pivots else "basis"
        solution = MatrixGameSolution(rows, value / unit, x, y, method)
        if is_writable(solution):
            return solution
    (lower, x), (upper, y) = game.rounded(seen[0] if seen else None)
    return MatrixGameBounds(rows, lower / unit, upper / unit, x, y)


@checked_types
def enclose_matrix_game(payoff: Payoff, *, time_limit: TimeLimit = None) -> MatrixGameBounds:
    """Return an interval that contains the value of a matrix game.

    Strategies computed in floats are rounded to distributions. The payments that these
    distributions guarantee are computed exactly, so the interval contains the value in spite of
    rounding errors. Its width is usually about 1e-9 times the payoffs.

    Parameters
    ----------
    payoff : matrix of int, Fraction or str
        A matrix with at least one row and one column; the row player maximises.
    time_limit : float or Budget, optional
        Seconds for the float solver.

    Examples
    --------
    >>> bounds = enclose_matrix_game([[0, 1], [1, 0]])
    >>> bounds.lower <= Fraction(1, 2) <= bounds.upper
    True
    >>> bounds.check()
    """
    entries = rows_in(payoff, "payoff")
    rows = _payoff(entries, whole=_is_whole(entries))
    unit = _unit(rows)
    game = GameProgram(_integers(rows, unit))
    suggestion = next(game.suggest(Budget.of(time_limit)), None)
    (lower, x), (upper, y) = game.rounded(suggestion)
    return MatrixGameBounds(rows, lower / unit, upper / unit, x, y)


def _payoff(payoff: Sequence[Sequence[object]], *, whole: bool) -> tuple[tuple[Fraction, ...], ...]:
    """Return the payoff matrix in fractions."""
    if whole:
        entries = cast("IntegerMatrix", payoff)
        numbers = set().union(*entries)
        convert: Callable[[int], Fraction] = Fraction
        if 2 * len(numbers) < sum(map(len, entries)):
            convert = {number: Fraction(number) for number in numbers}.__getitem__
        rows = tuple(tuple(map(convert, row)) for row in entries)
    else:
        rows = tuple(
            tuple(as_fraction(entry, f"payoff[{i}][{j}]") for j, entry in enumerate(row))
            for i, row in enumerate(payoff)
        )
    if not rows or not rows[0]:
        raise DomainError("payoff must have at least one row and one column")
    if any(len(row) != len(rows[0]) for row in rows):
        raise DomainError("payoff must have rows of equal length")
    return rows


def _is_whole(payoff: Sequence[Sequence[object]]) -> bool:
    """Whether all entries are of type int."""
    return all(set(map(type, row)) == {int} for row in payoff)


def _unit(payoff: Sequence[Sequence[Fraction]]) -> int:
    """Return the least common denominator of the entries."""
    return lcm(*{a.denominator for row in payoff for a in row})


def _integers(payoff: Sequence[Sequence[Fraction]], unit: int) -> list[list[int]]:
    """Return the entries multiplied by a common denominator."""
    if unit == 1:
        return [[a.numerator for a in row] for row in payoff]
    return [[a.numerator * (unit // a.denominator) for a in row] for row in payoff]


def solve_integer_game(
    matrix: IntegerMatrix, budget: Budget | None = None
) -> tuple[Fraction, tuple[Fraction, ...], tuple[Fraction, ...], str]:
    """Return ``(value, row strategy, column strategy, method)`` of an integer game, verified."""
    game = GameProgram(matrix)
    end = solve_integer_program(game.program, game.suggest(budget), budget)
    if not isinstance(end, Optimum):
        raise CertificateError("the solver did not find the value of the matrix game")
    value, x, y = game.read(end)
    return value, x, y, "pivoting" if end.pivots else "basis"


class GameProgram:
    """The linear program of an integer matrix game."""

    def __init__(self, matrix: IntegerMatrix) -> None:
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
        """Yield bases from the float solver, first for this program, then for its dual."""
        yield from suggest(self.program, budget)
        other = _program(-self._payoff.T)
        for suggestion in suggest(other, budget):
            m, n = self._payoff.shape
            # what is basic for one player is tight for the other; the value is basic for both
            rows = tuple(i for i in suggestion.basis.tight if i < m)
            columns = tuple(j for j in suggestion.basis.columns if j < n)
            yield Suggestion(Basis((*rows, m), (*columns, n)), suggestion.optimal, (), ())

    def read(self, optimum: Optimum) -> Strategies:
        """Return the value of the game, and the strategies of the row and the column player."""
        m, n = self._payoff.shape
        x = tuple(Fraction(number, optimum.x_scale) for number in optimum.x[:m])
        y = tuple(Fraction(number, optimum.y_scale) for number in optimum.y[:n])
        value = Fraction(optimum.x[m], optimum.x_scale) + self._shift
        return (-value, y, x) if self._exchanged else (value, x, y)

    def rounded(self, suggestion: Suggestion | None) -> tuple[Guarantee, Guarantee]:
        """Return rounded strategies with the payoffs that they guarantee.

        Without a suggestion, the strategies are uniform.
        """
        m, n = self._payoff.shape
        x = _distribution(suggestion.x[:m] if suggestion else (), m)
        y = _distribution(suggestion.y[:n] if suggestion else (), n)
        lower = Fraction(min(x @ self._payoff), sum(x)) + self._shift
        upper = Fraction(max(self._payoff @ y), sum(y)) + self._shift
        row, column = (lower, _normalised(x)), (upper, _normalised(y))
        if self._exchanged:
            return (-upper, column[1]), (-lower, row[1])
        return row, column


def _program(payoff: Integers) -> IntegerProgram:
    """Return the program that minimises ``-v`` under ``(x A)_j >= v`` and ``sum x = 1``."""
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
        columns[filled],
        [0] * m + [-1],
        ([0] * m + [None] + [0] * n + [1], [None] * (m + 1 + n) + [1]),
    )


def _distribution(weights: Sequence[float], size: int) -> Integers:
    """Return integers nearly proportional to floats, or equal integers if no float is usable."""
    rounded = [max(0, round(w * _GRID)) if math.isfinite(w) else 0 for w in weights]
    distribution: Integers = np.array(rounded if any(rounded) else [1] * size, dtype=object)
    return distribution


def _normalised(weights: Integers) -> tuple[Fraction, ...]:
    total = sum(weights)
    return tuple(Fraction(weight, total) for weight in weights)


class GrowingGame:
    """Minimise ``v`` subject to ``A y <= v``, ``sum y = 1``, ``y >= 0``; columns can be added."""

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
        """Add a row in which the given columns pay 1, or the given amounts, and the others 0."""
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
