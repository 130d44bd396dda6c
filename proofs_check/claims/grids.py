"""Exhaustive and random families of small objects on which statements are checked."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import chain, combinations, pairwise, permutations

import numpy as np

from ccsim import ConceptClass

__all__ = [
    "classes_on",
    "classes_up_to_symmetry",
    "distributions_with_denominator",
    "partitions",
    "random_weights",
]


@cache
def classes_on(points: int) -> tuple[ConceptClass, ...]:
    """Return every nonempty class on up to ``points`` points, at most 3."""
    families = chain.from_iterable(
        ((n, rows) for size in range(1, 2**n + 1) for rows in combinations(range(2**n), size))
        for n in range(1, points + 1)
    )
    return tuple(ConceptClass.from_rows(rows, range(n)) for n, rows in families)


def classes_up_to_symmetry(points: int) -> Iterator[ConceptClass]:
    """Yield the classes on up to ``points`` points, at most 3, up to symmetry.

    Symmetries permute the points and flip the labels of some points. They change neither dimensions
    nor errors of protocols.

    Examples
    --------
    >>> [C.rows for C in classes_up_to_symmetry(2)]
    [(0,), (0, 1), (0,), (0, 1), (0, 3), (0, 1, 2), (0, 1, 2, 3)]
    """
    for C in classes_on(points):
        n = len(C.points)
        images = (
            tuple(sorted(_permuted(row, order) ^ flips for row in C.rows))
            for order in permutations(range(n))
            for flips in range(2**n)
        )
        if C.rows == min(images):
            yield C


def _permuted(row: int, order: tuple[int, ...]) -> int:
    return sum((row >> x & 1) << place for place, x in enumerate(order))


def partitions(size: int, blocks: int) -> Iterator[tuple[int, ...]]:
    """Yield the partitions of ``range(size)`` into at most ``blocks`` blocks.

    A partition is a restricted growth string: the number of the block of each element, where blocks
    are numbered in the order of their least elements.

    Examples
    --------
    >>> list(partitions(3, 2))
    [(0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1)]
    """

    def extend(prefix: tuple[int, ...], used: int) -> Iterator[tuple[int, ...]]:
        if len(prefix) == size:
            yield prefix
            return
        for block in range(min(used + 1, blocks)):
            yield from extend((*prefix, block), max(used, block + 1))

    yield from extend((), 0)


def distributions_with_denominator(size: int, denominator: int) -> Iterator[tuple[Fraction, ...]]:
    """Yield every probability vector whose entries are multiples of ``1/denominator``.

    Examples
    --------
    >>> len(list(distributions_with_denominator(3, 4)))
    15
    """
    for cuts in combinations(range(denominator + size - 1), size - 1):
        ends = (-1, *cuts, denominator + size - 1)
        yield tuple(Fraction(b - a - 1, denominator) for a, b in pairwise(ends))


def random_weights(
    rng: np.random.Generator, size: int, least: int = 0, *, sparse: bool = False
) -> tuple[Fraction, ...]:
    """Return a random probability vector of small fractions.

    Parameters
    ----------
    rng : numpy.random.Generator
    size : int
        Number of entries, at least 1.
    least : int
        Least share of an entry; shares are below 10.
    sparse : bool
        Whether about two thirds of the entries are set to zero.
    """
    shares = rng.integers(least, 10, size=size)
    if sparse:
        shares *= rng.integers(3, size=size) == 0
    if not shares.any():
        shares[0] = 1
    return tuple(Fraction(int(w), int(shares.sum())) for w in shares)
