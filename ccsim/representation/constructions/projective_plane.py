"""Lines that represent points: projective planes, and some of their lines.

Two lines of a projective plane of order ``q`` meet in one point, and ``q + 1`` lines pass through
each point: they represent the single points with error ``1/(q + 1)`` (`bbkn` section 4.1). Fewer
lines than points are enough if only points on several of them are kept.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import floor

import numpy as np

from ccsim.arguments.checked import checked_types
from ccsim.errors import DomainError, InstanceTooLargeError, NotDecidedError
from ccsim.exact import as_fraction
from ccsim.exact.probability import generator
from ccsim.representation.constructions.finite_field import MAX_ORDER, finite_field
from ccsim.representation.constructions.points import PointRepresentation, containing_sets
from ccsim.representation.error import RepresentationResult
from ccsim.representation.hypotheses import HypothesisSet


@checked_types
def plane_lines(q: int) -> tuple[int, ...]:
    """Return the lines of the projective plane over the field with ``q`` elements as bit masks.

    Points and lines are the ``q^2 + q + 1`` triples whose first non-zero entry is 1, in
    lexicographic order; a point lies on a line if their inner product is 0.

    Parameters
    ----------
    q : int
        A prime power.

    Examples
    --------
    >>> [f"{line:07b}" for line in plane_lines(2)][:2]
    ['0101010', '0011001']
    """
    if q > MAX_ORDER:
        raise InstanceTooLargeError(
            f"projective plane: the order is limited to {MAX_ORDER}, got {q}"
        )
    field = finite_field(q, "projective plane")
    triples = [
        triple
        for triple in product(range(q), repeat=3)
        if next((entry for entry in triple if entry), 0) == 1
    ]
    points = np.array(triples, dtype=np.int64)
    lines = []
    for line in points:
        x, y, z = field.product(points, line).T
        inner = field.sum(field.sum(x, y), z)
        lines.append(sum(1 << int(i) for i in np.flatnonzero(inner == 0)))
    return tuple(lines)


@checked_types
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
        hypotheses, containing_sets(hypotheses)
    ).concept_class
    return RepresentationResult(concept_class, hypotheses, share, share, 0, distribution, weights)


@checked_types
def thinned_plane_representation(
    q: int, error: Fraction | int | str, seed: int, *, tries: int = 100
) -> PointRepresentation:
    """Return random lines of a projective plane and the points that lie on enough of them.

    Parameters
    ----------
    q : int
        Order of the plane, a prime power of at most `MAX_ORDER`.
    error : Fraction, int or str
        In (0, 1]; each point that is kept lies on more than ``1 / error`` of the lines drawn.
    seed : int
    tries : int
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
        raise DomainError("thinned plane: the error must be positive")
    lines, need = plane_lines(q), floor(1 / allowed) + 1
    share = min(1.0, (need + 1) / (q + 1))
    rng = generator(seed)
    for _ in range(tries):
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
    raise NotDecidedError(f"none of {tries} sets of lines left half of the {len(lines)} points")
