"""Bounds on the minimax error of problems that are too large for an exact search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction
from math import exp, gcd, log
from operator import itemgetter
from typing import Any

import numpy as np

from ccsim.budget import Budget, OutOfWorkError
from ccsim.communication.distributional import DistributionProof, nothing_proved, prove_bound
from ccsim.communication.hard_distribution import HardDistribution
from ccsim.communication.partitions import tables
from ccsim.communication.partitions.squares import Sizes, Sphere, SquareBound, bound_by_squares
from ccsim.communication.public_coins.domination import Reduced
from ccsim.communication.public_coins.growing_weights import (
    GrowingWeights,
    SiftedGame,
    Upper,
    mixed_protocols,
)
from ccsim.communication.public_coins.orbit_game import OrbitGame, renumbered
from ccsim.communication.public_coins.search import Optimum, ProtocolSearch
from ccsim.errors import InstanceTooLargeError
from ccsim.exact import common_denominator
from ccsim.parallel.threads import one_thread
from ccsim.symmetry.groups import MAX_EXCHANGED_ROWS, ClassOrbits, Integers
from ccsim.symmetry.matrix import Symmetry

Bounds = tuple[Fraction, DistributionProof]
Floats = np.ndarray[Any, np.dtype[np.float64]]

_ROUNDS = 60  # rounds of column generation without a time limit
_LONG, _LONGER = 10, 200  # repetitions of local search, without and with a time limit
_NEAR = 1e-9
_FEW_ORBITS = 16  # most orbits of inputs whose game is solved exactly
_ORBITS = 120  # most orbits of inputs for column generation
_CELLS = 30000  # most inputs of which the orbits are computed
_FEW, _MANY, _MANY_OF_TWO = 12, 18, 22  # Alice's inputs with weight: least, most, most for two
_STEPS = 1 << 24  # most steps of the kernel for the classes of these inputs, about
_PLAYING, _PLAYING_TWO = 1 / 2, 2 / 3  # part of the time for protocols, the last one for two
_WHOLE = 1 << 20
_SIZED_ORBITS = 3  # most orbits whose weights are searched
_CLIMBS, _RANGE = 26, log(64)
_GOLDEN = (5**0.5 - 1) / 2
_DENOMINATORS = (8, 100, 2000)
_TURNS, _FLOPS, _IMPROVED, _GRID = 3000, 1e10, 2, 1 << 30  # of weights against a sphere
_PROVING = 1.0  # seconds at least for a proof by squares, or for labels that keep a check short
_PROVED_AT_ONCE = 96  # rows at most for which the proof takes 0.2 s
_WORK = 1 << 27  # most steps of a check, about


class LocalSearch(ProtocolSearch):
    """Column generation without exact pricing; it ends when local search finds nothing better."""

    def _price(self, weights: list[int], budget: Budget, slack: float = 0.0) -> Fraction:
        """Search from many more starts if the first starts find nothing better."""
        for _ in range(_LONGER if budget.limited else _LONG):
            budget.spend(0)
            if self._upper - self.lower < _NEAR or self._add_good(self._strategy, self._upper):
                break
        return self.lower

    def _finish(self) -> None:
        """Store the best mixture; solve the game exactly if it is small."""
        if len(self.game.sizes) <= _FEW_ORBITS:
            self.mixture = self._filled(self.game.solve_exactly()[2])
        else:
            self.mixture = self._filled(self.game.rounded_mixture())

    def _decides(self, target: Fraction) -> bool:
        if self._upper < target:
            mixture = self._filled(self.game.rounded_mixture())
            if self.game.conceded(mixture) <= target:
                self.mixture = mixture
        return self.mixture is not None

    def mixed(self) -> Upper:
        """Return the error of the best mixture so far, and the mixture as a protocol."""
        if self.mixture is None:  # there was no time for more
            self._finish()
        mixture = self._filled(self.mixture or ())
        upper = self.game.conceded(mixture)
        return upper, self._protocol(mixture, upper)


def bound_error(
    reduced: Reduced,
    messages: int,
    symmetries: Sequence[Symmetry],
    budget: Budget,
    target: Fraction | None = None,
) -> Optimum:
    """Return bounds on the minimax error with proofs; 200 x 200 inputs take a few seconds."""
    sized = None
    if symmetries and len(reduced.rows) * len(reduced.columns) <= _CELLS:
        inner = [g.restricted(reduced.rows, reduced.columns) for g in symmetries]
        sized = bound_orbits(OrbitGame(reduced, messages, inner), budget.share(1 / 4))
    lower, below = sized or (Fraction(0), nothing_proved(reduced.problem))
    playing = budget.share(_PLAYING_TWO if messages == 2 else _PLAYING)
    upper, heavy = good_protocol(reduced, messages, symmetries, playing, target, lower)
    if target is None or upper[0] > target:
        if sized is None:
            lower, below = _hard_part(reduced, messages, heavy, budget)
        if symmetries and len(reduced.rows) > MAX_EXCHANGED_ROWS:
            alike = _exchanged_part(reduced, messages, symmetries, budget)
            lower, below = max((lower, below), alike, key=itemgetter(0))
    return Optimum(lower, upper[0], upper[1], below, "bounds")


def good_protocol(
    reduced: Reduced,
    messages: int,
    symmetries: Sequence[Symmetry],
    budget: Budget,
    target: Fraction | None,
    lower: Fraction = Fraction(0),
) -> tuple[Upper, list[float]]:
    """Return a good protocol and weights of Alice's inputs; stop if it is near the lower bound."""
    if symmetries and len(reduced.rows) * len(reduced.columns) <= _CELLS:
        search = LocalSearch(reduced, messages, symmetries, None, budget)
        search.lower = lower
        if len(search.game.sizes) <= _ORBITS:
            if not budget.limited:
                budget.work = min(budget.work, _ROUNDS)
            with suppress(OutOfWorkError), budget:
                search.run(None, target)
            search.begin()
            weights = np.abs(search.game.signed(search.game.master.solve()[1]))
            return search.mixed(), weights.sum(axis=1).tolist()
    return mixed_protocols(reduced, messages, budget)


def _hard_part(reduced: Reduced, messages: int, heavy: Sequence[float], budget: Budget) -> Bounds:
    """Return the best bound proved by a distribution on a part of the problem."""
    best: Bounds = Fraction(0), nothing_proved(reduced.problem)
    two = _MANY_OF_TWO, tables.MAX_ROWS_OF_TWO
    most = min(len(reduced.rows), *(two if messages == 2 else (_MANY, tables.MAX_ROWS)))
    order = np.argsort(-np.array(heavy), kind="stable").tolist()
    for heaviest in (True, False):
        for number in range(most, min(most, max(_FEW, messages + 1)) - 1, -1):
            even = (round(i * (len(order) - 1) / max(1, number - 1)) for i in range(number))
            rows = sorted(order[:number] if heaviest else even)
            columns = _telling(reduced, rows)
            splits = len(columns) << number >> 3  # into two classes, of which many go at once
            if (splits if messages == 2 else (20 + 2 * len(columns)) << number) <= _STEPS:
                break
        else:
            columns = columns[: max(4, (_STEPS >> number) // 2 - 10)]
        with budget:
            budget.spend()
            chosen = tuple(reduced.rows[i] for i in rows)
            part = Reduced(reduced.problem, chosen, columns, tuple(range(number)), ())
            if messages < number and part.cells():
                found = _priced(part, messages, budget)
                best = max(best, found, key=itemgetter(0))
    return best


def _exchanged_part(
    reduced: Reduced, messages: int, symmetries: Sequence[Symmetry], budget: Budget
) -> Bounds:
    """Return a bound from the first few inputs of Alice, or 0.

    It is 0 unless symmetries exchange these inputs within each of their orbits.
    """
    rows = reduced.rows[:MAX_EXCHANGED_ROWS]
    columns = set(_telling(reduced, range(len(rows))))
    kept = [g for g in symmetries if all(g.rows[x] in rows for x in rows)]
    kept = [g for g in kept if all(g.columns[y] in columns for y in columns)]
    part = Reduced(reduced.problem, rows, tuple(sorted(columns)), (), ())
    best: Bounds = Fraction(0), nothing_proved(reduced.problem)
    if messages < len(rows) and part.cells() and kept:
        with budget:
            try:
                orbits = ClassOrbits(
                    len(rows), [g.restricted(rows, part.columns).rows for g in kept]
                )
            except InstanceTooLargeError:
                return best
            if orbits.exchanged:
                search = ProtocolSearch(part, messages, kept, orbits, budget.share(1 / 2))
                with budget.share(1 / 2):
                    search.run(None)
                best = search.best_lower(budget)
    return best


def _telling(reduced: Reduced, rows: Sequence[int]) -> tuple[int, ...]:
    """Return columns that distinguish the rows, without complements, most balanced first."""
    problem = reduced.problem
    evenness: dict[int, int] = {}
    seen = set()
    for y in reduced.columns:
        values = [problem.value(reduced.rows[i], y) for i in rows]
        sides = [tuple(i for i, v in enumerate(values) if v == side) for side in (0, 1)]
        if all(sides) and (key := frozenset(sides)) not in seen:
            seen.add(key)
            evenness[y] = min(map(len, sides))
    return tuple(sorted(evenness, key=lambda y: -evenness[y])) or reduced.columns[:1]


def _priced(part: Reduced, messages: int, budget: Budget) -> Bounds:
    """Search a part of the problem; compute exact bounds for the distributions found."""
    game = GrowingWeights(part, messages)
    game.run(budget.share(1 / 4))
    sifted = SiftedGame(game)
    sifted.run(budget.share(1 / 4))
    best: tuple[Fraction, list[list[int]], list[int]] = Fraction(0), [], []
    for strategy in (game.total, sifted.dual):
        whole = np.rint(strategy / strategy.sum() * _WHOLE).astype(int) * game.signs.astype(int)
        weights = whole.tolist()
        cost, classes = tables.cheapest_classes(weights, messages, budget)
        bound = Fraction(cost, int(np.abs(whole).sum()))
        if bound > best[0]:
            best = bound, weights, classes
    lower, weights, classes = best
    if not lower:
        return Fraction(0), nothing_proved(part.problem)
    partition = renumbered(classes, [i for i, row in enumerate(weights) if any(row)])
    distribution = _distribution(part, weights)
    late = budget.at_least(_PROVING)
    return lower, prove_bound(part.problem, distribution, messages, partition, (), late)


def _distribution(part: Reduced, weights: Sequence[Sequence[int]]) -> HardDistribution:
    """Return the distribution proportional to signed weights."""
    return HardDistribution.from_integers(
        (x, y, abs(w))
        for x, row in zip(part.rows, weights, strict=True)
        for y, w in zip(part.columns, row, strict=True)
    )


def bound_orbits(game: OrbitGame, budget: Budget) -> Bounds | None:
    """Return the bound of orbit-invariant weights, by squares for each class size."""
    rows, columns = len(game.reduced.rows), len(game.reduced.columns)
    orbits = len(game.sizes)
    if orbits > _SIZED_ORBITS or 2 * rows * rows * (rows + columns) > _WORK:
        return None

    def sized(ratios: Sequence[Fraction]) -> tuple[list[int], Sizes]:
        scale = common_denominator(ratios)
        whole = [int(ratio * scale) for ratio in (*ratios, Fraction(1))]
        whole = [w // gcd(*whole) for w in whole]
        weights = [whole[orbit] for orbit in game.orbit]
        return weights, Sizes(game.signed_integers(weights), game.messages)

    ratios = [Fraction(1)] * (orbits - 1)
    if not sized(ratios)[1].fits:
        return None
    found = []
    with budget:
        for place in range(orbits - 1):
            known = [(0.0, ratios[place])]  # when time ends the search, the best one stays

            def estimate(
                logarithm: float, place: int = place, known: list[tuple[float, Fraction]] = known
            ) -> float:
                budget.spend()
                ratio = Fraction(exp(logarithm)).limit_denominator(_DENOMINATORS[-1])
                tried = sized([*ratios[:place], ratio, *ratios[place + 1 :]])[1]
                known.append((tried.estimate() if tried.fits else 0.0, ratio))
                ratios[place] = max(known)[1]
                return known[-1][0]

            _climb(estimate, -_RANGE, _RANGE)
    with budget.at_least(_PROVING) as late:
        for most in _DENOMINATORS:
            weights, sizes = sized([ratio.limit_denominator(most) for ratio in ratios])
            if sizes.fits and min(weights) and (bound := sizes.bound(late)) is not None:
                found.append((bound.bound / sizes.total, most, weights, bound))
    if not found:
        return None
    lower, _, weights, proof = max(found, key=lambda each: (each[0], -each[1]))
    return lower, DistributionProof(game.distribution(weights), squares=proof)


def _climb(value: Callable[[float], float], low: float, high: float) -> None:
    """Yield arguments that approach the maximum of a unimodal function."""
    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    first, second = value(left), value(right)
    for _ in range(_CLIMBS):
        if first > second:
            high, right, second = right, left, first
            left = high - _GOLDEN * (high - low)
            first = value(left)
        else:
            low, left, first = left, right, second
            right = low + _GOLDEN * (high - low)
            second = value(right)


def bound_on_sphere(reduced: Reduced, messages: int, budget: Budget) -> Bounds | None:
    """Return the lower bound of weights found by regret matching against rows on a sphere.

    Its proof may take a second after the time limit.
    """
    rows, columns = len(reduced.rows), len(reduced.columns)
    if 2 * rows * rows * (rows + columns) > _WORK:
        return None
    game = GrowingWeights(reduced, messages)
    with one_thread():
        weights = sphere_weights(game, messages, budget)
    whole = np.rint(weights * _GRID).astype(np.int64) * game.signs.astype(np.int64)
    whole //= max(1, int(np.gcd.reduce(np.abs(whole), axis=None)))  # as a distribution's weights
    found = None
    if rows <= _PROVED_AT_ONCE or not budget.expired:
        with budget.at_least(_PROVING) as late:
            found = _by_squares(whole, messages, late)
    if found is None and rows > _PROVED_AT_ONCE:
        whole = (game.weights > 0) * game.signs.astype(np.int64)
        whole[np.arange(rows) % -(-rows // _PROVED_AT_ONCE) > 0] = 0
        found = _by_squares(whole, messages, Budget())
    if found is None:
        return None
    distribution = _distribution(reduced, whole.tolist())
    return found.bound / int(np.abs(whole).sum()), DistributionProof(distribution, squares=found)


def _by_squares(whole: Integers, messages: int, budget: Budget) -> SquareBound | None:
    """Return the lower bound by squares on the cost of partitions of the rows with weight."""
    used, told = np.flatnonzero(whole.any(axis=1)), np.flatnonzero(whole.any(axis=0))
    if not len(used):
        return None
    return bound_by_squares(whole[np.ix_(used, told)].tolist(), messages, budget)


def sphere_weights(game: GrowingWeights, messages: int, budget: Budget) -> Floats:
    """Return weights of inputs, with sum 1, from regret matching against rows on a sphere."""
    rows, columns = game.signs.shape
    sphere, weights = Sphere(rows, messages), game.weights
    regret, total = np.zeros_like(weights), weights.copy()
    most = int(_FLOPS / (10 * rows * columns * rows**0.5))
    with budget:
        for step in budget.each(range(max(100, min(_TURNS, most)))):
            sphere.improve(weights * game.signs, _IMPROVED, Budget())
            wrong = (1 - game.signs * sphere.correlations()) / 2
            mean = float((weights * wrong).sum())
            regret = np.maximum(regret + (wrong - mean) * game.inside, 0)
            if regret.sum() > 0:
                weights = regret / regret.sum()
            total += weights * (step + 1)
    return np.asarray(total / total.sum())
