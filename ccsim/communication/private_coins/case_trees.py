"""Common parts of case trees: growth, halving of simplices, and the bound that a tree proves."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from math import inf
from operator import add
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

import numpy as np

from ccsim.budget import Budget
from ccsim.data import frozen
from ccsim.errors import CertificateError

Vertices: TypeAlias = tuple[tuple[int, ...], ...]

Tables: TypeAlias = tuple["np.ndarray[Any, Any]", "np.ndarray[Any, Any]"]  # of Alice and Bob
# gets a function that returns the tables that a case suggests; returns the new target
Visit: TypeAlias = Callable[[Callable[[], Tables]], float]


class Bounded(Protocol):
    """A case with a bound in floats; after a cut, also the numbers of its parts."""

    bound: float
    parts: tuple[int, ...]


_Case = TypeVar("_Case")
_Bounded = TypeVar("_Bounded", bound=Bounded)
_Node = TypeVar("_Node")
_Search = TypeVar("_Search", bound="BestFirst[Any]")


@frozen
class Halving:
    """A node that halves an edge of one of the simplices of a case."""

    # the position of a law's input in the tree; or twice the number of a dependence, plus 1 for the
    # second average
    simplex: int
    first: int  # vertices; in the first part the middle takes the place of the second one
    second: int

    def parts(self, simplices: tuple[Vertices, ...]) -> list[tuple[Vertices, ...]]:
        """Return the simplices of the two parts: the midpoint of an edge replaces one end."""
        i = self.simplex
        if not 0 <= i < len(simplices):
            raise CertificateError(f"{self} must halve one of {len(simplices)} simplices")
        vertices, first, second = simplices[i], self.first, self.second
        twice = [*map(add, vertices[first], vertices[second])]
        if not 0 <= first < second or any(s % 2 for s in twice):
            raise CertificateError(
                f"the midpoint of vertices {first} < {second} must have integer coordinates"
            )
        half = tuple(s // 2 for s in twice)
        halves = ((*vertices[:gone], half, *vertices[gone + 1 :]) for gone in (second, first))
        return [(*simplices[:i], part, *simplices[i + 1 :]) for part in halves]

    def to_json(self) -> list[int]:
        """Return the node for use in a certificate."""
        return [self.simplex, self.first, self.second]


def least_bound(
    nodes: Iterable[_Node],
    starts: Sequence[_Case],
    prove: Callable[[_Case, _Node], Fraction | Iterable[_Case]],
    budget: Budget | None = None,
) -> Fraction:
    """Walk a forest in preorder; return the minimum of 1 and the bounds of the leaves."""
    left, least, budget = list(reversed(starts)), Fraction(1), budget or Budget()
    for number, node in enumerate(budget.each(nodes)):
        if not left:
            raise CertificateError(f"node {number} is superfluous: all cases are closed")
        try:
            proved = prove(left.pop(), node)
            if isinstance(proved, Fraction):
                least = min(least, proved)
            else:
                left += reversed([*proved])
        except (CertificateError, IndexError) as error:
            raise CertificateError(f"node {number}: {error}") from None
    if left:
        raise CertificateError(f"the tree is incomplete: {len(left)} cases have no node")
    return least


class BestFirst(ABC, Generic[_Bounded]):
    """A tree that grows at the case with the smallest bound, computed in floats."""

    _suggests = True  # whether cases suggest tables

    def __init__(self, target: float) -> None:
        self.target = target
        self._clear()

    def _clear(self) -> None:
        """Remove all cases."""
        self._cases: list[_Bounded] = []
        self._roots: list[int] = []
        self._open: list[tuple[float, int]] = []

    @property
    def bound(self) -> float:
        """An approximation of the lower bound that the tree proves."""
        return self._open[0][0] if self._open else self.target

    @property
    def is_growing(self) -> bool:
        """Whether the bound is below the target."""
        return bool(self._open) and self.bound < self.target

    def grow(self, nodes: int, budget: Budget | None = None, visit: Visit | None = None) -> None:
        """Cut cases until all bounds reach the target or the budget is used up."""
        self._expand(nodes, inf, budget or Budget(), visit)

    def _expand(self, nodes: int, level: float, budget: Budget, visit: Visit | None = None) -> bool:
        """Cut cases with bounds up to a level; return False if one of them cannot be cut."""
        while self.is_growing and self.bound <= level and len(self._cases) < nodes:
            budget.spend()
            case = self._cases[self._open[0][1]]
            self._visit(case, visit)
            if not self._cut(case):
                return False
            # its parts are no better, and have larger numbers: it is still the first
            heappop(self._open)
        return True

    def _visit(self, case: _Bounded, visit: Visit | None) -> None:
        """Change the target if the case suggests tables."""
        if visit is not None and self._suggests:
            self.target = visit(lambda: self._tables(case))

    def _keep(self, case: _Bounded) -> int:
        """Add a case; return its number."""
        self._cases.append(case)
        heappush(self._open, (case.bound, len(self._cases) - 1))
        return len(self._cases) - 1

    def _preorder(self) -> Iterator[tuple[_Bounded, bool]]:
        """Yield the cases, and whether each is a leaf, without superfluous descendants."""
        needed, left = self.bound, self._roots[::-1]
        while left:
            case = self._cases[left.pop()]
            is_leaf = not case.parts or case.bound >= needed
            yield case, is_leaf
            left += () if is_leaf else reversed(case.parts)

    @abstractmethod
    def _cut(self, case: _Bounded) -> bool:
        """Cut a case if possible, and add its parts."""

    def _tables(self, case: _Bounded) -> Tables:
        """Return the tables of Alice and Bob that a case suggests."""
        raise NotImplementedError


def most_promising(
    searches: Sequence[_Search], cases: int, budget: Budget | None = None
) -> _Search:
    """Return the best of several searches; each round grows the better half to twice the size."""
    left = list(searches)
    with budget or Budget():
        while len(left) > 1 and all(s.bound < s.target for s in left):
            for search in left:
                search.grow(cases, budget)
            left = sorted(left, key=lambda s: s.bound, reverse=True)[: len(left) // 2]
            cases *= 2
    return max(left, key=lambda s: s.bound)
