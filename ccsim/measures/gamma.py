"""The factorisation norm gamma_2, and the least one of matrices near that of the signs.

With distributions p and q on the rows and columns, the sum of the singular values of ``sqrt(p_x
q_y) B_xy`` bounds gamma_2(B) from below. Its singular vectors give a factorisation of B, whose
longest vector bounds it from above; p and q grow where these vectors are long (docs/bounds.md).
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ccsim.budget import Budget
from ccsim.communication.problem import CommunicationProblem

Floats = npt.NDArray[np.float64]
Integers = list[list[int]]

UNIT = 1 << 40  # floats are rounded to parts of it
_CLOSE = 1e-9
_ROUNDS = 400  # of the distributions for one matrix
_STEPS = 600  # of the matrix, where its entries are free
_POWER = 1.5


class Norm(NamedTuple):
    """Bounds of a norm, with the integers that prove them."""

    lower: Fraction
    upper: Fraction
    gram: Integers  # products of vectors, an upper triangle, in parts of `UNIT`
    weights: Integers
    rows: list[int]
    columns: list[int]


class _Search:
    """The matrix, the distributions, and the best of both so far, in floats."""

    def __init__(self, problem: CommunicationProblem, alpha: float) -> None:
        width = range(len(problem.bob))
        signs = [
            [(1 if one >> y & 1 else -1) if inside >> y & 1 else 0 for y in width]
            for one, inside in zip(problem.ones, problem.promise, strict=True)
        ]
        self.signs: Floats = np.array(signs, float)
        self.low = np.where(self.signs > 0, 1.0, -alpha)
        self.high = np.where(self.signs < 0, -1.0, alpha)
        self.B: Floats = np.clip(self.signs, self.low, self.high)
        m, n = self.signs.shape
        self.p, self.q = np.full(m, 1 / m), np.full(n, 1 / n)
        self.best: tuple[float, Floats, Floats, Floats] | None = None
        self.dual: tuple[float, Floats, Floats, Floats] | None = None

    def run(self, budget: Budget) -> None:
        """Improve both bounds, up to a small distance or for a number of rounds."""
        is_free = bool((self.low < self.high).any())
        sums: list[Floats] = [0 * self.B, 0 * self.p, 0 * self.q]
        for step in range(1, (_STEPS if is_free else 1) + 1):
            weights = self._settle(budget, 5 if is_free and step > 1 else _ROUNDS)
            sums = [s + step * v for s, v in zip(sums, (weights, self.p, self.q), strict=True)]
            total = sums[1].sum()
            self._weigh(sums[0] / total, sums[1] / total, sums[2] / total)
            if self.best is None or self.dual is None or budget.expired:
                return
            gap = self.best[0] - self.dual[0]
            if gap < _CLOSE:
                return
            move = max(gap, _CLOSE) / (2 * float((weights * weights).sum()))
            self.B = np.clip(self.B - move * weights, self.low, self.high)

    def _settle(self, budget: Budget, rounds: int) -> Floats:
        """Move the distributions for the matrix; return the weights of its entries at the end."""
        for _ in range(rounds):
            scale = np.sqrt(self.p)[:, None] * np.sqrt(self.q)
            U, sizes, V = np.linalg.svd(scale * self.B, full_matrices=False)
            ours, theirs, value = (U * U) @ sizes, (V.T * V.T) @ sizes, float(sizes.sum())
            upper = float(max((ours / self.p).max(), (theirs / self.q).max()))
            if self.best is None or upper < self.best[0]:
                roots = np.sqrt(sizes)
                X = U * roots / np.sqrt(self.p)[:, None]
                Y = V.T * roots / np.sqrt(self.q)[:, None]
                self.best = upper, self.B, X, Y
            weights: Floats = scale * (U @ V)
            self._weigh(weights, self.p, self.q)
            if upper - value < _CLOSE * value or budget.expired:
                break
            p = self.p * (ours / (self.p * value)) ** _POWER
            q = self.q * (theirs / (self.q * value)) ** _POWER
            self.p, self.q = np.maximum(p / p.sum(), 1e-14), np.maximum(q / q.sum(), 1e-14)
        return weights

    def _weigh(self, weights: Floats, p: Floats, q: Floats) -> None:
        """Keep weights if they bound the norm of all matrices that are allowed better."""
        least = float((np.where(weights > 0, self.low, self.high) * weights).sum())
        if self.dual is None or least > self.dual[0]:
            self.dual = least, weights, p, q


def least_norm(problem: CommunicationProblem, alpha: Fraction, budget: Budget) -> Norm:
    """Return bounds of the least norm; entries lie between 1 and alpha, up to the sign."""
    search = _Search(problem, float(alpha))
    search.run(budget)
    if search.best is None or search.dual is None:
        raise AssertionError
    _, B, X, Y = search.best
    m, n = B.shape
    _, weights, p, q = search.dual
    W = [[round(w * UNIT) for w in row] for row in weights.tolist()]
    lengths = [round(v * UNIT) for v in (*p.tolist(), *q.tolist())]
    form = [[length, *[0] * (m + n - 1 - i)] for i, length in enumerate(lengths)]
    for x, row in enumerate(W):
        form[x][m - x :] = [-w for w in row]
    extra = _made_positive(form)
    rows, columns = [v + extra for v in lengths[:m]], [v + extra for v in lengths[m:]]
    total = Fraction(0)
    for row, signs in zip(W, search.signs.tolist(), strict=True):
        for w, s in zip(row, map(int, signs), strict=True):
            total += s * w if s * w > 0 else -alpha * abs(w)
    lower = max(Fraction(0), 2 * total / (sum(rows) + sum(columns)))
    vectors = np.concatenate((X, Y))
    gram = [[round(v * UNIT) for v in row] for row in (vectors @ vectors.T).tolist()]
    for x in range(m):
        for y in range(n):
            gram[x][m + y] = _entry(float(B[x, y]), int(search.signs[x, y]), alpha)
    triangle = [row[i:] for i, row in enumerate(gram)]
    extra = _made_positive(triangle)
    for row in triangle:
        row[0] += extra
    upper = Fraction(max(row[0] for row in triangle), UNIT)
    return Norm(lower, upper, triangle, W, rows, columns)


def _entry(value: float, sign: int, alpha: Fraction) -> int:
    """Return an entry that is allowed, in parts of the unit."""
    most = int(alpha * UNIT)
    if not sign:
        return max(-most, min(round(value * UNIT), most))
    return sign * max(UNIT, min(round(sign * value * UNIT), most))


def _made_positive(triangle: Integers) -> int:
    """Return what, added to the diagonal of a form, makes the kernel accept it as positive."""
    n = len(triangle)
    extra = n * n
    while not is_positive([[row[0] + extra, *row[1:]] for row in triangle]):
        extra *= 2
    return extra


def is_positive(form: Integers) -> bool:
    """Decide whether an elimination that cuts off less than 1 shows a form to be positive."""
    n = len(form)
    for i, row in enumerate(form):
        pivot = row[0] - n * i
        if pivot <= 0:
            return False
        for j in range(i + 1, n):
            a = row[j - i]
            form[j] = [v - a * b // pivot for v, b in zip(form[j], row[j - i :], strict=True)]
    return True
