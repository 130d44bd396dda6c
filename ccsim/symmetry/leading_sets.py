"""Sets up to a group of permutations, compiled: one of each orbit."""

from __future__ import annotations

from typing import Any

import numpy as np

from ccsim.compiled import compiled

__all__ = ["leading_sets"]

Integers = np.ndarray[Any, np.dtype[np.int64]]


@compiled
def leading_sets(moved: Integers, most: int) -> Integers:
    """Return the sets whose number, read as a bit mask, no element of a group makes larger.

    The bit of the image of row ``x`` under element ``g`` is ``moved[x, g]``. Without its lowest row
    such a set is one again, so that all of them are found by adding lower and lower rows. Empty
    if there are more than ``most``.
    """
    rows, order = moved.shape
    found = np.zeros(most, np.int64)
    images = np.zeros((rows + 1, order), np.int64)
    added = np.zeros(rows + 1, np.int64)
    count, depth, members, x = 1, 0, 0, rows - 1
    while True:
        if x < 0:
            if depth == 0:
                return found[:count]
            depth -= 1
            x = added[depth]
            members ^= 1 << x
        else:
            grown = members | 1 << x
            leads = True
            for g in range(order):
                image = images[depth, g] | moved[x, g]
                images[depth + 1, g] = image
                if image > grown:
                    leads = False
                    break
            if leads:
                if count == most:
                    return found[:0]
                found[count] = grown
                count += 1
                added[depth] = x
                depth += 1
                members = grown
        x -= 1
