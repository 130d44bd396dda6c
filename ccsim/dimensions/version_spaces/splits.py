"""All version spaces of a class, or one of each orbit, with the ways in which points split them.

Statement: a symmetry of the class maps the concepts that fit some answers onto those that fit the
images of the answers, and trees onto trees. So what is asked of one version space is answered for
its whole orbit.

Implementation notes: with few points a version space is known by its *closure*, the literals
``2x + b`` ("point x has label b") that all its concepts share, in a word of 64 bits. The least
image of a closure under all symmetries stands for its orbit, so that no two orbits are mixed up.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.classes.concept_class import columns
from ccsim.errors import InstanceTooLargeError
from ccsim.symmetry.groups import group_of
from ccsim.symmetry.matrix import Symmetry, class_bits, symmetries_of_class

Keys = npt.NDArray[np.uint64]
Bits = npt.NDArray[np.bool_]

MAX_SPACES = 1 << 18
"""Most version spaces, or orbits of them, that are listed."""
MAX_ORDER = 1 << 13
"""Largest order of a group that is used."""
_FEW_CONCEPTS = 24
"""Concepts for which symmetries are not worth looking for."""
_MOST_LITERALS = 64
_AT_ONCE = 1 << 10
"""Version spaces whose sides are found at once."""


class Space(NamedTuple):
    """A version space of at least two concepts."""

    size: int  # number of its concepts
    # points that split it: the point, and the numbers of the version spaces with label 0 and 1 in
    # the list, or of their orbits, -1 for a single concept
    splits: tuple[tuple[int, int, int], ...]
    literals: tuple[int, ...]  # answers ``2x + b`` that leave exactly its concepts


def split_spaces(concept_class: ConceptClass, budget: Budget) -> list[Space]:
    """Return the version spaces of at least two concepts, one of each orbit; the class is first."""
    if len(concept_class) < 2:
        return []
    if symmetries := useful_symmetries(concept_class, budget):
        moves = group_of(
            2 * len(concept_class.points), [*map(literal_moves, symmetries)], MAX_ORDER
        )
        return _Orbits(concept_class, moves, budget).spaces()
    return _all_spaces(concept_class, budget)


def useful_symmetries(concept_class: ConceptClass, budget: Budget) -> list[Symmetry]:
    """Return generators of the group whose orbits are listed, none where nothing is gained."""
    literals = 2 * len(concept_class.points)
    if len(concept_class) < _FEW_CONCEPTS or literals > _MOST_LITERALS:
        return []
    found: list[Symmetry] = []
    order = 1
    for symmetry in symmetries_of_class(concept_class, budget):
        more = [literal_moves(each) for each in (*found, symmetry)]
        grown = len(group_of(literals, more, MAX_ORDER))
        if grown > order:
            found.append(symmetry)
            order = grown
    return found


def literal_moves(symmetry: Symmetry) -> tuple[int, ...]:
    """Return where a symmetry takes each literal."""
    return tuple(
        2 * image + (b ^ (symmetry.flips >> x & 1))
        for x, image in enumerate(symmetry.columns)
        for b in (0, 1)
    )


def _all_spaces(C: ConceptClass, budget: Budget) -> list[Space]:
    """List every version space, as a set of concepts."""
    split_by = columns(C)
    everything = (1 << len(C)) - 1
    number, queue, spaces = {everything: 0}, [everything], list[Space]()
    answers: list[tuple[int, ...]] = [()]
    for i, space in enumerate(queue):
        budget.spend()
        splits = []
        for x, column in enumerate(split_by):
            one = space & column
            if not one or one == space:
                continue
            sides = []
            for b, side in enumerate((space ^ one, one)):
                if not side & (side - 1):
                    sides.append(-1)
                    continue
                if side not in number:
                    number[side] = _fits(len(queue), C)
                    queue.append(side)
                    answers.append((*answers[i], 2 * x + b))
                sides.append(number[side])
            splits.append((x, sides[0], sides[1]))
        spaces.append(Space(space.bit_count(), tuple(splits), answers[i]))
    return spaces


def _fits(number: int, C: ConceptClass) -> int:
    if number >= MAX_SPACES:
        raise InstanceTooLargeError(f"{C} has more than {MAX_SPACES} version spaces")
    return number


class _Orbits:
    """One version space of each orbit, level by level."""

    def __init__(self, C: ConceptClass, moves: list[tuple[int, ...]], budget: Budget) -> None:
        bits = class_bits(C).astype(np.float32)
        self.has = np.stack([1 - bits, bits], axis=2).reshape(len(C), -1)
        self.both = (self.has[:, :, None] * self.has[:, None, :]).reshape(len(C), -1)
        self.images, self.budget, self.concept_class = _images(moves), budget, C

    def spaces(self) -> list[Space]:
        """List the orbits, and the sides of one version space of each."""
        shared = self.has.sum(axis=0) == len(self.concept_class)
        root = self.least_images(_keys(shared[None]))
        number, wave, spaces = {int(root[0]): 0}, root, list[Space]()
        while len(wave):
            listed = [self.sides(wave[i : i + _AT_ONCE]) for i in range(0, len(wave), _AT_ONCE)]
            sizes, closures = (np.concatenate(part) for part in zip(*listed, strict=True))
            wanted = sizes >= 2
            wanted &= wanted[:, :, ::-1] | (sizes[:, :, ::-1] == 1)
            found, place = np.unique(closures[wanted], return_inverse=True)
            images = np.zeros_like(closures)
            images[wanted] = self.least_images(found)[place]
            fresh = []
            told = [_literals(int(key)) for key in wave]
            listed_sides = zip(sizes.tolist(), images.tolist(), told, strict=True)
            for counts, keys, literals in listed_sides:
                splits = []
                for x, (count, key) in enumerate(zip(counts, keys, strict=True)):
                    if min(count) == 0:
                        continue
                    sides = [-1, -1]
                    for b in (0, 1):
                        if count[b] > 1:
                            if key[b] not in number:
                                number[key[b]] = _fits(len(number), self.concept_class)
                                fresh.append(key[b])
                            sides[b] = number[key[b]]
                    splits.append((x, sides[0], sides[1]))
                spaces.append(Space(sum(counts[0]), tuple(splits), literals))
            wave = np.array(fresh, np.uint64)
        return spaces

    def sides(self, keys: Keys) -> tuple[npt.NDArray[np.int64], Keys]:
        """Return the size and the closure of both sides of each point, for several closures."""
        self.budget.spend()
        literals = self.has.shape[1]
        told = (keys[:, None] >> np.arange(literals, dtype=np.uint64) & np.uint64(1)) == 1
        inside = (told.astype(np.float32) @ (1 - self.has).T == 0).astype(np.float32)
        pairs = (inside @ self.both).reshape(len(keys), literals, literals)
        sizes = np.einsum("kii->ki", pairs)
        closures = _keys((pairs == sizes[:, :, None]).reshape(-1, literals))
        shape = (len(keys), literals // 2, 2)
        return sizes.astype(np.int64).reshape(shape), closures.reshape(shape)

    def least_images(self, keys: Keys) -> Keys:
        """Return the least image of each closure under all symmetries."""
        least = keys.copy()
        places = [(keys >> np.uint64(8 * p) & np.uint64(255)).astype(np.int64) for p in range(8)]
        for tables in self.images:
            self.budget.spend()
            image = np.zeros_like(keys)
            for table, place in zip(tables, places, strict=False):
                image |= table[place]
            np.minimum(least, image, out=least)
        return least


def _literals(key: int) -> tuple[int, ...]:
    return tuple(i for i in range(key.bit_length()) if key >> i & 1)


def _images(moves: list[tuple[int, ...]]) -> Keys:
    """Tabulate for each symmetry the images of all sets of eight consecutive literals."""
    bits = np.uint64(1) << np.array(moves, np.uint64)
    padded = np.zeros((len(bits), (bits.shape[1] + 7) // 8 * 8), np.uint64)
    padded[:, : bits.shape[1]] = bits
    eights = padded.reshape(len(bits), -1, 8)
    tables = np.zeros((*eights.shape[:2], 1), np.uint64)
    for i in range(8):
        tables = np.concatenate([tables, tables | eights[:, :, i : i + 1]], axis=2)
    return tables


def _keys(closures: Bits) -> Keys:
    """Pack rows of bits into words."""
    packed = np.packbits(closures, axis=1, bitorder="little")
    words = np.zeros((len(closures), 8), np.uint8)
    words[:, : packed.shape[1]] = packed
    return words.view(np.uint64).reshape(-1)
