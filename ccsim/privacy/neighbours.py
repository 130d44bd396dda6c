"""Databases: the values of their records, and pairs that differ in one entry.

`RestrictedNeighbours` are pairs that agree on a public part.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import comb
from numbers import Number
from typing import Any, Generic, TypeVar

from ccsim.arguments.checked import checked_types
from ccsim.data import frozen, validated
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact import as_fraction

Record = TypeVar("Record", bound=Hashable)
Database = tuple[Record, ...]

MAX_PAIRS = 1 << 20
"""Maximum number of pairs of neighbours to compare."""


@validated
class RestrictedNeighbours:
    """Neighbours that differ in one entry and agree on a public part of the database.

    Attributes
    ----------
    size : int
        Number of entries of a database, at least 1.
    public : int
        Number of public entries at the beginning of the database, below ``size``.
    groups : tuple of tuple of records, or None
        A partition of the records. The group of each entry is public: an entry may change only to
        another record of its group. None stands for a single group.

    Examples
    --------
    The labels of two points are private; the points are public.

    >>> labels = RestrictedNeighbours(3, groups=((("a", 0), ("a", 1)), (("b", 0), ("b", 1))))
    >>> labels.numbered((("a", 0), ("b", 0), ("a", 1), ("b", 1)))
    (0, 1, 0, 1)
    >>> RestrictedNeighbours(3, public=3)
    Traceback (most recent call last):
    ...
    ccsim.errors.DomainError: public entries must be between 0 and 2, not 3
    """

    size: int
    public: int = 0
    groups: tuple[tuple[Any, ...], ...] | None = None

    def __post_init__(self) -> None:
        if self.size < 1:
            raise DomainError(f"size must be at least 1, not {self.size}")
        if not 0 <= self.public < self.size:
            raise DomainError(
                f"public entries must be between 0 and {self.size - 1}, not {self.public}"
            )

    def numbered(self, records: Sequence[Any]) -> tuple[int, ...]:
        """Return the index of the group of each record.

        Raises
        ------
        DomainError
            If a record is in no group or in two groups, or a group contains a value that is not a
            record.
        """
        if self.groups is None:
            return (0,) * len(records)
        domain, found = Domain.of(records), dict[int, int]()
        for number, group in enumerate(self.groups):
            for record in domain.numbered(group):
                if found.setdefault(record, number) != number:
                    raise DomainError(
                        f"record {domain.records[record]!r} must be in one group, not in two; "
                        "remove it from one of them"
                    )
        if len(found) < len(records):
            missing = next(r for i, r in enumerate(domain.records) if i not in found)
            raise DomainError(
                f"record {missing!r} must be in one group, not in none; add it to a group"
            )
        return tuple(found[i] for i in range(len(records)))


@checked_types
def neighbouring_databases(
    records: Sequence[Record], size: int, *, symmetric: bool = True
) -> Iterator[tuple[Database[Record], Database[Record]]]:
    """Yield every unordered pair of neighbouring databases once.

    Parameters
    ----------
    records : sequence
        Distinct values of a record.
    size : int
        Number of entries of a database, at least 1.
    symmetric : bool
        Whether databases are multisets instead of sequences.

    Examples
    --------
    >>> list(neighbouring_databases(["a", "b"], 2))
    [(('a', 'a'), ('b', 'a')), (('a', 'b'), ('b', 'b'))]
    >>> len(list(neighbouring_databases(["a", "b"], 2, symmetric=False)))
    4
    """
    if type(size) is not int or size < 1:
        raise DomainError(
            f"the number of entries of a database must be a positive integer, not {size!r}"
        )
    if symmetric:
        for rest in combinations_with_replacement(records, size - 1):
            yield from combinations([(record, *rest) for record in records], 2)
        return
    for rest in product(records, repeat=size - 1):
        for place in range(size):
            before, after = rest[:place], rest[place:]
            yield from combinations([(*before, record, *after) for record in records], 2)


def count_neighbours(records: int, size: int, *, symmetric: bool = True) -> int:
    """Return the number of pairs that `neighbouring_databases` yields."""
    pairs = comb(records, 2)
    if symmetric:
        return comb(records + size - 2, size - 1) * pairs
    others: int = records ** (size - 1)
    return others * size * pairs


def databases(records: int, size: int, *, symmetric: bool = True) -> list[tuple[int, ...]]:
    """Return all databases as lists of record indices, in lexicographic order."""
    if symmetric:
        return list(combinations_with_replacement(range(records), size))
    return list(product(range(records), repeat=size))


@checked_types
def sensitivity(
    function: Callable[[tuple[Any, ...]], Sequence[Fraction | int] | Fraction | int],
    records: Sequence[Hashable],
    size: int,
) -> Fraction:
    """Return the L1 sensitivity of a function: its largest change between neighbours.

    If the sensitivity is ``k``, adding noise ``Lap(k / epsilon)`` to every coordinate is
    ``epsilon``-private.

    Parameters
    ----------
    function : callable
        Function that maps a database, a tuple of records, to a number or to a vector of fixed
        length. It may depend on the order of the records.
    records : sequence
        Distinct values of a record.
    size : int
        Number of records of a database, at least 1.

    Raises
    ------
    DomainError
        If records are not distinct, or vectors have different lengths.
    InstanceTooLargeError
        If there are more than `MAX_PAIRS` pairs of neighbours.

    Notes
    -----
    Source: `bns` Definition 2.23. Complexity: the function is called once for every database, and
    one sum is computed for every pair.

    Examples
    --------
    >>> sensitivity(sum, (0, 1, 5), 2)
    Fraction(5, 1)
    >>> sensitivity(lambda D: [D.count(x) for x in (0, 1, 2)], (0, 1, 2), 2)
    Fraction(2, 1)
    """
    domain = Domain.of(records).records
    if size < 1:
        raise DomainError(f"size must be at least 1, not {size}")
    pairs = count_neighbours(len(domain), size, symmetric=False)
    if pairs > MAX_PAIRS:
        raise InstanceTooLargeError(
            f"{pairs} pairs of neighbours of {size} records exceed the limit of {MAX_PAIRS}; use a "
            "smaller size"
        )
    values = {D: _vector(function(D)) for D in product(domain, repeat=size)}
    if len({len(vector) for vector in values.values()}) > 1:
        raise DomainError("function must return vectors of equal length")
    changes = (
        sum((abs(a - b) for a, b in zip(values[S], values[T], strict=True)), Fraction(0))
        for S, T in neighbouring_databases(domain, size, symmetric=False)
    )
    return max(changes, default=Fraction(0))


def _vector(value: Sequence[Fraction | int] | Fraction | int) -> tuple[Fraction, ...]:
    parts = value if isinstance(value, Sequence) else [value]
    return tuple(as_fraction(part, "value of the function") for part in parts)


_MOST_RECENT = 16
_RECENT: dict[int, Domain[Any]] = {}
"""Cache of domains by their tuples, since a mechanism needs its domain for every distribution."""


def identity(value: Any) -> Hashable:  # noqa: ANN401 - whatever a record may be
    """Return a key of a value that distinguishes equal values of different types, as 1 and True."""
    kind = type(value)
    if kind is int or kind is str:
        return kind, value
    if isinstance(value, tuple):
        return kind, tuple(map(identity, value))
    if isinstance(value, frozenset):
        return kind, frozenset(map(identity, value))
    if isinstance(value, Number):
        return kind, repr(value)
    return kind, value


@frozen
class Domain(Generic[Record]):
    """The possible values of a record, numbered."""

    records: tuple[Record, ...]  # no two of them equal
    numbers: dict[Hashable, int]  # the number of each, by its `identity`
    places: dict[int, int]  # the number of each, by its id

    @classmethod
    def of(cls, records: Iterable[Record]) -> Domain[Record]:
        """Return the domain of the given records."""
        values = _as_tuple(records, "records")
        if (known := _RECENT.get(id(values))) is not None and known.records is values:
            return known
        first: dict[Hashable, Record] = {}
        for i, record in enumerate(values):
            if not _is_hashable(record):
                raise DomainError(f"records must be hashable, not {record!r}")
            other = first.setdefault(record, record)
            if len(first) == i:
                raise DomainError(
                    f"records must be distinct, but {other!r} and {record!r} are equal"
                )
        found = cls(
            values,
            {identity(record): i for i, record in enumerate(values)},
            {id(record): i for i, record in enumerate(values)},
        )
        if len(_RECENT) == _MOST_RECENT:
            _RECENT.clear()
        _RECENT[id(values)] = found
        return found

    def numbered(self, database: Iterable[object]) -> tuple[int, ...]:
        """Return the index in the domain of each entry of a database."""
        entries = _as_tuple(database, "a database")
        with suppress(KeyError):  # most entries are the records themselves
            return tuple(map(self.places.__getitem__, map(id, entries)))
        try:
            return tuple(self.numbers[identity(entry)] for entry in entries)
        except (KeyError, TypeError):
            known = self.numbers
            number, kind = next(
                (i, type(entry).__name__)
                for i, entry in enumerate(entries, 1)
                if not _is_hashable(entry) or identity(entry) not in known
            )
            raise DomainError(
                f"entry {number} of a database must be a record of the domain, not a different "
                f"value of type {kind}"
            ) from None


def _as_tuple(values: Iterable[Record], name: str) -> tuple[Record, ...]:
    try:
        return tuple(values)
    except TypeError:
        raise DomainError(f"{name} must be a sequence, not {values!r}") from None


def _is_hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True
