"""Trees of simplices of distributions: lower bounds on the error of private-coin protocols.

Without loss of generality, each message has probability 0 on some input of Alice, so her
distributions start on faces of the simplex. Cases halve simplices or cut ranges of Bob's answers.
The rules are in `docs/certificates.md`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple, dataclass, replace
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, floor, gcd, log2
from typing import Any, Self, TypeAlias

import numpy as np

from ccsim.budget import Budget
from ccsim.certificates.envelope import encode_integers
from ccsim.communication.private_coins.case_cubes import CubeTree, joined, packed, parted, unpacked
from ccsim.communication.private_coins.case_trees import (
    BestFirst,
    Halving,
    Tables,
    Vertices,
    least_bound,
)
from ccsim.communication.private_coins.dependencies import (
    BITS,
    Case,
    DependencySearch,
    Relations,
    is_playable,
)
from ccsim.communication.private_coins.equations import Games, number_of_equations
from ccsim.communication.private_coins.mixtures import best_cut, best_mixture
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.public_coins.domination import Reduced
from ccsim.data import frozen
from ccsim.errors import CertificateError
from ccsim.parallel.cubes import Data
from ccsim.symmetry.groups import orbits_of
from ccsim.symmetry.matrix import Symmetry, symmetries_of

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
Start: TypeAlias = tuple[int, ...]

_MOST_CHOICES = 4096
_MOST_STARTS = 400
_BITS = 30  # of the unit: as often at most an edge is halved
_SCALE = 1 << 24
_SLACK = 0.003
_ANSWERS = 1.2  # how much is made of what an answer varies, compared with a law
_PULL = 0.5  # how far a cut of an answer moves from the middle towards the mean of the mixture
# Before cubes are formed, the work is about 1 s: choices of vertices, or payoffs of games. A case
# counts for some more of them.
_ALONE, _ALONE_IN_GAMES, _ANYWAY = 12_000_000, 4_000_000, 4000
_UNSEEN = 0.002  # Inputs of weight 0 may matter in the next case


@frozen
class Cut:
    """A node that cuts the range of the probability that Bob answers 1."""

    number: int  # input of Bob
    message: int  # what he hears
    at: int  # strictly inside the range, in parts of the unit


@frozen
class Weights:
    """A leaf: the weights of the inputs whose average error is bounded."""

    rows: tuple[tuple[int, ...], ...]  # for each input of Alice in the tree, of all of Bob's


@dataclass(frozen=True, slots=True)
class _Confined:
    """The sets to which distributions and answers are confined, in integer units."""

    distributions: tuple[Vertices, ...]
    answers: tuple[tuple[tuple[int, int], ...], ...]

    def parts(self, node: Halving | Cut) -> Iterator[_Confined]:
        """Yield the two cases of a node."""
        if isinstance(node, Halving):
            for distributions in node.parts(self.distributions):
                yield _Confined(distributions, self.answers)
        else:
            row = self.answers[node.number]
            low, high = row[node.message]
            if not low < node.at < high:
                raise CertificateError(f"{node} must cut strictly between {low} and {high}")
            for ends in ((low, node.at), (node.at, high)):
                changed = (*row[: node.message], ends, *row[node.message + 1 :])
                answers = (*self.answers[: node.number], changed, *self.answers[node.number + 1 :])
                yield _Confined(self.distributions, answers)


def starts(inputs: int, messages: int, moves: tuple[tuple[int, ...], ...] = ()) -> list[Start]:
    """Return all choices, for each message, of an input that never sends it, up to symmetry."""
    ways = [w for w in combinations_with_replacement(range(inputs), messages) if w[0] < w[-1]]
    images = [[(w, tuple(sorted(move[i] for i in w))) for w in ways] for move in moves]
    first = orbits_of(ways, images)
    return [way for way in ways if first[way] == way]


def _sent(way: Start, inputs: int) -> list[list[int]]:
    """Return, for each input, the messages that it may send."""
    return [[m for m, out in enumerate(way) if out != x] for x in range(inputs)]


@frozen
class SimplexTree:
    """A forest of binary case trees in preorder: a lower bound for private coins.

    Without loss of generality, for each message there is an input on which Alice never sends it.
    There is one tree for each choice of these inputs, up to symmetry.

    Attributes
    ----------
    inputs : tuple of int
        Inputs of Alice whose distributions are bounded, in increasing order.
    symmetries : tuple of Symmetry
        Symmetries that preserve these inputs. Choices in the same orbit share a tree.
    unit : int
        Integer that stands for probability 1.
    nodes : tuple of Halving or Cut or Weights or Relations
        Nodes of the trees in preorder. In relations, messages are numbered after the inputs.
    """

    inputs: tuple[int, ...]
    symmetries: tuple[Symmetry, ...]
    unit: int
    nodes: tuple[Halving | Cut | Weights | Relations, ...]

    def moves(self) -> tuple[tuple[int, ...], ...]:
        """Return the symmetries as permutations of the positions in ``inputs``."""
        inputs = self.inputs
        return tuple(tuple(inputs.index(g.rows[x]) for x in inputs) for g in self.symmetries)

    def bound(
        self, problem: CommunicationProblem, messages: int, budget: Budget | None = None
    ) -> Fraction:
        """Return the minimum of the bounds at the leaves."""
        corners = [tuple(self.unit * (m == i) for i in range(messages)) for m in range(messages)]
        n, whole = len(self.inputs), (((0, self.unit),) * messages,) * len(problem.bob)
        first = [
            _Confined(tuple(tuple(corners[m] for m in sent) for sent in _sent(way, n)), whole)
            for way in starts(n, messages, self.moves())
        ]

        table = [[problem.value(x, y) for y in range(len(problem.bob))] for x in self.inputs]

        def prove(
            case: _Confined, node: Halving | Cut | Weights | Relations
        ) -> Fraction | Iterator[_Confined]:
            if isinstance(node, Relations):
                return node.least_error(self._sides(case, problem), problem, messages)
            if isinstance(node, Weights):
                return self._least_error(case, node, table)
            return case.parts(node)

        return least_bound(self.nodes, first, prove, budget)

    def _sides(self, case: _Confined, problem: CommunicationProblem) -> tuple[Vertices, ...]:
        """Return the vertices of both averages of each dependency.

        One average is an input of Alice by itself, the other her distribution on messages.
        """
        number, sides = len(problem.alice), list[Vertices]()
        for x, distribution in zip(self.inputs, case.distributions, strict=True):
            alone = tuple(self.unit * (z == x) for z in range(number))
            sides += (
                ((*alone, *(0 for _ in distribution[0])),),
                tuple((*(0,) * number, *v) for v in distribution),
            )
        return tuple(sides)

    def _least_error(
        self, case: _Confined, leaf: Weights, table: list[list[int | None]]
    ) -> Fraction:
        """Return the minimum average error over all choices of vertices and extreme answers."""
        total, ones, rows = 0, 0, list[list[int]]()
        for x, values, row in zip(self.inputs, table, leaf.rows, strict=True):
            rows.append([])
            for y, (w, value) in enumerate(zip(row, values, strict=True)):
                if w < 0 or (w and value is None):
                    raise CertificateError(
                        f"the weight of input ({x}, {y}) must be at least 0, and 0 outside the "
                        f"promise, not {w}"
                    )
                total, ones = total + w, ones + (w if value else 0)
                rows[-1].append(-w if value else w)
        if not total:
            raise CertificateError("the weights of a leaf must not all be 0")
        least = _least_sum(rows, case, self.unit * total)
        return Fraction(least + ones * self.unit**2, total * self.unit**2)

    def lower_proof(self, problem: CommunicationProblem, messages: int) -> dict[str, Any]:
        """Return the proof for use in a certificate."""
        nodes = list[Any]([None])
        for node in self.nodes:
            if isinstance(node, Relations | Halving):
                nodes.append(node.to_json())
            elif isinstance(node, Weights):
                nodes.append({"weights": encode_integers(w for row in node.rows for w in row)})
            else:
                number = len(self.inputs) + node.number * messages + node.message
                nodes.append([number, *encode_integers([node.at])])
        (unit,) = encode_integers([self.unit])
        symmetries = [g.to_json() for g in self.symmetries]
        data = {"unit": unit, "inputs": list(self.inputs), "symmetries": symmetries}
        return {"simplices": data | {"nodes": nodes}}


def _least_sum(rows: list[list[int]], case: _Confined, most: int) -> int:
    """Return the least sum of rows times probabilities over all vertices and extreme answers.

    No sum of products of a row with the vertices of its input exceeds ``most``.
    """
    ends = [end for row in case.answers for pair in row for end in pair]
    vertices = [at for simplex in case.distributions for vertex in simplex for at in vertex]
    units = gcd(*vertices) or 1, gcd(*ends) or 1
    most = most // units[0] * max(ends) // units[1]
    kind = np.int64 if most < 1 << 62 else object
    low, high = (np.array(ends, kind) // units[1]).reshape(-1, 2).T
    slopes: Array = np.zeros((1, len(low)), kind)
    for row, simplex in zip(rows, case.distributions, strict=True):
        if any(row):
            vertex = np.array(simplex, kind)[:, None] // units[0]
            products = (vertex * np.array(row, kind)[:, None]).reshape(len(simplex), -1)
            slopes = (slopes[:, None] + products).reshape(-1, len(low))
    sums = (slopes * np.where(slopes > 0, low, high)).sum(axis=1)
    return int(sums.min()) * units[0] * units[1]


def _unproved(problem: CommunicationProblem, inputs: tuple[int, ...]) -> SimplexTree:
    """Return a tree without nodes for some inputs, with the symmetries that preserve them."""
    others = [x for x in range(len(problem.alice)) if x not in inputs]
    symmetries = symmetries_of(problem.ones, len(problem.bob), problem.promise, (others, ()))
    return SimplexTree(inputs, symmetries, 1, ())


def is_small(inputs: int, messages: int) -> bool:
    """Return whether distributions have few enough vertices for this search."""
    if messages < 2 or inputs < 2:
        return False
    ways = comb(inputs + messages - 1, messages)
    return ways <= _MOST_STARTS and messages**inputs <= _MOST_CHOICES


@dataclass(slots=True)
class _Case:
    """A case, its bound and weights; after branching, also the cut and its parts."""

    distributions: Array
    sizes: Array
    ends: Array
    weights: Array
    bound: float
    mixture: tuple[Array, Array, Array]
    cut: Halving | Cut | None = None
    parts: tuple[int, ...] = ()


class SimplexSearch(CubeTree[_Case]):
    """A growing tree of cases with weights at its leaves; splits are chosen by the largest gain."""

    def __init__(
        self,
        reduced: Reduced,
        values: Array,
        messages: int,
        target: float,
        *,
        rooted: bool = True,
    ) -> None:
        super().__init__(target)
        self._reduced, self._k = reduced, messages
        self._values = np.where(np.isnan(values), -1, values).astype(np.int8)
        n, m = self._values.shape
        self._divide(_ALONE // (_ANYWAY + messages ** (n + 1) * m))
        inside = self._values >= 0
        self._signs = np.where(inside, 2.0 * (self._values == 1) - 1, 0.0)
        self._nothing = np.zeros(0), np.zeros((0, n), np.int8), np.zeros((0, m, messages), np.int8)
        if not rooted:
            return
        self._unproved = _unproved(reduced.problem, reduced.rows)
        uniform = inside / inside.sum()
        ends = np.stack([np.zeros((m, messages)), np.ones((m, messages))])
        for way in starts(n, messages, self._unproved.moves()):
            distributions, sizes = np.zeros((n, messages, messages)), np.zeros(n, np.int8)
            for x, sent in enumerate(_sent(way, n)):
                distributions[x, : len(sent)], sizes[x] = np.eye(messages)[sent], len(sent)
            first = _Case(distributions, sizes, ends, uniform, 0.0, self._nothing)
            self._roots.append(self._add(distributions, sizes, ends, first))

    def tree(self) -> SimplexTree:
        """Return the tree, pruned below cases that need no cut."""
        nodes = tuple(
            self._leaf(case) if is_leaf or case.cut is None else case.cut
            for case, is_leaf in self._preorder()
        )
        return replace(self._unproved, unit=1 << _BITS, nodes=nodes)

    @classmethod
    def _empty(cls, reduced: Reduced, messages: int, _chosen: Data) -> Self:
        return cls(reduced, reduced.values(), messages, 1.0, rooted=False)

    def _encoded(self, case: _Case) -> Data:
        floats, small, cut = [case.weights], list[Array](), case.cut
        if self._is_open(case):
            shares, vertices, high = case.mixture
            floats += [case.distributions, case.ends, shares]
            small += [case.sizes, vertices, high]
        node = None if cut is None else [isinstance(cut, Halving), *astuple(cut)]
        return [case.bound, case.parts, node, joined(floats), joined(small)]

    def _decoded(self, data: Data) -> _Case:
        bound, parts, node, floats, small = data
        (n, m), k, nothing = self._values.shape, self._k, np.zeros(0)
        cut = node and (Halving if node[0] else Cut)(*node[1:])
        if not small:
            (weights,) = parted(floats, "f8", (n, m))
            closed = nothing, nothing, nothing, weights, bound, self._nothing
            return _Case(*closed, cut, tuple(parts))
        shapes = (n, m), (n, k, k), (2, m, k)
        weights, distributions, ends, shares = parted(floats, "f8", *shapes, (-1,))
        p = len(shares)
        sizes, vertices, high = parted(small, "i1", (n,), (p, n), (p, m, k))
        mixture = shares, vertices, high
        return _Case(distributions, sizes, ends, weights, bound, mixture, cut, tuple(parts))

    def _leaf(self, case: _Case) -> Weights:
        """Round the weights to integers; those of dominated inputs of Bob are 0."""
        spread = np.zeros((len(case.weights), len(self._reduced.problem.bob)), int)
        spread[:, list(self._reduced.columns)] = np.rint(case.weights * _SCALE)
        return Weights(tuple(map(tuple, spread.tolist())))

    def _add(self, distributions: Array, sizes: Array, ends: Array, parent: _Case) -> int:
        goals, given = (self.target, _SLACK), (parent.weights, *parent.mixture[1:])
        found = best_mixture(self._values, distributions, sizes, ends, goals, given)
        bound, weights = (parent.bound, parent.weights) if found[0] < parent.bound else found[:2]
        return self._keep(_Case(distributions, sizes, ends, weights, bound, found[2:]))

    def _tables(self, case: _Case) -> Tables:
        """Return the mean tables of the mixture of a case; Bob's has a row for each message."""
        shares, vertices, high = case.mixture
        shares = shares / shares.sum()
        rows = np.arange(len(case.distributions))
        alice = np.einsum("p,pxm->xm", shares, case.distributions[rows, vertices])
        return alice, np.einsum("p,pym->my", shares, np.where(high, case.ends[1], case.ends[0]))

    def _choose(self, case: _Case) -> Halving | Cut | None:
        """Return the cut of the edge or range that gains most for the mixture."""
        signed = (case.weights + _UNSEEN) * self._signs
        edge, distribution, i, j, answer, y, m = best_cut(
            signed, case.distributions, case.sizes, case.ends, case.mixture, 2.0 ** (1 - _BITS)
        )
        low, high = case.ends[:, y, m]
        if _ANSWERS * answer > edge and high - low > 2.0 ** (3 - _BITS):
            shares, _, upper = case.mixture
            mean = low + (high - low) * float(shares @ upper[:, y, m]) / shares.sum()
            at = (1 - _PULL) * (low + high) / 2 + _PULL * mean
            digits = 1 << min(_BITS, 6 - floor(log2(high - low)))
            at = round(at * digits) * ((1 << _BITS) // digits)
            return Cut(self._reduced.columns[y], m, at)
        if distribution < 0:
            return None
        half = (
            (case.distributions[distribution, i] + case.distributions[distribution, j])
            / 2
            * (1 << _BITS)
        )
        return Halving(distribution, i, j) if (half == np.rint(half)).all() else None

    def _cut(self, case: _Case) -> bool:
        cut = self._choose(case)
        if cut is None:
            return False
        case.cut, parts = cut, []
        for side in (0, 1):
            distributions, ends = case.distributions, case.ends
            if isinstance(cut, Halving):
                distributions = distributions.copy()
                half = (
                    distributions[cut.simplex, cut.first] + distributions[cut.simplex, cut.second]
                ) / 2
                distributions[cut.simplex, (cut.second, cut.first)[side]] = half
            else:
                ends = ends.copy()
                y = self._reduced.columns.index(cut.number)
                ends[1 - side, y, cut.message] = cut.at / (1 << _BITS)
            parts.append(self._add(distributions, case.sizes, ends, case))
        case.parts = tuple(parts)
        case.mixture = self._nothing
        return True


def has_few_distributions(inputs: int, columns: int, messages: int) -> bool:
    """Return whether distributions have few enough vertices and equations for this search."""
    if not is_small(inputs, messages) or messages > 5:
        return False
    corners = number_of_corners(inputs, messages)
    return is_playable(corners, number_of_equations(inputs, messages) * columns)


def number_of_corners(inputs: int, messages: int) -> int:
    """Return the number of choices of a vertex for each input."""
    fewer = min(inputs, messages)  # they may have a message that they never send
    return int(messages ** (inputs - fewer) * (messages - 1) ** fewer)


class DistributionSearch(DependencySearch, CubeTree[Case]):
    """A growing tree whose leaves are relations, for problems that satisfy `has_few_distributions`.

    The messages count as inputs of Alice outside the promise, on which each distribution depends.
    """

    _rounds, _tried = 2, 8

    def __init__(
        self,
        reduced: Reduced,
        values: Array,
        messages: int,
        target: float,
        chosen: tuple[int, ...] | None = None,
        *,
        rooted: bool = True,
    ) -> None:
        BestFirst.__init__(self, target)
        self._chosen = chosen = tuple(range(len(values))) if chosen is None else chosen
        n, problem = len(chosen), reduced.problem
        self._reduced, self._k = reduced, messages
        inputs = tuple(reduced.rows[x] for x in chosen)
        labels = (*inputs, *(len(problem.alice) + m for m in range(messages)))
        free = np.full((messages, values.shape[1]), np.nan)
        games = Games(np.vstack([values[list(chosen)], free]), self._rounds)
        self._play_with(games, labels, range(n, n + messages))
        payoffs = number_of_corners(n, messages) * number_of_equations(n, messages)
        self._divide(_ALONE_IN_GAMES // (_ANYWAY + payoffs * values.shape[1]))
        if not rooted:
            return
        self._unproved = _unproved(problem, inputs)
        ends, first = np.eye(n + messages), Case([], [], 0.0, np.zeros(0))
        for way in starts(n, messages, self._unproved.moves()):
            kept = enumerate(_sent(way, n))
            sides = [side for x, sent in kept for side in (ends[[x]], ends[n:][sent])]
            self._roots.append(self._keep(self._played(sides, first)))

    def tree(self) -> SimplexTree:  # type: ignore[override]
        """Return the tree, pruned below cases that need no cut."""
        nodes = tuple(
            self._leaf(case)
            if is_leaf or case.cut is None
            else replace(case.cut, simplex=case.cut.simplex // 2)
            for case, is_leaf in self._preorder()
        )
        return replace(self._unproved, unit=1 << BITS, nodes=nodes)

    @classmethod
    def _empty(cls, reduced: Reduced, messages: int, chosen: Data) -> Self:
        return cls(reduced, reduced.values(), messages, 1.0, tuple(chosen), rooted=False)

    def _forget(self) -> None:
        self._games.forget()

    def _encoded(self, case: Case) -> Data:
        arrays = [case.chances, *case.sides] if self._is_open(case) else []
        cut = case.cut and astuple(case.cut)
        return [case.bound, case.parts, cut, case.weights, [packed(array) for array in arrays]]

    def _decoded(self, data: Data) -> Case:
        bound, parts, cut, weights, arrays = data
        chances, *sides = map(unpacked, arrays) if arrays else [np.zeros(0)]
        listed = [(y, (tuple(used), tuple(gone)), w) for y, (used, gone), w in weights]
        return Case(sides, listed, bound, chances, cut and Halving(*cut), tuple(parts))

    def _cut(self, case: Case) -> bool:
        return self._halve(case)
