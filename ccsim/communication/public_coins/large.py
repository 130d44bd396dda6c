"""Bounds on the least error of problems that are too large for an exact search.

From above: a mixture of protocols (`growing_weights`), whose error is counted exactly. From below:
a hard distribution that is the same on all inputs of an orbit (`sized_orbits`) where these are few,
or one on few inputs of Alice, found by the same game and priced exactly. A distribution on some
inputs is one on all of them, so that a part of the problem forces no more than the whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from operator import itemgetter

import numpy as np

from ccsim.budget import Budget, OutOfWorkError
from ccsim.communication.hard_distribution import HardDistribution
from ccsim.communication.partitions import tables
from ccsim.communication.partitions.proof import DistributionProof, prove_bound
from ccsim.communication.public_coins.domination import Reduced
from ccsim.communication.public_coins.growing_weights import (
    GrowingWeights,
    Upper,
)
from ccsim.communication.public_coins.orbit_game import OrbitGame
from ccsim.communication.public_coins.search import Optimum, ProtocolSearch
from ccsim.communication.public_coins.sifted_mixtures import SiftedGame, mixed_protocols
from ccsim.communication.public_coins.sized_orbits import bound_orbits
from ccsim.errors import InstanceTooLargeError
from ccsim.symmetry.groups import MAX_EXCHANGED_ROWS, ClassOrbits
from ccsim.symmetry.matrix import Symmetry

_ROUNDS = 60  # rounds of column generation without a time limit
# times that local search is repeated before it ends, without and with a time limit
_LONG, _LONGER = 10, 200
_NEAR = 1e-9
_FEW_ORBITS = 16  # most orbits of inputs whose game is solved exactly
_ORBITS = 120  # most orbits of inputs for column generation
_CELLS = 30000  # most inputs of which the orbits are computed
# least and largest number of inputs of Alice that a hard distribution is looked for on, the last
# one with two messages
_FEW, _MANY, _MANY_OF_TWO = 12, 18, 22
_STEPS = 1 << 24  # most steps of the kernel for the classes of these inputs, about
# part of the time for protocols, the last one with two messages; the rest is for that
_PLAYING, _PLAYING_TWO = 1 / 2, 2 / 3
_WHOLE = 1 << 20

Bounds = tuple[Fraction, DistributionProof]


class LocalSearch(ProtocolSearch):
    """Column generation without exact pricing: it ends where local search finds nothing better.

    Its mixture and distribution prove nothing of each other.
    """

    def _price(self, weights: list[int], budget: Budget, slack: float = 0.0) -> Fraction:
        """Search from many more starts where there is nothing better near the first ones."""
        for _ in range(_LONGER if budget.limited else _LONG):
            budget.spend(0)
            if self._upper - self.lower < _NEAR or self._add_good(self._strategy, self._upper):
                break
        return self.lower

    def _finish(self) -> None:
        """Take the best mixture, the exact one where the game is small."""
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
        """Return the error of the mixture so far, and the mixture as a protocol."""
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
    """Return bounds on the least worst-case error, with a protocol and a hard distribution.

    Complexity: some seconds up to 200 x 200 inputs.
    """
    sized = _orbits_bound(reduced, messages, symmetries, budget.share(1 / 4))
    lower, below = sized or _nothing(reduced)
    playing = budget.share(_PLAYING_TWO if messages == 2 else _PLAYING)
    upper, heavy = _protocol(reduced, messages, symmetries, playing, target, lower)
    if target is None or upper[0] > target:
        if sized is None:
            lower, below = _hard_part(reduced, messages, heavy, budget)
        if symmetries and len(reduced.rows) > MAX_EXCHANGED_ROWS:
            alike = _exchanged_part(reduced, messages, symmetries, budget)
            lower, below = max((lower, below), alike, key=itemgetter(0))
    return Optimum(lower, upper[0], upper[1], below, "bounds")


def _orbits_bound(
    reduced: Reduced, messages: int, symmetries: Sequence[Symmetry], budget: Budget
) -> Bounds | None:
    """Return the bound of weights that are the same on every orbit, if these are few."""
    if not symmetries or len(reduced.rows) * len(reduced.columns) > _CELLS:
        return None
    inner = [g.restricted(reduced.rows, reduced.columns) for g in symmetries]
    return bound_orbits(OrbitGame(reduced, messages, inner), reduced, budget)


def _protocol(
    reduced: Reduced,
    messages: int,
    symmetries: Sequence[Symmetry],
    budget: Budget,
    target: Fraction | None,
    lower: Fraction,
) -> tuple[Upper, list[float]]:
    """Return a good protocol, and the weight of each remaining input of Alice against it.

    The search ends where its error is near a lower bound.
    """
    cells = len(reduced.rows) * len(reduced.columns)
    if symmetries and cells <= _CELLS:
        search = LocalSearch(reduced, messages, symmetries, None, budget)
        search.lower = lower
        if len(search.game.sizes) <= _ORBITS:
            _run(search, budget, target)
            weights = np.abs(search.game.signed(search.game.master.solve()[1]))
            return search.mixed(), weights.sum(axis=1).tolist()
    return mixed_protocols(reduced, messages, budget)


def _run(search: LocalSearch, budget: Budget, target: Fraction | None = None) -> None:
    if not budget.limited:
        budget.work = min(budget.work, _ROUNDS)
    try:
        with budget:
            search.run(None, target)
    except OutOfWorkError:
        pass
    if not len(search.game):  # interrupted at once
        search._add_good(search._stable, 1.0)
    search.game.master.solve()


def _hard_part(reduced: Reduced, messages: int, heavy: Sequence[float], budget: Budget) -> Bounds:
    """Return the best bound that a distribution on a part of the problem proves."""
    best = _nothing(reduced)
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
    """Return the bound of the first inputs of Alice, if any two of a kind may be exchanged."""
    rows = reduced.rows[:MAX_EXCHANGED_ROWS]
    columns = set(_telling(reduced, range(len(rows))))
    kept = [g for g in symmetries if all(g.rows[x] in rows for x in rows)]
    kept = [g for g in kept if all(g.columns[y] in columns for y in columns)]
    part = Reduced(reduced.problem, rows, tuple(sorted(columns)), (), ())
    best = _nothing(reduced)
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
    """Return columns that differ on the rows, up to a flip, the most even ones first."""
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
    """Search a part of the problem, and price what distributions on it force exactly."""
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
        return _nothing(part)
    distribution = HardDistribution.from_integers(
        (x, y, abs(w))
        for x, row in zip(part.rows, weights, strict=True)
        for y, w in zip(part.columns, row, strict=True)
    )
    number: dict[int, int] = {}
    weighted = (m for m, row in zip(classes, weights, strict=True) if any(row))
    partition = [number.setdefault(m, len(number)) for m in weighted]
    return lower, prove_bound(part.problem, distribution, messages, partition, (), budget)


def _nothing(reduced: Reduced) -> Bounds:
    """Return the bound 0, which a single input proves."""
    x, y = reduced.problem.inputs()[0]
    return Fraction(0), DistributionProof(HardDistribution(((x, y, 1),)))
