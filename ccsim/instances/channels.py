"""A mechanism as a table of probabilities: a row for each database, a column for each output.

Each row must sum to exactly 1. The user states which rows are neighbouring databases: ``all``
pairs, ``consecutive`` rows, ``records`` (row labels are lists of records, and neighbours differ in
one record), ``add-remove`` (one neighbour has one record more), or the pairs of labels in a file.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from pathlib import Path
from typing import TypeAlias

from ccsim.budget import Budget
from ccsim.certificates.files import read_json, read_limited
from ccsim.data import frozen
from ccsim.errors import DomainError, UnreadableInputError
from ccsim.exact.distribution import Distribution
from ccsim.privacy import FunctionMechanism
from ccsim.texts.csv import numbered_rows
from ccsim.texts.labels import Label
from ccsim.texts.numbers import NumberTable, Row, read_numbers
from ccsim.texts.reading import Reading, announce, name_of_file
from ccsim.texts.tables import found

NEIGHBOURS = """all (every two rows; local privacy), consecutive (each row and the next one), \
records (row labels list records, and neighbours differ in one), add-remove (row labels list \
records, and one neighbour has one record more), or @FILE (pairs of row labels)"""
"""The accepted forms of the option --neighbours."""

_OPTIONS = ("header", "index", "normalise")
_LONGEST, _SHORT = 40, 24  # characters of a text and of a fraction in a message

Pairs: TypeAlias = tuple[tuple[tuple[Label], tuple[Label]], ...]
"""Pairs of databases, each of which is one row."""


@frozen
class Channel:
    """A table of output probabilities."""

    source: str
    rows: tuple[Row, ...]  # each sums to 1
    databases: tuple[Label, ...]  # the labels of the rows; from 1 on where there are none
    outputs: tuple[Label, ...]
    normalised: int = 0  # rows that were divided by their sums
    moved: Fraction = Fraction(0)  # the largest change of a probability by that

    @property
    def mechanism(self) -> FunctionMechanism:
        """The mechanism whose databases are single records, the labels of the rows."""
        distributions: dict[Hashable, Distribution[Label]] = {
            name: Distribution(tuple(zip(self.outputs, row, strict=True)))
            for name, row in zip(self.databases, self.rows, strict=True)
        }
        return FunctionMechanism(self.databases, lambda database: distributions[database[0]])

    def neighbours(self, text: str, budget: Budget) -> int | Pairs:
        """Return the neighbours given by a text, in the form that `ccsim.privacy.audit` accepts."""
        if text == "all":
            return 1
        pairs: Sequence[tuple[Label, Label]]
        if text == "consecutive":
            pairs = list(pairwise(self.databases))
        elif text == "records":
            pairs = self._of_records(budget)
        elif text == "add-remove":
            pairs = self._with_one_more(budget)
        elif text.startswith("@"):
            pairs = _of_file(text[1:], {str(name): name for name in self.databases}, budget)
        else:
            raise DomainError(f"--neighbours must be {NEIGHBOURS}, not {text[:_LONGEST]!r}")
        return tuple(((first,), (second,)) for first, second in pairs)

    def _listed(self) -> tuple[list[tuple[str, ...]], str]:
        """Return the records in the label of each row, and how they are separated."""
        texts = [str(name).strip("()[]") for name in self.databases]
        split = any(re.search(r"[\s,;]", text.strip()) for text in texts)
        listed = [tuple(re.findall(r"[^\s,;]+", t)) if split else tuple(t) for t in texts]
        return listed, "separated by blanks or commas" if split else "one character each"

    def _of_records(self, budget: Budget) -> list[tuple[Label, Label]]:
        """Return the pairs of rows whose labels, lists of records, differ in one record."""
        listed, how = self._listed()
        for name, records in zip(self.databases, listed, strict=True):
            if len(records) != len(listed[0]):
                raise DomainError(
                    f"{self.source}: row labels must list the same number of records, {how}: "
                    f"{found(self.databases[0])} has {len(listed[0])}, {found(name)} has "
                    f"{len(records)}; --neighbours add-remove compares databases of several sizes"
                )
        known = zip(self.databases, listed, strict=True)
        pairs = [
            (one, other)
            for (one, first), (other, second) in budget.each(combinations(known, 2))
            if sum(map(str.__ne__, first, second)) == 1
        ]
        if not pairs:
            raise DomainError(f"{self.source}: no two row labels differ in exactly one record")
        return pairs

    def _with_one_more(self, budget: Budget) -> list[tuple[Label, Label]]:
        """Return the pairs of rows of which one has one record more, at any position."""
        listed, _ = self._listed()
        if ("-",) in listed:
            if sum("-" in records for records in listed) > 1:
                raise DomainError(
                    f"{self.source}: the row label '-' must be either a record or the empty "
                    "database; write () for the empty database"
                )
            listed[listed.index(("-",))] = ()
        rows: dict[tuple[str, ...], Label] = {}
        for name, records in zip(self.databases, listed, strict=True):
            if (other := rows.setdefault(records, name)) != name:
                raise DomainError(
                    f"{self.source}: row labels must be different lists of records, but "
                    f"{found(other)} and {found(name)} are the same"
                )
        pairs = []
        for records, name in budget.each(list(rows.items())):
            rests = (records[:i] + records[i + 1 :] for i in range(len(records)))
            pairs += [(rows[rest], name) for rest in dict.fromkeys(rests) if rest in rows]
        if not pairs:
            raise DomainError(
                f"{self.source}: no row label results from another one by the removal of a record"
            )
        return pairs


def read_channel(text: str, budget: Budget) -> Channel:
    """Return the table of probabilities in a file; options may follow the file name."""
    table, ways = read_numbers(text, budget, keys=_OPTIONS, probabilities=True)
    if len(table.rows) < 2:
        raise UnreadableInputError(f"{table.source}: expected at least two rows, one per database")
    rows, normalised, moved = [], 0, Fraction(0)
    for i, row in enumerate(table.rows):
        for x, value in enumerate(row):
            if value < 0:
                raise UnreadableInputError(
                    f"{table.place(i, x)}: a probability must be at least 0, not {value}"
                )
        total = sum(row, Fraction(0))
        if total == 1:
            rows.append(row)
        elif not ways.normalise or not total:
            raise UnreadableInputError(_sum_message(table, i, total))
        else:
            scaled = tuple(value / total for value in row)
            moved = max(moved, *(abs(a - b) for a, b in zip(row, scaled, strict=True)))
            normalised += 1
            rows.append(scaled)
    return Channel(
        table.source,
        tuple(rows),
        table.row_labels or tuple(range(1, len(rows) + 1)),
        table.column_labels or tuple(range(1, len(rows[0]) + 1)),
        normalised,
        moved,
    )


def _sum_message(table: NumberTable, number: int, total: Fraction) -> str:
    """Return the error message about the sum of a row, with remedies."""
    excess = f"1 {'+' if total > 1 else '-'} {abs(float(total - 1)):.3g}"
    shown = str(total) if len(str(total)) <= _SHORT else excess
    rule = f"{table.row_place(number)}: probabilities must sum to exactly 1, not {shown}"
    option = f"@{table.source}:normalise=yes divides each row by its sum"
    if not total:
        return rule
    if all(value in (0, 1) for row in table.rows for value in row):
        return f"{rule}; to audit a mechanism on a concept class, name it with --mechanism"
    if all(sum(column) == 1 for column in zip(*table.rows, strict=True)):
        return f"{rule}; the columns do, so transpose the table: a row is a database"
    if table.binary:
        return (
            f"{rule}; the file holds binary floating-point numbers, of which none is 1/10: write "
            f"fractions or decimals in a csv or json file, or {option}"
        )
    return f"{rule}; write fractions such as 1/3 for rounded decimals, or {option}"


def _of_file(text: str, labels: dict[str, Label], budget: Budget) -> list[tuple[Label, Label]]:
    """Return the pairs of row labels in a CSV or JSON file."""
    name = name_of_file(text)
    file = Path(name)
    if file.suffix.lower() == ".json":
        value = read_json(file, budget, exact=True)
        listed = value if isinstance(value, list) else [value]
        rows = [(i, row if isinstance(row, list) else [row]) for i, row in enumerate(listed, 1)]
    else:
        rows = [(i, list(row)) for i, row in numbered_rows(read_limited(file), name, blanks=True)]
        if rows and len(rows[0][1]) == 2 and not any(cell in labels for cell in rows[0][1]):
            rows.pop(0)
            note = f"{name}: the first row contains no row labels and is read as a header"
            announce(Reading(name, header=True, guesses=(note,)))
    pairs = []
    for number, cells in budget.each(rows):
        place = f"{name}: row {number}"
        if len(cells) != 2:
            raise UnreadableInputError(f"{place}: expected two row labels, found {len(cells)}")
        for cell in cells:
            if str(cell) not in labels:
                known = ", ".join(list(labels)[:8]) + (", ..." if len(labels) > 8 else "")
                raise UnreadableInputError(
                    f"{place}: {found(cell)} is not a row label of the table; known: {known}"
                )
        first, second = (labels[str(cell)] for cell in cells)
        if first == second:
            raise UnreadableInputError(f"{place}: expected two different rows, found one row")
        pairs.append((first, second))
    if not pairs:
        raise UnreadableInputError(f"{name}: expected pairs of row labels, found none")
    return pairs
