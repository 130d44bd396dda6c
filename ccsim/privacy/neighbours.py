"""Pairs of neighbouring databases: same length, different in one entry."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import combinations, combinations_with_replacement, product
from math import comb
from typing import TypeVar

from ccsim.errors import DomainError

__all__ = ["count_neighbours", "databases", "neighbouring_databases"]

Record = TypeVar("Record", bound=Hashable)
Database = tuple[Record, ...]


def neighbouring_databases(
    records: Sequence[Record], size: int, *, symmetric: bool = True
) -> Iterator[tuple[Database[Record], Database[Record]]]:
    """Yield every unordered pair of neighbouring databases once.

    Parameters
    ----------
    records : sequence
        Distinct values of a record.
    size : int
        Entries of a database, at least 1.
    symmetric : bool
        Whether databases are multisets, which count up to reordering, and not sequences.

    Examples
    --------
    >>> list(neighbouring_databases("ab", 2))
    [(('a', 'a'), ('b', 'a')), (('a', 'b'), ('b', 'b'))]
    >>> len(list(neighbouring_databases("ab", 2, symmetric=False)))
    4
    """
    if type(size) is not int or size < 1:
        raise DomainError(
            f"databases must have a number of entries that is an int >= 1, not {size!r}"
        )
    if symmetric:
        for rest in combinations_with_replacement(records, size - 1):
            for first, second in combinations(records, 2):
                yield (first, *rest), (second, *rest)
        return
    for rest in product(records, repeat=size - 1):
        for place in range(size):
            for first, second in combinations(records, 2):
                yield (
                    (*rest[:place], first, *rest[place:]),
                    (*rest[:place], second, *rest[place:]),
                )


def count_neighbours(records: int, size: int, *, symmetric: bool = True) -> int:
    """Return the number of pairs that `neighbouring_databases` yields.

    Examples
    --------
    >>> count_neighbours(7, 4)
    1764
    """
    pairs = comb(records, 2)
    if symmetric:
        return comb(records + size - 2, size - 1) * pairs
    others: int = records ** (size - 1)
    return others * size * pairs


def databases(records: int, size: int, *, symmetric: bool = True) -> list[tuple[int, ...]]:
    """Return all databases as lists of numbers of records, in lexicographic order.

    Examples
    --------
    >>> databases(2, 2), len(databases(2, 2, symmetric=False))
    ([(0, 0), (0, 1), (1, 1)], 4)
    """
    if symmetric:
        return list(combinations_with_replacement(range(records), size))
    return list(product(range(records), repeat=size))
