"""The mistakes of learners that choose the points, or know their order (Goldman, Sloan 1994).

A learner predicts the label of each point and then sees it. In the self-directed model the learner
chooses the next point. In the offline model all points come in a fixed order that the learner knows
(Ben-David, Kushilevitz, Mansour 1997).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from operator import ge, le
from typing import Any, TypeAlias

from ccsim.arguments.checked import checked_types
from ccsim.arguments.values import show_value
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.certificates import Certificate
from ccsim.classes import ConceptClass
from ccsim.classes.concept_class import columns
from ccsim.classes.given import ClassLike, as_class
from ccsim.classes.masks import essential_points
from ccsim.data import frozen
from ccsim.dimensions.answer import ClassAnswer
from ccsim.dimensions.queries import QueryRules
from ccsim.dimensions.version_spaces.identification import Entry, Moves, costs, to_json
from ccsim.errors import DomainError

ORDERS = ("best", "worst")
"""The orders of the points in the offline model."""
_Attained: TypeAlias = dict[tuple[int, ...], tuple[int, tuple[int, ...]]]
"""Vectors of mistakes in cells; for each, a point that leads to it, and the vector after it."""
_MOST_POINTS = 16  # for which all sets of points are considered
_BY_TABLES = 0.4  # part of a time limit for bounds that hold for learners of other models


@frozen
class SelfDirectedResult(ClassAnswer):
    """The self-directed learning complexity of a class, or bounds, with proofs of both bounds.

    Attributes
    ----------
    concept_class : ConceptClass
    lower, upper : int
        Bounds, at least -1; equal unless the search was stopped.
    first_prediction : tuple of (int, int) or None
        The first point of a learner that makes at most ``upper`` mistakes, and the predicted label.
        None if the number of concepts proves the upper bound.
    adversary, learner : tuple of (int, tuple, tuple, tuple)
        Entries that prove the lower and the upper bound, as in `QueryComplexityResult`, with
        numbers of mistakes.
    """

    quantity = "the self-directed learning complexity"
    _kind = "self_directed_complexity"

    first_prediction: tuple[int, int] | None
    adversary: tuple[Entry, ...]
    learner: tuple[Entry, ...]

    def certificate(self) -> Certificate:
        """Return the certificate of kind ``self_directed_complexity``."""
        lower = {"adversary": to_json(self.adversary)} if self.lower >= 0 else {"trivial": {}}
        return self._with_proofs(lower, {"learner": to_json(self.learner)})


@checked_types
def self_directed_complexity(
    concept_class: ClassLike,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> SelfDirectedResult:
    """Return the least number of mistakes of a self-directed learner, for the worst concept.

    The learner chooses a point, predicts its label and then sees it, until one concept is
    consistent with all labels. The choice may depend on the labels seen so far.

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
    time_limit, progress
        As for `littlestone_dimension`.

    Returns
    -------
    SelfDirectedResult
        The bounds lie between -1 (for the empty class) and ``log2`` of the number of concepts.

    Notes
    -----
    Method: a memoised search over version spaces. Complexity: exponential in general. Source:
    Goldman and Sloan (1994), "The power of self-directed learning".

    Examples
    --------
    >>> from ccsim.classes import all_functions, thresholds
    >>> self_directed_complexity(all_functions(3)).value
    3
    >>> result = self_directed_complexity(thresholds(3))
    >>> result.value, result.first_prediction
    (1, (0, 0))
    >>> result.check()
    """
    budget = Budget.of(time_limit, progress)
    C = as_class(concept_class, budget)
    lower, upper, move, adversary, learner = costs(C, _SelfDirected(), budget)
    return SelfDirectedResult(C, lower, upper, move, adversary, learner)


class _SelfDirected:
    """The choices of a self-directed learner; only a wrong prediction costs 1."""

    def most_of(self, number: int) -> int:
        """Return the bound by halving."""
        return number.bit_length() - 1

    def least_of(self, number: int) -> int:
        """Return 1 for at least two concepts."""
        return min(1, number - 1)

    def counted(self, sizes: list[int], budget: Budget) -> int:
        """Return a bound that is never better than `least_of`."""
        return -1

    def moves(self, sizes: list[int], budget: Budget) -> Moves:
        """Look for a point and a label such that one side has a cost smaller than the limit."""
        both = zip(sizes[::2], sizes[1::2], strict=True)
        splitting = [x for x, pair in enumerate(both) if all(pair)]
        for x in sorted(splitting, key=lambda x: min(sizes[2 * x], sizes[2 * x + 1])):
            small = 2 * x + (sizes[2 * x + 1] < sizes[2 * x])
            for wrong in (small, small ^ 1):
                if (yield wrong, 1) and (yield wrong ^ 1, 0):
                    return (x, 1 - (wrong & 1)), ((wrong, 1), (wrong ^ 1, 0))
        return None


@frozen
class OfflineMistakesResult(ClassAnswer):
    """The offline mistake bound for the best or the worst order of the points, with proofs.

    Attributes
    ----------
    concept_class : ConceptClass
    order : str
        ``"best"`` or ``"worst"``.
    lower, upper : int
        Bounds, at least -1; equal unless the search was stopped.
    points : tuple of int
        All points in an order with ``upper`` (best) or ``lower`` (worst) mistakes.
    entries : tuple of (int, tuple, tuple, tuple)
        Entries that prove the other bound, as in `QueryComplexityResult`: a lower bound on the
        mistakes of self-directed learners (best), or an upper bound on the number of equivalence
        queries (worst). Empty if the kernel proves the bound from all orders.
    """

    asked = ("concept_class", "order")
    quantity = "the offline mistake bound"
    _kind = "offline_mistakes"

    order: str
    points: tuple[int, ...]
    entries: tuple[Entry, ...]

    def certificate(self) -> Certificate:
        """Return the certificate of kind ``offline_mistakes``."""
        one: dict[str, Any] = {f"{self.order}_order": {"points": list(self.points)}}
        if self.order == "best":
            other = {"adversary": to_json(self.entries)} if self.entries else {"all_orders": {}}
            other = other if self.lower >= 0 else {"trivial": {}}
            return self._with_proofs(other, one, order=self.order)
        other = {"learner": to_json(self.entries)} if self.entries else {"any_order": {}}
        return self._with_proofs(one, other, order=self.order)


@checked_types
def offline_mistakes(
    concept_class: ClassLike,
    order: str,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> OfflineMistakesResult:
    """Return the least number of mistakes of a learner that knows the order of the points.

    All points come in the best or in the worst order, which is fixed and known in advance. The
    learner predicts the label of each point and then sees it.

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
    order : str
        ``"best"`` or ``"worst"``.
    time_limit, progress
        As for `littlestone_dimension`.

    Returns
    -------
    OfflineMistakesResult
        The bounds lie between -1 (for the empty class) and ``log2`` of the number of concepts. They
        may differ if the search was stopped, or for more than 16 points that are distinct up to
        complement.

    Raises
    ------
    DomainError
        If ``order`` has another value.

    Notes
    -----
    Method: the self-directed learning complexity is a lower bound, and the Littlestone dimension an
    upper bound. If some order does not attain it, all sets of points are considered. Complexity:
    exponential in the number of points. Source: Ben-David, Kushilevitz and Mansour (1997), "Online
    learning versus offline learning".

    Examples
    --------
    >>> from ccsim.classes import thresholds
    >>> offline_mistakes(thresholds(3), "worst").value
    3
    >>> result = offline_mistakes(thresholds(3), "best")
    >>> result.value, result.points
    (1, (0, 1, 2, 3, 4, 5, 6, 7))
    >>> result.check()
    """
    if order not in ORDERS:
        raise DomainError(f"order must be best or worst, not {show_value(order)}")
    budget = Budget.of(time_limit, progress)
    C = as_class(concept_class, budget)
    is_best = order == "best"
    rules = _SelfDirected() if is_best else QueryRules(C, "equivalence")
    found = costs(C, rules, budget.share(_BY_TABLES) if budget.limited else budget)
    bound, entries = (found.lower, found.adversary) if is_best else (found.upper, found.learner)
    search = _Orders(C, is_best=is_best)
    first = search.essential
    with budget.or_at_once() as left:
        first = search.greedy(left)
    reached = search.mistakes(first)
    with budget:
        if reached != bound and len(search.essential) <= _MOST_POINTS:
            first = search.extreme(budget)
            reached = search.mistakes(first)
            if reached != bound:
                bound, entries = reached, ()
    lower, upper = (bound, reached) if is_best else (reached, bound)
    budget.report(lower, upper)
    return OfflineMistakesResult(C, lower, upper, order, search.all_points(first), entries)


class _Orders:
    """Orders of the points of a class, and their numbers of mistakes."""

    def __init__(self, C: ConceptClass, *, is_best: bool) -> None:
        self.C, self.ones, self.is_best = C, columns(C), is_best
        self.essential = essential_points(C)
        self.known: dict[int, _Attained] = {}

    def mistakes(self, points: Sequence[int]) -> int:
        """Return the least number of mistakes for an order that distinguishes all concepts.

        Two labels of a point on which some concepts differ cost the larger number of mistakes
        after them, and 1 more if these numbers are equal. The concepts are sorted by their labels
        in this order, so that each point divides consecutive concepts.
        """
        labels = sorted("".join("01"[row >> x & 1] for x in points) for row in self.C.rows)
        waiting, cost = list[tuple[int, int]](), min(len(labels), 1) - 1
        for one, other in pairwise(labels):
            depth = next(
                i for i, pair in enumerate(zip(one, other, strict=True)) if len({*pair}) > 1
            )
            while waiting and waiting[-1][0] > depth:
                cost = _joined(waiting.pop()[1], cost)
            waiting.append((depth, cost))
            cost = 0
        while waiting:
            cost = _joined(waiting.pop()[1], cost)
        return cost

    def all_points(self, first: Sequence[int]) -> tuple[int, ...]:
        """Return an order of all points, given its first ones."""
        return (*first, *(x for x in range(len(self.ones)) if x not in {*first}))

    def greedy(self, budget: Budget) -> tuple[int, ...]:
        """Return an order of points, each of which divides the largest cell most or least evenly.

        A cell consists of the concepts that agree on the earlier points.
        """
        cells, order = [(1 << len(self.C)) - 1], dict[int, None]()
        extreme = min if self.is_best else max
        while len(cells) < len(self.C):
            budget.spend()
            largest, found = max(cells, key=int.bit_count), list[tuple[int, int]]()
            for x in self.essential:
                if smaller := min(side.bit_count() for side in self._sides(largest, x)):
                    found.append((smaller, x))
            _, x = extreme(found)
            order[x] = None
            cells = [side for cell in cells for side in self._sides(cell, x) if side]
        return (*order, *(x for x in self.essential if x not in order))

    def extreme(self, budget: Budget) -> tuple[int, ...]:
        """Return an order with the fewest or the most mistakes, from all sets of points."""
        everything = (1 << len(self.C)) - 1
        order, seen, cells = list[int](), 0, self._large([everything])
        vector = next(iter(self._attained(0, cells, budget)), ())
        while cells:
            x, vector = self._attained(seen, cells, budget)[vector]
            order.append(x)
            seen |= 1 << x
            cells = self._large(side for cell in cells for side in self._sides(cell, x))
        return (*order, *(x for x in self.essential if x not in order))

    def _sides(self, cell: int, x: int) -> tuple[int, int]:
        return cell & ~self.ones[x], cell & self.ones[x]

    def _large(self, cells: Iterable[int]) -> list[int]:
        """Return the sets of more than three concepts; smaller ones cost 1 or 0 in each order."""
        return [cell for cell in cells if cell.bit_count() > 3]

    def _attained(self, seen: int, cells: list[int], budget: Budget) -> _Attained:
        """Return the extreme vectors of the mistakes in all cells, with the next point of an order.

        The cells consist of the concepts that agree on the points in `seen`.
        """
        if not cells:
            return {(): (-1, ())}
        if seen not in self.known:
            found: _Attained = {}
            for x in self.essential:
                if seen >> x & 1 or not any(all(self._sides(cell, x)) for cell in cells):
                    continue
                both = [self._sides(cell, x) for cell in cells]
                below = self._large(side for pair in both for side in pair)
                order = sorted(below)
                for vector in self._attained(seen | 1 << x, order, budget):
                    budget.spend()
                    cost = dict(zip(order, vector, strict=True))
                    joined = (
                        _joined(*(cost.get(side, min(side.bit_count(), 2) - 1) for side in pair))
                        for pair in both
                    )
                    found.setdefault(tuple(joined), (x, vector))
            self.known[seen] = self._extreme_of(found, budget)
        return self.known[seen]

    def _extreme_of(self, found: _Attained, budget: Budget) -> _Attained:
        """Return the vectors that no other vector exceeds, or undercuts for the best order."""
        kept: _Attained = {}
        below = le if self.is_best else ge
        for vector in sorted(found, key=sum, reverse=not self.is_best):
            budget.spend()
            if not any(all(map(below, other, vector)) for other in kept):
                kept[vector] = found[vector]
        return kept


def _joined(zero: int, one: int) -> int:
    """Return the mistakes on a point and after it; -1 stands for a label that no concept has."""
    return zero + 1 if zero == one else max(zero, one)
