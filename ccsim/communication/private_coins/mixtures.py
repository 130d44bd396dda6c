"""The best mixture of protocols in a case, and the best cut of the case, in floats.

A *corner* of a case is a protocol with a vertex for each input of Alice and an end of its range for
each answer. The simplex method finds the best mixture of corners; the dual values are weights of
inputs.
"""

from __future__ import annotations

from ctypes import c_double, c_int64
from typing import Any, TypeAlias

import numpy as np

from ccsim.native import Library

Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]
Bytes: TypeAlias = np.ndarray[Any, np.dtype[np.int8]]
Corners: TypeAlias = tuple[Floats, Bytes, Bytes]  # shares, or weights; vertices; ends
Mixture: TypeAlias = tuple[float, Floats, Floats, Bytes, Bytes]
Best: TypeAlias = tuple[float, int, int, int, float, int, int]

_ZERO, _SAME = 1e-9, 1e-13
_MOST_PIVOTS = 600
_NEVER = 1e-12
_LONGER = 1.5

_FLOATS, _BYTES, _INTEGERS = (
    np.ctypeslib.ndpointer(kind, flags="C_CONTIGUOUS") for kind in ("f8", "i1", "i8")
)
_CASE = (c_int64, c_int64, c_int64, _FLOATS, _BYTES, _FLOATS)
_GIVEN = (_FLOATS, _FLOATS, c_int64, _BYTES, _BYTES, _FLOATS, _FLOATS, _BYTES, _BYTES)
_MIXTURE = (c_int64, _FLOATS, _BYTES, _BYTES, c_double, _FLOATS, _INTEGERS)
_LIBRARY = Library("mixtures", {"best_mixture": (c_int64, (_BYTES, *_CASE, *_GIVEN))})
_CUTS = Library("gains", {"best_cut": (c_int64, (_FLOATS, *_CASE, *_MIXTURE))})


def best_mixture(
    values: Bytes,
    distributions: Floats,
    sizes: Bytes,
    ends: Floats,
    goals: tuple[float, float],
    given: Corners,
) -> Mixture:
    """Return a bound and its weights; if the bound is below the goal, also a mixture of corners.

    The goals are this one and a gap: if the error of the mixture is below the goal and at most the
    gap above the bound, the search stops.
    """
    if (library := _LIBRARY.found()) is None:
        return _Program(values, distributions, sizes, ends).best(goals, given)
    (n, m), k, most = values.shape, distributions.shape[2], values.size + 1
    weights, bound, shares = given[0].copy(), np.zeros(1), np.zeros(most)
    vertices, high = np.zeros((most, n), np.int8), np.zeros((most, m, k), np.int8)
    case, corners = (
        (values, n, m, k, distributions, sizes, ends),
        (len(given[1]), given[1], given[2]),
    )
    found = shares, vertices, high
    number = library.best_mixture(*case, np.array(goals), weights, *corners, bound, *found)
    if number < 0:
        raise MemoryError
    return float(bound[0]), weights, shares[:number], vertices[:number], high[:number]


def best_cut(
    signed: Floats,
    distributions: Floats,
    sizes: Bytes,
    ends: Floats,
    mixture: Corners,
    finest: float,
) -> Best:
    """Return the gains and positions of the best edge and of the best range of an answer."""
    if (library := _CUTS.found()) is None:
        return _best_cut(signed, distributions, sizes, ends, mixture, finest)
    best, places = np.zeros(2), np.zeros(5, np.int64)
    case, corners = (
        (signed, *signed.shape, distributions.shape[2], distributions, sizes, ends),
        len(mixture[0]),
    )
    if not library.best_cut(*case, corners, *mixture, finest, best, places):
        raise MemoryError
    distribution, first, second, y, m = places.tolist()
    return float(best[0]), distribution, first, second, float(best[1]), y, m


class _Program:
    """The search of `best_mixture` in numpy; sums are taken in the order of the C code."""

    def __init__(self, values: Bytes, distributions: Floats, sizes: Bytes, ends: Floats) -> None:
        self._distributions, self._sizes, self._ends = distributions, sizes, ends
        self._is_one, self._inside = values == 1, values >= 0

    def best(self, goals: tuple[float, float], given: Corners) -> Mixture:
        """Return the result of `best_mixture`."""
        weights, vertices, high = given
        bound, distribution = self._least_mean(weights)
        if bound >= goals[0]:
            return bound, weights.copy(), np.zeros(0), vertices[:0], high[:0]
        known = np.array([self._errors(*corner) for corner in zip(vertices, high, strict=True)])
        answers = self._answers(weights, distribution)
        errors = self._errors(distribution, answers)
        top, inverse = _first_basis(errors)
        basis: list[tuple[Bytes, Bytes] | None] = [*[None] * len(errors), (distribution, answers)]
        for _ in range(_MOST_PIVOTS):
            prices, error = -inverse[top, :-1], float(inverse[top, -1])
            slack, entering = int(prices.argmin()), None
            if prices[slack] < -_ZERO:
                column = np.eye(1, len(inverse), slack)[0]
            elif (chosen := _cheapest(known, prices, error - _ZERO)) >= 0:
                entering, column = (vertices[chosen], high[chosen]), np.append(known[chosen], 1.0)
            else:
                trial = np.zeros(self._inside.shape)
                trial[self._inside] = np.maximum(prices, 0.0)
                trial /= _sums(trial.ravel())
                mean, distribution = self._least_mean(trial)
                if mean > bound:
                    bound, weights = mean, trial
                is_near = error - bound <= goals[1] and error < goals[0]
                if bound >= goals[0] or mean >= error - _ZERO or is_near:
                    break
                entering = distribution, self._answers(trial, distribution)
                column = np.append(self._errors(*entering), 1.0)
            if (leaving := _pivot(inverse, top, column)) < 0:
                break
            basis[leaving] = entering
        rows = [i for i, corner in enumerate(basis) if corner is not None]
        both = zip(*(corner for corner in basis if corner is not None), strict=True)
        distributions, ends = (np.array(each, np.int8) for each in both)
        return bound, weights.copy(), np.maximum(inverse[rows, -1], 0.0), distributions, ends

    def _errors(self, vertices: Bytes, high: Bytes) -> Floats:
        """Return the errors of a corner on the inputs inside the promise."""
        distributions = self._distributions[np.arange(len(vertices)), vertices]
        answers = np.where(high, self._ends[1], self._ends[0])
        p = _sums(distributions[:, None] * answers)
        errors: Floats = np.where(self._is_one, 1 - p, p)[self._inside]
        return errors

    def _least_mean(self, weights: Floats) -> tuple[float, Bytes]:
        """Return the minimum mean error over all corners, and the vertices of a best corner."""
        signed = np.where(self._is_one, -weights, weights)
        slopes = np.zeros((1, *self._ends.shape[1:]))  # of the answers, for each choice of vertices
        for by, distribution, size in zip(signed, self._distributions, self._sizes, strict=True):
            each = by[:, None] * distribution[:size, None]
            slopes = (slopes[:, None] + each).reshape(-1, *each.shape[1:])
        terms = slopes * np.where(slopes > 0, self._ends[0], self._ends[1])
        means = _sums(terms.reshape(len(terms), -1))
        best = int(means.argmin())
        corner = np.array(np.unravel_index(best, self._sizes.tolist()), np.int8)
        return float(means[best] + _sums(weights[self._is_one])), corner

    def _answers(self, weights: Floats, vertices: Bytes) -> Bytes:
        """Return the best ends of Bob's ranges for the given vertices of Alice."""
        distributions = self._distributions[np.arange(len(vertices)), vertices]
        signed = np.where(self._is_one, -weights, weights)
        slopes = _sums(np.moveaxis(signed[:, :, None] * distributions[:, None], 0, -1))
        return (slopes <= 0).astype(np.int8)


def _sums(terms: Floats) -> Floats:
    """Return the sums along the last axis, taken from left to right."""
    return np.zeros(terms.shape[:-1]) if not terms.shape[-1] else terms.cumsum(axis=-1)[..., -1]


def _first_basis(errors: Floats) -> tuple[int, Floats]:
    """Return the position of the largest error, and the inverse of a basis with one corner."""
    c, top = len(errors), int(errors.argmax())
    inverse = np.eye(c + 1)
    inverse[:c, c] = errors[top] - errors
    inverse[:c, top] = -1.0
    inverse[top, c] = errors[top]
    return top, inverse


def _cheapest(known: Floats, prices: Floats, least: float) -> int:
    """Return the known corner of minimum mean error, or -1 if no mean error is below `least`."""
    if not len(known):
        return -1
    means = _sums(known * prices)
    chosen = int(means.argmin())
    return chosen if means[chosen] < least else -1


def _pivot(inverse: Floats, top: int, column: Floats) -> int:
    """Bring a column into the basis; return its row, or -1 if this is impossible."""
    change = _sums(inverse * column)
    leaving, ratio = -1, np.inf
    for i in np.flatnonzero(change > _ZERO):
        if i != top:
            r = max(inverse[i, -1], 0.0) / change[i]
            if r < ratio - _SAME or (r < ratio + _SAME and change[i] > change[leaving]):
                leaving, ratio = int(i), r
    if leaving >= 0:
        row = inverse[leaving] / change[leaving]
        inverse -= change[:, None] * row
        inverse[leaving] = row
    return leaving


def _best_cut(
    signed: Floats,
    distributions: Floats,
    sizes: Bytes,
    ends: Floats,
    mixture: Corners,
    finest: float,
) -> Best:
    """Compute the result of `best_cut` with numpy, rounded as in the C code."""
    shares, vertices, high = mixture
    k = distributions.shape[1]
    weighed = shares[:, None, None] * np.where(high == 1, ends[1], ends[0])
    best, distribution, first, second = 0.0, -1, 0, 0
    worth = np.zeros(ends.shape[1:])
    for x, vertex in enumerate(vertices.T):
        parts, sums = np.zeros(k), np.zeros((k, *worth.shape))
        np.add.at(parts, vertex, shares)
        np.add.at(sums, vertex, weighed)
        gains = np.zeros(worth.shape)
        for j in range(k):
            for i in range(j):
                if min(parts[i], parts[j]) > _NEVER:
                    apart = parts[j] * sums[i] - parts[i] * sums[j]
                    step = distributions[x, i] - distributions[x, j]
                    each = signed[x][:, None] * step * apart
                    gains += each
                    gain = float(np.maximum(each, 0.0).cumsum()[-1])
                    if gain > best and np.abs(step).max() > finest:
                        best, distribution, first, second = gain, x, i, j
        worth += np.maximum(gains, 0.0)
    if distribution >= 0:
        first, second = _longest(
            distributions[distribution], int(sizes[distribution]), first, second
        )
    y, m = divmod(int(worth.argmax()), worth.shape[1])
    return best, distribution, first, second, float(worth[y, m]), y, m


def _longest(distribution: Floats, size: int, first: int, second: int) -> tuple[int, int]:
    """Return the given edge, or the longest edge of the simplex if it is much longer."""
    longest = _LONGER * np.abs(distribution[first] - distribution[second]).max()
    for j in range(size):
        for i in range(j):
            if (length := np.abs(distribution[i] - distribution[j]).max()) > longest:
                longest, first, second = length, i, j
    return first, second
