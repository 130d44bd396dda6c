"""The teaching dimension: labelled points that single out each concept of a class.

Conventions: a *teaching set* of a concept is a set of points such that no other concept has the
same labels there. The dimension (Goldman and Kearns 1995) is the largest size of a
smallest teaching set of a concept; it is 0 for one concept and -1 for the empty class.
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
from ccsim.dimensions.teaching.singling import singling, smallest


@frozen
class TeachingResult(Answer[int]):
    """The teaching dimension of a class, or bounds of it, and what proves them.

    Attributes
    ----------
    concept_class : ConceptClass
    lower, upper : int
        Bounds, at least -1; equal unless the search was stopped.
    sets : tuple of tuple of int
        A teaching set of each concept, none of more than ``upper`` points; some are smaller for
        other concepts than for those that decide.
    hardest : int or None
        A concept without a teaching set of fewer than ``lower`` points; None for the empty class.
    """

    asked = ("concept_class",)

    concept_class: ConceptClass
    lower: int
    upper: int
    sets: tuple[tuple[int, ...], ...]
    hardest: int | None

    quantity: ClassVar[str] = "the teaching dimension"

    def certificate(self) -> Certificate:
        """Return the certificate of kind ``teaching_dimension``."""
        proof: dict[str, Any] = {"trivial": {}}
        if self.hardest is not None:
            proof = {"concept": {"concept": self.hardest, "size": self.lower}}
        return Certificate(
            "teaching_dimension",
            self.concept_class.to_json(),
            {"lower": self.lower, "upper": self.upper},
            proof,
            {"sets": {"sets": [list(points) for points in self.sets]}},
        )


@checked_types
def teaching_dimension(
    concept_class: ClassLike,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> TeachingResult:
    """Return how many labelled points single out the concept that is hardest to teach.

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
    time_limit, progress
        As for `vc_dimension`.

    Returns
    -------
    TeachingResult
        The bounds lie between -1 and the number of points.

    Notes
    -----
    Complexity: exponential in the value; each concept is taught apart from the others, which takes
    a pass over all of them at least, and no fewer points are looked for than one concept needs.
    Source: Goldman and Kearns (1995).

    Examples
    --------
    >>> from ccsim.classes import intervals, thresholds
    >>> result = teaching_dimension(thresholds(2))
    >>> result.value, result.sets
    (2, ((0,), (0, 1), (1, 2), (2,)))
    >>> teaching_dimension(intervals(4)).value  # the empty interval needs all points
    4
    >>> result.check()
    """
    budget = Budget.of(time_limit, progress)
    C = as_class(concept_class, budget)
    everything = (1 << len(C.points)) - 1
    sets = [everything if len(C) > 1 else 0] * len(C)
    lower, hardest = min(len(C), 1) - 1, 0 if len(C) else None
    upper = max((each.bit_count() for each in sets), default=-1)
    with budget:
        search, among = singling(C), b"\1" * len(C)
        for c in range(len(C)):
            sets[c] = search.greedy(c, among, budget)
        upper = max((each.bit_count() for each in sets), default=-1)
        budget.report(lower, upper)
        for c in sorted(range(len(C)), key=lambda c: -sets[c].bit_count()):
            sets[c], proved = smallest(search, c, among, sets[c], lower, budget)
            if proved:
                lower, hardest = sets[c].bit_count(), c
                budget.report(lower, upper)
    upper = max((each.bit_count() for each in sets), default=-1)
    return TeachingResult(C, lower, upper, tuple(tuple(members(each)) for each in sets), hardest)
