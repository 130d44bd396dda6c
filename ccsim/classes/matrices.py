"""Matrices in memory as rows of symbols: nested lists, texts, arrays, data frames."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from typing import Any

from ccsim.arguments.values import show_value
from ccsim.data import frozen
from ccsim.errors import DomainError
from ccsim.frames import is_frame, opened_frame
from ccsim.texts.entries import array_symbols, settled, symbol_of
from ccsim.texts.labels import check_size, rows_of
from ccsim.texts.reading import Reading


@frozen
class OpenedMatrix:
    """The rows and labels of a matrix in memory."""

    rows: tuple[str, ...]  # texts of equal length over ``0``, ``1`` and ``*``
    width: int  # number of columns
    # those of a frame
    row_labels: Iterable[Any] | None
    column_labels: Iterable[Any] | None
    reading: Reading


def open_matrix(matrix: Any, name: str, *, partial: bool, signs: bool) -> OpenedMatrix:  # noqa: ANN401
    """Return the rows of a matrix as symbols, with the labels of a data frame."""
    refuse_graph(matrix)
    if not isinstance(signs, bool):
        raise DomainError(f"signs must be True or False, not {show_value(signs)}")
    index = columns = None
    place = _numbered
    width = -1
    if is_frame(matrix):
        columns = list(matrix.columns)
        index = list(matrix.index) if not hasattr(matrix, "iter_rows") else None
        height, width = matrix.shape
        check_size(height, width, name)
        place = _labelled(range(height) if index is None else index, columns)
        matrix = opened_frame(matrix)
    elif isinstance(matrix, Set):
        raise DomainError(
            f"{name} must be a list of rows, not a set, whose members have no order; "
            "use ConceptClass.from_sets for a family of sets"
        )
    elif hasattr(matrix, "toarray") and len(getattr(matrix, "shape", ())) == 2:
        height, width = matrix.shape
        check_size(height, width, name)
        matrix = matrix.toarray()
    wrong = _Refusal(place, partial, is_labelled=columns is not None)
    texts = _array_rows(matrix, name, wrong)
    if texts is not None:
        width = matrix.shape[1]
    else:
        texts = []
        for i, entries in enumerate(rows_of(matrix, name)):
            width = len(entries)
            texts.append(wrong.text(i, entries))
    rows = settled(texts, wrong.sign, "signs=True", signs=signs)
    outside = sum(row.count("*") for row in rows)
    return OpenedMatrix(rows, max(width, 0), index, columns, Reading(signs=signs, outside=outside))


def _numbered(row: int, column: int) -> str:
    return f"entry ({row}, {column})"


def _labelled(index: Sequence[Any], columns: Sequence[Any]) -> Any:  # noqa: ANN401 - a function
    """Return a function that describes the position of an entry in a data frame."""
    return lambda row, column: f"row {index[row]!s}, column {columns[column]!s} of the frame"


@dataclass(frozen=True, slots=True)
class _Refusal:
    """The error messages about invalid entries of a matrix."""

    place: Any
    partial: bool
    is_labelled: bool

    def text(self, row: int, entries: Sequence[object]) -> str:
        """Return the symbols of a row."""
        symbols = list(map(symbol_of, entries))
        if None in symbols or (not self.partial and "*" in symbols):
            column = symbols.index(None) if None in symbols else symbols.index("*")
            raise self.entry(row, column, entries[column], symbols[column])
        return "".join(symbols)  # type: ignore[arg-type]  # by the lines above

    def entry(self, row: int, column: int, entry: object, symbol: str | None) -> DomainError:
        """Return the error about an invalid entry, or one outside a promise."""
        if self.is_labelled and symbol == "*":
            return self.about(row, column, "not a missing value")
        labels = self.is_labelled and isinstance(entry, str)
        hint = "; labels of rows belong in the index" if labels else ""
        return self.about(row, column, f"not {show_value(entry)}{hint}")

    def about(self, row: int, column: int, what: str) -> DomainError:
        """Return an error with the position of an entry."""
        missing = "missing" if self.is_labelled else "None"
        allowed = f"0, 1 or {missing}" if self.partial else "0 or 1"
        return DomainError(f"{self.place(row, column)} must be {allowed}, {what}")

    def sign(self, row: int, column: int, help_: str) -> DomainError:
        """Return the error about a -1 among values, or a 0 among signs."""
        if help_.startswith("a matrix"):
            return DomainError(f"{self.place(row, column)} must be -1 or 1, not 0; {help_}")
        return self.about(row, column, f"not -1; {help_}")


def _array_rows(matrix: Any, name: str, wrong: _Refusal) -> list[str] | None:  # noqa: ANN401
    """Return the rows of a NumPy array of plain entries, or None for any other value."""
    numpy = sys.modules.get("numpy")
    if numpy is None or not isinstance(matrix, numpy.ndarray) or matrix.ndim != 2:
        return None
    check_size(matrix.shape[0], matrix.shape[1], name)
    if matrix.dtype.kind not in "biufUS":
        return None
    symbols = array_symbols(matrix, lambda: None)
    refused = symbols == 0 if wrong.partial else (symbols == 0) | (symbols == ord("*"))
    if refused.any():
        row, column = (int(i) for i in numpy.argwhere(refused)[0])
        raise wrong.entry(row, column, _item(matrix[row, column]), None)
    return [row.tobytes().decode("ascii") for row in symbols]


def _item(entry: Any) -> object:  # noqa: ANN401 - of numpy, or masked
    try:
        return entry.item() if not hasattr(entry, "mask") else None
    except ValueError:  # numpy stores what is not a character of any text
        return "no text"


def refuse_graph(value: object) -> None:
    """Raise an error for a networkx graph, whose vertices are not rows of a matrix."""
    networkx = sys.modules.get("networkx")
    if networkx is not None and isinstance(value, networkx.Graph):
        raise DomainError("a graph is not a matrix; use ConceptClass.from_graph")
