"""Games of two players in Gambit's ``.nfg`` format, and as objects of pygambit.

Texts with payoffs and texts with outcomes are read; payoffs are written. All numbers are exact.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NoReturn

from ccsim.arguments.checked import checked_types
from ccsim.arguments.values import show_value
from ccsim.budget import check_time
from ccsim.errors import DomainError, UnreadableInputError
from ccsim.exact.fractions import as_fraction
from ccsim.interchange.games import TwoPlayerGame, check_pairs

_BLANK = re.compile(r"[\s,]+")
_WORD = re.compile(r'"([^"\\]*+(?:\\.[^"\\]*+)*+)"|([{}])|([^\s{}",]+)', re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_MAX_TEXT = 1 << 26


@checked_types
def to_nfg(game: TwoPlayerGame) -> str:
    """Return a game as text in Gambit's ``.nfg`` format.

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
    """Return the two-player game of a text in Gambit's ``.nfg`` format.

    Parameters
    ----------
    text : str
        The text, in the form with payoffs or with outcomes.

    Raises
    ------
    UnreadableInputError
        If the text is invalid or has more than two players. The message names the line.

    Examples
    --------
    >>> from_nfg('NFG 1 R "t" { "a" "b" } { 2 1 } 1 -1 0.5 -1/2').first
    ((Fraction(1, 1),), (Fraction(1, 2),))
    """
    if len(text) > _MAX_TEXT:
        raise UnreadableInputError(f"a game must have at most {_MAX_TEXT} characters")
    return _Reader(text).game()


class _Reader:
    """A reader of the words in a text: braces, quoted texts and numbers."""

    def __init__(self, text: str) -> None:
        self._text, self._start, self._end = text, 0, 0
        self._kind: str | None = None  # of the next word; None at the end
        self._word = ""
        self._advance()

    def _advance(self) -> None:
        """Go to the next word."""
        check_time()
        blank = _BLANK.match(self._text, self._end)
        self._start = self._end = blank.end() if blank else self._end
        self._kind, self._word = None, ""
        if self._start == len(self._text):
            return
        found = _WORD.match(self._text, self._start)
        if found is None:
            self.refuse(f"unexpected {self._text[self._start]!r}")
        quoted, brace, word = found.groups()
        self._end = found.end()
        self._kind = '"' if brace is word is None else brace or ""
        self._word = _ESCAPED.sub(r"\1", quoted) if brace is word is None else brace or word

    def refuse(self, reason: str) -> NoReturn:
        """Raise the error that the text is invalid at the next word."""
        line = self._text.count("\n", 0, self._start) + 1
        raise UnreadableInputError(f"line {line}: {reason}")

    def _take(self, kind: str, what: str) -> str:
        if self._kind != kind:
            found = "the end" if self._kind is None else repr(self._word[:40])
            self.refuse(f"expected {what}, found {found}")
        word = self._word
        self._advance()
        return word

    def _braced(self, kind: str, what: str) -> list[str]:
        self._take("{", f"{{ before {what}")
        found = []
        while self._kind == kind:
            found.append(self._take(kind, what))
        self._take("}", f"}} after {what}")
        return found

    def _number(self, what: str) -> Fraction:
        if self._kind != "":
            self._take("", what)
        try:
            number = as_fraction(self._word, what)
        except DomainError as error:
            self.refuse(str(error))
        self._advance()
        return number

    def _index(self, what: str, most: int) -> int:
        word = self._word
        number = self._number(what)
        if number.denominator != 1 or not 0 <= number <= most:
            self.refuse(f"{what} must be an integer between 0 and {most}, not {word[:40]!r}")
        return int(number)

    def game(self) -> TwoPlayerGame:
        """Read the whole text."""
        if self._word == "EFG":
            self.refuse(
                "expected a strategic game, found an extensive one (.efg); use pygambit.read_efg "
                "and from_gambit"
            )
        head = [self._take("", "the words NFG 1 R") for _ in range(3)]
        if head[:2] != ["NFG", "1"] or head[2] not in {"R", "D"}:
            self.refuse(f"a game must begin with NFG 1 R, not {' '.join(head)[:40]!r}")
        title = self._take('"', "a title in quotes")
        players = self._braced('"', "names of players")
        if len(players) != 2:
            self.refuse(
                f"the game must have 2 players, not {len(players)}; pygambit.nash solves games "
                "with more players"
            )
        rows, columns = self._strategies()
        check_pairs(len(rows), len(columns))
        if self._kind == '"':
            self._take('"', "a comment")
        outcomes = self._outcomes() if self._kind == "{" else None
        first, second = ([[Fraction(0)] * len(columns) for _ in rows] for _ in range(2))
        for j in range(len(columns)):
            for i in range(len(rows)):
                if outcomes is None:
                    pair = self._number("a payoff"), self._number("a payoff")
                else:
                    pair = outcomes[self._index("the outcome", len(outcomes) - 1)]
                first[i][j], second[i][j] = pair
        if self._kind is not None:
            self.refuse("more payoffs than pairs of strategies")
        return TwoPlayerGame(
            title, (players[0], players[1]), (rows, columns), _frozen(first), _frozen(second)
        )

    def _strategies(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        self._take("{", "{ before the strategies")
        if self._kind == "{":
            sides = [tuple(self._braced('"', "names of strategies")) for _ in range(2)]
        else:
            numbers = [self._index("the number of strategies", 1 << 20) for _ in range(2)]
            check_pairs(*numbers)
            sides = [tuple(str(i + 1) for i in range(number)) for number in numbers]
        self._take("}", "} after the strategies")
        if not all(sides):
            self.refuse("each player must have at least one strategy")
        return sides[0], sides[1]

    def _outcomes(self) -> list[tuple[Fraction, Fraction]]:
        """Return the payoffs of the outcomes; outcome 0 has no payoffs."""
        outcomes = [(Fraction(0), Fraction(0))]
        self._take("{", "{ before the outcomes")
        while self._kind == "{":
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
            "games of pygambit require pygambit; install it with pip install pygambit, or use "
            "to_nfg to write files for Gambit"
        ) from None
    return pygambit.read_nfg(io.BytesIO(to_nfg(game).encode()))


@checked_types
def from_gambit(game: Any) -> TwoPlayerGame:  # noqa: ANN401 - pygambit need not be there
    """Return the strategic form of a two-player ``pygambit.Game``.

    Parameters
    ----------
    game : pygambit.Game

    Raises
    ------
    DomainError, UnreadableInputError
        If the object is not a game with two players.
    """
    if not hasattr(game, "to_nfg"):
        raise DomainError(f"game must be a pygambit.Game, not {show_value(game)}")
    return from_nfg(str(game.to_nfg()))
