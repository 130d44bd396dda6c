"""Longest chains of thresholds, line by line from one end.

Implementation notes: the points of a chain are taken one after the other (or its concepts; reversed
lists of concepts and points are a chain of the dual class). Starting at the last point, the
concepts with label 1 on all points taken are *kept*; each further point leaves at least one of the
kept concepts behind, with label 0 there and 1 on all points before: its *tail*. A line may follow
if no tail loses all its concepts by it, and as many concepts stay kept as lines are still to come.
So a chain of ``k`` needs ``k`` ones on a line, ``k - 1`` common ones of two lines and so on. From
the other end the labels change places. What is kept is the same for all orders of the first lines:
that no chain fits into it, tails aside, is found out once. The kernel goes the same way (form
``tails``), so that the work of its check is known.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.classes.concept_class import columns

_FIRST = 3
"""Lines at whose sets of kept concepts it is asked whether any chain fits into them."""
_PROBES = 12
"""Random paths by which the size of a search is estimated."""


class Direction(NamedTuple):
    """Which lines of a chain are taken, and from which end."""

    lines: str  # ``"points"`` or ``"concepts"``
    label: int  # of what is kept


def directions() -> list[Direction]:
    """Return all four directions."""
    return [Direction(lines, label) for lines in ("concepts", "points") for label in (1, 0)]


class TailSearch:
    """Searches for chains of given sizes in one direction."""

    def __init__(self, concept_class: ConceptClass, direction: Direction) -> None:
        rows, across = concept_class.rows, columns(concept_class)
        self.direction = direction
        lines, height = (across, len(rows)) if direction.lines == "points" else (rows, len(across))
        self.everything = (1 << height) - 1
        self.number = {self._turned(line): i for i, line in reversed([*enumerate(lines)])}
        self.lines = list(self.number)
        self._steps = 1 + (height >> 9)
        self._known: dict[tuple[int, int], bool] = {}
        self._budget, self._asked = Budget(), 0

    def _turned(self, line: int) -> int:
        return line if self.direction.label else self.everything ^ line

    def _starts(self, size: int) -> list[tuple[list[int], int]]:
        """Return the first lines, and what is kept after them."""
        if self.direction.label:
            return [([line], line) for line in self.lines if line.bit_count() >= size]
        return [([], self.everything)]

    def find(self, size: int, budget: Budget) -> list[tuple[int, int]] | None:
        """Return concepts and points of a chain of size at least 1, or None."""
        self._budget, self._asked = budget, size - _FIRST
        for chosen, kept in self._starts(size):
            path = self._grow(chosen, [], kept, self.lines, size - len(chosen))
            if path is not None:
                return self._chain(path)
        return None

    def _grow(
        self, chosen: list[int], tails: list[int], kept: int, left: list[int], more: int
    ) -> list[int] | None:
        """Return the lines of a chain that goes on by so many lines, if there is one."""
        if not more:
            return chosen
        least = more - 1 + self.direction.label
        for line in (fit := self._fitting(tails, kept, left, more)):
            rest = kept & line
            if rest.bit_count() < least:
                continue
            if more >= self._asked and not self._fits(rest, more - 1):
                continue
            behind = [*(tail & ~line for tail in tails), kept & ~line]
            path = self._grow([*chosen, line], behind, rest, fit, more - 1)
            if path is not None:
                return path
        return None

    def _fits(self, kept: int, more: int) -> bool:
        """Say whether so many lines fit into what is kept, tails of earlier lines aside."""
        if (known := self._known.get((kept, more))) is None:
            known = self._grow([], [], kept, self.lines, more) is not None
            self._known[kept, more] = known
        return known

    def _fitting(self, tails: list[int], kept: int, left: list[int], more: int) -> list[int]:
        """Return the lines that are still to be had, or none if they are too few."""
        looks = len(left)
        fit = [y for y in left if kept & ~y]
        for tail in tails:
            looks += len(fit)
            fit = [y for y in fit if tail & ~y]
            if len(fit) < more:
                break
        self._budget.spend(20 + looks * self._steps)
        return fit if len(fit) >= more else []

    def _chain(self, path: list[int]) -> list[tuple[int, int]]:
        """Return the concepts and points of a chain whose lines are known, first thresholds first.

        A line is a concept (a point); of the other side those with one labelling of the lines are
        taken.
        """
        size, label = len(path), self.direction.label
        pairs = []
        for i in range(size):
            found = self.everything
            for line in path[: i + label]:
                found &= line
            for line in path[i + label :]:
                found &= ~line
            pairs.append((self.number[path[i]], (found & -found).bit_length() - 1))
        if label:
            pairs.reverse()
        if self.direction.lines == "points":
            return [(c, x) for x, c in pairs]
        return pairs[::-1]

    def estimate(self, size: int, budget: Budget) -> int:
        """Return about how many steps the search for a size takes, by some random paths."""
        random, total = Random(size), 0  # noqa: S311 - a seed, not a secret
        self._budget = budget
        starts = self._starts(size)
        for _ in range(_PROBES if starts else 0):
            chosen, kept = random.choice(starts)
            weight, left = len(starts), self.lines
            tails: list[int] = []
            for more in range(size - len(chosen), 0, -1):
                total += weight * (20 + len(left))
                left = self._fitting(tails, kept, left, more)
                least = more - 1 + self.direction.label
                nexts = [y for y in left if (kept & y).bit_count() >= least]
                if not nexts:
                    break
                line = random.choice(nexts)
                weight *= len(nexts)
                tails = [*(tail & ~line for tail in tails), kept & ~line]
                kept &= line
        return total // _PROBES
