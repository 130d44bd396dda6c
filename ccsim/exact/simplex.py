"""The simplex method on a matrix game in rationals: slow, always right, the last resort."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import flint

__all__ = ["solve_by_pivoting"]


def solve_by_pivoting(
    matrix: Sequence[Sequence[int]],
) -> tuple[list[Fraction], list[Fraction]]:
    """Return optimal strategies ``(x, y)`` of an integer matrix game by exact pivoting.

    The entries are shifted to be positive; then ``max sum(u), A u <= 1, u >= 0`` has the feasible
    basis of its slacks, ``u`` is proportional to the column strategy and the prices of the rows to
    the row strategy. Bland's rule excludes cycling, so the method ends.

    Complexity: exponential in the worst case, in practice a few times ``m + n`` pivots of ``m n``
    rational operations; comfortable up to about 60 x 60.

    Examples
    --------
    >>> solve_by_pivoting([[0, 1], [1, 0]])
    ([Fraction(1, 2), Fraction(1, 2)], [Fraction(1, 2), Fraction(1, 2)])
    """
    m, n = len(matrix), len(matrix[0])
    shift = 1 - min(min(row) for row in matrix)
    one, zero = flint.fmpq(1), flint.fmpq(0)
    # columns 0..n-1 are u, n..n+m-1 slacks, the last one the right-hand side
    table = [
        [flint.fmpq(entry + shift) for entry in row]
        + [one if i == k else zero for k in range(m)]
        + [one]
        for i, row in enumerate(matrix)
    ]
    costs = [flint.fmpq(-1)] * n + [zero] * (m + 1)
    basis = list(range(n, n + m))
    while (entering := next((j for j in range(n + m) if costs[j] < 0), None)) is not None:
        _pivot(table, costs, basis, entering)
    total = costs[-1]
    column = [zero] * (n + m)
    for i, j in enumerate(basis):
        column[j] = table[i][-1]
    return (
        [_fraction(costs[n + i] / total) for i in range(m)],
        [_fraction(column[j] / total) for j in range(n)],
    )


def _pivot(
    table: list[list[flint.fmpq]], costs: list[flint.fmpq], basis: list[int], entering: int
) -> None:
    """Bring ``entering`` into the basis; the leaving row is Bland's choice among the tight ones."""
    ratios = [
        (row[-1] / row[entering], basis[i], i) for i, row in enumerate(table) if row[entering] > 0
    ]
    best = min(ratio for ratio, _, _ in ratios)
    leaving = min((label, i) for ratio, label, i in ratios if ratio == best)[1]
    pivot = table[leaving][entering]
    table[leaving] = [entry / pivot for entry in table[leaving]]
    for row in (*(row for i, row in enumerate(table) if i != leaving), costs):
        factor = row[entering]
        if factor != 0:
            for j, entry in enumerate(table[leaving]):
                row[j] -= factor * entry
    basis[leaving] = entering


def _fraction(number: flint.fmpq) -> Fraction:
    return Fraction(int(number.p), int(number.q))
