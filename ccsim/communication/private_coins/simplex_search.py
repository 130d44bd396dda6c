"""Branch and bound for trees of simplices: the case that allows the smallest error is cut first.

A case is cut where its best mixture of protocols gains most over a single protocol: by what the
vertices of a law vary together with Bob's answers. Floats choose cuts and weights; what a tree
proves is evaluated exactly afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, floor, log2
from typing import Any, TypeAlias

import numpy as np

from ccsim.communication.private_coins.case_trees import BestFirst, Halving
from ccsim.communication.private_coins.gains import best_cut
from ccsim.communication.private_coins.mixtures import best_mixture
from ccsim.communication.private_coins.simplices import (
    Cut,
    SimplexTree,
    Weights,
    moves_of,
    starts,
)
from ccsim.communication.public_coins.domination import Reduced
from ccsim.symmetry.matrix import symmetries_of

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

_MOST_CHOICES = 4096
_MOST_STARTS = 400
_BITS = 30  # of the unit: as often at most an edge is halved
_SCALE = 1 << 24
_SLACK = 0.003
_ANSWERS = 1.2  # how much is made of what an answer varies, compared with a law
_PULL = 0.5  # how far a cut of an answer moves from the middle towards the mean of the mixture
_UNSEEN = 0.002  # Inputs of weight 0 may matter in the next case


def is_small(inputs: int, messages: int) -> bool:
    """Say whether laws have few enough vertices for this search."""
    if messages < 2 or inputs < 2:
        return False
    ways = comb(inputs + messages - 1, messages)
    return ways <= _MOST_STARTS and messages**inputs <= _MOST_CHOICES


@dataclass(slots=True)
class _Case:
    """A case, its bound with the weights, and after branching the cut and its parts."""

    laws: Array
    sizes: Array
    ends: Array
    weights: Array
    bound: float
    mixture: tuple[Array, Array, Array]
    cut: Halving | Cut | None = None
    parts: tuple[int, ...] = ()


class SimplexSearch(BestFirst[_Case]):
    """The tree that is being grown for a problem without covered inputs."""

    def __init__(self, reduced: Reduced, values: Array, messages: int, target: float) -> None:
        super().__init__(target)
        self._reduced, self._k = reduced, messages
        self._values = np.where(np.isnan(values), -1, values).astype(np.int8)
        n, m = self._values.shape
        problem = reduced.problem
        others = [x for x in range(len(problem.alice)) if x not in reduced.rows]
        self._symmetries = symmetries_of(
            problem.ones, len(problem.bob), problem.promise, (others, ())
        )
        inside = self._values >= 0
        uniform = inside / inside.sum()
        ends = np.stack([np.zeros((m, messages)), np.ones((m, messages))])
        self._signs = np.where(inside, 2.0 * (self._values == 1) - 1, 0.0)
        nothing = np.zeros(0), np.zeros((0, n), np.int8), np.zeros((0, m, messages), np.int8)
        self._nothing = nothing
        corners = np.eye(messages)
        for way in starts(n, messages, moves_of(reduced.rows, self._symmetries)):
            laws, sizes = np.zeros((n, messages, messages)), np.zeros(n, np.int8)
            for x in range(n):
                sent = [m for m in range(messages) if way[m] != x]
                laws[x, : len(sent)], sizes[x] = corners[sent], len(sent)
            first = _Case(laws, sizes, ends, uniform, 0.0, nothing)
            self._roots.append(self._add(laws, sizes, ends, first))

    def tree(self) -> SimplexTree:
        """Return the tree; what lies below a case that needs no cutting is left out."""
        nodes: list[Halving | Cut | Weights] = []
        for case, is_leaf in self._preorder():
            if is_leaf or case.cut is None:
                rows = np.rint(case.weights * _SCALE).astype(int)
                nodes.append(Weights(self._spread(rows)))
            else:
                nodes.append(case.cut)
        unit = 1 << _BITS
        return SimplexTree(self._reduced.rows, self._symmetries, unit, tuple(nodes))

    def _spread(self, rows: Array) -> tuple[tuple[int, ...], ...]:
        """Return weights of all inputs of Bob, given those of the ones that are not covered."""
        spread = np.zeros((len(rows), len(self._reduced.problem.bob)), int)
        spread[:, list(self._reduced.columns)] = rows
        return tuple(tuple(row) for row in spread.tolist())

    def _add(self, laws: Array, sizes: Array, ends: Array, parent: _Case) -> int:
        bound, weights, shares, vertices, high = best_mixture(
            self._values,
            laws,
            sizes,
            ends,
            (self.target, _SLACK),
            (parent.weights, *parent.mixture[1:]),
        )
        if bound < parent.bound:
            bound, weights = parent.bound, parent.weights
        return self._keep(_Case(laws, sizes, ends, weights, bound, (shares, vertices, high)))

    def _tables(self, case: _Case) -> tuple[Array, Array]:
        """Return the mean tables of the mixture of a case; Bob's has a row for each message."""
        shares, vertices, high = case.mixture
        shares = shares / shares.sum()
        rows = np.arange(len(case.laws))
        alice = np.einsum("p,pxm->xm", shares, case.laws[rows, vertices])
        return alice, np.einsum("p,pym->my", shares, np.where(high, case.ends[1], case.ends[0]))

    def _choose(self, case: _Case) -> Halving | Cut | None:
        """Return the cut of the edge, or range, whose ends the mixture gains most by."""
        signed = (case.weights + _UNSEEN) * self._signs
        edge, law, i, j, answer, y, m = best_cut(
            signed, case.laws, case.sizes, case.ends, case.mixture, 2.0 ** (1 - _BITS)
        )
        low, high = case.ends[:, y, m]
        if _ANSWERS * answer > edge and high - low > 2.0 ** (3 - _BITS):
            shares, _, upper = case.mixture
            mean = low + (high - low) * float(shares @ upper[:, y, m]) / shares.sum()
            at = (1 - _PULL) * (low + high) / 2 + _PULL * mean
            digits = 1 << min(_BITS, 6 - floor(log2(high - low)))
            at = round(at * digits) * ((1 << _BITS) // digits)
            return Cut(self._reduced.columns[y], m, at)
        if law < 0:
            return None
        half = (case.laws[law, i] + case.laws[law, j]) / 2 * (1 << _BITS)
        return Halving(law, i, j) if (half == np.rint(half)).all() else None

    def _cut(self, case: _Case) -> bool:
        cut = self._choose(case)
        if cut is None:
            return False
        case.cut, parts = cut, []
        for side in (0, 1):
            laws, ends = case.laws, case.ends
            if isinstance(cut, Halving):
                laws = laws.copy()
                half = (laws[cut.simplex, cut.first] + laws[cut.simplex, cut.second]) / 2
                laws[cut.simplex, (cut.second, cut.first)[side]] = half
            else:
                ends = ends.copy()
                y = self._reduced.columns.index(cut.number)
                ends[1 - side, y, cut.message] = cut.at / (1 << _BITS)
            parts.append(self._add(laws, case.sizes, ends, case))
        case.parts = tuple(parts)
        case.mixture = self._nothing
        return True
