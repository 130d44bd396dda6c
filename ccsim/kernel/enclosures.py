"""Distributions on neighbours, and enclosures of the functions that compare them, in integers.

A real number is enclosed by two integers, in units of ``2^-bits``. Lower ends are rounded down in
each step, and upper ends up; remainders of series are added to upper ends only.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations
from math import isqrt
from typing import Annotated

from .mechanisms import Law, Mechanism, Place
from .powers import Value
from .reader import *
from .rules import *

MAX_BITS = 1 << 14  # maximum number of bits of the unit

Groups = dict[tuple[Value, Value], int]  # numbers of outcomes with weights p and q
Ends = tuple[int, int]  # a lower and an upper bound


def up(a: int, b: int) -> int:
    """Return ``a / b`` rounded up, for positive b."""
    return -(-a // b)


class Units:
    """Enclosures in units of ``2^-bits``."""

    def __init__(self, bits: int) -> None:
        require(0 < bits <= MAX_BITS, f"bits must be from 1 to {MAX_BITS}, not {{}}", bits)
        self.bits, self.one = bits, 1 << bits
        self.step = 10 + 2 * (bits >> 8) ** 2  # steps of a term of a series
        self.log_2 = self._atanh(*self.ratio(1, 3))
        near, far = self._arctan(5), self._arctan(239)  # Machin's formula for pi
        pi = 16 * near[0] - 4 * far[1], 16 * near[1] - 4 * far[0]
        self.root = isqrt(max(self.one, 2 * pi[0]) << bits), isqrt(2 * pi[1] << bits) + 1  # of 2 pi

    def ratio(self, n: int, d: int) -> Ends:
        """Enclose ``n / d``."""
        return (n << self.bits) // d, up(n << self.bits, d)

    def _atanh(self, low: int, high: int) -> Ends:
        """Enclose ``2 atanh(z)`` for z from 0 to 1/3: twice the sum of ``z^k / k`` for odd k."""
        spend(self.bits // 3 * self.step)
        ends, squares, k, b = (
            [0, 0],
            (low * low >> self.bits, up(high * high, self.one)),
            1,
            self.bits,
        )
        while high > 1:
            ends[0], ends[1] = ends[0] + low // k, ends[1] + up(high, k)
            low, high, k = low * squares[0] >> b, up(high * squares[1], self.one), k + 2
        return 2 * ends[0], 2 * ends[1] + 4  # the terms left out are at most 1, 1/9, ...

    def _arctan(self, n: int) -> Ends:
        """Enclose the arctangent of ``1 / n``, an alternating sum of falling terms."""
        spend(self.bits * self.step)
        term, total, k = self.one // n, 0, 0
        while term:
            total += (-1) ** k * (term // (2 * k + 1))
            term, k = term // (n * n), k + 1
        return total - 2 * k - 2, total + 2 * k + 2  # each term is cut by less than 2

    def log(self, n: int) -> Ends:
        """Enclose the natural logarithm of a positive integer."""
        spend(50 + (n.bit_length() * self.bits >> 12))
        k = n.bit_length() - 1
        z = self.ratio(n - (1 << k), n + (1 << k))
        rest = self._atanh(*z) if z[1] else (0, 0)
        return k * self.log_2[0] + rest[0], k * self.log_2[1] + rest[1]

    def exp(self, y: int) -> Ends:
        """Enclose ``e^-y`` for y of at least 0, given in units."""
        k = y // self.log_2[1]
        if k > self.bits:
            return 0, 1
        spend(self.bits // 3 * self.step)
        low, high = y - k * self.log_2[1], y - k * self.log_2[0]
        ends, terms, n = [0, 0], (self.one, self.one), 0
        while terms[1] > 1:  # the series of e^(y - k ln 2)
            ends[0], ends[1], n = ends[0] + terms[0], ends[1] + terms[1], n + 1
            terms = terms[0] * low // (n << self.bits), up(terms[1] * high, n << self.bits)
        square = self.one << self.bits
        return square // (ends[1] + 4) >> k, up(up(square, ends[0]), 1 << k)

    def normal(self, x: Fraction) -> Ends:
        """Enclose the probability that a standard normal variable is at most x.

        It is ``1/2 + e^(-x^2 / 2) / sqrt(2 pi)`` times the sum of ``x^k / (1 3 5 ... k)``, k odd.
        """
        y, square = self.ratio(*abs(x).as_integer_ratio()), self.ratio(*(x * x).as_integer_ratio())
        half = self.ratio(*(x * x / 2).as_integer_ratio())
        spend((self.bits + 2 * (square[1] >> self.bits)) * self.step)
        terms, ends, k = y, [0, 0], 1
        while terms[1] > 1 or k << self.bits < 2 * square[1]:
            ends[0], ends[1], k = ends[0] + terms[0], ends[1] + terms[1], k + 2
            terms = (
                terms[0] * square[0] // (k << self.bits),
                up(terms[1] * square[1], k << self.bits),
            )
        density = self.exp(half[1])[0], self.exp(half[0])[1]
        low = ends[0] * density[0] // self.root[1]
        high = up((ends[1] + 4) * density[1], self.root[0])
        middle = self.one >> 1
        return (middle + low, middle + high) if x >= 0 else (max(middle - high, 0), middle - low)


Bits = Annotated[Units, lambda value, _: Units(integer(value, 1))]
Infinite = Annotated[
    Fraction, lambda value, _: math.inf if value == "infinity" else fraction(value)
]
Numbers = Annotated[list[Fraction], lambda value, _: each(fraction, value)]


def total(weights: Iterable[Value]) -> Value:
    """Return the sum of some weights."""
    return sum(weights, Value(0, 0, 0, 0))


def pairs(M: Mechanism) -> Iterator[tuple[Law, Law]]:
    """Yield each pair of different distributions on neighbours once, in one of the two orders."""
    known: dict[tuple[Value, ...], int] = {}
    spend(20 * len(M.near) + 20 * sum(map(len, M.laws)))
    number, seen = [known.setdefault(tuple(law), i) for i, law in enumerate(M.laws)], set[str]()
    for around in (sorted({number[i] for i in block}) for block in M.near):
        spend(10 + len(around) ** 2)
        for i, j in combinations(around, 2):
            if (pair := f"{i} {j}") not in seen:
                seen.add(pair)
                yield M.laws[i], M.laws[j]


def near(M: Mechanism, database: int, neighbour: int) -> tuple[Law, Law]:
    """Return the distributions on two databases, which must be neighbours."""
    spend(sum(map(len, M.near)))
    is_near = any(database in block and neighbour in block for block in M.near)
    require(is_near, "databases {} and {} are not neighbours", database, neighbour)
    return M.laws[database], M.laws[neighbour]


def grouped(p: Law, q: Law) -> Groups:
    """Return the weights of the possible outcomes of two distributions."""
    spend(20 * len(p))
    return Counter((x, y) for x, y in zip(p, q, strict=True) if x.high or y.high)


def common(p: Law, q: Law) -> Groups:
    """Return the weights of the outcomes of two distributions; reject if one is impossible."""
    found = grouped(p, q)
    require(all(x.low and y.low for x, y in found), "an outcome is impossible on one neighbour")
    return found


class Divergence:
    """A parameter of privacy that is infinite if an outcome is impossible on one neighbour."""

    instance: Mechanism
    number = staticmethod(Infinite.__metadata__[0])  # type: ignore[attr-defined]

    @least
    def impossible(self, database: Place, neighbour: Place, outcome: Raw) -> float:
        """Check an outcome that is possible on a database and impossible on its neighbour."""
        p, q = near(self.instance, database, neighbour)
        o = inside("outcome", index, outcome, len(p))
        require(
            p[o].low and not q[o].high, "outcome {} must be impossible on the neighbour only", o
        )
        return math.inf
