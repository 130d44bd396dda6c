"""The compiled search for mistake trees: the same questions as `littlestone_search`, at scale.

Main definition: `CompiledSearch`.

Implementation notes: see `compiled_kernels`. Tree and refutation are read off with exact version
spaces; if that fails, which needs a collision of 128-bit hashes, `SearchFailedError` is raised and
the caller takes another method.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np

from ccsim.certificates import no_cycles
from ccsim.classes import ConceptClass
from ccsim.classes.symmetries import Symmetry
from ccsim.dimensions.class_symmetries import (
    class_bits,
    orbits_of_points,
    packed_columns,
    symmetries_of_class,
)
from ccsim.dimensions.closing_in import Budget, SearchFailedError, keep_time
from ccsim.dimensions.compiled_data import Ints, Memory, Stack, Table, Words
from ccsim.dimensions.compiled_kernels import PAUSED, YES, advance, ask, copy_memory, put_root
from ccsim.dimensions.compiled_proofs import (
    FAILED,
    MORE_MEMORY,
    Sides,
    copy_sides,
    expand,
    largest,
    split,
)
from ccsim.dimensions.mistake_tree import MistakeTree, Node
from ccsim.dimensions.orbit_refutation import ORBIT_LENGTH, refute_by_orbits
from ccsim.dimensions.refutation import LittlestoneRefutation, RefutationEntry

__all__ = ["CompiledSearch"]

_FIRST_SLOTS = 1 << 14
_MOST_SLOTS = 1 << 26
"""The table takes 18 bytes a slot; a full one is no longer added to."""
_SLICE = 1 << 26
"""Words looked at between two glances at the clock: some hundredths of a second."""
_AT_ONCE = 1 << 10
"""Version spaces refuted between two glances at the clock."""

Assignment = tuple[tuple[int, int], ...]


class _Level(NamedTuple):
    """Version spaces that are refuted at one depth, and what their refutations rest on."""

    depth: int
    paths: list[Assignment]
    steps: Ints
    serving: Ints


class CompiledSearch:
    """The search on one class: bounds, tree and refutation.

    Parameters
    ----------
    concept_class : ConceptClass
        Not empty.
    """

    first_work = 1 << 22

    def __init__(self, concept_class: ConceptClass) -> None:
        self.concept_class = concept_class
        self.table, self.copies = _table(concept_class)
        self.everything = packed_columns(np.ones((len(concept_class), 1), np.uint8))[0]
        self.memory = _memory(_FIRST_SLOTS)
        self.paused: dict[int, Stack] = {}

    def decide(self, depth: int, budget: Budget) -> bool:
        """Decide whether the class has a complete mistake tree of a depth.

        Raises
        ------
        PausedError
            If the budget is spent; the same question asked again goes on where it stopped.
        """
        stack = self.paused.pop(depth, None)
        if stack is None:
            stack = self._stack(depth)
            put_root(self.table, stack, self.everything)
            answer = ask(self.table, self.memory, stack, depth, 0)
            if answer == PAUSED:
                self._keep_orbits(stack)
        else:
            answer = PAUSED
        while answer == PAUSED:
            self._grow_memory()
            work = min(_SLICE, budget.left)
            answer = advance(self.table, self.memory, stack, work)
            if answer == PAUSED:
                self.paused[depth] = stack
                budget.spend(work)
        return answer == YES

    def _keep_orbits(self, stack: Stack) -> None:
        """Leave one point of each orbit, the best balanced one, to try at the root."""
        orbits: set[int] = set()
        kept = 0
        for j in range(int(stack.num_splits[1])):
            x = int(stack.points[1, j])
            orbit = self.orbits[self.copies[x][0][0]]
            if orbit not in orbits:
                orbits.add(orbit)
                stack.points[1, kept], stack.ones[1, kept] = x, stack.ones[1, j]
                kept += 1
        stack.num_splits[1] = kept

    def tree(self, depth: int, deadline: float = math.inf) -> MistakeTree:
        """Return a complete mistake tree of a depth that the class is known to have.

        Raises
        ------
        OutOfTimeError
            If the deadline passes.
        """
        stack = self._stack(depth)

        def grow(space: Words, left: int) -> Node:
            if left == 0:
                w = int(np.flatnonzero(space)[0])
                word = int(space[w])
                return 64 * w + (word & -word).bit_length() - 1
            halves = np.zeros((2, len(space)), np.uint64)
            x, work = MORE_MEMORY, _SLICE
            while x == MORE_MEMORY:
                keep_time(deadline)
                self._grow_memory()
                x = split(self.table, self.memory, stack, space, left, halves, work)
                work *= 2
            if x == FAILED:
                raise SearchFailedError
            point, flipped = self.copies[x][0]
            zeros, ones = halves[::-1] if flipped else halves
            return point, grow(zeros, left - 1), grow(ones, left - 1)

        return MistakeTree(grow(self.everything, depth))

    @no_cycles()
    def refutation(self, depth: int, deadline: float = math.inf) -> LittlestoneRefutation:
        """Return the table that refutes a depth which the class is known not to have.

        Where symmetries leave one orbit for four points or less, one entry serves an orbit.
        Otherwise each level holds the sides that the level above rests on, and of those only the
        largest: an entry serves every subset of its version space. The deepest level comes first.

        Raises
        ------
        OutOfTimeError
            If the deadline passes.
        """
        if ORBIT_LENGTH * len(set(self.orbits.values())) <= len(self.orbits):
            lacks = partial(self._lacks, deadline=deadline)
            return refute_by_orbits(self.concept_class, self.symmetries, lacks, depth)
        spaces = self.everything[np.newaxis]
        paths: list[Assignment] = [()]
        levels: list[_Level] = []
        while len(self.concept_class) >= 1 << depth and len(spaces):
            keep_time(deadline)
            sides, origin, steps = self._expand(spaces, depth, deadline)
            chosen, serving = _choose(sides, origin, len(self.concept_class))
            levels.append(_Level(depth, paths, steps, serving))
            paths = [
                (*paths[v], (self.copies[x][0][0], b ^ self.copies[x][0][1]))
                for v, x, b in origin[chosen, :3].tolist()
            ]
            spaces, depth = sides[chosen], depth - 1
        return LittlestoneRefutation(tuple(self._entries(levels)))

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """Generators of symmetries of the class."""
        return symmetries_of_class(self.concept_class)

    @cached_property
    def orbits(self) -> dict[int, int]:
        """The first point of the orbit of each point."""
        return orbits_of_points(self.symmetries, len(self.concept_class.points))

    def _lacks(self, concepts: Words, depth: int, deadline: float) -> bool:
        """Decide whether a set of concepts has no complete mistake tree of a depth."""
        stack = self._stack(depth)
        put_root(self.table, stack, concepts)
        answer = ask(self.table, self.memory, stack, depth, 0)
        while answer == PAUSED:
            keep_time(deadline)
            self._grow_memory()
            answer = advance(self.table, self.memory, stack, _SLICE)
        return answer != YES

    def _entries(self, levels: list[_Level]) -> Iterator[RefutationEntry]:
        """Yield the entries, the deepest level first."""
        start = 0  # number of the first entry of the level below
        number = 0
        for level in reversed(levels):
            rests: list[list[tuple[int, int, int]]] = [[] for _ in level.paths]
            earlier = (start + level.serving[level.steps[:, 3]]).tolist()
            for (v, x, b), entry in zip(level.steps[:, :3].tolist(), earlier, strict=True):
                for point, flip in self.copies[x]:
                    rests[v].append((point, b ^ flip, entry))
            start = number
            number += len(level.paths)
            for path, steps in zip(level.paths, rests, strict=True):
                yield RefutationEntry(path, level.depth, tuple(steps))

    def _expand(self, spaces: Words, depth: int, deadline: float) -> tuple[Words, Ints, Ints]:
        """Return the sides that a level rests on, where they come from, and the steps."""
        stack = self._stack(depth)
        num, width = self.table.columns.shape
        sides = _sides(4 * num, width)
        at, before = np.array([0, depth, _SLICE, _AT_ONCE]), -1
        while (answer := expand(self.table, self.memory, stack, spaces, sides, at)) == PAUSED:
            keep_time(deadline)
            if self._grow_memory():
                continue
            m, k = sides.used.tolist()
            if m + num > len(sides.words) or k + num > len(sides.steps):
                larger = _sides(4 * len(sides.words), width)
                copy_sides(sides, larger)
                sides = larger
            elif at[0] == before:
                at[2] *= 2
            before = int(at[0])
        if answer == FAILED:
            raise SearchFailedError
        m, k = sides.used.tolist()
        return sides.words[:m], sides.origin[:m], sides.steps[:k]

    def _grow_memory(self) -> bool:
        """Double a table that is half full, as long as it may grow; say whether that was so."""
        slots, used = len(self.memory.keys), int(self.memory.used[0])
        if 2 * used <= slots or not self.memory.used[1]:
            return False
        larger = _memory(4 * slots)
        copy_memory(self.memory, larger)
        self.memory = larger
        return True

    def _stack(self, depth: int) -> Stack:
        num, width = self.table.columns.shape
        levels, points = depth + 3, num - 1

        def room(*shape: int) -> Ints:
            return np.zeros((levels, *shape), np.int64)

        stack = Stack(
            words=np.zeros((levels, width), np.uint64),
            active=room(width),
            num_active=room(),
            keys=np.zeros((levels, 2), np.uint64),
            size=room(),
            depth=room(),
            points=room(points),
            ones=room(points),
            num_splits=room(),
            candidates=room(points),
            num_candidates=room(),
            position=room(),
            phase=room(),
            meta=np.array([1, -1]),
        )
        stack.candidates[0] = np.arange(points)
        stack.num_candidates[0] = points
        return stack


def _choose(sides: Words, origin: Ints, num_concepts: int) -> tuple[Ints, Ints]:
    """Return the numbers of the largest sides, and for each side the place of one that serves.

    They come by falling size, because what a large one rests on serves many smaller ones.
    """
    if not len(sides):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    order = np.argsort(-origin[:, 3], kind="stable")
    heads = np.full(64 * ((num_concepts + 63) // 64), -1)
    serving = largest(sides, order, heads, int(origin[:, 3].sum()))
    chosen = order[serving[order] == order]
    place = np.empty(len(sides), np.int64)
    place[chosen] = np.arange(len(chosen))
    return chosen, place[serving]


def _table(C: ConceptClass) -> tuple[Table, list[list[tuple[int, int]]]]:
    """Return the essential columns, and for each of them the points that share it.

    A point comes with 1 if its column is the complement of the one in the table.
    """
    size, num = len(C), len(C.points)
    bits = class_bits(C)
    flips = bits.sum(axis=0, dtype=np.int64) * 2 > size
    bits ^= flips
    # complementary halves are told apart by the first concept, which gets label 0
    halves = bits.sum(axis=0, dtype=np.int64) * 2 == size
    turn = halves & (bits[0] == 1) if size else halves
    bits ^= turn
    flips ^= turn
    columns = packed_columns(np.pad(bits, ((0, 0), (0, 1))))  # the last one has no ones
    first: dict[bytes, list[tuple[int, int]]] = {}
    for x in np.flatnonzero(columns.any(axis=1)).tolist():
        first.setdefault(columns[x].tobytes(), []).append((x, int(flips[x])))
    copies = list(first.values())
    chosen = [points[0][0] for points in copies]
    concepts, ones = np.nonzero(bits[:, chosen])
    starts = np.searchsorted(concepts, np.arange(size + 1))
    table = Table(
        columns=columns[[*chosen, num]],
        starts=starts.astype(np.int64),
        ones=ones.astype(np.int32),
        salts=np.random.default_rng(0).integers(0, 1 << 64, columns.shape[1], np.uint64),
        counts=np.zeros(len(chosen), np.int64),
    )
    return table, copies


def _memory(slots: int) -> Memory:
    return Memory(
        np.zeros((slots, 2), np.uint64),
        np.full((slots, 2), -1, np.int8),
        np.array([0, slots < _MOST_SLOTS]),
    )


def _sides(num: int, width: int) -> Sides:
    slots = 1 << (2 * num).bit_length()
    return Sides(
        np.zeros((num, width), np.uint64),
        np.zeros((num, 5), np.int64),
        np.full(slots, -1),
        np.zeros((2 * num, 4), np.int64),
        np.zeros(2, np.int64),
    )
