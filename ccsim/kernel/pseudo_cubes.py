"""The Natarajan dimension and the DS dimension of multiclass concept classes."""

from __future__ import annotations

from collections import Counter

from .multiclass import Multiclass
from .reader import *
from .rules import *


class NatarajanDimension(Multiclass, Quantity, kind="natarajan_dimension"):
    """The largest number of columns with two labels each that rows choose from in all ways."""

    @least
    def shattered(self, pairs: Entries, rows: Entries) -> int:
        """Check one row for each choice: row `i` has label ``b`` if ``i >> t & 1``, else ``a``.

        Pair number `t` is ``[x, a, b]``: a column and two different labels.
        """
        C = self.instance
        found = indices(rows, len(C.rows), 1 << len(entries(pairs)))
        chosen = [indices(pair, max(C.width, C.number), 3) for pair in pairs]
        distinct([x for x, _, _ in chosen], C.width)
        spend(len(rows) * len(chosen) * 3)
        for x, a, b in chosen:
            require(a != b, "the two labels on column {} must be different", x)
        for i, row in enumerate(C.rows[row] for row in found):
            right = all(row[x] == (a, b)[i >> t & 1] for t, (x, a, b) in enumerate(chosen))
            require(right, "row {} must have the labels that the digits of {} choose", found[i], i)
        return len(chosen)

    @most
    def extension(self, size: Natural) -> int:
        """Search all sets of `size` columns with two labels each, adding one column at a time.

        The rows with each choice of labels so far form a cell. If `k` columns follow the next one,
        each of its two labels occurs in `2^k` rows of every cell.
        """
        C = self.instance
        if not len(C.rows) >> size:
            return size - 1  # there are too few

        def grow(cells: list[int], among: list[tuple[int, dict[int, int]]], more: int) -> None:
            half, kept = 1 << more - 1, list[tuple[int, dict[int, int]]]()
            for x, side in among:
                spend(20 + len(side) * len(cells) * (3 + (len(C.rows) >> 9)))
                often = {
                    y: rows
                    for y, rows in side.items()
                    if all((rows & cell).bit_count() >= half for cell in cells)
                }
                if len(often) > 1:
                    kept.append((x, often))
            require(more > 1 or not kept, "bound too small: {} columns are shattered", size)
            for i, (_, often) in enumerate(kept[: len(kept) - more + 1]):
                for j, first in enumerate(sides := [*often.values()]):
                    for second in sides[:j]:
                        halves = [S for V in cells for S in (V & first, V & second)]
                        spend(20 + len(halves) * (2 + (len(C.rows) >> 9)))
                        grow(halves, kept[i + 1 :], more - 1)

        require(size, "size must be at least 1, as the empty set of columns is shattered")
        grow([(1 << len(C.rows)) - 1], [*enumerate(C.sides)], size)
        return size - 1


def peeled(rows: list[str], size: int) -> set[str]:
    """Return the largest set of texts in which each has a neighbour in each of `size` places.

    Neighbours differ in exactly one place. Texts without one are removed until all have them, or
    until there are too few: the set has at least two characters in a place, and by induction the
    texts with one of them, which have neighbours in the other places, are at least `2^(size-1)`.
    """
    spend(20 + len(rows) * 2)
    kept, before = set(rows), -1
    while len(kept) != before:
        before = len(kept)
        for t in range(size):
            if not len(kept) >> size:
                return set()
            spend(10 + len(kept) * (14 + (size >> 3)))
            alike = Counter([row[:t] + row[t + 1 :] for row in kept])
            kept = {row for row in kept if alike[row[:t] + row[t + 1 :]] > 1}
    return kept


class DSDimension(Multiclass, Quantity, kind="ds_dimension"):
    """The largest number of columns on which some rows form a pseudo-cube.

    In a pseudo-cube, each row has, for each of the columns, a row that differs exactly there.
    """

    @least
    def pseudo_cube(self, columns: Columns, rows: Rows) -> int:
        """Check that the rows form a pseudo-cube on the columns."""
        texts = self.instance.texts
        spend(10 + len(rows) * (3 + len(columns)))
        cut = ["".join([texts[i][x] for x in columns]) for i in rows]
        require(cut, "at least one row must be given")
        left = peeled(cut, len(columns))
        for i, text in zip(rows, cut, strict=True):
            require(text in left, "row {} must have a neighbour on each column", i)
        return len(columns)

    @most
    def extension(self, size: Natural) -> int:
        """Search all sets of `size` columns by adding one column at a time.

        The restriction of a pseudo-cube to fewer columns is a pseudo-cube. So only the rows in the
        largest pseudo-cube on the columns so far are kept; a larger one has at least `2^size` rows.
        """
        C = self.instance

        def grow(chosen: list[int], rows: list[str], first: int) -> None:
            if not len(rows) >> size:
                return
            require(len(chosen) < size, f"bound too small: columns {chosen} are shattered")
            for x in range(first, C.width - size + len(chosen) + 1):
                columns = [*chosen, x]
                spend(20 + len(rows) * (3 + size))
                cut = ["".join([row[y] for y in columns]) for row in rows]
                left = peeled(cut, len(columns))
                grow(columns, [r for r, t in zip(rows, cut, strict=True) if t in left], x + 1)

        grow([], C.texts, 0)
        return size - 1
