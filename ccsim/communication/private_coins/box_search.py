"""Branch and bound for trees of boxes: the box that allows the smallest error is cut first.

Floats choose cuts and multipliers; what a tree proves is evaluated exactly afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, log2

import numpy as np
import numpy.typing as npt

from ccsim.communication.private_coins.boxes import BoxTree, Leaf, Split
from ccsim.communication.private_coins.case_trees import BestFirst
from ccsim.communication.private_coins.envelopes import Envelopes, Relaxed
from ccsim.communication.public_coins.domination import Reduced
from ccsim.errors import NotDecidedError

__all__ = ["BoxSearch"]

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
    """The tree that is being grown for a problem without covered inputs.

    Parameters
    ----------
    reduced : Reduced
        With at least one cell.
    values : array of float
        Its values, ``nan`` outside the promise.
    messages : int
    target : float, optional

    Examples
    --------
    >>> from ccsim.communication.public_coins.domination import reduce_problem
    >>> from ccsim.communication.problem import greater_than
    >>> f = greater_than(3)
    >>> values = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]])
    >>> search = BoxSearch(reduce_problem(f), values, 2, target=0.33)
    >>> search.grow(nodes=1000)
    >>> 0.329 < search.tree().bound(f, 2) < 0.334
    True
    """

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
