"""Few hypotheses that meet much weight of neighbourhoods, or a branching tree that bounds it.

Main definition: `MeetingSearch`, the best answer to a mixture of neighbourhoods.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from ccsim.budget import Budget
from ccsim.classes.masks import members
from ccsim.representation.hitting_sets.branching import Node
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

    Examples
    --------
    >>> search = MeetingSearch({0b011: 7, 0b101: 8, 0b110: 9}, [1, 1, 3], lambda chosen: [])
    >>> search.exceed(1, 3), search.exceed(1, 4)
    ((8,), Node(symmetries=(), branches=(), weights=()))
    """

    def __init__(
        self,
        items: Mapping[int, int],
        weights: Sequence[int],
        symmetries: Callable[[Sequence[int]], Iterable[Permutation]],
        budget: Budget | None = None,
    ) -> None:
        self._everything = (1 << len(weights)) - 1
        self._items = undominated(items, self._everything)
        self._weights = weights
        self._symmetries = symmetries
        self._budget = budget or Budget()
        self.permutations: dict[Permutation, int] = {}

    def exceed(self, size: int, target: int) -> Node | tuple[int, ...]:
        """Return ``size`` hypotheses that meet more than a target, or a tree that refutes them."""
        try:
            return self._visit(dict(self._items), self._everything, size, (), target)
        except FoundError as found:
            hypotheses: tuple[int, ...] = found.args[0]
            return hypotheses

    def _visit(
        self, items: dict[int, int], opened: int, size: int, chosen: tuple[int, ...], target: int
    ) -> Node:
        """Refute hypotheses beside the chosen ones that meet more of what is open than a target."""
        self._budget.spend()
        if target < 0:
            raise FoundError(chosen)
        totals = {mask: sum(self._weights[i] for i in members(mask)) for mask in items}
        heaviest = sorted(items, key=totals.__getitem__, reverse=True)
        branches: list[tuple[int, Node]] = []
        moves: list[Permutation] | None = None
        while sum(totals[mask] for mask in heaviest[:size]) > target:
            if moves is None:
                moves = preserving(self._symmetries(chosen), items, self._budget)
            mask = heaviest[0]
            rest = opened & ~mask
            child = self._visit(
                undominated(items, rest),
                rest,
                size - 1,
                (*chosen, items[mask]),
                target - totals[mask],
            )
            branches.append((items[mask], child))
            for image in orbit(mask, moves, image_of):
                del items[image]
            heaviest = [each for each in heaviest if each in items]
        numbers = {self.permutations.setdefault(m, len(self.permutations)) for m in moves or ()}
        return Node(tuple(sorted(numbers)), tuple(branches))
