"""``ccsim error`` and ``ccsim complexity``: minimax errors, and fewest messages for an error."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from operator import attrgetter
from typing import TypeVar

import click

from ccsim.appearance import counted, show_label
from ccsim.budget import Budget, Workers
from ccsim.certificates.answer import instances_read_once, is_checked
from ccsim.certificates.envelope import encode_fraction
from ccsim.cli.main import EXIT_NOT_DECIDED
from ccsim.cli.output import (
    HELD,
    NOT_CHECKED,
    SEARCHING,
    Column,
    checked,
    closing_in,
    echo_json,
    output_options,
    print_table,
    report,
    show_fraction,
    show_messages,
    time_limit_option,
    time_to_check,
)
from ccsim.cli.parameters import INSTANCE, Command, Integer, picture_option
from ccsim.cli.workers import workers_options
from ccsim.communication.given import as_problem
from ccsim.communication.interactive.neighbours import with_more_bits
from ccsim.communication.interactive.results import (
    MODELS,
    InteractiveCurve,
    InteractiveErrorResult,
    title_of,
)
from ccsim.communication.minimax import (
    COINS,
    DEFAULT_GAP,
    MAX_BITS,
    MAX_NUMBERS,
    ComplexityResult,
    ErrorCurve,
    MinimaxResult,
    communication_complexity,
    error_curve,
    minimax_error,
)
from ccsim.communication.private_coins.boxes import BoxTree, Leaf
from ccsim.communication.private_coins.dependencies import DependencyTree, Relations
from ccsim.communication.private_coins.simplices import SimplexTree, Weights
from ccsim.communication.private_coins.theorems import (
    ExcludedSigns,
    RadonPartitions,
    UnsortedInputs,
)
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.symmetric import SymmetricMixture
from ccsim.communication.protocols.tables import (
    PrivateCoinProtocol,
    PublicCoinProtocol,
    SymmetricProtocol,
)
from ccsim.data import frozen
from ccsim.exact import as_fraction, ceil_log2
from ccsim.pictures import draw_errors, draw_proofs, save_figure
from ccsim.pictures.matrix import check_drawable

_HEAVIEST = 5
_LARGE, _LATE = 10000, 0.2  # inputs; processor time of the checks of their errors after a limit
E = TypeVar("E", MinimaxResult, InteractiveErrorResult)


def _range(
    least: int, most: int | None = None
) -> Callable[[click.Context, click.Parameter, str | None], range | None]:
    """Return a function that reads a number, or a range such as ``1..8``, as a range."""

    def read(ctx: click.Context, param: click.Parameter, value: str | None) -> range | None:
        if value is None:
            return None
        first, dots, last = value.partition("..")
        if not first or (dots and not last):
            msg = f"{value!r} must be a number or a range such as 1..8"
            raise click.BadParameter(msg, ctx, param)
        integer = Integer(least, most)
        start = int(integer(first, param, ctx))
        stop = int(integer(last, param, ctx)) if dots else start
        if stop < start:
            msg = f"the range {value!r} must not be empty; write the smaller number first"
            raise click.BadParameter(msg, ctx, param)
        if stop - start >= MAX_NUMBERS:
            msg = f"the range {value!r} must have at most {MAX_NUMBERS} numbers"
            raise click.BadParameter(msg, ctx, param)
        return range(start, stop + 1)

    return read


@click.command(cls=Command)
@click.argument("instance", type=INSTANCE)
@click.option(
    "--messages",
    callback=_range(1),
    metavar="K",
    help="Number of messages, or a range of numbers such as 1..8.",
)
@click.option("--curve", is_flag=True, help="Compute the error for all numbers of messages from 1.")
@click.option(
    "--bits",
    callback=_range(0, MAX_BITS),
    metavar="C",
    help="Number of bits, answer included, or a range such as 1..4.",
)
@click.option(
    "--model",
    type=click.Choice((*MODELS, "all")),
    default="one-way",
    show_default=True,
    help="Model of communication; all but one-way need --bits.",
)
@click.option(
    "--rounds",
    type=Integer(1),
    metavar="R",
    help="Maximum number of rounds of a two-way protocol.",
)
@click.option(
    "--coins",
    type=click.Choice(COINS),
    default="public",
    show_default=True,
    help="Kind of randomness.",
)
@click.option(
    "--gap",
    default=str(DEFAULT_GAP),
    show_default=True,
    metavar="P/Q",
    help="Stop when the private-coin bounds differ by at most P/Q.",
)
@time_limit_option("Stop after S seconds with the bounds proved so far.")
@workers_options
@picture_option("Draw the proofs, or the errors")
@output_options
def error(  # noqa: PLR0913 - one argument for each option
    *,
    instance: str,
    messages: range | None,
    curve: bool,
    bits: range | None,
    model: str,
    rounds: int | None,
    coins: str,
    gap: str,
    time_limit: float,
    workers: Workers,
    out: str | None,
    as_json: bool,
    certificate: str | None,
) -> int:
    """Compute the minimax error of the problem INSTANCE, with a protocol and a lower bound.

    The minimax error is the least worst-case error of a one-way protocol with K messages. With
    --bits C it is that of a protocol of the model in which the players send at most C bits
    together, the answer included. For private coins, and after a time limit, the answer may be an
    interval; the exit status is then 3. Ctrl-C stops the search like a time limit.
    """
    allowed = as_fraction(gap, "--gap", 0, 1)
    if bits is None and (model != "one-way" or rounds is not None):
        raise click.UsageError("--model and --rounds require --bits")
    if (messages is not None) + curve + (bits is not None) != 1:
        raise click.UsageError(
            "give one of --messages K, a range such as --messages 1..8, --curve, and --bits C"
        )
    budget = Budget.of(time_limit, jobs=workers)
    problem = as_problem(instance, budget)
    asked = _Asked(budget, out, as_json=as_json, certificate=certificate)
    if bits is not None:
        if coins != "public":
            raise click.UsageError("--bits requires --coins public")
        return _error_of_bits(problem, bits, model, rounds, asked)
    hunt = budget.share(SEARCHING)
    if messages is not None and len(messages) == 1:
        if out is not None:
            check_drawable(problem)
        with closing_in("minimax error") as progress:
            result = minimax_error(
                problem, messages[0], coins, time_limit=hunt, progress=progress, gap=allowed
            )
        return asked.one(result, MinimaxResult.with_quick_lower, _lines)
    asked.refuse_certificate("a single number of messages, not a range")
    with closing_in("minimax error") as progress:
        results = error_curve(problem, messages, coins, time_limit=hunt, progress=progress)
    left = time_to_check(budget)
    results = ErrorCurve(
        checked(result, left, MinimaxResult.with_quick_lower) for result in results
    )
    if out is not None:
        save_figure(out, draw_errors(results))
    if as_json:
        echo_json(results.to_dict())
    else:
        report({}, [("problem", show_label(problem)), *_table(results)], as_json=False)
    return 0 if all(result.exact for result in results) else EXIT_NOT_DECIDED


@frozen
class _Asked:
    """The output that was asked for, and the time."""

    budget: Budget
    out: str | None
    as_json: bool
    certificate: str | None

    def one(
        self, result: E, weaken: Callable[[E], E], lines: Callable[[E], list[tuple[str, str]]]
    ) -> int:
        """Check a single result, print it and write the files; return the exit status."""
        result = checked(result, time_to_check(self.budget), weaken)
        if self.certificate is not None:
            result.certificate().write(self.certificate)
        if self.out is not None:
            save_figure(self.out, draw_proofs(result))
        report(result.to_dict(), lines(result), as_json=self.as_json)
        return 0 if result.exact else EXIT_NOT_DECIDED

    def refuse_certificate(self, rule: str) -> None:
        """Raise an error if a certificate was asked for."""
        if self.certificate is not None:
            raise click.UsageError(f"--certificate requires {rule}")


def _error_of_bits(
    problem: CommunicationProblem,
    bits: range,
    model: str,
    rounds: int | None,
    asked: _Asked,
) -> int:
    """Compute and print minimax errors for numbers of bits."""
    hunt = asked.budget.share(SEARCHING)
    if len(bits) == 1 and model != "all":
        if asked.out is not None:
            check_drawable(problem)
        with closing_in("minimax error") as progress:
            result = minimax_error(
                problem,
                bits=bits[0],
                model=model,
                rounds=rounds,
                time_limit=hunt,
                progress=progress,
            )
        return asked.one(result, InteractiveErrorResult.without_lower, _lines_of_bits)
    asked.refuse_certificate("a single number of bits and a single model")
    with closing_in("minimax error") as progress:
        curve = error_curve(
            problem, bits=bits, model=model, rounds=rounds, time_limit=hunt, progress=progress
        )
    is_large = len(problem.alice) * len(problem.bob) > _LARGE
    late = Budget(_LATE if is_large else 1, clock=time.process_time)
    left = time_to_check(asked.budget, late)
    with instances_read_once():
        curve = _checked_curve(curve, left)
    if asked.out is not None:
        save_figure(asked.out, draw_errors(curve))
    if asked.as_json:
        echo_json(curve.to_dict())
    else:
        print_table([Column(), Column(breaks=True)], [("problem", show_label(problem))])
        titles, rows = curve.table()
        print_table([Column()] * len(titles), [titles, *rows])
    return 0 if all(result.exact for result in curve) else EXIT_NOT_DECIDED


def _checked_curve(curve: InteractiveCurve, left: Budget) -> InteractiveCurve:
    """Check results, the cheap models first; a checked bound for fewer bits implies others."""
    found: dict[int, InteractiveErrorResult] = {}
    is_stopped = False
    for i in sorted(range(len(curve)), key=lambda i: curve[i].model.startswith("one-way")):
        result = curve[i]
        known = [r for r in found.values() if r.model == result.model]
        fewer = [r for r in known if r.bits or not r.model.startswith("one-way")]
        coin = next((r for r in found.values() if r.bits == result.bits == 0), None)
        if coin is not None:  # no bits are the same in all models
            found[i] = replace(coin, model=result.model, rounds=result.rounds)
        elif not fewer:
            found[i] = checked(result, left, InteractiveErrorResult.without_lower)
        elif not left.expired and is_checked(result, left):
            found[i] = result
        else:
            is_stopped = True
            found[i] = with_more_bits(min(fewer, key=attrgetter("upper")), result.bits)
    if is_stopped:
        click.echo(NOT_CHECKED.format("some bounds"), err=True)
    return InteractiveCurve(found[i] for i in range(len(curve)))


def _lines_of_bits(result: InteractiveErrorResult) -> list[tuple[str, str]]:
    bits = counted(result.bits, "bit", "bits")
    lines = [
        ("problem", show_label(result.problem)),
        ("model", f"{title_of(result)}, {bits}, public coins"),
        ("minimax error", show_bounds(result)),
        ("protocol", show_protocol(result)),
    ]
    if result.distribution is not None:
        title = "hard input distribution" + ", by discrepancy" * result.by_discrepancy
        lines.append((title, heaviest_inputs(result)))
    return lines if result.needed is None else [*lines, ("to be exact", result.needed)]


def _table(results: Sequence[MinimaxResult]) -> list[tuple[str, str]]:
    """Return a line of the table for each number of messages."""
    return [("messages", f"minimax error, {show_coins(results[0].coins)}")] + [
        (show_messages(result.messages, result.message_bits), show_bounds(result))
        for result in results
    ]


def _lines(result: MinimaxResult) -> list[tuple[str, str]]:
    lines = [
        ("problem", show_label(result.problem)),
        (
            "messages",
            f"{show_messages(result.messages, result.message_bits)}, {show_coins(result.coins)}",
        ),
        ("minimax error", show_bounds(result)),
        ("protocol", show_protocol(result)),
        *show_lower_proof(result),
    ]
    return lines if result.needed is None else [*lines, ("to be exact", result.needed)]


def show_lower_proof(result: MinimaxResult) -> list[tuple[str, str]]:
    """Return a line with the reason for the lower bound; no line if no reason is known."""
    if isinstance(result.proof, RadonPartitions):
        inputs = ", ".join(show_label(result.problem.alice[x]) for x in result.proof.inputs)
        return [("lower bound", f"Radon's theorem on the inputs {inputs}")]
    if isinstance(result.proof, UnsortedInputs):
        inputs = ", ".join(show_label(result.problem.alice[x]) for x in result.proof.inputs)
        return [("lower bound", f"two messages cannot sort the inputs {inputs}")]
    if isinstance(result.proof, ExcludedSigns):
        shown = result.proof.obstruction.description()
        return [("lower bound", f"sign rank above the number of messages, {shown}")]
    if result.proof is not None:
        return [("lower bound", _show_tree(result.proof))]
    if result.distribution is not None:
        return [("hard input distribution", heaviest_inputs(result))]
    return []


def _show_tree(tree: BoxTree | DependencyTree | SimplexTree) -> str:
    """Return the size and the kind of a tree of cases."""
    leaves = sum(isinstance(node, Leaf | Relations | Weights) for node in tree.nodes)
    if isinstance(tree, DependencyTree):
        return f"a tree of {leaves} cases of dependent inputs"
    return f"a tree of {leaves} {'boxes' if isinstance(tree, BoxTree) else 'simplices'}"


def show_bounds(result: MinimaxResult | InteractiveErrorResult) -> str:
    """Return the minimax error, or the interval that contains it."""
    return " to ".join(show_fraction(bound) for bound in sorted({result.lower, result.upper}))


def show_protocol(result: MinimaxResult | InteractiveErrorResult) -> str:
    """Return a short description of the kind of the protocol."""
    protocol = result.protocol
    if isinstance(protocol, PrivateCoinProtocol):
        return "two stochastic tables"
    if isinstance(protocol, SymmetricMixture):
        components = len(protocol.components)
        rest = " and a random symmetry" if protocol.symmetries else ""
    elif isinstance(protocol, SymmetricProtocol):
        components, rest = len(protocol.base.components), " and a random symmetry"
    else:
        components = len(protocol.components) if isinstance(protocol, PublicCoinProtocol) else 1
        rest = ""
    return f"{components} deterministic component{'s' if components > 1 else ''}{rest}"


def show_coins(coins: str) -> str:
    """Return a kind of coins as text."""
    return "no coins" if coins == "deterministic" else f"{coins} coins"


def heaviest_inputs(result: MinimaxResult | InteractiveErrorResult) -> str:
    """Return the most probable input pairs of the hard distribution, by their labels."""
    if result.distribution is None:
        return ""
    mu = sorted(result.distribution.as_mapping().items(), key=lambda item: (-item[1], item[0]))
    alice, bob = result.problem.alice, result.problem.bob
    shown = [
        f"({show_label(alice[x])}, {show_label(bob[y])}) {weight}".replace(" ", HELD)
        for (x, y), weight in mu[:_HEAVIEST]
    ]
    more = f", and {len(mu) - _HEAVIEST} more" if len(mu) > _HEAVIEST else ""
    return f"{', '.join(shown)}{more}"


@click.command(cls=Command)
@click.argument("instance", type=INSTANCE)
@click.option("--error", required=True, metavar="P/Q", help="Largest error allowed on any input.")
@click.option(
    "--coins",
    type=click.Choice(COINS),
    default="public",
    show_default=True,
    help="Kind of randomness.",
)
@time_limit_option("Stop after S seconds with the bounds proved so far.")
@workers_options
@picture_option("Draw the errors near the answer")
@output_options
def complexity(  # noqa: PLR0913 - one argument for each option
    *,
    instance: str,
    error: str,
    coins: str,
    time_limit: float,
    workers: Workers,
    as_json: bool,
    certificate: str | None,
    out: str | None,
) -> int:
    """Compute the least number of messages for which INSTANCE has minimax error at most P/Q.

    After a time limit the answer is an interval, and the exit status is 3. Ctrl-C stops the search
    like a time limit.
    """
    allowed = as_fraction(error, "--error", 0, 1)
    budget = Budget.of(time_limit, jobs=workers)
    problem = as_problem(instance, budget)
    tried = [(0, 0, 0)]
    with closing_in(lambda: _shown_tries(*tried[-1])) as progress:
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
    report(data, _complexity_lines(result), as_json=as_json)
    return 0 if result.exact else EXIT_NOT_DECIDED


def _complexity_lines(result: ComplexityResult) -> list[tuple[str, str]]:
    lines = [
        ("problem", show_label(result.problem)),
        ("allowed error", f"{show_fraction(result.error)}, {show_coins(result.coins)}"),
        ("least number of messages", _show_number(result)),
        ("error attained", _show_side(result.reached, "at most", result.reached.upper)),
    ]
    if result.missed is not None:
        fewer = "with one message fewer" if result.exact else f"with {result.missed.messages}"
        lines.append((fewer, _show_side(result.missed, "at least", result.missed.lower)))
        lines += show_lower_proof(result.missed)
    if result.needed is not None:
        lines.append(("to be exact", result.needed))
    return lines


def _shown_tries(messages: int, lower: int, upper: int) -> str:
    """Return the text that precedes the bounds on the error for a number of messages."""
    return f"{lower} to {upper} messages: minimax error of {messages}"


def _show_side(result: MinimaxResult, side: str, bound: Fraction) -> str:
    """Return, as text, the minimax error or the bound on it that decided the question."""
    return show_fraction(bound) if result.exact else f"{side} {show_fraction(bound)}"


def _show_number(result: ComplexityResult) -> str:
    """Return the least number of messages, or the interval that contains it."""
    bounds = sorted({result.lower, result.upper})
    return " to ".join(show_messages(number, ceil_log2(number)) for number in bounds)
