"""The Littlestone dimension and the randomised Littlestone dimension of a class."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import reduce
from operator import or_
from typing import Any

from .reader import *
from .rules import *

Known = tuple[int, list[int], int]  # depth or length, literals, concepts without one of them


def subsets(
    case: S,
    candidates: int,
    moves: Sequence[Sequence[int]],
    grow: Callable[[S, int, int], tuple[S, int]],
) -> None:
    """Search all sets of candidates, up to the permutations `moves`, by adding one at a time.

    `grow` returns the case extended by a candidate, and the candidates that may follow. After a
    candidate, its images under the permutations that fix all chosen candidates are skipped.
    """
    order = members(candidates)
    if moves:
        order = iter(sorted(order, key=lambda x: -sum(move[x] == x for move in moves)))
    for x in order:
        if candidates >> x & 1:
            candidates ^= 1 << x
            child = grow(case, x, candidates)
            if child[1]:
                subsets(*child, [move for move in moves if move[x] == x], grow)
            if moves:
                images = orbit(x, [move.__getitem__ for move in moves], 10 + (len(moves[0]) >> 9))
                candidates &= ~sum(1 << y for y in images)


def even(rows: Iterable[int], half: int, among: int) -> int:
    """Return the columns in `among` with each label in at least `half` (a power of two) rows."""

    def often(subsets: Iterable[int]) -> int:  # binary counts of all columns at once
        digits, reached = [0] * (half.bit_length() - 1), 0
        for subset in subsets:
            carry = subset
            for i, digit in enumerate(digits):
                digits[i], carry = digit ^ carry, digit & carry
            reached |= carry
        return reached

    found = often(rows) & among
    return found and found & often(found & ~row for row in rows)


def splitting(space: int, half: int, among: int, C: Matrix) -> int:
    """Return the columns in `among` with each label on at least `half` concepts in the space."""
    total = space.bit_count()
    by_rows = 20 + (len(C.rows) >> 6) + total * (3 + half.bit_length() * (2 + (C.width >> 9)))
    by_columns = 10 + among.bit_count() * (3 + (len(C.rows) >> 9))
    spend(min(by_rows, by_columns))
    if by_rows < by_columns:
        return even([C.rows[i] for i in members(space)], half, among)
    ones = ((x, (space & C.columns[x]).bit_count()) for x in members(among))
    return sum(1 << x for x, number in ones if half <= number <= total - half)


class VersionSpaces:
    """Sets of concepts that agree with given literals; ``2 x + b`` is label `b` on point `x`."""

    def __init__(self, C: Matrix, symmetries: list[Symmetry]) -> None:
        self.everything = (1 << len(C.rows)) - 1
        self.sides = [side for column in C.columns for side in (self.everything ^ column, column)]
        self.moves = [
            [2 * y + (b ^ s.flips >> x & 1) for x, y in enumerate(s.columns) for b in (0, 1)]
            for s in symmetries
        ]

    def lacking(self, literals: list[int]) -> int:
        """Return the concepts that violate at least one literal."""
        rows = self.everything.bit_length()
        spend((len(literals) + 2) * (2 + (rows >> 11)) + (rows >> 5))
        return reduce(or_, (self.sides[i ^ 1] for i in literals), 0)

    def last(self, spaces: list[Any], prove: Callable[[Any, list[Known]], Known]) -> Known:
        """Return the bound for the last entry; an entry may be an image of an earlier one."""

        def step(entry: Any, proved: list[Known]) -> Known:  # noqa: ANN401
            if len(entries(entry)) != 2:
                return prove(entry, proved)
            value, literals, _ = proved[index(entry[0], len(proved))]
            literals = [self.moves[index(entry[1], len(self.moves))][i] for i in literals]
            return value, literals, self.lacking(literals)

        require(spaces, "at least one version space must be listed")
        proved: list[Known] = inside("spaces", table, spaces, step)
        return proved[-1]


class LittlestoneDimension(Dimension, Quantity, kind="littlestone_dimension"):
    """The largest depth of a complete mistake tree that the class shatters."""

    @least
    def mistake_tree(self, tree: Entries) -> int:
        """Check a tree in preorder, label 0 first: its points, and the concepts at its leaves."""
        C, depth = self.instance, len(tree).bit_length() - 1
        require(len(tree) + 1 == 1 << depth + 1, "tree must have 2^k - 1 nodes, not {}", len(tree))
        spend(len(tree) * (10 + (len(C.rows) >> 7)))

        def split(node: object, case: tuple[int, int]) -> tuple[tuple[int, int], ...]:
            space, height = case
            if not height:
                agrees = space >> index(node, len(C.rows)) & 1
                require(agrees, "concept {} must have the labels on the path to its leaf", node)
                return ()
            ones = space & C.columns[index(node, C.width)]
            return (space ^ ones, height - 1), (ones, height - 1)

        inside("tree", cases, tree, ((1 << len(C.rows)) - 1, depth), split)
        return depth

    @most
    def refutation(self, symmetries: Symmetries, spaces: Entries) -> int:
        """Check that version spaces, the last being the class, have no tree of the given depths.

        Literal ``2 x + b`` is label `b` on point `x`. For each point at the root, one side has no
        tree of the depth minus 1: it has too few concepts, or it is a subset of the version space
        of an earlier entry. Images of version spaces under symmetries have no such trees either.
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
                rule = "entry {} must have a smaller depth and contain the side of literal {}"
                require(serves, rule, e, i)
                open_points &= ~(1 << (i >> 1))
            if space.bit_count() >> depth:
                require(depth, "depth 0 requires an empty version space")
                left = splitting(space, 1 << depth - 1, open_points, C)
                x = left.bit_length() - 1
                require(not left, "a side of point {} must be too small or in an earlier entry", x)
            return depth, literals, lacking

        depth, _, lacking = spaces_of.last(spaces, prove)
        require(not lacking, "the last entry must contain all concepts")
        return depth - 1


def longest(number: int, width: int) -> int:
    """Return an upper bound on the mean branch length of a tree, given the number of concepts.

    A tree has fewer nodes than concepts, and at most ``2^j`` nodes of weight ``2^-j`` at depth `j`.
    """
    k = number.bit_length() - 1
    return (k - 1 << width) + (number << width >> k)


class RandomizedLittlestoneDimension(Quantity, kind="randomized_littlestone_dimension"):
    """Half of the largest mean branch length of a shattered tree; -1 for the empty class.

    Every branch agrees with some concept. A random branch takes each label with probability 1/2.
    """

    instance: Class

    def half(self, length: int) -> Fraction:
        """Return half of a length, given in units of ``2^-n`` for a class over n points."""
        spend(10 + (self.instance.width >> 3))
        return Fraction(length, 2 << self.instance.width)

    @least
    def trivial(self) -> Fraction:
        """Return 0 for the empty tree, or -1 for the empty class."""
        return Fraction(0 if self.instance.rows else -1)

    @most
    def size(self) -> Fraction:
        """Return the bound that follows from the number of concepts."""
        C = self.instance
        return self.half(longest(len(C.rows), C.width)) if C.rows else Fraction(-1)

    @least
    def tree(self, symmetries: Symmetries, spaces: Entries) -> Fraction:
        """Check a tree for each version space: a point at the root, an earlier entry for each side.

        The version space of this entry is a subset of the side. Null stands for the empty tree.
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
                    require(side, "null requires a concept with label {} on point {}", b, x)
                else:
                    more, _, without = proved[index(below, len(proved))]
                    is_there = not (spaces_of.everything ^ side) & ~without
                    require(is_there, "entry {} must lie in side {} of point {}", below, b, x)
                    length += more
            return length >> 1, literals, lacking

        return self.half(spaces_of.last(spaces, prove)[0])

    @most
    def potentials(self, symmetries: Symmetries, spaces: Entries) -> Fraction:
        """Check bounds on the mean branch lengths for version spaces; the last is the class.

        A side is bounded by an earlier entry whose version space contains it, or by its size.
        """
        C, spaces_of = self.instance, VersionSpaces(self.instance, symmetries)
        unit = 1 << C.width

        def prove(entry: Any, proved: list[Known]) -> Known:  # noqa: ANN401
            literals, turns, below = entries(entry, 3)
            lacking = spaces_of.lacking(indices(literals, 2 * C.width))
            space = spaces_of.everything ^ lacking
            number, most, known = space.bit_count(), 0, [-1] * (2 * C.width)
            spend(len(entries(turns)) * (6 + (len(C.rows) >> 10)))
            distinct(turns, 2 * C.width)
            for i, e in zip(turns, indices(below, len(proved), len(turns)), strict=True):
                serves = not space & spaces_of.sides[i] & proved[e][2]
                require(serves, "entry {} must contain the side of literal {}", e, i)
                known[i] = proved[e][0]
            spend(C.width * (8 + (len(C.rows) >> 9) + (C.width >> 6)))
            for x, column in enumerate(C.columns):
                ones = (space & column).bit_count()
                if 0 < ones < number:
                    sides = enumerate((number - ones, ones), 2 * x)
                    both = (known[i] if known[i] >= 0 else longest(s, C.width) for i, s in sides)
                    most = max(most, 2 * unit + sum(both))
            return most + 1 >> 1, literals, lacking

        require(C.rows, "the class must have at least one concept")
        length, _, lacking = spaces_of.last(spaces, prove)
        require(not lacking, "the last entry must contain all concepts")
        return self.half(length)
