"""The minimax errors of one problem in models in which both players speak."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from math import gcd
from operator import attrgetter, itemgetter
from typing import Any

import numpy as np

from ccsim.budget import Budget, OutOfWorkError
from ccsim.communication.distributional import nothing_proved
from ccsim.communication.hard_distribution import HardDistribution
from ccsim.communication.interactive.conversions import as_trees, exchanged
from ccsim.communication.interactive.models import Model, Simultaneous, TwoWay
from ccsim.communication.interactive.regret import RegretSearch
from ccsim.communication.interactive.search import Found, GoodSearch, InteractiveSearch, Proof
from ccsim.communication.interactive.trees import Limits, Table
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.symmetric import SymmetricMixture
from ccsim.communication.public_coins.column_generation import CellGame
from ccsim.communication.public_coins.domination import Reduced, reduce_problem
from ccsim.communication.public_coins.large import good_protocol
from ccsim.communication.signed_rectangles import MOST_LINES, uniform, worst
from ccsim.errors import InstanceTooLargeError
from ccsim.exact import ceil_log2
from ccsim.kernel.rules import MAX_WORK
from ccsim.parallel.threads import one_thread
from ccsim.symmetry.matrix import Symmetry, symmetries_of

Bounds = tuple[Fraction, Proof]

_SYMMETRIC = 200  # most inputs of a player for which symmetries are looked for
_EXACT_ORBITS = 256  # maximum number of inputs, up to symmetry. Beyond: bounds on the error
_ORBITS = 1000  # most inputs, up to symmetry, for which linear programs choose protocols
_ROUNDS = 40  # of column generation by local search without a time limit
_GOOD, _PROVING, _DISCREPANCY, _ONE_WAY = 0.5, 0.6, 0.4, 0.5  # parts of the remaining time
_LINES = 16  # most inputs of a player in a part that bounds the error from below
_STEPS = 1 << 26  # most steps of a best protocol of this part
_CHECKED = 1 << 23  # most steps of the check of this part if there is a time limit
_SUMS, _ACROSS = 1 << 18, 100  # most sums for the discrepancy of a part, and most lines across
_WIDE = 64  # most inputs of a player in a part that bounds the error of one bit
_UNLIMITED_LINES, _FEW = 10, 150  # most lines, and inputs, of parts if there is no time limit
_GRID = 1 << 30
_NEAR = 1e-6


class InteractiveSolver:
    """The minimax errors of one problem in models in which both players speak."""

    def __init__(self, problem: CommunicationProblem) -> None:
        self.problem = problem
        self._reduced = reduce_problem(problem, flips=False)
        n, m = len(problem.alice), len(problem.bob)
        removed = set(range(n)) - {*self._reduced.rows}, set(range(m)) - {*self._reduced.columns}
        self._symmetries: tuple[Symmetry, ...] = ()
        if max(n, m) <= _SYMMETRIC:
            self._symmetries = symmetries_of(
                problem.ones, m, problem.promise, removed, together=True
            )

    def _nothing(self) -> Bounds:
        """Return the bound 0, which a single input proves."""
        return Fraction(0), Proof(nothing_proved(self.problem).distribution)

    def two_way(
        self, bits: int, rounds: int | None, budget: Budget, target: Fraction | None = None
    ) -> Found:
        """Return the minimax error of two-way protocols."""
        # with more bits, there is no error, or one player speaks and one bit suffices
        enough = 1 if rounds == 1 else min(self._lengths) + 1
        return self._solve(TwoWay(Limits(min(bits, enough), rounds)), budget, target)

    def simultaneous(self, bits: int, budget: Budget, target: Fraction | None = None) -> Found:
        """Return the minimax error of protocols with simultaneous messages."""
        return self._solve(Simultaneous(min(bits, sum(self._lengths))), budget, target)

    @property
    def _lengths(self) -> tuple[int, int]:
        """The number of bits that each player needs to send the whole input."""
        return ceil_log2(len(self._reduced.rows)), ceil_log2(len(self._reduced.columns))

    @one_thread()
    def _solve(self, model: Model[Any], budget: Budget, target: Fraction | None) -> Found:
        """Return the minimax error with both proofs, or bounds for large problems."""
        reduced = self._reduced
        trivial = model.exact((reduced.values() == 1).tolist())
        if trivial is not None:
            protocol = SymmetricMixture((Fraction(1),), (model.lifted(trivial, reduced),))
            lower, below = self._nothing()
            return Found(lower, lower, protocol, below, "trivial")
        if model.bits == 0:
            return self._without_bits(model)
        shape = len(reduced.rows), len(reduced.columns)
        try:
            search = InteractiveSearch(reduced, model, self._symmetries, budget)
        except InstanceTooLargeError:
            return self._bounds(model, budget, target)
        if len(search.game.sizes) > _EXACT_ORBITS or model.steps_to_check(*shape) > MAX_WORK // 2:
            return self._bounds(model, budget, target)
        with budget:
            search.run(target)
        found, coin = search.found(), self._coin(model)
        if found.upper <= coin.upper:
            return found
        return replace(found, upper=coin.upper, protocol=coin.protocol)

    def _without_bits(self, model: Model[Any]) -> Found:
        """Return the minimax error if the answer depends only on the coins."""
        inputs, coin = self.problem.inputs(), self._coin(model)
        pair = [next((c for c in inputs if self.problem.value(*c) == v), None) for v in (0, 1)]
        cells = [(x, y, 1) for x, y in filter(None, pair)]
        if len(cells) == 2:
            below = Proof(HardDistribution.from_integers(cells))
            return replace(coin, lower=coin.upper, below=below, method="coin")
        lower, below = self._nothing()
        chosen = coin.protocol.components[pair[0] is None]
        protocol = SymmetricMixture((Fraction(1),), (chosen,))
        return Found(lower, lower, protocol, below, "trivial")

    def _bounds(self, model: Model[Any], budget: Budget, target: Fraction | None) -> Found:
        """Return bounds on the minimax error of a large problem."""
        found = [self._coin(model)]
        search = GoodSearch(self._reduced, model, self._symmetries, budget.share(_GOOD))
        if len(search.game.sizes) <= _ORBITS:
            if not budget.limited:
                search.budget.work = _ROUNDS
            with suppress(OutOfWorkError), search.budget:
                search.run(target)
            found.append(search.found())
            heavy = search.heavy()
        else:
            play = RegretSearch(self._reduced, model, search.budget)
            play.run()
            upper, parts = play.mixture()
            lifted = tuple(model.lifted(P, self._reduced) for _, P in parts)
            mixture = SymmetricMixture(tuple(w for w, _ in parts), lifted)
            found.append(replace(found[0], upper=upper, protocol=mixture))
            heavy = play.heavy()
        bounds = [self._nothing(), *self._lower(model, heavy, budget.share(_PROVING))]
        found += self._one_way(model, budget, target)
        best = min(found, key=attrgetter("upper"))
        lower, below = max(bounds, key=itemgetter(0))
        return replace(best, lower=lower, below=below, method="bounds")

    def _coin(self, model: Model[Any]) -> Found:
        """Return the mixture of both constant answers."""
        half, (zero, below) = Fraction(1, 2), self._nothing()
        shape = len(self._reduced.rows), len(self._reduced.columns)
        parts = (model.lifted(model.constant(v, shape), self._reduced) for v in (0, 1))
        return Found(zero, half, SymmetricMixture((half, half), tuple(parts)), below, "bounds")

    def _one_way(
        self, model: Model[Any], budget: Budget, target: Fraction | None
    ) -> Iterator[Found]:
        """Yield one-way protocols of both players, with the answer as the last bit, if they fit."""
        if not isinstance(model, TwoWay) or model.bits < 1 or (model.limits.rounds or 2) < 2:
            return
        messages, (zero, below) = 1 << min(model.bits - 1, 30), self._nothing()
        for side, problem in enumerate((self.problem, self.problem.transposed())):
            reduced = reduce_problem(problem)
            if budget.expired or not 1 < messages < len(reduced.rows):
                continue
            removed = [
                set(range(len(lines))) - {*kept}
                for lines, kept in ((problem.alice, reduced.rows), (problem.bob, reduced.columns))
            ]
            width, moves = len(problem.bob), tuple[Symmetry, ...]()
            if max(len(problem.alice), width) <= _SYMMETRIC:
                apart = removed[0], removed[1]
                moves = symmetries_of(problem.ones, width, problem.promise, apart)
            share = budget.share(_ONE_WAY)
            (error, protocol), _ = good_protocol(reduced, messages, moves, share, target)
            mixed = as_trees(protocol)
            if mixed is not None:
                yield Found(zero, error, exchanged(mixed) if side else mixed, below, "bounds")

    def _lower(self, model: Model[Any], heavy: Table, budget: Budget) -> Iterator[Bounds]:
        """Yield lower bounds: by discrepancy, and by a part of the problem."""
        reduced = self._reduced
        if model.bits == 1:  # a best tree is found at once
            part = _part(reduced, heavy, (_WIDE, _WIDE))
            at = [reduced.rows.index(x) for x in part.rows]
            weights = heavy[np.ix_(at, [reduced.columns.index(y) for y in part.columns])]
            if weights.any():
                yield _priced(part, model, weights, budget)
                yield _priced(part, model, _balanced(part), budget)
        few, many = sorted(heavy.shape)
        most = min(few, MOST_LINES, (_SUMS // min(many, _ACROSS)).bit_length() - 1)
        is_counted = not isinstance(model, TwoWay) or model.limits.rounds != 1
        if is_counted and 1 << model.bits < 2 * most:  # else some row shows too much
            turned = heavy.shape[0] > heavy.shape[1]
            part = _part(reduced, heavy, (_ACROSS, most) if turned else (most, _ACROSS))
            if part.cells():
                given, is_small = _without_labels(part), budget.limited or len(part.cells()) <= _FEW
                found = worst(given, budget.share(_DISCREPANCY)) if is_small else uniform(given)
                weighed = ((part.rows[x], part.columns[y], w) for x, y, w in found.weights)
                bound = max(Fraction(0), (1 - (1 << model.bits) * found.upper) / 2)
                yield bound, Proof(HardDistribution.from_integers(weighed), by_discrepancy=True)
        checked = _CHECKED if budget.limited else 4 * _CHECKED
        for most in range(_LINES if budget.limited else _UNLIMITED_LINES, 1, -1):
            part = _part(reduced, heavy, (most, most))
            sides = len(part.rows), len(part.columns)
            with suppress(InstanceTooLargeError):
                if model.steps(*sides) <= _STEPS and model.steps_to_check(*sides) <= checked:
                    break
        if part.cells():
            yield _priced(part, model, _balanced(part), Budget())
            search = InteractiveSearch(part, model, (), budget)
            with budget:
                search.run()
            search.begin()
            yield search.lower, Proof(search.game.distribution(search.hard))


def _priced(reduced: Reduced, model: Model[Any], heavy: Table, budget: Budget) -> Bounds:
    """Return the least expected error for weights of the inputs, or 0 if the time is too short."""
    game, most = CellGame[Any](reduced, ()), heavy.max()
    weights = [round(float(heavy[cell] / most) * _GRID) for cell in game.cells]
    divisor = gcd(*weights)
    weights = [w // divisor for w in weights]
    cost = 0
    with budget.or_at_once() as late:
        cost, _ = model.best(game.signed_integers(weights), late, sum(weights))
    return Fraction(cost, sum(weights)), Proof(game.distribution(weights))


def _balanced(part: Reduced) -> Table:
    """Return weights that are uniform on the inputs of each value, with equal sums."""
    values = part.values()
    sides = [(values == v).astype(float) for v in (0, 1)]
    return np.asarray(sum(side / max(1.0, side.sum()) for side in sides))


def _part(reduced: Reduced, heavy: Table, most: tuple[int, int]) -> Reduced:
    """Return the part of the problem on the heaviest lines of each side."""
    first = int(most[1] < most[0])  # whose lines are fewer; the other ones are heavy on them
    lines = reduced.rows, reduced.columns
    turned = heavy if first == 0 else heavy.T
    kept = _chosen(turned.sum(axis=1), most[first])
    across = _chosen(turned[kept].sum(axis=0), most[1 - first])
    chosen = [tuple(lines[first][i] for i in kept), tuple(lines[1 - first][i] for i in across)]
    sides = chosen if first == 0 else chosen[::-1]
    return Reduced(reduced.problem, sides[0], sides[1], (), ())


def _chosen(weights: Table, most: int) -> list[int]:
    """Return the heaviest lines or, if all are about as heavy, lines at even distances."""
    number = len(weights)
    if number <= most:
        return list(range(number))
    if weights.max() - weights.min() <= _NEAR * weights.max():
        return [i * number // most for i in range(most)]
    return sorted(np.argsort(-weights, kind="stable")[:most].tolist())


def _without_labels(reduced: Reduced) -> CommunicationProblem:
    """Return the problem on the remaining inputs."""
    matrix = [[None if v != v else int(v) for v in row] for row in reduced.values().tolist()]  # noqa: PLR0124 - nan
    return CommunicationProblem.from_matrix(matrix)
