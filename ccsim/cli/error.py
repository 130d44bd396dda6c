"""``ccsim error``: the least error with a given number of messages."""

from __future__ import annotations

import click

from ccsim.certificates import encode_fraction
from ccsim.cli.main import EXIT_NOT_DECIDED
from ccsim.cli.output import output_options, report, show_fraction, show_label, show_messages
from ccsim.communication.minimax import COINS, DEFAULT_GAP, MinimaxResult, minimax_error
from ccsim.communication.one_way import PrivateCoinProtocol, PublicCoinProtocol
from ccsim.communication.radon import RadonPartitions
from ccsim.exact import as_fraction
from ccsim.instances import parse_problem

__all__ = ["error"]

_HEAVIEST = 5


@click.command()
@click.argument("instance")
@click.option("--messages", type=click.IntRange(min=1), required=True, help="Number of messages.")
@click.option("--coins", type=click.Choice(COINS), default="public", show_default=True)
@click.option(
    "--gap",
    default=str(DEFAULT_GAP),
    show_default=True,
    metavar="P/Q",
    help="For private coins: the distance of the bounds that is good enough.",
)
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0),
    metavar="S",
    help="For private coins: stop after S seconds with the bounds proved by then.",
)
@output_options
def error(
    *,
    instance: str,
    messages: int,
    coins: str,
    gap: str,
    time_limit: float | None,
    as_json: bool,
    certificate: str | None,
) -> int:
    """Print the least error on the worst input of the problem INSTANCE, with both proofs.

    For private coins the answer is an interval; exit status 3 says that it is not a single value.
    With a time limit an interrupt (Ctrl-C) stops the search as well.
    """
    allowed = as_fraction(gap, "--gap", 0, 1)
    problem = parse_problem(instance)
    result = minimax_error(problem, messages, coins, gap=allowed, time_limit=time_limit)
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
    return lines + show_lower_proof(result)


def show_lower_proof(result: MinimaxResult) -> list[tuple[str, str]]:
    """Return a line that says why the error is not smaller, if there is anything to say."""
    if isinstance(result.proof, RadonPartitions):
        inputs = ", ".join(show_label(result.problem.alice[x]) for x in result.proof.inputs)
        return [("lower bound", f"Radon's theorem on the inputs {inputs}")]
    if result.proof is not None:
        return [("lower bound", f"a tree of {(len(result.proof.nodes) + 1) // 2} boxes")]
    if result.distribution is not None:
        return [("hard distribution", heaviest_inputs(result))]
    return []


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
