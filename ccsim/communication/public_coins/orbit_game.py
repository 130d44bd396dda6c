"""The one-way protocols in the game against orbits of inputs, and the search for best responses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ccsim.budget import Budget
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
from ccsim.communication.public_coins.column_generation import Array, CellGame
from ccsim.communication.public_coins.domination import Reduced
from ccsim.communication.public_coins.growing_weights import GrowingWeights
from ccsim.data import frozen
from ccsim.symmetry.groups import ClassOrbits
from ccsim.symmetry.matrix import Symmetry

Table = tuple[list[int], list[int]]  # a protocol: a class for each row, answers for each

_SIMPLE = 20000  # largest denominator of a strategy that is guessed from floats
_NEAR = 1e-9
_GROWN = 400  # most protocols from growing weights
_FEW_ROWS = 12  # rows of a distribution that is priced in no time


class OrbitGame(CellGame[Table]):
    """The one-way protocols found so far."""

    def __init__(self, reduced: Reduced, messages: int, symmetries: Sequence[Symmetry]) -> None:
        super().__init__(reduced, symmetries)
        self.messages = messages

    def add(self, classes: Iterable[int], balances: Sequence[Sequence[float]] | Array) -> bool:
        """Add a protocol, given by classes and balances, unless its errors are known."""
        sent, answers = [int(m) for m in classes], np.asarray(balances) > 0
        bob = [sum(1 << y for y, one in enumerate(row) if one) for row in answers.tolist()]
        return self.record(answers[sent], (sent, bob))

    def add_grown(self, grown: GrowingWeights) -> tuple[list[Fraction], list[float]]:
        """Add the protocols with most weight; return their mixture and the mean strategy."""
        shares = grown.shares()
        heaviest = sorted(range(len(shares)), key=lambda i: -shares[i])[:_GROWN]
        times = [max(1, shares[i]) for i in heaviest if self.add(*grown.tables[i])]
        weights: Any = np.bincount(self.orbit, grown.total[self._at[0], self._at[1]])
        mixture = [Fraction(number, sum(times)) for number in times]
        return mixture, (weights / weights.sum()).tolist()


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
