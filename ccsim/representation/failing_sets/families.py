"""The heaviest family of hypothesis sets that fail together for a concept, by branching.

Sets fail together under some distribution exactly when their union does not represent the concept
with the given error. Families below a failing family fail too, so a depth-first search includes
the sets one by one and cuts where the union represents the concept (a convex mixture proves it) or
where the sets that are left cannot beat the best family found.
"""

from __future__ import annotations

from fractions import Fraction

from ccsim.budget import Budget
from ccsim.representation.error import concept_error
from ccsim.representation.hypotheses import HypothesisSet, ProbabilisticRepresentation

MAX_SETS = 400
"""Most sets that are branched on; the search and its proof are as deep as there are sets."""

Node = tuple[Fraction, ...] | int | None
Tree = tuple[Node, ...]
"""Nodes, each followed by those below it: None decides on the next set, which fails or does not, a
bit mask on a hypothesis, which errs too much or does not; convex weights of the hypotheses that do
show that one does not; ``()`` stands where what may still fail is light."""


class FailingFamilies:
    """One search; the result is in the attributes."""

    def __init__(
        self,
        representation: ProbabilisticRepresentation,
        concept: int,
        error: Fraction,
        start: Fraction,
        work: int,
        budget: Budget | None = None,
    ) -> None:
        self.best = start
        self.distribution: tuple[Fraction, ...] = ()
        self._representation = representation
        self._concept = concept
        self._error = error
        self._nodes_left = work
        self._budget = budget or Budget()
        self.tree: Tree | None = None
        with self._budget:
            self.tree = self._search(0, (), Fraction(1), ())

    def _search(
        self, depth: int, included: tuple[int, ...], possible: Fraction, law: tuple[Fraction, ...]
    ) -> Tree | None:
        R = self._representation
        if possible <= self.best:
            return ((),)
        if depth == len(R.sets):
            self.best, self.distribution = possible, law
            return ((),)
        if self._nodes_left == 0:
            return None
        self._nodes_left -= 1
        self._budget.spend()
        wider = (*included, depth)
        union = HypothesisSet.from_rows(
            (row for i in wider for row in R.sets[i].rows), R.num_points
        )
        outcome = concept_error(union, self._concept, self._budget)
        within: Tree | None
        if outcome.value > self._error:
            within = self._search(depth + 1, wider, possible, outcome.distribution)
        else:
            within = (self._mixture(wider, union, outcome.weights),)
        if within is None:
            return None
        without = self._search(depth + 1, included, possible - R.weights[depth], law)
        return None if without is None else (None, *within, *without)

    def _mixture(
        self, included: tuple[int, ...], union: HypothesisSet, weights: tuple[Fraction, ...]
    ) -> tuple[Fraction, ...]:
        """Give the weight of each hypothesis of the union to the first set that holds it."""
        left = dict(zip(union.rows, weights, strict=True))
        sets = self._representation.sets
        return tuple(left.pop(row, Fraction(0)) for i in included for row in sets[i].rows)
