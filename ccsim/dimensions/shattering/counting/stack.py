"""What the search by numbers of rows works on.

Main definitions: `Stack`; `Steps`, in C or compiled by numba.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ccsim.dimensions.version_spaces.compiled.data import Ints, Words

__all__ = ["NO", "PAUSED", "YES", "Stack", "Steps"]

NO, YES, PAUSED = range(3)


class Stack(NamedTuple):
    """One partial shattered set for each level; level ``l`` has ``l`` columns and ``2**l`` cells.

    Attributes
    ----------
    columns : uint64, columns by words
        The rows with label 1.
    cells : uint64, cells by words
        Level by level: cell ``i`` of level ``l`` is number ``2**l - 1 + i``.
    left : int64, levels by columns
        The columns that may come next, the first ``number`` of them.
    number : int64, levels
    chosen : int64, levels
    level : int64
        The current level.
    """

    columns: Words
    cells: Words
    left: Ints
    number: Ints
    chosen: Ints
    level: Ints


class Steps(NamedTuple):
    """The steps of the search on one stack.

    Attributes
    ----------
    extend : callable
        Takes at a level a column, with so many to follow; returns the work, negative if it is in
        vain.
    advance : callable
        Searches on below a level for so much work; returns the answer and the work done.
    """

    extend: Callable[[int, int, int], int]
    advance: Callable[[int, int], tuple[int, int]]
