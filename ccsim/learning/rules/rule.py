"""Rules: a label for the records that fulfil some conditions, and the other one for the rest."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.learning.rules.columns import cell_number, number_text


@validated
class Between:
    """The number of a column is at least ``least``, and below ``below``."""

    column: str
    # none where there is no bound on this side
    least: Fraction | None = None
    below: Fraction | None = None

    def holds(self, cell: object) -> bool:
        """Whether a cell fulfils the condition."""
        number = cell_number(cell, self.column)
        above = self.least is None or number >= self.least
        return above and (self.below is None or number < self.below)

    def to_dict(self) -> dict[str, Any]:
        """Return the condition for JSON."""
        ends = {"least": self.least, "below": self.below}
        return {"column": self.column} | {
            name: None if end is None else str(end) for name, end in ends.items()
        }

    def __str__(self) -> str:
        if self.least is None:
            return (
                "anything" if self.below is None else f"{self.column} < {number_text(self.below)}"
            )
        low = number_text(self.least)
        if self.below is None:
            return f"{self.column} >= {low}"
        return f"{low} <= {self.column} < {number_text(self.below)}"


@validated
class OneOf:
    """The cell of a column is one of some texts."""

    column: str
    values: tuple[str, ...]

    def holds(self, cell: object) -> bool:
        """Whether a cell fulfils the condition."""
        return str(cell) in self.values

    def to_dict(self) -> dict[str, Any]:
        """Return the condition for JSON."""
        return {"column": self.column, "values": list(self.values)}

    def __str__(self) -> str:
        return f"{self.column} is {' or '.join(self.values) or 'nothing'}"


Condition: TypeAlias = Between | OneOf


@validated
class Rule:
    """Label the records that fulfil all conditions with ``inside``, others with the other label."""

    conditions: tuple[Condition, ...]  # without any all records are inside
    inside: int  # 0 or 1

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns that it looks at."""
        return tuple(dict.fromkeys(condition.column for condition in self.conditions))

    def predict(self, record: Mapping[str, object]) -> int:
        """Return the label of a record."""
        for condition in self.conditions:
            if condition.column not in record:
                raise DomainError(f"there is no column {condition.column}, which the rule looks at")
            if not condition.holds(record[condition.column]):
                return 1 - self.inside
        return self.inside

    def in_words(self, labels: tuple[str, str]) -> str:
        """Return the rule as people read it, with the labels for 0 and 1."""
        if not self.conditions:
            return f"always {labels[self.inside]}"
        if any(isinstance(each, OneOf) and not each.values for each in self.conditions):
            return f"always {labels[1 - self.inside]}"
        when = " and ".join(map(str, self.conditions))
        return f"{labels[self.inside]} if {when}, else {labels[1 - self.inside]}"
