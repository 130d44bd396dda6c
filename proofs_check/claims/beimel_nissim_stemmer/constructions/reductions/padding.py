"""A sanitizer of labelled concepts from a sanitizer of the concepts, by padding.

Main definitions: `PaddedByLabel`. It needs no more records than the given sanitizer, whereas
Algorithm B of `bns` Lemma 5.4 needs thousands of times as many.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeVar

from ccsim.classes import ConceptClass
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact import Epsilon
from ccsim.exact.distribution import Distribution, independent
from ccsim.privacy.constructions import CanonicalMechanism, Mechanism, PostProcessed, is_symmetric
from ccsim.privacy.mechanisms.noisy_answers import TruncatedGeometric
from ccsim.privacy.neighbours import Domain, identity
from ccsim.texts.labels import Label
from proofs_check.claims.beimel_nissim_stemmer.constructions.labelled import labelled_class
from proofs_check.claims.beimel_nissim_stemmer.constructions.reductions.by_label import Part
from proofs_check.claims.beimel_nissim_stemmer.constructions.utility import Estimates, estimates_of

__all__ = ["PaddedByLabel", "padded"]


Point = TypeVar("Point")


def padded(examples: Sequence[int], label: int, points: Sequence[Point]) -> list[Point]:
    """Return the points of the examples with the given label; the first point replaces the others.

    Parameters
    ----------
    examples : sequence of int
        ``2 x + y`` for label ``y`` of point number ``x``.
    label : int
    points : sequence of points

    Examples
    --------
    >>> padded([1, 2, 5], 1, "abc")
    ['a', 'a', 'c']
    """
    return [points[i // 2 if i % 2 == label else 0] for i in examples]


@validated
class PaddedByLabel(CanonicalMechanism[Label, tuple[Part, Part]]):
    """Sanitize each label on all records; records of the other label become the first point.

    With ``S_y`` the records of label ``y``, padded with the first point ``x0``, and ``k`` the
    number of records with label 1, the value of ``c^label`` on ``m`` records is exactly

        c(S_0) - k/m c(x0) + k/m - c(S_1) + (m - k)/m c(x0),

    where ``k`` and ``m - k`` are released with geometric noise. One record changes one entry of
    each ``S_y``, and ``k`` by 1. With an ``epsilon``-private sanitizer and ``epsilon``-private
    noise, the mechanism is ``3 epsilon``-private, which is tight for three records. If the error of
    the sanitizer is at most ``alpha`` except with probability ``beta``, the error is at most ``2
    alpha`` plus the noise divided by ``m``, except with probability ``2 beta``.

    Attributes
    ----------
    sanitizer : Mechanism
        Over the points of the class; releases databases, or `Estimates`.
    concept_class : ConceptClass
        With at least one point.
    epsilon : Epsilon
        Parameter of the noise.
    of_ones : Mechanism or None
        The sanitizer for label 1, if it differs from that for label 0; see
        `proofs_check.claims.public_data.constructions.assisted`.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> from ccsim.release.sanitizers.synthetic import SyntheticDatabase
    >>> C, ln4 = points(1), Epsilon.of("ln 4")
    >>> padded = PaddedByLabel(SyntheticDatabase(C, ln4, 1), C, ln4)
    >>> distribution = padded.sanitizing.distribution(["1|0"])
    >>> [([str(v) for v in estimates.values], str(p)) for estimates, p in distribution.items]
    [(['1', '0'], '7/15'), (['0', '1'], '8/15')]
    """

    sanitizer: Mechanism[Any, Any]
    concept_class: ConceptClass
    epsilon: Epsilon
    of_ones: Mechanism[Any, Any] | None = None

    def __post_init__(self) -> None:
        if not self.concept_class.points or not self.epsilon.is_positive:
            raise DomainError("class must have at least one point, and epsilon must be positive")
        points = identity(self.concept_class.points)
        if any(identity(sanitizer.records) != points for sanitizer in self._sanitizers):
            raise DomainError("sanitizer must have the points of the class as records")

    @property
    def _sanitizers(self) -> tuple[Mechanism[Any, Any], Mechanism[Any, Any]]:
        return self.sanitizer, self.sanitizer if self.of_ones is None else self.of_ones

    @property
    def symmetric(self) -> bool:
        """Whether the sanitizer is symmetric by construction."""
        return all(is_symmetric(sanitizer) for sanitizer in self._sanitizers)

    @property
    def records(self) -> tuple[Label, ...]:
        """The points of the labelled class."""
        return labelled_class(self.concept_class).points

    def distribution_of(self, database: tuple[Label, ...]) -> Distribution[tuple[Part, Part]]:
        """Return the joint distribution of the noisy number of ones and of both labels' releases.

        Raises
        ------
        DomainError
            If the database is empty.
        """
        if not database:
            raise DomainError("database must have at least one record, not 0")
        m, numbers = len(database), Domain.of(self.records).numbered(database)
        points = self.concept_class.points
        distributions = [
            s.distribution(padded(numbers, y, points)) for y, s in enumerate(self._sanitizers)
        ]
        ones = TruncatedGeometric((0, 1), sum, self.epsilon, 0, m).distribution(
            [i % 2 for i in numbers]
        )
        joint = independent([*distributions, ones])
        return joint.map(lambda out: ((m - out[2], out[0]), (out[2], out[1])))

    def estimates(self, parts: tuple[Part, Part]) -> Estimates:
        """Return the estimates for the labelled concepts, clamped to the range from 0 to 1."""
        (zeros, first), (ones, second) = parts
        C, share = self.concept_class, Fraction(ones, zeros + ones)
        both = zip(C.rows, estimates_of(C, first), estimates_of(C, second), strict=True)
        answers = (a - b + share + (1 - 2 * share) * (row & 1) for row, a, b in both)
        return Estimates(tuple(min(max(answer, Fraction(0)), Fraction(1)) for answer in answers))

    @property
    def sanitizing(self) -> PostProcessed[Label, tuple[Part, Part], Estimates]:
        """The improper sanitizer of the labelled class."""
        return PostProcessed(self, self.estimates)
