"""Deterministic two-way protocols as trees; at each node, one player's input selects the child.

Each leaf is a rectangle whose inputs inside the promise have one value. The cost is the depth of
the tree, and the size is the number of leaves.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import or_
from typing import Any, ClassVar

from .reader import *
from .rectangles import PartitionNumber
from .rules import *

MAX_LINES = 14  # maximum number of rows, and of columns, for a list of all rectangles
Rectangle = tuple[int, int]  # rows and columns
Sets = list[int]  # for each set of lines of a side the sets of the other side, as bits of their own


class Trees:
    """Protocol trees, measured by their depth or by their number of leaves."""

    instance: Matrix
    number: ClassVar[Any] = staticmethod(lambda value, _: integer(value))
    alone: ClassVar[int]  # number of a tree without inner nodes

    @staticmethod
    def joined(a: int, b: int) -> int:
        """Return the measure of a tree, given the measures of its two subtrees."""
        raise NotImplementedError

    @staticmethod
    def pairs(number: int) -> Iterator[tuple[int, int]]:
        """Yield the pairs of measures of subtrees for which a tree has the given measure."""
        raise NotImplementedError

    def of_tree(self, nodes: list[Any]) -> int:
        """Check a tree in preorder, null for a leaf; return its depth or number of leaves."""
        F, is_leaf, values = self.instance, list[bool](), list[int]()
        zeros = [inside & ~row for row, inside in zip(F.rows, F.defined, strict=True)]

        def split(node: object, case: Rectangle) -> list[Rectangle]:
            is_leaf.append(node is None)
            if node is None:
                spend(10 + len(F.rows) * (2 + (F.width >> 7)))
                held = [reduce(or_, (s[x] for x in members(case[0])), 0) for s in (F.rows, zeros)]
                require(not all(case[1] & h for h in held), "a leaf must not contain both values")
                return []
            player, lines = entries(node, 2)
            i = ("rows", "columns").index(choice(player, ("rows", "columns")))
            part = column_set(lines, (len(F.rows), F.width)[i]) & case[i]
            require(part not in (0, case[i]), "a node must divide the remaining rows or columns")
            parts = (part, case[i] ^ part)
            return [(p, case[1]) if i == 0 else (case[0], p) for p in parts]

        inside("nodes", cases, nodes, ((1 << len(F.rows)) - 1, (1 << F.width) - 1), split)
        for each_one in reversed(is_leaf):
            values.append(self.alone if each_one else self.joined(values.pop(), values.pop()))
        return values[0]

    def of_rectangles(self, rows: list[int], columns: list[int]) -> int:
        """Return the minimum measure of a tree on the rectangle of the given rows and columns."""
        F, sizes = self.instance, (len(rows), len(columns))
        rule = "a player has {} inputs; the limit is {}"
        require(max(sizes) <= MAX_LINES, rule, max(sizes), MAX_LINES)
        across = 1 << sizes[1]
        spend(across * len(rows) + (1 << sizes[0]) * (100 + sizes[1] * (2 + (across >> 8))))
        patterns = [
            [
                sum((row >> y & 1) << j for j, y in enumerate(columns))
                for row in map(side.__getitem__, rows)
            ]
            for side in (
                F.rows,
                [row ^ inside for row, inside in zip(F.rows, F.defined, strict=True)],
            )
        ]
        unions = [[0], [0]]
        for union, pattern in zip(unions, patterns, strict=True):
            for row in pattern:
                union += [held | row for held in union]
        found = [
            apart(ones, sizes[1]) | apart(zeros, sizes[1])
            for ones, zeros in zip(*unions, strict=True)
        ]
        known, number = [[found], [transposed(found, sizes[1])]], self.alone
        while not known[0][-1][-1] >> across - 1:
            number += 1
            fresh = [self.split(known[i], number, 1 << sizes[1 - i], known[i][-1]) for i in (0, 1)]
            both = transposed(fresh[1], sizes[0])
            known[0].append([*map(or_, fresh[0], both)])
            known[1].append(transposed(known[0][-1], sizes[1]))
        return number

    def split(self, known: list[Sets], number: int, width: int, last: Sets) -> Sets:
        """Return the known rectangles, and those that one player splits into two known ones."""
        pairs = [(known[a - self.alone], known[b - self.alone]) for a, b in self.pairs(number)]
        found = list[int]()
        for S, sets in enumerate(last):
            part, fits = S & S - 1, sets
            rest = part
            spend((1 << rest.bit_count()) * (3 + len(pairs) * (2 + (width >> 9))))
            while part:
                other = S ^ part
                for a, b in pairs:
                    fits |= a[part] & b[other]
                part = part - 1 & rest
            found.append(fits)
        return found


def apart(lines: int, number: int) -> int:
    """Return the sets of columns that are disjoint from `lines`, as a set of bit masks."""
    sets = 1
    for y in range(number):
        sets |= 0 if lines >> y & 1 else sets << (1 << y)
    return sets


def transposed(sets: Sets, number: int) -> Sets:
    """Exchange the sides of rectangles, listed as sets of one side for each set of the other."""
    spend(len(sets) * (10 + (1 << number >> 2)))
    texts = [format(each_one, f"0{1 << number}b")[::-1] for each_one in sets]
    return [int("".join(column)[::-1], 2) for column in zip(*texts, strict=True)]


class ProtocolSize(Trees, Quantity, kind="protocol_size"):
    """The minimum number of leaves."""

    instance: Problem
    alone = 1

    @staticmethod
    def joined(a: int, b: int) -> int:
        """Return the sum: leaves add up."""
        return a + b

    @staticmethod
    def pairs(number: int) -> Iterator[tuple[int, int]]:
        """Yield the pairs of numbers of leaves with the given sum."""
        yield from ((a, number - a) for a in range(1, number))

    @most
    def tree(self, nodes: Entries) -> int:
        """Check a tree; return its number of leaves."""
        return self.of_tree(nodes)

    @least
    def rectangles(self, rows: Rows, columns: Columns) -> int:
        """Return the minimum number of leaves on a submatrix."""
        return self.of_rectangles(rows, columns)

    @least
    def partitions(self, zeros: Raw, ones: Raw) -> int:
        """Return the sum of bounds on the leaves with each value, which are disjoint rectangles."""
        total = 0
        for value, (key, proof) in enumerate((("zeros", zeros), ("ones", ones))):
            it = PartitionNumber.of(instance=self.instance, value=value)
            total += inside(key, it.proved, "lower", proof)
        return total


class DeterministicCost(Trees, Quantity, kind="deterministic_cost"):
    """The minimum depth: the number of bits that the players send together on the worst input."""

    instance: Problem
    alone = 0

    @staticmethod
    def joined(a: int, b: int) -> int:
        """Return the depth of a tree, given the depths of its two subtrees."""
        return 1 + max(a, b)

    @staticmethod
    def pairs(number: int) -> Iterator[tuple[int, int]]:
        """Yield the pair of the largest depths that the two subtrees may have."""
        yield number - 1, number - 1

    @most
    def tree(self, nodes: Entries) -> int:
        """Check a tree; return its depth."""
        return self.of_tree(nodes)

    @least
    def rectangles(self, rows: Rows, columns: Columns) -> int:
        """Return the minimum depth on a submatrix."""
        return self.of_rectangles(rows, columns)

    @least
    def leaves(self, proof: Raw) -> int:
        """Return the bound by leaves: a tree of depth d has at most 2^d leaves."""
        it = ProtocolSize.of(instance=self.instance)
        number: int = inside("proof", it.proved, "lower", proof)
        return max(0, number - 1).bit_length()
