"""Few hypotheses that meet every neighbourhood, or a branching tree that shows there are none.

A hypothesis is given by the *mask* of the neighbourhoods that hold it, and at most ``k`` masks are
sought whose union is everything. A node of the search keeps the masks, restricted to what is open,
that lie in no other one. It is refuted by integer weights of open neighbourhoods so large that
``k`` times the heaviest mask does not reach their sum; a linear program suggests them, integers
decide.
Otherwise it branches on the masks that hold one neighbourhood, and drops a mask that has been
refuted together with its images under the symmetries that the node has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from ccsim.budget import Budget
from ccsim.classes.masks import members
from ccsim.programs.game import GrowingGame
from ccsim.representation.hitting_sets.branching import Node, Visited, least_number
from ccsim.representation.hitting_sets.left import Left
from ccsim.representation.hitting_sets.symmetries import Permutation

_SCALES = (1, 6, 60, 2520, 1 << 20)
"""Multiples by which float weights are tried as integers, small ones first."""


class FoundError(Exception):
    """Carries the hypotheses that meet everything."""


class HittingSearch:
    """Looks for few hypotheses that meet every neighbourhood."""

    def __init__(
        self,
        items: Mapping[int, int],
        number: int,
        symmetries: Callable[[Sequence[int]], Iterable[Permutation]],
        budget: Budget | None = None,
    ) -> None:
        self._everything = (1 << number) - 1
        self._left = Left(items, items, self._everything)
        self._symmetries = symmetries
        self._budget = budget or Budget()
        self.permutations: dict[Permutation, int] = {}
        self.tree: list[Node] = []
        self._visited: list[Visited] = []

    @property
    def needed(self) -> int | None:
        """Number of hypotheses that the tree shows to be needed; None if no number is enough."""
        return least_number(self._visited)

    def refute(self, size: int) -> tuple[int, ...] | None:
        """Return at most so many hypotheses that do, or None with a tree that refutes as many."""
        self.tree, self._visited = [], []
        try:
            self._visit(self._left.cut(self._everything), self._everything, size, ())
        except FoundError as found:
            hypotheses: tuple[int, ...] = found.args[0]
            return hypotheses
        return None

    def _visit(self, left: Left, opened: int, size: int, chosen: tuple[int, ...]) -> None:
        self._budget.spend()
        if not opened:
            raise FoundError(chosen)
        place = len(self.tree)
        self.tree.append(Node((), ()))  # until those below it are known
        items = left.items
        branches: list[int] = []
        moves: list[Permutation] = []
        target = 0
        while (weights := _refuting_weights(items, opened, size, self._budget)) is None:
            if not target:
                target = _rarest(items)
                moves = left.kept_by(self._symmetries(chosen), self._budget)
            mask = next(mask for mask in items if mask & target)
            rest = opened & ~mask
            self._visit(left.cut(rest), rest, size - 1, (*chosen, items[mask]))
            branches.append(items[mask])
            self._budget.spend()
            left.drop(mask, rest, moves)
        totals = [sum(w for i, w in weights if mask >> i & 1) for mask in items]
        opened_weight = sum(w for _, w in weights)
        self._visited.append(Visited(len(chosen), opened_weight, max(totals, default=0)))
        numbers = {self.permutations.setdefault(move, len(self.permutations)) for move in moves}
        self.tree[place] = Node(tuple(sorted(numbers)), tuple(branches), weights)


def _rarest(items: Iterable[int]) -> int:
    """Return the neighbourhood that fewest masks hold, as a bit mask."""
    counts: dict[int, int] = {}
    for mask in items:
        for i in members(mask):
            counts[i] = counts.get(i, 0) + 1
    return 1 << min(counts, key=counts.__getitem__)


def _refuting_weights(
    items: Iterable[int], opened: int, size: int, budget: Budget
) -> tuple[tuple[int, int], ...] | None:
    """Return weights of open neighbourhoods whose sum no ``size`` masks reach, if there are any."""
    places = _smallest(items, opened, budget)
    inside = sum(1 << i for i in places)
    masks = {mask & inside for mask in items}
    if _too_few(masks, dict.fromkeys(places, 1), size):
        return tuple((i, 1) for i in places)
    if size < 2 or len(places) == 1:
        return None
    game = GrowingGame(len(places))  # who names a neighbourhood that no mask of the other holds
    for mask in masks:
        game.add_column([r for r, i in enumerate(places) if not mask >> i & 1])
    missed, strategy = game.solve(budget)
    if size * (1 - missed) > 1 - 1e-7:
        return None
    largest = max(strategy)
    for scale in _SCALES:
        budget.spend()
        rounded = {i: round(scale * w / largest) for i, w in zip(places, strategy, strict=True)}
        if _too_few(masks, rounded, size):
            return tuple((i, w) for i, w in rounded.items() if w)
    return None


def _too_few(masks: Iterable[int], weights: Mapping[int, int], size: int) -> bool:
    """Whether no ``size`` masks reach the sum of the weights."""
    heaviest = max((sum(weights[i] for i in members(mask)) for mask in masks), default=0)
    return size * heaviest < sum(weights.values())


def _smallest(items: Iterable[int], opened: int, budget: Budget) -> list[int]:
    """Return the open neighbourhoods that contain no other one; one of them if it is empty."""
    holders = dict.fromkeys(members(opened), 0)
    for j, mask in enumerate(items):
        for i in members(mask):
            holders[i] |= 1 << j
    kept: dict[int, int] = {}
    for i in sorted(holders, key=lambda i: holders[i].bit_count()):
        budget.spend()
        if not holders[i]:
            return [i]
        if all(each & ~holders[i] for each in kept.values()):
            kept[i] = holders[i]
    return list(kept)
