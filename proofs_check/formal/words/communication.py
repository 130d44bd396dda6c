"""Statements about one-way protocols (errors, numbers of messages) and sign ranks of problems."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proofs_check.formal.terms import booleans, listed, naturals, optional_booleans, rational
from proofs_check.formal.words.statement import Statement

__all__ = ["WORDS"]

_MODULES = "OneWay Distributions Protocols ProtocolErrors Communication"
_COINS = {"public": "Public", "private": "Private", "deterministic": "Deterministic"}


def protocol_error(c: Mapping[str, Any]) -> Statement:
    """State the largest error of a protocol given by components with tables."""
    shape, data = _problem(c)
    protocol = c["statement"]["protocol"]
    within = "(x < {})%nat -> (y < {})%nat ->".format(*shape.split())
    some = within.replace("->", "/\\")
    data = (*data, ("components", "list component", listed(protocol["components"], _component)))
    if moves := protocol["symmetries"]:
        error = f"error_after {shape} rows components moves x y e"
        data = (*data, ("moves", "list symmetry", listed(moves, _symmetry)))
        at_least = f"exists x y e, {some} {error} /\\ ({{v}} <= e)%Q"
        at_most = f"forall x y, {within} exists e, {error} /\\ (e <= {{v}})%Q"
    else:
        error = "error_of rows components x y"
        at_least = f"exists x y, {some} ({{v}} <= {error})%Q"
        at_most = f"forall x y, {within} ({error} <= {{v}})%Q"
    return Statement(
        module=f"{_MODULES} SymmetricProtocols",
        kind="errors_of_protocols",
        data=data,
        question=f"ErrorsAsked {shape} rows components {'moves' if moves else '[]'}",
        bound=rational,
        at_least=at_least,
        at_most=at_most,
    )


def distributional_error(c: Mapping[str, Any]) -> Statement:
    """State the minimum error under a distribution on the inputs."""
    shape, data = _problem(c)
    k, cells = c["statement"]["messages"], c["statement"]["distribution"]
    meant = f"{shape} (of_table rows) {_count(k)} (shares inputs)"
    return Statement(
        module=_MODULES,
        kind="least_average_errors",
        data=(*data, ("inputs", "list (nat * nat * Z)", listed(cells, _weighted))),
        question=f"AverageAsked {shape} rows {k} inputs",
        bound=rational,
        at_least=f"forall e, reached_on_average {meant} e -> ({{v}} <= e)%Q",
        at_most=f"reached_on_average {meant} {{v}}",
        exactly=f"distributional_error {meant} {{v}}",
    )


def minimax_error(c: Mapping[str, Any]) -> Statement:
    """State the minimax error."""
    shape, data = _problem(c)
    k, coins = c["statement"]["messages"], _COINS[c["statement"]["coins"]]
    meant = f"{coins} {shape} (of_table rows) {_count(k)}"
    return Statement(
        module=_MODULES,
        kind="least_worst_errors",
        data=data,
        question=f"ErrorAsked {shape} rows {k} {coins}",
        bound=rational,
        at_least=f"forall e, reached {meant} e -> ({{v}} <= e)%Q",
        at_most=f"reached {meant} {{v}}",
        exactly=f"minimax_error {meant} {{v}}",
    )


def communication_complexity(c: Mapping[str, Any]) -> Statement:
    """State the least number of messages for an error."""
    shape, data = _problem(c)
    error, coins = rational(c["statement"]["error"]), _COINS[c["statement"]["coins"]]
    meant = f"{coins} {shape} (of_table rows)"
    return Statement(
        module=_MODULES,
        kind="numbers_of_messages",
        data=data,
        question=f"MessagesAsked {shape} rows {error} {coins}",
        bound=lambda v: f"{v}%N",
        at_least=f"forall k, reached {meant} k {error} -> (N.to_nat {{v}} <= k)%nat",
        at_most=f"reached {meant} (N.to_nat {{v}}) {error}",
        exactly=f"complexity {meant} {error} (N.to_nat {{v}})",
    )


def sign_rank(c: Mapping[str, Any]) -> Statement:
    """State the least dimension of vectors whose products have the signs of a matrix."""
    instance = c["instance"]
    names = ("alice", "bob") if "alice" in instance else ("concepts", "points")
    shape = " ".join(str(len(instance[name])) for name in names)
    meant = f"{shape} (of_table rows)"
    return Statement(
        module="OneWay SignRank",
        kind="sign_rank_of_matrix",
        data=(_entries(instance),),
        question=f"Signs {shape} rows",
        bound=lambda v: f"{v}%nat",
        at_least=f"signs_at_least {meant} {{v}}",
        at_most=f"has_signs {meant} {{v}}",
        exactly=f"sign_rank {meant} {{v}}",
    )


def _problem(c: Mapping[str, Any]) -> tuple[str, tuple[tuple[str, str, str], ...]]:
    """Return the numbers of rows and columns, and the rows."""
    instance = c["instance"]
    return f"{len(instance['alice'])} {len(instance['bob'])}", (_entries(instance),)


def _entries(instance: Mapping[str, Any]) -> tuple[str, str, str]:
    rows = listed(instance["rows"], optional_booleans)
    return "rows", "list (list (option bool))", rows


def _count(k: int | str) -> str:
    return f"(N.to_nat {k})"


def _weighted(cell: tuple[int, int, int | str]) -> str:
    x, y, weight = cell
    return f"({x}%nat, {y}%nat, {weight}%Z)"


def _component(part: Mapping[str, Any]) -> str:
    sent = [_drawn(law, lambda m: f"{m}%nat") for law in part["alice"]]
    answers = [_drawn(law, booleans, certain=False) for law in part["bob"]]
    return f"Component {part['weight']} {listed(sent)} {listed(answers)}"


def _symmetry(move: Mapping[str, Any]) -> str:
    rows, columns = naturals(move["rows"]), naturals(move["columns"])
    return f"({rows}, {columns}, {booleans(move['flips'])})"


def _drawn(law: Any, term: Any, *, certain: bool = True) -> str:  # noqa: ANN401 - JSON values
    """Return the weights of entries; a deterministic message has weight 1."""
    entries = law if isinstance(law, list) else [[1, law]]
    if certain and len(entries) == 1:
        entries = [[1, entries[0][1]]]
    return listed(entries, lambda entry: f"({entry[0]}%Z, {term(entry[1])})")


WORDS = {
    "protocol_error": protocol_error,
    "distributional_error": distributional_error,
    "minimax_error": minimax_error,
    "communication_complexity": communication_complexity,
    "sign_rank": sign_rank,
}
