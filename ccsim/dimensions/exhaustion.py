"""The dimensions of every class on a few points, computed at once.

Conventions: point ``x`` of a concept is bit ``x`` of its number, and concept ``c`` of a class is
bit ``c`` of the number of the class; so the classes on ``n`` points are ``0 .. 2^(2^n) - 1``.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from ccsim.appearance import one_line
from ccsim.arguments.checked import checked_fields, checked_types
from ccsim.arguments.renamed import Renamed
from ccsim.classes import ConceptClass
from ccsim.errors import DomainError, InstanceTooLargeError

MAX_POINTS = 4
"""Maximum number of points for listing all classes; five points have more than 4 billion."""


@checked_fields
@one_line
@dataclass(frozen=True, slots=True, eq=False)
class AllClasses:
    """Sizes and dimensions of all classes on a set of points; arrays are indexed by class number.

    Attributes
    ----------
    points : int
        Number of points, from 1 to `MAX_POINTS`.
    concepts : array of int
        Number of concepts of each class.
    vc, dual_vc : array of int
        The VC dimension, which is -1 for the empty class, and the dual VC dimension.
    effective_sizes : array of int
        The effective size of the domain: the number of distinct columns.
    """

    points: int
    concepts: npt.NDArray[np.int64]
    vc: npt.NDArray[np.int64]
    dual_vc: npt.NDArray[np.int64]
    effective_sizes: npt.NDArray[np.int64]
    cells = Renamed("effective_sizes")

    def class_of(self, number: int) -> ConceptClass:
        """Return the class with a given number.

        Examples
        --------
        >>> all_classes(2).class_of(0b1010).rows
        (1, 3)
        """
        rows = [c for c in range(1 << self.points) if number >> c & 1]
        return ConceptClass.from_rows(rows, range(self.points))

    def table(self) -> dict[tuple[int, int], int]:
        """Return the number of nonempty classes for each pair of VC and dual VC dimensions.

        Returns
        -------
        dict
            Maps (VC dimension, dual VC dimension) to the number of classes, in increasing order of
            the pairs.
        """
        pairs = zip(self.vc[1:].tolist(), self.dual_vc[1:].tolist(), strict=True)
        return dict(sorted(Counter(pairs).items()))


@checked_types
def all_classes(points: int) -> AllClasses:
    """Return the dimensions of all classes on a given number of points.

    Parameters
    ----------
    points : int
        Number of points, from 1 to `MAX_POINTS`.

    Notes
    -----
    Method: a set of points is shattered if the class contains a concept with each of its
    labellings. The dual VC dimension is the largest size of a set of concepts that the points
    shatter and that the class contains. Each condition is one vectorised operation on the numbers
    of all classes. Complexity: 4 points take half a second.

    Examples
    --------
    >>> all_classes(2).table()
    {(0, 0): 2, (0, 1): 2, (1, 0): 1, (1, 1): 9, (2, 1): 1}
    """
    if points < 1:
        raise DomainError(f"points must be at least 1, not {points}")
    if points > MAX_POINTS:
        raise InstanceTooLargeError(f"points must be at most {MAX_POINTS}, not {points}")
    functions = range(1 << points)
    numbers = np.arange(1 << len(functions), dtype=np.int64)
    concepts = np.zeros_like(numbers)
    for c in functions:
        concepts += numbers >> c & 1
    vc = np.where(numbers == 0, -1, 0)
    for size in range(1, points + 1):
        for chosen in combinations(range(points), size):
            vc[_shattered(numbers, chosen, points)] = size
    return AllClasses(
        points, concepts, vc, _dual(numbers, concepts, points), _cells(numbers, points)
    )


def _shattered(
    numbers: npt.NDArray[np.int64], chosen: tuple[int, ...], points: int
) -> npt.NDArray[np.bool_]:
    """Return, for each class, whether it shatters the given points."""
    having = Counter[tuple[int, ...]]()
    for c in range(1 << points):
        having[tuple(c >> x & 1 for x in chosen)] |= 1 << c
    met = np.ones(len(numbers), dtype=np.bool_)
    for concepts in having.values():
        met &= (numbers & concepts) != 0
    return met


def _dual(
    numbers: npt.NDArray[np.int64], concepts: npt.NDArray[np.int64], points: int
) -> npt.NDArray[np.int64]:
    """Return the dual VC dimension of each class."""
    found = np.zeros_like(concepts)
    for size in range(1, points.bit_length()):
        for chosen in combinations(range(1 << points), size):
            labels = {tuple(c >> x & 1 for c in chosen) for x in range(points)}
            if len(labels) == 1 << size:
                wanted = sum(1 << c for c in chosen)
                found[(numbers & wanted) == wanted] = size
    return found


def _cells(numbers: npt.NDArray[np.int64], points: int) -> npt.NDArray[np.int64]:
    """Return, for each class, the number of its distinct columns."""
    found = np.zeros_like(numbers)
    for x in range(points):
        unlike = np.ones(len(numbers), dtype=np.bool_)
        for before in range(x):
            apart = sum(1 << c for c in range(1 << points) if (c >> x ^ c >> before) & 1)
            unlike &= (numbers & apart) != 0
        found += unlike
    return found
