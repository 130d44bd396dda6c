"""The threshold dimension: the longest chain of thresholds inside a class.

Main definitions: `ThresholdResult`, `threshold_dimension`.

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

from dataclasses import dataclass
from typing import Any, ClassVar

from ccsim.appearance import one_line
from ccsim.border import checked_types
from ccsim.budget import Budget, OutOfWorkError, Progress, TimeLimit
from ccsim.certificates import Answer, Certificate
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.dimensions.shattering.thresholds import ThresholdSearch, ones_bound, rank_bound

__all__ = ["MAX_THRESHOLDS", "ThresholdResult", "threshold_dimension"]

MAX_THRESHOLDS = 600
"""Longest chain that the search, which recurses on it, decides about. Beyond: bounds."""
_WORK = 1 << 19
"""Sets that are compared without a time limit: some seconds."""
_FIRST = 1 << 12
"""Sets that are compared before another length is tried."""


@one_line
@dataclass(frozen=True, slots=True)
class ThresholdResult(Answer[int]):
    """The threshold dimension of a class, or bounds of it, and thresholds that prove the lower one.

    From above ones and the rank are counted, or else a longer chain is looked for once more, in
    which the kernel has its limits.

    Attributes
    ----------
    concept_class : ConceptClass
    lower, upper : int
        Bounds, at least -1; equal unless the search was stopped.
    points, concepts : tuple of int
        Concept number ``i`` of the list has label 1 on point number ``j`` of the list exactly when
        ``i <= j``; ``lower`` of each, none for the value -1.
    """

    concept_class: ConceptClass
    lower: int
    upper: int
    points: tuple[int, ...]
    concepts: tuple[int, ...]

    quantity: ClassVar[str] = "the threshold dimension"

    def certificate(self) -> Certificate:
        """Return the certificate of kind ``threshold_dimension``."""
        C, upper = self.concept_class, self.upper
        chain = {"chain": {"concepts": list(self.concepts), "points": list(self.points)}}
        if upper == ones_bound(C):
            proof: dict[str, Any] = {"ones": {}}
        elif upper == rank_bound(C.rows, Budget()):
            proof = {"rank": {}}
        else:
            proof = {"extension": {"size": upper + 1}}
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
        gives the same answer, and bounds are what counting gives; `math.inf` is for a search to
        the end.

    Returns
    -------
    ThresholdResult
        The bounds lie between -1 and the smaller number of concepts and points.

    Notes
    -----
    Complexity: exponential in general, least so where the class is ordered; lengths above
    `MAX_THRESHOLDS` are left to counting and to a greedy chain. Thresholds over 512
    points, parities over 256 and the halfspaces on {0,1}^4 take up to two seconds, 30 random
    concepts over 20 points a tenth of a second, 60 over 30 points (value 10) a quarter of a minute.

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
    search = ThresholdSearch(C, budget)
    upper, chain = ones_bound(C), list[tuple[int, int]]()
    with budget:
        state = search.reduced((1 << len(C)) - 1, (1 << len(C.points)) - 1)
        upper = search.bound(state)
        budget.report(0, upper)
        for step in search.greedy(state):
            chain.append(step)
        budget.report(len(chain), upper)
        work, slice_ = _WORK, _FIRST
        undecided = len(chain)  # the longest length that took too long
        while len(chain) < min(upper, MAX_THRESHOLDS) and (budget.limited or work > 0):
            length = (max(len(chain), undecided) + 2 + min(upper, MAX_THRESHOLDS)) // 2
            if length > min(upper, MAX_THRESHOLDS):
                slice_, undecided = 2 * slice_, len(chain)
                continue
            search.budget = budget.share(work=slice_)
            try:
                if search.has(state, length):
                    search.budget = budget
                    chain = list(search.chain(state, length))
                else:
                    upper = length - 1
            except OutOfWorkError:
                undecided = length
            work -= slice_
            budget.report(len(chain), upper)
    if len(chain) < upper and not budget.limited:  # which the kernel could not check
        upper = min(ones_bound(C), rank_bound(C.rows, budget))
    concepts, points = tuple(c for c, _ in chain), tuple(x for _, x in chain)
    return ThresholdResult(C, len(chain), upper, points, concepts)
