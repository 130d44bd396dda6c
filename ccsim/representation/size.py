"""The least number of hypotheses that represent a class (`fx` Definition 4 (=2.3)).

Main definitions: `deterministic_representation_size`, `DeterministicSizeResult`.

A set represents a class when it meets every neighbourhood of every concept. There are too many
neighbourhoods to list, so a search looks for a small set that meets those listed so far; where it
does not represent the class, the games of its concepts name neighbourhoods that it misses, which
are listed with their images under the symmetries of the class.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from ccsim.border import checked_types
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.certificates import Certificate, encode_fraction, encode_fractions
from ccsim.classes import ConceptClass
from ccsim.classes.labels import text_row
from ccsim.errors import CertificateError, DomainError
from ccsim.exact import as_fraction
from ccsim.exact.bounds import Bounds, check_fields
from ccsim.representation.error import (
    RepresentationResult,
    concept_error,
    representation_error,
)
from ccsim.representation.hitting_sets.branching import Branching, Node
from ccsim.representation.hitting_sets.neighbourhoods import (
    Neighbourhood,
    hypotheses_of,
    in_order,
    masks_of,
    members_of,
    smallest,
    uniform_neighbourhoods,
)
from ccsim.representation.hitting_sets.search import HittingSearch
from ccsim.representation.hitting_sets.symmetries import permutations_fixing, symmetries_fixing
from ccsim.representation.hypotheses import HypothesisSet
from ccsim.symmetry.subsets import orbit

__all__ = [
    "DeterministicSizeResult",
    "deterministic_representation_size",
]

_MOST_IMAGES = 2000
"""Images of a neighbourhood that are listed with it."""


@dataclass(frozen=True, slots=True)
class DeterministicSizeResult(Bounds[int]):
    """Bounds on the least number of hypotheses that represent a class, with both proofs.

    Attributes
    ----------
    concept_class : ConceptClass
    error : Fraction
    pool : tuple of int or None
        The hypotheses admitted; None for all functions on the points.
    lower, upper : int
        Equal unless the search was stopped.
    proof : Branching
        Certificate from below.
    representation : RepresentationResult
        Certificate from above: ``upper`` hypotheses that represent the class.
    """

    quantity: ClassVar[str] = "the least number of hypotheses"

    concept_class: ConceptClass
    error: Fraction
    pool: tuple[int, ...] | None
    lower: int
    upper: int
    proof: Branching
    representation: RepresentationResult

    @property
    def size(self) -> int:
        """The least number of hypotheses; the representation dimension is its ``log2``."""
        return self.value

    def check(self) -> None:
        """Check both directions from the definition.

        Raises
        ------
        CertificateError
            With the bound that is not proved.
        """
        check_fields(self)
        as_fraction(self.error, "error", 0, 1)
        C, H = self.concept_class, self.representation.hypotheses
        pool = hypotheses_of(C, self.pool)
        if (self.representation.concept_class, H.size) != (C, self.upper):
            raise CertificateError(
                f"{H.size} hypotheses for {self.representation.concept_class}, not {self.upper}"
            )
        if not set(H.rows) <= set(pool):
            raise CertificateError("the hypotheses are not all in the pool")
        self.representation.check()
        if not self.representation.represents(self.error):
            f, value = self.representation.concept, self.representation.value
            raise CertificateError(
                f"concept {C.concepts[f]} is represented with error {value}, not {self.error}"
            )
        self.proof.check_neighbourhoods(C, weighted=False)
        proved = self.proof.least_number(C, self.error, pool)
        if proved is None or proved < self.lower:
            raise CertificateError(
                f"the branching tree proves at least {proved} hypotheses, not {self.lower}"
            )
        self.check_order(1)

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel."""
        C, H = self.concept_class, self.representation.hypotheses
        width = len(C.points)
        return Certificate(
            "deterministic_representation_size",
            C.to_json(),
            {
                "error": encode_fraction(self.error),
                "pool": None if self.pool is None else [text_row(row, width) for row in self.pool],
                "lower": self.lower,
                "upper": self.upper,
            },
            {"method": "branching"} | self.proof.to_json(),
            {
                "hypotheses": H.to_json(),
                "weights": [encode_fractions(law) for law in self.representation.weights],
            },
        )


@checked_types
def deterministic_representation_size(
    concept_class: ConceptClass,
    error: Fraction | int | str,
    pool: Iterable[int] | None = None,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> DeterministicSizeResult:
    """Return the least number of hypotheses that represent a class with a given error.

    Parameters
    ----------
    concept_class : ConceptClass
        At least one concept and one point.
    error : Fraction, int or str
        In [0, 1]: for each concept and distribution some hypothesis errs at most so much.
    pool : iterable of int, optional
        Bit masks of the hypotheses admitted, such as ``concept_class.rows`` for proper
        representations. Default: all functions, over at most 10 points.
    time_limit : float or Budget, optional
        Seconds after which the search stops with the bounds that it has. With a limit, however
        large, an interrupt (Ctrl-C) stops it likewise.
    progress : callable, optional
        Called with the lower and the upper bound whenever one of them moves.

    Returns
    -------
    DeterministicSizeResult

    Raises
    ------
    DomainError
        If the class is empty, or the pool does not represent it.
    InstanceTooLargeError
        If there are too many points to consider all hypotheses.

    Notes
    -----
    Complexity: exponential in general; points, thresholds and all functions over up to 8 points
    take from milliseconds to half a minute, thanks to their symmetries (`benchmarks/`).

    Examples
    --------
    >>> from ccsim.classes import all_functions, thresholds
    >>> deterministic_representation_size(all_functions(3), "1/3").size
    4
    >>> result = deterministic_representation_size(thresholds(2), "1/4")
    >>> result.size
    4
    >>> result.check()
    """
    allowed = as_fraction(error, "error", 0, 1)
    admitted = in_order(pool)
    budget = Budget.of(time_limit, progress)
    search = _Search(concept_class, allowed, admitted, budget)
    with budget:
        search.run()
    best = representation_error(search.best, concept_class)
    return DeterministicSizeResult(
        concept_class, allowed, admitted, search.lower, best.hypotheses.size, search.proof, best
    )


class _Search:
    """The neighbourhoods listed so far, and the bounds that have been proved."""

    def __init__(
        self,
        concept_class: ConceptClass,
        error: Fraction,
        pool: tuple[int, ...] | None,
        budget: Budget,
    ) -> None:
        self._C, self._error, self._pool = concept_class, error, pool
        self._budget = Budget(None, budget.report)  # one hypothesis is needed, without a search
        self._hypotheses = hypotheses_of(concept_class, pool)
        self._symmetries = symmetries_fixing(concept_class, pool)
        self._listed: dict[Neighbourhood, int] = {}  # with the hypotheses that each holds
        self.best = self._itself()
        self._list(uniform_neighbourhoods(concept_class, error))
        self.lower, self.proof = 0, Branching((), (), Node((), (), ()))
        self._refute(0)
        self._budget = budget

    def _itself(self) -> HypothesisSet:
        """Return the class if it is in the pool, otherwise the pool if it represents the class."""
        C = self._C
        if set(C.rows) <= set(self._hypotheses):
            return HypothesisSet.from_rows(C.rows, len(C.points))
        everything = HypothesisSet.from_rows(self._hypotheses, len(C.points))
        result = representation_error(everything, C)
        if not result.represents(self._error):
            raise DomainError(
                f"the pool must represent the class with error {self._error}, but represents "
                f"concept {C.concepts[result.concept]} with {result.value} only"
            )
        return everything

    def run(self) -> None:
        """Let the bounds meet."""
        while self.lower < self.best.size:
            found = self._refute(self.lower)
            if found is not None:
                self._list(self._missed(found))

    def _list(self, neighbourhoods: Iterable[Neighbourhood]) -> None:
        for near in neighbourhoods:
            if near not in self._listed:
                self._listed[near] = members_of(self._C, self._error, self._hypotheses, near)
        kept = smallest(self._listed.values())
        self._listed = {near: held for near, held in self._listed.items() if held in kept}

    def _refute(self, size: int) -> HypothesisSet | None:
        """Raise the lower bound above a size, or return a set that meets what is listed."""
        items = masks_of(self._hypotheses, self._listed.values())
        fixing = permutations_fixing(self._C, self._pool, tuple(self._listed))
        search = HittingSearch(items, len(self._listed), fixing, self._budget.spend)
        outcome = search.refute(size)
        if isinstance(outcome, tuple):
            return HypothesisSet.from_rows(outcome, len(self._C.points))
        self.proof = Branching(tuple(self._listed), tuple(search.permutations), outcome)
        # a pool that represents the class meets everything, so that some number is enough
        self.lower = search.needed or self.best.size
        self._budget.report(self.lower, self.best.size)
        return None

    def _missed(self, hypotheses: HypothesisSet) -> list[Neighbourhood]:
        """Return the neighbourhoods that a set misses; keep the set if it misses none."""
        missed: list[Neighbourhood] = []
        failed = []
        for f, row in enumerate(self._C.rows):
            self._budget.spend()
            outcome = concept_error(hypotheses, row)
            if outcome.value > self._error:
                failed.append(row)
                near = Neighbourhood.under(f, outcome.distribution)
                missed += orbit(near, self._symmetries, Neighbourhood.image, _MOST_IMAGES)
        repaired = {*hypotheses.rows, *failed}
        if len(repaired) < self.best.size and repaired <= set(self._hypotheses):
            self.best = HypothesisSet.from_rows(repaired, hypotheses.num_points)
            self._budget.report(self.lower, self.best.size)
        return missed
