"""``ccsim protocol``: a family's cost and error, its exact tables, and simulation."""

from __future__ import annotations

import os
from fractions import Fraction
from math import floor
from typing import Any, NamedTuple

import click
import numpy as np

from ccsim.appearance import counted, show_label
from ccsim.budget import MOST_JOBS, Budget
from ccsim.certificates import Certificate
from ccsim.cli.main import EXIT_INTERRUPTED, EXIT_NOT_DECIDED
from ccsim.cli.output import (
    encode_short,
    large,
    output_options,
    report,
    show_fraction,
    show_messages,
    show_size,
    time_limit_option,
    told,
)
from ccsim.cli.parameters import INSTANCE, Command, Integer, picture_option
from ccsim.cli.plays import best_two_way, play_data, play_of_family
from ccsim.communication.mistake_bounds import LittlestoneBound
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.by_rules import ProtocolByRules, simulate
from ccsim.communication.protocols.interactive import InteractiveProtocol
from ccsim.communication.protocols.play import Play
from ccsim.communication.protocols.procedural import ProceduralProtocol
from ccsim.communication.protocols.tables import PublicCoinProtocol, protocol_certificate
from ccsim.communication.protocols.two_party import worst_error
from ccsim.communication.protocols.two_way import PublicCoinTwoWayProtocol
from ccsim.errors import CertificateError, DomainError, NotDecidedError
from ccsim.exact import ceil_log2
from ccsim.instances.protocols import build_protocol, describe_protocols

Lines = list[tuple[str, str]]


@click.command(cls=Command)
@click.argument("name", type=INSTANCE, required=False)
@click.option("--list", "listing", is_flag=True, help="List the families of protocols.")
@click.option("--tabulate", is_flag=True, help="Build the exact tables and find the worst input.")
@click.option(
    "--simulate",
    "runs",
    type=Integer(1),
    metavar="N",
    help="Run the protocol N times on a worst input.",
)
@click.option(
    "--play",
    nargs=2,
    metavar="X Y",
    help="Run the protocol once on the inputs with these labels.",
)
@click.option(
    "--two-way",
    "two_way",
    is_flag=True,
    help="Find the best two-way protocol; NAME is an INSTANCE.",
)
@click.option(
    "--seed",
    type=Integer(0),
    default=0,
    show_default=True,
    metavar="N",
    help="Seed of --simulate and --play.",
)
@click.option(
    "--jobs",
    type=Integer(1, MOST_JOBS),
    metavar="N",
    help="Number of threads of --simulate; default: all cores.",
)
@picture_option("Draw the tree of --two-way")
@time_limit_option("Stop after S seconds with the results so far.")
@output_options
def protocol(  # noqa: PLR0913 - one parameter for each option
    *,
    name: str | None,
    listing: bool,
    tabulate: bool,
    runs: int | None,
    play: tuple[str, str] | None,
    two_way: bool,
    seed: int,
    jobs: int | None,
    out: str | None,
    time_limit: float,
    as_json: bool,
    certificate: str | None,
) -> int | None:
    """Compute the cost and the exact error of a protocol NAME:key=value,...

    --list prints the names. --play prints the coins, every message, the inputs that remain
    possible after it, and the answer. At the time limit, the results so far are printed, and the
    exit status is 3. After Ctrl-C they are printed as well, and the exit status is 130.
    """
    budget = Budget(time_limit)
    if listing:
        families = describe_protocols()
        report({"protocols": dict(families)}, families, as_json=as_json)
        return None
    if name is None:
        raise click.UsageError("give a protocol NAME:key=value,...; --list prints the names")
    if name.startswith("@") and not two_way:
        raise click.UsageError(
            f"{name} is a file, not a family of protocols; add --two-way to read it"
        )
    if certificate is not None and not (tabulate or two_way):
        raise click.UsageError("--certificate needs --tabulate or --two-way")
    if out is not None and not two_way:
        raise click.UsageError("--out needs --two-way")
    if not two_way:
        asked = _Asked(tabulate, runs, play, seed, jobs, certificate)
        data, lines, played, status = _family(build_protocol(name), asked, budget)
    elif tabulate or runs is not None:
        raise click.UsageError("--tabulate and --simulate need a family of protocols")
    else:
        data, lines, played, status = best_two_way(name, play, budget, (certificate, out))
    if played is not None:
        data["play"] = play_data(played)
    report(data, lines, as_json=as_json)
    if played is not None and not as_json:
        click.echo(str(played))
    return status


class _Asked(NamedTuple):
    """The options that select the output about a member of a family."""

    tabulate: bool
    runs: int | None
    play: tuple[str, str] | None
    seed: int
    jobs: int | None
    certificate: str | None


def _family(
    chosen: ProceduralProtocol | InteractiveProtocol, asked: _Asked, budget: Budget
) -> tuple[dict[str, Any], Lines, Play | None, int | None]:
    """Return the output about a member of a family, its play if requested, and the exit status."""
    data, lines = _cost(chosen)
    played = None if asked.play is None else play_of_family(chosen, asked.play, asked.seed)
    whole, runs = True, asked.runs
    if asked.tabulate:
        data["table"], extra = None, [("exact tables", "not built in time")]
        with budget.share(1 if runs is None else 1 / 2) as share:
            table, problem = chosen.tabulate(share), chosen.problem()
            data["table"], extra = _tables(chosen, table, problem, share)
        lines += extra
        whole = data["table"] is not None
        if asked.certificate is not None and whole:
            _certificate(table, problem).write(asked.certificate)
    if runs is not None:
        data["simulation"], extra = _simulation(chosen, runs, asked, budget)
        lines += extra
        whole = whole and data["simulation"] is not None and data["simulation"]["runs"] == runs
    stopped = EXIT_INTERRUPTED if budget.interrupted else EXIT_NOT_DECIDED
    return data, lines, played, None if whole else stopped


def _certificate(
    table: PublicCoinProtocol | PublicCoinTwoWayProtocol, problem: CommunicationProblem
) -> Certificate:
    if isinstance(table, PublicCoinProtocol):
        return protocol_certificate(table, problem)
    if len(table.components) > 1:
        raise DomainError("only deterministic two-way protocols have certificates")
    return table.components[0].certificate(problem)


def _cost(chosen: ProceduralProtocol | InteractiveProtocol) -> tuple[dict[str, Any], Lines]:
    data: dict[str, Any] = {"protocol": chosen.name}
    lines = [
        ("protocol", chosen.name),
        ("inputs", f"{show_size(chosen.num_alice)} x {show_size(chosen.num_bob)}"),
    ]
    if isinstance(chosen, ProceduralProtocol):
        data["messages"] = large(chosen.messages)
        lines.append(("messages", show_messages(chosen.messages, chosen.cost_bits)))
    else:
        lines.append(("two-way cost", counted(chosen.cost_bits, "bit", "bits")))
    data |= {
        "bits": chosen.cost_bits,
        "coins": large(chosen.num_coins),
        "coin_bits": ceil_log2(chosen.num_coins),
        "error": encode_short(chosen.stated_error),
    }
    lines += [
        ("public coins", show_size(chosen.num_coins) if chosen.num_coins > 1 else "none"),
        ("worst error", show_fraction(chosen.stated_error)),
    ]
    if not isinstance(chosen, ProceduralProtocol):
        return data, lines
    if chosen.mistake_depth is not None:
        data["bits_at_least"] = bits = _bits_at_least(chosen.mistake_depth, chosen.stated_error)
        lines.append(("lower bound", f"(1 - H(error)) {chosen.mistake_depth} = {bits:.6g} bits"))
    return data, lines


def _bits_at_least(depth: int, error: Fraction) -> float:
    """Return ``(1 - H(error)) depth``, rounded down to six decimals so that it is a lower bound."""
    scale = 10**6
    return floor(LittlestoneBound(depth, error).interval().lower * scale) / scale


def _tables(
    chosen: ProtocolByRules,
    table: PublicCoinProtocol | PublicCoinTwoWayProtocol,
    problem: CommunicationProblem,
    budget: Budget,
) -> tuple[dict[str, Any], Lines]:
    """Return the error of the exact tables, which must equal the stated one, and a worst input."""
    worst = worst_error(table, problem, time_limit=budget)
    if worst.value != chosen.stated_error:
        raise CertificateError(
            f"{chosen.name}: the tables have error {worst.value}, but the formula gives "
            f"{chosen.stated_error}"
        )
    x, y = problem.alice[worst.x], problem.bob[worst.y]
    data = {
        "components": len(table.components),
        "error": encode_short(worst.value),
        "x": x,
        "y": y,
    }
    return data, [
        ("exact tables", counted(len(table.components), "component", "components")),
        ("error of the tables", f"{worst.value} on ({show_label(x)}, {show_label(y)})"),
    ]


def _simulation(
    chosen: ProtocolByRules, runs: int, asked: _Asked, budget: Budget
) -> tuple[dict[str, Any] | None, Lines]:
    """Run the protocol on a random input with the worst-case error, with random coins."""
    seed, jobs = asked.seed, asked.jobs or min(os.cpu_count() or 1, MOST_JOBS)
    x, y = chosen.hard_input(np.random.default_rng(seed))
    try:
        with told(_progress) as shown:
            result = simulate(
                chosen, x, y, runs, seed, progress=shown, jobs=jobs, time_limit=budget
            )
    except NotDecidedError:
        return None, [("simulated", "no run finished in time")]
    ended = "interrupted" if budget.interrupted else "stopped by the time limit"
    stopped = f", {ended} before {runs}" if result.runs < runs else ""
    low, high = result.interval.lower, result.interval.upper
    where, rare = "inside" if result.agrees else "OUTSIDE", 1 - result.confidence
    data = {
        "runs": result.runs,
        "seed": seed,
        "x": large(x),
        "y": large(y),
        "wrong": result.wrong,
        "estimate": encode_short(result.estimate),
        "confidence": encode_short(result.confidence),
        "lower": encode_short(low),
        "upper": encode_short(high),
        "exact": encode_short(result.exact),
        "agrees": result.agrees,
    }
    return data, [
        ("simulated on", f"x = {_show_input(x)}, y = {_show_input(y)}"),
        ("wrong answers", f"{result.wrong} of {result.runs}, seed {seed}{stopped}"),
        (
            f"{float(100 * result.confidence):g}% interval",
            f"[{float(low):.6g}, {float(high):.6g}]",
        ),
        ("exact error there", f"{show_fraction(result.exact)}, {where} the interval"),
        (
            "by chance",
            f"at most {rare.numerator} in {rare.denominator} simulations lies outside",
        ),
    ]


def _progress(done: int, runs: int) -> str:
    return f"{done} of {runs} runs, {100 * done // runs}%"


def _show_input(number: int) -> str:
    return str(number) if number < 10**18 else f"a number of {number.bit_length()} bits"
