"""The teaching dimension and the recursive teaching dimension.

A *teaching set* of a concept is a set of points on which no other concept has the same labels. A
*teaching plan* lists all concepts, each with points on which no *later* concept has the same
labels. If all teaching sets within a subclass have at least ``k`` points, the recursive teaching
dimension is at least ``k`` (Doliwa, Fan, Simon, Zilles 2014).
"""

from __future__ import annotations

from typing import Any

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.certificates import Certificate
from ccsim.classes import ConceptClass, PartialClass
from ccsim.classes.given import ClassLike, PartialClassLike, as_class, as_total_or_partial
from ccsim.classes.masks import members
from ccsim.data import frozen
from ccsim.dimensions.answer import ClassAnswer
from ccsim.dimensions.teaching.singling import by_halving, singling, smallest


@frozen
class TeachingResult(ClassAnswer):
    """The teaching dimension of a class, or bounds on it, with their proofs.

    Attributes
    ----------
    concept_class : ConceptClass or PartialClass
    lower, upper : int
        Bounds, at least -1; equal unless the search was stopped.
    sets : tuple of tuple of int
        A teaching set of each concept, of at most ``upper`` points.
    hardest : int or None
        A concept without a teaching set of fewer than ``lower`` points; None for the empty class.
    """

    quantity = "the teaching dimension"
    _kind = "teaching_dimension"

    sets: tuple[tuple[int, ...], ...]
    hardest: int | None

    def certificate(self) -> Certificate:
        """Return the certificate of kind ``teaching_dimension``."""
        proof: dict[str, Any] = {"trivial": {}}
        if self.hardest is not None:
            proof = {"concept": {"concept": self.hardest, "size": self.lower}}
        return self._with_proofs(proof, {"sets": {"sets": [list(points) for points in self.sets]}})


@checked_types
def teaching_dimension(
    concept_class: PartialClassLike,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> TeachingResult:
    """Return the teaching dimension: the number of labelled points that identify any concept.

    A concept of a partial class is identified up to extensions: its labelled points, where it is
    defined, must exclude every concept that does not *extend* it, which means that it is defined
    and has the same label wherever the taught concept is defined. A labelled point excludes the
    concepts that have the other label or are undefined there. Two stricter readings, under
    which some concepts cannot be taught, are not used: that extensions must be excluded too, and
    that a labelled point excludes only the concepts that have the other label there.

    Parameters
    ----------
    concept_class : ConceptClass, PartialClass, problem, INSTANCE text or matrix
    time_limit, progress
        As for `vc_dimension`.

    Returns
    -------
    TeachingResult
        The bounds lie between -1 and the number of points.

    Notes
    -----
    Complexity: exponential in the value. Each concept is treated separately, with at least one pass
    over all other concepts; the search starts at the best lower bound so far. Source: Goldman and
    Kearns (1995).

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
    C = as_total_or_partial(concept_class, budget)
    lower, hardest = min(len(C), 2) - 1, 0 if len(C) else None
    if isinstance(C, PartialClass):
        from ccsim.dimensions.partial.examples import Excluding, needing_an_example

        sets, budget = list(C.defined), budget.or_at_once()
        hardest = needing_an_example(C) if len(C) > 1 else hardest
    else:
        sets = by_halving(C, budget.at_once())
    upper = max((each.bit_count() for each in sets), default=-1)
    with budget:
        budget.report(lower, upper)
        search = Excluding(C) if isinstance(C, PartialClass) else singling(C)
        among = b"\1" * len(C)
        for c in range(len(C)):
            sets[c] = min(search.greedy(c, among, budget), sets[c], key=int.bit_count)
        upper = max((each.bit_count() for each in sets), default=-1)
        budget.report(lower, upper)
        for c in sorted(range(len(C)), key=lambda c: -sets[c].bit_count()):
            sets[c], proved = smallest(search, c, among, sets[c], lower, budget)
            if proved:
                lower, hardest = sets[c].bit_count(), c
                budget.report(lower, upper)
    upper = max((each.bit_count() for each in sets), default=-1)
    return TeachingResult(C, lower, upper, tuple(tuple(members(each)) for each in sets), hardest)


@frozen
class RecursiveTeachingResult(ClassAnswer):
    """The recursive teaching dimension of a class, or bounds on it, with their proofs.

    Attributes
    ----------
    concept_class : ConceptClass
    lower, upper : int
        Bounds, at least -1; equal unless the search was stopped.
    order : tuple of int
        All concepts, in the order in which they are taught.
    sets : tuple of tuple of int
        For each concept in ``order``, at most ``upper`` points on which no later concept has the
        same labels.
    subclass : tuple of int
        A set of concepts, none of which is identified within this set by fewer than ``lower``
        labelled points.
    """

    quantity = "the recursive teaching dimension"
    _kind = "recursive_teaching_dimension"

    concept_class: ConceptClass
    order: tuple[int, ...]
    sets: tuple[tuple[int, ...], ...]
    subclass: tuple[int, ...]

    def certificate(self) -> Certificate:
        """Return the certificate of kind ``recursive_teaching_dimension``."""
        proof: dict[str, Any] = {"trivial": {}}
        if self.lower >= 0:
            proof = {"subclass": {"concepts": list(self.subclass), "size": self.lower}}
        sets = [list(points) for points in self.sets]
        return self._with_proofs(proof, {"plan": {"concepts": list(self.order), "sets": sets}})


@checked_types
def recursive_teaching_dimension(
    concept_class: ClassLike,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> RecursiveTeachingResult:
    """Return the recursive teaching dimension of a class.

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
    It is the least number of labelled points that suffices to distinguish each concept from the
    concepts after it, if the concepts are listed in the best order.
    The search teaches as many concepts as possible with ``k`` points each before it increases
    ``k``, which is optimal (Doliwa, Fan, Simon and Zilles 2014). Each round visits all pairs of
    concepts.

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
    known = by_halving(C, budget.at_once())
    subclass = tuple(left)
    with budget:
        search, among = singling(C), bytearray(b"\1" * len(C))
        for c in left:
            known[c] = min(search.greedy(c, bytes(among), budget), known[c], key=int.bit_count)
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
    lower = size or min(len(C), 2) - 1
    return RecursiveTeachingResult(C, lower, upper, tuple(c for c, _ in plan), taught_by, subclass)
