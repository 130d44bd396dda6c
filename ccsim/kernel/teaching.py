"""Teaching dimensions of a class, and its star number."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import Annotated

from .reader import *
from .rules import *

Sets = Annotated[list[int], lambda value, it: each(column_set, value, it.instance.width)]
Fewer = Annotated[int, lambda value, it: index(value, it.instance.width + 2)]
Few = Annotated[int, lambda value, it: index(value, it.instance.width + 1)]  # columns, all at most
MOST_SETS = 1 << 20  # of a size, that are listed


def single_out(row: int, rows: Sequence[int], columns: int) -> None:
    """Require that no other row has the labels of `row` on the given columns."""
    spend(5 + len(rows) * (2 + (row.bit_length() >> 9)))
    alike = sum(not (row ^ other) & columns for other in rows)
    require(alike == 1, "the columns must single out the row; {} rows have its labels", alike)


def hard(C: Matrix, i: int, among: int, size: int) -> None:
    """Require that no fewer than `size` columns single out row i among the given rows."""
    differ, everything = [row ^ C.rows[i] for row in C.rows], (1 << len(C.rows)) - 1
    agree = [c if C.rows[i] >> x & 1 else c ^ everything for x, c in enumerate(C.columns)]

    def missed(rest: int, free: int, left: int) -> bool:
        spend(30 + rest.bit_count() * (6 + (C.width >> 6)) * (left > 1))
        used, apart, best = 0, 0, free
        for looks, j in enumerate(members(rest)):
            one = differ[j] & free
            if left == 1:  # the column must be in all of them
                free = one
            elif not one & used:  # each of these requires a column of its own
                used, apart = used | one, apart + 1
            if not one or apart > left:
                spend(looks * (1 + (C.width >> 9)) * (left == 1))
                return True
            best = one if one.bit_count() < best.bit_count() else best
        for x in members(best) if rest and left > 1 else ():
            free &= ~(1 << x)
            if not missed(rest & agree[x], free, left - 1):
                return False
        return rest > 0 and left > 1

    spend(C.width * (3 + (len(C.rows) >> 9)) + len(C.rows) * (2 + (C.width >> 9)))
    require(size < 500, "size must be below 500, not {}", size)
    others = sum(1 << j for j in members(among) if differ[j])
    fact = not size or (others and missed(others, (1 << C.width) - 1, size - 1))
    require(fact, "fewer than {} columns single out the row", size)


def repeated(rows: Sequence[int], width: int, size: int) -> bool:
    """Return True only if no `size` columns single out a row; False may mean too many steps.

    Rows are grouped by their labels on the first columns of a choice, the last of which is `x`. Bit
    vectors hold the labels of each row on all choices of the other columns, which are above `x`.
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
            columns, once, twice = sum(1 << y for y in (*first, x)), {"": 0}, {"": 0}
            for row, vector in zip(rows, vectors[late], strict=True):
                seen = once.get(part := hex(row & columns), 0)
                once[part] = seen | vector
                twice[part] = twice.get(part, 0) | seen & vector
            if once != twice:
                return False
        for j in range(late, 0, -1):
            at = lengths[j], lengths[j] + lengths[j - 1]
            both = zip(vectors[j], vectors[j - 1], rows, strict=True)
            vectors[j] = [v | u << at[row >> x & 1] for v, u, row in both]
            lengths[j] += 2 * lengths[j - 1]
    return True


class StarNumber(Dimension, Quantity, kind="star_number"):
    """The largest size of a star: a row, and for each column a row that differs there only."""

    @least
    def star(self, centre: Row, points: Columns, neighbours: Rows) -> int:
        """Check a star; return its size."""
        rows, chosen = self.instance.rows, sum(1 << x for x in points)
        spend((len(points) + 1) * (5 + (self.instance.width >> 8)))
        require(len(points) == len(neighbours), "there must be as many points as neighbours")
        for x, i in zip(points, neighbours, strict=True):
            alone = (rows[i] ^ rows[centre]) & chosen == 1 << x
            require(alone, "among the points, neighbour {} must differ only on column {}", i, x)
        return len(points)

    @most
    def rows(self) -> int:
        """Return the number of rows minus 1: the centre and neighbours are distinct."""
        return len(self.instance.rows) - 1

    @most
    def extension(self, size: Fewer) -> int:
        """Exclude stars of the given size: search all columns with the labels of the centre."""
        C, everything = self.instance, (1 << len(self.instance.rows)) - 1

        def extend(own: list[int], free: int, after: list[int], more: int) -> None:
            # the centre and rows for more columns are free; each set in own differs on one column
            spend(20 + len(after) * (3 + (len(C.rows) >> 9)))
            require(len(own) < 500, "the search is limited to 500 columns")
            total, fit = free.bit_count(), []
            for x in after:
                number = (free & (ones := C.columns[x])).bit_count()
                if 0 < number <= total - more:
                    fit.append((total - number, x, everything ^ ones))
                if more <= number < total:
                    fit.append((number, x, ones))
            spend(len(fit) * (4 + len(own) * (1 + (len(C.rows) >> 10))))
            for each in own:
                fit = [one for one in fit if each & one[2]]
            if len(fit) < more or not free:
                return
            require(more > 1, "bound too small: there is a star of {} points", size)
            order = list(dict.fromkeys(x for _, x, _ in sorted(fit, reverse=True)))[::-1]
            last = {x: i + 1 for i, x in enumerate(order[: max(0, len(order) - more + 1)])}
            for _, x, same in (one for one in fit if one[1] in last):
                rest = [*(each & same for each in own), free & ~same]
                extend(rest, free & same, order[last[x] :], more - 1)

        extend([], everything, list(range(C.width)), size)
        return size - 1


class TeachingDimension(Dimension, Quantity, kind="teaching_dimension"):
    """The least d such that each row is singled out, among all rows, by at most d columns."""

    @least
    def concept(self, concept: Row, size: Few) -> int:
        """Check that fewer than `size` columns do not single out the given row; return `size`."""
        hard(self.instance, concept, (1 << len(self.instance.rows)) - 1, size)
        return size

    @most
    def sets(self, sets: Sets) -> int:
        """Check columns that single out each row; return the largest number of them."""
        rows = self.instance.rows
        require(len(sets) == len(rows), "there must be as many sets as rows")
        for i, columns in enumerate(sets):
            inside(i, single_out, rows[i], rows, columns)
        return max(map(int.bit_count, sets), default=-1)


class RecursiveTeachingDimension(Dimension, Quantity, kind="recursive_teaching_dimension"):
    """The least d such that, in some order, d columns single out each row among later rows."""

    @least
    def subclass(self, concepts: Rows, size: Few) -> int:
        """Check that fewer columns single out no given row among the given rows."""
        require(concepts, "at least one concept must be given")
        rows, among = [self.instance.rows[i] for i in concepts], sum(1 << i for i in concepts)
        together = 1 < size < 13 and repeated(rows, self.instance.width, size - 1)
        for number, i in enumerate(concepts if not together else ()):
            inside(number, hard, self.instance, i, among, size)
        return size

    @most
    def plan(self, concepts: Rows, sets: Sets) -> int:
        """Check an order of all rows, and columns that single out each row among later rows."""
        rows = [self.instance.rows[i] for i in concepts]
        require(len(rows) == len(self.instance.rows) == len(sets), "every row must be given a set")
        for i, columns in enumerate(sets):
            spend(len(rows) - i)
            inside(i, single_out, rows[i], rows[i:], columns)
        return max(map(int.bit_count, sets), default=-1)


class NoClashTeachingDimension(Dimension, Quantity, kind="no_clash_teaching_dimension"):
    """The least d for which sets of d columns exist such that no two rows clash."""

    @least
    def edges(self, concepts: Rows) -> int:
        """Return a bound by pairs of rows that differ on one column; the set of one contains it."""
        rows, width = different(self.instance.rows[i] for i in concepts), self.instance.width
        require(rows, "at least one concept must be given")
        spend(len(rows) * width * (4 + (width >> 9)))
        halves = sum(hex(row ^ 1 << x) in rows for row in rows.values() for x in range(width))
        return -(-halves // (2 * len(rows)))

    @least
    def counting(self) -> int:
        """Return the least d such that rows can have distinct labelled sets of d columns."""
        rows, width = self.instance.rows, self.instance.width
        require(rows, "at least one concept must be given")
        size = samples = 0
        while samples < len(rows):
            spend(20 + width * (1 + (width >> 6)))
            samples = comb(width, size) << size
            size += 1
        return size - 1

    @least
    def cases(self, size: Few, pairs: Entries) -> int:
        """Check a tree that excludes sets of `size` columns; a case lists the possible sets by row.

        A node names two rows: the set of the first or of the second has a column where they differ.
        """
        rows, width = self.instance.rows, self.instance.width
        few = min(size, width - size) < 20 and comb(width, size) <= MOST_SETS
        require(few, "there are too many sets of {} columns", size)
        spend(comb(width, size) * (size + 2) * (2 + (width >> 9)))
        sets = [sum(1 << x for x in columns) for columns in combinations(range(width), size)]
        met: dict[str, int] = {}

        def split(pair: object, case: tuple[int, ...]) -> list[tuple[int, ...]]:
            c, e = distinct(pair, len(rows), 2)
            spend(20 + 2 * len(case) + (len(sets) >> 6) * 8)
            if (key := hex(apart := rows[c] ^ rows[e])) not in met:
                spend(len(sets) * (3 + (width >> 9)))
                met[key] = ones("".join("1" if one & apart else "0" for one in sets))
            meets, found = met[key], []
            if first := case[c] & meets:
                found.append((*case[:c], first, *case[c + 1 :]))
            if (other := case[c] & ~meets) and (second := case[e] & meets):
                changed = list(case)
                changed[c], changed[e] = other, second
                found.append(tuple(changed))
            return found

        inside("pairs", cases, pairs, ((1 << len(sets)) - 1,) * len(rows), split)
        return size + 1

    @most
    def sets(self, sets: Sets) -> int:
        """Check sets of columns for the rows such that no two rows clash."""
        rows = self.instance.rows
        require(len(sets) == len(rows), "there must be as many sets as rows")
        spend(len(rows) ** 2 * (2 + (self.instance.width >> 9)))
        for (c, ours), (e, theirs) in combinations(enumerate(sets), 2):
            fact = (rows[c] ^ rows[e]) & (ours | theirs)
            require(fact, "rows {} and {} must differ on a column of their sets", c, e)
        return max(map(int.bit_count, sets), default=-1)
