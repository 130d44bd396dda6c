"""Mistake trees of a partial class, whose branches are realised by concepts defined on them.

A version space consists of the concepts that are defined, and agree, on the points of a path. Two
different concepts may agree wherever both are defined, so a version space with two concepts need
not have a tree of depth 1.
"""

from __future__ import annotations

from collections.abc import Sequence

from ccsim.budget import Budget
from ccsim.classes.masks import members
from ccsim.classes.partial import PartialClass, sides
from ccsim.dimensions.mistake_trees import LittlestoneRefutation, MistakeTree, Node
from ccsim.dimensions.version_spaces.search import Step, refutation_from_root

Sides = tuple[int, int]


class PartialSearch:
    """A search that stores the bounds proved so far on the depths of version spaces."""

    first_work = 1 << 14

    def __init__(self, partial_class: PartialClass) -> None:
        self.size, self.sides = len(partial_class), sides(partial_class)
        first: dict[Sides, int] = {}
        for x, both in enumerate(self.sides):
            if all(both):
                first.setdefault(min(both, both[::-1]), x)
        self.points = [(x, *self.sides[x]) for x in first.values()]
        self.lower: dict[int, int] = {}
        self.upper: dict[int, int] = {}

    def decide(self, depth: int, budget: Budget) -> bool:
        """Decide whether the class has a complete mistake tree of the given depth."""
        return self._decide((1 << self.size) - 1, depth, budget)

    def tree(self, depth: int, budget: Budget) -> MistakeTree:
        """Return a complete mistake tree of the given depth, which is known to exist."""
        return MistakeTree(self._tree((1 << self.size) - 1, depth, budget))

    def refutation(self, depth: int, budget: Budget) -> LittlestoneRefutation:
        """Return a refutation of the given depth, which is known to be impossible."""
        return refutation_from_root(self, self.size, self.sides, depth, budget)

    def refuted_sides(self, V: int, depth: int, columns: Sequence[Sides]) -> list[Step]:
        """Return a side without a tree of ``depth - 1`` for each point not excluded by size."""
        steps: list[Step] = []
        for x, both in enumerate(columns):
            halves = V & both[0], V & both[1]
            if min(half.bit_count() for half in halves) >= 1 << (depth - 1):
                label = int(self._known(halves[0], depth - 1) is not False)
                steps.append((x, label, halves[label]))
        return steps

    def _splits(self, V: int, depth: int) -> list[tuple[int, int, int]]:
        """Return the sides of a version space that are large enough, most balanced first."""
        need = 1 << (depth - 1)
        found: dict[Sides, tuple[int, int, int]] = {}
        for x, zeros, ones in self.points:
            zero, one = V & zeros, V & ones
            smaller = min(zero.bit_count(), one.bit_count())
            if smaller >= need:
                found.setdefault(min((zero, one), (one, zero)), (-smaller, x, 0))
        return [(x, *halves) for halves, (_, x, _) in sorted(found.items(), key=lambda e: e[1])]

    def _known(self, V: int, depth: int) -> bool | None:
        if V.bit_count() < 1 << depth:
            return False
        if self.lower.get(V, 0) >= depth:
            return True
        return False if self.upper.get(V, depth) < depth else None

    def _decide(self, V: int, depth: int, budget: Budget) -> bool:
        known = self._known(V, depth)
        if known is not None:
            return known
        budget.spend(len(self.points) + 1)
        for _, *halves in self._splits(V, depth):
            if all(self._decide(half, depth - 1, budget) for half in halves):
                self.lower[V] = depth
                return True
        self.upper[V] = depth - 1
        return False

    def _tree(self, V: int, depth: int, budget: Budget) -> Node:
        if not depth:
            return next(members(V))
        budget.spend()
        x = next(
            x
            for x, *halves in self._splits(V, depth)
            if all(self._known(half, depth - 1) for half in halves)
        )
        zeros, ones = (self._tree(V & side, depth - 1, budget) for side in self.sides[x])
        return x, zeros, ones
