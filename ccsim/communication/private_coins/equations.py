"""Equations between Bob's answers, and games over them, in floats."""

from __future__ import annotations

from ctypes import c_double, c_int64
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from math import comb
from typing import Any, TypeAlias

import numpy as np

from ccsim.appearance import one_line
from ccsim.native import Library

Floats: TypeAlias = np.ndarray[Any, np.dtype[Any]]
Integers: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]
Name: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]  # dependencies; inputs removed
Weighed: TypeAlias = tuple[int, Name, float]  # a column, an equation, and their weight
# of each equation the number of dependencies, these, the first input removed, and its minors
Plan: TypeAlias = tuple[Integers, Integers, Integers, Integers]
# an error that is forced, equations and their weights, and the chances of choices of vertices
Found: TypeAlias = tuple[float, Integers, Floats, Floats]

_MOST_ROUNDS = 50  # how often an equation and a choice of vertices may join a game
_ZERO, _LEAST = 1e-9, 1e-7
_CLOSE = 1e-3  # how near to the value of a game the ends are at which it counts as solved
_MOST_PIVOTS = 200

_FLOATS, _INTEGERS = (np.ctypeslib.ndpointer(kind, flags="C_CONTIGUOUS") for kind in ("f8", "i8"))
_TABLES = (_FLOATS, *[c_int64] * 3, _INTEGERS, _INTEGERS, c_int64)
_PLAN = (c_int64, c_int64, *[_INTEGERS] * 4)
_BEGIN = (c_double, c_int64, c_int64, *[_INTEGERS, c_int64] * 2)
_FOUND = (_FLOATS, _INTEGERS, _FLOATS, _FLOATS)
_LIBRARY = Library("games", {"best_equations": (c_int64, (*_TABLES, *_PLAN, *_BEGIN, *_FOUND))})


def number_of_equations(number: int, messages: int) -> int:
    """Return the number of equations, each of which combines some of `number` dependencies."""
    return sum(comb(number, size) * comb(messages, size - 1) for size in range(1, number + 1))


@one_line
@dataclass(frozen=True)
class Equations:
    """All equations from at most a given number of dependencies."""

    number: int  # of dependencies
    removable: range  # inputs that may be removed

    @cached_property
    def names(self) -> list[Name]:
        """The equations, in increasing order of the number of dependencies."""
        return [
            name
            for size in range(1, self.number + 1)
            for name in product(
                combinations(range(self.number), size), combinations(self.removable, size - 1)
            )
        ]

    @cached_property
    def plan(self) -> Plan:
        """The input of the engine; minors are given by their positions in `names`."""
        place = {name: i for i, name in enumerate(self.names)}
        used, minors = np.zeros((2, len(place), len(self.names[-1][0]) + 1), np.int64)
        first = np.zeros(len(place), np.int64)
        for i, (listed, removed) in enumerate(self.names):
            used[i, : len(listed)] = listed
            if removed:
                first[i] = removed[0]
                less = ((*listed[:j], *listed[j + 1 :]) for j in range(len(listed)))
                minors[i, : len(listed)] = [place[each, removed[1:]] for each in less]
        return np.array([len(listed) for listed, _ in self.names]), used, first, minors


class Games:
    """Matrix games between equations and vertices of simplices."""

    def __init__(self, values: Floats, rounds: int) -> None:
        self._rounds = rounds
        self._values = np.where(np.isnan(values), -1, values).astype(np.int64)
        self.forget()

    def forget(self) -> None:
        """Forget the equations of the last mixture, with which the next one begins."""
        self._recent = np.zeros(0, np.int64)

    def mixture(
        self, equations: Equations, sides: list[Floats], target: float, known: float, before: Floats
    ) -> tuple[float, list[Weighed] | None, Floats]:
        """Return a forced error above `known`, with the weights of equations and of vertices."""
        both = zip(sides[::2], sides[1::2], strict=True)
        pairs = [(a[:, None] - b).reshape(-1, a.shape[1]) for a, b in both]
        sizes = np.array([len(each) for each in pairs])
        vectors = np.zeros((len(pairs), sizes.max(), len(self._values)))
        for each, vector in zip(pairs, vectors, strict=True):
            vector[: len(each)] = each
        chosen = np.flatnonzero(before) if len(before) == sizes.prod() else np.zeros(1, np.int64)
        number, width = len(equations.names), self._values.shape[1]
        recent = self._recent[self._recent < 2 * number * width]
        goals, given = (target, known, self._rounds), (recent, chosen)
        bound, columns, shares, chances = best_equations(
            vectors, sizes, self._values, equations.plan, goals, given
        )
        used, weights = shares > 0, list[Weighed]()
        self._recent = columns[used]
        for c, w in zip(self._recent.tolist(), shares[used].tolist(), strict=True):
            negative, e = divmod(c // width, number)
            weights.append((c % width, equations.names[e], -w if negative else w))
        return bound, weights or None, chances


def best_equations(
    vectors: Floats,
    sizes: Integers,
    values: Integers,
    plan: Plan,
    goals: tuple[float, float, int],
    given: tuple[Integers, Integers],
) -> Found:
    """Return a lower bound on the error, the mixture of equations for it, and vertex weights."""
    if (library := _LIBRARY.found()) is None:
        return PlainGame(vectors, sizes, values, plan).best(goals, _MOST_ROUNDS, given)
    target, known, games = goals
    room = games * _MOST_ROUNDS + max(map(len, given))
    bound, chances = np.array([known]), np.zeros(sizes.prod())
    columns, shares = np.zeros(room, np.int64), np.zeros(room)
    number = library.best_equations(
        vectors, *vectors.shape, sizes, values, values.shape[1],
        *plan[1].shape, *plan,
        target, games, _MOST_ROUNDS, given[0], len(given[0]), given[1], len(given[1]),
        bound, columns, shares, chances,
    )  # fmt: skip
    if number < 0:
        raise MemoryError
    return float(bound[0]), columns[:number], shares[:number], chances


class PlainGame:
    """The game in numpy, as a reference; sums are taken in the order of the C code."""

    def __init__(self, vectors: Floats, sizes: Integers, values: Integers, plan: Plan) -> None:
        self._length, self._used, self._first, self._minors = plan
        totals = [int(np.prod(sizes[self._of(e)])) for e in range(len(self._length))]
        self._starts = np.cumsum([0, *totals])
        corners = np.indices(sizes.tolist()).reshape(len(sizes), -1)
        self._rows = np.array([self._row(e, corners, sizes) for e in range(len(totals))])
        self._gains, self._losses = _payoffs(self._combined(vectors, sizes), values)
        self._scales = np.ones((2, len(totals), values.shape[1]))

    def _of(self, e: int) -> Integers:
        """Return the dependencies that an equation combines."""
        return self._used[e, : self._length[e]]

    def _row(self, e: int, corners: Integers, sizes: Integers, left_out: int = -1) -> Integers:
        """Return the table rows of an equation, or of a minor, for choices of vertices."""
        place = np.zeros(corners.shape[1], np.int64)
        for j, d in enumerate(self._of(e)):
            if j != left_out:
                place = place * sizes[d] + corners[d]
        table = e if left_out < 0 else self._minors[e, left_out]
        return np.asarray(self._starts[table] + place)

    def _combined(self, vectors: Floats, sizes: Integers) -> Floats:
        """Return the weights of inputs in each equation, row by row."""
        found = np.zeros((self._starts[-1], vectors.shape[2]))
        for e, first in enumerate(self._first):
            used, table = self._of(e), found[self._starts[e] : self._starts[e + 1]]
            if len(used) == 1:
                table[:] = vectors[used[0], : sizes[used[0]]]
                continue
            corners = np.zeros((len(sizes), len(table)), np.int64)
            corners[used] = np.indices(sizes[used].tolist()).reshape(len(used), -1)
            for j, d in enumerate(used):
                factors = (-1) ** j * vectors[d, corners[d], first]
                table += factors[:, None] * found[self._row(e, corners, sizes, j)]
        return found

    def best(
        self, goals: tuple[float, float, int], rounds: int, given: tuple[Integers, Integers]
    ) -> Found:
        """Return the result of `best_equations`."""
        (enough, bound, games), number = goals, self._rows.shape[1]
        target = enough
        if (alone := self._first_alone(target)) >= 0:
            return target, np.full(1, alone), np.ones(1), np.full(number, 1.0 / number)
        columns, chosen = (each.tolist() for each in given)
        chances, best, shares = np.zeros(number), np.zeros(0, np.int64), np.zeros(0)
        if not columns:
            chances[chosen] = 1.0
            columns = [self._best_answer(chances, target)[1]]
        for _ in range(games):
            found = self._play((enough, bound, target), rounds, (columns, chosen))
            chances = found[3]
            if found[0] > bound:
                bound, best, shares, _ = found
            elif target <= bound:
                break
            if bound >= enough:
                break
            target = bound
            self._first_alone(target)
        return bound, best, shares, chances

    def _first_alone(self, target: float) -> int:
        """Store the largest payoffs; return the first equation that forces the target, or -1."""
        paid, begin = self._gains - target * self._losses, self._starts[:-1]
        most = np.maximum(np.maximum.reduceat(np.abs(paid), begin, axis=1), _LEAST)
        least = np.minimum.reduceat(paid, begin, axis=1)
        gain = np.minimum.reduceat(self._gains, begin, axis=1)
        places = np.arange(most.size).reshape(most.shape).swapaxes(0, 1).ravel()
        alone = np.flatnonzero(((least >= 0) & (gain > _LEAST)).ravel()[places])
        looked_at = places[: alone[0] + 1] if len(alone) else places
        self._scales.ravel()[looked_at] = most.ravel()[looked_at]
        return int(looked_at[-1]) if len(alone) else -1

    def _paid(self, column: int, target: float, chosen: list[int]) -> Floats:
        """Return the scaled payoff of an equation (a game column) for each choice of vertices."""
        s, e, y = np.unravel_index(column, self._scales.shape)
        rows = self._rows[e, chosen]
        paid = self._gains[s, rows, y] - target * self._losses[s, rows, y]
        return np.asarray(paid / self._scales[s, e, y])

    def _best_answer(self, chances: Floats, target: float) -> tuple[float, int]:
        """Return the largest payoff against mixed vertices, and the number of the equation."""
        used = np.flatnonzero(chances > 0)
        rows = self._rows[:, used]
        net = self._gains[:, rows] - target * self._losses[:, rows]
        paid = (chances[used, None] * net).cumsum(axis=2)[:, :, -1].swapaxes(0, 1).ravel()
        scales = self._scales.swapaxes(0, 1).ravel()
        most, at = -np.inf, -1
        while (better := paid[at + 1 :] > most * scales[at + 1 :]).any():
            at += 1 + int(better.argmax())
            most = paid[at] / scales[at]
        signs, number, m = self._scales.shape
        e, s, y = np.unravel_index(at, (number, signs, m))
        return float(most), int((s * number + e) * m + y)

    def _totals(self, columns: list[int], mixed: Floats) -> tuple[Floats, Floats]:
        """Return the gains and losses of a mixture for each choice of vertices."""
        gain, loss = np.zeros((2, self._rows.shape[1]))
        for column, weight in zip(columns, mixed, strict=True):
            if weight > 0:
                s, e, y = np.unravel_index(column, self._scales.shape)
                gain += weight * self._gains[s, self._rows[e], y]
                loss += weight * self._losses[s, self._rows[e], y]
        return gain, loss

    def _play(
        self, goals: tuple[float, float, float], rounds: int, listed: tuple[list[int], list[int]]
    ) -> Found:
        """Play for one target; best responses are added to the listed equations and vertices."""
        (enough, bound, target), (columns, chosen) = goals, listed
        best, shares = np.zeros(0, np.int64), np.zeros(0)
        chances = np.zeros(self._rows.shape[1])
        for _ in range(rounds):
            paid = np.array([self._paid(column, target, chosen) for column in columns])
            value, mixed, part = _solved(paid)
            chances[:] = 0.0
            chances[chosen] = part
            mixed = mixed / self._scales.ravel()[columns]
            gain, loss = self._totals(columns, mixed)
            forced = np.where(loss > 0, gain / np.where(loss > 0, loss, 1.0), 0.0).min()
            if forced > bound + _LEAST:
                bound, best, shares = float(forced), np.array(columns), mixed
            net = gain - target * loss
            worst = int(net.argmin())
            high, better = self._best_answer(chances, target)
            if bound >= enough or high - net[worst] < _CLOSE:
                break
            size = len(columns) + len(chosen)
            if high > value + _ZERO:
                columns.append(better)
            if net[worst] < value - _ZERO:
                chosen.append(worst)
            if len(columns) + len(chosen) == size:
                break
        return bound, best, shares, chances


def _payoffs(found: Floats, values: Integers) -> tuple[Floats, Floats]:
    """Return gains and losses of both signs for each row of the tables and each column."""
    gains, losses = np.zeros((2, 2, len(found), values.shape[1]))
    for w, labels in zip(found.T[:, :, None], values, strict=True):
        high, low = np.maximum(w, 0.0), np.maximum(-w, 0.0)
        is_one, is_zero = labels == 1, labels == 0
        gains[0] += np.where(is_one, w, np.where(is_zero, 0.0, -low))
        gains[1] += np.where(is_one, -w, np.where(is_zero, 0.0, -high))
        losses[0] += np.where(is_one, high, np.where(is_zero, low, 0.0))
        losses[1] += np.where(is_one, low, np.where(is_zero, high, 0.0))
    return gains, losses


def _solved(paid: Floats) -> tuple[float, Floats, Floats]:
    """Return the value and the strategies of a game; rows receive and columns pay."""
    rows, columns = paid.shape
    shift = 1.0 - paid.min()
    table = np.zeros((rows + 1, columns + rows + 1))
    table[:rows, :columns] = paid + shift
    table[:rows, columns:-1] = np.eye(rows)
    table[:rows, -1], table[rows, :columns] = 1.0, -1.0
    basis = columns + np.arange(rows)
    for _ in range(_MOST_PIVOTS):
        entering = int(table[rows, :-1].argmin())
        if table[rows, entering] > -_ZERO or not _pivot(table, basis, entering):
            break
    total, part = table[rows, -1], np.zeros(columns)
    used = basis < columns
    part[basis[used]] = np.maximum(table[:rows, -1][used], 0.0) / total
    mixed = np.maximum(table[rows, columns:-1], 0.0)
    return float(1.0 / total - shift), mixed / max(mixed.cumsum()[-1], 1e-300), part


def _pivot(table: Floats, basis: Integers, entering: int) -> bool:
    """Bring a column into the basis; return whether this was possible."""
    column = table[:, entering].copy()
    leaving, ratio = -1, np.inf
    for i in np.flatnonzero(column[:-1] > _ZERO):
        if table[i, -1] < ratio * column[i]:
            leaving, ratio = int(i), table[i, -1] / column[i]
    if leaving < 0:
        return False
    row = table[leaving] / column[leaving]
    table -= column[:, None] * row
    table[leaving], basis[leaving] = row, entering
    return True
