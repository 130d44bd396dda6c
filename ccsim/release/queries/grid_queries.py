"""Halfspaces, boxes and intervals over grids, as classes of queries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ccsim.budget import in_time
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact import Epsilon
from ccsim.exact.probability import SYSTEM, Randomness, uniform_below
from ccsim.release.queries.covers import Cover
from ccsim.release.queries.grids.boxes import BoxCover
from ccsim.release.queries.grids.cells import GridCover, point_of
from ccsim.release.queries.grids.halfspaces import HalfspaceCover
from ccsim.release.queries.public_data import WeightsOptions, release_queries
from ccsim.release.queries.query_classes import QueryClass
from ccsim.release.queries.query_release import QueryRelease

_SPREAD = 60
"""Points that make a cover where there is no public sample."""


@validated
class GridQueries(QueryClass[Any, Any]):
    """The halfspaces or boxes over a grid; intervals are boxes in one dimension.

    Without public records the cover is that of 60 points of the grid, drawn once and for all.
    """

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

    def kept(self, cover: Cover[Any, Any]) -> Sequence[Any]:
        """Return the concepts of a cover."""
        return cover.kept if isinstance(cover, GridCover) else ()

    def all_that_matter(self, records: Sequence[Any], cover: Cover[Any, Any]) -> Iterable[Any]:
        """Return the concepts of the cover: those of the class are too many."""
        return self.kept(cover)

    def means(self, concepts: Iterable[Any], records: Sequence[Any]) -> list[Fraction]:
        """Return the true answers on records."""
        listed = np.array([point_of(self.sides, record) for record in records], dtype=object)
        if max(self.sides) < 1 << 31:
            listed = listed.astype(np.int64)
        size = len(records)
        inside = (int(self._inside(concept, listed).sum()) for concept in in_time(concepts))
        return [Fraction(2 * count - size, size) for count in inside]

    def _inside(self, concept: Any, records: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:  # noqa: ANN401
        """Return which records a concept labels 1."""
        if self.family == "halfspaces":
            *weights, threshold = concept
            sums = sum(w * records[:, axis] for axis, w in enumerate(weights))
            return np.asarray(sums >= threshold)
        held = np.full(len(records), bool(concept))
        for axis, (low, high) in enumerate(concept):
            held &= (low <= records[:, axis]) & (records[:, axis] <= high)
        return held

    def private(
        self,
        records: Sequence[Any],
        epsilon: Epsilon,
        delta: Fraction,
        rng: Randomness = SYSTEM,
        options: WeightsOptions | None = None,
    ) -> QueryRelease[Any, Any]:
        """Release by private multiplicative weights on a cover of points that are not data."""
        fixed = np.random.default_rng(0)
        spread = (tuple(uniform_below(n, fixed) for n in self.sides) for _ in range(_SPREAD))
        cover = self.cover([point if len(point) > 1 else point[0] for point in spread])
        return release_queries(
            cover, records, epsilon, delta, rng, method="private", options=options
        )
