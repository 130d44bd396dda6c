"""Plays of protocols on the command line, and best two-way protocols of problems."""

from __future__ import annotations

from typing import Any

from ccsim.appearance import counted, show_label
from ccsim.budget import Budget
from ccsim.cli.main import EXIT_NOT_DECIDED
from ccsim.cli.output import SEARCHING, checked, large, time_to_check
from ccsim.communication.given import as_problem
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.by_rules import ProtocolByRules
from ccsim.communication.protocols.play import MOST_LISTED, Play, labelled
from ccsim.communication.protocols.two_party import TwoPartyProtocol
from ccsim.measures import deterministic_cost

Lines = list[tuple[str, str]]


def play_of_family(chosen: ProtocolByRules, inputs: tuple[str, str], seed: int) -> Play:
    """Play a member of a family on inputs given by labels, or by indices if there are many."""
    is_small = max(chosen.num_alice, chosen.num_bob) <= MOST_LISTED
    return _play(chosen, inputs, chosen.problem() if is_small else None, seed)


def _play(
    protocol: TwoPartyProtocol,
    inputs: tuple[str, str],
    problem: CommunicationProblem | None,
    seed: int,
) -> Play:
    sizes = (protocol.num_alice, protocol.num_bob)
    labels = (None, None) if problem is None else (problem.alice, problem.bob)
    x, y = (labelled(text, labels[s], s, sizes[s]) for s, text in enumerate(inputs))
    return protocol.play(x, y, problem, seed=seed)


def play_data(play: Play) -> dict[str, Any]:
    """Return a play as JSON, without numbers that are too long for a reader."""
    data = play.to_dict()
    for each in (data, *data["messages"]):
        for key, value in each.items():
            if isinstance(value, int):
                each[key] = value if isinstance(value, bool) else large(value)
    return data


def best_two_way(
    instance: str,
    inputs: tuple[str, str] | None,
    budget: Budget,
    files: tuple[str | None, str | None],
) -> tuple[dict[str, Any], Lines, Play | None, int | None]:
    """Find a deterministic two-way protocol of least cost, play it, and write it to files."""
    certificate, out = files
    problem = as_problem(instance, budget)
    result = deterministic_cost(problem, time_limit=budget.share(SEARCHING))
    result = checked(result, time_to_check(budget))
    protocol = result.protocol
    play = None if inputs is None else _play(protocol, inputs, problem, 0)
    if certificate is not None:
        result.certificate().write(certificate)
    if out is not None:
        from ccsim.pictures import draw_protocol, save_figure

        save_figure(out, draw_protocol(protocol))
    is_best = result.lower == result.upper
    data = {
        "instance": instance,
        "bits": protocol.cost_bits,
        "bits_at_least": result.lower,
        "leaves": protocol.size,
        "tree": protocol.to_json(),
    }
    cost = counted(protocol.cost_bits, "bit", "bits")
    lines = [
        ("problem", show_label(problem)),
        ("two-way cost", f"{cost}, {'the least' if is_best else f'at least {result.lower}'}"),
        ("leaves", str(protocol.size)),
    ]
    return data, lines, play, None if is_best else EXIT_NOT_DECIDED
