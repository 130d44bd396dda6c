"""Rectangles that cover the inputs of a value; weights of inputs, which prove lower bounds.

A rectangle is a set of rows and a set of columns. It is *of a value* if each of its inputs inside
the promise has this value. A set of inputs is an integer: input (x, y) is bit ``x * width + y``.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil
from operator import add
from typing import Annotated, Any, ClassVar

from .ranks import Rank
from .reader import *
from .rules import *

Bit = Annotated[int, lambda value, _: index(value, 2)]
Lines = Sequence[Sequence[int]]
Case = tuple[list[int], list[int]]  # rectangles that may be used, and pairs that one of them holds


def weighted(value: object, it: Quantity) -> dict[tuple[int, int], int]:
    """Read distinct inputs inside the promise, each with an integer weight."""
    listed = [(it.instance.cell([x, y]), integer(w, None)) for x, y, w in each(entries, value, 3)]
    require(len(found := dict(listed)) == len(listed), "no input may be listed twice")
    return found


Weights = Annotated[dict[tuple[int, int], int], weighted]


def heaviest(rows: Lines, barred: Sequence[int]) -> int:
    """Return the largest weight of a rectangle without barred inputs; the empty rectangle has 0.

    Rows are included or excluded one by one while the columns can exceed the best weight.
    """
    if rows and len(rows[0]) < len(rows):
        across = range(len(rows[0]))
        barred = [sum((bars >> y & 1) << x for x, bars in enumerate(barred)) for y in across]
        rows = [*zip(*rows, strict=True)]
    width, bits = len(rows[0]) if rows else 0, sum(abs(w) for row in rows for w in row).bit_length()
    later = [[0] * width]
    for row in reversed(rows):
        later.append([t + max(w, 0) for t, w in zip(later[-1], row, strict=True)])
    left, best = [(0, [*range(width)], [0] * width)], 0
    while left:
        i, columns, sums = left.pop()
        spend(10 + width + len(columns) * (3 + (bits >> 8)))
        best, rest = max(best, sum(max(sums[y], 0) for y in columns)), later[len(rows) - i]
        if sum(max(sums[y] + rest[y], 0) for y in columns) > best:
            free = [y for y in columns if not barred[i] >> y & 1]
            left += [(i + 1, columns, sums), (i + 1, free, [*map(add, sums, rows[i])])]
    return best


class Rectangles:
    """Rectangles of a value that together contain all inputs of this value."""

    instance: Matrix
    value: int
    disjoint: ClassVar[bool] = False  # whether an input of the value is in one of them only

    def sides(self) -> tuple[list[int], list[int]]:
        """Return, for each row, the columns with the value and the columns with the other value."""
        F = self.instance
        zeros = [inside & ~row for row, inside in zip(F.rows, F.defined, strict=True)]
        return (F.rows, zeros) if self.value else (zeros, F.rows)

    def cells(self, rows: list[int], columns: int) -> int:
        """Return the inputs with the value in a rectangle."""
        held, width = self.sides()[0], self.instance.width
        return sum((held[x] & columns) << x * width for x in rows)

    def covering(self, listed: list[Any], unit: int) -> int:
        """Read ``[rows, columns, weight]`` and check the weight at each input; return the total."""
        F, (held, barred), total = self.instance, self.sides(), 0
        sums = [[0] * F.width for _ in F.rows]
        for i, (ours, theirs, weight) in enumerate(each(entries, listed, 3)):
            rows, w = inside(i, distinct, ours, len(F.rows)), inside(i, integer, weight)
            columns, total = inside(i, column_set, theirs, F.width), total + w
            spend(10 + len(rows) * (1 + columns.bit_count()) * (3 + (w.bit_length() >> 8)))
            for x in rows:
                require(
                    not barred[x] & columns,
                    "rectangle {} contains an input with the other value",
                    i,
                )
                for y in members(columns):
                    sums[x][y] += w
        for x, row in enumerate(held):
            for y in members(row):
                fits = sums[x][y] == unit if self.disjoint else sums[x][y] >= unit
                rule = "the rectangles that contain input {} have total weight {}; required is {}"
                require(fits, rule, (x, y), sums[x][y], unit)
        return total

    def ratio(self, weights: dict[tuple[int, int], int]) -> Fraction:
        """Return the total weight of the inputs, divided by the largest weight of a rectangle."""
        held, barred = self.sides()
        rows = [[0] * self.instance.width for _ in held]
        for (x, y), w in weights.items():
            require(held[x] >> y & 1, "input {} must have the covered value", (x, y))
            require(
                self.disjoint or w >= 0, "weight of input {} must be at least 0, not {}", (x, y), w
            )
            rows[x][y] = w
        return Fraction(max(0, sum(weights.values())), max(1, heaviest(rows, barred)))

    def maximal(self) -> list[int]:
        """Return, for each maximal rectangle, its inputs with the value."""
        held, barred = self.sides()
        full = (1 << self.instance.width) - 1
        closed, size = {hex(full): full}, len(held) * self.instance.width >> 8
        for bars in barred:
            spend(20 + len(closed) * (3 + size))
            closed |= {hex(S): S for S in [S & ~bars for S in closed.values()]}
        spend(len(closed) * len(held) * (5 + size))
        fit = ([x for x, bars in enumerate(barred) if not bars & S] for S in closed.values())
        found = different(map(self.cells, fit, closed.values()))
        return [*found.values()]

    def every(self) -> list[int]:
        """Return, for each rectangle, its inputs with the value."""
        held, barred = self.sides()
        full, found = (1 << self.instance.width) - 1, dict[str, int]()
        left, size = [(0, list[int](), full)], len(held) * self.instance.width >> 8
        while left:
            x, rows, free = left.pop()
            spend(10)
            if x < len(held):
                left.append((x + 1, rows, free))
                if free & ~barred[x]:
                    left.append((x + 1, [*rows, x], free & ~barred[x]))
                continue
            S = free if rows else 0
            while S:
                spend(10 + len(rows) * (3 + size))
                found |= different([self.cells(rows, S)])
                S = S - 1 & free
        return [*found.values()]

    def by_cases(self, nodes: list[Any]) -> int:
        """Check a tree of cases: a rectangle contains all inputs of a set, or none does.

        Weights of inputs, and of the sets contained in a rectangle, bound the number of rectangles.
        """
        F, bounds = self.instance, list[int]()
        known = self.every() if self.disjoint else self.maximal()

        def split(node: object, case: Case) -> list[Case]:
            allowed, pairs = case
            if isinstance(node, dict):
                bounds.append(closed(node, allowed, pairs))
                return []
            require(entries(node), "a node must list at least one input")
            pair = sum(1 << x * F.width + y for x, y in {*map(F.cell, entries(node))})
            spend(10 + len(allowed) * (2 + (len(F.rows) * F.width >> 8)))
            return [([m for m in allowed if pair & ~m], pairs), (allowed, [*pairs, pair])]

        def closed(node: dict[str, Any], allowed: list[int], pairs: list[int]) -> int:
            ours, theirs = fields(node, "weights", "pairs")
            weights = inside("weights", weighted, ours, self)
            held = self.cells([*range(len(F.rows))], -1)
            parts = [(1 << x * F.width + y, w) for (x, y), w in weights.items()]
            require(all(part & held for part, _ in parts), "every listed input must have the value")
            sizes = inside("pairs", lambda: each(integer, theirs, None, length=len(pairs)))
            parts += zip(pairs, sizes, strict=True)
            require(self.disjoint or all(w >= 0 for _, w in parts), "weights must be at least 0")
            bits = sum(abs(w) for _, w in parts).bit_length()
            spend(10 + len(allowed) * len(parts) * (2 + (bits + len(F.rows) * F.width >> 8)))
            top = max((sum(w for part, w in parts if not part & ~m) for m in allowed), default=0)
            return ceil(Fraction(sum(w for _, w in parts), max(1, top)))

        inside("nodes", cases, nodes, (known, []), split)
        return max(0, min(bounds))


class CoverNumber(Rectangles, Quantity, kind="cover_number"):
    """The minimum number of rectangles of a value that contain all inputs of this value."""

    instance: Problem
    value: Bit
    number = staticmethod(lambda value, _: integer(value))

    @most
    def rectangles(self, listed: Entries) -> int:
        """Check a cover; return the number of its rectangles."""
        return self.covering([[*entries(one, 2), 1] for one in listed], 1)

    @least
    def weights(self, weights: Weights) -> int:
        """Return the bound by weights: the total weight over the largest weight of a rectangle."""
        return ceil(self.ratio(weights))

    @least
    def cases(self, nodes: Entries) -> int:
        """Return the minimum bound over cases; each states which inputs share a rectangle."""
        return self.by_cases(nodes)


class PartitionNumber(CoverNumber, kind="partition_number"):
    """The minimum number of rectangles of a value that partition the inputs of this value."""

    disjoint = True

    @least
    def rank(self, field: Raw, proof: Raw) -> int:
        """Return the bound by rank: each rectangle has rank 1, and their sum is the matrix."""
        F, (held, _) = self.instance, self.sides()
        lines = zip(held, F.defined, strict=True)
        texts = [
            "".join("01"[row >> y & 1] if ours >> y & 1 else "*" for y in range(F.width))
            for row, ours in lines
        ]
        it = Rank.of(instance=Matrix("", texts, F.width), field=Rank.readers["field"](field, None))
        found: int = inside("proof", it.proved, "lower", proof)
        return found


class FractionalCoverNumber(Rectangles, Quantity, kind="fractional_cover_number"):
    """The least total weight of rectangles that cover each input of the value at least once."""

    instance: Problem
    value: Bit

    @most
    def rectangles(self, unit: Positive, listed: Entries) -> Fraction:
        """Check a fractional cover, with weights in parts of a unit; return its total weight."""
        return Fraction(self.covering(listed, unit), unit)

    @least
    def weights(self, weights: Weights) -> Fraction:
        """Return the bound by weights of the inputs."""
        return self.ratio(weights)


class FractionalPartitionNumber(FractionalCoverNumber, kind="fractional_partition_number"):
    """The least total weight of rectangles that cover each input of the value exactly once."""

    disjoint = True
