"""What private multiplicative weights know, and what they publish."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ccsim.appearance import one_line
from ccsim.release.queries.covers import Floats

Transcript: TypeAlias = tuple[tuple[int, int], ...]
"""The queries found, each with its measured number of records with label 1."""
Integers: TypeAlias = npt.NDArray[np.int64]


def estimated_counts(answers: Floats, size: int) -> Integers:
    """Return the numbers of records with label 1, of so many, that answers stand for."""
    return np.rint((answers + 1) / 2 * size).astype(np.int64)


@one_line
@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """What is known after some rounds."""

    cells: Floats  # A distribution on the cells
    answers: Floats  # what it answers to each query of the cover, from -1 to 1
    # answers that were given before the weights moved on, for queries in order
    fixed: dict[int, float]
    after: int = 0  # the first query that was not asked yet, for queries in order

    @property
    def released(self) -> Floats:
        """The answers; of queries in order what was known when they were asked, or measured."""
        found = self.answers.copy()
        for query, value in self.fixed.items():
            found[query] = value
        return found
