"""The graph dimension and the Littlestone dimension of multiclass concept classes.

Their concepts map each point to one of finitely many labels.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

from .dimensions import VCDimension
from .reader import *
from .rules import *

MAX_LABELS = 1 << 20  # maximum number of labels; each is a character of a text


@dataclass
class Labelled:
    """The labels of each row, and the rows with each label on each column."""

    title: str
    rows: list[list[int]]
    width: int
    number: int  # of labels
    texts = cached_property(lambda C: ["".join(map(chr, row)) for row in C.rows])

    @classmethod
    def read(cls, value: object) -> Labelled:
        """Read a multiclass concept class."""
        keys = ("type", "name", "points", "concepts", "labels", "rows")
        kind, name, *named, rows = fields(value, *keys)
        inside("type", choice, kind, ["multiclass concept class"])
        inside("name", naming, name)
        width, height, number = map(inside, keys[2:5], (labels,) * 3, named)
        require(number <= MAX_LABELS, "there must be at most {} labels", MAX_LABELS)
        read = inside("rows", lambda: each(indices, rows, number, width, length=height))
        found = cls("", read, width, number)
        require(len(set(found.texts)) == height, "a concept occurs twice")
        size = f"{height} x {width} multiclass concept class with {number} labels"
        found.title = f"a {size}, sha256 {digest(value)[:16]}"
        return found

    @cached_property
    def sides(self) -> list[dict[int, int]]:
        """The rows with each label that occurs on a column."""
        spend(len(self.rows) * self.width * (4 + (len(self.rows) >> 9)))
        found: list[dict[int, int]] = [{} for _ in range(self.width)]
        for i, row in enumerate(self.rows):
            for side, label in zip(found, row, strict=True):
                side[label] = side.get(label, 0) | 1 << i
        return found

    def side(self, literal: int) -> int:
        """Return the rows with label `y` on column `x`, for the literal ``x * number + y``."""
        return self.sides[literal // self.number].get(literal % self.number, 0)


LabelledClass = Annotated[Labelled, lambda value, _: Labelled.read(value)]


class Multiclass(Dimension):
    """A dimension of a multiclass class; a class of dimension `d` has at least ``2^d`` concepts."""

    instance: LabelledClass  # type: ignore[assignment]


def graph(value: object, _: object) -> Matrix:
    """Read a multiclass class and return its graph: whether each row has label y on column x.

    The columns are the pairs (x, y) in increasing order such that `y` occurs on `x`. The least such
    label is left out if there are at most two, since its column is constant or the complement of
    the other.
    """
    C = Labelled.read(value)
    pairs = [(x, y) for x, d in enumerate(C.sides) for y in sorted(d)[len(d) < 3 :]]
    spend(len(C.rows) * len(pairs))
    texts = ["".join("01"[row[x] == y] for x, y in pairs) for row in C.rows]
    return Matrix(C.title, texts, len(pairs))


class GraphDimension(VCDimension, kind="graph_dimension"):
    """The VC dimension of the graph of a class: of the sets of its pairs (point, label)."""

    instance: Annotated[Matrix, graph]


class MulticlassLittlestone(Multiclass, Quantity, kind="multiclass_littlestone_dimension"):
    """The largest depth of a complete mistake tree with two different labels at each node."""

    @least
    def mistake_tree(self, tree: Entries) -> int:
        """Check a tree in preorder: ``[x, a, b]``, a column and two labels, or a row at a leaf."""
        C, depth = self.instance, len(tree).bit_length() - 1
        require(len(tree) + 1 == 1 << depth + 1, "tree must have 2^k - 1 nodes, not {}", len(tree))
        spend(len(tree) * (10 + (len(C.rows) >> 7)))

        def split(node: object, case: tuple[int, int]) -> tuple[tuple[int, int], ...]:
            rows, height = case
            if not height:
                agrees = rows >> index(node, len(C.rows)) & 1
                require(agrees, "concept {} must have the labels on the path to its leaf", node)
                return ()
            x, *both = indices(node, max(C.width, C.number), 3)
            side, (a, b) = C.sides[index(x, C.width)], distinct(both, C.number)
            return tuple((rows & side.get(y, 0), height - 1) for y in (a, b))

        inside("tree", cases, tree, ((1 << len(C.rows)) - 1, depth), split)
        return depth

    @most
    def refutation(self, spaces: Entries) -> int:
        """Check that version spaces, the last being the class, have no tree of the given depths.

        Literal ``x * k + y`` is label `y` on column `x`, for `k` labels. On each column, all labels
        but one have no tree of the depth minus 1: their sides have too few rows, or they are in the
        version space of an earlier entry.
        """
        C, everything = self.instance, (1 << len(self.instance.rows)) - 1

        def prove(entry: Any, proved: list[tuple[int, int]]) -> tuple[int, int]:  # noqa: ANN401
            depth, literals, turns, below = entries(entry, 4)
            depth, bound = inside(0, integer, depth), C.width * C.number
            spend((len(entries(literals)) + 2 * len(entries(turns)) + 3) * (4 + (len(C.rows) >> 9)))
            rows, closed = everything, dict[int, int]()
            for i in indices(literals, bound):
                rows &= C.side(i)
            earlier = indices(below, len(proved), len(turns))
            for i, e in zip(indices(turns, bound), earlier, strict=True):
                serves = proved[e][0] < depth and not rows & C.side(i) & ~proved[e][1]
                rule = "entry {} must have a smaller depth and contain the side of literal {}"
                require(serves, rule, e, i)
                closed[i // C.number] = closed.get(i // C.number, 0) | C.side(i)
            if rows.bit_count() >> depth:
                require(depth, "depth 0 requires an empty version space")
                self.at_most_one(rows, closed, depth)
            return depth, rows

        require(spaces, "at least one version space must be listed")
        last: list[tuple[int, int]] = inside("spaces", table, spaces, prove)
        depth, rows = last[-1]
        require(rows == everything, "the last entry must contain all concepts")
        return depth - 1

    def at_most_one(self, rows: int, closed: dict[int, int], depth: int) -> None:
        """Require that on each column at most one open label has `2^(depth-1)` of the rows."""
        C = self.instance
        for x, side in enumerate(C.sides):
            left = rows & ~closed.get(x, 0)
            spend(20 + len(side) * (2 + (len(C.rows) >> 9)))
            large = [y for y, S in side.items() if (left & S).bit_count() >> depth - 1]
            require(len(large) < 2, "a side of column {} must be too small or in an entry", x)
