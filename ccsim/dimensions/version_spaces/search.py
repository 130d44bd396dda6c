"""The search for mistake trees on version spaces as Python integers, and its proofs.

A version space is the mask of its concepts; bounds on its depth are stored. Up to symmetry, it is
identified by its *closure*: the literals ``2x + b`` ("point x has label b") with which all its
concepts agree, as a word of 64 bits. A refutation up to symmetry has one entry for each orbit.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from ccsim.budget import Budget, OutOfWorkError
from ccsim.classes import ConceptClass
from ccsim.classes.concept_class import columns
from ccsim.classes.masks import essential_points, members
from ccsim.dimensions.mistake_trees import (
    LittlestoneRefutation,
    MistakeTree,
    Node,
    RefutationEntry,
)
from ccsim.symmetry.matrix import (
    Symmetry,
    class_bits,
    literal_moves,
    orbits_of_points,
    packed_columns,
    shared_literals,
    symmetries_of_class,
)

_SMALL = 1 << 13  # concepts times points up to which no symmetries are looked for
ORBIT_LENGTH = 4
"""Minimum average number of points in an orbit for which orbits make refutations smaller."""
MOST_ELEMENTS = 1 << 16
"""Maximum number of elements of the group that are computed."""
MOST_IMAGES = 1 << 20
"""Maximum number of stored images at one depth; later entries have no images."""
Assignment = tuple[tuple[int, int], ...]
Step = tuple[int, int, int]  # a point, a label, and the version space on that side
Level = dict[int, Assignment]
"""Version spaces that need an entry at one depth, each with an assignment that defines it."""
Ints = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]
OrbitStep = tuple[int, int, int, tuple[int, ...]]
"""A point, a label, the number of an entry one level below, and a word of generators."""
Lacks = Callable[[Words, int], bool]
"""A function that decides whether a set of concepts has no complete mistake tree of a depth."""


Column_contra = TypeVar("Column_contra", contravariant=True)


class SearchFailedError(Exception):
    """Raised if a search contradicts itself, since two version spaces share a hash."""


class Search(Protocol):
    """A method that decides whether a class has mistake trees of given depths, with proofs."""

    first_work: int  # what the first attempt at a question may cost; about a hundredth of a second

    def decide(self, depth: int, budget: Budget) -> bool:
        """Decide whether the class has a complete mistake tree of the given depth."""

    def tree(self, depth: int, budget: Budget) -> MistakeTree:
        """Return a complete mistake tree of the given depth, which is known to exist."""

    def refutation(self, depth: int, budget: Budget) -> LittlestoneRefutation:
        """Return a refutation of the given depth, which is known to be impossible."""


def close_in(search: Search, bounds: tuple[int, int], budget: Budget) -> tuple[int, int]:
    """Return bounds that the search can prove, which coincide unless it was stopped.

    The smallest and the largest open depth are tried in turn, with increasing work.
    """
    lower, upper = bounds
    work = search.first_work
    with budget:
        while lower < upper:
            budget.spend()
            for depth in (lower + 1, upper):
                try:
                    answer = search.decide(depth, budget.share(work=work))
                except OutOfWorkError:
                    continue
                lower, upper = (depth, upper) if answer else (lower, depth - 1)
                budget.report(lower, upper)
                break
            else:
                work *= 2
    return lower, upper


class Certifier(ABC):
    """Mistake trees and refutations of a class, from known bounds on its version spaces."""

    first_work = 1 << 14

    def __init__(self, concept_class: ConceptClass, budget: Budget | None = None) -> None:
        ones = columns(concept_class)
        self.concept_class = concept_class
        self.everything = (1 << len(concept_class)) - 1
        self.columns = [(x, ones[x]) for x in essential_points(concept_class, budget)]
        self.column_at = dict(self.columns)

    @abstractmethod
    def has(self, V: int, depth: int) -> bool:
        """Whether a version space is known to have a complete mistake tree of the given depth."""

    @abstractmethod
    def lacks(self, V: int, depth: int) -> bool:
        """Whether a version space is known to have no complete mistake tree of the given depth."""

    def splits(self, V: int, depth: int) -> dict[tuple[int, int], int]:
        """Return a point for each pair of sizes (smaller, larger) of sides, most balanced first."""
        size, need = V.bit_count(), 1 << (depth - 1)
        found: dict[tuple[int, int], int] = {}
        for x, column in self.columns:
            ones = V & column
            count = ones.bit_count()
            if need <= count <= size - need:
                zeros = V ^ ones
                smaller_first = (count, ones) < (size - count, zeros)
                found.setdefault((ones, zeros) if smaller_first else (zeros, ones), x)
        return dict(sorted(found.items(), key=lambda split: -split[0][0].bit_count()))

    def refuted_sides(self, V: int, depth: int, columns: Sequence[int]) -> list[Step]:
        """Return a side without a tree of ``depth - 1`` for each point not excluded by size."""
        steps = []
        for x, column in enumerate(columns):
            sides = (V & ~column, V & column)
            if min(side.bit_count() for side in sides) >= 1 << (depth - 1):
                label = int(not self.lacks(sides[0], depth - 1))
                steps.append((x, label, sides[label]))
        return steps

    def tree(self, depth: int, budget: Budget) -> MistakeTree:
        """Return a complete mistake tree of the given depth, which is known to exist."""
        return MistakeTree(self._tree(self.everything, depth, budget))

    def _tree(self, V: int, depth: int, budget: Budget) -> Node:
        if depth == 0:
            return next(members(V))
        budget.spend()
        x = next(
            x
            for halves, x in self.splits(V, depth).items()
            if all(self.has(half, depth - 1) for half in halves)
        )
        ones = V & self.column_at[x]
        left, right = (self._tree(side, depth - 1, budget) for side in (V ^ ones, ones))
        return x, left, right

    def refutation(self, depth: int, budget: Budget) -> LittlestoneRefutation:
        """Return a refutation of the given depth, which is known to be impossible."""
        C = self.concept_class
        return refutation_from_root(self, len(C), columns(C), depth, budget)


class PythonSearch(Certifier):
    """A search that stores the bounds proved so far on the depths of version spaces."""

    def __init__(self, concept_class: ConceptClass, budget: Budget | None = None) -> None:
        super().__init__(concept_class, budget)
        self.lower: dict[int, int] = {}
        self.upper: dict[int, int] = {}
        self.symmetries: tuple[Symmetry, ...] = ()
        self.orbits: dict[int, int] = {}
        if len(concept_class) * len(concept_class.points) <= _SMALL:
            return
        found = symmetries_of_class(self.concept_class, budget)
        self.orbits = orbits_of_points(found, len(self.concept_class.points))
        if ORBIT_LENGTH * len(set(self.orbits.values())) <= len(self.orbits):
            self.symmetries = found

    def decide(self, depth: int, budget: Budget) -> bool:
        """Decide whether the class has a complete mistake tree of the given depth."""
        return self._decide(self.everything, depth, budget)

    def splits(self, V: int, depth: int) -> dict[tuple[int, int], int]:
        """Return the splits of a version space; for the whole class, one per orbit of points."""
        found = super().splits(V, depth)
        if self.everything != V or not self.symmetries:
            return found
        first: dict[int, tuple[int, int]] = {}
        for halves, x in found.items():
            first.setdefault(self.orbits[x], halves)
        return {halves: found[halves] for halves in first.values()}

    def has(self, V: int, depth: int) -> bool:
        """Whether a version space was found to have a complete mistake tree of the given depth."""
        return self._known(V, depth) is True

    def lacks(self, V: int, depth: int) -> bool:
        """Whether a version space was found to have no complete mistake tree of the given depth."""
        return self._known(V, depth) is False

    def refutation(self, depth: int, budget: Budget) -> LittlestoneRefutation:
        """Return a refutation of the given depth; with symmetries, one entry for each orbit."""

        def lacks(concepts: Words, least: int) -> bool:
            V = int.from_bytes(concepts.tobytes(), "little")
            return not self._decide(V, least, budget)

        if self.symmetries:
            return refute_by_orbits(self.concept_class, self.symmetries, lacks, depth, budget)
        return super().refutation(depth, budget)

    def _known(self, V: int, depth: int) -> bool | None:
        if V.bit_count() < 1 << depth:
            return False
        if depth <= 1 or self.lower.get(V, 0) >= depth:
            return True  # two different concepts differ on some point
        return False if self.upper.get(V, depth) < depth else None

    def _decide(self, V: int, depth: int, budget: Budget) -> bool:
        known = self._known(V, depth)
        if known is not None:
            return known
        budget.spend(len(self.columns))
        for small, large in self.splits(V, depth):
            if self._decide(small, depth - 1, budget) and self._decide(large, depth - 1, budget):
                self.lower[V] = depth
                return True
        self.upper[V] = depth - 1
        return False


class Refuting(Protocol[Column_contra]):
    """A search that knows which sides of version spaces have no mistake trees of some depth."""

    def refuted_sides(self, V: int, depth: int, columns: Sequence[Column_contra]) -> list[Step]:
        """Return a side without a tree of ``depth - 1`` for each point not excluded by size."""


def refutation_from_root(
    memory: Refuting[Column_contra],
    size: int,
    columns: Sequence[Column_contra],
    depth: int,
    budget: Budget,
) -> LittlestoneRefutation:
    """Return a refutation of a depth for `size` concepts, with maximal sides only."""
    level: Level = {} if size < 1 << depth else {(1 << size) - 1: ()}
    levels: list[tuple[int, Level, dict[int, list[Step]], dict[int, int]]] = []
    while level:
        steps = {}
        for V in level:
            budget.spend()
            steps[V] = memory.refuted_sides(V, depth, columns)
        sides: Level = {}
        for V, assignment in level.items():
            for x, label, side in steps[V]:
                sides.setdefault(side, (*assignment, (x, label)))
        serving = _largest(sides, size)
        levels.append((depth, level, steps, serving))
        level = {V: sides[V] for V in serving.values()}
        depth -= 1
    entries: list[RefutationEntry] = []
    number: dict[int, int] = {}
    for d, spaces, steps, serving in reversed(levels):
        start = len(entries)
        for V, assignment in spaces.items():
            rests = tuple((x, label, number[serving[side]]) for x, label, side in steps[V])
            entries.append(RefutationEntry(assignment, d, rests))
        number = {V: start + i for i, V in enumerate(spaces)}
    return LittlestoneRefutation(tuple(entries))


def _largest(sets: Iterable[int], size: int) -> dict[int, int]:
    """Return, for each set, a set that contains it and is maximal under inclusion."""
    maximal: list[int] = []
    holders = [0] * size  # for each concept, the maximal sets that hold it
    serving: dict[int, int] = {}
    for side in sorted(sets, key=lambda V: (-V.bit_count(), V)):
        containing = (1 << len(maximal)) - 1
        for c in members(side):
            containing &= holders[c]
            if not containing:
                break
        if not containing:
            containing = 1 << len(maximal)
            maximal.append(side)
            for c in members(side):
                holders[c] |= containing
        serving[side] = maximal[(containing & -containing).bit_length() - 1]
    return serving


class _Space(NamedTuple):
    """A version space with an entry: its concepts, its closure, and an assignment defining it."""

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
    """Return a refutation of an impossible depth, from the root down, up to symmetry."""
    columns = packed_columns(class_bits(concept_class))
    group = _Group(symmetries, len(concept_class.points), budget)
    size = len(concept_class)
    everything = packed_columns(np.ones((size, 1), np.uint8))[0]
    constant = shared_literals(columns, size).diagonal() == size
    closure = int(_closed(constant[None])[0])
    spaces = [_Space(everything, closure, ())] if size >= 1 << depth else []
    levels: list[list[tuple[_Space, list[OrbitStep]]]] = []
    while spaces:
        below = _Orbits(group)
        level = []
        for space in spaces:
            budget.spend()
            level.append((space, _steps(space, columns, lacks, depth, below)))
        levels.append(level)
        spaces, depth = below.spaces, depth - 1
    return _numbered(levels, symmetries, depth + len(levels))


def _steps(
    space: _Space, columns: Words, lacks: Lacks, depth: int, below: _Orbits
) -> list[OrbitStep]:
    """Return a refuted side for each point not excluded by size, as an image of a known space."""
    ones = columns & space.concepts
    shared = shared_literals(ones, int(np.bitwise_count(space.concepts).sum()))
    sizes = shared.diagonal()
    closures = shared == sizes[:, None]
    keys = _closed(closures).tolist()
    enough = 1 << max(depth - 2, 0)
    undecided = np.minimum(shared, sizes[:, None] - shared)[:, 0::2] >= enough
    rests = undecided.sum(axis=1)
    steps: list[OrbitStep] = []
    for x in np.flatnonzero(np.minimum(sizes[0::2], sizes[1::2]) >= 1 << (depth - 1)).tolist():
        sides = sorted((2 * x, 2 * x + 1), key=rests.__getitem__)  # fewer points left first
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
    levels: list[list[tuple[_Space, list[OrbitStep]]]], symmetries: Sequence[Symmetry], depth: int
) -> LittlestoneRefutation:
    """Return the refutation, the deepest entries first, with the symmetries that its words use."""
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
    """The version spaces of one depth that have entries, with all their images."""

    def __init__(self, group: _Group) -> None:
        self.group = group
        self.spaces: list[_Space] = []
        self.place: dict[int, tuple[int, int]] = {}  # of an image: the space, and how it is made

    def __contains__(self, closure: int) -> bool:
        return closure in self.place

    def find(self, closure: int) -> tuple[int, tuple[int, ...]]:
        """Return the number of a space with the given image, and a word that maps it to that."""
        number, element = self.place[closure]
        return number, word_of(element, self.group.before, self.group.by)

    def add(self, space: _Space) -> None:
        """Add a space and its images; each image is stored with the first element that gives it."""
        number = len(self.spaces)
        self.spaces.append(space)
        images, elements = np.unique(self.group.images(space.closure), return_index=True)
        if len(self.place) > MOST_IMAGES:
            images, elements = np.array([space.closure], np.uint64), np.zeros(1, np.int64)
        pairs = zip([number] * len(images), elements.tolist(), strict=True)
        self.place.update(zip(images.tolist(), pairs, strict=True))


class _Group:
    """The elements of a generated group, or a large part of them, in order of word length."""

    def __init__(self, symmetries: Sequence[Symmetry], num_points: int, budget: Budget) -> None:
        generators = np.array([*map(literal_moves, symmetries)], np.int64)
        values = np.random.default_rng(0).integers(0, 1 << 64, (2 * num_points,) * 2, np.uint64)
        wave = np.arange(2 * num_points)[np.newaxis]
        found, known = [wave], self._keys(values, wave)
        self.before, self.by = [-1], [-1]
        start = 0
        while len(wave) and len(self.by) < MOST_ELEMENTS:
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
        """Return hashes of permutations of literals; a collision only loses one permutation."""
        keys: Words = values[np.arange(moves.shape[1]), moves].sum(axis=1)
        return keys

    def images(self, closure: int) -> Words:
        """Return the images of a closure under all elements."""
        members = [i for i in range(self.bits.shape[1]) if closure >> i & 1]
        images: Words = self.bits[:, members].sum(axis=1, dtype=np.uint64)
        return images


def word_of(element: int, before: Sequence[int], by: Sequence[int]) -> tuple[int, ...]:
    """Return an element of a group as a word: generators whose product is the element."""
    word = []
    while element:
        word.append(by[element])
        element = before[element]
    return tuple(reversed(word))


def _closed(shared: npt.NDArray[np.bool_]) -> Words:
    """Return rows of truth values, one value for each literal, as words of 64 bits."""
    weights = np.uint64(1) << np.arange(shared.shape[1], dtype=np.uint64)
    numbers: Words = (shared * weights).sum(axis=1, dtype=np.uint64)
    return numbers
