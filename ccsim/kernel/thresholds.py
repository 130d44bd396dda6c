"""Trees of mistakes, the mean length of their branches, and thresholds inside a class."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from operator import or_
from typing import Annotated, Any

from .dimensions import Dimension, splitting
from .reader import *
from .rules import *

Columns = Annotated[list[int], lambda value, it: distinct(value, it.instance.width)]
Known = tuple[int, list[int], int]  # depth or length, literals, concepts without one of them


class VersionSpaces:
    """The concepts that agree with literals: ``2 x + b`` is label `b` on point `x`."""

    def __init__(self, C: Matrix, symmetries: list[Symmetry]) -> None:
        self.everything = (1 << len(C.rows)) - 1
        self.sides = [side for column in C.columns for side in (self.everything ^ column, column)]
        self.moves = [
            [2 * y + (b ^ s.flips >> x & 1) for x, y in enumerate(s.columns) for b in (0, 1)]
            for s in symmetries
        ]

    def lacking(self, literals: list[int]) -> int:
        """Return the concepts that do not agree with all literals."""
        rows = self.everything.bit_length()
        spend((len(literals) + 2) * (2 + (rows >> 11)) + (rows >> 5))
        return reduce(or_, (self.sides[i ^ 1] for i in literals), 0)

    def last(self, spaces: list[Any], prove: Callable[[Any, list[Known]], Known]) -> Known:
        """Return what the last entry proves; some are images of earlier ones under symmetries."""

        def step(entry: Any, proved: list[Known]) -> Known:  # noqa: ANN401
            if len(entries(entry)) != 2:
                return prove(entry, proved)
            value, literals, _ = proved[index(entry[0], len(proved))]
            literals = [self.moves[index(entry[1], len(self.moves))][i] for i in literals]
            return value, literals, self.lacking(literals)

        require(spaces, "must not be empty")
        proved: list[Known] = inside("spaces", table, spaces, step)
        return proved[-1]


class ThresholdDimension(Dimension, Quantity, kind="threshold_dimension"):
    """The largest number of concepts and points with ``c_i(x_j) = 1`` exactly if ``i <= j``."""

    @least
    def chain(self, concepts: Rows, points: Columns) -> int:
        """Show such concepts and points."""
        spend(len(concepts) * len(points) * (2 + (self.instance.width >> 9)))
        require(self.instance.rows, "there is no concept")
        require(len(concepts) == len(points), "there must be as many points as concepts")
        for i, row in enumerate(self.instance.rows[c] for c in concepts):
            right = all(row >> x & 1 == (i <= j) for j, x in enumerate(points))
            require(right, "concept {} has another label on a point", concepts[i])
        return len(points)

    @most
    def ones(self) -> int:
        """Count ones: the lines of a chain have 1, 2, ... or more, be they concepts or points."""
        lengths = []
        for lines in (self.instance.rows, self.instance.columns):
            ones = sorted(map(int.bit_count, set(lines)))
            lengths.append(reduce(lambda k, size: k + (size > k), ones, 0))
        return min(lengths) if self.instance.rows else -1

    @most
    def rank(self) -> int:
        """Eliminate over the field of two elements, in which a chain is independent."""
        basis: list[int] = []
        for row in self.instance.rows:
            spend(5 + len(basis) * (2 + (self.instance.width >> 9)))
            if rest := reduce(lambda row, b: min(row, row ^ b), basis, row):
                basis.append(rest)
        return len(basis)

    @most
    def extension(self, size: Positive) -> int:
        """Exclude a chain of a size: lines follow each other while each tail has ones alone."""

        def extend(tails: list[int], zeros: int, lines: list[int]) -> None:
            spend(20 + len(lines) * (3 + len(tails)) * (1 + (self.instance.width >> 10)))
            require(len(tails) < 500, "sets grow to 500 lines at most")
            fit = [y for y in lines if zeros & y and all(tail & y for tail in tails)]
            for y in fit if len(tails) + len(fit) >= size else ():
                require(len(tails) + 1 < size, "there are {} thresholds", size)
                extend([*(tail & y for tail in tails), zeros & y], zeros & ~y, fit)

        rows, columns = list(set(self.instance.rows)), list(set(self.instance.columns))
        extend([], -1, rows if len(rows) <= len(columns) else columns)
        return size - 1


class LittlestoneDimension(Dimension, Quantity, kind="littlestone_dimension"):
    """The largest depth of a complete mistake tree."""

    @least
    def mistake_tree(self, tree: Entries) -> int:
        """List a tree in preorder: points, label 0 before 1, and concepts that agree as leaves."""
        C, depth = self.instance, len(tree).bit_length() - 1
        require(len(tree) + 1 == 1 << depth + 1, "{} nodes are not 2^k - 1", len(tree))
        spend(len(tree) * (10 + (len(C.rows) >> 7)))

        def split(node: object, case: tuple[int, int]) -> tuple[tuple[int, int], ...]:
            space, height = case
            if not height:
                agrees = space >> index(node, len(C.rows)) & 1
                require(agrees, "concept {} does not agree with its path", node)
                return ()
            ones = space & C.columns[index(node, C.width)]
            return (space ^ ones, height - 1), (ones, height - 1)

        inside("tree", cases, tree, ((1 << len(C.rows)) - 1, depth), split)
        return depth

    @most
    def refutation(self, symmetries: Symmetries, spaces: Entries) -> int:
        """Prove of version spaces that they have no tree of a depth, at last of the whole class.

        Literal ``2 x + b`` is label `b` on point `x`. Each point at the root has a side without a
        tree of a depth less: it has too few concepts, or lies in the version space of an earlier
        entry. The image of a version space under a symmetry has no such tree either.
        """
        C, spaces_of = self.instance, VersionSpaces(self.instance, symmetries)
        sides = spaces_of.sides

        def prove(entry: Any, proved: list[Known]) -> Known:  # noqa: ANN401
            depth, literals, turns, below = entries(entry, 4)
            depth = inside(0, integer, depth)
            indices(turns, len(sides))
            lacking = spaces_of.lacking(indices(literals, len(sides)))
            spend(len(turns) * (4 + (len(C.rows) >> 11)))
            space, open_points = spaces_of.everything ^ lacking, (1 << C.width) - 1
            for i, e in zip(turns, indices(below, len(proved), len(turns)), strict=True):
                serves = proved[e][0] < depth and not space & sides[i] & proved[e][2]
                require(serves, "entry {} does not refute the side of literal {}", e, i)
                open_points &= ~(1 << (i >> 1))
            if space.bit_count() >> depth:
                require(depth, "depth 0 needs an empty version space")
                left = splitting(space, 1 << depth - 1, open_points, C)
                require(not left, "no side of point {} is refuted", left.bit_length() - 1)
            return depth, literals, lacking

        depth, _, lacking = spaces_of.last(spaces, prove)
        require(not lacking, "the last entry must be about all concepts")
        return depth - 1


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
