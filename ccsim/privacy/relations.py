"""Relations of neighbouring databases: which databases are compared, and which are neighbours.

The databases are all sequences of records whose number of records lies in a range, or multisets if
the mechanism sorts its databases. `OwnNeighbours` and `GraphNeighbours` are arbitrary relations.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import combinations
from math import comb
from typing import Any, TypeAlias

import numpy as np

from ccsim.arguments.values import show_value
from ccsim.budget import OutOfTimeError, check_time, in_time
from ccsim.data import validated
from ccsim.errors import CcsimError, DomainError, InstanceTooLargeError
from ccsim.privacy.changes import MAX_PAIRS, Change, Numbers, Rule
from ccsim.privacy.neighbours import Domain

Database: TypeAlias = tuple[Any, ...]


class Relation(ABC):
    """A relation of neighbouring databases over any finite list of records.

    Subclasses are frozen data classes, which `audit` and `privacy_curve` accept as neighbours.
    """

    __slots__ = ()

    @abstractmethod
    def numbered(
        self, records: Sequence[Any], *, symmetric: bool
    ) -> tuple[int, Iterable[tuple[Numbers, Numbers]]]:
        """Return the number of pairs, and the pairs as numbers of records, each pair once."""

    @abstractmethod
    def are_neighbours(
        self,
        first: Sequence[Any],
        second: Sequence[Any],
        records: Sequence[Any],
        *,
        symmetric: bool = False,
    ) -> bool:
        """Decide whether two databases over the given records are neighbours.

        Parameters
        ----------
        first, second : sequence of records
            The two databases.
        records : sequence
            Distinct values of a record.
        symmetric : bool
            Whether databases are multisets instead of sequences.

        Raises
        ------
        DomainError
            If an entry of a database is not a record.
        """

    def count(self, records: Sequence[Any], *, symmetric: bool = False) -> int:
        """Return the number of unordered pairs of neighbouring databases.

        Parameters
        ----------
        records : sequence
            Distinct values of a record.
        symmetric : bool
            Whether databases are multisets instead of sequences.

        Raises
        ------
        InstanceTooLargeError
            If there are more than `MAX_PAIRS` pairs.
        DomainError
            If the relation is not defined for these records.

        Examples
        --------
        >>> AddRemoveNeighbours(2).count("ab"), AddRemoveNeighbours(2).count("ab", symmetric=True)
        (8, 6)
        """
        return self.numbered(Domain.of(records).records, symmetric=symmetric)[0]

    def pairs(
        self, records: Sequence[Any], *, symmetric: bool = False
    ) -> Iterator[tuple[Database, Database]]:
        """Yield every unordered pair of neighbouring databases once.

        Parameters
        ----------
        records : sequence
            Distinct values of a record.
        symmetric : bool
            Whether databases are multisets instead of sequences.

        Raises
        ------
        InstanceTooLargeError
            If there are more than `MAX_PAIRS` pairs.
        DomainError
            If the relation is not defined for these records.

        Examples
        --------
        >>> list(AddRemoveNeighbours(1).pairs("ab"))
        [((), ('a',)), ((), ('b',))]
        """
        domain = Domain.of(records).records
        for first, second in self.numbered(domain, symmetric=symmetric)[1]:
            yield tuple(domain[i] for i in first), tuple(domain[i] for i in second)


class SizedRelation(Relation):
    """A relation that is determined by a rule."""

    __slots__ = ()
    most: int

    @abstractmethod
    def rule(self, records: Sequence[Any], *, symmetric: bool) -> Rule:
        """Return the rule that decides which databases of the given records are neighbours."""

    @property
    def sizes(self) -> tuple[int, int]:
        """The least and the largest number of records of a database."""
        return _sizes(self)

    def numbered(
        self, records: Sequence[Any], *, symmetric: bool
    ) -> tuple[int, Iterable[tuple[Numbers, Numbers]]]:
        """Return the number of pairs, and the pairs as numbers of records."""
        rule = self.rule(records, symmetric=symmetric)
        return rule.count(), rule.pairs()

    def are_neighbours(
        self,
        first: Sequence[Any],
        second: Sequence[Any],
        records: Sequence[Any],
        *,
        symmetric: bool = False,
    ) -> bool:
        """Decide whether two databases over the given records are neighbours."""
        domain = Domain.of(records)
        rule = self.rule(domain.records, symmetric=symmetric)
        return rule.are_neighbours(domain.numbered(first), domain.numbered(second))


def _sizes(relation: Any) -> tuple[int, int]:  # noqa: ANN401 - a data class with least and most
    least = relation.least
    return (relation.most if least is None else least), relation.most


def _require_sizes(relation: Any) -> None:  # noqa: ANN401 - a data class with least and most
    least, most = _sizes(relation)
    if most < 1:
        raise DomainError(f"most must be at least 1, not {show_value(most)}")
    if not 0 <= least <= most:
        raise DomainError(f"least must be between 0 and {most}, not {show_value(least)}")


@validated
class ReplaceNeighbours(SizedRelation):
    """Databases with the same number of records that differ in one record.

    Attributes
    ----------
    most : int
        Largest number of records of a database, at least 1.
    least : int or None
        Least number of records of a database, between 0 and ``most``; None stands for ``most``.

    Examples
    --------
    >>> ReplaceNeighbours(2).count("ab"), ReplaceNeighbours(2, least=0).count("ab")
    (4, 5)
    """

    most: int
    least: int | None = None

    def __post_init__(self) -> None:
        _require_sizes(self)

    def rule(self, records: Sequence[Any], *, symmetric: bool) -> Rule:
        """Return the rule that decides which databases of the given records are neighbours."""
        return Rule(Change.REPLACE, *self.sizes, (0,) * len(records), symmetric)


@validated
class AddRemoveNeighbours(SizedRelation):
    """Two databases, one of which results from the other by removing a record.

    In sequences, a record may be removed from, or inserted at, any position.

    Attributes
    ----------
    most : int
        Largest number of records of a database, at least 1.
    least : int
        Least number of records of a database, between 0 and ``most``; 0 by default.

    Examples
    --------
    >>> list(AddRemoveNeighbours(2, least=1).pairs("ab", symmetric=True))
    [(('a',), ('a', 'a')), (('a',), ('b', 'a')), (('b',), ('a', 'b')), (('b',), ('b', 'b'))]
    """

    most: int
    least: int = 0

    def __post_init__(self) -> None:
        _require_sizes(self)

    def rule(self, records: Sequence[Any], *, symmetric: bool) -> Rule:
        """Return the rule that decides which databases of the given records are neighbours."""
        return Rule(Change.ADD_OR_REMOVE, *self.sizes, (0,) * len(records), symmetric)


@validated
class LabelNeighbours(SizedRelation):
    """Databases of labelled points that differ in the label of one record.

    Records are pairs of a point and a label. The points and their order are public.

    Attributes
    ----------
    most : int
        Largest number of records of a database, at least 1.
    least : int or None
        Least number of records of a database, between 0 and ``most``; None stands for ``most``.

    Examples
    --------
    >>> records = [("x", 0), ("x", 1), ("y", 0), ("y", 1)]
    >>> list(LabelNeighbours(1).pairs(records))
    [((('x', 0),), (('x', 1),)), ((('y', 0),), (('y', 1),))]
    """

    most: int
    least: int | None = None

    def __post_init__(self) -> None:
        _require_sizes(self)

    def rule(self, records: Sequence[Any], *, symmetric: bool) -> Rule:
        """Return the rule that decides which databases of the given records are neighbours."""
        for record in records:
            if not isinstance(record, tuple) or len(record) != 2:
                raise DomainError(
                    "records must be pairs (point, label) if only labels are private, not "
                    f"{record!r}"
                )
        return Rule(Change.REPLACE, *self.sizes, _groups(r[0] for r in records), symmetric)


@validated
class KeyNeighbours(SizedRelation):
    """Databases that differ only in the records with one key, such as the records of one person.

    Two databases are neighbours if they are equal after the removal of all records with this key.
    So all records of one person may be replaced by any other records of this person.

    Attributes
    ----------
    most : int
        Largest number of records of a database, at least 1.
    key : int or callable
        Index of the key in a record, which is then a tuple, or a function that maps a record to its
        key.
    least : int
        Least number of records of a database, between 0 and ``most``; 0 by default.
    change : str
        ``replace`` for any replacement of these records, or ``remove`` if one of the two databases
        must not contain the key.

    Examples
    --------
    A person has one or more records. The records of person ``a`` may be removed together.

    >>> visits = [("a", "x"), ("a", "y"), ("b", "x")]
    >>> removals = KeyNeighbours(2, key=0, change="remove").pairs(visits, symmetric=True)
    >>> [database for other, database in removals if other == ()]
    [(('a', 'x'),), (('a', 'y'),), (('a', 'x'), ('a', 'x')), (('a', 'x'), ('a', 'y')), \
(('a', 'y'), ('a', 'y')), (('b', 'x'),), (('b', 'x'), ('b', 'x'))]
    """

    most: int
    key: int | Callable[[Any], Hashable]
    least: int = 0
    change: str = "replace"

    def __post_init__(self) -> None:
        _require_sizes(self)
        if self.change not in ("replace", "remove"):
            raise DomainError(f"change must be replace or remove, not {show_value(self.change)}")
        if isinstance(self.key, int) and self.key < 0:
            raise DomainError(f"key must be an index of at least 0, not {self.key}")

    def rule(self, records: Sequence[Any], *, symmetric: bool) -> Rule:
        """Return the rule that decides which databases of the given records are neighbours."""
        change = Change.REPLACE_KEY if self.change == "replace" else Change.REMOVE_KEY
        return Rule(change, *self.sizes, _groups(map(self._key_of, records)), symmetric)

    def _key_of(self, record: Any) -> Hashable:  # noqa: ANN401 - a record
        if not isinstance(self.key, int):
            try:
                found = self.key(record)
                hash(found)
            except CcsimError:
                raise
            except Exception as error:
                raise DomainError(
                    f"key must be a function that maps each record to a hashable value, but on "
                    f"{record!r} it raises {type(error).__name__}: {error}"
                ) from error
            return found
        if not isinstance(record, tuple) or len(record) <= self.key:
            raise DomainError(
                f"records must be tuples with more than {self.key} entries, since entry {self.key} "
                f"is the key, not {record!r}"
            )
        entry: Hashable = record[self.key]
        return entry


def _groups(keys: Iterator[Hashable]) -> Numbers:
    """Return the number of the group of each record, given by its key."""
    numbers: dict[Hashable, int] = {}
    return tuple(numbers.setdefault(key, len(numbers)) for key in keys)


@validated
class OwnNeighbours(Relation):
    """A relation that is given by a Python function of two databases.

    The function is called for all ordered pairs of different databases, as sequences of records.
    Two databases are neighbours if the function returns True for them in at least one order. A
    database must not be related to itself.

    Attributes
    ----------
    related : callable
        Function that maps two databases, which are tuples of records, to True or False.
    most : int
        Largest number of records of a database, at least 1.
    least : int
        Least number of records of a database, between 0 and ``most``; 0 by default.

    Examples
    --------
    Neighbours have different numbers of records.

    >>> longer = OwnNeighbours(lambda D, E: len(D) > len(E), most=1)
    >>> list(longer.pairs("ab"))
    [((), ('a',)), ((), ('b',))]
    >>> OwnNeighbours(lambda D, E: len(D) >= len(E), most=1).count("ab")
    Traceback (most recent call last):
    ...
    ccsim.errors.DomainError: related must be irreflexive, but it returns True for the database () \
and itself
    """

    related: Callable[[Any, Any], bool]
    most: int
    least: int = 0

    def __post_init__(self) -> None:
        _require_sizes(self)

    @property
    def sizes(self) -> tuple[int, int]:
        """The least and the largest number of records of a database."""
        return _sizes(self)

    def numbered(
        self,
        records: Sequence[Any],
        *,
        symmetric: bool,
    ) -> tuple[int, Iterable[tuple[Numbers, Numbers]]]:
        """Return the number of pairs, and the pairs as numbers of records."""
        rule = Rule(Change.REPLACE, *self.sizes, (0,) * len(records), symmetric=False)
        rule.require_few_databases()
        listed = list(in_time(rule.databases()))
        if comb(len(listed), 2) > MAX_PAIRS:
            raise InstanceTooLargeError(
                f"{comb(len(listed), 2)} pairs of databases exceed the limit of {MAX_PAIRS}; use "
                "fewer records, or list the pairs of neighbours with GraphNeighbours"
            )
        shown = [tuple(records[i] for i in database) for database in listed]
        for database in shown:
            if self._are_related(database, database):
                raise DomainError(
                    f"related must be irreflexive, but it returns True for the database "
                    f"{database!r} and itself"
                )
        found = [
            (listed[i], listed[j])
            for (i, D), (j, E) in combinations(enumerate(shown), 2)
            if [self._are_related(D, E), self._are_related(E, D)] != [False, False]
        ]
        return len(found), found

    def are_neighbours(
        self,
        first: Sequence[Any],
        second: Sequence[Any],
        records: Sequence[Any],
        *,
        symmetric: bool = False,
    ) -> bool:
        """Decide whether two databases over the given records are neighbours."""
        domain = Domain.of(records)
        D, E = (
            tuple(domain.records[i] for i in domain.numbered(database))
            for database in (first, second)
        )
        least, most = self.sizes
        if D == E or not least <= min(len(D), len(E)) <= max(len(D), len(E)) <= most:
            return False
        return [self._are_related(D, E), self._are_related(E, D)] != [False, False]

    def _are_related(self, first: Database, second: Database) -> bool:
        check_time()
        try:
            found: object = self.related(first, second)
        except (CcsimError, OutOfTimeError):
            raise
        except Exception as error:
            raise DomainError(
                f"related must return True or False for all pairs of databases, but for {first!r} "
                f"and {second!r} it raises {type(error).__name__}: {error}"
            ) from error
        if not isinstance(found, bool | np.bool_):
            raise DomainError(
                f"related must return True or False, but for {first!r} and {second!r} it returns "
                f"{show_value(found)}"
            )
        return bool(found)


@validated
class GraphNeighbours(Relation):
    """A relation that is given by a list of its pairs, the edges of a graph on databases.

    Attributes
    ----------
    edges : tuple of pairs of databases
        Pairs of different databases, which may have any numbers of records. The order of the two
        databases is irrelevant, and repeated pairs are ignored. For a graph of networkx, give
        ``list(graph.edges)``.

    Examples
    --------
    >>> GraphNeighbours([[(), ("a",)], [("a",), ()]]).count("ab")
    1
    """

    edges: tuple[Any, ...]

    def __post_init__(self) -> None:
        read = []
        for edge in self.edges:
            if not isinstance(edge, Sequence) or isinstance(edge, str) or len(edge) != 2:
                raise DomainError(f"edges must be pairs of databases, not {show_value(edge)}")
            for database in edge:
                if not isinstance(database, Sequence) or isinstance(database, str):
                    raise DomainError(
                        f"databases must be sequences of records, not {show_value(database)}"
                    )
            read.append((tuple(edge[0]), tuple(edge[1])))
        object.__setattr__(self, "edges", tuple(read))

    def numbered(
        self, records: Sequence[Any], *, symmetric: bool
    ) -> tuple[int, Iterable[tuple[Numbers, Numbers]]]:
        """Return the number of pairs, and the pairs as numbers of records."""
        domain, found = Domain.of(records), dict[frozenset[Numbers], tuple[Numbers, Numbers]]()
        for edge in in_time(self.edges):
            first, second = (
                tuple(sorted(numbers)) if symmetric else numbers
                for numbers in map(domain.numbered, edge)
            )
            if first == second:
                order = ", up to the order of records" if edge[0] != edge[1] else ""
                raise DomainError(
                    f"edges must join two different databases, but {edge[0]!r} and {edge[1]!r} are "
                    f"equal{order}"
                )
            found.setdefault(frozenset((first, second)), (first, second))
        if len(found) > MAX_PAIRS:
            raise InstanceTooLargeError(
                f"{len(found)} pairs of databases exceed the limit of {MAX_PAIRS}; list fewer pairs"
            )
        return len(found), found.values()

    def are_neighbours(
        self,
        first: Sequence[Any],
        second: Sequence[Any],
        records: Sequence[Any],
        *,
        symmetric: bool = False,
    ) -> bool:
        """Decide whether two databases over the given records are neighbours."""
        domain = Domain.of(records)
        asked = frozenset(
            tuple(sorted(numbers)) if symmetric else numbers
            for numbers in map(domain.numbered, (first, second))
        )
        _, pairs = self.numbered(domain.records, symmetric=symmetric)
        return any(asked == frozenset(pair) for pair in pairs)
