"""Mechanisms: maps from databases to laws on finitely many outcomes.

A *database* is a tuple of records; two databases are *neighbours* when they have the same length
and differ in one entry (replacement neighbours, as in all the papers).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, cast

import numpy as np

from ccsim.errors import DomainError
from ccsim.privacy.law import Law, independent

__all__ = ["Composed", "Mechanism", "PostProcessed", "Sampler"]

Record = TypeVar("Record", bound=Hashable)
Outcome = TypeVar("Outcome", bound=Hashable)
Other = TypeVar("Other", bound=Hashable)


class Sampler(Protocol):
    """A source of outcomes other than a seeded generator, such as `OpenDPSampler`."""

    def draw(self, mechanism: Mechanism[Any, Any], database: Sequence[Any]) -> Hashable:
        """Draw an output of a mechanism on a database."""


class Mechanism(ABC, Generic[Record, Outcome]):
    """A randomised map of databases, known by its exact output law.

    Subclasses are frozen data classes. `records` is the finite domain of records over which
    privacy is audited; `symmetric` tells that the law does not depend on the order of the
    database, so that databases need to be looked at only up to reordering.
    """

    symmetric: bool = True

    @property
    @abstractmethod
    def records(self) -> tuple[Record, ...]:
        """All values that a record may have."""

    @abstractmethod
    def law(self, database: Sequence[Record]) -> Law[Outcome]:
        """Return the exact law of the output."""

    def sample(self, database: Sequence[Record], source: np.random.Generator | Sampler) -> Outcome:
        """Draw an output.

        Parameters
        ----------
        database : sequence of records
        source : numpy.random.Generator or Sampler
            A seeded generator draws with exactly the mechanism's law, reproducibly: for
            experiments. Releases of real data take their noise from
            `ccsim.privacy.OpenDPSampler`.
        """
        if isinstance(source, np.random.Generator):
            return self.law(database).draw(source)
        return cast("Outcome", source.draw(self, database))


@dataclass(frozen=True, slots=True)
class PostProcessed(Mechanism[Record, Other], Generic[Record, Outcome, Other]):
    """A mechanism followed by a function of its output, which costs no privacy.

    Attributes
    ----------
    mechanism : Mechanism
    function : callable
        Maps outcomes to outcomes.
    """

    mechanism: Mechanism[Record, Outcome]
    function: Callable[[Outcome], Other]

    @property
    def records(self) -> tuple[Record, ...]:
        """Records of the mechanism."""
        return self.mechanism.records

    @property
    def symmetric(self) -> bool:  # type: ignore[override]
        """Whether the mechanism is symmetric."""
        return self.mechanism.symmetric

    def law(self, database: Sequence[Record]) -> Law[Other]:
        """Return the law of the function of the output."""
        return self.mechanism.law(database).map(self.function)


@dataclass(frozen=True, slots=True)
class Composed(Mechanism[Record, tuple[Hashable, ...]], Generic[Record]):
    """Several mechanisms with independent coins, run on the same database.

    The output is the tuple of their outputs. If the parts are ``(epsilon_i, delta_i)``-private, it
    is private with the sums (basic composition); see `ccsim.privacy.composition` for less.

    Attributes
    ----------
    parts : tuple of Mechanism
        At least one, all over the same records.
    """

    parts: tuple[Mechanism[Record, Hashable], ...]

    def __post_init__(self) -> None:
        if not self.parts or len({part.records for part in self.parts}) > 1:
            msg = f"composition needs mechanisms over the same records, not {len(self.parts)} parts"
            raise DomainError(msg)

    @property
    def records(self) -> tuple[Record, ...]:
        """The common records."""
        return self.parts[0].records

    @property
    def symmetric(self) -> bool:  # type: ignore[override]
        """Whether all parts are symmetric."""
        return all(part.symmetric for part in self.parts)

    def law(self, database: Sequence[Record]) -> Law[tuple[Hashable, ...]]:
        """Return the product law."""
        return independent(part.law(database) for part in self.parts)
