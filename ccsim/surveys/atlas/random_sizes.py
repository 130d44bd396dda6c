"""Smallest random sets of hypotheses for classes on few points, by one plain game.

Main definition: `random_size`.

Of a distribution over points only its *failing pattern* counts: which sets of points weigh more
than the error that is allowed. A concept is failed by hypotheses whose differences from it all are
such sets, so that the largest failing patterns are enough: there are 4 to 20 of them up to 4 points.
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
from ccsim.representation.failure import failure_probability
from ccsim.representation.failing_sets.selection import even_law
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
    budget = Budget.of(time_limit)
    surely = deterministic_representation_size(C, error, time_limit=0)
    best = ProbabilisticRepresentation.mixture([(1, surely.representation.hypotheses)])
    above = failure_probability(best, C, error, target=failure)
    result = ProbabilisticSizeResult(C, error, failure, None, 1, best.size, None, above)
    with budget:
        game = _Game(C, error, budget)
        for k in range(1, best.size):
            refutation = game.play(k)
            number = refutation.least_number(failure)
            if number is None or number > k:
                number = min(number or best.size, best.size)
                result = replace(result, lower=number, proof=refutation.proof)
                if number >= best.size:
                    return result
                continue
            above = game.above(failure)
            if above is not None:
                result = replace(result, upper=k, representation=above)
            return result
    return result


class _Game:
    """Sets of ``k`` hypotheses against concepts and failing patterns; columns come as needed."""

    def __init__(self, C: ConceptClass, error: Fraction, budget: Budget) -> None:
        n = len(C.points)
        self._C, self._error, self._budget = C, error, budget
        self._near, good = [], []
        for concept, row in enumerate(C.rows):
            for weights, heavy in _patterns(n, error):
                self._near.append(Neighbourhood(concept, weights))
                good.append([not heavy >> (h ^ row) & 1 for h in range(1 << n)])
        self._good = np.array(good).T
        self._sets: list[tuple[int, ...]] = []
        self._shares: tuple[Fraction, ...] = ()

    def above(self, failure: Fraction) -> FailureResult | None:
        """Return the best random set that was found, with a proof that it fails no more often."""
        C, n = self._C, len(self._C.points)
        pairs = sorted(
            (
                (share, rows)
                for share, rows in zip(self._shares, self._sets, strict=True)
                if share
            ),
            reverse=True,
        )
        R = ProbabilisticRepresentation.mixture(
            [(share, HypothesisSet.from_rows(rows, n)) for share, rows in pairs]
        )
        patterns = [heavy for _, heavy in _patterns(n, self._error)]
        trees = failing_trees(R, C, patterns, failure, self._budget)
        if trees is None:
            return None
        even = even_law(n)
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
