"""Column generation between deterministic protocols and orbits of inputs, in any model.

Averaging over symmetries does not increase the worst-case error. So some optimal protocol has equal
errors, and some optimal distribution is uniform, on each orbit of inputs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from typing import Any, Generic, TypeVar

import numpy as np

from ccsim.budget import Budget
from ccsim.communication.hard_distribution import HardDistribution
from ccsim.communication.public_coins.domination import Reduced
from ccsim.exact import common_denominator
from ccsim.programs.game import GrowingGame, solve_integer_game
from ccsim.symmetry.matrix import Symmetry, cell_orbits

Array = np.ndarray[Any, np.dtype[Any]]
Floats = np.ndarray[Any, np.dtype[np.float64]]
P = TypeVar("P")

_GRID = 1 << 40
_GAP = 1e-9
SLACK = 1e-7
"""How far bounds on the error may be apart where Bob has few inputs and weights are rounded."""


class CellGame(Generic[P]):
    """The protocols found so far, each given by its number of errors in each orbit."""

    def __init__(self, reduced: Reduced, symmetries: Sequence[Symmetry]) -> None:
        self.reduced = reduced
        self.cells = reduced.cells()
        shape = len(reduced.rows), len(reduced.columns)
        self.orbit = cell_orbits(self.cells, symmetries, shape)  # of each cell
        self.sizes = np.bincount(self.orbit)
        self.tables: list[P] = []
        self._at = np.array(self.cells).T
        self._signs: Floats = np.nan_to_num(2 * reduced.values() - 1)
        self._errors: list[tuple[int, ...]] = []
        self._known: set[tuple[int, ...]] = set()

    @cached_property
    def master(self) -> GrowingGame:
        """The game between the orbits and the protocols found so far; large ones take time."""
        return GrowingGame(len(self.sizes))

    def __len__(self) -> int:
        return len(self.tables)

    def signed(self, strategy: Sequence[float]) -> Floats:
        """Return a strategy over orbits as signed weights of cells, positive on value 1."""
        shares = (np.asarray(strategy) / self.sizes)[self.orbit]
        weights = np.zeros_like(self._signs)
        weights[self._at[0], self._at[1]] = shares
        return weights * self._signs

    def integers(self, strategy: Sequence[Fraction]) -> list[int]:
        """Return integer weights of cells proportional to a strategy over orbits."""
        shares = [p / int(size) for p, size in zip(strategy, self.sizes, strict=True)]
        scale = common_denominator(shares)
        whole = [int(share * scale) for share in shares]
        return [whole[orbit] for orbit in self.orbit]

    def rounded(self, strategy: Sequence[float]) -> list[int]:
        """Return integer weights of cells nearly proportional to a strategy over orbits."""
        whole = [round(p * _GRID / int(s)) for p, s in zip(strategy, self.sizes, strict=True)]
        divisor = max(1, gcd(*whole))  # as in a distribution, so that proofs speak of its weights
        return [whole[orbit] // divisor for orbit in self.orbit]

    def distribution(self, weights: Sequence[int]) -> HardDistribution:
        """Return the distribution with integer weights of cells."""
        rows, columns = self.reduced.rows, self.reduced.columns
        return HardDistribution.from_integers(
            (rows[i], columns[j], w) for (i, j), w in zip(self.cells, weights, strict=True)
        )

    def signed_integers(self, weights: Sequence[int]) -> list[list[int]]:
        """Return integer weights of cells as a signed matrix."""
        matrix = [[0] * self._signs.shape[1] for _ in self._signs]
        for (i, j), w in zip(self.cells, weights, strict=True):
            matrix[i][j] = w if self._signs[i, j] > 0 else -w
        return matrix

    def record(self, answers: Array, table: P) -> bool:
        """Add a protocol with the given answers (true for 1), unless its errors are known."""
        wrong = (answers != (self._signs > 0))[self._at[0], self._at[1]]
        counts: Any = np.bincount(self.orbit, weights=wrong, minlength=len(self.sizes))
        errors = tuple(int(c) for c in counts)
        if errors in self._known:
            return False
        self._known.add(errors)
        self._errors.append(errors)
        self.tables.append(table)
        rows = np.flatnonzero(counts)
        self.master.add_column(rows.tolist(), (counts / self.sizes)[rows].tolist())
        return True

    def conceded(self, mixture: Sequence[Fraction]) -> Fraction:
        """Return the exact maximum, over orbits, of the average error of a mixture."""
        unit = common_denominator(mixture)
        used = [(int(w * unit), e) for w, e in zip(mixture, self._errors, strict=True) if w]
        machine = unit * int(max(self.sizes)) < 1 << 62
        shares, errors = (
            np.array(each, np.int64 if machine else object) for each in zip(*used, strict=True)
        )
        most = dict[int, int]()  # for each size, the largest sum of errors
        for number, size in zip((shares @ errors).tolist(), self.sizes.tolist(), strict=True):
            most[size] = max(most.get(size, 0), number)
        return max(Fraction(number, unit * size) for size, number in most.items())

    def solve_exactly(
        self, budget: Budget | None = None, protocols: Sequence[int] | None = None
    ) -> tuple[Fraction, tuple[Fraction, ...], tuple[Fraction, ...]]:
        """Return the value and the optimal strategies (of orbits and protocols) of the game.

        If `protocols` are given, the game is restricted to them.
        """
        scale = lcm(*map(int, self.sizes))
        factors = [scale // int(size) for size in self.sizes]
        played = range(len(self)) if protocols is None else protocols
        matrix = [[factor * self._errors[p][i] for p in played] for i, factor in enumerate(factors)]
        value, orbits, mixture, _ = solve_integer_game(matrix, budget)
        share = dict(zip(played, mixture, strict=True))
        whole = tuple(share.get(p, Fraction(0)) for p in range(len(self)))
        return value / scale, orbits, whole

    def rounded_mixture(self) -> list[Fraction]:
        """Return the last mixture (if none, the first protocol), converted to fractions."""
        whole = [round(w * _GRID) for w in self.master.column_strategy()] or [1]
        later = len(self) - len(whole)
        return [Fraction(w, sum(whole)) for w in whole] + [Fraction(0)] * later


G = TypeVar("G", bound=CellGame[Any])


class ColumnGeneration(ABC, Generic[G]):
    """Column generation with the best bounds so far; subclasses find the protocols of a model."""

    def __init__(self, game: G, budget: Budget) -> None:
        self.game = game
        self.lower = Fraction(-1)
        self.hard: list[int] = []
        self.mixture: list[Fraction] | None = None
        self._budget = budget
        self._rng = np.random.default_rng(0)
        self._stable = [int(size) / len(game.cells) for size in game.sizes]
        self._strategy = self._stable
        self._estimate = 0.0
        self._priced = 0.0
        self._upper = 1.0

    @abstractmethod
    def _add_good(self, strategy: Sequence[float], upper: float) -> int:
        """Add protocols with error below the value under a strategy; return their number."""

    @abstractmethod
    def _price(self, weights: list[int], budget: Budget, slack: float = SLACK) -> Fraction:
        """Add the best protocol for integer weights; return a lower bound on its error."""

    def _generate(self, target: Fraction | None) -> None:
        """Search until the bounds coincide or decide whether the target is attained."""
        while self.mixture is None:
            self._upper, strategy = self.game.master.solve(self._budget)
            self._report()
            self._budget.spend()
            if target is not None and self._decides(target):
                return
            smoothed = [(a + b) / 2 for a, b in zip(strategy, self._stable, strict=True)]
            self._add_good(smoothed, self._upper)
            if self._add_good(strategy, self._upper):
                continue
            before, self._strategy = len(self.game), strategy
            if self._upper - float(self.lower) > _GAP:
                self._price(self.game.rounded(strategy), self._budget)
            if len(self.game) == before or self._upper - float(self.lower) <= _GAP:
                self._finish()

    def _decides(self, target: Fraction) -> bool:
        """Return whether exact bounds decide about the target.

        They are computed only if floats suggest that they do.
        """
        if self._estimate > max(float(target), self._priced) + _GAP:
            self._priced = self._estimate
            self._price(self.game.rounded(self._stable), self._budget)
        if self._upper <= target:
            value, _, mixture = self.game.solve_exactly(self._budget)
            if value <= target:
                self.mixture = self._filled(mixture)
                if not self.hard:  # nor is a lower bound asked for
                    self._leave_open()
        return self.lower > target or self.mixture is not None

    def _leave_open(self) -> None:
        """Set the lower bound to 0, which a single cell proves."""
        self.lower, self.hard = Fraction(0), [1] + [0] * (len(self.game.cells) - 1)

    def _report(self) -> None:
        self._budget.report(max(float(self.lower), 0.0), self._upper)

    def _finish(self) -> None:
        """Solve the restricted game exactly; store the mixture unless a protocol is added."""
        value, orbits, mixture = self.game.solve_exactly(self._budget)
        before = len(self.game)
        for distribution in self._optima(orbits):
            bound = self._price(self.game.integers(distribution), self._budget, 0.0)
            if bound < value and len(self.game) > before:
                return
            if bound == value:
                break
        self.mixture = self._filled(mixture)

    def _optima(self, exact: Sequence[Fraction]) -> list[Sequence[Fraction]]:
        """Return distributions that may prove the value of the restricted game, simplest first."""
        return [exact]

    def _filled(self, mixture: Sequence[Fraction]) -> list[Fraction]:
        """Return a mixture with weight 0 for the protocols that were added later."""
        return [*mixture, *[Fraction(0)] * (len(self.game) - len(mixture))]

    def begin(self) -> None:
        """Add a first protocol, so that an interrupted search has a result."""
        if not len(self.game):
            self._add_good(self._stable, 1.0)
            self.game.master.solve()
