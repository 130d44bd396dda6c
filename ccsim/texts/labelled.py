"""Tables whose entries are labels of any number of classes, in text and JSON files.

The rules are in `docs/multiclass.md`. Entries that are decimal integers become integers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain
from math import isfinite
from operator import index
from pathlib import Path
from typing import Any

from ccsim.arguments.values import show_value
from ccsim.budget import Budget
from ccsim.certificates.files import STANDARD_INPUT, json_value
from ccsim.data import frozen
from ccsim.errors import DomainError, InstanceTooLargeError, UnreadableInputError
from ccsim.texts.csv import numbered_rows
from ccsim.texts.json import known_keys
from ccsim.texts.labels import Label
from ccsim.texts.reading import Ways, refuse_ways, split_ways
from ccsim.texts.tables import Cell, found, refuse
from ccsim.texts.unpacked import read_unpacked

MULTICLASS = "multiclass concept class"
"""The type of an instance in a JSON file."""
MOST_ENTRIES = 1 << 22
"""Maximum number of entries of a multiclass table."""
_KEYS = ("type", "name", "points", "concepts", "labels", "rows")
_TEXTS = (".csv", ".tsv", ".txt", ".dat")
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,14}")


@frozen
class LabelledTable:
    """Rows of labels with the names in a file."""

    source: str
    name: str
    rows: Sequence[Sequence[Label]]
    points: Sequence[object] | None = None
    concepts: Sequence[object] | None = None
    labels: Sequence[object] | None = None


def as_label(entry: Any) -> Label:  # noqa: ANN401 - an entry of any matrix
    """Return an entry as a label: an integer, also for decimal text, or text without margins."""
    if isinstance(entry, str):
        text = entry.strip()
        if text in {"", "*"}:
            raise DomainError(f"a label, not {found(text)}")
        return int(text) if _INTEGER.fullmatch(text) else text
    if isinstance(entry, float) and isfinite(entry) and entry == int(entry):
        return int(entry)
    try:
        return index(entry)
    except TypeError:
        raise DomainError(f"an integer or text, not {show_value(entry)}") from None


def characters(row: str) -> list[str]:
    """Return the entries of a row given as one text: its characters."""
    return list(row)


def check_entries(rows: int, columns: int, name: str) -> None:
    """Refuse a table with more than `MOST_ENTRIES` entries."""
    if max(rows, 1) * max(columns, 1) > MOST_ENTRIES:
        raise InstanceTooLargeError(
            f"{name} has {rows} x {columns} labels; the limit is {MOST_ENTRIES} in all"
        )


def read_labelled(path: str, budget: Budget) -> LabelledTable:
    """Return the table of labels in a text or JSON file, whose name may be followed by options."""
    source, ways = split_ways(path, ("header", "index"))
    data = read_unpacked(source)
    start = data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    ending = Path(re.sub(r"\.gz$", "", source, flags=re.IGNORECASE)).suffix.lower()
    if source == STANDARD_INPUT:
        ending = ".json" if start in {b"[", b"{"} else ".txt"
    name = "standard input" if source == STANDARD_INPUT else Path(source).name
    if ending == ".json":
        refuse_ways(ways, source)
        return _of_json(json_value(data, source, budget, exact=True), source, name, budget)
    if ending not in _TEXTS:
        raise UnreadableInputError(
            f"{source}: a file with more than two labels must end in {', '.join(_TEXTS)} or .json"
        )
    return _of_text(data, source, name, ways, budget)


def _of_text(data: bytes, source: str, name: str, ways: Ways, budget: Budget) -> LabelledTable:
    numbers, rows = list[int](), list[list[str]]()
    for number, row in numbered_rows(data, source, blanks=True, expected="a row of labels"):
        budget.spend()
        check_entries(len(rows) + 1, len(row), source)
        numbers.append(number)
        rows.append(row)
    if {*map(len, rows)} == {1} and len({len(row[0]) for row in rows}) == 1 < len(rows[0][0]):
        rows = [characters(row[0]) for row in rows]
    for number, row in zip(numbers, rows, strict=True):
        if len(row) != len(rows[0]):
            place = Cell(source, number, min(len(row), len(rows[0])) + 1)
            refuse(place, f"a row of {len(row)}", f"expected a row of {len(rows[0])} entries")
    header, index_ = _has_names(rows, ways)
    table = []
    for number, row in zip(numbers[header:], rows[header:], strict=True):
        budget.spend()
        place = Cell(source, number, 1 + index_)
        table.append(_labels(row[index_:], place))
    return LabelledTable(
        source,
        name,
        table,
        rows[0][index_:] if header else None,
        [row[0] for row in rows[header:]] if index_ else None,
    )


def _has_names(rows: Sequence[Sequence[str]], ways: Ways) -> tuple[bool, bool]:
    """Return whether the first row names the points, and the first column the concepts.

    They do if the first cell is empty, or if they have no integers and all other cells are
    integers.
    """
    corner = rows[0][0] == ""
    inside = [*chain.from_iterable(row[1:] for row in rows[1:])]
    numeric = bool(inside) and all(map(_INTEGER.fullmatch, inside))
    header = corner or (numeric and all(map(_may_be_name, rows[0][1:])))
    index_ = corner or (numeric and all(_may_be_name(row[0]) for row in rows[1:]))
    return (
        header if ways.header is None else ways.header,
        index_ if ways.index is None else ways.index,
    )


def _may_be_name(cell: str) -> bool:
    """Return whether a cell in a table of integers can only be a name."""
    return cell not in {"", "*"} and _INTEGER.fullmatch(cell) is None


def _labels(row: Iterable[object], first: Cell) -> list[Label]:
    labels = []
    for x, entry in enumerate(row):
        try:
            labels.append(as_label(entry))
        except DomainError:
            refuse(
                Cell(first.source, first.row, first.column + x), found(entry), "expected a label"
            )
    return labels


def _of_json(value: object, source: str, name: str, budget: Budget) -> LabelledTable:
    """Return the table of a list of rows, an object with rows and names, or a certificate."""
    if isinstance(value, dict) and isinstance(value.get("instance"), dict):
        value = value["instance"]
    given = _checked({"rows": value} if isinstance(value, list) else value, source)
    rows, labels = list[list[Label]](), given.get("labels")
    for i, row in enumerate(given["rows"], 1):
        budget.spend()
        if not isinstance(row, list | str):
            raise UnreadableInputError(f"{source}: row {i}: expected a list, found {found(row)}")
        check_entries(i, len(row), source)
        entries = _labels(characters(row) if isinstance(row, str) else row, Cell(source, i, 1))
        if "type" in given and labels is not None:  # as in a certificate
            entries = [_numbered(labels, y, Cell(source, i, x)) for x, y in enumerate(entries, 1)]
        rows.append(entries)
    points, concepts = given.get("points"), given.get("concepts")
    return LabelledTable(source, given.get("name") or name, rows, points, concepts, labels)


def _checked(value: object, source: str) -> dict[str, Any]:
    """Return an object with rows, after checks of its keys and of the types of their values."""
    if not isinstance(value, dict) or not isinstance(value.get("rows"), list):
        raise UnreadableInputError(
            f"{source}: expected a list of rows or an object with rows, found {found(value)}"
        )
    known_keys(value, _KEYS, source)
    if not isinstance(title := value.get("name", ""), str):
        raise UnreadableInputError(f"{source}: name must be text, not {found(title)}")
    if (kind := value.get("type", MULTICLASS)) != MULTICLASS:
        raise UnreadableInputError(f"{source}: type must be {MULTICLASS!r}, not {found(kind)}")
    for key in ("points", "concepts", "labels"):
        if not isinstance(value.get(key), list | None):
            raise UnreadableInputError(f"{source}: {key} must be a list, not {found(value[key])}")
    return value


def _numbered(labels: Sequence[Any], number: Label, place: Cell) -> Label:
    """Return the label with a given number."""
    if not isinstance(number, int) or not 0 <= number < len(labels):
        refuse(place, found(number), f"expected the number of a label below {len(labels)}")
    return as_label(labels[number])
