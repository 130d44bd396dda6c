"""Sanitizers, and the errors of released databases and estimates on the queries of a class.

The value of a query, given by a concept, is the fraction of the records with label 1 (`bns`
Definition 2.16).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Protocol, TypeAlias

from ccsim.arguments.checked import checked_types
from ccsim.arguments.values import show_value
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.data import frozen, validated
from ccsim.errors import DomainError
from ccsim.exact import Epsilon, as_fraction
from ccsim.exact.probability import SYSTEM, Randomness
from ccsim.exact.steps import StepFunction
from ccsim.privacy.constructions import Setting
from ccsim.privacy.neighbours import Domain
from ccsim.texts.labels import Label

Records: TypeAlias = Sequence[int] | Mapping[int, int]
"""The records as a list, or the multiplicity of each value."""


@validated
class QueryError:
    """The largest error of a release, with the first query that attains it.

    Attributes
    ----------
    query : int or str
        Label of the concept, or the number ``t`` of the threshold ``x < t``.
    true, released : Fraction
        Value of the query on the data and on the release.
    """

    query: Label
    true: Fraction
    released: Fraction

    @property
    def error(self) -> Fraction:
        """The absolute difference of the two values."""
        return abs(self.true - self.released)


@validated
class Release:
    """The output of a sanitizer.

    Attributes
    ----------
    kind : str
        Kind of the output: ``database`` or ``shares``.
    items : tuple of (int, int or Fraction)
        The records, with their numbers of copies or their estimated shares.
    more : mapping
        Further outputs, by name.
    error : callable
        Function that computes the largest query error from the data; the error is not private.

    Examples
    --------
    >>> from ccsim.exact import Epsilon
    >>> from ccsim.release import QuantileTree
    >>> import numpy as np
    >>> tree = QuantileTree(3, Epsilon.of(1))
    >>> release = tree.release_records([0, 1, 2, 3] * 100, np.random.default_rng(0))
    >>> release.kind, release.copies, release.error().error < 1
    ('database', 32, True)
    """

    kind: str
    items: tuple[tuple[int, int | Fraction], ...]
    more: Mapping[str, object]
    error: Callable[[], QueryError]

    @property
    def copies(self) -> int:
        """Number of records in a released database; 0 if shares are released."""
        return sum(n for _, n in self.items if isinstance(n, int))


class Sanitizer(Protocol):
    """A private sanitizer, as used by ``ccsim sanitize``.

    Attributes
    ----------
    family : str
        ``points``, ``thresholds`` or ``k_points`` if the sanitizer handles only this family; the
        records are then the integers ``0 .. last``, and the class is not listed. Empty if it
        handles any class.

    Examples
    --------
    >>> from ccsim.exact import Epsilon
    >>> from ccsim.release import StabilityHistogram
    >>> given = {"last": 7, "epsilon": Epsilon.of(1), "delta": Fraction(1, 1000)}
    >>> StabilityHistogram.for_task(**given).privacy[1]
    Fraction(1, 1000)
    """

    family: str

    @classmethod
    def for_task(cls, **given: Setting) -> Sanitizer:
        """Return the sanitizer that ``ccsim sanitize`` runs.

        Parameters
        ----------
        **given
            Values of the fields: ``last`` or ``concept_class``; ``accuracy``, ``failure``,
            ``epsilon`` and ``delta``; ``k`` for ``k_points``; and the declared parameters that are
            set. Other names are ignored.
        """

    @classmethod
    def least_records(cls, **given: Setting) -> int:
        """Return a number of records that is proved to suffice for the accuracy and failure."""

    @property
    def privacy(self) -> tuple[Epsilon, Fraction]:
        """Epsilon and delta of the whole release."""

    def release_records(self, records: Sequence[int], rng: Randomness = SYSTEM) -> Release:
        """Draw a random release of the given records from its exact distribution."""


@checked_types
def max_query_error(
    concept_class: ClassLike,
    database: Sequence[Label],
    release: Sequence[Label] | Mapping[Label, Fraction | int | str],
) -> QueryError:
    """Return the largest error of a release over all concepts of a class.

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
        A class with at least one concept.
    database : sequence of points
        A database with at least one record.
    release : sequence of points or mapping
        The release: a database with at least one record, or an estimate for each concept.

    Notes
    -----
    Complexity: one addition for each concept and distinct record.

    Examples
    --------
    >>> from ccsim.instances import parse_class
    >>> worst = max_query_error(parse_class("thresholds:b=2"), [0, 0, 3], [0, 3])
    >>> worst.query, str(worst.error)
    (1, '1/6')
    """
    concept_class = as_class(concept_class)
    if not concept_class.rows:
        raise DomainError("class must have at least one concept, not 0")
    true = _values(concept_class, database, "database")
    if isinstance(release, Mapping):
        missing = [label for label in concept_class.concepts if label not in release]
        if missing:
            raise DomainError(f"release must estimate every concept, but not {missing[0]!r}")
        released = [as_fraction(release[c], f"estimate for {c!r}") for c in concept_class.concepts]
    else:
        released = _values(concept_class, release, "release")
    listed = zip(concept_class.concepts, true, released, strict=True)
    return max((QueryError(*query) for query in listed), key=lambda query: query.error)


def _values(concept_class: ConceptClass, database: Sequence[Label], name: str) -> list[Fraction]:
    """Return the value of each concept on a database."""
    if not database:
        raise DomainError(f"{name} must have at least one record, not 0")
    counts = dict[int, int]()
    for point in Domain.of(concept_class.points).numbered(database):
        counts[point] = counts.get(point, 0) + 1
    return [
        Fraction(sum(n for x, n in counts.items() if row >> x & 1), len(database))
        for row in concept_class.rows
    ]


@checked_types
def max_threshold_error(
    database: Records, release: Records | StepFunction, last: int
) -> QueryError:
    """Return the largest error of a release over all thresholds ``x < t`` of a long range.

    Only thresholds next to records matter, because both values are constant between them.

    Parameters
    ----------
    database : sequence of int, or mapping
        One or more records from 0 to ``last``, or the multiplicity of each value.
    release : sequence of int, mapping or StepFunction
        A database over the same range, or an estimate for each threshold ``0 .. last + 1``.
    last : int
        The largest possible record, such as ``2**64 - 1``.

    Notes
    -----
    Complexity: that of sorting the records.

    Examples
    --------
    >>> worst = max_threshold_error([5, 5, 2**64 - 1], [5, 6], 2**64 - 1)
    >>> worst.query, str(worst.true), str(worst.released)
    (7, '2/3', '1')
    >>> str(max_threshold_error([0, 1], StepFunction.of([0, "1/4", 1]), 1).error)
    '1/4'
    """
    true = SortedRecords.of(database, last)
    tested = {0, *(x + 1 for x in true.values)}
    if isinstance(release, StepFunction):
        if release.last != last + 1:
            raise DomainError(
                f"release must estimate the thresholds 0 .. {show_value(last + 1)}, "
                f"not 0 .. {show_value(release.last)}"
            )
        tested |= set(release.starts)
        estimate: Callable[[int], Fraction] = release
    else:
        synthetic = SortedRecords.of(release, last, "release")
        estimate = synthetic.share_below
        tested |= {x + 1 for x in synthetic.values}
    listed = (QueryError(t, true.share_below(t), estimate(t)) for t in sorted(tested))
    return max(listed, key=lambda query: query.error)


@checked_types
def max_point_error(database: Records, release: Mapping[int, Fraction], last: int) -> QueryError:
    """Return the largest error of estimated shares over all points of a long range.

    Parameters
    ----------
    database : sequence of int, or mapping
        One or more records from 0 to ``last``, or the multiplicity of each value.
    release : mapping of int to Fraction
        The non-zero estimates of the points.
    last : int
        The largest possible record.

    Notes
    -----
    Complexity: that of sorting. Points with neither records nor an estimate have error 0.

    Examples
    --------
    >>> worst = max_point_error([5, 5, 5, 7], {5: Fraction(1, 2)}, 2**64 - 1)
    >>> worst.query, str(worst.true), str(worst.released)
    (5, '3/4', '1/2')
    """
    true = SortedRecords.of(database, last)
    counts = true.counts()
    for point in release:
        if not 0 <= point <= last:
            raise DomainError(
                f"points of the release must be between 0 and {show_value(last)}, "
                f"not {show_value(point)}"
            )
    estimates = {x: as_fraction(share, f"estimate for {x}") for x, share in release.items()}
    listed = (
        QueryError(x, Fraction(counts.get(x, 0), true.size), estimates.get(x, Fraction(0)))
        for x in sorted(counts.keys() | estimates.keys())
    )
    return max(listed, key=lambda query: query.error)


@frozen
class SortedRecords:
    """Numbers of records below a point, for all points."""

    values: tuple[int, ...]  # the distinct values, increasing
    below: tuple[int, ...]  # numbers of smaller records, and of all records

    @classmethod
    def of(cls, records: Records, last: int, name: str = "database") -> SortedRecords:
        """Return the records, counted in the range ``0 .. last``."""
        if isinstance(records, Mapping):
            for copies in records.values():
                if copies < 0:
                    raise DomainError(
                        f"multiplicity of each record of the {name} must be at least 0"
                    )
            counts: Mapping[int, int] = {x: n for x, n in records.items() if n}
        else:
            counts = Counter(records)
        if not counts:
            raise DomainError(f"{name} must have at least one record, not 0")
        values = tuple(sorted(counts))
        for value in (values[0], values[-1]):
            if not 0 <= value <= last:
                raise DomainError(
                    f"every record of the {name} must be between 0 and {show_value(last)}, but at "
                    "least one is not"
                )
        return cls(values, tuple(accumulate((counts[x] for x in values), initial=0)))

    @property
    def size(self) -> int:
        """The number of records."""
        return self.below[-1]

    def rank(self, point: int) -> int:
        """Return the number of records smaller than a point."""
        return self.below[bisect_left(self.values, point)]

    def share_below(self, point: int) -> Fraction:
        """Return the fraction of records smaller than a point."""
        return Fraction(self.rank(point), self.size)

    def counts(self) -> dict[int, int]:
        """Return the multiplicity of each value."""
        ends = zip(self.values, self.below, self.below[1:], strict=False)
        return {value: end - start for value, start, end in ends}


def check_accuracy(accuracy: Fraction, failure: Fraction) -> None:
    """Refuse an accuracy or a failure probability that is not between 0 and 1."""
    for name, value in (("accuracy", accuracy), ("failure", failure)):
        if not 0 < value < 1:
            raise DomainError(f"{name} must be strictly between 0 and 1, not {value}")


def check_budget(epsilon: Epsilon, delta: Fraction) -> None:
    """Refuse an epsilon that is not positive, or a delta that is not between 0 and 1."""
    if not epsilon.is_positive:
        raise DomainError(f"epsilon must be positive, not {epsilon}")
    if not 0 < delta < 1:
        raise DomainError(f"delta must be strictly between 0 and 1, not {delta}")
