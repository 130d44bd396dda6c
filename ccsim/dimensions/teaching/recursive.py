"""The recursive teaching dimension: concepts taught one after the other, the easiest first.

Conventions: a *teaching plan* lists all concepts, each with a set of points on which no *later*
concept has the same labels. The dimension (Doliwa, Fan, Simon and Zilles 2014) is the
least possible size of the largest set of a plan. It is the largest size, over all subclasses, of
the smallest teaching set of any concept of the subclass, so that a subclass proves
it from below. It is 0 for one concept and -1 for the empty class.
"""

from __future__ import annotations

from typing import Any, ClassVar

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.certificates import Answer, Certificate
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.classes.masks import members
from ccsim.data import frozen
from ccsim.dimensions.teaching.singling import singling


@frozen
class RecursiveTeachingResult(Answer[int]):
    """The recursive teaching dimension of a class, or bounds of it, and what proves them.

    Attributes
    ----------
    concept_class : ConceptClass
    lower, upper : int
        Bounds, at least -1; equal unless the search was stopped.
    order : tuple of int
        All concepts, in the order in which they are taught.
    sets : tuple of tuple of int
        For each concept of ``order`` points on which no later one has the same labels, ``upper`` of
        them at most.
    subclass : tuple of int
        Concepts of which none is singled out among them by fewer than ``lower`` points.
    """

    asked = ("concept_class",)

    concept_class: ConceptClass
    lower: int
    upper: int
    order: tuple[int, ...]
    sets: tuple[tuple[int, ...], ...]
    subclass: tuple[int, ...]

    quantity: ClassVar[str] = "the recursive teaching dimension"

    def certificate(self) -> Certificate:
        """Return the certificate of kind ``recursive_teaching_dimension``."""
        proof: dict[str, Any] = {"trivial": {}}
        if self.lower >= 0:
            proof = {"subclass": {"concepts": list(self.subclass), "size": self.lower}}
        sets = [list(points) for points in self.sets]
        return Certificate(
            "recursive_teaching_dimension",
            self.concept_class.to_json(),
            {"lower": self.lower, "upper": self.upper},
            proof,
            {"plan": {"concepts": list(self.order), "sets": sets}},
        )


@checked_types
def recursive_teaching_dimension(
    concept_class: ClassLike,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> RecursiveTeachingResult:
    """Return how many labelled points teach a class whose concepts are taught in the best order.

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
    time_limit, progress
        As for `vc_dimension`.

    Returns
    -------
    RecursiveTeachingResult
        The bounds lie between -1 and the number of points.

    Notes
    -----
    Complexity: a concept that can be taught with the fewest points is taught first; with ``k``
    points each, as many concepts as possible are taught before ``k`` is raised, which is best
    (Doliwa, Fan, Simon and Zilles 2014). Each round goes over all pairs of concepts.

    Examples
    --------
    >>> from ccsim.classes import thresholds
    >>> result = recursive_teaching_dimension(thresholds(2))
    >>> result.value, result.order, result.sets
    (1, (0, 1, 2, 3), ((0,), (1,), (2,), ()))
    >>> result.check()
    """
    budget = Budget.of(time_limit, progress)
    C = as_class(concept_class, budget)
    left, size = list(range(len(C))), 0
    plan: list[tuple[int, int]] = []
    everything = (1 << len(C.points)) - 1
    known = [everything if len(C) > 1 else 0] * len(C)
    subclass = tuple(left)
    with budget:
        search, among = singling(C), bytearray(b"\1" * len(C))
        for c in left:
            known[c] = search.greedy(c, bytes(among), budget)
        most = max((each.bit_count() for each in known), default=0)
        while left:
            budget.report(size, most)
            taught = True
            while left and taught:
                taught = False
                for c in tuple(left):
                    if (found := search.within(c, bytes(among), size, budget)) is not None:
                        plan.append((c, found))
                        left.remove(c)
                        among[c] = 0
                        taught = True
            if left:
                size, subclass = size + 1, tuple(left)
    plan += [(c, known[c] if i + 1 < len(left) else 0) for i, c in enumerate(left)]
    upper = max((each.bit_count() for _, each in plan), default=-1)
    taught_by = tuple(tuple(members(each)) for _, each in plan)
    lower = size if len(C) else -1
    return RecursiveTeachingResult(C, lower, upper, tuple(c for c, _ in plan), taught_by, subclass)
