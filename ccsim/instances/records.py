"""Records, labelled examples and tables of people in files.

A JSON file must be a list of integers and texts; any other file is read as in `ccsim.texts.csv`.
Without a named column, every row is a record. To protect records, messages do not quote them, and
printed notes do not depend on them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from ccsim.budget import Budget
from ccsim.certificates.files import STANDARD_INPUT, read_json
from ccsim.errors import UnreadableInputError
from ccsim.texts.csv import numbered_rows
from ccsim.texts.reading import Reading, announce, name_of_file, refuse_ways, split_ways
from ccsim.texts.tables import Cell, found, refuse, refuse_record
from ccsim.texts.unpacked import read_unpacked

_BITS = {"0": 0, "1": 1}
_MOST_DIGITS = 4000  # Python refuses to read more

People = tuple[list[str], list[dict[str, str]]]  # the names of the columns, and the records


def read_records(
    path: Path | str,
    number: Callable[[str], int | None],
    expected: str,
    column: str | None,
    budget: Budget,
) -> list[int]:
    """Return the numbers of the records in a file."""
    source = str(path)
    if not source:
        raise UnreadableInputError("expected the name of a file, found none")
    file = Path(name_of_file(source))
    if file.suffix.lower() == ".json":
        source, ways = split_ways(source, ("header",))
        refuse_ways(ways, source)
        if column is not None:
            raise UnreadableInputError(f"{source}: a list of records has no column {found(column)}")
        cells = _listed(_json(file, budget), source)
    else:
        cells = _column(source, column)
    records = []
    for place, cell in cells:
        budget.spend()
        known = number(cell)
        if known is None:
            is_text = column is None and file.suffix.lower() != ".json"
            hint = f"; {place.source}:header=yes leaves the first row out" if is_text else ""
            refuse_record(place, f"expected {expected}{hint if place.row == 1 else ''}")
        records.append(known)
    if not records:
        raise UnreadableInputError(f"{source}: expected a record, found none")
    return records


def _json(file: Path, budget: Budget) -> object:
    """Return the value of a JSON file; error messages do not quote its contents."""
    try:
        return read_json(file, budget, exact=True)
    except UnreadableInputError as error:
        reason, unusable, _ = str(error).partition("not usable JSON")
        if not unusable:
            raise
        raise UnreadableInputError(
            f"{reason}{unusable} (the value is not shown, for privacy)"
        ) from None


def _listed(value: object, source: str) -> Iterator[tuple[Cell, str]]:
    if not isinstance(value, list):
        raise UnreadableInputError(f"{source}: expected a list of records, found none")
    for row, cell in enumerate(value, 1):
        if isinstance(cell, bool) or not isinstance(cell, int | str):
            refuse_record(Cell(source, row, 1), "expected an integer or text")
        yield Cell(source, row, 1), str(cell)


def record_rows(path: Path | str) -> Iterator[tuple[int, list[str]]]:
    """Yield the numbered rows of a text; without options, note that every row is a record."""
    source, ways = split_ways(str(path), ("header",))
    rows = numbered_rows(read_unpacked(source), source)
    if ways.header is None:
        note = f"{source}: every row is read as a record; {source}:header=yes leaves the first out"
        announce(Reading(source, header=False, guesses=(note,)))
    elif ways.header:
        next(rows)
    return rows


def _column(source: str, column: str | None) -> Iterator[tuple[Cell, str]]:
    place, width = 0, 1
    if column is None:
        rows = record_rows(source)
        source = name_of_file(source)
    else:
        source, ways = split_ways(source, ("header",))
        if ways.header is False:
            raise UnreadableInputError(
                f"{source}: columns have names only with a header: remove header=no"
            )
        rows = numbered_rows(read_unpacked(source), source)
        number, header = next(rows)
        if header.count(column) != 1:
            refuse(
                Cell(source, number, 1),
                f"{header.count(column)} in a header of {len(header)}",
                f"expected one column named {found(column)}",
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


def read_examples(path: Path | str, bits: int, budget: Budget) -> list[tuple[int, int]]:
    """Return the points and labels of a file; 10^5 examples take 0.2 s."""
    source, end = name_of_file(str(path)), 1 << bits
    examples = []
    for row, cells in record_rows(path):
        budget.spend()
        if len(cells) != 2:
            refuse(
                Cell(source, row, min(len(cells), 2) + 1),
                f"{len(cells)} cells",
                "expected a point and a label",
            )
        text, label = cells
        known = text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
        if not known or int(text) >= end:
            refuse_record(Cell(source, row, 1), f"expected a number below 2^{bits}")
        if label not in _BITS:
            refuse_record(Cell(source, row, 2), "expected 0 or 1")
        examples.append((int(text), _BITS[label]))
    return examples


def read_people(path: Path | str, budget: Budget | None = None) -> People:
    """Return the header and the records of a table; ``-`` or ``@-`` is standard input."""
    source = STANDARD_INPUT if str(path) == f"@{STANDARD_INPUT}" else str(path)
    if not source:
        raise UnreadableInputError("expected the name of a file, found none")
    if source.lower().endswith((".json", ".jsonl", ".ndjson")):
        raise UnreadableInputError(f"{source}: expected a table in text; save it as csv")
    rows = numbered_rows(read_unpacked(source), source)
    number, header = next(rows)
    for place, name in enumerate(header, 1):
        is_index = place == 1 < len(header)  # which pandas and R leave without a name
        if (not name and not is_index) or name in header[: place - 1]:
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
