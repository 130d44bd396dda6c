"""The least failure probability of private mechanisms on finitely many tasks.

Lower bounds hold for *every* private mechanism. For few databases and outcomes, the private
mechanisms form a polytope, and the least failure probability is the value of a linear program. It
is solved exactly and checked by its dual solution.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import TypeAlias, TypeVar

from ccsim.errors import NotDecidedError
from ccsim.privacy.neighbours import neighbouring_databases
from ccsim.programs import LinearProgram, OptimalSolution, solve_linear_program

__all__ = ["Task", "least_private_failure_on"]

Record = TypeVar("Record", int, tuple[int, int])
Task: TypeAlias = dict[tuple[tuple[Record, ...], int], Fraction]
"""Probability of a database (as a sorted tuple) by each outcome that is a success there."""

Row = tuple[dict[int, int | Fraction], str, int]


def least_private_failure_on(
    records: Sequence[Record],
    size: int,
    outcomes: int,
    tasks: Sequence[Task[Record]],
    factor: Fraction,
) -> Fraction:
    """Return the least worst-task failure probability of ``ln(factor)``-private mechanisms.

    Parameters
    ----------
    records : sequence
        Possible records, comparable; databases are multisets of ``size`` records.
    size, outcomes : int
    tasks : sequence of Task
        A mechanism fails on a task with 1 minus its probability of success.
    factor : Fraction
        At least 1.

    Raises
    ------
    NotDecidedError
        If the solver finds no exact solution.

    Notes
    -----
    Complexity: a linear program with one variable for each multiset and outcome, and two rows for
    each pair of neighbours and outcome; a few hundred variables take a second.

    Examples
    --------
    Randomised response is optimal for distinguishing two records.

    >>> tasks = [{((x,), x): Fraction(1)} for x in (0, 1)]
    >>> least_private_failure_on((0, 1), 1, 2, tasks, Fraction(3))
    Fraction(1, 4)
    """
    databases = list(combinations_with_replacement(sorted(records), size))
    number = {database: outcomes * i for i, database in enumerate(databases)}
    failure = outcomes * len(databases)
    rows: list[Row] = [({i + o: 1 for o in range(outcomes)}, "=", 1) for i in number.values()]
    for pair in neighbouring_databases(tuple(sorted(records)), size):
        i, j = (number[tuple(sorted(database))] for database in pair)
        for o in range(outcomes):
            rows.append(({i + o: 1, j + o: -factor}, "<=", 0))
            rows.append(({j + o: 1, i + o: -factor}, "<=", 0))
    for task in tasks:
        wanted: dict[int, int | Fraction] = {number[D] + o: p for (D, o), p in task.items()}
        rows.append(({**wanted, failure: 1}, ">=", 1))
    solution = solve_linear_program(LinearProgram.minimise([0] * failure + [1], rows))
    if not isinstance(solution, OptimalSolution):
        raise NotDecidedError("the linear program over mechanisms was not solved")
    solution.check()
    return solution.value
