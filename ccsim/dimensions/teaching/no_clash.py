"""The no-clash teaching dimension: labelled points of which no two concepts fit each other's.

Main definitions: `NoClashBound`, `NoClashResult`, `no_clash_teaching_dimension`.

Conventions: a *teacher* gives each concept a set of points, with its labels there. Two concepts
*clash* if each of them has the labels that the teacher gives for the other. The dimension
(Kirkpatrick, Simon and Zilles 2019) is the least possible size of the largest set of
a teacher without clashes; it is 0 for one concept and -1 for the empty class. A teacher for a class
is one for each subclass, so that the dimension is monotone. It is at most the recursive teaching
dimension, as a plan has no clashes.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import Any, ClassVar

from ccsim.appearance import one_line
from ccsim.border import checked_fields, checked_types
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.certificates import Answer, Certificate
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.classes.masks import members
from ccsim.dimensions.teaching.assignments import MAX_SETS, Assignments
from ccsim.dimensions.teaching.recursive import recursive_teaching_dimension

__all__ = ["NoClashBound", "NoClashResult", "no_clash_teaching_dimension"]

_PLANNING = 0.5
"""Part of a time limit for a teaching plan."""


@checked_fields
@one_line
@dataclass(frozen=True, slots=True)
class NoClashBound:
    """Why no teacher without clashes has sets of fewer points.

    Attributes
    ----------
    form : "trivial", "edges", "counting" or "cases"
        Nothing, for the bound -1; pairs of concepts that differ on one point alone, which is in the
        set of one of the two; the number of samples of a size, as every concept has its own; or a
        tree of cases.
    concepts : tuple of int
        Of ``edges``: among which the pairs are counted.
    pairs : tuple of pairs of int
        Of ``cases``: the nodes of the tree in preorder, two concepts each.
    """

    form: str
    concepts: tuple[int, ...] = ()
    pairs: tuple[tuple[int, int], ...] = ()


@one_line
@dataclass(frozen=True, slots=True)
class NoClashResult(Answer[int]):
    """The no-clash teaching dimension of a class, or bounds of it, and what proves them.

    Attributes
    ----------
    concept_class : ConceptClass
    lower, upper : int
        Bounds, at least -1; equal unless the search was stopped.
    sets : tuple of tuple of int
        The points that a teacher without clashes gives for each concept, ``upper`` at most.
    bound : NoClashBound
        Proves the lower bound.
    """

    asked = ("concept_class",)

    concept_class: ConceptClass
    lower: int
    upper: int
    sets: tuple[tuple[int, ...], ...]
    bound: NoClashBound

    quantity: ClassVar[str] = "the no-clash teaching dimension"

    def certificate(self) -> Certificate:
        """Return the certificate of kind ``no_clash_teaching_dimension``."""
        data: dict[str, Any] = {}
        if self.bound.form == "edges":
            data = {"concepts": list(self.bound.concepts)}
        elif self.bound.form == "cases":
            data = {"size": self.lower - 1, "pairs": [list(pair) for pair in self.bound.pairs]}
        return Certificate(
            "no_clash_teaching_dimension",
            self.concept_class.to_json(),
            {"lower": self.lower, "upper": self.upper},
            {self.bound.form: data},
            {"sets": {"sets": [list(points) for points in self.sets]}},
        )


@checked_types
def no_clash_teaching_dimension(
    concept_class: ClassLike,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> NoClashResult:
    """Return how many labelled points a teacher needs whose samples do not clash.

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
    time_limit, progress
        As for `vc_dimension`.

    Returns
    -------
    NoClashResult
        The bounds lie between -1 and the recursive teaching dimension. They differ also where
        neither counting nor a teaching plan decides, and there are more than `MAX_SETS` sets of
        points to choose from.

    Notes
    -----
    Complexity: exponential where the recursive teaching dimension is more than counting proves:
    milliseconds for classes on 4 points. Source: Kirkpatrick, Simon and Zilles (2019).

    Examples
    --------
    >>> from ccsim.classes import all_functions, thresholds
    >>> no_clash_teaching_dimension(thresholds(2)).value
    1
    >>> result = no_clash_teaching_dimension(all_functions(2))
    >>> result.value, result.sets
    (1, ((0,), (1,), (1,), (0,)))
    >>> result.check()
    """
    budget = Budget.of(time_limit, progress)
    C = as_class(concept_class, budget)
    if not len(C):
        return NoClashResult(C, -1, -1, (), NoClashBound("trivial"))
    lower, bound = 0, NoClashBound("edges", concepts=(0,))
    with budget:
        lower, bound = _counted(C, budget)
    plan = recursive_teaching_dimension(C, time_limit=budget.share(_PLANNING, progress=_silent))
    sets, upper = [0] * len(C), plan.upper
    for c, taught in zip(plan.order, plan.sets, strict=True):
        sets[c] = sum(1 << x for x in taught)
    with budget:
        budget.report(lower, upper)
        while lower < upper and comb(len(C.points), lower) <= MAX_SETS:
            found, pairs = Assignments(C.rows, len(C.points), lower).search(budget)
            if found is not None:
                sets, upper = list(found), lower
            else:
                lower, bound = lower + 1, NoClashBound("cases", pairs=pairs)
            budget.report(lower, upper)
    return NoClashResult(C, lower, upper, tuple(tuple(members(each)) for each in sets), bound)


def _silent(_lower: object, _upper: object) -> None:
    """Keep the bounds on another dimension from whoever hears of this one."""


def _counted(C: ConceptClass, budget: Budget) -> tuple[int, NoClashBound]:
    """Return the better bound of the two that counting gives."""
    concepts, edges = _dense(C, budget)
    by_edges = -(-edges // len(concepts))
    samples = next(k for k in range(len(C.points) + 1) if comb(len(C.points), k) << k >= len(C))
    if samples > by_edges:
        return samples, NoClashBound("counting")
    return by_edges, NoClashBound("edges", concepts=concepts)


def _dense(C: ConceptClass, budget: Budget) -> tuple[tuple[int, ...], int]:
    """Return concepts with many pairs that differ on one point alone, and their number.

    Concepts with the fewest neighbours are left out one after the other, and the best of all sets
    on the way is at least half as dense as any.
    """
    number = {row: c for c, row in enumerate(C.rows)}
    near = [
        {number[row ^ 1 << x] for x in range(len(C.points)) if row ^ 1 << x in number}
        for row in C.rows
    ]
    left, edges = set(range(len(C))), sum(map(len, near)) // 2
    best = tuple(range(len(C))), edges
    while len(left) > 1:
        budget.spend()
        c = min(left, key=lambda c: (len(near[c]), c))
        left.remove(c)
        edges -= len(near[c])
        for e in near[c]:
            near[e].remove(c)
        if edges * len(best[0]) > best[1] * len(left):
            best = tuple(sorted(left)), edges
    return best
