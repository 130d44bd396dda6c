"""The sign rank."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from .reader import *
from .rules import *

Line = tuple[int, int]  # the positions at which a row or a column is 1, and at which it is 0
Signs = Annotated[
    Matrix, lambda value, _: Matrix.read(value, "concept class", "communication problem")
]
Vectors = Annotated[list[list[int]], lambda value, _: each(lambda u: each(integer, u, None), value)]
Side = Annotated[str, lambda value, _: choice(value, ("rows", "columns"))]
Lines = Annotated[list[int], lambda value, it: distinct(value, max(it.size))]
Few = Annotated[int, lambda value, _: index(value, 65)]


class SignRank(Quantity, kind="sign_rank"):
    """The least dimension of vectors of rows and columns whose inner products have given signs."""

    instance: Signs
    number: ClassVar[Any] = staticmethod(lambda value, _: integer(value))
    elsewhere = dict.fromkeys(("chirotope", "final_polynomials"), "chirotopes")

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
        """Return 1 if some entry is inside the promise, otherwise 0."""
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
