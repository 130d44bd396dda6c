"""Vectors of points and concepts whose products have the signs of a class.

If ``<w_c, v_x> > 0`` exactly for labels 1, with vectors of ``k`` entries, then at most ``k`` points
(concepts) are shattered, since ``k + 1`` of the ``v_x`` are linearly dependent. The bound is ``k -
1`` if some vector has positive products with all ``w_c`` (all ``v_x``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.classes.families.dichotomies import cover_bound, dichotomies
from ccsim.data import frozen
from ccsim.dimensions.shattering.bound import ShatteringBound, Vector
from ccsim.errors import InstanceTooLargeError
from ccsim.symmetry.matrix import class_bits

_PLACE = re.compile(r"\((-?\d{1,6}(?:, ?-?\d{1,6})*)\)")
_MOST = 1 << 19  # dichotomies that are looked through at most
_FEW = 10  # vectors on which it is tried first, to see soon where there is nothing to be found
_RATIO = 8  # how many times fewer the concepts may be
_MOST_ENTRIES, _SECONDS = 1 << 19, 1e-5
"""Maximum number of entries of a table for fitting vectors, and seconds per entry."""


@frozen
class Realisation:
    """Vectors of the points and of the concepts of a class."""

    # of one length; Their product is positive where the label is 1, negative elsewhere
    points: tuple[Vector, ...]
    concepts: tuple[Vector, ...]
    # A vector whose products with those of all points (of all concepts) are positive, or empty
    with_points: Vector
    with_concepts: Vector


def realisation(concept_class: ConceptClass, budget: Budget) -> Realisation | None:
    """Return vectors from the labels if concepts are halfspaces or balls, otherwise None."""
    places = _places(concept_class.points)
    if not places or not len(concept_class):
        return None
    size = len(places[0]) + 1
    always = (1,) + (0,) * (size - 1)
    halfspaces = [(1, *x) for x in places]
    found = _weights(halfspaces, concept_class.rows, budget)
    if found is not None:
        return Realisation(tuple(halfspaces), found, always, ())
    balls = [(1, *x, -sum(entry * entry for entry in x)) for x in places]
    last = (0,) * size + (1,)
    rows = [row | 1 << len(places) for row in concept_class.rows]
    found = _weights([*balls, last], rows, budget)
    return None if found is None else Realisation(tuple(balls), found, (*always, 0), last)


def fitted(concept_class: ConceptClass, size: int, budget: Budget) -> Realisation | None:
    """Return vectors that prove that no ``size`` points are shattered, or None if not found."""
    bits = class_bits(concept_class)
    signs = np.ones((bits.shape[0], bits.shape[1] + 1), dtype=np.int64)
    signs[:, :-1] -= 2 * (1 - bits.astype(np.int64))
    from ccsim.programs.sign_vectors import realised  # few questions need it

    found = realised(signs, size, budget, seeds=0)
    if found is None:
        return None
    concepts, (*points, positive) = ([tuple(vector) for vector in side] for side in found)
    return Realisation(tuple(points), tuple(concepts), (), positive)


def _places(labels: Sequence[int | str]) -> list[Vector]:
    """Return the integer vectors that labels represent; empty if some label is not a vector."""
    places: list[Vector] = []
    for label in labels:
        text = f"({label})" if isinstance(label, int) else label
        if not (match := _PLACE.fullmatch(text)):
            return []
        places.append(tuple(map(int, match[1].split(","))))
    return places if len({len(place) for place in places}) == 1 else []


def _weights(
    vectors: Sequence[Vector], rows: Sequence[int], budget: Budget
) -> tuple[Vector, ...] | None:
    """Return, for each row, weights with its signs on the vectors, or None if there are none."""
    most = min(_MOST, 2 * _RATIO * len(rows))
    if not len(rows) <= cover_bound(len(vectors), len(vectors[0])) <= most:
        return None
    try:
        if not _are_split(vectors, rows, budget):
            return None
        known = {each.positive: each.weights for each in dichotomies(vectors, budget)}
    except InstanceTooLargeError:
        return None
    found = [known.get(row) for row in rows]
    return None if None in found else tuple(weights for weights in found if weights)


def _are_split(vectors: Sequence[Vector], rows: Sequence[int], budget: Budget) -> bool:
    """Whether the restriction of each row to a small sample of the vectors is a dichotomy."""
    some = range(0, len(vectors), -(-len(vectors) // _FEW))
    inside = sum(1 << x for x in some)
    known = {
        sum(1 << x for i, x in enumerate(some) if each.positive >> i & 1)
        for each in dichotomies([vectors[x] for x in some], budget)
    }
    return all(row & inside in known for row in rows)


def bound_by_places(table: ConceptClass, budget: Budget) -> tuple[int, ShatteringBound] | None:
    """Return a bound by coordinates of points (for a dual: of concepts), or None without them."""
    dual = table.dual()
    if (found := realisation(table, budget)) is not None:
        columns, rows, positive = found.points, found.concepts, found.with_concepts
    elif len(dual) < len(table.points):  # equal columns are one
        return None
    elif (found := realisation(dual, budget)) is not None:
        columns, rows, positive = found.concepts, found.points, found.with_points
    else:
        return None
    bound = ShatteringBound("signs", (), (), columns, rows, positive)
    return len(columns[0]) - bool(positive), bound


def bound_by_fitting(table: ConceptClass, size: int, budget: Budget) -> ShatteringBound | None:
    """Return a proof by vectors that no set of this size is shattered, or None if none fit."""
    entries = len(table) * len(table.points)
    if entries > min(_MOST_ENTRIES, budget.remaining / 4 / _SECONDS):
        return None
    found = fitted(table, size, budget)
    if found is None:
        return None
    return ShatteringBound("signs", (), (), found.points, found.concepts, found.with_concepts)
