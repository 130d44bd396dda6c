"""The search for mistake trees on version spaces as Python integers, and its certificates.

Implementation notes: a version space is the bit mask of its concepts. The question is put in its
decision form, "has V a complete mistake tree of depth d?", because size then decides most cases:
the ``2**d`` leaves carry different concepts. Answers are kept as lower and upper bounds for each V.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

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

if TYPE_CHECKING:
    from ccsim.dimensions.version_spaces.orbits import Words
    from ccsim.symmetry.matrix import Symmetry

_SMALL = 1 << 13
"""Concepts times points up to which no symmetries are looked for."""

Assignment = tuple[tuple[int, int], ...]
Step = tuple[int, int, int]
"""A point, a label, and the version space on that side."""
Level = dict[int, Assignment]
"""Version spaces that need an entry of one depth, each with an assignment that defines it."""


class SearchFailedError(Exception):
    """A search contradicts itself: two version spaces share a hash."""


class Search(Protocol):
    """A method that decides whether a class has mistake trees, and proves its answers."""

    first_work: int  # what the first attempt at a question may cost; about a hundredth of a second

    def decide(self, depth: int, budget: Budget) -> bool:
        """Decide whether the class has a complete mistake tree of a depth."""
        ...

    def tree(self, depth: int, budget: Budget) -> MistakeTree:
        """Return a tree of a depth that is known to exist."""
        ...

    def refutation(self, depth: int, budget: Budget) -> LittlestoneRefutation:
        """Refute a depth that is known to be refuted."""
        ...


def close_in(search: Search, bounds: tuple[int, int], budget: Budget) -> tuple[int, int]:
    """Return a lower and an upper bound that the search can prove, equal unless it was stopped.

    The least depth in question is asked for first, because small trees are found at once; where
    that takes long, the largest one is asked for in turn, with twice the work each time.
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
    """Trees and refutations of a class, given what is known about its version spaces."""

    first_work = 1 << 14

    def __init__(self, concept_class: ConceptClass, budget: Budget | None = None) -> None:
        ones = columns(concept_class)
        self.concept_class = concept_class
        self.everything = (1 << len(concept_class)) - 1
        self.columns = [(x, ones[x]) for x in essential_points(concept_class, budget)]
        self.column_at = dict(self.columns)

    @abstractmethod
    def has(self, V: int, depth: int) -> bool:
        """Say whether a version space, met on the way, is known to have a tree of a depth."""

    @abstractmethod
    def lacks(self, V: int, depth: int) -> bool:
        """Say whether a version space, met on the way, is known to have no tree of a depth."""

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
                label = int(not self.lacks(sides[0], depth - 1))
                steps.append((x, label, sides[label]))
        return steps

    def tree(self, depth: int, budget: Budget) -> MistakeTree:
        """Return a complete mistake tree of a depth that the class is known to have."""
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
        """Return the table that refutes a depth which the class is known not to have."""
        return _refutation(self.concept_class, self, depth, budget)


class PythonSearch(Certifier):
    """The search itself: what has been proved about the depths of trees of version spaces."""

    def __init__(self, concept_class: ConceptClass, budget: Budget | None = None) -> None:
        super().__init__(concept_class, budget)
        self.lower: dict[int, int] = {}
        self.upper: dict[int, int] = {}
        self.symmetries: tuple[Symmetry, ...] = ()
        self.orbits: dict[int, int] = {}
        if len(concept_class) * len(concept_class.points) > _SMALL:
            self._find_symmetries(budget)

    def _find_symmetries(self, budget: Budget | None) -> None:
        """Look for symmetries, and keep those that are of use."""
        from ccsim.dimensions.version_spaces.orbits import ORBIT_LENGTH
        from ccsim.symmetry.matrix import orbits_of_points, symmetries_of_class

        found = symmetries_of_class(self.concept_class, budget)
        self.orbits = orbits_of_points(found, len(self.concept_class.points))
        if ORBIT_LENGTH * len(set(self.orbits.values())) <= len(self.orbits):
            self.symmetries = found

    def decide(self, depth: int, budget: Budget) -> bool:
        """Decide whether the class has a complete mistake tree of a depth."""
        return self._decide(self.everything, depth, budget)

    def splits(self, V: int, depth: int) -> dict[tuple[int, int], int]:
        """Return the splits of a version space; of the whole class one for each orbit of points."""
        found = super().splits(V, depth)
        if self.everything != V or not self.symmetries:
            return found
        first: dict[int, tuple[int, int]] = {}
        for halves, x in found.items():
            first.setdefault(self.orbits[x], halves)
        return {halves: found[halves] for halves in first.values()}

    def has(self, V: int, depth: int) -> bool:
        """Say whether a version space has been found to have a tree of a depth."""
        return self._known(V, depth) is True

    def lacks(self, V: int, depth: int) -> bool:
        """Say whether a version space has been found to have no tree of a depth."""
        return self._known(V, depth) is False

    def refutation(self, depth: int, budget: Budget) -> LittlestoneRefutation:
        """Return the table that refutes a depth which the class is known not to have.

        For a class that is not small and has strong symmetries, one entry serves an orbit.
        """

        def lacks(concepts: Words, least: int) -> bool:
            V = int.from_bytes(concepts.tobytes(), "little")
            return not self._decide(V, least, budget)

        if self.symmetries:
            from ccsim.dimensions.version_spaces.orbits import refute_by_orbits

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


def _refutation(
    C: ConceptClass, memory: Certifier, depth: int, budget: Budget
) -> LittlestoneRefutation:
    """Return the table that refutes a depth for the whole class, built from the root downwards.

    Each level holds the sides that the level above rests on, and of those only the largest: an
    entry serves every subset of its version space. The deepest level is listed first.
    """
    ones = columns(C)
    level: Level = {} if len(C) < 1 << depth else {(1 << len(C)) - 1: ()}
    levels: list[tuple[int, Level, dict[int, list[Step]], dict[int, int]]] = []
    while level:
        steps = {}
        for V in level:
            budget.spend()
            steps[V] = memory.refuted_sides(V, depth, ones)
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
