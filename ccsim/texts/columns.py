"""Columns of texts, encoded as numbers, so that each distinct cell is stored and converted once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ccsim.budget import in_time
from ccsim.data import frozen

Numbers: TypeAlias = npt.NDArray[np.int32]


class Numbering(dict[str, int]):
    """The numbers of distinct cells, in order of appearance; blanks around a cell are ignored."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def __missing__(self, cell: str) -> int:
        text = cell.strip()
        if text != cell:
            number = self[text]
        else:
            number = len(self.texts)
            self.texts.append(text)
        self[cell] = number
        return number

    def of(self, cells: Sequence[str]) -> Numbers:
        """Return the number of each cell."""
        return np.fromiter(map(self.__getitem__, cells), np.int32, len(cells))


@frozen
class Coded:
    """A column: its distinct texts and, for each record, the number of its text."""

    texts: Sequence[str]
    numbers: Numbers


class Columns:
    """The columns of a table with at least one record; only the columns in use are encoded."""

    def __init__(self, header: Sequence[str], size: int, coded: Mapping[str, Coded]) -> None:
        self.header, self.size, self._coded = [*header], size, dict(coded)

    def column(self, name: str) -> Coded | None:
        """Return the column with a given name; None if there is none."""
        return self._coded.get(name)

    def gap(self, name: str) -> tuple[int, Iterable[str]]:
        """Return the number of the first record that lacks a column, and that record's columns."""
        return 0, self.header


class ColumnsOfRecords(Columns):
    """The columns of records, each a mapping from names to cells."""

    def __init__(self, records: Sequence[Mapping[str, object]]) -> None:
        super().__init__((), len(records), {})
        self._records = records

    def column(self, name: str) -> Coded | None:
        """Return the column with a given name; None if some record has no such cell."""
        if name not in self._coded:
            if not all(name in record for record in self._records):
                return None
            numbering: dict[str, int] = {}
            cells = (str(record[name]) for record in in_time(self._records))
            numbers = (numbering.setdefault(cell, len(numbering)) for cell in cells)
            found = np.fromiter(numbers, np.int32, self.size)
            self._coded[name] = Coded([*numbering], found)
        return self._coded[name]

    def gap(self, name: str) -> tuple[int, Iterable[str]]:
        """Return the number of the first record that lacks a column, and that record's columns."""
        return next((i, r) for i, r in enumerate(self._records) if name not in r)


def judged(
    column: Coded, judge: Callable[[str], int], refusal: type[Exception]
) -> tuple[Numbers, int | None, str]:
    """Convert each distinct text of a column to an integer.

    Return the integers, the first record whose text is refused (None if there is none), and the
    reason.
    """
    places, refused = np.zeros(len(column.texts), np.int32), dict[int, str]()
    for number, text in enumerate(in_time(column.texts)):
        try:
            places[number] = judge(text)
        except refusal as error:
            refused[number] = str(error)
    if refused:
        first = int(np.isin(column.numbers, [*refused]).argmax())
        return places, first, refused[int(column.numbers[first])]
    return places, None, ""
