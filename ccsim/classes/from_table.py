"""The class whose concepts are the rows of a table."""

from __future__ import annotations

from ccsim.budget import Budget
from ccsim.classes.concept_class import ConceptClass
from ccsim.errors import DomainError, UnreadableInputError
from ccsim.texts.labels import check_size
from ccsim.texts.tables import Table


def class_from_table(table: Table, budget: Budget | None = None) -> ConceptClass:
    """Return the class whose concepts are the rows; equal rows are merged and counted."""
    budget = budget or Budget()
    rows = []
    for i, row in enumerate(table.rows):
        budget.spend()
        if (x := row.find("*")) >= 0:
            raise UnreadableInputError(
                f"{table.place(i, x)}: '*' is outside a promise; a concept class needs 0 or 1 there"
            )
        rows.append(int(row[::-1] or "0", 2))
    check_size(len(table.rows), table.width, table.source)
    points = range(table.width) if table.column_labels is None else table.column_labels
    try:
        return ConceptClass.from_rows(rows, points, table.row_labels, table.name, table.reading)
    except DomainError as error:
        raise UnreadableInputError(f"{table.source}: {error}") from None
