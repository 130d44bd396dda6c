"""Lines that represent points: projective planes, some of their lines, and Reed-Solomon codes.

Two lines of a projective plane of order ``q`` meet in one point, and ``q + 1`` lines pass through
each point: they represent the single points with error ``1/(q + 1)`` (`bbkn` section 4.1). Fewer
lines than points are enough if only points on several of them are kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import floor

import flint
import numpy as np

from ccsim.errors import DomainError, InstanceTooLargeError, NotDecidedError
from ccsim.exact import as_fraction
from ccsim.representation.deterministic import RepresentationResult
from ccsim.representation.hypotheses import HypothesisSet
from ccsim.representation.point_representation import PointRepresentation, members

__all__ = [
    "MAX_ORDER",
    "plane_lines",
    "projective_plane_representation",
    "reed_solomon_representation",
    "thinned_plane_representation",
]

MAX_ORDER = 64
"""Largest order of a field that is tabulated."""


class _Field:
    """The field with ``q`` elements as tables; element number ``i`` has the base-p digits of i."""

    def __init__(self, q: int, name: str) -> None:
        if q > MAX_ORDER:
            msg = f"{name}: the order is limited to {MAX_ORDER}, got {q}"
            raise InstanceTooLargeError(msg)
        factors = flint.fmpz(q).factor() if q > 1 else []
        if len(factors) != 1:
            msg = f"{name}: the order must be a prime power, not {q}"
            raise DomainError(msg)
        [(prime, degree)] = factors
        p = int(prime)
        context = flint.fq_default_ctx(p, int(degree))
        digits = [[i // p**e % p for e in range(int(degree))] for i in range(q)]
        elements = [context(flint.fmpz_poly(digit)) for digit in digits]
        number = {str(element): i for i, element in enumerate(elements)}
        self.elements = range(q)
        self.sums = [[number[str(a + b)] for b in elements] for a in elements]
        self.products = [[number[str(a * b)] for b in elements] for a in elements]

    def inner_product(self, a: tuple[int, ...], b: tuple[int, ...]) -> int:
        """Return the sum of the products of the entries."""
        total = 0
        for s, t in zip(a, b, strict=True):
            total = self.sums[total][self.products[s][t]]
        return total


def plane_lines(q: int) -> tuple[int, ...]:
    """Return the lines of the projective plane over the field with ``q`` elements as bit masks.

    Points and lines are the ``q^2 + q + 1`` triples whose first non-zero entry is 1, in
    lexicographic order; a point lies on a line if their inner product is 0.

    Examples
    --------
    >>> [f"{line:07b}" for line in plane_lines(2)][:2]
    ['0101010', '0011001']
    """
    field = _Field(q, "projective plane")
    triples = [
        triple
        for triple in product(field.elements, repeat=3)
        if next((entry for entry in triple if entry), 0) == 1
    ]
    return tuple(
        sum(1 << i for i, point in enumerate(triples) if not field.inner_product(line, point))
        for line in triples
    )


def projective_plane_representation(q: int) -> RepresentationResult:
    """Return the lines of a projective plane, which represent its points with error ``1/(q+1)``.

    Parameters
    ----------
    q : int
        Order of the plane, a prime power of at most `MAX_ORDER`; up to 9 takes a second.

    Returns
    -------
    RepresentationResult
        Both proofs in closed form: above, the uniform mixture of the lines through a point; below,
        the uniform distribution over all other points, under which a line through it errs
        ``q / (q^2 + q)`` and another one more.

    Notes
    -----
    Source: `bbkn` section 4.1, which proves an error of at most ``1/q``.

    Examples
    --------
    >>> fano = projective_plane_representation(2)
    >>> fano.value, fano.hypotheses.size
    (Fraction(1, 3), 7)
    >>> fano.check()
    """
    lines = plane_lines(q)
    hypotheses = HypothesisSet.from_rows(lines, len(lines))
    share, zero = Fraction(1, q + 1), Fraction(0)
    weights = tuple(
        tuple(share if row >> j & 1 else zero for row in hypotheses.rows) for j in range(len(lines))
    )
    others = Fraction(1, len(lines) - 1)
    distribution = (zero,) + (others,) * (len(lines) - 1)
    concept_class = PointRepresentation.from_witnesses(
        hypotheses, list(_through(hypotheses))
    ).concept_class
    return RepresentationResult(concept_class, hypotheses, share, 0, distribution, weights)


def thinned_plane_representation(
    q: int, error: Fraction | int | str, seed: int, max_tries: int = 100
) -> PointRepresentation:
    """Return random lines of a projective plane and the points that lie on enough of them.

    Parameters
    ----------
    q : int
        Order of the plane, a prime power of at most `MAX_ORDER`.
    error : Fraction, int or str
        In (0, 1]; each point that is kept lies on more than ``1 / error`` of the lines drawn.
    seed : int
    max_tries : int
        Sets of lines to draw before giving up.

    Returns
    -------
    PointRepresentation
        Over the points that are kept, at least half of the plane's.

    Raises
    ------
    NotDecidedError
        If no set of lines drawn left half of the points.

    Notes
    -----
    Source: `bbkn` section 4.1, with details that are left out there: a line is kept with
    probability ``min(1, m / (q + 1))`` for ``m = floor(1/error) + 2``, so that ``m`` lines pass
    through a point on average, one more than it needs, and about ``m q`` are kept of which about
    ``2 T = q^2 + q + 1`` points use: ``O(sqrt(T) / error)``.

    Examples
    --------
    >>> thinned = thinned_plane_representation(7, "1/2", seed=0)
    >>> thinned.check()
    >>> thinned.represents(Fraction(1, 2)), thinned.size < 57
    (True, True)
    """
    allowed = as_fraction(error, "error", 0, 1)
    if allowed == 0:
        msg = "thinned plane: the error must be positive"
        raise DomainError(msg)
    lines, need = plane_lines(q), floor(1 / allowed) + 1
    share = min(1.0, (need + 1) / (q + 1))
    rng = np.random.default_rng(seed)
    for _ in range(max_tries):
        chosen = [line for line in lines if rng.random() < share]
        degrees = [sum(line >> j & 1 for line in chosen) for j in range(len(lines))]
        kept = [j for j, degree in enumerate(degrees) if degree >= need]
        if 2 * len(kept) >= len(lines):
            rows = [sum((line >> j & 1) << i for i, j in enumerate(kept)) for line in chosen]
            hypotheses = HypothesisSet.from_rows(rows, len(kept))
            number = {row: i for i, row in enumerate(hypotheses.rows)}
            witnesses = [
                tuple(number[row] for row in rows if row >> i & 1) for i in range(len(kept))
            ]
            return PointRepresentation.from_witnesses(hypotheses, witnesses)
    msg = f"none of {max_tries} sets of lines left half of the {len(lines)} points"
    raise NotDecidedError(msg)


def reed_solomon_representation(q: int, dimension: int, length: int) -> PointRepresentation:
    """Return ``q * length`` sets that represent ``q**dimension`` points.

    A point is a polynomial of degree below ``dimension`` over the field with ``q`` elements, and a
    set holds the polynomials with a given value in a given place. Two polynomials agree in at most
    ``dimension - 1`` of the ``length`` places, so that the error is ``(dimension - 1) / length``.

    Parameters
    ----------
    q : int
        A prime power of at most `MAX_ORDER`.
    dimension : int
        At least 1; ``q**dimension`` is at most ``2**12``.
    length : int
        Number of places, between ``dimension`` and ``q``.

    Notes
    -----
    An explicit alternative to `bbkn` Lemma 4.1: 64 sets for 256 points at error 1/4.

    Examples
    --------
    >>> code = reed_solomon_representation(4, 2, 4)
    >>> code.hypotheses.num_points, code.size, code.value
    (16, 16, Fraction(1, 4))
    """
    field = _Field(q, "Reed-Solomon code")
    if not 1 <= dimension <= length <= q or q**dimension > 1 << 12:
        msg = (
            "Reed-Solomon code: need 1 <= dimension <= length <= q and at most 4096 points, "
            f"not {dimension}, {length}, {q}"
        )
        raise DomainError(msg)
    sets: dict[tuple[int, int], int] = {}
    for i, coefficients in enumerate(product(field.elements, repeat=dimension)):
        for place in range(length):
            value = 0
            for coefficient in coefficients:  # Horner's rule
                value = field.sums[field.products[value][place]][coefficient]
            sets[place, value] = sets.get((place, value), 0) | 1 << i
    hypotheses = HypothesisSet.from_rows(sets.values(), q**dimension)
    return PointRepresentation.from_witnesses(hypotheses, list(_through(hypotheses)))


def _through(hypotheses: HypothesisSet) -> Iterator[tuple[int, ...]]:
    """Yield, for each point, the numbers of the sets that contain it."""
    containing: list[list[int]] = [[] for _ in range(hypotheses.num_points)]
    for i, row in enumerate(hypotheses.rows):
        for j in members(row):
            containing[j].append(i)
    yield from map(tuple, containing)
