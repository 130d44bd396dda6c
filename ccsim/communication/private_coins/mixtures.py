"""Compiled: the best mixture of protocols of a case, in floats, and the inputs that it errs on.

In a case each law of Alice is a mixture of listed vertices and each answer of Bob lies in a range.
A mixture of *corners*, of protocols with a vertex for each law and an end for each answer, errs no
more than the best protocol of the case. It is found by the simplex method with corners as columns;
its duals are weights of inputs. Callers see to it that a call takes some milliseconds at most.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from ccsim.compiled import compiled

__all__ = ["best_mixture", "corner_errors", "least_mean"]

Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]
Integers: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]
Bytes: TypeAlias = np.ndarray[Any, np.dtype[np.int8]]

_ZERO, _SAME = 1e-9, 1e-13
_MOST_PIVOTS = 600


@compiled
def corner_errors(
    values: Bytes, laws: Floats, ends: Floats, vertices: Bytes, high: Bytes
) -> Floats:
    """Return the error of a corner on every input, 0 outside the promise.

    ``values[x, y]`` is negative there; ``laws[x, i]`` is a vertex; ``ends[:, y, m]`` are the ends
    of an answer, of which ``high`` says whether it is the upper one.
    """
    (n, m), k = values.shape, laws.shape[2]
    errors = np.zeros((n, m))
    for x in range(n):
        for y in range(m):
            if values[x, y] >= 0:
                p = 0.0
                for j in range(k):
                    p += laws[x, vertices[x], j] * ends[high[y, j], y, j]
                errors[x, y] = 1 - p if values[x, y] else p
    return errors


@compiled
def _mean(slopes: Floats, ends: Floats) -> float:
    """Return the sum of all slopes times the cheaper ends."""
    (m, k), mean = slopes.shape, 0.0
    for y in range(m):
        for j in range(k):
            mean += slopes[y, j] * (ends[0, y, j] if slopes[y, j] > 0 else ends[1, y, j])
    return mean


@compiled
def _add_law(signed: Floats, law: Floats, before: Floats, after: Floats) -> None:
    m, k = before.shape
    for y in range(m):
        for j in range(k):
            after[y, j] = before[y, j] + signed[y] * law[j]


@compiled
def least_mean(
    values: Bytes, laws: Floats, sizes: Bytes, ends: Floats, weights: Floats, corner: Bytes
) -> float:
    """Return the least mean error of a corner, whose vertices are written to ``corner``."""
    (n, m), k = values.shape, laws.shape[2]
    slopes = np.zeros((n + 1, m, k))  # of the answers, from the laws before one
    choice = np.zeros(n, np.int8)
    signed = np.where(values == 1, -weights, weights)
    best, x = np.inf, 0
    while x >= 0:
        while x < n:
            _add_law(signed[x], laws[x, choice[x]], slopes[x], slopes[x + 1])
            x += 1
        mean = _mean(slopes[n], ends)
        if mean < best:
            best = mean
            corner[:] = choice
        x = n - 1
        while x >= 0 and choice[x] + 1 >= sizes[x]:
            choice[x] = 0
            x -= 1
        if x >= 0:
            choice[x] += 1
    return best + float(np.where(values == 1, weights, 0.0).sum())


@compiled
def _answers(values: Bytes, laws: Floats, weights: Floats, corner: Bytes, high: Bytes) -> None:
    """Write Bob's best ends for Alice's vertices."""
    (n, m), k = values.shape, laws.shape[2]
    for y in range(m):
        for j in range(k):
            s = 0.0
            for x in range(n):
                w = weights[x, y] * laws[x, corner[x], j]
                s += -w if values[x, y] == 1 else w
            high[y, j] = 0 if s > 0 else 1


@compiled
def _listed(errors: Floats, cells: Integers, listed: Floats) -> None:
    for i in range(len(cells)):
        listed[i] = errors[cells[i, 0], cells[i, 1]]


@compiled
def _first_basis(errors: Floats) -> tuple[int, Floats]:
    """Return the place of the largest error, and the inverse of a basis of one corner.

    Row ``i < c`` of the program says that the mixture's error on cell ``i`` and a slack make up
    the largest error, row ``c`` that shares sum to 1.
    """
    c, top = len(errors), int(errors.argmax())
    inverse = np.zeros((c + 1, c + 1))
    for i in range(c):
        if i != top:
            inverse[i, i] = 1.0
            inverse[i, c] = errors[top] - errors[i]
        inverse[i, top] = -1.0
    inverse[top, c], inverse[c, c] = errors[top], 1.0
    return top, inverse


@compiled
def _duals(prices: Floats, cells: Integers, weights: Floats) -> int:
    """Write the weights that prices stand for; return the slack of least weight below 0, or -1."""
    entering, least, total = -1, -_ZERO, 0.0
    for i in range(len(cells)):
        weight = -prices[i]
        if weight < least:
            least, entering = weight, i
        weights[cells[i, 0], cells[i, 1]] = max(weight, 0.0)
        total += max(weight, 0.0)
    weights /= total
    return entering


@compiled
def _pivot(inverse: Floats, top: int, column: Floats) -> int:
    """Bring a column into the basis; return its row, or -1 if there is none."""
    size = len(inverse)
    change = (inverse * column).sum(1)  # a product of matrices would need SciPy
    leaving, ratio = -1, np.inf
    for i in range(size):
        if i != top and change[i] > _ZERO:
            r = max(inverse[i, size - 1], 0.0) / change[i]
            if r < ratio - _SAME or (r < ratio + _SAME and change[i] > change[leaving]):
                leaving, ratio = i, r
    if leaving >= 0:
        inverse[leaving] /= change[leaving]
        for i in range(size):
            if i != leaving and change[i] != 0.0:
                inverse[i] -= change[i] * inverse[leaving]
    return leaving


@compiled
def _known(known: Floats, weights: Floats, least: float) -> int:
    """Return the known corner of least mean error, or -1 if it is not below a number."""
    chosen = -1
    for p in range(len(known)):
        mean = float((known[p] * weights).sum())
        if mean < least:
            chosen, least = p, mean
    return chosen


@compiled
def best_mixture(
    values: Bytes,
    laws: Floats,
    sizes: Bytes,
    ends: Floats,
    goals: tuple[float, float],
    given: tuple[Floats, Bytes, Bytes],
) -> tuple[float, Floats, Floats, Bytes, Bytes]:
    """Return a bound, its weights, and a mixture that errs less than the goal if the bound does.

    Parameters
    ----------
    values, laws, sizes, ends : arrays
        The case; vertex ``i`` of law ``x`` counts for ``i < sizes[x]``.
    goals : (float, float)
        The search stops when the bound reaches the first one, or when the error is below it and
        the bound nearer to the error than the second one.
    given : (weights, vertices, high ends)
        Weights to be tried first, and corners to be tried before others.

    Returns
    -------
    (float, weights, shares, vertices, high ends)
        Of the mixture, corner by corner; without any where the first weights are enough.
    """
    weights = given[0].copy()
    corner = np.zeros(values.shape[0], np.int8)
    answers = np.zeros((values.shape[1], laws.shape[2]), np.int8)
    bound = least_mean(values, laws, sizes, ends, weights, corner)
    if bound >= goals[0]:
        return bound, weights, np.zeros(0), given[1][:0], given[2][:0]
    _answers(values, laws, weights, corner, answers)
    cells, old = np.argwhere(values >= 0), len(given[1])
    c = len(cells)
    known, column = np.zeros((old, c)), np.ones(c + 1)
    for p in range(old):
        _listed(corner_errors(values, laws, ends, given[1][p], given[2][p]), cells, known[p])
    _listed(corner_errors(values, laws, ends, corner, answers), cells, column)
    top, inverse = _first_basis(column[:c])
    is_corner = np.arange(c + 1) == c
    vertices, high = (
        np.zeros((c + 1, len(corner)), np.int8),
        np.zeros((c + 1, *answers.shape), np.int8),
    )
    vertices[c], high[c] = corner, answers
    trial = weights.copy()
    for _ in range(_MOST_PIVOTS):
        error, slack = inverse[top, c], _duals(inverse[top], cells, trial)
        chosen = _known(known, -inverse[top, :c], error - _ZERO) if slack < 0 else -1
        column[:] = 0.0
        column[slack] = 1.0  # of the last row, if it is -1
        if chosen >= 0:
            column[:c], corner[:], answers[:] = known[chosen], given[1][chosen], given[2][chosen]
        elif slack < 0:
            mean = least_mean(values, laws, sizes, ends, trial, corner)
            if mean > bound:
                bound = mean
                weights[:] = trial
            near = error - bound <= goals[1] and error < goals[0]
            if bound >= goals[0] or mean >= error - _ZERO or near:
                break
            _answers(values, laws, trial, corner, answers)
            _listed(corner_errors(values, laws, ends, corner, answers), cells, column)
        leaving = _pivot(inverse, top, column)
        if leaving < 0:
            break
        is_corner[leaving], vertices[leaving], high[leaving] = slack < 0, corner, answers
    shares = np.maximum(inverse[:, c], 0.0)
    return bound, weights, shares[is_corner], vertices[is_corner], high[is_corner]
