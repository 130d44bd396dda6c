"""Symmetries of a 0/1/* matrix up to flips of columns.

A symmetry permutes rows and columns and flips the values of some columns so that the matrix stays
as it is. Bob can undo a flip, and a mistake tree exchanges the two sides of a node, so that neither
communication nor the Littlestone dimension tells the images apart.

Generators come from canonaut, a port of nauty to Rust. They are verified where they are used: a
wrong one would be refused, and a missing one costs time only.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Self

from ccsim.data import frozen
from ccsim.errors import CertificateError, DomainError
from ccsim.texts.labels import text_row


@frozen
class Symmetry:
    """A permutation of rows, one of columns, and the columns whose values are flipped.

    It maps a matrix ``f`` to itself if ``f(rows[x], columns[y]) = f(x, y) xor flip(y)`` for every
    entry and ``*`` to ``*``; `verify` decides that.
    """

    # image of each row and of each column
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    # bit ``y`` says whether the values of column ``y`` are flipped on their way to column
    # ``columns[y]``
    flips: int

    def __post_init__(self) -> None:
        for name, images in (("rows", self.rows), ("columns", self.columns)):
            if not set(images).issuperset(range(len(images))):
                raise DomainError(
                    f"{name} must be a permutation of 0 to {len(images) - 1}, not {images}"
                )
        if not 0 <= self.flips < 1 << len(self.columns):
            raise DomainError(f"flips must lie in [0, 2**{len(self.columns)}), not {self.flips}")

    def cell(self, x: int, y: int) -> tuple[int, int]:
        """Return the image of an entry."""
        return self.rows[x], self.columns[y]

    def mask(self, ones: int, defined: int | None = None) -> int:
        """Return the image of the ones of a row that is defined where ``defined`` says."""
        flipped = ones ^ (self.flips if defined is None else self.flips & defined)
        return sum(1 << image for y, image in enumerate(self.columns) if flipped >> y & 1)

    def inverse(self) -> Symmetry:
        """Return the symmetry that undoes this one."""
        return Symmetry(
            tuple(sorted(range(len(self.rows)), key=self.rows.__getitem__)),
            tuple(sorted(range(len(self.columns)), key=self.columns.__getitem__)),
            sum(1 << image for y, image in enumerate(self.columns) if self.flips >> y & 1),
        )

    def verify(self, ones: Sequence[int], width: int, defined: Sequence[int] | None = None) -> None:
        """Check that a matrix is mapped to itself."""
        if (len(self.rows), len(self.columns)) != (len(ones), width):
            shape = f"{len(self.rows)} x {len(self.columns)}"
            raise CertificateError(
                f"the symmetry is of {shape} matrices, not of {len(ones)} x {width}"
            )
        inside = [None] * len(ones) if defined is None else defined
        rows = (text_row(row, width, places) for row, places in zip(ones, inside, strict=True))
        columns = ["".join(column) for column in zip(*rows, strict=True)]
        flipped = str.maketrans("01", "10")
        wrong: list[int] = []
        for y, column in enumerate(columns):  # whole columns at once: there may be many rows
            moved = "".join(map(columns[self.columns[y]].__getitem__, self.rows))
            expected = column.translate(flipped) if self.flips >> y & 1 else column
            if moved != expected:
                wrong.append(next(x for x, c in enumerate(expected) if moved[x] != c))
        if wrong:
            x = min(wrong)
            raise CertificateError(f"row {x} is not mapped to row {self.rows[x]}")

    def restricted(self, rows: Sequence[int], columns: Sequence[int]) -> Symmetry:
        """Return what the symmetry does to rows and columns that it keeps among themselves."""
        row_at = {x: i for i, x in enumerate(rows)}
        column_at = {y: j for j, y in enumerate(columns)}
        return Symmetry(
            tuple(row_at[self.rows[x]] for x in rows),
            tuple(column_at[self.columns[y]] for y in columns),
            sum(1 << j for j, y in enumerate(columns) if self.flips >> y & 1),
        )

    def to_json(self) -> dict[str, Any]:
        """Return the symmetry as a part of a certificate (`docs/certificates.md`)."""
        return {
            "rows": list(self.rows),
            "columns": list(self.columns),
            "flips": text_row(self.flips, len(self.columns)),
        }

    @classmethod
    def from_json(cls, value: Any) -> Self:  # noqa: ANN401 - any JSON value
        """Return the symmetry of a JSON object."""
        try:
            flips = sum(1 << y for y, c in enumerate(value["flips"]) if "01".index(c))
            return cls(tuple(value["rows"]), tuple(value["columns"]), flips)
        except (KeyError, TypeError, ValueError) as error:
            raise DomainError(f"a symmetry has rows, columns and flips: {error}") from None


def symmetries_of(
    ones: Sequence[int],
    width: int,
    defined: Sequence[int] | None = None,
    apart: tuple[Collection[int], Collection[int]] = ((), ()),
    fixed: Sequence[int] = (),
) -> tuple[Symmetry, ...]:
    """Return generators of the group of symmetries of a 0/1/* matrix up to flips of columns.

    They are the automorphisms of a graph with a vertex for each row and two for each column, one
    for each value: a row is joined to its values, and the two values of a column to each other.

    Complexity: milliseconds for hundreds of rows and columns; the search is exponential only on
    graphs built to make it so.
    """
    from canonaut import raw

    height = len(ones)
    inside = [(1 << width) - 1] * height if defined is None else defined
    edges = [(height + 2 * y, height + 2 * y + 1) for y in range(width)]
    for x in range(height):
        edges += [
            (x, height + 2 * y + (ones[x] >> y & 1)) for y in range(width) if inside[x] >> y & 1
        ]
    colors = [2 * (x in apart[0]) for x in range(height)]
    for shade, x in enumerate(fixed, 2):
        colors[x] = 2 * shade
    colors += [1 + 2 * (literal // 2 in apart[1]) for literal in range(2 * width)]
    found = raw.canonize(height + 2 * width, edges, colors=colors, generators=True)
    symmetries = []
    for image in found.generators:
        zeros = [image[height + 2 * y] - height for y in range(width)]
        flips = sum(1 << y for y, literal in enumerate(zeros) if literal & 1)
        symmetry = Symmetry(tuple(image[:height]), tuple(literal // 2 for literal in zeros), flips)
        symmetry.verify(ones, width, defined)
        symmetries.append(symmetry)
    return tuple(symmetries)
