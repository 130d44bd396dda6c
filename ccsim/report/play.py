"""A part of a page in which the reader steps through a protocol, message by message."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree.ElementTree import Element

from ccsim.appearance import counted, show_label
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.tables import DeterministicProtocol
from ccsim.communication.protocols.two_way import TwoWayProtocol
from ccsim.report.drawings import MOST_ROWS, instance
from ccsim.report.html import element

_MOST_COINS = 48  # components among which a reader chooses


def tree_player(about: Mapping[str, Any], nodes: Sequence[Any]) -> list[Element]:
    """Return the player of a protocol tree in a certificate.

    The list is empty if the problem is too large.
    """
    if not _is_small(about):
        return []
    problem = CommunicationProblem.from_matrix(about["rows"], about["alice"], about["bob"])
    protocol = TwoWayProtocol.from_tree(nodes, problem)
    cost = counted(protocol.cost_bits, "bit", "bits")
    said = f"A two-way protocol of {cost} with {counted(protocol.size, 'leaf', 'leaves')}."
    return [element("p", said), _player(about, [("1", protocol)])]


def one_way_player(about: Mapping[str, Any], tables: Mapping[str, Any]) -> list[Element]:
    """Return the player of a one-way protocol given by tables; nothing for private coins."""
    parts = sorted(tables["components"], key=lambda part: -int(part["weight"]))
    is_plain = all(isinstance(each, int) for part in parts for each in part["alice"])
    if about["type"] != "communication problem" or not (_is_small(about) and is_plain):
        return []
    if tables["symmetries"] or len(parts) > _MOST_COINS:
        return []
    total, width = sum(int(part["weight"]) for part in parts), len(about["bob"])
    found = []
    for part in parts:
        bob = tuple(int(row[::-1], 2) for row in part["bob"])
        one_way = DeterministicProtocol(tuple(part["alice"]), bob, width)
        found.append((f"{part['weight']}/{total}", one_way.to_two_way()))
    return [_player(about, found)]


def _is_small(about: Mapping[str, Any]) -> bool:
    return max(len(about["alice"]), len(about["bob"])) <= MOST_ROWS


def _player(about: Mapping[str, Any], protocols: Sequence[tuple[str, TwoWayProtocol]]) -> Element:
    """Return the controls, the matrix, and the data for the script of the page."""
    coins = [f"component {i}, probability {p}" for i, (p, _) in enumerate(protocols, 1)]
    trees = [
        [n if isinstance(n, int) else [n.side, [*n.messages]] for n in protocol.nodes]
        for _, protocol in protocols
    ]
    sides = [[show_label(label) for label in about[side]] for side in ("alice", "bob")]
    data = {"sides": sides, "rows": [*about["rows"]], "trees": trees}
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    choices = [("Alice's input", sides[0]), ("Bob's input", sides[1])]
    if len(coins) > 1:
        choices.append(("Coins", coins))
    buttons = ("Back", "Next message", "To the end")
    controls = element(
        "div",
        element("p", *(_choice(name, options) for name, options in choices)),
        element("p", *(element("button", name, type="button") for name in buttons)),
        class_="screen",
        hidden="",
    )
    matrix = instance(about, "Inputs that no longer are possible are dimmed")
    return element(
        "section",
        element("h4", "Play the protocol"),
        element("noscript", element("p", "This needs JavaScript, which is switched off.")),
        controls,
        element("ol", class_="sent"),
        element("p", "", class_="verdict", role="status"),
        *([] if matrix is None else [matrix]),
        element("script", text, type="application/json"),
        class_="play",
    )


def _choice(name: str, options: Sequence[str]) -> Element:
    listed = (element("option", text, value=i) for i, text in enumerate(options))
    return element("label", f"{name} ", element("select", *listed))
