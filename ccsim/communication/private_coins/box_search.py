"""Branch and bound for trees of boxes: the box that allows the smallest error is cut first.

Floats choose cuts and multipliers; what a tree proves is evaluated exactly afterwards.

Inside a box a linear relaxation is solved in floats (`Envelopes`): products of Alice's and Bob's
probabilities are replaced by variables between McCormick's envelopes. The value of the program
suggests a lower bound, its duals the multipliers that prove one, and its solution where to cut.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, log2

import highspy
import numpy as np
import numpy.typing as npt

from ccsim.communication.private_coins.boxes import BoxTree, Leaf, Split
from ccsim.communication.private_coins.case_trees import BestFirst
from ccsim.communication.public_coins.domination import Reduced
from ccsim.data import frozen
from ccsim.errors import NotDecidedError
from ccsim.programs.highs import QuietHighs

Array = npt.NDArray[np.float64]

_SCALE = 1 << 24
_INNER = 0.3  # how close to an end of its range a probability is cut, at most
_PULL = 0.5  # how far a cut moves from the middle towards the solution


@dataclass(slots=True)
class _Node:
    """A box, its bound, and after branching the cut and the numbers of its two parts."""

    lows: Array
    highs: Array
    relaxed: Relaxed
    bound: float
    split: Split | None = None
    parts: tuple[int, ...] = ()


class BoxSearch(BestFirst[_Node]):
    """The tree that is being grown for a problem without covered inputs."""

    def __init__(self, reduced: Reduced, values: Array, messages: int, target: float = 1.0) -> None:
        super().__init__(target)
        self._reduced, self._k = reduced, messages
        self._n, self._m = values.shape
        self._envelopes = Envelopes(values, messages)
        lows = np.zeros(self._envelopes.probabilities)
        highs = np.ones(self._envelopes.probabilities)
        lows[0] = 1 / messages
        highs[:messages] = 1 / np.arange(1, messages + 1)
        self._roots = [self._add(lows, highs, None)]

    def start(self) -> tuple[Array, Array]:
        """Return the tables of the solution in the first box; Bob's one row for each message."""
        return self._tables(self._cases[0])

    def tree(self) -> BoxTree:
        """Return the tree; what lies below a box that needs no cutting is left out."""
        nodes: list[Split | Leaf] = []
        for node, is_leaf in self._preorder():
            nodes.append(self._leaf(node.relaxed) if is_leaf or not node.split else node.split)
        return BoxTree(self._reduced.rows[0], tuple(nodes))

    def _add(self, lows: Array, highs: Array, parent: _Node | None) -> int:
        """Add a box; if the solver fails, the multipliers of its parent hold there as well."""
        self._tighten(lows, highs)
        relaxed = self._envelopes.solve(lows, highs) or (parent.relaxed if parent else None)
        if relaxed is None:
            raise NotDecidedError("the linear program of all protocols has no optimum")
        bound = max(relaxed.value, parent.bound if parent else 0.0)
        return self._keep(_Node(lows, highs, relaxed, bound))

    def _tighten(self, lows: Array, highs: Array) -> None:
        """Use that the laws of Alice sum to 1."""
        low = lows[: self._n * self._k].reshape(self._n, self._k)
        high = highs[: self._n * self._k].reshape(self._n, self._k)
        least = 1 - (high.sum(axis=1, keepdims=True) - high)
        most = 1 - (low.sum(axis=1, keepdims=True) - low)
        np.maximum(low, least, out=low)
        np.minimum(high, most, out=high)

    def _cut(self, node: _Node) -> bool:
        """Cut the range whose products are worst, between its middle and the solution."""
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

    def _tables(self, case: _Node) -> tuple[Array, Array]:
        point = case.relaxed.point
        alice = point[: self._n * self._k].reshape(self._n, self._k)
        bob = point[self._n * self._k :].reshape(self._m, self._k).T
        return alice, bob


_LEAST_WEIGHT = 0.01  # inputs whose dual is 0 may matter in the next box


@frozen
class Relaxed:
    """Solution of a relaxation."""

    value: float  # about the least error that the envelopes allow
    point: Array  # Alice's probabilities by input and message, then Bob's
    # for each probability how far the products with it are from their variables, where it matters:
    # weighted by the duals of the inputs
    distance: Array
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
        laws = 1 + np.arange(n * k)
        envelope = np.stack([products, 1 + self._bob, 1 + self._alice], axis=1)
        self._index = np.concatenate([totals.ravel(), laws, np.repeat(envelope, 2, 0).ravel()])
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
        self._highs = QuietHighs()
        self._highs.setOptionValue("presolve", "off")
        self._solved = False

    def solve(self, lows: Array, highs: Array) -> Relaxed | None:
        """Solve the relaxation for bounds on Alice's and then Bob's probabilities.

        None if the solver finds no optimum.
        """
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
        value = float(columns[0])
        return Relaxed(value, point, distance, weights, splits)

    def _pass(self, lows: Array, highs: Array) -> None:
        """Hand the program of a box to the solver, with the last basis to start from."""
        ends = np.stack([lows, highs])
        wrong = np.where(self._ones, 1 - ends[::-1, self._bob], ends[:, self._bob])
        sent = ends[:, self._alice]
        # w >= p c + q a - p q at the corners (p, q) of the lower and of the upper bounds
        slopes = self._value[self._slopes :].reshape(-1, 2, 3)
        slopes[:, :, 1] = np.where(self._ones, sent, -sent).T
        slopes[:, :, 2] = -wrong.T
        self._low[self._envelopes :] = (np.where(self._ones, sent, 0.0) - sent * wrong).T.ravel()
        program = highspy.HighsLp()
        program.num_col_, program.num_row_ = 1 + self.probabilities + wrong.shape[1], len(self._low)
        program.col_cost_ = np.eye(1, program.num_col_)[0]
        infinite = np.full(wrong.shape[1], highspy.kHighsInf)
        program.col_lower_ = np.concatenate([[0.0], lows, -infinite])
        program.col_upper_ = np.concatenate([[highspy.kHighsInf], highs, infinite])
        program.row_lower_, program.row_upper_ = self._low, self._high
        matrix = program.a_matrix_
        matrix.format_ = highspy.MatrixFormat.kRowwise
        matrix.start_ = self._start.astype(np.int32)
        matrix.index_, matrix.value_ = self._index.astype(np.int32), self._value
        basis = self._highs.getBasis() if self._solved else None
        self._highs.passModel(program)
        if basis is not None:
            self._highs.setBasis(basis)
