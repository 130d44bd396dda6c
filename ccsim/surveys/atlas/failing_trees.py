"""Why no more than a given weight of a random set's values fails together: trees for the kernel.

Main definition: `failing_trees`.

As `ccsim.representation.failing_sets.families` branches on one set after the other, but towards a
given weight; whether hypotheses fail a concept together is looked up among all failing patterns,
and convex weights that show the contrary are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.representation.error import concept_error
from ccsim.representation.failing_sets.families import Tree
from ccsim.representation.hypotheses import HypothesisSet, ProbabilisticRepresentation

__all__ = ["failing_trees"]


def failing_trees(
    R: ProbabilisticRepresentation,
    C: ConceptClass,
    heavy: Sequence[int],
    failure: Fraction,
    budget: Budget,
) -> tuple[Tree, ...] | None:
    """Return a tree for each concept that no heavier sets fail together; None if some do.

    Parameters
    ----------
    R : ProbabilisticRepresentation
    C : ConceptClass
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
    >>> from ccsim.classes import points
    >>> alone = ProbabilisticRepresentation.mixture([(1, HypothesisSet.from_rows([0, 1, 2], 2))])
    >>> C = points(1)  # at error 0 everything but a concept itself may fail it
    >>> failing_trees(alone, C, (0b1110,), Fraction(0), Budget())
    ((None, (Fraction(0, 1), Fraction(1, 1), Fraction(0, 1)), ()), \
(None, (Fraction(0, 1), Fraction(0, 1), Fraction(1, 1)), ()))
    """
    kept: dict[int, dict[int, Fraction]] = {}
    trees = []
    for row in C.rows:
        search = _Search(R, row, heavy, failure, kept, budget)
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
        kept: dict[int, dict[int, Fraction]],
        budget: Budget,
    ) -> None:
        self._R, self._row, self._heavy, self._failure = R, row, heavy, failure
        self._kept, self._budget = kept, budget
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
        within: Tree | None
        if any(not union & ~pattern for pattern in self._heavy):
            within = self.tree(depth + 1, union, possible, wider)
        else:
            within = (self._mixture(union, wider),)
        if within is None:
            return None
        without = self.tree(depth + 1, differences, possible - self._R.weights[depth], included)
        return None if without is None else (None, *within, *without)

    def _mixture(self, union: int, included: tuple[int, ...]) -> tuple[Fraction, ...]:
        """Give the weight of each difference to the first set that has it."""
        if union not in self._kept:
            n = self._R.num_points
            rows = [d for d in range(1 << n) if union >> d & 1]
            found = concept_error(HypothesisSet.from_rows(rows, n), 0, self._budget)
            self._kept[union] = dict(zip(rows, found.weights, strict=True))
        left = {d ^ self._row: weight for d, weight in self._kept[union].items()}
        sets = self._R.sets
        return tuple(left.pop(h, Fraction(0)) for i in included for h in sets[i].rows)
