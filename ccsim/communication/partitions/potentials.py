"""Potentials of Alice's inputs: what they add to the cost of a class.

The cheapest partition into ``k`` classes is an integer program that picks classes. The dual of its
linear relaxation gives each row a potential such that a class costs at least the sum of its
potentials minus one constant. Rounded, they are labels by which classes are told apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from ccsim.budget import Budget
from ccsim.communication.partitions.subsets import class_costs, subset_sums
from ccsim.communication.partitions.tables import Weights, integer_array
from ccsim.programs import LinearProgram, OptimalSolution, solve_linear_program

__all__ = ["rounded_potentials"]

MAX_ROWS = 20
"""Most rows for which potentials are looked for."""
_SUM = 400
"""What the labels sum to, about."""
_ROUNDS = 100
_CLASSES_A_ROUND = 10


def rounded_potentials(
    weights: Weights, messages: int, orbits: Sequence[int], budget: Budget | None = None
) -> list[int]:
    """Return integers of at least 0 in proportion to potentials that bound partitions best.

    Parameters
    ----------
    weights : matrix of int
        Signed weights, positive on value 1.
    messages : int
    orbits : sequence of int
        For each row the number of its orbit under symmetries of the weights; equal potentials
        within an orbit are as good as any.
    budget : Budget, optional
        When it is over the best so far are taken, for which alone there is no proof that they are
        potentials; nobody relies on it.

    Returns
    -------
    list of int
        One for each row, all 1 for more than 20 rows.

    Notes
    -----
    Complexity: ``2**rows columns`` for the costs of all classes, and a few dozen small linear
    programs, to which the classes that are too cheap are added.

    Examples
    --------
    >>> rounded_potentials([[2, -1, -1], [-1, 2, -1], [-1, -1, 2]], 2, [0, 0, 0])
    [133, 133, 133]
    """
    rows = len(weights)
    if rows > MAX_ROWS:
        return [1] * rows
    budget = budget or Budget()
    sizes = np.bincount(orbits).tolist()
    count, shared = len(sizes), [Fraction(1)] * len(sizes)
    chosen = {1 << x for x in range(rows)} | {(1 << rows) - 1}
    with budget:
        doubled = class_costs(integer_array(weights), budget)
        for _ in range(_ROUNDS):
            budget.spend()
            program = LinearProgram.minimise(
                [*(-size for size in sizes), messages],
                [
                    (_constraint(members, orbits, count), "<=", Fraction(int(doubled[members])))
                    for members in sorted(chosen)
                ],
                [None] * count + [0],
            )
            outcome = solve_linear_program(program, time_limit=budget)
            if not isinstance(outcome, OptimalSolution):
                break
            *shared, constant = outcome.primal
            gains = subset_sums(np.array([float(shared[orbit]) for orbit in orbits]))
            excess = gains - doubled.astype(float)
            allowed = float(constant) + 1e-9 * abs(float(doubled[-1]))
            worst = np.argsort(-excess, kind="stable")[:_CLASSES_A_ROUND]
            added = {int(members) for members in worst if excess[members] > allowed} - chosen
            if not added:
                break
            chosen |= added
    potentials = [max(shared[orbit], Fraction(0)) for orbit in orbits]
    total = sum(potentials) or Fraction(1)
    return [int(p * _SUM / total) for p in potentials]


def _constraint(members: int, orbits: Sequence[int], count: int) -> list[int]:
    """Return how often a class meets each orbit, and -1 for the constant."""
    row = [0] * count + [-1]
    for x, orbit in enumerate(orbits):
        row[orbit] += members >> x & 1
    return row
