"""Tables of entries in Parquet files, read with pyarrow; an index of pandas gives the row labels.

Texts remain in the dictionaries of the file, so that a long repeated text is stored only once.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any

from ccsim.budget import Budget
from ccsim.certificates.files import MAX_FILE_BYTES
from ccsim.errors import DomainError, InstanceTooLargeError, UnreadableInputError
from ccsim.texts.entries import symbol_of
from ccsim.texts.labels import Label, as_labels, check_size
from ccsim.texts.lines import table_of_records
from ccsim.texts.reading import Ways, refuse_ways
from ccsim.texts.tables import Cell, Table, found, refuse


def read_parquet(data: bytes, source: str, budget: Budget, ways: Ways) -> Table:
    """Return the table in a Parquet file, by the rules of this module."""
    refuse_ways(ways, source, "index", "form")
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise UnreadableInputError(
            f"{source}: Parquet files require pyarrow; install it with pip install "
            "'ccsim[parquet]', or in a checkout with pip install '.[parquet]'"
        ) from None
    try:
        file = pyarrow.parquet.ParquetFile(io.BytesIO(data))
        kinds = {field.name: field.type for field in file.schema_arrow}
        _check_file(file, kinds, source)
        texts = [name for name, kind in kinds.items() if "string" in str(kind)]
        file = pyarrow.parquet.ParquetFile(io.BytesIO(data), read_dictionary=texts)
        table = file.read()
    except (pyarrow.ArrowException, OSError, ValueError, MemoryError, KeyError) as error:
        if isinstance(error, UnreadableInputError):
            raise
        reason = " ".join(str(error).split())[:200]
        raise UnreadableInputError(f"{source}: not a Parquet file: {reason}") from None
    index = _index(table.schema, source)
    names = [name for name in table.column_names if name not in index]

    def plain() -> Table:
        columns = []
        for x, name in enumerate(names, 1):
            budget.spend()
            columns.append(_symbols(table.column(name), source, x))
        rows = tuple(map("".join, zip(*columns, strict=True))) if names else ("",) * table.num_rows
        labels = _labels(table.column(index[0]), source) if index else None
        return Table(source, "", rows, labels, tuple(names))

    def records() -> Iterator[list[object]]:
        for batch in table.select(names).to_batches(1 << 10):
            yield from map(list, zip(*map(_values, batch.columns), strict=True))

    try:
        return table_of_records(plain, names, records, source, budget, ways)
    except UnicodeDecodeError:
        raise UnreadableInputError(f"{source}: expected text in UTF-8") from None


def _check_file(file: Any, kinds: dict[str, Any], source: str) -> None:  # noqa: ANN401 - of pyarrow
    """Refuse a file that is too large, or has columns other than entries and labels."""
    from pyarrow import types

    about = file.metadata
    check_size(about.num_rows, about.num_columns, source)
    size = sum(about.row_group(i).total_byte_size for i in range(about.num_row_groups))
    if size > MAX_FILE_BYTES:
        raise InstanceTooLargeError(
            f"{source}: unpacks to {size} bytes; the limit is {MAX_FILE_BYTES} bytes"
        )
    if len(kinds) != about.num_columns:
        raise UnreadableInputError(f"{source}: expected plain columns with distinct names")
    plain = (
        types.is_boolean,
        types.is_integer,
        types.is_floating,
        types.is_string,
        types.is_large_string,
        types.is_null,
    )
    for name, kind in kinds.items():
        inside = kind.value_type if types.is_dictionary(kind) else kind
        if not any(is_kind(inside) for is_kind in plain):
            raise UnreadableInputError(
                f"{source}: column {found(name)} must contain numbers or text, not {kind}"
            )


def _index(schema: Any, source: str) -> list[str]:  # noqa: ANN401 - of pyarrow
    """Return the name of the column that pandas wrote as the index, if there is one."""
    about = (schema.metadata or {}).get(b"pandas")
    try:
        listed = json.loads(about)["index_columns"] if about else []
        names = [name for name in listed if isinstance(name, str) and name in schema.names]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise UnreadableInputError(f"{source}: the index metadata of pandas must be JSON") from None
    if len(names) > 1:
        raise UnreadableInputError(f"{source}: expected an index of one column, found {len(names)}")
    return names


def _symbols(column: Any, source: str, number: int) -> str:  # noqa: ANN401 - of pyarrow
    """Return a column as symbols."""
    symbols: list[str] = []
    for chunk in column.chunks:
        for entry in _values(chunk):
            symbol = symbol_of(entry)
            if symbol is None:
                refuse(Cell(source, len(symbols) + 1, number), found(entry))
            symbols.append(symbol)
    return "".join(symbols)


def _values(chunk: Any) -> list[Any]:  # noqa: ANN401 - of pyarrow
    """Return the values of a part of a column; equal texts are represented by the same object."""
    if not hasattr(chunk, "dictionary"):
        return list(chunk.to_pylist())
    values = chunk.dictionary.to_pylist()
    return [None if i is None else values[i] for i in chunk.indices.to_pylist()]


def _labels(column: Any, source: str) -> tuple[Label, ...]:  # noqa: ANN401 - of pyarrow
    try:
        return as_labels(column.to_pylist(), "row")
    except DomainError as error:
        raise UnreadableInputError(f"{source}: {error}") from None
