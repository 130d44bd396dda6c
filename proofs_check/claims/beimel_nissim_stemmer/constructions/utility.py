"""Failure probabilities of sanitizers: the release is inaccurate on some query.

Main definitions: `Estimates`, `estimates_of`, `release_failure`, `sanitizer_failure`.

A release is a database or, of an improper sanitizer, an estimate for each query (`bns` Definitions
2.16 and 2.17).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb
from typing import Any, TypeAlias

from ccsim.arguments.checked import checked_types
from ccsim.classes.given import ClassLike, as_class
from ccsim.data import validated
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact import as_fraction
from ccsim.exact.exponentials import Real
from ccsim.privacy.constructions import Mechanism, is_symmetric
from ccsim.privacy.neighbours import Domain
from ccsim.texts.labels import Label

__all__ = [
    "Estimates",
    "Release",
    "SanitizerFailure",
    "estimates_of",
    "release_failure",
    "sanitizer_failure",
]

MAX_DATABASES = 1 << 14
"""Maximum number of databases on which a sanitizer is checked."""


@validated
class Estimates:
    """Released estimates, one for each concept in the order of the class.

    Attributes
    ----------
    values : tuple of Fraction
    """

    values: tuple[Fraction, ...]


Release: TypeAlias = tuple[Label, ...] | Estimates
"""Output of a sanitizer."""


@checked_types
def estimates_of(
    concept_class: ClassLike, release: Sequence[Label] | Estimates
) -> tuple[Fraction, ...]:
    """Return the estimate of a release for each concept.

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
    release : sequence of points or Estimates
        All estimates of an empty database are 0.

    Raises
    ------
    DomainError
        If a record is not a point, or there is not one estimate for each concept.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> [str(value) for value in estimates_of(points(1), (0, 1, 1))]
    ['1/3', '2/3']
    """
    concept_class = as_class(concept_class)
    if isinstance(release, Estimates):
        if len(release.values) != len(concept_class):
            raise DomainError(
                f"there must be one estimate for each of {len(concept_class)} concepts, "
                f"not {len(release.values)}"
            )
        return release.values
    numbers = Domain.of(concept_class.points).numbered(release)
    return tuple(
        Fraction(sum(row >> x & 1 for x in numbers), max(len(numbers), 1))
        for row in concept_class.rows
    )


@checked_types
def release_failure(
    sanitizer: Mechanism[Any, Any],
    concept_class: ClassLike,
    database: Sequence[Label],
    accuracy: Fraction | int | str,
) -> Real:
    """Return the probability that the error of a release exceeds the accuracy on some query.

    Parameters
    ----------
    sanitizer : Mechanism
        Its outcomes are databases or `Estimates`.
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
    database : sequence of points
    accuracy : Fraction, int or str
        The largest allowed error on a query.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> from ccsim.exact import Epsilon
    >>> from ccsim.release.sanitizers.synthetic import SyntheticDatabase
    >>> release_failure(SyntheticDatabase(points(1), Epsilon.of("ln 4"), 2), points(1), [0, 0], 0)
    Fraction(3, 7)
    """
    concept_class = as_class(concept_class)
    allowed = as_fraction(accuracy, "accuracy", 0)
    true = estimates_of(concept_class, database)
    distribution = sanitizer.distribution(database)

    def far(release: Release) -> bool:
        released = estimates_of(concept_class, release)
        return any(abs(a - b) > allowed for a, b in zip(true, released, strict=True))

    return distribution.mass(release for release in distribution if far(release))


@validated
class SanitizerFailure:
    """The failure probability of a sanitizer on its worst database of a given size.

    Attributes
    ----------
    database : tuple of points
    failure : Fraction or Exponential
    """

    database: tuple[Label, ...]
    failure: Real


@checked_types
def sanitizer_failure(
    sanitizer: Mechanism[Any, Any],
    concept_class: ClassLike,
    records: int,
    accuracy: Fraction | int | str,
) -> SanitizerFailure:
    """Return the largest failure probability of a sanitizer over databases of the given size.

    Parameters
    ----------
    sanitizer : Mechanism
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
    records : int
        At least 1.
    accuracy : Fraction, int or str

    Raises
    ------
    InstanceTooLargeError
        If there are more than `MAX_DATABASES` databases.

    Notes
    -----
    It fails if the error of the release exceeds the accuracy on some query. Complexity: one output
    distribution for each multiset of points, or for each sequence if the sanitizer is not
    symmetric.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> from ccsim.exact import Epsilon
    >>> from ccsim.release.sanitizers.synthetic import SyntheticDatabase
    >>> found = sanitizer_failure(
    ...     SyntheticDatabase(points(1), Epsilon.of("ln 4"), 2), points(1), 2, 0
    ... )
    >>> found.database, str(found.failure)
    ((0, 1), '1/2')
    """
    concept_class = as_class(concept_class)
    if records < 1:
        raise DomainError(f"records must be at least 1, not {records}")
    n, multisets = len(concept_class.points), is_symmetric(sanitizer)
    number = comb(n + records - 1, records) if multisets else n**records
    if number > MAX_DATABASES:
        raise InstanceTooLargeError(
            f"there are {number} databases of {records} records; the limit is {MAX_DATABASES}"
        )
    points = concept_class.points
    every = (
        combinations_with_replacement(points, records)
        if multisets
        else product(points, repeat=records)
    )
    worst = SanitizerFailure((), Fraction(-1))
    for database in every:
        failure = release_failure(sanitizer, concept_class, database, accuracy)
        if failure > worst.failure:
            worst = SanitizerFailure(database, failure)
    return worst
