"""Proper private learners from sanitizers of labelled concepts.

Main definitions: `SanitizingLearner`.
"""

from __future__ import annotations

from typing import Any

from ccsim.classes import ConceptClass
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact.distribution import Distribution
from ccsim.learning.learners.occam import Example, labelled_examples
from ccsim.privacy.constructions import CanonicalMechanism, Mechanism, is_symmetric
from ccsim.privacy.neighbours import identity
from proofs_check.claims.beimel_nissim_stemmer.constructions.labelled import labelled_class
from proofs_check.claims.beimel_nissim_stemmer.constructions.utility import Release, estimates_of

__all__ = ["SanitizingLearner"]


@validated
class SanitizingLearner(CanonicalMechanism[Example, int]):
    """Return the concept of least error on the release of a sanitizer of labelled concepts.

    It is as private as the sanitizer. If the error of the release is at most ``alpha`` except with
    probability ``beta``, the empirical error of the answer on consistent examples is at most ``2
    alpha`` except with probability ``beta`` (`bns` Lemma 5.3).

    Attributes
    ----------
    sanitizer : Mechanism
        Over the points of ``labelled_class(concept_class)``; releases databases of these points, or
        `Estimates`.
    concept_class : ConceptClass
        With at least one concept.

    Raises
    ------
    DomainError
        If the class is empty, or the records of the sanitizer are not the points of the labelled
        class.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> from ccsim.exact import Epsilon
    >>> from ccsim.release.sanitizers.synthetic import SyntheticDatabase
    >>> C = points(1)
    >>> inner = SyntheticDatabase(labelled_class(C), Epsilon.of("ln 4"), 1)
    >>> SanitizingLearner(inner, C).distribution([(0, 1), (1, 0)])[1]
    Fraction(4, 5)
    """

    sanitizer: Mechanism[Any, Any]
    concept_class: ConceptClass

    def __post_init__(self) -> None:
        if not self.concept_class.rows:
            raise DomainError("class must have at least one concept, not 0")
        points = labelled_class(self.concept_class).points
        if identity(self.sanitizer.records) != identity(points):
            raise DomainError("sanitizer must have the points of the labelled class as records")

    @property
    def records(self) -> tuple[Example, ...]:
        """All labelled examples."""
        return labelled_examples(len(self.concept_class.points))

    @property
    def symmetric(self) -> bool:
        """Whether the sanitizer is symmetric by construction."""
        return is_symmetric(self.sanitizer)

    def distribution_of(self, database: tuple[Example, ...]) -> Distribution[int]:
        """Return the distribution of the concept, as a bit mask.

        The first of equally good concepts is chosen.
        """
        labelled = labelled_class(self.concept_class)
        return self.sanitizer.distribution([labelled.points[2 * x + y] for x, y in database]).map(
            self.best
        )

    def best(self, release: Release) -> int:
        """Return the concept with the least error on a release, as a bit mask."""
        errors = estimates_of(labelled_class(self.concept_class), release)
        return self.concept_class.rows[errors.index(min(errors))]
