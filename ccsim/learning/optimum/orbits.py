"""Orbits of pairs of a sample and a hypothesis under the symmetries of a class."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations_with_replacement

from ccsim.budget import check_time
from ccsim.learning.learners.occam import labelled_examples
from ccsim.learning.optimum.subdivisions import Database
from ccsim.learning.optimum.symmetries import Move

__all__ = ["Orbits", "balance"]


def balance(S: Database) -> Database:
    """Return what is left of a sample when examples with opposite labels cancel each other.

    Examples
    --------
    >>> balance(((0, 0), (0, 1), (0, 1), (2, 0)))
    ((0, 1), (2, 0))
    """
    times = Counter(S)
    return tuple((x, y) for x, y in times for _ in range(times[x, y] - times[x, 1 - y]))


class Orbits:
    """Pairs of a multiset of so many labelled examples and a function, up to symmetry.

    Parameters
    ----------
    num_points, samples : int
    moves : sequence of Move
        A group.
    balanced : bool
        Whether samples with the same `balance` are taken for one.

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
