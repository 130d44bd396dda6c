"""Tables of 0, 1 and ``*`` in a file, from which classes and problems are built; rows are text."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from types import MappingProxyType
from typing import Any, Literal, NoReturn

from ccsim.data import frozen
from ccsim.errors import DomainError, UnreadableInputError
from ccsim.texts.entries import settled, symbol_of
from ccsim.texts.labels import Label, check_labels
from ccsim.texts.reading import Reading

Kind = Literal["class", "problem"]  # what a file may say that its table is

LABEL_KEYS = ("concepts", "points", "alice", "bob")
"""Names of row and column labels in a JSON or npz file, for problems and for classes."""

_LONGEST_SHOWN = 40


@frozen
class Table:
    """Rows of entries with their labels and their position in a file."""

    source: str  # the file, as messages name it
    name: str = ""  # what the class or problem is to be called; empty for the name of the file
    rows: tuple[str, ...] = ()  # text rows of equal length over ``0``, ``1`` and ``*``
    row_labels: tuple[Label, ...] | None = None  # None where the file has none
    column_labels: tuple[Label, ...] | None = None
    origin: tuple[int, int] = (1, 1)  # row and column of the first entry in the file, from 1
    kind: Kind | None = None  # what the file itself says that the table is
    reading: Reading = field(default_factory=Reading)  # what reading the file assumed

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.rows[0]) if self.rows else len(self.column_labels or ())

    @property
    def is_total(self) -> bool:
        """Whether no entry is ``*``."""
        return not any("*" in row for row in self.rows)

    def place(self, row: int, column: int) -> str:
        """Return the position of entry ``(row, column)``, for messages."""
        if self.reading.form != "matrix" and self.row_labels and self.column_labels:
            labels = self.row_labels[row], self.column_labels[column]
            return f"{self.source}: {found(labels[0])}, {found(labels[1])}"
        return f"{self.source}: row {row + self.origin[0]}, column {column + self.origin[1]}"


@frozen
class Cell:
    """The position of a cell of a file, counted from 1 as in a spreadsheet."""

    source: str
    row: int
    column: int


def refuse(cell: Cell, what: str, expected: str = "expected 0, 1 or *") -> NoReturn:
    """Raise the one-line error about a cell."""
    raise UnreadableInputError(
        f"{cell.source}: row {cell.row}, column {cell.column}: {expected}, found {what}"
    )


def refuse_record(cell: Cell, expected: str) -> NoReturn:
    """Raise the one-line error for a cell of a record, which is not quoted for privacy."""
    raise UnreadableInputError(
        f"{cell.source}: row {cell.row}, column {cell.column}: {expected} "
        "(the value is not shown, for privacy)"
    )


def found(value: object) -> str:
    """Return a value as shown in messages, cut to a readable length."""
    text = "an empty cell" if value == "" else repr(value)
    if value is None or isinstance(value, bool | dict | list):  # of a JSON file
        text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "..."


_WAYS: Mapping[str, str] = MappingProxyType(
    {
        "": "; write * for an entry outside the promise",
        **dict.fromkeys(("yes", "no", "y", "n", "t", "f"), "; write entries as 1 and 0"),
    }
)
"""Advice on invalid cells that may be meant as entries."""


def text_of_row(
    cells: Sequence[object],
    first: Cell,
    width: int,
    symbol: Callable[[Any], str | None] = symbol_of,
    hint: str = "",
) -> str:
    """Return a row of cells as symbols, after checks of its length and of every entry."""
    symbols = list(map(symbol, cells))
    if None in symbols:
        column = symbols.index(None)
        way = _WAYS.get(str(cells[column]).lower(), hint)
        refuse(Cell(first.source, first.row, first.column + column), found(cells[column]) + way)
    if len(cells) < width:
        refuse(Cell(first.source, first.row, first.column + len(cells)), "the end of the row")
    if len(cells) > width:
        place = Cell(first.source, first.row, first.column + width)
        refuse(place, found(cells[width]), f"expected the end of a row of {width} entries")
    return "".join(symbols)  # type: ignore[arg-type]  # by the first of the checks


def settled_table(table: Table, *, signs: bool | None) -> Table:
    """Return a table with signs converted to 0 and 1, and the assumptions made in reading it."""

    def refusal(row: int, column: int, help_: str) -> UnreadableInputError:
        expected, what = ("-1 or 1", "0") if signs else ("0, 1 or *", "-1")
        return UnreadableInputError(
            f"{table.place(row, column)}: expected {expected}, found {what}; {help_}"
        )

    hint = f"{table.source}:signs=yes"
    rows = settled(table.rows, refusal, hint, signs=bool(signs))
    outside = sum(row.count("*") for row in rows)
    reading = replace(table.reading, source=table.source, signs=bool(signs), outside=outside)
    return replace(table, rows=rows, reading=reading)


def labels_by_side(
    given: Mapping[str, object], shape: tuple[int, int], source: str
) -> tuple[tuple[Label, ...] | None, tuple[Label, ...] | None, Kind | None]:
    """Return the labels of rows and of columns in a file, and the kind that their keys imply."""
    sides: list[tuple[Label, ...] | None] = []
    for key, expected in zip(LABEL_KEYS, shape * 2, strict=True):
        labels = given.get(key)
        if not isinstance(labels, list | None):
            raise UnreadableInputError(
                f"{source}: {key} must be a list of labels, not {found(labels)}"
            )
        try:
            sides.append(None if labels is None else check_labels(labels, expected, f"{key}:"))
        except DomainError as error:
            raise UnreadableInputError(f"{source}: {error}") from None
    concepts, points, alice, bob = sides
    if (concepts, points) == (None, None):
        return alice, bob, None if (alice, bob) == (None, None) else "problem"
    if (alice, bob) != (None, None):
        raise UnreadableInputError(
            f"{source}: labels of a class (points, concepts) must not be combined with labels of a "
            "problem (alice, bob)"
        )
    return concepts, points, "class"
