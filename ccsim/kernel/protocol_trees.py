"""Deterministic two-way protocols: trees in which a player's input decides where to go on.

Each leaf is a rectangle whose inputs inside the promise have one value. The cost is the depth, the
size the number of leaves.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import or_
from typing import Any, ClassVar

from .reader import *
from .rectangles import PartitionNumber
from .rules import *

MAX_LINES = 14  # of a side, of which all rectangles are looked at
Rectangle = tuple[int, int]  # rows and columns
Sets = list[int]  # for each set of lines of a side the sets of the other side, as bits of their own


class Trees:
    """Protocol trees and the number that is bounded: the depth, or the number of leaves."""

    instance: Matrix
    number: ClassVar[Any] = staticmethod(lambda value, _: integer(value))
    alone: ClassVar[int]  # number of a tree without inner nodes

    @staticmethod
    def joined(a: int, b: int) -> int:
        """Return the number of a tree from those of both subtrees."""
        raise NotImplementedError

    @staticmethod
    def pairs(number: int) -> Iterator[tuple[int, int]]:
        """Yield the numbers that both subtrees of a tree with a given number may have."""
        raise NotImplementedError

    def of_tree(self, nodes: list[Any]) -> int:
        """Read a tree in preorder: null for a leaf, or lines that one player tells from others."""
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
        """Find for more and more which rectangles of some lines have such trees, up to all."""
        F, sizes = self.instance, (len(rows), len(columns))
        require(max(sizes) <= MAX_LINES, "{} distinct inputs of a player are too many", max(sizes))
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
        """Return what splits of the lines of one side add to the sets known for them."""
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
    """Return the sets of columns that have none in common with some, as bits of their own."""
    sets = 1
    for y in range(number):
        sets |= 0 if lines >> y & 1 else sets << (1 << y)
    return sets


def transposed(sets: Sets, number: int) -> Sets:
    """Return for each set of the other side the sets of this side."""
    spend(len(sets) * (10 + (1 << number >> 2)))
    texts = [format(each_one, f"0{1 << number}b")[::-1] for each_one in sets]
    return [int("".join(column)[::-1], 2) for column in zip(*texts, strict=True)]


class ProtocolSize(Trees, Quantity, kind="protocol_size"):
    """The fewest leaves."""

    instance: Problem
    alone = 1

    @staticmethod
    def joined(a: int, b: int) -> int:
        """Add the leaves."""
        return a + b

    @staticmethod
    def pairs(number: int) -> Iterator[tuple[int, int]]:
        """Yield numbers of leaves that add up."""
        yield from ((a, number - a) for a in range(1, number))

    @most
    def tree(self, nodes: Entries) -> int:
        """Show the tree."""
        return self.of_tree(nodes)

    @least
    def rectangles(self, rows: Rows, columns: Columns) -> int:
        """Find the fewest leaves of all rectangles of some lines."""
        return self.of_rectangles(rows, columns)

    @least
    def partitions(self, zeros: Raw, ones: Raw) -> int:
        """Leaves are disjoint rectangles: add the numbers of those of each value."""
        total = 0
        for value, (key, proof) in enumerate((("zeros", zeros), ("ones", ones))):
            it = PartitionNumber.of(instance=self.instance, value=value)
            total += inside(key, it.proved, "lower", proof)
        return total


class DeterministicCost(Trees, Quantity, kind="deterministic_cost"):
    """The least depth: the bits that both players send together on the worst input."""

    instance: Problem
    alone = 0

    @staticmethod
    def joined(a: int, b: int) -> int:
        """Add the node to the deeper part."""
        return 1 + max(a, b)

    @staticmethod
    def pairs(number: int) -> Iterator[tuple[int, int]]:
        """Yield the depth that both parts may have."""
        yield number - 1, number - 1

    @most
    def tree(self, nodes: Entries) -> int:
        """Show the tree."""
        return self.of_tree(nodes)

    @least
    def rectangles(self, rows: Rows, columns: Columns) -> int:
        """Find the least depth for all rectangles of some lines."""
        return self.of_rectangles(rows, columns)

    @least
    def leaves(self, proof: Raw) -> int:
        """Count leaves: a tree of a depth d has at most 2^d of them."""
        it = ProtocolSize.of(instance=self.instance)
        number: int = inside("proof", it.proved, "lower", proof)
        return max(0, number - 1).bit_length()
