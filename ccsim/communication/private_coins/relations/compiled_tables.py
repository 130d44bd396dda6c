"""Compiled: what equations between Bob's answers gain and lose at vertices of a case, in floats.

That depends on the vertices of the dependencies that an equation combines alone: it fills a small
table, a row for each choice of them.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from ccsim.compiled import compiled

__all__ = [
    "Floats",
    "Integers",
    "Plan",
    "all_corners",
    "combined",
    "first_alone",
    "payoffs",
    "place",
    "starts_of",
]

Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]
Integers: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]
Plan: TypeAlias = tuple[Integers, Integers, Integers, Integers]
"""Of each equation the number of dependencies, these, the first input removed, and its minors."""

_LEAST = 1e-7


@compiled
def starts_of(sizes: Integers, plan: Plan) -> Integers:
    """Return where the table of each equation begins."""
    length, used = plan[0], plan[1]
    starts = np.zeros(len(length) + 1, np.int64)
    for e in range(len(length)):
        total = 1
        for j in range(length[e]):
            total *= sizes[used[e, j]]
        starts[e + 1] = starts[e] + total
    return starts


@compiled
def _minor(digits: Integers, e: int, left_out: int, sizes: Integers, plan: Plan) -> int:
    """Return the row, in the table of a minor, of a choice of vertices."""
    place = 0
    for i in range(plan[0][e]):
        if i != left_out:
            place = place * sizes[plan[1][e, i]] + digits[i]
    return place


@compiled
def combined(vectors: Floats, sizes: Integers, starts: Integers, plan: Plan) -> Floats:
    """Return the weights of inputs in each equation, row by row."""
    length, used, first, minors = plan
    n = vectors.shape[2]
    found, digits = np.zeros((starts[-1], n)), np.zeros(used.shape[1], np.int64)
    for e in range(len(length)):
        for row in range(starts[e], starts[e + 1]):
            rest = row - starts[e]
            for j in range(length[e] - 1, -1, -1):
                digits[j] = rest % sizes[used[e, j]]
                rest //= sizes[used[e, j]]
            if length[e] == 1:
                found[row] = vectors[used[e, 0], digits[0]]
                continue
            for j in range(length[e]):
                factor = (-1) ** j * vectors[used[e, j], digits[j], first[e]]
                if factor != 0.0:
                    less = starts[minors[e, j]] + _minor(digits, e, j, sizes, plan)
                    for z in range(n):
                        found[row, z] += factor * found[less, z]
    return found


@compiled
def payoffs(found: Floats, values: Integers) -> tuple[Floats, Floats]:
    """Return gains and losses of both signs, for each row of the tables and each column."""
    (n, m), rows = values.shape, len(found)
    gains, losses = np.zeros((2, rows, m)), np.zeros((2, rows, m))
    for r in range(rows):
        for z in range(n):
            w = found[r, z]
            if w != 0.0:
                high, low = max(w, 0.0), max(-w, 0.0)
                for y in range(m):
                    if values[z, y] == 1:
                        gains[0, r, y] += w
                        gains[1, r, y] -= w
                        losses[0, r, y] += high
                        losses[1, r, y] += low
                    elif values[z, y] == 0:
                        losses[0, r, y] += low
                        losses[1, r, y] += high
                    else:
                        gains[0, r, y] -= low
                        gains[1, r, y] -= high
    return gains, losses


@compiled
def place(corner: Integers, e: int, sizes: Integers, plan: Plan) -> int:
    """Return the row, in the table of an equation, of a choice of vertices."""
    length, used = plan[0], plan[1]
    place = 0
    for j in range(length[e]):
        place = place * sizes[used[e, j]] + corner[used[e, j]]
    return place


@compiled
def first_alone(
    starts: Integers, gains: Floats, losses: Floats, target: float, scales: Floats
) -> int:
    """Write the largest payoffs of equations; return the first that forces the target, or -1."""
    m = gains.shape[2]
    number = len(starts) - 1
    for e in range(number):
        for s in range(2):
            for y in range(m):
                most, least, gain = _LEAST, np.inf, np.inf
                for r in range(starts[e], starts[e + 1]):
                    paid = gains[s, r, y] - target * losses[s, r, y]
                    most, least = max(most, abs(paid)), min(least, paid)
                    gain = min(gain, gains[s, r, y])
                scales[s, e, y] = most
                if least >= 0.0 and gain > _LEAST:
                    return int((s * number + e) * m + y)
    return -1


@compiled
def all_corners(sizes: Integers) -> Integers:
    """Return all choices of vertices, a row each."""
    total = 1
    for size in sizes:
        total *= size
    corners = np.zeros((total, len(sizes)), np.int64)
    for c in range(total):
        rest = c
        for d in range(len(sizes) - 1, -1, -1):
            corners[c, d] = rest % sizes[d]
            rest //= sizes[d]
    return corners
