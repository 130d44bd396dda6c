"""The threshold dimension: the longest chain of thresholds inside a class.

Conventions: points ``x_1 .. x_k`` and concepts ``c_1 .. c_k`` are *thresholds* if ``c_i(x_j) = 1``
exactly when ``i <= j``. Reading both lists backwards gives ``i >= j`` instead, so that the choice
does not matter. One label 1 anywhere makes the dimension at least 1; the empty class has -1, as for
the other dimensions, and a class that is zero everywhere has 0.

Statement (Shelah 1978, Hodges 1997; in learning theory Alon, Livni, Malliaris and Moran 2019): a
class has infinite threshold dimension exactly when it has infinite Littlestone dimension. In
numbers, ``k`` thresholds are a class of Littlestone dimension ``floor(log2 k)``, by binary search,
and a class of Littlestone dimension ``d >= 1`` has at least ``floor(log2 d)`` thresholds.
"""

from __future__ import annotations

from typing import Any, ClassVar

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, OutOfWorkError, Progress, TimeLimit
from ccsim.certificates import Answer, Certificate
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.data import frozen
from ccsim.dimensions.shattering.tails import Direction, TailSearch, directions
from ccsim.dimensions.shattering.thresholds import (
    ThresholdSearch,
    exchanged_chain,
    ones_bound,
    rank_bound,
)

MAX_THRESHOLDS = 480
"""Longest chain that the search, which recurses on it, decides about. Beyond: bounds."""
_WORK = 1 << 23
"""Steps without a time limit: some seconds."""
_FIRST = 1 << 14
"""Steps before another length is tried."""
_MOST = 1 << 26
"""Steps of a proof from above that the kernel checks within its own."""
_SMALL = 1 << 8
"""Rows times columns up to which an upper bound has the proof that is a theorem."""


@frozen
class ThresholdResult(Answer[int]):
    """The threshold dimension of a class, or bounds of it, and thresholds that prove the lower one.

    From above ones and the rank are counted, or else a longer chain is looked for once more, in no
    more steps than the kernel has.

    Attributes
    ----------
    concept_class : ConceptClass
    lower, upper : int
        Bounds, at least -1; equal unless the search was stopped.
    points, concepts : tuple of int
        Concept number ``i`` of the list has label 1 on point number ``j`` of the list exactly when
        ``i <= j``; ``lower`` of each, none for the value -1.
    direction : Direction, optional
        In which no longer chain was found, where counting does not say why there is none.
    """

    asked = ("concept_class",)

    concept_class: ConceptClass
    lower: int
    upper: int
    points: tuple[int, ...]
    concepts: tuple[int, ...]
    direction: Direction | None = None

    quantity: ClassVar[str] = "the threshold dimension"

    def certificate(self) -> Certificate:
        """Return the certificate of kind ``threshold_dimension``."""
        C, upper = self.concept_class, self.upper
        chain = {"chain": {"concepts": list(self.concepts), "points": list(self.points)}}
        if upper == ones_bound(C):
            proof: dict[str, Any] = {"ones": {}}
        elif upper == rank_bound(C.rows, Budget()):
            proof = {"rank": {}}
        elif self.direction is None or len(C) * len(C.points) <= _SMALL:
            proof = {"extension": {"size": upper + 1}}
        else:
            proof = {"tails": {"size": upper + 1, **self.direction._asdict()}}
        return Certificate(
            "threshold_dimension",
            C.to_json(),
            {"lower": self.lower, "upper": upper},
            {"trivial": {}} if self.lower < 0 else chain,
            proof,
        )


@checked_types
def threshold_dimension(
    concept_class: ClassLike,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> ThresholdResult:
    """Return the largest number of thresholds inside a class, with the thresholds.

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
    time_limit, progress
        As for `vc_dimension`; stopped, the result has the longest chain found by then, and the
        least length that was refuted. Without a limit the work is bounded, so that the same call
        gives the same answer; with one the search ends where a proof would be too long to check.

    Returns
    -------
    ThresholdResult
        The bounds lie between -1 and the smaller number of concepts and points.

    Notes
    -----
    Complexity: exponential in general, least so where the class is ordered; lengths above
    `MAX_THRESHOLDS` are left to counting and to a greedy chain. Thresholds over 512
    points, parities over 256, 70 random concepts over 40 points (value 11) and 1000 sparse ones
    over 80 take some seconds at most. What the kernel could not check is not claimed: of 250 random
    concepts over 60 points bounds are left (docs/benchmarks-shattering.md).

    Examples
    --------
    >>> from ccsim.classes import lines, thresholds
    >>> threshold_dimension(thresholds(3)).value
    8
    >>> result = threshold_dimension(lines(3))
    >>> result.value, result.concepts, result.points
    (2, (0, 6), (6, 0))
    >>> result.check()
    """
    budget = Budget.of(time_limit, progress)
    C = as_class(concept_class, budget)
    if not len(C):
        return ThresholdResult(C, -1, -1, (), ())
    bounds = _Bounds(C, budget)
    with budget:
        bounds.begin()
        bounds.go_on()
    concepts, points = tuple(c for c, _ in bounds.chain), tuple(x for _, x in bounds.chain)
    return ThresholdResult(C, len(points), bounds.upper, points, concepts, bounds.direction)


class _Bounds:
    """Bounds of the threshold dimension of a class with a concept, and what proves them."""

    def __init__(self, concept_class: ConceptClass, budget: Budget) -> None:
        self.concept_class, self.budget = concept_class, budget
        self.chain: list[tuple[int, int]] = []
        self.upper = ones_bound(concept_class)
        self.direction: Direction | None = None

    def begin(self) -> None:
        """Count, and take a chain that leaves as much as possible at every step."""
        C, budget = self.concept_class, self.budget
        search = ThresholdSearch(C, budget)
        state = search.reduced((1 << len(C)) - 1, (1 << len(C.points)) - 1)
        self.upper = search.bound(state)
        budget.report(0, self.upper)
        for step in search.greedy(state):
            self.chain.append(step)
        budget.report(len(self.chain), self.upper)

    def go_on(self) -> None:
        """Exchange lines for longer chains, and search in the four directions in turn.

        Whatever takes too many steps is left for a time, then more steps are allowed.
        """
        searches = [TailSearch(self.concept_class, direction) for direction in directions()]
        work, slice_ = _WORK, _FIRST
        while len(self.chain) < min(self.upper, MAX_THRESHOLDS) and slice_ <= _MOST:
            if not self.budget.limited and work <= 0:
                return
            work -= self._exchange(slice_)
            work -= self._search(searches, slice_)
            slice_ *= 4

    def _exchange(self, most_work: int) -> int:
        """Lengthen the chain by exchanges; return the work."""
        budget = self.budget.share(work=most_work)
        while len(self.chain) < min(self.upper, MAX_THRESHOLDS):
            try:
                found = exchanged_chain(self.concept_class, len(self.chain) + 1, budget)
            except OutOfWorkError:
                break
            self._tell(found, self.upper)
        return most_work - budget.work

    def _search(self, searches: list[TailSearch], most_work: int) -> int:
        """Halve the lengths between the bounds, but for what takes too long; return the work."""
        undecided, done = len(self.chain), 0
        while undecided < (most := min(self.upper, MAX_THRESHOLDS)):
            length = (max(undecided, len(self.chain)) + 1 + most + 1) // 2
            length = min(length, most)
            best = min(searches, key=lambda search: search.estimate(length, self.budget))
            budget = self.budget.share(work=most_work)
            try:
                found = best.find(length, budget)
            except OutOfWorkError:
                undecided = length
            else:
                self._tell(found, self.upper if found else length - 1, best.direction)
                undecided = max(undecided, len(self.chain))
            done += most_work - budget.work
        return done

    def _tell(
        self,
        found: list[tuple[int, int]] | None,
        upper: int,
        direction: Direction | None = None,
    ) -> None:
        """Note a longer chain, or a smaller bound and in which direction it was found."""
        if found:
            self.chain = found
        if upper < self.upper:
            self.upper, self.direction = upper, direction
        self.budget.report(len(self.chain), self.upper)
