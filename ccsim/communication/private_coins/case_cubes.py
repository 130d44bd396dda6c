"""Case trees that several processes grow.

After a number of cases, a tree grows in rounds. In each round, the open cases with the smallest
bounds are dealt to cubes, which grow their subtrees.
"""

from __future__ import annotations

from abc import abstractmethod
from base64 import b64decode, b64encode
from collections import deque
from collections.abc import Iterable
from heapq import heappop, heappush
from math import inf, prod
from typing import Any, Self, TypeAlias, TypeVar

import numpy as np

from ccsim.budget import Budget
from ccsim.communication.private_coins.case_trees import BestFirst, Bounded, Visit
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.public_coins.domination import Reduced, reduce_problem
from ccsim.parallel.cubes import Data, Search, solved

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

Kept = TypeVar("Kept", bound=Bounded)

_PART = 12  # a round cuts the cases with the smallest bounds: at least one in twelve
_SHARES = 3  # how many cubes take as long as the cases before them
_FEWEST_CUBES, _MOST_CUBES = 4, 256
_LARGEST = 3  # how many times more cases than on average a cube may add


class CubeTree(BestFirst[Kept]):
    """A tree of a problem that grows in cubes if it has many cases."""

    _alone: int  # the number of cases after which cubes are formed
    _each: int  # about the number of cases that a cube adds
    _reduced: Reduced
    _k: int  # messages
    _chosen: Data = None  # a further argument of `_empty`

    def _divide(self, alone: int) -> None:
        """Set the number of cases after which cubes are formed, and their size."""
        self._alone, self._each = alone, max(alone // _SHARES, 2)

    def grow(self, nodes: int, budget: Budget | None = None, visit: Visit | None = None) -> None:
        """Cut cases until all bounds reach the target or the budget is used up."""
        budget = budget or Budget()
        goes_on = self._expand(min(nodes, self._alone), inf, budget, visit)
        while goes_on and self.is_growing and len(self._cases) < nodes:
            goes_on = self._grow_cubes(nodes, budget, visit)

    def _grow_cubes(self, nodes: int, budget: Budget, visit: Visit | None) -> bool:
        """Grow the cases with the smallest bounds in cubes; return whether all could be cut."""
        count, chosen = len(self._cases), list[int]()
        while self.is_growing and len(chosen) * _PART < count:
            chosen.append(heappop(self._open)[1])
        level = self.bound  # cases with larger bounds would not be cut one by one either
        number = max(2 * len(chosen) // self._each, _FEWEST_CUBES)
        hands = deque(chosen[i::number] for i in range(min(number, _MOST_CUBES, len(chosen))))
        most = max(2 * _LARGEST * len(chosen) // len(hands), self._each)
        most = min(most, -(-(nodes - count) // len(hands)))
        try:
            for i in chosen:
                self._visit(self._cases[i], visit)
            problem, goes_on = self._reduced.problem, True
            width, kind = len(problem.bob), type(self).__name__
            shared = [kind, problem.ones, problem.promise, width, self._k, self._chosen]
            cubes = [
                [self.target, most, level, [self._encoded(self._cases[i]) for i in hand]]
                for hand in hands
            ]
            for all_cut, grown in solved(self.cubes, shared, cubes, budget):
                self._graft(hands.popleft(), [self._decoded(data) for data in grown])
                goes_on &= all_cut
        finally:
            for i in (i for hand in hands for i in hand):
                heappush(self._open, (self._cases[i].bound, i))
        return goes_on

    def _graft(self, hand: list[int], grown: list[Kept]) -> None:
        """Replace cases by those at the beginning of a list, and add the other ones."""
        first = len(self._cases) - len(hand)
        self._cases += grown[len(hand) :]
        for i, case in enumerate(grown):
            at = hand[i] if i < len(hand) else first + i
            self._cases[at] = case
            case.parts = tuple(hand[j] if j < len(hand) else first + j for j in case.parts)
            if not case.parts:
                heappush(self._open, (case.bound, at))

    @classmethod
    def cubes(cls, shared: Data) -> Search:
        """Return the search that grows cubes."""
        _, ones, promise, width, messages, chosen = shared
        sides = tuple(range(len(ones))), tuple(range(width))
        problem = CommunicationProblem(*sides, tuple(ones), tuple(promise))
        return cls._empty(reduce_problem(problem), messages, chosen)._grown

    def _grown(self, cube: Data, budget: Budget) -> Data:
        """Return whether all cases could be cut, the grown cases of a cube, and their parts."""
        self._clear()
        self._forget()
        self.target, most, level, cases = cube
        for data in cases:
            self._keep(self._decoded(data))
        all_cut = self._expand(len(cases) + most, level, budget)
        return [all_cut, [self._encoded(case) for case in self._cases]]

    def _is_open(self, case: Kept) -> bool:
        return case.bound < self.target and not case.parts

    @classmethod
    @abstractmethod
    def _empty(cls, reduced: Reduced, messages: int, chosen: Data) -> Self:
        """Return a search without cases."""

    def _forget(self) -> None:
        """Forget earlier solutions from which a solver starts."""

    @abstractmethod
    def _encoded(self, case: Kept) -> Data:
        """Return a case as JSON data; only open cases need all arrays."""

    @abstractmethod
    def _decoded(self, data: Data) -> Kept:
        """Return a case from JSON data."""


def packed(array: Array) -> Data:
    """Return an array as JSON data."""
    return [array.dtype.str, array.shape, b64encode(array.tobytes()).decode()]


def unpacked(data: Data) -> Array:
    """Return the array of `packed`, which cannot be written."""
    kind, shape, text = data
    return np.frombuffer(b64decode(text), kind).reshape(shape)


def joined(arrays: Iterable[Array]) -> str:
    """Return arrays as one text, which is shorter than their `packed` data."""
    return b64encode(b"".join(array.tobytes() for array in arrays)).decode()


def parted(text: str, kind: str, *shapes: tuple[int, ...]) -> list[Array]:
    """Return the arrays of `joined`; the last shape may have the length -1."""
    found, arrays, begin = np.frombuffer(b64decode(text), kind), list[Array](), 0
    for shape in shapes:
        end = begin + prod(shape) if shape[0] >= 0 else len(found)
        arrays.append(found[begin:end].reshape(shape))
        begin = end
    return arrays
