"""Few hypotheses that meet neighbourhoods, or branching trees that show that there are none.

A hypothesis is the *mask* of the neighbourhoods that hold it. A node is refuted by weights of open
neighbourhoods whose sum no ``k`` masks reach; otherwise it branches, and drops a refuted mask with
its images under the symmetries of the node.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from math import ceil
from typing import Any, NamedTuple, Self

from ccsim.budget import Budget
from ccsim.certificates.envelope import encode_integers
from ccsim.classes.masks import members
from ccsim.data import frozen
from ccsim.programs.game import GrowingGame
from ccsim.representation.neighbourhoods import Neighbourhood, Permutation
from ccsim.symmetry.groups import orbit

_SCALES = (1, 6, 60, 2520, 1 << 20)
"""Multiples by which float weights are tried as integers, small ones first."""


@frozen
class Node:
    """One node of a branching tree."""

    # numbers of the permutations that map the masks of the node to one another
    symmetries: tuple[int, ...]
    # the hypotheses chosen in the nodes below it; Later branches, and the weights, are about the
    # masks that are left when what is as good has been dropped
    branches: tuple[int, ...]
    # open neighbourhoods with positive weights; empty in a tree about given weights
    weights: tuple[tuple[int, int], ...] = ()


@frozen
class Branching:
    """A branching tree together with the neighbourhoods and permutations that it refers to."""

    neighbourhoods: tuple[Neighbourhood, ...]
    permutations: tuple[Permutation, ...]  # for each the images of the neighbourhoods
    tree: tuple[Node, ...]  # each is followed by the trees below it, in the order of its branches
    # weights of the neighbourhoods if the tree is about how much weight hypotheses meet; empty if
    # it is about how many hypotheses meet everything
    weights: tuple[int, ...] = ()

    @classmethod
    def trivial(cls, num_points: int) -> Self:
        """Return a proof that sets are not empty, and probabilities not negative."""
        return cls((Neighbourhood.of_point(num_points),), (), (Node((), ()),), (1,))

    def to_json(self, pool: Sequence[int] | None) -> dict[str, Any]:
        """Return the fields of the proof; a pool of None holds all functions on the points."""
        places = None if pool is None else {h: j for j, h in enumerate(pool)}
        tree = []
        for node in self.tree:
            own: list[int] | None = None
            if not self.weights:
                given = dict(node.weights)
                own = [given.get(i, 0) for i in range(len(self.neighbourhoods))]
            branches = [h if places is None else places.get(h, -1) for h in node.branches]
            rest = {"branches": branches, "weights": own and encode_integers(own)}
            tree.append({"symmetries": list(node.symmetries), **rest})
        return {
            "neighbourhoods": [
                [near.concept, encode_integers(near.weights)] for near in self.neighbourhoods
            ],
            "weights": encode_integers(self.weights) or None,
            "symmetries": [list(permutation) for permutation in self.permutations],
            "tree": tree,
        }


class Visited(NamedTuple):
    """What a search knows of a node: what its case leaves to those that are not chosen there."""

    chosen: int  # number of hypotheses
    opened: int  # weight of the neighbourhoods that they do not meet
    met: int  # most of it that one more hypothesis meets


@frozen
class Refutation:
    """A proof about given weights with what it was found to say of its nodes."""

    proof: Branching
    visited: list[Visited]

    def least_number(self, failure: Fraction) -> int | None:
        """Return how many hypotheses it takes to miss at most a share of the weight."""
        return least_number(self.visited, failure * sum(self.proof.weights))


def least_number(nodes: Iterable[Visited], missed: int | Fraction = 0) -> int | None:
    """Return how many hypotheses are needed to miss at most this weight, or None."""
    numbers = []
    for chosen, opened, met in nodes:
        more = ceil(opened - missed)
        if more <= 0 or met:
            numbers.append(chosen + max(0, -(-more // max(met, 1))))
    return min(numbers, default=None)


def most_met(nodes: Iterable[Visited], total: int, size: int) -> int:
    """Return how much of a total weight so many hypotheses meet at most."""
    return max(total - opened + (size - chosen) * met for chosen, opened, met in nodes)


class _Search:
    """Looks for few hypotheses; leaves the tree of its nodes and the permutations that it names."""

    def __init__(
        self,
        items: Mapping[int, int],
        number: int,
        symmetries: Callable[[Sequence[int]], Iterable[Permutation]],
        budget: Budget | None = None,
    ) -> None:
        self._everything = (1 << number) - 1
        self._left = Left(items, items, self._everything)
        self._symmetries, self._budget = symmetries, budget or Budget()
        self.permutations: dict[Permutation, int] = {}
        self.tree: list[Node] = []
        self.visited: list[Visited] = []

    def _numbers(self, moves: Iterable[Permutation]) -> tuple[int, ...]:
        numbers = {self.permutations.setdefault(m, len(self.permutations)) for m in moves}
        return tuple(sorted(numbers))


class HittingSearch(_Search):
    """Looks for few hypotheses that meet every neighbourhood."""

    @property
    def needed(self) -> int | None:
        """Number of hypotheses that the tree shows to be needed; None if no number is enough."""
        return least_number(self.visited)

    def refute(self, size: int) -> tuple[int, ...] | None:
        """Return at most so many hypotheses that do, or None with a tree that refutes as many."""
        self.tree, self.visited = [], []
        return self._visit(self._left.cut(self._everything), self._everything, size, ())

    def _visit(
        self, left: Left, opened: int, size: int, chosen: tuple[int, ...]
    ) -> tuple[int, ...] | None:
        self._budget.spend()
        if not opened:
            return chosen
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
            rest, further = opened & ~mask, (*chosen, items[mask])
            if (found := self._visit(left.cut(rest), rest, size - 1, further)) is not None:
                return found
            branches.append(items[mask])
            self._budget.spend()
            left.drop(mask, rest, moves)
        totals = [sum(w for i, w in weights if mask >> i & 1) for mask in items]
        opened_weight = sum(w for _, w in weights)
        self.visited.append(Visited(len(chosen), opened_weight, max(totals, default=0)))
        self.tree[place] = Node(self._numbers(moves), tuple(branches), weights)
        return None


class MeetingSearch(_Search):
    """Looks for few hypotheses that meet neighbourhoods of large total weight."""

    def __init__(
        self,
        items: Mapping[int, int],
        weights: Sequence[int],
        symmetries: Callable[[Sequence[int]], Iterable[Permutation]],
        budget: Budget | None = None,
    ) -> None:
        super().__init__(items, len(weights), symmetries, budget)
        self.weights = tuple(weights)

    def exceed(self, size: int, target: int) -> tuple[int, ...] | None:
        """Return ``size`` hypotheses that meet more than a target; None with a tree if none do."""
        self.tree, self.visited = [], []
        return self._visit(self._left.cut(self._everything), self._everything, size, (), target)

    def _visit(
        self, left: Left, opened: int, size: int, chosen: tuple[int, ...], target: int
    ) -> tuple[int, ...] | None:
        """Refute hypotheses beside the chosen ones that meet more of what is open than a target."""
        self._budget.spend()
        if target < 0:
            return chosen
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
            missing = target - totals[mask]
            if (found := self._visit(left.cut(rest), rest, size - 1, further, missing)) is not None:
                return found
            branches.append(items[mask])
            left.drop(mask, rest, moves)
            heaviest = [each for each in heaviest if each in items]
        still = sum(self.weights[i] for i in members(opened))
        met = totals[heaviest[0]] if heaviest else 0
        self.visited.append(Visited(len(chosen), still, met))
        self.tree[place] = Node(self._numbers(moves or ()), tuple(branches))
        return None


class Left:
    """What a node may still choose from: the largest masks, and all, as the check of a tree has."""

    def __init__(self, items: Mapping[int, int], masks: Iterable[int], opened: int) -> None:
        self.items = undominated(items, opened)
        self.masks = {mask & opened for mask in masks}

    def cut(self, opened: int) -> Left:
        """Return what is left where less is open."""
        return Left(self.items, self.masks, opened)

    def kept_by(self, moves: Iterable[Permutation], budget: Budget) -> list[Permutation]:
        """Return the permutations that keep it."""
        moves = preserving(moves, self.items, budget)
        return preserving(moves, self.masks, budget)

    def drop(self, mask: int, rest: int, moves: Sequence[Permutation]) -> None:
        """Drop a mask, and all within what it closes, with their images."""
        for image in orbit(mask, moves, image_of):
            self.items.pop(image, None)
        for within in [each for each in self.masks if not each & rest]:
            if within in self.masks:
                images = orbit(within, moves, image_of)
                self.masks.difference_update(images)


def undominated(items: Mapping[int, int], opened: int) -> dict[int, int]:
    """Restrict masks to what is open and keep those that are not empty and lie in no other one."""
    restricted: dict[int, int] = {}
    for mask, row in items.items():
        restricted.setdefault(mask & opened, row)
    kept: dict[int, int] = {}
    for mask in sorted(restricted, key=int.bit_count, reverse=True):
        if mask and all(mask & ~other for other in kept):
            kept[mask] = restricted[mask]
    return kept


def preserving(
    moves: Iterable[Permutation], items: Collection[int], budget: Budget
) -> list[Permutation]:
    """Return the permutations that map masks to one another."""
    found = []
    for move in moves:
        budget.spend()
        if all(image_of(mask, move) in items for mask in items):
            found.append(move)
    return found


def image_of(mask: int, permutation: Permutation) -> int:
    """Return the image of a set."""
    return sum(1 << permutation[i] for i in members(mask))


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
