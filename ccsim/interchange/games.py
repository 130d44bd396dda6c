"""Games of two players: their linear programs, protocols as games, and Gambit's ``.nfg`` format.

Of a ``.nfg`` text both forms are read, payoffs and outcomes; payoffs are written, all exact.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from ccsim.appearance import counted
from ccsim.arguments.checked import checked_types
from ccsim.arguments.values import show_value
from ccsim.budget import Budget, TimeLimit
from ccsim.communication.given import ProblemLike, as_problem
from ccsim.communication.problem import CommunicationProblem
from ccsim.data import validated
from ccsim.errors import DomainError, InstanceTooLargeError, NotDecidedError, UnreadableInputError
from ccsim.exact.fractions import as_fraction
from ccsim.frames import rows_in
from ccsim.programs.game import MatrixGameSolution, Payoff, solve_matrix_game
from ccsim.programs.program import LinearProgram

MAX_PAYOFFS = 1 << 20  # most pairs of strategies of a game that is written or read
_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|([{}])|([^\s{}",]+)|([\s,]+)|(.)', re.DOTALL)
_MAX_TEXT = 1 << 26

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
        """Return the exact value for the first player of a constant-sum game, with strategies."""
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


MAX_PROTOCOLS = 1 << 12  # most deterministic protocols of a game that is written out


@checked_types
def protocol_game(
    problem: ProblemLike, messages: int, *, time_limit: TimeLimit = None
) -> TwoPlayerGame:
    """Return the game between inputs and deterministic one-way protocols, all written out.

    The first player chooses an input inside the promise and gets 1 where the protocol errs, so that
    the value is the least error with public coins. Protocols of which another one errs at most
    where they do are left out: Bob's answer to a message differs from the only value that its
    inputs leave.

    Parameters
    ----------
    problem : CommunicationProblem, ConceptClass, INSTANCE text or matrix
    messages : int
        At least 1.
    time_limit : float or Budget, optional

    Returns
    -------
    TwoPlayerGame
        A strategy of the first player is named ``x,y``; one of the second by the sets of Alice's
        inputs that share a message, each with the inputs of Bob at which the answer is 1, such as
        ``{1} -> {1}; {2, 3} -> {}``.

    Raises
    ------
    InstanceTooLargeError
        If there are more than `MAX_PROTOCOLS`; equality on 5 inputs with 2 messages has 432.
    NotDecidedError
        If time runs out before all are written.

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
    inputs = f.inputs()
    protocols: list[tuple[str, tuple[int, ...]]] = []
    ended = False
    with budget:
        for parts in _partitions(len(f.alice), messages):
            budget.spend()
            for answers in product(*(_answers(f, part) for part in parts)):
                protocols.append(_named(f, parts, answers))
                if len(protocols) > MAX_PROTOCOLS:
                    raise _too_many(f, messages)
        ended = True
    if not ended:
        raise NotDecidedError("the time limit was over before all protocols were written")
    check_pairs(len(inputs), len(protocols))
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
        f"{used} to write out; minimax_error needs no list of them"
    )


def _partitions(size: int, most: int) -> Iterator[list[list[int]]]:
    """Yield the partitions of ``0 .. size - 1`` into at most so many sets."""
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
    """Return Bob's answers to a message as masks: both values where its inputs disagree."""
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
    """Return a protocol's name, and its answers by Alice's inputs."""
    of_input = {x: mask for part, mask in zip(parts, answers, strict=True) for x in part}
    said = []
    for part, mask in zip(parts, answers, strict=True):
        inputs = ", ".join(str(f.alice[x]) for x in part)
        accepted = ", ".join(str(y) for j, y in enumerate(f.bob) if mask >> j & 1)
        said.append(f"{{{inputs}}} -> {{{accepted}}}")
    return "; ".join(said), tuple(of_input[x] for x in range(len(f.alice)))


@checked_types
def to_nfg(game: TwoPlayerGame) -> str:
    """Return a game in Gambit's ``.nfg`` text.

    Parameters
    ----------
    game : TwoPlayerGame

    Examples
    --------
    >>> game = TwoPlayerGame.zero_sum([[0, "1/3"]], (["in"], ["left", "right"]))
    >>> print(to_nfg(game), end="")
    NFG 1 R "zero-sum game" { "maximiser" "minimiser" }
    <BLANKLINE>
    { { "in" }
    { "left" "right" }
    }
    ""
    <BLANKLINE>
    0 0
    1/3 -1/3
    """
    quoted = [" ".join(map(_quote, names)) for names in game.strategies]
    lines = [
        f"NFG 1 R {_quote(game.title)} {{ {' '.join(map(_quote, game.players))} }}",
        "",
        f"{{ {{ {quoted[0]} }}",
        f"{{ {quoted[1]} }}",
        "}",
        '""',
        "",
    ]
    for j in range(len(game.strategies[1])):  # the first player's strategy varies fastest
        for ones, others in zip(game.first, game.second, strict=True):
            lines.append(f"{ones[j]} {others[j]}")
    return "\n".join([*lines, ""])


def _quote(text: str) -> str:
    plain = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{plain}"'


@checked_types
def from_nfg(text: str) -> TwoPlayerGame:
    """Return the game of two players that a ``.nfg`` text holds.

    Parameters
    ----------
    text : str
        In the format of Gambit, with payoffs or outcomes.

    Raises
    ------
    UnreadableInputError
        If it is no such text, or of more players than two.

    Examples
    --------
    >>> from_nfg('NFG 1 R "t" { "a" "b" } { 2 1 } 1 -1 0.5 -1/2').first
    ((Fraction(1, 1),), (Fraction(1, 2),))
    """
    if len(text) > _MAX_TEXT:
        raise UnreadableInputError(f"a game of more than {_MAX_TEXT} characters is not read")
    return _Reader(text).game()


class _Reader:
    """The words of a text, one after another: braces, quoted texts and what stands between."""

    def __init__(self, text: str) -> None:
        self._words: list[tuple[str, str]] = []
        for found in _TOKEN.finditer(text):
            quoted, brace, word, _, strange = found.groups()
            if quoted is not None:
                self._words.append(('"', re.sub(r"\\(.)", r"\1", quoted, flags=re.DOTALL)))
            elif brace is not None:
                self._words.append((brace, brace))
            elif word is not None:
                self._words.append(("", word))
            elif strange is not None:
                raise UnreadableInputError(f"a game with {strange!r} where a word begins")
        self._at = 0

    def _kind(self) -> str | None:
        return self._words[self._at][0] if self._at < len(self._words) else None

    def _take(self, kind: str, what: str) -> str:
        if self._kind() != kind:
            found = repr(self._words[self._at][1][:40]) if self._kind() is not None else "its end"
            raise UnreadableInputError(f"a game needs {what} where {found} stands")
        self._at += 1
        return self._words[self._at - 1][1]

    def _braced(self, kind: str, what: str) -> list[str]:
        self._take("{", f"{{ before {what}")
        found = []
        while self._kind() == kind:
            found.append(self._take(kind, what))
        self._take("}", f"}} after {what}")
        return found

    def _number(self, what: str) -> Fraction:
        word = self._take("", what)
        try:
            return as_fraction(word, what)
        except DomainError as error:
            raise UnreadableInputError(f"a game in which {error}") from None

    def _index(self, what: str, most: int) -> int:
        number = self._number(what)
        if number.denominator != 1 or not 0 <= number <= most:
            raise UnreadableInputError(f"a game with {what} {number}, not between 0 and {most}")
        return int(number)

    def game(self) -> TwoPlayerGame:
        """Read the whole text."""
        head = [self._take("", "the words NFG 1 R") for _ in range(3)]
        if head[:2] != ["NFG", "1"] or head[2] not in {"R", "D"}:
            raise UnreadableInputError(f"a game begins with NFG 1 R, not {' '.join(head)[:40]!r}")
        title = self._take('"', "its title")
        players = self._braced('"', "names of players")
        if len(players) != 2:
            raise UnreadableInputError(f"a game of {len(players)} players, not of two")
        rows, columns = self._strategies()
        check_pairs(len(rows), len(columns))
        if self._kind() == '"':
            self._take('"', "a comment")
        outcomes = self._outcomes() if self._kind() == "{" else None
        first, second = ([[Fraction(0)] * len(columns) for _ in rows] for _ in range(2))
        for j in range(len(columns)):
            for i in range(len(rows)):
                if outcomes is None:
                    pair = self._number("a payoff"), self._number("a payoff")
                else:
                    pair = outcomes[self._index("the outcome", len(outcomes) - 1)]
                first[i][j], second[i][j] = pair
        if self._kind() is not None:
            raise UnreadableInputError("a game with more payoffs than pairs of strategies")
        return TwoPlayerGame(
            title, (players[0], players[1]), (rows, columns), _frozen(first), _frozen(second)
        )

    def _strategies(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        self._take("{", "{ before the strategies")
        if self._kind() == "{":
            sides = [tuple(self._braced('"', "names of strategies")) for _ in range(2)]
        else:
            numbers = [self._index("the number of strategies", 1 << 20) for _ in range(2)]
            check_pairs(*numbers)
            sides = [tuple(str(i + 1) for i in range(number)) for number in numbers]
        self._take("}", "} after the strategies")
        if not all(sides):
            raise UnreadableInputError("a game needs a strategy for each player")
        return sides[0], sides[1]

    def _outcomes(self) -> list[tuple[Fraction, Fraction]]:
        """Return the payoffs of the outcomes; number 0 is the one without any."""
        outcomes = [(Fraction(0), Fraction(0))]
        self._take("{", "{ before the outcomes")
        while self._kind() == "{":
            self._take("{", "{ before an outcome")
            self._take('"', "the name of an outcome")
            outcomes.append((self._number("a payoff"), self._number("a payoff")))
            self._take("}", "} after an outcome")
        self._take("}", "} after the outcomes")
        return outcomes


def _frozen(payoffs: Sequence[Sequence[Fraction]]) -> tuple[tuple[Fraction, ...], ...]:
    return tuple(map(tuple, payoffs))


@checked_types
def to_gambit(game: TwoPlayerGame) -> Any:  # noqa: ANN401 - pygambit need not be there
    """Return a game as a ``pygambit.Game``, with rational payoffs.

    Parameters
    ----------
    game : TwoPlayerGame

    Raises
    ------
    DomainError
        If pygambit is not installed.
    """
    if not isinstance(game, TwoPlayerGame):
        raise DomainError(f"game must be a TwoPlayerGame, not {show_value(game)}")
    try:
        import pygambit
    except ImportError:
        raise DomainError(
            "Gambit's own objects need pygambit: pip install pygambit; to_nfg writes its files"
        ) from None
    return pygambit.read_nfg(io.BytesIO(to_nfg(game).encode()))


@checked_types
def from_gambit(game: Any) -> TwoPlayerGame:  # noqa: ANN401 - pygambit need not be there
    """Return a ``pygambit.Game`` of two players, of an extensive one its strategic form.

    Parameters
    ----------
    game : pygambit.Game

    Raises
    ------
    DomainError, UnreadableInputError
        If it is no such game, or has not two players.
    """
    if not hasattr(game, "to_nfg"):
        raise DomainError(f"game must be a game of pygambit, not {show_value(game)}")
    return from_nfg(str(game.to_nfg()))
