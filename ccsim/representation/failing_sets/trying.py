"""The most weight that few hypotheses meet, by trying them all, and the tree that shows it.

Main definition: `tried`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_

import numpy as np

from ccsim.budget import Budget
from ccsim.classes.masks import members
from ccsim.representation.failing_sets.meeting import meeting_sets, meeting_tree
from ccsim.representation.hitting_sets.branching import Branching, Node, Refutation, Visited
from ccsim.representation.hitting_sets.neighbourhoods import Neighbourhood

__all__ = ["tried"]

_BITS = 60


def tried(
    used: Sequence[Neighbourhood],
    items: Mapping[int, int],
    weights: Sequence[int],
    size: int,
    target: int,
    budget: Budget,
) -> Refutation | tuple[int, ...] | None:
    """Return so many hypotheses that meet more than a target, or else why the best ones do not.

    Sets are compared by rounded weights first, and those that may be best by the exact ones. None
    is returned where the tree is too large for a check.

    Parameters
    ----------
    used : sequence of Neighbourhood
    items : mapping of int to int
        For each mask of neighbourhoods a hypothesis that has it.
    weights : sequence of int
        Of the neighbourhoods.
    size, target : int
    budget : Budget

    Raises
    ------
    OutOfTimeError

    Examples
    --------
    >>> used = [Neighbourhood(0, (1, x)) for x in range(3)]
    >>> items = {0b011: 7, 0b101: 8, 0b110: 9}
    >>> tried(used, items, [1, 1, 3], 1, 3, Budget())
    (8,)
    >>> tried(used, items, [1, 1, 3], 1, 4, Budget()).proof.tree
    (Node(symmetries=(), branches=(), weights=()),)
    """
    masks, number = [*items], len(weights)
    holds = np.array([[mask >> i & 1 for mask in masks] for i in range(number)], bool)
    shift = max(0, sum(weights).bit_length() - _BITS)
    rounded = np.array([weight >> shift for weight in weights])
    *_, best = meeting_sets(holds, rounded, size, -1, budget, rising=True)
    close = int(rounded[holds[:, list(best)].any(1)].sum())
    # each weight is rounded by less than 1, and counts once for each hypothesis at most
    found = meeting_tree(holds, rounded, size, close - size * number * bool(shift), budget)
    if found is None:
        return None

    def union(places: Sequence[int]) -> int:
        return sum(weights[i] for i in members(reduce(or_, (masks[j] for j in places))))

    sets, tree = found
    best = max([best, *sets], key=union)
    most, total = union(best), sum(weights)
    if most > target:
        return tuple(items[masks[j]] for j in best)
    nodes = tuple(Node((), tuple(items[masks[j]] for j in branches)) for branches in tree)
    proof = Branching(tuple(used), (), nodes, tuple(weights))
    return Refutation(proof, [Visited(size, total - most, 0)])
