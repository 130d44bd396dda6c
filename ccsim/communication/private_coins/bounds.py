"""Bounds on the minimax error of private-coin protocols, with a proof of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import inf, isinf
from typing import TypeAlias

import highspy
import numpy as np
import numpy.typing as npt

from ccsim.budget import Budget
from ccsim.classes.masks import members
from ccsim.communication.distributional import DistributionProof
from ccsim.communication.private_coins.boxes import BoxSearch, BoxTree
from ccsim.communication.private_coins.case_trees import Tables
from ccsim.communication.private_coins.dependencies import (
    DependencySearch,
    DependencyTree,
    in_best_order,
    is_dependent,
)
from ccsim.communication.private_coins.rounds import FEW_ROWS, least_error
from ccsim.communication.private_coins.simplices import (
    DistributionSearch,
    SimplexSearch,
    SimplexTree,
    has_few_distributions,
    is_small,
)
from ccsim.communication.private_coins.theorems import (
    ExcludedSigns,
    RadonPartitions,
    UnsortedInputs,
    excluded_signs,
    radon_partitions,
    unsorted_inputs,
)
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.tables import PrivateCoinProtocol
from ccsim.communication.protocols.two_party import worst_error
from ccsim.communication.public_coins.domination import Reduced, reduce_problem
from ccsim.data import frozen
from ccsim.programs import solve_matrix_game
from ccsim.programs.highs import QuietHighs

Floats = npt.NDArray[np.float64]
Search: TypeAlias = BoxSearch | DependencySearch | SimplexSearch
Kind: TypeAlias = Callable[[Reduced, Floats, int, float], Search]
Tree: TypeAlias = BoxTree | DependencyTree | SimplexTree
PrivateProof: TypeAlias = ExcludedSigns | RadonPartitions | UnsortedInputs | Tree

_GRIDS = (24, 2520, 1 << 30)
_WORK = 50_000
_SAME = 1e-7
_RADON = 0.6  # part of a time limit for proofs by Radon's theorem
_SIGNS = 0.2  # part of what is left for signs that no vectors have
_GROWING = 0.6  # part of what then is left to grow boxes; the rest is for their bound
_FEW_BOXES, _MOST_BOXES = 500, 2000  # boxes that are tried before simplices
_FEW = 0.1  # part of the time left for them
_MOST_CASES = 40_000  # cases of simplices where the work is bounded
_DEPENDENT, _MOST_DEPENDENT = 0.2, 2000  # part of the time for dependencies; cases without limit
_ORDERS = 0.1  # part of the time left to choose an order of inputs for them
_DISTRIBUTIONS, _MOST_DISTRIBUTIONS = 0.82, 60_000  # the same for laws that depend on the messages
_NEEDED = 0.05  # part of the time left to find out which inputs of Alice matter
_SPARE = 2e-6  # how much further a tree goes whose weights are rounded
_PATIENCE = 10  # seconds for that bound after an interrupt
_STARTS, _HITS = 20, 3  # random starts, and how often the best error comes up before they end
_SMALL, _SMALL_STARTS, _SMALL_HITS = 75, 60, 8  # the same for few products of probabilities
_TRIES = 10  # random starts to see whether fewer inputs can be answered with a smaller error
_STEPS = 40
_FIRST_RADIUS = 0.5
_LEAST_RADIUS, _LEAST_GAIN = 1e-7, 1e-11


@frozen
class PrivateBounds:
    """Bounds on the minimax error of private-coin protocols."""

    lower: Fraction
    upper: Fraction
    protocol: PrivateCoinProtocol  # its error is ``upper``
    below: DistributionProof | PrivateProof  # shows that none errs less than ``lower``


class PrivateCoinSearch:
    """The bounds proved so far, and the methods that improve them."""

    def __init__(
        self,
        problem: CommunicationProblem,
        messages: int,
        public: tuple[Fraction, DistributionProof],
        goals: tuple[Fraction, Fraction | None],
        budget: Budget,
    ) -> None:
        value, below = public
        self._problem, self._k, self._budget = problem, messages, budget
        self._gap, self._target = goals
        self._reduced = reduce_problem(problem)
        self._values = self._reduced.values()
        self._programs = SuccessivePrograms(self._values)
        coin = coin_protocol(problem, messages)
        error = worst_error(coin, problem).value
        self._best = PrivateBounds(value, error, coin, below)
        self._visited, self._shown = 0, 0.0
        self._work = max(1, _WORK // max(1, self._values.size * messages))

    def run(self, *, quick: bool, known: PrivateBounds | None = None) -> PrivateBounds:
        """Improve both bounds until they are close enough or the budget is used up.

        Bounds known from a quick run are repeated only if a time limit may have cut it short.
        """
        self._best = known or self._best
        if known is None and len(self._reduced.rows) > FEW_ROWS:
            self._play_rounds()
        with self._budget:
            if known is None or self._budget.limited:
                self._run_without_trees()
            if not quick:
                self._grow_trees()
        return self._best

    def _play_rounds(self) -> None:
        """Use a protocol that takes no search, which is better than a coin for many messages."""
        rounds = least_error(self._values, self._k, self._budget)
        if rounds is not None and rounds.error < self._best.upper:
            protocol = rounds.protocol(self._reduced)
            self._best = replace(self._best, upper=rounds.error, protocol=protocol)

    def _run_without_trees(self) -> None:
        """Try the fast proofs, and search for protocols."""
        budget, rows = self._budget, self._reduced.rows
        if not self._done():
            part = budget.share(_RADON)
            self._prove(radon_partitions(self._problem, self._k, rows, part))
        if not self._done() and self._k == 2:
            self._prove(unsorted_inputs(self._problem, rows, budget))
        if not self._done():
            self._prove(excluded_signs(self._problem, self._k, budget.share(_SIGNS)))
        if not self._done():
            self._search_protocols()

    def _grow_trees(self) -> None:
        """Grow case trees, one after another."""
        budget, (n, m), k = self._budget, self._values.shape, self._k
        small = is_small(n, k)
        if not self._done() and small:
            self._grow(BoxSearch, _FEW, _FEW_BOXES, 0.0, _MOST_BOXES)
        if not self._done() and is_dependent(n, m, k):
            kind = partial(in_best_order, budget=budget.share(_ORDERS))
            self._grow(kind, _DEPENDENT, _MOST_DEPENDENT)
        if not self._done():
            self._search_distributions()
        if not self._done() and small:
            self._grow(SimplexSearch, _GROWING, _MOST_CASES)
        elif not self._done():
            self._grow(BoxSearch, _GROWING, self._work, 0.0)

    def _done(self) -> bool:
        """Return whether the bounds are close enough or decide about the target."""
        lower, upper = self._best.lower, self._best.upper
        if upper - lower <= self._gap:
            return True
        return self._target is not None and not lower <= self._target < upper

    def _prove(self, proof: PrivateProof | None, budget: Budget | None = None) -> None:
        """Store a lower bound if it is the best so far."""
        if proof is not None:
            if isinstance(proof, Tree):
                lower = proof.bound(self._problem, self._k, budget)
            else:
                lower = proof.bound(self._problem, self._k)
            if lower > self._best.lower:
                self._best = replace(self._best, lower=lower, below=proof)

    def _search_protocols(self) -> None:
        """Improve random tables until the best error has recurred a few times."""
        for error, table in random_starts(self._programs, self._k, self._work, self._budget):
            self._keep(error, table)
            if self._done():
                return

    def _keep(self, error: float, table: Floats) -> None:
        """Round a table of Bob in floats, and store it if it improves the upper bound."""
        if error < self._best.upper - _SAME:
            for grid in _GRIDS:
                protocol = rounded(self._problem, self._reduced, table, grid, self._budget)
                exact = worst_error(protocol, self._problem).value
                if exact < self._best.upper:
                    self._best = replace(self._best, upper=exact, protocol=protocol)

    def _search_distributions(self) -> None:
        """Grow a tree over the distributions of the needed inputs of Alice.

        If its bound does not suffice, grow another tree over the distributions of all her inputs.
        """
        n, m = self._values.shape
        whole = fewer = tuple(range(n))
        with self._budget.share(_NEEDED) as part:
            fewer = needed_inputs(self._values, self._k, self._enough(), part)
        for chosen in dict.fromkeys([fewer, whole]):
            if not self._done() and has_few_distributions(len(chosen), m, self._k):
                kind = partial(DistributionSearch, chosen=chosen)
                self._grow(kind, _DISTRIBUTIONS, _MOST_DISTRIBUTIONS, largest=_MOST_DISTRIBUTIONS)

    def _grow(
        self, kind: Kind, part: float, most: int, spare: float = _SPARE, largest: int = 1 << 62
    ) -> None:
        """Grow a tree with a part of the remaining time or work, and store its bound."""
        hunt = self._budget.share(part)
        hunt.spend()
        search = kind(self._reduced, self._values, self._k, self._enough() + spare)
        most = most if isinf(hunt.remaining) else largest
        with hunt:
            search.grow(most, hunt, lambda tables: self._visit(search, tables) + spare)
        with self._budget.grace(_PATIENCE) as left:  # the tree proves something at any time
            self._prove(search.tree(), left)

    def _visit(self, search: Search, tables: Callable[[], Tables]) -> float:
        """Improve the tables at visits 1, 2, 4, ...; return the lower bound that would suffice."""
        self._visited += 1
        if self._visited & (self._visited - 1) == 0:  # such tables are a good start
            error, _, table = self._programs.improve(*tables(), self._budget)
            self._keep(error, table)
            self._shown = max(self._shown, float(self._best.lower), search.bound)
            self._budget.report(self._shown, float(self._best.upper))
        return self._enough()

    def _enough(self) -> float:
        enough = float(self._best.upper - self._gap)
        return enough if self._target is None else min(enough, float(self._target) + _SAME)


def random_starts(
    programs: SuccessivePrograms, messages: int, most: int, budget: Budget
) -> Iterator[tuple[float, Floats]]:
    """Yield errors and Bob's tables of improved random protocols until the best error recurs."""
    rng = np.random.default_rng(0)
    n, m = programs.values.shape
    best, hits = inf, 0
    small = n * m * messages <= _SMALL
    starts, enough = (_SMALL_STARTS, _SMALL_HITS) if small else (_STARTS, _HITS)
    for _ in range(min(starts, most)):
        if hits == enough:
            return
        budget.spend()
        alice = rng.dirichlet(np.full(messages, 0.7), n)
        error, _, table = programs.improve(alice, rng.random((messages, m)), budget)
        yield error, table
        hits = hits + 1 if abs(error - best) < _SAME else 1 if error < best else hits
        best = min(error, best)


def needed_inputs(values: Floats, messages: int, target: float, budget: Budget) -> tuple[int, ...]:
    """Return inputs of Alice for which a few random starts find no error below a target."""
    kept = list(range(len(values)))
    for x in range(len(values) - 1, -1, -1):
        rest = [z for z in kept if z != x]
        if len(rest) <= messages:
            break
        found = random_starts(SuccessivePrograms(values[rest]), messages, _TRIES, budget)
        if all(error >= target for error, _ in found):
            kept = rest
    return tuple(kept)


def coin_protocol(problem: CommunicationProblem, messages: int) -> PrivateCoinProtocol:
    """Return the protocol in which Bob answers with a fair coin."""
    half = ((Fraction(1, 2),) * len(problem.bob),) * messages
    silent = tuple(Fraction(m == 0) for m in range(messages))
    return PrivateCoinProtocol((silent,) * len(problem.alice), half)


def rounded(
    problem: CommunicationProblem, reduced: Reduced, bob: Floats, grid: int, budget: Budget
) -> PrivateCoinProtocol:
    """Round Bob's table to multiples of ``1 / grid``, with an exact best response of Alice."""
    small = [[Fraction(round(float(p) * grid), grid) for p in row] for row in bob]
    zero = Fraction(0)
    table = tuple(
        tuple(abs(flip - (zero if y is None else row[y])) for y, flip in reduced.answers)
        for row in small
    )
    return PrivateCoinProtocol(best_alice(problem, table, budget), table)


def best_alice(
    problem: CommunicationProblem, bob: tuple[tuple[Fraction, ...], ...], budget: Budget
) -> tuple[tuple[Fraction, ...], ...]:
    """Return Alice's best response to a table of Bob, by a matrix game for each of her inputs."""
    result = []
    for x in budget.each(range(len(problem.alice))):
        inside, ones = list(members(problem.promise[x])), problem.ones[x]
        if inside:
            errors = [[1 - row[y] if ones >> y & 1 else row[y] for row in bob] for y in inside]
            result.append(solve_matrix_game(errors).column_strategy)
        else:
            result.append(tuple(Fraction(m == 0) for m in range(len(bob))))
    return tuple(result)


class SuccessivePrograms:
    """Improves private-coin protocols for a matrix by linear programs of small changes."""

    def __init__(self, values: Floats) -> None:
        self.values = values
        self._x, self._y = np.nonzero(~np.isnan(values))
        self._sign = np.where(values[self._x, self._y] == 1, -1.0, 1.0)
        self._highs = QuietHighs()
        self._highs.setOptionValue("presolve", "off")  # takes longer than these programs

    def error(self, alice: Floats, bob: Floats) -> float:
        """Return the largest error; ``alice[x][m]`` and ``bob[m][y]`` are probabilities."""
        return float(np.nanmax(np.abs(alice @ bob - self.values)))

    def improve(
        self, alice: Floats, bob: Floats, budget: Budget | None = None
    ) -> tuple[float, Floats, Floats]:
        """Return the error and the tables after improvement by small changes, if time allows."""
        best, radius = self.error(alice, bob), _FIRST_RADIUS
        for _ in range(_STEPS):
            if budget is not None and budget.limited:
                if budget.expired:
                    break
                end = self._highs.getRunTime() + budget.remaining  # it adds up the time of all runs
                self._highs.setOptionValue("time_limit", end)
            changed = self._step(alice, bob, radius)
            if changed is None:
                error = best
            else:
                if best - changed[0] < _LEAST_GAIN:  # smaller changes gain even less
                    break
                error = self.error(*changed[1:])
            if changed is not None and error < best:
                small = best - error < _LEAST_GAIN
                (_, alice, bob), best = changed, error
                radius = min(1.0, 2 * radius)
                if small:
                    break
            else:
                radius /= 4
                if radius < _LEAST_RADIUS:
                    break
        return best, alice, bob

    def _step(
        self, alice: Floats, bob: Floats, radius: float
    ) -> tuple[float, Floats, Floats] | None:
        """Solve the program linearised around a protocol, with changes of at most `radius`.

        Return the least error of the linear program, and the changed tables.
        """
        (n, k), m, cells = alice.shape, bob.shape[1], len(self._x)
        # a b is about a b0 + a0 b - a0 b0, and v >= sign * (sum_m a b - f)
        at_alice = 1 + self._x[:, None] * k + np.arange(k)
        at_bob = 1 + n * k + np.arange(k) * m + self._y[:, None]
        index = np.hstack([np.zeros((cells, 1), int), at_alice, at_bob])
        slopes = np.hstack([bob[:, self._y].T, alice[self._x]]) * -self._sign[:, None]
        value = np.hstack([np.ones((cells, 1)), slopes])
        current = np.concatenate([alice.ravel(), bob.ravel()])
        products = (alice @ bob + self.values)[self._x, self._y]
        distribution = 1 + np.arange(n * k)
        rows, width = np.arange(cells), 1 + 2 * k
        self._highs.pass_rows(
            np.eye(1, 1 + len(current))[0],
            (
                np.concatenate([[0.0], np.maximum(current - radius, 0.0)]),
                np.concatenate([[1.0], np.minimum(current + radius, 1.0)]),
            ),
            (
                np.concatenate([-self._sign * products, np.ones(n)]),
                np.concatenate([np.full(cells, highspy.kHighsInf), np.ones(n)]),
            ),
            (
                np.concatenate([rows * width, cells * width + np.arange(n + 1) * k]),
                np.concatenate([index.ravel(), distribution]),
                np.concatenate([value.ravel(), np.ones(n * k)]),
            ),
        )
        self._highs.run()
        if self._highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        least, *changed = self._highs.getSolution().col_value
        solution = np.clip(np.array(changed), 0.0, 1.0)
        distributions = solution[: n * k].reshape(n, k)
        totals = distributions.sum(axis=1, keepdims=True)
        if totals.min() <= 0:
            return None
        return least, distributions / totals, solution[n * k :].reshape(k, m)
