"""Strategies that are nearly best in the game of random sets over few points, in floats.

Over few points all ways to fail are listed, so that the game between sets of hypotheses and
neighbourhoods can be played with both sides at once: whatever fails most becomes a row, the sets
that meet most of the mixture of rows become columns. What is found only suggests where the exact
game begins.

Main definitions: `near_optimum`, `NearOptimum`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from ccsim.appearance import one_line
from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.programs.game_program import GrowingGame
from ccsim.representation.failing_sets.heavy_families import heavy_families
from ccsim.representation.failing_sets.missing import exchanged, least_missed
from ccsim.representation.hitting_sets.neighbourhoods import Neighbourhood

__all__ = ["NearOptimum", "near_optimum"]

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]

_CLOSE = 1e-7
_NEW_ROWS = 20
_NEW_SETS = 30
_STARTS = 40
_NEWEST = 0.3
"""Of the mean of the mixtures of rows, which moves less wildly than the last one."""
_PART = 0.5
"""Of the time, for what needs no proof; the rest is for proofs."""


@one_line
@dataclass(frozen=True, slots=True)
class NearOptimum:
    """What is tight at nearly best strategies, with the probability that they give it.

    Attributes
    ----------
    rows : dict of Neighbourhood to float
    sets : dict of tuple of int to float
        Hypotheses as bit masks.
    against : tuple of Neighbourhood
        For each selection of the sets that are mixed which fail together, one where they do.
    lower : float
        About what every set fails under the mixture of rows; the value, if neither side can do
        better than these.
    """

    rows: dict[Neighbourhood, float]
    sets: dict[tuple[int, ...], float]
    against: tuple[Neighbourhood, ...]
    lower: float


def near_optimum(
    concept_class: ConceptClass,
    error: Fraction,
    pool: Sequence[int],
    size: int,
    budget: Budget,
) -> NearOptimum:
    """Return neighbourhoods and sets of hypotheses that nearly best strategies mix.

    Parameters
    ----------
    concept_class : ConceptClass
        Over at most `heavy_families.MAX_POINTS` points.
    error : Fraction
    pool : sequence of int
        The hypotheses admitted, as bit masks.
    size : int
        Most hypotheses of a set.
    budget : Budget
        When half of it is spent, the strategies that are there are returned.

    Notes
    -----
    Complexity: a linear program of some hundred rows and columns a round, some dozen rounds; a
    moment for 5 points, seconds for 6 points and sets of 4, up to a minute for sets of 5.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> found = near_optimum(points(1), Fraction(1, 4), range(4), 1, Budget())
    >>> sorted(found.sets.items()), len(found.rows), found.lower
    ([((1,), 0.5), ((2,), 0.5)], 2, 0.5)
    """
    game = _Game(concept_class, error, pool, size)
    with threadpool_limits(1, "blas"):  # its matrices are small: threads would wait for each other
        with budget.share(_PART) as share:
            while game.extend(share):
                continue
        if share.expired:
            with budget.share(_PART) as share:
                game.bound(share)
    return game.outcome()


class _Game:
    """The rows and columns so far, and the master program."""

    def __init__(self, C: ConceptClass, error: Fraction, pool: Sequence[int], size: int) -> None:
        n = len(C.points)
        self._pool, self._size = pool, min(size, len(pool))
        families = heavy_families(n, error)
        self._laws = [(f, law) for f in range(len(C)) for law in families.values()]
        every = np.arange(1 << n)
        holds = np.array([[family >> E & 1 for E in range(1 << n)] for family in families], bool)
        hypotheses = np.array(list(pool))
        self._fails = np.concatenate([holds[:, every[row ^ hypotheses]] for row in C.rows])
        self._master = GrowingGame(1)
        self._rows = [0]
        self._sets: list[tuple[int, ...]] = []
        self._columns: list[Booleans] = []
        self._best = (0.0, np.ones(1))  # the mixture of rows with the best bound from below
        self._mean = np.ones(1)  # of the mixtures of rows so far, the last ones most
        self._value, self._law, self._mixture = 1.0, np.ones(1), [1.0]  # of the last program
        self._random = np.random.default_rng(0)
        self._add_set(tuple(range(self._size)))
        self._failure = self._columns[0].astype(float)

    def _add_set(self, places: tuple[int, ...]) -> None:
        column: Booleans = np.all(self._fails[:, places], axis=1)
        self._sets.append(places)
        self._columns.append(column)
        self._master.add_column(np.flatnonzero(column[self._rows]).tolist())

    def extend(self, budget: Budget) -> bool:
        """Play one round; False if neither side found a better strategy."""
        budget.spend()
        self._value, law = self._master.solve(budget)
        self._law = np.array(law)
        self._mixture = self._master.column_strategy()
        self._failure = sum(
            (p * column for p, column in zip(self._mixture, self._columns, strict=True) if p > 0),
            np.zeros(len(self._fails)),
        )
        worst = [i for i in np.argsort(-self._failure)[:_NEW_ROWS].tolist() if i not in self._rows]
        rows = [i for i in worst if self._failure[i] > self._value + _CLOSE]
        mean = np.pad(self._mean, (0, len(law) - len(self._mean)))
        self._mean = smooth = mean + _NEWEST * (self._law - mean)
        found = self._value > _CLOSE and (  # no set fails less than never
            self._exchanged(smooth, budget)
            or self._exchanged(self._law, budget)
            or self._better_sets(smooth, budget)
            or self._better_sets(self._law, budget)
        )
        for i in rows:
            self._master.add_row([j for j, column in enumerate(self._columns) if column[i]])
            self._rows.append(i)
        for places in found or ():
            self._add_set(places)
        return bool(rows or found)

    def bound(self, budget: Budget) -> None:
        """Find what every set fails under the last mixture of rows."""
        self._better_sets(self._law, budget)

    def _better_sets(self, law: Floats, budget: Budget) -> list[tuple[int, ...]]:
        """Return sets good against one mixture that fail less than the value under the last."""
        fails = self._fails[self._rows[: len(law)]].T
        best, sets = least_missed(fails, law, self._size, budget)
        if best > self._best[0]:
            self._best = (best, law)
        return self._improving(fails, sets)[-_NEW_SETS:]

    def _exchanged(self, law: Floats, budget: Budget) -> list[tuple[int, ...]]:
        """Return sets as `_better_sets` does, from a search that may miss them."""
        fails = self._fails[self._rows].T
        used = law > 0
        sets = exchanged(fails[:, used].astype(float), law[used], self._starts(), budget)
        return self._improving(fails, sets)[:_NEW_SETS]

    def _starts(self) -> NDArray[np.intp]:
        """Return sets to begin exchanges with: the last ones that were found, and random ones."""
        drawn = self._random.random((_STARTS, len(self._pool))).argsort(1)[:, : self._size]
        kept = [places for places in self._sets[-_STARTS:] if len(places) == self._size]
        return np.concatenate([np.array(kept, np.intp).reshape(-1, self._size), drawn])

    def _improving(self, fails: Booleans, sets: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """Keep the new sets that fail less than the value under the last mixture of rows."""
        law = self._law
        missed = [(places, float(law[fails[places, :].all(0)].sum())) for places in sets]
        known = set(self._sets)
        return [each for each, lost in missed if lost < self._value - _CLOSE and each not in known]

    def outcome(self) -> NearOptimum:
        """Return the rows and sets that are tight or mixed."""
        lower, best = self._best
        law = np.zeros(len(self._rows))
        given = self._law if lower > self._value - 10 * _CLOSE else best
        law[: len(given)] = given
        tight = self._failure > self._value - 10 * _CLOSE
        rows = {
            self._neighbourhood(i): share
            for i, share in zip(self._rows, law.tolist(), strict=True)
            if share > 0 or tight[i]
        }
        mixture = np.zeros(len(self._sets))
        mixture[: len(self._mixture)] = self._mixture
        missed = np.array([law[column[self._rows]].sum() for column in self._columns])
        good = (mixture > 0) | (missed < self._value + 10 * _CLOSE)
        sets = {
            tuple(sorted(self._pool[j] for j in self._sets[place])): float(mixture[place])
            for place in np.flatnonzero(good)
        }
        mixed = np.array([self._columns[place] for place in np.flatnonzero(mixture > 0)])
        _, first = np.unique(mixed, axis=1, return_index=True)
        against = tuple(self._neighbourhood(i) for i in first.tolist())
        return NearOptimum(rows, sets, against, lower)

    def _neighbourhood(self, row: int) -> Neighbourhood:
        f, weights = self._laws[row]
        shared = gcd(*weights)
        return Neighbourhood(f, tuple(w // shared for w in weights))
