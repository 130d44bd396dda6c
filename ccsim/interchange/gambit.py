"""Games of two players in Gambit's ``.nfg`` format, and as objects of pygambit.

Of a text both forms are read, payoffs and outcomes; payoffs are written, all exact.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ccsim.arguments.checked import checked_types
from ccsim.arguments.values import show_value
from ccsim.errors import DomainError, UnreadableInputError
from ccsim.exact.fractions import as_fraction
from ccsim.interchange.games import TwoPlayerGame, check_pairs

_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|([{}])|([^\s{}",]+)|([\s,]+)|(.)', re.DOTALL)
_MAX_TEXT = 1 << 26


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
