"""Whether hypotheses represent a class and none of them can be dropped (`bbkn` Definition 3.5).

Dropping one at a time is enough, because what contains a representation is one. A hypothesis that
cannot be dropped is *needed*: for some concept under some distribution all others err too much.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ccsim.border import checked_types
from ccsim.budget import Budget, OutOfTimeError, Progress, TimeLimit
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.errors import CertificateError
from ccsim.exact import as_fraction
from ccsim.exact.bounds import check_fields
from ccsim.representation.error import (
    RepresentationResult,
    check_concept,
    check_law,
    representation_error,
)
from ccsim.representation.failing_sets.selection import mass
from ccsim.representation.hypotheses import HypothesisSet

__all__ = ["MinimalityResult", "is_minimal_representation", "minimality"]


@dataclass(frozen=True, slots=True)
class MinimalityResult:
    """Whether hypotheses are a minimal representation of a class, with the proof.

    Attributes
    ----------
    error : Fraction
        With which concepts are to be represented.
    whole : RepresentationResult
        Of all hypotheses, with the class.
    needed : tuple of (concept, distribution)
        For each hypothesis a concept's number and a distribution under which every other
        hypothesis errs more than ``error``; empty if the representation is not minimal.
    others : RepresentationResult or None
        If one hypothesis can be dropped, how well the others represent the class.
    """

    error: Fraction
    whole: RepresentationResult
    needed: tuple[tuple[int, tuple[Fraction, ...]], ...]
    others: RepresentationResult | None

    @property
    def minimal(self) -> bool:
        """Whether the hypotheses represent the class and no proper part of them does."""
        return bool(self.needed)

    @property
    def dropped(self) -> int | None:
        """The hypothesis, as a bit mask, that can be dropped."""
        if self.others is None:
            return None
        [row] = set(self.whole.hypotheses.rows) - set(self.others.hypotheses.rows)
        return row

    def check(self) -> None:
        """Check the representation, and for each hypothesis that it is needed.

        Raises
        ------
        CertificateError
            Naming the hypothesis that errs little where another one was to be needed.
        """
        check_fields(self)
        as_fraction(self.error, "error", 0, 1)
        if self.needed and self.others is not None:
            raise CertificateError(
                "either every hypothesis is needed or one can be dropped, not both"
            )
        self.whole.check()
        if self.minimal:
            self._check_needed()
        elif self.others is not None:
            self._check_others(self.others)
        elif self.whole.represents(self.error):
            raise CertificateError(
                "the hypotheses represent the class, and none is shown to be dropped"
            )

    def _check_needed(self) -> None:
        C, H = self.whole.concept_class, self.whole.hypotheses
        if not self.whole.represents(self.error) or len(self.needed) != H.size:
            raise CertificateError(
                f"{H.size} hypotheses err {self.whole.value}, {len(self.needed)} are needed"
            )
        for needed, (concept, law) in zip(H.rows, self.needed, strict=True):
            check_concept(concept, C, H.num_points)
            check_law(law, H.num_points, "distribution")
            for h in H.rows:
                if h != needed and mass(law, h ^ C.rows[concept]) <= self.error:
                    raise CertificateError(
                        f"hypothesis {h:b} is as good where {needed:b} was to be needed"
                    )

    def _check_others(self, others: RepresentationResult) -> None:
        C, H = self.whole.concept_class, self.whole.hypotheses
        others.check()
        rest = set(H.rows) - set(others.hypotheses.rows)
        all_known = set(others.hypotheses.rows) <= set(H.rows)
        if len(rest) != 1 or not all_known or others.concept_class != C:
            raise CertificateError(
                f"the others must be all hypotheses but one, {len(rest)} are missing"
            )
        if not others.represents(self.error):
            raise CertificateError(f"without one of them the hypotheses err {others.value}")


@checked_types
def minimality(
    hypotheses: HypothesisSet,
    concept_class: ClassLike,
    error: Fraction | int | str,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> MinimalityResult:
    """Decide whether hypotheses represent a class and no proper subset of them does.

    Parameters
    ----------
    hypotheses : HypothesisSet
        Over the points of the class.
    concept_class : ConceptClass
        At least one concept and one point.
    error : Fraction, int or str
        Between 0 and 1.
    time_limit : float or Budget, optional
        Seconds after which nothing is known.
    progress : callable, optional
        Called with the number of hypotheses that are known to be needed, and of all.

    Raises
    ------
    NotDecidedError
        If the time limit is over before.

    Notes
    -----
    Source: `bbkn` Definition 3.5. It may hold of sets larger than the smallest representation.

    Complexity: a rational game for each hypothesis and concept.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> C = points(2)
    >>> result = minimality(HypothesisSet.from_rows(C.rows, 4), C, "1/4")
    >>> result.minimal, [concept for concept, _ in result.needed]
    (True, [0, 1, 2, 3])
    >>> minimality(HypothesisSet.from_rows([0, *C.rows], 4), C, "1/4").dropped
    0
    """
    allowed = as_fraction(error, "error", 0, 1)
    budget = Budget.of(time_limit, progress)
    concept_class = as_class(concept_class, budget)
    whole = _solved(hypotheses, concept_class, budget)
    if not whole.represents(allowed):
        return MinimalityResult(allowed, whole, (), None)
    needed = []
    for row in hypotheses.rows:
        rest = set(hypotheses.rows) - {row}
        if not rest:
            return MinimalityResult(allowed, whole, ((whole.concept, whole.distribution),), None)
        remaining = HypothesisSet.from_rows(rest, hypotheses.num_points)
        others = _solved(remaining, concept_class, budget)
        if others.represents(allowed):
            return MinimalityResult(allowed, whole, (), others)
        needed.append((others.concept, others.distribution))
        budget.report(len(needed), hypotheses.size)
    return MinimalityResult(allowed, whole, tuple(needed), None)


def _solved(
    hypotheses: HypothesisSet, concept_class: ConceptClass, budget: Budget
) -> RepresentationResult:
    found = representation_error(hypotheses, concept_class, time_limit=budget)
    if not found.exact:
        raise OutOfTimeError
    return found


@checked_types
def is_minimal_representation(
    hypotheses: HypothesisSet,
    concept_class: ClassLike,
    error: Fraction | int | str,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> bool:
    """Whether hypotheses represent a class and no proper subset of them does.

    Parameters
    ----------
    hypotheses, concept_class, error, time_limit, progress
        As for `minimality`, which gives the proof.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> C = points(2)
    >>> is_minimal_representation(HypothesisSet.from_rows(C.rows, 4), C, "1/4")
    True
    >>> is_minimal_representation(HypothesisSet.from_rows([0, *C.rows], 4), C, "1/4")
    False
    """
    found = minimality(hypotheses, concept_class, error, time_limit=time_limit, progress=progress)
    return found.minimal
