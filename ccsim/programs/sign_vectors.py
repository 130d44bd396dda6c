"""Integer vectors whose products have given signs, found in floats, rounded and checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from operator import itemgetter
from typing import Any

import numpy as np

from ccsim.budget import Budget
from ccsim.parallel.threads import one_thread

_STEPS = 600  # of a descent
_SOFT, _SHARP = 2.0, 2000.0
"""Sharpness of the loss as a function of the product, in the first and the last step."""
_RATES = 0.1, 0.001  # lengths of a step, at first and at last
_HOPELESS = 0.03
"""Fraction of wrong signs after a third of the steps at which a descent is abandoned."""
_STARTS = 48
_CELLS = 1 << 18  # products that are computed at once, at most
Array = np.ndarray[Any, Any]
Vectors = tuple[list[list[int]], list[list[int]]]


def realised(signs: Array, dimension: int, budget: Budget, seeds: int = 4) -> Vectors | None:
    """Return vectors of rows and columns whose products have the signs of a matrix.

    The result is None if no vectors are found.

    Gradient descent on ``log(1 + exp(-b * product))`` with increasing ``b`` starts from singular
    vectors, then from random ones.
    """
    m, n = signs.shape
    with one_thread():
        found = _descended(signs, _singular(signs, dimension), _HOPELESS, budget)
        starts = max(2, min(_STARTS, _CELLS // (m * n)))
        for seed in range(seeds):
            if found is not None:
                break
            V = np.random.default_rng(seed).standard_normal((starts, n, dimension))
            found = _descended(signs, V, 1.0, budget)
    return found


def _singular(signs: Array, dimension: int) -> Array:
    """Return a vector for each column: its coordinates in the scaled leading singular vectors."""
    _, lengths, across = np.linalg.svd(signs, full_matrices=False)
    across *= np.where(across[:, :1] < 0, -1, 1)
    V = np.zeros((1, signs.shape[1], dimension))
    V[0, :, : len(lengths)] = (np.sqrt(lengths)[:, None] * across)[:dimension].T
    return V


def _descended(signs: Array, V: Array, hopeless: float, budget: Budget) -> Vectors | None:
    """Return vectors with the required signs by descent from given column vectors, or None."""
    U = _on_spheres(signs @ V)
    V = _on_spheres(V)
    steady = [np.zeros_like(W) for W in (U, V, U, V)]
    for step in range(1, _STEPS + 1):
        budget.spend()
        products = U @ V.transpose(0, 2, 1) * signs
        if step % 10 == 0:
            wrong = (np.where(signs != 0, products, 1) <= 0).sum((1, 2))
            for i in np.flatnonzero(wrong == 0):
                if (found := rounded(U[i], V[i], signs)) is not None:
                    return found
            if step == _STEPS // 3 and wrong.min() > hopeless * signs.size:
                return None
        done = step / _STEPS
        sharp = _SOFT * (_SHARP / _SOFT) ** done
        rate = _RATES[0] * (_RATES[1] / _RATES[0]) ** done
        losses = signs / (1 + np.exp(np.clip(sharp * products, -30, 30)))
        slopes = losses @ V, losses.transpose(0, 2, 1) @ U
        U = _moved(U, slopes[0], steady[0], steady[2], rate)
        V = _moved(V, slopes[1], steady[1], steady[3], rate)
    return None


def _moved(W: Array, slope: Array, first: Array, second: Array, rate: float) -> Array:
    """Return vectors after one step of the Adam method, scaled to unit length."""
    first += 0.1 * (slope - first)
    second += 0.02 * (slope * slope - second)
    return _on_spheres(W + rate * first / (np.sqrt(second) + 1e-9))


def _on_spheres(W: Array) -> Array:
    """Return the vectors scaled to length 1."""
    lengths: Array = np.sqrt((W * W).sum(2, keepdims=True)) + 1e-12
    return W / lengths


def rounded(U: Array, V: Array, signs: Array) -> Vectors | None:
    """Return small integer vectors with the signs, near multiples of the given vectors, or None."""
    U, V = (W / np.maximum(np.abs(W).max(1, keepdims=True), 1e-9) for W in (U, V))
    for bits in range(22):
        for scale in (1 << bits, 3 << bits >> 1):
            u, v = np.rint(U * scale).astype(np.int64), np.rint(V * scale).astype(np.int64)
            if ((u @ v.T) * signs + (signs == 0) > 0).all():
                return u.tolist(), v.tolist()
    return None


def plain_vectors(entries: Sequence[Sequence[int]]) -> Vectors:
    """Return vectors without a search: unit vectors and rows or columns, or points of a curve."""
    across = list(zip(*entries, strict=True))
    rows, columns = list(map(list, entries)), list(map(list, across))
    ways: list[tuple[int, Callable[[], Vectors]]] = [
        (len(rows), lambda: (_units(len(rows)), columns)),
        (len(columns), lambda: (rows, _units(len(columns)))),
    ]
    for matrix, turned in ((rows, False), (columns, True)):
        orders = [list(range(len(matrix[0]) if matrix else 0))]
        orders.append(_chain(columns if matrix is rows else rows))
        for order in orders:
            moved = [[row[y] for y in order] for row in matrix]
            most = max((len(_changes(row)) for row in moved), default=-1)
            ways.append((1 + most, partial(_in_order, moved, order, turned)))
    return min(ways, key=itemgetter(0))[1]()


def _in_order(moved: list[list[int]], order: list[int], turned: bool) -> Vectors:  # noqa: FBT001
    """Return vectors along a curve for lines that were put in an order; exchange the two lists."""
    u, v = _along_a_curve(moved)
    back = [v[order.index(y)] for y in range(len(order))]
    return (back, u) if turned else (u, back)


def _changes(row: Sequence[int]) -> list[int]:
    """Return the places after which the next sign of a row differs."""
    known = [(t, s) for t, s in enumerate(row) if s]
    return [t for (t, s), (_, after) in pairwise(known) if s != after]


def _units(count: int) -> list[list[int]]:
    return [[int(i == j) for j in range(count)] for i in range(count)]


def _chain(lines: list[list[int]]) -> list[int]:
    """Return an order of lines in which consecutive lines differ little."""
    order, left = list[int](), set(range(len(lines)))
    matrix = np.array(lines, dtype=np.int64)
    while left:
        listed = sorted(left)
        near = matrix[listed] @ matrix[order[-1]] if order else -np.abs(matrix[listed].sum(1))
        order.append(listed[int(np.argmax(near))])
        left.remove(order[-1])
    return order


def _along_a_curve(signs: Sequence[Sequence[int]]) -> Vectors:
    """Return vectors ``(1, t, t^2, ...)`` for columns, and polynomials with the signs of rows."""
    rows = []
    for row in signs:
        polynomial = [next(filter(None, row), 1)]
        for t in _changes(row):  # times 2t + 1 - 2x
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
