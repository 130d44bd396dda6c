"""Linear programs and matrix games; bounds on the cost of partitions by joins."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import inf
from operator import mul
from typing import Annotated, Any, NamedTuple

from .reader import *
from .rules import *

Integers = Annotated[list[int], lambda value, _: each(integer, value, None)]
Lines = Sequence[Sequence[int]]


class Program(NamedTuple):
    """A linear program: minimise an objective, in parts of a unit, under bounds and constraints."""

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
        complete = {*map(len, ends)} == {len(form)}
        require(complete, "each variable must have a lower and an upper bound")
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
    """The minimum of the objective over feasible points; infinity if the program is infeasible."""

    instance: Annotated[Program, Program.read]
    number = staticmethod(lambda v, _: float(v) if v in ("infinity", "-infinity") else fraction(v))

    @most
    def point(self, unit: Positive, values: Integers) -> Fraction:
        """Return the objective at a feasible point, given in parts of a unit."""
        _, scale, objective, ends, constraints = self.instance
        require(len(values) == len(ends), "each of {} variables must have a value", len(ends))
        for v, (low, high) in zip(values, ends, strict=True):
            spend(10 + (unit.bit_length() >> 4))
            inside_ends = (low is None or low * unit <= v) and (high is None or v <= high * unit)
            require(
                inside_ends, "the value {} of a variable lies outside its bounds", Fraction(v, unit)
            )
        for terms, sense, bound in constraints:
            form = added(values[j] * a for j, a in terms) - bound * unit
            holds = form == 0 or sense == ("<=" if form < 0 else ">=")
            require(holds, "a constraint is violated by {}", form)
        return Fraction(added(map(mul, objective, values)), unit * scale)

    @most
    def ray(self, unit: Positive, values: Integers, ray: Integers) -> float:
        """Check a feasible point and a feasible direction of decrease; return -infinity."""
        self.point(unit, values)
        cone = self.instance._replace(
            ends=[(a and a * 0, b and b * 0) for a, b in self.instance.ends],
            constraints=[(terms, sense, 0) for terms, sense, _ in self.instance.constraints],
        )
        rate = LinearProgram.of(instance=cone).point(1, ray)
        require(rate < 0, "the objective must decrease along the ray, not change at rate {}", rate)
        return -inf

    @least
    def prices(self, unit: Positive, prices: Integers) -> Fraction:
        """Return the weak duality bound for the given prices of the constraints."""
        return self._bound(prices, unit, self.instance.objective)

    @least
    def contradiction(self, weights: Integers) -> float:
        """Check an infeasible combination of the constraints (Farkas' lemma); return infinity."""
        found = self._bound(weights, 1, [0] * len(self.instance.objective))
        require(found > 0, "the weighted constraints must imply 0 >= b > 0, not b = {}", found)
        return inf

    def _bound(self, prices: list[int], unit: int, objective: list[int]) -> Fraction:
        """Return the dual bound for prices of the constraints."""
        rest, total = [c * unit for c in objective], Fraction(0)
        require(len(prices) == len(self.instance.constraints), "each constraint must have a price")
        for price, (terms, sense, bound) in zip(prices, self.instance.constraints, strict=True):
            right = price == 0 or sense in ("=", "<=" if price < 0 else ">=")
            require(right, "price {} has the wrong sign for its constraint", price)
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
    """Return the sum of the products, counting the steps."""
    found = list(products)
    spend(sum(5 + (each_one.bit_length() ** 2 >> 17) for each_one in found))
    return sum(found)


class Payoff(NamedTuple):
    """A payoff matrix: payments by the column player to the row player, in parts of a unit."""

    title: str
    unit: int
    rows: list[list[int]]

    @classmethod
    def read(cls, value: object, _: object) -> Payoff:
        """Read a matrix of payoffs."""
        kind, unit, payoff = fields(value, "type", "unit", "payoff")
        inside("type", choice, kind, ["matrix game"])
        rows = inside("payoff", each, lambda row: each(integer, row, None), payoff)
        require(rows and rows[0] and len(set(map(len, rows))) == 1, "payoff must be a matrix")
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
        """Return the minimum payoff of a mixed strategy of rows, over all columns."""
        return self.instance.against(weights, [*zip(*self.instance.rows, strict=True)], min)

    @most
    def column_strategy(self, weights: Raw) -> Fraction:
        """Return the maximum payoff of a mixed strategy of columns, over all rows."""
        return self.instance.against(weights, self.instance.rows, max)


def join_rows(F: Matrix, weights: dict[tuple[int, int], int], joins: object) -> int:
    """Check joins that connect all rows with weight; return the number of these rows.

    A join takes two parts and a column that has one value on the first and the other value on the
    second, and uses weight 1 of each row. A class of s rows is split by at least s - 1 joins.
    """
    left, part = dict(weights), {x: [x] for x, _ in weights}
    for join in each(entries, joins, 3):
        y, *ends = each(index, join[:1], F.width) + each(index, join[1:], len(F.rows))
        require(all(x in part for x in ends), f"the rows of join {join} must have positive weight")
        first, second = (part[x] for x in ends)
        spend(20 * (len(first) + len(second)))
        require(first is not second, f"join {join} must connect two different parts")
        ones = [sum(F.rows[x] >> y & 1 for x in S) for S in (first, second)]
        apart = ones in ([0, len(second)], [len(first), 0])
        require(apart, f"the column of join {join} must separate its two parts")
        for x in first + second:
            left[x, y] = left.get((x, y), 0) - 1
            require(left[x, y] >= 0, "input {} must have at least weight 1 per join", (x, y))
        part |= dict.fromkeys(first + second, first + second)
    require(len(next(iter(part.values()))) == len(part), "the joins must connect all rows")
    return len(part)
