"""Statements about the Littlestone dimension and the randomised Littlestone dimension."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proofs_check.formal.terms import masks, rational
from proofs_check.formal.words.statement import Statement

__all__ = ["WORDS"]


def littlestone_dimension(c: Mapping[str, Any]) -> Statement:
    """State the maximum depth of complete mistake trees."""
    width, rows = len(c["instance"]["points"]), c["instance"]["rows"]
    mistakes = f"{width} (table {width} (map bit rows))"
    return Statement(
        module="Littlestone",
        kind="littlestone_dimension",
        data=(("rows", "list N", masks(rows)),),
        question=f"({width}%nat, rows)",
        bound=lambda v: f"({v})%Z" if v < 0 else f"{v}%Z",
        at_least=f"dimension_at_least (mistakes {mistakes}) {{v}}",
        at_most=f"dimension_at_most (mistakes {mistakes}) {{v}}",
        exactly=f"ldim {mistakes} {{v}}",
    )


def randomized_littlestone_dimension(c: Mapping[str, Any]) -> Statement:
    """State the maximum expected length of random branches of shattered trees."""
    width, rows = len(c["instance"]["points"]), c["instance"]["rows"]
    meant = f"{width} (table {width} (map bit rows))"
    return Statement(
        module="MeanDepth",
        kind="randomized_littlestone_dimension",
        data=(("rows", "list N", masks(rows)),),
        question=f"({width}%nat, rows)",
        bound=rational,
        at_least=f"rldim_at_least {meant} {{v}}",
        at_most=f"rldim_at_most {meant} {{v}}",
        exactly=f"rldim {meant} {{v}}",
    )


WORDS = {
    "littlestone_dimension": littlestone_dimension,
    "randomized_littlestone_dimension": randomized_littlestone_dimension,
}
