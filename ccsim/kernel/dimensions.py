"""Dimensions of a class and of its dual: points that it shatters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, combinations
from math import comb
from operator import mul
from typing import Annotated, Any, ClassVar

from .reader import *
from .rules import *

Labels = Annotated[str, lambda value, _: text(value, len(value) if type(value) is str else 0)]
Columns = Annotated[list[int], lambda value, it: distinct(value, it.instance.width)]
Vector = Annotated[list[int], lambda value, _: each(integer, value, None)]
Vectors = Annotated[
    list[list[int]], lambda value, _: [each(integer, v, None) for v in entries(value)]
]


class Dimension:
    """A number that is -1 where even the empty set or tree is too large."""

    instance: Class
    number: ClassVar[Any] = staticmethod(lambda value, _: integer(value, -1))

    @least
    def trivial(self) -> int:
        """Prove what always holds."""
        return -1


def repeated(rows: Sequence[int], width: int, size: int) -> bool:
    """Say whether on each choice of so many columns no row is alone; if no, it may be too long.

    Rows are put together that are equal on the first columns, the last of which is `x`; vectors of
    bits say which labels each has on every choice of the others, all of them above `x`.
    """

    def steps(late: int) -> int:
        costs = (5 + ((comb(width - x, late) << late) + width >> 10) for x in range(1, width + 1))
        listed = sum(comb(x, size - late - 1) * cost for x, cost in enumerate(costs))
        return len(rows) * (listed + (comb(width, late) << late >> 4) + 4 * width * size)

    spend(size * width * 40)
    late = min(range(size), key=steps)
    if steps(late) > min(MAX_WORK >> 1, len(rows) ** 2 << 2 * size):
        return False
    spend(steps(late))
    lengths, vectors = [1] + [0] * late, [[1] * len(rows), *([0] * len(rows) for _ in range(late))]
    for x in reversed(range(width)):
        for first in combinations(range(x), size - late - 1) if lengths[late] else ():
            columns, once, twice = sum(1 << y for y in (*first, x)), {0: 0}, {0: 0}
            for row, vector in zip(rows, vectors[late], strict=True):
                seen = once.get(row & columns, 0)
                once[row & columns] = seen | vector
                twice[row & columns] = twice.get(row & columns, 0) | seen & vector
            if once != twice:
                return False
        for j in range(late, 0, -1):
            at = lengths[j], lengths[j] + lengths[j - 1]
            both = zip(vectors[j], vectors[j - 1], rows, strict=True)
            vectors[j] = [v | u << at[row >> x & 1] for v, u, row in both]
            lengths[j] += 2 * lengths[j - 1]
    return True


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


def serving(parts: list[int], x: int, among: int, more: int, C: Matrix) -> int:
    """Return the columns, of some, that may come after column x, `more` of them: none if too few.

    On each side of `x` in each part they have each label in half of `2^more` rows, or more.
    """
    half, looks, ones, columns = 1 << more - 1, 0, C.columns[x], C.columns
    kept = [*members(among)]
    for part in parts:
        for side in (part & ones, part & ~ones):
            looks += len(kept)
            if more == 1:  # quicker than to count
                kept = [y for y in kept if 0 != side & columns[y] != side]
            else:
                limit = side.bit_count() - half
                kept = [y for y in kept if half <= (side & columns[y]).bit_count() <= limit]
        if len(kept) < more:
            break
    spend(9 + 2 * among.bit_count() + looks * (2 + (len(C.rows) >> 9)))
    return sum([1 << y for y in kept]) if len(kept) >= more else 0


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

    @most
    def counting(self, size: Natural, symmetries: Symmetries) -> int:
        """Shatter no set of a size: sets grow by columns that leave rows enough in all cells.

        A cell holds the rows with one labelling of the columns so far. If `k` more columns are to
        follow the next two, each label of each of these stands in `2^k` rows of every cell.
        """
        C, first_rows = (
            self.instance,
            {row: i for i, row in reversed([*enumerate(self.instance.rows)])},
        )
        if not len(first_rows) >> size:
            return size - 1  # there are too few
        require(size, "no columns are always shattered")
        everything = sum(1 << i for i in first_rows.values())
        first = splitting(everything, 1 << size - 1, (1 << C.width) - 1, C)
        require(not first or size > 1, "column {} is shattered", first.bit_length() - 1)

        def grow(case: tuple[list[int], list[int]], x: int, left: int) -> tuple[Any, int]:
            (chosen, parts), more = case, size - len(case[0]) - 1  # columns after this one
            if left.bit_count() < more or not (left := serving(parts, x, left, more, C)):
                return case, 0
            require(more > 1, "columns {} and another one are shattered", f"{[*chosen, x]}")
            spend(len(parts) * (6 + (len(C.rows) >> 7)))
            sides = [S for V in parts for S in (V & C.columns[x], V & ~C.columns[x])]
            return ([*chosen, x], sorted(sides, key=int.bit_count)), left

        subsets(([], [everything]), first, [symmetry.columns for symmetry in symmetries], grow)
        return size - 1

    @most
    def signs(self, columns: Vectors, rows: Vectors, positive: Vector) -> int:
        """Let the ones of the table be where vectors of columns and rows have a positive product.

        Of more vectors than they have entries some combination is 0, and a row whose labels on
        these columns are the signs of its numbers would make it positive. A vector that has
        positive products with all rows can take the place of a column.
        """
        C, size = self.instance, len(columns[0]) if columns else 0
        require(len(columns) == C.width, "{} columns have as many vectors", C.width)
        require(len(rows) == len(C.rows), "{} rows have as many vectors", len(C.rows))
        equal = {len(vector) for vector in (*columns, *rows, positive or [0] * size)} <= {size}
        require(equal, "all vectors must have {} entries", size)
        digits = sum(map(int.bit_length, map(abs, (n for u in columns for n in u)))) >> 6
        for i, vector in enumerate(rows):
            spend(C.width * (3 + size) + digits * max(map(int.bit_length, vector), default=0) // 64)
            is_positive = not positive or sum(map(mul, positive, vector)) > 0
            require(is_positive, "the product with the vector of row {} must be positive", i)
            found = "".join("1" if sum(map(mul, u, vector)) > 0 else "0" for u in columns)
            require(
                found == C.texts[i], "row {} has other labels than the signs of its products", i
            )
        return size - bool(positive)


def dual(value: object, it: object) -> Matrix:
    """Read a concept class and let points and concepts change places."""
    C = Matrix.read(value, "concept class")
    C.texts = ["".join(column) for column in zip(*C.texts, strict=True)] or [""] * C.width
    C.rows, C.columns, C.width = C.columns, C.rows, len(C.rows)
    return C


class DualVCDimension(VCDimension, kind="dual_vc_dimension"):
    """The same where the concepts are the columns and the points are the rows."""

    instance: Annotated[Matrix, dual]
