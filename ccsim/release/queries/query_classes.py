"""Classes of queries as a release needs them: covers, and what a record and a query are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from typing import Any, Generic, TypeVar

from ccsim.classes import ConceptClass
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact import Epsilon
from ccsim.exact.probability import SYSTEM, Randomness
from ccsim.release.queries.covers import ClassCover, Cover
from ccsim.release.queries.public_data import WeightsOptions, release_queries
from ccsim.release.queries.query_release import QueryRelease
from ccsim.release.queries.threshold_cover import ThresholdCover
from ccsim.release.sanitizers.thresholds import QuantileTree
from ccsim.texts.labels import Label

Record = TypeVar("Record", bound=Hashable)
Concept = TypeVar("Concept")


class QueryClass(ABC, Generic[Record, Concept]):
    """A class of queries; subclasses are frozen data classes."""

    @abstractmethod
    def cover(self, public: Sequence[Record]) -> Cover[Record, Concept]:
        """Return the cover of a public sample."""

    @abstractmethod
    def kept(self, cover: Cover[Record, Concept]) -> Sequence[Concept]:
        """Return the concepts of a cover, in its order."""

    @abstractmethod
    def all_that_matter(
        self, records: Sequence[Record], cover: Cover[Record, Concept]
    ) -> Iterable[Concept]:
        """Return concepts among which the error on these records is largest."""

    @abstractmethod
    def means(self, concepts: Iterable[Concept], records: Sequence[Record]) -> list[Fraction]:
        """Return the true answers on records, from -1 to 1."""

    @abstractmethod
    def private(
        self,
        records: Sequence[Record],
        epsilon: Epsilon,
        delta: Fraction,
        rng: Randomness = SYSTEM,
        options: WeightsOptions | None = None,
    ) -> QueryRelease[Record, Concept]:
        """Release without public records."""


def largest_error(
    queries: QueryClass[Record, Concept],
    release: QueryRelease[Record, Concept],
    records: Sequence[Record],
) -> tuple[Concept, float]:
    """Return the query whose answer is furthest from the truth on records, and how far it is."""
    concepts = list(queries.all_that_matter(records, release.cover))
    true = queries.means(concepts, records)
    off = [abs(release.answer(c) - float(t)) for c, t in zip(concepts, true, strict=True)]
    worst = max(range(len(off)), key=off.__getitem__)
    return concepts[worst], off[worst]


@validated
class ThresholdQueries(QueryClass[int, int]):
    """The thresholds ``x < t`` on ``0 .. last``.

    Without public records the tree of private medians releases a database, and its records stand
    for public ones; ``delta`` is not needed.
    """

    last: int

    def cover(self, public: Sequence[int]) -> ThresholdCover:
        """Return the cover of a public sample."""
        return ThresholdCover(self.last, tuple(public))

    def kept(self, cover: Cover[int, int]) -> Sequence[int]:
        """Return the thresholds of a cover."""
        return cover.thresholds if isinstance(cover, ThresholdCover) else ()

    def all_that_matter(self, records: Sequence[int], cover: Cover[int, int]) -> Iterable[int]:
        """Return the ends of all steps of the truth and of the answers."""
        points = {*records, *cover.public}
        return sorted({0, self.last + 1, *(x + 1 for x in points)} | points)

    def means(self, concepts: Iterable[int], records: Sequence[int]) -> list[Fraction]:
        """Return the true answers on records."""
        ordered = sorted(records)
        return [
            Fraction(2 * bisect_left(ordered, t) - len(ordered), len(ordered)) for t in concepts
        ]

    def private(
        self,
        records: Sequence[int],
        epsilon: Epsilon,
        delta: Fraction,
        rng: Randomness = SYSTEM,
        options: WeightsOptions | None = None,
    ) -> QueryRelease[int, int]:
        """Release by a tree of private medians."""
        tree = QuantileTree(self.last, epsilon)
        cover = self.cover(tree.release(tree.draw(records, rng)))
        found = release_queries(cover, records, epsilon, delta, rng, method="public")
        noise = float(min(Fraction(2), 2 * tree.error_bound(len(records), Fraction(1, 10))))
        return found.paid_for("private", epsilon, noise)


@validated
class ClassQueries(QueryClass[Label, Label]):
    """The concepts of a finite class.

    Without public records all points make the cover: it is the whole class.
    """

    concept_class: ConceptClass

    def cover(self, public: Sequence[Label]) -> ClassCover:
        """Return the cover of a public sample."""
        return ClassCover(self.concept_class, tuple(public))

    def kept(self, cover: Cover[Label, Label]) -> Sequence[Label]:
        """Return the labels of the concepts of a cover."""
        return cover.kept if isinstance(cover, ClassCover) else ()

    def all_that_matter(
        self, records: Sequence[Label], cover: Cover[Label, Label]
    ) -> Iterable[Label]:
        """Return all concepts."""
        return self.concept_class.concepts

    def means(self, concepts: Iterable[Label], records: Sequence[Label]) -> list[Fraction]:
        """Return the true answers on records."""
        known: dict[Any, int] = {x: i for i, x in enumerate(self.concept_class.points)}
        try:
            places = [known[record] for record in records]
        except KeyError:
            raise DomainError("records must be points of the class, and one is not") from None
        rows = dict(zip(self.concept_class.concepts, self.concept_class.rows, strict=True))
        return [
            Fraction(2 * sum(rows[c] >> i & 1 for i in places) - len(places), len(places))
            for c in concepts
        ]

    def private(
        self,
        records: Sequence[Label],
        epsilon: Epsilon,
        delta: Fraction,
        rng: Randomness = SYSTEM,
        options: WeightsOptions | None = None,
    ) -> QueryRelease[Label, Label]:
        """Release by private multiplicative weights on the whole class."""
        cover = self.cover(self.concept_class.points)
        return release_queries(
            cover, records, epsilon, delta, rng, method="private", options=options
        )
