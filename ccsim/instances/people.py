"""A table of records with named columns, in text separated by commas, semicolons or tabs.

The first row is a header of distinct names; every row has as many cells. Spaces around cells do
not count, blank lines may stand at the end only, and the text is UTF-8.
"""

from __future__ import annotations

from pathlib import Path

from ccsim.budget import Budget
from ccsim.certificates.files import STANDARD_INPUT, read_limited
from ccsim.errors import UnreadableInputError
from ccsim.texts.csv import numbered_rows
from ccsim.texts.tables import Cell, refuse, refuse_record

People = tuple[list[str], list[dict[str, str]]]
"""The names of the columns, and the records."""


def read_people(path: Path | str, budget: Budget | None = None) -> People:
    """Return the header and the records of a table, ``-`` (or ``@-``) for standard input.

    Complexity: linear; 10^5 records take a second.
    """
    source = STANDARD_INPUT if str(path) == f"@{STANDARD_INPUT}" else str(path)
    if not source:
        raise UnreadableInputError("expected the name of a file, found none")
    rows = numbered_rows(read_limited(source), source)
    number, header = next(rows)
    for place, name in enumerate(header, 1):
        if not name or name in header[: place - 1]:
            refuse_record(Cell(source, number, place), "expected distinct names of columns")
    records, clock = [], budget or Budget()
    for row, cells in rows:
        clock.spend()
        if len(cells) != len(header):
            at = min(len(cells), len(header)) + 1
            refuse(Cell(source, row, at), f"{len(cells)} cells", f"expected {len(header)}")
        records.append(dict(zip(header, cells, strict=True)))
    if not records:
        raise UnreadableInputError(f"{source}: expected a record below the header, found none")
    return header, records
