"""The star number: how many concepts differ from one concept each on a point of its own.

Main definitions: `StarResult`, `star_number`.

Conventions: a *star* of size n is a concept, its centre, with points ``x_1 .. x_n`` and concepts
``c_1 .. c_n`` such that ``c_i`` differs from the centre on ``x_i`` and on no other of these points.
The star number (Hanneke and Yang 2015) is the largest size of a star with a centre in
the class; it is 0 for one concept and -1 for the empty class.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from ccsim.appearance import one_line
from ccsim.border import checked_types
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.certificates import Answer, Certificate
from ccsim.classes import ConceptClass
from ccsim.classes.concept_class import columns
from ccsim.classes.given import ClassLike, as_class
from ccsim.classes.masks import members
from ccsim.dimensions.teaching.hitting import differences, first_hitting_set
from ccsim.errors import InstanceTooLargeError

__all__ = ["MAX_STAR", "StarResult", "star_number"]

MAX_STAR = 600
"""Most points of a class that are searched for a star, on which the search recurses."""


@one_line
@dataclass(frozen=True, slots=True)
class StarResult(Answer[int]):
    """The star number of a class, or bounds of it, and a star that proves the lower one.

    Attributes
    ----------
    concept_class : ConceptClass
    lower, upper : int
        Bounds, at least -1; equal unless the search was stopped.
    centre : int or None
        The centre of a star; None for the empty class.
    points, neighbours : tuple of int
        Concept number ``i`` of ``neighbours`` differs from the centre on point number ``i`` of
        ``points`` and on no other of them; ``lower`` of each, none for the value -1.
    """

    concept_class: ConceptClass
    lower: int
    upper: int
    centre: int | None
    points: tuple[int, ...]
    neighbours: tuple[int, ...]

    quantity: ClassVar[str] = "the star number"

    def certificate(self) -> Certificate:
        """Return the certificate of kind ``star_number``."""
        proof: dict[str, Any] = {"trivial": {}}
        if self.centre is not None:
            points, neighbours = list(self.points), list(self.neighbours)
            proof = {"star": {"centre": self.centre, "points": points, "neighbours": neighbours}}
        by_size = self.upper == len(self.concept_class) - 1
        return Certificate(
            "star_number",
            self.concept_class.to_json(),
            {"lower": self.lower, "upper": self.upper},
            proof,
            {"rows": {}} if by_size else {"extension": {"size": self.upper + 1}},
        )


@checked_types
def star_number(
    concept_class: ClassLike,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> StarResult:
    """Return the size of the largest star in a class, with the star.

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
    time_limit, progress
        As for `vc_dimension`; stopped, the result has the largest star found by then.

    Returns
    -------
    StarResult
        The bounds lie between -1 and the number of points.

    Raises
    ------
    InstanceTooLargeError
        If there are more than `MAX_STAR` points.

    Notes
    -----
    Complexity: exponential in the number of points in general, and linear in that of the centres.
    Source: Hanneke and Yang (2015), "Minimax analysis of active learning".

    Examples
    --------
    >>> from ccsim.classes import points, thresholds
    >>> result = star_number(thresholds(2))
    >>> result.value, result.centre, result.points, result.neighbours
    (2, 1, (0, 1), (0, 2))
    >>> star_number(points(2)).value
    3
    >>> result.check()
    """
    budget = Budget.of(time_limit, progress)
    C = as_class(concept_class, budget)
    width = len(C.points)
    if width > MAX_STAR:
        raise InstanceTooLargeError(
            f"{C} has {width} points; the limit of the search is {MAX_STAR}"
        )
    if not len(C):
        return StarResult(C, -1, -1, None, (), ())
    centre, best, upper, proved = 0, 0, min(width, len(C) - 1), -1
    with budget:
        for c, row in enumerate(C.rows):
            found = first_hitting_set(differences(row, C.rows), budget)
            if found.bit_count() > best.bit_count():
                centre, best = c, found
                budget.report(best.bit_count(), upper)
        for c, row in enumerate(C.rows):
            if best.bit_count() == upper:
                break
            search = _Search(C, row, budget)
            while (larger := search.larger(best.bit_count())) is not None:
                centre, best = c, larger
                budget.report(best.bit_count(), upper)
        proved = best.bit_count()
    upper = max(proved, best.bit_count()) if proved >= 0 else upper
    points = tuple(members(best))
    return StarResult(C, len(points), upper, centre, points, tuple(_neighbours(C, centre, best)))


def _neighbours(C: ConceptClass, centre: int, points: int) -> Iterator[int]:
    """Yield for each point the first concept that differs from the centre there alone."""
    first: dict[int, int] = {}
    for c, row in enumerate(C.rows):
        first.setdefault((row ^ C.rows[centre]) & points, c)
    yield from (first[1 << x] for x in members(points))


class _Search:
    """Stars around one centre: points of which each has concepts of its own that differ there."""

    def __init__(self, C: ConceptClass, row: int, budget: Budget) -> None:
        everything = (1 << len(C)) - 1
        turned = [
            everything ^ column if row >> x & 1 else column for x, column in enumerate(columns(C))
        ]
        self.differ, self.everything, self.budget = turned, everything, budget

    def larger(self, size: int) -> int | None:
        """Return the points of a star of more than so many points, or None."""
        order = sorted(range(len(self.differ)), key=lambda x: self.differ[x].bit_count())
        return self._grow([], self.everything, order, size + 1)

    def _grow(self, own: list[int], free: int, after: list[int], size: int) -> int | None:
        """Return more points for a star, of those that come after, up to a size in all.

        Each point so far has concepts of its own; the ``free`` ones differ on none of them.
        """
        self.budget.spend()
        if len(own) >= size:
            return 0
        differ = self.differ
        fit = [x for x in after if free & differ[x] and all(each & ~differ[x] for each in own)]
        for i, x in enumerate(fit):
            if len(own) + len(fit) - i < size:
                break
            rest = [*(each & ~differ[x] for each in own), free & differ[x]]
            found = self._grow(rest, free & ~differ[x], fit[i + 1 :], size)
            if found is not None:
                return found | 1 << x
        return None
