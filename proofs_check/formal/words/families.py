"""Statements about problems that are given by a family and a size."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proofs_check.formal.terms import rational
from proofs_check.formal.words.statement import Statement

__all__ = ["WORDS"]

_UNARY = 100  # sizes up to here are written as natural numbers
_MEMBERS = {"equality": "Equality", "index": "Index", "augmented index": "AugmentedIndex"}


def family_error(c: Mapping[str, Any]) -> Statement:
    """State the public-coin error of equality, index or augmented index."""
    kind, size = c["instance"]["type"], c["instance"]["size"]
    messages = c["statement"]["messages"]
    n, k = _natural(size), _natural(messages)
    problem = {
        "equality": f"{n} {n} equality_problem {k}",
        "index": f"(2 ^ {n}) {n} index_problem {k}",
        "augmented index": f"(2 ^ {n}) (2 ^ {n} - 1) augmented_index_problem {k}",
    }[kind]
    return Statement(
        module="FamilyErrors",
        kind="family_error",
        data=(),
        question=f"FamilyQuestion {_MEMBERS[kind]} {size} {messages}",
        bound=rational,
        at_least=f"forall e, reached Public {problem} e -> ({{v}} <= e)%Q",
        at_most=f"reached Public {problem} {{v}}",
        exactly=f"minimax_error Public {problem} {{v}}",
    )


def _natural(number: int | str) -> str:
    return f"{number}%nat" if int(number) <= _UNARY else f"(N.to_nat {number})"


WORDS = {"family_error": family_error}
