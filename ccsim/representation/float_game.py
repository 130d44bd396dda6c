"""The game between random sets and neighbourhoods over few points, solved in floats by rounds.

In the first rounds, the rows of the game are orbits of neighbourhoods under symmetries; in later
rounds, they are single neighbourhoods, because there would be too many images of sets. The result
is only a starting point for the exact game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.data import frozen
from ccsim.parallel.threads import one_thread
from ccsim.programs.game import GrowingGame
from ccsim.representation.failure import heavy_families
from ccsim.representation.meeting import meeting_sets
from ccsim.representation.neighbourhoods import Neighbourhood
from ccsim.symmetry.groups import orbit, orbits_of
from ccsim.symmetry.matrix import Symmetry

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]
Columns = dict[tuple[int, ...], NDArray[Any]]
"""For each set of positions in the pool, the fraction of each orbit of rows on which it fails."""
_CLOSE = 1e-9
"""Tolerance of comparisons and of the solver; with 1e-7 some games miss their vertex."""
_NEW = 30
"""Maximum number of new rows and sets per round, unless the last vertex mixes many more."""
_PART = 0.5
_LARGE = 300
"""Number of sets in a vertex above which programs are solved roughly while many are found."""
_LITTLE = 1e-4  # what has less of a mean of mixtures is left out of it, for shorter proofs
_STARTS = 40
_IMAGES = 1000  # about the number of images of sets with which the game begins whose rows are apart
_NEWEST = 0.3  # of the mean of the mixtures of rows, which moves less wildly than the last one
_MOST = 2000
_UNIT = 1 << 50  # the weights of rows, which add up to about 1, are rounded to parts of it
_PLAYED = 0.65  # of the time, for what needs no proof; the rest is for proofs
_PART_FOR_ROWS = 0.6  # of what is left then, for a bound or for rows told apart


@frozen
class NearOptimum:
    """The tight rows and sets of near-optimal strategies, with their probabilities."""

    rows: dict[Neighbourhood, float]
    sets: dict[tuple[int, ...], float]  # hypotheses as bit masks
    # the sets that are mixed; those that stand together are given the same probability
    orbits: tuple[tuple[tuple[int, ...], ...], ...]
    # for each selection of the sets that are mixed which fail together, one where they do; one of
    # each orbit where an even mixture fails everywhere in it alike
    against: tuple[Neighbourhood, ...]
    # about what every set fails under the mixture of rows; the value, if neither side can do better
    # than these
    lower: float
    ended: bool  # whether that is so; else the time was over before


def near_optimum(game: FloatGame, budget: Budget, target: Fraction | None = None) -> NearOptimum:
    """Return neighbourhoods and sets of hypotheses in near-optimal strategies.

    Complexity: a linear program of a few hundred rows and columns for each of a few dozen rounds.
    """
    with one_thread():
        with budget.share(_PLAYED) as share:
            while game.extend(share, target):
                continue
        if expired := share.expired:
            with budget.share(_PART_FOR_ROWS) as share:
                game.bound(share)
        game.settle()
        if game.symmetries:
            game.tell_apart()
            with budget.share(_PART_FOR_ROWS) as share:
                while game.extend(share, target):
                    continue
            expired = share.expired
    return game.outcome(ended=not expired)


class FloatGame:
    """The rows and sets found so far, and the master program, whose rows are orbits."""

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
        self.symmetries = symmetries
        families = heavy_families(n, error)
        self._distributions = [
            (f, distribution) for f in range(len(C)) for distribution in families.values()
        ]
        every = np.arange(1 << n)
        holds = np.array([[family >> E & 1 for E in range(1 << n)] for family in families], bool)
        self._holds, hypotheses = holds, np.array(list(pool))
        self._fails = np.hstack([holds[:, every[row ^ hypotheses]].T for row in C.rows])
        self._random = np.random.default_rng(0)
        self._roughly = True
        self._known = 0.0  # no set fails less
        self._best = (
            0.0,
            np.eye(1, len(self._distributions))[0],
        )  # the law with the best bound from below
        self._apart = row_orbits(C, holds, pool, [])
        self._even: tuple[list[list[tuple[int, ...]]], list[int]] | None = None
        orbits = row_orbits(C, holds, pool, symmetries)
        self._game = RestrictedGame(self._fails, orbits, [0], {tuple(range(size)): 1.0})

    def settle(self) -> None:
        """Keep the last mixture of rows, a vertex, if it is nearly as good as the best one."""
        if self._best[0] > self._game.value - 10 * _CLOSE:
            self._best = (self._best[0], self._game.spread(self._game.distribution))

    def tell_apart(self) -> None:
        """Replace orbits by single rows and images of sets, unless orbits are optimal."""
        place = {row: i for i, row in enumerate(self._pool)}
        moves = [[place[each.mask(row)] for row in self._pool] for each in self.symmetries]
        self._known, distribution = self._best
        mixed = self._game.mixed()
        limit = _IMAGES // max(1, len(mixed))
        for number in range(len(moves) + 1):
            orbits = [orbit(places, moves[:number], _image, limit) for places in mixed]
            if any(len(images) > limit for images in orbits):
                break
            if self._fail_least(orbits, mixed.values()):  # as all symmetries do, but fewer sets
                alike = row_orbits(self._C, self._holds, self._pool, self.symmetries[:number])
                self._even = orbits, np.unique(alike.rows, return_index=True)[1].tolist()
                return
        sets = dict.fromkeys(self._game.tight_sets(distribution), 0.0)
        for places, share in mixed.items():
            images = orbit(places, moves, _image, limit)
            sets |= dict.fromkeys(images, share / len(images))
        rows = np.flatnonzero((distribution > 0) | self._game.tight()).tolist()
        self._game = RestrictedGame(self._fails, self._apart, rows, sets)

    def _fail_least(
        self, orbits: Sequence[Sequence[tuple[int, ...]]], shares: Iterable[float]
    ) -> bool:
        """Whether a mixture uniform on orbits of sets attains the known lower bound."""
        failure = np.zeros(self._fails.shape[1])
        for images, share in zip(orbits, shares, strict=True):
            for places in images:
                failure += share / len(images) * np.all(self._fails[list(places)], axis=0)
        return bool(np.max(failure) <= self._known + _CLOSE)

    def extend(self, budget: Budget, target: Fraction | None = None) -> bool:
        """Play one round; return whether either side may still improve its strategy."""
        budget.spend()
        game, failure = self._game, float(np.max(self._game.failure))
        if self._even or failure <= self._known + _CLOSE:
            return False
        if target is not None and failure < target - _CLOSE:
            if not game.is_rough:
                return False
            self._roughly = False  # a corner mixes fewer sets
        game.solve(budget, roughly=self._roughly and game.corner > _LARGE)
        new = max(_NEW, int(_PART * game.corner))
        worst = [i for i in np.argsort(-game.failure)[:new].tolist() if i not in game.rows]
        rows = [i for i in worst if game.failure[i] > game.value + _CLOSE]
        found: Columns = {}
        for search in (self._exchanged, self._better_sets):
            for each in (game.mean, game.distribution):
                if game.value > self._known + _CLOSE and len(found) < new / 2:
                    found |= game.improving(search(each, budget), new)
        for i in rows:
            game.add_row(i)
        for places, column in found.items():
            game.add_set(places, column)
        if game.is_rough:  # the last few sets are found faster from corners
            self._roughly = len(found) >= new / 2 or game.value <= self._known + _CLOSE
            return True
        return bool(rows or found)

    def bound(self, budget: Budget) -> None:
        """Compute the minimum failure under the mean mixture; end with optimal strategies."""
        mean = np.where(self._game.mean < _LITTLE, 0, self._game.mean)
        spread = self._game.spread(mean / mean.sum())
        missed, _ = self._missing_less(spread, np.inf, budget, best=True)[0]
        if missed > self._best[0]:
            self._best = (missed, spread)
        if self._game.is_rough:
            self._game.solve(budget)

    def _better_sets(self, distribution: Floats, budget: Budget) -> list[tuple[int, ...]]:
        """Return sets with failure below the value under a mixture of rows."""
        spread = self._game.spread(distribution)
        sets = self._missing_less(spread, self._game.value - _CLOSE, budget)
        if not sets and self._game.value > self._best[0]:
            self._best = (self._game.value, spread)
        return [places for _, places in sets]

    def _missing_less(
        self, spread: Floats, limit: float, budget: Budget, *, best: bool = False
    ) -> list[tuple[float, tuple[int, ...]]]:
        used = np.flatnonzero(spread)
        fails, kinds = self._fails[:, used], self._game.orbits.hypotheses
        return missing_less(fails, spread[used], self._size, kinds, limit, budget, best=best)

    def _exchanged(self, distribution: Floats, budget: Budget) -> list[tuple[int, ...]]:
        """Return sets as `_better_sets` does, by a heuristic that may miss some."""
        spread = self._game.spread(distribution)
        used = np.flatnonzero(spread)
        fails = self._fails[:, used].astype(float)
        return exchanged(fails, spread[used], self._starts(), budget)

    def _starts(self) -> NDArray[np.intp]:
        """Return initial sets for exchanges: the sets found last, and random ones."""
        drawn = self._random.random((_STARTS, len(self._pool))).argsort(1)[:, : self._size]
        kept = [places for places in self._game.sets[-_STARTS:] if len(places) == self._size]
        return np.concatenate([np.array(kept, np.intp).reshape(-1, self._size), drawn])

    def outcome(self, *, ended: bool) -> NearOptimum:
        """Return the rows and sets that are tight or have positive probability."""
        lower, distribution = self._best
        used = np.flatnonzero((distribution > 0) | self._game.tight()).tolist()
        rows = {self._neighbourhood(i): float(distribution[i]) for i in used}
        shares = dict.fromkeys(self._game.tight_sets(distribution), 0.0) | self._game.mixed()
        if self._even is not None:
            orbits, against = self._even
        else:
            orbits = [[s] for s, p in shares.items() if p > 0]
            mixed = np.array([self._game.column(s) > 0 for [s] in orbits])
            patterns = [row.tobytes() for row in np.packbits(mixed, axis=0).T]
            against = [*{pattern: i for i, pattern in reversed([*enumerate(patterns)])}.values()]
        return NearOptimum(
            rows,
            {self._hypotheses(s): p for s, p in shares.items()},
            tuple(tuple(map(self._hypotheses, each)) for each in orbits),
            tuple(map(self._neighbourhood, against)),
            lower,
            ended,
        )

    def _hypotheses(self, places: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(self._pool[j] for j in places))

    def _neighbourhood(self, row: int) -> Neighbourhood:
        f, weights = self._distributions[row]
        shared = gcd(*weights)
        return Neighbourhood(f, tuple(w // shared for w in weights))


class RestrictedGame:
    """The orbits of rows and the sets found so far, with the master program and its solution."""

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
        self.distribution = self.mean = np.full(
            len(rows), 1 / len(rows)
        )  # the mean: the last ones most
        for places in sets:
            self.add_set(places, self.column(places))
        self.is_rough, self.corner = False, 1  # sets that the last corner mixes
        self.failure = self._failing()
        self.value = float(np.max(self.failure))

    def solve(self, budget: Budget, *, roughly: bool = False) -> None:
        """Find optimal or approximate strategies of both players, and the failure on each orbit."""
        self.value, distribution = self._master.solve(budget, roughly=roughly)
        self.is_rough = roughly
        self.distribution = np.array(distribution)
        self.mixture = self._master.column_strategy()
        self.corner = self.corner if roughly else sum(p > 0 for p in self.mixture)
        self.failure = self._failing()
        mean = np.pad(self.mean, (0, len(distribution) - len(self.mean)))
        self.mean = mean + _NEWEST * (self.distribution - mean)

    def _failing(self) -> Floats:
        """Return the failure probability on each orbit under the mixture of sets."""
        mixed = zip(self.mixture, self.columns, strict=False)
        return sum((p * each for p, each in mixed if p > 0), np.zeros(len(self.orbits.sizes)))

    def column(self, places: tuple[int, ...]) -> NDArray[Any]:
        """Return the fraction of each orbit on which a set fails."""
        return self.orbits.share(np.all(self._fails[list(places)], axis=0))

    def add_set(self, places: tuple[int, ...], column: NDArray[Any]) -> None:
        """Add a set of hypotheses with its column of the game."""
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

    def spread(self, distribution: Floats) -> Floats:
        """Return the weight of each row under a distribution on orbits."""
        weights = np.zeros(len(self.orbits.sizes))
        weights[self.rows[: len(distribution)]] = distribution
        spread: Floats = (weights / self.orbits.sizes)[self.orbits.rows]
        return spread

    def improving(self, sets: Iterable[tuple[int, ...]], most: int) -> Columns:
        """Return up to ``most`` new sets with failure below the value under the last mixture."""
        found: dict[bytes, tuple[tuple[int, ...], NDArray[Any]]] = {}
        for places in sets:
            column = self.column(places)
            lost = float(self.distribution @ column[self.rows[: len(self.distribution)]])
            if lost < self.value - _CLOSE and (alike := column.tobytes()) not in self._seen:
                found.setdefault(alike, (places, column))
            if len(found) == most:
                break
        return dict(found.values())

    def tight(self) -> NDArray[np.bool_]:
        """Return, for each row, whether its failure probability equals the (positive) value."""
        often = (self.failure > self.value - 10 * _CLOSE) & (self.value > _CLOSE)
        tight: NDArray[np.bool_] = often[self.orbits.rows]
        return tight

    def tight_sets(self, distribution: Floats) -> list[tuple[int, ...]]:
        """Return the sets with nearly minimum failure under a distribution on rows."""
        weights = np.bincount(self.orbits.rows, distribution)
        missed = np.array([weights @ column for column in self.columns])
        return [self.sets[j] for j in np.flatnonzero(missed < missed.min() + 10 * _CLOSE)]

    def mixed(self) -> dict[tuple[int, ...], float]:
        """Return the sets of positive probability, with their probabilities."""
        return {s: p for s, p in zip(self.sets, self.mixture, strict=False) if p > 0}


def _image(places: tuple[int, ...], move: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted(move[j] for j in places))


def exchanged(
    fails: Floats, distribution: Floats, starts: NDArray[np.intp], budget: Budget
) -> list[tuple[int, ...]]:
    """Improve all sets by exchanging single hypotheses; return the sets, best first."""
    sets = starts.copy()
    number, size = sets.shape
    every = np.arange(number)
    missed = np.full(number, np.inf)
    while True:
        budget.spend()
        before = missed
        for place in range(size):
            others = np.delete(sets, place, axis=1)
            rest = fails[others].prod(1) * distribution
            left = rest @ fails.T  # for each set, what is missed with each hypothesis in this place
            better = left.argmin(1)
            least = left[every, better]
            improved = least < left[every, sets[:, place]] - 1e-12
            sets[improved, place] = better[improved]
            missed = least
        if not np.any(missed < before - 1e-12):
            break
    found = dict.fromkeys(
        tuple(sorted(sets[i].tolist())) for i in np.argsort(missed, kind="stable")
    )
    return list(found)


def missing_less(
    fails: Booleans,
    distribution: Floats,
    size: int,
    kinds: NDArray[np.intp],
    limit: float,
    budget: Budget,
    *,
    best: bool = False,
) -> list[tuple[float, tuple[int, ...]]]:
    """Return sets that miss weight below a limit, as pairs of missed weight and set."""
    used = distribution > 0
    _, first = np.unique(fails[:, used], axis=0, return_index=True)
    candidates = np.sort(first)
    there = fails[candidates][:, used]
    more: Booleans = np.all(there[:, None, :] >= there[None, :, :], axis=2)
    candidates = candidates[~np.any(more & ~more.T, axis=1)]
    weights = np.rint(distribution[used] * _UNIT).astype(np.int64)
    holds = ~fails[candidates][:, used].T
    target = max(-1, int(weights.sum()) - round(min(limit, 2.0) * _UNIT))
    sets = [
        tuple(candidates[list(places)].tolist())
        for places in islice(
            meeting_sets(
                holds, weights, size, target, budget, kinds=kinds[candidates], rising=best
            ),
            None if best else _MOST,
        )
    ]
    return sorted(
        (float(distribution[np.all(fails[list(each)], axis=0)].sum()), each) for each in sets
    )


@frozen
class RowOrbits:
    """The orbits of rows and of hypotheses under symmetries."""

    # the number of the orbit of each row; orbits are numbered by their first rows
    rows: NDArray[np.intp]
    sizes: NDArray[np.intp]  # how many rows each orbit has
    hypotheses: NDArray[np.intp]  # the number of the orbit of each hypothesis

    def share(self, column: NDArray[np.bool_]) -> NDArray[Any]:
        """Return, for each orbit, the fraction of its rows that have a property."""
        if len(self.sizes) == len(self.rows):
            return column
        found: NDArray[np.float64] = np.bincount(self.rows, column, len(self.sizes)) / self.sizes
        return found


def row_orbits(
    concept_class: ConceptClass,
    holds: NDArray[np.bool_],
    pool: Sequence[int],
    symmetries: Sequence[Symmetry],
) -> RowOrbits:
    """Return the orbits of rows (concepts with families of point sets) and of hypotheses."""
    number = {family.tobytes(): i for i, family in enumerate(holds)}
    place = {row: i for i, row in enumerate(pool)}
    points, width = len(concept_class.points), len(holds)
    row_moves, moves = [], []
    for symmetry in symmetries:
        images = [
            sum(1 << symmetry.columns[x] for x in range(points) if E >> x & 1)
            for E in range(1 << points)
        ]
        moved = np.empty_like(holds)
        moved[:, images] = holds
        families = [number.get(family.tobytes(), -1) for family in moved]
        if -1 not in families:
            row_moves.append([f * width + i for f in symmetry.rows for i in families])
            moves.append([place[symmetry.mask(row)] for row in pool])
    rows = _labels(len(concept_class) * width, row_moves)
    return RowOrbits(rows, np.bincount(rows), _labels(len(pool), moves))


def _labels(size: int, moves: Sequence[Sequence[int]]) -> NDArray[np.intp]:
    """Return the index of the orbit of each item under permutations."""
    first = orbits_of(range(size), (enumerate(move) for move in moves))
    labels: NDArray[np.intp] = np.unique(list(first.values()), return_inverse=True)[1]
    return labels
