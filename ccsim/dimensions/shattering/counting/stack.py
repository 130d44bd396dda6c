"""What the search by numbers of rows works on.

Main definition: `Stack`.
"""

from __future__ import annotations

from typing import NamedTuple

from ccsim.dimensions.version_spaces.compiled.data import Ints, Words

__all__ = ["Stack"]


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
