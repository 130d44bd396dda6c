"""Functions of the database, published without noise: what an audit must find fault with."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from ccsim.appearance import one_line
from ccsim.border import checked_fields
from ccsim.errors import DomainError
from ccsim.exact.law import Law
from ccsim.privacy.mechanism import CanonicalMechanism

__all__ = ["Deterministic"]


@checked_fields
@one_line
@dataclass(frozen=True, slots=True)
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
    >>> audit(total, 100).verdict
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
