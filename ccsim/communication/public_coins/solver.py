"""The least errors with public coins of one problem, for several numbers of messages in turn.

The search for one number of messages is in `ccsim.communication.public_coins.search`.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cached_property

from ccsim.budget import Budget
from ccsim.communication.hard_distribution import HardDistribution
from ccsim.communication.partitions.answers import needs_answers
from ccsim.communication.partitions.proof import DistributionProof
from ccsim.communication.partitions.tables import check_rows
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.tables import DeterministicProtocol, PublicCoinProtocol
from ccsim.communication.public_coins.chains import Chain, bound_chain, chain_of
from ccsim.communication.public_coins.domination import Reduced, reduce_problem
from ccsim.communication.public_coins.large import bound_error
from ccsim.communication.public_coins.search import Optimum, ProtocolSearch
from ccsim.communication.public_coins.spheres import bound_on_sphere
from ccsim.errors import InstanceTooLargeError
from ccsim.symmetry.groups import ClassOrbits
from ccsim.symmetry.matrix import Symmetry, symmetries_of

_SEARCHING = 0.7  # part of a time limit for the search; the rest is for the proofs
_FEW_ROWS = 12  # Inputs of Alice for which any distribution is priced at once
_ON_SPHERE = 0.15  # part of a time limit for a bound on large problems that needs no partitions
_PATIENCE = 0.5  # seconds for the proofs after an interrupt


class PublicCoinSolver:
    """The public-coin games of one problem; each starts from what the one before has found."""

    def __init__(self, problem: CommunicationProblem) -> None:
        self.problem = problem
        self._last: ProtocolSearch | None = None

    @cached_property
    def _reduced(self) -> Reduced:
        return reduce_problem(self.problem)

    @property
    def enough(self) -> int:
        """Messages with which no input errs: one for each undominated input of Alice."""
        return max(1, len(self._reduced.rows))

    def without_error(self) -> Optimum:
        """Return the least error 0 of so many messages."""
        return _without_error(self.problem, self._reduced)

    @cached_property
    def _chain(self) -> Chain | None:
        """The order that makes the problem greater-than, if there is one."""
        return chain_of(self._reduced)

    @cached_property
    def _symmetries(self) -> tuple[Symmetry, ...]:
        problem, reduced = self.problem, self._reduced
        removed = (
            set(range(len(problem.alice))) - set(reduced.rows),
            set(range(len(problem.bob))) - set(reduced.columns),
        )
        return symmetries_of(problem.ones, len(problem.bob), problem.promise, removed)

    @cached_property
    def _orbits(self) -> ClassOrbits | None:
        """Classes of the remaining rows up to symmetry, where they are few."""
        rows, columns = self._reduced.rows, self._reduced.columns
        moves = (g.restricted(rows, columns).rows for g in self._symmetries)
        try:
            return ClassOrbits(len(rows), moves)
        except InstanceTooLargeError:
            return None

    def _needed_orbits(self, messages: int) -> ClassOrbits | None:
        """Return the classes up to symmetry where tables over all classes would be too large."""
        rows, columns = len(self._reduced.rows), len(self._reduced.columns)
        if needs_answers(rows, columns, messages):
            return None
        try:
            check_rows(rows, columns, messages)
        except InstanceTooLargeError:
            if self._orbits is None:
                raise
            return self._orbits
        return None

    def solve(
        self,
        messages: int,
        budget: Budget | None = None,
        target: Fraction | None = None,
    ) -> Optimum:
        """Return the least worst-case error of a public-coin protocol with both certificates.

        If too many inputs of Alice remain after covered ones are removed, there are not enough
        symmetries, and neither one message nor one for each of them settles the question, the
        answer is bounds (`ccsim.communication.public_coins.large`).
        """
        reduced = self._reduced
        if messages >= self.enough or not reduced.cells():
            return self.without_error()
        if messages == 1:
            return _without_message(self.problem, reduced)
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
        """Return the result with a protocol that errs at most as a fair coin."""
        coin = _without_message(self.problem, self._reduced)
        if best.upper <= coin.upper:
            return best
        return replace(best, upper=coin.upper, protocol=coin.protocol)


def _or_lower(best: Optimum, other: tuple[Fraction, DistributionProof] | None) -> Optimum:
    """Return the result with another lower bound if that is better."""
    if other is None or other[0] <= best.lower:
        return best
    return replace(best, lower=other[0], below=other[1])


def _without_error(problem: CommunicationProblem, reduced: Reduced) -> Optimum:
    """Every remaining input of Alice has a message of its own."""
    bob = [
        sum(1 << j for j, y in enumerate(reduced.columns) if problem.ones[x] >> y & 1)
        for x in reduced.rows
    ]
    table = DeterministicProtocol(tuple(range(len(bob))), tuple(bob or [0]), len(reduced.columns))
    x, y = problem.inputs()[0]
    point = HardDistribution(((x, y, 1),))
    zero = Fraction(0)
    protocol = reduced.lift(table).to_public_coin()
    return Optimum(zero, zero, protocol, DistributionProof(point), "trivial")


def _without_message(problem: CommunicationProblem, reduced: Reduced) -> Optimum:
    """Let a fair coin answer for Bob; two inputs of Alice that he cannot tell apart forbid better.

    Every remaining column takes both values, or it would have been removed as constant.
    """
    everyone, width, half = (0,) * len(reduced.rows), len(reduced.columns), Fraction(1, 2)
    protocol = PublicCoinProtocol.mixture(
        (half, reduced.lift(DeterministicProtocol(everyone, (answers,), width)))
        for answers in (0, (1 << width) - 1)
    )
    y = reduced.columns[0]
    zero = next(x for x in reduced.rows if problem.value(x, y) == 0)
    one = next(x for x in reduced.rows if problem.value(x, y) == 1)
    hard = HardDistribution.from_integers([(zero, y, 1), (one, y, 1)])
    return Optimum(half, half, protocol, DistributionProof(hard), "coin")
