"""The search for a largest shattered set of columns, and for a proof that none is larger.

Main definition: `largest_shattered`.

Implementation notes: from above a spanning tree with few crossings (`spanning_tree`) may do better
than the number of rows. From below, sizes are asked for one after the other. Where columns are many
a set is first sought by exchanging one column at a time for one that splits more cells. Otherwise,
as every subset of a shattered set is shattered, sets grow one column at a time; three rules keep
that short. Of equal or complementary columns one is tried, of constant ones none. A column serves
only where it leaves each cell rows enough for all labellings of the columns still to come, and what
does not serve a set serves none of its supersets. If the smallest cell alone cannot be split, the
others are not tried. What takes longer is left to two searches in turn, with symmetries: one, in C
where there is a compiler, counts rows (`counting`), which is quicker where the table has little
order, the other, for numba, different rows (`compiled`). Where points have places, vectors may
bound the size at once (`signs`).
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import count
from random import Random

from ccsim.budget import Budget, OutOfTimeError, OutOfWorkError
from ccsim.classes import ConceptClass
from ccsim.classes.concept_class import columns
from ccsim.classes.masks import counted, essential_points
from ccsim.dimensions.shattering.bound import ShatteringBound
from ccsim.dimensions.shattering.extension import count_rows, extension, in_words
from ccsim.dimensions.shattering.signs import realisation
from ccsim.dimensions.shattering.spanning_tree import spanning_tree
from ccsim.symmetry.matrix import Symmetry, symmetries_of

__all__ = ["largest_shattered"]

_FIRST_WORK = 1 << 21
"""Words looked at before the compiled search is called: some tenths of a second."""
_FIRST_LOOKS = 1 << 19
"""Counts of rows before it is given up to prove a bound by them here: some tenths of a second."""
_MORE_LOOKS = 1 << 23
"""The same where no compiled search is at hand: some seconds, but the check is shorter by more."""
_LOADING = 1
"""Seconds that are enough to load what numba has compiled."""
_COMPILING = 15
"""Seconds that are enough for numba to compile, and for a search."""
_FEW_ENTRIES = 1 << 15
"""Rows times columns for which the symmetries of wide tables take some hundredths of a second."""
_TURN = 1 << 28
"""Words looked at by a compiled search before it is the turn of the other one."""
_EXCHANGES = 1 << 22
"""Words looked at by exchanging columns, for one size."""


def largest_shattered(
    table: ConceptClass, budget: Budget
) -> tuple[tuple[int, ...], int, ShatteringBound]:
    """Return a largest shattered set of points, or what is proved when the time is over.

    Parameters
    ----------
    table : ConceptClass
        With at least one concept; its rows are concepts, its columns points.
    budget : Budget

    Returns
    -------
    (tuple of int, int, ShatteringBound)
        The set, an upper bound of its size, and the proof of the bound.

    Examples
    --------
    >>> C = ConceptClass.from_matrix([[0, 0], [1, 0], [1, 1]])
    >>> columns, upper, bound = largest_shattered(C, Budget())
    >>> columns, upper, bound.method
    ((0,), 1, 'size')
    """
    best: tuple[int, ...] = ()
    upper, bound = len(table).bit_length() - 1, ShatteringBound("size")
    with budget:
        found = spanning_tree(table.rows, columns(table), upper, budget)
        if found is not None:
            upper, bound = found[0], ShatteringBound("spanning tree", found[1])
            budget.report(len(best), upper)
        search = _Search(table, budget)
        while len(best) < upper:
            budget.spend()
            larger = search.find(len(best) + 1)
            if larger is None:
                upper, bound = len(best), search.proof
            else:
                best = larger
            budget.report(len(best), upper)
    return best, upper, bound


class _Search:
    """Sets of given sizes in one table, by the methods in turn.

    Where there is none, ``proof`` says why.
    """

    def __init__(self, table: ConceptClass, budget: Budget) -> None:
        self.table, self.budget = table, budget
        self.rows, self.columns = table.rows, columns(table)
        self.essential = essential_points(table, budget)
        self.symmetries: tuple[Symmetry, ...] = ()
        self.grow = self._grow_here
        self.proof = ShatteringBound("extension")
        self._most: int | None = None

    def find(self, size: int) -> tuple[int, ...] | None:
        """Return a shattered set of a size, or None if there is none."""
        if len(self.essential) < size:
            self.proof = ShatteringBound("extension")
            return None
        return self.grow(size)

    def _grow_here(self, size: int) -> tuple[int, ...] | None:
        try:
            found = self._extended(size, self.budget.share(work=_FIRST_WORK))
        except OutOfWorkError:
            self.grow = self._grow_longer
            return self._grow_longer(size)
        if found is None and not self._counts_here(size):
            self.grow = self._grow_longer
            return self._grow_longer(size)
        return found

    def _extended(self, size: int, budget: Budget) -> tuple[int, ...] | None:
        point = {self.columns[x]: x for x in self.essential}
        spend = in_words(budget, len(self.rows))
        found = extension([(1 << len(self.rows)) - 1], list(point), size, spend)
        if found is None:
            self.proof = ShatteringBound("extension")
        return None if found is None else tuple(point[column] for column in found)

    def _counts_here(self, size: int, looks: int = _FIRST_LOOKS) -> bool:
        """Say whether the proof that counts rows is short, after sets of a size were excluded."""
        spend = self.budget.share(work=looks).spend
        half, height = 1 << size - 1, len(self.rows)
        serving = [c for c in self.columns if half <= c.bit_count() <= height - half]
        try:
            count_rows([(1 << height) - 1], serving, size, spend)
        except OutOfWorkError:
            return False
        self.proof = ShatteringBound("counting")
        return True

    def _grow_longer(self, size: int) -> tuple[int, ...] | None:
        if self._most is None:
            self._most = self._bound_by_signs()
        if size > self._most:
            return None
        many = len(self.essential) > 2 * len(self.rows)
        found = self._exchange(size) if many else None
        if found is not None:
            return found
        from ccsim.dimensions.shattering.counting.search import is_had_within

        if not is_had_within(self.budget.remaining):
            if (found := self._extended(size, self.budget)) is None:
                with suppress(OutOfTimeError):  # the proof by different rows stays
                    self._counts_here(size, _MORE_LOOKS)
            return found
        return self.grow_compiled(size)

    def _bound_by_signs(self) -> int:
        """Return how many columns vectors allow, with the proof, or the number of all columns."""
        for dual in (False, True):
            table = self.table.dual() if dual else self.table
            found = (
                None if dual and len(table) < len(self.columns) else realisation(table, self.budget)
            )
            if found is None:
                continue
            vectors = (found.points, found.concepts)
            columns, rows = vectors[::-1] if dual else vectors
            positive = found.with_points if dual else found.with_concepts
            self.proof = ShatteringBound("signs", (), (), columns, rows, positive)
            return len(columns[0]) - bool(positive)
        return len(self.columns)

    def grow_compiled(self, size: int) -> tuple[int, ...] | None:
        """Return a shattered set of a size, or None if there is none, by the compiled searches."""
        if not self.symmetries:
            self.symmetries = self._all_symmetries()
        for turn in count():
            work = _TURN << 3 * turn
            for method in (self.grow_counting, self.grow_different):
                if method == self.grow_different and not self._has_numba():
                    continue
                try:
                    return method(size, self.budget.share(work=work))
                except OutOfWorkError:
                    continue
        raise AssertionError  # the turns never end

    def _has_numba(self) -> bool:
        """Say whether there is time for what numba compiles, and tell if it takes some."""
        if self.budget.remaining < _LOADING:
            return False
        from ccsim.compiled import announce, is_kept
        from ccsim.dimensions.shattering.kernels import advance

        announce(advance)
        return self.budget.remaining >= _COMPILING or is_kept(advance)

    def _all_symmetries(self) -> tuple[Symmetry, ...]:
        from ccsim.symmetry.tall import MAX_POINTS, symmetries_of_class

        width = len(self.columns)
        if width <= MAX_POINTS:
            generators = symmetries_of_class(self.table, self.budget)
        elif width * len(self.rows) <= _FEW_ENTRIES:
            generators = symmetries_of(self.rows, width)
        else:
            return ()
        return tuple(s for s in generators if s.columns != tuple(range(width)))

    def grow_counting(self, size: int, budget: Budget) -> tuple[int, ...] | None:
        """Return a shattered set of a size, or None, by the search that counts rows."""
        from ccsim.dimensions.shattering.counting.search import CountingSearch

        moves = [symmetry.columns for symmetry in self.symmetries]
        found = CountingSearch(self.columns, len(self.rows), size, moves).find(budget)
        if found is None:
            self.proof = ShatteringBound("counting", (), self.symmetries)
        return found

    def grow_different(self, size: int, budget: Budget) -> tuple[int, ...] | None:
        """Return a shattered set of a size, or None, by the search that counts different rows."""
        from ccsim.dimensions.shattering.compiled import CompiledShattering

        width, moves = len(self.columns), [symmetry.columns for symmetry in self.symmetries]
        if moves or width == len(self.essential):
            found = CompiledShattering(self.rows, width, size, moves).find(budget)
        else:
            chosen = sorted(self.essential)
            cut = _cut_to(chosen, self.columns, len(self.rows))
            found = CompiledShattering(cut, len(chosen), size).find(budget)
            found = None if found is None else tuple(chosen[x] for x in found)
        if found is None:
            self.proof = ShatteringBound("extension", (), self.symmetries)
        return found

    def _exchange(self, size: int) -> tuple[int, ...] | None:
        """Return a shattered set of a size if exchanging single columns leads to one."""
        cut = _cut_to(self.essential, self.columns, len(self.rows))
        width = len(self.essential)
        random = Random(size)  # noqa: S311 - a seed, not a secret
        chosen: list[int] = []
        for step in range(_EXCHANGES // (len(cut) * (16 + width // 64))):
            self.budget.spend()
            if step % (4 * size) == 0:
                chosen = random.sample(range(width), size)
            del chosen[0]
            cells: dict[tuple[int, ...], list[int]] = {}
            for row in cut:
                cells.setdefault(tuple(row >> x & 1 for x in chosen), []).append(row)
            splits = [_split_by(cell) for cell in cells.values()]
            best = _most(splits)
            if len(cells) == len(splits) == 1 << (size - 1) and counted(splits, len(splits)):
                best = counted(splits, len(splits))
                chosen.append((best & -best).bit_length() - 1)
                return tuple(self.essential[x] for x in chosen)
            turn = random.randrange(width)
            later = best >> turn << turn or best or 1 << turn
            chosen.append((later & -later).bit_length() - 1)
        return None


def _cut_to(chosen: Sequence[int], columns: Sequence[int], height: int) -> list[int]:
    """Return the rows on some columns."""
    rows = [0] * height
    for i, x in enumerate(chosen):
        text = f"{columns[x]:b}"
        for c, character in enumerate(reversed(text)):
            if character == "1":
                rows[c] |= 1 << i
    return rows


def _split_by(cell: Sequence[int]) -> int:
    """Return the columns that are not constant on a set of rows."""
    some, every = 0, -1
    for row in cell:
        some |= row
        every &= row
    return some & ~every


def _most(splits: Sequence[int]) -> int:
    """Return the columns that occur in the most of some sets; 0 if they are all empty."""
    low, high = 0, len(splits)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if counted(splits, middle) else (low, middle - 1)
    return counted(splits, low) if low else 0
