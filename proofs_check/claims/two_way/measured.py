"""Re-checked measures of a two-party function, and the functions on which claims are checked."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import ccsim
from proofs_check.claims.evidence import recheck

__all__ = ["FUNCTIONS", "MORE_FUNCTIONS", "measured", "number", "one_way_messages"]

# total functions: completions of a partial one need not be of zeros and ones
FUNCTIONS = [
    "equality:n=2",
    "equality:n=5",
    "equality:n=8",
    "greater_than:n=5",
    "disjointness:n=2",
    "inner_product:n=2",
    "inner_product:n=3",
    "index:d=3",
    "lines:p=2",
    "gap_hamming:n=3,g=1",
    *(f"random:m=6,n=6,seed={seed}" for seed in range(6)),
    "random:m=4,n=6,seed=1",
]
MORE_FUNCTIONS = [
    "greater_than:n=9",
    "disjointness:n=3",
    "lines:p=3",
    *(f"random:m=7,n=7,seed={seed}" for seed in range(10)),
]


@lru_cache(1024)
def measured(question: str, instance: str, *statement: object) -> Any:  # noqa: ANN401 - an answer
    """Return a measure of a function, re-checked."""
    return recheck(getattr(ccsim, question)(instance, *statement))


def number(question: str, instance: str, *statement: object) -> int:
    """Return the exact value of a measure that is an integer."""
    value: int = measured(question, instance, *statement).value
    return value


@lru_cache(1024)
def one_way_messages(instance: str) -> tuple[int, int]:
    """Return the deterministic one-way numbers of messages, for Alice and for Bob."""
    table = recheck(ccsim.bounds(instance, only=["one_way", "one_way_back"]))
    return table["one_way"].result.value, table["one_way_back"].result.value
