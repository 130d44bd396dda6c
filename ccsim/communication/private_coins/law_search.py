"""Branch and bound for trees of simplices whose leaves are relations of Bob's answers.

Each law depends on the messages, which count as inputs of Alice outside the promise. Equations are
combined so that some messages have no part, and hold whatever Bob answers: nothing of his is cut.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from ccsim.communication.private_coins.case_trees import BestFirst
from ccsim.communication.private_coins.dependencies import Relations
from ccsim.communication.private_coins.dependency_search import (
    BITS,
    Array,
    Case,
    DependencySearch,
    is_playable,
)
from ccsim.communication.private_coins.simplex_search import is_small
from ccsim.communication.private_coins.simplices import Bisection, SimplexTree, moves_of, starts
from ccsim.communication.public_coins.domination import Reduced
from ccsim.symmetry.matrix import symmetries_of

__all__ = ["LawSearch", "has_few_laws"]

_RECENT = 60
"""Columns of the last games with which the next one begins."""
_BETTER = 1e-7
"""What a column of a game must pay more to be taken up."""


def has_few_laws(inputs: int, columns: int, messages: int) -> bool:
    """Say whether laws have few enough vertices and equations for this search."""
    if not is_small(inputs, messages) or messages > 5:
        return False
    corners = messages ** max(inputs - messages, 0) * (messages - 1) ** min(inputs, messages)
    equations = sum(1 for _ in _equations(inputs, messages))
    return is_playable(corners, equations * columns)


def _equations(inputs: int, messages: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield laws that can be combined, with the messages that are removed."""
    for size in range(1, min(inputs, messages + 1) + 1):
        for used in combinations(range(inputs), size):
            for removed in combinations(range(inputs, inputs + messages), size - 1):
                yield used, removed


class LawSearch(DependencySearch):
    """The tree that is being grown for a problem without covered inputs, which `has_few_laws`.

    Parameters
    ----------
    reduced : Reduced
    values : array of float
        Its values, ``nan`` outside the promise.
    messages : int
    target : float

    Examples
    --------
    >>> from ccsim.communication.public_coins.domination import reduce_problem
    >>> from ccsim.communication.problem import greater_than
    >>> f = greater_than(3)
    >>> search = LawSearch(
    ...     reduce_problem(f), np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]), 2, target=0.33
    ... )
    >>> search.grow(nodes=1000)
    >>> 0.329 < search.tree().bound(f, 2) < 0.334
    True
    """

    def __init__(self, reduced: Reduced, values: Array, messages: int, target: float) -> None:
        BestFirst.__init__(self, target)
        n, problem = len(values), reduced.problem
        self._reduced, self._k = reduced, messages
        self._equations = list(_equations(n, messages))
        self._labels = (*reduced.rows, *(len(problem.alice) + m for m in range(messages)))
        self._recent = np.zeros(0, dtype=np.intp)
        self._play_with(np.vstack([values, np.full((messages, values.shape[1]), np.nan)]))
        others = [x for x in range(len(problem.alice)) if x not in reduced.rows]
        self._symmetries = symmetries_of(
            problem.ones, len(problem.bob), problem.promise, (others, ())
        )
        ends, first = np.eye(n + messages), Case([], {}, 0.0, np.zeros(0))
        for way in starts(n, messages, moves_of(reduced.rows, self._symmetries)):
            kept = [[n + m for m in range(messages) if way[m] != x] for x in range(n)]
            sides = [side for x in range(n) for side in (ends[[x]], ends[kept[x]])]
            self._roots.append(self._add(sides, first))

    def tree(self) -> SimplexTree:  # type: ignore[override]
        """Return the tree; what lies below a case that needs no cutting is left out."""
        nodes: list[Bisection | Relations] = []
        for case, is_leaf in self._preorder():
            edge = case.cut
            if is_leaf or edge is None:
                nodes.append(self._leaf(case))
            else:
                nodes.append(Bisection(edge.side // 2, edge.first, edge.second))
        return SimplexTree(self._reduced.rows, self._symmetries, 1 << BITS, tuple(nodes))

    def _play(self, paid: Array) -> tuple[Array, Array]:
        """Take up columns as they pay: most have no part, and the last games' are a good start."""
        size = len(paid)
        begin = np.argsort(-paid.mean(axis=0))[:size]
        chosen = np.unique(np.concatenate([self._recent, begin]))
        while True:
            part, chances = super()._play(paid[:, chosen])
            worth = chances @ paid
            least = worth[chosen].max() + _BETTER
            worth[chosen] = -np.inf
            more = np.argsort(-worth)[: (size + 1) // 2]
            more = more[worth[more] > least]
            if not len(more):
                break
            chosen = np.concatenate([chosen, more])
        used = chosen[part > 0]
        others = self._recent[~np.isin(self._recent, used)]
        self._recent = np.concatenate([used, others])[:_RECENT]
        mixed = np.zeros(paid.shape[1])
        mixed[chosen] = part
        return mixed, chances

    def _cut(self, case: Case) -> bool:
        return self._progresses() and self._halve(case)
