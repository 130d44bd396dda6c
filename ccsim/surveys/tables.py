"""The answers of a survey as tables: CSV and Parquet."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from dataclasses import fields
from io import BytesIO, StringIO

from ccsim.errors import DomainError
from ccsim.parallel.store import Row

Value = str | int | float | bool | None
_OWN = tuple(f.name for f in fields(Row) if f.name != "answer")
_LARGEST = 1 << 63


def as_columns(rows: Sequence[Row]) -> dict[str, list[Value]]:
    """Return the columns of a table with a row for each answer.

    The keys of an answer become columns, named ``answer_KEY`` if `Row` has a field KEY. Values
    other than numbers and texts are JSON. Any other answer is in the column ``answer``.
    """
    answers = [_parts(row.answer) for row in rows]
    names = dict.fromkeys(name for answer in answers for name in answer)
    own: dict[str, list[Value]] = {name: [getattr(row, name) for row in rows] for name in _OWN}
    return own | {name: [answer.get(name) for answer in answers] for name in names}


def _parts(answer: str | None) -> dict[str, Value]:
    if answer is None:
        return {}
    found = json.loads(answer)
    if not isinstance(found, dict):
        return {"answer": answer}
    return {
        f"answer_{name}" if name in _OWN else name: json.dumps(value)
        if isinstance(value, dict | list)
        else value
        for name, value in found.items()
    }


def as_csv(rows: Sequence[Row]) -> str:
    """Return the table as CSV with a header; missing values are empty."""
    columns = as_columns(rows)
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return text.getvalue()


def as_parquet(rows: Sequence[Row]) -> bytes:
    """Return the table as a Parquet file; columns of values of several types contain JSON."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise DomainError(
            "Parquet files require pyarrow; install it with pip install 'ccsim[parquet]', "
            "or in a checkout with pip install '.[parquet]'"
        ) from None
    table = pyarrow.table({name: _alike(values) for name, values in as_columns(rows).items()})
    out = BytesIO()
    pyarrow.parquet.write_table(table, out)
    return out.getvalue()


def _alike(values: list[Value]) -> list[Value]:
    """Return the values of a column: as JSON texts if they have several types or are too large."""
    kinds = {type(value) for value in values if value is not None}
    large = any(isinstance(value, int) and not -_LARGEST <= value < _LARGEST for value in values)
    if len(kinds) <= 1 and not large:
        return values
    return [None if value is None else json.dumps(value) for value in values]
