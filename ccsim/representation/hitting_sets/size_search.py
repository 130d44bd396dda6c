"""The search for the fewest hypotheses that represent a class."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.errors import DomainError
from ccsim.representation.error import (
    RepresentationResult,
    concept_error,
    representation_error,
)
from ccsim.representation.failing_sets.selection import pure
from ccsim.representation.hitting_sets.branching import Branching
from ccsim.representation.hitting_sets.listing import listed, masks_of
from ccsim.representation.hitting_sets.neighbourhoods import (
    Neighbourhood,
    hypotheses_of,
    uniform_neighbourhoods,
)
from ccsim.representation.hitting_sets.search import HittingSearch
from ccsim.representation.hitting_sets.symmetries import permutations_fixing, symmetries_fixing
from ccsim.representation.hypotheses import HypothesisSet
from ccsim.symmetry.groups import orbit
from ccsim.symmetry.matrix import Symmetry

_MOST_IMAGES = 2000
"""Images of a neighbourhood that are listed with it."""


_LISTING = 0.5
"""Part of the time for the neighbourhoods that a search begins with."""


class SizeSearch:
    """The neighbourhoods listed so far, and the bounds that have been proved."""

    def __init__(
        self,
        concept_class: ConceptClass,
        error: Fraction,
        pool: tuple[int, ...] | None,
        budget: Budget,
    ) -> None:
        self._C, self._error, self._pool = concept_class, error, pool
        self.budget = budget
        self._hypotheses = hypotheses_of(concept_class, pool)
        self._symmetries: tuple[Symmetry, ...] = ()
        self._listed: dict[Neighbourhood, int] = {}  # with the hypotheses that each holds
        self.best = self._itself()
        self.lower = 1
        self.proof: Branching | None = None
        self._list([Neighbourhood.of_point(len(concept_class.points))], Budget())

    def _itself(self) -> RepresentationResult:
        """Return the class if it is in the pool, otherwise the pool if it represents the class."""
        C = self._C
        if set(C.rows) <= set(self._hypotheses):
            return representation_error(HypothesisSet.from_rows(C.rows, len(C.points)), C)
        result = representation_error(HypothesisSet.from_rows(self._hypotheses, len(C.points)), C)
        if not result.represents(self._error):
            raise DomainError(
                f"the pool must represent the class with error {self._error}, but represents "
                f"concept {C.concepts[result.concept]} with {result.value} only"
            )
        return result

    def run(self) -> None:
        """Let the bounds meet."""
        self._symmetries = symmetries_fixing(self._C, self._pool)
        with self.budget.share(_LISTING) as budget:
            for each in uniform_neighbourhoods(self._C, self._error, budget):
                self._list(each, budget)
        self._refute(0)
        while self.lower < self.best.hypotheses.size:
            found = self._refute(self.lower)
            if found is not None:
                self._list(self._missed(found), self.budget)

    def _list(self, neighbourhoods: Iterable[Neighbourhood], budget: Budget) -> None:
        self._listed = listed(
            self._listed, neighbourhoods, self._C, self._error, self._hypotheses, budget
        )

    def _refute(self, size: int) -> HypothesisSet | None:
        """Raise the lower bound above a size, or return a set that meets what is listed."""
        items = masks_of(self._hypotheses, self._listed.values(), self.budget)
        fixing = permutations_fixing(self._C, self._pool, tuple(self._listed))
        search = HittingSearch(items, len(self._listed), fixing, self.budget)
        if (outcome := search.refute(size)) is not None:
            return HypothesisSet.from_rows(outcome, len(self._C.points))
        self.proof = Branching(tuple(self._listed), tuple(search.permutations), tuple(search.tree))
        # a pool that represents the class meets everything, so that some number is enough
        self.lower = search.needed or self.best.hypotheses.size
        self.budget.report(self.lower, self.best.hypotheses.size)
        return None

    def _missed(self, hypotheses: HypothesisSet) -> list[Neighbourhood]:
        """Return the neighbourhoods that a set misses; keep the set if it misses none."""
        missed: list[Neighbourhood] = []
        failed: list[int] = []
        mixtures: dict[int, tuple[Fraction, ...]] = {}
        most = Fraction(0)
        for f, row in enumerate(self._C.rows):
            self.budget.spend()
            outcome = concept_error(hypotheses, row, self.budget)
            if outcome.value > self._error:
                failed.append(row)
                near = Neighbourhood.under(f, outcome.distribution)
                missed += orbit(near, self._symmetries, Neighbourhood.image, _MOST_IMAGES)
            else:
                most, mixtures[row] = max(most, outcome.value), outcome.weights
        repaired = HypothesisSet.from_rows((*hypotheses.rows, *failed), hypotheses.num_points)
        fewer = repaired.size < self.best.hypotheses.size
        if fewer and set(repaired.rows) <= set(self._hypotheses):
            self.best = self._represented(hypotheses, repaired, mixtures, most)
            self.budget.report(self.lower, repaired.size)
        return missed

    def _represented(
        self,
        hypotheses: HypothesisSet,
        repaired: HypothesisSet,
        mixtures: dict[int, tuple[Fraction, ...]],
        most: Fraction,
    ) -> RepresentationResult:
        """Return what mixtures of some hypotheses prove beside the concepts that were added."""
        place = {row: j for j, row in enumerate(repaired.rows)}
        weights = []
        for row in self._C.rows:
            law = [Fraction(0)] * repaired.size
            if row in mixtures:
                for h, weight in zip(hypotheses.rows, mixtures[row], strict=True):
                    law[place[h]] = weight
            else:
                law[place[row]] = Fraction(1)
            weights.append(tuple(law))
        one_point = pure(0, repaired.num_points)
        zero = Fraction(0)
        return RepresentationResult(self._C, repaired, zero, most, 0, one_point, tuple(weights))
