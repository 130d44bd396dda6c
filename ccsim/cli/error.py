"""``ccsim error``: the least error with a given number of messages."""

from __future__ import annotations

import click

from ccsim.certificates import encode_fraction
from ccsim.cli.main import EXIT_NOT_DECIDED
from ccsim.cli.output import output_options, report, show_fraction, show_label, show_messages
from ccsim.communication.minimax import COINS, MinimaxResult, minimax_error
from ccsim.communication.one_way import PrivateCoinProtocol, PublicCoinProtocol
from ccsim.instances import parse_problem

__all__ = ["error"]

_HEAVIEST = 5


@click.command()
@click.argument("instance")
@click.option("--messages", type=click.IntRange(min=1), required=True, help="Number of messages.")
@click.option("--coins", type=click.Choice(COINS), default="public", show_default=True)
@output_options
def error(
    *, instance: str, messages: int, coins: str, as_json: bool, certificate: str | None
) -> int:
    """Print the least error on the worst input of the problem INSTANCE, with both proofs.

    For private coins the answer is an interval; exit status 3 says that it is not a single value.
    """
    result = minimax_error(parse_problem(instance), messages, coins)
    result.check()
    data = {
        "instance": result.problem.name,
        "messages": messages,
        "bits": result.bits,
        "coins": coins,
        "value": encode_fraction(result.value) if result.exact else None,
        "exact": result.exact,
        "lower": encode_fraction(result.lower),
        "upper": encode_fraction(result.upper),
    }
    if certificate is not None:
        result.certificate().write(certificate)
    report(data, _lines(result), as_json=as_json)
    return 0 if result.exact else EXIT_NOT_DECIDED


def _lines(result: MinimaxResult) -> list[tuple[str, str]]:
    lines = [
        ("problem", show_label(result.problem)),
        ("messages", f"{show_messages(result.messages, result.bits)}, {show_coins(result.coins)}"),
        ("least error", show_bounds(result)),
        ("protocol", show_protocol(result)),
    ]
    if result.distribution is not None:
        lines.append(("hard distribution", heaviest_inputs(result)))
    return lines


def show_bounds(result: MinimaxResult) -> str:
    """Return the least error, or the interval that it lies in."""
    return " to ".join(show_fraction(bound) for bound in sorted({result.lower, result.upper}))


def show_protocol(result: MinimaxResult) -> str:
    """Return what kind of table the protocol is."""
    protocol = result.protocol
    if isinstance(protocol, PrivateCoinProtocol):
        return "two stochastic tables"
    components = len(protocol.components) if isinstance(protocol, PublicCoinProtocol) else 1
    return f"{components} deterministic component{'s' if components > 1 else ''}"


def show_coins(coins: str) -> str:
    """Return a kind of coins as people read it."""
    return "no coins" if coins == "deterministic" else f"{coins} coins"


def heaviest_inputs(result: MinimaxResult) -> str:
    """Return the inputs of largest weight in the hard distribution, by their labels."""
    if result.distribution is None:
        return ""
    mu = sorted(result.distribution.as_mapping().items(), key=lambda item: (-item[1], item[0]))
    alice, bob = result.problem.alice, result.problem.bob
    shown = [
        f"({show_label(alice[x])}, {show_label(bob[y])}) {weight}"
        for (x, y), weight in mu[:_HEAVIEST]
    ]
    more = f", and {len(mu) - _HEAVIEST} more" if len(mu) > _HEAVIEST else ""
    return f"{', '.join(shown)}{more}"
