"""Smallest random sets of hypotheses for classes on few points, by one plain game.

Main definition: `random_size`.

Of a distribution over points only its *failing pattern* counts: which sets of points weigh more
than the error that is allowed. A concept is failed by hypotheses whose differences from it all are
such sets, so that the largest failing patterns are enough, of which there are few.
They and all sets of ``k`` hypotheses are the rows and columns of one game, solved in rationals.
What is returned is the engine's own kind of result, which the kernel checks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product

import numpy as np

from ccsim.budget import Budget, TimeLimit
from ccsim.classes import ConceptClass
from ccsim.exact import common_denominator
from ccsim.programs.game_program import solve_integer_game
from ccsim.representation.failing_sets.bounds import FailureResult, failing_weight
from ccsim.representation.failing_sets.families import Tree
from ccsim.representation.failing_sets.selection import even_law
from ccsim.representation.failure import failure_probability
from ccsim.representation.hitting_sets.branching import Branching, Refutation
from ccsim.representation.hitting_sets.coverage import MeetingSearch
from ccsim.representation.hitting_sets.listing import masks_of
from ccsim.representation.hitting_sets.neighbourhoods import Neighbourhood
from ccsim.representation.hypotheses import HypothesisSet, ProbabilisticRepresentation
from ccsim.representation.random_size import ProbabilisticSizeResult
from ccsim.representation.size import deterministic_representation_size
from ccsim.surveys.atlas.failing_trees import failing_trees

__all__ = ["random_size"]

_MOST_WEIGHT = 6
"""Weights of the points up to this give every failing pattern on 4 points at errors in use."""
_TOGETHER = 16
_TINY = 1e-9


@lru_cache(maxsize=32)
def _patterns(n: int, error: Fraction) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Return distributions, as weights, with largest failing patterns, as masks of sets."""
    found: dict[int, tuple[int, ...]] = {}
    for weights in product(range(_MOST_WEIGHT + 1), repeat=n):
        if total := sum(weights):
            heavy = 0
            for s in range(1 << n):
                if sum(w for x, w in enumerate(weights) if s >> x & 1) > error * total:
                    heavy |= 1 << s
            if heavy not in found or sum(found[heavy]) > total:
                found[heavy] = weights
    return tuple(
        (weights, heavy)
        for heavy, weights in found.items()
        if not any(heavy & other == heavy != other for other in found)
    )


def random_size(
    C: ConceptClass, error: Fraction, failure: Fraction, *, time_limit: TimeLimit = None
) -> ProbabilisticSizeResult:
    """Return the least size of random sets of hypotheses that represent a class.

    Parameters
    ----------
    C : ConceptClass
        On at most 4 points, not empty.
    error, failure : Fraction
    time_limit : float or Budget, optional
        Stopped, the result has the bounds that are proved by then.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> random_size(points(2), Fraction(1, 4), Fraction(1, 4)).value
    3
    """
    budget, n = Budget.of(time_limit), len(C.points)
    surely = deterministic_representation_size(C, error, time_limit=0)
    best = ProbabilisticRepresentation.mixture([(1, surely.representation.hypotheses)])
    above = failure_probability(best, C, error, target=failure)
    result = ProbabilisticSizeResult(C, error, failure, None, 1, best.size, None, above)
    with budget:
        game = _Game(C.rows, n, error, budget)
        most, of_all = _for_all(n, error, failure)
        for k in range(1, best.size):
            if k >= most:
                proved = game.proved(C, of_all, failure, _trees_for_all(n, error, failure))
                return result if proved is None else replace(result, upper=k, representation=proved)
            refutation = game.play(k)
            number = refutation.least_number(failure)
            if number is None or number > k:
                number = min(number or best.size, best.size)
                result = replace(result, lower=number, proof=refutation.proof)
                if number >= best.size:
                    return result
                continue
            proved = game.proved(C, game.mixture(), failure)
            if proved is not None:
                result = replace(result, upper=k, representation=proved)
            return result
    return result


@lru_cache(maxsize=32)
def _for_all(n: int, error: Fraction, failure: Fraction) -> tuple[int, ProbabilisticRepresentation]:
    """Return the least size for all functions on the points: it is enough for every class."""
    game = _Game(range(1 << n), n, error, Budget())
    for k in range(1, 1 << n):
        number = game.play(k).least_number(failure)
        if number is not None and number <= k:
            return k, game.mixture()
    everything = HypothesisSet.from_rows(range(1 << n), n)
    return 1 << n, ProbabilisticRepresentation.mixture([(1, everything)])


@lru_cache(maxsize=32)
def _trees_for_all(n: int, error: Fraction, failure: Fraction) -> tuple[Tree, ...]:
    """Return the trees for all functions on the points."""
    heavy = [pattern for _, pattern in _patterns(n, error)]
    of_all = _for_all(n, error, failure)[1]
    return failing_trees(of_all, range(1 << n), heavy, failure, Budget()) or ()


class _Game:
    """Sets of ``k`` hypotheses against concepts and failing patterns; columns come as needed."""

    def __init__(self, rows: Sequence[int], n: int, error: Fraction, budget: Budget) -> None:
        self._n, self._error, self._budget = n, error, budget
        self._near, good = [], []
        for concept, row in enumerate(rows):
            for weights, heavy in _patterns(n, error):
                self._near.append(Neighbourhood(concept, weights))
                good.append([not heavy >> (h ^ row) & 1 for h in range(1 << n)])
        self._good = np.array(good).T
        self._sets: list[tuple[int, ...]] = []
        self._shares: tuple[Fraction, ...] = ()

    def mixture(self) -> ProbabilisticRepresentation:
        """Return the best random set that was found, its heaviest values first."""
        pairs = zip(self._shares, self._sets, strict=True)
        return ProbabilisticRepresentation.mixture(
            [
                (share, HypothesisSet.from_rows(rows, self._n))
                for share, rows in sorted(pairs, reverse=True)
                if share
            ]
        )

    def proved(
        self,
        C: ConceptClass,
        R: ProbabilisticRepresentation,
        failure: Fraction,
        known: Sequence[Tree] = (),
    ) -> FailureResult | None:
        """Return a random set with a proof that it fails no more often, or None if it does."""
        patterns = [heavy for _, heavy in _patterns(self._n, self._error)]
        trees: tuple[Tree, ...] | None = tuple(known[row] for row in C.rows) if known else None
        if trees is None:
            trees = failing_trees(R, C.rows, patterns, failure, self._budget)
        if trees is None:
            return None
        even = even_law(self._n)
        lower = failing_weight(R, C.rows[0], self._error, even)
        return FailureResult(C, R, self._error, lower, failure, 0, even, None, trees)

    def play(self, k: int) -> Refutation:
        """Find both optimal strategies for sets of ``k``; return the proof of the value."""
        every = np.array(list(combinations(range(len(self._good)), k)))
        missed = ~self._good[every[:, 0]]
        for place in range(1, k):
            missed &= ~self._good[every[:, place]]
        chosen = [int(np.argmin(missed.sum(axis=1)))]
        while True:
            self._budget.spend()
            matrix = missed[chosen].T.astype(int).tolist()
            value, law, shares, _ = solve_integer_game(matrix, self._budget)
            failing = missed @ np.array([float(share) for share in law])
            better = [j for j in np.argsort(failing)[:_TOGETHER] if failing[j] < value - _TINY]
            if not better:
                self._sets = [tuple(map(int, every[j])) for j in chosen]
                self._shares = shares
                return self._refuted(k, law, value)
            chosen += [int(j) for j in better]

    def _refuted(self, k: int, law: Sequence[Fraction], value: Fraction) -> Refutation:
        """Return a tree that bounds how much of the law ``k`` hypotheses meet.

        Where floats missed a better set, it bounds a little more, and so proves a little less.
        """
        unit = common_denominator(law)
        used = [i for i, share in enumerate(law) if share]
        weights = [int(law[i] * unit) for i in used]
        held = [sum(1 << h for h in range(len(self._good)) if self._good[h, i]) for i in used]
        items = masks_of(range(len(self._good)), held, self._budget)
        search = MeetingSearch(items, weights, lambda _: [], self._budget)
        met = int((1 - value) * unit)
        while search.exceed(k, met) is not None:
            met += 1
        near = tuple(self._near[i] for i in used)
        return Refutation(Branching(near, (), tuple(search.tree), tuple(weights)), search.visited)
