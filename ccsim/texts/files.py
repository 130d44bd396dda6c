"""Tables in files of any format, or in standard input."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from ccsim.budget import Budget, TimeLimit
from ccsim.certificates.files import STANDARD_INPUT
from ccsim.errors import UnreadableInputError
from ccsim.texts.graphs import read_graph6, read_graphml, table_of_symmetric
from ccsim.texts.json import read_json_lines, read_json_table
from ccsim.texts.matrix_market import read_matrix_market
from ccsim.texts.numpy import read_npy, read_npz
from ccsim.texts.parquet import read_parquet
from ccsim.texts.reading import Ways, announce, split_ways
from ccsim.texts.spreadsheets import read_xlsx
from ccsim.texts.tables import Table, settled_table
from ccsim.texts.text import is_bracketed, read_text
from ccsim.texts.unpacked import read_unpacked

_Reader: TypeAlias = Callable[[bytes, str, Budget, Ways], Table]
_READERS: Mapping[str, _Reader] = MappingProxyType(
    {
        **dict.fromkeys((".csv", ".tsv", ".txt", ".dat", ".edgelist", ".adjlist"), read_text),
        ".json": read_json_table,
        **dict.fromkeys((".jsonl", ".ndjson"), read_json_lines),
        ".npy": read_npy,
        ".npz": read_npz,
        ".parquet": read_parquet,
        ".xlsx": read_xlsx,
        ".mtx": read_matrix_market,
        ".graphml": read_graphml,
        **dict.fromkeys((".g6", ".s6"), read_graph6),
    }
)
_BEGINNINGS: Mapping[bytes, str] = MappingProxyType(
    {
        b"\x93NUMPY": ".npy",
        b"PAR1": ".parquet",
        b"%%MatrixMarket": ".mtx",
        b">>graph6<<": ".g6",
        b">>sparse6<<": ".s6",
        b"<": ".graphml",
        b"{": ".json",
        b"[": ".json",
    }
)


def read_table(path: Path | str, time_limit: TimeLimit = None) -> Table:
    """Return the table in a file, whose name may be followed by options.

    Reading 2**24 entries takes seconds.
    """
    budget = Budget.of(time_limit)
    source, ways = split_ways(str(path))
    if not source:
        raise UnreadableInputError("expected the name of a file, found none")
    name = "standard input" if source == STANDARD_INPUT else Path(source).name
    data = read_unpacked(source)
    read = _reader_by_content(data) if source == STANDARD_INPUT else _reader_by_name(source)
    if read is read_text and data.startswith(b"PK\x03\x04"):
        raise UnreadableInputError(
            f"{source}: expected text, found a zip archive; if it is an Excel file, rename it to "
            "end in .xlsx"
        )
    table = read(data, source, budget, ways)
    table = settled_table(replace(table, name=table.name or name), signs=ways.signs)
    if ways.sets and table.reading.form != "graph":
        table = table_of_symmetric(table, ways)
    announce(table.reading)
    return table


def _reader_by_name(name: str) -> _Reader:
    """Return the reader for the ending of a file name, without ``.gz``."""
    reader = _READERS.get(Path(re.sub(r"\.gz$", "", name, flags=re.IGNORECASE)).suffix.lower())
    if reader is None:
        raise UnreadableInputError(
            f"{name}: the file name must end in {', '.join(_READERS)}; use @- to read standard "
            "input, whose format is recognised"
        )
    return reader


def _reader_by_content(data: bytes) -> _Reader:
    """Return the reader for data of unknown format."""
    start = data.removeprefix(b"\xef\xbb\xbf").lstrip()[:20]
    if start.startswith(b"PK"):
        return _READERS[".xlsx" if b"[Content_Types].xml" in data else ".npz"]
    if start.startswith(b"[") and is_bracketed(data):
        return read_text
    found = (ending for mark, ending in _BEGINNINGS.items() if start.startswith(mark))
    return _READERS[next(found, ".txt")]
