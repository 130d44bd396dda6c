"""Bounds on a dimension of a multiclass concept class, and the rows with each label."""

from __future__ import annotations

from abc import ABC

from ccsim.budget import Budget
from ccsim.classes.multiclass import MulticlassConceptClass
from ccsim.data import frozen
from ccsim.dimensions.answer import ClassAnswer


@frozen
class MulticlassAnswer(ClassAnswer, ABC):
    """Bounds on an integer parameter of a multiclass class; subclasses add the proofs."""

    concept_class: MulticlassConceptClass  # type: ignore[assignment]  # in place of a Boolean class


def sides(C: MulticlassConceptClass, budget: Budget) -> list[dict[int, int]]:
    """Return, for each point, the mask of the concepts with each label, for labels that occur."""
    found: list[dict[int, int]] = [{} for _ in C.points]
    for i, row in enumerate(budget.each(C.rows)):
        for side, y in zip(found, row, strict=True):
            side[y] = side.get(y, 0) | 1 << i
    return found


def first_difference(C: MulticlassConceptClass) -> tuple[int, int, int]:
    """Return the first point on which concepts 0 and 1 differ, and their labels on it."""
    return next(
        (x, a, b) for x, (a, b) in enumerate(zip(C.rows[0], C.rows[1], strict=True)) if a != b
    )
