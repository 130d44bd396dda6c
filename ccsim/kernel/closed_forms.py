"""Errors by counting, for problems that their size describes."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from types import SimpleNamespace
from typing import Annotated

from .reader import *
from .rules import *


def family(value: object, _: object) -> SimpleNamespace:
    """Read equality of so many inputs, or index or augmented index with so many positions."""
    kind, _, size = fields(value, "type", "name", "size")
    n = inside("size", integer, size, 1)
    known = inside("type", choice, kind, ("equality", "index", "augmented index"))
    return SimpleNamespace(title=f"{known} of size {n}", size=n, kind=known)


class FamilyError(Quantity, kind="family_error"):
    """The least error with public coins."""

    instance: Annotated[SimpleNamespace, family]
    messages: Positive

    @least
    def slope(self, size: Natural, ratio: Number) -> Fraction:
        """Equal inputs weigh `ratio`, the slope, at a size, of the pairs in k - 1 even classes."""
        n, k, kind = self.instance.size, self.messages, self.instance.kind
        require(kind == "equality" and ratio > 0, "is for equality and a positive ratio")
        require(2 * size - 2 <= ratio <= 2 * size, "{} is no slope at size {}", ratio, size)
        kept = (k - 1) * size  # the inputs that are in no class that Bob rejects
        cost = min(ratio * (n - kept) + kept * (size - 1), Fraction(_pairs(n, k)))
        return Fraction(max(cost, 0), n * (n - 1 + ratio))

    @most
    def random_classes(self, size: Natural, weights: Raw) -> Fraction:
        """Random classes, even, or k - 1 of a size and one which Bob rejects, with two weights."""
        n, k, kind = self.instance.size, self.messages, self.instance.kind
        even, uneven = inside("weights", law, weights, 2)
        rejected, others = n - (k - 1) * size, max(n - 1, 1)
        require(kind == "equality" and rejected >= 0, "is for equality and classes that fit")
        accepted = even * _pairs(n, k) + uneven * (k - 1) * size * (size - 1)
        wrong = max(accepted, uneven * rejected * others)  # on different and on equal inputs
        return Fraction(wrong, (even + uneven) * n * others)

    @least
    def ball(self) -> Fraction:
        """Classes pay at least for the ones of the first words by weight, as many as they have."""
        d, k, kind = self.instance.size, self.messages, self.instance.kind
        require(kind != "equality", "is for index and augmented index")
        spend(d**3 >> 4)
        (words, larger), total, fewer = divmod(1 << d, k), 0, 0
        for weight in range(d + 1):
            for number, classes in (words + 1, larger), (words, k - larger):
                total += weight * classes * max(0, min(number - fewer, comb(d, weight)))
            fewer += comb(d, weight)
        return Fraction(total, d << d)


def _pairs(n: int, k: int) -> int:
    size, larger = divmod(n, k)  # of even classes
    return size * (n + larger - k)
