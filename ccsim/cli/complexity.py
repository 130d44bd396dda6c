"""``ccsim complexity``: the fewest messages with which an error is reached."""

from __future__ import annotations

import click

from ccsim.certificates import encode_fraction
from ccsim.cli.error import show_bounds, show_coins, show_lower_proof
from ccsim.cli.output import output_options, report, show_fraction, show_label, show_messages
from ccsim.communication.complexity import ComplexityResult, communication_complexity
from ccsim.communication.minimax import COINS
from ccsim.exact import as_fraction
from ccsim.instances import parse_problem

__all__ = ["complexity"]


@click.command()
@click.argument("instance")
@click.option("--error", required=True, metavar="P/Q", help="Error allowed on every input.")
@click.option("--coins", type=click.Choice(COINS), default="public", show_default=True)
@output_options
def complexity(
    *, instance: str, error: str, coins: str, as_json: bool, certificate: str | None
) -> None:
    """Print the least number of messages with which the problem INSTANCE has so small an error."""
    allowed = as_fraction(error, "--error", 0, 1)
    result = communication_complexity(parse_problem(instance), allowed, coins)
    result.check()
    data = {
        "instance": result.problem.name,
        "messages": result.messages,
        "bits": result.bits,
        "error": encode_fraction(result.error),
        "coins": coins,
    }
    if certificate is not None:
        result.certificate().write(certificate)
    report(data, _lines(result), as_json=as_json)


def _lines(result: ComplexityResult) -> list[tuple[str, str]]:
    lines = [
        ("problem", show_label(result.problem)),
        ("allowed error", f"{show_fraction(result.error)}, {show_coins(result.coins)}"),
        ("least number of messages", show_messages(result.messages, result.bits)),
        ("error reached", show_bounds(result.reached)),
    ]
    if result.missed is not None:
        lines.append(("with one message fewer", show_bounds(result.missed)))
        lines += show_lower_proof(result.missed)
    return lines
