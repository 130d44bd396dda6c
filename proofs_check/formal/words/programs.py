"""Statements about linear programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proofs_check.formal.terms import integers, listed, rational
from proofs_check.formal.words.statement import Statement

__all__ = ["WORDS"]

_RELATIONS = {"<=": "AtMost", "=": "Equal", ">=": "AtLeast"}
_INFINITE = {"infinity": "Infinity", "-infinity": "MinusInfinity"}


def linear_program(c: Mapping[str, Any]) -> Statement:
    """State a lower bound on the objective at all feasible points, and its value at one of them."""
    it = c["instance"]
    ends = zip(it["lower"], it["upper"], strict=True)
    variables = "list (option Q * option Q)"
    rows = "list (list (nat * Z) * relation * Z)"
    return Statement(
        module="Programs",
        kind="linear_program",
        data=(
            ("form", "list Z", integers(it["objective"])),
            ("ends", variables, listed(ends, lambda e: f"({_end(e[0])}, {_end(e[1])})")),
            ("rows", rows, listed(it["constraints"], _constraint)),
        ),
        question=f"Program {it['unit']} form ends rows",
        bound=_bound,
        at_least=f"minimum_at_least (Program {it['unit']} form ends rows) {{v}}",
        at_most=f"minimum_at_most (Program {it['unit']} form ends rows) {{v}}",
        exactly=f"minimum (Program {it['unit']} form ends rows) {{v}}",
    )


def _end(end: str | None) -> str:
    return "None" if end is None else f"Some {rational(end)}"


def _constraint(constraint: tuple[list[tuple[int, int]], str, int]) -> str:
    terms, sense, bound = constraint
    pairs = listed(terms, lambda t: f"({t[0]}%nat, ({t[1]})%Z)")
    return f"({pairs}, {_RELATIONS[sense]}, ({bound})%Z)"


def _bound(bound: str) -> str:
    return _INFINITE.get(bound) or f"(Finite {rational(bound)})"


WORDS = {"linear_program": linear_program}
