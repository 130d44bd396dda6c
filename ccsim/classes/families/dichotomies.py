"""All dichotomies of finitely many integer vectors by hyperplanes through the origin.

A *flat* ``F`` contains every given vector of its span; ``D(F)`` is the set of strict dichotomies of
its vectors. The vectors of ``F`` outside a flat ``G`` of rank one less are multiples of one vector
modulo the span of ``G``, so a hyperplane near ``G`` splits them into ``plus`` and ``minus``.
Therefore ``D(F) = {g | plus, g | minus : G, g in D(G)}`` (Cover 1965, Zaslavsky 1975): each chamber
has an extreme ray, which is orthogonal to such a ``G``. The sum of the extreme rays of a chamber
lies inside it and is the witness, which is checked by substitution.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb, factorial, prod
from typing import Any

import numpy as np

from ccsim.budget import Budget, TimeLimit, check_time
from ccsim.classes.masks import masks_of
from ccsim.data import frozen
from ccsim.errors import CertificateError, DomainError, InstanceTooLargeError

Matrix = np.ndarray[Any, np.dtype[np.int64]]
Split = tuple[tuple[int, ...], int, int]
Hyperplane = tuple[Matrix, set[int]]

_LARGEST = (1 << 63) - 1
_CHUNK = 1 << 20


@frozen
class Dichotomy:
    """A strict dichotomy of vectors ``v_i``, with integer weights that prove it."""

    positive: int  # bit mask of the ``i`` with ``<weights, v_i> > 0``; all others are negative
    weights: tuple[int, ...]  # without a common divisor


def cover_bound(count: int, rank: int) -> int:
    """Return Cover's bound on the dichotomies of ``count`` vectors of the given rank."""
    return 2 * sum(comb(count - 1, i) for i in range(rank))


def dichotomies(vectors: Sequence[Sequence[int]], time_limit: TimeLimit = None) -> list[Dichotomy]:
    """Return all strict dichotomies of nonzero integer vectors, in the order of their masks.

    Complexity: flats times vectors, and one set operation for each extreme ray of each chamber of
    each flat; two to three seconds for the cube of dimension 5.
    """
    if not vectors or len({len(v) for v in vectors}) != 1 or not all(any(v) for v in vectors):
        raise DomainError(
            "dichotomies: there must be at least one vector, all nonzero and of equal length"
        )
    largest = [max(1, *(abs(v[c]) for v in vectors)) for c in range(len(vectors[0]))]
    # bounds every minor of the matrix of vectors; elimination multiplies two of them
    order = min(len(vectors), len(largest))
    minor = factorial(order) * prod(sorted(largest)[-order:])
    if 2 * minor * minor > _LARGEST:
        raise InstanceTooLargeError(
            f"dichotomies: determinants may reach {minor}; the limit is 2**31"
        )
    matrix = np.array(vectors, np.int64)
    budget = Budget.of(time_limit)
    rows, weights = _chambers(matrix, _hyperplanes(matrix, budget), budget)
    return sorted(_proved(matrix, rows, weights, budget), key=lambda dichotomy: dichotomy.positive)


def _hyperplanes(matrix: Matrix, budget: Budget) -> list[Hyperplane]:
    """Return a normal vector of each hyperplane flat, with the dichotomies of the flat."""
    flats: dict[int, Hyperplane] = {0: (np.eye(matrix.shape[1], dtype=np.int64), {0})}
    for _ in range(_rank(matrix) - 1):
        larger: dict[int, Hyperplane] = {}
        for flat, (vanishing, inner) in budget.each(flats.items()):
            check_time()
            splits = list(_splits(matrix @ vanishing.T, flat))
            quotients = _quotients(vanishing, [key for key, *_ in splits])
            for quotient, (_, plus, minus) in zip(quotients, splits, strict=True):
                cover = flat | plus | minus
                found = larger.setdefault(cover, (quotient, set()))[1]
                found.update([g | plus for g in inner])
                found.update([g | minus for g in inner])
        flats = larger
    normals = []
    for vanishing, inner in flats.values():
        # outside the flat all images are multiples of one vector: one of its coordinates is enough
        c = int((matrix @ vanishing.T).any(axis=0).argmax())
        normals.append((vanishing[c], inner))
    return normals


def _rank(matrix: Matrix) -> int:
    vanishing = np.eye(matrix.shape[1], dtype=np.int64)
    rank = 0
    while (images := matrix @ vanishing.T).any():
        key = next(tuple(image) for image in _primitive(images).tolist() if any(image))
        vanishing = _quotients(vanishing, [key])[0]
        rank += 1
    return rank


def _primitive(rows: Matrix) -> Matrix:
    """Return the rows divided by their greatest common divisors; zero rows are unchanged."""
    divisors = np.gcd.reduce(rows, axis=-1)
    return np.asarray(rows // np.maximum(divisors, 1)[..., None])


def _quotients(vanishing: Matrix, keys: Sequence[tuple[int, ...]]) -> Matrix:
    """Return, for each key, linear forms that vanish on the flat and on the key's vectors."""
    lines = np.array(keys)
    first = (lines != 0).argmax(axis=1)
    leading = lines[np.arange(len(lines)), first]
    others = lines[:, :, None] * vanishing[first][:, None, :]
    return _primitive(leading[:, None, None] * vanishing - others)


def _splits(images: Matrix, flat: int) -> Iterator[Split]:
    """Yield each line through images outside a flat, with the masks of its two directions."""
    primitive = _primitive(images)
    first = (primitive != 0).argmax(axis=1)
    backwards = primitive[np.arange(len(primitive)), first] < 0
    primitive[backwards] *= -1
    lines: dict[tuple[int, ...], list[int]] = {}
    for i, (line, back) in enumerate(zip(primitive.tolist(), backwards.tolist(), strict=True)):
        if not flat >> i & 1:
            lines.setdefault(tuple(line), [0, 0])[back] |= 1 << i
    yield from ((key, plus, minus) for key, (plus, minus) in lines.items())


def _chambers(
    matrix: Matrix, hyperplanes: list[Hyperplane], budget: Budget
) -> tuple[list[int], Matrix]:
    """Return the mask of each chamber, and a primitive vector inside it.

    The vector is the sum of the chamber's extreme rays, divided by the gcd of its entries.
    """
    number: dict[int, int] = {}
    chambers: list[int] = []
    normals = np.array([normal for normal, _ in hyperplanes])
    values = normals @ matrix.T
    sides = zip(masks_of(values > 0), masks_of(values < 0), strict=True)
    for (_, inner), both in budget.each(zip(hyperplanes, sides, strict=True)):
        check_time()
        for side in both:
            chambers += [number.setdefault(g | side, len(number)) for g in inner]
    rays = np.stack((normals, -normals), axis=1).reshape(-1, matrix.shape[1])
    repeats = np.repeat([len(inner) for _, inner in hyperplanes], 2)
    sums = np.zeros((len(number), matrix.shape[1]), np.int64)
    np.add.at(sums, chambers, np.repeat(rays, repeats, axis=0))
    return list(number), _primitive(sums)


def _proved(
    matrix: Matrix, rows: list[int], weights: Matrix, budget: Budget
) -> Iterator[Dichotomy]:
    """Yield the dichotomies after checking every witness on every vector."""
    step, everything = max(1, _CHUNK // len(matrix)), (1 << len(matrix)) - 1
    for start in budget.each(range(0, len(rows), step)):
        check_time()
        part = weights[start : start + step]
        values = part @ matrix.T
        signs = zip(masks_of(values > 0), masks_of(values < 0), strict=True)
        each = zip(rows[start : start + step], part.tolist(), signs, strict=True)
        for row, w, (positive, negative) in each:
            if positive != row or negative != everything ^ row:
                raise CertificateError(f"dichotomy {row}: the weights {w} do not realise it")
            yield Dichotomy(row, tuple(w))
