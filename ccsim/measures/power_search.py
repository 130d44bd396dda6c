"""The fractional partition number of a power of a problem, by column generation over types.

The weight of a rectangle is spread evenly over its orbit. Then each input of a type is covered with
the same weight, so there is one equation for each type. A dual solution has one weight for each
type, and no rectangle may weigh more than 1. In floats, rectangles that weigh more are found by
choosing the best columns for some rows and the best rows for these columns in turn. In integers,
`heavy_sets` finds all of them.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import reduce
from itertools import combinations_with_replacement, count
from math import ceil, comb, factorial, floor, gcd, isfinite, lcm, prod
from typing import NamedTuple

import highspy
import numpy as np
import numpy.typing as npt

from ccsim.budget import Budget, OutOfWorkError
from ccsim.errors import CertificateError
from ccsim.measures.heavy_sets import heavy_sets
from ccsim.measures.powers import Power, Product, mean_weights, product_weights
from ccsim.measures.rectangles import Side
from ccsim.programs.highs import QuietHighs, Suggestion, suggest
from ccsim.programs.integer_program import Basis, IntegerProgram, Optimum
from ccsim.programs.program import solve_integer_program

MOST_LINES = 32
"""Groups of lines of the shorter side of a product up to which all heavy rectangles are listed."""
_CLOSE, _NOISE = 1e-8, 1e-12
_FEW, _MANY = 16, 1024  # sets of rows of each product from which a round starts
_ENTRIES = 1 << 24  # of weights, times sets of rows that are improved at once
_SHORT = 3  # seconds in which at most a part of the first bounds is found
_AT_ONCE = 5  # rectangles of a product that a round adds
_GRID = 1 << 40
_BITS = 60  # of sums of weights in integers
_LISTED = 1 << 12  # heavy sets of a product that are listed
_WORK = 1 << 36  # sums of weights without a time limit, half a minute
_PROOF = 90_000_000  # sums that the check of a certificate repeats
_RATE = 2_000_000  # of these sums in each second that is left
_SLACK = (300, 250, 200, 175, 150, 140, 130, 125, 120, 115, 110, 107, 105, 102, 101, 100)  # percent
_TABLES = 1 << 18  # entries of a product for which subsets of columns are tabulated
Booleans = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Sides = tuple[Booleans, Booleans]
Counts = tuple[int, ...]  # inputs of each type in a rectangle


class Rectangle(NamedTuple):
    """Groups of rows and of columns of a product, and the inputs of each type in the rectangle."""

    product: int
    rows: Booleans
    columns: Booleans
    counts: Counts


class PowerBounds(NamedTuple):
    """Bounds on the fractional partition number of a power, with their proofs.

    The orbits of rectangles have weights in parts of a unit. Inputs of a type have a weight; every
    rectangle weighs at most ``heaviest``.
    """

    lower: Fraction
    upper: Fraction
    unit: int
    rectangles: tuple[tuple[Rectangle, int], ...]
    weights: tuple[int, ...]
    heaviest: int


class PowerSearch:
    """The known rectangles of a power, and the best bounds."""

    def __init__(self, power: Power) -> None:
        self.power = power
        self.sizes = np.array(power.sizes, object)
        self.known: dict[Counts, Rectangle] = {}  # in the order of the rows of the program
        self.lists: list[list[Booleans]] = [[] for _ in power.products]  # their rows, by product
        self.highs, infinity, n = QuietHighs(), highspy.kHighsInf, len(power.sizes)
        empty: list[float] = []
        ends = np.full(n, -infinity), np.full(n, infinity)
        self.highs.pass_rows(-self.sizes.astype(float), ends, (empty, empty), (np.zeros(1), [], []))
        self.singles = self._singles()
        self.draws = np.random.default_rng(0)
        for rectangle in self.singles:
            self._add(rectangle)
        none = (0,) * len(power.sizes)
        self.best = PowerBounds(Fraction(0), Fraction(sum(power.sizes) + 1), 1, (), none, 1)
        self._keep_rectangles(*self._filled({}))

    def multiply(self, part: PowerBounds, budget: Budget) -> None:
        """Store the upper bound by products of rectangles of the first power and their weights."""
        k, whole = self.power.k, dict[Counts, int]()
        place = {one.factors: i for i, one in enumerate(self.power.products)}
        kept = sorted(part.rectangles, key=lambda one: one[0].product)
        for chosen in budget.each(combinations_with_replacement(kept, k)):
            number = place[tuple(r.product for r, _ in chosen)]
            rows = reduce(np.kron, [r.rows for r, _ in chosen])
            columns = reduce(np.kron, [r.columns for r, _ in chosen])
            found = self._rectangle(number, (rows, columns))
            self._add(found)
            orders = factorial(k) // prod(factorial(n) for n in Counter(map(id, chosen)).values())
            weight = orders * prod(w for _, w in chosen)
            whole[found.counts] = whole.get(found.counts, 0) + weight
        self._keep_rectangles(whole, part.unit**k)

    def solve(self, budget: Budget) -> PowerBounds:
        """Return the best bounds within the budget; those of small powers coincide."""
        budget.report(self.best.lower, self.best.upper)
        small = all(min(p.types.shape) <= MOST_LINES for p in self.power.products)
        growing = budget.share(0.5 if small else 0.8)
        with growing:
            self._grow(growing)
        with budget:
            self._round(budget)
            if small:
                self._prove(budget)
        if self.best.lower < self.best.upper:
            with budget:
                self._prove_approximately(budget)
        return self.best

    def _singles(self) -> list[Rectangle]:
        """Return, for each type, a rectangle that contains only inputs of this type."""
        found: dict[int, Rectangle] = {}
        for number, one in enumerate(self.power.products):
            kinds, places = np.unique(one.types, return_index=True)
            for kind, place in zip(kinds.tolist(), places.tolist(), strict=True):
                if kind not in found:
                    m, n = one.types.shape
                    x, y = divmod(place, n)
                    sides = np.arange(m) == x, np.arange(n) == y
                    found[kind] = self._rectangle(number, sides)
        return [found[kind] for kind in range(len(self.sizes))]

    def _rectangle(self, number: int, sides: Sides) -> Rectangle:
        counts = self.power.products[number].counts(*sides).tolist()
        counts += [0] * (len(self.sizes) - len(counts))
        return Rectangle(number, *sides, tuple(counts))

    def _add(self, rectangle: Rectangle) -> bool:
        """Require that a rectangle weighs at most 1; return whether it is new."""
        if rectangle.counts in self.known:
            return False
        self.known[rectangle.counts] = rectangle
        self.lists[rectangle.product].append(rectangle.rows)
        held = np.array(rectangle.counts, float)
        kinds = np.flatnonzero(held).astype(np.int32)
        self.highs.addRow(-highspy.kHighsInf, 1.0, len(kinds), kinds, held[kinds])
        return True

    def _run(self, budget: Budget) -> Floats:
        """Solve the program of the known rectangles in floats; return the weights of the types."""
        self.highs.setOptionValue("time_limit", self.highs.getRunTime() + budget.remaining)
        self.highs.run()
        return np.array(self.highs.getSolution().col_value)

    def _grow(self, budget: Budget) -> None:
        """Add rectangles that weigh more than 1 until no search finds any."""
        starts = _FEW
        while starts <= _MANY:
            budget.spend()
            weights, new = self._run(budget), 0
            for number in self.power.leading:
                heavy = self._heavy(number, weights, starts, budget)
                new += sum([self._add(rectangle) for rectangle in heavy])
            starts = max(_FEW, starts // 2) if new else 2 * starts

    def _heavy(self, number: int, weights: Floats, starts: int, budget: Budget) -> list[Rectangle]:
        """Return some of the rectangles of a product that weigh more than 1, heaviest first."""
        one = self.power.products[number]
        matrix = weights[one.types] * np.outer(one.heights, one.widths)
        known, found = self._starts(number, starts).astype(float), dict[float, Sides]()
        for part in np.array_split(known, len(known) * matrix.size // _ENTRIES + 1):
            budget.spend()
            values, rows, columns = _improved(matrix, part)
            for i in np.flatnonzero(values > 1 + _CLOSE).tolist():
                found.setdefault(round(float(values[i]), 9), (rows[i], columns[i]))
        best = sorted(found, reverse=True)[:_AT_ONCE]
        return [self._rectangle(number, found[value]) for value in best]

    def _starts(self, number: int, starts: int) -> Booleans:
        """Return sets of rows: random ones, symmetric ones, and some near those of rectangles."""
        one = self.power.products[number]
        m = len(one.types)
        random = self.draws.random((starts, m)) < self.draws.random((starts, 1))
        kinds = self.draws.standard_normal((starts, len(self.sizes)))
        totals = np.zeros((starts, m))
        for y in self.draws.integers(one.types.shape[1], size=min(8, one.types.shape[1])).tolist():
            totals += kinds[:, one.types[:, y]]
        middle = np.quantile(totals, self.draws.random(), axis=1, keepdims=True)
        parts = [random, totals >= middle]
        if lists := self.lists[number]:
            chosen = np.array([lists[i] for i in self.draws.integers(len(lists), size=starts)])
            parts.append(chosen ^ (self.draws.random((starts, m)) < 2 / m))
        return np.concatenate(parts)

    def _round(self, budget: Budget) -> None:
        """Store the upper bound that the rounded optimum of the last program suggests."""
        budget.spend()
        self._run(budget)
        prices = [abs(p) if isfinite(p) else 0.0 for p in self.highs.getSolution().row_dual]
        whole = {c: floor(p * _GRID) for c, p in zip(self.known, prices, strict=False)}
        whole = {c: w for c, w in whole.items() if w}
        held = self._held(whole)
        pairs = zip((self.sizes * _GRID).tolist(), held.tolist(), strict=True)
        part = min((Fraction(size, h) for size, h in pairs if h > size), default=Fraction(1))
        whole = {c: w * part.numerator // part.denominator for c, w in whole.items()}
        self._keep_rectangles(*self._filled(whole))

    def _held(self, whole: dict[Counts, int]) -> npt.NDArray[np.object_]:
        """Return, for each type, the total weight of its inputs in the rectangles."""
        return sum((np.array(c, object) * w for c, w in whole.items()), 0 * self.sizes)

    def _filled(self, whole: dict[Counts, int]) -> tuple[dict[Counts, int], int]:
        """Return weights that cover every input, and their unit; inputs of one type are added."""
        held = self._held(whole)
        own = [single.counts[kind] for kind, single in enumerate(self.singles)]
        parts = lcm(*own)
        filled = {c: w * parts for c, w in whole.items()}
        lack = ((self.sizes * _GRID - held) * parts).tolist()
        for single, missing, number in zip(self.singles, lack, own, strict=True):
            filled[single.counts] = filled.get(single.counts, 0) + missing // number
        return filled, _GRID * parts

    def _keep_rectangles(self, whole: dict[Counts, int], unit: int) -> None:
        upper = Fraction(sum(whole.values()), unit)
        if upper < self.best.upper:
            common = gcd(unit, *whole.values())
            used = tuple((self.known[c], w // common) for c, w in whole.items() if w)
            self.best = self.best._replace(upper=upper, unit=unit // common, rectangles=used)

    def keep_weights(self, weights: list[int], heaviest: int) -> None:
        """Store weights of types if they improve the lower bound; no rectangle is heavier."""
        total = sum(size * w for size, w in zip(self.power.sizes, weights, strict=True))
        lower = Fraction(total, heaviest)
        if lower > self.best.lower:
            common = gcd(heaviest, *weights)
            used = tuple(w // common for w in weights)
            self.best = self.best._replace(lower=lower, weights=used, heaviest=heaviest // common)

    def _prove(self, budget: Budget) -> None:
        """Solve the program exactly, and add rectangles until none weighs more than 1."""
        work = budget.share(work=_WORK)
        try:
            while self._extend([*map(Fraction, self._run(budget).tolist())], work, None):
                pass
            while True:
                optimum = self._exact(budget)
                budget.report(self.best.lower, self.best.upper)
                weights = [Fraction(int(y), int(optimum.y_scale)) for y in optimum.y]
                if not self._extend(weights, work, _LISTED):
                    self.keep_weights([int(y) for y in optimum.y], int(optimum.y_scale))
                    return
        except OutOfWorkError:
            return

    def _exact(self, budget: Budget) -> Optimum:
        """Solve the program of the known rectangles exactly; store the upper bound."""
        kept, sizes = [*self.known.values()], self.sizes.tolist()
        rows = [
            {j: r.counts[kind] for j, r in enumerate(kept) if r.counts[kind]}
            for kind in range(len(sizes))
        ]
        ends = [0] * len(kept) + sizes, [None] * len(kept) + sizes
        program = IntegerProgram.from_rows(rows, [1] * len(kept), *ends)
        end = solve_integer_program(program, [self._last(), *suggest(program, budget)], budget)
        if not isinstance(end, Optimum):
            msg = "a program of rectangles ended without an optimum"
            raise CertificateError(msg)
        pairs = zip(self.known, end.x, strict=True)
        self._keep_rectangles({c: int(w) for c, w in pairs if w}, int(end.x_scale))
        return end

    def _last(self) -> Suggestion:
        """Return the final basis of the program in floats, with rows and columns exchanged."""
        found, basic = self.highs.getBasis(), highspy.HighsBasisStatus.kBasic
        columns = tuple(j for j, status in enumerate(found.row_status) if status != basic)
        tight = tuple(i for i, status in enumerate(found.col_status) if status == basic)
        return Suggestion(Basis(columns, tight), optimal=True, x=(), y=())

    def _extend(self, weights: list[Fraction], work: Budget, most: int | None) -> bool:
        """Add rectangles that weigh more than 1; return whether any rectangle is new.

        If ``most`` is given, the weights satisfy the constraints of all known rectangles, and the
        answer no is proved. The search rounds weights up, so it finds a superset of the heavy sets.
        """
        limit, new = Fraction(1) if most else Fraction(1 + 10 * _CLOSE), 0
        for number in self.power.leading:
            search = _Sides(self.power, self.power.products[number], weights)
            sets, is_all = search.heavy(limit, most or 4 * _AT_ONCE, work)
            heavy = [self._rectangle(number, search.rectangle(rows)) for rows in sets]
            heavy = [r for r in heavy if _weight(r, weights) > 1]
            added = sum([self._add(r) for r in heavy])
            if most and (added < len({r.counts for r in heavy}) or not (is_all or heavy)):
                raise OutOfWorkError
            new += added
        return new > 0

    def _prove_approximately(self, budget: Budget) -> None:
        """Store the lower bound of rounded weights, with an upper bound on heaviest rectangles."""
        weights = [Fraction(floor(w * _GRID), _GRID) for w in self._run(budget).tolist()]
        self.weigh(weights, budget)

    def weigh(self, weights: list[Fraction], budget: Budget) -> None:
        """Store the lower bound of weights, with an upper bound on the weight of a rectangle."""
        kept = [self.power.products[i] for i in self.power.leading]
        if max(one.types.size for one in kept) > _TABLES:
            return
        unit = lcm(*(w.denominator for w in weights))
        searches = [_Sides(self.power, one, weights) for one in kept]
        try:
            for slack in (Fraction(percent, 100) for percent in _SLACK):
                work = budget.share(work=int(min(_PROOF, _RATE * budget.remaining)))
                if not all(search.heavy(slack, 1, work)[1] for search in searches):
                    return
                scale = unit * slack.denominator
                self.keep_weights([int(w * scale) for w in weights], int(slack * scale))
        except OutOfWorkError:
            return


def _improved(matrix: Floats, rows: Floats) -> tuple[Floats, Booleans, Booleans]:
    """Choose the best columns for sets of rows and the best rows for them, until none improves."""
    last = np.full(len(rows), -np.inf)
    for _ in count():
        columns = (rows @ matrix > _NOISE).astype(float)
        sums = columns @ matrix.T
        rows, values = (sums > _NOISE).astype(float), np.maximum(sums, 0).sum(axis=1)
        if (values <= last + _NOISE).all():
            break
        last = values
    return values, rows > 0, columns > 0


def _weight(rectangle: Rectangle, weights: list[Fraction]) -> Fraction:
    pairs = zip(rectangle.counts, weights, strict=True)
    return sum((number * w for number, w in pairs if number), Fraction(0))


class _Sides:
    """The weights of a product in integers, rounded up, with the shorter side as rows."""

    def __init__(self, power: Power, one: Product, weights: list[Fraction]) -> None:
        inputs = int(one.heights.sum() * one.widths.sum())
        largest = max(1, ceil(max(map(abs, weights))))
        self.scale = (1 << _BITS) // (inputs * largest)
        rounded = np.array([ceil(w * self.scale) for w in weights], np.int64)
        matrix = rounded[one.types] * np.outer(one.heights, one.widths)
        self.axis = int(one.types.shape[1] < one.types.shape[0])
        self.orders = [power.in_order(one, matrix, axis) for axis in (0, 1)]
        places = np.ix_(*self.orders)
        self.weights, kinds = matrix[places], one.types[places]
        self.heights = [one.heights, one.widths][self.axis][self.orders[self.axis]]
        if self.axis:
            self.weights, kinds = self.weights.T, kinds.T
        unit = lcm(*(w.denominator for w in weights))
        self.exact = np.array([int(w * unit) for w in weights], object)
        self.kinds = kinds
        self.moved = power.moved(one, self.axis, self.orders[self.axis])

    def heavy(self, limit: Fraction, most: int, work: Budget) -> tuple[npt.NDArray[np.uint8], bool]:
        """Return sets of rows that may weigh more than the limit, and whether these are all."""
        return heavy_sets(self.weights, self.moved, floor(limit * self.scale), most, work)

    def rectangle(self, rows: npt.NDArray[np.uint8]) -> Sides:
        """Return the rectangle of a set of rows and the best columns."""
        taken = rows.astype(bool)
        sums = self.heights[taken].astype(object) @ self.exact[self.kinds[taken]]
        columns = (sums > 0).astype(bool)
        ends = (columns, taken) if self.axis else (taken, columns)
        sides = [np.zeros(len(order), bool) for order in self.orders]
        for side, order, end in zip(sides, self.orders, ends, strict=True):
            side[order] = end
        return sides[0], sides[1]


def bounds_of_power(
    side: Side, k: int, cover: tuple[list[tuple[int, int, int]], Fraction], budget: Budget
) -> tuple[Power, PowerBounds]:
    """Return the types of a power, and bounds.

    The weights of inputs and the bound on the fractional cover number that they prove are given.
    The k-th power of this bound is a lower bound. The k-th power of the fractional partition number
    is an upper bound.
    """
    first = budget.at_once() if budget.remaining < _SHORT else budget.share(0.4)
    power = Power(side, k, first)
    if not power.cells:
        return power, PowerBounds(Fraction(0), Fraction(0), 1, (), (), 1)
    weights = {(x, y): w for x, y, w in cover[0]}
    means, scale = mean_weights(power, weights)
    scale *= int(sum(weights.values()) / cover[1])
    search, none = PowerSearch(power), Power(side, 0, first)
    search.keep_weights(product_weights(power, means, none, [1]), scale**k)
    trivial = search.best.upper
    for part in (first, budget.at_once()):  # the second, if the first had no processor time
        with part:
            single = PowerSearch(Power(side, 1, part, turning=False))
            search.multiply(single.solve(part.share(0.6)), part)
        if search.best.upper < trivial:
            break
    found = search.solve(budget)
    if found.lower < found.upper:
        with budget:
            _weigh_products(search, side, (means, scale), budget)
    return power, search.best


def _weigh_products(
    search: PowerSearch, side: Side, cover: tuple[list[int], int], budget: Budget
) -> None:
    """Improve the lower bound by products of weights of a cover and of a smaller power."""
    k, (means, scale) = search.power.k, cover
    for j in range(k - 1, 1, -1):
        smaller = Power(side, j, budget)
        if all(min(one.types.shape) <= MOST_LINES for one in smaller.products):
            part = PowerSearch(smaller).solve(budget.share(0.5))
            weights = product_weights(search.power, means, smaller, part.weights)
            unit = comb(k, j) * scale ** (k - j) * part.heaviest
            search.weigh([Fraction(w, unit) for w in weights], budget)
            return
