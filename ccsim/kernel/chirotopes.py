"""Signs of determinants that exclude vectors of a dimension, which prove bounds on sign ranks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb

from .reader import *
from .rules import *
from .sign_ranks import Few, Lines, Side, SignRank

Case = tuple[int, int]  # the determinants that are positive, and those that are negative


class Chirotope:
    """The signs of the determinants of vectors of some lines.

    A small change makes all determinants nonzero, and a reflection negates all of them. A node
    splits a case on a sign, or closes it.
    """

    def __init__(self, it: SignRank, side: str, lines: list[int], r: int) -> None:
        self.chosen = it.chosen(side, lines)
        require(r >= 1, "the dimension must be at least 1")
        few = r <= len(lines) <= 64 and comb(len(lines), r) <= 1 << 14
        require(few, "there must be at least {} lines, and at most 2^14 determinants", r)
        spend(2 * r * comb(len(lines), r))
        self.r = r
        self.cost = 30 + r * (20 + r * r + (sum(it.size) >> 6))
        bases = enumerate(combinations(range(len(lines)), r))
        self.number = {each_one: i for i, each_one in bases}
        self.cost += len(self.number) >> 5

    def position(self, order: Sequence[int]) -> int:
        """Return the number of the determinant of some lines."""
        return self.number[tuple(sorted(order))]

    def negative(self, case: Case, order: Sequence[int]) -> bool:
        """Decide whether the determinant of lines in the given order is negative."""
        i = self.position(order)
        require((case[0] | case[1]) >> i & 1, "earlier nodes must decide a determinant's sign")
        return sum(a > b for a, b in combinations(order, 2)) % 2 != case[1] >> i & 1

    def split(self, node: object, case: Case) -> list[Case]:
        """Return the two cases of a sign, or none if the node closes the case."""
        of = distinct(node, len(self.chosen))
        spend(self.cost)
        if len(of) == self.r:
            i = self.number.get(tuple(of), -1)
            require(i >= 0, "the lines must be in increasing order")
            require(not (case[0] | case[1]) >> i & 1, "the sign must not have been decided")
            return [(case[0] | 1 << i, case[1]), (case[0], case[1] | 1 << i)]
        if len(of) == self.r + 1:
            self.circuit(of, case)
            return []
        few = len(of) == self.r + 2 and self.r > 1
        require(few, "nodes must list r to r + 2 lines, not {}", len(of))
        one_sign = len({*self.terms(of, case)}) == 1
        require(one_sign, "the three terms of the relation must have the same sign")
        return []

    def circuit(self, of: list[int], case: Case) -> None:
        """Require that a dependency of r + 1 lines has the signs of a line across, or opposite."""
        alike = opposite = -1
        for i, line in enumerate(of):
            turned = self.negative(case, of[:i] + of[i + 1 :]) ^ i % 2
            alike &= self.chosen[line][turned]
            opposite &= self.chosen[line][not turned]
        require(alike or opposite, "a row or column must have the signs of the dependency")

    def terms(self, of: list[int], case: Case) -> list[bool]:
        """Return whether each term of a Grassmann-Pluecker relation is negative; their sum is 0."""
        rest, (b, c, d, e) = of[:-4], of[-4:]
        pairs = ((b, c), (d, e)), ((b, d), (e, c)), ((b, e), (c, d))
        return [
            self.negative(case, [*rest, *one]) ^ self.negative(case, [*rest, *other])
            for one, other in pairs
        ]


def chirotope(it: SignRank, side: Side, lines: Lines, dimension: Few, nodes: Entries) -> int:
    """Check a tree of cases of signs of determinants that excludes vectors of the dimension.

    The determinant of the first lines is positive, after a reflection.
    """
    cases(nodes, (1, 0), Chirotope(it, side, lines, dimension).split)
    return dimension + 1
