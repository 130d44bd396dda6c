"""Searches for trees of the largest mean depth, and what proves it.

Conventions: mean depths of a class over n points are counted in parts of ``2**-n``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

import numpy as np

from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.classes.concept_class import columns
from ccsim.dimensions.mistake_trees.mean_depth import (
    Asked,
    Bounded,
    Image,
    MeanDepthPotentials,
    MeanDepthTree,
)
from ccsim.dimensions.version_spaces.splits import Space, literal_moves
from ccsim.symmetry.matrix import Symmetry

E = TypeVar("E", Asked, Bounded)


def longest(size: int, num_points: int) -> int:
    """Return the largest mean depth of a tree with so many leaves, the even tree's."""
    k = size.bit_length() - 1
    return (k - 1 << num_points) + (size << num_points >> k)


def even_tree(concept_class: ConceptClass, budget: Budget) -> MeanDepthTree | None:
    """Return a tree that reaches the bound by size, if asking the most even point gives one."""
    split_by = columns(concept_class)
    entries: list[Asked] = []
    place: dict[int, int | None] = {}
    everything = (1 << len(concept_class)) - 1
    stack: list[tuple[int, tuple[int, ...], int]] = [(everything, (), -1)]
    while stack:
        space, literals, asked = stack.pop()
        size = space.bit_count()
        if asked >= 0:
            ones = space & split_by[asked]
            place[space] = len(entries)
            entries.append((literals, asked, place[space ^ ones], place[ones]))
        elif size == 1:
            place[space] = None
        elif space not in place:
            budget.spend()
            counts = [(space & column).bit_count() for column in split_by]
            x = min(range(len(counts)), key=lambda x: abs(2 * counts[x] - size))
            fewer, more = sorted((counts[x], size - counts[x]))
            half = 1 << size.bit_length() - 2
            if fewer < half or more > 2 * half:
                return None
            ones = space & split_by[x]
            stack.append((space, literals, x))
            stack.append((space ^ ones, (*literals, 2 * x), -1))
            stack.append((ones, (*literals, 2 * x + 1), -1))
    return MeanDepthTree(tuple(entries))


def prove_means(
    concept_class: ConceptClass,
    spaces: Sequence[Space],
    symmetries: Sequence[Symmetry],
    means: Sequence[int],
    budget: Budget,
) -> tuple[MeanDepthTree, MeanDepthPotentials]:
    """Return proofs of the mean depth of a class of at least two concepts.

    Complexity: version spaces times points times concepts / 64; with symmetries the order of the
    group for each of them as well.
    """
    below = _Table[Asked](concept_class, spaces, symmetries, budget)
    wanted = {0}
    for i in sorted(range(len(spaces)), key=lambda i: -spaces[i].size):
        if i in wanted:
            wanted |= {side for side in _best(spaces[i], means)[1:] if side >= 0}
    for i in sorted(wanted, key=lambda i: spaces[i].size):
        x, *sides = _best(spaces[i], means)
        zero, one = (below.side(i, 2 * x + b, side) for b, side in enumerate(sides))
        below.put(i, (spaces[i].literals, x, zero, one))
    above = _Table[Bounded](concept_class, spaces, symmetries, budget)
    turns: dict[int, list[tuple[int, int]]] = {}
    wanted = {0}
    for i in sorted(range(len(spaces)), key=lambda i: -spaces[i].size):
        if i in wanted:
            turns[i] = _turns(spaces, means, i, len(concept_class.points))
            wanted |= {side for _, side in turns[i]}
    for i in sorted(wanted, key=lambda i: spaces[i].size):
        numbers = [above.side(i, literal, side) for literal, side in turns[i]]
        kept = tuple(number for number in numbers if number is not None)
        above.put(i, (spaces[i].literals, tuple(literal for literal, _ in turns[i]), kept))
    kept_symmetries = tuple(symmetries)
    return (
        MeanDepthTree(tuple(below.entries), kept_symmetries),
        MeanDepthPotentials(tuple(above.entries), kept_symmetries),
    )


def _best(space: Space, means: Sequence[int]) -> tuple[int, int, int]:
    """Return a split of the largest mean; number -1, a single concept, is the last of the means."""
    return max(space.splits, key=lambda split: (means[split[1]] + means[split[2]], -split[0]))


def _turns(
    spaces: Sequence[Space], means: Sequence[int], i: int, num_points: int
) -> list[tuple[int, int]]:
    """Return the sides, with their numbers, whose sizes are too weak a bound on them."""
    most = 2 * (means[i] - (1 << num_points))
    found = []
    for x, *sides in spaces[i].splits:
        by_size = [longest(spaces[side].size, num_points) if side >= 0 else 0 for side in sides]
        labels = sorted((0, 1), key=lambda b: means[sides[b]] - by_size[b])
        for b in labels:
            if sum(by_size) <= most:
                break
            by_size[b] = means[sides[b]]
            found.append((2 * x + b, sides[b]))
    return found


class _Table(Generic[E]):
    """Entries that rest on earlier ones, and images of them under products of symmetries."""

    def __init__(
        self,
        C: ConceptClass,
        spaces: Sequence[Space],
        symmetries: Sequence[Symmetry],
        budget: Budget,
    ) -> None:
        self.entries: list[E | Image] = []
        self.spaces, self.budget = spaces, budget
        everything = (1 << len(C)) - 1
        self.lacking = [side for c in columns(C) for side in (c, everything ^ c)]
        self.everything = everything
        moves = [literal_moves(symmetry) for symmetry in symmetries]
        group, words = [tuple(range(len(self.lacking)))], [(0, -1)]
        number = {group[0]: 0}
        for i, element in enumerate(group):  # grows while it is read
            for letter, move in enumerate(moves):
                image = tuple(move[literal] for literal in element)
                if image not in number:
                    number[image] = len(group)
                    group.append(image)
                    words.append((i, letter))
        self.words = words
        self.bits = np.uint64(1) << np.array(group, np.uint64) if symmetries else None
        self.place: dict[tuple[int, int], int] = {}  # of a version space and a closure
        self.closures: dict[int, tuple[list[int], dict[int, int]]] = {}

    def put(self, i: int, entry: E) -> None:
        """Add the entry of a version space."""
        self.budget.spend()
        self.place[i, self.images(i)[0][0]] = len(self.entries)
        self.entries.append(entry)

    def images(self, i: int) -> tuple[list[int], dict[int, int]]:
        """Return the closures of the images of a version space, and which product gives each."""
        if self.bits is None:
            return [0], {}
        if i not in self.closures:
            told = list(self.spaces[i].literals)
            found = self.bits[:, told].sum(axis=1, dtype=np.uint64).tolist()
            first: dict[int, int] = {}
            for g, key in enumerate(found):
                first.setdefault(key, g)
            self.closures[i] = found, first
        return self.closures[i]

    def side(self, i: int, literal: int, number: int) -> int | None:
        """Return the place of a side of a version space, which is an image of another one."""
        if number < 0:
            return None
        if self.bits is None:
            return self.place[number, 0]
        space = self.everything
        for told in (*self.spaces[i].literals, literal):
            space &= ~self.lacking[told]
        closure = sum(1 << k for k, lack in enumerate(self.lacking) if not space & lack)
        return self.image(number, closure)

    def image(self, number: int, closure: int) -> int:
        """Return the place of an image; those on the way to it are added first."""
        if (number, closure) not in self.place:
            found, first = self.images(number)
            before, letter = self.words[first[closure]]
            earlier = self.image(number, found[before])
            self.place[number, closure] = len(self.entries)
            self.entries.append((earlier, letter))
        return self.place[number, closure]
