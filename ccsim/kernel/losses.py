"""Privacy losses of a pair of distributions and of products of pairs, rounded up or down.

A table has masses under P, each at a ratio p / q. The excess over a factor is the sum of p - factor
q over the ratios above the factor, for q = p / ratio. It increases with the masses and the ratios.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, count
from operator import add, mul
from typing import Any

from .rules import require, spend

MAX_PLACES = 1 << 22  # most powers of a grid, in each direction
Place = Any  # a ratio, or the exponent of a power of the grid
Edge = tuple[int, int]  # masses under P and under Q


@dataclass(slots=True)
class Table:
    """The masses of the finite ratios, in increasing order, and that of an infinite ratio."""

    masses: list[tuple[Place, int]]
    infinite: int
    unit: int
    finite = property(lambda T: sum(mass for _, mass in T.masses))


def merged(found: Iterable[tuple[Place, int]]) -> list[tuple[Place, int]]:
    """Sort masses by their places, and add those of equal places."""
    masses: list[tuple[Place, int]] = []
    for place, mass in sorted(found):
        before = masses.pop()[1] if masses and masses[-1][0] == place else 0
        masses.append((place, before + mass))
    return masses


class Ratios:
    """Tables with exact ratios; masses are exact, or rounded to multiples of 2^-bits."""

    one: Place = Fraction(1)
    join: Any = staticmethod(mul)

    def __init__(self, bits: int | None, *, up: bool) -> None:
        self.bits, self.up, self.unit = bits, up, 1 << (bits or 0)

    def divide(self, over: int, under: int, *, back: bool = False) -> int:
        """Return a quotient, rounded in the direction of the bound, or in the opposite one."""
        return over // under if self.up == back else -(-over // under)

    def table(self, edges: list[Edge], unit: int) -> Table:
        """Return the table of a pair, given by masses under P and Q, those of large ratio first."""
        spend(sum(400 + (p.bit_length() + q.bit_length() >> 5) ** 2 for p, q in edges))
        scaled, b = edges, self.bits or 0
        if self.bits is not None:
            ends = ((self.divide(p << b, unit), q << b) for p, q in edges)
            scaled = [(p, self.divide(q, unit, back=True)) for p, q in ends]
        masses = merged(self.placed(edges, scaled))
        infinite = sum(p for p, q in scaled if not q)
        return Table(masses, infinite, unit if self.bits is None else self.unit)

    def placed(self, edges: list[Edge], scaled: list[Edge]) -> Iterable[tuple[Place, int]]:
        """Return the places of the masses of finite ratios."""
        pairs = zip(edges, scaled, strict=True)
        return [(Fraction(*ratio), p) for ratio, (p, q) in pairs if q]

    def joined(self, one: Table, other: Table) -> list[tuple[Place, int]]:
        """Return the masses of the finite ratios of a product."""
        largest = [T.masses[-1][0].numerator.bit_length() for T in (one, other) if T.masses]
        size = (one.unit * other.unit).bit_length() + sum(largest) >> 6
        spend(len(one.masses) * len(other.masses) * (150 + size * 2 + (size**2 >> 4)))
        return merged((r * s, m * n) for r, m in one.masses for s, n in other.masses)

    def product(self, one: Table, other: Table) -> Table:
        """Return the table of two independent pairs."""
        whole = other.finite + other.infinite
        found = Table(self.joined(one, other), 0, one.unit * other.unit)
        found.infinite = one.infinite * whole + one.finite * other.infinite
        if self.bits is not None:
            found.masses = [(at, self.divide(m, self.unit)) for at, m in found.masses]
            found.infinite, found.unit = self.divide(found.infinite, self.unit), self.unit
        return found

    def power(self, table: Table, times: int) -> Table:
        """Return the table of independent copies of a pair."""
        found = Table([(self.one, self.unit)], 0, self.unit)
        for digit in bin(times)[2:]:
            found = self.product(found, found)
            found = self.product(found, table) if digit == "1" else found
        return found

    def listed(self, table: Table) -> list[tuple[Place, int, int]]:
        """Return the places, the largest first, with the masses under P and Q."""
        turned = ((at, m, *self.turned(at)) for at, m in reversed(table.masses))
        return [(at, m, self.divide(m * a, b, back=True)) for at, m, a, b in turned]

    def turned(self, at: Place) -> tuple[int, int]:
        """Return the inverse of the ratio at a place, rounded against the direction."""
        return at.denominator, at.numerator

    def reach(self, factor: Fraction) -> Place:
        """Return the place of a factor."""
        return factor

    def event(self, one: Table, other: Table, factor: Fraction | None) -> tuple[Fraction, Fraction]:
        """Return both probabilities of the ratios of a product that are at least a factor."""
        over, under = (
            one.infinite * (other.finite + other.infinite) + one.finite * other.infinite,
            0,
        )
        whole = one.unit * other.unit
        if factor is None:  # which stands for infinity
            return Fraction(over, whole), Fraction(0)
        first, second, at = self.listed(one), self.listed(other), self.reach(factor)
        masses = [0, *accumulate(p for _, p, _ in second)]
        others = [0, *accumulate(q for *_, q in second)]
        size = whole.bit_length()
        size += sum(x[0][0].numerator.bit_length() for x in (first, second) if x)
        spend((len(first) + len(second)) * (30 + (size >> 6) ** 2))
        left = len(second)
        for place, p, q in first:
            while left and self.join(place, second[left - 1][0]) < at:
                left -= 1
            over, under = over + p * masses[left], under + q * others[left]
        return Fraction(over, whole), Fraction(under, whole)


class Grid(Ratios):
    """Ratios rounded to powers of g = (n + 1) / n; their places are the exponents."""

    one, join = 0, staticmethod(add)
    bits: int

    def __init__(self, n: int, bits: int, *, up: bool) -> None:
        super().__init__(bits, up=up)
        self.known = [[(self.unit, self.unit)], [(self.unit, self.unit)]]
        self.steps = (n + 1, n), (n, n + 1)

    def inverse(self, j: int) -> tuple[int, int]:
        """Return bounds on ``2^bits / g^j``."""
        (a, b), known = self.steps[j >= 0], self.known[j >= 0]
        require(abs(j) < MAX_PLACES, "the grid must have at most {} powers", MAX_PLACES)
        while len(known) <= abs(j):
            low, high = known[-1]
            spend(20 + (high.bit_length() >> 4))
            known.append((low * a // b, -(-high * a // b)))
        return known[abs(j)]

    def around(self, over: int, under: int) -> tuple[int, int]:
        """Return exponents j <= k with g^j at most and g^k at least a ratio, if possible close."""
        start, end, aim = -1, 1, under << self.bits
        while over * self.inverse(start)[0] < aim:
            start *= 2
        while over * self.inverse(end)[0] >= aim:
            end *= 2
        while end - start > 1:
            middle = (start + end) // 2
            is_below = over * self.inverse(middle)[0] >= aim
            start, end = (middle, end) if is_below else (start, middle)
        return start, next(k for k in count(start) if over * self.inverse(k)[1] <= aim)

    def placed(self, edges: list[Edge], scaled: list[Edge]) -> Iterable[tuple[Place, int]]:
        """Replace a curve by one above it, or by one below it that follows it up to a gap."""
        gap, cells, b = 0, list[tuple[int, int, int, int]](), self.bits
        found = [(*self.around(p, q), p, q) for p, q in scaled if p and q]
        for j, k, p, q in sorted(found, reverse=True):
            joins = not self.up and cells and cells[-1][0] == j
            *_, x, y = cells.pop() if joins else (0, 0, 0, 0)
            cells.append((j, k if self.up else j + 1, p + x, q + y))
        for j, k, p, q in cells:
            (low, high), (low_k, high_k) = self.inverse(j), self.inverse(k)
            if self.up:
                require(k == j or low > high_k, "{} bits do not suffice for the grid", b)
                more = min(p, -(-(p * high - (q << b)) // (low - high_k))) if k > j else 0
                yield from ((j, p - more), (k, more))
            else:
                more = min(gap * (q << b) // ((q << b) - p * low_k), (q << b) // high_k)
                yield from ((j, ((q << b) - more * high_k) // high), (k, more))
                gap = max(0, gap + p - more + ((q << b) - more * low_k) // -low)

    def joined(self, one: Table, other: Table) -> list[tuple[Place, int]]:
        """Multiply tables as polynomials at a power of 2."""
        if not one.masses or not other.masses:
            return []
        size = sum(max(m for _, m in T.masses).bit_length() for T in (one, other))
        slot = size + len(one.masses).bit_length() + 7 >> 3
        lows = [T.masses[0][0] for T in (one, other)]
        ends = [T.masses[-1][0] for T in (one, other)]
        length = sum(ends) - sum(lows) + 1
        digits = length * slot >> 3
        spend(100 + int(digits**1.6 / 10) + length * (20 + (slot >> 2)))
        numbers = []
        for T, low, end in zip((one, other), lows, ends, strict=True):
            data = bytearray(slot * (end - low + 1))
            for at, mass in T.masses:
                data[(at - low) * slot : (at - low + 1) * slot] = mass.to_bytes(slot, "little")
            numbers.append(int.from_bytes(data, "little"))
        data = bytearray((numbers[0] * numbers[1]).to_bytes(slot * (length + 1), "little"))
        parts = (int.from_bytes(data[i * slot : (i + 1) * slot], "little") for i in range(length))
        return [(sum(lows) + i, mass) for i, mass in enumerate(parts) if mass]

    def product(self, one: Table, other: Table) -> Table:
        """Return the table of two pairs, without ends of masses of at most 2^(-bits/2) each."""
        found = super().product(one, other)
        masses, most = found.masses, 1 << self.bits // 2
        for is_low in (False, True):
            sums = accumulate(mass for _, mass in masses[:0:-1])
            number = next((i for i, total in enumerate(sums) if total > most), 0)
            cut = sum(masses.pop()[1] for _ in range(number))
            found.infinite += cut if self.up and not is_low else 0
            if cut and self.up == is_low:
                masses[-1] = masses[-1][0], masses[-1][1] + cut
            masses.reverse()
        return found

    def turned(self, at: Place) -> tuple[int, int]:
        """Return the inverse of a power."""
        return self.inverse(at)[not self.up], self.unit

    def reach(self, factor: Fraction) -> Place:
        """Return the exponent of the least power that is at least a factor."""
        a, b = factor.as_integer_ratio()
        below = a * self.inverse((j := self.around(a, b)[1]) - 1)[0] >= b << self.bits
        require(below, "{} bits do not suffice to find the place of the factor", self.bits)
        return j
