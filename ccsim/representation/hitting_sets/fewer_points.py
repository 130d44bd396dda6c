"""Bounds on the size of representations over more points than all hypotheses are searched over."""

from __future__ import annotations

from dataclasses import replace

from ccsim.classes import ConceptClass
from ccsim.data import frozen
from ccsim.representation.hitting_sets.branching import Branching
from ccsim.representation.hitting_sets.neighbourhoods import (
    MAX_POINTS,
    MAX_WEIGHTS,
    Neighbourhood,
)

MAX_LISTED = 16
"""Most points over which a bound on all hypotheses from below is checked. Beyond: the bound 1."""


def too_many(concept_class: ConceptClass) -> bool:
    """Whether the points or the concepts are too many for a search of all hypotheses."""
    n = len(concept_class.points)
    return n > MAX_POINTS or len(concept_class) * n << n > MAX_WEIGHTS


def proof_is_too_long(concept_class: ConceptClass, pool: tuple[int, ...] | None) -> bool:
    """Whether the kernel would list the hypotheses over too many points."""
    return pool is None and len(concept_class.points) > MAX_LISTED


def what_is_needed(concept_class: ConceptClass, pool: tuple[int, ...] | None) -> str:
    """Return what would make bounds on a size one number, in a sentence."""
    if pool is None and too_many(concept_class):
        return (
            f"a search of all hypotheses, over at most {MAX_POINTS} points and of at most "
            f"{MAX_WEIGHTS} weights (concepts times points times sets of points)"
        )
    return "more time"


@frozen
class Restricted:
    """A class on some of its points, and the way back."""

    concept_class: ConceptClass  # on these points alone, equal concepts merged
    points: tuple[int, ...]  # their numbers in the whole class
    # for each concept one of the whole class that it is the restriction of
    concepts: tuple[int, ...]
    width: int  # number of points of the whole class

    def lifted(self, proof: Branching | None) -> Branching | None:
        """Return a proof of a lower bound as one for the whole class.

        A hypothesis that is chosen stands for all that agree with it on these points.
        """
        if proof is None or self.width > MAX_LISTED:
            return None
        near = tuple(
            Neighbourhood(self.concepts[each.concept], self._weights(each.weights))
            for each in proof.neighbourhoods
        )
        tree = tuple(
            replace(node, branches=tuple(map(self._hypothesis, node.branches)))
            for node in proof.tree
        )
        return replace(proof, neighbourhoods=near, tree=tree)

    def _weights(self, weights: tuple[int, ...]) -> tuple[int, ...]:
        place = dict(zip(self.points, weights, strict=True))
        return tuple(place.get(x, 0) for x in range(self.width))

    def _hypothesis(self, row: int) -> int:
        return sum(1 << x for i, x in enumerate(self.points) if row >> i & 1)


def on_fewer_points(concept_class: ConceptClass, number: int) -> Restricted:
    """Return a class on so many points, chosen one by one to tell most concepts apart.

    Complexity: ``number`` times concepts times points.
    """
    C, width = concept_class, len(concept_class.points)
    parts, chosen = [tuple(range(len(C)))], list[int]()
    for _ in range(min(number, width)):
        left = [x for x in range(width) if x not in chosen]

        def pairs(x: int, parts: list[tuple[int, ...]] = parts) -> int:
            ones = (sum(C.rows[c] >> x & 1 for c in part) for part in parts)
            return sum(k * (len(part) - k) for k, part in zip(ones, parts, strict=True))

        x = max(left, key=pairs)
        chosen.append(x)
        split = ([c for c in part if C.rows[c] >> x & 1 == b] for part in parts for b in (0, 1))
        parts = [tuple(part) for part in split if part]
    points = tuple(sorted(chosen))
    rows = dict[int, int]()
    for c, row in enumerate(C.rows):
        rows.setdefault(sum((row >> x & 1) << i for i, x in enumerate(points)), c)
    matrix = [[row >> i & 1 for i in range(len(points))] for row in rows]
    small = ConceptClass.from_matrix(matrix, name=f"{C.name} on {len(points)} points")
    return Restricted(small, points, tuple(rows.values()), width)
