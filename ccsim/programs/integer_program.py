"""Linear programs in integers: outcomes, bases, and the exact simplex method.

Minimise ``c x`` subject to bounds on ``x`` and on the activities ``A x``, which are variables
``n + i``. For prices ``y``, ``c x`` is the sum of ``d_j x_j`` over all variables, with
``d = (c - y A, y)``. Basic columns and *tight* rows form the kernel; variables that are not basic
rest at a bound, or at 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import flint
import numpy as np
import numpy.typing as npt

from ccsim.budget import Budget, OutOfTimeError
from ccsim.data import frozen
from ccsim.errors import NotDecidedError
from ccsim.programs.square_system import SquareSystem

Integers = npt.NDArray[np.object_]  # a vector of Python integers of any length
Indices = npt.NDArray[np.int64]
_SECONDS = 1e-8  # for solving both systems of a basis, by the cube of its order and the bits
_PRIME = 2305843009213693951  # ``2**61 - 1``: what is independent modulo it is independent


class IntegerProgram:
    """A linear program with integer data, its matrix stored by columns."""

    def __init__(
        self,
        start: Indices,
        index: Indices,
        values: Integers | Indices,
        cost: Sequence[int],
        bounds: tuple[Sequence[int | None], Sequence[int | None]],
    ) -> None:
        self.start, self.index = start, index
        self.words = values if values.dtype == np.int64 else None
        self.values: Integers = values.astype(object)
        self.cost = list(cost)
        self.lower, self.upper = list(bounds[0]), list(bounds[1])
        self.columns = len(self.cost)
        self._last: tuple[Basis, SquareSystem] | None = None
        self._matrix: flint.fmpz_mat | None = None
        self.rows = len(self.lower) - self.columns
        self._bits = -1

    @classmethod
    def from_rows(
        cls,
        rows: Sequence[dict[int, int]],
        cost: Sequence[int],
        lower: Sequence[int | None],
        upper: Sequence[int | None],
    ) -> IntegerProgram:
        """Return the program with the given rows, which map columns to entries."""
        counts = [len(row) for row in rows]
        total = sum(counts)
        columns = np.fromiter((j for row in rows for j in row), np.int64, total)
        values = np.empty(total, dtype=object)
        values[:] = [value for row in rows for value in row.values()]
        order = np.argsort(columns, kind="stable")
        start = np.searchsorted(columns[order], np.arange(len(cost) + 1))
        index = np.repeat(np.arange(len(rows)), counts)[order]
        values = values[order]
        if max(map(abs, values), default=0) < 1 << 63:
            values = values.astype(np.int64)
        return cls(start, index, values, cost, (lower, upper))

    def column(self, j: int) -> tuple[Indices, Integers]:
        """Return the rows and the values of the entries of a column."""
        entries = slice(self.start[j], self.start[j + 1])
        return self.index[entries], self.values[entries]

    def afford(self, basis: Basis, budget: Budget | None) -> None:
        """End the search at its limit, or if solving the systems of a basis would pass the limit.

        The exact solution cannot be interrupted, so its time is estimated.
        """
        if budget is None or budget.remaining == math.inf:
            return
        budget.spend()
        if self._bits < 0:
            self._bits = max((abs(value).bit_length() for value in self.values), default=0)
        seconds = _SECONDS * len(basis.tight) ** 3 * (1 + self._bits / 10) * (1 + self._bits / 60)
        if seconds > budget.remaining + 1:
            raise OutOfTimeError

    def activity(self, x: Sequence[int]) -> Integers:
        """Return ``A x``."""
        if self._is_dense():
            return _entries(flint.fmpz_mat(1, self.columns, list(x)) * self._transposed())
        total = np.zeros(self.rows, dtype=object)
        for j, amount in enumerate(x):
            if amount:
                rows, values = self.column(j)
                total[rows] += values * amount
        return total

    def priced(self, y: Integers) -> Integers:
        """Return ``y A``."""
        if self._is_dense():
            return _entries(self._transposed() * flint.fmpz_mat(self.rows, 1, y.tolist()))
        total = np.zeros(self.columns, dtype=object)
        filled = np.flatnonzero(np.diff(self.start))
        if len(filled):
            total[filled] = np.add.reduceat(self.values * y[self.index], self.start[filled])
        return total

    def _is_dense(self) -> bool:
        """Whether at least half of the entries are nonzero."""
        return 2 * len(self.values) >= self.rows * self.columns > 0

    def _transposed(self) -> flint.fmpz_mat:
        """Return the transposed matrix."""
        if self._matrix is None:
            dense: Integers = np.zeros((self.columns, self.rows), dtype=object)
            dense[np.repeat(np.arange(self.columns), np.diff(self.start)), self.index] = self.values
            self._matrix = flint.fmpz_mat(self.columns, self.rows, dense.ravel().tolist())
        return self._matrix

    def system(self, basis: Basis) -> SquareSystem:
        """Return the system of the kernel of a basis."""
        if self._last is None or self._last[0] != basis:  # asked for its point and for its prices
            entries = self._part(basis.tight, basis.columns)
            self._last = basis, SquareSystem(len(basis.tight), *entries)
        return self._last[1]

    def kernel(self, rows: Sequence[int], columns: Sequence[int]) -> flint.fmpz_mat:
        """Return the submatrix of some rows and columns."""
        at, across, values = self._part(rows, columns)
        part: npt.NDArray[Any] = np.zeros((len(rows), len(columns)), dtype=object)
        part[at, across] = values
        return flint.fmpz_mat(len(rows), len(columns), part.ravel().tolist())

    def _part(
        self, rows: Sequence[int], columns: Sequence[int]
    ) -> tuple[Indices, Indices, Integers]:
        """Return the entries of a submatrix: positions of rows and columns, and values."""
        taken = np.array(columns, np.int64)
        number = np.diff(self.start)[taken]
        ends = np.cumsum(number)
        entries = np.arange(number.sum()) + np.repeat(self.start[taken] - ends + number, number)
        place = np.full(self.rows, -1)
        place[list(rows)] = np.arange(len(rows))
        at, across = place[self.index[entries]], np.repeat(np.arange(len(taken)), number)
        inside = at >= 0
        return at[inside], across[inside], self.values[entries[inside]]

    def reduced_costs(self, y: Integers, scale: int, cost: Sequence[int] | None = None) -> Integers:
        """Return ``scale c - y A`` for the columns, followed by ``y`` for the rows."""
        amounts = np.array(self.cost if cost is None else cost, dtype=object) * scale
        return np.concatenate((amounts - self.priced(y), y))


@frozen
class Optimum:
    """An optimal point and optimal prices of the rows, each as numerators over a denominator."""

    x: Sequence[int]
    x_scale: int
    y: Integers
    y_scale: int
    pivots: int = 0

    def is_proved(self, program: IntegerProgram) -> bool:
        """Whether the point is feasible and its cost equals the dual bound."""
        if not is_feasible(program, self.x, self.x_scale):
            return False
        value = sum(c * number for c, number in zip(program.cost, self.x, strict=True) if number)
        bound = dual_bound(program, self.y, self.y_scale)
        return bound is not None and value * self.y_scale == bound * self.x_scale


@frozen
class Contradiction:
    """Weights of the rows that prove by Farkas' lemma that no point is feasible."""

    weights: Integers
    pivots: int = 0

    def is_proved(self, program: IntegerProgram) -> bool:
        """Whether the weights prove the contradiction that 0 is at least a positive number."""
        bound = dual_bound(program, self.weights, 0)
        return bound is not None and bound > 0


@frozen
class Descent:
    """A feasible point and a direction in which the costs decrease without bound."""

    x: Sequence[int]
    x_scale: int
    ray: Sequence[int]
    pivots: int = 0

    def is_proved(self, program: IntegerProgram) -> bool:
        """Whether the point is feasible, and the direction preserves bounds and reduces costs."""
        rates = [*self.ray, *program.activity(self.ray)]
        bounds = zip(rates, program.lower, program.upper, strict=True)
        return (
            is_feasible(program, self.x, self.x_scale)
            and all((l is None or r >= 0) and (u is None or r <= 0) for r, l, u in bounds)
            and sum(c * rate for c, rate in zip(program.cost, self.ray, strict=True)) < 0
        )


ProgramEnd = Optimum | Contradiction | Descent


def is_feasible(program: IntegerProgram, x: Sequence[int], scale: int) -> bool:
    """Decide in integers whether ``x / scale`` satisfies all bounds on variables and rows."""
    everything = [*x, *program.activity(x)]
    return scale > 0 and all(
        (low is None or low * scale <= number) and (high is None or number <= high * scale)
        for number, low, high in zip(everything, program.lower, program.upper, strict=True)
    )


def dual_bound(program: IntegerProgram, y: Integers, scale: int) -> int | None:
    """Return ``scale`` times the dual bound of the prices ``y / scale``; None if there is none.

    With ``scale = 0`` costs are ignored: a positive bound proves infeasibility (Farkas).
    """
    total = 0
    bounds = zip(program.reduced_costs(y, scale), program.lower, program.upper, strict=True)
    for d, low, high in bounds:
        if d:
            end = low if d > 0 else high
            if end is None:
                return None
            total += d * end
    return total


def run_simplex(
    program: IntegerProgram,
    basis: Basis | None = None,
    budget: Budget | None = None,
    most_pivots: int | None = None,
) -> ProgramEnd:
    """Solve an integer program exactly by the simplex method, starting from any basis.

    A dual phase with shifted costs finds a feasible basis, and a primal phase follows. They choose
    the largest violation, and after a step without progress the smallest index (Bland's rule).
    """
    counter = _Pivots(program, budget, most_pivots)
    basis = basis or Basis((), ())
    program.afford(basis, budget)
    basis = repaired(program, basis)
    y, scale = prices(program, basis)
    reduced = program.reduced_costs(y, scale)
    costs = [scale * c for c in program.cost] + [0] * program.rows
    for j, d in _wrong(program, basis, reduced):
        costs[j] -= d
    found = _dual_phase(program, basis, costs, counter)
    return found if isinstance(found, Contradiction) else _primal_phase(program, found, counter)


class _Pivots:
    """A counter of pivots that ends the method at the limit of time or pivots."""

    def __init__(self, program: IntegerProgram, budget: Budget | None, most: int | None) -> None:
        self._program, self._budget, self._most, self.pivots = program, budget, most, 0

    def count(self, basis: Basis) -> None:
        if self._budget is not None:
            self._budget.spend()
        self._program.afford(basis, self._budget)
        if self.pivots == self._most:
            raise NotDecidedError(
                f"the linear program is undecided after {self.pivots} exact pivots"
            )
        self.pivots += 1


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
        counter.count(basis)


def _primal_phase(program: IntegerProgram, basis: Basis, counter: _Pivots) -> Optimum | Descent:
    """Reduce the costs from a feasible basis until prices prove optimality."""
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
        counter.count(basis)


def _resting(program: IntegerProgram, basis: Basis) -> Iterator[int]:
    """Yield the nonbasic variables."""
    basic = set(basis.columns)
    yield from (j for j in range(program.columns) if j not in basic)
    yield from (program.columns + i for i in basis.tight)


def _can_move(program: IntegerProgram, basis: Basis, j: int, sign: int) -> bool:
    """Whether a nonbasic variable can increase (``sign > 0``) or decrease."""
    low, high = program.lower[j], program.upper[j]
    value = rest(program, basis, j)
    return (high is None or value < high) if sign > 0 else (low is None or low < value)


def _wrong(program: IntegerProgram, basis: Basis, reduced: Integers) -> Iterator[tuple[int, int]]:
    """Yield the nonbasic variables that can reduce the costs, with their reduced costs."""
    for j in _resting(program, basis):
        if (d := reduced[j]) and _can_move(program, basis, j, -d):
            yield j, d


@frozen
class Basis:
    """Basic columns, tight rows, and the variables that rest at their upper bound."""

    columns: tuple[int, ...]  # basic columns
    tight: tuple[int, ...]  # rows whose activity is not basic; as many as there are basic columns
    # variables, columns and activities, that rest at the upper of two bounds
    at_upper: frozenset[int] = frozenset()

    def exchanged(self, entering: int, leaving: int, n: int, *, to_upper: bool) -> Basis:
        """Return the basis after one pivot; ``n`` is the number of columns."""
        columns, tight = set(self.columns), set(self.tight)
        if entering < n:
            columns.add(entering)
        else:
            tight.remove(entering - n)
        if leaving < n:
            columns.remove(leaving)
        else:
            tight.add(leaving - n)
        at_upper = self.at_upper - {entering, leaving} | ({leaving} if to_upper else set())
        return Basis(tuple(sorted(columns)), tuple(sorted(tight)), frozenset(at_upper))


def primal_solution(program: IntegerProgram, basis: Basis) -> tuple[list[int], int]:
    """Return the basic solution as numerators of the columns and their common denominator."""
    basic = set(basis.columns)
    x = [0 if j in basic else rest(program, basis, j) for j in range(program.columns)]
    fixed = program.activity(x)
    n = program.columns
    target = [rest(program, basis, n + i) - fixed[i] for i in basis.tight]
    numerators, scale = program.system(basis).solve(target)
    if scale != 1:
        x = [scale * number for number in x]
    for j, number in zip(basis.columns, numerators, strict=True):
        x[j] = number
    return x, scale


def prices(
    program: IntegerProgram, basis: Basis, cost: Sequence[int] | None = None
) -> tuple[Integers, int]:
    """Return the prices for which basic variables have reduced cost 0, and their denominator."""
    n = program.columns
    y: Integers = np.zeros(program.rows, dtype=object)
    target = [(program.cost if cost is None else cost)[j] for j in basis.columns]
    if cost is not None and any(cost[n:]):  # the column of an activity is minus a unit vector
        y[:] = [-c for c in cost[n:]]
        y[list(basis.tight)] = 0
        priced = program.priced(y)
        target = [c - int(priced[j]) for c, j in zip(target, basis.columns, strict=True)]
    numerators, scale = program.system(basis).solve_transposed(target)
    y = y * scale
    y[list(basis.tight)] = numerators
    return y, scale


def row_of(program: IntegerProgram, basis: Basis, leaving: int) -> tuple[Integers, int]:
    """Return weights ``w`` of rows and their denominator; a basic variable is ``w r - (w A) x``."""
    n = program.columns
    weights: Integers = np.zeros(program.rows, dtype=object)
    if leaving < n:
        target = [int(j == leaving) for j in basis.columns]
    else:
        entries = program.kernel([leaving - n], basis.columns).entries()
        target = [int(entry) for entry in entries]
    numerators, scale = program.system(basis).solve_transposed(target)
    weights[list(basis.tight)] = numerators
    if leaving >= n:
        weights[leaving - n] = -scale
    return weights, scale


def column_of(program: IntegerProgram, basis: Basis, entering: int) -> tuple[list[int], int]:
    """Return the change of the columns if a nonbasic variable rises by 1, over a denominator."""
    n = program.columns
    x = [0] * n
    if entering < n:
        x[entering] = 1
        change = program.activity(x)
        target = [-int(change[i]) for i in basis.tight]
    else:
        target = [int(n + i == entering) for i in basis.tight]
    numerators, scale = program.system(basis).solve(target)
    if entering < n:
        x[entering] = scale
    for j, number in zip(basis.columns, numerators, strict=True):
        x[j] = number
    return x, scale


def rest(program: IntegerProgram, basis: Basis, j: int) -> int:
    """Return the value of a nonbasic variable: one of its bounds, or 0 if it has none."""
    low, high = program.lower[j], program.upper[j]
    if high is not None and (low is None or j in basis.at_upper):
        return high
    return low or 0


def _entries(matrix: flint.fmpz_mat) -> Integers:
    """Return the entries of a row or a column as Python integers."""
    entries = np.zeros(matrix.nrows() * matrix.ncols(), dtype=object)
    entries[:] = [int(entry) for entry in matrix.entries()]
    return entries


def repaired(program: IntegerProgram, basis: Basis) -> Basis:
    """Return a basis with a nonsingular kernel: some columns and tight rows of the given basis."""
    columns, tight = basis.columns, basis.tight
    kernel = program.kernel(tight, columns)
    chosen = independent(kernel)
    rows = independent(program.kernel(tight, [columns[k] for k in chosen]).transpose())
    return Basis(tuple(columns[k] for k in chosen), tuple(tight[k] for k in rows), basis.at_upper)


def independent(matrix: flint.fmpz_mat) -> list[int]:
    """Return the indices of columns that form a basis of the column space modulo a prime."""
    if not matrix.nrows() or not matrix.ncols():
        return []
    reduced, rank = flint.nmod_mat(matrix, _PRIME).rref()
    rows = reduced.tolist()[:rank]
    return [next(k for k, entry in enumerate(row) if int(entry)) for row in rows]
