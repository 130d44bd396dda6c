"""Points that single a concept out among others, by the fastest search that there is.

Main definitions: `Singling`, `singling`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from typing import Protocol

from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.dimensions.teaching.hitting import differences, first_hitting_set, hitting_set
from ccsim.dimensions.teaching.native import NativeSingling, found

__all__ = ["Singling", "singling", "smallest"]


class Singling(Protocol):
    """Finds points on which one concept differs from each of some others.

    Those others are told by a byte for each concept, 1 if it is among them.
    """

    def greedy(self, concept: int, among: bytes, budget: Budget) -> int:
        """Return points that single a concept out, none of them in vain."""
        ...

    def within(self, concept: int, among: bytes, size: int, budget: Budget) -> int | None:
        """Return at most so many points that single a concept out, or None if there are none."""
        ...


class _PlainSingling:
    """The same in Python."""

    def __init__(self, rows: Sequence[int]) -> None:
        self._rows = rows

    def greedy(self, concept: int, among: bytes, budget: Budget) -> int:
        """Return points that single a concept out, none of them in vain."""
        return first_hitting_set(self._differences(concept, among), budget)

    def within(self, concept: int, among: bytes, size: int, budget: Budget) -> int | None:
        """Return at most so many points that single a concept out, or None if there are none."""
        return hitting_set(self._differences(concept, among), size, budget)

    def _differences(self, concept: int, among: bytes) -> list[int]:
        return differences(self._rows[concept], compress(self._rows, among))


def singling(concept_class: ConceptClass) -> Singling:
    """Return the search of the engine, or where there is none the one in Python."""
    if found() is not None:
        return NativeSingling(concept_class)
    return _PlainSingling(concept_class.rows)


def smallest(
    search: Singling, concept: int, among: bytes, known: int, enough: int, budget: Budget
) -> tuple[int, bool]:
    """Return points that single a concept out, fewest or ``enough``, and whether fewer are not.

    Parameters
    ----------
    search : Singling
    concept : int
    among : bytes
    known : int
        Points that single it out.
    enough : int
        Nothing smaller is looked for.
    budget : Budget
    """
    while known.bit_count() > enough:
        found = search.within(concept, among, known.bit_count() - 1, budget)
        if found is None:
            return known, True
        known = found
    return known, False
