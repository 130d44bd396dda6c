"""Orbits of pairs of a sample and a hypothesis under the symmetries of a class."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement

from ccsim.learning.learners.occam import labelled_examples
from ccsim.learning.optimum.subdivisions import Database
from ccsim.learning.optimum.symmetries import Move

__all__ = ["Orbits"]


class Orbits:
    """Pairs of a multiset of so many labelled examples and a function, up to symmetry.

    Parameters
    ----------
    num_points, samples : int
    moves : sequence of Move
        A group.

    Attributes
    ----------
    samples : list of tuple
        All multisets, in lexicographic order.
    firsts : list of (tuple, int)
        The first pair of each orbit.
    number : dict
        The number of the orbit of each pair.
    leaders : list of tuple
        The first multiset of each orbit of multisets.

    Examples
    --------
    >>> from ccsim import all_functions
    >>> from ccsim.learning.optimum.symmetries import class_symmetries
    >>> orbits = Orbits(3, 2, class_symmetries(all_functions(3)))
    >>> len(orbits.number), len(orbits.firsts), len(orbits.leaders)
    (168, 6, 3)
    """

    def __init__(self, num_points: int, samples: int, moves: Sequence[Move]) -> None:
        functions = range(1 << num_points)
        self.samples: list[Database] = list(
            combinations_with_replacement(labelled_examples(num_points), samples)
        )
        images = [[move.function(h) for h in functions] for move in moves]
        self.number: dict[tuple[Database, int], int] = {}
        self.firsts: list[tuple[Database, int]] = []
        self.leaders: list[Database] = []
        for S in self.samples:
            if (S, 0) not in self.number:
                self.leaders.append(S)
                moved = [move.sample(S) for move in moves]
                for h in functions:
                    if (S, h) not in self.number:
                        for T, image in zip(moved, images, strict=True):
                            self.number[T, image[h]] = len(self.firsts)
                        self.firsts.append((S, h))

    def law(self, S: Database) -> list[int]:
        """Return the orbits of a sample with each of the functions."""
        size = len(self.number) // len(self.samples)
        return [self.number[S, h] for h in range(size)]
