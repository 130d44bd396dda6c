"""Signs of determinants that exclude vectors of a dimension, which prove bounds on sign ranks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb

from .reader import *
from .rules import *
from .sign_ranks import Few, Lines, Side, SignRank

Case = tuple[int, int]  # the determinants that are positive, and those that are negative
FLIP = str.maketrans("01", "10")


def pairs(of: list[int]) -> list[tuple[list[int], list[int]]]:
    """Return the two determinants of each term of a Grassmann-Pluecker relation."""
    rest, (b, c, d, e) = of[:-4], of[-4:]
    of_terms = ((b, c), (d, e)), ((b, d), (e, c)), ((b, e), (c, d))
    return [([*rest, *one], [*rest, *other]) for one, other in of_terms]


class Chirotope:
    """The signs of determinants of the vectors of lines, nonzero after a small perturbation."""

    def __init__(self, it: SignRank, side: str, lines: list[int], r: int) -> None:
        self.chosen = it.chosen(side, lines)
        require(r >= 1, "the dimension must be at least 1")
        few = r <= len(lines) <= 64 and comb(len(lines), r) <= 1 << 14
        require(few, "there must be at least {} lines, and at most 2^14 determinants", r)
        spend(2 * r * comb(len(lines), r))
        texts = it.instance.texts if side == "rows" else it.instance.across()
        self.r, self.texts = r, [texts[line] for line in lines]
        self.lemmas: list[list[tuple[list[int], int]]] = []  # signs that cannot occur together
        bases = enumerate(combinations(range(len(lines)), r))
        self.number = {each_one: i for i, each_one in bases}
        self.cost = 30 + r * (20 + r * r + (sum(it.size) >> 6)) + (len(self.number) >> 5)

    def negative(self, case: Case, order: Sequence[int]) -> bool:
        """Decide whether the determinant of lines in the given order is negative."""
        i = self.number[tuple(sorted(order))]
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
        """Require that a row or column has the signs of a dependency of lines, up to negation."""
        alike = opposite = -1
        for i, line in enumerate(of):
            turned = self.negative(case, of[:i] + of[i + 1 :]) ^ i % 2
            alike &= self.chosen[line][turned]
            opposite &= self.chosen[line][not turned]
        require(alike or opposite, "a row or column must have the signs of the dependency")

    def terms(self, of: list[int], case: Case) -> list[bool]:
        """Return whether each term of a relation is negative; the three terms sum to 0."""
        return [self.negative(case, one) ^ self.negative(case, other) for one, other in pairs(of)]

    def prove(self, lemma: object, _: object) -> None:
        """Check a tree of cases that excludes the signs of a lemma."""
        *listed, tree = fields(lemma, "positive", "negative", "nodes")
        case, signs = [0, 0], list[tuple[list[int], int]]()
        for sign, determinants in enumerate(listed):
            for of in each(distinct, determinants, len(self.chosen)):
                spend(self.cost)
                i = self.number.get(tuple(of), -1)
                require(i >= 0, "the lines of a determinant must be in increasing order")
                require(not (case[0] | case[1]) >> i & 1, "the sign must not have been decided")
                case[sign] |= 1 << i
                signs.append((of, sign))
        inside("nodes", cases, entries(tree), (case[0], case[1]), self.close)
        self.lemmas.append(signs)

    def close(self, node: object, case: Case) -> list[Case]:
        """Close a case, also by a product of inequalities or by a lemma, or split it."""
        if not isinstance(node, dict):
            return self.split(node, case)
        (self.image if "lemma" in node else self.product)(node, case)
        return []

    def product(self, node: object, case: Case) -> None:
        """Require that a product of inequalities |first term| > |second term| is 1 > 1."""
        [listed] = fields(node, "product")
        exponents, size = [0] * len(self.number), len(self.chosen)
        for i, entry in enumerate(entries(listed)):
            weight, *of = inside(i, each, integer, inside(i, entries, entry, self.r + 3))
            spend(self.cost + (weight.bit_length() >> 4))
            inside(i, distinct, of, size)
            inside(i, require, weight, "the weight must be at least 1")
            first, second, third = inside(i, self.terms, of, case)
            rule = "only the first term of the relation must have its sign"
            inside(i, require, first != second == third, rule)
            for sign, pair in zip((weight, -weight), pairs(of), strict=False):
                for order in pair:
                    exponents[self.number[tuple(sorted(order))]] += sign
        require(listed and not any(exponents), "the product of the inequalities must be 1 > 1")

    def image(self, node: object, case: Case) -> None:
        """Require that a case has the signs of a lemma, or the opposite signs, for moved lines."""
        lemma, order, turned = fields(node, "lemma", "order", "turned")
        size = len(self.texts)
        signs = self.lemmas[inside("lemma", index, lemma, len(self.lemmas))]
        inside("order", distinct, order, size, size)
        spend(self.cost * (1 + len(signs)) + 3 * size * len(self.texts[0]))
        turns = [*map(int, inside("turned", text, turned, size))]
        both = zip([self.texts[i] for i in order], turns, strict=True)
        rows = [row.translate(FLIP) if turn else row for row, turn in both]
        here, moved = ({*map("".join, zip(*t, strict=True))} for t in (self.texts, rows))
        same = here <= moved | {line.translate(FLIP) for line in moved}
        require(same, "each line across, or its opposite, must occur among the moved lines across")
        found = {
            self.negative(case, [order[i] for i in of]) ^ sign ^ sum(turns[i] for i in of) % 2
            for of, sign in signs
        }
        require(len(found) < 2, "the case must contain the signs of the lemma, or their opposites")


def chirotope(it: SignRank, side: Side, lines: Lines, dimension: Few, nodes: Entries) -> int:
    """Check a tree of cases; a reflection makes the determinant of the first lines positive."""
    cases(nodes, (1, 0), Chirotope(it, side, lines, dimension).split)
    return dimension + 1


def final_polynomials(
    it: SignRank, side: Side, lines: Lines, dimension: Few, lemmas: Entries, nodes: Entries
) -> int:
    """Check a tree of cases that are also closed by final polynomials and by lemmas."""
    require(dimension > 1, "the dimension must be at least 2")
    found = Chirotope(it, side, lines, dimension)
    inside("lemmas", table, lemmas, found.prove)
    inside("nodes", cases, nodes, (1, 0), found.close)
    return dimension + 1
