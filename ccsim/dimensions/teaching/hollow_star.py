"""The hollow star number, which is also called the co-VC dimension or the dual Helly number.

A *hollow star* consists of points with labels that no concept has, and of a concept for each point
that has the other label on this point and the given labels on the other points.
"""

from __future__ import annotations

from typing import Any

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.certificates import Certificate
from ccsim.classes import ConceptClass
from ccsim.classes.concept_class import columns
from ccsim.classes.given import ClassLike, as_class
from ccsim.classes.masks import members
from ccsim.data import frozen
from ccsim.dimensions.answer import ClassAnswer

_MOST_POINTS = 400  # of a search, which is recursive
_Star = tuple[tuple[tuple[int, int], ...], tuple[int, ...]]  # literals, and a concept for each


@frozen
class HollowStarResult(ClassAnswer):
    """The hollow star number of a class, or bounds on it, with a hollow star.

    Attributes
    ----------
    concept_class : ConceptClass
    lower, upper : int
        Bounds, at least -1; equal unless the search was stopped.
    points, labels : tuple of int
        ``lower`` points and their labels. No concept has all these labels. Both are empty if
        ``lower`` is at most 0.
    neighbours : tuple of int
        For each point a concept that differs from the labels on this point only.
    """

    quantity = "the hollow star number"
    _kind = "hollow_star_number"

    points: tuple[int, ...]
    labels: tuple[int, ...]
    neighbours: tuple[int, ...]

    def certificate(self) -> Certificate:
        """Return the certificate of kind ``hollow_star_number``."""
        points, neighbours = list(self.points), list(self.neighbours)
        labels = "".join(map(str, self.labels))
        star = {"points": points, "labels": labels, "neighbours": neighbours}
        lower: dict[str, Any] = {"hollow_star": star} if points else {"trivial": {}}
        upper: dict[str, Any] = {"extension": {"size": self.upper + 1}}
        if self.upper == (len(self.concept_class) or -1):
            upper = {"rows": {}}
        elif self.upper == len(self.concept_class.points):
            upper = {"columns": {}}
        return self._with_proofs(lower, upper)


@checked_types
def hollow_star_number(
    concept_class: ClassLike,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> HollowStarResult:
    """Return the hollow star number of a class: the size of its largest hollow star, with the star.

    It is the largest size of a minimal set of labelled points that no concept is consistent with.

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
    time_limit, progress
        As for `vc_dimension`; a stopped search returns the largest hollow star found so far.

    Returns
    -------
    HollowStarResult
        The bounds lie between -1 (for the empty class) and the number of points. The value is 0 if
        a class contains all functions.

    Notes
    -----
    Method: points with labels are added one by one. Complexity: the number of stars, which is
    exponential in general. Source: Bousquet, Hanneke, Moran and Zhivotovskiy (2020), "Proper
    learning, Helly number, and an optimal SVM bound".

    Examples
    --------
    >>> from ccsim.classes import all_functions, points
    >>> result = hollow_star_number(points(2))
    >>> result.value, result.points, result.labels, result.neighbours
    (4, (0, 1, 2, 3), (0, 0, 0, 0), (0, 1, 2, 3))
    >>> hollow_star_number(all_functions(3)).value
    0
    >>> result.check()
    """
    budget = Budget.of(time_limit, progress)
    C = as_class(concept_class, budget)
    upper, search = min(len(C), len(C.points)) if len(C) else -1, _Search(C, budget)
    if len(C) and len(C.points) <= _MOST_POINTS:
        with budget:
            search.extend((), [], (1 << len(C)) - 1)
            upper = len(search.best[0])
    literals, neighbours = search.best
    lower = len(literals) if len(C) else -1
    budget.report(lower, upper)
    points, labels = (tuple(part) for part in zip(*literals, strict=True)) if literals else ((), ())
    return HollowStarResult(C, lower, upper, points, labels, neighbours)


class _Search:
    """A search that keeps the largest hollow star."""

    def __init__(self, C: ConceptClass, budget: Budget) -> None:
        everything = (1 << len(C)) - 1
        self.budget, self.sides = budget, [(everything ^ ones, ones) for ones in columns(C)]
        self.most = min(len(C), len(C.points))
        self.best: _Star = (), ()

    def extend(self, literals: tuple[tuple[int, int], ...], near: list[int], same: int) -> None:
        """Add points to labelled points; look for larger hollow stars.

        The concepts in `same` have all labels; those in ``near[i]`` differ on point ``i`` only.
        """
        first = literals[-1][0] + 1 if literals else 0
        for x in range(first, len(self.sides)):
            self.budget.spend()
            if len(literals) + len(self.sides) - x <= len(self.best[0]):
                return
            for b, side in enumerate(self.sides[x]):
                if not (other := same & ~side):
                    continue
                parts = [each & side for each in near]
                if not all(parts):
                    continue
                longer, parts = (*literals, (x, b)), [*parts, other]
                if same & side:
                    self.extend(longer, parts, same & side)
                elif len(longer) > len(self.best[0]):
                    self.best = longer, tuple(next(members(part)) for part in parts)
                    self.budget.report(len(longer), self.most)
