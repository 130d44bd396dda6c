"""Neighbouring quality functions, for audits of mechanisms that depend only on a quality function.

The distribution of a selection mechanism depends on its database only through the quality function,
and two functions at distance at most 1 may belong to neighbouring databases. Comparing the
distributions on all such pairs audits the mechanism for every quality function of sensitivity 1, on
any domain.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any, Self, TypeAlias

from ccsim.arguments.values import show_value
from ccsim.data import validated
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact import as_fraction
from ccsim.exact.distribution import Distribution
from ccsim.privacy.constructions import CanonicalMechanism

Quality: TypeAlias = tuple[Fraction | int, ...]
"""The quality of each solution; integral values are integers."""

MAX_FUNCTIONS = 1 << 12
"""Maximum number of quality functions to compare."""


@validated
class QualityNeighbours:
    """A set of quality functions, and the pairs of neighbours among them to compare.

    Two different functions are neighbours if no value differs by more than 1. If there is a bound
    ``k`` on the growth, neighbours must also satisfy the following condition: at most ``k`` values
    are larger in the first function, and at most ``k`` are larger in the second. The reason is that
    replacing a record removes one record and adds another.

    Attributes
    ----------
    functions : tuple of Quality
        Distinct quality functions, at most `MAX_FUNCTIONS`, all with the same number of values.
    growth : int or None
        Maximum number of values that increase if a record is added, at least 1; None if there is no
        bound.
    pairs : tuple of (int, int), or None
        Indices of the functions to compare; None stands for all pairs of neighbours.

    Examples
    --------
    >>> every = QualityNeighbours.all_functions(solutions=2, most=1)
    >>> every.functions, len(list(every))
    (((0, 0), (0, 1), (1, 0), (1, 1)), 6)
    >>> every.are_neighbours((0, 0), (1, 1))
    True
    >>> QualityNeighbours.all_functions(2, 1, growth=1).are_neighbours((0, 0), (1, 1))
    False
    """

    functions: tuple[Quality, ...]
    growth: int | None = None
    pairs: tuple[tuple[int, int], ...] | None = None

    def __post_init__(self) -> None:
        read = tuple(_quality(function) for function in self.functions)
        if not read or len(read) > MAX_FUNCTIONS:
            raise InstanceTooLargeError(
                f"there must be between 1 and {MAX_FUNCTIONS} quality functions, not {len(read)}"
            )
        if len(set(read)) < len(read):
            raise DomainError("quality functions must be distinct")
        if len(set(map(len, read))) > 1:
            raise DomainError(
                "quality functions must all have the same number of values, one for each solution"
            )
        if self.growth is not None and self.growth < 1:
            raise DomainError(f"growth must be at least 1, not {self.growth}")
        object.__setattr__(self, "functions", read)
        for pair in self.pairs or ():
            self.require(*_numbers(pair, len(read)))

    @classmethod
    def all_functions(cls, solutions: int, most: int, growth: int | None = None) -> Self:
        """Return all pairs of neighbours among the functions with values ``0 .. most``.

        Parameters
        ----------
        solutions : int
            Number of solutions, at least 1.
        most : int
            Largest value, at least 1; ``(most + 1) ** solutions`` must be at most `MAX_FUNCTIONS`.
        growth : int, optional
            Bound on the growth, at least 1.
        """
        for name, value in (("solutions", solutions), ("most", most)):
            if type(value) is not int or value < 1:
                raise DomainError(
                    f"{name} must be an integer of at least 1, not {show_value(value)}"
                )
        if solutions > MAX_FUNCTIONS or (most + 1) ** solutions > MAX_FUNCTIONS:
            raise InstanceTooLargeError(
                f"{show_value(most + 1)}^{solutions} quality functions exceed the limit of "
                f"{MAX_FUNCTIONS}; use fewer solutions or values"
            )
        return cls(tuple(product(range(most + 1), repeat=solutions)), growth)

    @classmethod
    def of_pairs(cls, pairs: Iterable[Any], growth: int | None = None) -> Self:
        """Return given pairs of functions; values are integers, fractions or texts.

        Raises
        ------
        DomainError
            If the functions of a pair are not neighbours; the message states the value that changes
            too much.

        Examples
        --------
        >>> QualityNeighbours.of_pairs([[(3, 1), (2, "5/2")]])
        Traceback (most recent call last):
        ...
        ccsim.errors.DomainError: quality of solution 1 must change by at most 1 between \
neighbours, not from 1 to 5/2
        """
        if isinstance(pairs, str) or not isinstance(pairs, Iterable):
            raise DomainError(f"pairs of quality functions must be a list, not {show_value(pairs)}")
        numbers: dict[Quality, int] = {}
        listed = []
        for i, pair in enumerate(pairs):
            if isinstance(pair, str) or not isinstance(pair, Sequence) or len(pair) != 2:
                raise DomainError(f"entry {i} must be a pair of quality functions, not {pair!r}")
            first, second = (numbers.setdefault(_quality(q), len(numbers)) for q in pair)
            listed.append((first, second))
        return cls(tuple(numbers), growth, tuple(listed))

    def are_neighbours(self, first: Quality, second: Quality) -> bool:
        """Decide whether two functions are neighbours."""
        changes = [b - a for a, b in zip(first, second, strict=True)]
        near = any(changes) and all(-1 <= change <= 1 for change in changes)
        return near and self._may_grow(changes)

    def require(self, i: int, j: int) -> None:
        """Raise `DomainError` if two functions, given by their indices, are not neighbours.

        Raises
        ------
        DomainError
            If the functions are not neighbours; the message states the value that changes too much.
        """
        self._require(self.functions[i], self.functions[j])

    def _require(self, first: Quality, second: Quality) -> None:
        changes = [b - a for a, b in zip(first, second, strict=True)]
        for solution, change in enumerate(changes):
            if not -1 <= change <= 1:
                raise DomainError(
                    f"quality of solution {solution} must change by at most 1 between neighbours, "
                    f"not from {first[solution]} to {second[solution]}"
                )
        if not any(changes):
            raise DomainError("neighbouring quality functions must differ")
        if not self._may_grow(changes):
            raise DomainError(
                f"at most {self.growth} qualities may increase between neighbours, and at most "
                f"{self.growth} may decrease"
            )

    def _may_grow(self, changes: Sequence[Fraction | int]) -> bool:
        if self.growth is None:
            return True
        return max(sum(c > 0 for c in changes), sum(c < 0 for c in changes)) <= self.growth

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Yield each compared pair once, as indices of functions."""
        if self.pairs is not None:
            yield from self.pairs
            return
        place = {function: i for i, function in enumerate(self.functions)}
        width, number = len(self.functions[0]), len(self.functions)
        whole = all(type(value) is int for function in self.functions for value in function)
        if not whole or 3**width > number:
            for (i, first), (j, second) in combinations(enumerate(self.functions), 2):
                if self.are_neighbours(first, second):
                    yield i, j
            return
        steps = [c for c in product((-1, 0, 1), repeat=width) if any(c) and self._may_grow(c)]
        for i, function in enumerate(self.functions):
            for step in steps:
                other = tuple(value + c for value, c in zip(function, step, strict=True))
                j = place.get(other, -1)
                if j > i:
                    yield i, j


def _quality(values: object) -> Quality:
    if isinstance(values, str) or not isinstance(values, Sequence) or not values:
        raise DomainError(f"a quality function must be a list of values, not {show_value(values)}")
    found = [as_fraction(value, "quality") for value in values]
    return tuple(int(v) if v.denominator == 1 else v for v in found)


def _numbers(pair: object, bound: int) -> tuple[int, int]:
    if (
        not isinstance(pair, tuple)
        or len(pair) != 2
        or not all(type(i) is int and 0 <= i < bound for i in pair)
    ):
        raise DomainError(f"a pair must be two numbers below {bound}, not {show_value(pair)}")
    return pair


@validated
class ByQuality(CanonicalMechanism[Quality, Hashable]):
    """A mechanism whose database is a single record, a quality function.

    Attributes
    ----------
    functions : tuple of Quality
        The quality functions, which are the records.
    distribution_of_quality : callable
        Function that maps a quality function to the distribution of the output.

    Examples
    --------
    >>> best = ByQuality(((0, 1), (1, 0)), lambda q: Distribution.certain(q.index(max(q))))
    >>> best.distribution([(0, 1)]).items
    ((1, Fraction(1, 1)),)
    """

    functions: tuple[Quality, ...]
    distribution_of_quality: Callable[[Any], Distribution[Any]]

    @property
    def records(self) -> tuple[Quality, ...]:
        """The quality functions, each of which is a record."""
        return self.functions

    def distribution_of(self, database: tuple[Quality, ...]) -> Distribution[Hashable]:
        """Return the distribution of the output."""
        if len(database) != 1:
            raise DomainError(f"database must consist of one quality function, not {len(database)}")
        return self.distribution_of_quality(database[0])
