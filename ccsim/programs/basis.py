"""Bases of a linear program in integers, and the two basic solutions that belong to one.

A basis says which variables (columns ``0, ..., n - 1`` and activities of rows ``n, ...``) are
*basic*; every other one rests at a bound, or at 0 if it has none. Only the *kernel* matters, the
square matrix of the basic columns and the *tight* rows, those whose activity is not basic: from it
come the primal solution, the prices of the rows, and rows and columns of the simplex tableau.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import flint
import numpy as np

from ccsim.data import frozen
from ccsim.programs.integer_program import IntegerProgram, Integers

_PRIME = 2305843009213693951
"""``2**61 - 1``: what is independent modulo it is independent."""


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
        columns, tight = (
            (columns | {entering}, tight) if entering < n else (columns, tight - {entering - n})
        )
        columns, tight = (
            (columns - {leaving}, tight) if leaving < n else (columns, tight | {leaving - n})
        )
        at_upper = self.at_upper - {entering, leaving} | ({leaving} if to_upper else set())
        return Basis(tuple(sorted(columns)), tuple(sorted(tight)), frozenset(at_upper))


def rest(program: IntegerProgram, basis: Basis, j: int) -> int:
    """Return the value at which a variable rests that is not basic."""
    low, high = program.lower[j], program.upper[j]
    if high is not None and (low is None or j in basis.at_upper):
        return high
    return low or 0


def _solve(matrix: flint.fmpz_mat, target: Sequence[int]) -> tuple[list[int], int]:
    """Solve a square system in rationals: numerators and their denominator, which is positive."""
    if not target:
        return [], 1
    solution = matrix.solve(flint.fmpz_mat(len(target), 1, list(target)))
    numerators, denominator = cast("flint.fmpq_mat", solution).numer_denom()
    return [int(entry) for entry in numerators.entries()], int(denominator)


def primal_solution(program: IntegerProgram, basis: Basis) -> tuple[list[int], int]:
    """Return the basic solution: numerators of the columns, and their denominator."""
    basic = set(basis.columns)
    x = [0 if j in basic else rest(program, basis, j) for j in range(program.columns)]
    fixed = program.activity(x)
    n = program.columns
    target = [rest(program, basis, n + i) - fixed[i] for i in basis.tight]
    kernel = program.kernel(basis.tight, basis.columns)
    numerators, scale = _solve(kernel, target)
    if scale != 1:
        x = [scale * number for number in x]
    for j, number in zip(basis.columns, numerators, strict=True):
        x[j] = number
    return x, scale


def prices(
    program: IntegerProgram, basis: Basis, cost: Sequence[int] | None = None
) -> tuple[Integers, int]:
    """Return the prices at which no basic variable has a reduced cost, and their denominator.

    ``cost`` has one entry for each of the ``n + m`` variables; without it the program's own count
    and activities cost nothing.
    """
    n = program.columns
    y: Integers = np.zeros(program.rows, dtype=object)
    target = [(program.cost if cost is None else cost)[j] for j in basis.columns]
    if cost is not None and any(cost[n:]):  # the column of an activity is minus a unit vector
        y[:] = [-c for c in cost[n:]]
        y[list(basis.tight)] = 0
        priced = program.priced(y)
        target = [c - int(priced[j]) for c, j in zip(target, basis.columns, strict=True)]
    kernel = program.kernel(basis.tight, basis.columns)
    numerators, scale = _solve(kernel.transpose(), target)
    y = y * scale
    y[list(basis.tight)] = numerators
    return y, scale


def row_of(program: IntegerProgram, basis: Basis, leaving: int) -> tuple[Integers, int]:
    """Return weights ``w`` of the rows, over a denominator, that isolate one basic variable.

    The basic variable is ``w r - (w A) x`` with the other basic ones cancelling out, so that
    ``-(w A)_j`` and ``w_i`` are its rates of change in the variables that are not basic.
    """
    n = program.columns
    weights: Integers = np.zeros(program.rows, dtype=object)
    if leaving < n:
        target = [int(j == leaving) for j in basis.columns]
    else:
        entries = program.kernel([leaving - n], basis.columns).entries()
        target = [int(entry) for entry in entries]
    kernel = program.kernel(basis.tight, basis.columns)
    numerators, scale = _solve(kernel.transpose(), target)
    weights[list(basis.tight)] = numerators
    if leaving >= n:
        weights[leaving - n] = -scale
    return weights, scale


def column_of(program: IntegerProgram, basis: Basis, entering: int) -> tuple[list[int], int]:
    """Return the rates of change of all columns, over a denominator, in one variable.

    The variable is not basic; it changes at rate 1 and the others that are not basic stay.
    """
    n = program.columns
    x = [0] * n
    if entering < n:
        x[entering] = 1
        change = program.activity(x)
        target = [-int(change[i]) for i in basis.tight]
    else:
        target = [int(n + i == entering) for i in basis.tight]
    numerators, scale = _solve(program.kernel(basis.tight, basis.columns), target)
    if entering < n:
        x[entering] = scale
    for j, number in zip(basis.columns, numerators, strict=True):
        x[j] = number
    return x, scale


def repaired(program: IntegerProgram, basis: Basis) -> Basis:
    """Return a basis with nonsingular kernel, made of columns and tight rows of the given one."""
    columns, tight = basis.columns, basis.tight
    kernel = program.kernel(tight, columns)
    chosen = independent(kernel)
    rows = independent(program.kernel(tight, [columns[k] for k in chosen]).transpose())
    return Basis(tuple(columns[k] for k in chosen), tuple(tight[k] for k in rows), basis.at_upper)


def independent(matrix: flint.fmpz_mat) -> list[int]:
    """Return the first columns that are independent modulo a large prime."""
    if not matrix.nrows() or not matrix.ncols():
        return []
    reduced, rank = flint.nmod_mat(matrix, _PRIME).rref()
    rows = reduced.tolist()[:rank]
    return [next(k for k, entry in enumerate(row) if int(entry)) for row in rows]
