"""The game between deterministic protocols and orbits of inputs, and the search for best responses.

Averaging over symmetries does not increase the worst-case error. So some optimal protocol has equal
errors, and some optimal distribution is uniform, on each orbit of inputs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import numpy as np

from ccsim.budget import Budget
from ccsim.communication.hard_distribution import HardDistribution
from ccsim.communication.partitions.answers import (
    AnswerSearch,
    good_choices,
    needs_answers,
    searched_answers,
)
from ccsim.communication.partitions.search import (
    Floats,
    Partitions,
    PartitionSearch,
    good_partitions,
)
from ccsim.communication.partitions.tables import Weights, cheapest_classes
from ccsim.communication.public_coins.domination import Reduced
from ccsim.communication.public_coins.growing_weights import Array, GrowingWeights
from ccsim.data import frozen
from ccsim.exact import common_denominator
from ccsim.programs.game import GrowingGame, solve_integer_game
from ccsim.symmetry.groups import ClassOrbits
from ccsim.symmetry.matrix import Symmetry, cell_orbits

Table = tuple[list[int], list[int]]  # a protocol: a class for each row, answers for each

_GRID = 1 << 40
_SIMPLE = 20000  # largest denominator of a strategy that is guessed from floats
_NEAR = 1e-9
_GROWN = 400  # most protocols from growing weights
_FEW_ROWS = 12  # rows of a distribution that is priced in no time


class OrbitGame:
    """The protocols found so far, each given by its number of errors in each orbit."""

    def __init__(self, reduced: Reduced, messages: int, symmetries: Sequence[Symmetry]) -> None:
        self.reduced, self.messages = reduced, messages
        self.cells = reduced.cells()
        shape = len(reduced.rows), len(reduced.columns)
        self.orbit = cell_orbits(self.cells, symmetries, shape)  # of each cell
        self.sizes = np.bincount(self.orbit)
        self.tables: list[Table] = []
        self.master = GrowingGame(len(self.sizes))
        self._at = np.array(self.cells).T
        self._signs: Floats = np.nan_to_num(2 * reduced.values() - 1)
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

    def add(self, classes: Iterable[int], balances: Sequence[Sequence[float]] | Array) -> bool:
        """Add a protocol, given by classes and balances, unless its errors are known."""
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
        """Add the protocols with most weight; return their mixture and the mean strategy."""
        shares = grown.shares()
        heaviest = sorted(range(len(shares)), key=lambda i: -shares[i])[:_GROWN]
        times = [max(1, shares[i]) for i in heaviest if self.add(*grown.tables[i])]
        weights: Any = np.bincount(self.orbit, grown.total[self._at[0], self._at[1]])
        mixture = [Fraction(number, sum(times)) for number in times]
        return mixture, (weights / weights.sum()).tolist()

    def conceded(self, mixture: Sequence[Fraction]) -> Fraction:
        """Return the exact maximum, over orbits, of the average error of a mixture."""
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


@frozen
class Priced:
    """Bounds on the minimum cost of a partition, a cheapest partition, and other good ones."""

    lower: int
    cost: int
    classes: list[int]  # the class of each row in a partition that costs ``cost``
    others: list[list[int]]  # other good partitions
    search: AnswerSearch | None  # what can prove the lower bound where Bob has few inputs


class Pricing:
    """The search for partitions that suits a problem: by subset tables, orbits, or answers."""

    def __init__(
        self,
        reduced: Reduced,
        messages: int,
        symmetries: Sequence[Symmetry],
        orbits: ClassOrbits | None,
    ) -> None:
        rows, columns = len(reduced.rows), len(reduced.columns)
        self.by_answers = orbits is None and needs_answers(rows, columns, messages)
        self._messages, self._symmetries, self._orbits = messages, symmetries, orbits

    def price(self, matrix: Weights, budget: Budget, cheap: int, slack: int) -> Priced:
        """Return an optimal partition for integer weights, or bounds; see `AnswerSearch`."""
        if self.by_answers:
            search, (best, *others) = searched_answers(
                matrix, self._messages, self._symmetries, budget, cheap, slack
            )
            return Priced(search.lower, search.cost, best, others, search)
        if self._orbits is None:
            cost, classes = cheapest_classes(matrix, self._messages, budget)
            return Priced(cost, cost, classes, [], None)
        found = PartitionSearch(matrix, self._messages, self._orbits, budget)
        return Priced(found.lower, found.cost, found.classes, [], None)

    def good(self, weights: Floats, tries: int, rng: np.random.Generator) -> tuple[Partitions, Any]:
        """Return partitions from a local search with random starts, and their costs."""
        search = good_choices if self.by_answers else good_partitions
        return search(weights, self._messages, tries, rng)

    def few_rows(self, matrix: Weights) -> tuple[int, list[int], list[int]]:
        """Return the minimum cost for the heaviest rows, classes of all rows, and the heaviest."""
        rows = sorted(range(len(matrix)), key=lambda i: -sum(map(abs, matrix[i])))[:_FEW_ROWS]
        cost, classes = cheapest_classes([matrix[i] for i in rows], self._messages)
        of_row = dict(zip(rows, classes, strict=True))
        return cost, [of_row.get(i, 0) for i in range(len(matrix))], rows


def simple_distribution(strategy: Sequence[float]) -> list[Fraction] | None:
    """Return probabilities with small denominators near those given, or None if there are none."""
    near = [Fraction(max(p, 0.0)).limit_denominator(_SIMPLE) for p in strategy]
    apart = max(abs(float(q) - p) for p, q in zip(strategy, near, strict=True))
    return near if apart < _NEAR and sum(near) == 1 else None


def renumbered(classes: Sequence[int], rows: Sequence[int]) -> list[int]:
    """Return the classes of some rows, numbered in order of first appearance."""
    number: dict[int, int] = {}
    return [number.setdefault(classes[i], len(number)) for i in rows]
