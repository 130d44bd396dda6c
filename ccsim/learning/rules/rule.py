"""Records, the declared columns of their table, and rules that label records by conditions."""

from __future__ import annotations

import csv
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from math import floor
from typing import Any, TypeAlias, cast

from ccsim.appearance import in_short
from ccsim.arguments.checked import checked_types
from ccsim.data import validated
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact.fractions import as_fraction
from ccsim.frames import is_frame

MAX_PLACES = 1 << 16
"""Maximum number of cuts of a numeric column, and of values of a column."""


def number_text(number: Fraction) -> str:
    """Return a number as a short decimal if possible, otherwise as a fraction."""
    for digits in range(1, 7):
        scaled = number * 10**digits
        if number.denominator != 1 and scaled.denominator == 1:
            text = f"{abs(scaled.numerator):0{digits + 1}}"
            return f"{'-' if number < 0 else ''}{text[:-digits]}.{text[-digits:]}"
    return str(number)


def cell_number(cell: object, name: str) -> Fraction:
    """Return the number in a cell of a record; the error message does not quote the cell."""
    try:
        return as_fraction(cell if isinstance(cell, Fraction) else str(cell), name)
    except DomainError:
        raise DomainError(
            f"{name} must be a number (the value is not shown, for privacy)"
        ) from None


def number_between(cell: object, name: str, first: Fraction, last: Fraction) -> Fraction:
    """Return the number in a cell after a check that it lies in a range."""
    number = cell_number(cell, name)
    if not first <= number <= last:
        raise DomainError(f"{name} must be between {number_text(first)} and {number_text(last)}")
    return number


@validated
class Numbers:
    """A column of numbers in a closed range, and the cuts with which rules compare the numbers."""

    name: str
    cuts: tuple[Fraction, ...]  # in order; the first one is the least number
    last: Fraction  # the largest number

    def __post_init__(self) -> None:
        if not self.cuts or any(a >= b for a, b in zip(self.cuts, self.cuts[1:], strict=False)):
            raise DomainError(f"cuts of {self.name} must be one or more increasing numbers")
        if self.last < self.cuts[-1]:
            raise DomainError(f"the upper end of {self.name} must not be below its cuts")

    @classmethod
    def between(
        cls, name: str, first: Fraction | str | int, last: Fraction | str | int, step: object = 1
    ) -> Numbers:
        """Return a column of the numbers in a range, with cuts at the start and after each step."""
        low, high = as_fraction(first, f"{name}: first number"), as_fraction(last, f"{name}: last")
        width = as_fraction(step, f"{name}: step")
        if width <= 0 or high < low:
            what = f"step {number_text(width)}" if width <= 0 else f"range {first}..{last}"
            rule = "be positive" if width <= 0 else "not be empty"
            raise DomainError(f"{name}: the {what} must {rule}")
        count = floor((high - low) / width) + 1
        if count > MAX_PLACES:
            raise InstanceTooLargeError(
                f"{name}: {in_short(count)} cuts exceed the limit of {MAX_PLACES}; "
                f"give a larger step, as in {name}:0..100/5"
            )
        return cls(name, tuple(low + i * width for i in range(count)), high)

    @property
    def places(self) -> int:
        """Number of parts into which the range is cut."""
        return len(self.cuts)

    def place(self, cell: object) -> int:
        """Return the number of the part of the range that contains the number in a cell."""
        number = number_between(cell, self.name, self.cuts[0], self.last)
        return bisect_right(self.cuts, number) - 1


@validated
class Values:
    """A column of texts from a given list."""

    name: str
    values: tuple[str, ...]  # distinct, at least one

    def __post_init__(self) -> None:
        if not self.values or "" in self.values or len(set(self.values)) < len(self.values):
            raise DomainError(
                f"values of {self.name} must be one or more distinct, non-empty texts"
            )
        if len(self.values) > MAX_PLACES:
            raise InstanceTooLargeError(
                f"{self.name}: {len(self.values)} values exceed the limit of {MAX_PLACES}"
            )

    @property
    def places(self) -> int:
        """Number of values."""
        return len(self.values)

    def place(self, cell: object) -> int:
        """Return the position of a cell's value in the list."""
        try:
            return self.values.index(str(cell))
        except ValueError:
            shown = ", ".join(self.values[:5]) + (", ..." if self.places > 5 else "")
            raise DomainError(f"{self.name} must be one of {in_short(shown)}") from None


Column: TypeAlias = Numbers | Values


@checked_types
def column_of(text: str, cells: Iterable[object] | None = None) -> Column:
    """Read the declaration of a column: ``age:0..100``, ``age:0..100/5`` or ``city:Bern,Rome``."""
    name, colon, domain = text.partition(":")
    if not name or (colon and not domain):
        raise DomainError(f"a column must be given as age:0..100 or city:Bern,Rome, not {text!r}")
    if not colon:
        if cells is not None:
            return _seen(name, cells)
        raise DomainError(
            f"column {name}: give its possible values, as {name}:0..100 or {name}:a,b; values "
            "taken from private records would reveal them"
        )
    first, dots, rest = domain.partition("..")
    if dots:
        last, _, step = rest.partition("/")
        return Numbers.between(name, first, last, step or 1)
    try:
        (values,) = csv.reader([domain], strict=True)
    except (csv.Error, ValueError):
        raise DomainError(
            f"column {name}: values must be separated by commas, as in {name}:a,b, not {domain!r}"
        ) from None
    return Values(name, tuple(value.strip() for value in values))


def _seen(name: str, cells: Iterable[object]) -> Column:
    """Return a column that contains the given cells: of numbers if all cells are numbers."""
    found = dict.fromkeys(str(cell) for cell in cells)
    try:
        numbers = sorted({as_fraction(cell, name) for cell in found})
    except DomainError:
        return Values(name, tuple(sorted(found)))
    if not numbers:
        raise DomainError(f"column {name} must have at least one value")
    return Numbers(name, tuple(numbers), numbers[-1])


@validated
class Between:
    """The condition that the number in a column is at least ``least`` and below ``below``."""

    column: str
    least: Fraction | None = None
    below: Fraction | None = None

    def holds(self, cell: object) -> bool:
        """Return whether a cell satisfies the condition."""
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
    """The condition that the cell of a column is one of some texts."""

    column: str
    values: tuple[str, ...]

    def holds(self, cell: object) -> bool:
        """Return whether a cell satisfies the condition."""
        return str(cell) in self.values

    def to_dict(self) -> dict[str, Any]:
        """Return the condition for JSON."""
        return {"column": self.column, "values": list(self.values)}

    def __str__(self) -> str:
        return f"{self.column} is {' or '.join(self.values) or 'nothing'}"


Condition: TypeAlias = Between | OneOf


@validated
class Rule:
    """A rule labels records: ``inside`` if all conditions hold, otherwise the opposite label."""

    conditions: tuple[Condition, ...]  # without any all records are inside
    inside: int  # 0 or 1

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns that the rule uses."""
        return tuple(dict.fromkeys(condition.column for condition in self.conditions))

    def predict(self, record: Mapping[str, object]) -> int:
        """Return the label of a record."""
        for condition in self.conditions:
            if condition.column not in record:
                raise DomainError(f"there is no column {condition.column}, which the rule uses")
            if not condition.holds(record[condition.column]):
                return 1 - self.inside
        return self.inside

    def in_words(self, labels: tuple[str, str]) -> str:
        """Return the rule as text, with the names of the labels."""
        if not self.conditions:
            return f"always {labels[self.inside]}"
        if any(isinstance(each, OneOf) and not each.values for each in self.conditions):
            return f"always {labels[1 - self.inside]}"
        when = " and ".join(map(str, self.conditions))
        return f"{labels[self.inside]} if {when}, else {labels[1 - self.inside]}"


def records_of(records: object) -> Iterator[Mapping[str, object]]:
    """Yield the records of a table as mappings."""
    for number, record in enumerate(_each(records), 1):
        if not isinstance(record, Mapping):
            raise DomainError(
                f"record {number} must be a mapping from names of columns, not {_kind(record)}"
            )
        yield record


def _kind(value: object) -> str:
    """Return the type of a value for a message, which does not quote records."""
    return "None" if value is None else f"of type {type(value).__name__}"


def _each(records: object) -> Iterable[object]:
    if is_frame(records):
        frame = cast("Any", records)
        if hasattr(frame, "iter_rows"):
            return cast("Iterable[object]", frame.iter_rows(named=True))
        return cast("Iterable[object]", frame.to_dict("records"))
    if isinstance(records, str | bytes | Mapping) or not isinstance(records, Iterable):
        raise DomainError(
            f"records must be mappings in a list, or a data frame, not {_kind(records)}"
        )
    return records
