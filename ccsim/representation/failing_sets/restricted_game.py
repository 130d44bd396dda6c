"""The game between some sets of hypotheses and some orbits of the ways to fail, in floats.

Main definition: `RestrictedGame`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ccsim.budget import Budget
from ccsim.programs.game_program import GrowingGame
from ccsim.representation.failing_sets.row_orbits import RowOrbits

__all__ = ["Columns", "RestrictedGame"]

Floats = NDArray[np.float64]
Columns = dict[tuple[int, ...], NDArray[Any]]
"""For each set, given by places, on which part of each orbit of rows it fails."""

_CLOSE = 1e-9
"""What floats leave open, and the solver is allowed; at 1e-7 some games end beside their corner."""
_NEWEST = 0.3
"""Of the mean of the mixtures of rows, which moves less wildly than the last one."""


class RestrictedGame:
    """The orbits of rows and the sets so far, the master program, and what it gave last.

    Parameters
    ----------
    fails : array, hypotheses by rows
        Where each hypothesis fails.
    orbits : RowOrbits
        Each is a row of the program.
    rows : list of int
        The orbits to begin with.
    sets : mapping of tuple of int to float
        The sets to begin with, by places, and their mixture until the program is solved.
    """

    def __init__(
        self,
        fails: NDArray[np.bool_],
        orbits: RowOrbits,
        rows: list[int],
        sets: Mapping[tuple[int, ...], float],
    ) -> None:
        self._fails = fails
        self.orbits, self.rows = orbits, rows
        self.sets: list[tuple[int, ...]] = []
        self.columns: list[NDArray[Any]] = []
        self._seen = set[bytes]()  # images of a set fail alike
        self._master = GrowingGame(len(rows), _CLOSE)
        self.mixture = [*sets.values()]  # of the last program
        self.law = self.mean = np.full(len(rows), 1 / len(rows))  # the mean: the last ones most
        for places in sets:
            self.add_set(places, self.column(places))
        self.is_rough, self.corner = False, 1  # sets that the last corner mixes
        self.failure = self._failing()
        self.value = float(np.max(self.failure))

    def solve(self, budget: Budget, *, roughly: bool = False) -> None:
        """Find the best strategies of both sides, and how much of each orbit fails.

        If it is done roughly, much that is about as good is mixed, which is faster where many rows
        and sets are.
        """
        self.value, law = self._master.solve(budget, roughly=roughly)
        self.is_rough = roughly
        self.law = np.array(law)
        self.mixture = self._master.column_strategy()
        self.corner = self.corner if roughly else sum(p > 0 for p in self.mixture)
        self.failure = self._failing()
        mean = np.pad(self.mean, (0, len(law) - len(self.mean)))
        self.mean = mean + _NEWEST * (self.law - mean)

    def _failing(self) -> Floats:
        """Return how much of each orbit fails under the mixture of sets."""
        mixed = zip(self.mixture, self.columns, strict=False)
        return sum((p * each for p, each in mixed if p > 0), np.zeros(len(self.orbits.sizes)))

    def column(self, places: tuple[int, ...]) -> NDArray[Any]:
        """Return on which part of each orbit a set fails."""
        return self.orbits.share(np.all(self._fails[list(places)], axis=0))

    def add_set(self, places: tuple[int, ...], column: NDArray[Any]) -> None:
        """Add a set, with its column."""
        self.sets.append(places)
        self.columns.append(column)
        self._seen.add(column.tobytes())
        paid = column[self.rows]
        used = np.flatnonzero(paid)
        self._master.add_column(used.tolist(), paid[used].tolist())

    def add_row(self, row: int) -> None:
        """Add an orbit of rows."""
        paying = [(j, column[row]) for j, column in enumerate(self.columns) if column[row]]
        self._master.add_row([j for j, _ in paying], [float(part) for _, part in paying])
        self.rows.append(row)

    def spread(self, law: Floats) -> Floats:
        """Return the weight of each row under a law of orbits."""
        weights = np.zeros(len(self.orbits.sizes))
        weights[self.rows[: len(law)]] = law
        spread: Floats = (weights / self.orbits.sizes)[self.orbits.rows]
        return spread

    def improving(self, sets: Iterable[tuple[int, ...]], most: int) -> Columns:
        """Return the first new sets that fail less than the value under the last mixture."""
        found: dict[bytes, tuple[tuple[int, ...], NDArray[Any]]] = {}
        for places in sets:
            column = self.column(places)
            lost = float(self.law @ column[self.rows[: len(self.law)]])
            if lost < self.value - _CLOSE and (alike := column.tobytes()) not in self._seen:
                found.setdefault(alike, (places, column))
            if len(found) == most:
                break
        return dict(found.values())

    def tight(self) -> NDArray[np.bool_]:
        """Return for each row whether it fails as often as the value, if that is not never."""
        often = (self.failure > self.value - 10 * _CLOSE) & (self.value > _CLOSE)
        tight: NDArray[np.bool_] = often[self.orbits.rows]
        return tight

    def tight_sets(self, law: Floats) -> list[tuple[int, ...]]:
        """Return the sets that fail about as little as any under a law of the rows."""
        weights = np.bincount(self.orbits.rows, law)
        missed = np.array([weights @ column for column in self.columns])
        return [self.sets[j] for j in np.flatnonzero(missed < missed.min() + 10 * _CLOSE)]

    def mixed(self) -> dict[tuple[int, ...], float]:
        """Return the sets that are drawn, with the probability of each."""
        return {s: p for s, p in zip(self.sets, self.mixture, strict=False) if p > 0}
