"""Isomorphisms of classes on few points: first classes, symmetries, neighbours and families."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from itertools import permutations
from types import MappingProxyType
from typing import Any

import numpy as np

from ccsim.data import frozen
from ccsim.instances import parse_class
from ccsim.surveys.atlas.table import MOST_POINTS, first_isomorphic, rows_of

_FAMILIES = (
    *(f"all_functions:n={n}" for n in range(1, 6)),
    *(f"points:b={b}" for b in range(3)),
    *(f"thresholds:b={b}" for b in range(3)),
    *(f"intervals:n={n}" for n in range(1, 6)),
    *(f"unions:n={n},k={k}" for n in range(3, 6) for k in range(2, (n + 1) // 2 + 1)),
    *(f"k_points:b=2,k={k}" for k in range(1, 4)),
    *(f"parities:n={n}" for n in (1, 2)),
    *(f"decision_stumps:p={p}" for p in (1, 2)),
    *(f"boxes:b={b},d={d}" for b, d in ((1, 1), (2, 1), (1, 2))),
    *(f"balls:b={b},d={d}" for b, d in ((1, 1), (2, 1), (1, 2))),
    *(f"halfspaces:b={b},d={d}" for b, d in ((1, 1), (2, 1), (1, 2))),
    "lines:p=2",
    *(f"polynomials:p=2,k={k}" for k in (1, 2)),
)
"""The instances of families of classes on at most 5 points."""


@frozen
class Relations:
    """The symmetries of a class, and the classes that differ from it by one concept."""

    symmetries: int  # isomorphisms of the class with itself
    isomorphic: int  # classes on the same points that are isomorphic to it
    smaller: Mapping[int, int]  # first isomorphic classes with a concept less, and how often
    larger: Mapping[int, int]  # the same with one concept more


def relations(n: int, chosen: int) -> Relations:
    """Return the symmetries and neighbours of a class that has a concept.

    Method: the first class of an isomorphism type has the largest image if function 0 is the
    highest bit, so that the images under all isomorphisms are computed by adding bits.
    """
    moved = _images(n)
    rows = rows_of(chosen)
    images = moved[rows].sum(axis=0)
    symmetries = int((images == _reversed(n, chosen)).sum())
    smaller = Counter(_first(n, images - moved[row]) for row in rows if len(rows) > 1)
    larger = Counter(_first(n, images + moved[row]) for row in {*range(1 << n)}.difference(rows))
    found = (MappingProxyType(dict(sorted(each.items()))) for each in (smaller, larger))
    return Relations(symmetries, moved.shape[1] // symmetries, *found)


@lru_cache(maxsize=1)
def family_names() -> Mapping[tuple[int, int], tuple[str, ...]]:
    """Return the INSTANCE texts of families by points and first isomorphic class."""
    found: dict[tuple[int, int], list[str]] = {}
    for text in _FAMILIES:
        C = parse_class(text)
        n = len(C.points)
        if n <= MOST_POINTS:
            found.setdefault((n, first_isomorphic(n, sorted({*C.rows}))), []).append(text)
    return MappingProxyType({key: tuple(texts) for key, texts in found.items()})


@lru_cache(maxsize=MOST_POINTS)
def _images(n: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return the bit of the image of each function (row) under each isomorphism (column)."""
    size = 1 << n
    moved = np.array(
        [
            [
                sum((row >> x & 1) << y for x, y in enumerate(order))
                for order in permutations(range(n))
            ]
            for row in range(size)
        ]
    )
    images = (moved[:, :, None] ^ np.arange(size)).reshape(size, -1)
    return np.int64(1) << (size - 1 - images)


def _reversed(n: int, chosen: int) -> int:
    return int(f"{chosen:0{1 << n}b}"[::-1], 2)


def _first(n: int, images: np.ndarray[Any, np.dtype[np.int64]]) -> int:
    return _reversed(n, int(images.max()))
