"""Two-player games: their linear programs, and protocols as games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

from ccsim.appearance import counted
from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, TimeLimit
from ccsim.communication.given import ProblemLike, as_problem
from ccsim.communication.problem import CommunicationProblem
from ccsim.data import validated
from ccsim.errors import DomainError, InstanceTooLargeError, NotDecidedError
from ccsim.exact.fractions import as_fraction
from ccsim.frames import rows_in
from ccsim.programs.game import MatrixGameSolution, Payoff, solve_matrix_game
from ccsim.programs.program import LinearProgram

MAX_PAYOFFS = 1 << 20  # maximum number of pairs of strategies of a game in a file

Payoffs = tuple[tuple[Fraction, ...], ...]


@validated
class TwoPlayerGame:
    """A game in strategic form with rational payoffs; both players maximise their payoffs.

    Attributes
    ----------
    title : str
        Title of the game.
    players : tuple of two str
        Names of the players.
    strategies : two tuples of str
        Names of the strategies of each player, at least one for each player.
    first, second : tuple of tuple of Fraction
        Payoffs of the first and of the second player, with a row for each strategy of the first
        player and a column for each strategy of the second player.

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
            raise DomainError("each player must have at least one strategy")
        check_pairs(rows, columns)
        for payoffs in (self.first, self.second):
            if len(payoffs) != rows or any(len(row) != columns for row in payoffs):
                raise DomainError(
                    f"payoffs of each player must be {rows} rows of {columns} entries"
                )

    @classmethod
    def zero_sum(
        cls,
        payoff: Payoff,
        strategies: tuple[Sequence[str], Sequence[str]] | None = None,
        players: tuple[str, str] = ("maximiser", "minimiser"),
        title: str = "zero-sum game",
    ) -> TwoPlayerGame:
        """Return the game in which the second player pays the first player the entry of a matrix.

        Parameters
        ----------
        payoff : matrix of int, Fraction or str
            Payoffs to the first player, with a row for each of his strategies.
        strategies : two sequences of str, optional
            Names of the strategies of each player; default: numbers from 1.
        players : two str
            Names of the players.
        title : str
            Title of the game.
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
        """The sum of both payoffs if it is constant (0 for a zero-sum game), otherwise None."""
        sums = (
            a + b
            for ones, others in zip(self.first, self.second, strict=True)
            for a, b in zip(ones, others, strict=True)
        )
        total = next(sums)
        return total if all(each == total for each in sums) else None

    def solve(self) -> MatrixGameSolution:
        """Return the exact value of a constant-sum game for the first player, with strategies."""
        if self.constant is None:
            raise DomainError(
                "the payoffs of both players must have a constant sum for the game to be solved"
            )
        return solve_matrix_game(self.first)


def check_pairs(rows: int, columns: int) -> None:
    """Check that there are at most `MAX_PAYOFFS` pairs of strategies."""
    if rows * columns > MAX_PAYOFFS:
        raise InstanceTooLargeError(
            f"a game must have at most {MAX_PAYOFFS} pairs of strategies, not {rows} x {columns}"
        )


@checked_types
def game_program(game: TwoPlayerGame) -> LinearProgram:
    """Return the linear program of the second player, who minimises the payoff of the first.

    Its variables are the probabilities of the second player's strategies and the value of the game.
    The dual solution is the first player's strategy.

    Parameters
    ----------
    game : TwoPlayerGame
        A constant-sum game.

    Examples
    --------
    >>> from ccsim.programs import solve_linear_program
    >>> program = game_program(TwoPlayerGame.zero_sum([[0, 1], [1, 0]]))
    >>> program.num_variables, solve_linear_program(program).value
    (3, Fraction(1, 2))
    """
    if game.constant is None:
        raise DomainError(
            "the payoffs of both players must have a constant sum for a linear program"
        )
    columns = len(game.strategies[1])
    rows = [([*row, -1], "<=", 0) for row in game.first]
    certain: tuple[list[object], str, int] = ([*[1] * columns, 0], "=", 1)
    return LinearProgram.minimise(
        [*[0] * columns, 1], [*rows, certain], lower=[*[0] * columns, None]
    )


MAX_PROTOCOLS = 1 << 12  # maximum number of deterministic protocols of a game


@checked_types
def protocol_game(
    problem: ProblemLike, messages: int, *, time_limit: TimeLimit = None
) -> TwoPlayerGame:
    """Return the game between inputs and deterministic one-way protocols as a full matrix.

    The first player chooses an input within the promise, and the second player chooses a protocol.
    The first player receives 1 if the protocol errs on the input. The value of the game is
    therefore the minimax error with public coins. A protocol is left out if it is dominated because
    Bob gives the wrong answer where all inputs of Alice with this message have the same value.

    Parameters
    ----------
    problem : CommunicationProblem, ConceptClass, INSTANCE text or matrix
    messages : int
        Number of messages, at least 1.
    time_limit : float or Budget, optional

    Returns
    -------
    TwoPlayerGame
        A game in which the strategies of the first player are named ``x,y``. The name of a strategy
        of the second player lists the sets of Alice's inputs that share a message, each with the
        inputs of Bob that are answered 1, such as ``{1} -> {1}; {2, 3} -> {}``.

    Raises
    ------
    InstanceTooLargeError
        If there are more than `MAX_PROTOCOLS` protocols; equality on 5 inputs with 2 messages has
        432.
    NotDecidedError
        If the time limit ends before all protocols are listed.

    Examples
    --------
    >>> from ccsim import equality
    >>> game = protocol_game(equality(3), 2)
    >>> len(game.strategies[0]), len(game.strategies[1]), game.solve().value
    (9, 20, Fraction(2, 9))
    """
    if messages < 1:
        raise DomainError(f"messages must be at least 1, not {messages}")
    budget = Budget.of(time_limit)
    f = as_problem(problem, budget)
    if messages > 1 and len(f.alice) > MAX_PROTOCOLS.bit_length():
        raise _too_many(f, messages)  # two sets that part Alice's inputs are as many already
    found: list[tuple[list[list[int]], tuple[int, ...]]] = []
    ended = False
    with budget:
        for parts in _partitions(len(f.alice), messages):
            budget.spend()
            for answers in product(*(_answers(f, part) for part in parts)):
                found.append((parts, answers))
                if len(found) > MAX_PROTOCOLS:
                    raise _too_many(f, messages)
        ended = True
    if not ended:
        raise NotDecidedError(
            "the time limit was reached before all protocols were listed; raise the time limit"
        )
    inputs = f.inputs()
    check_pairs(len(inputs), len(found))
    protocols = [_named(f, parts, answers) for parts, answers in found]
    payoff = [
        [int((ones[x] >> y & 1) != f.value(x, y)) for _, ones in protocols] for x, y in inputs
    ]
    names = [f"{f.alice[x]},{f.bob[y]}" for x, y in inputs]
    title = f"{f.name or 'problem'} with {counted(messages, 'message', 'messages')}"
    return TwoPlayerGame.zero_sum(
        payoff, (names, [name for name, _ in protocols]), ("input", "protocol"), title
    )


def _too_many(f: CommunicationProblem, messages: int) -> InstanceTooLargeError:
    used = counted(messages, "message", "messages")
    return InstanceTooLargeError(
        f"{f.name or 'the problem'} has more than {MAX_PROTOCOLS} deterministic protocols with "
        f"{used}, the limit of this game; use minimax_error, which does not list them"
    )


def _partitions(size: int, most: int) -> Iterator[list[list[int]]]:
    """Yield the partitions of ``0 .. size - 1`` into at most ``most`` sets."""
    if most == 1:
        yield [list(range(size))]
        return

    def extend(x: int, parts: list[list[int]]) -> Iterator[list[list[int]]]:
        if x == size:
            yield [list(part) for part in parts]
            return
        for part in parts:
            part.append(x)
            yield from extend(x + 1, parts)
            part.pop()
        if len(parts) < most:
            parts.append([x])
            yield from extend(x + 1, parts)
            parts.pop()

    yield from extend(0, [])


def _answers(f: CommunicationProblem, part: Sequence[int]) -> list[int]:
    """Return Bob's undominated answers to a message as masks.

    Where Alice's inputs have different values, both answers are possible.
    """
    ones = zeros = 0
    for x in part:
        ones |= f.ones[x]
        zeros |= f.promise[x] & ~f.ones[x]
    open_bits = [1 << y for y in range(len(f.bob)) if ones & zeros & (1 << y)]
    masks = [ones & ~zeros]
    for bit in open_bits:
        masks += [mask | bit for mask in masks]
        if len(masks) > MAX_PROTOCOLS:
            break
    return masks


def _named(
    f: CommunicationProblem, parts: Sequence[Sequence[int]], answers: Sequence[int]
) -> tuple[str, tuple[int, ...]]:
    """Return the name of a protocol and, for each of Alice's inputs, the mask of Bob's answers."""
    of_input = {x: mask for part, mask in zip(parts, answers, strict=True) for x in part}
    said = []
    for part, mask in zip(parts, answers, strict=True):
        inputs = ", ".join(str(f.alice[x]) for x in part)
        accepted = ", ".join(str(y) for j, y in enumerate(f.bob) if mask >> j & 1)
        said.append(f"{{{inputs}}} -> {{{accepted}}}")
    return "; ".join(said), tuple(of_input[x] for x in range(len(f.alice)))
