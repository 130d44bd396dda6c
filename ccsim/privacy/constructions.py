"""Mechanisms, and constructions of mechanisms from functions and from other mechanisms.

A *database* is a tuple of records; two databases are *neighbours* if they have the same length and
differ in one entry (replacement neighbours, as in the papers).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import comb
from typing import Any, Generic, Protocol, TypeAlias, TypeVar, cast, runtime_checkable

from ccsim.arguments.checked import checked_types
from ccsim.arguments.renamed import Renamed, renamed_methods
from ccsim.arguments.values import show_value
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact.distribution import Distribution, independent, mixture
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.exponentials import Real
from ccsim.exact.probability import SYSTEM, Randomness
from ccsim.privacy.neighbours import Domain, RestrictedNeighbours, identity

Record = TypeVar("Record", bound=Hashable)
Outcome = TypeVar("Outcome", bound=Hashable)
Other = TypeVar("Other", bound=Hashable)
Rows: TypeAlias = tuple[int, ...]
"""Concepts as bit masks over points."""
_OLD_NAMES = {
    "law": "distribution",
    "law_of": "distribution_of",
    "law_of_scores": "distribution_of_scores",
}
Setting: TypeAlias = Any
"""Value of a declared parameter."""


@runtime_checkable
class Sampler(Protocol):
    """A source of outcomes that replaces random bytes, such as `OpenDPSampler`."""

    def draw(self, mechanism: Mechanism[Any, Any], database: Sequence[Any]) -> Hashable:
        """Draw an output of a mechanism on a database."""


class Mechanism(ABC, Generic[Record, Outcome]):
    """A randomised function of databases, given by its exact output distributions.

    Subclasses are frozen data classes. Most derive from `CanonicalMechanism`. For other subclasses,
    the auditor compares all databases as sequences of records.

    Attributes
    ----------
    records : tuple of records
        The finite domain of records over which privacy is audited; distinct values.
    symmetric : bool
        Whether the distribution is independent of the order of the database; False by default. The
        auditor verifies this, and raises `DomainError` if two orders have different distributions.
    entries : str
        Kind of the records if ``ccsim audit`` creates the mechanism for a concept class:
        ``labelled examples``, ``points`` or ``hypotheses``.
    published : str
        Kind of the outcomes in that case: ``hypotheses`` (or tuples of records), or ``numbers``.
    """

    entries = "labelled examples"
    published = "hypotheses"
    law = Renamed("distribution")

    def __init_subclass__(cls, **given: object) -> None:
        """Accept definitions of the methods of a mechanism under their deprecated names."""
        super().__init_subclass__(**given)
        renamed_methods(cls, _OLD_NAMES)

    @property
    def symmetric(self) -> bool:
        """Whether the distribution does not depend on the order of the database."""
        return False

    @property
    @abstractmethod
    def records(self) -> tuple[Record, ...]:
        """All values of a record."""

    @abstractmethod
    def distribution(self, database: Sequence[Record]) -> Distribution[Outcome]:
        """Return the exact distribution of the output."""

    @classmethod
    def on_class(
        cls, num_points: int, concepts: Rows, epsilon: Epsilon, delta: Fraction, **given: Setting
    ) -> Mechanism[Any, Any]:
        """Return the mechanism that ``ccsim audit`` creates for a concept class.

        Parameters
        ----------
        num_points : int
            Number of points.
        concepts : tuple of int
            Bit masks over the points.
        epsilon : Epsilon
            Privacy parameter epsilon.
        delta : Fraction
            Privacy parameter delta.
        **given
            Values of the declared parameters, by the names of their fields.

        Raises
        ------
        DomainError
            If a parameter is out of range, or the mechanism is not defined for this class.
        """
        raise DomainError(f"{cls.__name__} must define on_class to be used with a concept class")

    def neighbours(self, size: int) -> int | RestrictedNeighbours:
        """Return the neighbours for which the mechanism is private; by default, ``size``.

        Parameters
        ----------
        size : int
            Number of records of a database.
        """
        return size

    def sample(self, database: Sequence[Record], source: Randomness | Sampler = SYSTEM) -> Outcome:
        """Draw an output.

        Parameters
        ----------
        database : sequence of records
        source : Randomness or Sampler, optional
            Source of randomness; the default is the random bytes of the operating system. Outputs
            have exactly the distribution of the mechanism. Use a seeded NumPy generator only for
            demonstrations: it makes the output reproducible for anyone who knows the seed.
            `ccsim.privacy.OpenDPSampler` draws the noise with OpenDP.
        """
        if isinstance(source, Randomness):
            return self.distribution(database).draw(source)
        return cast("Outcome", source.draw(self, database))


class CanonicalMechanism(Mechanism[Record, Outcome], Generic[Record, Outcome]):
    """A mechanism that validates its database and, if it is symmetric, sorts it.

    Subclasses define `distribution_of`, not `distribution`. If ``symmetric`` is True,
    `distribution_of` receives the entries in the order of `records`. The distribution is then a
    function of the multiset by construction, and the auditor compares only multisets.

    Examples
    --------
    >>> class Count(CanonicalMechanism[int, int]):
    ...     records, symmetric = (0, 1), True
    ...
    ...     def distribution_of(self, database):
    ...         return Distribution.certain(sum(database))
    >>> Count().distribution([1, 0, 1]).items
    ((2, Fraction(1, 1)),)
    """

    def distribution(self, database: Sequence[Record]) -> Distribution[Outcome]:
        """Return the exact distribution of the output.

        Raises
        ------
        DomainError
            If an entry of the database is not among the records.
        """
        return self.distribution_of(self.canonical(database))

    def canonical(self, database: Sequence[Record]) -> tuple[Record, ...]:
        """Return a database in its canonical form.

        Returns
        -------
        tuple of records
            The records, sorted in the order of `records` if the mechanism is symmetric.

        Raises
        ------
        DomainError
            If an entry is not among the records.
        """
        domain = Domain.of(self.records)
        numbers = domain.numbered(database)
        order = sorted(numbers) if self.symmetric else numbers
        return tuple(map(domain.records.__getitem__, order))

    @abstractmethod
    def distribution_of(self, database: tuple[Record, ...]) -> Distribution[Outcome]:
        """Return the distribution of the output on a database in canonical form."""


class OverDomain(CanonicalMechanism[Hashable, Outcome], Generic[Outcome]):
    """A symmetric mechanism whose records are the values of its field ``domain``."""

    domain: Sequence[Hashable] | str
    symmetric = True

    @property
    def records(self) -> tuple[Hashable, ...]:
        """The domain."""
        return _characters(self.domain) if isinstance(self.domain, str) else tuple(self.domain)


@lru_cache(maxsize=16)
def _characters(text: str) -> tuple[str, ...]:
    """Return the same tuple for every distribution of a mechanism, whose domain is then known."""
    return tuple(text)


def is_symmetric(mechanism: Mechanism[Any, Any]) -> bool:
    """Return whether a mechanism's distribution is a function of the multiset by construction.

    This holds if the mechanism sorts its database first; its own declaration does not count.
    """
    if not isinstance(mechanism, CanonicalMechanism) or not mechanism.symmetric:
        return False
    used = (
        getattr(method, "__func__", None)
        for method in (mechanism.distribution, mechanism.canonical)
    )
    return tuple(used) == (CanonicalMechanism.distribution, CanonicalMechanism.canonical)


@validated
class PostProcessed(CanonicalMechanism[Record, Other], Generic[Record, Outcome, Other]):
    """A mechanism followed by a function of its output; this preserves privacy.

    Attributes
    ----------
    mechanism : Mechanism
        The mechanism whose output is processed.
    function : callable
        Function that maps outcomes to outcomes.
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

    def distribution_of(self, database: tuple[Record, ...]) -> Distribution[Other]:
        """Return the distribution of the processed output."""
        return self.mechanism.distribution(database).map(self.function)


@validated
class Composed(CanonicalMechanism[Record, tuple[Hashable, ...]], Generic[Record]):
    """Several mechanisms that run on the same database with independent randomness.

    The output is the tuple of their outputs. If the parts are ``(epsilon_i, delta_i)``-private, the
    mechanism is private with the sums of these parameters (basic composition);
    `ccsim.privacy.composition` has better bounds.

    Attributes
    ----------
    parts : tuple of Mechanism
        One or more mechanisms over the same records.
    """

    parts: tuple[Mechanism[Record, Hashable], ...]

    def __post_init__(self) -> None:
        for part in self.parts:
            _require_mechanism(part)
        if not self.parts or len({identity(part.records) for part in self.parts}) > 1:
            raise DomainError("parts must be one or more mechanisms over the same records")

    @property
    def records(self) -> tuple[Record, ...]:
        """The common records."""
        return self.parts[0].records

    @property
    def symmetric(self) -> bool:
        """Whether all parts are symmetric by construction."""
        return all(map(is_symmetric, self.parts))

    def distribution_of(self, database: tuple[Record, ...]) -> Distribution[tuple[Hashable, ...]]:
        """Return the product distribution."""
        return independent(part.distribution(database) for part in self.parts)


def _require_mechanism(part: object) -> None:
    if not isinstance(part, Mechanism):
        raise DomainError(f"parts must be mechanisms, not {show_value(part)}")


@validated
class Deterministic(CanonicalMechanism[Hashable, Hashable]):
    """The mechanism that outputs a function of the database (as a multiset) without noise.

    The mechanism is private with ``epsilon = 0`` if the function is constant on all databases with
    the same number of records. Otherwise no ``epsilon`` suffices for any ``delta`` below 1.

    Attributes
    ----------
    domain : tuple
        The values of a record.
    function : callable
        Function that maps a database, in the order of the domain, to a hashable value.

    Examples
    --------
    >>> from ccsim.privacy.audit import audit
    >>> total = Deterministic((0, 1), sum)
    >>> total.distribution((1, 0)).items
    ((1, Fraction(1, 1)),)
    >>> audit(total, 100, 0, 2).verdict
    <Verdict.FAILS: 'fails'>
    """

    domain: tuple[Hashable, ...]
    function: Callable[[tuple[Any, ...]], Hashable]

    symmetric = True

    def __post_init__(self) -> None:
        if len(set(self.domain)) != len(self.domain):
            raise DomainError(f"records must be distinct values, not {self.domain!r}")

    @property
    def records(self) -> tuple[Hashable, ...]:
        """The domain."""
        return self.domain

    def distribution_of(self, database: tuple[Hashable, ...]) -> Distribution[Hashable]:
        """Return the distribution, which has a single outcome."""
        return Distribution[Hashable].certain(self.function(database))


@validated
class FunctionMechanism(CanonicalMechanism[Hashable, Hashable]):
    """A mechanism given by a function from databases to output distributions.

    Attributes
    ----------
    domain : tuple
        The values of a record, distinct and hashable.
    function : callable
        Function that maps a database, a tuple of records, to a `Distribution` or to a mapping from
        outcomes to exact probabilities (fractions, integers, or results of `Epsilon.exp`). Floats
        are invalid.
    sorts : bool
        Whether the database is sorted in the order of the domain before the function is called. The
        audit then compares only multisets, of which there are fewer.

    Raises
    ------
    DomainError
        If records are not distinct. The method `distribution` raises it if the function does not
        return a distribution.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from ccsim import audit
    >>> truth = Fraction(3, 4)
    >>> told = FunctionMechanism((0, 1), lambda d: {d[0]: truth, 1 - d[0]: 1 - truth})
    >>> [audit(told, epsilon, 0, 1).verdict.value for epsilon in ("ln 3", "ln 2")]
    ['holds', 'fails']
    """

    domain: tuple[Hashable, ...]
    function: Callable[[tuple[Any, ...]], Distribution[Any] | Mapping[Any, Any]]
    sorts: bool = False

    def __post_init__(self) -> None:
        Domain.of(self.domain)

    @property
    def symmetric(self) -> bool:
        """Whether the database is sorted before the function is called."""
        return self.sorts

    @property
    def records(self) -> tuple[Hashable, ...]:
        """The domain."""
        return self.domain

    def distribution_of(self, database: tuple[Hashable, ...]) -> Distribution[Hashable]:
        """Return the distribution that the function returns.

        Raises
        ------
        DomainError
            If the function does not return a distribution.
        """
        found: object = self.function(database)
        if isinstance(found, Distribution):
            return found
        if not isinstance(found, Mapping):
            raise DomainError(
                "function must return a Distribution or a mapping from outcomes to probabilities, "
                f"not {show_value(found)}"
            )
        return Distribution.of(found)


@checked_types
def keeping_rate(
    epsilon: Epsilon | Fraction | int | str, inner: Epsilon | Fraction | int | str
) -> Real:
    """Return the largest sampling rate for which a subsampled mechanism is ``epsilon``-private.

    Let a mechanism be ``inner``-private over the records and a null record. If every record is kept
    with probability ``min(1, (e^epsilon - 1) / (e^inner - 1))``, and otherwise replaced by the null
    record, the resulting mechanism is ``epsilon``-private. This rate is larger than that of `bbkn`
    Lemma 4.4.

    Proof: let an outcome have probability ``r`` if the changed record is null, and ``a`` and ``b``
    on the two neighbours if it is kept. Then ``a, b >= e^-inner r`` and ``a <= e^inner min(r, b)``;
    the ratio of ``f a + (1 - f) r`` and ``f b + (1 - f) r`` is largest at ``r = b``, where it is at
    most ``1 + f (e^inner - 1)``.

    Parameters
    ----------
    epsilon : Epsilon, Fraction, int or str
        Epsilon of the subsampled mechanism, positive.
    inner : Epsilon, Fraction, int or str
        Epsilon of the given mechanism, positive.

    Examples
    --------
    >>> keeping_rate("ln 2", "ln 4")
    Fraction(1, 3)
    """
    epsilon = Epsilon.of(epsilon, "epsilon")
    inner = Epsilon.of(inner, "inner")
    if not inner.is_positive:
        return Fraction(1)
    rate = (epsilon.exp() - 1) / (inner.exp() - 1)
    return min(rate, Fraction(1))


def printed_keeping_rate(
    epsilon: Epsilon | Fraction | int | str, inner: Epsilon | Fraction | int | str
) -> Real:
    """Return the rate of `bbkn` Lemma 4.4.

    The rate is ``(e^epsilon - 1) / (e^inner + e^epsilon - e^(epsilon - inner) - 1)``.
    """
    epsilon = Epsilon.of(epsilon, "epsilon")
    inner = Epsilon.of(inner, "inner")
    if not inner.is_positive:
        raise DomainError(f"inner must be positive, not {inner}")
    e, f = epsilon.exp(), inner.exp()
    return min((e - 1) / (f + e - e / f - 1), Fraction(1))


@validated
class Subsampled(CanonicalMechanism[Record, Outcome], Generic[Record, Outcome]):
    """A mechanism that runs on a random subsample of the database.

    Attributes
    ----------
    mechanism : Mechanism
        The mechanism to run, whose records include the null record.
    rate : Fraction or Exponential
        Probability with which each record is kept, between 0 and 1.
    null : record
        The value that replaces a record that is not kept.
    """

    mechanism: Mechanism[Record, Outcome]
    rate: Real
    null: Record

    def __post_init__(self) -> None:
        if not 0 <= self.rate <= 1:
            raise DomainError(f"rate must be between 0 and 1, not {self.rate}")
        if self.null not in self.mechanism.records:
            raise DomainError(f"null record {self.null!r} must be a record of the mechanism")

    @property
    def records(self) -> tuple[Record, ...]:
        """The records of the mechanism."""
        return self.mechanism.records

    @property
    def symmetric(self) -> bool:
        """Whether the mechanism is symmetric by construction."""
        return is_symmetric(self.mechanism)

    def distribution_of(self, database: tuple[Record, ...]) -> Distribution[Outcome]:
        """Return the distribution: a mixture over the sets of kept records.

        Notes
        -----
        Complexity: one distribution of the given mechanism for each subset of the entries (for each
        submultiset if it is symmetric).
        """
        if self.symmetric:
            return mixture(self._by_multiplicity(database))
        return mixture(
            (
                self._chance(sum(kept), len(kept)),
                self.mechanism.distribution(self._masked(database, kept)),
            )
            for kept in product((0, 1), repeat=len(database))
        )

    def _chance(self, kept: int, of: int) -> Real:
        return self.rate**kept * (1 - self.rate) ** (of - kept)

    def _masked(self, database: Sequence[Record], kept: Sequence[int]) -> list[Record]:
        return [r if keep else self.null for r, keep in zip(database, kept, strict=True)]

    def _by_multiplicity(
        self, database: Sequence[Record]
    ) -> list[tuple[Real, Distribution[Outcome]]]:
        counts = {record: database.count(record) for record in dict.fromkeys(database)}
        parts = []
        for kept in product(*(range(n + 1) for n in counts.values())):
            ways, left = 1, []
            for (record, n), k in zip(counts.items(), kept, strict=True):
                ways *= comb(n, k)
                left += [record] * k
            nulls = len(database) - len(left)
            distribution = self.mechanism.distribution([*left, *[self.null] * nulls])
            parts.append((ways * self._chance(len(left), len(database)), distribution))
        return parts
