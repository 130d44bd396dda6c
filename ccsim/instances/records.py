"""Records of people, or of whatever, one a line, in a text or JSON file.

Main definitions: `read_records`.

The rules, which messages quote:

* A JSON file (its name ends in ``.json``) holds a list of integers and texts.
* Any other file is comma-separated text, by the rules of `ccsim.instances.csv` on blank lines and
  encoding. If a column is named, the first row is a header that holds the name once; otherwise
  every row is a record and has one cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from ccsim.budget import Budget
from ccsim.certificates import read_json
from ccsim.certificates.files import read_limited
from ccsim.errors import UnreadableInputError
from ccsim.instances.csv import numbered_rows
from ccsim.instances.tables import Cell, found, refuse, refuse_record

__all__ = ["read_records"]


def read_records(
    path: Path | str,
    number: Callable[[str], int | None],
    expected: str,
    column: str | None,
    budget: Budget,
) -> list[int]:
    """Return the numbers of the records in a file.

    Parameters
    ----------
    path : Path or str
    number : callable
        Returns the number of a record, or None for what is none.
    expected : str
        What a record is, for messages.
    column : str or None
        Name of the column, in a text with a header.
    budget : Budget

    Raises
    ------
    OutOfTimeError
        If it takes longer.
    UnreadableInputError
        With the place of the first cell that is no record, or if there is no record.
    """
    source = str(path)
    if not source:
        raise UnreadableInputError("expected the name of a file, found none")
    file = Path(path)
    if file.suffix.lower() == ".json":
        if column is not None:
            raise UnreadableInputError(f"{source}: a list of records has no column {found(column)}")
        cells = _listed(read_json(file, budget, exact=True), source)
    else:
        cells = _column(file, source, column)
    records = []
    for place, cell in cells:
        budget.spend()
        known = number(cell)
        if known is None:
            hint = "" if column else "; with --column the first row is a header"
            refuse_record(place, f"expected {expected}{hint if place.row == 1 else ''}")
        records.append(known)
    if not records:
        raise UnreadableInputError(f"{source}: expected a record, found none")
    return records


def _listed(value: object, source: str) -> Iterator[tuple[Cell, str]]:
    if not isinstance(value, list):
        raise UnreadableInputError(f"{source}: expected a list of records, found none")
    for row, cell in enumerate(value, 1):
        if isinstance(cell, bool) or not isinstance(cell, int | str):
            refuse_record(Cell(source, row, 1), "expected an integer or a text")
        yield Cell(source, row, 1), str(cell)


def _column(file: Path, source: str, column: str | None) -> Iterator[tuple[Cell, str]]:
    rows = numbered_rows(read_limited(file), source)
    place, width = 0, 1
    if column is not None:
        number, header = next(rows)
        if header.count(column) != 1:
            refuse(
                Cell(source, number, 1),
                f"{header.count(column)} in a row of {len(header)}",
                f"expected one column {found(column)} of a header",
            )
        place, width = header.index(column), len(header)
    for number, cells in rows:
        if len(cells) != width:
            refuse(
                Cell(source, number, min(len(cells), width) + 1),
                f"{len(cells)} cells",
                f"expected a row of {width}" + ("" if column else "; name one with --column"),
            )
        yield Cell(source, number, place + 1), cells[place]
