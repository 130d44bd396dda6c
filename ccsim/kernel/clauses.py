"""Refutations of clauses: each step is a clause that follows by unit propagation with hints.

A clause is a list of literals ``v`` and ``-v`` for variables ``v`` from 1 on.
"""

from __future__ import annotations

from collections.abc import Sequence

from .reader import *
from .rules import *

Clause = Sequence[int]


def literals(value: object, variables: int) -> list[int]:
    """Read the literals of a clause."""
    rule = f"must be a literal of a variable from 1 to {variables}, not {{}}"
    for i, each_one in enumerate(entries(value)):
        right = type(each_one) is int and 0 < abs(each_one) <= variables
        inside(i, require, right, rule, each_one)
    return entries(value)


def refute(steps: Sequence[object], clauses: Sequence[Clause], variables: int) -> None:
    """Check that the steps ``[literals, hints]`` derive the empty clause.

    If all literals of the step are false, each hint is a clause that forces one more literal to be
    true; the last hint is a clause without literals that can be true.
    """

    def derive(step: object, proved: list[Clause]) -> Clause:
        first, second = entries(step, 2)
        clause = inside(0, literals, first, variables)
        hints = inside(1, indices, second, len(clauses) + len(proved))
        false, left = set(clause), [0]
        for hint in hints:
            known = clauses[hint] if hint < len(clauses) else proved[hint - len(clauses)]
            spend(10 + 2 * len(known))
            require(left, "the hints must end with the clause that becomes empty")
            left = [one for one in known if one not in false]
            require(
                len(left) < 2, "clause {} must have at most one literal that is not false", hint
            )
            false.update([-one for one in left])
        require(not left, "the hints must end with the clause that becomes empty")
        spend(10 + 2 * len(clause))
        return clause

    proved = table(steps, derive)
    require(proved and not proved[-1], "the last step must be the empty clause")
