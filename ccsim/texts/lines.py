"""Pairs, sets and edges, one per row of cells, and the choice between these forms and a matrix.

A form is recognised only if the rows are not a matrix and no cell could be an entry;
`docs/your-own-data.md` states the rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import NamedTuple, TypeAlias

from ccsim.arguments.numbers import fraction_of
from ccsim.budget import Budget
from ccsim.errors import UnreadableInputError
from ccsim.texts.csv import matrix_of_rows
from ccsim.texts.entries import symbol_of_text
from ccsim.texts.graphs import table_of_edges
from ccsim.texts.labels import Label, check_size
from ccsim.texts.reading import Reading, Ways
from ccsim.texts.tables import Cell, Table, found, refuse

Row: TypeAlias = tuple[int, list[str]]
Rows: TypeAlias = Callable[[], Iterator[Row]]
"""Numbered rows of cells, which can be read repeatedly."""

_NAMES = frozenset(
    (
        *("concept", "point", "set", "element", "member", "hypothesis", "alice", "bob"),
        *("source", "target", "from", "to", "row", "column", "left", "right"),
        *("user", "item", "name", "id"),
    )
)
"""Names of the columns of pairs in a header."""
_NAMED = re.compile(r"([^:]+):(?:\s+(.*))?", re.DOTALL)
"""A cell with the name of a set and, after a colon, possibly its first member."""


_MANY = 1000  # rows after which a matrix with one wrong entry is known to be one
_MOST = 10_000  # rows of which the form is recognised; the others are read in it or refused


class Member(NamedTuple):
    """A concept's symbol at a point; without a point, only the existence of the concept."""

    concept: Label
    point: str | None
    symbol: str
    row: int  # of the file


def table_of_rows(
    rows: Rows, source: str, budget: Budget, ways: Ways, *, known: str | None = None
) -> Table:
    """Return the table given by rows of cells, in the requested, known or recognised form."""
    form = ways.form or ("edges" if ways.sets else known)
    if form in {"rows", "columns"}:
        raise UnreadableInputError(f"{source}: form={form} requires a JSON object")
    if (ways.form or known) in {None, "matrix"}:
        try:
            return _with_plain_labels(matrix_of_rows(rows(), source, budget, ways))
        except UnreadableInputError as error:
            found_form, hint = (form, "") if form else _recognised(rows(), source, budget, ways)
            if found_form in {None, "matrix"}:
                raise UnreadableInputError(f"{error}{hint}") from None
            form = found_form
    lines = partial(_without_comments, rows, source)
    if form == "adjacency":
        below = islice(lines(), bool(ways.header), None)
        neighbours = (_neighbours(row, Cell(source, number, 2)) for number, row in below if row)
        return table_of_edges(neighbours, source, budget, ways)
    if form == "sets":
        reading = Reading(index=ways.index, form="sets")
        return _table(lambda: _sets(lines(), source, ways), source, budget, reading)
    if form == "edges":
        members, reading = _pairs_below_header(lines, source, ways, most=2)
        edges = ((str(edge.concept), [str(edge.point)]) for edge in members())
        table = table_of_edges(edges, source, budget, ways)
        return replace(table, reading=replace(reading, form="graph"))
    return _table_of_pairs(lines, source, budget, ways)


def _neighbours(row: list[str], place: Cell) -> tuple[str, list[str]]:
    """Return a vertex and its neighbours; refuse edge data, as in multiline lists of networkx."""
    if row[1:] and row[1][:1] == "{":
        refuse(
            place,
            f"{found(row[1])}; write the graph without data, with networkx.write_adjlist",
            "expected vertices without data",
        )
    return row[0], row[1:]


def table_of_records(
    plain: Callable[[], Table],
    names: Sequence[str],
    records: Callable[[], Iterable[Sequence[object]]],
    source: str,
    budget: Budget,
    ways: Ways,
) -> Table:
    """Return the table of records: a matrix if cells are entries, otherwise text below a header."""

    def rows() -> Iterator[Row]:
        yield 0, list(names)
        for number, record in enumerate(records(), 1):
            for name, cell in zip(names, record, strict=False):
                if isinstance(cell, list | dict):
                    raise UnreadableInputError(
                        f"{source}: row {number}, {found(name)}: expected a label or an entry, "
                        f"found {found(cell)}; write sets as an object with a list for each name"
                    )
            yield number, ["*" if cell is None else str(cell) for cell in record]

    given = replace(ways, header=True)
    if ways.index is not None or ways.form not in {None, "matrix"}:
        return table_of_rows(rows, source, budget, given)
    try:
        return plain()
    except UnreadableInputError as error:
        if not names:
            raise
        try:
            return table_of_rows(rows, source, budget, given)
        except UnreadableInputError as other:
            hint = str(other).rpartition("; ")[2] if "; " in str(other) else ""
            raise UnreadableInputError(f"{error}; {hint}" if hint else str(error)) from None


def _with_plain_labels(table: Table) -> Table:
    """Return a matrix without the colons after its row labels; such colons may also mark sets."""
    labels = [str(label) for label in table.row_labels or ()]
    if not labels or not all(label.endswith(":") for label in labels):
        return table
    guess = (
        f"{table.source}: each line is read as a name and a row of entries, not as a set; use "
        f"{table.source}:form=matrix|sets to decide"
    )
    reading = replace(table.reading, guesses=(*table.reading.guesses, guess))
    plain = tuple(label[:-1].rstrip() for label in labels)
    return replace(table, row_labels=plain, reading=reading)


def _recognised(
    rows: Iterator[Row], source: str, budget: Budget, ways: Ways
) -> tuple[str | None, str]:
    """Return the form of rows that are not a matrix, or None and the options that may read them."""
    named, sets, pairs = True, False, True
    widths, count, labels, seconds, entries, cells = set[int](), 0, 0, 0, 0, 0
    dropped = False
    for count, (_, whole) in enumerate(islice(rows, _MOST)):
        budget.spend()
        dropped |= count == 0 and _numbers_lines(whole)
        pairs &= not (dropped and count) or whole[0].isdecimal()
        row = whole[dropped:]
        looks = [symbol_of_text(cell) is not None or _is_joined(cell) for cell in row]
        parts = _named(row)
        named &= parts is not None
        sets |= any(symbol_of_text(cell) is None for cell in (parts or ())[1:])
        pairs &= len(row) == 2 or (len(row) == 3 and (looks[2] or count == 0))
        widths.add(len(row))
        seconds += sum(looks[1:2])
        labels += sum(looks[:2])
        entries += sum(looks)
        cells += len(looks)
        if count > _MANY and entries * 2 > cells:
            return None, ""
    if named and sets and ways.header is None:
        return "sets", ""
    if pairs and not labels and len(widths) == 1 and count > 0 and ways.index is None:
        return "pairs", ""
    if not named and (seconds * 2 > count if pairs else entries * 2 > cells):
        return None, ""
    return None, f"; use {source}:form=pairs|sets to read each line as a pair or as a set"


def _named(row: list[str]) -> list[str] | None:
    """Return the name before a colon and the members after it, or None."""
    end = next((x for x, cell in enumerate(row) if ":" in cell), len(row))
    match = _NAMED.fullmatch(" ".join(row[: end + 1])) if end < len(row) else None
    if match is None or (end and match[2]):
        return None
    return [match[1].strip(), *([match[2]] if match[2] else []), *row[end + 1 :]]


def _is_joined(cell: str) -> bool:
    """Return whether a text may be a row of entries."""
    return not cell.strip("01*")


def _without_comments(rows: Rows, source: str) -> Iterator[Row]:
    """Yield rows; refuse a comment between them, which could be labels."""
    for number, row in rows():
        if row and row[0][:1] == "#" and not row[0][1:2].strip():
            refuse(Cell(source, number, 1), found(row[0]), "expected comments only above the rows")
        yield number, row


def _numbers_lines(header: list[str]) -> bool:
    """Return whether the first column, and no other one, lacks a name, as in files from pandas."""
    return header[:1] == [""] and len(header) > 2 and header[1] != ""


def _without_index(rows: Iterator[Row], source: str, *, drop: bool | None) -> Iterator[Row]:
    """Yield rows without the column of line numbers, if requested or if the column has no name."""
    is_asked = drop is not None
    for count, (number, row) in enumerate(rows):
        if count == 0 and drop is None:
            drop = _numbers_lines(row)
        elif drop and not is_asked and not row[0].isdecimal():
            what = f"{found(row[0])}; use {source}:index=yes to leave out the first column"
            refuse(Cell(source, number, 1), what, "expected the number of the line")
        yield number, row[bool(drop) :]


def _table_of_pairs(rows: Rows, source: str, budget: Budget, ways: Ways) -> Table:
    """Return the table in lines of a concept, a point, and possibly an entry."""
    members, reading = _pairs_below_header(rows, source, ways, most=3)
    table = _table(members, source, budget, reading)
    if ways.form is not None:
        return table
    common = {*map(str, table.row_labels or ())} & {*map(str, table.column_labels or ())}
    if common:
        raise UnreadableInputError(
            f"{source}: {found(min(common))} occurs in both columns; use {source}:form=pairs for "
            f"concepts and points, or {source}:sets=neighbourhoods for the edges of a graph"
        )
    guess = (
        f"{source}: each line is read as a concept and a point, not as a set of two labels; use "
        f"{source}:form=pairs|sets to decide"
    )
    guesses = (*table.reading.guesses, *([guess] if len(next(rows())[1]) == 2 else []))
    return replace(table, reading=replace(table.reading, guesses=guesses))


def _pairs_below_header(
    rows: Rows, source: str, ways: Ways, *, most: int
) -> tuple[Callable[[], Iterator[Member]], Reading]:
    """Return the pairs below a header, if there is one, and the assumption about the header."""
    top = [row for _, row in islice(_without_index(rows(), source, drop=ways.index), 3)]
    first, *others = top or [[]]
    header = ways.header
    if header is None:
        header = next(rows())[1][0] == "" or _is_header_of_pairs(first, others)

    def members() -> Iterator[Member]:
        lines = islice(_without_index(rows(), source, drop=ways.index), header, None)
        return _pairs(lines, source, most)

    guesses: tuple[str, ...] = ()
    is_sure = header or ways.header is not None or any(map(_is_integer, first[:2]))
    if not is_sure and not _recurs(first, members):
        guesses = (
            f"{source}: the first row is read as a pair, not as a header; use "
            f"{source}:header=yes|no to decide",
        )
    return members, Reading(source, header, guesses=guesses, form="pairs")


def _is_header_of_pairs(first: Sequence[str], others: Sequence[Sequence[str]]) -> bool:
    """Return whether the first row names columns, as its words or the numbers below it suggest."""
    if len(first) < 2:
        return False
    if len(first) > 2 and symbol_of_text(first[2]) is None and fraction_of(first[2]) is None:
        return True
    if all(cell.lower() in _NAMES for cell in first[:2]) and first[0] != first[1]:
        return True
    below = [cell for row in others for cell in row[:2]]
    return bool(below) and not any(map(_is_integer, first[:2])) and all(map(_is_integer, below))


def _is_integer(cell: str) -> bool:
    return cell.lstrip("-").isdecimal()


def _recurs(first: Sequence[str], members: Callable[[], Iterator[Member]]) -> bool:
    """Return whether a label of the first row occurs in another row."""
    labels = {*first[:2]}
    return any(labels.intersection(member[:2]) for member in islice(members(), 1, None))


def _pairs(rows: Iterator[Row], source: str, most: int) -> Iterator[Member]:
    expected = "two vertices" if most == 2 else "a concept, a point and possibly an entry"
    for number, row in rows:
        if not 2 <= len(row) <= most:
            place = Cell(source, number, min(len(row), most) + 1)
            way = "; write the edges without weights" if len(row) > most == 2 else ""
            refuse(place, f"a row of {len(row)}{way}", f"expected {expected}")
        if "" in row:
            refuse(Cell(source, number, row.index("") + 1), found(""), "expected a label")
        symbol = symbol_of_text(row[2]) if len(row) == 3 else "1"
        if symbol is None:
            refuse(Cell(source, number, 3), found(row[2]))
        yield Member(row[0], row[1], symbol, number)


def _sets(rows: Iterator[Row], source: str, ways: Ways) -> Iterator[Member]:
    """Yield the members of sets, one set per line, possibly after its name and a colon."""
    named = None
    for count, (number, row) in enumerate(islice(rows, bool(ways.header), None)):
        place, cells = Cell(source, number, 1), [*row]
        parts = None if ways.index is not None else _named(row)
        named = parts is not None if named is None else named
        if named != (parts is not None):
            refuse(place, found(row[0]), f"expected {'a' if named else 'no'} name before a colon")
        name: Label = count
        if parts is not None:
            name, *cells = parts
        elif ways.index:
            name, *cells = row
        if ways.index is None:
            cells = _without_braces(cells)
            _check_braces([name, *cells] if named else cells, place)
        while cells and not cells[-1]:  # as spreadsheets fill up short rows
            cells.pop()
        yield Member(name, None, "", number)
        for cell in cells:
            if not cell:
                refuse(place, found(cell), "expected labels")
            yield Member(name, cell, "1", number)


def _check_braces(labels: Sequence[Label], place: Cell) -> None:
    """Refuse labels that are parts of Python text such as ``{'a': {'b', 'c'}}``."""
    for text in map(str, labels):
        if text.count("{") != text.count("}"):
            what = f"{found(text)}; write the sets as lists with json.dump in Python"
            refuse(place, what, "expected one set in each line")


def _without_braces(cells: list[str]) -> list[str]:
    """Return the members of a set, which may be written ``{a, b}``."""
    if not cells or cells[0][:1] != "{" or cells[-1][-1:] != "}":
        return cells
    first, *others = [cells[0][1:], *cells[1:]]
    *others, last = [first, *others]
    return [cell.strip() for cell in (*others, last[:-1]) if cell.strip()]


def _table(
    members: Callable[[], Iterator[Member]], source: str, budget: Budget, reading: Reading
) -> Table:
    """Return the table of members; points are sorted, concepts in order of first occurrence."""
    concepts, points = _labels(members, source, budget)
    numbers = all(point.isdecimal() and point.isascii() for point in points)
    labels = sorted(points, key=lambda point: (len(point) if numbers else 0, point))
    column = {point: x for x, point in enumerate(labels)}
    grid = [bytearray(b"." * len(points)) for _ in concepts]
    complete = False
    for concept, point, symbol, number in members():
        if point is None:
            continue
        budget.spend()
        row, x = grid[concepts[concept]], column[point]
        if row[x] not in {ord("."), ord(symbol)}:
            again = f"{found(concept)}, {found(point)} again"
            refuse(Cell(source, number, 1), again, "expected one entry for each pair")
        row[x] = ord(symbol)
        complete |= symbol != "1"
    missing = ((c, row.find(b".")) for c, row in zip(concepts, grid, strict=True) if b"." in row)
    if complete and (place := next(missing, None)):
        raise UnreadableInputError(
            f"{source}: expected an entry for every pair, since not all entries are 1, but the "
            f"pair {found(place[0])}, {found(labels[place[1]])} has no entry"
        )
    rows = tuple(row.replace(b".", b"0").decode("ascii") for row in grid)
    numbered = reading.form == "sets" and list(concepts) == [*range(len(concepts))]
    names = None if numbered else tuple(concepts)
    reading = replace(reading, source=source)
    return Table(source, "", rows, names, tuple(labels), reading=reading)


def _labels(
    members: Callable[[], Iterator[Member]], source: str, budget: Budget
) -> tuple[dict[Label, int], dict[str, int]]:
    """Return the numbers of concepts and of points, in order of first occurrence."""
    concepts, points = dict[Label, int](), dict[str, int]()
    for concept, point, _, number in members():
        budget.spend()
        if point is None and concept in concepts:
            refuse(Cell(source, number, 1), f"{found(concept)} again", "expected distinct names")
        if concept not in concepts or (point is not None and point not in points):
            concepts.setdefault(concept, len(concepts))
            if point is not None:
                points.setdefault(point, len(points))
            check_size(len(concepts), len(points), source)
    return concepts, points
