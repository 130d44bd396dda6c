"""Instances of certificates, matrices with labels, and the bounds that are stated of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

from .parts import Part, ones, show

__all__ = ["CLASS", "PROBLEM", "Cell", "Matrix", "bounds"]

_Number = TypeVar("_Number", int, Fraction)
Cell = tuple[int, int]
CLASS, PROBLEM = "concept class", "communication problem"


@dataclass(slots=True)
class Matrix:
    """A labelled matrix: the ones of each row and each column, and where a row is defined."""

    title: str
    names: tuple[str, str]
    texts: tuple[list[str], list[str]]  # of the rows, and of the columns
    rows: list[int] = field(init=False)
    columns: list[int] = field(init=False)
    defined: list[int] = field(init=False)

    def __post_init__(self) -> None:
        lines = ([ones(text.replace("*", "0")) for text in texts] for texts in self.texts)
        self.rows, self.columns = lines
        self.defined = [ones(t.replace("0", "1").replace("*", "0")) for t in self.texts[0]]

    @classmethod
    def read(cls, instance: Part, kind: str) -> Matrix:
        """Read a concept class or a communication problem."""
        total = kind == CLASS
        names, alphabet = (("concepts", "points"), "01") if total else (("alice", "bob"), "01*")
        found, name, rows, columns, matrix = instance.fields("type", "name", *names, "rows")
        found.choice([kind])
        if not isinstance(name.value, str):
            name.reject("must be a text, not {}", name.value)
        height, width = rows.labels(), columns.labels()
        texts = [row.text_row(width, alphabet) for row in matrix.entries(height)]
        inside = total or any(text.strip("*") for text in texts)
        matrix.require(inside, "at least one entry must lie inside the promise")
        first: dict[str, int] = {}
        for i, text in enumerate(texts if total else ()):
            rule = f"concepts are distinct, but row {i} repeats row {first.setdefault(text, i)}"
            matrix.require(first[text] == i, rule)
        transposed = ["".join(column) for column in zip(*texts, strict=True)] or [""] * width
        title = f"a {height} x {width} {kind}, {instance.identity()}"
        return cls(title, names, (texts, transposed))

    def agreeing(self, constraints: list[list[int]]) -> int:
        """Return the rows that have given labels in given columns."""
        space = (1 << len(self.rows)) - 1
        for x, b in constraints:
            space &= self.columns[x] if b else ~self.columns[x]
        return space

    def input(self, row: Part, column: Part) -> Cell:
        """Read an input ``(x, y)`` inside the promise."""
        x, y = row.index(len(self.rows)), column.index(len(self.columns))
        column.require(self.defined[x] >> y & 1, f"input {(x, y)} is outside the promise")
        return x, y

    def weighted(self, cells: Part, length: int) -> Iterator[tuple[Cell, int, list[Part]]]:
        """Read entries ``[x, y, w, ...]``: inputs in increasing order with positive weights."""
        previous = (-1, -1)
        for entry in cells.entries():
            row, column, weight, *more = entry.entries(length)
            cell = self.input(row, column)
            entry.require(cell > previous, f"input {cell} must come after {previous}")
            yield cell, weight.integer(1), more
            previous = cell


def bounds(
    stated: Sequence[Part], lower: Part, upper: Part, number: Callable[[Part], _Number]
) -> tuple[_Number | None, _Number | None, str]:
    """Read the bounds of a statement and say them; each is null exactly when its proof is."""
    low, high = stated
    for bound, proof in ((low, lower), (high, upper)):
        rule = "must be null exactly when its proof is"
        bound.require((bound.value is None) == (proof.value is None), rule)
    least = None if low.value is None else number(low)
    most = None if high.value is None else number(high)
    if least is None or most is None:
        claim = f"at least {show(least)}" if most is None else f"at most {show(most)}"
        return least, most, "" if least is most else claim
    low.require(least <= most, "lower {} is above upper {}", least, most)
    between = f"between {show(least)} and {show(most)}"
    return least, most, f"exactly {show(most)}" if least == most else between
