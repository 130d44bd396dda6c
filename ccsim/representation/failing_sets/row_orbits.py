"""Orbits of the ways to fail over few points, and of the hypotheses, under symmetries of a class.

Both sides of the game of random sets lose nothing by strategies that give all of an orbit the same
probability, so that the game may be played with a row for each orbit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ccsim.classes import ConceptClass
from ccsim.data import frozen
from ccsim.symmetry.groups import orbits_of
from ccsim.symmetry.matrix import Symmetry


@frozen
class RowOrbits:
    """Which rows, and which hypotheses, symmetries map to one another."""

    # the number of the orbit of each row; orbits are numbered by their first rows
    rows: NDArray[np.intp]
    sizes: NDArray[np.intp]  # how many rows each orbit has
    hypotheses: NDArray[np.intp]  # the number of the orbit of each hypothesis

    def share(self, column: NDArray[np.bool_]) -> NDArray[Any]:
        """Return of which part of each orbit something holds, given for every row."""
        if len(self.sizes) == len(self.rows):
            return column
        found: NDArray[np.float64] = np.bincount(self.rows, column, len(self.sizes)) / self.sizes
        return found


def row_orbits(
    concept_class: ConceptClass,
    holds: NDArray[np.bool_],
    pool: Sequence[int],
    symmetries: Sequence[Symmetry],
) -> RowOrbits:
    """Return the orbits of pairs of a concept and a family of point sets, and of hypotheses."""
    number = {family.tobytes(): i for i, family in enumerate(holds)}
    place = {row: i for i, row in enumerate(pool)}
    points, width = len(concept_class.points), len(holds)
    row_moves, moves = [], []
    for symmetry in symmetries:
        images = [
            sum(1 << symmetry.columns[x] for x in range(points) if E >> x & 1)
            for E in range(1 << points)
        ]
        moved = np.empty_like(holds)
        moved[:, images] = holds
        families = [number.get(family.tobytes(), -1) for family in moved]
        if -1 not in families:
            row_moves.append([f * width + i for f in symmetry.rows for i in families])
            moves.append([place[symmetry.mask(row)] for row in pool])
    rows = _labels(len(concept_class) * width, row_moves)
    return RowOrbits(rows, np.bincount(rows), _labels(len(pool), moves))


def _labels(size: int, moves: Sequence[Sequence[int]]) -> NDArray[np.intp]:
    """Return the number of the orbit of each of some things that permutations move."""
    first = orbits_of(range(size), (enumerate(move) for move in moves))
    labels: NDArray[np.intp] = np.unique(list(first.values()), return_inverse=True)[1]
    return labels
