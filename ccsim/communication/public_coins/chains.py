"""Greater-than under any names: the least errors of problems whose rows form a chain."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from ccsim.budget import Budget
from ccsim.communication.closed_forms.greater_than import (
    MAX_INPUTS,
    fewest_messages_of_pairs,
    greater_than_hard_distribution,
    greater_than_joins,
    greater_than_lower_bound,
    greater_than_protocol,
)
from ccsim.communication.hard_distribution import HardDistribution
from ccsim.communication.partitions.proof import DistributionProof
from ccsim.communication.protocols.tables import (
    DeterministicProtocol,
    PublicCoinProtocol,
    SymmetricProtocol,
)
from ccsim.communication.public_coins.domination import Reduced
from ccsim.communication.public_coins.search import Optimum, ProtocolSearch
from ccsim.data import frozen
from ccsim.symmetry.matrix import Symmetry

_NEAR = 1e-9
_WEIGHTS = (0.99, 0.9, 0.8, 0.65, 0.35, 0.2, 0.1, 1.0, 1.0)
MAX_SEARCHED = 24  # most inputs for which protocols of classes of any sizes are searched


@frozen
class Chain:
    """The order of the remaining inputs that makes a problem greater-than."""

    # positions of the remaining inputs of Alice: the one that is in place ``i`` of greater-than
    rows: tuple[int, ...]
    # for each cut the position of Bob's input, and whether its values are flipped
    columns: tuple[tuple[int, int], ...]

    def lower(self, messages: int) -> Fraction:
        """Return the lower bound that the joins of greater-than prove."""
        return greater_than_lower_bound(len(self.rows), messages)

    def below(self, reduced: Reduced) -> DistributionProof:
        """Return the hard distribution of greater-than with the joins that prove its bound."""
        n = len(self.rows)
        x = [reduced.rows[i] for i in self.rows]
        y = [reduced.columns[j] for j, _ in self.columns]
        weights = greater_than_hard_distribution(n).weights
        return DistributionProof(
            HardDistribution.from_integers((x[i], y[j], w) for i, j, w in weights),
            joins=tuple((y[j], x[a], x[b]) for j, a, b in greater_than_joins(n)),
        )

    def translated(self, protocol: PublicCoinProtocol, reduced: Reduced) -> PublicCoinProtocol:
        """Return a protocol for greater-than as one for the problem."""
        place = sorted(range(len(self.rows)), key=self.rows.__getitem__)
        components = (
            DeterministicProtocol(
                tuple(component.alice[i] for i in place),
                tuple(map(self._answers, component.bob)),
                len(self.columns),
            )
            for component in protocol.components
        )
        return PublicCoinProtocol(protocol.weights, tuple(map(reduced.lift, components)))

    def _answers(self, mask: int) -> int:
        return sum(1 << j for i, (j, flip) in enumerate(self.columns) if (mask >> i & 1) ^ flip)


def chain_of(reduced: Reduced) -> Chain | None:
    """Return the order that makes a problem greater-than, or None if there is none.

    Complexity: linear in the size of the problem.
    """
    problem, columns = reduced.problem, reduced.columns
    live = sum(1 << y for y in columns)
    n = len(reduced.rows)
    if len(columns) != n - 1 or any(live & ~problem.promise[x] for x in reduced.rows):
        return None
    ones = [problem.ones[x] & live for x in reduced.rows]
    end = max(ones, key=lambda row: (row ^ ones[0]).bit_count())
    order = sorted(range(n), key=lambda i: (ones[i] ^ end).bit_count())
    steps = [ones[i] ^ ones[j] for i, j in pairwise(order)]
    if any(step.bit_count() != 1 for step in steps) or len(set(steps)) < len(steps):
        return None
    position = {y: j for j, y in enumerate(columns)}
    cuts = [step.bit_length() - 1 for step in steps]
    return Chain(tuple(order), tuple((position[y], end >> y & 1) for y in cuts))


class ReachingSearch(ProtocolSearch):
    """Column generation for a protocol that reaches a bound which is proved already.

    No distribution is priced: it ends where the bound is reached, or nothing better is found.
    """

    def _price(self, weights: list[int], budget: Budget, slack: float = 0.0) -> Fraction:
        return self.lower

    def _finish(self) -> None:
        """Try distributions between the last one and the best one before giving up."""
        upper, strategy = self.game.master.solve(self._budget)
        for weight in _WEIGHTS:
            pairs = zip(strategy, self._stable, strict=True)
            if self._add_good([weight * a + (1 - weight) * b for a, b in pairs], upper):
                return
        self.mixture = self._filled(self.game.rounded_mixture())

    def _decides(self, target: Fraction) -> bool:
        if self._upper > float(target) + _NEAR:
            return False
        used = [i for i, w in enumerate(self.game.master.column_strategy()) if w > _NEAR]
        value, _, mixture = self.game.solve_exactly(self._budget, used)
        if value <= target:
            self.mixture = self._filled(mixture)
        return value <= target

    def reached(self) -> tuple[Fraction, PublicCoinProtocol | SymmetricProtocol]:
        """Return the error of the mixture so far, and the mixture as a protocol."""
        if not len(self.game):  # interrupted at once
            self._add_good(self._stable, 1.0)
            self.game.master.solve()
        mixture = self.mixture or self._filled(self.game.rounded_mixture())
        upper = self.game.conceded(mixture)
        return upper, self._protocol(mixture, upper)


def bound_chain(
    chain: Chain,
    reduced: Reduced,
    messages: int,
    symmetries: Sequence[Symmetry],
    budget: Budget,
    target: Fraction | None = None,
) -> Optimum | None:
    """Return the least worst-case error of a chain, or bounds on it, where joins may prove it.

    Complexity: none to speak of with `fewest_messages_of_pairs` or more; with fewer from half a
    second for 16 inputs to half a minute for 24.
    """
    n = len(chain.rows)
    lower, below = chain.lower(messages), chain.below(reduced)
    if n <= MAX_INPUTS and messages >= fewest_messages_of_pairs(n):
        protocol = chain.translated(greater_than_protocol(n, messages), reduced)
        return Optimum(lower, lower, protocol, below, "pairs")
    if n > MAX_SEARCHED or 2 * messages < n:
        return None
    search = ReachingSearch(reduced, messages, symmetries, None, budget)
    if target is None or target >= lower:  # else the joins decide
        with budget:
            search.run(None, lower if target is None else target)
    upper, found = search.reached()
    return Optimum(lower, upper, found, below, "columns")
