"""The threshold dimension and the sign rank."""

from __future__ import annotations

from functools import reduce
from typing import Annotated, Any, ClassVar

from .reader import *
from .rules import *

Sort = Annotated[str, lambda value, _: choice(value, ("points", "concepts"))]
Label = Annotated[int, lambda value, _: index(value, 2)]
Line = tuple[int, int]  # the positions at which a row or a column is 1, and at which it is 0
Signs = Annotated[
    Matrix, lambda value, _: Matrix.read(value, "concept class", "communication problem")
]
Vectors = Annotated[list[list[int]], lambda value, _: each(lambda u: each(integer, u, None), value)]
Side = Annotated[str, lambda value, _: choice(value, ("rows", "columns"))]
Lines = Annotated[list[int], lambda value, it: distinct(value, max(it.size))]
Few = Annotated[int, lambda value, _: index(value, 65)]


class ThresholdDimension(Dimension, Quantity, kind="threshold_dimension"):
    """The largest number of concepts and points with ``c_i(x_j) = 1`` exactly if ``i <= j``."""

    @least
    def chain(self, concepts: Rows, points: Columns) -> int:
        """Check a chain of concepts and points; return its length."""
        spend(len(concepts) * len(points) * (2 + (self.instance.width >> 9)))
        require(self.instance.rows, "the class must have at least one concept")
        require(len(concepts) == len(points), "there must be as many points as concepts")
        for i, row in enumerate(self.instance.rows[c] for c in concepts):
            right = all(row >> x & 1 == (i <= j) for j, x in enumerate(points))
            rule = "concept {} must have label 1 exactly on the points from position {} on"
            require(right, rule, concepts[i], i)
        return len(points)

    @most
    def ones(self) -> int:
        """Return the bound by numbers of ones: lines of a chain have at least 1, 2, ... ones."""
        lengths = []
        for lines in (self.instance.rows, self.instance.columns):
            ones = sorted(map(int.bit_count, different(lines).values()))
            lengths.append(reduce(lambda k, size: k + (size > k), ones, 0))
        return min(lengths) if self.instance.rows else -1

    @most
    def rank(self) -> int:
        """Return the rank over the field of two elements; the rows of a chain are independent."""
        basis: list[int] = []
        for row in self.instance.rows:
            spend(5 + len(basis) * (2 + (self.instance.width >> 9)))
            if rest := reduce(lambda row, b: min(row, row ^ b), basis, row):
                basis.append(rest)
        return len(basis)

    @most
    def extension(self, size: Positive) -> int:
        """Exclude chains of `size` points: search all sequences of lines with nonempty tails."""

        def extend(tails: list[int], zeros: int, lines: list[int]) -> None:
            spend(20 + len(lines) * (3 + len(tails)) * (1 + (self.instance.width >> 10)))
            require(len(tails) < 500, "the search is limited to 500 rows or columns")
            fit = [y for y in lines if zeros & y and all(tail & y for tail in tails)]
            for y in fit if len(tails) + len(fit) >= size else ():
                require(len(tails) + 1 < size, "bound too small: a chain has {} thresholds", size)
                extend([*(tail & y for tail in tails), zeros & y], zeros & ~y, fit)

        both = map(different, (self.instance.rows, self.instance.columns))
        rows, columns = ([*lines.values()] for lines in both)
        extend([], -1, rows if len(rows) <= len(columns) else columns)
        return size - 1

    @most
    def tails(self, size: Positive, lines: Sort, label: Label) -> int:
        """Exclude chains of `size`: search sequences of lines, from the end with the given label.

        Positions with the label on all lines so far are kept. The tail of a line consists of the
        positions with the label on all earlier lines, and not on this line and the later ones. No
        tail may become empty.
        """
        C, known = self.instance, dict[str, bool]()
        found, height = (C.columns, len(C.rows)) if lines == "points" else (C.rows, C.width)
        everything, cost = (1 << height) - 1, 1 + (height >> 9)
        every = [*different(line if label else everything ^ line for line in found).values()]
        asked = size - 2

        def goes_on(tails: list[int], kept: int, left: list[int], more: int) -> bool:
            """Decide whether `more` of the remaining lines can follow."""
            require(len(tails) < 500, "the search is limited to 500 rows or columns")
            fit, looks = [y for y in left if kept & ~y], len(left)
            for tail in tails:
                looks += len(fit)
                fit = [y for y in fit if tail & ~y] if len(fit) >= more else []
            spend(20 + looks * cost)
            for y in fit if len(fit) >= more else ():
                rest = kept & y
                if rest.bit_count() < more - 1 + label:
                    continue
                if more < asked or alone(rest, more - 1):
                    behind = [*(tail & ~y for tail in tails), kept & ~y]
                    if more == 1 or goes_on(behind, rest, fit, more - 1):
                        return True
            return not more

        def alone(kept: int, more: int) -> bool:
            """Decide whether `more` lines can follow in any order, without earlier tails."""
            if (case := f"{kept:x} {more}") not in known:
                known[case] = goes_on([], kept, every, more)
            return known[case]

        starts = [y for y in every if y.bit_count() >= size] if label else [everything]
        holds = not any(goes_on([], kept, every, size - label) for kept in starts)
        require(holds, "bound too small: a chain has {} thresholds", size)
        return size - 1


class SignRank(Quantity, kind="sign_rank"):
    """The least dimension of vectors of rows and columns whose inner products have given signs."""

    instance: Signs
    number: ClassVar[Any] = staticmethod(lambda value, _: integer(value))
    elsewhere = dict.fromkeys(("chirotope",), "chirotopes")

    @property
    def size(self) -> tuple[int, int]:
        """Return the numbers of rows and columns."""
        return len(self.instance.rows), self.instance.width

    @most
    def vectors(self, rows: Vectors, columns: Vectors) -> int:
        """Check vectors whose products have the signs of the entries; return the dimension."""
        F = self.instance
        require((len(rows), len(columns)) == self.size, "every row and column must have a vector")
        dimension, *more = {*map(len, rows), *map(len, columns)} or {0}
        require(not more, "all vectors must have the same number of entries")
        bits = max((a.bit_length() for u in (*rows, *columns) for a in u), default=0)
        spend(5 + len(rows) * len(columns) * (2 + dimension * (1 + (bits**2 >> 17))))
        for x, u in enumerate(rows):
            for y in members(F.defined[x]):
                product = sum(a * b for a, b in zip(u, columns[y], strict=True))
                fact = product > 0 if F.rows[x] >> y & 1 else product < 0
                require(fact, "row {} and column {}: product {} has the wrong sign", x, y, product)
        return dimension

    @least
    def trivial(self) -> int:
        """Return 1 if some entry is defined, otherwise 0."""
        return int(any(self.instance.defined))

    @least
    def shattered(self, side: Side, lines: Lines) -> int:
        """Check lines with all sign patterns up to negation, whose vectors must be independent."""
        chosen = self.chosen(side, lines)
        require(0 < len(lines) <= 30, "there must be 1 to 30 lines, not {}", len(lines))
        total, end = (1 << max(self.size)) - 1, (1 << len(lines)) - 1
        for ones, zeros in chosen:
            total &= ones | zeros
        spend(max(self.size) * (2 + len(lines)))
        signs = [sum((a >> y & 1) << i for i, (a, _) in enumerate(chosen)) for y in members(total)]
        found = len(different(min(each_one, end ^ each_one) for each_one in signs))
        require(2 * found > end, "all sign patterns must occur, up to negation; only {} do", found)
        return len(lines)

    @least
    def spectral(self, squarings: Few) -> int:
        """Return Forster's bound, sqrt(mn) over the spectral norm, bounded by traces of powers."""
        F, (n, m) = self.instance, sorted(self.size, reverse=True)
        total = m and all(one == (1 << F.width) - 1 for one in F.defined)
        require(total, "all entries must be 0 or 1, not *")
        require(squarings <= 8, "squarings must be at most 8, not {}", squarings)
        lines = F.rows if m == len(F.rows) else F.columns
        spend(m**2 * (2 + (n >> 6)))
        gram = [[n - 2 * (a ^ b).bit_count() for a in lines] for b in lines]
        for i in range(squarings):
            spend(m**3 * (1 + (((m * n).bit_length() << i) ** 2 >> 17)))
            gram = [[sum(a * b for a, b in zip(u, v, strict=True)) for u in gram] for v in gram]
        trace, power, bound = sum(gram[i][i] for i in range(m)), 1 << squarings, 0
        while (m * n) ** power > bound ** (2 * power) * trace:
            spend(100)
            bound += 1
        return bound

    def chosen(self, side: str, lines: list[int]) -> list[Line]:
        """Return the positions of ones and of zeros of each listed line."""
        F = self.instance
        number = self.size[side == "columns"]
        require(all(i < number for i in lines), "indices of {} must be below {}", side, number)
        if side == "rows":
            return [(F.rows[x], F.defined[x] & ~F.rows[x]) for x in lines]
        spend(len(lines) * (3 + len(F.rows)))
        known = [sum((d >> y & 1) << x for x, d in enumerate(F.defined)) for y in lines]
        return [(F.columns[y], d & ~F.columns[y]) for y, d in zip(lines, known, strict=True)]
