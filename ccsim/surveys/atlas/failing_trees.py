"""Why no more than a given weight of a random set's values fails together: trees for the kernel.

Main definition: `failing_trees`.

As `ccsim.representation.failing_sets.families` branches on one set after the other, but towards a
given weight; whether hypotheses fail a concept together is looked up among all failing patterns,
and convex weights that show the contrary are kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

from ccsim.budget import Budget
from ccsim.representation.error import concept_error
from ccsim.representation.failing_sets.families import Tree
from ccsim.representation.hypotheses import HypothesisSet, ProbabilisticRepresentation

__all__ = ["failing_trees"]


def failing_trees(
    R: ProbabilisticRepresentation,
    rows: Sequence[int],
    heavy: Sequence[int],
    failure: Fraction,
    budget: Budget,
) -> tuple[Tree, ...] | None:
    """Return a tree for each concept that no heavier sets fail together; None if some do.

    Parameters
    ----------
    R : ProbabilisticRepresentation
    rows : sequence of int
        The concepts.
    heavy : sequence of int
        All largest failing patterns, as masks of differences from a concept.
    failure : Fraction
    budget : Budget

    Raises
    ------
    OutOfTimeError
        If it takes longer.

    Examples
    --------
    >>> alone = ProbabilisticRepresentation.mixture([(1, HypothesisSet.from_rows([0, 1, 2], 2))])
    >>> failing_trees(alone, [1, 2], (0b1110,), Fraction(0), Budget())
    ((None, (Fraction(0, 1), Fraction(1, 1), Fraction(0, 1)), ()), \
(None, (Fraction(0, 1), Fraction(0, 1), Fraction(1, 1)), ()))
    """
    trees = []
    for row in rows:
        search = _Search(R, row, heavy, failure, budget)
        tree = search.tree(0, 0, Fraction(1), ())
        if tree is None:
            return None
        trees.append(tree)
    return tuple(trees)


class _Search:
    """The tree for one concept."""

    def __init__(
        self,
        R: ProbabilisticRepresentation,
        row: int,
        heavy: Sequence[int],
        failure: Fraction,
        budget: Budget,
    ) -> None:
        self._R, self._row, self._failure, self._budget = R, row, failure, budget
        self._mixtures = _mixtures(R.num_points, tuple(heavy))
        self._masks = [sum(1 << (h ^ row) for h in H.rows) for H in R.sets]

    def tree(
        self, depth: int, differences: int, possible: Fraction, included: tuple[int, ...]
    ) -> Tree | None:
        """Return the tree about the sets from a depth on, below those that are included."""
        if possible <= self._failure:
            return ((),)
        if depth == len(self._masks):
            return None
        self._budget.spend()
        union, wider = differences | self._masks[depth], (*included, depth)
        enough = next((each for each in self._mixtures if not each & ~union), None)
        if enough is None:
            within = self.tree(depth + 1, union, possible, wider)
        else:
            within = (self._mixture(enough, wider),)
        if within is None:
            return None
        without = self.tree(depth + 1, differences, possible - self._R.weights[depth], included)
        return None if without is None else (None, *within, *without)

    def _mixture(self, enough: int, included: tuple[int, ...]) -> tuple[Fraction, ...]:
        """Give the weight of each difference to the first set that has it."""
        left = {d ^ self._row: weight for d, weight in self._mixtures[enough].items()}
        sets = self._R.sets
        return tuple(left.pop(h, Fraction(0)) for i in included for h in sets[i].rows)


@lru_cache(maxsize=32)
def _mixtures(n: int, heavy: tuple[int, ...]) -> Mapping[int, Mapping[int, Fraction]]:
    """Return the smallest sets of differences that do not fail together, with convex weights."""
    smallest: list[int] = []
    for size in range(1, (1 << n) + 1):
        found = False
        for chosen in combinations(range(1 << n), size):
            mask = sum(1 << d for d in chosen)
            if any(not each & ~mask for each in smallest):
                continue
            found = True
            if all(mask & ~pattern for pattern in heavy):
                smallest.append(mask)
        if not found:
            break
    weights = {}
    for mask in smallest:
        rows = [d for d in range(1 << n) if mask >> d & 1]
        law = concept_error(HypothesisSet.from_rows(rows, n), 0, Budget()).weights
        weights[mask] = dict(zip(rows, law, strict=True))
    return weights
