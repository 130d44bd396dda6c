"""Tables of entries in text, separated by commas, semicolons, tabs, bars or blanks.

`docs/your-own-data.md` states the rules for separators, headers and labels; `ccsim.texts.entries`
defines the meaning of entries. All rows have the same number of cells, and blank lines are allowed
only at the end.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, count, islice
from typing import Any

from ccsim.budget import Budget
from ccsim.data import frozen
from ccsim.errors import UnreadableInputError
from ccsim.texts.entries import symbol_of_text
from ccsim.texts.labels import check_size
from ccsim.texts.reading import Reading, Ways
from ccsim.texts.tables import Cell, Table, found, refuse, text_of_row

_ONE_CHARACTER = frozenset("01*")
_SEPARATORS = ",;\t|"
_CERTAIN = 3  # cells 0, 1, 2 are a numbering; 0 and 1 may be entries
_FEW = 9  # more distinct cells than there are words for entries
_WHOLE_FLOATS = frozenset({"0.0", "1.0", "-1.0"})
"""Entries with a decimal point that may also be labels, as in an index of floats from pandas."""
_BLOCK = 1 << 13  # rows that are read at a time
_QUOTED = re.compile(r'"[^"]*"')


def matrix_of_rows(
    lines: Iterator[tuple[int, list[str]]], source: str, budget: Budget, ways: Ways
) -> Table:
    """Return the matrix in numbered rows of cells, by the rules of `docs/your-own-data.md`."""
    first = list(islice(lines, 4))
    if _is_joined(first):
        ways = replace(ways, header=False, index=len(first[0][1]) > 1)
        lines = ((row, [*cells[:-1], *cells[-1]]) for row, cells in chain(first, lines))
        first = list(islice(lines, 4))
    has_header = _has_header(first[0][1], ways)
    top = first[0][0]
    header = first.pop(0)[1] if has_header else []
    if not first and len(header) > 1:
        refuse(Cell(source, top + 1, 1), "the end of the file", "expected a row of 0, 1 or *")
    if not first:
        refuse(Cell(source, top, 1), found(header[0]))
    number, cells = first[0]
    if len(header) == len(cells) - 1 and _is_without_corner(header, [r for _, r in first], ways):
        header = ["", *header]
    labelled, marked = _has_labels(header, [row for _, row in first], ways)
    width = len(cells) - labelled
    if width == 0:
        refuse(Cell(source, number, 1), found(cells[0]))
    if has_header and len(header) != len(cells):
        place = Cell(source, top, min(len(header), len(cells)) + 1)
        refuse(place, _cells(header), f"expected a header of {_cells(cells)}")
    labels, rows, starts = list[str](), list[str](), list[str]()
    for row, entries in chain(first, lines):
        budget.spend()
        check_size(len(rows) + 1, width, source)
        if labelled and not marked and symbol_of_text(entries[0]) is not None:
            what = f"{found(entries[0])}; use {source}:index=yes to read it as a label"
            refuse(Cell(source, row, 1), what, f"expected a label as in row {number}")
        labels += entries[:labelled]
        starts += entries[: not labelled and len(starts) < _FEW]
        place = Cell(source, row, 1 + labelled)
        hint = _hint(place, entries, ways, is_first=row == top)
        rows.append(_text(entries[labelled:], place, width, hint))
    guesses = _guesses(_Read(has_header, header, labels, starts, cells, len(rows)), source, ways)
    return Table(
        source,
        "",
        tuple(rows),
        _labels(labels, [Cell(source, number + i, 1) for i in range(len(labels))]),
        _labels(
            header[labelled:], [Cell(source, top, 1 + x) for x in range(labelled, len(header))]
        ),
        (number, 1 + labelled),
        reading=Reading(source, has_header, labelled, guesses=tuple(guesses)),
    )


@frozen
class _Read:
    """The form in which a matrix in text was read, to report guesses."""

    has_header: bool
    header: list[str]
    labels: list[str]  # of the rows
    starts: list[str]  # the first cells of the first rows, unless these are labels
    cells: list[str]  # the first row below the header
    rows: int


def _guesses(read: _Read, source: str, ways: Ways) -> list[str]:
    """Return a note on each ambiguity in reading the file, with the option that decides it."""
    open_header = ways.header is None and not read.has_header and read.rows > 1
    open_index = ways.index is None and not read.labels and len(read.cells) > 1
    both = (
        open_header
        and open_index
        and _may_be_labels(read.starts[1:])
        and _may_be_labels(read.cells[1:])
    )
    guesses = []
    marks = map(symbol_of_text, [*read.header[1:], *read.labels])
    if read.header[:1] == [""] and ways.header is None and None not in marks:
        guesses.append(
            f"{source}: the first row and column are read as labels, not as entries with an empty "
            f"first cell; use {source}:header=yes|no to decide"
        )
    numbers = [*read.header, *read.labels]
    if read.has_header and read.labels and ways.header is None and all(map(str.isdecimal, numbers)):
        guesses.append(
            f"{source}: the first row and column are read as labels, although all are numbers; use "
            f"{source}:header=yes|no to decide"
        )
    if both or (open_header and _may_be_labels(read.cells[bool(read.labels) :])):
        guesses.append(_guess(source, "row", "columns", "header"))
    if both or (open_index and _may_be_labels(read.starts)):
        guesses.append(_guess(source, "column", "rows", "index"))
    return guesses


def _has_header(cells: Sequence[str], ways: Ways) -> bool:
    """Return whether the first row is a header."""
    if ways.header is not None:
        return ways.header
    named = symbol_of_text(cells[0]) is None if ways.index is None else ways.index
    inside = cells[named:]
    if cells[0] == "" or all(symbol_of_text(cell) is None for cell in inside):
        return True
    return _is_numbering(inside) and len(inside) >= _CERTAIN


def _has_labels(
    header: Sequence[str], rows: Sequence[Sequence[str]], ways: Ways
) -> tuple[bool, bool]:
    """Return whether the first column contains labels, and whether these may look like entries."""
    if ways.index is not None:
        return ways.index, True
    if header[:1] == [""]:
        return True, True
    starts = [row[0] for row in rows[:_CERTAIN]]
    if len(starts) == _CERTAIN and _is_numbering(starts):
        return True, True
    if len(header) > _CERTAIN and symbol_of_text(header[0]) is None and _is_numbering(header[1:]):
        return True, True
    return symbol_of_text(starts[0]) is None, False


def _is_without_corner(header: Sequence[str], rows: Sequence[Sequence[str]], ways: Ways) -> bool:
    """Return whether a header lacks the cell above the row labels, as in files from R."""
    if not header or "" in header or header[-1].endswith(":"):
        return False
    if ways.index is not None:
        return ways.index
    starts = [row[0] for row in rows]
    numbered = starts == [str(i) for i in range(1, len(rows) + 1)] and len(rows) > 1
    return numbered or all(symbol_of_text(start) is None for start in starts)


def _is_numbering(cells: Sequence[str]) -> bool:
    """Return whether cells are 0, 1, 2, ..."""
    return all(cell == str(i) for i, cell in enumerate(cells))


def _may_be_labels(cells: Sequence[str]) -> bool:
    """Return whether the entries of a row or column could also be labels."""
    return len(set(cells)) == len(cells) < _FEW and not any(
        cell == "*" or ("." in cell and cell not in _WHOLE_FLOATS) for cell in cells
    )


def _cells(row: Sequence[str]) -> str:
    return "1 cell" if len(row) == 1 else f"{len(row)} cells"


def _is_joined(rows: Sequence[tuple[int, list[str]]]) -> bool:
    """Return whether rows are texts such as ``0110``, possibly after a label."""
    ends = [cells[-1] for _, cells in rows]
    return len({*map(len, ends)}) == 1 < len(ends[0]) and not any(
        len(cells) > 2 or cells[-1].strip("01*") for _, cells in rows
    )


def _hint(first: Cell, cells: Sequence[str], ways: Ways, *, is_first: bool) -> str:
    """Return a hint to the option that reads a row with an invalid entry.

    The text is empty if there is none.
    """
    if is_first and ways.header is None:
        return f"; use {first.source}:header=yes to read the first row as labels"
    if first.column == 1 and ways.index is None and symbol_of_text(cells[0]) is None:
        return f"; use {first.source}:index=yes to read the first column as labels"
    return ""


def _guess(source: str, line: str, others: str, option: str) -> str:
    return (
        f"{source}: the first {line} is read as entries, not as labels of the {others}; use "
        f"{source}:{option}=yes|no to decide"
    )


def numbered_rows(
    data: bytes,
    source: str,
    *,
    blanks: bool = False,
    gaps: bool = False,
    first: int = 1,
    sets: bool = False,
    expected: str = "0, 1 or *",
) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the stripped cells of every row that is not blank.

    With ``blanks``, a blank separates cells if there is no other separator; with ``gaps``, any
    number of blanks does.
    With ``sets``, the rows are sets, and the error for a blank line explains the empty set.
    ``expected`` describes a row in this error.
    """
    ways: dict[str, Any] = {"gaps": gaps, "first": first, "sets": sets, "expected": expected}
    for number, block in row_blocks(data, source, blanks=blanks, **ways):
        for row, raw in enumerate(block, number):
            yield row, [cell.strip() for cell in raw]


def row_blocks(
    data: bytes,
    source: str,
    *,
    blanks: bool = False,
    gaps: bool = False,
    first: int = 1,
    sets: bool = False,
    expected: str = "0, 1 or *",
) -> Iterator[tuple[int, list[list[str]]]]:
    """Yield the rows of `numbered_rows`, not stripped, in blocks with their first row number."""
    _check_text(data, source)
    separator = _separator(data)
    text: Iterable[str] = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8-sig", newline="")
    if blanks and not separator:
        if not gaps:
            _check_blanks(data, source, first)
        text = (" ".join(line.split()) for line in text)
    reader = csv.reader(text, delimiter=separator or (" " if blanks else ","), strict=True)
    blank = 0
    for number in count(first, _BLOCK):
        block, failure = _next_rows(reader)
        kept = 0
        if not blank:
            short = (
                i for i, raw in enumerate(block) if len(raw) < 2 and not (raw and raw[0].strip())
            )
            kept = next((i for i in short if _is_blank(block[i])), len(block))
            if kept:
                yield number, block[:kept]
        for row, raw in enumerate(block[kept:], number + kept):
            blank = blank or row
            if not _is_blank(raw):
                what, row_is = (
                    ("; write {} for the empty set", "a set") if sets else ("; remove it", expected)
                )
                refuse(Cell(source, blank, 1), f"a blank line{what}", f"expected {row_is}")
        if failure:
            raise UnreadableInputError(
                f"{source}: row {number + len(block)}: not comma-separated text: {failure}"
            )
        if len(block) < _BLOCK:
            return


def _next_rows(reader: Iterator[list[str]]) -> tuple[list[list[str]], str]:
    """Return the next rows, and the error message if the row after them is invalid; else ''."""
    block = list[list[str]]()
    try:
        for raw in islice(reader, _BLOCK):
            block.append(raw)
    except csv.Error as error:
        return block, str(error)
    return block, ""


def _is_blank(raw: list[str]) -> bool:
    """Whether a row is a blank line; a quoted empty cell is not blank."""
    return len(raw) < 2 and raw != [""] and not any(map(str.strip, raw))


def _separator(data: bytes) -> str:
    r"""Return the separator of cells, by the first rule of `docs/your-own-data.md`.

    The result is '' if there is none.
    """
    lines = (line for line in io.BytesIO(data) if line.strip())
    first = [_QUOTED.sub("", line.decode("utf-8")) for line in islice(lines, 2)]
    counts = {each: {line.count(each) for line in first} for each in _SEPARATORS}
    alike = {each: min(found) for each, found in counts.items() if len(found) == 1 and any(found)}
    if not any(map(any, counts.values())):
        return _later_separator(data, first)
    totals = {each: sum(line.count(each) for line in first) for each in _SEPARATORS}
    return max(alike or totals, key=(alike or totals).__getitem__)


def _later_separator(data: bytes, first: Sequence[str]) -> str:
    """Return a separator that occurs only below the first lines, as in one-member sets, or ''."""
    separators = [each for each in _SEPARATORS if each.encode() in data]
    begun = [cells[1] for line in first if len(cells := line.split()) > 1]
    if not separators or any(symbol_of_text(cell) is not None for cell in begun):
        return ""
    text = _QUOTED.sub("", data.decode("utf-8"))
    return max(separators, key=text.count) if any(map(text.count, separators)) else ""


def _check_blanks(data: bytes, source: str, first: int) -> None:
    """Refuse empty cells between single blanks, unless rows have the same gaps or are aligned."""
    lines = [_QUOTED.sub("x", line) for line in data.decode("utf-8-sig").split("\n")]
    rows = [(i, line.rstrip("\r")) for i, line in enumerate(lines, first) if line.strip()]
    cells = [line.split(" ") for _, line in rows]
    if len({tuple(cell == "" for cell in row) for row in cells}) < 2 or len({*map(len, cells)}) > 1:
        return
    spans = [[found.span() for found in re.finditer(r"\S+", line)] for _, line in rows]
    aligned = [len({tuple(span[end] for span in row) for row in spans}) == 1 for end in (0, 1)]
    if not any(aligned):
        number, row = next((i, row) for (i, _), row in zip(rows, cells, strict=True) if "" in row)
        refuse(Cell(source, number, row.index("") + 1), "an empty cell between blanks")


def _check_text(data: bytes, source: str) -> None:
    """Refuse text that is not UTF-8 or contains NUL."""
    if data.startswith((b"PK\x03\x04", b"PAR1")):
        raise UnreadableInputError(
            f"{source}: expected text, found an Excel or Parquet file; save the table as csv"
        )
    try:
        bad = data.find(b"\0")
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        bad = error.start
    if bad >= 0:
        start = data.rfind(b"\n", 0, bad) + 1
        place = Cell(source, data.count(b"\n", 0, bad) + 1, data.count(b",", start, bad) + 1)
        what = f"the byte 0x{data[bad]:02x}; save the file as UTF-8"
        refuse(place, what, "expected UTF-8 text")


def _text(cells: Sequence[str], first: Cell, width: int, hint: str) -> str:
    if len(cells) == width and _ONE_CHARACTER.issuperset(cells):
        return "".join(cells)
    return text_of_row(cells, first, width, symbol_of_text, hint)


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
