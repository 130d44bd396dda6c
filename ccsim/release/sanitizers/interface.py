"""What all sanitizers have in common."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from fractions import Fraction
from typing import Protocol, runtime_checkable

from ccsim.exact import Epsilon
from ccsim.exact.probability import SYSTEM, Randomness
from ccsim.release.records import Records
from ccsim.release.sanitizer import QueryError


@runtime_checkable
class Sanitized(Protocol):
    """What a sanitizer released on some records, and how far it is off there."""

    @property
    def released(self) -> Mapping[int, int] | Mapping[int, Fraction]:
        """Copies of points if it is a database, shares if it is an estimate; of the others 0."""

    @property
    def error(self) -> QueryError:
        """The worst query of the sanitizer's class; not private."""


@runtime_checkable
class Sanitizer(Protocol):
    """A private map of records to a release."""

    @property
    def parameters(self) -> Mapping[str, Hashable]:
        """What it was made with, and what follows, by name."""

    @property
    def privacy(self) -> tuple[Epsilon, Fraction]:
        """Epsilon and delta of the whole release."""

    def sanitize(self, records: Records, rng: Randomness = SYSTEM) -> Sanitized:
        """Draw a release with exactly the sanitizer's law."""
