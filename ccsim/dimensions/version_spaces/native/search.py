"""The search for mistake trees in C: the same questions as `PythonSearch`, at scale.

Main definition: `NativeSearch`.

Implementation notes: symmetries take longer to find than most classes take to search, so that they
are looked for only when a refutation turns out long. Tree and refutation are read off exact version
spaces; if that fails, which needs a collision of hashes, `SearchFailedError` is raised and the
caller takes another method.
"""

from __future__ import annotations

import sys
import weakref
from array import array
from functools import cached_property
from typing import TYPE_CHECKING

from ccsim.budget import Budget
from ccsim.certificates import no_cycles
from ccsim.classes import ConceptClass
from ccsim.dimensions.mistake_trees.refutation import LittlestoneRefutation
from ccsim.dimensions.mistake_trees.tree import MistakeTree
from ccsim.dimensions.version_spaces.closing_in import SearchFailedError
from ccsim.dimensions.version_spaces.native.library import FAILED, NO_MEMORY, PAUSED, YES, found
from ccsim.dimensions.version_spaces.native.refuting import (
    TooManyEntriesError,
    refute_by_levels,
    refute_by_orbits,
)

if TYPE_CHECKING:
    from ccsim.symmetry.literals import LiteralGroup
    from ccsim.symmetry.matrix import Symmetry

__all__ = ["NativeSearch"]

_SLICE = 1 << 26
"""Words looked at between two glances at the clock: some hundredths of a second."""
_FEW_ENTRIES = 1 << 8
"""Entries of a refutation that take about as long as finding symmetries."""
_MOST_POINTS = 32
_MOST_SLOTS = 1 << 26
"""The memory takes 16 bytes a slot; a full one is no longer added to."""
_ORBIT_LENGTH = 4


class NativeSearch:
    """The search on one class: bounds, tree and refutation.

    Parameters
    ----------
    concept_class : ConceptClass
        Not empty.
    budget : Budget, optional
        For the symmetries of the class.

    Raises
    ------
    SearchFailedError
        Where there is no library, or no memory.
    """

    first_work = 1 << 22

    def __init__(self, concept_class: ConceptClass, budget: Budget | None = None) -> None:
        C, library = concept_class, found()
        if library is None or sys.byteorder == "big":  # it reads words of 64 bits
            raise SearchFailedError
        width = -(-len(C.points) // 64)
        if width == 1:
            data = array("Q", C.rows).tobytes()
        else:
            data = b"".join([row.to_bytes(8 * width, "little") for row in C.rows])
        self.concept_class, self.library, self.budget = C, library, budget
        self.data = data  # which the engine reads
        self.engine = library.made(data, len(C), len(C.points), _MOST_SLOTS)
        if not self.engine:
            raise SearchFailedError
        weakref.finalize(self, library.freed, self.engine)
        self.group: LiteralGroup | None = None

    @cached_property
    def column_of(self) -> list[int]:
        """For each point its essential column twice, 1 more for the complement; or negative."""
        columns = array("i", bytes(4 * len(self.concept_class.points)))
        self.library.copied(self.engine, columns.buffer_info()[0])
        return columns.tolist()

    @cached_property
    def copies(self) -> list[list[tuple[int, int]]]:
        """The points of each essential column, with 1 where theirs is the complement."""
        found: list[list[tuple[int, int]]] = [
            [] for _ in range(max((c // 2 + 1 for c in self.column_of), default=0))
        ]
        for x, c in enumerate(self.column_of):
            if c >= 0:
                found[c >> 1].append((x, c & 1))
        return found

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """Generators of symmetries of the class."""
        from ccsim.symmetry.tall import symmetries_of_class

        return symmetries_of_class(self.concept_class, self.budget)

    @cached_property
    def has_long_orbits(self) -> bool:
        """Whether symmetries leave one orbit for four points or less."""
        from ccsim.symmetry.tall import orbits_of_points

        orbits = orbits_of_points(self.symmetries, len(self.column_of))
        return _ORBIT_LENGTH * len(set(orbits.values())) <= len(orbits)

    def decide(self, depth: int, budget: Budget) -> bool:
        """Decide whether the class has a complete mistake tree of a depth.

        Raises
        ------
        OutOfWorkError
            If the budget is spent; what was found out is kept.
        """
        most, before = _SLICE, -1
        while True:
            work = int(min(most, budget.work))
            answer = self.library.decide(self.engine, depth, work)
            if answer in {FAILED, NO_MEMORY}:
                raise SearchFailedError
            if answer != PAUSED:
                return bool(answer == YES)
            budget.spend(work)
            used = self.library.used(self.engine)
            most *= 2 if used == before else 1  # the way down took all of it
            before = used

    def _take_group(self) -> None:
        """Look for few symmetries, up to which version spaces are refuted from now on."""
        from ccsim.symmetry.literals import LiteralGroup

        fits = len(self.column_of) <= _MOST_POINTS
        self.group = LiteralGroup.generated(self.symmetries if fits else (), self.copies)
        if len(self.group.moves) > 1:
            moves = array("i", [i for move in self.group.moves for i in move]).tobytes()
            back = array("i", [i for row in self.group.back() for i in row]).tobytes()
            if not self.library.moved(self.engine, len(self.group.moves), moves, back):
                raise SearchFailedError

    @no_cycles()
    def tree(self, depth: int, budget: Budget) -> MistakeTree:
        """Return a complete mistake tree of a depth that the class is known to have.

        Raises
        ------
        OutOfTimeError
            If the time is over.
        SearchFailedError
            If there is no such tree.
        """
        nodes = array("i", bytes(4 * (2 << depth) - 4))
        answer, most = PAUSED, _SLICE
        while answer == PAUSED:
            budget.spend()
            answer = self.library.tree(self.engine, depth, most, nodes.buffer_info()[0])
            most *= 2
        if answer != YES:
            raise SearchFailedError
        return MistakeTree.from_json(nodes.tolist())

    @no_cycles()
    def refutation(self, depth: int, budget: Budget) -> LittlestoneRefutation:
        """Return the table that refutes a depth which the class is known not to have.

        Where symmetries leave one orbit for four points or less, and the table would be long, one
        entry serves an orbit.

        Raises
        ------
        OutOfTimeError
            If the time is over.
        SearchFailedError
            If both sides of some point have trees.
        """
        if len(self.column_of) > _MOST_POINTS:
            return refute_by_levels(self, depth, budget)
        if self.group is None:
            try:
                return refute_by_levels(self, depth, budget, _FEW_ENTRIES)
            except TooManyEntriesError:
                self._take_group()
        if self.has_long_orbits:
            return refute_by_orbits(self, depth, budget)
        return refute_by_levels(self, depth, budget)
