"""The search for a largest shattered set of columns, and for a proof that none is larger.

Main definition: `largest_shattered`.

Implementation notes: from above a spanning tree with few crossings (`spanning_tree`) may do better
than the number of rows. From below, sizes are asked for one after the other. Where columns are many
a set is first sought by exchanging one column at a time for one that splits more cells. Otherwise,
as every subset of a shattered set is shattered, sets grow one column at a time; three rules keep
that short. Of equal or complementary columns one is tried, of constant ones none. A column serves
only where it leaves each cell rows enough for all labellings of the columns still to come, and what
does not serve a set serves none of its supersets. If the smallest cell alone cannot be split, the
others are not tried. What takes longer is left to the compiled search, with symmetries.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from ccsim.budget import Budget, OutOfWorkError
from ccsim.classes import ConceptClass
from ccsim.classes.concept_class import columns
from ccsim.classes.masks import counted, essential_points
from ccsim.dimensions.shattering.bound import ShatteringBound
from ccsim.dimensions.shattering.spanning_tree import spanning_tree
from ccsim.symmetry.matrix import Symmetry

__all__ = ["largest_shattered"]

_FIRST_WORK = 1 << 21
"""Words looked at before the compiled search is called: some tenths of a second."""
_LOADING = 1
"""Seconds that are enough to load what is compiled."""
_COMPILING = 15
"""Seconds that are enough to compile and to search."""
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
    >>> largest_shattered(ConceptClass.from_matrix([[0, 0], [1, 0], [1, 1]]), Budget())
    ((0,), 1, ShatteringBound(method='size', edges=(), symmetries=()))
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
                upper, bound = len(best), ShatteringBound("extension", (), search.symmetries)
            else:
                best = larger
            budget.report(len(best), upper)
    return best, upper, bound


class _Search:
    """Sets of given sizes in one table, by the methods in turn."""

    def __init__(self, table: ConceptClass, budget: Budget) -> None:
        self.table, self.budget = table, budget
        self.rows, self.columns = table.rows, columns(table)
        self.essential = essential_points(table, budget)
        self.symmetries: tuple[Symmetry, ...] = ()
        self.grow = self._grow_here

    def find(self, size: int) -> tuple[int, ...] | None:
        """Return a shattered set of a size, or None if there is none."""
        if len(self.essential) < size:
            return None
        return self.grow(size)

    def _grow_here(self, size: int) -> tuple[int, ...] | None:
        try:
            return self._extended(size, self.budget.share(work=_FIRST_WORK))
        except OutOfWorkError:
            self.grow = self._grow_longer
            return self._grow_longer(size)

    def _extended(self, size: int, budget: Budget) -> tuple[int, ...] | None:
        point = {self.columns[x]: x for x in self.essential}
        spend = _in_words(budget, len(self.rows))
        found = _extension([(1 << len(self.rows)) - 1], list(point), size, spend)
        return None if found is None else tuple(point[column] for column in found)

    def _grow_longer(self, size: int) -> tuple[int, ...] | None:
        many = len(self.essential) > 2 * len(self.rows)
        found = self._exchange(size) if many else None
        if found is not None:
            return found
        if self.budget.remaining < _LOADING:
            return self._extended(size, self.budget)
        from ccsim.compiled import is_kept
        from ccsim.dimensions.shattering.kernels import advance

        if self.budget.remaining < _COMPILING and not is_kept(advance):
            return self._extended(size, self.budget)
        return self.grow_compiled(size)

    def grow_compiled(self, size: int) -> tuple[int, ...] | None:
        """Return a shattered set of a size, or None if there is none, by the compiled search."""
        from ccsim.dimensions.shattering.compiled import CompiledShattering
        from ccsim.symmetry.tall import MAX_POINTS, symmetries_of_class

        width = len(self.columns)
        if width <= MAX_POINTS:
            if not self.symmetries:
                identity = tuple(range(width))
                generators = symmetries_of_class(self.table, self.budget)
                self.symmetries = tuple(s for s in generators if s.columns != identity)
            moves = [symmetry.columns for symmetry in self.symmetries]
            return CompiledShattering(self.rows, width, size, moves).find(self.budget)
        cut = _cut_to(sorted(self.essential), self.columns, len(self.rows))
        found = CompiledShattering(cut, len(self.essential), size).find(self.budget)
        return None if found is None else tuple(sorted(self.essential)[x] for x in found)

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


def _in_words(budget: Budget, height: int) -> Callable[[int], None]:
    words = 1 + height // 64
    return lambda looks: budget.spend(looks * words)


def _extension(
    cells: list[int], candidates: list[int], more: int, spend: Callable[[int], None]
) -> list[int] | None:
    """Return ``more >= 1`` of the candidate columns that together split each cell, None if none do.

    A *cell* of a set of columns is the mask of the rows with one labelling of it; further columns
    extend the set to a shattered one if every cell takes all labellings of them. Each of ``more``
    such columns then leaves ``2**(more - 1)`` rows on both sides of every cell.
    """
    need = 1 << (more - 1)
    for cell in cells:
        spend(len(candidates))
        most = cell.bit_count() - need
        candidates = [x for x in candidates if need <= (cell & x).bit_count() <= most]
        if len(candidates) < more:
            return None
    if more == 1:
        return candidates[:1]
    if len(cells) > 1 and not _smallest_allows(cells[0], candidates, more, spend):
        return None
    for i, x in enumerate(candidates[: len(candidates) - more + 1]):
        split = [part for cell in cells for part in (cell & x, cell & ~x)]
        split.sort(key=int.bit_count)  # the smallest cell leaves the fewest candidates
        found = _extension(split, candidates[i + 1 :], more - 1, spend)
        if found is not None:
            return [x, *found]
    return None


def _smallest_allows(
    cell: int, candidates: list[int], more: int, spend: Callable[[int], None]
) -> bool:
    """Decide whether one cell alone can be split, where its rows tell few candidates apart.

    On a small cell many candidates agree up to complement, so that the question is a quick one.
    """
    traces = {min(cell & x, cell & ~x) for x in candidates}
    if 2 * len(traces) > len(candidates):
        return True
    return _extension([cell], sorted(traces), more, spend) is not None
