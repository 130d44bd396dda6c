"""Statements about matrix games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proofs_check.formal.terms import integers, listed, rational
from proofs_check.formal.words.statement import Statement

__all__ = ["WORDS"]


def matrix_game(c: Mapping[str, Any]) -> Statement:
    """State the value of a game: a guarantee of each player."""
    unit, payoff = c["instance"]["unit"], c["instance"]["payoff"]
    shape = f"{len(payoff)} {len(payoff[0])} (payoff {unit} payoffs)"
    return Statement(
        module="Games",
        kind="matrix_game",
        data=(("payoffs", "list (list Z)", listed(payoff, integers)),),
        question=f"Game {len(payoff[0])} {unit} payoffs",
        bound=rational,
        at_least=f"guarantees {shape} {{v}}",
        at_most=f"concedes {shape} {{v}}",
        exactly=f"value {shape} {{v}}",
    )


WORDS = {"matrix_game": matrix_game}
