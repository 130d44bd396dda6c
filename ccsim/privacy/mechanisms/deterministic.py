"""Mechanisms made of one function: of one's own, and without noise, which an audit must find."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any

from ccsim.arguments.values import show_value
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact.law import Law
from ccsim.privacy.domain import Domain
from ccsim.privacy.mechanism import CanonicalMechanism


@validated
class Deterministic(CanonicalMechanism[Hashable, Hashable]):
    """A function of the database, as a multiset, is published as it is.

    It is private, with ``epsilon = 0``, where the function is constant, and with no ``epsilon``
    elsewhere: on some pairs of neighbours it betrays everything, perhaps only on few.

    Attributes
    ----------
    domain : tuple
        The values of a record.
    function : callable
        Maps a database, in the order of the domain, to anything hashable.

    Examples
    --------
    >>> from ccsim.privacy.audit import audit
    >>> total = Deterministic((0, 1), sum)
    >>> total.law((1, 0)).items
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

    def law_of(self, database: tuple[Hashable, ...]) -> Law[Hashable]:
        """Return the law of a constant."""
        return Law[Hashable].certain(self.function(database))


@validated
class FunctionMechanism(CanonicalMechanism[Hashable, Hashable]):
    """A function that returns for each database the law of what is published.

    Attributes
    ----------
    domain : tuple
        The values of a record, distinct and hashable.
    function : callable
        Maps a database, a tuple of records, to a `Law`, or to a mapping from outcomes to exact
        probabilities (`Fraction`, integers, numbers of `Epsilon`); floats are refused.
    sorts : bool
        Whether the database is sorted in the order of the domain before the function sees it. The
        audit then looks at multisets only, which are far fewer.

    Raises
    ------
    DomainError
        If records repeat, and from `law` if what the function returns is no law.

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
    function: Callable[[tuple[Any, ...]], Law[Any] | Mapping[Any, Any]]
    sorts: bool = False

    def __post_init__(self) -> None:
        Domain.of(self.domain)

    @property
    def symmetric(self) -> bool:
        """Whether the database is sorted first."""
        return self.sorts

    @property
    def records(self) -> tuple[Hashable, ...]:
        """The domain."""
        return self.domain

    def law_of(self, database: tuple[Hashable, ...]) -> Law[Hashable]:
        """Return the law that the function returns.

        Raises
        ------
        DomainError
            If it is none.
        """
        found: object = self.function(database)
        if isinstance(found, Law):
            return found
        if not isinstance(found, Mapping):
            raise DomainError(
                f"function must return a Law or a mapping to probabilities, not {show_value(found)}"
            )
        return Law.of(found)
