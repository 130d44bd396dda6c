"""Tables of exact numbers in a file, such as probabilities or payoffs, with row and column labels.

A number is an integer, a fraction ``1/3`` or a decimal ``0.25`` or ``1e-3``. In text, a first row
or column without numbers contains labels. Floats of NumPy are read as their exact binary values.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import NoReturn

from ccsim.arguments.numbers import fraction_of
from ccsim.budget import Budget, TimeLimit
from ccsim.certificates.files import STANDARD_INPUT, json_value
from ccsim.data import frozen
from ccsim.errors import DomainError, UnreadableInputError
from ccsim.exact.fractions import INTEGER
from ccsim.texts.csv import numbered_rows
from ccsim.texts.json import rows_of_pandas
from ccsim.texts.labels import Label, check_labels, check_size
from ccsim.texts.numpy import plain_array
from ccsim.texts.reading import Reading, Ways, announce, refuse_ways, split_ways
from ccsim.texts.tables import Cell, found
from ccsim.texts.unpacked import read_unpacked

_TEXTS = (".csv", ".tsv", ".txt")
_ENDINGS = (*_TEXTS, ".json", ".npy")
_EXPECTED = "expected a number such as 1/4, 0.25 or 3"

_PADDED = re.compile(r"0[0-9]+")
_NEAR = Fraction(1, 10)  # distance from 1 of the sum of rounded probabilities

Row = tuple[Fraction, ...]


@frozen
class NumberTable:
    """Rows of numbers with their labels and their position in a file."""

    source: str  # the file, as messages name it
    rows: tuple[Row, ...]  # of equal length, at least one row of at least one number
    row_labels: tuple[Label, ...] | None = None  # None where the file has none
    column_labels: tuple[Label, ...] | None = None
    origin: tuple[int, int] = (1, 1)  # row and column of the first number in the file, from 1
    binary: bool = False  # whether the numbers were binary floating-point numbers

    def row_place(self, row: int) -> str:
        """Return the position of a row, for messages."""
        label = "" if self.row_labels is None else f" ({self.row_labels[row]})"
        return f"{self.source}: row {row + self.origin[0]}{label}"

    def place(self, row: int, column: int) -> str:
        """Return the position of a number, for messages."""
        return f"{self.source}: row {row + self.origin[0]}, column {column + self.origin[1]}"


def read_numbers(
    text: str,
    time_limit: TimeLimit = None,
    *,
    keys: tuple[str, ...] = ("header", "index"),
    probabilities: bool = False,
) -> tuple[NumberTable, Ways]:
    """Return the table in a file, whose name may have options, and the options.

    For ``probabilities``, numbers outside [0, 1] are labels, and so is a first column without which
    all rows sum to 1.
    """
    budget = Budget.of(time_limit)
    name, ways = split_ways(text, keys)
    file = Path(name)
    ending = Path(name.lower().removesuffix(".gz")).suffix
    data = read_unpacked(file)
    if name == STANDARD_INPUT:
        name, ending = "standard input", _ending_of(data)
    if ending not in _ENDINGS:
        way = "; save the table as csv" if ending in {".xlsx", ".parquet"} else ""
        raise UnreadableInputError(f"{name}: the file name must end in {', '.join(_ENDINGS)}{way}")
    if ending in _TEXTS:
        table, reading = _of_text(data, name, ways, budget, probabilities=probabilities)
        announce(reading)
        return table, ways
    refuse_ways(ways, name)
    if ending == ".npy":
        return _of_array(data, name), ways
    value = json_value(data, name, budget, exact=True)
    return numbers_from_json(value, name, probabilities=probabilities), ways


def numbers_from_json(value: object, source: str, *, probabilities: bool = False) -> NumberTable:
    """Return the table of a JSON value: a list of rows, or output of pandas with labels.

    For ``probabilities`` it may be an object with, for each label, a row or an object of
    probabilities by output, in which probabilities 0 may be missing.
    """
    if probabilities and isinstance(value, dict) and not {"rows", "data"} & value.keys():
        value = _by_label(value, source)
    value, index, columns = rows_of_pandas(value, source)
    if isinstance(value, dict) and value.keys() == {"rows"}:
        value = value["rows"]
    if not isinstance(value, list) or not all(isinstance(row, list) for row in value):
        raise UnreadableInputError(f"{source}: expected a list of lists of numbers")
    rows = [_numbers(row, Cell(source, i, 1)) for i, row in enumerate(value, 1)]
    whole = _equally_long(rows, source)
    names = None if index is None else _checked(index, len(whole), f"{source}: index")
    header = None if columns is None else _checked(columns, len(whole[0]), f"{source}: columns")
    return NumberTable(source, whole, names, header)


def _by_label(value: dict[str, object], source: str) -> object:
    """Return rows given by their labels, in the split form of pandas."""
    rows = list(value.values())
    if rows and all(isinstance(row, list) for row in rows):
        columns = list(range(1, len(rows[0]) + 1))  # type: ignore[arg-type]  # by the test
        return {"columns": columns, "index": list(value), "data": rows}
    distributions = [row for row in rows if isinstance(row, dict)]
    if not rows or len(distributions) < len(rows):
        raise UnreadableInputError(
            f"{source}: expected a list of rows, or an object with the probabilities by output for "
            "each database"
        )
    outputs = list(
        dict.fromkeys(output for distribution in distributions for output in distribution)
    )
    data = [[distribution.get(output, 0) for output in outputs] for distribution in distributions]
    totals = [_total([str(row[x]) for row in data]) for x in range(len(outputs))]
    if all(total == 1 for total in totals):
        note = f"{source}: the outer keys are read as databases, the inner keys as outputs"
        announce(Reading(source, guesses=(note,)))
    return {"columns": outputs, "index": list(value), "data": data}


def _ending_of(data: bytes) -> str:
    if data.startswith(b"\x93NUMPY"):
        return ".npy"
    start = data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    return ".json" if start in {b"[", b"{"} else ".csv"


def _of_array(data: bytes, source: str) -> NumberTable:
    array = plain_array(data, source, 2)
    if array.dtype.kind not in "biufUS":
        raise UnreadableInputError(f"{source}: expected numbers, not type {array.dtype}")
    rows = []
    for i, row in enumerate(array.tolist(), 1):
        cells = [
            cell.decode("ascii", "replace") if isinstance(cell, bytes) else cell for cell in row
        ]
        exact = [Fraction(c) if isinstance(c, float) and c - c == 0 else c for c in cells]
        rows.append(_numbers(exact, Cell(source, i, 1)))
    whole = _equally_long(rows, source)
    return NumberTable(source, whole, binary=array.dtype.kind == "f")


def _of_text(
    data: bytes, source: str, ways: Ways, budget: Budget, *, probabilities: bool
) -> tuple[NumberTable, Reading]:
    lines = list(budget.each(numbered_rows(data, source, blanks=True)))
    cells = [row for _, row in lines]
    has_header, guesses = _has_header(cells, source, ways, probabilities=probabilities)
    inside = cells[has_header:]
    if not inside:
        raise UnreadableInputError(f"{source}: expected at least one row of numbers, found none")
    has_index = bool(ways.index)
    if ways.index is None:
        has_index, guessed = _has_index(inside, source, probabilities=probabilities)
        if has_header and cells[0][0] == "":
            has_index, guessed = True, ()
        guesses += guessed
    number, start = lines[has_header][0], 1 + has_index
    rows = [
        _numbers(row[has_index:], Cell(source, i, start))
        for i, row in budget.each(lines[has_header:])
    ]
    whole = _equally_long(rows, source, number)
    names = header = None
    if has_index:
        names = _checked([row[0] for row in inside], len(rows), f"{source}: row")
    if has_header:
        above = has_index and len(cells[0]) > len(whole[0])  # a cell above the labels of the rows
        header = _checked(cells[0][above:], len(whole[0]), f"{source}: column")
    table = NumberTable(source, whole, names, header, (number, start))
    return table, Reading(source, has_header, has_index, guesses=guesses)


def _has_header(
    cells: Sequence[Sequence[str]], source: str, ways: Ways, *, probabilities: bool
) -> tuple[bool, tuple[str, ...]]:
    """Return whether the first row is a header, and the guess made in this decision, if any.

    A header has no numbers, or consists of integers that, unlike the next row, are not
    probabilities.
    """
    if ways.header is not None or not cells or cells[0][0] == "":
        return bool(cells) and ways.header is not False, ()
    if not any(map(_means_number, cells[0])):
        return True, ()
    inside = cells[0][1:] or cells[0]
    if probabilities and len(cells) > 1 and all(map(INTEGER.fullmatch, inside)):
        may_be = [all(map(_may_be_probability, row[1:] or row)) for row in cells[:2]]
        if may_be == [False, True]:
            return True, (_guess(source, "labels of the columns, not as numbers"),)
    is_open = ["0", "1"] in (sorted(inside), sorted(cells[0]))
    return False, (_guess(source, "numbers, not as labels of the columns"),) * is_open


def _may_be_probability(cell: str) -> bool:
    number = fraction_of(cell)
    return number is not None and 0 <= number <= 1


def _guess(source: str, what: str) -> str:
    return f"{source}: the first row is read as {what}; use {source}:header=yes|no to decide"


def _has_index(
    cells: Sequence[Sequence[str]], source: str, *, probabilities: bool
) -> tuple[bool, tuple[str, ...]]:
    """Return whether the first column contains labels, and the guess made in this decision, if any.

    It contains labels if some cell is not a number, or if its cells are integers and the other
    cells of each row have a sum of nearly 1.
    """
    if len(cells[0]) < 2:
        return False, ()
    starts = [row[0] for row in cells]
    if not all(map(_means_number, starts)):
        return True, ()
    if not probabilities or len(cells[0]) == 2 or not all(map(INTEGER.fullmatch, starts)):
        return False, ()
    near = [all(_is_nearly_1(row[i:]) for row in cells) for i in (0, 1)]
    if near != [False, True]:
        return False, ()
    guess = f"{source}: the first column is read as labels of the rows; use {source}:index=yes|no"
    return True, (f"{guess} to decide",)


def _is_nearly_1(cells: Sequence[str]) -> bool:
    return (total := _total(cells)) is not None and abs(total - 1) <= _NEAR


def _total(cells: Sequence[str]) -> Fraction | None:
    """Return the sum of a row, or None if some cell is not a number."""
    numbers = [number for cell in cells if (number := fraction_of(cell)) is not None]
    return sum(numbers, Fraction(0)) if len(numbers) == len(cells) else None


def _numbers(cells: Sequence[object], first: Cell) -> Row:
    """Return a row of cells as numbers."""
    numbers = []
    for x, cell in enumerate(cells):
        number = None if isinstance(cell, bool) else fraction_of(cell)
        if number is None:
            _refuse(Cell(first.source, first.row, first.column + x), cell)
        numbers.append(number)
    return tuple(numbers)


def _refuse(place: Cell, cell: object) -> NoReturn:
    raise UnreadableInputError(
        f"{place.source}: row {place.row}, column {place.column}: {_EXPECTED}, "
        f"found {found(cell)}{_hint(str(cell))}"
    )


def _hint(cell: str) -> str:
    """Return how to write the number that an invalid cell may mean, or an empty text."""
    text = cell.strip()
    if text.endswith("%") and (number := fraction_of(text[:-1].replace(",", "."))) is not None:
        return f"; write {number / 100} instead of a percentage"
    point = text.replace(",", ".", 1)
    if point != text and fraction_of(point) is not None:
        return f"; write {point} with a decimal point"
    return ""


def _means_number(cell: str) -> bool:
    """Return whether a cell is a number or nearly one; ``011`` is a label."""
    if _PADDED.fullmatch(cell):
        return False
    return fraction_of(cell) is not None or _hint(cell) != ""


def _equally_long(rows: Sequence[Row], source: str, first: int = 1) -> tuple[Row, ...]:
    """Return rows after checks that their number is allowed and their lengths are equal."""
    if not rows or not rows[0]:
        raise UnreadableInputError(f"{source}: expected at least one row of numbers, found none")
    check_size(len(rows), len(rows[0]), source)
    for i, row in enumerate(rows, first):
        if len(row) != len(rows[0]):
            raise UnreadableInputError(
                f"{source}: row {i} must have {len(rows[0])} numbers like row {first}, not "
                f"{len(row)}"
            )
    return tuple(rows)


def _checked(labels: Sequence[object], expected: int, name: str) -> tuple[Label, ...]:
    texts = [str(label) if isinstance(label, bool) else label for label in labels]
    try:
        return check_labels(texts, expected, name)
    except DomainError as error:
        raise UnreadableInputError(str(error)) from None
