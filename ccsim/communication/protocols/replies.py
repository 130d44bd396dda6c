"""The best reply of one player of a private-coin protocol to the table of the other, exactly."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from ccsim.budget import Budget
from ccsim.communication.problem import CommunicationProblem
from ccsim.programs import solve_matrix_game

Table = tuple[tuple[Fraction, ...], ...]


def best_alice(problem: CommunicationProblem, bob: Table, budget: Budget | None = None) -> Table:
    """Return Alice's best table against a table of Bob."""
    result = []
    for x in range(len(problem.alice)):
        if budget is not None:
            budget.spend()
        inside = [y for y in range(len(problem.bob)) if problem.value(x, y) is not None]
        if inside:
            errors = [[_error(row[y], problem.value(x, y)) for row in bob] for y in inside]
            result.append(solve_matrix_game(errors).column_strategy)
        else:
            result.append(tuple(Fraction(m == 0) for m in range(len(bob))))
    return tuple(result)


def best_bob(problem: CommunicationProblem, alice: Table) -> Table:
    """Return Bob's best table against a table of Alice.

    For each input of Bob his answers to all messages are drawn together, so that the best draw is a
    game with ``2**messages`` columns; only the probability of each answer matters.
    """
    messages = len(alice[0])
    vectors = list(product((0, 1), repeat=messages))
    columns = []
    for y in range(len(problem.bob)):
        rows = [x for x in range(len(problem.alice)) if problem.value(x, y) is not None]
        if not rows:
            columns.append((Fraction(0),) * messages)
            continue
        errors = [
            [
                sum(
                    (p for p, a in zip(alice[x], v, strict=True) if a != problem.value(x, y)),
                    Fraction(0),
                )
                for v in vectors
            ]
            for x in rows
        ]
        law = solve_matrix_game(errors).column_strategy
        columns.append(
            tuple(
                sum((w for w, v in zip(law, vectors, strict=True) if v[m]), Fraction(0))
                for m in range(messages)
            )
        )
    return tuple(zip(*columns, strict=True))


def _error(one: Fraction, value: int | None) -> Fraction:
    return 1 - one if value else one
