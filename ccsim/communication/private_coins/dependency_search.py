"""Branch and bound for trees of dependencies of laws.

Each input of Alice beyond the first ``k`` depends on these. In a case the weights of the averages
are mixtures of few vertices; at a choice of vertices every equation between Bob's answers leaves an
error, and the best mixture of equations is a small matrix game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, TypeAlias

import highspy
import numpy as np

from ccsim.appearance import one_line
from ccsim.communication.private_coins.case_trees import BestFirst
from ccsim.communication.private_coins.dependencies import (
    Dependence,
    DependencyTree,
    Halving,
    Relation,
    Relations,
)
from ccsim.communication.public_coins.domination import Reduced

__all__ = ["BITS", "Case", "DependencySearch", "is_dependent", "is_playable"]

Array: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]

_MOST_CORNERS = 256
_MOST_PAYOFFS = 200_000
BITS = 16
"""Of the unit: as often at most an edge is halved."""
_SCALE = 1 << 60
"""Of weights, which are large where determinants are small."""
_LEAST = 1e-9
_ROUNDS = 3
_PAUSE, _PROGRESS = 400, 0.05
"""After so many cases the search ends unless this part of the way to the target is made."""
_UNSEEN = 0.1
"""What vertices that the game does not choose count for where an edge is chosen."""


def is_dependent(inputs: int, columns: int, messages: int) -> bool:
    """Say whether laws are few enough for this search, but more than messages."""
    number = inputs - messages
    if not 1 <= messages < inputs or number > 4 or messages > 6:
        return False
    half = (messages + 1) // 2
    corners = (half * (messages + 1 - half)) ** number
    equations = sum(1 for _ in _equations(number, messages))
    return is_playable(corners, equations * columns)


def is_playable(corners: int, equations: int) -> bool:
    """Say whether choices of vertices and equations are few enough for a game of them."""
    return corners <= _MOST_CORNERS and corners * equations * 2 <= _MOST_PAYOFFS


def _equations(number: int, messages: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield dependencies that can be combined, with the inputs among the first to be removed."""
    for size in range(1, min(number, messages + 1) + 1):
        for used in combinations(range(number), size):
            for removed in combinations(range(messages), size - 1):
                yield used, removed


@one_line
@dataclass(slots=True)
class Case:
    """Vertices of averages, the bound with the weights of equations, and the parts after a cut."""

    sides: list[Array]
    weights: dict[tuple[int, int], float]
    bound: float
    chances: Array
    cut: Halving | None = None
    parts: tuple[int, ...] = field(default=())


class DependencySearch(BestFirst[Case]):
    """The tree that is being grown for a problem without covered inputs, which `is_dependent`.

    Parameters
    ----------
    reduced : Reduced
    values : array of float
        Its values, ``nan`` outside the promise.
    messages : int
    target : float

    Examples
    --------
    >>> from ccsim.communication.public_coins.domination import reduce_problem
    >>> from ccsim.communication.problem import greater_than
    >>> f = greater_than(3)
    >>> search = DependencySearch(
    ...     reduce_problem(f), np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]), 2, target=0.33
    ... )
    >>> search.grow(nodes=1000)
    >>> 0.329 < search.tree().bound(f, 2) < 0.334
    True
    """

    def __init__(self, reduced: Reduced, values: Array, messages: int, target: float) -> None:
        super().__init__(target)
        self._reduced, self._k = reduced, messages
        self._number = len(values) - messages
        self._equations = list(_equations(self._number, messages))
        self._labels = reduced.rows
        self._play_with(values)
        self._roots = [self._keep(Case([], {}, 0.0, np.zeros(0)))]

    def _play_with(self, values: Array) -> None:
        """Say what equations gain and lose at an input, and prepare the games."""
        inside = ~np.isnan(values)
        self._ones = np.where(values == 1, 1.0, 0.0)
        self._zeros = np.where(values == 0, 1.0, 0.0)
        self._outside = np.where(inside, 0.0, 1.0)
        self._highs = highspy.Highs()  # type: ignore[no-untyped-call]
        self._highs.setOptionValue("output_flag", False)  # noqa: FBT003 - the solver's signature
        self._highs.setOptionValue("presolve", "off")
        self._pause = _PAUSE, 0.0

    def tree(self) -> DependencyTree:
        """Return the tree; what lies below a case that needs no cutting is left out."""
        nodes: list[Dependence | Halving | Relations] = []
        for case, is_leaf in self._preorder():
            if is_leaf:
                nodes.append(self._leaf(case))
            elif case.cut is None:
                inputs = self._inputs(len(case.sides) // 2)
                nodes.append(Dependence(tuple(self._reduced.rows[x] for x in inputs)))
            else:
                nodes.append(case.cut)
        return DependencyTree(1 << BITS, tuple(nodes))

    def _inputs(self, number: int) -> list[int]:
        return [*range(self._k), self._k + number]

    def _leaf(self, case: Case) -> Relations:
        """Round the weights of equations to integers, each for what its dependencies are worth."""
        most = max((abs(w) for w in case.weights.values()), default=1.0)
        columns, listed = self._reduced.columns, []
        longest = max((len(self._equations[e][0]) for _, e in case.weights), default=1)
        for (y, e), weight in sorted(case.weights.items()):
            used, removed = self._equations[e]
            if w := round(weight / most * _SCALE):
                w <<= BITS * (longest - len(used))
                listed.append(
                    Relation(columns[y], w, used, tuple(self._labels[x] for x in removed))
                )
        return Relations(tuple(listed))

    def _cut(self, case: Case) -> bool:
        """Let the next input depend on the first ones, or halve the edge that matters most."""
        number, n = len(case.sides) // 2, len(self._ones)
        if not self._progresses():
            return False
        if number < self._number:
            ends = np.eye(n)[self._inputs(number)]
            divisions = range(1, 1 << self._k)
            chosen = [[d >> t & 1 == 1 for t in range(self._k + 1)] for d in divisions]
            sides = [[*case.sides, ends[c], ends[[not b for b in c]]] for c in chosen]
            self._part(case, sides)
            return True
        return self._halve(case)

    def _halve(self, case: Case) -> bool:
        """Halve the edge that matters most."""
        edge = self._edge(case)
        if edge is None:
            return False
        case.cut, sides = edge, []
        for gone in (edge.second, edge.first):
            part = case.sides[edge.side].copy()
            part[gone] = case.sides[edge.side][[edge.first, edge.second]].mean(axis=0)
            sides.append([*case.sides[: edge.side], part, *case.sides[edge.side + 1 :]])
        self._part(case, sides)
        return True

    def _part(self, case: Case, sides: list[list[Array]]) -> None:
        case.parts = tuple(self._add(each, case) for each in sides)
        case.chances = np.zeros(0)

    def _progresses(self) -> bool:
        """Say whether the bound rises, as it does not where no such tree reaches the target."""
        pause, before = self._pause
        if len(self._cases) < pause:
            return True
        self._pause = pause + _PAUSE, self.bound
        return self.bound - before > _PROGRESS * (self.target - before)

    def _edge(self, case: Case) -> Halving | None:
        """Return the edge whose ends are far apart and both chosen by the game."""
        best, found = 2.0 ** (1 - BITS), None
        sizes = [len(side) for side in case.sides]
        chances = case.chances.reshape(sizes)
        for i, side in enumerate(case.sides):
            share = np.sqrt(chances.sum(axis=tuple(j for j in range(len(sizes)) if j != i)))
            for s, t in combinations(range(len(side)), 2):
                length = np.abs(side[s] - side[t]).max()
                worth = length * (_UNSEEN + share[s] * share[t])
                middle = (side[s] + side[t]) * (1 << BITS - 1)
                if worth > best and not np.any(middle % 1):  # of integers, as certificates ask
                    best, found = worth, Halving(i, s, t)
        return found

    def _add(self, sides: list[Array], parent: Case) -> int:
        """Add a case; the weights of its parent hold there as well."""
        gains, losses, names = self._payoffs(sides)
        bound, weights, t = parent.bound, parent.weights, self.target
        chances = np.full(len(gains), 1 / len(gains))
        for _ in range(_ROUNDS):
            paid = gains - t * losses
            scales = np.maximum(np.abs(paid).max(axis=0), _LEAST)
            mixed, chances = self._play(paid / scales)
            mixed /= scales
            loss = losses @ mixed
            errors = np.where(loss > 0, gains @ mixed / np.maximum(loss, 1e-300), 0.0)
            if errors.min() <= bound + _LEAST:
                if t <= bound:
                    break
                t = bound
                continue
            bound = float(errors.min())
            weights = {name: float(w) for name, w in self._signed(names, mixed) if w}
            if bound >= self.target:
                break
            t = bound
        return self._keep(Case(sides, weights, bound, chances))

    def _signed(
        self, names: list[tuple[int, int]], mixed: Array
    ) -> Iterator[tuple[tuple[int, int], float]]:
        """Yield the weight of each equation from those of it and of its negative."""
        half = len(names)
        yield from zip(names, mixed[:half] - mixed[half:], strict=True)

    def _payoffs(self, sides: list[Array]) -> tuple[Array, Array, list[tuple[int, int]]]:
        """Return what equations and their negatives gain and lose at each choice of vertices."""
        sizes = [len(side) for side in sides]
        grid = np.indices(sizes).reshape(len(sizes), -1)
        vectors = [sides[i][grid[i]] - sides[i + 1][grid[i + 1]] for i in range(0, len(sides), 2)]
        gains, losses, names = [], [], list[tuple[int, int]]()
        for e, (used, removed) in enumerate(self._equations):
            if used[-1] < len(vectors):
                combined = _combined([vectors[d] for d in used], removed)
                high, low = np.maximum(combined, 0.0), np.maximum(-combined, 0.0)
                one, outside = combined @ self._ones, self._outside
                gains.append((one - low @ outside, -one - high @ outside))
                losses.append(
                    (high @ self._ones + low @ self._zeros, low @ self._ones + high @ self._zeros)
                )
                names += [(y, e) for y in range(self._ones.shape[1])]
        both = (
            np.hstack([pair[sign] for sign in (0, 1) for pair in part]) for part in (gains, losses)
        )
        gain, loss = both
        return gain, loss, names

    def _play(self, paid: Array) -> tuple[Array, Array]:
        """Return the strategies of the game that rows of columns pay for, in floats."""
        size, number = paid.shape
        program = highspy.HighsLp()
        program.num_col_, program.num_row_ = number + 1, size + 1
        program.col_cost_ = -np.eye(1, number + 1, number)[0]
        infinite = highspy.kHighsInf
        program.col_lower_ = np.concatenate([np.zeros(number), [-infinite]])
        program.col_upper_ = np.full(number + 1, infinite)
        program.row_lower_ = np.concatenate([np.zeros(size), [1.0]])
        program.row_upper_ = np.concatenate([np.full(size, infinite), [1.0]])
        dense = np.ones((size + 1, number + 1))
        dense[:size, :number], dense[:size, number], dense[size, number] = paid, -1.0, 0.0
        matrix = program.a_matrix_
        matrix.format_ = highspy.MatrixFormat.kRowwise
        matrix.start_ = (np.arange(size + 2) * (number + 1)).astype(np.int32)
        matrix.index_ = np.tile(np.arange(number + 1), size + 1).astype(np.int32)
        matrix.value_ = dense.ravel()
        self._highs.passModel(program)
        self._highs.run()
        solution = self._highs.getSolution()
        mixed = np.maximum(np.array(solution.col_value)[:number], 0.0)
        chances = np.maximum(np.array(solution.row_dual)[:size], 0.0)
        return mixed, chances / max(chances.sum(), _LEAST)


def _combined(vectors: list[Array], removed: tuple[int, ...]) -> Array:
    """Return, for each choice, the combination by minors that is 0 at the removed inputs."""
    if not removed:
        return vectors[0]
    parts = (
        (-1) ** j * vector[:, removed[:1]] * _combined(vectors[:j] + vectors[j + 1 :], removed[1:])
        for j, vector in enumerate(vectors)
    )
    return sum(parts, np.zeros_like(vectors[0]))
