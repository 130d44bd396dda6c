"""Orbits, and classes of Alice's inputs up to symmetry: one set of rows of each orbit.

A class costs as much as its images under permutations of the rows that weights do not notice. Of 25
rows there are 33 million sets; under the 2000 symmetries of the lines over Z_5 they are 17844.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import pairwise, product
from math import factorial, prod
from typing import Any, TypeVar

import numpy as np

from ccsim.classes.masks import members
from ccsim.errors import InstanceTooLargeError
from ccsim.symmetry.groups import Permutation, group_of, orbits_of

MAX_ROWS = 25
"""Most rows whose sets are counted up to symmetry. Beyond: bounds on the error."""
MAX_EXCHANGED_ROWS = 62
"""Most rows whose sets are counted where any two rows of a kind may be exchanged. Beyond: bounds on
the error."""
MAX_ORBITS = 1 << 18
"""Most orbits of sets of rows that are kept."""
MAX_PROFILES = 1 << 10
"""Most sums of the labels of rows that tell sets apart."""
_MAX_ORDER = 1 << 14

Integers = np.ndarray[Any, np.dtype[Any]]
G = TypeVar("G")
H = TypeVar("H", bound=Hashable)


class ClassOrbits:
    """Sets of rows up to a group of permutations, and how many rows of each kind they have.

    Rows of one orbit are of one kind. The *profile* of a set counts its rows of each kind.

    Complexity: some ``2**rows`` steps in all, whatever the group; ``2**18`` orbits.
    """

    def __init__(self, rows: int, generators: Iterable[Permutation]) -> None:
        self.rows = rows
        if rows > MAX_EXCHANGED_ROWS:
            raise self._too_large()
        generators = list(generators)
        self._set_kinds(generators)
        self.exchanged = self._are_exchanged(generators)
        if self.exchanged:
            self.group = generators
            self.leaders = self._last_rows()
            return
        if rows > MAX_ROWS:
            raise self._too_large()
        self.group = group_of(rows, generators, _MAX_ORDER)
        self._set_kinds(self.group)
        if (1 << rows) // len(self.group) > MAX_ORBITS:
            raise self._too_large()
        self._moved = 1 << np.array(self.group, dtype=np.int64).T
        from ccsim.symmetry.leading_sets import leading_sets

        self.leaders = leading_sets(self._moved, MAX_ORBITS)
        """One set of each orbit, as bit masks."""
        if not len(self.leaders):
            raise self._too_large()

    def _set_kinds(self, moves: Sequence[Permutation]) -> None:
        """Tell the kinds of rows, which are the orbits of single rows."""
        kinds = orbits_of(range(self.rows), map(enumerate, moves))
        firsts = dict.fromkeys(kinds.values())
        self._kind = np.array([[kinds[x] == first for first in firsts] for x in kinds], int)
        self.shape = tuple(int(n) + 1 for n in self._kind.sum(axis=0))
        """One more than the number of rows of each kind."""
        if prod(self.shape) > MAX_PROFILES:
            raise self._too_large()

    def of_kinds(self) -> list[list[int]]:
        """Return the rows of each kind."""
        return [np.flatnonzero(column).tolist() for column in self._kind.T]

    def _are_exchanged(self, generators: Sequence[Permutation]) -> bool:
        """Whether generators exchange any two neighbours of a kind, and the group is not listed."""
        if prod(factorial(n - 1) for n in self.shape) <= _MAX_ORDER:
            return False
        known = set(generators)
        for rows in self.of_kinds():
            for x, y in pairwise(rows):
                swap = list(range(self.rows))
                swap[x], swap[y] = y, x
                if tuple(swap) not in known:
                    return False
        return True

    def _last_rows(self) -> Integers:
        """Return the sets of last rows of each kind: of every orbit the largest set."""
        tops = [
            [sum(1 << x for x in rows[i:]) for i in range(len(rows), -1, -1)]
            for rows in self.of_kinds()
        ]
        return np.array([sum(sets) for sets in product(*tops)], dtype=np.int64)

    def _too_large(self) -> InstanceTooLargeError:
        msg = (
            f"classes up to symmetry are for {MAX_ROWS} rows, {MAX_PROFILES} profiles, and "
            f"{MAX_ORBITS} orbits at most; there are more of {self.rows} rows"
        )
        return InstanceTooLargeError(msg)

    def counts(self, sets: Integers) -> Integers:
        """Return how many rows of each kind each set has."""
        return np.asarray(members_of(sets, self.rows) @ self._kind)

    def images(self, chosen: int) -> Integers:
        """Return the sets of the orbit of a set."""
        return np.unique(np.bitwise_or.reduce(self._moved[list(members(chosen))], axis=0))

    def profiles(self, sets: Integers) -> Integers:
        """Return the place of each set's profile in a flat array of all profiles.

        It is the sum of the places of the single rows.
        """
        strides = [prod(self.shape[i + 1 :]) for i in range(len(self.shape))]
        places: Integers = self._kind @ np.array(strides)
        return np.asarray(members_of(sets, self.rows) @ places)


def members_of(sets: Integers, rows: int) -> Integers:
    """Return the sets, given as bit masks, as rows of 0 and 1."""
    return sets[:, None] >> np.arange(rows) & 1


def orbit(
    start: H, generators: Iterable[G], image: Callable[[H, G], H], limit: int | None = None
) -> list[H]:
    """Return the images of an item under the group that generators generate, itself the first.

    The list ends soon after ``limit`` images; then it is not closed.
    """
    moves = list(generators)
    found = {start}
    queue = [start]
    for each in queue:  # grows while it is read
        if limit is not None and len(found) > limit:
            break
        for move in moves:
            moved = image(each, move)
            if moved not in found:
                found.add(moved)
                queue.append(moved)
    return queue
