"""The kernel's checks of symmetries of a matrix, and orbits under the groups that they generate."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from .instances import Cell, Matrix
from .parts import Part, ones

__all__ = ["Symmetry", "averaged", "orbit", "symmetries"]

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Symmetry:
    """Permutations of the rows and the columns of a matrix, and the columns that are flipped."""

    rows: list[int]
    columns: list[int]
    flips: int

    def cell(self, cell: Cell) -> Cell:
        """Return the image of a row and a column."""
        return self.rows[cell[0]], self.columns[cell[1]]

    def labels(self, given: list[list[int]]) -> list[list[int]]:
        """Return the images of columns and labels in them."""
        return [[self.columns[x], b ^ (self.flips >> x & 1)] for x, b in given]


def symmetries(part: Part, F: Matrix) -> list[Symmetry]:
    """Read a list of symmetries of a matrix up to flips of columns and check each of them."""
    found, texts = [], F.texts[1]
    for entry in part.entries():
        part.afford(len(F.rows) * len(F.columns))
        rows, columns, text = entry.fields("rows", "columns", "flips")
        sigma, tau = rows.permutation(len(F.rows)), columns.permutation(len(F.columns))
        flips = ones(text.text_row(len(F.columns)))
        for y, image in enumerate(tau):
            ours = texts[y].translate({48: "1", 49: "0"}) if flips >> y & 1 else texts[y]
            moved = "".join(map(texts[image].__getitem__, sigma))
            if moved != ours:
                x = next(x for x in range(len(sigma)) if moved[x] != ours[x])
                rows.reject(f"row {x} does not go to row {sigma[x]}: column {image} differs")
        found.append(Symmetry(sigma, tau, flips))
    return found


def orbit(
    part: Part, start: _T, moves: Sequence[Callable[[_T], _T]], steps: int, most: float = math.inf
) -> list[_T]:
    """Return all images of an element under the group that maps of a finite set generate.

    A map takes so many steps. With more than `most` images the list stops there.
    """
    found, seen = [start], {start}
    for each in found:  # grows while it is read; in a finite group no inverses are needed
        if len(found) > most:
            break
        part.afford(20 + len(moves) * steps)
        for move in moves:
            if (image := move(each)) not in seen:
                seen.add(image)
                found.append(image)
    return found


def averaged(errors: dict[Cell, Fraction], generators: Part, F: Matrix) -> dict[Cell, Fraction]:
    """Return the averages of some errors over the orbits of their cells."""
    moves = [symmetry.cell for symmetry in symmetries(generators, F)]
    found: dict[Cell, Fraction] = {}
    for cell in errors:
        if cell not in found:
            cells = orbit(generators, cell, moves, 10)
            mean = generators.total([errors[each] for each in cells]) / len(cells)
            found |= dict.fromkeys(cells, mean)
    return found
