"""The game between random sets and neighbourhoods over few points, in floats, round by round.

Whatever fails most becomes a row, the sets that meet most of the mixture of rows become columns.
Where the class has symmetries, the rows are orbits first, which gives an even mixture of
neighbourhoods and the value; then the rows are told apart, since sets with all their images would
be many.

Main definitions: `FloatGame`, `NearOptimum`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ccsim.appearance import one_line
from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.programs.game_program import GrowingGame
from ccsim.representation.failing_sets.heavy_families import heavy_families
from ccsim.representation.failing_sets.missing import exchanged, missing_less
from ccsim.representation.failing_sets.row_orbits import RowOrbits, row_orbits
from ccsim.representation.hitting_sets.neighbourhoods import Neighbourhood
from ccsim.symmetry.matrix import Symmetry
from ccsim.symmetry.subsets import orbit

__all__ = ["FloatGame", "NearOptimum"]

Floats = NDArray[np.float64]
Columns = dict[tuple[int, ...], NDArray[Any]]
"""For each set, given by places, on which part of each orbit of rows it fails."""

_CLOSE = 1e-7
_NEW_ROWS = 20
_NEW_SETS = 30
_FEW_SETS = 15
"""With so few, those are looked for as well that exchanges miss."""
_STARTS = 40
_IMAGES = 1000
"""About the number of images of sets with which the game begins whose rows are apart."""
_NEWEST = 0.3
"""Of the mean of the mixtures of rows, which moves less wildly than the last one."""


@one_line
@dataclass(frozen=True, slots=True)
class NearOptimum:
    """What is tight at nearly best strategies, with the probability that they give it.

    Attributes
    ----------
    rows : dict of Neighbourhood to float
    sets : dict of tuple of int to float
        Hypotheses as bit masks.
    orbits : tuple of tuple of tuple of int
        The sets that are mixed; those that stand together are given the same probability.
    against : tuple of Neighbourhood
        For each selection of the sets that are mixed which fail together, one where they do; one
        of each orbit where an even mixture fails everywhere in it alike.
    lower : float
        About what every set fails under the mixture of rows; the value, if neither side can do
        better than these.
    """

    rows: dict[Neighbourhood, float]
    sets: dict[tuple[int, ...], float]
    orbits: tuple[tuple[tuple[int, ...], ...], ...]
    against: tuple[Neighbourhood, ...]
    lower: float


class FloatGame:
    """The rows and columns so far, and the master program, in which an orbit is a row."""

    def __init__(
        self,
        C: ConceptClass,
        error: Fraction,
        pool: Sequence[int],
        size: int,
        symmetries: Sequence[Symmetry],
    ) -> None:
        n = len(C.points)
        self._C, self._pool, self._size = C, pool, (size := min(size, len(pool)))
        families = heavy_families(n, error)
        self._laws = [(f, law) for f in range(len(C)) for law in families.values()]
        every = np.arange(1 << n)
        holds = np.array([[family >> E & 1 for E in range(1 << n)] for family in families], bool)
        self._holds, hypotheses = holds, np.array(list(pool))
        self._fails = np.hstack([holds[:, every[row ^ hypotheses]].T for row in C.rows])
        self._random = np.random.default_rng(0)
        self._known = 0.0  # no set fails less
        self._best = (0.0, np.eye(1, len(self._laws))[0])  # the law with the best bound from below
        self._apart = row_orbits(C, holds, pool, [])
        self._even: tuple[list[list[tuple[int, ...]]], list[int]] | None = None
        self._start(row_orbits(C, holds, pool, symmetries), [0], {tuple(range(size)): 1.0})

    def _start(
        self, orbits: RowOrbits, rows: list[int], sets: Mapping[tuple[int, ...], float]
    ) -> None:
        """Make the master program anew, with a mixture of sets until it is solved."""
        self._orbits, self._rows = orbits, rows
        self._sets: list[tuple[int, ...]] = []
        self._columns: list[NDArray[Any]] = []
        self._master = GrowingGame(len(rows))
        self._mixture = [*sets.values()]  # of the last program
        self._law = self._mean = np.full(len(rows), 1 / len(rows))  # the mean: the last ones most
        for places in sets:
            self._add_set(places, self._column(places))
        self._failure = self._failing()
        self._value = float(np.max(self._failure))

    def _column(self, places: tuple[int, ...]) -> NDArray[Any]:
        """Return on which part of each orbit a set fails."""
        return self._orbits.share(np.all(self._fails[list(places)], axis=0))

    def _add_set(self, places: tuple[int, ...], column: NDArray[Any]) -> None:
        self._sets.append(places)
        self._columns.append(column)
        paid = column[self._rows]
        used = np.flatnonzero(paid)
        self._master.add_column(used.tolist(), paid[used].tolist())

    def _spread(self, law: Floats) -> Floats:
        """Return the weight of each row under a law of orbits."""
        weights = np.zeros(len(self._orbits.sizes))
        weights[self._rows[: len(law)]] = law
        spread: Floats = (weights / self._orbits.sizes)[self._orbits.rows]
        return spread

    def settle(self) -> None:
        """Keep the last mixture of rows, a corner, if it is about as good as the best one."""
        if self._best[0] > self._value - 10 * _CLOSE:
            self._best = (self._best[0], self._spread(self._law))

    def tell_apart(self, symmetries: Sequence[Symmetry]) -> None:
        """Go on with the rows that are tight, and with images of the sets, each by itself.

        Where an even mixture of whole orbits of sets is best already, it is kept, and that is all.
        """
        place = {row: i for i, row in enumerate(self._pool)}
        moves = [[place[each.mask(row)] for row in self._pool] for each in symmetries]
        self._known, law = self._best
        mixed = {s: p for s, p in zip(self._sets, self._mixture, strict=False) if p > 0}
        limit = _IMAGES // max(1, len(mixed))
        for number in range(len(moves) + 1):
            orbits = [orbit(places, moves[:number], _image, limit) for places in mixed]
            if any(len(images) > limit for images in orbits):
                break
            if self._fail_least(orbits, mixed.values()):  # as all symmetries do, but fewer sets
                alike = row_orbits(self._C, self._holds, self._pool, symmetries[:number])
                self._even = orbits, np.unique(alike.rows, return_index=True)[1].tolist()
                return
        sets = dict.fromkeys(self._tight_sets(law), 0.0)
        for places, share in mixed.items():
            images = orbit(places, moves, _image, limit)
            sets |= dict.fromkeys(images, share / len(images))
        self._start(self._apart, np.flatnonzero((law > 0) | self._tight()).tolist(), sets)

    def _fail_least(
        self, orbits: Sequence[Sequence[tuple[int, ...]]], shares: Iterable[float]
    ) -> bool:
        """Say whether an even mixture of orbits of sets fails as little as is known that all do."""
        failure = np.zeros(self._fails.shape[1])
        for images, share in zip(orbits, shares, strict=True):
            for places in images:
                failure += share / len(images) * np.all(self._fails[list(places)], axis=0)
        return bool(np.max(failure) <= self._known + _CLOSE)

    def extend(self, budget: Budget) -> bool:
        """Play one round; False if neither side found a better strategy."""
        budget.spend()
        if self._even or np.max(self._failure) <= self._known + _CLOSE:
            return False
        self._value, law = self._master.solve(budget)
        self._law = np.array(law)
        self._mixture = self._master.column_strategy()
        self._failure = self._failing()
        worst = [i for i in np.argsort(-self._failure)[:_NEW_ROWS].tolist() if i not in self._rows]
        rows = [i for i in worst if self._failure[i] > self._value + _CLOSE]
        mean = np.pad(self._mean, (0, len(law) - len(self._mean)))
        self._mean = smooth = mean + _NEWEST * (self._law - mean)
        found: Columns = {}
        for search in (self._exchanged, self._better_sets):
            for each in (smooth, self._law):
                if self._value > self._known + _CLOSE and len(found) < _FEW_SETS:
                    found |= search(each, budget)
        for i in rows:
            paying = [(j, column[i]) for j, column in enumerate(self._columns) if column[i]]
            self._master.add_row([j for j, _ in paying], [float(part) for _, part in paying])
            self._rows.append(i)
        for places, column in found.items():
            self._add_set(places, column)
        return bool(rows or found)

    def _failing(self) -> Floats:
        """Return how much of each orbit fails under the mixture of sets."""
        mixed = zip(self._mixture, self._columns, strict=False)
        return sum((p * each for p, each in mixed if p > 0), np.zeros(len(self._orbits.sizes)))

    def bound(self, budget: Budget) -> None:
        """Find what every set fails under the last mixture of rows."""
        spread = self._spread(self._law)
        missed, _ = self._missing_less(spread, np.inf, budget, best=True)[0]
        if missed > self._best[0]:
            self._best = (missed, spread)

    def _better_sets(self, law: Floats, budget: Budget) -> Columns:
        """Return sets good against one mixture that fail less than the value under the last."""
        spread = self._spread(law)
        sets = self._missing_less(spread, self._value - _CLOSE, budget)
        if not sets and self._value > self._best[0]:
            self._best = (self._value, spread)
        return self._improving(places for _, places in sets)

    def _missing_less(
        self, spread: Floats, limit: float, budget: Budget, *, best: bool = False
    ) -> list[tuple[float, tuple[int, ...]]]:
        used = np.flatnonzero(spread)
        fails, kinds = self._fails[:, used], self._orbits.hypotheses
        return missing_less(fails, spread[used], self._size, kinds, limit, budget, best=best)

    def _exchanged(self, law: Floats, budget: Budget) -> Columns:
        """Return sets as `_better_sets` does, from a search that may miss them."""
        spread = self._spread(law)
        used = np.flatnonzero(spread)
        fails = self._fails[:, used].astype(float)
        return self._improving(exchanged(fails, spread[used], self._starts(), budget))

    def _starts(self) -> NDArray[np.intp]:
        """Return sets to begin exchanges with: the last ones that were found, and random ones."""
        drawn = self._random.random((_STARTS, len(self._pool))).argsort(1)[:, : self._size]
        kept = [places for places in self._sets[-_STARTS:] if len(places) == self._size]
        return np.concatenate([np.array(kept, np.intp).reshape(-1, self._size), drawn])

    def _improving(self, sets: Iterable[tuple[int, ...]]) -> Columns:
        """Return the first sets that fail less than the value under the last mixture of rows."""
        found: Columns = {}
        seen = set[bytes]()  # images of a set fail alike
        for places in sets:
            column = self._column(places)
            lost = float(self._law @ column[self._rows[: len(self._law)]])
            if lost < self._value - _CLOSE and column.tobytes() not in seen:
                seen.add(column.tobytes())
                found[places] = column
            if len(found) == _NEW_SETS:
                break
        return found

    def _tight(self) -> NDArray[np.bool_]:
        """Return for each row whether it fails as often as the value, if that is not never."""
        often = (self._failure > self._value - 10 * _CLOSE) & (self._value > _CLOSE)
        tight: NDArray[np.bool_] = often[self._orbits.rows]
        return tight

    def _tight_sets(self, law: Floats) -> list[tuple[int, ...]]:
        """Return the sets that fail about as little as any under a law of the rows."""
        weights = np.bincount(self._orbits.rows, law)
        missed = np.array([weights @ column for column in self._columns])
        return [self._sets[j] for j in np.flatnonzero(missed < missed.min() + 10 * _CLOSE)]

    def outcome(self) -> NearOptimum:
        """Return the rows and sets that are tight or mixed."""
        lower, law = self._best
        used = np.flatnonzero((law > 0) | self._tight()).tolist()
        rows = {self._neighbourhood(i): float(law[i]) for i in used}
        shares = dict.fromkeys(self._tight_sets(law), 0.0)
        shares |= {s: p for s, p in zip(self._sets, self._mixture, strict=False) if p > 0}
        if self._even is not None:
            orbits, against = self._even
        else:
            orbits = [[s] for s, p in shares.items() if p > 0]
            mixed = np.array([self._column(s) > 0 for [s] in orbits])
            patterns = [row.tobytes() for row in np.packbits(mixed, axis=0).T]
            against = [*{pattern: i for i, pattern in reversed([*enumerate(patterns)])}.values()]
        return NearOptimum(
            rows,
            {self._hypotheses(s): p for s, p in shares.items()},
            tuple(tuple(map(self._hypotheses, each)) for each in orbits),
            tuple(map(self._neighbourhood, against)),
            lower,
        )

    def _hypotheses(self, places: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(self._pool[j] for j in places))

    def _neighbourhood(self, row: int) -> Neighbourhood:
        f, weights = self._laws[row]
        shared = gcd(*weights)
        return Neighbourhood(f, tuple(w // shared for w in weights))


def _image(places: tuple[int, ...], move: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted(move[j] for j in places))
