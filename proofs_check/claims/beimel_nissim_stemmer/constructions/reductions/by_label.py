"""A sanitizer of labelled concepts from one of the concepts, by dividing the records by label.

Main definitions: `DividedByLabel`, Algorithm B of `bns` Lemma 5.4.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

from ccsim.classes import ConceptClass
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact import Epsilon
from ccsim.exact.distribution import Distribution, independent, mixture
from ccsim.exact.exponentials import Real
from ccsim.privacy.constructions import CanonicalMechanism, Mechanism, PostProcessed, is_symmetric
from ccsim.privacy.mechanisms.noisy_answers import laplace_tail
from ccsim.privacy.neighbours import Domain, identity
from ccsim.texts.labels import Label
from proofs_check.claims.beimel_nissim_stemmer.constructions.labelled import labelled_class

__all__ = ["DividedByLabel", "Part"]

Part = tuple[int, Any]
"""The noisy number of records with a label, and what is released for them."""


@validated
class DividedByLabel(CanonicalMechanism[Label, tuple[Part, Part]]):
    """Algorithm B: sanitize the records of each label separately, after their number is rounded.

    For each label ``y``, rounded Laplace noise of scale ``1/epsilon`` is added to the number of
    records, and the sum is rounded to the nearest multiple of the block. Records at the end are
    dropped, or copies of the first point added, to reach this number; then the records are
    sanitized. If the sanitizer is ``epsilon``-private, the number and the release of a label
    together are ``2 epsilon``-private, and both labels together ``4 epsilon``-private, which is
    tight for three records; `bns` states ``6 epsilon``. The paper does not define noisy numbers
    above the size of the database; here they are lowered to this size.

    Attributes
    ----------
    sanitizer : Mechanism
        Over the points of the class, symmetric by construction (`Shuffled` makes it so). It must
        accept databases of every multiple of the block.
    concept_class : ConceptClass
    block : int
        Written ``M`` in the paper; at least 1.
    epsilon : Epsilon
        Parameter of the noise, for each label.

    Raises
    ------
    DomainError
        If the sanitizer depends on the order: dropped records move the others, and then the
        algorithm is not private.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> from ccsim.release.sanitizers.synthetic import SyntheticDatabase
    >>> C, ln4 = points(1), Epsilon.of("ln 4")
    >>> divided = DividedByLabel(SyntheticDatabase(C, ln4, 1), C, 1, ln4)
    >>> distribution = divided.distribution(["0|1"])
    >>> str(distribution[(0, ()), (1, (0,))])
    '7/24'
    >>> divided.database(((0, ()), (1, (0,))))
    ('0|1',)
    """

    sanitizer: Mechanism[Any, Any]
    concept_class: ConceptClass
    block: int
    epsilon: Epsilon

    def __post_init__(self) -> None:
        if self.block < 1 or not self.epsilon.is_positive:
            raise DomainError(
                f"block must be at least 1 and epsilon positive, not {self.block} and "
                f"{self.epsilon}"
            )
        if not is_symmetric(self.sanitizer):
            raise DomainError("sanitizer must not depend on the order of the records")
        if identity(self.sanitizer.records) != identity(self.concept_class.points):
            raise DomainError("sanitizer must have the points of the class as records")

    symmetric = True

    @property
    def records(self) -> tuple[Label, ...]:
        """The points of the labelled class."""
        return labelled_class(self.concept_class).points

    def distribution_of(self, database: tuple[Label, ...]) -> Distribution[tuple[Part, Part]]:
        """Return the joint distribution, over both labels, of the noisy number and the release.

        The number and the release of one label are independent of those of the other label.
        """
        numbers = Domain.of(self.records).numbered(database)
        points = self.concept_class.points
        return independent(
            self._part([points[i // 2] for i in numbers if i % 2 == y], len(database))
            for y in (0, 1)
        )

    def _part(self, chosen: list[Label], total: int) -> Distribution[Part]:
        """Return the joint distribution of the noisy number and the release for one label."""

        def released(number: int) -> Distribution[Part]:
            padding = [self.concept_class.points[0]] * max(0, number - len(chosen))
            if not number:
                return Distribution[Part].certain((0, ()))
            distribution = self.sanitizer.distribution([*chosen[:number], *padding])
            return distribution.map(lambda release: (number, release))

        multiples = range((2 * total + self.block) // (2 * self.block) + 1)
        least = [k * self.block - self.block // 2 for k in multiples[1:]]
        tails: list[Real] = [Fraction(1), *(self._reaches(n - len(chosen)) for n in least)]
        masses = [a - b for a, b in pairwise([*tails, Fraction(0)])]
        return mixture(
            (p, released(k * self.block)) for k, p in zip(multiples, masses, strict=True)
        )

    def _reaches(self, noise: int) -> Real:
        """Return the probability that the rounded noise is at least ``noise``."""
        return laplace_tail(self.epsilon * noise)

    def database(self, parts: tuple[Part, Part]) -> tuple[Label, ...]:
        """Return the released database: each label's release, in as many copies as its number."""
        points = Domain.of(self.concept_class.points)
        names = self.records
        return tuple(
            names[2 * x + y]
            for y, (number, release) in enumerate(parts)
            for x in points.numbered(release)
            for _ in range(number)
        )

    @property
    def sanitizing(self) -> PostProcessed[Label, tuple[Part, Part], tuple[Label, ...]]:
        """The sanitizer of the labelled class, which releases databases.

        The databases approximate the queries if all releases of the sanitizer have the same size.
        If both numbers are 0, the database is empty.
        """
        return PostProcessed(self, self.database)
