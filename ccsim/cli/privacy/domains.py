"""The meaning of an INSTANCE for a release: records, queries, and their text forms."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from ccsim.appearance import counted
from ccsim.arguments.values import show_value
from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.classes.given import as_class
from ccsim.data import frozen
from ccsim.errors import DomainError
from ccsim.exact.fractions import INTEGER
from ccsim.instances import check_keys, parse_call
from ccsim.release.queries.grid_covers import grid_number, grid_point
from ccsim.release.queries.query_classes import (
    ClassQueries,
    GridQueries,
    QueryClass,
    ThresholdQueries,
)
from ccsim.texts.labels import Label

_MOST_AXES = 8
_LONGEST = 40
"""Maximum number of digits of a record or a coordinate."""
_LONGEST_QUERY = 1000
"""Maximum number of characters of a query given as a list."""
_MOST_BITS = 64
"""Maximum number of bits of an integer record."""
_LONG = ("k_points", "points", "thresholds")
"""Families that are too large to be built, but need not be built."""


@frozen
class RecordDomain:
    """The possible records: integers below a size, or points of a class."""

    size: int
    points: tuple[Label, ...] | None = None  # none for the integers

    @property
    def last(self) -> int:
        """The largest record number."""
        return self.size - 1

    @property
    def expected(self) -> str:
        """Description of a record, for messages."""
        return f"an integer from 0 to {self.last}" if self.points is None else "a point"

    def reader(self) -> Callable[[str], int | None]:
        """Return a function from texts to record numbers; it returns None for other texts."""
        if self.points is not None:
            return {str(point): i for i, point in enumerate(self.points)}.get
        size = self.size

        def read(text: str) -> int | None:
            known = len(text) <= _LONGEST and INTEGER.fullmatch(text)
            return int(text) if known and 0 <= int(text) < size else None

        return read

    def name(self, record: int) -> Label:
        """Return a record, given by its number, in the form of the file."""
        return record if self.points is None else self.points[record]


@frozen
class GridDomain:
    """Points of a grid: integers in one dimension, otherwise tuples of integers."""

    sides: tuple[int, ...]

    @property
    def expected(self) -> str:
        """Description of a record, for messages."""
        sizes = " x ".join(map(str, self.sides))
        return f"{counted(len(self.sides), 'coordinate', 'coordinates')} in the grid {sizes}"

    def reader(self) -> Callable[[str], int | None]:
        """Return a function from texts such as ``3 4`` or ``(3,4)`` to indices of points."""
        return self._number

    def _number(self, text: str) -> int | None:
        if len(text) > _LONGEST * len(self.sides):
            return None
        parts = text.strip().removeprefix("(").removesuffix(")").replace(",", " ").split()
        if len(parts) != len(self.sides) or not all(map(INTEGER.fullmatch, parts)):
            return None
        point = tuple(map(int, parts))
        if not all(0 <= x < n for x, n in zip(point, self.sides, strict=True)):
            return None
        return grid_number(self.sides, point)

    def name(self, record: int) -> int | tuple[int, ...]:
        """Return a point, given its number."""
        point = grid_point(self.sides, record)
        return point if len(point) > 1 else point[0]


Records = RecordDomain | GridDomain


def queries_of(instance: str, budget: Budget) -> tuple[Records, QueryClass[Any, Any]]:
    """Return the possible records and the class of queries of an INSTANCE."""
    if not instance.startswith("@"):
        name, given = parse_call(instance)
        if name == "thresholds":
            check_keys(name, given, ["b"], ["b"])
            _check_bits(given["b"])
            return RecordDomain(1 << given["b"]), ThresholdQueries((1 << given["b"]) - 1)
        if name in {"halfspaces", "boxes"}:
            check_keys(name, given, ["b", "d"], ["b", "d"])
            _check_bits(given["b"])
            if not 1 <= given["d"] <= _MOST_AXES:
                raise DomainError(
                    f"d must be between 1 and {_MOST_AXES}, not {show_value(given['d'])}"
                )
            return _grid(name, (1 << given["b"],) * given["d"])
        if name == "intervals":
            check_keys(name, given, ["n"], ["n"])
            if not 1 <= given["n"] <= 1 << _MOST_BITS:
                raise DomainError(
                    f"n must be between 1 and 2^{_MOST_BITS}, not {show_value(given['n'])}"
                )
            return _grid("boxes", (given["n"],))
    C = as_class(instance, budget)
    return RecordDomain(len(C.points), C.points), ClassQueries(C)


def _check_bits(bits: int) -> None:
    if not 1 <= bits <= _MOST_BITS:
        raise DomainError(f"b must be between 1 and {_MOST_BITS}, not {show_value(bits)}")


def _grid(family: str, sides: tuple[int, ...]) -> tuple[Records, QueryClass[Any, Any]]:
    return GridDomain(sides), GridQueries(family, sides)


def query_of(text: str, domain: Records, queries: QueryClass[Any, Any]) -> Any:  # noqa: ANN401
    """Return the concept given by a text."""
    if isinstance(queries, ClassQueries):
        named = {str(label): label for label in queries.concept_class.concepts}
        if text in named:
            return named[text]
        raise DomainError(f"query must be a concept of the class, not {text[:40]!r}")
    if isinstance(domain, GridDomain):
        try:
            return tuple(map(_tuples, json.loads(text[:_LONGEST_QUERY])))
        except (ValueError, TypeError, RecursionError):
            raise DomainError(
                f"query must be a list of integers such as [1,2,3], not {text[:40]!r}"
            ) from None
    if text == str(domain.size):
        return domain.size
    found = domain.reader()(text)
    if found is None:
        raise DomainError(f"query must be a threshold from 0 to {domain.size}, not {text[:40]!r}")
    return found


def _tuples(value: Any) -> Any:  # noqa: ANN401
    """Convert nested lists of integers to nested tuples; refuse other values."""
    if isinstance(value, list):
        return tuple(map(_tuples, value))
    if type(value) is not int:
        raise TypeError
    return value


def domain_of(instance: str, family: str, budget: Budget) -> tuple[RecordDomain, dict[str, Any]]:
    """Return the possible records for a sanitizer of a family, and the arguments of the sanitizer.

    The instance is a member of the family, given by its parameters, or a class of that kind;
    without a family, it is any class.
    """
    name, given = ("", {}) if instance.startswith("@") else parse_call(instance)
    if family == "k_points" and name != family:
        raise DomainError(
            f"INSTANCE must be k_points:b=...,k=... for this sanitizer, not {instance}"
        )
    if family and name == family:
        keys = ["b", "k"] if family == "k_points" else ["b"]
        check_keys(family, given, keys, keys)
        _check_bits(given["b"])
        size = 1 << given["b"]
        if not 1 <= given.get("k", 1) <= size:
            raise DomainError(
                f"k must be between 1 and {size}, the number of points, not {given['k']}"
            )
        return RecordDomain(size), {"last": size - 1, **given}
    if family and name in _LONG:
        raise DomainError(
            f"INSTANCE must be {family}:b=... or a class of {family} for this sanitizer, not "
            f"{instance}"
        )
    C = as_class(instance, budget)
    if family and (reason := _is_points(C) if family == "points" else _is_thresholds(C)):
        raise DomainError(
            f"INSTANCE must be a class of {family} for this sanitizer, not {instance}: {reason}"
        )
    return RecordDomain(len(C.points), C.points), {"last": len(C.points) - 1, "concept_class": C}


def _is_points(C: ConceptClass) -> str:
    wrong = next((i for i, row in enumerate(C.rows) if row.bit_count() > 1), None)
    return "" if wrong is None else f"concept {C.concepts[wrong]} is 1 on more than one point"


def _is_thresholds(C: ConceptClass) -> str:
    wrong = next((i for i, row in enumerate(C.rows) if row & (row + 1)), None)
    return (
        "" if wrong is None else f"concept {C.concepts[wrong]} is not 1 exactly on the first points"
    )
