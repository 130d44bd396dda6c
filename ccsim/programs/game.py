"""Matrix games solved in rationals, with both optimal strategies as certificates.

The row player maximises, the column player minimises. A game is a linear program
(`ccsim.programs.game_program`) and goes up the ladder of `ccsim.programs.solver`: no value is
returned unchecked. When not even that is wanted, `enclose_matrix_game` gives an interval.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import Annotated, Any, ClassVar, TypeAlias, cast

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, TimeLimit
from ccsim.certificates import (
    Answer,
    Certificate,
    Certified,
    encode_fraction,
    encode_integers,
    weights_of,
)
from ccsim.data import frozen
from ccsim.errors import CertificateError, DomainError
from ccsim.exact.fractions import as_fraction
from ccsim.frames import rows_in
from ccsim.programs.game_program import GameProgram, solve_integer_game
from ccsim.programs.outcome import OptimalSolution
from ccsim.programs.program import LinearProgram
from ccsim.programs.solver import solve_linear_program

Payoff: TypeAlias = Annotated[Iterable[Any], "a list of rows"]
"""Payoffs as nested lists, an array or a data frame."""

Row: TypeAlias = Sequence[int]
_LONGEST = 13000
"""Bits of a common denominator that can be written in a certificate."""
_LONG = 1024
"""Bits of a common denominator beyond which each column of a game keeps its own."""


@frozen
class MatrixGameSolution(Certified):
    """Value and optimal strategies of a matrix game.

    Attributes
    ----------
    payoff : tuple of tuple of Fraction
        Entry ``[i][j]`` is what column player pays when ``i`` meets ``j``.
    value : Fraction
        ``max_x min_j (x^T A)_j = min_y max_i (A y)_i``.
    row_strategy, column_strategy : tuple of Fraction
        Optimal ``x`` (certificate from below) and ``y`` (certificate from above).
    method : str
        How the pair was found: ``"basis"`` or ``"pivoting"``.
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
    """An interval that certainly contains the value of a matrix game, with a strategy for each end.

    Attributes
    ----------
    payoff : tuple of tuple of Fraction
        As in `MatrixGameSolution`.
    lower, upper : Fraction
        What ``row_strategy`` guarantees at least, and ``column_strategy`` at most.
    row_strategy, column_strategy : tuple of Fraction
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
    """Return the certificate that strategies guarantee the numbers given with them."""
    unit = _unit(payoff)
    if unit.bit_length() > _LONGEST:
        raise CertificateError(
            f"the payoffs have a common denominator of {unit.bit_length()} bits, a certificate "
            f"holds at most {_LONGEST}"
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
        At least one row and one column; the row player maximises. Nested lists, an array or a data
        frame, whose labels do not count.

    Returns
    -------
    MatrixGameSolution

    Raises
    ------
    DomainError
        If the matrix is empty or ragged, or an entry is not rational.

    Notes
    -----
    Complexity: one float linear program and two exact solutions of a square system of the order of
    the support. 300 x 300 takes about a second, 800 x 800 or 100 000 x 30 some ten seconds.

    Examples
    --------
    >>> solution = solve_matrix_game([[0, 1], [1, 0]])
    >>> solution.value, solution.row_strategy
    (Fraction(1, 2), (Fraction(1, 2), Fraction(1, 2)))
    >>> solution.check()
    """
    payoff = rows_in(payoff, "payoff")
    rows = _payoff(payoff)
    whole = _is_whole(payoff)
    unit = 1 if whole else _unit(rows)
    if unit.bit_length() > _LONG:
        return _solve_by_columns(rows)
    integers = cast("Sequence[Row]", payoff) if whole else _integers(rows, unit)
    value, x, y, method = solve_integer_game(integers)
    return MatrixGameSolution(rows, value / unit, x, y, method)


def _solve_by_columns(payoff: tuple[tuple[Fraction, ...], ...]) -> MatrixGameSolution:
    """Solve as a linear program whose rows, one for each column, have denominators of their own.

    A common denominator of ``m n`` long ones would make every number ``n`` times as long.
    """
    m = len(payoff)
    program = LinearProgram.minimise(
        [0] * m + [-1],
        [
            *(([*column, -1], ">=", 0) for column in zip(*payoff, strict=True)),
            ([1] * m + [0], "=", 1),
        ],
        [0] * m + [None],
    )
    end = solve_linear_program(program)
    if not isinstance(end, OptimalSolution):
        raise CertificateError("a matrix game ended without a value")
    return MatrixGameSolution(payoff, -end.value, end.primal[:-1], end.dual[:-1], end.method)


@checked_types
def enclose_matrix_game(payoff: Payoff, *, time_limit: TimeLimit = None) -> MatrixGameBounds:
    """Return an interval that certainly contains the value of a matrix game.

    Float solutions are rounded to distributions; what these guarantee is computed exactly, so that
    the interval is right however wrong the floats are. Usually it is narrow: 1e-9 of the payoff.

    Parameters
    ----------
    payoff : matrix of int, Fraction or str
        At least one row and one column; the row player maximises.
    time_limit : float or Budget, optional
        Seconds for the float solver.

    Raises
    ------
    DomainError
        If the matrix is empty or ragged, or an entry is not rational.

    Examples
    --------
    >>> bounds = enclose_matrix_game([[0, 1], [1, 0]])
    >>> bounds.lower <= Fraction(1, 2) <= bounds.upper
    True
    >>> bounds.check()
    """
    rows = _payoff(rows_in(payoff, "payoff"))
    unit = _unit(rows)
    game = GameProgram(_integers(rows, unit))
    suggestion = next(game.suggest(Budget.of(time_limit)), None)
    (lower, x), (upper, y) = game.rounded(suggestion)
    return MatrixGameBounds(rows, lower / unit, upper / unit, x, y)


def _payoff(payoff: Sequence[Sequence[object]]) -> tuple[tuple[Fraction, ...], ...]:
    """Return the matrix in fractions."""
    whole = _is_whole(payoff)
    numbers = {number for row in payoff for number in cast("Row", row)} if whole else set()
    known = {number: Fraction(number) for number in numbers}
    rows = tuple(
        tuple(map(known.__getitem__, cast("Row", row)))
        if whole
        else tuple(as_fraction(entry, f"payoff[{i}][{j}]") for j, entry in enumerate(row))
        for i, row in enumerate(payoff)
    )
    if not rows or not rows[0]:
        raise DomainError("payoff must have at least one row and one column")
    if any(len(row) != len(rows[0]) for row in rows):
        raise DomainError("payoff must have rows of equal length")
    return rows


def _is_whole(payoff: Sequence[Sequence[object]]) -> bool:
    """Say whether all entries are of type int."""
    return all(set(map(type, row)) == {int} for row in payoff)


def _unit(payoff: Sequence[Sequence[Fraction]]) -> int:
    """Return the least common denominator of the entries."""
    return lcm(*{a.denominator for row in payoff for a in row})


def _integers(payoff: Sequence[Sequence[Fraction]], unit: int) -> list[list[int]]:
    """Return the entries multiplied by a common denominator."""
    if unit == 1:
        return [[a.numerator for a in row] for row in payoff]
    return [[a.numerator * (unit // a.denominator) for a in row] for row in payoff]
