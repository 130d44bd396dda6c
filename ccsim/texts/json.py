"""Tables in JSON: rows, a certificate's instance, output of pandas, sets, graphs and records.

A table given by columns is refused, because the columns may be intended as rows.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from ccsim.budget import Budget
from ccsim.certificates.files import END_EXPECTED, MAX_LISTS, json_value
from ccsim.errors import DomainError, UnreadableInputError
from ccsim.texts.entries import symbol_of
from ccsim.texts.graphs import table_of_node_link
from ccsim.texts.labels import Label, check_labels, check_size
from ccsim.texts.lines import table_of_records, table_of_rows
from ccsim.texts.reading import Ways, refuse_ways
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
    {
        "concept class": "class",
        "partial concept class": "class",
        "communication problem": "problem",
    }
)
_CHARACTERS: Mapping[str, str] = MappingProxyType({"0": "0", "1": "1", "*": "*"})
_KEYS = ("rows", "matrix", "type", "name", *LABEL_KEYS)
_ENVELOPE = ("format", "kind", "instance", "statement", "lower", "upper", "made_by")


def read_json_table(data: bytes, source: str, budget: Budget, ways: Ways) -> Table:
    """Return the table in a JSON file, by the rules of this module."""
    try:
        value = json_value(data, source, budget, exact=True)
    except UnreadableInputError as error:
        if END_EXPECTED not in str(error):
            raise
        return read_json_lines(data, source, budget, ways)
    return _table_of_value(value, source, budget, ways)


def read_json_lines(data: bytes, source: str, budget: Budget, ways: Ways) -> Table:
    """Return the table in JSON Lines; each line is a row, a set or a record."""
    if (count := data.count(b"\n")) > MAX_LISTS:
        raise UnreadableInputError(f"{source}: {count} lines exceed the limit of {MAX_LISTS}")
    lines = [line.rstrip() for line in data.removeprefix(codecs.BOM_UTF8).split(b"\n")]
    last = max(i for i, line in enumerate(lines) if line)
    joined = b"\n".join(line + b"," * bool(line and i < last) for i, line in enumerate(lines))
    return _table_of_value(
        json_value(b"[" + joined + b"]", source, budget, exact=True), source, budget, ways
    )


def _table_of_value(value: object, source: str, budget: Budget, ways: Ways) -> Table:
    """Return the table of a JSON value, in the requested or recognised form."""
    refuse_ways(ways, source, "index", "form")
    if isinstance(value, dict) and "instance" in value:
        known_keys(value, _ENVELOPE, source)
        value = value["instance"]
    if isinstance(value, dict) and "nodes" in value and {"links", "edges"} & value.keys():
        return table_of_node_link(value, source, ways)
    if isinstance(value, dict) and "directed" in value and {"adjacency", "elements"} & value.keys():
        raise UnreadableInputError(
            f"{source}: expected a graph in the format of networkx.node_link_data, found another "
            "form"
        )
    if isinstance(value, dict) and isinstance(value.get("short_name"), str):
        from ccsim.texts.class_records import table_of_record

        refuse_ways(ways, source)
        return table_of_record(value, source)
    if isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
        names, records = list(value[0]), [[*row.values()] for row in _same_keys(value, source)]
        return table_of_records(
            lambda: table_from_json(value, source, "", budget),
            *(names, lambda: records, source, budget, ways),
        )
    if ways.form in {"rows", "columns"}:
        return table_from_json(_by_lines(value, ways.form, source), source, "", budget)
    if ways.form in {None, "matrix"}:
        refuse_ways(ways, source, "form")
        try:
            return table_from_json(value, source, "", budget)
        except UnreadableInputError as error:
            hint = "" if ways.form else _hint(value, source, ways)
            if hint is not None:
                raise UnreadableInputError(f"{error}{hint}") from None
    return _table_of_lists(value, source, budget, ways)


def _hint(value: object, source: str, ways: Ways) -> str | None:
    """Return a hint for lists that are not a matrix.

    The result is None if they can be read as lists of labels.
    """
    lists = [*value.values()] if isinstance(value, dict) else value
    if not lists or not isinstance(lists, list):
        return ""
    if isinstance(value, dict) and _is_described(value):
        return ""
    are_lists = all(isinstance(each, list) for each in lists)
    looks = (
        [symbol_of(cell) is not None for each in lists for cell in each] if are_lists else [True]
    )
    if are_lists and (ways.sets or not any(looks)):
        return None
    if sum(looks) * 2 <= len(looks):
        return f"; use {source}:form=sets to read each list as a set"
    if isinstance(value, dict) and all(isinstance(each, list | dict) for each in lists):
        return f"; use {source}:form=rows|columns to state which lists these are"
    return ""


def _is_described(value: Mapping[str, Any]) -> bool:
    """Return whether the keys of an object are keywords of this format, not labels."""
    return bool({"rows", "matrix"} & value.keys()) or value.keys() <= set(_KEYS)


def _table_of_lists(value: object, source: str, budget: Budget, ways: Ways) -> Table:
    """Return the table of lists of labels: pairs, sets, edges, or neighbours of vertices."""
    if isinstance(value, dict):
        lists = [[name, *_list(cells, source)] for name, cells in value.items()]
        form = ways.form or ("adjacency" if ways.sets else "sets")
    else:
        lists = [_list(cells, source) for cells in _list(value, source)]
        form = ways.form or ("edges" if ways.sets else "sets")
    is_named = isinstance(value, dict) and form == "sets"
    given = replace(ways, header=False, index=bool(ways.index) or is_named, form=form)
    for i, cells in enumerate(lists, 1):
        for cell in cells:
            if isinstance(cell, bool) or not isinstance(cell, int | str):
                raise UnreadableInputError(
                    f"{source}: list {i}: expected labels, found {found(cell)}"
                )
    table = table_of_rows(
        lambda: ((i, list(map(str, cells))) for i, cells in enumerate(lists, 1)),
        *(source, budget, given),
    )
    guesses = []
    if ways.form is None and form == "sets" and not is_named and all(len(c) == 2 for c in lists):
        guesses.append(
            f"{source}: each list is read as a set of two labels, not as a concept and a point; "
            f"use {source}:form=sets|pairs to decide"
        )
    reading = replace(table.reading, header=None, index=None, guesses=tuple(guesses))
    return replace(table, reading=reading)


def _list(value: object, source: str) -> list[Any]:
    if not isinstance(value, list):
        raise UnreadableInputError(f"{source}: expected a list of labels, found {found(value)}")
    return value


def _by_lines(value: object, form: str, source: str) -> dict[str, list[Any]]:
    """Convert an object with an entry for each row or column to the split form of pandas."""
    if not isinstance(value, dict):
        raise UnreadableInputError(
            f"{source}: form={form} requires a JSON object, not {found(value)}"
        )
    lines, names = list(value.values()), list(value)
    if lines and all(isinstance(line, dict) for line in lines):
        others = list(lines[0])
        lines = [[line[key] for key in others] for line in _same_keys(lines, source)]
    else:
        lines = [_list(line, source) for line in lines]
        others = [*range(len(lines[0]) if lines else 0)]
    if any(len(line) != len(others) for line in lines):
        raise UnreadableInputError(f"{source}: expected {form} of equal length")
    if form == "rows":
        return {"index": names, "columns": others, "data": lines}
    data = [[line[i] for line in lines] for i in range(len(others))]
    return {"index": others, "columns": names, "data": data}


def _same_keys(records: list[dict[str, Any]], source: str) -> Iterator[dict[str, Any]]:
    """Yield objects in the key order of the first one; refuse an object with other keys."""
    for i, row in enumerate(records, 1):
        if row.keys() != records[0].keys():
            raise UnreadableInputError(f"{source}: row {i} must have the same keys as row 1")
        yield {key: row[key] for key in records[0]}


def table_from_json(value: object, source: str, name: str, budget: Budget | None = None) -> Table:
    """Return the table of a JSON value."""
    value, index, columns = rows_of_pandas(value, source)
    if isinstance(value, list):
        value = {"rows": value}
    if not isinstance(value, dict):
        raise UnreadableInputError(
            f"{source}: expected a list of rows or an object with rows, found {found(value)}"
        )
    known_keys(value, _KEYS, source)
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
    """Return the rows of a JSON file from pandas, and the labels of rows and of columns, if any."""
    if isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
        return [list(row.values()) for row in _same_keys(value, source)], None, list(value[0])
    if not isinstance(value, dict) or {"rows", "matrix"} & value.keys():
        return value, None, None
    if value.keys() == {"columns", "index", "data"}:
        index, columns = value["index"], value["columns"]
        if not isinstance(index, list) or not isinstance(columns, list):
            raise UnreadableInputError(f"{source}: index and columns must be lists of labels")
        return {"rows": value["data"]}, index, columns
    if value.keys() == {"schema", "data"}:
        return _of_table_schema(value, source)
    nested = [isinstance(column, dict | list) for column in value.values()]
    if nested and all(nested) and not _is_described(value):
        raise UnreadableInputError(
            f"{source}: expected a table by rows, found columns or labels; write it with "
            "to_json(orient='split') in pandas"
        )
    return value, None, None


def _of_table_schema(
    value: Mapping[str, Any], source: str
) -> tuple[object, list[object] | None, list[object] | None]:
    """Return the rows and labels of ``to_json(orient="table")``."""
    try:
        key = value["schema"].get("primaryKey", [])
        columns = [field["name"] for field in value["schema"]["fields"]]
        columns = [name for name in columns if name not in key]
        rows = [[record[name] for name in columns] for record in value["data"]]
        index = [record[key[0]] for record in value["data"]] if key else None
    except (KeyError, TypeError, AttributeError, IndexError):
        raise UnreadableInputError(
            f"{source}: expected a table with a schema, as written by pandas with orient='table'"
        ) from None
    if len(key) > 1:
        raise UnreadableInputError(f"{source}: expected an index of one column, found {len(key)}")
    return {"rows": rows}, index, columns


def _labels(labels: list[object], expected: int, name: str) -> tuple[Label, ...]:
    """Check the labels in a file written by pandas, and return them with Booleans as texts."""
    texts = [str(label) if isinstance(label, bool) else label for label in labels]
    try:
        return check_labels(texts, expected, name)
    except DomainError as error:
        raise UnreadableInputError(str(error)) from None


def known_keys(value: Iterable[object], known: tuple[str, ...], source: str) -> None:
    """Refuse an object with an unknown key."""
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
                f"{source}: row {i}: expected a list of entries or a string, found {found(row)}"
            )
    return rows


def _text(row: list[object] | str, first: Cell, width: int) -> str:
    if isinstance(row, list):
        return text_of_row(row, first, width)
    if len(row) == width and not row.strip("01*"):
        return row
    return text_of_row(row, first, width, _CHARACTERS.get)


def _kind(value: Mapping[str, object], implied: Kind | None, source: str) -> Kind | None:
    """Return the declared ``type`` of the table, which must agree with the keys of its labels."""
    if "type" not in value:
        return implied
    declared = value["type"]
    if not isinstance(declared, str) or declared not in _TYPES:
        raise UnreadableInputError(
            f"{source}: type must be one of {', '.join(_TYPES)}, not {found(declared)}"
        )
    if implied not in {None, _TYPES[declared]}:
        raise UnreadableInputError(
            f"{source}: a {declared} must not have the labels of a {implied}"
        )
    return _TYPES[declared]
