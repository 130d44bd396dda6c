"""Equations between Bob's answers: dependencies of laws are combined by minors, in floats.

Inputs are removed so that they have no part.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np

from ccsim.appearance import one_line

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
# dependencies that are combined, and the inputs that are removed
Name: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]


def _of_size(number: int, removable: range, size: int) -> Iterator[Name]:
    """Yield what so many of the dependencies give."""
    for used in combinations(range(number), size):
        for removed in combinations(removable, size - 1):
            yield used, removed


def number_of_equations(number: int, messages: int) -> int:
    """Return how many ways there are to combine dependencies, of which messages are removed."""
    sizes = range(1, min(number, messages + 1) + 1)
    return sum(1 for size in sizes for _ in _of_size(number, range(messages), size))


@one_line
@dataclass(frozen=True)
class Equations:
    """All equations of so many dependencies."""

    number: int  # of dependencies
    removable: range  # inputs that may be removed

    @cached_property
    def _sizes(self) -> list[list[Name]]:
        most = min(self.number, len(self.removable) + 1)
        return [list(_of_size(self.number, self.removable, s)) for s in range(1, most + 1)]

    @cached_property
    def names(self) -> list[Name]:
        """The equations, those of fewer dependencies first."""
        return [name for names in self._sizes for name in names]

    @cached_property
    def plan(self) -> tuple[Array, Array, Array, Array]:
        """Of each equation the number of dependencies, these, what is removed first, and minors.

        Minors are equations of fewer dependencies, by their places among the names.
        """
        place = {name: i for i, name in enumerate(self.names)}
        used, minors = np.zeros((2, len(place), max(map(len, self._sizes[-1][0])) + 1), np.int64)
        first = np.zeros(len(place), np.int64)
        for i, (listed, removed) in enumerate(self.names):
            used[i, : len(listed)] = listed
            if removed:
                first[i] = removed[0]
                less = ((*listed[:j], *listed[j + 1 :]) for j in range(len(listed)))
                minors[i, : len(listed)] = [place[each, removed[1:]] for each in less]
        return np.array([len(listed) for listed, _ in self.names]), used, first, minors
