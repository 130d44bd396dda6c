"""Matrices in the Matrix Market exchange format, read exactly; entries that are not given are 0.

The format is that of Boisvert, Pozo and Remington, NIST IR 5935 (1996).
"""

from __future__ import annotations

import io
from collections.abc import Iterator

from ccsim.budget import Budget
from ccsim.errors import UnreadableInputError
from ccsim.texts.entries import symbol_of_text
from ccsim.texts.labels import check_size
from ccsim.texts.reading import Ways, refuse_ways
from ccsim.texts.tables import Cell, Table, found, refuse

_HEADER = "%%MatrixMarket matrix coordinate|array pattern|integer|real general|symmetric"
_LAYOUTS = ("coordinate", "array")
_FIELDS = ("pattern", "integer", "real")
_SYMMETRIES = ("general", "symmetric")
_LONGEST = 18  # digits of a size or a place


def read_matrix_market(data: bytes, source: str, budget: Budget, ways: Ways) -> Table:
    """Return the matrix in a file in the Matrix Market format."""
    refuse_ways(ways, source)
    lines = _lines(data)
    _, head = next(lines, (1, []))
    words = [word.lower() for word in head]
    known = (("%%matrixmarket",), ("matrix",), _LAYOUTS, _FIELDS, _SYMMETRIES)
    if len(words) != 5 or any(w not in k for w, k in zip(words, known, strict=True)):
        refuse(Cell(source, 1, 1), found(" ".join(head)), f"expected {_HEADER}")
    _, _, layout, field, symmetry = words
    number, sizes = next(lines, (2, []))
    wanted = 3 if layout == "coordinate" else 2
    if len(sizes) != wanted or (layout, field) == ("array", "pattern"):
        refuse(Cell(source, number, 1), found(" ".join(sizes)), f"expected {wanted} sizes")
    height, width, *given = [_integer(text, source, number, 0) for text in sizes]
    check_size(height, width, source)
    is_symmetric = symmetry == "symmetric"
    if is_symmetric and height != width:
        refuse(Cell(source, number, 1), f"{height} x {width}", "expected a square matrix")
    whole = height * (height + 1) // 2 if is_symmetric else height * width
    expected = given[0] if given else whole
    places = ((i, j) for j in range(width) for i in range(j if is_symmetric else 0, height))
    grid = [bytearray(b"." * width) for _ in range(height)]
    count = 0
    for count, (number, words) in enumerate(lines, 1):
        budget.spend()
        place = Cell(source, number, 1)
        if count > expected:
            refuse(
                place, found(" ".join(words)), f"expected the end of file after entry {expected}"
            )
        cells = words if given else [*(str(x + 1) for x in next(places)), *words]
        i, j, symbol = _entry(cells, field, place)
        if i >= height or j >= width:
            refuse(place, f"{i + 1} {j + 1}", f"expected a position in {height} x {width}")
        for row, column in {(i, j), (j, i) if is_symmetric else (i, j)}:
            if grid[row][column] != ord("."):
                refuse(
                    place, f"{row + 1} {column + 1} again", "expected one entry for each position"
                )
            grid[row][column] = ord(symbol)
    if count < expected:
        raise UnreadableInputError(f"{source}: expected {expected} entries, found {count}")
    rows = tuple(row.replace(b".", b"0").decode("ascii") for row in grid)
    return Table(source, "", rows, column_labels=None if rows else tuple(range(width)))


def _entry(cells: list[str], field: str, place: Cell) -> tuple[int, int, str]:
    """Return row, column and symbol of an entry; a pattern has only entries 1."""
    wanted = 2 if field == "pattern" else 3
    if len(cells) != wanted:
        fields = "row, column and value" if wanted == 3 else "row and column"
        refuse(place, f"{len(cells)} words", f"expected {fields}")
    symbol = "1" if field == "pattern" else symbol_of_text(cells[2])
    if symbol is None:
        refuse(place, found(cells[2]))
    i, j = (_integer(text, place.source, place.row, 1) - 1 for text in cells[:2])
    return i, j, symbol


def _lines(data: bytes) -> Iterator[tuple[int, list[str]]]:
    """Yield the first line and then all lines that are neither comments nor blank, as words."""
    for number, line in enumerate(io.BytesIO(data), 1):
        if number == 1 or (line.strip() and not line.startswith(b"%")):
            yield number, line.decode("ascii", "replace").split()


def _integer(text: str, source: str, number: int, least: int) -> int:
    known = text.isascii() and text.isdecimal() and len(text) <= _LONGEST
    if not known or int(text) < least:
        refuse(Cell(source, number, 1), found(text), f"expected an integer of at least {least}")
    return int(text)
