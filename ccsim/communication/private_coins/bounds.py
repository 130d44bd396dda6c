"""Bounds on the least error of private-coin protocols, with a proof of each.

With private coins the tables of Alice and of Bob are fixed, and the least error is irrational in
general: 3 points under thresholds with two messages have ``(3 - sqrt 5) / 2``.

* Above, an explicit protocol: successive linear programs from many starts (`SuccessivePrograms`)
  find one in floats; Bob's table is rounded to fractions, and Alice's best reply to it is exact.
* Below, the best of these proofs: a hard distribution for public coins, Radon's theorem (`radon`),
  inputs that two messages cannot sort (`two_messages`), signs that no laws have
  (`excluded_signs`), and trees of boxes of probabilities (`boxes`), of dependencies of laws
  (`dependencies`) and of simplices of laws (`simplices`), the last two where Alice has few inputs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import isinf
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ccsim.budget import Budget
from ccsim.communication.partitions.proof import DistributionProof
from ccsim.communication.private_coins.boxes import BoxSearch, BoxTree
from ccsim.communication.private_coins.dependencies import (
    DependencySearch,
    DependencyTree,
    in_best_order,
    is_dependent,
)
from ccsim.communication.private_coins.excluded_signs import ExcludedSigns, excluded_signs
from ccsim.communication.private_coins.protocol_search import (
    SuccessivePrograms,
    coin_protocol,
    needed_inputs,
    random_starts,
    rounded,
)
from ccsim.communication.private_coins.radon import RadonPartitions, radon_partitions
from ccsim.communication.private_coins.simplices import (
    LawSearch,
    SimplexSearch,
    SimplexTree,
    has_few_laws,
    is_small,
)
from ccsim.communication.private_coins.two_messages import UnsortedInputs, unsorted_inputs
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.one_way import worst_error
from ccsim.communication.protocols.tables import PrivateCoinProtocol
from ccsim.communication.public_coins.domination import Reduced, reduce_problem
from ccsim.data import frozen

Floats = npt.NDArray[np.float64]
Search: TypeAlias = BoxSearch | DependencySearch | SimplexSearch
Kind: TypeAlias = Callable[[Reduced, Floats, int, float], Search]
Tree: TypeAlias = BoxTree | DependencyTree | SimplexTree

_GRIDS = (24, 2520, 1 << 30)
_WORK = 50_000
_SAME = 1e-7
_RADON = 0.6  # part of a time limit for proofs by Radon's theorem
_SIGNS = 0.2  # part of what is left for signs that no vectors have
# part of what then is left for the search of boxes; the rest is for the bound of their tree
_GROWING = 0.6
# boxes that are tried before simplices, whose search is compiled on its first use
_FEW_BOXES, _MOST_BOXES = 500, 2000
_FEW = 0.1  # part of the time left for them
_MOST_CASES = 40_000  # cases of simplices where the work is bounded
# part of the time left for dependencies, and cases of them where the work is bounded
_DEPENDENT, _MOST_DEPENDENT = 0.2, 2000
_ORDERS = 0.1  # part of the time left to choose an order of inputs for them
# the same for laws that depend on the messages, a sixth of it left for the bound of their tree
_LAWS, _MOST_LAWS = 0.82, 60_000
_NEEDED = 0.05  # part of the time left to find out which inputs of Alice matter
_SPARE = 2e-6  # how much further a tree goes whose weights are rounded
_PATIENCE = 10  # seconds for that bound after an interrupt


@frozen
class PrivateBounds:
    """Bounds on the least error of private-coin protocols."""

    lower: Fraction
    upper: Fraction
    protocol: PrivateCoinProtocol  # its error is ``upper``
    # shows that no private-coin protocol errs less than ``lower``
    below: DistributionProof | ExcludedSigns | RadonPartitions | UnsortedInputs | Tree


def bound_private_coins(
    problem: CommunicationProblem,
    messages: int,
    public: tuple[Fraction, DistributionProof],
    gap: Fraction,
    budget: Budget,
    target: Fraction | None = None,
    *,
    quick: bool = False,
) -> PrivateBounds:
    """Return bounds on the least error with private coins.

    Complexity: exponential in ``k (n + m)`` at worst, where ``n x m`` inputs remain after covered
    ones are removed. A gap of 1/100 takes seconds up to 3 messages and 4 x 4 inputs, up to a few
    minutes with 5 x 5 inputs (`docs/benchmarks-private-coins.md`).
    """
    return _Search(problem, messages, public, (gap, target), budget).run(quick=quick)


class _Search:
    """The bounds that have been proved so far, and how they are improved."""

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
        self._values = _values(self._reduced)
        coin = coin_protocol(problem, messages)
        error = worst_error(coin, problem).value
        self._best = PrivateBounds(value, error, coin, below)
        self._visited, self._shown = 0, 0.0
        self._work = max(1, _WORK // max(1, self._values.size * messages))

    def run(self, *, quick: bool) -> PrivateBounds:
        """Improve both bounds until they are close enough or the budget is used up."""
        with self._budget:
            self._run_without_trees()
            if not quick:
                self._grow_trees()
        return self._best

    def _run_without_trees(self) -> None:
        """Try the proofs that are soon found or not at all, and look for protocols."""
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
        """Grow one tree of cases after the other."""
        budget, (n, m), k = self._budget, self._values.shape, self._k
        small = is_small(n, k)
        if not self._done() and small:
            self._grow(BoxSearch, _FEW, _FEW_BOXES, 0.0, _MOST_BOXES)
        if not self._done() and is_dependent(n, m, k):
            kind = partial(in_best_order, budget=budget.share(_ORDERS))
            self._grow(kind, _DEPENDENT, _MOST_DEPENDENT)
        if not self._done():
            self._search_laws()
        if not self._done() and small:
            self._grow(SimplexSearch, _GROWING, _MOST_CASES)
        elif not self._done():
            self._grow(BoxSearch, _GROWING, self._work, 0.0)

    def _done(self) -> bool:
        """Whether the bounds are close enough, or decide about the target."""
        lower, upper = self._best.lower, self._best.upper
        if upper - lower <= self._gap:
            return True
        return self._target is not None and not lower <= self._target < upper

    def _offer(self, protocol: PrivateCoinProtocol) -> None:
        """Keep a protocol if it is the best so far."""
        error = worst_error(protocol, self._problem).value
        if error < self._best.upper:
            self._best = replace(self._best, upper=error, protocol=protocol)

    def _prove(
        self,
        proof: ExcludedSigns | RadonPartitions | UnsortedInputs | Tree | None,
        budget: Budget | None = None,
    ) -> None:
        """Keep a lower bound if it is the best so far."""
        if proof is not None:
            if isinstance(proof, Tree):
                lower = proof.bound(self._problem, self._k, budget)
            else:
                lower = proof.bound(self._problem, self._k)
            if lower > self._best.lower:
                self._best = replace(self._best, lower=lower, below=proof)

    def _search_protocols(self) -> None:
        """Improve random tables until the best error has come up a few times."""
        self._programs = SuccessivePrograms(self._values)
        for error, table in random_starts(self._programs, self._k, self._work, self._budget):
            self._keep(error, table)
            if self._done():
                return

    def _keep(self, error: float, table: Floats) -> None:
        """Round a float table of Bob's if it is better than what is known."""
        if error < self._best.upper - _SAME:
            for grid in _GRIDS:
                self._offer(rounded(self._problem, self._reduced, table, grid, self._budget))

    def _search_laws(self) -> None:
        """Confine laws of the inputs that matter; if these were not enough, of all."""
        n, m = self._values.shape
        whole = fewer = tuple(range(n))
        with self._budget.share(_NEEDED) as part:
            fewer = needed_inputs(self._values, self._k, self._enough(), part)
        for chosen in dict.fromkeys([fewer, whole]):
            if not self._done() and has_few_laws(len(chosen), m, self._k):
                kind = partial(LawSearch, chosen=chosen)
                self._grow(kind, _LAWS, _MOST_LAWS, largest=_MOST_LAWS)

    def _grow(
        self, kind: Kind, part: float, most: int, spare: float = _SPARE, largest: int = 1 << 62
    ) -> None:
        """Grow a tree for a part of the time, or as far as the work goes, and keep its bound."""
        hunt = self._budget.share(part)
        hunt.spend()
        search = kind(self._reduced, self._values, self._k, self._enough() + spare)
        most = most if isinf(hunt.remaining) else largest
        with hunt:
            search.grow(most, hunt, lambda *tables: self._visit(search, *tables) + spare)
        with self._budget.grace(_PATIENCE) as left:  # the tree proves something at any time
            self._prove(search.tree(), left)

    def _visit(self, search: Search, alice: Floats, bob: Floats) -> float:
        """Improve tables of a relaxation now and then; return the bound that would do."""
        self._visited += 1
        if self._visited & (self._visited - 1) == 0:  # such tables are a good start
            error, _, table = self._programs.improve(alice, bob, self._budget)
            self._keep(error, table)
            self._shown = max(self._shown, float(self._best.lower), search.bound)
            self._budget.report(self._shown, float(self._best.upper))
        return self._enough()

    def _enough(self) -> float:
        enough = float(self._best.upper - self._gap)
        return enough if self._target is None else min(enough, float(self._target) + _SAME)


def _values(reduced: Reduced) -> Floats:
    """Return the matrix of a reduced problem with ``nan`` outside the promise."""
    problem = reduced.problem
    values = np.full((len(reduced.rows), len(reduced.columns)), np.nan)
    for row, x in zip(values, reduced.rows, strict=True):
        ones, inside = problem.ones[x], problem.promise[x]
        row[:] = [ones >> y & 1 if inside >> y & 1 else np.nan for y in reduced.columns]
    return values
