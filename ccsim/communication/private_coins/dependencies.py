"""Trees of dependencies among distributions: lower bounds on the error of private-coin protocols.

With ``k`` messages, any ``k + 1`` distributions of Alice split into two sets with a common average
(Radon's theorem). Trees confine the weights of the averages to simplices. The rules are in
`docs/certificates.md`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from operator import itemgetter
from typing import Any, TypeAlias

import numpy as np

from ccsim.appearance import one_line
from ccsim.budget import Budget
from ccsim.certificates.envelope import encode_integers
from ccsim.communication.private_coins.case_trees import (
    BestFirst,
    Halving,
    Vertices,
    least_bound,
    most_promising,
)
from ccsim.communication.private_coins.equations import (
    Equations,
    Games,
    Weighed,
    number_of_equations,
)
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.public_coins.domination import Reduced
from ccsim.data import frozen
from ccsim.errors import CertificateError
from ccsim.kernel import Rejected
from ccsim.kernel.partitions import related
from ccsim.kernel.reader import Matrix
from ccsim.kernel.rules import WORK, Work
from ccsim.texts.labels import text_row

Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]
_Sides: TypeAlias = tuple[Vertices, ...]

_MOST_CORNERS = 256
_MOST_PAYOFFS = 200_000
BITS = 16  # of the unit: as often at most an edge is halved
_SCALE = 1 << 60  # of weights, which are large where determinants are small
_PAUSE, _PROGRESS = 400, 0.05  # the search ends if so many cases do not make this part of the way
_UNSEEN = 0.1  # what vertices that the game does not choose count for where an edge is chosen
_COMPARED, _NO_GAIN = 0.4, 0.1  # how good edges that are tried are; worth of no gain
_FLAT = 1.01 * _NO_GAIN**2  # what halves count that gain next to nothing
_ORDERS, _TRIED = 10, 60  # of inputs, at most, and the cases of a tree in each of them at first


@frozen
class Dependence:
    """A node that states a dependency: the averages of two sets of distributions coincide."""

    inputs: tuple[int, ...]  # of Alice, one more than there are messages

    def sides(self, unit: int, rows: int) -> Iterator[_Sides]:
        """Yield, for each split of the inputs, the vertices of the weights in both averages."""
        ends = [tuple(unit * (x == i) for x in range(rows)) for i in self.inputs]
        for number in range(1, 1 << (len(ends) - 1)):
            chosen = [number >> t & 1 for t in range(len(ends))]
            yield tuple(
                tuple(e for e, c in zip(ends, chosen, strict=True) if c == side) for side in (1, 0)
            )


@frozen
class Relation:
    """A linear equation for the probabilities of Bob's answers in one column, with a weight."""

    column: int
    weight: int  # of any sign
    dependencies: tuple[int, ...]  # distinct; combined so that what is removed has no part
    removed: tuple[int, ...] = ()  # inputs of Alice, one fewer than there are dependencies


@frozen
class Relations:
    """A leaf: weighted equations whose sum contradicts a small error."""

    listed: tuple[Relation, ...]

    def least_error(
        self, sides: _Sides, problem: CommunicationProblem, messages: int = 0
    ) -> Fraction:
        """Return the minimum error at which the weighted equations can sum to 0.

        The minimum is over the choices of a vertex for each average.
        """
        token = WORK.set(Work())
        try:
            cases = [[list(vertex) for vertex in side] for side in sides]
            return related(_with_messages(problem, messages), self.to_json()["relations"], cases)
        except Rejected as error:
            raise CertificateError(str(error)) from None
        finally:
            WORK.reset(token)

    def to_json(self) -> dict[str, Any]:
        """Return the leaf for use in a certificate."""
        return {
            "relations": [
                [r.column, *encode_integers([r.weight]), [*r.dependencies], [*r.removed]]
                for r in self.listed
            ]
        }


@lru_cache(maxsize=8)
def _with_messages(problem: CommunicationProblem, messages: int) -> Matrix:
    """Return the matrix of a problem, extended by a row outside the promise for each message."""
    width = len(problem.bob)
    both = zip(problem.ones, problem.promise, strict=True)
    rows = [text_row(ones, width, inside) for ones, inside in both]
    return Matrix("", [*rows, *["*" * width] * messages], width)


@frozen
class DependencyTree:
    """A lower bound for private coins: a tree of cases in preorder.

    Attributes
    ----------
    unit : int
        Sum of the weights in each average.
    nodes : tuple of Dependence or Halving or Relations
        Nodes of the tree in preorder.
    """

    unit: int
    nodes: tuple[Dependence | Halving | Relations, ...]

    def bound(
        self, problem: CommunicationProblem, messages: int, budget: Budget | None = None
    ) -> Fraction:
        """Return the minimum of the bounds at the leaves."""

        def prove(sides: _Sides, node: Dependence | Halving | Relations) -> Fraction | list[_Sides]:
            if isinstance(node, Relations):
                return node.least_error(sides, problem)
            if isinstance(node, Halving):
                return node.parts(sides)
            known = all(0 <= x < len(problem.alice) for x in node.inputs)
            if not known or not len({*node.inputs}) == len(node.inputs) == messages + 1:
                raise CertificateError(
                    f"a dependency must have {messages + 1} distinct inputs, not {node.inputs}"
                )
            return [(*sides, *more) for more in node.sides(self.unit, len(problem.alice))]

        first: list[_Sides] = [()]
        return least_bound(self.nodes, first, prove, budget)

    def lower_proof(self, problem: CommunicationProblem, messages: int) -> dict[str, Any]:
        """Return the proof for use in a certificate."""
        nodes = [
            {"inputs": list(n.inputs)} if isinstance(n, Dependence) else n.to_json()
            for n in self.nodes
        ]
        (unit,) = encode_integers([self.unit])
        return {"dependencies": {"unit": unit, "nodes": nodes}}


def is_dependent(inputs: int, columns: int, messages: int) -> bool:
    """Return whether there are more distributions than messages, but few enough for this search."""
    number = inputs - messages
    if not 1 <= messages < inputs or number > 4 or messages > 6:
        return False
    half = (messages + 1) // 2
    corners = (half * (messages + 1 - half)) ** number
    return is_playable(corners, number_of_equations(number, messages) * columns)


def is_playable(corners: int, equations: int) -> bool:
    """Return whether a game over all vertices and equations is small enough."""
    return corners <= _MOST_CORNERS and corners * equations * 2 <= _MOST_PAYOFFS


@one_line
@dataclass(slots=True)
class Case:
    """The vertices of the averages in a case, its bound with weights, and its parts after a cut."""

    sides: list[Floats]
    weights: list[Weighed]
    bound: float
    chances: Floats
    cut: Halving | None = None
    parts: tuple[int, ...] = field(default=())


class DependencySearch(BestFirst[Case]):
    """The growing tree of a problem without dominated inputs that satisfies `is_dependent`."""

    _suggests = False
    _rounds, _tried = 1, 1  # games for a case, and edges of which the halves are compared

    def __init__(
        self,
        reduced: Reduced,
        values: Floats,
        messages: int,
        target: float,
        first: tuple[int, ...] = (),
    ) -> None:
        super().__init__(target)
        self._reduced, self._k, self._number = reduced, messages, len(values) - messages
        order = [*first, *(x for x in range(len(values)) if x not in first)]
        labels = tuple(reduced.rows[x] for x in order)
        self._play_with(Games(values[order], self._rounds), labels, range(messages))
        self._roots = [self._keep(Case([], [], 0.0, np.zeros(0)))]

    def _play_with(self, games: Games, labels: tuple[int, ...], removable: range) -> None:
        """Prepare the games; `labels` are the inputs as numbered in certificates."""
        self._labels, self._games = labels, games
        self._equations = [Equations(n, removable) for n in range(len(labels) + 1)]
        self._pause = _PAUSE, 0.0

    def tree(self) -> DependencyTree:
        """Return the tree, pruned below cases that need no cut."""
        nodes: list[Dependence | Halving | Relations] = []
        for case, is_leaf in self._preorder():
            if is_leaf:
                nodes.append(self._leaf(case))
            elif case.cut is None:
                last = self._labels[self._k + len(case.sides) // 2]
                nodes.append(Dependence((*self._labels[: self._k], last)))
            else:
                nodes.append(case.cut)
        return DependencyTree(1 << BITS, tuple(nodes))

    def _leaf(self, case: Case) -> Relations:
        """Round the weights of equations to integers, scaled up if dependencies are few."""
        most = max((abs(w) for _, _, w in case.weights), default=1.0)
        columns, listed = self._reduced.columns, []
        longest = max((len(used) for _, (used, _), _ in case.weights), default=1)
        for y, (used, removed), weight in case.weights:
            if w := round(weight / most * _SCALE):
                w <<= BITS * (longest - len(used))
                listed.append(
                    Relation(columns[y], w, used, tuple(self._labels[x] for x in removed))
                )
        return Relations(tuple(listed))

    def _cut(self, case: Case) -> bool:
        """Add a dependency of the next input and the first `k` ones, or halve the best edge."""
        number, n = len(case.sides) // 2, len(self._labels)
        if not self._progresses():
            return False
        if number < self._number:
            ends = np.eye(n)[[*range(self._k), self._k + number]]
            divisions = range(1, 1 << self._k)
            chosen = [[d >> t & 1 == 1 for t in range(self._k + 1)] for d in divisions]
            sides = [[*case.sides, ends[c], ends[[not b for b in c]]] for c in chosen]
            self._take(case, [self._played(each, case) for each in sides])
            return True
        return self._halve(case)

    def _halve(self, case: Case) -> bool:
        """Halve the edge with the largest gain among a few, or the longest if none gains."""
        most, left, edges = -1.0, self.target - case.bound, self._edges(case)
        if not edges:
            return False
        for worth, _, edge in edges[: self._tried]:
            if worth < _COMPARED * edges[0][0]:
                break
            halves = [self._played(sides, case) for sides in _halves(case, edge)]
            gains = [min((half.bound - case.bound) / left, 1.0) for half in halves]
            product = (gains[0] + _NO_GAIN) * (gains[1] + _NO_GAIN)
            if product > most:
                most, case.cut, best = product, edge, halves
            if min(gains) == 1.0:  # no edge is better
                break
        if self._tried > 1 and most < _FLAT:
            case.cut = max(edges, key=itemgetter(1, 0))[2]
            best = [self._played(sides, case) for sides in _halves(case, case.cut)]
        self._take(case, best)
        return True

    def _take(self, case: Case, parts: list[Case]) -> None:
        case.parts = tuple(self._keep(part) for part in parts)
        case.chances = np.zeros(0)

    def _progresses(self) -> bool:
        """Return whether the bound increases; otherwise, the target is out of reach."""
        pause, before = self._pause
        if len(self._cases) < pause:
            return True
        self._pause = pause + _PAUSE, self.bound
        return self.bound - before > _PROGRESS * (self.target - before)

    def _edges(self, case: Case) -> list[tuple[float, float, Halving]]:
        """Return value, length and position of the edges, best first.

        An edge is more valuable if it is long and the mixture uses both of its ends.
        """
        least, found = 2.0 ** (1 - BITS), []
        sizes = [len(side) for side in case.sides]
        chances = case.chances.reshape(sizes)
        for i, side in enumerate(case.sides):
            share = np.sqrt(chances.sum(axis=tuple(j for j in range(len(sizes)) if j != i)))
            for s, t in combinations(range(len(side)), 2):
                length = float(np.abs(side[s] - side[t]).max())
                worth = length * (_UNSEEN + share[s] * share[t])
                middle = (side[s] + side[t]) * (1 << BITS - 1)
                if worth > least and not np.any(middle % 1):  # of integers, as certificates ask
                    found.append((float(worth), length, Halving(i, s, t)))
        return sorted(found, key=itemgetter(0), reverse=True)

    def _played(self, sides: list[Floats], parent: Case) -> Case:
        """Return a case with its bound; the weights of its parent are also valid for it."""
        equations = self._equations[len(sides) // 2]
        bound, weights, chances = self._games.mixture(
            equations, sides, self.target, parent.bound, parent.chances
        )
        return Case(sides, weights or parent.weights, bound, chances)


def _halves(case: Case, edge: Halving) -> list[list[Floats]]:
    """Return the vertices of the two parts, as `Halving.parts` does, in floats."""
    i, side, sides = edge.simplex, case.sides[edge.simplex], []
    for gone in (edge.second, edge.first):
        part = side.copy()
        part[gone] = side[[edge.first, edge.second]].mean(axis=0)
        sides.append([*case.sides[:i], part, *case.sides[i + 1 :]])
    return sides


def in_best_order(
    reduced: Reduced, values: Floats, messages: int, target: float, budget: Budget | None = None
) -> DependencySearch:
    """Begin a tree for several orders of the inputs, and return the most promising one."""
    firsts = list(combinations(range(len(values)), messages))
    searches = [
        DependencySearch(reduced, values, messages, target, first)
        for first in firsts[:: -(-len(firsts) // _ORDERS)]
    ]
    return most_promising(searches, _TRIED, budget)
