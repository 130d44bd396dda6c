"""Refutations of mistake trees with one entry for each orbit of version spaces.

Statement: a symmetry of the class maps the concepts that agree with a partial assignment onto those
that agree with its image, and complete mistake trees onto such trees. So what is proved about one
version space holds for its whole orbit.

Implementation notes: a version space is known by its *closure*, the set of literals ``2x + b``
("point x has label b") that all its concepts share. The image of a closure is the closure of
the image. A class with symmetries has at most 32 points, so that a closure is a number of 64 bits,
and its images under all elements of the group are found at once. Of a group with very many elements
some are left out: entries then serve fewer version spaces.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.dimensions.mistake_trees import LittlestoneRefutation, RefutationEntry
from ccsim.dimensions.version_spaces.search import SearchFailedError
from ccsim.symmetry.matrix import (
    Symmetry,
    class_bits,
    literal_moves,
    packed_columns,
    shared_literals,
)

Ints = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]
Step = tuple[int, int, int, tuple[int, ...]]
"""Point, label, number of an entry one level below, and a word of generators."""
Lacks = Callable[[Words, int], bool]
"""Decides whether a set of concepts has no complete mistake tree of a depth."""

ORBIT_LENGTH = 4
"""Points in an orbit, on average, from which on orbits make a refutation smaller."""
_MOST_ELEMENTS = 1 << 16
"""Elements of the group after which no more are looked for."""
_MOST_IMAGES = 1 << 20
"""Images that are kept for the entries of one depth; later entries serve themselves only."""


class _Space(NamedTuple):
    """A version space that has an entry: its concepts, what they share, and what they are by."""

    concepts: Words
    closure: int
    path: tuple[tuple[int, int], ...]


def refute_by_orbits(
    concept_class: ConceptClass,
    symmetries: Sequence[Symmetry],
    lacks: Lacks,
    depth: int,
    budget: Budget,
) -> LittlestoneRefutation:
    """Return the refutation of a depth that the class is known not to have.

    Built from the root downwards, depth by depth. Of the two sides of a point one with an entry
    already is preferred, then the one that leaves fewer points undecided.
    """
    columns = packed_columns(class_bits(concept_class))
    group = _Group(symmetries, len(concept_class.points), budget)
    size = len(concept_class)
    everything = packed_columns(np.ones((size, 1), np.uint8))[0]
    constant = shared_literals(columns, size).diagonal() == size
    closure = int(_closed(constant[None])[0])
    spaces = [_Space(everything, closure, ())] if size >= 1 << depth else []
    levels: list[list[tuple[_Space, list[Step]]]] = []
    while spaces:
        below = _Orbits(group)
        level = []
        for space in spaces:
            budget.spend()
            level.append((space, _steps(space, columns, lacks, depth, below)))
        levels.append(level)
        spaces, depth = below.spaces, depth - 1
    return _numbered(levels, symmetries, depth + len(levels))


def _steps(space: _Space, columns: Words, lacks: Lacks, depth: int, below: _Orbits) -> list[Step]:
    """Refute one side of each point that size leaves undecided, each by an image of a space."""
    ones = columns & space.concepts
    shared = shared_literals(ones, int(np.bitwise_count(space.concepts).sum()))
    sizes = shared.diagonal()
    closures = shared == sizes[:, None]
    keys = _closed(closures).tolist()
    enough = 1 << max(depth - 2, 0)
    undecided = np.minimum(shared, sizes[:, None] - shared)[:, 0::2] >= enough
    rests = undecided.sum(axis=1)
    steps: list[Step] = []
    for x in np.flatnonzero(np.minimum(sizes[0::2], sizes[1::2]) >= 1 << (depth - 1)).tolist():
        sides = sorted((2 * x, 2 * x + 1), key=rests.__getitem__)
        side = next((i for i in sides if keys[i] in below), None)
        if side is None:
            for side in sides:
                concepts = ones[x] if side % 2 else space.concepts & ~columns[x]
                if rests[side] == 0 or lacks(concepts, depth - 1):
                    break
            else:
                raise SearchFailedError
            path = (*space.path, (x, side % 2))
            below.add(_Space(concepts, keys[side], path))
        steps.append((x, side % 2, *below.find(keys[side])))
    return steps


def _numbered(
    levels: list[list[tuple[_Space, list[Step]]]], symmetries: Sequence[Symmetry], depth: int
) -> LittlestoneRefutation:
    """List the entries, the deepest ones first, with the symmetries that some word names."""
    used = sorted({g for level in levels for _, steps in level for step in steps for g in step[3]})
    letter = {g: i for i, g in enumerate(used)}
    entries: list[RefutationEntry] = []
    start = 0  # number of the first entry of the level below
    for height, level in enumerate(reversed(levels), depth - len(levels) + 1):
        first = len(entries)
        for space, steps in level:
            renamed = tuple(
                (x, b, start + e, tuple(letter[g] for g in word)) for x, b, e, word in steps
            )
            entries.append(RefutationEntry(space.path, height, renamed))
        start = first
    return LittlestoneRefutation(tuple(entries), tuple(symmetries[g] for g in used))


class _Orbits:
    """The version spaces of one depth that have an entry, with all their images."""

    def __init__(self, group: _Group) -> None:
        self.group = group
        self.spaces: list[_Space] = []
        self.place: dict[int, tuple[int, int]] = {}  # of an image: the space, and how it is made

    def __contains__(self, closure: int) -> bool:
        return closure in self.place

    def find(self, closure: int) -> tuple[int, tuple[int, ...]]:
        """Return the number of a space and the word that sends it to an image."""
        number, element = self.place[closure]
        return number, self.group.word(element)

    def add(self, space: _Space) -> None:
        """Enter a space with its orbit; of the elements that give an image the first one counts."""
        number = len(self.spaces)
        self.spaces.append(space)
        images, elements = np.unique(self.group.images(space.closure), return_index=True)
        if len(self.place) > _MOST_IMAGES:
            images, elements = np.array([space.closure], np.uint64), np.zeros(1, np.int64)
        pairs = zip([number] * len(images), elements.tolist(), strict=True)
        self.place.update(zip(images.tolist(), pairs, strict=True))


class _Group:
    """The elements that generators give, or many of them, the ones with short words first."""

    def __init__(self, symmetries: Sequence[Symmetry], num_points: int, budget: Budget) -> None:
        generators = np.array([*map(literal_moves, symmetries)], np.int64)
        values = np.random.default_rng(0).integers(0, 1 << 64, (2 * num_points,) * 2, np.uint64)
        wave = np.arange(2 * num_points)[np.newaxis]
        found, known = [wave], self._keys(values, wave)
        self.before, self.by = [-1], [-1]
        start = 0
        while len(wave) and len(self.by) < _MOST_ELEMENTS:
            budget.spend()
            moved = generators[:, wave].reshape(-1, 2 * num_points)
            keys, first = np.unique(self._keys(values, moved), return_index=True)
            first = np.sort(first[~np.isin(keys, known)])
            self.before += (start + first % len(wave)).tolist()
            self.by += (first // len(wave)).tolist()
            start += len(wave)
            wave = moved[first]
            found.append(wave)
            known = np.concatenate((known, keys))
        self.bits = np.uint64(1) << np.concatenate(found).astype(np.uint64)

    @staticmethod
    def _keys(values: Words, moves: Ints) -> Words:
        """Return numbers by which permutations of literals are told apart; a chance one is lost."""
        keys: Words = values[np.arange(moves.shape[1]), moves].sum(axis=1)
        return keys

    def images(self, closure: int) -> Words:
        """Return the image of a closure under each element."""
        members = [i for i in range(self.bits.shape[1]) if closure >> i & 1]
        images: Words = self.bits[:, members].sum(axis=1, dtype=np.uint64)
        return images

    def word(self, element: int) -> tuple[int, ...]:
        """Return the generators that give an element, one after the other."""
        word = []
        while element:
            word.append(self.by[element])
            element = self.before[element]
        return tuple(reversed(word))


def _closed(shared: npt.NDArray[np.bool_]) -> Words:
    """Return rows of truth values, one for each literal, as numbers."""
    weights = np.uint64(1) << np.arange(shared.shape[1], dtype=np.uint64)
    numbers: Words = (shared * weights).sum(axis=1, dtype=np.uint64)
    return numbers
