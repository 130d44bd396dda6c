"""Sets of hypotheses that represent a class."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proofs_check.formal.terms import booleans, listed, rational
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
            ("rows", _ROWS, listed(rows, booleans)),
            ("hypotheses", _ROWS, listed(c["statement"]["hypotheses"], booleans)),
        ),
        question=f"Hypotheses {n} rows hypotheses",
        bound=rational,
        at_least=f"forall e, represents {meant} e -> ({{v}} <= e)%Q",
        at_most=f"represents {meant} {{v}}",
        exactly=f"representation_error {meant} {{v}}",
    )


WORDS = {"deterministic_representation": deterministic_representation}
