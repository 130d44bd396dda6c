"""``ccsim complexity``: the fewest messages with which an error is reached."""

from __future__ import annotations

from fractions import Fraction

import click

from ccsim.appearance import show_label
from ccsim.budget import Budget
from ccsim.certificates import encode_fraction
from ccsim.cli.error import show_coins, show_lower_proof
from ccsim.cli.main import EXIT_NOT_DECIDED
from ccsim.cli.output import (
    SEARCHING,
    checked,
    closing_in,
    output_options,
    report,
    show_fraction,
    show_messages,
    time_limit_option,
    time_to_check,
)
from ccsim.cli.parameters import INSTANCE, Command, picture_option
from ccsim.communication.given import as_problem
from ccsim.communication.minimax import (
    COINS,
    ComplexityResult,
    MinimaxResult,
    communication_complexity,
)
from ccsim.exact import as_fraction, ceil_log2
from ccsim.pictures import draw_errors, save_figure


@click.command(cls=Command)
@click.argument("instance", type=INSTANCE)
@click.option("--error", required=True, metavar="P/Q", help="Error allowed on every input.")
@click.option("--coins", type=click.Choice(COINS), default="public", show_default=True)
@time_limit_option("Stop after S seconds with the bounds proved by then.")
@picture_option("Draw the least errors of the numbers of messages that decide")
@output_options
def complexity(
    *,
    instance: str,
    error: str,
    coins: str,
    time_limit: float,
    as_json: bool,
    certificate: str | None,
    out: str | None,
) -> int:
    """Print the least number of messages with which the problem INSTANCE has so small an error.

    When time runs out the answer is an interval and the exit status 3. An interrupt (Ctrl-C) stops
    the search like a time limit.
    """
    allowed = as_fraction(error, "--error", 0, 1)
    budget = Budget(time_limit)
    problem = as_problem(instance, budget)
    tried = [(0, 0, 0)]
    with closing_in(lambda: _tried(*tried[-1])) as progress:
        result = communication_complexity(
            problem,
            allowed,
            coins,
            time_limit=budget.share(SEARCHING),
            progress=progress,
            trying=lambda *numbers: tried.append(numbers),
        )
    result = checked(result, time_to_check(budget), ComplexityResult.without_lower)
    data = {
        "instance": result.problem.name,
        "messages": result.messages if result.exact else None,
        "bits": result.bits if result.exact else None,
        "error": encode_fraction(result.error),
        "coins": coins,
        "messages_lower": result.lower,
        "messages_upper": result.upper,
        "reached": encode_fraction(result.reached.upper),
        "needed": result.needed,
        "missed": None if result.missed is None else encode_fraction(result.missed.lower),
    }
    if certificate is not None:
        result.certificate().write(certificate)
    if out is not None:
        sides = [result.reached, *([] if result.missed is None else [result.missed])]
        save_figure(out, draw_errors(sides))
    report(data, _lines(result), as_json=as_json)
    return 0 if result.exact else EXIT_NOT_DECIDED


def _lines(result: ComplexityResult) -> list[tuple[str, str]]:
    lines = [
        ("problem", show_label(result.problem)),
        ("allowed error", f"{show_fraction(result.error)}, {show_coins(result.coins)}"),
        ("least number of messages", _show_number(result)),
        ("error reached", _show_side(result.reached, "at most", result.reached.upper)),
    ]
    if result.missed is not None:
        fewer = "with one message fewer" if result.exact else f"with {result.missed.messages}"
        lines.append((fewer, _show_side(result.missed, "at least", result.missed.lower)))
        lines += show_lower_proof(result.missed)
    if result.needed is not None:
        lines.append(("to be exact", result.needed))
    return lines


def _tried(messages: int, lower: int, upper: int) -> str:
    """Return what is searched, in front of bounds on the error."""
    return f"{lower} to {upper} messages: least error of {messages}"


def _show_side(result: MinimaxResult, side: str, bound: Fraction) -> str:
    """Return the least error, or the bound that decided."""
    return show_fraction(bound) if result.exact else f"{side} {show_fraction(bound)}"


def _show_number(result: ComplexityResult) -> str:
    """Return the least number of messages, or the interval that it lies in."""
    bounds = sorted({result.lower, result.upper})
    return " to ".join(show_messages(number, ceil_log2(number)) for number in bounds)
