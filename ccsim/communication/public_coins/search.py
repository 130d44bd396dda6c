"""The search for an optimal public-coin protocol, by column generation.

The least worst-case error is the value of a game between deterministic protocols and orbits of
inputs (Yao's principle, `fx` eq. 2.1). Protocols are found by local search against the float
strategy of a master program, and by exact pricing when that finds none. The answer counts only
after an exact solution of the restricted game whose hard distribution survives exact pricing in
integers; what is proved before that, when time runs out, are bounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from ccsim.budget import Budget
from ccsim.communication.hard_distribution import HardDistribution
from ccsim.communication.partitions.answer_search import AnswerSearch
from ccsim.communication.partitions.proof import DistributionProof, prove_bound
from ccsim.communication.partitions.tables import balances
from ccsim.communication.protocols.one_way import worst_error
from ccsim.communication.protocols.tables import (
    DeterministicProtocol,
    PublicCoinProtocol,
    SymmetricProtocol,
    expanded,
)
from ccsim.communication.public_coins.domination import Reduced
from ccsim.communication.public_coins.growing_weights import GrowingWeights
from ccsim.communication.public_coins.orbit_game import OrbitGame
from ccsim.communication.public_coins.pricing import Pricing, renumbered, simple_law
from ccsim.communication.public_coins.relaxed_answers import relaxed_weights
from ccsim.data import frozen
from ccsim.symmetry.groups import ClassOrbits
from ccsim.symmetry.matrix import Symmetry


@frozen
class Optimum:
    """Bounds on the least error, equal unless time ran out, with their proofs and the method."""

    lower: Fraction
    upper: Fraction
    protocol: PublicCoinProtocol | SymmetricProtocol
    below: DistributionProof
    method: str


_GAP = 1e-9
_TRIES = 60
_MOST_NEW = 12
_SLACK = 1e-7  # how far bounds may be apart where Bob has few inputs and weights are rounded
# orbits of inputs from which on weights that grow find good protocols, and their time
_MANY, _GROWING = 100, 0.3
_EXPLICIT = 512  # most components of a protocol that is written out instead of its symmetries


class ProtocolSearch:
    """Column generation for one number of messages, with the best bounds so far.

    Complexity: that of `ccsim.minimax_error`.
    """

    def __init__(
        self,
        reduced: Reduced,
        messages: int,
        symmetries: Sequence[Symmetry],
        orbits: ClassOrbits | None,
        budget: Budget,
    ) -> None:
        self.reduced = reduced
        self.messages = messages
        self.symmetries = tuple(symmetries)
        self.inner = tuple(g.restricted(reduced.rows, reduced.columns) for g in symmetries)
        self.game = OrbitGame(reduced, messages, self.inner)
        self._pricing = Pricing(reduced, messages, self.inner, orbits)
        self.lower = Fraction(-1)
        self.hard: list[int] = []
        # the class of each remaining row in a cheapest partition under these weights
        self.classes: list[int] | None = None
        self.mixture: list[Fraction] | None = None
        self._budget = budget
        self._rng = np.random.default_rng(0)
        self._stable = [int(size) / len(self.game.cells) for size in self.game.sizes]
        self._strategy = self._stable
        self._estimate = 0.0
        self._priced = 0.0
        self._symmetric = True
        self._upper = 1.0
        self._searched: AnswerSearch | None = None
        self._grown: list[Fraction] = []  # the mixture of the first protocols

    def run(self, start: ProtocolSearch | None, target: Fraction | None = None) -> None:
        """Search until the bounds are equal, or decide about the target."""
        if len(self.game.sizes) > _MANY:
            grown = GrowingWeights(self.reduced, self.messages)
            grown.run(self._budget.share(_GROWING))
            self._grown, self._stable = self.game.add_grown(grown)
        self._add_good(self._stable, 1.0)
        if start is not None:
            self._continue(start)
        if self._pricing.by_answers:
            relaxed = relaxed_weights(self.game, self.reduced, self.inner, self._budget)
            if relaxed is not None:
                self._price(relaxed, self._budget)
        while self.mixture is None:
            self._upper, strategy = self.game.master.solve(self._budget)
            self._report()
            self._budget.spend()
            if target is not None and self._decides(target):
                return
            smoothed = [(a + b) / 2 for a, b in zip(strategy, self._stable, strict=True)]
            self._add_good(smoothed, self._upper)
            if self._add_good(strategy, self._upper):
                continue
            before, self._strategy = len(self.game), strategy
            if self._upper - float(self.lower) > _GAP:
                self._price(self.game.rounded(strategy), self._budget)
            if len(self.game) == before or self._upper - float(self.lower) <= _GAP:
                self._finish()

    def _decides(self, target: Fraction) -> bool:
        """Whether exact bounds decide about the target, where floats suggest that they would."""
        if self._estimate > max(float(target), self._priced) + _GAP:
            self._priced = self._estimate
            self._price(self.game.rounded(self._stable), self._budget)
        if self._upper <= target:
            value, _, mixture = self.game.solve_exactly(self._budget)
            if value <= target:
                self.mixture = self._filled(mixture)
                if not self.hard:  # nor is a lower bound asked for
                    self._leave_open()
        return self.lower > target or self.mixture is not None

    def _continue(self, other: ProtocolSearch) -> None:
        """Start from the protocols and the distribution of a search for fewer messages."""
        weights, width = other.game.master.column_strategy(), len(self.reduced.columns)
        for weight, (classes, bob) in zip(weights, other.game.tables, strict=False):
            if weight > _GAP and len(bob) <= self.messages:
                self.game.add(classes, [[mask >> y & 1 for y in range(width)] for mask in bob])
        self._add_good(other.game.master.solve(self._budget)[1], 1.0)
        if other.hard and self._pricing.by_answers:  # it is often as hard as any, and soon priced
            self._price(other.hard, self._budget)

    def _report(self) -> None:
        self._budget.report(max(float(self.lower), 0.0), self._upper)

    def _add_good(self, strategy: Sequence[float], upper: float) -> int:
        """Add what local search finds below the master's value; return how many are new."""
        weights = self.game.signed(strategy)
        partitions, costs = self._pricing.good(weights, _TRIES, self._rng)
        if costs[0] > self._estimate:
            self._stable, self._estimate = list(strategy), float(costs[0])
        below = {classes.tobytes(): classes for classes in partitions[costs < upper - _GAP]}
        added = 0
        for classes in below.values():
            member = classes[None, :] == np.arange(self.messages)[:, None]
            added += self.game.add(classes, member.astype(float) @ weights)
            if added == _MOST_NEW:
                break
        return added

    def _price(self, weights: list[int], budget: Budget, slack: float = _SLACK) -> Fraction:
        """Add the best protocol for integer weights of cells; return a lower bound on its error.

        It is the error itself, up to the slack, unless the search was too long.
        """
        matrix, total = self.game.signed_integers(weights), sum(weights)
        cheap = int((self._upper - _GAP) * total) if slack else 0
        found = self._pricing.price(matrix, budget, cheap, int(slack * total))
        bound = Fraction(found.lower, total)
        if bound > self.lower:
            self.lower, self.hard, self._searched = bound, weights, found.search
            self.classes = found.classes if found.cost == found.lower else None
            self._report()
        for classes in (*found.others, found.classes):
            self.game.add(classes, balances(matrix, classes, self.messages))
        return bound

    def _finish(self) -> None:
        """Solve the restricted game exactly; it is the whole game if its bounds are equal.

        It is also the end if no better protocol is found.
        """
        value, orbits, mixture = self.game.solve_exactly(self._budget)
        before = len(self.game)
        simple = simple_law(self._strategy) if self._pricing.by_answers else None
        for law in filter(None, (simple, orbits)):  # the exact one is one of many, perhaps
            bound = self._price(self.game.integers(law), self._budget, 0.0)
            if bound < value and len(self.game) > before:
                return
            if bound == value:
                break
        self.mixture = self._filled(mixture)

    def _filled(self, mixture: Sequence[Fraction]) -> list[Fraction]:
        """Return a mixture with weight 0 for the protocols that came later."""
        return [*mixture, *[Fraction(0)] * (len(self.game) - len(mixture))]

    def result(self, budget: Budget) -> Optimum:
        """Return the bounds with a protocol and a distribution that prove them.

        With little time the lower bound is one of few inputs.
        """
        if not len(self.game):  # interrupted at once
            self._add_good(self._stable, 1.0)
            self.game.master.solve()
        known = self.mixture
        if not self.hard or (known is None and self._budget.limited):
            self._price_or_give_up(budget)
        mixture = self.game.rounded_mixture() if known is None else self._filled(known)
        upper = self.game.conceded(mixture)
        if known is None and self._grown:
            grown = self._filled(self._grown)
            upper, mixture = min((upper, mixture), (self.game.conceded(grown), grown))
        protocol = self._protocol(mixture, upper)
        return Optimum(self.lower, upper, protocol, self._lower_proof(budget), "columns")

    def best_lower(self, budget: Budget) -> tuple[Fraction, DistributionProof]:
        """Return the lower bound with its proof, whatever the rows of the problem beyond it."""
        if not self.hard:
            self._price_or_give_up(budget)
        return self.lower, self._lower_proof(budget)

    def _lower_proof(self, budget: Budget) -> DistributionProof:
        """Return the hard distribution with what proves its bound."""
        reduced = self.reduced
        distribution = HardDistribution.from_integers(
            (reduced.rows[i], reduced.columns[j], w)
            for (i, j), w in zip(self.game.cells, self.hard, strict=True)
        )
        if self._searched is not None:
            return DistributionProof(distribution, self.symmetries, tree=self._searched.tree())
        weighted = sorted({i for (i, _), w in zip(self.game.cells, self.hard, strict=True) if w})
        partition = None if self.classes is None else renumbered(self.classes, weighted)
        symmetries = self.symmetries if self._symmetric else ()
        return prove_bound(
            reduced.problem, distribution, self.messages, partition, symmetries, budget
        )

    def _price_or_give_up(self, budget: Budget) -> None:
        """Prove some lower bound; without the time for it, one by the heaviest rows alone."""
        with budget:
            self._price(self.game.rounded(self._stable), budget)
        if not self.hard:
            self._price_few_rows()

    def _price_few_rows(self) -> None:
        """Take the bound that the heaviest rows alone prove."""
        weights = self.game.rounded(self._stable)
        cost, self.classes, rows = self._pricing.few_rows(self.game.signed_integers(weights))
        cells = zip(self.game.cells, weights, strict=True)
        self.hard = [w if i in rows else 0 for (i, _), w in cells]
        self.lower = Fraction(cost, sum(self.hard))
        self._symmetric, self._searched = False, None

    def _leave_open(self) -> None:
        """Take 0 for the lower bound, which a single cell proves."""
        self.lower, self.hard = Fraction(0), [1] + [0] * (len(self.game.cells) - 1)
        self.classes, self._searched, self._symmetric = None, None, False

    def _protocol(
        self, mixture: Sequence[Fraction], upper: Fraction
    ) -> PublicCoinProtocol | SymmetricProtocol:
        """Return the mixture for the whole problem, written out where that is short."""
        used = [
            (weight, DeterministicProtocol(tuple(classes), tuple(bob), len(self.reduced.columns)))
            for weight, (classes, bob) in zip(mixture, self.game.tables, strict=True)
            if weight
        ]
        explicit = expanded(used, self.inner, _EXPLICIT)
        if explicit is None:
            base = PublicCoinProtocol.mixture((w, self.reduced.lift(P)) for w, P in used)
            symmetric = SymmetricProtocol(base, self.symmetries)
            if worst_error(symmetric, self.reduced.problem).value <= upper:
                return symmetric
            inner = SymmetricProtocol(PublicCoinProtocol.mixture(used), self.inner)
            written = inner.to_public_coin()
            explicit = list(zip(written.weights, written.components, strict=True))
        return PublicCoinProtocol.mixture((w, self.reduced.lift(P)) for w, P in explicit)
