"""Sets up to a group of permutations: one of each orbit."""

from __future__ import annotations

from ctypes import c_int32, c_int64
from typing import Any

import numpy as np

from ccsim.native import Library

Integers = np.ndarray[Any, np.dtype[np.int64]]

_TABLE = np.ctypeslib.ndpointer(np.int64, flags="C_CONTIGUOUS")
_LIBRARY = Library(
    "leading",
    {
        "sets": (c_int32, (_TABLE, c_int64, c_int64, c_int64, *[_TABLE] * 4)),
    },
)
_SLICE = 1 << 26
"""Images looked at before interrupts are: some hundredths of a second."""
_YES, _PAUSED = 1, 2


def leading_sets(moved: Integers, most: int) -> Integers:
    """Return the sets whose number, read as a bit mask, no element of a group makes larger.

    The bit of the image of row ``x`` under element ``g`` is ``moved[x, g]``. Without its lowest row
    such a set is one again, so that all of them are found by adding lower and lower rows. Empty
    if there are more than ``most``.
    """
    if (library := _LIBRARY.found()) is None:
        return _listed(moved, most)
    table = np.ascontiguousarray(moved, np.int64)
    rows, order = table.shape
    found = np.zeros(most, np.int64)
    images, added = np.zeros((rows + 1, order), np.int64), np.zeros(rows + 1, np.int64)
    state, answer = np.array([1, 0, 0, rows - 1], np.int64), _PAUSED
    while answer == _PAUSED:
        answer = library.sets(table, order, most, _SLICE, state, images, added, found)
    return found[: state[0] if answer == _YES else 0]


def _listed(moved: Integers, most: int) -> Integers:
    found = [0]
    pending = [(0, np.zeros_like(moved[0]), len(moved) - 1)]  # sets, their images, rows to add
    while pending:
        members, images, x = pending.pop()
        if x < 0:
            continue
        pending.append((members, images, x - 1))
        grown, grown_images = members | 1 << x, images | moved[x]
        if grown_images.max() <= grown:
            if len(found) == most:
                return np.zeros(0, np.int64)
            found.append(grown)
            pending.append((grown, grown_images, x - 1))
    return np.array(found, np.int64)
