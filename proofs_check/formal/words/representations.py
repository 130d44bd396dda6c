"""Sets of hypotheses that represent a class."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proofs_check.formal.terms import booleans, integers, listed, rational
from proofs_check.formal.words.statement import Statement

__all__ = ["WORDS"]

_ROWS = "list (list bool)"


def deterministic_representation(c: Mapping[str, Any]) -> Statement:
    """State the largest error that a set of hypotheses leaves."""
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
    """State how likely a set of hypotheses fails that is drawn from several."""
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


def _set(hypotheses: list[str]) -> str:
    return listed(hypotheses, booleans)


WORDS = {
    "deterministic_representation": deterministic_representation,
    "probabilistic_representation": probabilistic_representation,
}
