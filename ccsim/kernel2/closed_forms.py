"""Errors by counting, for problems that their size describes, and the fewest public coins."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import reduce
from itertools import combinations, product
from math import comb
from operator import or_
from typing import Annotated, NamedTuple

from .reader import (
    Natural,
    Number,
    Positive,
    Raw,
    choice,
    each,
    entries,
    fields,
    index,
    inside,
    integer,
    law,
    require,
)
from .rules import Quantity, least, most, spend

__all__ = ["FamilyError"]


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
    """The least error with public coins, proved by counting at any size."""

    instance: Annotated[Family, family]
    messages: Positive

    def _size(self, *kinds: str) -> tuple[int, int]:
        require(self.instance.kind in kinds, "is about {}", " and ".join(kinds))
        return self.instance.size, self.messages

    @least
    def trivial(self) -> Fraction:
        """No error is negative."""
        return Fraction(0)

    @least
    def slope(self, size: Natural, ratio: Number) -> Fraction:
        """Equal inputs of equality weigh `ratio`, others 1: no partition of them costs less.

        Pairs inside k - 1 even classes are convex in their inputs, with slope `ratio` at a size.
        """
        n, k = self._size("equality")
        require(ratio > 0 and 2 * size - 2 <= ratio <= 2 * size, "ratio {} is no slope", ratio)
        kept = (k - 1) * size  # the inputs that are in no class that Bob rejects
        cost = min(ratio * (n - kept) + kept * (size - 1), Fraction(_pairs(n, k)))
        return cost / (n * (n - 1 + ratio))

    @most
    def random_classes(self, size: Natural, weights: Raw) -> Fraction:
        """Random classes, even, or k - 1 of a size and one which Bob rejects, with two weights."""
        n, k = self._size("equality")
        even, uneven = inside("weights", law, weights, 2)
        rejected = n - (k - 1) * size
        require(rejected >= 0, "classes of size {} do not fit", size)
        accepted = even * _pairs(n, k) + uneven * (k - 1) * size * (size - 1)
        errors = (uneven * rejected * max(n - 1, 1), accepted)  # on equal and different inputs
        return Fraction(max(errors), (even + uneven) * n * max(n - 1, 1))

    @least
    def ball(self) -> Fraction:
        """Classes of words pay for all their ones after exchanges: at least the least weights."""
        d, k = self._size("index", "augmented index")
        spend(d**3 >> 4)

        def least_weights(s: int) -> int:
            total = 0
            for weight in range(d + 1):
                taken = min(s, comb(d, weight))
                total, s = total + taken * weight, s - taken
            return total

        s, larger = divmod(1 << d, k)
        cost = larger * least_weights(s + 1) + (k - larger) * least_weights(s)
        return Fraction(cost, d << d)

    @most
    def code(self, words: Raw) -> Fraction:
        """Alice sends the nearest word of a code, shifted and permuted at random."""
        d, k = self._size("index", "augmented index")
        spend(d * d << min(d, 30))
        near = set(inside("words", lambda: each(index, words, 1 << d)))
        require(0 < len(near) <= k, "the code has {} words", len(near))
        total = 0
        for _ in range(d):
            total += (1 << d) - len(near)
            near |= {x ^ 1 << i for x in near for i in range(d)}
        return Fraction(total, d << d)

    @most
    def partitions(self, weights: Raw, labels: Raw) -> Fraction:
        """Alice sends the label of her word, with bits flipped at random that prefixes choose."""
        d, k = self._size("augmented index")
        spend(20 * d * len(entries(labels)) << min(d, 30))
        listed = inside("labels", each, lambda one: each(index, one, k, length=1 << d), labels)
        shares, errors = inside("weights", law, weights, len(listed)), [0] * d
        for (share, sent), i in product(zip(shares, listed, strict=True), range(d)):
            ones = Counter[tuple[int, int]]()  # less zeros, of each label behind each prefix
            for x, label in enumerate(sent):
                ones[x & (1 << i) - 1, label] += 1 if x >> i & 1 else -1
            errors[i] += share * ((1 << d) - sum(map(abs, ones.values())))
        return Fraction(max(errors), sum(shares) << d + 1)

    @least
    def all_codes(self) -> Fraction:
        """Protocols for index are codes, and may be shifted to hold the word 0."""
        d, k = self._size("index")
        require(d <= 8, "codes of length at most 8 are enumerated")
        spend(comb(2**d - 1, min(k, 1 << d) - 1) * (5 + k) + (100 << 2 * d))
        zero, *others = (  # which words are at most r away from a word, for all r below d
            sum(((x ^ y).bit_count() <= r) << (r << d) + y for r in range(d) for y in range(1 << d))
            for x in range(1 << d)
        )
        codes = combinations(others, min(k, 1 << d) - 1)
        near = max(reduce(or_, code, zero).bit_count() for code in codes)
        return Fraction((d << d) - near, d << d)


def _pairs(n: int, k: int) -> int:
    """Return the ordered pairs of different elements inside k even classes of n elements."""
    size, larger = divmod(n, k)
    return size * (n + larger - k)
