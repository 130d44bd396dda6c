"""The game between deterministic protocols and orbits of inputs, protocol by protocol.

Averaging over the symmetries of the problem changes no worst-case error for the worse, so that an
optimal protocol errs equally on all inputs of an orbit, and an optimal distribution is uniform on
each. The game has one row for each orbit; a protocol pays its average error on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import numpy as np

from ccsim.budget import Budget
from ccsim.communication.partitions.local_search import Floats
from ccsim.communication.public_coins.domination import Reduced
from ccsim.communication.public_coins.growing_weights import Array, GrowingWeights
from ccsim.exact import common_denominator
from ccsim.programs.game import GrowingGame, solve_integer_game
from ccsim.symmetry.groups import orbits_of
from ccsim.symmetry.matrix import Symmetry

# A deterministic protocol for the remaining inputs: a class for each row, answers for each
Table = tuple[list[int], list[int]]

_GRID = 1 << 40


class OrbitGame:
    """The protocols found so far, by the numbers of their errors in each orbit."""

    def __init__(self, reduced: Reduced, messages: int, symmetries: Sequence[Symmetry]) -> None:
        self.messages = messages
        self.cells = reduced.cells()
        moves = ([(cell, g.cell(*cell)) for cell in self.cells] for g in symmetries)
        leader = orbits_of(self.cells, moves)
        number = {cell: i for i, cell in enumerate(dict.fromkeys(leader.values()))}
        # for each cell the number of its orbit
        self.orbit = [number[leader[cell]] for cell in self.cells]
        self.sizes = np.bincount(self.orbit)
        self.tables: list[Table] = []
        self.master = GrowingGame(len(self.sizes))
        self._at = np.array(self.cells).T
        self._signs: Floats = np.zeros((len(reduced.rows), len(reduced.columns)))
        self._signs[self._at[0], self._at[1]] = [
            1 if reduced.problem.value(reduced.rows[i], reduced.columns[j]) else -1
            for i, j in self.cells
        ]
        self._errors: list[tuple[int, ...]] = []
        self._known: set[tuple[int, ...]] = set()

    def __len__(self) -> int:
        return len(self.tables)

    def signed(self, strategy: Sequence[float]) -> Floats:
        """Return a strategy over orbits as signed weights of cells, positive on value 1."""
        shares = (np.asarray(strategy) / self.sizes)[self.orbit]
        weights = np.zeros_like(self._signs)
        weights[self._at[0], self._at[1]] = shares
        return weights * self._signs

    def integers(self, strategy: Sequence[Fraction]) -> list[int]:
        """Return integer weights of cells in proportion to a strategy over orbits."""
        shares = [p / int(size) for p, size in zip(strategy, self.sizes, strict=True)]
        scale = common_denominator(shares)
        whole = [int(share * scale) for share in shares]
        return [whole[orbit] for orbit in self.orbit]

    def rounded(self, strategy: Sequence[float]) -> list[int]:
        """Return integer weights of cells nearly in proportion to a strategy over orbits."""
        whole = [round(p * _GRID / int(s)) for p, s in zip(strategy, self.sizes, strict=True)]
        divisor = max(1, gcd(*whole))  # as in a distribution, so that proofs speak of its weights
        whole = [w // divisor for w in whole]
        return [whole[orbit] for orbit in self.orbit]

    def signed_integers(self, weights: Sequence[int]) -> list[list[int]]:
        """Return integer weights of cells as a signed matrix."""
        matrix = [[0] * self._signs.shape[1] for _ in self._signs]
        for (i, j), w in zip(self.cells, weights, strict=True):
            matrix[i][j] = w if self._signs[i, j] > 0 else -w
        return matrix

    def add(self, classes: Iterable[int], balances: Sequence[Sequence[float]] | Array) -> bool:
        """Add the protocol with these classes of rows, unless one that errs alike is known.

        Bob answers 1 where the balance of the class in his column is positive.
        """
        answers = np.asarray(balances) > 0
        wrong = (answers[list(classes)] != (self._signs > 0))[self._at[0], self._at[1]]
        counts: Any = np.bincount(self.orbit, weights=wrong, minlength=len(self.sizes))
        errors = tuple(int(c) for c in counts)
        if errors in self._known:
            return False
        self._known.add(errors)
        self._errors.append(errors)
        bob = [sum(1 << y for y, one in enumerate(row) if one) for row in answers.tolist()]
        self.tables.append(([int(m) for m in classes], bob))
        rows = np.flatnonzero(counts)
        self.master.add_column(rows.tolist(), (counts / self.sizes)[rows].tolist())
        return True

    def add_grown(self, grown: GrowingWeights) -> tuple[list[Fraction], list[float]]:
        """Add the protocols played most; return their mixture, and the mean strategy over orbits.

        They are the first ones of the game.
        """
        times = [grown.played[i] for i in grown.most_played() if self.add(*grown.tables[i])]
        weights: Any = np.bincount(self.orbit, grown.total[self._at[0], self._at[1]])
        mixture = [Fraction(number, sum(times)) for number in times]
        return mixture, (weights / weights.sum()).tolist()

    def conceded(self, mixture: Sequence[Fraction]) -> Fraction:
        """Return the largest average error of a mixture of the protocols, exactly."""
        unit = common_denominator(mixture)
        used = [(int(w * unit), e) for w, e in zip(mixture, self._errors, strict=True) if w]
        machine = unit * int(max(self.sizes)) < 1 << 62
        shares, errors = (
            np.array(each, np.int64 if machine else object) for each in zip(*used, strict=True)
        )
        found = zip((shares @ errors).tolist(), self.sizes.tolist(), strict=True)
        return max(Fraction(number, unit * size) for number, size in found)

    def solve_exactly(
        self, budget: Budget | None = None, protocols: Sequence[int] | None = None
    ) -> tuple[Fraction, tuple[Fraction, ...], tuple[Fraction, ...]]:
        """Return value, strategy over orbits and mixture of protocols of the game so far.

        If protocols are named, by their numbers, no others are played.
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
        """Return the last float mixture rounded to fractions that sum to 1.

        It is the first protocol alone where no game was solved in time.
        """
        whole = [round(w * _GRID) for w in self.master.column_strategy()] or [1]
        later = len(self) - len(whole)
        return [Fraction(w, sum(whole)) for w in whole] + [Fraction(0)] * later
