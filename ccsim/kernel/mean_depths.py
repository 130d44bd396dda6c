"""How long a random branch of a tree of points is, all branches of which some concept agrees with.

Lengths are counted in parts of ``2^-n`` where there are `n` points: no branch asks a point twice.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from .reader import *
from .rules import *
from .thresholds import Known, VersionSpaces


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
