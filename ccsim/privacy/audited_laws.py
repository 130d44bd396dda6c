"""The laws of a mechanism as an audit sees them: each is checked, and equal ones are one."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeAlias

from ccsim.arguments.values import show_value
from ccsim.budget import in_time
from ccsim.errors import DomainError, InstanceTooLargeError, NotDecidedError
from ccsim.exact.exponentials import Real
from ccsim.exact.law import Law
from ccsim.privacy.domain import Domain, identity
from ccsim.privacy.mechanism import Mechanism, is_symmetric
from ccsim.privacy.neighbours import (
    RestrictedNeighbours,
    count_neighbours,
    neighbouring_databases,
)
from ccsim.privacy.qualities import QualityNeighbours

MAX_PAIRS = 1 << 22
"""Most pairs of neighbouring databases that are looked at."""

MAX_ENTRIES = 1 << 26
"""Most entries of the databases of all these pairs."""

MAX_PROBABILITIES = 1 << 23
"""Most probabilities of different laws that are kept."""

_MOST_SEEN = 1 << 16
"""Objects whose numbers are remembered."""

Numbers: TypeAlias = tuple[int, ...]
"""A database, by the numbers of its records."""

Stated: TypeAlias = QualityNeighbours | RestrictedNeighbours
"""Neighbours that are told by a rule."""


def pairs_given(neighbours: object) -> Iterable[Any]:
    """Return pairs of databases that are listed one by one."""
    if isinstance(neighbours, str) or not isinstance(neighbours, Iterable):
        raise DomainError(
            f"neighbours must be an int >= 1 or pairs of databases, not {neighbours!r}"
        )
    return neighbours


class AuditedLaws:
    """The laws of a mechanism, each checked when it is first asked for.

    Nothing that a mechanism says of itself is believed. Its records are read once, and distinct; a
    law is a `Law` whose probabilities sum to 1, and outcomes that are equal are of one type. The
    order of a database is left out of account only if the mechanism sorts it, and a mechanism that
    calls itself symmetric otherwise has to show the same law on each order.
    """

    def __init__(self, mechanism: Mechanism[Any, Any]) -> None:
        self.mechanism = mechanism
        self.domain: Domain[Any] = Domain.of(mechanism.records)
        if not self.domain.records:
            raise DomainError(f"{type(mechanism).__name__} must have at least one record")
        self.symmetric = is_symmetric(mechanism)
        self._is_claimed = bool(mechanism.symmetric) and not self.symmetric
        self.laws: list[Law[Any]] = []
        self._found: dict[Numbers, int] = {}
        self._known: dict[frozenset[tuple[Hashable, int]], int] = {}
        self.shares: list[dict[Hashable, int]] = []
        self.masses: list[Real] = []
        self._masses: dict[Real, int] = {}
        self._seen: dict[int, tuple[Real, int]] = {}
        self._outcomes: dict[Hashable, tuple[Hashable, Hashable]] = {}
        self._probabilities = 0

    def database(self, numbers: Sequence[int]) -> tuple[Any, ...]:
        """Return the records with these numbers."""
        return tuple(self.domain.records[i] for i in numbers)

    def pair(self, numbers: tuple[Numbers, Numbers]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """Return a pair of databases."""
        first, second = numbers
        return self.database(first), self.database(second)

    def compared(self, neighbours: object) -> tuple[int, Iterator[tuple[Numbers, Numbers]]]:
        """Return the number of pairs (0 if unknown) and the pairs."""
        if isinstance(neighbours, int):
            return self.pairs(neighbours)
        if isinstance(neighbours, QualityNeighbours):
            return len(found := self.of_qualities(neighbours)), iter(found)
        if isinstance(neighbours, RestrictedNeighbours):
            return len(found := self.restricted(neighbours)), iter(found)
        return 0, map(self.given, pairs_given(neighbours))

    def pairs(self, size: object) -> tuple[int, Iterator[tuple[Numbers, Numbers]]]:
        """Return the number of pairs of neighbouring databases of this size, and the pairs."""
        if type(size) is not int or size < 1:
            raise DomainError(
                f"databases must have a number of entries that is an int >= 1, not {size!r}"
            )
        records = len(self.domain.records)
        free = min(records, size) if self.symmetric else size
        known = free <= MAX_PAIRS.bit_length() or records == 1  # otherwise there are 2**free / size
        total = count_neighbours(records, size, symmetric=self.symmetric) if known else None
        if total is None or total > MAX_PAIRS:
            number = f"more than 2^{free - 2}" if total is None else str(total)
            raise InstanceTooLargeError(
                f"{number} pairs of neighbouring databases are above the limit of {MAX_PAIRS}"
            )
        if total * size > MAX_ENTRIES:
            raise InstanceTooLargeError(
                f"{total} pairs of databases of {size} entries are above {MAX_ENTRIES} entries"
            )
        if not total:
            return 0, iter(())
        return total, neighbouring_databases(range(records), size, symmetric=self.symmetric)

    def restricted(self, compared: RestrictedNeighbours) -> list[tuple[Numbers, Numbers]]:
        """Return the pairs of databases that differ in one entry, and agree on what is public."""
        group, (_, every) = self.groups(compared), self.pairs(compared.size)
        found = []
        for first, second in in_time(every):
            place = next(i for i, (a, b) in enumerate(zip(first, second, strict=True)) if a != b)
            if place >= compared.public and group[first[place]] == group[second[place]]:
                found.append((first, second))
        return found

    def groups(self, compared: RestrictedNeighbours) -> tuple[int, ...]:
        """Return the group of each record."""
        if compared.public and self.symmetric:
            raise DomainError(
                f"{type(self.mechanism).__name__} sorts its database: no entry of it is the first"
            )
        return compared.numbered(self.domain.records)

    def of_qualities(self, compared: QualityNeighbours) -> list[tuple[Numbers, Numbers]]:
        """Return the compared pairs of quality functions, each a database of one record."""
        if identity(self.domain.records) != identity(compared.functions):
            raise DomainError("records of the mechanism must be the quality functions")
        pairs: list[tuple[Numbers, Numbers]] = [
            ((i,), (j,)) for i, j in islice(compared, MAX_PAIRS + 1)
        ]
        if len(pairs) > MAX_PAIRS:
            raise InstanceTooLargeError(
                f"pairs of quality functions are above the limit of {MAX_PAIRS}"
            )
        return pairs

    def given(self, pair: object) -> tuple[Numbers, Numbers]:
        """Return a pair of neighbours that is given by its records."""
        if not isinstance(pair, Sequence) or isinstance(pair, str) or len(pair) != 2:
            raise DomainError(f"neighbours must be pairs of databases, not {show_value(pair)}")
        first, second = (self.domain.numbered(database) for database in pair)
        differing = sum(map(int.__ne__, first, second))
        if len(first) != len(second) or differing != 1:
            raise DomainError(
                "neighbours must have the same length and differ in one entry: "
                f"{self.database(first)} and {self.database(second)} differ in {differing} entries"
            )
        return first, second

    def number(self, database: Numbers) -> int:
        """Return the number of the law on a database; equal laws have the same one."""
        key = tuple(sorted(database)) if self.symmetric else database
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._numbered(key)
            order = tuple(sorted(database)) if self._is_claimed else key
            if self._is_claimed and found != self.number(order):
                raise DomainError(
                    f"{type(self.mechanism).__name__} says that it is symmetric, but its laws on "
                    f"{self.database(order)} and {self.database(key)} differ"
                )
        return found

    def _numbered(self, database: Numbers) -> int:
        law = self.mechanism.law(self.database(database))
        if type(law) is not Law:
            name = type(self.mechanism).__name__
            raise DomainError(
                f"the law of {name} on {self.database(database)} must be a Law, not {law!r}"
            )
        law = Law(law.items)  # which checks it again
        for outcome in in_time(law):
            before = self._outcomes.get(outcome)
            if before is not None and before[0] is outcome:
                continue
            own = identity(outcome)
            other, known = self._outcomes.setdefault(outcome, (outcome, own))
            if own != known:
                raise DomainError(
                    f"outcomes {other!r} and {outcome!r} are equal, but not of the same type"
                )
        shares = {outcome: self._mass(p) for outcome, p in law.items}
        number = self._known.setdefault(frozenset(shares.items()), len(self.laws))
        if number == len(self.laws):
            self.laws.append(law)
            self.shares.append(shares)
            self._probabilities += len(law)
            if self._probabilities > MAX_PROBABILITIES:
                raise NotDecidedError(f"the laws have more than {MAX_PROBABILITIES} probabilities")
        return number

    def _mass(self, p: Real) -> int:
        """Return the number of a probability; many outcomes and laws may share one object."""
        if (seen := self._seen.get(id(p))) is not None:
            return seen[1]
        number = self._masses.setdefault(p, len(self.masses))
        if number == len(self.masses):
            self.masses.append(p)
        if len(self._seen) >= _MOST_SEEN:
            self._seen.clear()
        self._seen[id(p)] = p, number
        return number
