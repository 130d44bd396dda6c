"""Few hypotheses that meet much weight of neighbourhoods, or a branching tree that bounds it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from ccsim.budget import Budget
from ccsim.classes.masks import members
from ccsim.representation.hitting_sets.branching import Node, Visited
from ccsim.representation.hitting_sets.left import Left
from ccsim.representation.hitting_sets.search import FoundError
from ccsim.representation.hitting_sets.symmetries import Permutation


class MeetingSearch:
    """Looks for few hypotheses that meet neighbourhoods of large total weight."""

    def __init__(
        self,
        items: Mapping[int, int],
        weights: Sequence[int],
        symmetries: Callable[[Sequence[int]], Iterable[Permutation]],
        budget: Budget | None = None,
    ) -> None:
        self._everything = (1 << len(weights)) - 1
        self._left = Left(items, items, self._everything)
        self.weights = tuple(weights)
        self._symmetries = symmetries
        self._budget = budget or Budget()
        self.permutations: dict[Permutation, int] = {}
        self.tree: list[Node] = []
        self.visited: list[Visited] = []

    def exceed(self, size: int, target: int) -> tuple[int, ...] | None:
        """Return ``size`` hypotheses that meet more than a target; None with a tree if none do."""
        self.tree, self.visited = [], []
        try:
            self._visit(self._left.cut(self._everything), self._everything, size, (), target)
        except FoundError as found:
            hypotheses: tuple[int, ...] = found.args[0]
            return hypotheses
        return None

    def _visit(
        self, left: Left, opened: int, size: int, chosen: tuple[int, ...], target: int
    ) -> None:
        """Refute hypotheses beside the chosen ones that meet more of what is open than a target."""
        self._budget.spend()
        if target < 0:
            raise FoundError(chosen)
        place = len(self.tree)
        self.tree.append(Node((), ()))  # until those below it are known
        items = left.items
        totals = {mask: sum(self.weights[i] for i in members(mask)) for mask in items}
        heaviest = sorted(items, key=totals.__getitem__, reverse=True)
        branches: list[int] = []
        moves: list[Permutation] | None = None
        while heaviest and size * totals[heaviest[0]] > target:
            if moves is None:
                moves = left.kept_by(self._symmetries(chosen), self._budget)
            mask = heaviest[0]
            rest = opened & ~mask
            further = (*chosen, items[mask])
            self._visit(left.cut(rest), rest, size - 1, further, target - totals[mask])
            branches.append(items[mask])
            left.drop(mask, rest, moves)
            heaviest = [each for each in heaviest if each in items]
        still = sum(self.weights[i] for i in members(opened))
        met = totals[heaviest[0]] if heaviest else 0
        self.visited.append(Visited(len(chosen), still, met))
        numbers = {self.permutations.setdefault(m, len(self.permutations)) for m in moves or ()}
        self.tree[place] = Node(tuple(sorted(numbers)), tuple(branches))
