"""Deterministic two-way protocols of least cost and of least size, from tables of all rectangles.

A rectangle is a pair of sets, of rows and of columns. If a rectangle has a tree with at most k
leaves, or of depth k, so has every subrectangle. A player's move divides a rectangle into two with
the same columns (or rows). So covers can be counted by sums over subsets, as in graph colouring.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.budget import Budget
from ccsim.classes.masks import members
from ccsim.data import frozen

Table = npt.NDArray[np.uint8]
Counts = npt.NDArray[np.int32]
Rectangle = tuple[int, int]
Node = tuple[str, list[int]] | None
"""A player, and the lines that are told from the others; None for a leaf."""

MOST_LINES = 22
"""Rows and columns, equal ones counted once, up to which the tables are built."""
_NONE = 255


@frozen
class Lines:
    """The distinct rows and columns of a matrix, each with the indices of its copies."""

    ones: tuple[int, ...]  # of each row that is kept
    zeros: tuple[int, ...]
    rows: tuple[tuple[int, ...], ...]
    columns: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, ones: Sequence[int], promise: Sequence[int], width: int) -> Lines:
        """Return the distinct rows and columns of a matrix, given by its ones and promise."""
        pairs = [(one, inside & ~one) for one, inside in zip(ones, promise, strict=True)]
        across = [
            tuple(sum((line[v] >> y & 1) << x for x, line in enumerate(pairs)) for v in (0, 1))
            for y in range(width)
        ]
        columns = _groups(across)
        kept = [
            tuple(sum((line[v] >> ys[0] & 1) << j for j, ys in enumerate(columns)) for v in (0, 1))
            for line in pairs
        ]
        rows = _groups(kept)
        first = [kept[xs[0]] for xs in rows]
        return cls(tuple(a for a, _ in first), tuple(b for _, b in first), rows, columns)

    def first(self, side: int, mask: int) -> list[int]:
        """Return the first copy of each row (side 0) or column (side 1) in a mask, in order."""
        groups = self.columns if side else self.rows
        return sorted(groups[i][0] for i in members(mask))

    def spread(self, side: int, mask: int) -> list[int]:
        """Return all copies of the rows (side 0) or columns (side 1) in a mask, in order."""
        groups = self.columns if side else self.rows
        return sorted(line for i in members(mask) for line in groups[i])


def _groups(lines: Iterable[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
    found: dict[tuple[int, ...], list[int]] = {}
    for i, line in enumerate(lines):
        found.setdefault(line, []).append(i)
    return tuple(map(tuple, found.values()))


def _unions(masks: Sequence[int]) -> npt.NDArray[np.int64]:
    """Return the union of each subset of the masks."""
    found = np.zeros(1, np.int64)
    for mask in masks:
        found = np.concatenate((found, found | mask))
    return found


def _summed(counts: Counts, axis: int, sign: int) -> Counts:
    """Replace counts by sums over subsets along an axis, or invert this with the sign -1."""
    size = counts.shape[axis].bit_length() - 1
    for i in range(size):
        shape = (*counts.shape[:axis], -1, 2, 1 << i, *counts.shape[axis + 1 :])
        view = counts.reshape(shape)
        low, high = (view[(*(slice(None),) * (axis + 1), half)] for half in (0, 1))
        high += sign * low
    return counts


class Tables:
    """Tables of the least cost and least size of protocol trees on each rectangle of a matrix."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        m, n = len(lines.ones), len(lines.columns)
        self.everything: Rectangle = ((1 << m) - 1, (1 << n) - 1)
        columns = np.arange(1 << n)
        has = [(_unions(side)[:, None] & columns) != 0 for side in (lines.ones, lines.zeros)]
        self.pure: npt.NDArray[np.bool_] = ~(has[0] & has[1])

    def cost(self, budget: Budget) -> Table:
        """Return the least depth of a tree for each rectangle."""
        small, table, depth = self.pure, np.where(self.pure, 0, _NONE).astype(np.uint8), 0
        while not small[-1, -1]:
            budget.spend()
            depth += 1
            for axis in (0, 1):
                sums = _summed(small.astype(np.int32), axis, 1)
                covered = _summed(sums * sums, axis, -1) > 0
                table[covered & (table == _NONE)] = depth
            small = table != _NONE
        return table

    def size(self, budget: Budget) -> Table:
        """Return the fewest leaves of a tree for each rectangle."""
        table, leaves = np.where(self.pure, 1, _NONE).astype(np.uint8), 1
        sums: list[list[Counts]] = [[], []]
        while table[-1, -1] == _NONE:
            small = (table != _NONE).astype(np.int32)
            leaves += 1
            for axis in (0, 1):
                budget.spend()
                sums[axis].append(_summed(small.copy(), axis, 1))
                pairs = np.zeros_like(small)
                for i in range(leaves // 2):
                    pairs += sums[axis][i] * sums[axis][leaves - 2 - i]
                table[(_summed(pairs, axis, -1) > 0) & (table == _NONE)] = leaves
        return table


class Trees:
    """The values of optimal trees on all rectangles, and a tree that attains the optimum."""

    def __init__(self, tables: Tables, table: Table, joined: Callable[[int, int], int]) -> None:
        self.lines, self.everything = tables.lines, tables.everything
        self.pure, self.table, self.joined = tables.pure, table, joined
        self.alone = int(table[0, 0])

    @property
    def value(self) -> int:
        """The optimal depth or number of leaves on the whole matrix."""
        return int(self.table[self.everything])

    def tree(self) -> list[Node]:
        """Return the nodes of an optimal tree in preorder."""
        nodes, left = list[Node](), [self.everything]
        while left:
            rectangle = left.pop()
            if self.pure[rectangle]:
                nodes.append(None)
                continue
            side, part = self._split(rectangle)
            nodes.append((("rows", "columns")[side], self.lines.spread(side, part)))
            both = (part, rectangle[side] ^ part)
            left += [_with(rectangle, side, lines) for lines in reversed(both)]
        return nodes

    def leaves(self, value: int) -> list[Rectangle]:
        """Return the leaves of an optimal tree that contain a value, as masks of all lines."""
        found, left = list[Rectangle](), [self.everything]
        held = self.lines.ones if value else self.lines.zeros
        while left:
            rectangle = left.pop()
            if not self.pure[rectangle]:
                i, part = self._split(rectangle)
                left += [_with(rectangle, i, lines) for lines in (part, rectangle[i] ^ part)]
            elif any(held[x] & rectangle[1] for x in members(rectangle[0])):
                masks = (self.lines.spread(i, lines) for i, lines in enumerate(rectangle))
                rows, columns = (sum(1 << line for line in lines) for lines in masks)
                found.append((rows, columns))
        return found

    def _split(self, rectangle: Rectangle) -> tuple[int, int]:
        """Return the player at the root of an optimal tree, and the lines of the first part."""
        best = int(self.table[rectangle])
        for side in (0, 1):
            whole = rectangle[side]
            lowest = whole & -whole
            parts = _unions([1 << i for i in members(whole ^ lowest)])[:-1] | lowest
            values = [
                self.table[_index(rectangle, side, lines)].astype(np.int64)
                for lines in (parts, whole ^ parts)
            ]
            fit = np.flatnonzero(_joined(self.joined, *values) <= best)
            if len(fit):
                return side, int(parts[fit[0]])
        raise AssertionError("a table of trees has no tree")


def plain_tree(lines: Lines) -> list[Node]:
    """Return the nodes of a tree: one player sends his input, the other replies with the value."""
    sizes = len(lines.rows), len(lines.columns)
    side = 0 if sizes[0] <= sizes[1] else 1
    kinds = [((1 << sizes[0]) - 1, (1 << sizes[1]) - 1)]
    nodes = list[Node]()
    while kinds:
        rectangle = kinds.pop()
        own = rectangle[side]
        if own.bit_count() > 1:
            part = sum(1 << i for i in [*members(own)][: own.bit_count() // 2])
            nodes.append((("rows", "columns")[side], lines.spread(side, part)))
            kinds += [_with(rectangle, side, rest) for rest in (own ^ part, part)]
            continue
        line = own.bit_length() - 1
        ones, zeros = (
            held[line] if side == 0 else sum((row >> line & 1) << x for x, row in enumerate(held))
            for held in (lines.ones, lines.zeros)
        )
        if not (ones and zeros):
            nodes.append(None)
            continue
        nodes.append((("columns", "rows")[side], lines.spread(1 - side, ones)))
        nodes += [None, None]
    return nodes


def _with(rectangle: Rectangle, side: int, lines: int) -> Rectangle:
    return (rectangle[0], lines) if side else (lines, rectangle[1])


def _index(rectangle: Rectangle, side: int, lines: npt.NDArray[np.int64]) -> Any:  # noqa: ANN401
    return (rectangle[0], lines) if side else (lines, rectangle[1])


def deeper(a: int, b: int) -> int:
    """Return the depth of a tree, given the depths of its subtrees."""
    return 1 + max(a, b)


def more(a: int, b: int) -> int:
    """Return the number of leaves of a tree, given those of its subtrees."""
    return a + b


def _joined(joined: Callable[[int, int], int], a: Any, b: Any) -> Any:  # noqa: ANN401
    return a + b if joined is more else 1 + np.maximum(a, b)
