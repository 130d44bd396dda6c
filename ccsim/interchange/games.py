"""Games of two players in strategic form, and their linear programs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ccsim.arguments.checked import checked_types
from ccsim.data import validated
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact.fractions import as_fraction
from ccsim.frames import rows_in
from ccsim.programs.game import MatrixGameSolution, Payoff, solve_matrix_game
from ccsim.programs.program import LinearProgram

MAX_PAYOFFS = 1 << 20
"""Most pairs of strategies of a game that is written or read."""

Payoffs = tuple[tuple[Fraction, ...], ...]


@validated
class TwoPlayerGame:
    """A game in strategic form with rational payoffs, which both players maximise.

    Attributes
    ----------
    title : str
    players : tuple of two str
    strategies : two tuples of str
        Names of the strategies of each player, at least one each.
    first, second : tuple of tuple of Fraction
        Payoffs of the first and of the second player: a row for each strategy of the first one,
        in it an entry for each strategy of the second one.

    Raises
    ------
    DomainError
        If sizes do not fit.
    InstanceTooLargeError
        If there are more than `MAX_PAYOFFS` pairs of strategies.

    Examples
    --------
    >>> game = TwoPlayerGame.zero_sum([[0, 1], ["1/2", 0]])
    >>> game.second[1][0], game.solve().value
    (Fraction(-1, 2), Fraction(1, 3))
    """

    title: str
    players: tuple[str, str]
    strategies: tuple[tuple[str, ...], tuple[str, ...]]
    first: Payoffs
    second: Payoffs

    def __post_init__(self) -> None:
        rows, columns = map(len, self.strategies)
        if not rows or not columns:
            raise DomainError("each player must have a strategy")
        check_pairs(rows, columns)
        for payoffs in (self.first, self.second):
            if len(payoffs) != rows or any(len(row) != columns for row in payoffs):
                raise DomainError(f"payoffs must be {rows} rows of {columns} entries")

    @classmethod
    def zero_sum(
        cls,
        payoff: Payoff,
        strategies: tuple[Sequence[str], Sequence[str]] | None = None,
        players: tuple[str, str] = ("maximiser", "minimiser"),
        title: str = "zero-sum game",
    ) -> TwoPlayerGame:
        """Return the game in which the second player pays the first one the entry of a matrix.

        Parameters
        ----------
        payoff : matrix of int, Fraction or str
        strategies : two sequences of str, optional
            Default their numbers, from 1 on.
        players : two str
        title : str
        """
        rows = rows_in(payoff, "payoff")
        check_pairs(len(rows), max(map(len, rows), default=0))
        exact = tuple(
            tuple(as_fraction(entry, f"payoff[{i}][{j}]") for j, entry in enumerate(row))
            for i, row in enumerate(rows)
        )
        if strategies is None:
            width = len(exact[0]) if exact else 0
            names = tuple(tuple(str(i + 1) for i in range(n)) for n in (len(exact), width))
            strategies = names[0], names[1]
        paid = tuple(tuple(-entry for entry in row) for row in exact)
        return cls(title, players, (tuple(strategies[0]), tuple(strategies[1])), exact, paid)

    @property
    def constant(self) -> Fraction | None:
        """What both payoffs sum to, if that is the same everywhere; 0 for a zero-sum game."""
        sums = {
            a + b
            for ones, others in zip(self.first, self.second, strict=True)
            for a, b in zip(ones, others, strict=True)
        }
        return sums.pop() if len(sums) == 1 else None

    def solve(self) -> MatrixGameSolution:
        """Return the exact value for the first player, with optimal strategies of both.

        Raises
        ------
        DomainError
            If the sum of both payoffs is not constant.

        Notes
        -----
        As large games as `ccsim.programs.solve_matrix_game` solves.
        """
        if self.constant is None:
            raise DomainError("only games whose payoffs have a constant sum are solved")
        return solve_matrix_game(self.first)


def check_pairs(rows: int, columns: int) -> None:
    """Refuse more than `MAX_PAYOFFS` pairs of strategies."""
    if rows * columns > MAX_PAYOFFS:
        raise InstanceTooLargeError(
            f"a game has at most {MAX_PAYOFFS} pairs of strategies, not {rows} x {columns}"
        )


@checked_types
def game_program(game: TwoPlayerGame) -> LinearProgram:
    """Return the linear program of the second player: the least that the first one can be held to.

    Its variables are the probabilities of the second player's strategies, and the value. The prices
    of its constraints are the first player's strategy.

    Parameters
    ----------
    game : TwoPlayerGame
        Of constant sum.

    Raises
    ------
    DomainError
        If the sum of both payoffs is not constant.

    Examples
    --------
    >>> from ccsim.programs import solve_linear_program
    >>> program = game_program(TwoPlayerGame.zero_sum([[0, 1], [1, 0]]))
    >>> program.num_variables, solve_linear_program(program).value
    (3, Fraction(1, 2))
    """
    if game.constant is None:
        raise DomainError("only games whose payoffs have a constant sum are linear programs")
    columns = len(game.strategies[1])
    rows = [([*row, -1], "<=", 0) for row in game.first]
    certain: tuple[list[object], str, int] = ([*[1] * columns, 0], "=", 1)
    return LinearProgram.minimise(
        [*[0] * columns, 1], [*rows, certain], lower=[*[0] * columns, None]
    )
