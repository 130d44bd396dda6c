"""Errors by counting, for problems that their size describes, and the fewest public coins."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import reduce
from itertools import combinations, product
from math import comb
from operator import or_
from typing import Annotated, NamedTuple

from .reader import *
from .rules import *


class Family(NamedTuple):
    """Equality of so many inputs, or index or augmented index with so many positions."""

    title: str
    kind: str
    size: int


def family(value: object, _: object) -> Family:
    """Read a problem that its size describes."""
    kind, _, size = fields(value, "type", "name", "size")
    inside("type", choice, kind, ("equality", "index", "augmented index"))
    n = inside("size", integer, size, 1)
    return Family(f"{kind} of size {n}", kind, n)


class FamilyError(Quantity, kind="family_error"):
    """The least error with public coins, at any size."""

    instance: Annotated[Family, family]
    messages: Positive

    @least
    def trivial(self) -> Fraction:
        """No error is negative."""
        return Fraction(0)

    @least
    def slope(self, size: Natural, ratio: Number) -> Fraction:
        """Cells of equal inputs weigh `ratio`, others 1: no partition of the inputs costs less.

        Pairs inside k - 1 even classes are convex in their inputs, with slope `ratio` at a size.
        """
        (_, kind, n), k = self.instance, self.messages
        require(kind == "equality" and ratio > 0, "is for equality and a positive ratio")
        require(2 * size - 2 <= ratio <= 2 * size, "{} is no slope at size {}", ratio, size)
        kept = (k - 1) * size  # the inputs that are in no class that Bob rejects
        cost = min(ratio * (n - kept) + kept * (size - 1), Fraction(_pairs(n, k)))
        return cost / (n * (n - 1 + ratio))

    @most
    def random_classes(self, size: Natural, weights: Raw) -> Fraction:
        """Random classes, even, or k - 1 of a size and one which Bob rejects, with two weights."""
        (_, kind, n), k = self.instance, self.messages
        even, uneven = inside("weights", law, weights, 2)
        rejected, others = n - (k - 1) * size, max(n - 1, 1)
        require(kind == "equality" and rejected >= 0, "is for equality and classes that fit")
        accepted = even * _pairs(n, k) + uneven * (k - 1) * size * (size - 1)
        wrong = max(accepted, uneven * rejected * others)  # on different and on equal inputs
        return Fraction(wrong, (even + uneven) * n * others)

    @least
    def ball(self) -> Fraction:
        """After exchanges behind prefixes a class pays for all ones of as many different words."""
        (_, kind, d), k = self.instance, self.messages
        require(kind != "equality", "is for index and augmented index")
        spend(d**3 >> 4)
        words, larger = divmod(1 << d, k)
        total, fewer = 0, 0  # of the ones of the first words by weight; words of less weight
        for weight in range(d + 1):
            for number, classes in ((words + 1, larger), (words, k - larger)):
                total += weight * classes * max(0, min(number - fewer, comb(d, weight)))
            fewer += comb(d, weight)
        return Fraction(total, d << d)

    @most
    def partitions(self, weights: Raw, labels: Entries) -> Fraction:
        """Alice sends the label of her word after a random symmetry, and Bob answers as most do.

        Symmetries of index permute positions and flip bits, of augmented index flip bits behind
        prefixes, which Bob knows.
        """
        (_, kind, d), k = self.instance, self.messages
        require(kind != "equality", "is for index and augmented index")
        spend(20 * d * (1 + len(labels)) << min(d, 30))
        listed = inside("labels", each, lambda one: each(index, one, k, length=1 << d), labels)
        shares, right = inside("weights", law, weights, len(listed)), [0] * d
        for (share, sent), i in product(zip(shares, listed, strict=True), range(d)):
            excess, known = Counter[tuple[int, int]](), (1 << i) - 1 if kind != "index" else 0
            for x, label in enumerate(sent):
                excess[x & known, label] += 1 if x >> i & 1 else -1
            right[i] += share * sum(map(abs, excess.values()))  # less what is wrong
        mean = Fraction(sum(right), d) if kind == "index" else Fraction(min(right))
        return (1 - mean / (sum(shares) << d)) / 2

    @least
    def all_codes(self) -> Fraction:
        """Protocols for index are codes, which may be shifted to hold the word 0."""
        (_, kind, d), k = self.instance, self.messages
        require(kind == "index" and d <= 8, "is for index of at most 8 positions")
        words, others = range(1 << d), min(k, 1 << d) - 1
        spend(comb((1 << d) - 1, others) * (5 + k) + (100 << 2 * d))
        balls = [  # which words are at most r away, for all r below d
            sum(((x ^ y).bit_count() <= r) << (r << d) + y for r in range(d) for y in words)
            for x in words
        ]
        codes = combinations(balls[1:], others)
        near = max(reduce(or_, code, balls[0]).bit_count() for code in codes)
        return Fraction((d << d) - near, d << d)


def _pairs(n: int, k: int) -> int:
    """Return the ordered pairs of different elements inside k even classes of n elements."""
    size, larger = divmod(n, k)
    return size * (n + larger - k)


def component(value: object, it: Quantity) -> list[int]:
    """Read tables of both players: for each input of Alice the inputs of Bob where they err."""
    (alice, bob), F = fields(value, "alice", "bob"), it.instance
    answers = inside("bob", each, subset, bob, F.width)
    sent = inside("alice", lambda: each(index, alice, len(answers), length=len(F.rows)))
    played = zip(sent, F.rows, F.defined, strict=True)
    return [(answers[m] ^ row) & defined for m, row, defined in played]


Components = Annotated[list[list[int]], lambda value, it: each(component, value, it)]


class FewestSeeds(Quantity, kind="fewest_seeds"):
    """How few of some deterministic protocols can be mixed to an error of at most so much."""

    instance: Problem
    components: Components
    error: Probability
    number = staticmethod(lambda value, _: integer(value, 1))

    @most
    def mixed(self, weights: Raw) -> int:
        """Components that have weight, in a mixture whose error is allowed on every input."""
        shares = inside("weights", law, weights, len(self.components))
        for wrong in zip(*self.components, strict=True):
            errors = mixture(shares, wrong, self.instance.width)
            require(max(errors) <= self.error * sum(shares), "the mixture errs more")
        return len(shares) - shares.count(0)

    @least
    def distributions(self, listed: Entries) -> int:
        """Under each distribution some component that is mixed errs at most as is allowed."""
        families, number = inside("listed", each, self._family, listed), len(self.components)
        for size in range(1, number):
            spend(comb(number, size) * (5 + size + len(families)))
            sets = map(sum, combinations([1 << i for i in range(number)], size))
            if any(all(S & family for family in families) for S in sets):
                return size
        return number

    def _family(self, value: object) -> int:
        """Read weighted inputs, and return the components that err at most so much under them."""
        listed = [entries(entry, 2) for entry in entries(value)]
        spend(10 * len(listed) * len(self.components))
        cells = [(*self.instance.cell(cell), integer(w)) for cell, w in listed]
        most = self.error * sum(w for *_, w in cells)
        wrong = (sum(w for x, y, w in cells if P[x] >> y & 1) for P in self.components)
        family = sum(1 << i for i, error in enumerate(wrong) if error <= most)
        require(family, "every component errs more")
        return family
