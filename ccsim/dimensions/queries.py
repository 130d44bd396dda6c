"""The query complexity of exact learning (Angluin 1988)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeAlias

from ccsim.arguments.checked import checked_types
from ccsim.arguments.values import show_value
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.certificates import Certificate
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.data import frozen
from ccsim.dimensions.answer import ClassAnswer
from ccsim.dimensions.version_spaces.identification import Asked, Entry, Moves, costs, to_json
from ccsim.errors import DomainError

QUERIES = (
    "membership",
    "equivalence",
    "proper equivalence",
    "membership and equivalence",
    "membership and proper equivalence",
)
"""The kinds of queries that a learner may ask."""
Query: TypeAlias = int | tuple[int, ...]
"""The point of a membership query, or the labels of the hypothesis of an equivalence query."""


@frozen
class QueryComplexityResult(ClassAnswer):
    """The number of queries that identify every concept of a class, with proofs of both bounds.

    Attributes
    ----------
    concept_class : ConceptClass
    queries : str
        The queries that the learner may ask, as in `query_complexity`.
    lower, upper : int
        Bounds, at least -1; equal unless the search was stopped.
    first_query : int, tuple of int or None
        The first query of a learner that asks at most ``upper`` queries: the point of a membership
        query, or the labels of the hypothesis of an equivalence query. None if the number of
        concepts proves the upper bound.
    adversary : tuple of (int, tuple, tuple, tuple)
        Entries that prove the lower bound, each from earlier ones: a number of queries, literals,
        further literals and the numbers of entries. Literal ``2 x + b`` is label ``b`` on point
        ``x``. The concepts that satisfy the literals need this number of queries: some answer to
        each query is one of the further literals and leads to the entry that is listed for it, or
        is justified by the number of concepts that it leaves.
    learner : tuple of (int, tuple, tuple, tuple)
        Entries of the same form that prove the upper bound: all answers to some query lead to
        earlier entries, or leave few concepts.
    """

    asked = ("concept_class", "queries")
    quantity = "the query complexity"
    _kind = "query_complexity"

    queries: str
    first_query: Query | None
    adversary: tuple[Entry, ...]
    learner: tuple[Entry, ...]

    def certificate(self) -> Certificate:
        """Return the certificate of kind ``query_complexity``."""
        lower = {"adversary": to_json(self.adversary)} if self.lower >= 0 else {"trivial": {}}
        upper = {"learner": to_json(self.learner)}
        return self._with_proofs(lower, upper, queries=self.queries)


@checked_types
def query_complexity(
    concept_class: ClassLike,
    queries: str,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> QueryComplexityResult:
    """Return the least number of queries with which a learner identifies every concept of a class.

    A membership query asks for the label of a point. An equivalence query proposes a hypothesis,
    and the answer is that it is the target, or any point on which it is wrong. The learner is
    deterministic, and the number is that of the worst target and the worst answers.

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
    queries : str
        ``"membership"``, ``"equivalence"``, ``"proper equivalence"`` (the hypotheses must belong to
        the class), ``"membership and equivalence"``, or ``"membership and proper equivalence"``.
    time_limit, progress
        As for `littlestone_dimension`.

    Returns
    -------
    QueryComplexityResult
        The bounds lie between -1 (for the empty class) and the number of concepts minus 1.

    Raises
    ------
    DomainError
        If ``queries`` has another value.

    Notes
    -----
    The learner may stop as soon as one concept is consistent with all answers; a last equivalence
    query that confirms it is not counted. (If it is counted, as by Angluin, each number with
    equivalence queries is larger by 1.) So the number of equivalence queries with arbitrary
    hypotheses is the Littlestone dimension.

    Method: a memoised search over version spaces. Complexity: exponential in general; 30 random
    concepts over 8 points take about a second. Source: Angluin (1988), "Queries and concept
    learning".

    Examples
    --------
    >>> from ccsim.classes import points, thresholds
    >>> query_complexity(points(2), "membership").value
    3
    >>> query_complexity(points(2), "equivalence").value
    1
    >>> result = query_complexity(thresholds(2), "membership and proper equivalence")
    >>> result.value, result.first_query
    (2, 1)
    >>> result.check()
    """
    if queries not in QUERIES:
        raise DomainError(f"queries must be one of {', '.join(QUERIES)}, not {show_value(queries)}")
    budget = Budget.of(time_limit, progress)
    C = as_class(concept_class, budget)
    lower, upper, move, adversary, learner = costs(C, QueryRules(C, queries), budget)
    return QueryComplexityResult(C, lower, upper, queries, move, adversary, learner)


class QueryRules:
    """The queries of a learner; each costs 1."""

    def __init__(self, C: ConceptClass, queries: str) -> None:
        self.rows, self.width = C.rows, len(C.points)
        self.points = queries.startswith("membership")
        self.concepts = queries.endswith("proper equivalence")
        self.hypotheses = queries.endswith("equivalence") and not self.concepts

    def most_of(self, number: int) -> int:
        """Return the bound by halving, or by excluding one concept with each query."""
        return number.bit_length() - 1 if self.hypotheses else number - 1

    def least_of(self, number: int) -> int:
        """Return a bound by the number of answers: two labels, or a point or acceptance."""
        queries, reached = 0, 1
        while reached < number:
            by_points = 2 * reached if self.points else 0
            has_equivalence = self.concepts or self.hypotheses
            reached = max(by_points, self.width * reached + 1 if has_equivalence else 0)
            queries += 1
        return queries if number else -1

    def counted(self, sizes: list[int], budget: Budget) -> int:
        """Return the bound that holds if an answer to each query excludes at most m concepts."""
        both = [*zip(sizes[::2], sizes[1::2], strict=True)]
        number, m, queries = sum(both[0]) if both else 0, 0, 0
        if self.points:
            m = max(map(min, both), default=0)
        if self.hypotheses:
            m = max(m, min(map(max, both), default=0))
        if self.concepts:
            m = max([m, *(self._excluded(row, sizes) for row in budget.each(self.rows))])
        while number > 1 and m:
            halved = (number + 1) // 2 if not (self.concepts or self.hypotheses) else 0
            number, queries = max(number - m, halved), queries + 1
        return queries

    def _excluded(self, row: int, sizes: list[int]) -> int:
        """Return the least number of concepts that an answer to an equivalence query excludes."""
        return min((sizes[2 * x + (row >> x & 1)] for x in range(self.width)), default=0)

    def moves(self, sizes: list[int], budget: Budget) -> Moves:
        """Look for a query such that the cost of every answer is smaller than the limit."""
        known = dict[int, bool]()
        splitting = [x for x in range(self.width) if sizes[2 * x] and sizes[2 * x + 1]]
        splitting.sort(key=lambda x: -min(sizes[2 * x], sizes[2 * x + 1]))
        found = None
        if self.points:
            found = yield from self._point(splitting, sizes, known)
        if found is None and self.hypotheses:
            found = yield from self._hypothesis(splitting, sizes, known)
        if found is None and self.concepts:
            found = yield from self._concept(splitting, sizes, known, budget)
        return found

    def _point(self, splitting: list[int], sizes: list[int], known: dict[int, bool]) -> Moves:
        for x in splitting:
            larger = 2 * x + (sizes[2 * x + 1] > sizes[2 * x])
            if (yield from _ask(larger, known)) and (yield from _ask(larger ^ 1, known)):
                return x, ((2 * x, 1), (2 * x + 1, 1))
        return None

    def _hypothesis(self, splitting: list[int], sizes: list[int], known: dict[int, bool]) -> Moves:
        labels, asked = [int(sizes[2 * x + 1] > 0) for x in range(self.width)], list[Asked]()
        for x in splitting:
            smaller = 2 * x + (sizes[2 * x + 1] < sizes[2 * x])
            for side in (smaller, smaller ^ 1):
                if (yield from _ask(side, known)):
                    labels[x] = 1 - (side & 1)
                    asked.append((side, 1))
                    break
            else:
                return None
        return tuple(labels), tuple(asked)

    def _concept(
        self, splitting: list[int], sizes: list[int], known: dict[int, bool], budget: Budget
    ) -> Moves:
        wrong = [0, 0]  # points on which the concept may not have label 0, or label 1
        for x in range(self.width):
            if not (sizes[2 * x] and sizes[2 * x + 1]):
                wrong[sizes[2 * x] > 0] |= 1 << x

        def largest(row: int) -> int:
            budget.spend()
            return max(sizes[2 * x + 1 - (row >> x & 1)] for x in splitting)

        fitting = [row for row in self.rows if not (row & wrong[1] or ~row & wrong[0])]
        for row in budget.each(sorted(fitting, key=largest)):
            if row & wrong[1] or ~row & wrong[0]:
                continue
            sides = [2 * x + 1 - (row >> x & 1) for x in splitting]
            for side in sorted(sides, key=lambda side: -sizes[side]):
                if not (yield from _ask(side, known)):
                    wrong[1 - (side & 1)] |= 1 << (side >> 1)
                    break
            else:
                labels = tuple(row >> x & 1 for x in range(self.width))
                return labels, tuple((side, 1) for side in sides)
        return None


def _ask(side: int, known: dict[int, bool]) -> Generator[Asked, Any, bool]:
    """Ask whether the cost of a side is smaller than the limit, unless the answer is known."""
    if side not in known:
        known[side] = yield side, 1
    return known[side]
