"""Zero-sum games in files: tables of payoffs, and game files of Gambit."""

from __future__ import annotations

from collections import Counter
from operator import neg
from pathlib import Path

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, TimeLimit
from ccsim.certificates.files import STANDARD_INPUT, read_limited
from ccsim.errors import DomainError, InstanceTooLargeError, UnreadableInputError
from ccsim.interchange.gambit import from_nfg
from ccsim.interchange.games import TwoPlayerGame, check_pairs
from ccsim.texts.numbers import read_numbers
from ccsim.texts.reading import Reading, announce, name_of_file

_PLAYERS = "row player", "column player"


@checked_types
def read_game(path: Path | str, *, time_limit: TimeLimit = None) -> TwoPlayerGame:
    r"""Return the constant-sum game of a file.

    Parameters
    ----------
    path : Path or str
        Name of a file: a table of payoffs to the row player (csv, tsv, txt, json, npy), possibly
        with options as in ``payoffs.csv:header=yes``, or a two-player game in Gambit's format
        (nfg).
    time_limit : float or Budget, optional

    Raises
    ------
    UnreadableInputError
        If the file is unreadable, or the sum of the payoffs is not constant.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "payoffs.csv"
    ...     _ = path.write_text(",left,right\nup,1/3,0\ndown,0,0.5\n")
    ...     game = read_game(path)
    >>> game.strategies, game.solve().value
    ((('up', 'down'), ('left', 'right')), Fraction(1, 5))
    """
    budget = Budget.of(time_limit)
    name = name_of_file(str(path))
    with budget.heard():
        is_nfg = Path(name).suffix.lower() == ".nfg"
        if name == STANDARD_INPUT:
            is_nfg = read_limited(name).lstrip().startswith(b"NFG")
        game = _of_gambit(name) if is_nfg else _of_table(str(path), budget)
        for player, names in zip(game.players, game.strategies, strict=True):
            twice, number = Counter(names).most_common(1)[0]
            if number > 1:
                raise UnreadableInputError(
                    f"{name}: the strategies of {player!r} must have distinct names, but "
                    f"{twice!r} occurs twice"
                )
        if is_nfg and game.constant is None:
            raise UnreadableInputError(
                f"{name}: the sum of both payoffs must be constant; for equilibria of other games "
                "use pygambit.nash, for example enummixed_solve"
            )
    return game


def _of_gambit(name: str) -> TwoPlayerGame:
    try:
        return from_nfg(read_limited(name).decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise UnreadableInputError(
            f"{name}: expected UTF-8 text, but byte {error.start} is invalid; save the file as "
            "UTF-8"
        ) from None
    except (DomainError, InstanceTooLargeError) as error:
        if str(error).startswith(f"{name}: "):
            raise
        raise type(error)(f"{name}: {error}") from None


def _of_table(text: str, budget: Budget) -> TwoPlayerGame:
    table, _ = read_numbers(text, budget)
    check_pairs(len(table.rows), len(table.rows[0]))
    if table.binary and any(a.denominator > 1 for row in table.rows for a in row):
        guess = (
            f"{table.source}: floating-point numbers are read as their exact binary values; use a "
            "csv file for exact decimals"
        )
        announce(Reading(table.source, guesses=(guess,)))
    sides = zip((table.row_labels, table.column_labels), (table.rows, table.rows[0]), strict=True)
    rows, columns = (
        tuple(map(str, labels or range(1, len(entries) + 1))) for labels, entries in sides
    )
    paid = tuple(tuple(map(neg, row)) for row in budget.each(table.rows))
    return TwoPlayerGame(Path(table.source).name, _PLAYERS, (rows, columns), table.rows, paid)
