"""Ranks, discrepancy, and the factorisation norm gamma_2, which bound two-way communication."""

from __future__ import annotations

from fractions import Fraction
from operator import mul
from typing import Annotated

from .reader import *
from .rectangles import Weights, heaviest
from .rules import *

PRIMES = (2, 3, 5, 7)
IntegerRows = Annotated[
    list[list[int]], lambda value, _: each(lambda row: each(integer, row, None), value)
]


Naturals = Annotated[list[int], lambda value, _: each(integer, value)]


def at_least_one(value: object) -> Fraction:
    """Read a fraction that is at least 1."""
    require((found := fraction(value)) >= 1, "must be at least 1, not {}", found)
    return found


def field_of(value: object, _: object = None) -> str:
    """Read which field numbers are from: the rationals, or the integers modulo a prime."""
    return choice(value, ("rationals", *map("modulo {}".format, PRIMES)))


Field = Annotated[str, field_of]
Distributed = Annotated[str, lambda value, _: choice(value, ("uniform", "worst"))]
Ratio = Annotated[Fraction, lambda value, _: at_least_one(value)]


def vanishes(rows: list[list[int]], prime: int) -> bool:
    """Decide whether a determinant is 0, over the integers or modulo a prime (Bareiss)."""
    n, last = len(rows), 1
    bits = max((a.bit_length() for row in rows for a in row), default=0)
    for i in range(n):
        pivot = next((j for j in range(i, n) if rows[j][i]), None)
        if pivot is None:
            return True
        rows[i], rows[pivot] = rows[pivot], rows[i]
        spend((n - i) ** 2 * (5 + (0 if prime else ((bits + n) * (i + 1)) ** 2 >> 17)))
        for j in range(i + 1, n):
            row = [rows[i][i] * a - rows[j][i] * b for a, b in zip(rows[j], rows[i], strict=True)]
            rows[j] = [a % prime for a in row] if prime else [a // last for a in row]
        last = rows[i][i]
    return False


class Rank(Quantity, kind="rank"):
    """The least rank, over a field, of a matrix with these entries inside the promise."""

    instance: Problem
    field: Field
    number = staticmethod(lambda value, _: integer(value))

    @property
    def prime(self) -> int:
        """Return the characteristic."""
        return int(self.field[7:] or 0) if self.field != "rationals" else 0

    @least
    def minor(self, rows: Rows, columns: Columns) -> int:
        """Show lines inside the promise whose determinant is not 0."""
        F = self.instance
        require(len(rows) == len(columns), "a minor has as many rows as columns")
        spend(len(rows) * (5 + len(columns)))
        inside_all = all(F.defined[x] >> y & 1 for x in rows for y in columns)
        require(inside_all, "an input of the minor is outside the promise")
        found = [[F.rows[x] >> y & 1 for y in columns] for x in rows]
        require(not vanishes(found, self.prime), "the determinant is 0")
        return len(rows)

    @most
    def factors(self, unit: Positive, left: IntegerRows, right: IntegerRows) -> int:
        """Show two matrices whose product, in parts of a unit, has the entries."""
        F, p = self.instance, self.prime
        require(not p or unit % p == 1, "the unit must be 1 modulo {}", p)
        require(len(left) == len(F.rows) and len(right) == F.width, "a line has no vector")
        dimension, *more = {*map(len, left), *map(len, right)} or {0}
        require(not more, "the vectors must have as many entries as each other")
        bits = max((a.bit_length() for u in (*left, *right) for a in u), default=0)
        spend(5 + len(left) * len(right) * (2 + dimension * (1 + (bits**2 >> 17))))
        for x, u in enumerate(left):
            for y in members(F.defined[x]):
                rest = sum(map(mul, u, right[y])) - unit * (F.rows[x] >> y & 1)
                require(not (rest % p if p else rest), "input {} has another entry", (x, y))
        return dimension


class Discrepancy(Quantity, kind="discrepancy"):
    """The largest difference of the weights of both values in a rectangle.

    Under the uniform distribution on the inputs inside the promise, or the least one of all.
    """

    instance: Problem
    distribution: Distributed

    def signs(self) -> list[tuple[int, int, int]]:
        """Return the inputs inside the promise, with 1 or -1."""
        F = self.instance
        listed = ((x, y) for x, row in enumerate(F.defined) for y in members(row))
        return [(x, y, (F.rows[x] >> y & 1) * 2 - 1) for x, y in listed]

    @least
    def rectangles(self, listed: Entries) -> Fraction:
        """Mix rectangles, signed: under each distribution one is as heavy as they are on average.

        Each is ``[rows, columns, weight]``.
        """
        F, total = self.instance, 0
        sums = [[0] * F.width for _ in F.rows]
        for ours, theirs, weight in each(entries, listed, 3):
            rows, columns, w = (
                distinct(ours, len(F.rows)),
                distinct(theirs, F.width),
                integer(weight, None),
            )
            spend(10 + len(rows) * len(columns) * (3 + (w.bit_length() >> 8)))
            total += abs(w)
            for x in rows:
                for y in columns:
                    sums[x][y] += w
        gains = [s * sums[x][y] for x, y, s in self.signs()]
        require(total, "the weights must not all be 0")
        if self.distribution == "worst":
            return max(Fraction(0), Fraction(min(gains), total))
        return max(Fraction(0), Fraction(sum(gains), total * len(gains)))

    @most
    def weights(self, weights: Weights) -> Fraction:
        """Weigh inputs, and find the heaviest rectangle of each sign."""
        F, signs = self.instance, self.signs()
        given = [weights.get((x, y), 0) for x, y, _ in signs]
        require(min(given) >= 0 and any(given), "weights must be at least 0, and not all 0")
        alike = self.distribution == "worst" or min(given) == max(given)
        require(alike, "the weights of a uniform distribution must be equal")
        rows = [[0] * F.width for _ in F.rows]
        for (x, y, s), w in zip(signs, given, strict=True):
            rows[x][y] = s * w
        both = (rows, [[-w for w in row] for row in rows])
        return Fraction(max(heaviest(each_way, [0] * len(rows)) for each_way in both), sum(given))


def positive(form: list[list[int]]) -> None:
    """Require that a symmetric form, of which each row begins at the diagonal, is positive.

    What an elimination leaves is cut off, by less than 1 in each entry.
    """
    n = len(form)
    bits = max((sum(map(abs, row)).bit_length() for row in form), default=0)
    spend(n**3 * (2 + (bits >> 6) ** 2))
    for i, row in enumerate(form):
        pivot = row[0] - n * i
        require(pivot > 0, "the form is not shown to be positive at row {}", i)
        for j in range(i + 1, n):
            a = row[j - i]
            form[j] = [v - a * b // pivot for v, b in zip(form[j], row[j - i :], strict=True)]


class Gamma2(Quantity, kind="gamma_2"):
    """The least factorisation norm of a matrix whose entries have the signs of the values.

    Inside the promise they lie between 1 and alpha, up to the sign; elsewhere up to alpha.
    """

    instance: Problem
    alpha: Ratio

    def sign(self, x: int, y: int) -> int:
        """Return 1 for the value 1, -1 for 0, and 0 outside the promise."""
        F = self.instance
        return (F.rows[x] >> y & 1 or -1) if F.defined[x] >> y & 1 else 0

    @most
    def gram(self, unit: Positive, form: IntegerRows) -> Fraction:
        """Show products of vectors, in parts of a unit; the longest of them is as long as the norm.

        Those of the rows come first; each row of the form begins at the diagonal.
        """
        m, width = len(self.instance.rows), self.instance.width
        require([*map(len, form)] == [*range(m + width, 0, -1)], "must be an upper triangle")
        for x in range(m):
            for y, entry in enumerate(form[x][m - x :]):
                s = self.sign(x, y)
                fits = (
                    unit <= s * entry <= self.alpha * unit if s else abs(entry) <= self.alpha * unit
                )
                require(fits, "the entry of input {} is {}", (x, y), Fraction(entry, unit))
        top = max(row[0] for row in form)
        positive(form)
        return Fraction(top, unit)

    @least
    def dual(self, weights: IntegerRows, rows: Naturals, columns: Naturals) -> Fraction:
        """Weigh the entries, and the lengths of vectors, so that together they are positive."""
        m, width, total = len(self.instance.rows), self.instance.width, Fraction(0)
        lengths = [*rows, *columns]
        require((len(rows), len(columns)) == (m, width), "a line has no weight")
        require([*map(len, weights)] == [width] * m, "an input has no weight")
        form = [[p, *[0] * (m + width - 1 - i)] for i, p in enumerate(lengths)]
        for x, row in enumerate(weights):
            form[x][m - x :] = [-w for w in row]
            for y, w in enumerate(row):
                s = self.sign(x, y)
                total += s * w if s * w > 0 else -self.alpha * abs(w)
        positive(form)
        return max(Fraction(0), 2 * total / sum(lengths))
