"""Linear programs and matrix games; bounds on the cost of partitions by squares and joins."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import gcd, inf
from operator import add, mul
from typing import Annotated, Any, NamedTuple

from .ranks import positive
from .reader import *
from .rules import *

Integers = Annotated[list[int], lambda value, _: each(integer, value, None)]
Lines = Sequence[Sequence[int]]


class Program(NamedTuple):
    """A linear program: minimise a form, in parts of a unit, under bounds and constraints."""

    title: str
    unit: int
    objective: list[int]
    ends: list[tuple[Fraction | None, Fraction | None]]
    constraints: list[tuple[list[tuple[int, int]], str, int]]

    @classmethod
    def read(cls, value: object, _: object) -> Program:
        """Read a linear program."""
        names = ("type", "unit", "objective", "lower", "upper", "constraints")
        kind, unit, objective, lower, upper, listed = fields(value, *names)
        inside("type", choice, kind, ["linear program"])
        form = inside("objective", each, integer, objective, None)
        ends: Any = [
            inside(key, each, lambda end: None if end is None else fraction(end), side)
            for key, side in (("lower", lower), ("upper", upper))
        ]
        require({*map(len, ends)} == {len(form)}, "each variable must have two bounds")
        listed = inside("constraints", each, cls._constraint, listed, len(form))
        title = f"a linear program with {len(form)} variables and {len(listed)} constraints, "
        title, ends = title + f"sha256 {digest(value)[:16]}", [*zip(*ends, strict=True)]
        return cls(title, inside("unit", integer, unit, 1), form, ends, listed)

    @staticmethod
    def _constraint(value: object, width: int) -> tuple[list[tuple[int, int]], str, int]:
        terms, sense, bound = entries(value, 3)
        pairs = [(index(j, width), integer(a, None)) for j, a in each(entries, terms, 2)]
        return pairs, choice(sense, ("<=", "=", ">=")), integer(bound, None)


class LinearProgram(Quantity, kind="linear_program"):
    """The minimum of the objective over feasible points; infinity if there are none."""

    instance: Annotated[Program, Program.read]
    number = staticmethod(lambda v, _: float(v) if v in ("infinity", "-infinity") else fraction(v))

    @most
    def point(self, unit: Positive, values: Integers) -> Fraction:
        """Return the objective at a feasible point, given in parts of a unit."""
        _, scale, objective, ends, constraints = self.instance
        require(len(values) == len(ends), "each of {} variables needs a value", len(ends))
        for v, (low, high) in zip(values, ends, strict=True):
            spend(10 + (unit.bit_length() >> 4))
            inside_ends = (low is None or low * unit <= v) and (high is None or v <= high * unit)
            require(inside_ends, "a variable has value {}, outside its bounds", Fraction(v, unit))
        for terms, sense, bound in constraints:
            form = added(values[j] * a for j, a in terms) - bound * unit
            holds = form == 0 or sense == ("<=" if form < 0 else ">=")
            require(holds, "a constraint is violated by {}", form)
        return Fraction(added(map(mul, objective, values)), unit * scale)

    @most
    def ray(self, unit: Positive, values: Integers, ray: Integers) -> float:
        """Prove -infinity: a feasible point, and a feasible direction of decrease."""
        self.point(unit, values)
        cone = self.instance._replace(
            ends=[(a and a * 0, b and b * 0) for a, b in self.instance.ends],
            constraints=[(terms, sense, 0) for terms, sense, _ in self.instance.constraints],
        )
        rate = LinearProgram.of(instance=cone).point(1, ray)
        require(rate < 0, "the objective must decrease along the ray, its rate is {}", rate)
        return -inf

    @least
    def prices(self, unit: Positive, prices: Integers) -> Fraction:
        """Return the bound of weak duality for prices of the constraints."""
        return self._bound(prices, unit, self.instance.objective)

    @least
    def contradiction(self, weights: Integers) -> float:
        """Prove infinity: a combination of the constraints is infeasible (Farkas' lemma)."""
        found = self._bound(weights, 1, [0] * len(self.instance.objective))
        require(found > 0, "the weights must prove a positive bound on 0, not {}", found)
        return inf

    def _bound(self, prices: list[int], unit: int, objective: list[int]) -> Fraction:
        """Return the dual bound for prices of the constraints."""
        rest, total = [c * unit for c in objective], Fraction(0)
        require(len(prices) == len(self.instance.constraints), "each constraint must have a price")
        for price, (terms, sense, bound) in zip(prices, self.instance.constraints, strict=True):
            right = price == 0 or sense in ("=", "<=" if price < 0 else ">=")
            require(right, "a price of {} has the wrong sign", price)
            total += added([price * bound])
            for j, a in terms:
                rest[j] -= added([price * a])
        for cost, (low, high) in zip(rest, self.instance.ends, strict=True):
            if cost:
                end = low if cost > 0 else high
                if end is None:
                    raise Rejected("an unbounded variable must have reduced cost 0, not {}", cost)
                spend(20 + (total.denominator.bit_length() * end.denominator.bit_length() >> 15))
                total += cost * end
        return total / (unit * self.instance.unit)


def added(products: Iterable[int]) -> int:
    """Return the sum of products, and count the steps."""
    found = list(products)
    spend(sum(5 + (each_one.bit_length() ** 2 >> 17) for each_one in found))
    return sum(found)


class Payoff(NamedTuple):
    """A payoff matrix: payments of the column player, in parts of a unit."""

    title: str
    unit: int
    rows: list[list[int]]

    @classmethod
    def read(cls, value: object, _: object) -> Payoff:
        """Read a matrix of payoffs."""
        kind, unit, payoff = fields(value, "type", "unit", "payoff")
        inside("type", choice, kind, ["matrix game"])
        rows = inside("payoff", each, lambda row: each(integer, row, None), payoff)
        require(rows and rows[0] and len(set(map(len, rows))) == 1, "the payoff must be a matrix")
        title = f"a {len(rows)} x {len(rows[0])} matrix game, sha256 {digest(value)[:16]}"
        return cls(title, inside("unit", integer, unit, 1), rows)

    def against(self, mixed: object, lines: Lines, worst: Callable[..., int]) -> Fraction:
        """Read a mixed strategy and return its payoff against the best reply."""
        p = inside("weights", law, mixed, len(lines[0]))
        bits = max(map(int.bit_length, p)) * max(a.bit_length() for line in lines for a in line)
        spend(len(lines) * len(p) * (3 + (bits >> 17)))
        return Fraction(worst(sum(map(mul, p, line)) for line in lines), sum(p) * self.unit)


class MatrixGame(Quantity, kind="matrix_game"):
    """The value of a matrix game; the row player maximises."""

    instance: Annotated[Payoff, Payoff.read]

    @least
    def row_strategy(self, weights: Raw) -> Fraction:
        """Return the least payoff of a mixed strategy of rows against a column."""
        return self.instance.against(weights, [*zip(*self.instance.rows, strict=True)], min)

    @most
    def column_strategy(self, weights: Raw) -> Fraction:
        """Return the largest payoff of a mixed strategy of columns against a row."""
        return self.instance.against(weights, self.instance.rows, max)


def squares(rows: Lines, k: int, unit: int, potentials: object, ends: object) -> Fraction:
    """Return a lower bound on twice the cost of partitions into k classes, by squares.

    A column with excess b gains |b| <= (g b^2 + h) / 2 if g h >= 1. The sum of g b^2 over
    columns is a quadratic form in the rows of the class; diag(u) minus it is positive definite.
    """
    n, columns, total = len(rows), [*zip(*rows, strict=True)], sum(abs(w) for r in rows for w in r)
    if isinstance(ends, dict):
        return Fraction(max(0, total + 1 - of_sizes(rows, k, unit, potentials, ends)) // 2 * 2)
    u = inside("potentials", lambda: each(integer, potentials, length=n))
    pairs: Lines = inside("ends", each, lambda pair: each(integer, pair, length=2), ends)
    require(len(pairs) == len(columns), "{} ends for {} columns", len(pairs), len(columns))
    require(all(g * h >= unit for g, h in pairs), "each product of ends must be at least 1")
    above(rows, [g for g, _ in pairs], u, [[0] * n for _ in rows])
    squared = sum(g * sum(column) ** 2 for (g, _), column in zip(pairs, columns, strict=True))
    twice = Fraction((k - 1) * sum(u) + squared, k * unit) + k * sum(h for _, h in pairs)
    return max(Fraction(0), total - twice / 2)


def above(rows: Lines, g: list[int], u: list[int], form: list[list[int]]) -> None:
    """Require that a form, with potentials on its diagonal, minus the squares is definite."""
    n, bits = len(u), max(sum(map(abs, line)).bit_length() for line in (g, u, *form, *rows))
    spend(n * n * len(g) * (2 + (bits >> 6) ** 2))
    for i, row in enumerate([*map(mul, g, row)] for row in rows):
        form[i] = [v - sum(map(mul, row, other)) for v, other in zip(form[i], rows, strict=True)]
    positive([[row[i] + u[i], *row[i + 1 :]] for i, row in enumerate(form)])


def of_sizes(rows: Lines, k: int, unit: int, potentials: object, ends: object) -> int:
    """Return an upper bound on the gains of classes, with separate ends for each class size.

    The excess b of a class is in a residue class; all b add up to the sum of its rows. Pairs of
    rows have a potential, reduced in a group. Two classes gain max(|B|, |2b - B|), B for all rows.
    """
    u, pair, alike = inside("potentials", lambda: each(integer, potentials, None, length=3))
    sizes, groups = inside("ends", fields, ends, "sizes", "groups")
    n, number = len(rows), len({*indices(groups, len(rows), len(rows))})
    spend(n * n)
    even = alike >= 0 and len({*map(groups.count, groups)}) == len(different(map(sum, rows))) == 1
    require(even, "all groups must have the same size, and all rows the same sum")
    form = [[pair - alike * (m == other) for other in groups] for m in groups]
    above(rows, [unit] * len(rows[0]), [u] * n, form)
    (a, e), gains = (2, 1) if k == 2 else (1, 0), list[int]()
    for s, end in enumerate(entries(sizes, n + 1)):
        (g, h), top = each(integer, end, None, length=2), 0
        m = s // number * (s + s % number) + s % number  # least squares of the parts in groups
        for v, q, t in (u, s, 1), (pair, s * s, n), (-alike, m, n // number):
            top += max(g, 0) * v * (a * a * q + e * t * (n - 2 * a * s))
        for column in zip(*rows, strict=True):
            B, most = e * sum(column), sum(map(abs, column))
            step = a * gcd(*(w - column[0] for w in column)) or 1
            excesses = range((a * s * column[0] - B + most) % step - most, most + 1, step)
            spend(5 * n + 15 * len(excesses))
            top += unit * max(2 * unit * max(abs(B), abs(b)) - (g * b + h) * b for b in excesses)
        gains.append((top + unit * h * (a * s - e * n) * sum(rows[0])) // (2 * unit**2))
    best = gains
    for _ in range(0 if e else min(k, n) - 1):
        best = [max(map(add, best, gains[s::-1])) for s in range(n + 1)]
    return max(best) if e else best[n]


def join_rows(F: Matrix, weights: dict[tuple[int, int], int], joins: object) -> int:
    """Return the number of rows with weight, after joining all of them into one part.

    A join takes two parts and a column that has one value on the first and the other value on the
    second, and uses weight 1 of each row. A class of s rows is split by at least s - 1 joins.
    """
    left, part = dict(weights), {x: [x] for x, _ in weights}
    for join in each(entries, joins, 3):
        y, *ends = each(index, join[:1], F.width) + each(index, join[1:], len(F.rows))
        require(all(x in part for x in ends), "the inputs of join {} must have weight", str(join))
        first, second = (part[x] for x in ends)
        spend(20 * (len(first) + len(second)))
        require(first is not second, "join {} must have inputs of different parts", str(join))
        ones = [sum(F.rows[x] >> y & 1 for x in S) for S in (first, second)]
        apart = ones in ([0, len(second)], [len(first), 0])
        require(apart, "the column of join {} must separate its parts", str(join))
        for x in first + second:
            left[x, y] = left.get((x, y), 0) - 1
            require(left[x, y] >= 0, "input {} has less weight than its joins use", (x, y))
        part |= dict.fromkeys(first + second, first + second)
    require(len(next(iter(part.values()))) == len(part), "the joins must leave a single part")
    return len(part)
