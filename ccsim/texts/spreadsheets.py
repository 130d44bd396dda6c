"""Tables in Excel files, read with openpyxl: cells have their last computed values."""

from __future__ import annotations

import io
import warnings
import zipfile
import zlib
from typing import Any
from xml.etree.ElementTree import ParseError

from ccsim.budget import Budget
from ccsim.errors import UnreadableInputError
from ccsim.texts.labels import check_size
from ccsim.texts.lines import Row, table_of_rows
from ccsim.texts.reading import Ways
from ccsim.texts.tables import Table
from ccsim.texts.unpacked import check_archive

_MOST_ROWS = 1 << 20  # of Excel; openpyxl yields those that a file leaves out, however many


def read_xlsx(data: bytes, source: str, budget: Budget, ways: Ways) -> Table:
    """Return the table in the only nonempty sheet of a workbook, by the rules for text."""
    try:
        import openpyxl
    except ImportError:
        raise UnreadableInputError(
            f"{source}: Excel files require openpyxl; install it with pip install 'ccsim[files]', "
            "or in a checkout with pip install '.[files]'"
        ) from None
    sheets: dict[str, list[Row]] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            check_archive(archive, source)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about styles and other parts that are not read
            book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
            for sheet in book.worksheets:
                sheets[sheet.title] = _rows(sheet, source, budget)
    except (
        *(zipfile.BadZipFile, zlib.error, EOFError, OSError, ParseError, KeyError),
        *(ValueError, TypeError, AttributeError, IndexError, RuntimeError),
    ) as error:
        if isinstance(error, UnreadableInputError):
            raise
        reason = " ".join(str(error).split())[:200]
        raise UnreadableInputError(f"{source}: not an xlsx file: {reason}") from None
    used = {title: rows for title, rows in sheets.items() if rows}
    if len(used) != 1:
        names = f": {', '.join(used)}" if used else ""
        raise UnreadableInputError(
            f"{source}: expected one sheet with cells, found {len(used)}{names}; "
            "save the intended sheet as csv"
        )
    ((_, found),) = used.items()
    return table_of_rows(lambda: iter(found), source, budget, ways)


def _rows(sheet: Any, source: str, budget: Budget) -> list[Row]:  # noqa: ANN401 - of openpyxl
    """Return the rows of a sheet as text, without empty rows at its ends."""
    sheet.reset_dimensions()  # which a file may overstate
    rows: list[Row] = []
    width = 0
    for number, cells in enumerate(sheet.iter_rows(values_only=True), 1):
        budget.spend()
        if number > _MOST_ROWS:
            raise UnreadableInputError(
                f"{source}: an Excel sheet must have at most {_MOST_ROWS} rows"
            )
        texts = ["" if cell is None else str(cell).strip() for cell in cells]
        width = max(width, len(texts))
        check_size(len(rows) + 1, width, source)
        if rows or texts:
            rows.append((number, texts))
    while rows and not rows[-1][1]:
        rows.pop()
    if any(not cells for _, cells in rows):
        number = next(number for number, cells in rows if not cells)
        raise UnreadableInputError(
            f"{source}: row {number} is empty, but rows below it are not; remove the empty row"
        )
    return rows
