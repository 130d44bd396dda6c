"""Potentials of Alice's inputs: short proofs that a hard distribution is hard.

The cheapest partition into ``k`` classes is an integer program that picks classes. The dual of its
linear relaxation gives each row a potential such that a class costs at least the sum of its
potentials minus one constant; where the relaxation is tight, potentials prove the least cost, and
whoever checks them looks at classes instead of partitions.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from ccsim.budget import Budget
from ccsim.communication.hard_distribution import HardDistribution
from ccsim.communication.partitions.tables import Weights, class_costs, integer_array, subset_sums
from ccsim.communication.problem import CommunicationProblem
from ccsim.exact import common_denominator
from ccsim.programs import LinearProgram, OptimalSolution, solve_linear_program
from ccsim.symmetry.groups import orbits_of
from ccsim.symmetry.matrix import Symmetry

__all__ = ["potentials_for", "tight_potentials"]

MAX_ROWS = 20
"""Most rows for which potentials are looked for."""
_ROUNDS = 100
_CLASSES_A_ROUND = 10


def potentials_for(
    problem: CommunicationProblem,
    mu: HardDistribution,
    messages: int,
    least: Fraction,
    symmetries: Sequence[Symmetry] = (),
    budget: Budget | None = None,
) -> tuple[Fraction, ...]:
    """Return potentials for the rows that have weight, if they spare a checker much work.

    Parameters
    ----------
    problem : CommunicationProblem
    mu : HardDistribution
    messages : int
    least : Fraction
        The least expected error under ``mu``.
    symmetries : sequence of Symmetry, optional
        Symmetries of the problem that also leave ``mu`` as it is.
    budget : Budget, optional
        None are found when it is over.

    Returns
    -------
    tuple of Fraction
        Empty where partitions are few, where potentials do not reach the least error, and when
        the time is over.
    """
    if messages <= 2 or mu.is_easy(messages):
        return ()
    signed = mu.signed_rows(problem)
    moves = ([(x, g.rows[x]) for x in signed] for g in symmetries)
    leaders = orbits_of(signed, moves)
    number = {x: i for i, x in enumerate(dict.fromkeys(leaders.values()))}
    columns = sorted({y for row in signed.values() for y in row})
    weights = [[row.get(y, 0) for y in columns] for row in signed.values()]
    orbits = [number[leader] for leader in leaders.values()]
    return tight_potentials(weights, messages, int(least * mu.total), orbits, budget)


def tight_potentials(
    weights: Weights,
    messages: int,
    least: int,
    orbits: Sequence[int],
    budget: Budget | None = None,
) -> tuple[Fraction, ...]:
    """Return potentials that prove the least cost of a partition, or none if there are none.

    Parameters
    ----------
    weights : matrix of int
        Signed weights, positive on value 1.
    messages : int
    least : int
        Least cost of a partition into ``messages`` classes.
    orbits : sequence of int
        For each row the number of its orbit under symmetries of the weights; equal potentials
        within an orbit are as good as any.
    budget : Budget, optional
        None are found when it is over.

    Returns
    -------
    tuple of Fraction
        One for each row; empty if the relaxation is not tight or has more than 20 rows.

    Notes
    -----
    Complexity: ``2**rows columns`` for the costs of all classes, and a few dozen small exact linear
    programs, to which the classes that are too cheap are added.

    Examples
    --------
    >>> tight_potentials([[2, -1, -1], [-1, 2, -1], [-1, -1, 2]], 2, 2, [0, 0, 0])
    (Fraction(2, 1), Fraction(2, 1), Fraction(2, 1))
    """
    rows = len(weights)
    if rows > MAX_ROWS:
        return ()
    budget = budget or Budget()
    sizes = np.bincount(orbits).tolist()
    count = len(sizes)
    chosen = {1 << x for x in range(rows)} | {(1 << rows) - 1}
    with budget:
        doubled = class_costs(integer_array(weights), budget)
        for _ in range(_ROUNDS):
            budget.spend()
            program = LinearProgram.minimise(
                [*(-size for size in sizes), messages],
                [
                    (_constraint(members, orbits, count), "<=", Fraction(int(doubled[members]), 2))
                    for members in sorted(chosen)
                ],
                [None] * count + [0],
            )
            outcome = solve_linear_program(program, budget)
            if not isinstance(outcome, OptimalSolution) or -outcome.value < least:
                return ()
            *shared, constant = outcome.primal
            potentials = [shared[orbit] for orbit in orbits]
            unit = common_denominator([*potentials, constant])
            gains = subset_sums(np.array([int(2 * unit * u) for u in potentials], dtype=object))
            excess = gains - unit * doubled.astype(object)
            allowed = int(2 * unit * constant)
            worst = np.argsort(-excess.astype(float), kind="stable")[:_CLASSES_A_ROUND]
            added = {int(members) for members in worst if excess[members] > allowed}
            if not added:
                return tuple(potentials) if excess.max() <= allowed else ()
            chosen |= added
    return ()


def _constraint(members: int, orbits: Sequence[int], count: int) -> list[int]:
    """Return how often a class meets each orbit, and -1 for the constant."""
    row = [0] * count + [-1]
    for x, orbit in enumerate(orbits):
        row[orbit] += members >> x & 1
    return row
