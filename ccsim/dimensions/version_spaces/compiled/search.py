"""The compiled search for mistake trees: the same questions as `littlestone_search`, at scale.

Main definition: `CompiledSearch`.

Implementation notes: see `compiled_kernels`. Tree and refutation are read off with exact version
spaces; if that fails, which needs a collision of 128-bit hashes, `SearchFailedError` is raised and
the caller takes another method.
"""

from __future__ import annotations

from functools import cached_property, partial

import numpy as np

from ccsim.budget import Budget
from ccsim.certificates import no_cycles
from ccsim.classes import ConceptClass
from ccsim.dimensions.mistake_trees.refutation import LittlestoneRefutation
from ccsim.dimensions.mistake_trees.tree import MistakeTree, Node
from ccsim.dimensions.version_spaces.closing_in import SearchFailedError
from ccsim.dimensions.version_spaces.compiled.data import Stack, Words
from ccsim.dimensions.version_spaces.compiled.kernels import PAUSED, YES
from ccsim.dimensions.version_spaces.compiled.proofs import FAILED, MORE_MEMORY, split
from ccsim.dimensions.version_spaces.compiled.workspace import SLICE, Workspace
from ccsim.dimensions.version_spaces.levels import refute_by_levels
from ccsim.dimensions.version_spaces.orbits import ORBIT_LENGTH, refute_by_orbits
from ccsim.symmetry.tall import orbits_of_points, symmetries_of_class

__all__ = ["CompiledSearch"]


class CompiledSearch:
    """The search on one class: bounds, tree and refutation.

    Parameters
    ----------
    concept_class : ConceptClass
        Not empty.
    budget : Budget, optional
        For the symmetries of the class.
    """

    first_work = 1 << 22

    def __init__(self, concept_class: ConceptClass, budget: Budget | None = None) -> None:
        self.concept_class = concept_class
        self.symmetries = symmetries_of_class(concept_class, budget)
        self.workspace = Workspace(concept_class, self.symmetries)
        self.paused: dict[int, Stack] = {}

    def decide(self, depth: int, budget: Budget) -> bool:
        """Decide whether the class has a complete mistake tree of a depth.

        Raises
        ------
        OutOfWorkError
            If the budget is spent; the same question asked again goes on where it stopped.
        """
        stack = self.paused.pop(depth, None)
        if stack is None:
            stack = self.workspace.stack(depth)
            answer = self.workspace.ask(stack, self.workspace.table.everything, depth)
            if answer == PAUSED:
                self._keep_orbits(stack)
        else:
            answer = PAUSED
        while answer == PAUSED:
            work = min(SLICE, budget.work)
            answer = self.workspace.advance(stack, work)
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
            orbit = self.orbits[self.workspace.copies[x][0][0]]
            if orbit not in orbits:
                orbits.add(orbit)
                stack.points[1, kept], stack.ones[1, kept] = x, stack.ones[1, j]
                kept += 1
        stack.num_splits[1] = kept

    def tree(self, depth: int, budget: Budget) -> MistakeTree:
        """Return a complete mistake tree of a depth that the class is known to have.

        Raises
        ------
        OutOfTimeError
            If the time is over.
        """
        work = self.workspace
        stack = work.stack(depth)

        def grow(space: Words, left: int) -> Node:
            if left == 0:
                w = int(np.flatnonzero(space)[0])
                word = int(space[w])
                return 64 * w + (word & -word).bit_length() - 1
            halves = np.zeros((2, len(space)), np.uint64)
            x, most = MORE_MEMORY, SLICE
            while x == MORE_MEMORY:
                budget.spend()
                work.grow_memory()
                x = split(work.table, work.memory, stack, space, left, halves, most)
                most *= 2
            if x == FAILED:
                raise SearchFailedError
            point, flipped = work.copies[x][0]
            zeros, ones = halves[::-1] if flipped else halves
            return point, grow(zeros, left - 1), grow(ones, left - 1)

        return MistakeTree(grow(work.table.everything, depth))

    @no_cycles()
    def refutation(self, depth: int, budget: Budget) -> LittlestoneRefutation:
        """Return the table that refutes a depth which the class is known not to have.

        Where symmetries leave one orbit for four points or less, one entry serves an orbit.

        Raises
        ------
        OutOfTimeError
            If the time is over.
        """
        if ORBIT_LENGTH * len(set(self.orbits.values())) <= len(self.orbits):
            lacks = partial(self._lacks, budget=budget)
            return refute_by_orbits(self.concept_class, self.symmetries, lacks, depth, budget)
        return refute_by_levels(self.workspace, depth, budget)

    @cached_property
    def orbits(self) -> dict[int, int]:
        """The first point of the orbit of each point."""
        return orbits_of_points(self.symmetries, len(self.concept_class.points))

    def _lacks(self, concepts: Words, depth: int, budget: Budget) -> bool:
        """Decide whether a set of concepts has no complete mistake tree of a depth."""
        stack = self.workspace.stack(depth)
        answer = self.workspace.ask(stack, concepts, depth)
        while answer == PAUSED:
            budget.spend()
            answer = self.workspace.advance(stack, SLICE)
        return answer != YES
