"""Refutations of mistake trees with one entry for each orbit of version spaces.

Main definition: `refute_by_orbits`.

Statement: a symmetry of the class maps the concepts that agree with a partial assignment onto those
that agree with its image, and complete mistake trees onto such trees. So what is proved about one
version space holds for its whole orbit.

Implementation notes: a version space is known by its *closure*, the set of literals ``2x + b``
("point x has label b") that all its concepts share. The image of a closure is the closure of the
image. Closures are compared by a sum of random 64-bit numbers, one for each literal, which is
computed for a whole orbit at once; a collision would give a wrong proof, which `check` refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.dimensions.mistake_trees.refutation import LittlestoneRefutation, RefutationEntry
from ccsim.dimensions.version_spaces.closing_in import SearchFailedError
from ccsim.symmetry.matrix import Symmetry
from ccsim.symmetry.tall import class_bits, packed_columns, shared_literals

__all__ = ["ORBIT_LENGTH", "Lacks", "refute_by_orbits"]

Ints = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]
Step = tuple[int, int, int, tuple[int, ...]]
"""Point, label, number of an entry one level below, and a word of generators."""
Lacks = Callable[[Words, int], bool]
"""Decides whether a set of concepts has no complete mistake tree of a depth."""

ORBIT_LENGTH = 4
"""Points in an orbit, on average, from which on orbits make a refutation smaller."""
_AT_ONCE = 1 << 12
"""Images that are moved by all generators at once."""
_MOST_IMAGES = 1 << 20
"""Images that are kept for the entries of one depth; later entries serve themselves only."""


class _Space(NamedTuple):
    """A version space that has an entry: its concepts, what they share, and what they are by."""

    concepts: Words
    closure: Ints
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

    Parameters
    ----------
    concept_class : ConceptClass
    symmetries : sequence of Symmetry
        Generators, as words refer to them.
    lacks : callable
        Asked about sides only.
    depth : int
        At least 2.
    budget : Budget

    Raises
    ------
    OutOfTimeError
        If the time is over.
    SearchFailedError
        If both sides of some point have trees.
    """
    columns = packed_columns(class_bits(concept_class))
    moves = np.array([_move(symmetry) for symmetry in symmetries])
    size = len(concept_class)
    everything = packed_columns(np.ones((size, 1), np.uint8))[0]
    constant = np.flatnonzero(shared_literals(columns, size).diagonal() == size)
    spaces = [_Space(everything, constant, ())] if size >= 1 << depth else []
    levels: list[list[tuple[_Space, list[Step]]]] = []
    while spaces:
        below = _Orbits(moves)
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
    keys = below.keys(closures)
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
            below.add(_Space(concepts, np.flatnonzero(closures[side]), path))
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


def _move(symmetry: Symmetry) -> list[int]:
    """Return the image of each literal."""
    return [
        2 * image + (b ^ (symmetry.flips >> x & 1))
        for x, image in enumerate(symmetry.columns)
        for b in (0, 1)
    ]


class _Orbits:
    """The version spaces of one depth that have an entry, with all their images.

    Attributes
    ----------
    spaces : list of _Space
        One for each orbit.
    """

    def __init__(self, moves: Ints) -> None:
        self.moves = moves
        self.values = np.random.default_rng(0).integers(0, 1 << 64, moves.shape[1], np.uint64)
        self.spaces: list[_Space] = []
        self.place: dict[int, int] = {}  # of the key of an image
        self.number: list[int] = []  # of the space, for each image
        self.before: list[tuple[int, int]] = []  # place and generator that give an image

    def keys(self, closures: npt.NDArray[np.bool_]) -> list[int]:
        """Return the sum of random numbers for each of several closures."""
        keys: list[int] = (closures * self.values).sum(axis=1).tolist()
        return keys

    def __contains__(self, key: int) -> bool:
        return key in self.place

    def find(self, key: int) -> tuple[int, tuple[int, ...]]:
        """Return the number of a space and the word that sends it to an image."""
        place = self.place[key]
        number, word = self.number[place], []
        while self.before[place][1] >= 0:
            place, generator = self.before[place]
            word.append(generator)
        return number, tuple(reversed(word))

    def add(self, space: _Space) -> None:
        """Enter a space with its orbit, which is walked breadth first: words are shortest."""
        number = len(self.spaces)
        self.spaces.append(space)
        wave = space.closure[np.newaxis]
        places = self._enter(self._sums(wave), number, [(-1, -1)])
        while len(wave) and len(self.place) < _MOST_IMAGES:
            images, fresh = [wave[:0]], []
            for start in range(0, len(wave), _AT_ONCE):
                some = wave[start : start + _AT_ONCE]
                moved = self.moves[:, some].reshape(-1, len(space.closure))
                sums, first = np.unique(self._sums(moved), return_index=True)
                new = [i for i, s in enumerate(sums.tolist()) if s not in self.place]
                images.append(moved[first[new]])
                origins = [
                    (places[start + i % len(some)], i // len(some)) for i in first[new].tolist()
                ]
                fresh += self._enter(sums[new], number, origins)
            wave, places = np.concatenate(images), fresh

    def _sums(self, wave: Ints) -> Words:
        sums: Words = self.values[wave].sum(axis=1)
        return sums

    def _enter(self, sums: Words, number: int, origins: list[tuple[int, int]]) -> list[int]:
        places = list(range(len(self.number), len(self.number) + len(origins)))
        self.place.update(zip(sums.tolist(), places, strict=True))
        self.number += [number] * len(origins)
        self.before += origins
        return places
