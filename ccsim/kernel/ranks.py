"""Ranks of matrices over the rationals and modulo primes, by minors and factorisations."""

from __future__ import annotations

from operator import mul
from typing import Annotated

from .reader import *
from .rules import *

PRIMES = (2, 3, 5, 7)
IntegerRows = Annotated[
    list[list[int]], lambda value, _: each(lambda row: each(integer, row, None), value)
]


def field_of(value: object, _: object = None) -> str:
    """Read the name of a field: the rationals, or the integers modulo a prime."""
    return choice(value, ("rationals", *map("modulo {}".format, PRIMES)))


Field = Annotated[str, field_of]


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
    """The minimum rank, over a field, of a matrix with the given entries inside the promise."""

    instance: Problem
    field: Field
    number = staticmethod(lambda value, _: integer(value))

    @property
    def prime(self) -> int:
        """Return the characteristic of the field."""
        return int(self.field[7:] or 0) if self.field != "rationals" else 0

    @least
    def minor(self, rows: Rows, columns: Columns) -> int:
        """Check that a minor inside the promise is nonzero; return its size."""
        F = self.instance
        r, c = len(rows), len(columns)
        require(r == c, "a minor must have as many rows as columns, not {} and {}", r, c)
        spend(len(rows) * (5 + len(columns)))
        inside_all = all(F.defined[x] >> y & 1 for x in rows for y in columns)
        require(inside_all, "all inputs of the minor must be inside the promise")
        found = [[F.rows[x] >> y & 1 for y in columns] for x in rows]
        require(not vanishes(found, self.prime), "the determinant must not be 0")
        return len(rows)

    @most
    def factors(self, unit: Positive, left: IntegerRows, right: IntegerRows) -> int:
        """Check two factors whose product has the given entries; return their inner dimension."""
        F, p = self.instance, self.prime
        require(not p or unit % p == 1, "the unit must be 1 modulo {}", p)
        require(
            len(left) == len(F.rows) and len(right) == F.width,
            "each row and column must have a vector",
        )
        dimension, *more = {*map(len, left), *map(len, right)} or {0}
        require(not more, "all vectors must have the same number of entries")
        bits = max((a.bit_length() for u in (*left, *right) for a in u), default=0)
        spend(5 + len(left) * len(right) * (2 + dimension * (1 + (bits**2 >> 17))))
        for x, u in enumerate(left):
            for y in members(F.defined[x]):
                rest = sum(map(mul, u, right[y])) - unit * (F.rows[x] >> y & 1)
                fits = not (rest % p if p else rest)
                require(fits, "the product of the factors must equal the value on input {}", (x, y))
        return dimension
