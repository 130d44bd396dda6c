"""Statements about sets of hypotheses that represent a class."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proofs_check.formal.terms import booleans, integers, listed, rational
from proofs_check.formal.words.statement import Statement

__all__ = ["WORDS"]

_ROWS = "list (list bool)"


def deterministic_representation(c: Mapping[str, Any]) -> Statement:
    """State the error with which a set of hypotheses represents a class."""
    n, rows = len(c["instance"]["points"]), c["instance"]["rows"]
    meant = f"{n} (table {n} (concepts rows)) (concepts hypotheses)"
    return Statement(
        module="Representations",
        kind="deterministic_representation",
        data=(
            ("rows", _ROWS, _set(rows)),
            ("hypotheses", _ROWS, _set(c["statement"]["hypotheses"])),
        ),
        question=f"Hypotheses {n} rows hypotheses",
        bound=rational,
        at_least=f"forall e, represents {meant} e -> ({{v}} <= e)%Q",
        at_most=f"represents {meant} {{v}}",
        exactly=f"representation_error {meant} {{v}}",
    )


def probabilistic_representation(c: Mapping[str, Any]) -> Statement:
    """State the failure probability of a random set of hypotheses."""
    n, rows, support = (
        len(c["instance"]["points"]),
        c["instance"]["rows"],
        c["statement"]["support"],
    )
    error = rational(c["statement"]["error"])
    number = len(support["weights"])
    meant = (
        f"{n} (table {n} (concepts rows)) {number} (share weights) "
        f"(fun i => concepts (nth i sets [])) {error}"
    )
    return Statement(
        module="Representations Mixture Failures",
        kind="probabilistic_representation",
        data=(
            ("rows", _ROWS, _set(rows)),
            ("sets", f"list ({_ROWS})", listed(support["sets"], _set)),
            ("weights", "list Z", integers(support["weights"])),
        ),
        question=f"Support {n} rows {error} sets weights",
        bound=rational,
        at_least=f"forall d, represents_randomly {meant} d -> ({{v}} <= d)%Q",
        at_most=f"represents_randomly {meant} {{v}}",
        exactly=f"representation_failure {meant} {{v}}",
    )


def least_failure(c: Mapping[str, Any]) -> Statement:
    """State the least failure probability of random sets of hypotheses of the given size."""
    meant, size = _covered(c), int(c["statement"]["size"])
    return Statement(
        module=_COVERING,
        kind="least_failure",
        data=_covering_data(c),
        question=f"({_covering(c)}, {size}%nat)",
        bound=rational,
        at_least=f"forall d, represented_randomly {meant} {size} d -> ({{v}} <= d)%Q",
        at_most=f"represented_randomly {meant} {size} {{v}}",
        exactly=f"failure_of_size {meant} {size} {{v}}",
    )


def representation_size(c: Mapping[str, Any]) -> Statement:
    """State the least number of hypotheses in (probabilistic) representations of a class."""
    meant, failure = _covered(c), rational(c["statement"]["failure"])
    certain = c["statement"]["failure"] == "0"
    name = "represented" if certain else "represented_randomly"
    at, exactly = ("", "deterministic_size") if certain else (failure, "probabilistic_size")
    return Statement(
        module=_COVERING,
        kind="representation_size",
        data=_covering_data(c),
        question=f"({_covering(c)}, {failure})",
        bound=lambda v: f"{int(v)}%nat",
        at_least=f"forall k, {name} {meant} k {at} -> ({{v}} <= k)%nat",
        at_most=f"{name} {meant} {{v}} {at}",
        exactly=f"{exactly} {meant} {at} {{v}}",
    )


_COVERING = "Representations Covering Sizes"


def _covered(c: Mapping[str, Any]) -> str:
    """Return the points, the class, the pool and the error."""
    n, pool = len(c["instance"]["points"]), c["statement"]["pool"]
    known = "all_functions" if pool is None else f"(table {n} (concepts pool))"
    return f"{n} (table {n} (concepts rows)) {known} {rational(c['statement']['error'])}"


def _covering(c: Mapping[str, Any]) -> str:
    pool = "None" if c["statement"]["pool"] is None else "(Some pool)"
    error = rational(c["statement"]["error"])
    return f"Covering {len(c['instance']['points'])} rows {error} {pool}"


def _covering_data(c: Mapping[str, Any]) -> tuple[tuple[str, str, str], ...]:
    rows, pool = ("rows", _ROWS, _set(c["instance"]["rows"])), c["statement"]["pool"]
    return (rows,) if pool is None else (rows, ("pool", _ROWS, _set(pool)))


def _set(hypotheses: list[str]) -> str:
    return listed(hypotheses, booleans)


WORDS = {
    "deterministic_representation": deterministic_representation,
    "probabilistic_representation": probabilistic_representation,
    "least_failure": least_failure,
    "representation_size": representation_size,
}
