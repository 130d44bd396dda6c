"""Mechanisms: maps from databases to laws on finitely many outcomes.

A *database* is a tuple of records; two databases are *neighbours* when they have the same length
and differ in one entry (replacement neighbours, as in all the papers).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from typing import Any, Generic, Protocol, TypeAlias, TypeVar, cast, runtime_checkable

from ccsim.arguments.values import show_value
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.law import Law, independent
from ccsim.exact.probability import SYSTEM, Randomness
from ccsim.privacy.domain import Domain, identity
from ccsim.privacy.neighbours import RestrictedNeighbours

Record = TypeVar("Record", bound=Hashable)
Outcome = TypeVar("Outcome", bound=Hashable)
Other = TypeVar("Other", bound=Hashable)
Rows: TypeAlias = tuple[int, ...]
"""Concepts as bit masks over points."""
Setting: TypeAlias = Any
"""The value of a declared parameter."""


@runtime_checkable
class Sampler(Protocol):
    """A source of outcomes other than random bytes, such as `OpenDPSampler`."""

    def draw(self, mechanism: Mechanism[Any, Any], database: Sequence[Any]) -> Hashable:
        """Draw an output of a mechanism on a database."""


class Mechanism(ABC, Generic[Record, Outcome]):
    """A randomised map of databases, known by its exact output law.

    Subclasses are frozen data classes. Most derive from `CanonicalMechanism`. The auditor looks at
    a mechanism that does not on every database, a sequence of records.

    Attributes
    ----------
    records : tuple of records
        The finite domain of records over which privacy is audited: distinct values.
    symmetric : bool
        Whether the law does not depend on the order of the database; False unless it is overridden.
        That alone is not believed: the auditor compares the laws, and says where they differ.
    entries : str
        What a record is where ``ccsim audit`` makes the mechanism for a concept class: ``labelled
        examples``, ``points`` or ``hypotheses``.
    """

    entries = "labelled examples"

    @property
    def symmetric(self) -> bool:
        """Whether the law does not depend on the order of the database."""
        return False

    @property
    @abstractmethod
    def records(self) -> tuple[Record, ...]:
        """All values that a record may have."""

    @abstractmethod
    def law(self, database: Sequence[Record]) -> Law[Outcome]:
        """Return the exact law of the output."""

    @classmethod
    def on_class(
        cls, num_points: int, concepts: Rows, epsilon: Epsilon, delta: Fraction, **given: Setting
    ) -> Mechanism[Any, Any]:
        """Return the mechanism that ``ccsim audit`` compares on a concept class.

        Parameters
        ----------
        num_points : int
        concepts : tuple of int
            Bit masks over the points.
        epsilon : Epsilon
        delta : Fraction
        **given
            Declared parameters, by the names of their fields.

        Raises
        ------
        DomainError
            If a parameter is out of range, or the mechanism is not defined for such a class.
        """
        raise DomainError(f"{cls.__name__} is not defined for a concept class")

    def neighbours(self, size: int) -> int | RestrictedNeighbours:
        """Return the neighbours for which it is private; all of a size unless it is overridden.

        Parameters
        ----------
        size : int
            Records of a database.
        """
        return size

    def sample(self, database: Sequence[Record], source: Randomness | Sampler = SYSTEM) -> Outcome:
        """Draw an output.

        Parameters
        ----------
        database : sequence of records
        source : Randomness or Sampler, optional
            The operating system's random bytes unless given; they draw with exactly the
            mechanism's law. So does a seeded generator of numpy, reproducibly: for demonstrations,
            as whoever knows the seed knows the noise. `ccsim.privacy.OpenDPSampler` takes the
            noise from OpenDP.
        """
        if isinstance(source, Randomness):
            return self.law(database).draw(source)
        return cast("Outcome", source.draw(self, database))


class CanonicalMechanism(Mechanism[Record, Outcome], Generic[Record, Outcome]):
    """A mechanism whose `law` first checks the database, and sorts it if it is symmetric.

    Subclasses define `law_of`, not `law`. If ``symmetric`` is True, the entries come in the order
    of `records` whatever their order was: the law is a function of the multiset by construction,
    and the auditor looks at multisets only.

    Examples
    --------
    >>> class Count(CanonicalMechanism[int, int]):
    ...     records, symmetric = (0, 1), True
    ...
    ...     def law_of(self, database):
    ...         return Law.certain(sum(database))
    >>> Count().law([1, 0, 1]).items
    ((2, Fraction(1, 1)),)
    """

    def law(self, database: Sequence[Record]) -> Law[Outcome]:
        """Return the exact law of the output.

        Raises
        ------
        DomainError
            If an entry of the database is not among the records.
        """
        return self.law_of(self.canonical(database))

    def canonical(self, database: Sequence[Record]) -> tuple[Record, ...]:
        """Return a database in its canonical form.

        Returns
        -------
        tuple of records
            In the order of `records` if the mechanism is symmetric.

        Raises
        ------
        DomainError
            If an entry is not among the records.
        """
        domain = Domain.of(self.records)
        numbers = domain.numbered(database)
        return tuple(domain.records[i] for i in (sorted(numbers) if self.symmetric else numbers))

    @abstractmethod
    def law_of(self, database: tuple[Record, ...]) -> Law[Outcome]:
        """Return the law of the output on a database in canonical form."""


def is_symmetric(mechanism: Mechanism[Any, Any]) -> bool:
    """Tell whether a mechanism's law is a function of the multiset by construction.

    That is the case if it sorts its database before it looks at it; what a mechanism says of itself
    does not count.
    """
    if not isinstance(mechanism, CanonicalMechanism) or not mechanism.symmetric:
        return False
    used = (getattr(method, "__func__", None) for method in (mechanism.law, mechanism.canonical))
    return tuple(used) == (CanonicalMechanism.law, CanonicalMechanism.canonical)


@validated
class PostProcessed(CanonicalMechanism[Record, Other], Generic[Record, Outcome, Other]):
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
    def symmetric(self) -> bool:
        """Whether the mechanism is symmetric by construction."""
        return is_symmetric(self.mechanism)

    def law_of(self, database: tuple[Record, ...]) -> Law[Other]:
        """Return the law of the function of the output."""
        return self.mechanism.law(database).map(self.function)


@validated
class Composed(CanonicalMechanism[Record, tuple[Hashable, ...]], Generic[Record]):
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
        for part in self.parts:
            _require_mechanism(part)
        if not self.parts or len({identity(part.records) for part in self.parts}) > 1:
            raise DomainError(
                f"composition needs mechanisms over the same records, not {len(self.parts)} parts"
            )

    @property
    def records(self) -> tuple[Record, ...]:
        """The common records."""
        return self.parts[0].records

    @property
    def symmetric(self) -> bool:
        """Whether all parts are symmetric by construction."""
        return all(map(is_symmetric, self.parts))

    def law_of(self, database: tuple[Record, ...]) -> Law[tuple[Hashable, ...]]:
        """Return the product law."""
        return independent(part.law(database) for part in self.parts)


def _require_mechanism(part: object) -> None:
    if not isinstance(part, Mechanism):
        raise DomainError(f"composition needs mechanisms, not {show_value(part)}")
