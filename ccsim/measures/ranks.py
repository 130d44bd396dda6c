"""Ranks of matrices, and of completions of partial matrices, over the rationals and modulo primes.

Columns of partial matrices are added one by one. A column that, where it is defined, is not a
combination of the basis columns so far becomes a basis column.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm
from typing import Any, NamedTuple

import flint

from ccsim.budget import Budget
from ccsim.communication.problem import CommunicationProblem

Matrix = Sequence[Sequence[int]]
Vectors = tuple[tuple[int, ...], ...]
Completion = tuple[int, Vectors, Vectors]  # a unit and factors


class Factors(NamedTuple):
    """A nonzero minor, and two matrices whose product, divided by the unit, is a completion."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    unit: int
    left: tuple[tuple[int, ...], ...]
    right: tuple[tuple[int, ...], ...]

    @property
    def lower(self) -> int:
        """The size of the minor."""
        return len(self.rows)

    @property
    def upper(self) -> int:
        """The number of columns of each factor."""
        return len(self.left[0]) if self.left else 0


def echelon(rows: Matrix, prime: int) -> tuple[list[int], Any, int]:
    """Return the pivots of the reduced echelon form, and its entries as numerators over a unit."""
    if not rows or not rows[0]:
        return [], [], 1
    found: Any
    unit: Any
    if prime:
        flat = [a for row in rows for a in row]
        (found, rank), unit = flint.nmod_mat(len(rows), len(rows[0]), flat, prime).rref(), 1
    else:
        found, unit, rank = flint.fmpz_mat([*map(list, rows)]).rref()
    width, pivots, y = len(rows[0]), list[int](), 0
    for x in range(rank):
        while y < width and int(found[x, y]) == 0:
            y += 1
        pivots.append(y)
    return pivots, found, int(unit)


def minor(rows: Matrix, prime: int) -> tuple[list[int], list[int]]:
    """Return the rows and columns of a largest nonzero minor."""
    columns, *_ = echelon(rows, prime)
    chosen, *_ = echelon([[row[y] for row in rows] for y in columns], prime)
    return chosen, columns


def factors(problem: CommunicationProblem, prime: int, budget: Budget) -> Factors:
    """Return bounds on the rank with their proofs; they coincide if the problem is total."""
    width = len(problem.bob)
    matrix = [[one >> y & 1 for y in range(width)] for one in problem.ones]
    if problem.is_total:
        rows, columns = minor(matrix, prime)
        pivots, entries, unit = echelon(matrix, prime)
        left = tuple(tuple(row[y] for y in pivots) for row in matrix)
        across = range(len(pivots))
        right = tuple(tuple(int(entries[i, y]) for i in across) for y in range(width))
        s = -1 if unit < 0 else 1
        right = tuple(tuple(s * a for a in vector) for vector in right)
        return Factors(tuple(rows), tuple(columns), abs(unit), left, right)
    best, found = _plain(matrix), (list[int](), list[int]())
    with budget:
        completed = (
            _completed(matrix, problem.promise, order, prime, budget) for order in _orders(problem)
        )
        best = min(best, *completed, key=lambda one: len(one[1][0]))
    with budget:
        found = _defined_minor(matrix, problem.promise, prime, budget)
    return Factors(tuple(found[0]), tuple(found[1]), *best)


def _plain(matrix: Matrix) -> Completion:
    """Return the matrix as a product with the identity matrix of its shorter side."""
    m, n = len(matrix), len(matrix[0])
    identity = tuple(tuple(int(i == j) for j in range(min(m, n))) for i in range(min(m, n)))
    if n <= m:
        return 1, tuple(map(tuple, matrix)), identity
    return 1, identity, tuple(zip(*matrix, strict=True))


def _orders(problem: CommunicationProblem) -> list[list[int]]:
    """Return two orders of the columns: the given one, and by decreasing number of inputs."""
    width = len(problem.bob)
    sizes = [sum(inside >> y & 1 for inside in problem.promise) for y in range(width)]
    return [[*range(width)], sorted(range(width), key=lambda y: -sizes[y])]


def _completed(
    matrix: Matrix, promise: Sequence[int], order: Sequence[int], prime: int, budget: Budget
) -> Completion:
    """Return the unit and the factors of a completion, with columns added in the given order."""
    kept, found = list[int](), dict[int, tuple[list[int], int]]()
    for y in order:
        budget.spend()
        inside = [x for x, row in enumerate(promise) if row >> y & 1]
        lines = [[*(matrix[x][k] for k in kept), matrix[x][y]] for x in inside]
        pivots, entries, unit = echelon(lines, prime)
        if len(kept) in pivots:
            found[y] = [0] * len(kept) + [1], 1
            kept.append(y)
            continue
        combined = [0] * len(kept)
        for i, pivot in enumerate(pivots):
            combined[pivot] = int(entries[i, len(kept)])
        found[y] = combined, unit
    common = 1 if prime else lcm(*(unit for _, unit in found.values()))  # positive
    right = tuple(
        tuple(a * (common // found[y][1]) for a in found[y][0])
        + (0,) * (len(kept) - len(found[y][0]))
        for y in range(len(found))
    )
    return common, tuple(tuple(row[k] for k in kept) for row in matrix), right


def _defined_minor(
    matrix: Matrix, promise: Sequence[int], prime: int, budget: Budget
) -> tuple[list[int], list[int]]:
    """Return the largest nonzero minor of several rectangles inside the promise."""
    closed, best = {-1}, (list[int](), list[int]())
    for inside in promise:
        budget.spend()
        closed |= {S & inside for S in closed}
        closed = set(sorted(closed, key=lambda S: -S.bit_count())[: 1 << 10])
    for S in sorted(closed):
        columns = [y for y in range(len(matrix[0])) if S >> y & 1]
        rows = [x for x, inside in enumerate(promise) if not S & ~inside]
        if min(len(rows), len(columns)) > len(best[0]):
            budget.spend()
            chosen = minor([[matrix[x][y] for y in columns] for x in rows], prime)
            if len(chosen[0]) > len(best[0]):
                best = [rows[i] for i in chosen[0]], [columns[j] for j in chosen[1]]
    return best
