"""The records of a mechanism: distinct values, told apart by type as well."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from numbers import Number
from typing import Any, Generic, TypeVar

from ccsim.data import frozen
from ccsim.errors import DomainError

Record = TypeVar("Record", bound=Hashable)

_MOST_RECENT = 16
_RECENT: dict[int, Domain[Any]] = {}
"""Domains by the tuple they were made of: a mechanism asks for its own with every law."""


def identity(value: Any) -> Hashable:  # noqa: ANN401 - whatever a record may be
    """Return a key that differs for equal values of different types, such as 1 and True."""
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
    """The values that a record may have, numbered."""

    records: tuple[Record, ...]  # no two of them equal
    numbers: dict[Hashable, int]  # the number of each, by its `identity`

    @classmethod
    def of(cls, records: Iterable[Record]) -> Domain[Record]:
        """Return the records with their numbers."""
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
        found = cls(values, {identity(record): i for i, record in enumerate(values)})
        if len(_RECENT) == _MOST_RECENT:
            _RECENT.clear()
        _RECENT[id(values)] = found
        return found

    def numbered(self, database: Iterable[object]) -> tuple[int, ...]:
        """Return the numbers of the entries of a database."""
        entries = _as_tuple(database, "a database")
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
                f"entry {number} of a database must be a record of the domain, not another "
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
