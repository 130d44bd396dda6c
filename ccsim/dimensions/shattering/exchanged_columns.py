"""Shattered sets of columns found by exchanging one column at a time.

Main definitions: `exchanged_set`, `rows_cut_to`.

Implementation notes: it finds sets, and proves nothing. Of a set of columns one is taken out, and
one that splits most cells of the others put in.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ccsim.budget import Budget
from ccsim.classes.masks import counted

__all__ = ["exchanged_set", "rows_cut_to"]

_EXCHANGES = 1 << 22
"""Words looked at by exchanging columns, for one size."""


def exchanged_set(
    chosen: Sequence[int], columns: Sequence[int], height: int, size: int, budget: Budget
) -> tuple[int, ...] | None:
    """Return a shattered set of a size among some columns if exchanges lead to one.

    Parameters
    ----------
    chosen : sequence of int
        The columns that it may have.
    columns : sequence of int
        All, as masks of rows.
    height : int
        The number of rows.
    size : int
    budget : Budget

    Examples
    --------
    >>> exchanged_set([0, 1, 2], [0b0101, 0b0011, 0b1111], 4, 2, Budget())
    (0, 1)
    """
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
    """Return the rows on some columns.

    Examples
    --------
    >>> rows_cut_to([0, 2], [0b01, 0b11, 0b10], 2)
    [1, 2]
    """
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
