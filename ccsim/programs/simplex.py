"""The simplex method in exact arithmetic, from any basis, to one of the three possible ends.

A dual phase makes the basis feasible: the costs are shifted where a reduced cost has the wrong
sign, so that every basis may start it, and the basis of a float solver keeps what is right about
it. A primal phase with the true costs follows. The largest violation chooses the variable that
moves; after a step without progress the smallest number does (Bland's rule), until there is
progress again, which excludes cycling.

Implementation notes: nothing but the basis is carried from pivot to pivot; each pivot solves two
square systems afresh (FLINT). That suits what the method is for, a few pivots from a basis
that is almost right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from ccsim.budget import Budget
from ccsim.errors import NotDecidedError
from ccsim.programs.basis import (
    Basis,
    column_of,
    prices,
    primal_solution,
    repaired,
    rest,
    row_of,
)
from ccsim.programs.integer_program import (
    Contradiction,
    Descent,
    IntegerProgram,
    Integers,
    Optimum,
    ProgramEnd,
)


class _Pivots:
    """Counts pivots and ends the method when the time or their number is over."""

    def __init__(self, budget: Budget | None, most: int | None) -> None:
        self._budget, self._most, self.pivots = budget, most, 0

    def count(self) -> None:
        if self._budget is not None:
            self._budget.spend()
        if self.pivots == self._most:
            raise NotDecidedError(f"not decided after {self.pivots} exact pivots")
        self.pivots += 1


def run_simplex(
    program: IntegerProgram,
    basis: Basis | None = None,
    budget: Budget | None = None,
    most_pivots: int | None = None,
) -> ProgramEnd:
    """Optimise a program in integers.

    Complexity: two exact solutions of a square system for each pivot; some tens of pivots
    a second for kernels of 50 x 50. The number of pivots is exponential in the worst case.
    """
    counter = _Pivots(budget, most_pivots)
    basis = repaired(program, basis or Basis((), ()))
    y, scale = prices(program, basis)
    reduced = program.reduced_costs(y, scale)
    costs = [scale * c for c in program.cost] + [0] * program.rows
    for j, d in _wrong(program, basis, reduced):
        costs[j] -= d
    found = _dual_phase(program, basis, costs, counter)
    return found if isinstance(found, Contradiction) else _primal_phase(program, found, counter)


def _resting(program: IntegerProgram, basis: Basis) -> Iterator[int]:
    """Yield the variables that are not basic."""
    basic = set(basis.columns)
    yield from (j for j in range(program.columns) if j not in basic)
    yield from (program.columns + i for i in basis.tight)


def _can_move(program: IntegerProgram, basis: Basis, j: int, sign: int) -> bool:
    """Whether a resting variable can rise (``sign > 0``) or fall from where it rests."""
    low, high = program.lower[j], program.upper[j]
    value = rest(program, basis, j)
    return (high is None or value < high) if sign > 0 else (low is None or low < value)


def _wrong(program: IntegerProgram, basis: Basis, reduced: Integers) -> Iterator[tuple[int, int]]:
    """Yield the resting variables that would lower the costs, with their reduced costs."""
    for j in _resting(program, basis):
        if (d := reduced[j]) and _can_move(program, basis, j, -d):
            yield j, d


def _dual_phase(
    program: IntegerProgram, basis: Basis, costs: Sequence[int], counter: _Pivots
) -> Basis | Contradiction:
    """Return a feasible basis, or weights of the rows that prove that there is none."""
    n, bland = program.columns, False
    while True:
        x, scale = primal_solution(program, basis)
        everything = [*x, *program.activity(x)]
        # below its lower bound by a positive number, above its upper bound by a negative one
        violations = []
        bounds = zip(everything, program.lower, program.upper, strict=True)
        for b, (number, low, high) in enumerate(bounds):
            if low is not None and number < low * scale:
                violations.append((b, low * scale - number))
            elif high is not None and number > high * scale:
                violations.append((b, high * scale - number))
        if not violations:
            return basis
        leaving, gap = violations[0] if bland else max(violations, key=lambda v: abs(v[1]))
        sign = 1 if gap > 0 else -1
        weights, _ = row_of(program, basis, leaving)
        rates = program.reduced_costs(weights, 0)  # -(w A) for columns, w for activities
        y, y_scale = prices(program, basis, costs)
        reduced = program.reduced_costs(y, y_scale, costs[:n])
        reduced[n:] += np.array([y_scale * c for c in costs[n:]], dtype=object)
        helping = [
            (Fraction(abs(reduced[j]), abs(rates[j])), j)
            for j in _resting(program, basis)
            if rates[j] and _can_move(program, basis, j, sign * rates[j])
        ]
        if not helping:
            return Contradiction(weights * -sign, counter.pivots)
        ratio, entering = min(helping)
        basis = basis.exchanged(entering, leaving, n, to_upper=sign < 0)
        bland = ratio == 0
        counter.count()


def _primal_phase(program: IntegerProgram, basis: Basis, counter: _Pivots) -> Optimum | Descent:
    """Lower the costs from a feasible basis until prices prove that they are least."""
    n, bland = program.columns, False
    while True:
        y, y_scale = prices(program, basis)
        moves = list(_wrong(program, basis, program.reduced_costs(y, y_scale)))
        x, scale = primal_solution(program, basis)
        if not moves:
            return Optimum(x, scale, y, y_scale, counter.pivots)
        entering, d = moves[0] if bland else max(moves, key=lambda move: abs(move[1]))
        sign = -1 if d > 0 else 1
        change, change_scale = column_of(program, basis, entering)
        change = [sign * rate for rate in change]
        low, high = program.lower[entering], program.upper[entering]
        limits = []
        if low is not None and high is not None:
            limits.append((Fraction(high - low), entering, sign > 0))
        values, rates = [*x, *program.activity(x)], [*change, *program.activity(change)]
        for b in set(range(len(values))).difference(_resting(program, basis)):
            end = (program.upper if rates[b] > 0 else program.lower)[b]
            if rates[b] and end is not None:
                room = Fraction((end * scale - values[b]) * change_scale, scale * rates[b])
                limits.append((room, b, rates[b] > 0))
        if not limits:
            return Descent(x, scale, change, counter.pivots)
        step, leaving, to_upper = min(limits)
        if leaving == entering:
            flipped = basis.at_upper ^ {entering}
            basis = Basis(basis.columns, basis.tight, flipped)
        else:
            basis = basis.exchanged(entering, leaving, n, to_upper=to_upper)
        bland = step == 0
        counter.count()
