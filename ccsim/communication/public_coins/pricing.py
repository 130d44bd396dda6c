"""Which search finds the best protocol for weighted inputs, by the shape of the problem."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ccsim.budget import Budget
from ccsim.communication.partitions.answer_search import AnswerSearch, searched_answers
from ccsim.communication.partitions.answers import good_choices, needs_answers
from ccsim.communication.partitions.local_search import Floats, Partitions, good_partitions
from ccsim.communication.partitions.search import PartitionSearch
from ccsim.communication.partitions.tables import Weights, cheapest_classes
from ccsim.communication.public_coins.domination import Reduced
from ccsim.data import frozen
from ccsim.symmetry.groups import ClassOrbits
from ccsim.symmetry.matrix import Symmetry

_SIMPLE = 20000  # largest denominator of a strategy that is guessed from floats
_NEAR = 1e-9
_FEW_ROWS = 12  # rows of a distribution that is priced in no time


@frozen
class Priced:
    """Bounds on the least cost of a partition, one of that cost, and what else was found."""

    lower: int
    cost: int
    classes: list[int]  # the class of each row in a partition that costs ``cost``
    others: list[list[int]]  # other good partitions
    search: AnswerSearch | None  # what can prove the lower bound where Bob has few inputs


class Pricing:
    """The search that suits a problem: tables of subsets, classes up to symmetry, or answers."""

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
        """Return the best partition for integer weights, or bounds; see `AnswerSearch`."""
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
        """Return partitions by local search from random starts, and their costs."""
        search = good_choices if self.by_answers else good_partitions
        return search(weights, self._messages, tries, rng)

    def few_rows(self, matrix: Weights) -> tuple[int, list[int], list[int]]:
        """Return the least cost of the heaviest rows alone, the class of each row, and which.

        The class of another row is 0.
        """
        rows = sorted(range(len(matrix)), key=lambda i: -sum(map(abs, matrix[i])))[:_FEW_ROWS]
        cost, classes = cheapest_classes([matrix[i] for i in rows], self._messages)
        of_row = dict(zip(rows, classes, strict=True))
        return cost, [of_row.get(i, 0) for i in range(len(matrix))], rows


def simple_law(strategy: Sequence[float]) -> list[Fraction] | None:
    """Return probabilities with small denominators next to floats, if there are any."""
    near = [Fraction(max(p, 0.0)).limit_denominator(_SIMPLE) for p in strategy]
    apart = max(abs(float(q) - p) for p, q in zip(strategy, near, strict=True))
    return near if apart < _NEAR and sum(near) == 1 else None


def renumbered(classes: Sequence[int], rows: Sequence[int]) -> list[int]:
    """Return the classes of some rows, numbered as they come up."""
    number: dict[int, int] = {}
    return [number.setdefault(classes[i], len(number)) for i in rows]
