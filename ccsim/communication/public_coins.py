"""Optimal public-coin protocols by column generation.

The least worst-case error is the value of a game between deterministic protocols and orbits of
inputs (Yao's principle, `fx` eq. 2.1). Protocols are found by local search against the float
strategy of a master program, and by exact pricing when that finds none. The answer counts only
after an exact solution of the restricted game whose hard distribution survives exact pricing in
integers; what is proved before that, when time runs out, are bounds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from ccsim.classes.symmetries import Symmetry, symmetries_of
from ccsim.communication.class_orbits import ClassOrbits
from ccsim.communication.domination import Reduced, reduce_problem
from ccsim.communication.error import worst_error
from ccsim.communication.hard_distribution import HardDistribution
from ccsim.communication.local_search import good_partitions
from ccsim.communication.one_way import DeterministicProtocol, PublicCoinProtocol
from ccsim.communication.orbit_game import OrbitGame
from ccsim.communication.partition_proof import PartitionProof
from ccsim.communication.partition_search import PartitionSearch, partition_proof_for
from ccsim.communication.potentials import potentials_for
from ccsim.communication.pricing import balances, cheapest_classes, check_rows
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.symmetric_protocol import SymmetricProtocol, expanded
from ccsim.errors import InstanceTooLargeError

__all__ = ["Optimum", "Progress", "PublicCoinSolver"]

_GAP = 1e-9
_TRIES = 60
_MOST_NEW = 12
_EXPLICIT = 512
"""Most components of a protocol that is written out instead of its symmetries."""

Progress = Callable[[float, float], None]


@dataclass(frozen=True, slots=True)
class Optimum:
    """Bounds on the least error, equal unless time ran out, with their proofs and the method."""

    lower: Fraction
    upper: Fraction
    protocol: PublicCoinProtocol | SymmetricProtocol
    distribution: HardDistribution
    method: str
    potentials: tuple[Fraction, ...] = ()
    partitions: PartitionProof | None = None


class PublicCoinSolver:
    """The public-coin games of one problem; each starts from what the one before has found.

    Parameters
    ----------
    problem : CommunicationProblem

    Examples
    --------
    >>> from ccsim.communication.problem import equality
    >>> solver = PublicCoinSolver(equality(3))
    >>> best = solver.solve(2)
    >>> best.upper, best.protocol.messages, best.distribution.total
    (Fraction(2, 9), 2, 9)
    """

    def __init__(self, problem: CommunicationProblem) -> None:
        self.problem = problem
        self._last: _Search | None = None

    @cached_property
    def _reduced(self) -> Reduced:
        return reduce_problem(self.problem)

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

    def solve(
        self, messages: int, progress: Progress | None = None, deadline: float | None = None
    ) -> Optimum:
        """Return the least worst-case error of a public-coin protocol with both certificates.

        Parameters
        ----------
        messages : int
        progress : callable, optional
            Called with both bounds as floats after every round.
        deadline : float, optional
            Value of `time.monotonic` after which the bounds proved by then are returned; with a
            deadline an interrupt ends the search likewise.

        Raises
        ------
        InstanceTooLargeError
            If too many inputs of Alice remain after covered ones are removed, there are not enough
            symmetries, and neither one message nor one for each of them settles the question.
        """
        reduced = self._reduced
        if messages >= len(reduced.rows) or not reduced.cells():
            return _without_error(self.problem, reduced)
        if messages == 1:
            return _without_message(self.problem, reduced)
        try:
            orbits = None
            check_rows(len(reduced.rows), len(reduced.columns), messages)
        except InstanceTooLargeError:
            orbits = self._orbits
            if orbits is None:
                raise
        search = _Search(reduced, messages, self._symmetries, orbits, progress)
        try:
            search.run(deadline, self._last)
        except KeyboardInterrupt:
            if deadline is None:
                raise
        self._last = search
        return search.result()


class _Search:
    """Column generation with the best bounds so far."""

    def __init__(
        self,
        reduced: Reduced,
        messages: int,
        symmetries: Sequence[Symmetry],
        orbits: ClassOrbits | None,
        progress: Progress | None,
    ) -> None:
        self.reduced = reduced
        self.messages = messages
        self.symmetries = tuple(symmetries)
        self.inner = tuple(g.restricted(reduced.rows, reduced.columns) for g in symmetries)
        self.game = OrbitGame(reduced, messages, self.inner)
        self.orbits = orbits
        self.lower = Fraction(-1)
        self.hard: list[int] = []
        self.mixture: list[Fraction] | None = None
        self._progress = progress
        self._rng = np.random.default_rng(0)
        self._stable = [int(size) / len(self.game.cells) for size in self.game.sizes]
        self._estimate = 0.0
        self._upper = 1.0

    def run(self, deadline: float | None, start: _Search | None) -> None:
        """Search until the bounds are equal or the deadline has passed."""
        self._add_good(self._stable, 1.0)
        if start is not None:
            self._continue(start)
        while self.mixture is None:
            self._upper, strategy = self.game.master.solve()
            self._report()
            if deadline is not None and time.monotonic() > deadline:
                self._price(self.game.rounded(self._stable))
                return
            smoothed = [(a + b) / 2 for a, b in zip(strategy, self._stable, strict=True)]
            self._add_good(smoothed, self._upper)
            if self._add_good(strategy, self._upper):
                continue
            before = len(self.game)
            self._price(self.game.rounded(strategy))
            if len(self.game) == before or self._upper - float(self.lower) <= _GAP:
                self._finish()

    def _continue(self, other: _Search) -> None:
        """Start from the protocols and the distribution of a search for fewer messages."""
        weights = other.game.master.column_strategy()
        for weight, (classes, bob) in zip(weights, other.game.tables, strict=False):
            if weight > _GAP and len(bob) <= self.messages:
                width = len(self.reduced.columns)
                self.game.add(classes, [[mask >> y & 1 for y in range(width)] for mask in bob])
        self._add_good(other.game.master.solve()[1], 1.0)

    def _report(self) -> None:
        if self._progress is not None:
            self._progress(max(float(self.lower), 0.0), self._upper)

    def _add_good(self, strategy: Sequence[float], upper: float) -> int:
        """Add what local search finds below the master's value; return how many are new."""
        weights = self.game.signed(strategy)
        partitions, costs = good_partitions(weights, self.messages, _TRIES, self._rng)
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

    def _price(self, weights: list[int]) -> Fraction:
        """Add the best protocol for integer weights of cells; return a lower bound on its error.

        It is the error itself unless the search for the best protocol was too long.
        """
        matrix = self.game.signed_integers(weights)
        if self.orbits is None:
            least, classes = cheapest_classes(matrix, self.messages)
        else:
            found = PartitionSearch(matrix, self.messages, self.orbits)
            least, classes = found.lower, found.classes
        bound = Fraction(least, sum(weights))
        if bound > self.lower:
            self.lower, self.hard = bound, weights
            self._report()
        self.game.add(classes, balances(matrix, classes, self.messages))
        return bound

    def _finish(self) -> None:
        """Solve the restricted game exactly; it is the whole game if its bounds are equal.

        It is also the end if no better protocol is found.
        """
        value, orbits, mixture = self.game.solve_exactly()
        before = len(self.game)
        if self._price(self.game.integers(orbits)) == value or len(self.game) == before:
            unused = [Fraction(0)] * (len(self.game) - len(mixture))
            self.mixture = [*mixture, *unused]

    def result(self) -> Optimum:
        """Return the bounds with a protocol and a distribution that prove them."""
        reduced = self.reduced
        if not len(self.game):  # interrupted at once
            self._add_good(self._stable, 1.0)
            self.game.master.solve()
        if not self.hard:
            self._progress = None
            self._price(self.game.rounded(self._stable))
        mixture = self.game.rounded_mixture() if self.mixture is None else self.mixture
        upper = self.game.conceded(mixture)
        distribution = HardDistribution.from_integers(
            (reduced.rows[i], reduced.columns[j], w)
            for (i, j), w in zip(self.game.cells, self.hard, strict=True)
        )
        protocol = self._protocol(mixture, upper)
        potentials = potentials_for(
            reduced.problem, distribution, self.messages, self.lower, self.symmetries
        )
        proof = None
        if not potentials:
            proof = partition_proof_for(
                reduced.problem, distribution, self.messages, self.lower, self.symmetries
            )
        return Optimum(self.lower, upper, protocol, distribution, "columns", potentials, proof)

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
    return Optimum(zero, zero, reduced.lift(table).to_public_coin(), point, "trivial")


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
    return Optimum(half, half, protocol, hard, "coin")
