"""Discrepancy: rectangles in which one value outweighs the other most, and distributions."""

from __future__ import annotations

from fractions import Fraction
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
_GRID = 1 << 30
Integers = npt.NDArray[np.int64]
Rectangle = tuple[int, int]


class Discrepancy(NamedTuple):
    """Bounds, with signed weights of rectangles and weights of the inputs that prove them."""

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


def heaviest(weights: npt.NDArray[Any], number: int = 1) -> list[tuple[Any, Rectangle]]:
    """Return rectangles whose weights differ most from 0, with these, the first one most of all."""
    m, n = weights.shape
    if n < m:
        return [(w, (rows, columns)) for w, (columns, rows) in heaviest(weights.T, number)]
    sums = np.zeros((1, n), weights.dtype)
    for row in weights:
        sums = np.concatenate((sums, sums + row))
    found = []
    for sign in (1, -1):
        totals = np.maximum(sign * sums, 0).sum(axis=1)
        best = totals.argsort(kind="stable")[::-1][:number]
        for rows in best.tolist():
            columns = sum(1 << y for y, s in enumerate((sign * sums[rows]).tolist()) if s > 0)
            found.append((sign * totals[rows], (rows, columns)))
    return sorted(found, key=lambda one: -abs(one[0]))[:number]


def uniform(problem: CommunicationProblem) -> Discrepancy:
    """Return the discrepancy under the uniform distribution on the promise."""
    matrix = signs(problem)
    [(weight, rectangle)] = heaviest(matrix)
    total = int(abs(matrix).sum())
    value = Fraction(abs(int(weight)), total)
    ones = tuple((int(x), int(y), 1) for x, y in np.argwhere(matrix))
    return Discrepancy(value, value, ((rectangle, 1 if weight >= 0 else -1),), ones)


def worst(problem: CommunicationProblem, budget: Budget) -> Discrepancy:
    """Return bounds of the least discrepancy under a distribution, by adding rectangles.

    Linear programs in floats choose the rectangles, one in integers proves the bounds.
    """
    program = _Program(problem)
    with budget.share(0.7):
        program.grow(budget)
    program.suggest()
    with budget:
        while program.prove(budget):
            budget.spend()
    return program.best


class _Program:
    """The distribution under which some rectangles, and more and more, differ least."""

    def __init__(self, problem: CommunicationProblem) -> None:
        self.matrix = signs(problem)
        self.cells = [(int(x), int(y)) for x, y in np.argwhere(self.matrix)]
        self.best = uniform(problem)._replace(lower=Fraction(0))
        self.rectangles: dict[Rectangle, None] = {}
        n, infinity = len(self.cells), highspy.kHighsInf
        self.highs, entries = QuietHighs(), ([0, n], range(n), [1.0] * n)
        ends = ([0.0] * (n + 1), [infinity] * (n + 1))
        self.highs.pass_rows(
            [0.0] * n + [1.0], ends, ([1.0], [1.0]), (np.array(entries[0]), *entries[1:])
        )
        self._add([r for r, _ in self.best.rectangles])

    def _add(self, rectangles: list[Rectangle]) -> None:
        """Require that rectangles differ by no more than the last variable."""
        n = len(self.cells)
        for rows, columns in rectangles:
            self.rectangles[rows, columns] = None
            held = [j for j, (x, y) in enumerate(self.cells) if rows >> x & columns >> y & 1]
            index = np.array([*held, n], np.int32)
            for sign in (1.0, -1.0):
                value = np.array([*(sign * self.matrix[self.cells[j]] for j in held), -1.0])
                self.highs.addRow(-highspy.kHighsInf, 0.0, len(index), index, value)

    def grow(self, budget: Budget) -> None:
        """Add the rectangles that differ most, until none differs by more than all others."""
        while True:
            self.highs.run()
            x = np.array(self.highs.getSolution().col_value)
            weights = np.zeros(self.matrix.shape)
            weights[tuple(zip(*self.cells, strict=True))] = np.maximum(x[:-1], 0)
            fresh = heaviest(weights * self.matrix, _ROUND)
            budget.spend()
            added = [r for w, r in fresh if abs(w) > x[-1] + _CLOSE and r not in self.rectangles]
            if not added:
                return
            self._add(added)

    def suggest(self) -> None:
        """Prove the bounds that the last program suggests, rounded."""
        found, n = self.highs.getSolution(), len(self.cells)
        whole = [max(0, round(v * _GRID)) for v in found.col_value[:n]]
        prices = [round(abs(v) * _GRID) for v in found.row_dual[1:]]
        sides = [(r, s) for r in self.rectangles for s in (1, -1)]
        signed = [(r, s * w) for (r, s), w in zip(sides, prices, strict=False) if w]
        self._keep(whole, signed)

    def _keep(self, whole: list[int], signed: list[tuple[Rectangle, int]]) -> list[Rectangle]:
        """Keep weights of inputs and of rectangles if they prove more; return heavy rectangles."""
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
        upper = Fraction(abs(int(heavy[0][0])), max(1, sum(whole)))
        if lower > self.best.lower:
            self.best = self.best._replace(lower=lower, rectangles=tuple(signed))
        if sum(whole) and upper < self.best.upper:
            ours = tuple((*cell, w) for cell, w in zip(self.cells, whole, strict=True) if w)
            self.best = self.best._replace(upper=upper, weights=ours)
        return [r for _, r in heavy]

    def prove(self, budget: Budget) -> bool:
        """Prove bounds by the game between rectangles and inputs; add rectangles that are heavier.

        Whether there are such.
        """
        listed = [(r, sign) for r in self.rectangles for sign in (1, -1)]
        payoff = [
            [sign * int(self.matrix[x, y]) * (rows >> x & columns >> y & 1) for x, y in self.cells]
            for (rows, columns), sign in listed
        ]
        _, mixture, weights, _ = solve_integer_game(payoff, budget)
        parts = _integers(mixture)
        signed = [(r, s * w) for (r, s), w in zip(listed, parts, strict=True) if w]
        heavy = self._keep(_integers(weights), signed)
        added = [r for r in heavy if r not in self.rectangles]
        self._add(added)
        return self.best.lower < self.best.upper and bool(added)


def _integers(weights: tuple[Fraction, ...]) -> list[int]:
    """Return integers in proportion to weights."""
    unit = lcm(*(w.denominator for w in weights))
    return [int(w * unit) for w in weights]
