"""The Littlestone dimension from a table over all partial assignments, without a search.

The dimension L(a) is 0 or -1 if an assignment a has no free points. Otherwise it is the maximum,
over free points, of 1 plus the smaller dimension of the two sides; if one side is empty, the point
counts with the dimension of the other side. The array has rows for the assignments of one group of
points and columns for those of the other group. Columns with the same number of free points are
filled simultaneously.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import numpy.typing as npt

from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.dimensions.version_spaces.search import Certifier
from ccsim.errors import InstanceTooLargeError

MAX_DENSE_POINTS = 16
"""Maximum number of essential points for a table of all version spaces (3**16 bytes, 43 MB)."""
Cells = npt.NDArray[np.int8]


class DenseTable(Certifier):
    """The Littlestone dimensions of all version spaces that partial assignments define.

    Complexity: ``n 3**n`` steps for ``n`` essential points; a second and 60 MB for 16.
    """

    def __init__(self, concept_class: ConceptClass) -> None:
        super().__init__(concept_class)
        num = len(self.columns)
        if num > MAX_DENSE_POINTS:
            raise InstanceTooLargeError(
                f"{concept_class.name or 'the class'} has {num} points, not counting "
                "constant ones and repetitions up to complement; "
                f"the limit of the dense method is {MAX_DENSE_POINTS}"
            )
        points = [x for x, _ in self.columns]
        halves = product(range(3), repeat=num // 2)  # in order, fewest free points first
        self.order = sorted(halves, key=lambda a: (a.count(2), a))
        self.place = {column: i for i, column in enumerate(self.order)}
        self.cells = _filled(concept_class, points, self.order)

    def decide(self, depth: int, budget: Budget) -> bool:
        """Decide whether the class has a complete mistake tree of the given depth."""
        return self.has(self.everything, depth)

    def has(self, V: int, depth: int) -> bool:
        """Decide whether a version space has a complete mistake tree of the given depth."""
        return self._dimension(V) >= depth

    def lacks(self, V: int, depth: int) -> bool:
        """Decide whether a version space has no complete mistake tree of the given depth."""
        return self._dimension(V) < depth

    def _dimension(self, V: int) -> int:
        """Return the entry of a version space; points with both labels are free (2)."""
        cell = [0 if not V & ones else 1 if not V & ~ones else 2 for _, ones in self.columns]
        half = len(cell) // 2
        row = 0
        for digit in cell[half:]:
            row = 3 * row + digit
        return int(self.cells[row, self.place[tuple(cell[:half])]])


def _filled(C: ConceptClass, points: list[int], order: list[tuple[int, ...]]) -> Cells:
    """Return the table for the given points, with columns in the given order."""
    half, rest = len(points) // 2, len(points) - len(points) // 2
    place = {column: i for i, column in enumerate(order)}
    cells = np.full((*(3,) * rest, len(order)), -1, np.int8)
    for row in C.rows:
        values = tuple(row >> x & 1 for x in points)
        cells[(*values[half:], place[values[:half]])] = 0
    for free in range(half + 1):
        at = [i for i, column in enumerate(order) if column.count(2) == free]
        level = cells[..., at[0] : at[-1] + 1]
        for slot in range(free):
            sides = [[place[_assigned(order[i], slot, label)] for i in at] for label in (0, 1)]
            _raise(level, cells[..., sides[0]], cells[..., sides[1]])
        _fill(level)
    return cells.reshape(3**rest, len(order))


def _assigned(column: tuple[int, ...], slot: int, label: int) -> tuple[int, ...]:
    """Return a column with a label assigned to its free point number ``slot``."""
    x = [x for x, digit in enumerate(column) if digit == 2][slot]
    return (*column[:x], label, *column[x + 1 :])


def _fill(level: Cells) -> None:
    """Fill the entries with a free point on some axis but the last, the first axis outermost."""
    if level.ndim > 1:
        _fill(level[0])
        _fill(level[1])
        _raise(level[2], level[0], level[1])
        _fill(level[2])


def _raise(target: Cells, zeros: Cells, ones: Cells) -> None:
    """Raise entries to the values that follow from both sides of one of their free points."""
    smaller = np.minimum(zeros, ones)
    np.maximum(target, np.maximum(zeros, ones), out=target)
    np.maximum(target, smaller + (smaller >= 0), out=target)
