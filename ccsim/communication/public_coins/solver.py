"""The public-coin minimax errors of one problem for several numbers of messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from ccsim.budget import Budget
from ccsim.classes.masks import masks_of
from ccsim.communication.closed_forms.greater_than import (
    MAX_INPUTS,
    fewest_messages_of_pairs,
    greater_than_hard_distribution,
    greater_than_joins,
    greater_than_lower_bound,
    greater_than_protocol,
)
from ccsim.communication.distributional import DistributionProof, nothing_proved
from ccsim.communication.hard_distribution import HardDistribution
from ccsim.communication.partitions.answers import needs_answers
from ccsim.communication.partitions.tables import check_rows
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.tables import (
    DeterministicProtocol,
    PublicCoinProtocol,
    SymmetricProtocol,
)
from ccsim.communication.public_coins.domination import Reduced, reduce_problem
from ccsim.communication.public_coins.large import bound_error, bound_on_sphere
from ccsim.communication.public_coins.search import Optimum, ProtocolSearch
from ccsim.data import frozen
from ccsim.errors import InstanceTooLargeError
from ccsim.parallel.threads import one_thread
from ccsim.symmetry.groups import ClassOrbits
from ccsim.symmetry.matrix import Symmetry, symmetries_of

_SEARCHING = 0.7  # part of a time limit for the search; the rest is for the proofs
_FEW_ROWS = 12  # Inputs of Alice for which any distribution is priced at once
_ON_SPHERE = 0.15  # part of a time limit for a bound on large problems that needs no partitions
_PATIENCE = 0.5  # seconds for the proofs after an interrupt
MAX_SEARCHED = 24  # maximum number of inputs in a search over classes of arbitrary sizes
_NEAR = 1e-9
_WEIGHTS = (0.99, 0.9, 0.8, 0.65, 0.35, 0.2, 0.1, 1.0, 1.0)


class PublicCoinSolver:
    """The public-coin games of one problem; each search starts from the results of the last."""

    def __init__(self, problem: CommunicationProblem) -> None:
        self.problem = problem
        self._last: ProtocolSearch | None = None

    @cached_property
    def reduced(self) -> Reduced:
        """The problem without dominated inputs."""
        return reduce_problem(self.problem)

    @property
    def enough(self) -> int:
        """Number of messages that suffice for error 0: one for each undominated input of Alice."""
        return max(1, len(self.reduced.rows))

    def without_error(self) -> Optimum:
        """Return the minimax error 0, with one message for each remaining input of Alice."""
        return self._without_error

    @cached_property
    def _without_error(self) -> Optimum:
        problem, columns = self.problem, self.reduced.columns
        bob = masks_of(self.reduced.bits(problem.ones))
        table = DeterministicProtocol(tuple(range(len(bob))), tuple(bob or [0]), len(columns))
        zero, protocol = Fraction(0), self.reduced.lift(table).to_public_coin()
        return Optimum(zero, zero, protocol, nothing_proved(problem), "trivial")

    @cached_property
    def _coin(self) -> Optimum:
        """The fair coin, which is optimal for one message if Alice has two different inputs."""
        problem, reduced, half = self.problem, self.reduced, Fraction(1, 2)
        everyone, width = (0,) * len(reduced.rows), len(reduced.columns)
        protocol = PublicCoinProtocol.mixture(
            (half, reduced.lift(DeterministicProtocol(everyone, (answers,), width)))
            for answers in (0, (1 << width) - 1)
        )
        y = reduced.columns[0]
        pair = [next(x for x in reduced.rows if problem.value(x, y) == v) for v in (0, 1)]
        hard = HardDistribution.from_integers((x, y, 1) for x in pair)
        return Optimum(half, half, protocol, DistributionProof(hard), "coin")

    @cached_property
    def _chain(self) -> Chain | None:
        """The order in which the problem is greater-than, or None if there is none."""
        return chain_of(self.reduced)

    @cached_property
    def _symmetries(self) -> tuple[Symmetry, ...]:
        problem, reduced = self.problem, self.reduced
        n, m = len(problem.alice), len(problem.bob)
        removed = set(range(n)) - set(reduced.rows), set(range(m)) - set(reduced.columns)
        return symmetries_of(problem.ones, m, problem.promise, removed)

    @cached_property
    def _orbits(self) -> ClassOrbits | None:
        """Classes of the remaining rows up to symmetry; None if there are too many."""
        rows, columns = self.reduced.rows, self.reduced.columns
        moves = (g.restricted(rows, columns).rows for g in self._symmetries)
        try:
            return ClassOrbits(len(rows), moves)
        except InstanceTooLargeError:
            return None

    def _needed_orbits(self, messages: int) -> ClassOrbits | None:
        """Return the classes up to symmetry if tables of all classes are too large, else None."""
        rows, columns = len(self.reduced.rows), len(self.reduced.columns)
        if needs_answers(rows, columns, messages):
            return None
        try:
            check_rows(rows, columns, messages)
        except InstanceTooLargeError:
            if self._orbits is None:
                raise
            return self._orbits
        return None

    @one_thread()
    def solve(
        self, messages: int, budget: Budget | None = None, target: Fraction | None = None
    ) -> Optimum:
        """Return the minimax error with both proofs, or bounds for large problems."""
        reduced = self.reduced
        if messages >= self.enough or not reduced.cells():
            return self.without_error()
        if messages == 1:
            return self._coin
        budget = budget or Budget()
        if (chain := self._chain) is not None:
            best = bound_chain(chain, reduced, messages, self._symmetries, budget, target)
            if best is not None:
                return self._or_coin(best)
        try:
            orbits = self._needed_orbits(messages)
        except InstanceTooLargeError:
            sphere = bound_on_sphere(reduced, messages, budget.share(_ON_SPHERE))
            best = bound_error(reduced, messages, self._symmetries, budget, target)
            if chain is not None and (joined := chain.lower(messages)) > best.lower:
                best = replace(best, lower=joined, below=chain.below(reduced))
            return self._or_coin(_or_lower(best, sphere))
        hunt = budget.share(_SEARCHING)
        search = ProtocolSearch(reduced, messages, self._symmetries, orbits, hunt)
        with hunt:
            search.run(self._last, target)
        self._last = search
        ended = search.mixture is not None or search.lower > (target or 1)
        ended = ended or len(reduced.rows) <= _FEW_ROWS
        sphere = None if ended else bound_on_sphere(reduced, messages, budget.share(1 / 2))
        return self._or_coin(_or_lower(search.result(budget.grace(_PATIENCE)), sphere))

    def _or_coin(self, best: Optimum) -> Optimum:
        """Return the result, or the fair coin if its error is smaller."""
        if best.upper <= self._coin.upper:
            return best
        return replace(best, upper=self._coin.upper, protocol=self._coin.protocol)


def _or_lower(best: Optimum, other: tuple[Fraction, DistributionProof] | None) -> Optimum:
    """Return the result with the better of two lower bounds."""
    if other is None or other[0] <= best.lower:
        return best
    return replace(best, lower=other[0], below=other[1])


@frozen
class Chain:
    """An order of the remaining inputs in which a problem is greater-than."""

    rows: tuple[int, ...]  # positions of Alice's inputs in the order of greater-than
    columns: tuple[tuple[int, int], ...]  # for each cut Bob's input, and whether it is flipped

    def lower(self, messages: int) -> Fraction:
        """Return the lower bound proved by the merging steps of greater-than."""
        return greater_than_lower_bound(len(self.rows), messages)

    def below(self, reduced: Reduced) -> DistributionProof:
        """Return the hard distribution of greater-than with the steps that prove its bound."""
        n = len(self.rows)
        x = [reduced.rows[i] for i in self.rows]
        y = [reduced.columns[j] for j, _ in self.columns]
        weights = greater_than_hard_distribution(n).weights
        return DistributionProof(
            HardDistribution.from_integers((x[i], y[j], w) for i, j, w in weights),
            joins=tuple((y[j], x[a], x[b]) for j, a, b in greater_than_joins(n)),
        )

    def translated(self, protocol: PublicCoinProtocol, reduced: Reduced) -> PublicCoinProtocol:
        """Translate a protocol for greater-than into one for the problem."""
        place, cuts = (
            sorted(range(len(self.rows)), key=self.rows.__getitem__),
            list(enumerate(self.columns)),
        )
        components = (
            DeterministicProtocol(
                tuple(component.alice[i] for i in place),
                tuple(
                    sum(1 << j for i, (j, f) in cuts if (mask >> i & 1) ^ f)
                    for mask in component.bob
                ),
                len(self.columns),
            )
            for component in protocol.components
        )
        return PublicCoinProtocol(protocol.weights, tuple(map(reduced.lift, components)))


def chain_of(reduced: Reduced) -> Chain | None:
    """Return an order in which a problem is greater-than, or None if there is none.

    It takes linear time.
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
    """Column generation for a protocol that attains a proved bound, without exact pricing."""

    def _price(self, weights: list[int], budget: Budget, slack: float = 0.0) -> Fraction:
        return self.lower

    def _finish(self) -> None:
        """Try distributions between the last one and the best one before stopping."""
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
        """Return the error of the current mixture, and the mixture as a protocol."""
        self.begin()
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
    """Return the minimax error of a chain, or bounds; None unless merging steps may prove it."""
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
