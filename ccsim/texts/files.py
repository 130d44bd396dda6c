"""Reading a table from a file of any format, or from standard input."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from ccsim.budget import Budget, TimeLimit
from ccsim.certificates.files import STANDARD_INPUT, read_limited
from ccsim.errors import UnreadableInputError
from ccsim.texts.csv import read_csv
from ccsim.texts.json import read_json_table
from ccsim.texts.numpy import read_npy, read_npz
from ccsim.texts.parquet import read_parquet
from ccsim.texts.reading import Ways, announce, split_ways
from ccsim.texts.tables import Table, settled_table

_Reader: TypeAlias = Callable[[Path, Budget, Ways], Table]
_READERS: Mapping[str, _Reader] = MappingProxyType(
    {
        ".csv": read_csv,
        ".tsv": read_csv,
        ".txt": read_csv,
        ".json": read_json_table,
        ".npy": read_npy,
        ".npz": read_npz,
        ".parquet": read_parquet,
    }
)


def read_table(path: Path | str, time_limit: TimeLimit = None) -> Table:
    """Return the table in a file, whose name may have options; 2**24 entries take seconds."""
    budget = Budget.of(time_limit)
    name, ways = split_ways(str(path))
    if not name:
        raise UnreadableInputError("expected the name of a file, found none")
    file = Path(name)
    if name == STANDARD_INPUT:
        read = _reader_by_content(read_limited(file))
        table = replace(read(file, budget, ways), name="standard input")
    else:
        reader = _READERS.get(file.suffix.lower())
        if reader is None:
            read_limited(file)
            raise UnreadableInputError(
                f"{name}: expected a name that ends in {', '.join(_READERS)}"
            )
        table = reader(file, budget, ways)
    table = settled_table(table, signs=ways.signs)
    announce(table.reading)
    return table


def _reader_by_content(data: bytes) -> _Reader:
    """Return what reads data of unknown format."""
    start = data.removeprefix(b"\xef\xbb\xbf").lstrip()[:6]
    beginnings = {".npy": b"\x93NUMPY", ".npz": b"PK", ".parquet": b"PAR1"}
    suffix = next((kind for kind, mark in beginnings.items() if data.startswith(mark)), None)
    return _READERS[suffix or (".json" if start[:1] in {b"[", b"{"} else ".csv")]
