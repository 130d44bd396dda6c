"""Discrepancy, and the factorisation norm gamma_2, which bound two-way communication."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from .ranks import IntegerRows
from .reader import *
from .rectangles import Weights, heaviest
from .rules import *
from .squares import positive

Naturals = Annotated[list[int], lambda value, _: each(integer, value)]
Distributed = Annotated[str, lambda value, _: choice(value, ("uniform", "worst"))]


def at_least_one(value: object, _: object) -> Fraction:
    """Read a fraction that is at least 1."""
    require((found := fraction(value)) >= 1, "must be at least 1, not {}", found)
    return found


Ratio = Annotated[Fraction, at_least_one]


class Discrepancy(Quantity, kind="discrepancy"):
    """The maximum, over rectangles, of the difference between the weights of the two values.

    The distribution on the inputs inside the promise is uniform, or minimises this maximum.
    """

    instance: Problem
    distribution: Distributed

    def signs(self) -> list[tuple[int, int, int]]:
        """Return the inputs inside the promise, with sign 1 or -1."""
        F = self.instance
        listed = ((x, y) for x, row in enumerate(F.defined) for y in members(row))
        return [(x, y, (F.rows[x] >> y & 1) * 2 - 1) for x, y in listed]

    @least
    def rectangles(self, listed: Entries) -> Fraction:
        """Return a bound by signed rectangles, since one of them has at least the mean weight.

        Each rectangle is ``[rows, columns, weight]``.
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
        """Check weights of inputs; return the weight of the heaviest rectangle of either sign."""
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


class Gamma2(Quantity, kind="gamma_2"):
    """The least factorisation norm of matrices whose entries have the signs of the values.

    Entries have absolute values from 1 to alpha inside the promise, and at most alpha elsewhere.
    """

    instance: Problem
    alpha: Ratio

    def sign(self, x: int, y: int) -> int:
        """Return 1 for the value 1, -1 for 0, and 0 outside the promise."""
        F = self.instance
        return (F.rows[x] >> y & 1 or -1) if F.defined[x] >> y & 1 else 0

    @most
    def gram(self, unit: Positive, form: IntegerRows) -> Fraction:
        """Check a Gram matrix, in parts of a unit; its largest diagonal entry bounds the norm.

        The vectors of the rows come first; each row of the form begins at the diagonal.
        """
        m, width = len(self.instance.rows), self.instance.width
        require([*map(len, form)] == [*range(m + width, 0, -1)], "form must be an upper triangle")
        for x in range(m):
            for y, entry in enumerate(form[x][m - x :]):
                s = self.sign(x, y)
                fits = (
                    unit <= s * entry <= self.alpha * unit if s else abs(entry) <= self.alpha * unit
                )
                rule = "entry {} of input {} has the wrong sign or lies outside its bounds"
                require(fits, rule, Fraction(entry, unit), (x, y))
        top = max(row[0] for row in form)
        positive(form)
        return Fraction(top, unit)

    @least
    def dual(self, weights: IntegerRows, rows: Naturals, columns: Naturals) -> Fraction:
        """Return the bound of dual weights; their form with the given diagonal must be positive."""
        m, width, total = len(self.instance.rows), self.instance.width, Fraction(0)
        lengths = [*rows, *columns]
        require((len(rows), len(columns)) == (m, width), "every row and column must have a weight")
        require([*map(len, weights)] == [width] * m, "every input must have a weight")
        form = [[p, *[0] * (m + width - 1 - i)] for i, p in enumerate(lengths)]
        for x, row in enumerate(weights):
            form[x][m - x :] = [-w for w in row]
            for y, w in enumerate(row):
                s = self.sign(x, y)
                total += s * w if s * w > 0 else -self.alpha * abs(w)
        positive(form)
        return max(Fraction(0), 2 * total / sum(lengths))
