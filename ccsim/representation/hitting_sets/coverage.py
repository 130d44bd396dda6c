"""Few hypotheses that meet much weight of neighbourhoods, or a branching tree that bounds it.

Main definition: `MeetingSearch`, the best answer to a mixture of neighbourhoods.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from ccsim.budget import Budget
from ccsim.classes.masks import members
from ccsim.representation.hitting_sets.branching import Node, Visited
from ccsim.representation.hitting_sets.search import FoundError, image_of, preserving, undominated
from ccsim.representation.hitting_sets.symmetries import Permutation
from ccsim.symmetry.subsets import orbit

__all__ = ["MeetingSearch"]


class MeetingSearch:
    """Looks for few hypotheses that meet neighbourhoods of large total weight.

    Parameters
    ----------
    items : mapping of int to int
        For each mask a hypothesis that has it.
    weights : sequence of int
        Of the neighbourhoods.
    symmetries, budget
        As for `HittingSearch`; symmetries preserve the weights.

    Attributes
    ----------
    permutations : dict of Permutation to int
    tree : list of Node
        The last refutation.
    visited : list of Visited
        Its nodes, in another order.

    Examples
    --------
    >>> search = MeetingSearch({0b011: 7, 0b101: 8, 0b110: 9}, [1, 1, 3], lambda chosen: [])
    >>> search.exceed(1, 3), search.exceed(1, 4), search.visited
    ((8,), None, [Visited(chosen=0, opened=5, met=4)])
    """

    def __init__(
        self,
        items: Mapping[int, int],
        weights: Sequence[int],
        symmetries: Callable[[Sequence[int]], Iterable[Permutation]],
        budget: Budget | None = None,
    ) -> None:
        self._everything = (1 << len(weights)) - 1
        self._items, self._masks = undominated(items, self._everything), set(items)
        self._weights = weights
        self._symmetries = symmetries
        self._budget = budget or Budget()
        self.permutations: dict[Permutation, int] = {}
        self.tree: list[Node] = []
        self.visited: list[Visited] = []

    def exceed(self, size: int, target: int) -> tuple[int, ...] | None:
        """Return ``size`` hypotheses that meet more than a target; None with a tree if none do."""
        self.tree, self.visited = [], []
        try:
            everything = dict(self._items), set(self._masks)
            self._visit(everything, self._everything, size, (), target)
        except FoundError as found:
            hypotheses: tuple[int, ...] = found.args[0]
            return hypotheses
        return None

    def _visit(
        self,
        left: tuple[dict[int, int], set[int]],
        opened: int,
        size: int,
        chosen: tuple[int, ...],
        target: int,
    ) -> None:
        """Refute hypotheses beside the chosen ones that meet more of what is open than a target.

        What is left is the largest masks and all masks: symmetries are to keep both, as a check
        of the tree does not ask which are largest.
        """
        self._budget.spend()
        if target < 0:
            raise FoundError(chosen)
        place = len(self.tree)
        self.tree.append(Node((), ()))  # until those below it are known
        items, masks = left
        totals = {mask: sum(self._weights[i] for i in members(mask)) for mask in items}
        heaviest = sorted(items, key=totals.__getitem__, reverse=True)
        branches: list[int] = []
        moves: list[Permutation] | None = None
        while heaviest and size * totals[heaviest[0]] > target:
            if moves is None:
                moves = preserving(self._symmetries(chosen), items, self._budget)
                moves = preserving(moves, masks, self._budget) if moves else moves
            mask = heaviest[0]
            rest = opened & ~mask
            self._visit(
                (undominated(items, rest), {each & rest for each in masks}),
                rest,
                size - 1,
                (*chosen, items[mask]),
                target - totals[mask],
            )
            branches.append(items[mask])
            for image in orbit(mask, moves, image_of):
                del items[image]
            for each in [each for each in masks if not each & rest]:
                if each in masks:
                    images = orbit(each, moves, image_of)
                    masks.difference_update(images)
            heaviest = [each for each in heaviest if each in items]
        still = sum(self._weights[i] for i in members(opened))
        met = totals[heaviest[0]] if heaviest else 0
        self.visited.append(Visited(len(chosen), still, met))
        numbers = {self.permutations.setdefault(m, len(self.permutations)) for m in moves or ()}
        self.tree[place] = Node(tuple(sorted(numbers)), tuple(branches))
