"""Shattered sets searched in Python: they grow one column at a time, or exchange one.

Implementation notes: exchanging finds sets, and proves nothing. Of a set of columns one is taken
out, and one that splits most cells of the others put in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from ccsim.budget import Budget
from ccsim.classes.masks import counted


def in_words(budget: Budget, height: int) -> Callable[[int], None]:
    """Return what spends a budget for looks at sets of so many rows."""
    words = 1 + height // 64
    return lambda looks: budget.spend(looks * words)


def extension(
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
        found = extension(split, candidates[i + 1 :], more - 1, spend)
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
    return extension([cell], sorted(traces), more, spend) is not None


def count_rows(
    cells: list[int], candidates: list[int], more: int, spend: Callable[[int], None]
) -> None:
    """Look at columns in cells as the kernel does where rows are counted, and spend for it.

    So it is known about how long the check of the form ``counting`` takes.
    """
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


_EXCHANGES = 1 << 22
"""Words looked at by exchanging columns, for one size."""


def exchanged_set(
    chosen: Sequence[int], columns: Sequence[int], height: int, size: int, budget: Budget
) -> tuple[int, ...] | None:
    """Return a shattered set of a size among some columns if exchanges lead to one."""
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


def rows_cut_to(chosen: Sequence[int], columns: Sequence[int], height: int) -> list[int]:
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
