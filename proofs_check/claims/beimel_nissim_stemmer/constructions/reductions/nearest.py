"""From an improper sanitizer to a proper one: the database nearest to the release.

Main definitions: `NearestDatabase`, `nearest_database`, `made_proper` (`bns` Remark 2.18 and
Theorem 2.21).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import comb
from typing import Any

from ccsim.arguments.checked import checked_types
from ccsim.budget import in_time
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.data import frozen
from ccsim.dimensions import representative_domain
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.privacy.constructions import Mechanism, PostProcessed
from ccsim.texts.labels import Label
from proofs_check.claims.beimel_nissim_stemmer.constructions.utility import (
    Estimates,
    Release,
    estimates_of,
)

__all__ = ["NearestDatabase", "made_proper", "nearest_database"]

MAX_CHOICES = 1 << 20
"""Maximum number of candidate databases."""


@frozen
class NearestDatabase:
    """A database of a given size, with its distance from the estimates.

    Attributes
    ----------
    database : tuple of points
    error : Fraction
        The largest difference from an estimate; no database of this size has a smaller one.
    """

    database: tuple[Label, ...]
    error: Fraction


@checked_types
def nearest_database(
    concept_class: ClassLike, release: Sequence[Label] | Estimates, size: int
) -> NearestDatabase:
    """Return a database of the given size that is nearest to a release.

    Points with equal labels by all concepts are identified. Among equally near databases, the one
    with most records at the first points is returned.

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
        With at least one concept and one point.
    release : sequence of points or Estimates
    size : int
        At least 1.

    Raises
    ------
    DomainError
    InstanceTooLargeError
        If there are more than `MAX_CHOICES` databases.

    Notes
    -----
    Complexity: number of databases times number of concepts in the worst case; partial databases
    that cannot improve on the best are skipped.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> third = Fraction(1, 3)
    >>> found = nearest_database(points(2), Estimates((third, third, third, Fraction(0))), 4)
    >>> found.database, str(found.error)
    ((0, 0, 1, 2), '1/6')
    """
    concept_class = as_class(concept_class)
    if not concept_class.rows or not concept_class.points:
        raise DomainError("class must have at least one concept and one point")
    if size < 1:
        raise DomainError(f"size must be at least 1, not {size}")
    wanted = estimates_of(concept_class, release)
    points = representative_domain(concept_class).points
    if (choices := comb(len(points) + size - 1, size)) > MAX_CHOICES:
        raise InstanceTooLargeError(
            f"there are {choices} databases of size {size}; the limit is {MAX_CHOICES}"
        )
    targets = [size * value for value in wanted]
    ones = [[row >> x & 1 for row in concept_class.rows] for x in points]
    best = _Best([size], size + 1 + max(abs(target) for target in targets))
    _search(ones, targets, [], [0] * len(targets), size, best)
    chosen = (
        concept_class.points[x] for x, n in zip(points, best.counts, strict=True) for _ in range(n)
    )
    return NearestDatabase(tuple(chosen), best.error / size)


@dataclass(slots=True)
class _Best:
    counts: list[int]
    error: Fraction


def _search(
    ones: list[list[int]],
    targets: list[Fraction],
    counts: list[int],
    reached: list[int],
    left: int,
    best: _Best,
) -> None:
    """Try all ways to distribute the remaining records over the remaining points."""
    place = len(counts)
    if place == len(ones) - 1:
        error = max(
            abs(t - r - left * one) for t, r, one in zip(targets, reached, ones[place], strict=True)
        )
        if error < best.error:
            best.counts, best.error = [*counts, left], error
        return
    for n in in_time(range(left, -1, -1)):
        now = [r + n * one for r, one in zip(reached, ones[place], strict=True)]
        most = left - n
        if all(
            r - t < best.error and t - r - most < best.error
            for r, t in zip(now, targets, strict=True)
        ):
            _search(ones, targets, [*counts, n], now, most, best)


def made_proper(
    sanitizer: Mechanism[Label, Any], concept_class: ConceptClass, size: int
) -> PostProcessed[Label, Release, tuple[Label, ...]]:
    """Return the sanitizer followed by the choice of the nearest database of the given size.

    If the error of its release is at most ``alpha``, and some database of the given size has error
    at most ``gamma`` (0 for the size of the data), the chosen database has error at most ``2 alpha
    + gamma``.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> from ccsim.exact import Epsilon
    >>> from ccsim.release.sanitizers.synthetic import SyntheticDatabase
    >>> single = made_proper(SyntheticDatabase(points(1), Epsilon.of("ln 4"), 2), points(1), 1)
    >>> single.distribution((0, 0)).items
    (((0,), Fraction(6, 7)), ((1,), Fraction(1, 7)))
    """
    return PostProcessed(sanitizer, partial(_nearest, concept_class, size))


def _nearest(concept_class: ConceptClass, size: int, release: Release) -> tuple[Label, ...]:
    return nearest_database(concept_class, release, size).database
