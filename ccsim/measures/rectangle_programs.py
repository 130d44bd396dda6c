"""Linear programs over weights of rectangles: the rectangle bounds and the partition bound.

Each constraint is a *term*: at one input, a combination of the weights of the rectangles that
contain it is at least, or exactly, a number. A *layer* consists of the rectangles with one value. A
dual solution is a set of weights of inputs such that no rectangle weighs more than 1. Rectangles
that weigh more are added until there are none.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import chain, count
from math import floor, gcd, isfinite, lcm
from typing import Any, NamedTuple

import highspy
import numpy as np
import numpy.typing as npt

from ccsim.budget import Budget
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.signed_rectangles import heaviest
from ccsim.errors import CertificateError
from ccsim.programs.highs import QuietHighs, Suggestion, suggest
from ccsim.programs.integer_program import Basis, IntegerProgram, Optimum
from ccsim.programs.program import solve_integer_program

_ROUND = 24  # rectangles of a layer that are added at once
_CLOSE = 1e-9
_PART = 0.3  # of the optimum in the weights of inputs under which rectangles are weighed
_LIGHTEN, _LIGHT = 10, 1e-4  # after how many rounds rectangles are removed, and which
_PROOFS = 12  # exact solutions of programs
_GRID = 1 << 40
Rectangle = tuple[int, int, int]  # its layer, and the masks of its rows and columns
Weighed = dict[Rectangle, int]


class Term(NamedTuple):
    """The condition that a signed sum over layers, at one input, is at least ``least``.

    In each layer, the weights of the rectangles that contain the input are added. If `exactly`
    is true, the signed sum must equal ``least``.
    """

    cell: tuple[int, int]
    signs: tuple[int, ...]
    least: Fraction
    exactly: bool = False


class Layers(NamedTuple):
    """The terms, and the layer in which a rectangle of a single input helps to satisfy them."""

    shape: tuple[int, int]
    terms: tuple[Term, ...]
    own: dict[tuple[int, int], int]


class Weights(NamedTuple):
    """Bounds, and the weights that prove them.

    The weights of rectangles are in parts of a unit; inputs have a weight in each layer.
    """

    lower: Fraction
    upper: Fraction
    unit: int
    rectangles: Weighed
    inputs: tuple[npt.NDArray[Any], ...]

    def weights(self) -> list[tuple[int, int, list[int]]]:
        """Return, for each input, its weights in all layers."""
        cells = np.ndindex(self.inputs[0].shape) if self.inputs else ()
        return [(x, y, [int(layer[x, y]) for layer in self.inputs]) for x, y in cells]


def of_value(problem: CommunicationProblem, value: int, error: Fraction, *, smooth: bool) -> Layers:
    """Return the program of the rectangle bound, or of the smooth rectangle bound, of a value."""
    terms, own = list[Term](), dict[tuple[int, int], int]()
    for cell, entry in _entries(problem):
        if entry == value:
            own[cell] = 0
            terms.append(Term(cell, (1,), 1 - error))
            terms += [Term(cell, (-1,), Fraction(-1))] * smooth
        elif entry is not None:
            terms.append(Term(cell, (-1,), -error))
    return Layers((len(problem.alice), len(problem.bob)), tuple(terms), own)


def of_partition(problem: CommunicationProblem, error: Fraction) -> Layers:
    """Return the program of the partition bound; there is one layer for each value."""
    terms, own = list[Term](), dict[tuple[int, int], int]()
    for cell, entry in _entries(problem):
        own[cell] = entry or 0
        terms.append(Term(cell, (1, 1), Fraction(1), exactly=True))
        if entry is not None:
            terms.append(Term(cell, (-entry, entry - 1), -error))
    return Layers((len(problem.alice), len(problem.bob)), tuple(terms), own)


def _entries(problem: CommunicationProblem) -> Iterable[tuple[tuple[int, int], int | None]]:
    for x, (row, inside) in enumerate(zip(problem.ones, problem.promise, strict=True)):
        for y in range(len(problem.bob)):
            yield (x, y), row >> y & 1 if inside >> y & 1 else None


def solved(layers: Layers, budget: Budget) -> Weights:
    """Return bounds on the least total weight, which coincide unless time runs out."""
    program = _Program(layers)
    share = budget.share(0.6)
    with share:
        program.grow(share)
    program.suggest()
    with budget:
        for _ in range(_PROOFS):
            budget.spend()
            if program.best.lower == program.best.upper or not program.prove(budget):
                break
    return program.best


def _plain(own: dict[tuple[int, int], int]) -> list[Rectangle]:
    """Return, for each layer, its inputs as rectangles, and its part of each row and column."""
    rows, columns = dict[tuple[int, int], int](), dict[tuple[int, int], int]()
    for (x, y), layer in own.items():
        rows[layer, x] = rows.get((layer, x), 0) | 1 << y
        columns[layer, y] = columns.get((layer, y), 0) | 1 << x
    return [
        *((layer, 1 << x, 1 << y) for (x, y), layer in own.items()),
        *((layer, 1 << x, ys) for (layer, x), ys in rows.items()),
        *((layer, xs, 1 << y) for (layer, y), xs in columns.items()),
    ]


class _Program:
    """A linear program for weights of inputs, with a constraint for each known rectangle."""

    def __init__(self, layers: Layers) -> None:
        self.layers, terms = layers, layers.terms
        self.cells = [np.array([t.cell[i] for t in terms], np.int64) for i in (0, 1)]
        self.signs = [np.array(signs) for signs in zip(*(t.signs for t in terms), strict=True)]
        self.unit = lcm(*(t.least.denominator for t in terms))
        self.least = np.array([int(t.least * self.unit) for t in terms], object)
        self.free = np.array([t.exactly for t in terms])
        # a weight that costs nothing is large, so that rectangles with its input weigh nothing
        self.large = np.where(self.least == 0, float(len(terms)), 0.0)
        self.rectangles: dict[Rectangle, None] = {}  # in the order of the rows of the program
        self.best = Weights(Fraction(0), Fraction(len(terms)), 1, {}, ())
        infinity, self.highs = highspy.kHighsInf, QuietHighs()
        ends = (
            np.where(self.free, -infinity, self.large),
            np.where(self.least == 0, self.large, infinity),
        )
        self.highs.pass_rows(-self.costs, ends, ([], []), (np.zeros(1), [], []))
        self._add(_plain(layers.own))
        self.center = self.large
        self._keep_rectangles({}, 1)

    @property
    def costs(self) -> npt.NDArray[np.float64]:
        """The right-hand sides of the terms, in floats."""
        return np.array([least / self.unit for least in self.least], float)

    def _held(self, rectangle: Rectangle) -> npt.NDArray[np.int64]:
        """Return the indices of the terms to which a rectangle contributes."""
        layer, *sides = rectangle
        held = self.signs[layer] != 0
        for at, side, n in zip(self.cells, sides, self.layers.shape, strict=True):
            held &= np.array([side >> i & 1 for i in range(n)], bool)[at]
        return np.flatnonzero(held)

    def _add(self, rectangles: Iterable[Rectangle]) -> bool:
        """Require that rectangles weigh at most 1; return whether any of them is new."""
        number = len(self.rectangles)
        for rectangle in rectangles:
            if rectangle not in self.rectangles:
                self.rectangles[rectangle] = None
                held = self._held(rectangle)
                signs = self.signs[rectangle[0]][held].astype(float)
                infinity = highspy.kHighsInf
                self.highs.addRow(-infinity, 1.0, len(held), held.astype(np.int32), signs)
        return len(self.rectangles) > number

    def _weighed(self, weights: npt.NDArray[Any]) -> list[npt.NDArray[Any]]:
        """Return the weight of each input in each layer."""
        found = [np.zeros(self.layers.shape, weights.dtype) for _ in self.signs]
        for matrix, signs in zip(found, self.signs, strict=True):
            np.add.at(matrix, tuple(self.cells), signs * weights)
        return found

    def _heavy(self, weights: npt.NDArray[Any]) -> list[tuple[Any, Rectangle]]:
        """Return the heaviest rectangles of each layer, with their weights."""
        layers = enumerate(self._weighed(weights))
        return [(w, (k, *r)) for k, one in layers for w, _, r in heaviest(one, _ROUND, (1,))]

    def grow(self, budget: Budget) -> None:
        """Add rectangles that weigh more than 1 until there are none."""
        reached, last = 0.0, np.inf
        for step in count(1):
            budget.spend()
            self.highs.setOptionValue("time_limit", self.highs.getRunTime() + budget.remaining)
            self.highs.run()
            own = np.array(self.highs.getSolution().col_value)
            value = float(self.costs @ own)
            up = np.where(self.large, 1.0, value / reached if reached else 1.0)
            for part in (_PART, 1.0) if value - reached > _CLOSE else (1.0,):
                tried = part * own + (1 - part) * up * self.center
                heavy = self._heavy(tried)
                scale = max(1.0, *(float(w) for w, _ in heavy))
                if (gain := float(self.costs @ tried) / scale) > reached:
                    reached, self.center = gain, np.where(self.large, tried, tried / scale)
                if self._add(r for w, r in heavy if w > 1 + _CLOSE):
                    break
            else:
                return
            if step % _LIGHTEN == 0 and value < last - _CLOSE:
                last = value
                self._lighten()

    def _lighten(self) -> None:
        """Remove the rectangles that weigh less than 1 in the last program, if they are many."""
        pairs = enumerate(zip(self.rectangles, self.highs.getSolution().row_value, strict=False))
        light = [(i, r) for i, (r, w) in pairs if w < 1 - _LIGHT]
        if len(light) > len(self.free):
            for _, rectangle in light:
                del self.rectangles[rectangle]
            self.highs.deleteRows(len(light), np.array([i for i, _ in light], np.int32))

    def suggest(self) -> None:
        """Prove the bounds that the rounded optimum of the last program suggests."""
        found = self.highs.getSolution()
        prices = [abs(p) if isfinite(p) else 0.0 for p in found.row_dual]
        pairs = zip(self.rectangles, prices, strict=False)
        whole = {r: floor(p * _GRID) * self.unit for r, p in pairs if p * _GRID >= 1}
        self._keep_rectangles(whole, _GRID * self.unit)
        for each in (self.center, np.array(found.col_value)):
            self._keep_inputs(np.array([floor(v * _GRID) for v in each.tolist()], object))

    def _keep_inputs(self, whole: npt.NDArray[Any]) -> list[Rectangle]:
        """Store weights of inputs if they improve the bound; return the heaviest rectangles."""
        whole = np.where(self.free, whole, np.maximum(whole, 0))
        total = int(abs(whole).sum())
        whole = np.where(self.large, total, whole)
        if total * len(whole) >> 62 == 0:
            whole = whole.astype(np.int64)
        heavy = self._heavy(whole)
        gain = int(sum(w * c for w, c in zip(whole.tolist(), self.least.tolist(), strict=True)))
        lower = Fraction(gain, self.unit * max(1, *(int(w) for w, _ in heavy)))
        if lower > self.best.lower:
            whole = whole // gcd(*whole.tolist())
            self.best = self.best._replace(lower=lower, inputs=tuple(self._weighed(whole)))
        return [r for _, r in heavy]

    def _sums(self, weights: Weighed) -> npt.NDArray[Any]:
        """Return the value of each term's signed sum."""
        sums = np.zeros(len(self.free), object)
        for rectangle, w in weights.items():
            held = self._held(rectangle)
            sums[held] += self.signs[rectangle[0]][held].astype(object) * w
        return sums

    def _keep_rectangles(self, weights: Weighed, unit: int) -> None:
        """Make weights of rectangles feasible, and store them if they improve the upper bound.

        The weights are scaled down to satisfy the terms that bound sums from above: exact terms and
        terms without a positive sign. Then rectangles of single inputs are added for other terms.
        """
        least = self.least * (unit // self.unit)
        limited = self.free | (np.max(self.signs, axis=0) <= 0)
        pairs = zip(
            abs(least[limited]).tolist(), abs(self._sums(weights)[limited]).tolist(), strict=True
        )
        part = min(
            (Fraction(most, held) for most, held in pairs if held > most), default=Fraction(1)
        )
        fit = {r: w * part.numerator // part.denominator for r, w in weights.items()}
        missing = least - self._sums(fit)
        for term, lack in zip(self.layers.terms, missing.tolist(), strict=True):
            if lack > 0:
                x, y = term.cell
                single = (self.layers.own[term.cell], 1 << x, 1 << y)
                fit[single] = fit.get(single, 0) + lack
        upper = Fraction(sum(fit.values()), unit)
        if upper < self.best.upper or not self.best.rectangles:
            common = gcd(unit, *fit.values())
            used = {r: w // common for r, w in fit.items() if w}
            self.best = self.best._replace(upper=upper, unit=unit // common, rectangles=used)

    def _seconds(self) -> float:
        """Return an estimate of the time for weighing all rectangles with long integers."""
        short, long = sorted(self.layers.shape)
        return 1e-6 * len(self.signs) * long * 2.0**short

    def _last(self) -> Suggestion:
        """Return the final basis of the program in floats, with rows and columns exchanged."""
        found, basic = self.highs.getBasis(), highspy.HighsBasisStatus.kBasic
        columns = tuple(j for j, status in enumerate(found.row_status) if status != basic)
        tight = tuple(i for i, status in enumerate(found.col_status) if status == basic)
        return Suggestion(Basis(columns, tight), optimal=True, x=(), y=())

    def prove(self, budget: Budget) -> bool:
        """Prove bounds by the exact program of all known rectangles; add heavier rectangles.

        Return whether any rectangle is new.
        """
        if self._seconds() > budget.remaining:
            return False
        rows: list[dict[int, int]] = [{} for _ in self.layers.terms]
        for j, rectangle in enumerate(self.rectangles):
            held = self._held(rectangle)
            for i, sign in zip(held.tolist(), self.signs[rectangle[0]][held].tolist(), strict=True):
                rows[i][j] = sign
        n, least = len(self.rectangles), self.least.tolist()
        most = [a if exactly else None for a, exactly in zip(least, self.free, strict=True)]
        program = IntegerProgram.from_rows(rows, [1] * n, [0] * n + least, [None] * n + most)
        suggestions = chain([self._last()], suggest(program, budget))
        end = solve_integer_program(program, suggestions, budget)
        if not isinstance(end, Optimum):
            msg = "a program of rectangles ended without an optimum"
            raise CertificateError(msg)
        pairs = zip(self.rectangles, end.x, strict=True)
        self._keep_rectangles({r: int(w) for r, w in pairs if w}, int(end.x_scale) * self.unit)
        return self._add(self._keep_inputs(np.array([int(w) for w in end.y], object)))
