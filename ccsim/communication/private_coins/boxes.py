"""Trees of boxes of probabilities: lower bounds on the error of private-coin protocols.

In each box, a linear function bounds a weighted average of errors from below (McCormick's envelopes
of the products). The rules are in `docs/certificates.md`. A relaxation in floats suggests
multipliers and cuts.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, lcm, log2
from typing import Any, Self

import highspy
import numpy as np
import numpy.typing as npt

from ccsim.budget import Budget
from ccsim.certificates.envelope import encode_integers
from ccsim.communication.private_coins.case_cubes import CubeTree, packed, unpacked
from ccsim.communication.private_coins.case_trees import Tables, least_bound
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.public_coins.domination import Reduced
from ccsim.data import frozen, validated
from ccsim.errors import CertificateError, NotDecidedError
from ccsim.parallel.cubes import Data
from ccsim.programs.highs import QuietHighs

Array = npt.NDArray[np.float64]
Range = tuple[Fraction, Fraction]
_UNIT: Range = (Fraction(0), Fraction(1))

_SCALE = 1 << 24
_INNER = 0.3  # how close to an end of its range a probability is cut, at most
_PULL = 0.5  # how far a cut moves from the middle towards the solution
_ALONE, _FEWEST = 75_000, 8  # products in the boxes before cubes are formed; these boxes, at least
_LEAST_WEIGHT = 0.01  # inputs whose dual is 0 may matter in the next box


@frozen
class Split:
    """A node that cuts the range of one probability."""

    alice: bool  # it is Alice's for the message, or Bob's to answer 1 to it
    number: int  # input of Alice, or of Bob
    message: int
    cut: Fraction  # strictly inside the range


@frozen
class Leaf:
    """The multipliers that bound the error in one box."""

    # inputs ``x, y`` in order, the weight of the error there, and for each message how much of it
    # goes to the envelope at the lower bounds
    weights: tuple[tuple[int, int, int, tuple[int, ...]], ...]


@frozen
class Box:
    """Ranges of the probabilities of a private-coin protocol."""

    alice: tuple[tuple[Range, ...], ...]  # ``alice[x][m]``: message ``m`` on input ``x``
    bob: tuple[tuple[Range, ...], ...]  # ``bob[y][m]``: answer 1 to message ``m`` on input ``y``

    @classmethod
    def root(cls, problem: CommunicationProblem, messages: int, ordered: int) -> Box:
        """Return the box of all protocols, with messages sorted by probability on one input."""
        free = (_UNIT,) * messages
        ranked = tuple((Fraction(m == 0, messages), Fraction(1, m + 1)) for m in range(messages))
        alice = tuple(ranked if x == ordered else free for x in range(len(problem.alice)))
        return cls(alice, (free,) * len(problem.bob))

    def halves(self, split: Split) -> tuple[Box, Box]:
        """Return the parts of the box below and above a cut."""
        table, number, m = self.alice if split.alice else self.bob, split.number, split.message
        if not (0 <= number < len(table) and 0 <= m < len(table[0])):
            raise CertificateError(f"{split} must cut a probability of the protocol")
        old = table[number]
        low, high = old[m]
        if not low < split.cut < high:
            raise CertificateError(f"{split} must cut strictly between {low} and {high}")

        def part(new: Range) -> Box:
            ranges = (*old[:m], new, *old[m + 1 :])
            if split.alice:
                return Box((*table[:number], _tightened(ranges), *table[number + 1 :]), self.bob)
            return Box(self.alice, (*table[:number], ranges, *table[number + 1 :]))

        return part((low, split.cut)), part((split.cut, high))

    def least_error(self, leaf: Leaf, problem: CommunicationProblem) -> Fraction:
        """Return the bound that a leaf proves for every protocol in the box."""
        cells = [(x, y) for x, y, _, _ in leaf.weights]
        if not cells or cells != sorted(set(cells)):
            raise CertificateError(
                "a leaf must list one or more inputs, distinct and in increasing order"
            )
        messages = len(self.bob[0])
        unit = lcm(*{end.denominator for row in (*self.alice, *self.bob) for r in row for end in r})
        distributions, answers = (_scaled(table, unit) for table in (self.alice, self.bob))
        alice = {x: [0] * messages for x, _ in cells}  # slopes, in parts of the unit
        bob = {y: [0] * messages for _, y in cells}
        least = 0  # in parts of its square
        for x, y, w, splits in leaf.weights:
            value = None
            if 0 <= x < len(distributions) and 0 <= y < len(answers):
                value = problem.value(x, y)
            if value is None or w < 1 or len(splits) != messages:
                raise CertificateError(
                    f"input ({x}, {y}) must be inside the promise, and have a positive "
                    f"weight and {messages} splits"
                )
            for m, t in enumerate(splits):
                if not 0 <= t <= w:
                    raise CertificateError(
                        f"split {t} on input ({x}, {y}) must be between 0 and {w}"
                    )
                (a0, a1), (b0, b1) = distributions[x][m], answers[y][m]
                # the wrong answer to m has probability c, between c0 and c1
                c0, c1 = (unit - b1, unit - b0) if value else (b0, b1)
                alice[x][m] += t * c0 + (w - t) * c1
                slope = t * a0 + (w - t) * a1  # of c, which falls with b where the value is 1
                bob[y][m] += -slope if value else slope
                least += (unit * slope if value else 0) - t * a0 * c0 - (w - t) * a1 * c1
        least += sum(
            _cheapest_distribution(slopes, distributions[x], unit) for x, slopes in alice.items()
        )
        least += sum(
            slope * (low if slope > 0 else high)
            for y, slopes in bob.items()
            for slope, (low, high) in zip(slopes, answers[y], strict=True)
        )
        return Fraction(least, unit * unit * sum(w for _, _, w, _ in leaf.weights))


def _scaled(table: tuple[tuple[Range, ...], ...], unit: int) -> list[list[tuple[int, int]]]:
    """Return the ranges in units of a common denominator."""

    def whole(end: Fraction) -> int:
        return end.numerator * (unit // end.denominator)

    return [[(whole(low), whole(high)) for low, high in ranges] for ranges in table]


def _tightened(ranges: tuple[Range, ...]) -> tuple[Range, ...]:
    """Narrow the ranges, given that the probabilities of a distribution sum to 1."""
    lows, highs = sum(low for low, _ in ranges), sum(high for _, high in ranges)
    return tuple(
        (max(low, 1 - (highs - high)), min(high, 1 - (lows - low))) for low, high in ranges
    )


def _cheapest_distribution(slopes: list[int], ranges: list[tuple[int, int]], unit: int) -> int:
    """Return the minimum of a linear function over the distributions inside a box."""
    cost = sum(s * low for s, (low, _) in zip(slopes, ranges, strict=True))
    missing = unit - sum(low for low, _ in ranges)
    for s, (low, high) in sorted(zip(slopes, ranges, strict=True)):
        step = min(missing, high - low)
        cost += s * step
        missing -= step
    return cost


@validated
class BoxTree:
    """A lower bound for private coins: a binary tree of boxes, with multipliers at its leaves.

    A box consists of a lower and an upper bound on each probability of a protocol.

    Attributes
    ----------
    ordered : int
        The input of Alice on which the messages are numbered by decreasing probability.
    nodes : tuple of Split or Leaf
        The nodes in preorder: each split is followed by the subtree below the cut and then by the
        subtree above it.

    Examples
    --------
    >>> from ccsim.communication.problem import CommunicationProblem
    >>> f = CommunicationProblem.from_matrix([[0, 0], [1, 0], [1, 1]])
    >>> near = Leaf(((0, 0, 2, (2, 2)), (1, 0, 2, (1, 2))))
    >>> far = ((0, 0, 2, (2, 2)), (0, 1, 1, (0, 1)), (1, 0, 1, (0, 1)), (1, 1, 1, (1, 0)))
    >>> cut = Split(alice=False, number=0, message=1, cut=Fraction(9, 16))
    >>> BoxTree(0, (cut, near, Leaf((*far, (2, 1, 1, (0, 0)))))).bound(f, 2)
    Fraction(1, 6)
    """

    ordered: int
    nodes: tuple[Split | Leaf, ...]

    def bound(
        self, problem: CommunicationProblem, messages: int, budget: Budget | None = None
    ) -> Fraction:
        """Return the minimum of the bounds at the leaves.

        Raises
        ------
        CertificateError
            If a node breaks a rule; the message names the node.
        OutOfTimeError
            If the budget is exhausted.
        """
        if not 1 < messages < len(problem.alice):
            raise CertificateError(
                f"messages must be at least 2 and fewer than Alice's inputs, not {messages}"
            )
        if not 0 <= self.ordered < len(problem.alice):
            raise CertificateError(f"ordered must be an input of Alice, not {self.ordered}")

        def prove(box: Box, node: Split | Leaf) -> Fraction | tuple[Box, Box]:
            return box.least_error(node, problem) if isinstance(node, Leaf) else box.halves(node)

        return least_bound(self.nodes, [Box.root(problem, messages, self.ordered)], prove, budget)

    def lower_proof(self, problem: CommunicationProblem, messages: int) -> dict[str, Any]:
        """Return the proof as a part of a certificate, with endpoints over a common unit."""
        cuts = [node.cut.denominator for node in self.nodes if isinstance(node, Split)]
        unit, nodes = lcm(*range(1, messages + 1), *cuts), list[Any]()
        for node in self.nodes:
            if isinstance(node, Leaf):
                weights = [[[x, y], w, list(splits)] for x, y, w, splits in node.weights]
                nodes.append({"weights": weights})
            else:
                answer = [len(problem.alice) + node.number * messages + node.message, 1]
                distribution = [node.number, node.message] if node.alice else answer
                nodes.append([*distribution, *encode_integers([int(node.cut * unit)])])
        (encoded,) = encode_integers([unit])
        return {"boxes": {"unit": encoded, "ordered": self.ordered, "nodes": nodes}}


@dataclass(slots=True)
class _Node:
    """A box and its bound; after branching, also the cut and the numbers of the two parts."""

    lows: Array
    highs: Array
    relaxed: Relaxed
    bound: float
    split: Split | None = None
    parts: tuple[int, ...] = ()


class BoxSearch(CubeTree[_Node]):
    """The growing tree of boxes for a problem without dominated inputs."""

    def __init__(
        self,
        reduced: Reduced,
        values: Array,
        messages: int,
        target: float = 1.0,
        *,
        rooted: bool = True,
    ) -> None:
        super().__init__(target)
        self._reduced, self._k = reduced, messages
        self._n, self._m = values.shape
        self._envelopes = Envelopes(values, messages)
        self._divide(max(_ALONE // (values.size * messages), _FEWEST))
        if not rooted:
            return
        lows = np.zeros(self._envelopes.probabilities)
        highs = np.ones(self._envelopes.probabilities)
        lows[0] = 1 / messages
        highs[:messages] = 1 / np.arange(1, messages + 1)
        self._roots = [self._add(lows, highs, None)]

    def tree(self) -> BoxTree:
        """Return the tree, pruned below boxes that need no cut."""
        nodes = (
            self._leaf(node.relaxed) if is_leaf or not node.split else node.split
            for node, is_leaf in self._preorder()
        )
        return BoxTree(self._reduced.rows[0], tuple(nodes))

    def _add(self, lows: Array, highs: Array, parent: _Node | None) -> int:
        """Add a box; if the solver fails, the multipliers of the parent remain valid."""
        self._tighten(lows, highs)
        relaxed = self._envelopes.solve(lows, highs) or (parent.relaxed if parent else None)
        if relaxed is None:
            raise NotDecidedError("the linear program of all protocols has no optimum")
        bound = max(relaxed.value, parent.bound if parent else 0.0)
        return self._keep(_Node(lows, highs, relaxed, bound))

    def _tighten(self, lows: Array, highs: Array) -> None:
        """Narrow the box, given that the probabilities of each of Alice's inputs sum to 1."""
        low = lows[: self._n * self._k].reshape(self._n, self._k)
        high = highs[: self._n * self._k].reshape(self._n, self._k)
        least = 1 - (high.sum(axis=1, keepdims=True) - high)
        most = 1 - (low.sum(axis=1, keepdims=True) - low)
        np.maximum(low, least, out=low)
        np.minimum(high, most, out=high)

    def _cut(self, node: _Node) -> bool:
        """Cut the range that adds most to product errors, between its midpoint and the solution."""
        width = node.highs - node.lows
        i = int((node.relaxed.distance * width).argmax())
        low, high = float(node.lows[i]), float(node.highs[i])
        inner = _INNER * (high - low)
        at = min(max(float(node.relaxed.point[i]), low + inner), high - inner)
        at = (1 - _PULL) * (low + high) / 2 + _PULL * at
        digits = 1 << (4 + max(0, ceil(-log2(high - low))))
        cut = Fraction(round(at * digits), digits)
        parts = []
        for below in (True, False):
            lows, highs = node.lows.copy(), node.highs.copy()
            (highs if below else lows)[i] = float(cut)
            parts.append(self._add(lows, highs, node))
        entry, message = divmod(i, self._k)
        alice = entry < self._n
        inputs = self._reduced.rows if alice else self._reduced.columns
        node.split = Split(alice, inputs[entry if alice else entry - self._n], message, cut)
        node.parts = tuple(parts)
        return True

    @classmethod
    def _empty(cls, reduced: Reduced, messages: int, _chosen: Data) -> Self:
        return cls(reduced, reduced.values(), messages, rooted=False)

    def _forget(self) -> None:
        self._envelopes.forget()

    def _encoded(self, case: _Node) -> Data:
        found, split = case.relaxed, case.split
        arrays = [found.weights, found.splits]
        if self._is_open(case):
            arrays += [found.point, found.distance, case.lows, case.highs]
        node = split and [split.alice, split.number, split.message, *split.cut.as_integer_ratio()]
        return [case.bound, case.parts, node, found.value, [packed(array) for array in arrays]]

    def _decoded(self, data: Data) -> _Node:
        bound, parts, node, value, arrays = data
        weights, splits, *kept = map(unpacked, arrays)
        point, distance, lows, highs = kept or [np.zeros(0)] * 4
        relaxed = Relaxed(value, point, distance, weights, splits)
        split = None
        if node is not None:
            alice, number, message, *cut = node
            split = Split(alice, number, message, Fraction(*cut))
        return _Node(lows, highs, relaxed, bound, split, tuple(parts))

    def _leaf(self, relaxed: Relaxed) -> Leaf:
        """Round the duals of a relaxation to integers."""
        total = relaxed.weights.sum()
        weights = []
        for (x, y), weight, splits in zip(
            self._envelopes.inputs, relaxed.weights, relaxed.splits, strict=True
        ):
            w = round(float(weight / total) * _SCALE) if total > 0 else 1
            if w:
                shares = np.clip(splits / weight, 0, 1) if weight > 0 else splits * 0
                parts = tuple(round(float(share) * w) for share in shares)
                weights.append((self._reduced.rows[x], self._reduced.columns[y], w, parts))
        return Leaf(tuple(sorted(weights)))

    def _tables(self, case: _Node) -> Tables:
        point = case.relaxed.point
        alice, bob = np.split(point, [self._n * self._k])
        return alice.reshape(self._n, self._k), bob.reshape(self._m, self._k).T


@frozen
class Relaxed:
    """A solution of a relaxation, with its dual multipliers and its product errors."""

    value: float  # about the smallest error that the envelopes allow
    point: Array  # Alice's probabilities by input and message, then Bob's
    distance: Array  # of probabilities: how far products with them are from their variables
    weights: Array  # dual of each input inside the promise
    splits: Array  # for each such input and message the dual of the envelope at the lower bounds


class Envelopes:
    """The relaxations of one problem; only bounds and slopes change from box to box."""

    def __init__(self, values: Array, messages: int) -> None:
        (n, m), k = values.shape, messages
        xs, ys = np.nonzero(~np.isnan(values))
        cells = len(xs)
        self.inputs = list(zip(xs.tolist(), ys.tolist(), strict=True))
        self._ones = np.repeat(values[xs, ys] == 1, k)
        self._alice = (xs[:, None] * k + np.arange(k)).ravel()
        self._bob = (n * k + ys[:, None] * k + np.arange(k)).ravel()
        self.probabilities = (n + m) * k
        products = 1 + self.probabilities + np.arange(cells * k)
        # rows: v - sum of products >= 0; laws; two envelopes for each product
        totals = np.hstack([np.zeros((cells, 1), int), products.reshape(cells, k)])
        distributions = 1 + np.arange(n * k)
        envelope = np.stack([products, 1 + self._bob, 1 + self._alice], axis=1)
        self._index = np.concatenate(
            [totals.ravel(), distributions, np.repeat(envelope, 2, 0).ravel()]
        )
        widths = np.concatenate([np.full(cells, 1 + k), np.full(n, k), np.full(2 * cells * k, 3)])
        self._start = np.concatenate([[0], np.cumsum(widths)])
        signs = np.tile(np.concatenate([[1.0], -np.ones(k)]), cells)
        slopes = np.tile([1.0, 0.0, 0.0], 2 * cells * k)
        self._value = np.concatenate([signs, np.ones(n * k), slopes])
        self._slopes = len(signs) + n * k
        self._low = np.concatenate([np.zeros(cells), np.ones(n), np.zeros(2 * cells * k)])
        self._high = np.full(len(self._low), highspy.kHighsInf)
        self._high[cells : cells + n] = 1.0
        self._envelopes = cells + n
        self._shape = (cells, k)
        self.forget()

    def forget(self) -> None:
        """Forget the basis of the last solution, from which the next solution starts."""
        self._highs = QuietHighs()
        self._highs.setOptionValue("presolve", "off")
        self._solved = False

    def solve(self, lows: Array, highs: Array) -> Relaxed | None:
        """Solve the relaxation for bounds on probabilities; return None if the solver fails."""
        self._pass(lows, highs)
        self._highs.run()
        if self._highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        self._solved = True
        solution = self._highs.getSolution()
        columns, duals = np.array(solution.col_value), np.array(solution.row_dual)
        cells, k = self._shape
        point = columns[1 : 1 + self.probabilities]
        wrong = np.where(self._ones, 1 - point[self._bob], point[self._bob])
        away = np.abs(columns[1 + self.probabilities :] - point[self._alice] * wrong)
        weights = np.maximum(duals[:cells], 0.0)
        away *= np.repeat(weights + _LEAST_WEIGHT, k)
        distance = np.zeros(self.probabilities)
        np.add.at(distance, self._alice, away)
        np.add.at(distance, self._bob, away)
        splits = duals[self._envelopes :: 2].reshape(cells, k)
        return Relaxed(float(columns[0]), point, distance, weights, splits)

    def _pass(self, lows: Array, highs: Array) -> None:
        """Solve the program of a box, starting from the basis of the last solution."""
        ends = np.stack([lows, highs])
        wrong = np.where(self._ones, 1 - ends[::-1, self._bob], ends[:, self._bob])
        sent = ends[:, self._alice]
        # w >= p c + q a - p q at the corners (p, q) of the lower and of the upper bounds
        slopes = self._value[self._slopes :].reshape(-1, 2, 3)
        slopes[:, :, 1] = np.where(self._ones, sent, -sent).T
        slopes[:, :, 2] = -wrong.T
        self._low[self._envelopes :] = (np.where(self._ones, sent, 0.0) - sent * wrong).T.ravel()
        infinite = np.full(wrong.shape[1], highspy.kHighsInf)
        basis = self._highs.getBasis() if self._solved else None
        self._highs.pass_rows(
            np.eye(1, 1 + self.probabilities + len(infinite))[0],
            (
                np.concatenate([[0.0], lows, -infinite]),
                np.concatenate([[highspy.kHighsInf], highs, infinite]),
            ),
            (self._low, self._high),
            (self._start, self._index, self._value),
        )
        if basis is not None:
            self._highs.setBasis(basis)
