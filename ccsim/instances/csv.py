"""Tables of 0, 1 and ``*`` in text separated by commas, semicolons or tabs.

The rules, which messages quote:

* Cells are separated by commas, semicolons or tabs: by what the first two rows have equally many
  of, outside of quotes; by what they have most of, if that are several, and by commas, if none.
* Entries are 0, 1 and ``*``, or True and False (also ``true``, ``TRUE``); spaces around them do not
  count. All rows have equally many cells.
* The first row is a header if its first cell is empty or if none of its cells is an entry.
* The first column holds labels if there is a header whose first cell is empty, or if the first
  cell of the first row below the header is not an entry. It then holds a label in every row.
* Labels that are themselves 0 or 1 therefore need a header with an empty first cell.
* Labels are distinct and not empty. Blank lines may stand at the end only. The text is UTF-8.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from types import MappingProxyType

from ccsim.budget import Budget
from ccsim.certificates.files import read_limited
from ccsim.classes.labels import check_size
from ccsim.errors import UnreadableInputError
from ccsim.instances.tables import Cell, Table, found, refuse, text_of_row

__all__ = ["numbered_rows", "read_csv"]

_SYMBOLS: Mapping[str, str] = MappingProxyType(
    {"0": "0", "1": "1", "*": "*"}
    | dict.fromkeys(("False", "false", "FALSE"), "0")
    | dict.fromkeys(("True", "true", "TRUE"), "1")
)
_ENTRIES = frozenset(_SYMBOLS)
_ONE_CHARACTER = frozenset("01*")
_SEPARATORS = ",;\t"
_QUOTED = re.compile(r'"[^"]*"')


def read_csv(path: Path, budget: Budget) -> Table:
    """Return the table in a CSV file; the rules are those of this module.

    Raises
    ------
    OutOfTimeError
        If it takes longer than the budget allows.
    UnreadableInputError
        With row and column, counted from 1, and what was expected there.
    InstanceTooLargeError
    """
    source = str(path)
    lines = numbered_rows(read_limited(path), source)
    number, cells = next(lines)
    header: list[str] = []
    if cells[0] == "" or _ENTRIES.isdisjoint(cells):
        header = cells
        number, cells = next(lines, (number, cells))
    marked = header[:1] == [""]
    labelled = marked or cells[0] not in _ENTRIES
    width = len(cells) - labelled
    if cells is header and width > 0:
        refuse(Cell(source, number + 1, 1), "the end of the file", "expected a row of 0, 1 or *")
    if width == 0 or cells is header:
        refuse(Cell(source, number, 1), found(cells[0]))
    if header and len(header) != len(cells):
        place = Cell(source, 1, min(len(header), len(cells)) + 1)
        refuse(place, f"{len(header)} cells", f"expected a header of {len(cells)} cells")
    labels: list[str] = []
    rows: list[str] = []
    for row, entries in chain([(number, cells)], lines):
        budget.spend()
        check_size(len(rows) + 1, width, source)
        if labelled and not marked and entries[0] in _ENTRIES:
            refuse(Cell(source, row, 1), found(entries[0]), f"expected a label as in row {number}")
        labels += entries[:labelled]
        rows.append(_text(entries[labelled:], Cell(source, row, 1 + labelled), width))
    return Table(
        source,
        path.name,
        tuple(rows),
        _labels(labels, [Cell(source, number + i, 1) for i in range(len(labels))]),
        _labels(header[labelled:], [Cell(source, 1, 1 + x) for x in range(labelled, len(header))]),
        (number, 1 + labelled),
    )


def numbered_rows(data: bytes, source: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the stripped cells of every row that is not blank.

    Raises
    ------
    UnreadableInputError
        If it is no such text, or a blank row stands before another one.
    """
    _check_text(data, source)
    separator = _separator(data)
    text = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8-sig", newline="")
    reader = csv.reader(text, delimiter=separator, strict=True)
    blank = 0
    number = 0
    while True:
        number += 1
        try:
            cells = [cell.strip() for cell in next(reader)]
        except StopIteration:
            return
        except csv.Error as error:
            raise UnreadableInputError(
                f"{source}: row {number}: not comma-separated text: {error}"
            ) from None
        if not any(cells) and len(cells) < 2:
            blank = blank or number
            continue
        if blank:
            refuse(Cell(source, blank, 1), "a blank line")
        yield number, cells


def _separator(data: bytes) -> str:
    r"""Return what separates cells, by the first rule of this module.

    Examples
    --------
    >>> _separator(b"a;b\n0;1"), _separator(b"a;b,c\n0,1"), _separator(b"0")
    (';', ',', ',')
    """
    lines = (line for line in io.BytesIO(data) if line.strip())
    first = [_QUOTED.sub("", line.decode("utf-8")) for line in islice(lines, 2)]
    counts = {each: {line.count(each) for line in first} for each in _SEPARATORS}
    alike = {each: min(found) for each, found in counts.items() if len(found) == 1 and any(found)}
    return max(alike, key=alike.__getitem__, default=",")


def _check_text(data: bytes, source: str) -> None:
    """Refuse what is not UTF-8, and NUL."""
    try:
        bad = data.find(b"\0")
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        bad = error.start
    if bad >= 0:
        start = data.rfind(b"\n", 0, bad) + 1
        place = Cell(source, data.count(b"\n", 0, bad) + 1, data.count(b",", start, bad) + 1)
        refuse(place, f"the byte 0x{data[bad]:02x}", "expected UTF-8 text")


def _text(cells: Sequence[str], first: Cell, width: int) -> str:
    if len(cells) == width and _ONE_CHARACTER.issuperset(cells):
        return "".join(cells)
    return text_of_row(cells, lambda cell: _SYMBOLS.get(str(cell)), first, width)


def _labels(labels: Sequence[str], places: Sequence[Cell]) -> tuple[str, ...] | None:
    """Return labels after a check that they are distinct and not empty; None if there are none."""
    seen: set[str] = set()
    for label, place in zip(labels, places, strict=True):
        if not label:
            refuse(place, found(label), "expected a label")
        if label in seen:
            refuse(place, f"{found(label)} again", "expected distinct labels")
        seen.add(label)
    return tuple(labels) or None
