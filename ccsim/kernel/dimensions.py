"""The VC dimension of a class and of its dual."""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate, combinations
from math import comb
from operator import mul
from typing import Annotated, Any

from .littlestone import even, splitting, subsets
from .reader import *
from .rules import *

MAX_LANES = 1 << 26  # maximum of rows times the cube of columns; about as many bytes of memory
Labels = Annotated[str, lambda value, _: text(value, len(value) if type(value) is str else 0)]
Vector = Annotated[list[int], lambda value, _: each(integer, value, None)]
Vectors = Annotated[list[list[int]], lambda v, _: [each(integer, u, None) for u in entries(v)]]


def serving(parts: list[int], x: int, among: int, more: int, C: Matrix) -> int:
    """Return the columns in `among` that can follow column x; 0 if there are fewer than `more`.

    In each part, among the rows with either label on `x`, such a column has both labels at least
    `2^(more-1)` times.
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


def divided(cells: list[int], chosen: list[int] | tuple[int, ...], C: Matrix) -> list[int]:
    """Split each cell by the labels of its rows on the chosen columns."""
    for x in chosen:
        spend(len(cells) * (6 + (len(C.rows) >> 7)))
        cells = [S for V in cells for S in (V & C.columns[x], V & ~C.columns[x])]
    return cells


class Pairs:
    """A search for shattered sets of columns, from the highest column down.

    If `size` columns are shattered, `k` of them and a pair of others split the rows into cells of
    at least `2^(size - k - 2)` rows. For `k` up to `size - 4`, all pairs of lower columns are
    tested at once. A long integer has four bit fields for each pair, one for each pair of labels; a
    row has 1 in the field of its labels. So a sum over rows counts the rows of each cell; no field
    overflows. A pair that fails is excluded from all sets that contain these `k` columns.
    Each set of `size` columns that is not excluded is tested separately.
    """

    def __init__(self, C: Matrix, size: int, everything: int) -> None:
        self.C, self.size, self.everything, self.level = C, size, everything, size - 4
        self.fitting = dict[tuple[int, ...], int]()  # bit ``y (y - 1) / 2 + z`` for columns y > z
        self.bits = w = len(C.rows).bit_length() + 1  # of a lane: the highest is to compare
        spend(len(C.rows) * (20 * C.width + (comb(C.width + 1, 3) * w >> 4)))
        spread = [int(("0" * (w - 1)).join(text[::-1]), 16) for text in C.texts]
        self.lanes = [[0] * len(spread)]  # of each row, for the pairs of columns below 0, 1, ...
        for y, column in enumerate(C.columns):
            ones, place = ((1 << 4 * w * y) - 1) // ((1 << 4 * w) - 1), 4 * w * comb(y, 2)
            two = [(row & ones | (~row & ones) << w) << place for row in spread]
            both = enumerate(zip(self.lanes[-1], two, strict=True))
            self.lanes.append([lane | t << 2 * w * (column >> i & 1) for i, (lane, t) in both])
        self.total = lru_cache(1 << 14)(self._total)

    def _total(self, x: int, digits: str) -> int:
        """Count the rows with each pair of labels on column `x` and every lower column."""
        spend(10 + (rows := int(digits, 16)).bit_count() * (2 + (x * x * self.bits >> 12)))
        return sum([self.lanes[x][i] for i in members(rows)])

    def split(self, x: int, rows: int, chosen: tuple[int, ...]) -> list[int]:
        """Return the counts of `_total` for each cell of the chosen columns."""
        if not chosen:
            return [self.total(x, hex(rows))]
        ones = self.split(x, rows & self.C.columns[chosen[0]], chosen[1:])
        every = self.split(x, rows, chosen[1:])
        return ones + [s - t for s, t in zip(every, ones, strict=True)]

    def walk(self, chosen: tuple[int, ...], cells: list[int], pairs: int, left: int) -> None:
        """Reject if the chosen columns can be extended to `size` shattered columns."""
        more, w = self.size - len(chosen) - 1, self.bits
        spend(20 + left.bit_count() * (5 + 3 * comb(len(chosen), self.level - 1)))
        for x in members(left):
            rest = pairs >> comb(x, 2) & left & (1 << x) - 1
            if rest.bit_count() < more:
                continue
            new, kept, sides = (*chosen, x), pairs, []
            if len(new) <= self.level:
                spend(20 + ((10 + (x * x * w >> 10)) << len(new)))
                room = (1 << 4 * w * comb(x, 2)) - 1
                ones = self.split(x, self.everything & self.C.columns[x], chosen)
                sides = [S for s, t in zip(cells, ones, strict=True) for S in (t, (s & room) - t)]
                self.fitting[new] = kept = kept & self.fit(sides, room, 1 << more - 2)
            for some in combinations(chosen, self.level - 1) if len(new) > self.level else ():
                kept &= self.fitting.get((*some, x), -1)
            if not more:
                labelled = all(divided([self.everything], new, self.C))
                require(not labelled, f"bound too small: columns {[*new]} are shattered")
            elif kept or more == 1:  # no pair comes before the last column
                self.walk(new, sides, kept, rest)

    def fit(self, cells: list[int], room: int, least: int) -> int:
        """Return the pairs of columns for which each cell has at least `least` rows."""
        w, found = self.bits, room
        more = room // ((1 << w) - 1) * ((1 << w - 1) - least)
        for cell in cells:
            found &= cell + more
        found &= found >> w
        found = (found & found >> 2 * w) >> w - 1 & room // ((1 << 4 * w) - 1)
        return int(f"{found:x}"[::-w][::-1], 2)


class VCDimension(Dimension, Quantity, kind="vc_dimension"):
    """The largest number of points (columns) on which the concepts (rows) have all labellings."""

    @least
    def shattered(self, columns: Columns, rows: Entries) -> int:
        """Check one row for each labelling: row `i` has label ``i >> t & 1`` on column `t`."""
        found = indices(rows, len(self.instance.rows), 1 << len(columns))
        spend(len(rows) * len(columns) * (2 + (self.instance.width >> 9)))
        for i, row in enumerate(self.instance.rows[row] for row in found):
            right = all(row >> x & 1 == i >> t & 1 for t, x in enumerate(columns))
            require(right, "the labels of row {} must be the binary digits of {}", found[i], i)
        return len(columns)

    @most
    def spanning_tree(self, edges: Entries) -> int:
        """Check a tree on all rows: columns that change on c edges have up to c + 1 labellings."""
        C, crossed = self.instance, [0] * self.instance.width
        reached = [True] + [False] * len(C.rows)
        require(len(edges) == (n := len(C.rows)) - 1, "a tree on {} rows needs {} edges", n, n - 1)
        for r, s in (indices(edge, len(C.rows), 2) for edge in edges):
            require(reached[r] != reached[s], "edge {} must reach exactly one new row", (r, s))
            reached[r] = reached[s] = True
            spend(5 + (C.width >> 6) + 2 * (C.rows[r] ^ C.rows[s]).bit_count())
            for x in members(C.rows[r] ^ C.rows[s]):
                crossed[x] += 1
        labellings = accumulate(sorted(crossed, reverse=True), initial=1)
        return max(d for d, number in enumerate(labellings) if number >> d)

    @most
    def extension(self, size: Natural, labels: Labels, symmetries: Symmetries) -> int:
        """Search all sets of `size` columns by adding columns that split a given cell.

        The cell has the given labels on the columns so far. If `k` more columns follow, the cell
        has at least `2^k` distinct rows on the remaining columns. The last column splits all cells.
        """
        C, everything = self.instance, (1 << len(self.instance.rows)) - 1
        if not len(start := [*different(C.rows).values()]) >> size:
            return size - 1  # there are too few
        require(len(labels) == size - 1, "there must be size - 1 labels for size {}", size)

        def limit(case: tuple[list[int], list[int]], left: int) -> tuple[Any, int]:
            (chosen, rows), more = case, size - len(case[0]) - 1  # columns after the next
            spend(20 + len(rows) * (more + 2) * (2 + (C.width >> 9)))
            left = even(rows, 1 << more, left)
            if left and not more:
                for cell in sorted(divided([everything], chosen, C), key=int.bit_count):
                    left = left and splitting(cell, 1, left, C)
                require(not left, f"bound too small: columns {chosen} and another are shattered")
            return case, left

        def grow(case: tuple[list[int], list[int]], x: int, left: int) -> tuple[Any, int]:
            (chosen, rows), label, bit = case, int(labels[len(case[0])]), 1 << x
            side = [row for row in rows if (row & bit > 0) == label] if chosen else []
            space = 0 if chosen else C.columns[x] if label else everything ^ C.columns[x]
            side += [C.rows[i] for i in members(space)]  # at first quicker than to look at all
            spend(20 + (len(C.rows) >> 6) + len(rows if chosen else side) * (2 + (C.width >> 9)))
            return limit(([*chosen, x], [*different(row & left for row in side).values()]), left)

        subsets(*limit(([], start), (1 << C.width) - 1), [g.columns for g in symmetries], grow)
        return size - 1

    @most
    def counting(self, size: Natural, symmetries: Symmetries) -> int:
        """Search all sets of `size` columns by adding columns that leave enough rows in each cell.

        A cell consists of the rows with one labelling of the columns so far. If `k` more columns
        follow the next one, each of its labels occurs in `2^k` rows of every cell.
        """
        C = self.instance
        first_rows = {t: i for i, t in reversed([*enumerate(C.texts)])}
        if not len(first_rows) >> size:
            return size - 1  # there are too few
        require(size, "size must be at least 1, as the empty set of columns is shattered")
        everything = ones("".join("01"[first_rows[t] == i] for i, t in enumerate(C.texts)))
        S = splitting(everything, 1 << size - 1, (1 << C.width) - 1, C)
        require(size > 1 or not S, f"bound too small: column {S.bit_length() - 1} is shattered")

        if size > 5 and not symmetries and len(C.rows) * C.width**3 < MAX_LANES:
            it = Pairs(C, size, everything)
            it.walk((), [it.total(C.width, hex(everything))], -1, S)
            return size - 1

        def grow(case: tuple[list[int], list[int]], x: int, left: int) -> tuple[Any, int]:
            (chosen, parts), more = case, size - len(case[0]) - 1  # columns after this one
            if left.bit_count() < more or not (left := serving(parts, x, left, more, C)):
                return case, 0
            require(more > 1, f"bound too small: columns {[*chosen, x]} and another are shattered")
            return ([*chosen, x], sorted(divided(parts, [x], C), key=int.bit_count)), left

        subsets(([], [everything]), S, [symmetry.columns for symmetry in symmetries], grow)
        return size - 1

    @most
    def signs(self, columns: Vectors, rows: Vectors, positive: Vector) -> int:
        """Check vectors of rows and columns whose inner products are positive exactly at the ones.

        If a shattered set has more columns than the vectors have entries, a combination of the
        columns' vectors is 0. The row whose labels are the signs of the coefficients would have a
        positive inner product with it. If the vector `positive` has positive inner products with
        all rows, it counts as another column.
        """
        C, size = self.instance, len(columns[0]) if columns else 0
        require(len(columns) == C.width, "there must be {} vectors, one for each column", C.width)
        require(len(rows) == len(C.rows), "there must be {} vectors, one for each row", len(C.rows))
        equal = {len(vector) for vector in (*columns, *rows, positive or [0] * size)} <= {size}
        require(equal, "all vectors must have {} entries, as many as the first", size)
        digits = sum(map(int.bit_length, map(abs, (n for u in columns for n in u)))) >> 6
        for i, vector in enumerate(rows):
            spend(C.width * (3 + size) + digits * max(map(int.bit_length, vector), default=0) // 64)
            is_positive = not positive or sum(map(mul, positive, vector)) > 0
            require(is_positive, "the inner product of `positive` and row {} must be above 0", i)
            found = "".join("1" if sum(map(mul, u, vector)) > 0 else "0" for u in columns)
            same = found == C.texts[i]
            require(same, "the products of row {} must be positive exactly where its label is 1", i)
        return size - bool(positive)


def dual(value: object, it: object) -> Matrix:
    """Read a concept class and return the dual class, with points and concepts exchanged."""
    known = WORK.get().instances.get((id(value), VCDimension.readers["instance"]))
    C = known[0] if known else Matrix.read(value, "concept class")
    return Matrix(C.title, C.across(), len(C.texts))


class DualVCDimension(VCDimension, kind="dual_vc_dimension"):
    """The VC dimension of the dual class: concepts are columns, points are rows."""

    instance: Annotated[Matrix, dual]
