"""Shattered sets that grow one column at a time, searched in Python.

Main definitions: `extension`, `count_rows`, `in_words`.
"""

from __future__ import annotations

from collections.abc import Callable

from ccsim.budget import Budget

__all__ = ["count_rows", "extension", "in_words"]


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

    Parameters
    ----------
    cells : list of int
        As for `extension`; at first all rows.
    candidates : list of int
        The columns that may come next.
    more : int
        How many columns are to be added; no so many are shattered.
    spend : callable
        Told how often a column was counted in a cell.
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
