"""Classes of queries that an INSTANCE names, and the records and queries that texts name."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from ccsim.appearance import counted
from ccsim.arguments.values import show_value
from ccsim.budget import Budget
from ccsim.classes.given import as_class
from ccsim.cli.privacy.released import MOST_BITS, RecordDomain
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

_MOST_AXES = 8
_LONGEST = 40
"""Digits of a coordinate, at most."""
_LONGEST_QUERY = 1000
"""Characters of a query that is a list."""


@frozen
class GridDomain:
    """Points of a grid: integers in one dimension, otherwise tuples of them."""

    sides: tuple[int, ...]

    @property
    def expected(self) -> str:
        """What a record is, for messages."""
        sizes = " x ".join(map(str, self.sides))
        return f"{counted(len(self.sides), 'coordinate', 'coordinates')} in the grid {sizes}"

    def reader(self) -> Callable[[str], int | None]:
        """Return what gives the number of a point, such as ``3 4`` or ``(3,4)``."""
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
        """Return a point by its number."""
        point = grid_point(self.sides, record)
        return point if len(point) > 1 else point[0]


Records = RecordDomain | GridDomain


def queries_of(instance: str, budget: Budget) -> tuple[Records, QueryClass[Any, Any]]:
    """Return what a record may be, and the class of queries that an INSTANCE names."""
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
                    f"d must lie between 1 and {_MOST_AXES}, not {show_value(given['d'])}"
                )
            return _grid(name, (1 << given["b"],) * given["d"])
        if name == "intervals":
            check_keys(name, given, ["n"], ["n"])
            if not 1 <= given["n"] <= 1 << MOST_BITS:
                raise DomainError(
                    f"n must lie between 1 and 2^{MOST_BITS}, not {show_value(given['n'])}"
                )
            return _grid("boxes", (given["n"],))
    C = as_class(instance, budget)
    return RecordDomain(len(C.points), C.points), ClassQueries(C)


def _check_bits(bits: int) -> None:
    if not 1 <= bits <= MOST_BITS:
        raise DomainError(f"bits must lie between 1 and {MOST_BITS}, not {show_value(bits)}")


def _grid(family: str, sides: tuple[int, ...]) -> tuple[Records, QueryClass[Any, Any]]:
    return GridDomain(sides), GridQueries(family, sides)


def query_of(text: str, domain: Records, queries: QueryClass[Any, Any]) -> Any:  # noqa: ANN401
    """Return the concept that a text names."""
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
    """Return lists of integers within lists as tuples within tuples; refuse all else."""
    if isinstance(value, list):
        return tuple(map(_tuples, value))
    if type(value) is not int:
        raise TypeError
    return value
