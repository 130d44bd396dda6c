"""``ccsim game``: the value of a matrix game in a file, with optimal strategies of both players."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import click

from ccsim.budget import Budget
from ccsim.certificates.envelope import encode_fraction
from ccsim.cli.main import EXIT_NOT_DECIDED
from ccsim.cli.output import (
    SEARCHING,
    check_writable,
    checked,
    encode_short,
    output_options,
    report,
    show_fraction,
    time_limit_option,
    time_to_check,
)
from ccsim.cli.parameters import INSTANCE, Command
from ccsim.errors import UnreadableInputError
from ccsim.interchange import TwoPlayerGame
from ccsim.interchange.payoffs import read_game
from ccsim.programs.game import MatrixGameSolution, solve_game_in_time

MOST_SHOWN = 12  # entries of a solution that are printed
TOO_LONG = "the exact solution is too long for a certificate; these bounds are proved"


@click.command(cls=Command)
@click.argument("payoffs", type=INSTANCE)
@time_limit_option("Stop after S seconds with the bounds proved so far.")
@output_options
def game(*, payoffs: str, time_limit: float, as_json: bool, certificate: str | None) -> int:
    """Compute the value of a matrix game, with optimal strategies of both players.

    PAYOFFS is @FILE. The file is a table of the payoffs to the row player (csv, tsv, txt, json or
    npy), or a game of two players in Gambit's format (nfg). The sum of both payoffs must be
    constant. After a time limit the answer may be an interval; the exit status is then 3.
    """
    if not payoffs.startswith("@"):
        raise UnreadableInputError(f"PAYOFFS must be @FILE, such as @{payoffs[:80]}")
    budget = Budget(time_limit)
    given = read_game(payoffs[1:], time_limit=budget)
    result = solve_game_in_time(given.first, budget.share(SEARCHING))
    check_writable(result)
    result = checked(result, time_to_check(budget))
    if certificate is not None:
        result.certificate().write(certificate)
    lower, upper = (
        (result.value, result.value)
        if isinstance(result, MatrixGameSolution)
        else (result.lower, result.upper)
    )
    exact = lower == upper
    strategies = result.row_strategy, result.column_strategy
    labels = dict(zip(("rows", "columns"), given.strategies, strict=True))
    data = {
        "question": MatrixGameSolution.question,
        "instance": given.title,
        "players": given.players,
        **labels,
        "constant": encode_short(given.constant or Fraction(0)),
        "value": encode_fraction(lower) if exact else None,
        "lower": encode_fraction(lower),
        "upper": encode_fraction(upper),
        "row_strategy": list(map(encode_fraction, strategies[0])),
        "column_strategy": list(map(encode_fraction, strategies[1])),
    }
    lines = _lines(given, sorted({lower, upper}), strategies)
    if not exact and math.isinf(time_limit):
        lines.append(("note", TOO_LONG))
    report(data, lines, as_json=as_json)
    return 0 if exact else EXIT_NOT_DECIDED


def _lines(
    given: TwoPlayerGame,
    bounds: Sequence[Fraction],
    strategies: tuple[Sequence[Fraction], Sequence[Fraction]],
) -> list[tuple[str, str]]:
    rows, columns = map(len, given.strategies)
    constant = given.constant or Fraction(0)
    kind = f"payoffs sum to {show_fraction(constant)}" if constant else "zero-sum"
    lines = [("game", f"{given.title}: {rows} x {columns}, {kind}")]
    paid = [bounds, sorted(constant - bound for bound in bounds)]
    for player, ends in zip(given.players, paid if constant else paid[:1], strict=False):
        lines.append((f"value for {player}", " to ".join(map(show_fraction, ends))))
    for player, names, strategy in zip(given.players, given.strategies, strategies, strict=True):
        lines.append((player, _mixture(names, strategy)))
    return lines


def _mixture(names: Sequence[str], strategy: Sequence[Fraction]) -> str:
    """Return the names of the strategies of positive probability, the most probable first."""
    used = sorted((-weight, i) for i, weight in enumerate(strategy) if weight)
    shown = [f"{names[i]}: {show_fraction(-weight)}" for weight, i in used[:MOST_SHOWN]]
    more = len(used) - MOST_SHOWN
    return ", ".join(shown) + (f", and {more} more (see --json)" if more > 0 else "")
