"""Records, labelled examples and tables of people in files.

A JSON file must be a list of integers and texts; any other file is read as in `ccsim.texts.csv`.
Without a named column, every row is a record. To protect records, messages do not quote them, and
printed notes do not depend on them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path

import numpy as np

from ccsim.budget import Budget
from ccsim.certificates.files import STANDARD_INPUT, read_json
from ccsim.errors import UnreadableInputError
from ccsim.texts.columns import Coded, Columns, Numbering, Numbers
from ccsim.texts.csv import row_blocks
from ccsim.texts.reading import Reading, announce, name_of_file, refuse_ways, split_ways
from ccsim.texts.tables import Cell, found, refuse, refuse_record
from ccsim.texts.unpacked import read_unpacked

_BITS = {"0": 0, "1": 1}
_MOST_DIGITS = 4000  # Python refuses to read more
_REMEMBERED = 1 << 16  # different cells whose numbers are remembered
Block = tuple[int, list[list[str]]]


def read_records(
    path: Path | str,
    number: Callable[[str], int | None],
    expected: str,
    column: str | None,
    budget: Budget,
) -> list[int]:
    """Return the numbers of the records in a file; 10^6 records take 0.6 s."""
    source = str(path)
    if not source:
        raise UnreadableInputError("expected the name of a file, found none")
    file = Path(name_of_file(source))
    is_json = file.suffix.lower() == ".json"
    if is_json:
        source, ways = split_ways(source, ("header",))
        refuse_ways(ways, source)
        if column is not None:
            raise UnreadableInputError(f"{source}: a list of records has no column {found(column)}")
        blocks = _listed(_json(file, budget), source)
    else:
        blocks = _column(source, column)
    judged, records = _Judged(number), list[int]()
    for first, cells in blocks:
        budget.spend(len(cells))
        known = list(map(judged.__getitem__, cells))
        if None in known:
            place = replace(first, row=first.row + known.index(None))
            is_text = column is None and not is_json
            hint = f"; {place.source}:header=yes leaves the first row out" if is_text else ""
            refuse_record(place, f"expected {expected}{hint if place.row == 1 else ''}")
        records += known  # type: ignore[arg-type]  # none is None
    if not records:
        raise UnreadableInputError(f"{source}: expected a record, found none")
    return records


class _Judged(dict[str, int | None]):
    """A cache of the numbers of records by cell, of limited size."""

    def __init__(self, number: Callable[[str], int | None]) -> None:
        super().__init__()
        self.number = number

    def __missing__(self, cell: str) -> int | None:
        known = self.number(cell.strip())
        if len(self) < _REMEMBERED:
            self[cell] = known
        return known


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


def _listed(value: object, source: str) -> Iterator[tuple[Cell, list[str]]]:
    if not isinstance(value, list):
        raise UnreadableInputError(f"{source}: expected a list of records, found none")
    for row, cell in enumerate(value, 1):
        if isinstance(cell, bool) or not isinstance(cell, int | str):
            refuse_record(Cell(source, row, 1), "expected an integer or text")
        yield Cell(source, row, 1), [str(cell)]


def record_rows(path: Path | str) -> Iterator[tuple[int, list[str]]]:
    """Yield the numbered rows of a file.

    A note is printed if no option states that row 1 is a record.
    """
    for number, block in _record_blocks(str(path)):
        for row, raw in enumerate(block, number):
            yield row, [cell.strip() for cell in raw]


def _record_blocks(path: str) -> Iterator[Block]:
    source, ways = split_ways(path, ("header",))
    blocks = row_blocks(read_unpacked(source), source)
    if ways.header is None:
        note = f"{source}: every row is read as a record; {source}:header=yes leaves the first out"
        announce(Reading(source, header=False, guesses=(note,)))
    elif ways.header:
        _, blocks = _first_row(blocks)
    return blocks


def _first_row(blocks: Iterator[Block]) -> tuple[tuple[int, list[str]], Iterator[Block]]:
    """Return the first row, stripped, with its number, and the remaining blocks."""
    number, (first, *rest) = next(blocks)
    row = number, [cell.strip() for cell in first]
    return row, chain([(number + 1, rest)] if rest else [], blocks)


def _column(source: str, column: str | None) -> Iterator[tuple[Cell, list[str]]]:
    """Yield the cells of a column in blocks, not stripped, each block with its first position."""
    place, width = 0, 1
    if column is None:
        blocks = _record_blocks(source)
        source = name_of_file(source)
    else:
        source, ways = split_ways(source, ("header",))
        if ways.header is False:
            raise UnreadableInputError(
                f"{source}: columns have names only with a header: remove header=no"
            )
        (number, header), blocks = _first_row(row_blocks(read_unpacked(source), source))
        if header.count(column) != 1:
            several = header.count(column)
            names = "no column is" if not several else f"{several} columns are"
            rule = "the first row must contain the names of the columns, all different"
            raise UnreadableInputError(
                f"{source}: row {number}: {names} named {found(column)}; {rule}"
            )
        place, width = header.index(column), len(header)
    for number, block in blocks:
        whole = _whole_rows(block, width)
        if whole:
            yield Cell(source, number, place + 1), [cells[place] for cells in block[:whole]]
        if whole < len(block):
            size = len(block[whole])
            refuse(
                Cell(source, number + whole, min(size, width) + 1),
                f"{size} cells",
                f"expected a row of {width}" + ("" if column else "; name one with --column"),
            )


def _whole_rows(block: list[list[str]], width: int) -> int:
    """Return the number of rows before the first row that does not have ``width`` cells."""
    if {*map(len, block)} == {width}:
        return len(block)
    return next(i for i, cells in enumerate(block) if len(cells) != width)


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


def people_blocks(path: Path | str) -> tuple[list[str], Iterator[list[list[str]]]]:
    """Return the header of a table, and its rows in blocks, not stripped."""
    source = STANDARD_INPUT if str(path) == f"@{STANDARD_INPUT}" else str(path)
    if not source:
        raise UnreadableInputError("expected the name of a file, found none")
    if source.lower().endswith((".json", ".jsonl", ".ndjson")):
        raise UnreadableInputError(f"{source}: expected a table in text; save it as csv")
    (number, header), blocks = _first_row(row_blocks(read_unpacked(source), source))
    for place, name in enumerate(header, 1):
        is_index = place == 1 < len(header)  # which pandas and R leave without a name
        if (not name and not is_index) or name in header[: place - 1]:
            refuse_record(Cell(source, number, place), "expected distinct names of columns")
    return header, _people(blocks, len(header), source)


def _people(blocks: Iterator[Block], width: int, source: str) -> Iterator[list[list[str]]]:
    """Yield the rows of a table in blocks; raise if there are none, or if widths differ."""
    none = True
    for number, block in blocks:
        whole, none = _whole_rows(block, width), False
        if whole:
            yield block[:whole]
        if whole < len(block):
            size = len(block[whole])
            place = Cell(source, number + whole, min(size, width) + 1)
            refuse(place, f"{size} cells", f"expected {width}")
    if none:
        raise UnreadableInputError(f"{source}: expected a record below the header, found none")


def read_people(path: Path | str, names: Collection[str], budget: Budget) -> Columns:
    """Return the named columns of a table; 10^6 records take 1 s."""
    header, blocks = people_blocks(path)
    wanted = [(i, name, Numbering(), list[Numbers]()) for i, name in enumerate(header)]
    wanted = [each for each in wanted if each[1] in names]
    size = 0
    for block in blocks:
        budget.spend(len(block))
        size += len(block)
        for i, _, numbering, parts in wanted:
            parts.append(numbering.of([row[i] for row in block]))
    coded = {
        name: Coded(numbering.texts, np.concatenate(parts)) for _, name, numbering, parts in wanted
    }
    return Columns(header, size, coded)
