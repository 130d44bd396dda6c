"""Dimensions of a class: points that it shatters, and trees of mistakes."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from itertools import accumulate
from operator import or_
from typing import Annotated, Any, ClassVar

from .reader import *
from .rules import *

Labels = Annotated[str, lambda value, _: text(value, len(value) if type(value) is str else 0)]
Columns = Annotated[list[int], lambda value, it: distinct(value, it.instance.width)]
Refuted = tuple[int, list[int], int]  # depth, literals, concepts without one of them


class Dimension:
    """A number that is -1 where even the empty set or tree is too large."""

    instance: Class
    number: ClassVar[Any] = staticmethod(lambda value, _: integer(value, -1))

    @least
    def trivial(self) -> int:
        """Prove what always holds."""
        return -1


def even(rows: Iterable[int], half: int, among: int) -> int:
    """Return the columns, of some, with each label in a power of two of the rows, or more."""

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
    """Return the columns, of some, with each label in a power of two of the concepts, or more."""
    total = space.bit_count()
    by_rows = 20 + (len(C.rows) >> 6) + total * (3 + half.bit_length() * (2 + (C.width >> 9)))
    by_columns = 10 + among.bit_count() * (3 + (len(C.rows) >> 9))
    spend(min(by_rows, by_columns))
    if by_rows < by_columns:
        return even([C.rows[i] for i in members(space)], half, among)
    ones = ((x, (space & C.columns[x]).bit_count()) for x in members(among))
    return sum(1 << x for x, number in ones if half <= number <= total - half)


class VCDimension(Dimension, Quantity, kind="vc_dimension"):
    """The largest number of points, the columns, that take all labellings in the concepts, rows."""

    @least
    def shattered(self, columns: Columns, rows: Entries) -> int:
        """Show all labellings: row number `i` has label ``i >> t & 1`` on column number `t`."""
        found = indices(rows, len(self.instance.rows), 1 << len(columns))
        spend(len(rows) * len(columns) * (2 + (self.instance.width >> 9)))
        for i, row in enumerate(self.instance.rows[row] for row in found):
            right = all(row >> x & 1 == i >> t & 1 for t, x in enumerate(columns))
            require(right, "row {} has another label on a column", found[i])
        return len(columns)

    @most
    def spanning_tree(self, edges: Entries) -> int:
        """Join all rows: `d` columns that differ on `c` edges leave at most `c + 1` labellings."""
        C, reached, crossed = self.instance, {0}, [0] * self.instance.width
        require(len(edges) == len(C.rows) - 1, "{} rows need one edge less", len(C.rows))
        for r, s in (indices(edge, len(C.rows), 2) for edge in edges):
            require((r in reached) != (s in reached), "edge {} must lead to a new row", f"{r}, {s}")
            reached |= {r, s}
            spend(5 + (C.width >> 6) + 2 * (C.rows[r] ^ C.rows[s]).bit_count())
            for x in members(C.rows[r] ^ C.rows[s]):
                crossed[x] += 1
        labellings = accumulate(sorted(crossed, reverse=True), initial=1)
        return max(d for d, number in enumerate(labellings) if number >> d)

    @most
    def extension(self, size: Natural, labels: Labels, symmetries: Symmetries) -> int:
        """Shatter no set of a size: sets grow by columns that split one cell, of given labels.

        A cell holds the rows with one labelling of the columns so far, cut to what may follow: `k`
        more need `2^k` different rows. The last column has to split all cells.
        """
        C, everything = self.instance, (1 << len(self.instance.rows)) - 1
        if not len(start := set(C.rows)) >> size:
            return size - 1  # there are too few
        require(len(labels) == size - 1, "{} columns have one label less", size)

        def limit(case: tuple[list[int], set[int]], left: int) -> tuple[Any, int]:
            (chosen, rows), more = case, size - len(case[0]) - 1  # columns after the next
            spend(20 + len(rows) * (more + 2) * (2 + (C.width >> 9)))
            left = even(rows, 1 << more, left)
            if left and not more:
                cells = [everything]
                for x in chosen:
                    spend(len(cells) * (4 + (len(C.rows) >> 7)))
                    cells = [S for V in cells for S in (V & C.columns[x], V & ~C.columns[x])]
                for cell in sorted(cells, key=int.bit_count):
                    left = left and splitting(cell, 1, left, C)
                require(not left, "columns {} and another one are shattered", f"{chosen}")
            return case, left

        def grow(case: tuple[list[int], set[int]], x: int, left: int) -> tuple[Any, int]:
            (chosen, rows), label, bit = case, int(labels[len(case[0])]), 1 << x
            side = [row for row in rows if (row & bit > 0) == label] if chosen else []
            space = 0 if chosen else C.columns[x] if label else everything ^ C.columns[x]
            side += [C.rows[i] for i in members(space)]  # at first quicker than to look at all
            spend(20 + (len(C.rows) >> 6) + len(rows if chosen else side) * (2 + (C.width >> 9)))
            return limit(([*chosen, x], {row & left for row in side}), left)

        moves = [symmetry.columns for symmetry in symmetries]
        subsets(*limit(([], start), (1 << C.width) - 1), moves, grow)
        return size - 1


def dual(value: object, it: object) -> Matrix:
    """Read a concept class and let points and concepts change places."""
    C = Matrix.read(value, "concept class")
    C.texts = ["".join(column) for column in zip(*C.texts, strict=True)] or [""] * C.width
    C.rows, C.columns, C.width = C.columns, C.rows, len(C.rows)
    return C


class DualVCDimension(VCDimension, kind="dual_vc_dimension"):
    """The same where the concepts are the columns and the points are the rows."""

    instance: Annotated[Matrix, dual]


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
        C, everything = self.instance, (1 << len(self.instance.rows)) - 1
        sides = [side for column in C.columns for side in (everything ^ column, column)]
        moves = [
            [2 * y + (b ^ s.flips >> x & 1) for x, y in enumerate(s.columns) for b in (0, 1)]
            for s in symmetries
        ]

        def space_of(literals: list[int]) -> int:
            spend((len(literals) + 2) * (2 + (len(C.rows) >> 11)) + (len(C.rows) >> 5))
            return reduce(or_, (sides[i ^ 1] for i in literals), 0)

        def prove(entry: Any, proved: list[Refuted]) -> Refuted:  # noqa: ANN401
            if len(entries(entry)) == 2:  # an image
                depth, literals, _ = proved[index(entry[0], len(proved))]
                literals = [moves[index(entry[1], len(moves))][i] for i in literals]
                return depth, literals, space_of(literals)
            depth, literals, turns, below = entries(entry, 4)
            depth = inside(0, integer, depth)
            indices(turns, len(sides))
            lacking = space_of(indices(literals, len(sides)))
            spend(len(turns) * (4 + (len(C.rows) >> 11)))
            space, open_points = everything ^ lacking, (1 << C.width) - 1
            for i, e in zip(turns, indices(below, len(proved), len(turns)), strict=True):
                serves = proved[e][0] < depth and not space & sides[i] & proved[e][2]
                require(serves, "entry {} does not refute the side of literal {}", e, i)
                open_points &= ~(1 << (i >> 1))
            if space.bit_count() >> depth:
                require(depth, "depth 0 needs an empty version space")
                left = splitting(space, 1 << depth - 1, open_points, C)
                require(not left, "no side of point {} is refuted", left.bit_length() - 1)
            return depth, literals, lacking

        require(spaces, "must not be empty")
        proved: list[Refuted] = inside("spaces", table, spaces, prove)
        depth, _, lacking = proved[-1]
        require(not lacking, "the last entry must be about all concepts")
        return depth - 1
