"""All sizes of shattered sets by counting rows, before anything else is looked for.

Main definitions: `Listed`, `listed`, `is_listed`.

Implementation notes: trees, vectors and symmetries make proofs short, but where few sets are
shattered the search that counts rows has ended before they are found. So it comes first, for a
while, and what its proof takes to check is estimated from what it looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ccsim.budget import Budget, OutOfWorkError
from ccsim.classes import ConceptClass
from ccsim.dimensions.shattering.counting.search import CountingSearch

__all__ = ["Listed", "is_listed", "listed"]

_ENTRIES = 1 << 11
"""Rows times columns from which on: smaller tables are soon done in Python."""
_SECONDS = 0.15
"""Of the search in C, about; in Python thirty times as long."""
_LOOK, _WORD = 13e-9, 0.18e-9
"""Seconds of the search for a look at a column in a cell, and for each word of it."""
_CHECKED_LOOK, _CHECKED_WORD = 0.4e-6, 2.5e-9
"""The same of the kernel's check."""


class Listed(NamedTuple):
    """What came of the search.

    Attributes
    ----------
    chosen : tuple of int
        The largest shattered set that was found.
    seconds : float, optional
        Of the check that none is larger, about; None if that was not shown.
    """

    chosen: tuple[int, ...]
    seconds: float | None


def is_listed(table: ConceptClass) -> bool:
    """Say whether a table is large enough."""
    return len(table) * len(table.points) >= _ENTRIES


def listed(columns: Sequence[int], height: int, most: int, budget: Budget) -> Listed:
    """Look for shattered sets of 1, 2, ... columns for a tenth of a second or two.

    Parameters
    ----------
    columns : sequence of int
        Masks of rows, which are distinct.
    height : int
        The number of rows.
    most : int
        No more columns are shattered.
    budget : Budget

    Raises
    ------
    OutOfTimeError
        If the time of the budget is over.

    Examples
    --------
    >>> cube = [0b10101010, 0b11001100, 0b11110000]
    >>> listed(cube, 8, 3, Budget())
    Listed(chosen=(0, 1, 2), seconds=None)
    >>> found = listed(cube[:2] * 2, 8, 3, Budget())
    >>> found.chosen, found.seconds < 1
    ((0, 1), True)
    """
    words = max(-(-height // 64), 1)
    shared = budget.share(work=int(_SECONDS / (_LOOK + words * _WORD)) * words)
    chosen: tuple[int, ...] = ()
    while len(chosen) < most:
        search = CountingSearch(columns, height, len(chosen) + 1)
        try:
            found = search.find(shared)
        except OutOfWorkError:
            break
        if found is None:
            looks = search.work / words
            return Listed(chosen, looks * (_CHECKED_LOOK + words * _CHECKED_WORD))
        chosen = found
    return Listed(chosen, None)
