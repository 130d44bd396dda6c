"""Small sets of hypotheses that hit neighbourhoods, or trees that prove that none exist.

The *mask* of a hypothesis is the set of the neighbourhoods that contain it; a neighbourhood is
*open* if it contains no chosen hypothesis. A node is refuted by weights of open neighbourhoods such
that no ``k`` hypotheses hit all the weight. Otherwise it branches on a mask, which is then dropped
together with its images under the symmetries of the node.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import ceil
from typing import Any, NamedTuple, Self

from ccsim.budget import Budget, OutOfWorkError
from ccsim.certificates.envelope import encode_integers
from ccsim.classes.masks import members
from ccsim.data import frozen
from ccsim.programs.game import GrowingGame
from ccsim.representation.neighbourhoods import Neighbourhood, Permutation
from ccsim.symmetry.groups import orbit

_SCALES = (1, 6, 60, 2520, 1 << 20)
"""Factors by which float weights are scaled and rounded, tried in order."""


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
    """A branching tree with the neighbourhoods and permutations to which it refers."""

    neighbourhoods: tuple[Neighbourhood, ...]
    permutations: tuple[Permutation, ...]  # for each the images of the neighbourhoods
    tree: tuple[Node, ...]  # each is followed by the trees below it, in the order of its branches
    # weights of the neighbourhoods if the tree is about how much weight hypotheses meet; empty if
    # it is about how many hypotheses meet everything
    weights: tuple[int, ...] = ()

    @classmethod
    def trivial(cls, num_points: int) -> Self:
        """Return a proof of the trivial bounds: sizes are at least 1, probabilities at least 0."""
        return cls((Neighbourhood.of_point(num_points),), (), (Node((), ()),), (1,))

    def to_json(self, pool: Sequence[int] | None) -> dict[str, Any]:
        """Return the fields of the proof; ``pool`` is None for all functions on the points."""
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
    """The data of a visited node that determine its bound."""

    chosen: int  # number of hypotheses
    opened: int  # weight of the neighbourhoods that they do not meet
    met: int  # most of it that one more hypothesis meets


@frozen
class Refutation:
    """A proof for given weights of the neighbourhoods, with the data of its nodes."""

    proof: Branching
    visited: list[Visited]

    def least_number(self, failure: Fraction) -> int | None:
        """Return the number of hypotheses needed to miss at most this part of the weight, or None.

        None means that no number suffices.
        """
        return least_number(self.visited, failure * sum(self.proof.weights))


def least_number(nodes: Iterable[Visited], missed: int | Fraction = 0) -> int | None:
    """Return the number of hypotheses needed to miss weight at most ``missed``, or None.

    None means that no number suffices.
    """
    numbers = []
    for chosen, opened, met in nodes:
        more = ceil(opened - missed)
        if more <= 0 or met:
            numbers.append(chosen + max(0, -(-more // max(met, 1))))
    return min(numbers, default=None)


def most_met(nodes: Iterable[Visited], total: int, size: int) -> int:
    """Return an upper bound on the weight that ``size`` hypotheses hit."""
    return max(total - opened + (size - chosen) * met for chosen, opened, met in nodes)


class _Search:
    """Base class of searches for small sets of hypotheses that build a proof tree."""

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

    def number(self, move: Permutation) -> int:
        """Return the number of a permutation in the proof."""
        return self.permutations.setdefault(move, len(self.permutations))

    def _numbers(self, moves: Iterable[Permutation]) -> tuple[int, ...]:
        return tuple(sorted({self.number(m) for m in moves}))


class HittingSearch(_Search):
    """A search for a small set of hypotheses that hits every neighbourhood."""

    _work: int | None = None  # that is left, if it is limited

    @property
    def needed(self) -> int | None:
        """Number of hypotheses that the tree proves necessary; None if no number suffices."""
        return least_number(self.visited)

    def everything(self, size: int) -> Case:
        """Return the case that no hypothesis has been chosen."""
        return Case(self._left.cut(self._everything), self._everything, size, ())

    def begin(self, work: int | None = None) -> None:
        """Begin a new tree, with a limit of work: the sum of masks times neighbourhoods."""
        self.tree, self.visited, self.permutations, self._work = [], [], {}, work

    def open(self) -> int:
        """Add a node to the tree that is written later; return its place."""
        self.tree.append(Node((), ()))
        return len(self.tree) - 1

    def refute(self, size: int, work: int | None = None) -> tuple[int, ...] | None:
        """Return at most ``size`` hypotheses that hit all neighbourhoods.

        Return None if the tree now proves that there are none.
        """
        self.begin(work)
        return self.visit(self.everything(size))

    def visit(self, case: Case) -> tuple[int, ...] | None:
        """Return a set of the case that hits all neighbourhoods, or None and extend the tree."""
        self._budget.spend()
        if not case.opened:
            return case.chosen
        if self._work is not None:
            self._work -= len(case.left.items) * case.opened.bit_count()
            if self._work < 0:
                raise OutOfWorkError
        place, branches = self.open(), Branches(case)
        for each in self.cases(branches):
            if (found := self.visit(each)) is not None:
                return found
        self.keep(place, branches)
        return None

    def cases(self, branches: Branches) -> Iterator[Case]:
        """Yield the cases of the branches of a node, until weights refute its remaining masks."""
        left, opened, size, chosen = branches.case
        items = left.items
        target = 0
        while (weights := _refuting_weights(items, opened, size, self._budget)) is None:
            if not target:
                target = _rarest(items)
                branches.moves = left.kept_by(self._symmetries(chosen), self._budget)
            mask = next(mask for mask in items if mask & target)
            rest = opened & ~mask
            yield Case(left.cut(rest), rest, size - 1, (*chosen, items[mask]))
            branches.hypotheses.append(items[mask])
            self._budget.spend()
            left.drop(mask, rest, branches.moves)
        branches.weights = weights

    def keep(self, place: int, branches: Branches) -> None:
        """Write a node whose branches have been refuted to its place in the tree."""
        case, weights = branches.case, branches.weights
        totals = [sum(w for i, w in weights if mask >> i & 1) for mask in case.left.items]
        opened_weight = sum(w for _, w in weights)
        self.visited.append(Visited(len(case.chosen), opened_weight, max(totals, default=0)))
        numbers = self._numbers(branches.moves)
        self.tree[place] = Node(numbers, tuple(branches.hypotheses), weights)


class MeetingSearch(_Search):
    """A search for a small set of hypotheses that hits neighbourhoods of large total weight."""

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
        """Return ``size`` hypotheses that hit weight above ``target``.

        Return None if the tree now proves that there are none.
        """
        self.tree, self.visited = [], []
        return self._visit(self._left.cut(self._everything), self._everything, size, (), target)

    def _visit(
        self, left: Left, opened: int, size: int, chosen: tuple[int, ...], target: int
    ) -> tuple[int, ...] | None:
        """Search for ``size`` further hypotheses that hit open weight above ``target``."""
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


class Case(NamedTuple):
    """A case of a search for a set that hits every neighbourhood."""

    left: Left
    opened: int
    size: int  # of the hypotheses that may still be chosen
    chosen: tuple[int, ...]


class Branches:
    """The branches of a node, and the weights that refute its remaining masks."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.moves: list[Permutation] = []
        self.hypotheses: list[int] = []
        self.weights: tuple[tuple[int, int], ...] = ()


class Left:
    """The remaining masks of a node: the maximal masks, and all masks (for the kernel's check)."""

    def __init__(self, items: Mapping[int, int], masks: Iterable[int], opened: int) -> None:
        self.items = undominated(items, opened)
        self.masks = {mask & opened for mask in masks}

    def cut(self, opened: int) -> Left:
        """Return the remaining masks, restricted to fewer open neighbourhoods."""
        return Left(self.items, self.masks, opened)

    def kept_by(self, moves: Iterable[Permutation], budget: Budget) -> list[Permutation]:
        """Return the permutations that preserve the remaining masks."""
        moves = preserving(moves, self.items, budget)
        return preserving(moves, self.masks, budget)

    def drop(self, mask: int, rest: int, moves: Sequence[Permutation]) -> None:
        """Drop a mask and all masks contained in it, with their images."""
        for image in orbit(mask, moves, image_of):
            self.items.pop(image, None)
        for within in [each for each in self.masks if not each & rest]:
            if within in self.masks:
                images = orbit(within, moves, image_of)
                self.masks.difference_update(images)


def undominated(items: Mapping[int, int], opened: int) -> dict[int, int]:
    """Restrict masks to open neighbourhoods; keep the nonempty masks maximal under inclusion."""
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
    """Return the permutations that map the set of masks to itself."""
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
    """Return the neighbourhood contained in the fewest masks, as a bit mask."""
    counts: dict[int, int] = {}
    for mask in items:
        for i in members(mask):
            counts[i] = counts.get(i, 0) + 1
    return 1 << min(counts, key=counts.__getitem__)


def _refuting_weights(
    items: Iterable[int], opened: int, size: int, budget: Budget
) -> tuple[tuple[int, int], ...] | None:
    """Return weights of open neighbourhoods that no ``size`` masks hit entirely, or None."""
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
    """Whether the heaviest mask proves that no ``size`` masks hit all the weight."""
    heaviest = max((sum(weights[i] for i in members(mask)) for mask in masks), default=0)
    return size * heaviest < sum(weights.values())


def _smallest(items: Iterable[int], opened: int, budget: Budget) -> list[int]:
    """Return the minimal open neighbourhoods under inclusion; if any is empty, only that one."""
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
