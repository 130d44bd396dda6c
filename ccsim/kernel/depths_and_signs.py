"""How long a random branch of a shattered tree is, and in which dimension signs are of products.

Lengths are counted in parts of ``2^-n`` where there are `n` points: no branch asks a point twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Annotated, Any, ClassVar

from .reader import *
from .rules import *
from .thresholds import Known, VersionSpaces

Line = tuple[int, int]  # the positions at which a row or a column is 1, and at which it is 0
Case = tuple[int, int]  # the determinants that are positive, and those that are negative
Signs = Annotated[
    Matrix, lambda value, _: Matrix.read(value, "concept class", "communication problem")
]
Vectors = Annotated[list[list[int]], lambda value, _: each(lambda u: each(integer, u, None), value)]
Side = Annotated[str, lambda value, _: choice(value, ("rows", "columns"))]
Lines = Annotated[list[int], lambda value, it: distinct(value, max(it.size))]
Few = Annotated[int, lambda value, _: index(value, 65)]


def longest(number: int, width: int) -> int:
    """Return the length of a branch if a tree is as even as so many concepts allow.

    A tree has fewer nodes than concepts, and at most ``2^j`` of depth `j`; each counts ``2^-j``.
    """
    k = number.bit_length() - 1
    return (k - 1 << width) + (number << width >> k)


class RandomizedLittlestoneDimension(Quantity, kind="randomized_littlestone_dimension"):
    """Half of the largest mean length of a random branch of a shattered tree.

    Each branch fits some concept; behind a node it goes on with either label with probability 1/2.
    """

    instance: Class

    def half(self, length: int) -> Fraction:
        """Return half of a length."""
        spend(10 + (self.instance.width >> 3))
        return Fraction(length, 2 << self.instance.width)

    @least
    def trivial(self) -> Fraction:
        """Ask nothing."""
        require(self.instance.rows, "there is no concept")
        return Fraction(0)

    @most
    def size(self) -> Fraction:
        """Count concepts."""
        C = self.instance
        require(C.rows, "there is no concept")
        return self.half(longest(len(C.rows), C.width))

    @least
    def tree(self, symmetries: Symmetries, spaces: Entries) -> Fraction:
        """Name for version spaces a point to ask, and what contains a tree for each of its sides.

        That is the version space of an earlier entry, inside the side, or null for some concept.
        """
        C, spaces_of = self.instance, VersionSpaces(self.instance, symmetries)

        def prove(entry: Any, proved: list[Known]) -> Known:  # noqa: ANN401
            literals, point, *sides = entries(entry, 4)
            lacking = spaces_of.lacking(indices(literals, 2 * C.width))
            x, length = index(point, C.width), 2 << C.width
            spend(20 + (len(C.rows) >> 8) + (C.width >> 5))
            for b, below in enumerate(sides):
                side = (spaces_of.everything ^ lacking) & spaces_of.sides[2 * x + b]
                if below is None:
                    require(side, "no concept has label {} on point {}", b, x)
                else:
                    more, _, without = proved[index(below, len(proved))]
                    is_there = not (spaces_of.everything ^ side) & ~without
                    require(is_there, "entry {} is not about label {} on point {}", below, b, x)
                    length += more
            return length >> 1, literals, lacking

        return self.half(spaces_of.last(spaces, prove)[0])

    @most
    def potentials(self, symmetries: Symmetries, spaces: Entries) -> Fraction:
        """Bound the length for version spaces, at last for the whole class, whatever is asked.

        Either side of a point lies in the version space of an earlier entry, or its size bounds it.
        """
        C, spaces_of = self.instance, VersionSpaces(self.instance, symmetries)
        unit = 1 << C.width

        def prove(entry: Any, proved: list[Known]) -> Known:  # noqa: ANN401
            literals, turns, below = entries(entry, 3)
            lacking = spaces_of.lacking(indices(literals, 2 * C.width))
            space = spaces_of.everything ^ lacking
            number, most, known = space.bit_count(), 0, dict[int, int]()
            spend(len(entries(turns)) * (6 + (len(C.rows) >> 10)))
            distinct(turns, 2 * C.width)
            for i, e in zip(turns, indices(below, len(proved), len(turns)), strict=True):
                serves = not space & spaces_of.sides[i] & proved[e][2]
                require(serves, "entry {} does not contain the side of literal {}", e, i)
                known[i] = proved[e][0]
            spend(C.width * (8 + (len(C.rows) >> 9) + (C.width >> 6)))
            for x, column in enumerate(C.columns):
                ones = (space & column).bit_count()
                if 0 < ones < number:
                    sides = enumerate((number - ones, ones), 2 * x)
                    both = (known[i] if i in known else longest(size, C.width) for i, size in sides)
                    most = max(most, 2 * unit + sum(both))
            return most + 1 >> 1, literals, lacking

        require(C.rows, "there is no concept")
        length, _, lacking = spaces_of.last(spaces, prove)
        require(not lacking, "the last entry must be about all concepts")
        return self.half(length)


class SignRank(Quantity, kind="sign_rank"):
    """The least dimension of vectors of rows and columns: products are positive for 1 alone."""

    instance: Signs
    number: ClassVar[Any] = staticmethod(lambda value, _: integer(value))

    @property
    def size(self) -> tuple[int, int]:
        """Return how many rows and columns there are."""
        return len(self.instance.rows), self.instance.width

    @most
    def vectors(self, rows: Vectors, columns: Vectors) -> int:
        """Show the vectors."""
        F = self.instance
        require((len(rows), len(columns)) == self.size, "there must be a vector of each line")
        dimension, *more = {*map(len, rows), *map(len, columns)} or {0}
        require(not more, "the vectors must have as many entries as each other")
        bits = max((a.bit_length() for u in (*rows, *columns) for a in u), default=0)
        spend(5 + len(rows) * len(columns) * (2 + dimension * (1 + (bits**2 >> 17))))
        for x, u in enumerate(rows):
            for y in members(F.defined[x]):
                product = sum(a * b for a, b in zip(u, columns[y], strict=True))
                fact = product > 0 if F.rows[x] >> y & 1 else product < 0
                require(fact, "row {} and column {} have the product {}", x, y, product)
        return dimension

    @least
    def trivial(self) -> int:
        """Prove what always holds: a sign needs a dimension."""
        return int(any(self.instance.defined))

    @least
    def shattered(self, side: Side, lines: Lines) -> int:
        """Show lines with all signs up to the opposite: one differs from 0 on any combination."""
        chosen = self.chosen(side, lines)
        require(0 < len(lines) <= 30, "from 1 to 30 lines, not {}", len(lines))
        total, end = (1 << max(self.size)) - 1, (1 << len(lines)) - 1
        for ones, zeros in chosen:
            total &= ones | zeros
        spend(max(self.size) * (2 + len(lines)))
        signs = [sum((a >> y & 1) << i for i, (a, _) in enumerate(chosen)) for y in members(total)]
        found = len({min(each_one, end ^ each_one) for each_one in signs})
        require(2 * found > end, "they have only {} signs up to the opposite", found)
        return len(lines)

    @least
    def spectral(self, squarings: Few) -> int:
        """Divide sqrt(mn) by the norm (Forster), whose powers are below traces of powers."""
        F, (n, m) = self.instance, sorted(self.size, reverse=True)
        require(m and all(one == (1 << F.width) - 1 for one in F.defined), "there is an entry *")
        require(squarings <= 8, "at most 8 squarings, not {}", squarings)
        lines = F.rows if m == len(F.rows) else F.columns
        spend(m**2 * (2 + (n >> 6)))
        gram = [[n - 2 * (a ^ b).bit_count() for a in lines] for b in lines]
        for i in range(squarings):
            spend(m**3 * (1 + (((m * n).bit_length() << i) ** 2 >> 17)))
            gram = [[sum(a * b for a, b in zip(u, v, strict=True)) for u in gram] for v in gram]
        trace, power, bound = sum(gram[i][i] for i in range(m)), 1 << squarings, 0
        while (m * n) ** power > bound ** (2 * power) * trace:
            spend(100)
            bound += 1
        return bound

    @least
    def chirotope(self, side: Side, lines: Lines, dimension: Few, nodes: Entries) -> int:
        """Exclude vectors of a dimension, whatever signs their determinants have.

        In general position, where small changes bring them, none is 0; the first is positive up to
        a reflection. A node splits on a sign, or names a circuit: all terms of a sum that is 0
        would have positive products, or negative ones, with the vector of a line across. Or it
        names three products that add up to 0 (Grassmann, Pluecker), but would have the same sign.
        """
        r, chosen = dimension, self.chosen(side, lines)
        require(r >= 1, "the dimension must be at least 1")
        few = r <= len(lines) <= 64 and comb(len(lines), r) <= 1 << 14
        require(few, "there must be {} lines at least, and at most 2^14 determinants", r)
        spend(2 * r * comb(len(lines), r))
        number = {each_one: i for i, each_one in enumerate(combinations(range(len(lines)), r))}

        def negative(case: Case, order: Sequence[int]) -> bool:
            """Return whether the determinant of lines in some order is negative."""
            i = number[tuple(sorted(order))]
            require((case[0] | case[1]) >> i & 1, "a determinant has no sign yet")
            return sum(a > b for a, b in combinations(order, 2)) % 2 != case[1] >> i & 1

        def split(node: object, case: Case) -> list[Case]:
            """Close a case, or split it on a sign."""
            of = distinct(node, len(lines))
            spend(30 + r * (20 + r * r + (sum(self.size) >> 6)) + (len(number) >> 5))
            if len(of) == r:
                i = number.get(tuple(of), -1)
                require(i >= 0, "the lines must be in increasing order")
                require(not (case[0] | case[1]) >> i & 1, "the sign is known already")
                return [(case[0] | 1 << i, case[1]), (case[0], case[1] | 1 << i)]
            if len(of) == r + 1:
                alike = opposite = -1
                for i, line in enumerate(of):
                    turned = negative(case, of[:i] + of[i + 1 :]) ^ i % 2
                    alike &= chosen[line][turned]
                    opposite &= chosen[line][not turned]
                require(alike or opposite, "no line across has the signs of the circuit")
                return []
            require(len(of) == r + 2 and r > 1, "a node of {} lines", len(of))
            rest, (b, c, d, e) = of[:-4], of[-4:]
            terms = [
                negative(case, [*rest, b, c]) ^ negative(case, [*rest, d, e]),
                negative(case, [*rest, b, d]) ^ negative(case, [*rest, e, c]),
                negative(case, [*rest, b, e]) ^ negative(case, [*rest, c, d]),
            ]
            require(len(set(terms)) == 1, "the products have both signs")
            return []

        cases(nodes, (1, 0), split)
        return r + 1

    def chosen(self, side: str, lines: list[int]) -> list[Line]:
        """Return the positions of ones and of zeros of some lines."""
        F = self.instance
        require(all(i < self.size[side == "columns"] for i in lines), "there is no such line")
        if side == "rows":
            return [(F.rows[x], F.defined[x] & ~F.rows[x]) for x in lines]
        spend(len(lines) * (3 + len(F.rows)))
        known = {y: sum((d >> y & 1) << x for x, d in enumerate(F.defined)) for y in lines}
        return [(F.columns[y], known[y] & ~F.columns[y]) for y in lines]
