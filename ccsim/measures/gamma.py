"""The factorisation norm gamma_2 of a sign matrix, and the least norm of approximating matrices.

The dual problem has weights W of the entries, and distributions p and q on the rows and columns.
The matrix with diagonal p, q and off-diagonal block -W must be positive semidefinite. The maximum,
over all W, p and q, of the least inner product of W with an allowed matrix is the norm. An
interior-point method maximises it. Its steps also yield Gram matrices, which bound the norm from
above.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ccsim.budget import Budget
from ccsim.communication.partitions.squares import is_surely_positive
from ccsim.communication.problem import CommunicationProblem
from ccsim.errors import InstanceTooLargeError
from ccsim.kernel import Rejected, TooLong
from ccsim.kernel.rules import MAX_WORK, WORK, Work
from ccsim.kernel.squares import positive
from ccsim.parallel.threads import one_thread

Floats = npt.NDArray[np.float64]
Integers = list[list[int]]

UNIT = 1 << 40  # floats are rounded to parts of it
_CLOSE = 1e-7
_MOST = 1024  # inputs, of which the Newton steps solve systems of equations
_ROUNDS = 400  # of the distributions for a larger matrix
_POWER = 1.5
_FEW = 30  # of the distributions if rounding and the simple Gram matrix dominate the gap
_SHORT = (1 << 31) - (1 << 22)  # largest sum of the moduli in a row of a form with short integers
_SPARE = 1 << 20  # steps for the rest of a check
_ELIMINATED = 128  # rows of forms that are eliminated in any case, in 0.2 s


class Norm(NamedTuple):
    """Bounds on a norm, with the integers that prove them."""

    lower: Fraction
    upper: Fraction
    unit: int
    gram: Integers  # products of vectors, an upper triangle, in parts of the unit
    weights: Integers
    rows: list[int]
    columns: list[int]


class _Search:
    """The best bounds found so far, in floats, with the matrices that prove them."""

    def __init__(self, problem: CommunicationProblem, alpha: float) -> None:
        width = range(len(problem.bob))
        signs = [
            [(1 if one >> y & 1 else -1) if inside >> y & 1 else 0 for y in width]
            for one, inside in zip(problem.ones, problem.promise, strict=True)
        ]
        self.signs: Floats = np.array(signs, float)
        self.low = np.where(self.signs > 0, 1.0, -alpha)
        self.high = np.where(self.signs < 0, -1.0, alpha)
        self.upper, self.lower = np.inf, -np.inf
        self.gram: Floats = np.zeros((0, 0))
        self.weights, self.lengths = self.gram, np.zeros(0)

    @property
    def gap(self) -> float:
        """The difference between the bounds, relative to the norm."""
        return float(self.upper - self.lower) / max(1.0, self.upper)

    def settle(self, budget: Budget, rounds: int) -> None:
        """Bound the norm of the sign matrix B by a multiplicative-weights iteration.

        For distributions p and q, the sum of the singular values of ``sqrt(p_x q_y) B_xy`` is a
        lower bound. The singular vectors factorise B, and the longest vector gives an upper bound.
        Each round increases p and q where the vectors are long.
        """
        m, n = self.signs.shape
        B, p, q = np.clip(self.signs, self.low, self.high), np.full(m, 1 / m), np.full(n, 1 / n)
        for _ in range(rounds):
            scale = np.sqrt(p)[:, None] * np.sqrt(q)
            U, sizes, V = np.linalg.svd(scale * B, full_matrices=False)
            ours, theirs, value = (U * U) @ sizes, (V.T * V.T) @ sizes, float(sizes.sum())
            vectors = np.concatenate((U / np.sqrt(p)[:, None], V.T / np.sqrt(q)[:, None]))
            gram = (vectors * sizes) @ vectors.T
            gram[:m, m:] = gram[m:, :m] = 0
            gram[:m, m:], gram[m:, :m] = B, B.T
            self.show(gram)
            self.weigh(scale * (U @ V), np.concatenate((p, q)))
            if self.gap < _CLOSE or value <= 0 or budget.expired:
                return
            p = p * (ours / (p * value)) ** _POWER
            q = q * (theirs / (q * value)) ** _POWER
            p, q = np.maximum(p / p.sum(), 1e-14), np.maximum(q / q.sum(), 1e-14)

    def show(self, gram: Floats) -> None:
        """Keep a Gram matrix if it improves the upper bound after a shift to semidefiniteness."""
        upper = gram.diagonal().max() - min(0.0, np.linalg.eigvalsh(gram)[0])
        if upper < self.upper:
            self.upper, self.gram = upper, gram

    def weigh(self, weights: Floats, lengths: Floats) -> None:
        """Keep dual weights if they improve the lower bound for all allowed matrices."""
        least = float((np.where(weights > 0, self.low, self.high) * weights).sum())
        if least > self.lower:
            self.lower, self.weights, self.lengths = least, weights, lengths


class _Interior:
    """Newton's method for the dual maximum with a logarithmic barrier of weight ``mu``."""

    def __init__(self, search: _Search) -> None:
        self.search = search
        self.shape = m, n = search.low.shape
        self.low, self.size = search.low.ravel(), (search.high - search.low).ravel()
        self.is_free = self.size > 0
        self.w, self.lengths, self.mu = np.zeros(m * n), np.full(m + n, 2 / (m + n)), 1 / (m + n)
        self.rows, self.columns = np.divmod(np.arange(m * n), n)
        self.columns += m

    def run(self, budget: Budget) -> None:
        """Improve the bounds until they almost coincide or the budget is used up."""
        number = len(self.lengths) + 2 * int(self.is_free.sum())
        for _ in range(200):
            if self.search.gap < _CLOSE or budget.expired:
                return
            if self.step() < 0.5:
                if self.mu * number < _CLOSE / 10:
                    return
                self.mu /= 6

    def form(self, w: Floats, lengths: Floats) -> Floats:
        """Return the matrix that must be positive definite."""
        found: Floats = np.diag(lengths)
        found[self.rows, self.columns] = found[self.columns, self.rows] = -w
        return found

    def parts(self, w: Floats) -> tuple[Floats, Floats]:
        """Return positive ``up`` and ``down`` with ``w = up - down``, optimal for free entries."""
        size = np.where(self.is_free, self.size, 1.0)
        both = (2 * self.mu + np.hypot(2 * self.mu, self.size * w)) / size
        large = (both + abs(w)) / 2
        small = self.mu * both / (size * large)
        return np.where(w > 0, large, small), np.where(w > 0, small, large)

    def value(self, w: Floats, lengths: Floats) -> float:
        """Return the objective with its barrier; -infinity outside the feasible set."""
        form = self.form(w, lengths)
        try:
            root = np.linalg.cholesky(form)
        except np.linalg.LinAlgError:
            return -np.inf
        up, down = self.parts(w)
        worth = self.low * w - self.is_free * (self.size * down - self.mu * np.log(up * down))
        return float(worth.sum() + 2 * self.mu * np.log(root.diagonal()).sum())

    def step(self) -> float:
        """Take a damped Newton step; return its length in the local norm (the Newton decrement)."""
        (m, n), mu, k = self.shape, self.mu, len(self.w)
        inverse, (up, down) = np.linalg.inv(self.form(self.w, self.lengths)), self.parts(self.w)
        B = self.low + self.is_free * self.size * down / (up + down)
        curve = self.is_free * mu / (up**2 + down**2)
        slope = np.append(B - 2 * mu * inverse[self.rows, self.columns], mu * inverse.diagonal())
        R, C, system = inverse[self.rows], inverse[self.columns], np.zeros((k + m + n + 1,) * 2)
        products = R[:, self.rows] * C[:, self.columns] + R[:, self.columns] * C[:, self.rows]
        system[:k, :k] = 2 * mu * products + np.diag(curve)
        system[:k, k:-1] = -2 * mu * R * C
        system[k:-1, :k] = system[:k, k:-1].T
        system[k:-1, k:-1] = mu * inverse**2
        system[-1, k:-1] = system[k:-1, -1] = 1  # the lengths add up to 2
        move = np.linalg.solve(system, np.append(slope, 0))[:-1]
        w, lengths = move[:k], move[k:]
        size = float(np.sqrt(max(0.0, slope @ move) / mu))
        if size < 1:
            gram = 2 * mu * (inverse - inverse @ self.form(w, lengths) @ inverse)
            entries = np.clip(B - curve * w, self.low, self.low + self.size)
            gram[self.rows, self.columns] = gram[self.columns, self.rows] = entries
            self.search.show(gram)
        part = 1.0
        if size > 0.25:
            least = self.value(self.w, self.lengths)
            while part > 1e-9 and not (
                self.value(self.w + part * w, self.lengths + part * lengths)
                >= least + part * mu * size**2 / 10
            ):
                part /= 2
        w, lengths = self.w + part * w, self.lengths + part * lengths
        if self.value(w, lengths) == -np.inf:
            raise np.linalg.LinAlgError("rounding errors dominate the step")
        self.w, self.lengths = w, lengths
        self.search.weigh(self.w.reshape(m, n), self.lengths)
        return size


def least_norm(problem: CommunicationProblem, alpha: Fraction, budget: Budget) -> Norm:
    """Return bounds on the least norm of a matrix with these signs and moduli from 1 to alpha."""
    search = _Search(problem, float(alpha))
    m, n = search.signs.shape
    is_small, is_short = m * n <= _MOST, _is_short(m, n)
    rounds = 1 if is_small else _FEW if is_short else _ROUNDS
    with one_thread(), suppress(np.linalg.LinAlgError):  # bounds found before it hold
        search.settle(budget, rounds)
        if is_small:
            _Interior(search).run(budget)
    gram = _by_rows(search.signs) if is_short else search.gram
    unit, parts = UNIT, float(UNIT)
    if is_short:
        unit = int(_SHORT / np.abs(gram).sum(axis=1).max())
        moduli = np.abs(search.weights)
        sums = np.concatenate((moduli.sum(axis=1), moduli.sum(axis=0)))
        parts = _SHORT / (search.lengths + sums).max()
    W = [[round(w * parts) for w in row] for row in search.weights.tolist()]
    lengths = [round(v * parts) for v in search.lengths.tolist()]
    form = [[length, *[0] * (m + n - 1 - i)] for i, length in enumerate(lengths)]
    for x, row in enumerate(W):
        form[x][m - x :] = [-w for w in row]
    extra = _made_positive(form, budget)
    rows, columns = [v + extra for v in lengths[:m]], [v + extra for v in lengths[m:]]
    total = Fraction(0)
    for row, signs in zip(W, search.signs.tolist(), strict=True):
        for w, s in zip(row, map(int, signs), strict=True):
            total += s * w if s * w > 0 else -alpha * abs(w)
    lower = max(Fraction(0), 2 * total / (sum(rows) + sum(columns)))
    triangle = [[round(v * unit) for v in row[i:]] for i, row in enumerate(gram.tolist())]
    for x in range(m):
        for y in range(n):
            entry = triangle[x][m + y - x] / unit
            triangle[x][m + y - x] = _entry(entry, int(search.signs[x, y]), alpha, unit)
    extra = _made_positive(triangle, budget)
    for row in triangle:
        row[0] += extra
    upper = Fraction(max(row[0] for row in triangle), unit)
    return Norm(lower, upper, unit, triangle, W, rows, columns)


def _is_short(m: int, n: int) -> bool:
    """Return whether only forms with short integers and few products are checked in time.

    The kernel takes ``c N^3`` steps for a form of N rows, and ``c (3 m n^2 + n^3)`` if the first m
    rows have products with the other n only; c is 1 if the integers are short, and otherwise 2.
    """
    few, most = 3 * m * n**2 + n**3, MAX_WORK - _SPARE - 2 * (m + n) ** 2
    if 2 * (m + n) ** 3 + 2 * few <= most:
        return False
    if 2 * few > most:
        raise InstanceTooLargeError(f"gamma_2 of {m} rows and {n} columns takes too long to check")
    return True


def _by_rows(B: Floats) -> Floats:
    """Return the products of orthogonal vectors of the rows with combinations of them.

    The squared lengths are the root of the number of rows, and at most that for the columns.
    """
    m, root = len(B), float(np.sqrt(len(B)))
    return np.block([[root * np.eye(m), B], [B.T, B.T @ B / root]])


def _entry(value: float, sign: int, alpha: Fraction, unit: int) -> int:
    """Return the allowed entry nearest to a value, in units of ``1 / unit``."""
    most = int(alpha * unit)
    if not sign:
        return max(-most, min(round(value * unit), most))
    return sign * max(unit, min(round(sign * value * unit), most))


def _made_positive(triangle: Integers, budget: Budget) -> int:
    """Return a number that, added to the diagonal, makes a form positive for the kernel.

    Proof: the kernel rounds each of the ``n`` steps of an elimination by at most 1 in each entry
    and takes at most ``n^2`` from a pivot, so it accepts a form of least eigenvalue ``2 n^2``. With
    a time limit, a factorisation in floats proves this eigenvalue of large forms.
    """
    n = len(triangle)
    extra = n * n
    if budget.limited and n > _ELIMINATED:
        form = np.zeros((n, n))
        form[np.triu_indices(n)] = [v for row in triangle for v in row]
        with one_thread():
            eigenvalues = np.linalg.eigvalsh(form, "U")
        extra = max(0, int(-float(eigenvalues[0])) + 1) + 2 * extra + n
        while not is_surely_positive(form, extra - 2 * n * n):
            extra *= 2
        return extra
    while not _is_positive([[row[0] + extra, *row[1:]] for row in triangle]):
        extra *= 2
    return extra


def _is_positive(form: Integers) -> bool:
    """Return whether the kernel accepts a form as positive definite."""
    with _checkable(len(form)):
        try:
            positive(form)
        except Rejected as reason:
            if isinstance(reason, TooLong):
                raise
            return False
    return True


@contextmanager
def _checkable(rows: int) -> Iterator[None]:
    """Count the work of the kernel; refuse a form that takes it too long."""
    token = WORK.set(Work())
    try:
        yield
    except TooLong:
        raise InstanceTooLargeError(
            f"gamma_2 of {rows} rows and columns takes too long to check"
        ) from None
    finally:
        WORK.reset(token)
