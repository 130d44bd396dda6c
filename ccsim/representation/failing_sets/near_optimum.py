"""Strategies that are nearly best in the game of random sets over few points, in floats.

Over few points all ways to fail are listed, so that the game between sets of hypotheses and
neighbourhoods can be played with both sides at once: whatever fails most becomes a row, the sets
that meet most of the mixture of rows become columns. What is found only suggests where the exact
game begins.

Main definition: `near_optimum`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.programs.game_program import GrowingGame
from ccsim.representation.failing_sets.heavy_families import heavy_families
from ccsim.representation.hitting_sets.neighbourhoods import Neighbourhood

__all__ = ["near_optimum"]

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]

_CLOSE = 1e-7
_NEW_ROWS = 20
_NEW_SETS = 30
_STARTS = 40


def near_optimum(
    concept_class: ConceptClass,
    error: Fraction,
    pool: Sequence[int],
    size: int,
    budget: Budget,
) -> tuple[list[Neighbourhood], list[tuple[int, ...]]]:
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

    Raises
    ------
    OutOfTimeError
        If the budget is over before.

    Notes
    -----
    Complexity: a linear program of some hundred rows and columns a round, some dozen rounds; a
    moment for 5 points, up to a minute for 6 points and sets of 4.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> rows, sets = near_optimum(points(1), Fraction(1, 4), range(4), 1, Budget())
    >>> sorted(sets), len(rows)
    ([(1,), (2,)], 2)
    """
    game = _Game(concept_class, error, pool, size, budget)
    with threadpool_limits(1, "blas"):  # its matrices are small: threads would wait for each other
        while game.extend():
            continue
    return game.outcome()


class _Game:
    """The rows and columns so far, and the master program."""

    def __init__(
        self, C: ConceptClass, error: Fraction, pool: Sequence[int], size: int, budget: Budget
    ) -> None:
        n = len(C.points)
        self._pool, self._size, self._budget = pool, min(size, len(pool)), budget
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
        self._best = (-1.0, np.ones(1))  # the mixture of rows with the best bound from below
        self._random = np.random.default_rng(0)
        self._add_set(tuple(range(self._size)))

    def _add_set(self, places: tuple[int, ...]) -> None:
        column: Booleans = np.all(self._fails[:, places], axis=1)
        self._sets.append(places)
        self._columns.append(column)
        self._master.add_column(np.flatnonzero(column[self._rows]).tolist())

    def extend(self) -> bool:
        """Play one round; False if neither side found a better strategy."""
        self._budget.spend()
        value, law = self._master.solve(self._budget)
        mixture = np.array(self._master.column_strategy())
        failure = sum(
            (p * column for p, column in zip(mixture, self._columns, strict=True) if p > 0),
            np.zeros(len(self._fails)),
        )
        self._failure, self._value = failure, value
        rows = [i for i in np.argsort(-failure)[:_NEW_ROWS].tolist() if failure[i] > value + _CLOSE]
        rows = [i for i in rows if i not in self._rows]
        exact = np.array(law)
        smooth = (exact + np.pad(self._best[1], (0, len(exact) - len(self._best[1])))) / 2
        found = (
            self._exchanged(smooth, exact, value)
            or self._exchanged(exact, exact, value)
            or self._better_sets(smooth, exact, value)
            or self._better_sets(exact, exact, value)
        )
        for i in rows:
            self._master.add_row([j for j, column in enumerate(self._columns) if column[i]])
            self._rows.append(i)
        for places in found:
            self._add_set(places)
        return bool(rows or found)

    def _better_sets(self, law: Floats, exact: Floats, value: float) -> list[tuple[int, ...]]:
        """Return sets good against one mixture that fail less than the value under another."""
        fails = self._fails[self._rows].T
        best, sets = _least_missed(fails, law, self._size, self._budget)
        if best > self._best[0]:
            self._best = (best, law)
        return self._improving(fails, sets, exact, value)[-_NEW_SETS:]

    def _exchanged(self, law: Floats, exact: Floats, value: float) -> list[tuple[int, ...]]:
        """Return sets as `_better_sets` does, from a search that may miss them."""
        fails = self._fails[self._rows].T
        used = law > 0
        sets = _exchange(
            fails[:, used].astype(float), law[used], self._starts(), self._budget
        )
        return self._improving(fails, sets, exact, value)[:_NEW_SETS]

    def _starts(self) -> NDArray[np.intp]:
        """Return sets to begin exchanges with: the last ones that were found, and random ones."""
        drawn = self._random.random((_STARTS, len(self._pool))).argsort(1)[:, : self._size]
        kept = [places for places in self._sets[-_STARTS:] if len(places) == self._size]
        return np.concatenate([np.array(kept, np.intp).reshape(-1, self._size), drawn])

    def _improving(
        self, fails: Booleans, sets: Iterable[tuple[int, ...]], exact: Floats, value: float
    ) -> list[tuple[int, ...]]:
        """Keep the new sets that fail less than the value."""
        missed = [(places, float(exact[fails[places, :].all(0)].sum())) for places in sets]
        known = set(self._sets)
        return [each for each, lost in missed if lost < value - _CLOSE and each not in known]

    def outcome(self) -> tuple[list[Neighbourhood], list[tuple[int, ...]]]:
        """Return the rows and sets that are tight in the last program."""
        near = []
        for i in self._rows:
            if self._failure[i] > self._value - 10 * _CLOSE:
                f, weights = self._laws[i]
                shared = gcd(*weights)
                near.append(Neighbourhood(f, tuple(w // shared for w in weights)))
        law = np.array(self._master.solve()[1])
        missed = [float(law[column[self._rows]].sum()) for column in self._columns]
        sets = [
            tuple(sorted(self._pool[j] for j in places))
            for places, weight in zip(self._sets, missed, strict=True)
            if weight < self._value + 10 * _CLOSE
        ]
        return near, sets


def _exchange(
    fails: Floats, law: Floats, starts: NDArray[np.intp], budget: Budget
) -> list[tuple[int, ...]]:
    """Exchange single hypotheses of all sets at once until none misses less; best sets first.

    Parameters
    ----------
    fails : array, hypotheses by rows
    law : array, rows
    starts : array, sets by places
        Each row a set of hypotheses.
    """
    sets = starts.copy()
    number, size = sets.shape
    every = np.arange(number)
    missed = np.full(number, np.inf)
    while True:
        budget.spend()
        before = missed
        for place in range(size):
            others = np.delete(sets, place, axis=1)
            rest = fails[others].prod(1) * law if size > 1 else np.broadcast_to(law, (number, len(law)))
            left = rest @ fails.T  # for each set, what is missed with each hypothesis in this place
            better = left.argmin(1)
            least = left[every, better]
            improved = least < left[every, sets[:, place]] - 1e-12
            sets[improved, place] = better[improved]
            missed = least
        if not np.any(missed < before - 1e-12):
            break
    found = dict.fromkeys(tuple(sorted(sets[i].tolist())) for i in np.argsort(missed, kind="stable"))
    return list(found)


def _least_missed(
    fails: Booleans, law: Floats, size: int, budget: Budget
) -> tuple[float, list[tuple[int, ...]]]:
    """Return the least weight of rows on which all of so many hypotheses fail, and good sets.

    A depth-first search: hypotheses that fail on less come first, and the last two are found at
    once by a product of matrices.

    Parameters
    ----------
    fails : array, hypotheses by rows
    law : array, rows
    """
    used = law > 0
    _, first = np.unique(fails[:, used], axis=0, return_index=True)
    candidates = np.sort(first)
    there = fails[candidates][:, used]
    more: Booleans = np.all(there[:, None, :] >= there[None, :, :], axis=2)
    candidates = candidates[~np.any(more & ~more.T, axis=1)]
    matrix: Any = fails[:, used].astype(float)
    best, sets = np.inf, list[tuple[int, ...]]()

    def visit(
        weights: Floats, left: NDArray[np.intp], number: int, chosen: tuple[int, ...]
    ) -> None:
        nonlocal best
        budget.spend()
        open_weights = matrix[left] * weights
        last_two = open_weights @ matrix[left].T if number == 2 else None
        missed = open_weights.sum(1)[:, None] if last_two is None else last_two
        if number <= 2:
            place = int(missed.argmin())
            a, b = divmod(place, missed.shape[1])
            if missed[a, b] < best - 1e-12:
                best = float(missed[a, b])
                more = {int(left[a]), int(left[b])} if number == 2 else {int(left[a])}
                sets.append(tuple(sorted({*chosen, *more})))
            return
        total, after = weights.sum(), missed[:, 0]
        order = np.argsort(after, kind="stable")
        gains = total - after[order]
        for a, place in enumerate(order):
            if total - gains[a : a + number].sum() >= best - 1e-12:
                return
            visit(open_weights[place], left[order[a:]], number - 1, (*chosen, int(left[place])))

    visit(law[used], candidates, min(size, len(candidates)), ())
    return best, sets
