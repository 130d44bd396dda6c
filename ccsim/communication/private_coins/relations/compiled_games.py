"""Compiled: the best mixture of equations at the vertices of a case, in floats.

A game of few equations against few choices of vertices is solved by the
simplex method; the best equation, and the worst choice of vertices, join it until none is better.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from ccsim.communication.private_coins.relations.compiled_tables import (
    Floats,
    Integers,
    Plan,
    all_corners,
    combined,
    first_alone,
    payoffs,
    place,
    starts_of,
)
from ccsim.compiled import compiled

__all__ = ["best_equations"]

Tables: TypeAlias = tuple[Integers, Floats, Floats]
"""Where the table of each equation begins; gains, and losses, by sign, row and column."""
Where: TypeAlias = tuple[Plan, Integers, Integers]
"""Equations, how many pairs of vertices each dependency has, and all choices of them."""

_ZERO, _LEAST = 1e-9, 1e-7
_CLOSE = 1e-3
"""How near to the value of a game the ends are at which it counts as solved."""
_MOST_PIVOTS, _MOST_ROUNDS = 200, 50


@compiled
def _pivot(table: Floats, basis: Integers, entering: int) -> bool:
    """Bring a column into the basis, and say whether it could be done."""
    rows = len(basis)
    leaving, ratio = -1, np.inf
    for i in range(rows):
        if table[i, entering] > _ZERO and table[i, -1] < ratio * table[i, entering]:
            leaving, ratio = i, table[i, -1] / table[i, entering]
    if leaving < 0:
        return False
    table[leaving] /= table[leaving, entering]
    for i in range(rows + 1):
        if i != leaving and table[i, entering] != 0.0:
            table[i] -= table[i, entering] * table[leaving]
    basis[leaving] = entering
    return True


@compiled
def _solved(paid: Floats) -> tuple[float, Floats, Floats]:
    """Return value and strategies of a game: rows are paid, columns pay."""
    rows, columns = paid.shape
    shift = 1.0 - paid.min()
    table = np.zeros((rows + 1, columns + rows + 1))
    table[:rows, :columns] = paid + shift
    for i in range(rows):
        table[i, columns + i] = 1.0
        table[i, -1] = 1.0
    table[rows, :columns] = -1.0
    basis = columns + np.arange(rows)
    for _ in range(_MOST_PIVOTS):
        entering = int(table[rows, :-1].argmin())
        if table[rows, entering] > -_ZERO or not _pivot(table, basis, entering):
            break
    total = table[rows, -1]
    chances = np.zeros(columns)
    for i in range(rows):
        if basis[i] < columns:
            chances[basis[i]] = max(table[i, -1], 0.0) / total
    mixed = np.maximum(table[rows, columns:-1], 0.0)
    return 1.0 / total - shift, mixed / max(mixed.sum(), 1e-300), chances


@compiled
def _totals(
    tables: Tables,
    plan: Plan,
    sizes: Integers,
    corners: Integers,
    mixture: tuple[Integers, Floats],
) -> tuple[Floats, Floats]:
    """Return what a mixture gains and loses at each choice of vertices."""
    starts, gains, losses = tables
    number, m = len(starts) - 1, gains.shape[2]
    gain, loss = np.zeros(len(corners)), np.zeros(len(corners))
    for i in range(len(mixture[0])):
        column, weight = mixture[0][i], mixture[1][i]
        if weight > 0.0:
            y, e, s = column % m, column // m % number, column // m // number
            for c in range(len(corners)):
                r = starts[e] + place(corners[c], e, sizes, plan)
                gain[c] += weight * gains[s, r, y]
                loss[c] += weight * losses[s, r, y]
    return gain, loss


@compiled
def _best_answer(
    tables: Tables,
    plan: Plan,
    sizes: Integers,
    corners: Integers,
    chances: Floats,
    goal: tuple[float, Floats],
) -> tuple[float, int]:
    """Return what the best equation is paid by chances of choices of vertices, and which it is."""
    (starts, gains, losses), (target, scales) = tables, goal
    number, m = len(starts) - 1, gains.shape[2]
    best, column = -np.inf, -1
    paid = np.zeros((2, m))
    for e in range(number):
        paid[:] = 0.0
        for c in range(len(corners)):
            if chances[c] > 0.0:
                r = starts[e] + place(corners[c], e, sizes, plan)
                for s in range(2):
                    for y in range(m):
                        paid[s, y] += chances[c] * (gains[s, r, y] - target * losses[s, r, y])
        for s in range(2):
            for y in range(m):
                if paid[s, y] > best * scales[s, e, y]:
                    best, column = paid[s, y] / scales[s, e, y], (s * number + e) * m + y
    return best, column


@compiled
def _fill(
    paid: Floats,
    listed: tuple[Integers, Integers],
    old: tuple[int, int],
    tables: Tables,
    where: Where,
    goal: tuple[float, Floats],
) -> None:
    """Write the payoffs of equations and choices of vertices that are new."""
    (columns, chosen), (starts, gains, losses) = listed, tables
    (plan, sizes, corners), (target, scales) = where, goal
    number, m = len(starts) - 1, gains.shape[2]
    for i in range(len(columns)):
        y, e, s = columns[i] % m, columns[i] // m % number, columns[i] // m // number
        for j in range(old[1] if i < old[0] else 0, len(chosen)):
            r = starts[e] + place(corners[chosen[j]], e, sizes, plan)
            paid[i, j] = (gains[s, r, y] - target * losses[s, r, y]) / scales[s, e, y]


@compiled
def _forced(gain: Floats, loss: Floats) -> float:
    """Return the error that a mixture forces."""
    least = np.inf
    for c in range(len(gain)):
        least = min(least, gain[c] / loss[c] if loss[c] > 0.0 else 0.0)
    return least


@compiled
def _play(
    tables: Tables,
    where: Where,
    goals: tuple[float, float, float, Floats],
    listed: tuple[Integers, Integers],
    paid: Floats,
) -> tuple[float, Integers, Floats, Floats, Integers, Integers]:
    """Return the error that is forced, how, the chances, and what the game was played with."""
    (target, bound, t, scales), (plan, sizes, corners) = goals, where
    goal, i, j = (t, scales), len(listed[0]), len(listed[1])
    columns, chosen = np.zeros(len(paid), np.int64), np.zeros(len(paid), np.int64)
    columns[:i], chosen[:j] = listed
    best, shares, old = np.zeros(0, np.int64), np.zeros(0), (0, 0)
    chances = np.zeros(len(corners))
    for _ in range(_MOST_ROUNDS):
        _fill(paid, (columns[:i], chosen[:j]), old, tables, where, goal)
        value, mixed, part = _solved(paid[:i, :j])
        chances[:] = 0.0
        chances[chosen[:j]] = part
        old, mixed = (i, j), mixed / scales.ravel()[columns[:i]]
        gain, loss = _totals(tables, plan, sizes, corners, (columns[:i], mixed))
        forced = _forced(gain, loss)
        if forced > bound + _LEAST:
            bound, best, shares = forced, columns[:i].copy(), mixed
        net = gain - t * loss
        worst = int(net.argmin())
        high, better = _best_answer(tables, plan, sizes, corners, chances, goal)
        if bound >= target or high - net[worst] < _CLOSE:
            break
        if high > value + _ZERO:
            columns[i] = better
            i += 1
        if net[worst] < value - _ZERO:
            chosen[j] = worst
            j += 1
        if (i, j) == old:
            break
    return bound, best, shares, chances, columns[:i], chosen[:j]


@compiled
def best_equations(
    vectors: Floats,
    sizes: Integers,
    values: Integers,
    plan: Plan,
    goals: tuple[float, float, int],
    given: tuple[Integers, Integers],
) -> tuple[float, Integers, Floats, Floats]:
    """Return an error that a mixture of equations forces, with it, and chances of vertices.

    Parameters
    ----------
    vectors : array
        ``vectors[d, i, z]``, for ``i < sizes[d]``: the weights of input ``z`` at pair ``i``.
    sizes : array
    values : array
        Of inputs and columns, negative outside the promise.
    plan : tuple of arrays
    goals : (float, float, int)
        The error that is enough, one that is known to be forced, and the games at most: the first
        is for the target, others for what is forced.
    given : (columns, choices of vertices)
        With which the game begins; the second is not empty.

    Returns
    -------
    (float, columns, weights, chances)
        Column ``(s E + e) m + y`` is equation ``e`` of ``E`` for input ``y`` of Bob, negated if
        ``s = 1``. There is none where the known error is not surpassed.
    """
    starts, corners = starts_of(sizes, plan), all_corners(sizes)
    gains, losses = payoffs(combined(vectors, sizes, starts, plan), values)
    tables, where = (starts, gains, losses), (plan, sizes, corners)
    target, bound, games = goals
    scales = np.ones((2, len(starts) - 1, gains.shape[2]))
    alone, chances = first_alone(starts, gains, losses, target, scales), np.zeros(len(corners))
    if alone >= 0:
        return target, np.full(1, alone), np.ones(1), chances + 1.0 / len(corners)
    columns, chosen = given
    if not len(columns):
        chances[chosen] = 1.0
        better = _best_answer(tables, plan, sizes, corners, chances, (target, scales))[1]
        columns = np.full(1, better)
    size = games * _MOST_ROUNDS + max(len(columns), len(chosen))
    paid, t = np.zeros((size, size)), target
    best, shares = np.zeros(0, np.int64), np.zeros(0)
    for _ in range(games):
        found = _play(tables, where, (target, bound, t, scales), (columns, chosen), paid)
        chances, columns, chosen = found[3], found[4], found[5]
        if found[0] > bound:
            bound, best, shares = found[0], found[1], found[2]
        elif t <= bound:
            break
        if bound >= target:
            break
        t = bound
        first_alone(starts, gains, losses, t, scales)
    return bound, best, shares, chances
