"""Symmetries of a tiny class, and what they do to samples and hypotheses.

A permutation of the points followed by flips (exchanges of the labels 0 and 1 on some points) is a
symmetry if it moves the class to itself. It moves private learners to private learners that fail as
much on the moved targets, so that the average over all symmetries is as good as the best learner.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations_with_replacement, permutations
from math import factorial

from ccsim.budget import check_time
from ccsim.classes import ConceptClass
from ccsim.data import frozen
from ccsim.learning.learners.occam import labelled_examples
from ccsim.learning.optimum.subdivisions import Database, Distribution

_MOST = 1 << 10
"""Most permutations with flips that are looked at; a class on more points counts as rigid."""


@frozen
class Move:
    """A permutation of the points followed by flips."""

    places: tuple[int, ...]  # point ``x`` moves to ``places[x]``
    flips: int  # points (bit mask, after the permutation) whose labels are exchanged

    def function(self, h: int) -> int:
        """Return the image of a function."""
        return sum((h >> x & 1) << y for x, y in enumerate(self.places)) ^ self.flips

    def sample(self, S: Database) -> Database:
        """Return the image of a multiset of labelled examples."""
        moved = ((self.places[x], label ^ (self.flips >> self.places[x] & 1)) for x, label in S)
        return tuple(sorted(moved))

    def distribution(self, D: Distribution) -> Distribution:
        """Return the image of a distribution over the points."""
        return tuple(D[self.places.index(y)] for y in range(len(D)))


def class_symmetries(concept_class: ConceptClass) -> tuple[Move, ...]:
    """Return the symmetries of a class on at most 4 points, else the identity alone."""
    m, rows = len(concept_class.points), set(concept_class.rows)
    if m > _MOST or factorial(m) << m > _MOST:
        return (Move(tuple(range(m)), 0),)
    moves = (Move(p, flips) for p in permutations(range(m)) for flips in range(1 << m))
    return tuple(move for move in moves if {move.function(f) for f in rows} == rows)


def balance(S: Database) -> Database:
    """Return what is left of a sample when examples with opposite labels cancel each other."""
    times = Counter(S)
    return tuple((x, y) for x, y in times for _ in range(times[x, y] - times[x, 1 - y]))


class Orbits:
    """Pairs of a multiset of so many labelled examples and a function, up to symmetry."""

    def __init__(
        self, num_points: int, samples: int, moves: Sequence[Move], *, balanced: bool = False
    ) -> None:
        functions = range(1 << num_points)
        self.samples: list[Database] = list(
            combinations_with_replacement(labelled_examples(num_points), samples)
        )
        images = [[move.function(h) for h in functions] for move in moves]
        seen: dict[tuple[Database, int], int] = {}
        self.number = dict[tuple[Database, int], int]() if balanced else seen
        self.firsts: list[tuple[Database, int]] = []
        self.leaders: list[Database] = []
        for S in self.samples:
            check_time()
            core = balance(S) if balanced else S
            if (core, 0) not in seen:
                self.leaders.append(S)
                moved = [move.sample(core) for move in moves]
                for h in functions:
                    if (core, h) not in seen:
                        for T, image in zip(moved, images, strict=True):
                            seen[T, image[h]] = len(self.firsts)
                        self.firsts.append((S, h))
            if balanced:
                self.number.update(((S, h), seen[core, h]) for h in functions)

    def law(self, S: Database) -> list[int]:
        """Return the orbits of a sample with each of the functions."""
        size = len(self.number) // len(self.samples)
        return [self.number[S, h] for h in range(size)]
