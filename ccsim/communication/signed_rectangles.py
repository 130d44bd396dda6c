"""Discrepancy: the heaviest rectangles under a distribution, and the worst distribution."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import count
from math import lcm
from typing import Any, NamedTuple

import highspy
import numpy as np
import numpy.typing as npt

from ccsim.budget import Budget
from ccsim.classes.masks import members
from ccsim.communication.problem import CommunicationProblem
from ccsim.programs.game import solve_integer_game
from ccsim.programs.highs import QuietHighs

MOST_LINES = 18  # of the shorter side, of which all sets are tried
_ROUND = 24  # rectangles that are added at once
_CLOSE = 1e-9
_PART = 0.3  # of the optimum in the distribution under which rectangles are weighed
_LIGHTEN, _LIGHT = 10, 1e-4  # after how many rounds rectangles are removed, and which
_PROOFS = 12  # exact solutions of programs; floats leave less than 1e-7 between the bounds
_GRID = 1 << 30
Integers = npt.NDArray[np.int64]
Rectangle = tuple[int, int]
Signed = tuple[Rectangle, int]  # with a sign, or a weight


class Discrepancy(NamedTuple):
    """Bounds on the discrepancy; signed weights of rectangles and weights of inputs prove them."""

    lower: Fraction
    upper: Fraction
    rectangles: tuple[tuple[Rectangle, int], ...]
    weights: tuple[tuple[int, int, int], ...]


def signs(problem: CommunicationProblem) -> Integers:
    """Return 1 for the value 1, -1 for 0, and 0 outside the promise."""
    width = range(len(problem.bob))
    rows = [
        [(1 if one >> y & 1 else -1) if inside >> y & 1 else 0 for y in width]
        for one, inside in zip(problem.ones, problem.promise, strict=True)
    ]
    return np.array(rows, np.int64)


def heaviest(
    weights: npt.NDArray[Any], number: int = 1, either: Sequence[int] = (1, -1)
) -> list[tuple[Any, int, Rectangle]]:
    """Return the `number` heaviest rectangles with their weights and signs, heaviest first."""
    m, n = weights.shape
    if n < m:
        turned = heaviest(weights.T, number, either)
        return [(w, sign, (rows, columns)) for w, sign, (columns, rows) in turned]
    sums = np.zeros((1, n), weights.dtype)
    for row in weights:
        sums = np.concatenate((sums, sums + row))
    found = []
    for sign in either:
        totals = np.maximum(sign * sums, 0).sum(axis=1)
        best = totals.argpartition(-min(number, len(totals)))[-number:]
        for rows in best.tolist():
            columns = sum(1 << y for y, s in enumerate((sign * sums[rows]).tolist()) if s > 0)
            found.append((totals[rows], sign, (rows, columns)))
    return sorted(found, key=lambda one: -one[0])[:number]


def uniform(problem: CommunicationProblem) -> Discrepancy:
    """Return the discrepancy under the uniform distribution on the promise."""
    matrix = signs(problem)
    [(weight, sign, rectangle)] = heaviest(matrix)
    value = Fraction(int(weight), int(abs(matrix).sum()))
    ones = tuple((int(x), int(y), 1) for x, y in np.argwhere(matrix))
    return Discrepancy(value, value, ((rectangle, sign),), ones)


def worst(problem: CommunicationProblem, budget: Budget) -> Discrepancy:
    """Return bounds on the discrepancy under the worst distribution, by constraint generation.

    Linear programs in floats choose the rectangles; a linear program in integers proves the bounds.
    """
    program = _Program(problem)
    with budget.share(0.7):
        program.grow(budget)
    program.suggest()
    with budget:
        for _ in range(_PROOFS):
            budget.spend()
            if not program.prove(budget):
                break
    return program.best


class _Program:
    """A linear program for the worst distribution, with a constraint for each signed rectangle."""

    def __init__(self, problem: CommunicationProblem) -> None:
        self.matrix = signs(problem)
        self.cells = [(int(x), int(y)) for x, y in np.argwhere(self.matrix)]
        self.best = uniform(problem)._replace(lower=Fraction(-1))
        self.rectangles: dict[Signed, None] = {}  # in the order of the rows of the program
        n, infinity = len(self.cells), highspy.kHighsInf
        self.highs, entries = QuietHighs(), ([0, n], range(n), [1.0] * n)
        ends = ([0.0] * (n + 1), [infinity] * (n + 1))
        self.highs.pass_rows(
            [0.0] * n + [1.0], ends, ([1.0], [1.0]), (np.array(entries[0]), *entries[1:])
        )
        self._add(self.best.rectangles)
        self._keep([1] * n, [*self.best.rectangles])

    def _add(self, rectangles: Iterable[Signed]) -> bool:
        """Add a constraint for each rectangle; return whether any of them is new."""
        n, number = len(self.cells), len(self.rectangles)
        for (rows, columns), sign in rectangles:
            if ((rows, columns), sign) in self.rectangles:
                continue
            self.rectangles[(rows, columns), sign] = None
            held = [j for j, (x, y) in enumerate(self.cells) if rows >> x & columns >> y & 1]
            value = np.array([*(sign * self.matrix[self.cells[j]] for j in held), -1.0])
            index = np.array([*held, n], np.int32)
            self.highs.addRow(-highspy.kHighsInf, 0.0, len(index), index, value)
        return len(self.rectangles) > number

    def grow(self, budget: Budget) -> None:
        """Add constraints for the heaviest rectangles until the bounds almost coincide.

        They are weighed under a mixture of the optimum of the program and the best distribution so
        far. Slack constraints are removed when the optimal value has increased.
        """
        n, last, upper = len(self.cells), 0.0, np.inf
        center = np.full(n, 1 / n)
        for step in count(1):
            budget.spend()
            self.highs.run()
            found = np.array(self.highs.getSolution().col_value)
            lower, own = found[-1], np.maximum(found[:-1], 0) / max(_CLOSE, found[:-1].sum())
            for part in (_PART, 1.0):
                tried = part * own + (1 - part) * center
                weighed = np.zeros(self.matrix.shape)
                weighed[tuple(zip(*self.cells, strict=True))] = tried
                heavy = heaviest(weighed * self.matrix, _ROUND)
                if heavy[0][0] < upper:
                    upper, center = heavy[0][0], tried
                if upper - lower < _CLOSE:
                    return
                if self._add((r, sign) for w, sign, r in heavy if w > lower + _CLOSE):
                    break
            else:
                return
            if step % _LIGHTEN == 0 and lower > last + _CLOSE:
                last = lower
                self._lighten()

    def _lighten(self) -> None:
        """Remove the constraints with large slack if there are many."""
        slack = self.highs.getSolution().row_value[1:]
        light = [
            (i, r)
            for i, (r, v) in enumerate(zip(self.rectangles, slack, strict=False), 1)
            if v < -_LIGHT
        ]
        if len(light) > len(self.cells):
            for _, rectangle in light:
                del self.rectangles[rectangle]
            self.highs.deleteRows(len(light), np.array([i for i, _ in light], np.int32))

    def suggest(self) -> None:
        """Prove the bounds that the rounded optimum of the last program suggests."""
        found, n = self.highs.getSolution(), len(self.cells)
        whole = [max(0, round(v * _GRID)) for v in found.col_value[:n]]
        prices = [round(abs(v) * _GRID) for v in found.row_dual[1:]]
        signed = [(r, s * w) for (r, s), w in zip(self.rectangles, prices, strict=False) if w]
        self._keep(whole, signed)

    def _keep(self, whole: list[int], signed: list[Signed]) -> list[Signed]:
        """Improve the bounds by weights of inputs and rectangles; return heavy rectangles."""
        weighed = np.zeros(self.matrix.shape, object if sum(whole) >> 62 else np.int64)
        for cell, w in zip(self.cells, whole, strict=True):
            weighed[cell] = w * int(self.matrix[cell])
        heavy = heaviest(weighed, _ROUND)
        sums = np.zeros(self.matrix.shape, object)
        for (rows, columns), w in signed:
            sums[np.ix_([*members(rows)], [*members(columns)])] += w
        total = sum(abs(w) for _, w in signed)
        gains = [int(sums[cell]) * int(self.matrix[cell]) for cell in self.cells]
        lower = Fraction(max(0, min(gains)), max(1, total))
        upper = Fraction(int(heavy[0][0]), max(1, sum(whole)))
        if lower > self.best.lower:
            self.best = self.best._replace(lower=lower, rectangles=tuple(signed))
        if sum(whole) and upper < self.best.upper:
            ours = tuple((*cell, w) for cell, w in zip(self.cells, whole, strict=True) if w)
            self.best = self.best._replace(upper=upper, weights=ours)
        return [(r, sign) for _, sign, r in heavy]

    def prove(self, budget: Budget) -> bool:
        """Prove bounds by an exact game between rectangles and inputs; add the heaviest rectangles.

        Return whether the bounds still differ and a rectangle was added.
        """
        listed = [*self.rectangles]
        payoff = [
            [sign * int(self.matrix[x, y]) * (rows >> x & columns >> y & 1) for x, y in self.cells]
            for (rows, columns), sign in listed
        ]
        _, mixture, weights, _ = solve_integer_game(payoff, budget)
        parts = _integers(mixture)
        signed = [(r, s * w) for (r, s), w in zip(listed, parts, strict=True) if w]
        is_new = self._add(self._keep(_integers(weights), signed))
        return self.best.lower < self.best.upper and is_new


def _integers(weights: tuple[Fraction, ...]) -> list[int]:
    """Return integers proportional to the weights."""
    unit = lcm(*(w.denominator for w in weights))
    return [int(w * unit) for w in weights]
