"""The search for an optimal public-coin protocol, by column generation."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import count, product

import highspy
import numpy as np

from ccsim.budget import Budget
from ccsim.communication.distributional import DistributionProof, prove_bound
from ccsim.communication.partitions.answers import AnswerSearch
from ccsim.communication.partitions.tables import balances
from ccsim.communication.protocols.tables import (
    DeterministicProtocol,
    PublicCoinProtocol,
    SymmetricProtocol,
    expanded,
)
from ccsim.communication.protocols.two_party import worst_error
from ccsim.communication.public_coins.column_generation import SLACK, ColumnGeneration
from ccsim.communication.public_coins.domination import Reduced
from ccsim.communication.public_coins.growing_weights import GrowingWeights
from ccsim.communication.public_coins.orbit_game import (
    OrbitGame,
    Pricing,
    renumbered,
    simple_distribution,
)
from ccsim.data import frozen
from ccsim.programs.highs import QuietHighs
from ccsim.symmetry.groups import ClassOrbits, orbits_of
from ccsim.symmetry.matrix import Symmetry

_GAP = 1e-9
_TRIES = 60
_MOST_NEW = 12
_MANY, _GROWING = 100, 0.3  # orbits from which on growing weights find protocols, and their time
_EXPLICIT = 512  # most components of a protocol that is written out instead of its symmetries
_PAIRS, _FORMS = 1 << 15, 6000  # most pairs of a row and an answer, and constraints for them
_PART = 1 / 4  # of the time


@frozen
class Optimum:
    """Bounds on the minimax error, equal unless time ran out, with their proofs and the method."""

    lower: Fraction
    upper: Fraction
    protocol: PublicCoinProtocol | SymmetricProtocol
    below: DistributionProof
    method: str


class ProtocolSearch(ColumnGeneration[OrbitGame]):
    """Column generation for one number of messages, with the best bounds so far."""

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
        super().__init__(OrbitGame(reduced, messages, self.inner), budget)
        self._pricing = Pricing(reduced, messages, self.inner, orbits)
        self.classes: list[int] | None = None  # of each row in a cheapest partition, if known
        self._symmetric = True
        self._searched: AnswerSearch | None = None
        self._grown: list[Fraction] = []  # the mixture of the first protocols

    def run(self, start: ProtocolSearch | None, target: Fraction | None = None) -> None:
        """Search until the bounds coincide or decide whether the target is attained."""
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
        self._generate(target)

    def _continue(self, other: ProtocolSearch) -> None:
        """Start from the protocols and the distribution of a search with fewer messages."""
        weights, width = other.game.master.column_strategy(), len(self.reduced.columns)
        for weight, (classes, bob) in zip(weights, other.game.tables, strict=False):
            if weight > _GAP and len(bob) <= self.messages:
                self.game.add(classes, [[mask >> y & 1 for y in range(width)] for mask in bob])
        self._add_good(other.game.master.solve(self._budget)[1], 1.0)
        if other.hard and self._pricing.by_answers:  # it is often as hard as any, and soon priced
            self._price(other.hard, self._budget)

    def _add_good(self, strategy: Sequence[float], upper: float) -> int:
        """Add protocols from local search with error below the value; return their number."""
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

    def _price(self, weights: list[int], budget: Budget, slack: float = SLACK) -> Fraction:
        """Add the best protocol for integer weights; return a lower bound on its error."""
        matrix, total = self.game.signed_integers(weights), sum(weights)
        cheap = int((self._upper - _GAP) * total) if slack else 0
        found = self._pricing.price(matrix, budget, cheap, int(slack * total))
        bound = Fraction(found.lower, total)
        if bound > self.lower or (bound == self.lower and total < sum(self.hard)):  # or simpler
            self.lower, self.hard, self._searched = bound, weights, found.search
            self.classes = found.classes if found.cost == found.lower else None
            self._report()
        for classes in (*found.others, found.classes):
            self.game.add(classes, balances(matrix, classes, self.messages))
        return bound

    def _optima(self, exact: Sequence[Fraction]) -> list[Sequence[Fraction]]:
        simple = simple_distribution(self._strategy) if self._pricing.by_answers else None
        return [exact] if simple is None else [simple, exact]  # the exact one may be one of many

    def result(self, budget: Budget) -> Optimum:
        """Return both bounds with a protocol and a distribution.

        If time is short, the distribution has few inputs of Alice.
        """
        self.begin()
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
        """Return the best lower bound with its proof, for any number of rows."""
        if not self.hard:
            self._price_or_give_up(budget)
        return self.lower, self._lower_proof(budget)

    def _lower_proof(self, budget: Budget) -> DistributionProof:
        """Return the hard distribution with the proof of its bound."""
        distribution = self.game.distribution(self.hard)
        if self._searched is not None:
            return DistributionProof(distribution, self.symmetries, tree=self._searched.tree())
        weighted = sorted({i for (i, _), w in zip(self.game.cells, self.hard, strict=True) if w})
        partition = None if self.classes is None else renumbered(self.classes, weighted)
        symmetries = self.symmetries if self._symmetric else ()
        problem = self.reduced.problem
        return prove_bound(problem, distribution, self.messages, partition, symmetries, budget)

    def _price_or_give_up(self, budget: Budget) -> None:
        """Prove a lower bound; if time is short, a bound from the heaviest rows only."""
        with budget:
            self._price(self.game.rounded(self._stable), budget)
        if not self.hard:
            weights = self.game.rounded(self._stable)
            cost, self.classes, rows = self._pricing.few_rows(self.game.signed_integers(weights))
            cells = zip(self.game.cells, weights, strict=True)
            self.hard = [w if i in rows else 0 for (i, _), w in cells]
            self.lower = Fraction(cost, sum(self.hard))
            self._symmetric, self._searched = False, None

    def _leave_open(self) -> None:
        super()._leave_open()
        self.classes, self._searched, self._symmetric = None, None, False

    def _protocol(
        self, mixture: Sequence[Fraction], upper: Fraction
    ) -> PublicCoinProtocol | SymmetricProtocol:
        """Return the mixture for the original problem, as an explicit mixture if it is small."""
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


def relaxed_weights(
    game: OrbitGame, reduced: Reduced, symmetries: Sequence[Symmetry], budget: Budget
) -> list[int] | None:
    """Return integer weights of cells that are nearly optimal for the fractional relaxation."""
    if len(reduced.rows) << len(reduced.columns) > _PAIRS:
        return None
    program = _Fractions(game, reduced, symmetries)
    found = program.solve(budget.share(_PART)) if len(program.forms) <= _FORMS else None
    if found is None:
        return None
    distribution = simple_distribution(found)
    return game.rounded(found) if distribution is None else game.integers(distribution)


class _Fractions:
    """The linear program with weights of orbits, potentials of rows, and gains of answers."""

    def __init__(self, game: OrbitGame, reduced: Reduced, symmetries: Sequence[Symmetry]) -> None:
        rows, answers = range(len(reduced.rows)), range(1 << len(reduced.columns))
        images = [[g.mask(q) for q in answers] for g in symmetries]
        moved = (
            [((x, q), (g.rows[x], image[q])) for x, q in product(rows, answers)]
            for g, image in zip(symmetries, images, strict=True)
        )
        of_row = orbits_of(rows, (enumerate(g.rows) for g in symmetries))
        of_answer = orbits_of(answers, map(enumerate, images))
        of_pair = orbits_of(product(rows, answers), moved)
        self._orbits, sizes = len(game.sizes), game.sizes.tolist()
        unused = count(self._orbits)
        potential = {x: next(unused) for x in rows if of_row[x] == x}
        gain = {pair: next(unused) for pair, leader in of_pair.items() if leader == pair}
        wrong = defaultdict[tuple[int, int], list[int]](list)  # the orbits of what a row errs on
        for (x, y), orbit in zip(game.cells, game.orbit, strict=True):
            one = reduced.problem.value(reduced.rows[x], reduced.columns[y])
            for q in answers:
                if q >> y & 1 != one:
                    wrong[x, q].append(orbit)
        self.forms: list[dict[int, float]] = []  # at least 0 each
        for (x, q), variable in gain.items():
            errs = ((orbit, 1 / sizes[orbit]) for orbit in wrong[x, q])
            self.forms.append(_added([(variable, 1.0), (potential[of_row[x]], -1.0), *errs]))
        largest = next(unused)
        for answer in answers:
            if of_answer[answer] == answer:
                gains = ((gain[of_pair[x, answer]], -1.0) for x in rows)
                self.forms.append(_added([(largest, 1.0), *gains]))
        self._costs = _added((potential[of_row[x]], -1.0) for x in rows)
        self._costs[largest] = float(game.messages)

    def solve(self, budget: Budget) -> list[float] | None:
        """Return the optimal strategy, or None if the solver fails."""
        rows = [dict.fromkeys(range(self._orbits), 1.0), *self.forms]
        index, value = zip(*(entry for form in rows for entry in form.items()), strict=True)
        highest = [1.0] + [highspy.kHighsInf] * len(self.forms)
        solver = QuietHighs()
        if budget.limited:
            solver.setOptionValue("time_limit", budget.remaining)
        solver.pass_rows(
            [self._costs.get(j, 0.0) for j in range(max(self._costs) + 1)],
            (0.0, highspy.kHighsInf),
            ([1.0] + [0.0] * len(self.forms), highest),
            (np.cumsum([0, *map(len, rows)]), index, value),
        )
        solver.run()
        if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        found = np.maximum(solver.getSolution().col_value[: self._orbits], 0.0)
        return [float(p) for p in found / found.sum()]


def _added(terms: Iterable[tuple[int, float]]) -> dict[int, float]:
    """Return the sum of the terms of each variable."""
    form = defaultdict[int, float](float)
    for variable, factor in terms:
        form[variable] += factor
    return form
