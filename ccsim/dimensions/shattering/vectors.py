"""How many columns are shattered at most, by vectors whose products have the signs of a table."""

from __future__ import annotations

from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.dimensions.shattering.bound import ShatteringBound
from ccsim.dimensions.shattering.signs import fitted, realisation

_MOST_ENTRIES, _SECONDS = 1 << 19, 1e-5
"""Entries of a table to which vectors are fitted, and seconds for each of them, about."""


def bound_by_places(table: ConceptClass, budget: Budget) -> tuple[int, ShatteringBound] | None:
    """Return a bound by the places of points, or of concepts where the table is a dual, if any."""
    dual = table.dual()
    if (found := realisation(table, budget)) is not None:
        columns, rows, positive = found.points, found.concepts, found.with_concepts
    elif len(dual) < len(table.points):  # equal columns are one
        return None
    elif (found := realisation(dual, budget)) is not None:
        columns, rows, positive = found.concepts, found.points, found.with_points
    else:
        return None
    bound = ShatteringBound("signs", (), (), columns, rows, positive)
    return len(columns[0]) - bool(positive), bound


def bound_by_fitting(table: ConceptClass, size: int, budget: Budget) -> ShatteringBound | None:
    """Return a proof that no set of a size is shattered, by vectors fitted to the table, if any."""
    entries = len(table) * len(table.points)
    if entries > min(_MOST_ENTRIES, budget.remaining / 4 / _SECONDS):
        return None
    found = fitted(table, size, budget)
    if found is None:
        return None
    return ShatteringBound("signs", (), (), found.points, found.concepts, found.with_concepts)
