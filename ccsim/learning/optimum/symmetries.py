"""Symmetries of a tiny class, and what they do to samples and hypotheses.

A permutation of the points followed by flips (exchanges of the labels 0 and 1 on some points) is a
symmetry if it moves the class to itself. It moves private learners to private learners that fail as
much on the moved targets, so that the average over all symmetries is as good as the best learner.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from math import factorial

from ccsim.appearance import one_line
from ccsim.classes import ConceptClass
from ccsim.learning.optimum.subdivisions import Database, Distribution

__all__ = ["Move", "class_symmetries"]

_MOST = 1 << 10
"""Most permutations with flips that are looked at; a class on more points counts as rigid."""


@one_line
@dataclass(frozen=True, slots=True)
class Move:
    """A permutation of the points followed by flips.

    Attributes
    ----------
    places : tuple of int
        Point ``x`` moves to ``places[x]``.
    flips : int
        Points (bit mask, after the permutation) whose labels are exchanged.
    """

    places: tuple[int, ...]
    flips: int

    def function(self, h: int) -> int:
        """Return the image of a function.

        Examples
        --------
        >>> Move((1, 0), 0b10).function(0b01)
        0
        """
        return sum((h >> x & 1) << y for x, y in enumerate(self.places)) ^ self.flips

    def sample(self, S: Database) -> Database:
        """Return the image of a multiset of labelled examples."""
        moved = ((self.places[x], label ^ (self.flips >> self.places[x] & 1)) for x, label in S)
        return tuple(sorted(moved))

    def distribution(self, D: Distribution) -> Distribution:
        """Return the image of a distribution over the points."""
        return tuple(D[self.places.index(y)] for y in range(len(D)))


def class_symmetries(concept_class: ConceptClass) -> tuple[Move, ...]:
    """Return the symmetries of a class on at most 4 points, else the identity alone.

    Examples
    --------
    >>> from ccsim import all_functions, thresholds
    >>> len(class_symmetries(all_functions(3))), len(class_symmetries(thresholds(1)))
    (48, 2)
    """
    m, rows = len(concept_class.points), set(concept_class.rows)
    if m > _MOST or factorial(m) << m > _MOST:
        return (Move(tuple(range(m)), 0),)
    moves = (Move(p, flips) for p in permutations(range(m)) for flips in range(1 << m))
    return tuple(move for move in moves if {move.function(f) for f in rows} == rows)
