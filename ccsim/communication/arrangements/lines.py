"""The rows and columns of a matrix of signs that differ, also from the opposite of each other."""

from __future__ import annotations

from collections.abc import Sequence

from ccsim.classes import ConceptClass
from ccsim.communication.problem import CommunicationProblem
from ccsim.data import frozen

SIDES = ("rows", "columns")

Line = tuple[int, int]
"""The positions at which a line is 1, and those at which it is 0."""

Place = tuple[int, int]
"""The number of a line that is kept, and 1 or -1, the sign with which it stands for another."""


@frozen
class Signs:
    """A matrix of signs without equal or opposite lines, and what it was."""

    entries: tuple[tuple[int, ...], ...]  # 1, -1, or 0 where the sign is free
    kept: tuple[tuple[int, ...], tuple[int, ...]]  # the numbers that its rows, and its columns, had
    # for each row, and for each column, which one stands for it, with which sign
    places: tuple[tuple[Place, ...], tuple[Place, ...]]

    @classmethod
    def of(cls, instance: ConceptClass | CommunicationProblem) -> Signs:
        """Return the signs of a class or a problem."""
        if isinstance(instance, ConceptClass):
            width = len(instance.points)
            pairs = [(row, (1 << width) - 1) for row in instance.rows]
        else:
            width = len(instance.bob)
            pairs = list(zip(instance.ones, instance.promise, strict=True))
        across = range(width)
        matrix = [
            tuple((1 if row >> y & 1 else -1) if inside >> y & 1 else 0 for y in across)
            for row, inside in pairs
        ]
        rows, row_places = _distinct(matrix)
        columns, column_places = _distinct([tuple(matrix[x][y] for x in rows) for y in across])
        entries = tuple(tuple(matrix[x][y] for y in columns) for x in rows)
        return cls(entries, (tuple(rows), tuple(columns)), (row_places, column_places))

    @property
    def size(self) -> tuple[int, int]:
        """How many rows and columns are kept."""
        return len(self.kept[0]), len(self.kept[1])

    def lines(self, side: str) -> list[Line]:
        """Return the rows, or the columns, that are kept."""
        matrix = self.entries if side == "rows" else tuple(zip(*self.entries, strict=True))
        return [
            (
                sum(1 << i for i, sign in enumerate(line) if sign > 0),
                sum(1 << i for i, sign in enumerate(line) if sign < 0),
            )
            for line in matrix
        ]

    def spread(self, side: int, vectors: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
        """Return a vector for each line of a side from those of the lines that are kept."""
        return tuple(
            tuple(sign * entry for entry in vectors[line]) for line, sign in self.places[side]
        )


def _distinct(lines: Sequence[tuple[int, ...]]) -> tuple[list[int], tuple[Place, ...]]:
    """Return which lines are first among equal and opposite ones, and what stands for each."""
    number: dict[tuple[int, ...], Place] = {}
    kept, places = list[int](), list[Place]()
    for i, line in enumerate(lines):
        if line not in number:
            opposite = tuple(-sign for sign in line)
            number[opposite] = len(kept), -1
            number[line] = len(kept), 1  # a line of free signs is its own opposite
            kept.append(i)
        places.append(number[line])
    return kept, tuple(places)
