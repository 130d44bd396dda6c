"""The search behind the Littlestone dimension, and the certificates read off its memory.

Main definition: `search`.

Implementation notes: a version space is the bit mask of its concepts. The question is put in its
decision form, "has V a complete mistake tree of depth d?", because size then decides most cases:
the ``2**d`` leaves carry different concepts. Answers are kept as lower and upper bounds for each V.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ccsim.classes import ConceptClass
from ccsim.classes.concept_class import columns
from ccsim.dimensions.masks import essential_points, members
from ccsim.dimensions.mistake_tree import MistakeTree, Node
from ccsim.dimensions.refutation import LittlestoneRefutation, RefutationEntry

__all__ = ["search"]

Assignment = tuple[tuple[int, int], ...]
Step = tuple[int, int, int]
"""A point, a label, and the version space on that side."""
Level = dict[int, Assignment]
"""Version spaces that need an entry of one depth, each with an assignment that defines it."""


def search(
    concept_class: ConceptClass,
) -> tuple[int, MistakeTree | None, LittlestoneRefutation]:
    """Return the Littlestone dimension with the proof of each bound, unchecked.

    Complexity: exponential in the dimension only through the version spaces that size does not
    decide; see `littlestone_dimension` for measured sizes.
    """
    size = len(concept_class)
    if size == 0:
        return -1, None, LittlestoneRefutation(())
    memory = _VersionSpaces(concept_class)
    everything = (1 << size) - 1
    value = 0
    while memory.has_tree(everything, value + 1):
        value += 1
    tree = MistakeTree(memory.tree(everything, value))
    return value, tree, _refutation(concept_class, memory, value + 1)


class _VersionSpaces:
    """What has been proved about the depths of mistake trees of version spaces."""

    __slots__ = ("columns", "lower", "upper")

    def __init__(self, concept_class: ConceptClass) -> None:
        ones = columns(concept_class)
        self.columns = [(x, ones[x]) for x in essential_points(concept_class)]
        self.lower: dict[int, int] = {}
        self.upper: dict[int, int] = {}

    def has_tree(self, V: int, depth: int) -> bool:
        """Decide whether a version space has a complete mistake tree of a depth."""
        if V.bit_count() < 1 << depth:
            return False
        if depth <= 1 or self.lower.get(V, 0) >= depth:
            return True  # two different concepts differ on some point
        if self.upper.get(V, depth) < depth:
            return False
        for small, large in self.splits(V, depth):
            if self.has_tree(small, depth - 1) and self.has_tree(large, depth - 1):
                self.lower[V] = depth
                return True
        self.upper[V] = depth - 1
        return False

    def splits(self, V: int, depth: int) -> dict[tuple[int, int], int]:
        """Return the splits (smaller side, larger side) of a version space, each with a point.

        Those with a side too small for depth ``depth - 1`` are left out; the best balanced come
        first, because their sides are the likeliest to have trees and the quickest to exhaust.
        """
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
        """Return a side without a tree of ``depth - 1`` for each point where size does not decide.

        The version space must be known to have no tree of depth ``depth``.
        """
        steps = []
        for x, column in enumerate(columns):
            sides = (V & ~column, V & column)
            if min(side.bit_count() for side in sides) >= 1 << (depth - 1):
                label = int(self.upper.get(sides[0], depth) >= depth - 1)
                steps.append((x, label, sides[label]))
        return steps

    def tree(self, V: int, depth: int) -> Node:
        """Return a complete mistake tree of a version space that has one."""
        if depth == 0:
            return next(members(V))
        x = next(
            x
            for halves, x in self.splits(V, depth).items()
            if all(self.has_tree(half, depth - 1) for half in halves)
        )
        ones = V & dict(self.columns)[x]
        return x, self.tree(V ^ ones, depth - 1), self.tree(ones, depth - 1)


def _refutation(C: ConceptClass, memory: _VersionSpaces, depth: int) -> LittlestoneRefutation:
    """Return the table that refutes a depth for the whole class, built from the root downwards.

    Each level holds the sides that the level above rests on, and of those only the largest: an
    entry serves every subset of its version space. The deepest level is listed first.
    """
    ones = columns(C)
    level: Level = {} if len(C) < 1 << depth else {(1 << len(C)) - 1: ()}
    levels: list[tuple[int, Level, dict[int, list[Step]], dict[int, int]]] = []
    while level:
        steps = {V: memory.refuted_sides(V, depth, ones) for V in level}
        sides: Level = {}
        for V, assignment in level.items():
            for x, label, side in steps[V]:
                sides.setdefault(side, (*assignment, (x, label)))
        serving = _largest(sides, len(C))
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
    """Return for each set one of the sets, maximal under inclusion, that contains it."""
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
