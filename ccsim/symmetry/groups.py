"""Permutation groups given by generators: orbits, and sets of rows up to symmetry."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from ctypes import c_int32, c_int64
from itertools import accumulate, pairwise, product
from math import factorial, prod
from typing import Any, TypeVar

import numpy as np

from ccsim.classes.masks import members
from ccsim.errors import InstanceTooLargeError
from ccsim.native import Library

H = TypeVar("H", bound=Hashable)
G = TypeVar("G")

Permutation = tuple[int, ...]  # the image of each number

Integers = np.ndarray[Any, np.dtype[Any]]
MAX_ROWS = 25
"""Maximum number of rows for listing sets up to symmetry. Beyond: bounds on the error."""
MAX_EXCHANGED_ROWS = 62
"""Maximum number of rows if rows of one kind are interchangeable. Beyond: bounds on the error."""
MAX_ORBITS = 1 << 18  # maximum number of orbits of sets of rows
MAX_PROFILES = 1 << 10  # maximum number of sums of row labels that distinguish sets
_MAX_ORDER = 1 << 14
_SLICE = 1 << 26  # images looked at before interrupts are: some hundredths of a second
_YES, _PAUSED = 1, 2
_TABLE = np.ctypeslib.ndpointer(np.int64, flags="C_CONTIGUOUS")
_LIBRARY = Library(
    "leading", {"sets": (c_int32, (_TABLE, c_int64, c_int64, c_int64, *[_TABLE] * 4))}
)


def orbits_of(items: Iterable[H], moves: Iterable[Iterable[tuple[H, H]]]) -> dict[H, H]:
    """Return, for each item, the first item of its orbit."""
    number = {item: i for i, item in enumerate(items)}
    ordered = list(number)
    parent = list(range(len(ordered)))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for move in moves:
        for item, image in move:
            a, b = root(number[item]), root(number[image])
            parent[max(a, b)] = min(a, b)
    return {item: ordered[root(i)] for i, item in enumerate(ordered)}


def orbit_numbers(count: int, moves: Iterable[Integers]) -> Integers:
    """Return the number of the orbit of each index, in the order of the first elements of orbits.

    A move lists the image of each index.
    """
    first = np.arange(count)
    for move in moves:
        while (unequal := first != (images := first[move])).any():
            ends = first[unequal], images[unequal]
            np.minimum.at(first, np.maximum(*ends), np.minimum(*ends))
            while (first[first] != first).any():
                first = first[first]
    numbers: Integers = np.unique(first, return_inverse=True)[1]
    return numbers.reshape(count)


def orbit(
    start: H, generators: Iterable[G], image: Callable[[H, G], H], limit: int | None = None
) -> list[H]:
    """Return the orbit of an item, starting with it; stop soon after ``limit`` images."""
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


def group_of(size: int, generators: Iterable[Permutation], most: int) -> list[Permutation]:
    """Return the elements of a group; generators that would give more than ``most`` are omitted."""
    kept: list[Permutation] = []
    elements = [tuple(range(size))]
    for generator in generators:
        grown = _extended(elements, [*kept, generator], most)
        if grown is not None:
            kept.append(generator)
            elements = grown
    return elements


def _extended(
    group: list[Permutation], generators: list[Permutation], most: int
) -> list[Permutation] | None:
    """Extend a group by the last generator (Dimino's algorithm); None if it is too large."""
    elements, seen, leaders = list(group), set(group), [group[0]]
    for leader in leaders:  # grows while it is read
        for generator in generators:
            image = _product(leader, generator)
            if image not in seen:
                if len(elements) + len(group) > most:
                    return None
                coset = [_product(element, image) for element in group]
                leaders.append(image)
                elements += coset
                seen.update(coset)
    return elements


def _product(first: Permutation, second: Permutation) -> Permutation:
    """Return the permutation that applies the second permutation, then the first."""
    return tuple(map(first.__getitem__, second))


class ClassOrbits:
    """Sets of rows up to a permutation group, with the number of rows of each kind.

    The kinds are the orbits of rows. The *profile* of a set is the number of its rows of each kind.
    Complexity: about ``2**rows`` steps; at most ``2**18`` orbits.
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
        self.leaders = leading_sets(self._moved, MAX_ORBITS)
        """One set of each orbit, as bit masks."""
        if not len(self.leaders):
            raise self._too_large()

    def _set_kinds(self, moves: Sequence[Permutation]) -> None:
        """Find the kinds of rows, which are the orbits of single rows."""
        kinds = orbits_of(range(self.rows), map(enumerate, moves))
        firsts = dict.fromkeys(kinds.values())
        self._kind = np.array([[kinds[x] == first for first in firsts] for x in kinds], int)
        self.shape = tuple(int(n) + 1 for n in self._kind.sum(axis=0))
        """For each kind, the number of rows plus 1."""
        if prod(self.shape) > MAX_PROFILES:
            raise self._too_large()

    def of_kinds(self) -> list[list[int]]:
        """Return the rows of each kind."""
        return [np.flatnonzero(column).tolist() for column in self._kind.T]

    def _are_exchanged(self, generators: Sequence[Permutation]) -> bool:
        """Whether generators exchange all consecutive rows of each kind, and the group is large."""
        if prod(factorial(n - 1) for n in self.shape) <= _MAX_ORDER:
            return False
        swaps = [{x: y, y: x} for rows in self.of_kinds() for x, y in pairwise(rows)]
        return {tuple(swap.get(x, x) for x in range(self.rows)) for swap in swaps} <= {*generators}

    def _last_rows(self) -> Integers:
        """Return the sets of the last rows of each kind, which are the largest of their orbits."""
        tops = (accumulate((1 << x for x in rows[::-1]), initial=0) for rows in self.of_kinds())
        return np.array([sum(sets) for sets in product(*tops)], dtype=np.int64)

    def _too_large(self) -> InstanceTooLargeError:
        return InstanceTooLargeError(
            f"{self.rows} rows have too many classes up to symmetry; the limits are {MAX_ROWS} "
            f"rows, {MAX_PROFILES} profiles and {MAX_ORBITS} orbits"
        )

    def counts(self, sets: Integers) -> Integers:
        """Return the number of rows of each kind in each set."""
        return np.asarray(members_of(sets, self.rows) @ self._kind)

    def images(self, chosen: int) -> Integers:
        """Return the orbit of a set."""
        return np.unique(np.bitwise_or.reduce(self._moved[list(members(chosen))], axis=0))

    def profiles(self, sets: Integers) -> Integers:
        """Return the index of each set's profile in a flat array; indices add up over rows."""
        strides = [prod(self.shape[i + 1 :]) for i in range(len(self.shape))]
        places: Integers = self._kind @ np.array(strides)
        return np.asarray(members_of(sets, self.rows) @ places)


def members_of(sets: Integers, rows: int) -> Integers:
    """Convert sets from bit masks to rows of 0 and 1."""
    return sets[:, None] >> np.arange(rows) & 1


def leading_sets(moved: Integers, most: int) -> Integers:
    """Return the sets with the largest bit mask of their orbits; none if more than ``most``.

    ``moved[x, g]`` is the bit of the image of row ``x`` under ``g``. Such a set without its lowest
    row has the same property, so all of these sets are found by adding rows in decreasing order.
    """
    if (library := _LIBRARY.found()) is None:
        return _listed(moved, most)
    table = np.ascontiguousarray(moved, np.int64)
    rows, order = table.shape
    found = np.zeros(most, np.int64)
    images, added = np.zeros((rows + 1, order), np.int64), np.zeros(rows + 1, np.int64)
    state, answer = np.array([1, 0, 0, rows - 1], np.int64), _PAUSED
    while answer == _PAUSED:
        answer = library.sets(table, order, most, _SLICE, state, images, added, found)
    return found[: state[0] if answer == _YES else 0]


def _listed(moved: Integers, most: int) -> Integers:
    found = [0]
    pending = [(0, np.zeros_like(moved[0]), len(moved) - 1)]  # sets, their images, rows to add
    while pending:
        members, images, x = pending.pop()
        if x < 0:
            continue
        pending.append((members, images, x - 1))
        grown, grown_images = members | 1 << x, images | moved[x]
        if grown_images.max() <= grown:
            if len(found) == most:
                return np.zeros(0, np.int64)
            found.append(grown)
            pending.append((grown, grown_images, x - 1))
    return np.array(found, np.int64)
