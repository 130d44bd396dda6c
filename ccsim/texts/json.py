"""Tables of 0, 1 and ``*`` in JSON: rows and labels, a certificate's instance, or output of pandas.

A table by its columns is refused, as nothing in it says whether the columns are meant as the rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from ccsim.budget import Budget
from ccsim.certificates import read_json
from ccsim.errors import DomainError, UnreadableInputError
from ccsim.texts.labels import Label, check_labels, check_size
from ccsim.texts.reading import Ways, refuse_text_ways
from ccsim.texts.tables import (
    LABEL_KEYS,
    Cell,
    Kind,
    Table,
    found,
    labels_by_side,
    text_of_row,
)

_TYPES: Mapping[str, Kind] = MappingProxyType(
    {"concept class": "class", "communication problem": "problem"}
)
_CHARACTERS: Mapping[str, str] = MappingProxyType({"0": "0", "1": "1", "*": "*"})
_ENVELOPE = ("format", "kind", "instance", "statement", "lower", "upper", "made_by")


def read_json_table(path: Path, budget: Budget, ways: Ways) -> Table:
    """Return the table in a JSON file; the rules are those of this module."""
    refuse_text_ways(ways, str(path))
    value = read_json(path, budget, exact=True)
    if isinstance(value, dict) and "instance" in value:
        known_keys(value, _ENVELOPE, str(path))
        value = value["instance"]
    return table_from_json(value, str(path), path.name, budget)


def table_from_json(value: object, source: str, name: str, budget: Budget | None = None) -> Table:
    """Return the table that a JSON value describes."""
    value, index, columns = rows_of_pandas(value, source)
    if isinstance(value, list):
        value = {"rows": value}
    if not isinstance(value, dict):
        raise UnreadableInputError(
            f"{source}: expected a list of rows or an object with rows, found {found(value)}"
        )
    known_keys(value, ("rows", "matrix", "type", "name", *LABEL_KEYS), source)
    if ("rows" in value) == ("matrix" in value):
        raise UnreadableInputError(f"{source}: expected exactly one of the keys rows and matrix")
    rows = _rows(value.get("rows", value.get("matrix")), source)
    named = value.get("points") or value.get("bob") or columns
    width = len(rows[0]) if rows else len(named) if isinstance(named, list) else 0
    check_size(len(rows), width, source)
    budget = budget or Budget()
    texts = []
    for i, row in enumerate(rows, 1):
        budget.spend()
        texts.append(_text(row, Cell(source, i, 1), width))
    if not isinstance(title := value.get("name", ""), str):
        raise UnreadableInputError(f"{source}: name must be text, not {found(title)}")
    row_labels, column_labels, implied = labels_by_side(value, (len(rows), width), source)
    if index is not None:
        row_labels = _labels(index, len(rows), f"{source}: index")
    if columns is not None:
        column_labels = _labels(columns, width, f"{source}: columns")
    kind = _kind(value, implied, source)
    return Table(source, title or name, tuple(texts), row_labels, column_labels, kind=kind)


def rows_of_pandas(
    value: object, source: str
) -> tuple[object, list[object] | None, list[object] | None]:
    """Return the rows of a pandas JSON file, with its labels of rows and columns if any."""
    if isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
        columns = list(value[0])
        for i, row in enumerate(value, 1):
            if row.keys() != value[0].keys():
                raise UnreadableInputError(f"{source}: row {i} has other keys than row 1")
        return [[row[key] for key in columns] for row in value], None, columns
    if not isinstance(value, dict) or {"rows", "matrix"} & value.keys():
        return value, None, None
    if value.keys() == {"columns", "index", "data"}:
        index, columns = value["index"], value["columns"]
        if not isinstance(index, list) or not isinstance(columns, list):
            raise UnreadableInputError(f"{source}: index and columns must be lists of labels")
        return {"rows": value["data"]}, index, columns
    nested = [isinstance(column, dict | list) for column in value.values()]
    if value.keys() == {"schema", "data"} or (nested and all(nested)):
        raise UnreadableInputError(
            f"{source}: a table by its columns or labels; in pandas "
            "to_json(orient='split') writes one by its rows, with the labels"
        )
    return value, None, None


def _labels(labels: list[object], expected: int, name: str) -> tuple[Label, ...]:
    """Return labels as pandas writes them; truth values become texts."""
    texts = [str(label) if isinstance(label, bool) else label for label in labels]
    try:
        return check_labels(texts, expected, name)
    except DomainError as error:
        raise UnreadableInputError(str(error)) from None


def known_keys(value: Iterable[object], known: tuple[str, ...], source: str) -> None:
    """Refuse an object with a key that means nothing here."""
    for key in value:
        if key not in known:
            raise UnreadableInputError(
                f"{source}: unknown key {found(key)}; the known keys are {', '.join(known)}"
            )


def _rows(rows: object, source: str) -> list[list[object] | str]:
    if not isinstance(rows, list):
        raise UnreadableInputError(f"{source}: expected a list of rows, found {found(rows)}")
    for i, row in enumerate(rows, 1):
        if not isinstance(row, list | str):
            raise UnreadableInputError(
                f"{source}: row {i}: expected a list of entries or a text, found {found(row)}"
            )
    return rows


def _text(row: list[object] | str, first: Cell, width: int) -> str:
    if isinstance(row, list):
        return text_of_row(row, first, width)
    if len(row) == width and not row.strip("01*"):
        return row
    return text_of_row(row, first, width, _CHARACTERS.get)


def _kind(value: Mapping[str, object], implied: Kind | None, source: str) -> Kind | None:
    """Return what ``type`` says that the table is; it must agree with the labels."""
    if "type" not in value:
        return implied
    declared = value["type"]
    if not isinstance(declared, str) or declared not in _TYPES:
        raise UnreadableInputError(
            f"{source}: type must be one of {', '.join(_TYPES)}, not {found(declared)}"
        )
    if implied not in {None, _TYPES[declared]}:
        raise UnreadableInputError(f"{source}: a {declared} has no labels of a {implied}")
    return _TYPES[declared]
