"""``ccsim export``: an instance, or its game for a number of messages, for other programs."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

import click

from ccsim.appearance import counted, show_label
from ccsim.budget import Budget
from ccsim.certificates.envelope import encode_fraction
from ccsim.certificates.files import write_text_atomically
from ccsim.classes import ConceptClass
from ccsim.classes.given import as_class
from ccsim.cli.output import report, show_fraction, time_limit_option
from ccsim.cli.parameters import INSTANCE, OUTPUT, Command, Integer
from ccsim.communication.problem import CommunicationProblem
from ccsim.errors import DomainError, NotDecidedError
from ccsim.instances import parse_instance
from ccsim.interchange import game_program, protocol_game, to_incidence_graph, to_nfg, to_vipr
from ccsim.programs import OptimalSolution, solve_linear_program

_ENDINGS: Mapping[str, str] = MappingProxyType(
    {
        ".nfg": "gambit",
        ".vipr": "vipr",
        ".graphml": "graphml",
        ".json": "json",
        ".csv": "csv",
    }
)
_GAMES = frozenset(("gambit", "vipr"))
_RECORDS = "records"

Instance = ConceptClass | CommunicationProblem


@click.command(cls=Command)
@click.argument("instance", type=INSTANCE)
@click.option(
    "--to",
    "form",
    type=click.Choice((*_ENDINGS.values(), _RECORDS)),
    help="Format; by default from the ending of FILE.",
)
@click.option("--out", required=True, type=OUTPUT, metavar="FILE", help="File to write.")
@click.option(
    "--messages",
    type=Integer(1),
    metavar="K",
    help="Number of messages of the game (gambit and vipr).",
)
@time_limit_option("Stop after S seconds without writing a file.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def export(
    *,
    instance: str,
    form: str | None,
    out: str,
    messages: int | None,
    time_limit: float,
    as_json: bool,
) -> None:
    """Write the class or problem INSTANCE to a file that other programs read.

    The formats csv (.csv) and json (.json) can be read again as @FILE. The format graphml
    (.graphml) contains the bipartite graph between concepts and points.

    With --messages K the file contains the game between inputs and deterministic protocols with K
    messages, whose value is the public-coin minimax error: gambit (.nfg) is the strategic game, and
    vipr (.vipr) its linear program with a proof of the optimal value. The format records writes a
    folder FILE with a class and its proved dimensions as records of the Combinatorial Parameters
    Database. See docs/interoperability.md.
    """
    form = form or _ENDINGS.get(Path(out).suffix.lower())
    if form is None:
        raise click.UsageError(f"give --to, or a FILE that ends in one of {', '.join(_ENDINGS)}")
    if (form in _GAMES) != (messages is not None):
        rule = "needs" if form in _GAMES else "excludes"
        raise click.UsageError(f"--to {form} {rule} --messages")
    budget = Budget(time_limit)
    given: Instance = parse_instance(instance, time_limit=budget if budget.limited else None)
    data: dict[str, object] = {"instance": given.name, "to": form, "file": out}
    lines = [("instance", show_label(given)), ("format", form)]
    if messages is None:
        if form == _RECORDS:
            lines.append(("values", str(_write_records(given, out, budget))))
        else:
            write_text_atomically(out, _WRITERS[form](given))
    else:
        game = protocol_game(given, messages, time_limit=budget)
        text = to_nfg(game)
        strategies = [len(names) for names in game.strategies]
        data |= {"messages": messages, "inputs": strategies[0], "protocols": strategies[1]}
        inputs = counted(strategies[0], "input", "inputs")
        protocols = counted(strategies[1], "protocol", "protocols")
        lines.append(("strategies", f"{inputs}, {protocols}"))
        if form == "vipr":
            outcome = solve_linear_program(game_program(game), time_limit=budget)
            if not isinstance(outcome, OptimalSolution):
                raise NotDecidedError("the time limit was reached before the value was known")
            text = to_vipr(outcome)
            data["value"] = encode_fraction(outcome.value)
            lines.append(("minimax error", show_fraction(outcome.value)))
        write_text_atomically(out, text)
    report(data, [*lines, ("file", out)], as_json=as_json)


def _write_records(given: Instance, folder: str, budget: Budget) -> int:
    """Write a class and its values as records; return the number of values."""
    from ccsim.interchange import class_record, to_combinatorial_parameters, value_records

    C = as_class(given)
    short = re.sub(r"\W+", "_", C.name, flags=re.ASCII).strip("_")[:100].lower() or "class"
    record = class_record(C, short, C.name)
    values = value_records(short, C.name or short, {1: C}, "", time_limit=budget)
    to_combinatorial_parameters({"classes": [record], "values": values}, folder)
    return len(values)


def _graphml(given: Instance) -> str:
    import networkx as nx

    return "\n".join([*nx.generate_graphml(to_incidence_graph(as_class(given))), ""])


def _json(given: Instance) -> str:
    return json.dumps(given.to_json(), ensure_ascii=False) + "\n"


def _csv(given: Instance) -> str:
    described = given.to_json()
    names = ("points", "concepts") if isinstance(given, ConceptClass) else ("bob", "alice")
    columns, labels = (described[name] for name in names)
    if not columns or not labels:
        raise DomainError(
            f"{given.name} must have at least one row and one column for a csv file; write a .json "
            "file instead"
        )
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["", *columns])
    writer.writerows([label, *row] for label, row in zip(labels, described["rows"], strict=True))
    return text.getvalue()


_WRITERS: Mapping[str, Callable[[Instance], str]] = MappingProxyType(
    {"graphml": _graphml, "json": _json, "csv": _csv}
)
