"""Rules of one shape: their regions of the table, and the sums over all of these at once.

Main definitions: `Block`, `Ranges`, `Subsets`.

Implementation notes: a block of ranges is a product: for each of its columns a list of ranges of
places; its sums are differences of prefix sums. A block of subsets has bit masks over the values
of one column.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ccsim.appearance import one_line
from ccsim.budget import check_time
from ccsim.learning.learners.representation import weighted_values
from ccsim.learning.rules.columns import Column, Values
from ccsim.learning.rules.rule import Between, Condition, OneOf

__all__ = ["Block", "Counts", "Ranges", "Subsets"]

Counts: TypeAlias = npt.NDArray[np.int64]


class Block(ABC):
    """Rules of one shape: all of its regions, with each of its labels inside."""

    columns: tuple[int, ...]
    labels: tuple[int, ...]

    @property
    @abstractmethod
    def regions(self) -> int:
        """Number of regions."""

    @abstractmethod
    def sums(self, weights: Counts) -> Counts:
        """Return for each region the sum of the weights of its cells."""

    @abstractmethod
    def conditions(self, number: int, columns: Sequence[Column]) -> tuple[Condition, ...]:
        """Return the conditions of a region."""


def _regions(kind: str, n: int) -> int:
    """Return the number of ranges of a kind over ``n`` places."""
    several = {"tails": n, "proper": n - 1, "intervals": n * (n + 1) // 2, "one": n, "any": n + 1}
    return several.get(kind, 1)


@one_line
@dataclass(frozen=True, slots=True)
class Ranges(Block):
    """A range of places on each of some columns, of one kind a column.

    The kinds: ``none`` and ``all`` places; ``tails``, all from a place on, and ``proper`` ones that
    leave places out; ``intervals``; each ``one`` place, and ``any``, that or all.
    """

    columns: tuple[int, ...]
    kinds: tuple[str, ...]
    places: tuple[int, ...]
    labels: tuple[int, ...]

    @property
    def regions(self) -> int:
        """Number of products of ranges."""
        return prod(_regions(kind, n) for kind, n in zip(self.kinds, self.places, strict=True))

    def _ends(self, axis: int) -> tuple[Counts, Counts]:
        """Return first place, and the place behind the last one, of each range of a column."""
        kind, n = self.kinds[axis], self.places[axis]
        each = np.arange(n, dtype=np.int64)
        if kind == "intervals":
            first, last = np.triu_indices(n)
            return first.astype(np.int64), last.astype(np.int64) + 1
        if kind in {"tails", "proper"}:
            each = each[kind == "proper" :]
            return each, np.full_like(each, n)
        if kind == "none":
            return each[:1], each[:1]
        all_places = np.array([0], dtype=np.int64), np.array([n], dtype=np.int64)
        if kind == "all":
            return all_places
        if kind == "one":
            return each, each + 1
        first, behind = all_places
        return np.concatenate([first, each]), np.concatenate([behind, each + 1])

    def sums(self, weights: Counts) -> Counts:
        """Return for each product of ranges the sum of the weights of its cells."""
        for axis in range(len(self.columns)):
            check_time()
            first, behind = self._ends(axis)
            before = np.concatenate(
                [np.zeros_like(weights.take([0], axis)), np.cumsum(weights, axis)], axis
            )
            weights = before.take(behind, axis) - before.take(first, axis)
        return weights.ravel()

    def conditions(self, number: int, columns: Sequence[Column]) -> tuple[Condition, ...]:
        """Return the conditions of a product of ranges; a range of all places is none."""
        ends = [self._ends(axis) for axis in range(len(self.columns))]
        at = np.unravel_index(number, [len(first) for first, _ in ends])
        found: list[Condition] = []
        for place, (first, behind), index in zip(at, ends, self.columns, strict=True):
            column, low, high = columns[index], int(first[place]), int(behind[place])
            if (low, high) == (0, column.places):
                continue
            if isinstance(column, Values) or low == high:
                values = column.values[low:high] if isinstance(column, Values) else ()
                found.append(OneOf(column.name, values))
            else:
                cuts = (*column.cuts, None)
                found.append(Between(column.name, cuts[low] if low else None, cuts[high]))
        return tuple(found)


@one_line
@dataclass(frozen=True, slots=True)
class Subsets(Block):
    """Sets of values of one column, as bit masks."""

    columns: tuple[int, ...]
    masks: Sequence[int]
    labels: tuple[int, ...] = (1,)

    @property
    def regions(self) -> int:
        """Number of sets."""
        return len(self.masks)

    def sums(self, weights: Counts) -> Counts:
        """Return for each set the sum of the weights of its values."""
        return weighted_values(self.masks, weights)

    def conditions(self, number: int, columns: Sequence[Column]) -> tuple[Condition, ...]:
        """Return the condition that a value is in a set."""
        column = columns[self.columns[0]]
        mask, values = self.masks[number], column.values if isinstance(column, Values) else ()
        return (OneOf(column.name, tuple(v for i, v in enumerate(values) if mask >> i & 1)),)
