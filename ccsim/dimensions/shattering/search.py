"""The search for a largest shattered set of columns, and for a proof that none is larger.

If few sets are shattered, counting rows is fastest (`listed`); a shorter proof is sought
afterwards. Otherwise the sizes are decided one by one, by adding columns to smaller sets. Long
searches try two methods, up to symmetry (`growing`); then the question is divided into cubes, which
several processes may answer (`cubes`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

from ccsim.budget import Budget, OutOfWorkError
from ccsim.classes import ConceptClass
from ccsim.classes.concept_class import columns
from ccsim.classes.masks import counted, essential_points
from ccsim.dimensions.shattering.bound import ShatteringBound
from ccsim.dimensions.shattering.cubes import found_in_cubes
from ccsim.dimensions.shattering.growing import (
    counting_search,
    is_listed,
    listed,
    rows_cut_to,
    trace_search,
)
from ccsim.dimensions.shattering.signs import bound_by_fitting, bound_by_places
from ccsim.dimensions.shattering.spanning_tree import along_rows, spanning_tree
from ccsim.symmetry.matrix import MAX_POINTS, Symmetry, symmetries_of, symmetries_of_class

_FIRST_WORK = 1 << 21
"""Words of work before the searches in C are called: some tenths of a second."""
_FIRST_LOOKS = 1 << 19
"""Maximum number of row counts for a proof in Python: some tenths of a second."""
_PER_ROW, _PER_ENTRY = 50e-6, 0.5e-6
"""Approximate seconds per row and per entry for finding and checking vectors."""
_LONG = 0.3  # seconds of a check from which on a tree or symmetries are looked for
_FEW_ENTRIES = 1 << 15
"""Maximum of rows times columns for symmetries of wide tables: some hundredths of a second."""
_TURN = 1 << 27
"""Words looked at by each of two searches before the question is divided: half a second."""
_EXCHANGES = 1 << 22  # words looked at by exchanging columns, for one size


def largest_shattered(
    table: ConceptClass, budget: Budget
) -> tuple[tuple[int, ...], int, ShatteringBound]:
    """Return a largest shattered set, an upper bound and its proof, as found within the budget."""
    best: tuple[int, ...] = ()
    upper, bound = len(table).bit_length() - 1, ShatteringBound("size")
    with budget:
        search = _Search(table, budget)
        for begun in search.begin(upper):
            best, upper, bound = begun
        while len(best) < upper:
            budget.spend()
            larger = search.find(len(best) + 1)
            if larger is None:
                upper, bound = len(best), search.proof
            else:
                best = larger
            budget.report(len(best), upper)
    if upper and not best:  # there was no time for a search
        with budget.at_once() as first:
            best = _in_turn(table, upper, first)
    return best, upper, bound


def _in_turn(table: ConceptClass, most: int, budget: Budget) -> tuple[int, ...]:
    """Return columns that each split all parts of the rows that the earlier ones leave."""
    parts, chosen = [(1 << len(table)) - 1], list[int]()
    for x, column in budget.each(enumerate(columns(table))):
        halves = [half for part in parts for half in (part & column, part & ~column)]
        if all(halves) and len(chosen) < most:
            parts = halves
            chosen.append(x)
    return tuple(chosen)


class _Search:
    """A search for shattered sets in a table; ``proof`` is set when a search finds none."""

    def __init__(self, table: ConceptClass, budget: Budget) -> None:
        self.table, self.budget = table, budget
        self.rows, self.columns = table.rows, columns(table)
        self.essential = essential_points(table, budget)
        self.symmetries: tuple[Symmetry, ...] = ()
        self.grow = self._grow_here
        self.proof = ShatteringBound("extension")
        self._most: int | None = None

    def begin(self, upper: int) -> Iterator[tuple[tuple[int, ...], int, ShatteringBound]]:
        """Yield better and better triples of a shattered set, an upper bound and its proof."""
        best: tuple[int, ...] = ()
        bound, height, report = ShatteringBound("size"), len(self.rows), self.budget.report
        if is_listed(self.table):
            if (path := along_rows(self.columns, height, upper, self.budget)) is not None:
                upper, bound = path[0], ShatteringBound("spanning tree", path[1])
                yield best, upper, bound
            best, seconds = listed(self.columns, height, upper, self.budget)
            if seconds is not None:
                upper, bound = len(best), ShatteringBound("counting")
            yield best, upper, bound
            report(len(best), upper)
            if seconds is not None:
                yield best, upper, self.shorter(upper + 1, seconds) or bound
            self.grow = self.grow_longer
        tree = len(best) < upper and spanning_tree(self.rows, self.columns, upper, self.budget)
        if tree:
            yield best, tree[0], ShatteringBound("spanning tree", tree[1])
            report(len(best), tree[0])

    def find(self, size: int) -> tuple[int, ...] | None:
        """Return a shattered set of the given size, or None if there is none."""
        if len(self.essential) < size:
            self.proof = ShatteringBound("extension")
            return None
        return self.grow(size)

    def shorter(self, size: int, seconds: float) -> ShatteringBound | None:
        """Return a shorter proof that no set of this size is shattered, or None if not found."""
        is_longer = len(self.rows) * (_PER_ROW + len(self.columns) * _PER_ENTRY) < seconds
        if is_longer and self._bound_by_signs() < size:
            return self.proof
        if seconds < _LONG:
            return None
        if is_longer and self._is_fitted(size):
            return self.proof
        if (tree := spanning_tree(self.rows, self.columns, size, self.budget)) is not None:
            return ShatteringBound("spanning tree", tree[1])
        self.symmetries = self._all_symmetries()
        if not self.symmetries or self.grow_counting(size, self.budget) is not None:
            return None
        return self.proof

    def _grow_here(self, size: int) -> tuple[int, ...] | None:
        try:
            found = self._extended(size, self.budget.share(work=_FIRST_WORK))
        except OutOfWorkError:
            self.grow = self.grow_longer
            return self.grow_longer(size)
        if found is None and not self._counts_here(size):
            self.grow = self.grow_longer
            return self.grow_longer(size)
        return found

    def _extended(self, size: int, budget: Budget) -> tuple[int, ...] | None:
        point = {self.columns[x]: x for x in self.essential}
        spend = in_words(budget, len(self.rows))
        found = extension([(1 << len(self.rows)) - 1], list(point), size, spend)
        if found is None:
            self.proof = ShatteringBound("extension")
        return None if found is None else tuple(point[column] for column in found)

    def _counts_here(self, size: int) -> bool:
        """Whether a proof by counting is short, for a size that is known not to be shattered."""
        spend = self.budget.share(work=_FIRST_LOOKS).spend
        half, height = 1 << size - 1, len(self.rows)
        serving = [c for c in self.columns if half <= c.bit_count() <= height - half]
        try:
            count_rows([(1 << height) - 1], serving, size, spend)
        except OutOfWorkError:
            return False
        self.proof = ShatteringBound("counting")
        return True

    def grow_longer(self, size: int) -> tuple[int, ...] | None:
        if self._most is None:
            self._most = self._bound_by_signs()
        if size > self._most:
            return None
        height = len(self.rows)
        if len(self.essential) > 2 * height:
            found = exchanged_set(self.essential, self.columns, height, size, self.budget)
            if found is not None:
                return found
        if self._is_fitted(size):
            return None
        return self.grow_in_turn(size)

    def _bound_by_signs(self) -> int:
        """Return the bound by coordinates of points; if there are none, the number of columns."""
        most, proof = bound_by_places(self.table, self.budget) or (len(self.columns), self.proof)
        self.proof = proof
        return most

    def _is_fitted(self, size: int) -> bool:
        """Whether fitted vectors prove that no set of this size is shattered."""
        found = bound_by_fitting(self.table, size, self.budget)
        self.proof = found or self.proof
        return found is not None

    def grow_in_turn(self, size: int) -> tuple[int, ...] | None:
        """Try two searches, then cubes; return a shattered set of the given size or None."""
        if not self.symmetries:
            self.symmetries = self._all_symmetries()
        for method in (self.grow_counting, self.grow_different):
            try:
                return method(size, self.budget.share(work=_TURN))
            except OutOfWorkError:
                continue
        return self._grow_in_cubes(size)

    def _grow_in_cubes(self, size: int) -> tuple[int, ...] | None:
        chosen = range(len(self.columns)) if self.symmetries else sorted(self.essential)
        moves = [symmetry.columns for symmetry in self.symmetries]
        cut = [self.columns[x] for x in chosen]
        form, found = found_in_cubes(cut, len(self.rows), size, moves, self.budget)
        if found is None:
            self.proof = ShatteringBound(form, (), self.symmetries)
            return None
        return tuple(chosen[x] for x in found)

    def _all_symmetries(self) -> tuple[Symmetry, ...]:
        width = len(self.columns)
        if width <= MAX_POINTS:
            generators = symmetries_of_class(self.table, self.budget, MAX_POINTS)
        elif width * len(self.rows) <= _FEW_ENTRIES:
            generators = symmetries_of(self.rows, width)
        elif len(self.rows) <= MAX_POINTS:
            generators = tuple(self._symmetries_across(width))
        else:
            return ()
        return tuple(s for s in generators if s.columns != tuple(range(width)))

    def _symmetries_across(self, width: int) -> Iterator[Symmetry]:
        """Yield symmetries of a wide table, from those of its dual that flip all points or none."""
        for tall in symmetries_of_class(self.table.dual(), self.budget, MAX_POINTS):
            if tall.flips in {0, (1 << len(self.rows)) - 1}:
                yield Symmetry(tall.columns, tall.rows, (1 << width) - 1 if tall.flips else 0)

    def grow_counting(self, size: int, budget: Budget) -> tuple[int, ...] | None:
        """Return a shattered set of the given size or None; the search counts rows in cells."""
        moves = [symmetry.columns for symmetry in self.symmetries]
        found = counting_search(self.columns, len(self.rows), size, moves).find(budget)
        if found is None:
            self.proof = ShatteringBound("counting", (), self.symmetries)
        return found

    def grow_different(self, size: int, budget: Budget) -> tuple[int, ...] | None:
        """Return a shattered set of the given size or None; the search counts distinct rows."""
        width, moves = len(self.columns), [symmetry.columns for symmetry in self.symmetries]
        if moves or width == len(self.essential):
            found = trace_search(self.rows, width, size, moves).find(budget)
        else:
            chosen = sorted(self.essential)
            cut = rows_cut_to(chosen, self.columns, len(self.rows))
            found = trace_search(cut, len(chosen), size).find(budget)
            found = None if found is None else tuple(chosen[x] for x in found)
        if found is None:
            self.proof = ShatteringBound("extension", (), self.symmetries)
        return found


def in_words(budget: Budget, height: int) -> Callable[[int], None]:
    """Return a function that spends the budget on work, given in operations on sets of rows."""
    words = 1 + height // 64
    return lambda looks: budget.spend(looks * words)


def extension(
    cells: list[int], candidates: list[int], more: int, spend: Callable[[int], None]
) -> list[int] | None:
    """Return ``more >= 1`` candidate columns that together shatter each cell, or None if none do.

    A cell is a mask of rows. A column must have both labels on ``2**(more - 1)`` rows of each cell.
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
        found = extension(split, candidates[i + 1 :], more - 1, spend)
        if found is not None:
            return [x, *found]
    return None


def _smallest_allows(
    cell: int, candidates: list[int], more: int, spend: Callable[[int], None]
) -> bool:
    """Return whether ``more`` candidates may split a cell; True if the traces are too many."""
    traces = {min(cell & x, cell & ~x) for x in candidates}
    if 2 * len(traces) > len(candidates):
        return True
    return extension([cell], sorted(traces), more, spend) is not None


def count_rows(
    cells: list[int], candidates: list[int], more: int, spend: Callable[[int], None]
) -> None:
    """Spend the work of the kernel's check of a ``counting`` proof, by running the same search."""
    half = 1 << more - 2 if more > 1 else 0
    for i, x in enumerate(candidates[: max(len(candidates) - more + 1, 0)]):
        kept, looks = [], 0
        for y in candidates[i + 1 :]:
            for cell in cells:
                looks += 1
                one, other = cell & x, cell & ~x
                if not half <= (one & y).bit_count() <= one.bit_count() - half:
                    break
                if not half <= (other & y).bit_count() <= other.bit_count() - half:
                    break
            else:
                kept.append(y)
        spend(looks + 1)
        if len(kept) >= more - 1:
            split = [part for cell in cells for part in (cell & x, cell & ~x)]
            spend(len(split))
            count_rows(sorted(split, key=int.bit_count), kept, more - 1, spend)


def exchanged_set(
    chosen: Sequence[int], columns: Sequence[int], height: int, size: int, budget: Budget
) -> tuple[int, ...] | None:
    """Try random exchanges of columns; return a shattered set of the given size or None."""
    cut, width = rows_cut_to(chosen, columns, height), len(chosen)
    random = Random(size)  # noqa: S311 - a seed, not a secret
    kept: list[int] = []
    for step in range(_EXCHANGES // (len(cut) * (16 + width // 64))):
        budget.spend()
        if step % (4 * size) == 0:
            kept = random.sample(range(width), size)
        del kept[0]
        cells: dict[tuple[int, ...], list[int]] = {}
        for row in cut:
            cells.setdefault(tuple(row >> x & 1 for x in kept), []).append(row)
        splits = [_split_by(cell) for cell in cells.values()]
        best = _most(splits)
        if len(cells) == len(splits) == 1 << (size - 1) and counted(splits, len(splits)):
            best = counted(splits, len(splits))
            kept.append((best & -best).bit_length() - 1)
            return tuple(chosen[x] for x in kept)
        turn = random.randrange(width)
        later = best >> turn << turn or best or 1 << turn
        kept.append((later & -later).bit_length() - 1)
    return None


def _split_by(cell: Sequence[int]) -> int:
    """Return the columns that are not constant on a set of rows."""
    some, every = 0, -1
    for row in cell:
        some |= row
        every &= row
    return some & ~every


def _most(splits: Sequence[int]) -> int:
    """Return the columns that are in the largest number of sets; 0 if all sets are empty."""
    low, high = 0, len(splits)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if counted(splits, middle) else (low, middle - 1)
    return counted(splits, low) if low else 0
