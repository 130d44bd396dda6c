"""Labelled points of a concept of a partial class that exclude all concepts not extending it.

A concept *extends* another if it is defined and has the same label wherever the other is defined.
"""

from __future__ import annotations

from ccsim.budget import Budget
from ccsim.classes.partial import PartialClass
from ccsim.dimensions.teaching.singling import differences, first_hitting_set, hitting_set


def needing_an_example(partial_class: PartialClass) -> int:
    """Return one of the first two concepts that the other does not extend."""
    C = partial_class
    return int(not C.defined[0] & (~C.defined[1] | (C.ones[0] ^ C.ones[1])))


class Excluding:
    """A search like `Singling`; ``among`` must contain all concepts."""

    def __init__(self, partial_class: PartialClass) -> None:
        self._rows = list(zip(partial_class.ones, partial_class.defined, strict=True))
        self._last: tuple[int, list[int]] = (-1, [])

    def greedy(self, concept: int, among: bytes, budget: Budget) -> int:
        """Return a set of points that is minimal under inclusion."""
        return first_hitting_set(self._sets(concept, among), budget)

    def within(self, concept: int, among: bytes, size: int, budget: Budget) -> int | None:
        """Return at most ``size`` points, or None if there are none."""
        return hitting_set(self._sets(concept, among), size, budget)

    def _sets(self, concept: int, _: bytes) -> list[int]:
        """Return, for the concepts to be excluded, the points that exclude them."""
        if self._last[0] != concept:
            ours, inside = self._rows[concept]
            excluding = (inside & (~defined | (ones ^ ours)) for ones, defined in self._rows)
            self._last = concept, differences(0, excluding)
        return self._last[1]
