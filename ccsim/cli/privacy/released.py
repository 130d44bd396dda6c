"""What ``ccsim sanitize`` is asked for, what a record may be, and what is released."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.classes.given import as_class
from ccsim.data import frozen
from ccsim.errors import DomainError
from ccsim.exact import Epsilon
from ccsim.exact.fractions import INTEGER
from ccsim.exact.probability import Randomness
from ccsim.instances import check_keys, parse_call
from ccsim.release.sanitizer import QueryError
from ccsim.texts.labels import Label

MOST_BITS = 64
"""Most bits of a record that is an integer."""
_LONG = ("k_points", "points", "thresholds")
"""Families that are too large to be built, and need not be."""
_LONGEST = 40
"""Digits of a record, at most."""


@frozen
class RecordDomain:
    """What a record may be: an integer below a size, or a point of a class."""

    size: int
    points: tuple[Label, ...] | None = None  # none for the integers

    @property
    def last(self) -> int:
        """The largest number of a record."""
        return self.size - 1

    @property
    def expected(self) -> str:
        """What a record is, for messages."""
        return f"an integer from 0 to {self.last}" if self.points is None else "a point"

    def reader(self) -> Callable[[str], int | None]:
        """Return what gives the number of a record, or None for what is none."""
        if self.points is not None:
            return {str(point): i for i, point in enumerate(self.points)}.get
        size = self.size

        def read(text: str) -> int | None:
            known = len(text) <= _LONGEST and INTEGER.fullmatch(text)
            return int(text) if known and 0 <= int(text) < size else None

        return read

    def name(self, record: int) -> Label:
        """Return a record as it stood in the file."""
        return record if self.points is None else self.points[record]


@frozen
class Asked:
    """What the command was asked for."""

    instance: str
    accuracy: Fraction
    failure: Fraction
    epsilon: Epsilon
    delta: Fraction
    levels: int
    size: int | None  # of a synthetic database


@frozen
class Released:
    """What was released."""

    kind: str  # ``database`` or ``shares``
    # records with their numbers of copies, or with their estimated shares
    items: tuple[tuple[int, int | Fraction], ...]
    more: Mapping[str, Any]  # other outputs
    error: Callable[[], QueryError]  # computes the largest query error; not private


Draw = Callable[[Sequence[int], Randomness], Released]


@frozen
class Sanitizer:
    """A sanitizer that is ready to run.

    Attributes
    ----------
    domain : RecordDomain
    privacy : tuple of (Epsilon, Fraction)
    needed : callable
        Returns the number of records for which accuracy and failure are proved.
    draw : callable
    """

    domain: RecordDomain
    privacy: tuple[Epsilon, Fraction]
    needed: Callable[[], int]
    draw: Draw


def _long_or_class(
    asked: Asked, family: str, budget: Budget, fits: Callable[[ConceptClass], str]
) -> RecordDomain:
    """Return the domain of a family by bits, or of a class whose concepts are of its kind."""
    if not asked.instance.startswith("@"):
        name, given = parse_call(asked.instance)
        if name == family:
            check_keys(family, given, ["b"], ["b"])
            if not 1 <= given["b"] <= MOST_BITS:
                raise DomainError(f"bits must lie between 1 and {MOST_BITS}, not {given['b']}")
            return RecordDomain(1 << given["b"])
        if name in _LONG:
            raise DomainError(
                f"{asked.instance}: this sanitizer is for {family}:b=..., or a class of that kind"
            )
    C = as_class(asked.instance, budget)
    if reason := fits(C):
        raise DomainError(f"{asked.instance}: this sanitizer is for {family}: {reason}")
    return RecordDomain(len(C.points), C.points)


def _is_points(C: ConceptClass) -> str:
    wrong = next((i for i, row in enumerate(C.rows) if row.bit_count() > 1), None)
    return "" if wrong is None else f"concept {C.concepts[wrong]} is 1 on more than one point"


def _is_thresholds(C: ConceptClass) -> str:
    wrong = next((i for i, row in enumerate(C.rows) if row & (row + 1)), None)
    return (
        "" if wrong is None else f"concept {C.concepts[wrong]} is not 1 on the first points alone"
    )


def points_domain(asked: Asked, budget: Budget) -> RecordDomain:
    """Return the domain of ``points:b=...``, or of a class of single points."""
    return _long_or_class(asked, "points", budget, _is_points)


def thresholds_domain(asked: Asked, budget: Budget) -> RecordDomain:
    """Return the domain of ``thresholds:b=...``, or of a class whose concepts are first points."""
    return _long_or_class(asked, "thresholds", budget, _is_thresholds)
