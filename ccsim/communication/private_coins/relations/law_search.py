"""Branch and bound for trees of simplices whose leaves are relations of Bob's answers.

Each law depends on the messages, which count as inputs of Alice outside the promise. Equations are
combined so that some messages have no part, and hold whatever Bob answers: nothing of his is cut.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ccsim.communication.private_coins.case_trees import BestFirst, Halving
from ccsim.communication.private_coins.relations.dependencies import Relations
from ccsim.communication.private_coins.relations.dependency_search import (
    BITS,
    Array,
    Case,
    DependencySearch,
    is_playable,
)
from ccsim.communication.private_coins.relations.equations import number_of_equations
from ccsim.communication.private_coins.relations.games import Games
from ccsim.communication.private_coins.simplex_search import is_small
from ccsim.communication.private_coins.simplices import SimplexTree, moves_of, starts
from ccsim.communication.public_coins.domination import Reduced
from ccsim.symmetry.matrix import symmetries_of


def has_few_laws(inputs: int, columns: int, messages: int) -> bool:
    """Say whether laws have few enough vertices and equations for this search."""
    if not is_small(inputs, messages) or messages > 5:
        return False
    corners = messages ** max(inputs - messages, 0) * (messages - 1) ** min(inputs, messages)
    return is_playable(corners, number_of_equations(inputs, messages) * columns)


class LawSearch(DependencySearch):
    """The tree that is being grown for a problem without covered inputs, which `has_few_laws`."""

    _rounds, _tried = 2, 8

    def __init__(
        self,
        reduced: Reduced,
        values: Array,
        messages: int,
        target: float,
        chosen: tuple[int, ...] | None = None,
    ) -> None:
        BestFirst.__init__(self, target)
        chosen = tuple(range(len(values))) if chosen is None else chosen
        n, problem = len(chosen), reduced.problem
        self._reduced, self._k = reduced, messages
        self._inputs_of_tree = tuple(reduced.rows[x] for x in chosen)
        labels = (*self._inputs_of_tree, *(len(problem.alice) + m for m in range(messages)))
        free = np.full((messages, values.shape[1]), np.nan)
        games = Games(np.vstack([values[list(chosen)], free]), self._rounds)
        self._play_with(games, labels, range(n, n + messages))
        others = [x for x in range(len(problem.alice)) if x not in self._inputs_of_tree]
        self._symmetries = symmetries_of(
            problem.ones, len(problem.bob), problem.promise, (others, ())
        )
        ends, first = np.eye(n + messages), Case([], [], 0.0, np.zeros(0))
        for way in starts(n, messages, moves_of(self._inputs_of_tree, self._symmetries)):
            kept = [[n + m for m in range(messages) if way[m] != x] for x in range(n)]
            sides = [side for x in range(n) for side in (ends[[x]], ends[kept[x]])]
            self._roots.append(self._keep(self._played(sides, first)))

    def tree(self) -> SimplexTree:  # type: ignore[override]
        """Return the tree; what lies below a case that needs no cutting is left out."""
        nodes: list[Halving | Relations] = []
        for case, is_leaf in self._preorder():
            edge = case.cut
            if is_leaf or edge is None:
                nodes.append(self._leaf(case))
            else:
                nodes.append(replace(edge, simplex=edge.simplex // 2))
        return SimplexTree(self._inputs_of_tree, self._symmetries, 1 << BITS, tuple(nodes))

    def _cut(self, case: Case) -> bool:
        return self._halve(case)
