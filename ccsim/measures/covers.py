"""Smallest covers and partitions of the inputs of a value by rectangles, by branch and bound.

A node is closed by prices of the inputs, which are dual solutions rounded to integers. Otherwise it
branches on some inputs: either one rectangle contains all of them, or none does.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import reduce
from heapq import heappop, heappush
from itertools import combinations
from math import ceil, floor, isfinite
from operator import or_
from typing import Any, NamedTuple

import highspy
import numpy as np
import numpy.typing as npt

from ccsim.budget import Budget
from ccsim.classes.masks import members
from ccsim.measures.rectangles import Rectangle, Side
from ccsim.parallel.cubes import Data, solved
from ccsim.programs.highs import QuietHighs

_GRID = 1 << 24  # prices are rounded to parts of it
_EPSILON = 1e-6
_WORK = 2_000_000  # entries of linear programs that are solved without cubes: a few seconds
_CUBES = 64
_MOST_WHOLE = 9000  # rectangles of an integer program, whose first node then takes 10 s at most
_WHOLE_WORK = 30_000_000  # its entries times its nodes: a few seconds more
Holds = npt.NDArray[np.bool_]  # for inputs and rectangles, whether one is in the other


class Cover(NamedTuple):
    """Bounds on the number of rectangles, with their proofs."""

    lower: int
    upper: int
    rectangles: tuple[Rectangle, ...]
    nodes: tuple[Any, ...]  # of a tree of cases, as in a certificate


class Case(NamedTuple):
    """A case: each of some sets of inputs is in one rectangle, and none of others is."""

    together: tuple[int, ...] = ()
    apart: tuple[int, ...] = ()

    def divided(self, inputs: int) -> list[Case]:
        """Return the two cases for a set of inputs; the second one is the first of a tree."""
        return [
            Case((*self.together, inputs), self.apart),
            Case(self.together, (*self.apart, inputs)),
        ]


class _Opened(NamedTuple):
    """The relaxation of a case."""

    bound: int
    closed: dict[str, Any]  # the proof of the bound
    together: int | None  # inputs to branch on; None if the bound is enough
    value: float
    entries: int


class _Part:
    """A case that is a cube, or a node of the tree with the parts below it."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.opened: _Opened | None = None  # None for a cube
        self.below: list[_Part] = []

    def cubes(self) -> Iterator[Case]:
        """Yield the cases that are cubes, in the order of the tree."""
        if self.opened is None:
            yield self.case
        for part in self.below:
            yield from part.cubes()

    def merged(self, search: CoverSearch, results: Iterator[Data]) -> tuple[int, list[Any]] | None:
        """Return the bound and the tree of the part, or None for a cube without a result."""
        if self.opened is None:
            return next(results, None)
        below = [part.merged(search, results) for part in self.below]
        known = [each for each in below if each is not None]
        if self.opened.together is None or len(known) < len(below):
            return self.opened.bound, [self.opened.closed]
        first = search.cells(self.opened.together)
        return min(bound for bound, _ in known), [first, *(node for _, t in known for node in t)]


class CoverSearch:
    """A search for the smallest cover or partition of the inputs of a value by rectangles."""

    def __init__(
        self, side: Side, known: dict[int, Rectangle], budget: Budget, *, disjoint: bool
    ) -> None:
        self.side, self.known, self.disjoint, self.budget = side, known, disjoint, budget
        self.masks = [*known]
        self.inputs = [*members(side.inputs)]
        self.best: list[int] = []  # the rectangles of the smallest cover so far
        self.nodes: list[Any] = []
        self.most = len(self.inputs)
        self.holds: Holds = np.array(
            [[bool(m >> i & 1) for m in self.masks] for i in self.inputs], bool
        ).reshape(len(self.inputs), len(self.masks))
        self.together: dict[int, Holds] = {}  # for sets of inputs: which rectangles hold them all

    @property
    def upper(self) -> int:
        """The number of rectangles of the best cover so far."""
        return min(self.most, len(self.best)) if self.best else self.most

    def solve(self, most: int) -> Cover:
        """Return the best bounds within the budget; `most` rectangles are known to suffice."""
        self.most = most
        if not self.inputs:
            return Cover(0, 0, (), ())
        self._improve()
        lower = self.visit(Case(), _WORK)
        if lower is None:
            lower, self.nodes = self._divided()
        chosen = tuple(self.known[m] for m in self.best)
        return Cover(min(lower, self.upper), self.upper, chosen, tuple(self.nodes))

    def visit(self, case: Case, work: int | None = None) -> int | None:
        """Build the tree of a case; return its bound, or None if it needs too much work.

        The work is the sum of the entries of the linear programs.
        """
        self.nodes = []
        lower, left = self.upper, [case]
        while left:
            case = left.pop()
            opened = self._opened(case)
            if work is not None and (work := work - opened.entries) < 0:
                return None
            if opened.together is None or self._is_over():
                self.nodes.append(opened.closed)
                lower = min(lower, opened.bound)
                continue
            self.nodes.append(self.cells(opened.together))
            left += case.divided(opened.together)
        return lower

    def _opened(self, case: Case) -> _Opened:
        """Return the bound of a case, with its proof, and inputs to branch on."""
        kept = np.ones(len(self.masks), bool)
        for inputs in case.apart:
            kept &= ~self._row(inputs)
        allowed = np.flatnonzero(kept)
        rows = np.vstack((self.holds, *map(self._row, case.together)))[:, allowed]
        x, prices = self._relaxed(rows)
        bound, closed = self._closed(rows, prices)
        together = None if bound >= self.upper else self._open(allowed, x)
        return _Opened(bound, closed, together, round(sum(x), 6), rows.size)

    def cells(self, inputs: int) -> list[list[int]]:
        """Return the row and the column of each input of a set."""
        return [[*divmod(i, self.side.width)] for i in members(inputs)]

    def _divided(self) -> tuple[int, list[Any]]:
        """Return the bound and the tree of all cases, which processes share."""
        root = _Part(Case())
        cubes, number = [(0.0, 0, root)], 0
        while cubes and not (root.opened and (len(cubes) >= _CUBES or self.budget.expired)):
            *_, part = heappop(cubes)
            part.opened = opened = self._opened(part.case)
            if opened.together is not None:
                part.below = [_Part(case) for case in part.case.divided(opened.together)[::-1]]
                for below in part.below:
                    number += 1
                    heappush(cubes, (opened.value, number, below))
        side = self.side
        lines = [[[*members(row)] for row in rows] for rows in (side.held, side.barred)]
        shared = [side.value, *lines, side.width, self.disjoint, self.upper]
        merged = root.merged(self, iter(self._results(shared, [*root.cubes()])))
        if merged is None:
            raise AssertionError("a tree of cases has no first node")
        return merged

    def _results(self, shared: Data, cubes: list[Case]) -> list[Data]:
        """Return the bounds and trees of cubes, in order; None for cubes without time.

        In each round, the cubes without a complete tree get equal shares of the remaining nodes.
        """
        data = [[[*members(i)] for i in sets] for case in cubes for sets in case]
        results: list[Data] = [None] * len(cubes)
        nodes, share, left = self.budget.work, 0, [*range(len(cubes))]
        with self.budget:
            while left and 4 * (nodes // len(left)) > 5 * share:
                share = nodes // len(left)
                tasks = [[share, *data[2 * i : 2 * i + 2]] for i in left]
                found = solved(CoverCubes, shared, tasks, self.budget)
                for i, result in zip(left, found, strict=True):
                    results[i] = result
                sizes = {i: len(results[i][1]) for i in left}
                nodes -= sum(size for size in sizes.values() if size < share)
                left = [i for i, size in sizes.items() if size >= share]
        return results

    def _row(self, together: int) -> Holds:
        """Return, for each rectangle, whether it contains all of the given inputs."""
        if together not in self.together:
            chosen = [self.inputs.index(i) for i in members(together)]
            self.together[together] = np.asarray(self.holds[chosen].all(axis=0))
        return self.together[together]

    def _is_over(self) -> bool:
        return self.budget.expired or len(self.nodes) >= self.budget.work

    def _improve(self) -> None:
        """Find a small cover, greedily and with programs in floats.

        The limits of the programs are not times, so that the result is the same on a busy machine.
        """
        left = self.side.inputs
        while left:
            fit = (m for m in self.masks if not (self.disjoint and m & ~left))
            best = max(fit, key=lambda m: (m & left).bit_count())
            self.best.append(best)
            left &= ~best
        self._keep(self._by_relaxations())
        if len(self.masks) <= _MOST_WHOLE:
            highs = self._program(self.holds, integral=True)
            highs.setOptionValue("mip_max_nodes", _WHOLE_WORK // self.holds.size)
            highs.setOptionValue("parallel", "off")
            if self.budget.limited:
                highs.setOptionValue("time_limit", self.budget.remaining)
            highs.run()
            values = highs.getSolution().col_value
            self._keep([m for m, v in zip(self.masks, values, strict=False) if v > 0.5])

    def _keep(self, chosen: list[int]) -> None:
        """Store rectangles if they are a smaller cover."""
        total = reduce(or_, chosen, 0)
        fits = total == self.side.inputs
        if self.disjoint:
            fits = fits and sum(map(int.bit_count, chosen)) == total.bit_count()
        if fits and len(chosen) < len(self.best):
            self.best = chosen

    def _by_relaxations(self) -> list[int]:
        """Choose the heaviest rectangles of relaxations for the inputs that are left, in turn."""
        chosen, allowed = list[int](), np.arange(len(self.masks))
        left: Holds = np.ones(len(self.inputs), bool)
        while left.any() and len(allowed) and not self.budget.expired:
            x = np.array(self._relaxed(self.holds[np.ix_(left, allowed)])[0])
            heavy = np.flatnonzero(x > 1 - _EPSILON)
            chosen += allowed[heavy if len(heavy) else [x.argmax()]].tolist()
            left = np.asarray(~self.holds[:, chosen].any(axis=1))
            useful = np.asarray(self.holds[left].any(axis=0))
            if self.disjoint:
                useful &= ~self.holds[~left].any(axis=0)
            allowed = allowed[useful[allowed]]
        return [self.masks[j] for j in chosen]

    def _program(self, rows: Holds, *, integral: bool) -> QuietHighs:
        """Return the program: a variable for each rectangle, and a costly slack for each row."""
        m, n = rows.shape
        entries = np.hstack((rows, np.eye(m, dtype=bool)))
        starts, index = np.append(0, entries.sum(axis=1).cumsum()), np.nonzero(entries)[1]
        infinity, highs = highspy.kHighsInf, QuietHighs()
        ends = (np.zeros(n + m), np.full(n + m, 1.0 if integral else infinity))
        sums = (np.ones(m), np.full(m, 1.0 if self.disjoint else infinity))
        costs = [1.0] * n + [10.0 * self.upper] * m
        highs.pass_rows(costs, ends, sums, (starts, index, np.ones(len(index))))
        if integral:
            kinds = np.full(n + m, highspy.HighsVarType.kInteger)
            highs.changeColsIntegrality(n + m, np.arange(n + m, dtype=np.int32), kinds)
        return highs

    def _relaxed(self, rows: Holds) -> tuple[list[float], list[float]]:
        """Solve the relaxation in floats; return weights of rectangles and prices of the rows."""
        highs = self._program(rows, integral=False)
        highs.run()
        found = highs.getSolution()
        return list(found.col_value)[: rows.shape[1]], list(found.row_dual)

    def _closed(self, rows: Holds, prices: list[float]) -> tuple[int, dict[str, Any]]:
        """Return the bound of the rounded prices, and its proof in the format of certificates."""
        whole = [floor(p * _GRID) if isfinite(p) else 0 for p in prices]
        whole = whole if self.disjoint else [max(0, w) for w in whole]
        top = int((np.array(whole) @ rows).max(initial=0))
        bound = max(0, ceil(Fraction(sum(whole), max(1, top))))
        n = len(self.inputs)
        ours = [
            [*divmod(i, self.side.width), w] for i, w in zip(self.inputs, whole, strict=False) if w
        ]
        return bound, {"weights": ours, "pairs": whole[n:]}

    def _open(self, allowed: npt.NDArray[np.int64], x: list[float]) -> int | None:
        """Return inputs to branch on; the rectangles containing all of them weigh about 1/2.

        Return None if the weights of all rectangles are integers.
        """
        sums: dict[int, float] = {}
        used = [(self.masks[j], v) for j, v in zip(allowed, x, strict=True) if v > _EPSILON]
        for m, v in used:
            for i, j in combinations(members(m), 2):
                pair = 1 << i | 1 << j
                sums[pair] = sums.get(pair, 0.0) + v
        open_ = {p: abs(v - 0.5) for p, v in sums.items() if v < 1 - _EPSILON}
        if open_:
            return min(open_, key=lambda p: (open_[p], p))
        whole = [(abs(v - 0.5), m) for m, v in used if v < 1 - _EPSILON and m.bit_count() > 1]
        return min(whole)[1] if whole else None


class CoverCubes:
    """The search that answers cubes of a search for covers."""

    def __init__(self, shared: Data) -> None:
        value, held, barred, width, disjoint, most = shared
        ours, others = (tuple(sum(1 << y for y in row) for row in rows) for rows in (held, barred))
        side = Side(value, ours, others, width)
        known = side.every(Budget()) if disjoint else side.maximal(Budget())
        self._search = CoverSearch(side, known or {}, Budget(), disjoint=disjoint)
        self._search.most = most

    def __call__(self, cube: Data, budget: Budget) -> Data:
        """Return the bound and the tree of a case, with at most about the given number of nodes."""
        nodes, *written = cube
        case = Case(*(tuple(sum(1 << i for i in each) for each in sets) for sets in written))
        self._search.budget = budget.share(work=nodes)
        lower = self._search.visit(case)
        budget.spend()  # without time, the tree is not complete
        return [lower, self._search.nodes]
