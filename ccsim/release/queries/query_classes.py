"""Classes of queries for a release: their records, queries and covers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, Generic

import numpy as np

from ccsim.budget import in_time
from ccsim.classes import ConceptClass
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact import Epsilon
from ccsim.exact.probability import SYSTEM, Randomness, uniform_below
from ccsim.release.queries.covers import ClassCover, Concept, Cover, Record, ThresholdCover
from ccsim.release.queries.grid_covers import BoxCover, GridCover, HalfspaceCover, point_of
from ccsim.release.queries.public_data import QueryRelease, WeightsOptions, release_queries
from ccsim.release.sanitizers.thresholds import QuantileTree
from ccsim.texts.labels import Label

_SPREAD = 60  # points that make a cover of a grid where there is no public sample


class QueryClass(ABC, Generic[Record, Concept]):
    """A class of queries; subclasses are frozen data classes."""

    @abstractmethod
    def cover(self, public: Sequence[Record]) -> Cover[Record, Concept]:
        """Return the cover of a public sample."""

    def all_that_matter(
        self, records: Sequence[Record], cover: Cover[Record, Concept]
    ) -> Iterable[Concept]:
        """Return concepts over which the error is maximised; by default those of the cover."""
        return cover.kept

    @abstractmethod
    def means(self, concepts: Iterable[Concept], records: Sequence[Record]) -> list[Fraction]:
        """Return the true answers on records, from -1 to 1."""

    def stand_ins(self) -> Sequence[Record]:
        """Return artificial points that replace public records if there are none."""
        return ()

    def private(
        self,
        records: Sequence[Record],
        epsilon: Epsilon,
        delta: Fraction,
        rng: Randomness = SYSTEM,
        options: WeightsOptions | None = None,
    ) -> QueryRelease[Record, Concept]:
        """Release answers by private multiplicative weights on a cover without public records."""
        cover = self.cover(self.stand_ins())
        return release_queries(
            cover, records, epsilon, delta, rng, method="private", options=options
        )


def largest_error(
    queries: QueryClass[Record, Concept],
    release: QueryRelease[Record, Concept],
    records: Sequence[Record],
) -> tuple[Concept, float]:
    """Return the query with the largest error on records, and the error."""
    concepts = list(queries.all_that_matter(records, release.cover))
    true = queries.means(concepts, records)
    off = [abs(release.answer(c) - float(t)) for c, t in zip(concepts, true, strict=True)]
    worst = max(range(len(off)), key=off.__getitem__)
    return concepts[worst], off[worst]


@validated
class ThresholdQueries(QueryClass[int, int]):
    """The thresholds ``x < t`` on ``0 .. last``; without public records, medians are used."""

    last: int

    def cover(self, public: Sequence[int]) -> ThresholdCover:
        """Return the cover of a public sample."""
        return ThresholdCover(self.last, tuple(public))

    def all_that_matter(self, records: Sequence[int], cover: Cover[int, int]) -> Iterable[int]:
        """Return the thresholds next to jumps of the true answers or of the released answers."""
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
        """Release answers by a tree of private medians."""
        tree = QuantileTree(self.last, epsilon)
        cover = self.cover(tree.release(tree.draw(records, rng)))
        found = release_queries(cover, records, epsilon, delta, rng, method="public")
        noise = float(min(Fraction(2), 2 * tree.error_bound(len(records), Fraction(1, 10))))
        return found.paid_for("private", epsilon, noise)


@validated
class ClassQueries(QueryClass[Label, Label]):
    """The concepts of a finite class; without public records the cover is the whole class."""

    concept_class: ConceptClass

    def cover(self, public: Sequence[Label]) -> ClassCover:
        """Return the cover of a public sample."""
        return ClassCover(self.concept_class, tuple(public))

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
            raise DomainError(
                "every record must be a point of the class, but at least one is not"
            ) from None
        rows = dict(zip(self.concept_class.concepts, self.concept_class.rows, strict=True))
        return [
            Fraction(2 * sum(rows[c] >> i & 1 for i in places) - len(places), len(places))
            for c in concepts
        ]

    def stand_ins(self) -> Sequence[Label]:
        """Return all points."""
        return self.concept_class.points


@validated
class GridQueries(QueryClass[Any, Any]):
    """Halfspaces or boxes over a grid; without public records, 60 fixed points define the cover."""

    family: str  # ``halfspaces`` or ``boxes``
    sides: tuple[int, ...]  # of the grid; of halfspaces with at most some 100 000 points

    def __post_init__(self) -> None:
        if self.family not in {"halfspaces", "boxes"}:
            raise DomainError(f"family must be halfspaces or boxes, not {self.family!r}")

    def cover(self, public: Sequence[Any]) -> GridCover[Any]:
        """Return the cover of a public sample."""
        made: type[HalfspaceCover] | type[BoxCover] = (
            HalfspaceCover if self.family == "halfspaces" else BoxCover
        )
        return made(self.sides, tuple(public))

    def means(self, concepts: Iterable[Any], records: Sequence[Any]) -> list[Fraction]:
        """Return the true answers on records."""
        listed = np.array([point_of(self.sides, record) for record in records], dtype=object)
        if max(self.sides) < 1 << 31:
            listed = listed.astype(np.int64)
        size = len(records)
        inside = (int(self._inside(concept, listed).sum()) for concept in in_time(concepts))
        return [Fraction(2 * count - size, size) for count in inside]

    def _inside(self, concept: Any, records: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:  # noqa: ANN401
        """Return, for each record, whether a concept labels it 1."""
        if self.family == "halfspaces":
            *weights, threshold = concept
            sums = sum(w * records[:, axis] for axis, w in enumerate(weights))
            return np.asarray(sums >= threshold)
        held = np.full(len(records), bool(concept))
        for axis, (low, high) in enumerate(concept):
            held &= (low <= records[:, axis]) & (records[:, axis] <= high)
        return held

    def stand_ins(self) -> Sequence[Any]:
        """Return 60 fixed points of the grid."""
        fixed = np.random.default_rng(0)
        spread = [tuple(uniform_below(n, fixed) for n in self.sides) for _ in range(_SPREAD)]
        return [point if len(point) > 1 else point[0] for point in spread]
