"""Teachers without clashes that are constructed directly.

They are orbits of pairs of a concept and a point under the symmetries of the class, and teachers
found by local search: the set of one concept in a clash is replaced, such that the fewest clashes
remain (Minton, Johnston, Philips and Laird 1992).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, product

import numpy as np
import numpy.typing as npt

from ccsim.budget import Budget
from ccsim.classes.masks import bits_of
from ccsim.symmetry.matrix import cell_orbits, symmetries_of

Bits = npt.NDArray[np.float32]

_MOST_CELLS = 1 << 14  # of a class whose symmetries are computed
_STEPS = 20  # of a local search, for each concept
_MOST_WORK = 1 << 31  # operations of a local search
_NOISE = 0.05  # probability of a random set


def clash_free(rows: Sequence[int], taught: Sequence[int]) -> bool:
    """Decide whether the sets of no two rows clash."""
    pairs = combinations(zip(rows, taught, strict=True), 2)
    return all((row ^ other) & (ours | theirs) for (row, ours), (other, theirs) in pairs)


def by_symmetry(rows: Sequence[int], width: int, budget: Budget) -> list[int] | None:
    """Return an orbit of pairs of a row and a point that is a teacher without clashes, or None.

    Each row has the same number of points, and the orbit has the fewest pairs.
    """
    if len(rows) * width > _MOST_CELLS:
        return None
    budget.spend()
    cells = list(product(range(len(rows)), range(width)))
    orbits = cell_orbits(cells, symmetries_of(rows, width), (len(rows), width))
    sizes, teachers = Counter(orbits), dict[int, list[int]]()
    for (c, x), orbit in zip(cells, orbits, strict=True):
        if sizes[orbit] >= len(rows) - 1:  # two rows without points clash
            teachers.setdefault(orbit, [0] * len(rows))[c] |= 1 << x
    for taught in sorted(teachers.values(), key=lambda taught: max(map(int.bit_count, taught))):
        budget.spend()
        if clash_free(rows, taught):
            return taught
    return None


def by_local_search(
    rows: Sequence[int], width: int, sets: Sequence[int], budget: Budget
) -> list[int] | None:
    """Return a set for each row such that no two rows clash, or None if none is found."""
    draw = random.Random(0)  # noqa: S311 - choices, not secrets
    labels, points = (bits_of(masks, width).astype(np.float32) for masks in (rows, sets))
    taught = [draw.randrange(len(sets)) for _ in rows]
    each = len(rows) * width * (len(rows) + len(sets))
    for _ in range(min(_STEPS * len(rows), _MOST_WORK // each)):
        budget.spend()
        chosen = points[taught]
        clashing = np.flatnonzero(_missed(labels, chosen).any(1))
        if not len(clashing):
            return [sets[i] for i in taught]
        c = int(draw.choice(clashing))
        if draw.random() < _NOISE:
            taught[c] = draw.randrange(len(sets))
            continue
        differences = (labels != labels[c]).astype(np.float32)
        # the rows whose sets contain no point of the difference
        left = differences[((differences * chosen).sum(1) == 0) & differences.any(1)]
        clashes = np.count_nonzero(points @ left.T == 0, axis=1)
        taught[c] = int(draw.choice(np.flatnonzero(clashes == clashes.min())))
    return None


def _missed(labels: Bits, chosen: Bits) -> npt.NDArray[np.bool_]:
    """Return which pairs of rows clash."""
    differing = chosen @ labels.T + (chosen * labels).sum(1)[:, None]
    differing -= 2 * (chosen * labels) @ labels.T  # points of the first set on which they differ
    missed: npt.NDArray[np.bool_] = (differing == 0) & (differing == 0).T
    np.fill_diagonal(missed, val=False)
    return missed
