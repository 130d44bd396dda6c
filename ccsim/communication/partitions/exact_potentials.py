"""The best potentials of rows for choices of answers, by a linear program that grows.

Its constraints are classes: an answer and the rows that it would serve. They are added where the
potentials so far allow a gain that is too large.
"""

from __future__ import annotations

from typing import Any

import highspy
import numpy as np

from ccsim.budget import Budget
from ccsim.exact import common_denominator
from ccsim.programs import LinearProgram, OptimalSolution, solve_linear_program
from ccsim.programs.quiet import QuietHighs

__all__ = ["exact_potentials"]

Table = np.ndarray[Any, np.dtype[Any]]

_ROUNDS = 60
_NEW = 20
"""Most constraints that are added in a round."""
_FREE, _CHOSEN = 0, 1


def exact_potentials(
    errors: Table,
    floats: Table,
    start: Table,
    case: tuple[Table, int],
    wanted: float,
    budget: Budget,
) -> tuple[int, Table] | None:
    """Return a unit and integer potentials of the rows that bound choices of answers best.

    Parameters
    ----------
    errors : array of int, rows times answers
    floats : array of float
        The errors in proportion.
    start : array of float
        Potentials to begin with.
    case : (array, int)
        For each answer 0 if it may be chosen, 1 if it is chosen, and 2 if it is not; and how many
        may be chosen together.
    wanted : float
        A bound in proportion below which the potentials are of no use.
    budget : Budget

    Returns
    -------
    (int, array of int) or None
        Potentials are multiples of one part of the unit. None where the program did not end, or
        where the bound is too low.

    Notes
    -----
    Complexity: some dozens of float programs with a row for each class so far, and one exact one.

    Examples
    --------
    >>> errors = np.array([[0, 2, 2], [2, 0, 2], [2, 2, 0]])
    >>> free = np.zeros(3, np.int8)
    >>> start, case = errors[0] / 6, (free, 2)
    >>> unit, potentials = exact_potentials(errors, errors / 6, start, case, 0.3, Budget())
    >>> sum(potentials.tolist()) / unit - 2 * max(potentials.tolist()) / unit
    2.0
    """
    game = _Classes(errors, floats, *case)
    u, room = np.minimum(start, game.most), 1.0
    for _ in range(_ROUNDS):
        budget.spend()
        if not game.add(u, room if len(game.classes) else -1.0):
            return game.exact(budget) if game.bound() > wanted - 1e-9 else None
        u, room = game.solve()
    return None


class _Classes:
    """The program over the potentials and the largest gain, with the classes so far."""

    def __init__(self, errors: Table, floats: Table, status: Table, messages: int) -> None:
        self.errors, self.floats = errors, floats
        self.free = np.flatnonzero(status == _FREE)
        chosen = np.flatnonzero(status == _CHOSEN)
        self.room = messages - len(chosen)
        whole, part = errors, floats
        if len(chosen):
            whole, part = errors[:, chosen], floats[:, chosen]
        self.limits: list[int] = (whole.min if len(chosen) else whole.max)(axis=1).tolist()
        self.most: Table = (part.min if len(chosen) else part.max)(axis=1)
        self.classes: dict[tuple[int, bytes], Table] = {}
        self._highs = QuietHighs()
        none: Table = np.array([], np.int32)
        for limit in self.most.tolist():
            self._highs.addCol(-1.0, 0.0, limit, 0, none, np.array([]))
        self._highs.addCol(float(self.room), 0.0, highspy.kHighsInf, 0, none, np.array([]))

    def add(self, u: Table, room: float) -> int:
        """Add classes whose gain is above the room; return how many."""
        over = np.maximum(u[:, None] - self.floats[:, self.free], 0)
        gains = over.sum(axis=0)
        added = 0
        for i in np.argsort(-gains, kind="stable")[:_NEW]:
            if gains[i] <= room + 1e-10:
                break
            q = int(self.free[i])
            rows = np.flatnonzero(over[:, i] > 0)
            if (key := (q, rows.tobytes())) in self.classes:
                continue
            self.classes[key] = rows
            index = np.append(rows, len(u)).astype(np.int32)
            values = np.append(np.ones(len(rows)), -1.0)
            cost = float(self.floats[rows, q].sum())
            self._highs.addRow(-highspy.kHighsInf, cost, len(index), index, values)
            added += 1
        return added

    def solve(self) -> tuple[Table, float]:
        self._highs.run()
        values = np.array(self._highs.getSolution().col_value)
        return values[:-1], float(values[-1])

    def bound(self) -> float:
        """Return the value of the program so far."""
        return -float(self._highs.getInfo().objective_function_value)

    def exact(self, budget: Budget) -> tuple[int, Table] | None:
        """Solve the program with the classes that are nearly tight exactly."""
        rows = len(self.errors)
        constraints = []
        gained = self._highs.getSolution().row_value
        for ((q, _), members), value in zip(self.classes.items(), gained, strict=True):
            if value > float(self.floats[members, q].sum()) - 1e-9:
                row = [0] * rows + [-1]
                for x in members.tolist():
                    row[x] = 1
                constraints.append((row, "<=", int(self.errors[members, q].sum())))
        program = LinearProgram.minimise(
            [-1] * rows + [self.room],
            constraints,
            0,
            [*self.limits, None],
        )
        outcome = solve_linear_program(program, time_limit=budget)
        if not isinstance(outcome, OptimalSolution):
            return None
        *shared, _ = outcome.primal
        unit = common_denominator(shared)
        return unit, np.array([int(p * unit) for p in shared], object)
