"""The VC, Littlestone and threshold dimensions of partial concept classes.

Concepts may be undefined on some points. A concept realises labels of points only if it is defined
on all of these points.
"""

from __future__ import annotations

from functools import reduce
from operator import and_
from typing import Annotated, Any

from .reader import *
from .rules import *

Partial = Annotated[Matrix, lambda value, _: Matrix.read(value, "partial concept class")]
Sides = list[tuple[int, int]]


def sides(lines: list[str]) -> Sides:
    """Return, for each line, the positions with label 0 and those with label 1."""
    return [(ones(line.translate({48: "1", 49: "0"})), ones(line)) for line in lines]


class PartialVCDimension(Dimension, Quantity, kind="partial_vc_dimension"):
    """The largest number of columns on which the rows that are defined there have all labels."""

    instance: Partial

    @least
    def shattered(self, columns: Columns, rows: Entries) -> int:
        """Check one row for each labelling: row `i` has label ``i >> t & 1`` on column `t`."""
        C, texts = self.instance, self.instance.texts
        spend(len(rows) * (5 + len(columns)))
        for i, row in enumerate(indices(rows, len(C.rows), 1 << len(columns))):
            right = all(texts[row][x] == "01"[i >> t & 1] for t, x in enumerate(columns))
            require(right, "the labels of row {} must be the binary digits of {}", row, i)
        return len(columns)

    @most
    def counting(self, size: Natural) -> int:
        """Search all sets of `size` columns by adding columns that leave enough rows in each cell.

        A cell consists of the rows with one labelling of the columns so far. If `k` columns follow,
        each of them has each label in at least ``2^(k-1)`` rows of every cell.
        """
        C, both = self.instance, sides(self.instance.across())
        if not len(C.rows) >> size:
            return size - 1  # there are too few
        require(size, "size must be at least 1, as the empty set of columns is shattered")

        def grow(cells: list[int], among: list[int], more: int) -> None:
            fit, half = among, 1 << more - 1
            for cell in cells:
                spend(20 + len(fit) * (6 + (len(C.rows) >> 10)))
                fit = [x for x in fit if all((cell & s).bit_count() >= half for s in both[x])]
            require(more > 1 or not fit, "bound too small: {} columns are shattered", size)
            for i, x in enumerate(fit[: max(0, len(fit) - more + 1)]):
                grow([cell & side for cell in cells for side in both[x]], fit[i + 1 :], more - 1)

        grow([(1 << len(C.rows)) - 1], list(range(C.width)), size)
        return size - 1


def dual(value: object, _: object) -> Matrix:
    """Read a partial concept class and return the dual class."""
    C = Matrix.read(value, "partial concept class")
    return Matrix(C.title, C.across(), len(C.texts))


class PartialDualVCDimension(PartialVCDimension, kind="partial_dual_vc_dimension"):
    """The VC dimension of the dual class: concepts are columns, points are rows."""

    instance: Annotated[Matrix, dual]


class PartialLittlestoneDimension(Dimension, Quantity, kind="partial_littlestone_dimension"):
    """The largest depth of a complete mistake tree whose branches are realised by concepts."""

    instance: Partial

    @least
    def mistake_tree(self, tree: Entries) -> int:
        """Check a tree in preorder, label 0 first: its points, and the concepts at its leaves."""
        C, depth = self.instance, len(tree).bit_length() - 1
        require(len(tree) + 1 == 1 << depth + 1, "tree must have 2^k - 1 nodes, not {}", len(tree))
        spend(len(tree) * (10 + (len(C.rows) >> 7)))
        both = sides(C.across())

        def split(node: object, case: tuple[int, int]) -> tuple[tuple[int, int], ...]:
            space, height = case
            if not height:
                agrees = space >> index(node, len(C.rows)) & 1
                require(agrees, "concept {} must have the labels on the path to its leaf", node)
                return ()
            zero, one = both[index(node, C.width)]
            return (space & zero, height - 1), (space & one, height - 1)

        inside("tree", cases, tree, ((1 << len(C.rows)) - 1, depth), split)
        return depth

    @most
    def refutation(self, spaces: Entries) -> int:
        """Check that version spaces, the last being the class, have no tree of the given depths.

        Literal ``2 x + b`` is label `b` on point `x`. For each point at the root, one side has no
        tree of the depth minus 1: it has too few concepts, or it is a subset of the version space
        of an earlier entry.
        """
        C, everything = self.instance, (1 << len(self.instance.rows)) - 1
        across = [side for both in sides(C.across()) for side in both]

        def prove(entry: Any, proved: list[tuple[int, int]]) -> tuple[int, int]:  # noqa: ANN401
            depth, literals, turns, below = entries(entry, 4)
            depth = inside(0, integer, depth)
            indices(turns, len(across)), indices(literals, len(across))
            spend((len(turns) + len(literals) + C.width) * (4 + (len(C.rows) >> 9)))
            space = reduce(and_, (across[i] for i in literals), everything)
            left = (1 << C.width) - 1 if space.bit_count() >> depth else 0
            require(depth or not space, "depth 0 requires an empty version space")
            for i, e in zip(turns, indices(below, len(proved), len(turns)), strict=True):
                serves = proved[e][0] < depth and not space & across[i] & ~proved[e][1]
                rule = "entry {} must have a smaller depth and contain the side of literal {}"
                require(serves, rule, e, i)
                left &= ~(1 << (i >> 1))
            for x in members(left):
                few = any(not (space & across[2 * x + b]).bit_count() >> depth - 1 for b in (0, 1))
                require(few, "a side of point {} must be too small or in an earlier entry", x)
            return depth, space

        require(spaces, "at least one version space must be listed")
        last: tuple[int, int] = inside("spaces", table, spaces, prove)[-1]
        depth, space = last
        require(space == everything, "the last entry must contain all concepts")
        return depth - 1


class PartialThresholdDimension(Dimension, Quantity, kind="partial_threshold_dimension"):
    """The largest number of concepts and points with ``c_i(x_j) = 1`` exactly if ``i <= j``."""

    instance: Partial

    @least
    def chain(self, concepts: Rows, points: Columns) -> int:
        """Check a chain of concepts, all defined on the points; return its length."""
        texts = self.instance.texts
        spend(len(concepts) * (5 + len(points)))
        require(texts, "the class must have at least one concept")
        require(len(concepts) == len(points), "there must be as many points as concepts")
        for i, c in enumerate(concepts):
            right = all(texts[c][x] == "01"[i <= j] for j, x in enumerate(points))
            rule = "concept {} must have label 1 from position {} on, and label 0 before it"
            require(right, rule, c, i)
        return len(points)

    @most
    def extension(self, size: Positive) -> int:
        """Exclude chains of `size`: search all sequences of lines with nonempty tails.

        Lines are the rows or the columns, whichever are fewer. The tail of a line consists of the
        positions with label 0 on all earlier lines, and label 1 on this line and the later ones.
        """
        C = self.instance
        across = C.across()
        lines, height = (across, len(C.texts)) if C.width < len(C.texts) else (C.texts, C.width)

        def extend(tails: list[int], zeros: int, left: Sides) -> None:
            spend(20 + len(left) * (3 + len(tails)) * (1 + (height >> 10)))
            require(len(tails) < 500, "the search is limited to 500 rows or columns")
            more = size - len(tails) - 1  # after the next
            fit = [(off, on) for off, on in left if zeros & on and all(t & on for t in tails)]
            for off, on in fit if len(fit) > more else ():
                if (zeros & off).bit_count() >= more:
                    require(more, "bound too small: a chain has {} thresholds", size)
                    extend([*(tail & on for tail in tails), zeros & on], zeros & off, fit)

        extend([], (1 << height) - 1, sides(lines))
        return size - 1
