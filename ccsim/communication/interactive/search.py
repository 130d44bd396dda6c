"""Column generation for the minimax error of two-way and of simultaneous protocols."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ccsim.budget import Budget
from ccsim.communication.hard_distribution import HardDistribution
from ccsim.communication.interactive.models import Model
from ccsim.communication.protocols.symmetric import SymmetricMixture
from ccsim.communication.public_coins.column_generation import SLACK, CellGame, ColumnGeneration
from ccsim.communication.public_coins.domination import Reduced
from ccsim.data import frozen
from ccsim.symmetry.matrix import Symmetry

_GAP = 1e-9
_TRIES, _LONGER = 12, 10  # random starts of a local search, and its repetitions before the end
_MOST_NEW = 12
_QUICK = 1 << 24  # steps of exact best responses that need no local search before them


@frozen
class Proof:
    """A hard input distribution, and whether its discrepancy proves the bound by itself."""

    distribution: HardDistribution
    by_discrepancy: bool = False


@frozen
class Found:
    """Bounds on a minimax error with a protocol and a proof."""

    lower: Fraction
    upper: Fraction
    protocol: SymmetricMixture
    below: Proof
    method: str


class InteractiveSearch(ColumnGeneration[CellGame[Any]]):
    """Column generation in a model, with exact best responses."""

    is_exact = True

    def __init__(
        self, reduced: Reduced, model: Model[Any], symmetries: Sequence[Symmetry], budget: Budget
    ) -> None:
        inner = [g.restricted(reduced.rows, reduced.columns) for g in symmetries]
        super().__init__(CellGame(reduced, inner), budget)
        self.budget = budget
        self._model, self._symmetries = model, tuple(symmetries)
        self._shape = len(reduced.rows), len(reduced.columns)
        self._is_quick = self.is_exact and model.steps(*self._shape) <= _QUICK

    def run(self, target: Fraction | None = None) -> None:
        """Search until the bounds coincide or decide whether the target is attained."""
        self._add_good(self._stable, 1.0)
        self._generate(target)

    def _add_good(self, strategy: Sequence[float], upper: float) -> int:
        """Add best protocols if they are found at once, else good ones from local search."""
        before, cost = len(self.game), 1.0
        if self._is_quick:
            slack = 1 - 2 * (upper - _GAP)
            cost = float(self._price(self.game.rounded(strategy), self._budget, slack))
        else:
            weights = self.game.signed(strategy)
            for _ in range(_TRIES):
                self._budget.spend(0)
                protocol = self._model.good(weights, self._rng)
                answers = self._model.answers(protocol, self._shape)
                own = float(np.abs(weights)[answers != (weights > 0)].sum())
                if own < upper - _GAP:
                    self.game.record(answers, protocol)
                cost = min(cost, own)
        if cost > self._estimate:
            self._stable, self._estimate = list(strategy), cost
        return len(self.game) - before if cost < upper - _GAP else 0

    def _price(self, weights: list[int], budget: Budget, slack: float = SLACK) -> Fraction:
        """Add a best protocol, and those with a gain above a part of the total weight."""
        matrix, total = self.game.signed_integers(weights), sum(weights)
        least = int(max(slack, SLACK) * total) if slack else total
        cost, protocols = self._model.best(matrix, budget, least)
        bound = Fraction(cost, total)
        if bound > self.lower or (bound == self.lower and total < sum(self.hard)):  # or simpler
            self.lower, self.hard = bound, weights
            self._report()
        for protocol in protocols[:_MOST_NEW]:
            self.game.record(self._model.answers(protocol, self._shape), protocol)
        return bound

    def _finish(self) -> None:
        if len(self.game) == len(self.game.master.column_strategy()):  # else solve it again
            self._end()

    def _end(self) -> None:
        """Solve the restricted game exactly; store the mixture unless a protocol is added."""
        super()._finish()

    def begin(self) -> None:
        """Add a first protocol, so that an interrupted search has a result."""
        if not len(self.game):
            protocol = self._model.good(self.game.signed(self._stable), self._rng)
            self.game.record(self._model.answers(protocol, self._shape), protocol)
        if not self.game.master.column_strategy():
            self.game.master.solve()
        is_priced = self._is_quick and self.lower >= 0
        if self.is_exact and not is_priced and self.mixture is None:
            with self.budget.at_once() as late:  # the hardest strategy was perhaps not priced
                self._price(self.game.rounded(self._stable), late)
        if not self.hard:
            self._leave_open()

    def found(self) -> Found:
        """Return both bounds with a protocol and a distribution."""
        self.begin()
        mixture = self._filled(self.mixture or self.game.rounded_mixture())
        used = [(w, P) for w, P in zip(mixture, self.game.tables, strict=True) if w]
        lifted = tuple(self._model.lifted(P, self.game.reduced) for _, P in used)
        protocol = SymmetricMixture(tuple(w for w, _ in used), lifted, self._symmetries)
        below = Proof(self.game.distribution(self.hard))
        return Found(self.lower, self.game.conceded(mixture), protocol, below, "columns")


class GoodSearch(InteractiveSearch):
    """Column generation with good protocols from local search, for large problems."""

    is_exact = False

    def heavy(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Return the weights of the inputs in the hardest strategy so far."""
        return np.abs(self.game.signed(self._stable))

    def _price(self, weights: list[int], budget: Budget, slack: float = SLACK) -> Fraction:
        """Search from more starts if the first ones find nothing better. This proves no bound."""
        for _ in range(_LONGER):
            if self._add_good(self._strategy, self._upper):
                break
        return self.lower

    def _end(self) -> None:
        self.mixture = self._filled(self.game.rounded_mixture())
