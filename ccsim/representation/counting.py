"""Bounds on random sets of hypotheses without a search.

Sets of consecutive concepts, in cyclic order, contain each concept equally often. Under the uniform
distribution on the points, each hypothesis is near few concepts.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.representation.branching import Branching, Node
from ccsim.representation.error import even_distribution
from ccsim.representation.failure import FailureResult, failing_weight
from ccsim.representation.hypotheses import HypothesisSet, ProbabilisticRepresentation
from ccsim.representation.neighbourhoods import Neighbourhood
from ccsim.representation.size import MAX_LISTED

_ENTRIES = 1 << 21  # labels of all sets of consecutive concepts
_LABELS = 63  # points of hypotheses that are counted in words


def consecutive_concepts(C: ConceptClass, error: Fraction, size: int) -> FailureResult | None:
    """Return random sets of consecutive concepts, which fail with probability at most a bound.

    The bound is ``1 - size / len(C)``.
    """
    number, width = len(C), len(C.points)
    size = min(size, number)
    if number * size * width > _ENTRIES:
        return None
    starts = range(number) if size < number else [0]
    sets = [
        HypothesisSet.from_rows([C.rows[(i + j) % number] for j in range(size)], width)
        for i in starts
    ]
    R = ProbabilisticRepresentation.mixture((Fraction(1, len(sets)), each) for each in sets)
    even = even_distribution(width)
    lower = failing_weight(R, C.rows[0], error, even)
    trees = tuple((row, (Fraction(1),), ()) for row in C.rows)  # all sets with the concept pass
    upper = 1 - Fraction(size, number)
    return FailureResult(C, R, error, lower, upper, 0, even, None, trees)


def evenly(
    C: ConceptClass, error: Fraction, pool: Sequence[int] | None, budget: Budget
) -> tuple[int, Branching] | None:
    """Return the maximum number of concepts near one hypothesis, and a proof by equal weights.

    The result is None if the time limit is reached, or if there are too many hypotheses or points.
    """
    width = len(C.points)
    if width > (MAX_LISTED if pool is None else _LABELS):
        return None
    hypotheses = np.array(range(1 << width) if pool is None else pool, np.uint64)
    counts, allowed = np.zeros(len(hypotheses), np.int64), int(error * width)
    with budget:
        for row in budget.each(C.rows):
            counts += np.bitwise_count(hypotheses ^ np.uint64(row)) <= allowed
        near = tuple(Neighbourhood(f, (1,) * width) for f in range(len(C)))
        return int(counts.max()), Branching(near, (), (Node((), ()),), (1,) * len(C))
    return None
