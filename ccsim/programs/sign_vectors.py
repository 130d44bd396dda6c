"""Integer vectors whose products have given signs: found in floats, rounded, and checked."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ccsim.budget import Budget

__all__ = ["Vectors", "plain_vectors", "realised", "rounded"]

_STEPS = 1500
_STARTS = 48
_CELLS = 1 << 18
"""Products that are computed at once, at most."""

Array = np.ndarray[Any, Any]
Vectors = tuple[list[list[int]], list[list[int]]]


def realised(signs: Array, dimension: int, budget: Budget, seeds: int = 4) -> Vectors | None:
    """Return vectors of rows and columns whose products have the signs of a matrix, or None.

    None says nothing. Many random starts descend together on the losses ``exp(-b * margin)``, and
    leave when they have all signs.

    Parameters
    ----------
    signs : array of -1, 0, 1
        0 where a sign is free.
    dimension : int
    budget : Budget
    seeds : int
        How many times to start.

    Raises
    ------
    OutOfTimeError
        If the budget is spent.

    Examples
    --------
    >>> realised(np.array([[1, -1], [-1, 1]]), 1, Budget())
    ([[1], [-1]], [[1], [-1]])
    """
    m, n = signs.shape
    starts = max(2, min(_STARTS, _CELLS // (m * n)))
    for seed in range(seeds):
        random = np.random.default_rng(seed)
        U = random.standard_normal((starts, m, dimension))
        V = random.standard_normal((starts, n, dimension))
        moments = [np.zeros_like(U), np.zeros_like(V), np.zeros_like(U), np.zeros_like(V)]
        for step in range(1, _STEPS + 1):
            budget.spend()
            products = U @ V.transpose(0, 2, 1) * signs
            if step % 10 == 0:
                right = np.where(signs != 0, products, np.inf).min((1, 2)) > 0
                for i in np.flatnonzero(right):
                    if (found := rounded(U[i], V[i], signs)) is not None:
                        return found
            sharp = 2 + 28 * step / _STEPS
            losses = np.exp(-sharp * np.clip(products, -1, 1)) * signs
            losses *= -sharp / (1e-9 + np.abs(losses).sum((1, 2), keepdims=True))
            rate = 0.08 * (1 - 0.9 * step / _STEPS)
            slopes = losses @ V, losses.transpose(0, 2, 1) @ U
            _descend(U, slopes[0], moments[0], moments[2], rate)
            _descend(V, slopes[1], moments[1], moments[3], rate)
    return None


def _descend(W: Array, slope: Array, first: Array, second: Array, rate: float) -> None:
    """Go a step on spheres, as long in each entry as its slope is steady."""
    first += 0.1 * (slope - first)
    second += 0.02 * (slope * slope - second)
    W -= rate * first / (np.sqrt(second) + 1e-8)
    W /= np.sqrt((W * W).sum(2, keepdims=True)) + 1e-12


def rounded(U: Array, V: Array, signs: Array) -> Vectors | None:
    """Return the coarsest integer multiples of vectors that have the signs, or None.

    Examples
    --------
    >>> rounded(np.array([[0.9]]), np.array([[-0.4]]), np.array([[-1]]))
    ([[1]], [[-1]])
    """
    U, V = U / np.abs(U).max(1, keepdims=True), V / np.abs(V).max(1, keepdims=True)
    for bits in range(22):
        for scale in (1 << bits, 3 << bits >> 1):
            u, v = np.rint(U * scale).astype(np.int64), np.rint(V * scale).astype(np.int64)
            if ((u @ v.T) * signs + (signs == 0) > 0).all():
                return u.tolist(), v.tolist()
    return None


def plain_vectors(entries: Sequence[Sequence[int]]) -> Vectors:
    """Return vectors that need no search, of the least dimension: the lines, or points of a curve.

    Examples
    --------
    >>> plain_vectors([[1, 1, -1], [1, -1, -1]])
    ([[1, 0], [0, 1]], [[1, 1], [1, -1], [-1, -1]])
    """
    across = list(zip(*entries, strict=True))
    rows, columns = list(map(list, entries)), list(map(list, across))
    found = [(_units(len(rows)), columns), (rows, _units(len(columns)))]
    for matrix, turned in ((rows, False), (columns, True)):
        orders = [list(range(len(matrix[0]) if matrix else 0))]
        orders.append(_chain(columns if matrix is rows else rows))
        for order in orders:
            u, v = _along_a_curve([[row[y] for y in order] for row in matrix])
            back = [v[order.index(y)] for y in range(len(order))]
            found.append((back, u) if turned else (u, back))
    return min(found, key=lambda pair: max(map(len, [*pair[0], *pair[1]]), default=0))


def _units(count: int) -> list[list[int]]:
    return [[int(i == j) for j in range(count)] for i in range(count)]


def _chain(lines: list[list[int]]) -> list[int]:
    """Return an order of lines in which each differs little from the one before it."""
    order, left = list[int](), set(range(len(lines)))
    matrix = np.array(lines, dtype=np.int64)
    while left:
        listed = sorted(left)
        near = matrix[listed] @ matrix[order[-1]] if order else -np.abs(matrix[listed].sum(1))
        order.append(listed[int(np.argmax(near))])
        left.remove(order[-1])
    return order


def _along_a_curve(signs: Sequence[Sequence[int]]) -> Vectors:
    """Return vectors ``(1, t, t^2, ..)`` of columns, and of rows polynomials with their signs.

    The dimension is one more than the most changes of sign along a row; a free sign is as the one
    before it.

    Examples
    --------
    >>> _along_a_curve([[1, 1, -1], [1, -1, -1]])
    ([[3, -2], [1, -2]], [[1, 0], [1, 1], [1, 2]])
    """
    rows = []
    for row in signs:
        known = [(t, s) for t, s in enumerate(row) if s]
        roots = [t for (t, s), (_, after) in pairwise(known) if s != after]
        polynomial = [known[0][1] if known else 1]
        for t in roots:  # times 2t + 1 - 2x
            polynomial = [
                (2 * t + 1) * low - 2 * high
                for low, high in zip([*polynomial, 0], [0, *polynomial], strict=True)
            ]
        rows.append(polynomial)
    d = max(map(len, rows), default=0)
    width = len(signs[0]) if signs else 0
    return (
        [row + [0] * (d - len(row)) for row in rows],
        [[t**i for i in range(d)] for t in range(width)],
    )
