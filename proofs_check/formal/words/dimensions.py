"""Dimensions of concept classes that are no matter of mistake trees."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from proofs_check.formal.terms import masks
from proofs_check.formal.words.statement import Statement

__all__ = ["WORDS"]


def dimension(
    module: str, kind: str, words: str, over: str = "{n} (table {n} (map bit rows))"
) -> Callable[[Mapping[str, Any]], Statement]:
    """Return how to state the largest number for which words about points and a class hold."""

    def statement(c: Mapping[str, Any]) -> Statement:
        rows, n = c["instance"]["rows"], len(c["instance"]["points"])
        largest = f"({words} {over.format(n=n, height=len(rows))})"
        return Statement(
            module=module,
            kind=kind,
            data=(("rows", "list N", masks(rows)),),
            question=f"({n}%nat, rows)",
            bound=lambda v: f"({v})%Z",
            at_least=f"dimension_at_least {largest} {{v}}",
            at_most=f"dimension_at_most {largest} {{v}}",
            exactly=f"dimension {largest} {{v}}",
        )

    return statement


WORDS = {
    "vc_dimension": dimension("VCDimension", "vc_dimension", "shattered"),
    "dual_vc_dimension": dimension(
        "VCDimension",
        "dual_vc_dimension",
        "shattered",
        "{height} (table {height} (dual {n} (map bit rows)))",
    ),
    "threshold_dimension": dimension("Thresholds", "threshold_dimension", "thresholds"),
    "effective_domain": dimension("Domains", "effective_domain", "told_apart"),
}
