"""Symmetries of matrices and classes: permutations of rows and columns, and flips of columns.

Generators come from canonaut, a port of nauty to Rust, and are verified before use.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.classes.masks import bits_of
from ccsim.data import frozen
from ccsim.errors import CertificateError, DomainError
from ccsim.symmetry.groups import orbit_numbers, orbits_of
from ccsim.texts.labels import text_row

Ints = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]

Copies = Sequence[Sequence[tuple[int, int]]]
Move = tuple[int, ...]

MAX_POINTS = 64  # maximum number of points for computing symmetries
MAX_ORDER = 8
"""Maximum order of a group for listing the images of version spaces."""
_MOST_COLUMNS = 32
_FEW_POINTS = 32  # most for which they are looked for where literals are to fit in a word
_FEW_ENTRIES = 1 << 14  # concepts times points for which the graph on concepts takes milliseconds
_BYTES = np.arange(256, dtype=np.uint8)[:, None]


@frozen
class Symmetry:
    """A permutation of the rows, a permutation of the columns, and the columns that are flipped.

    For a matrix ``f``: ``f(rows[x], columns[y]) = f(x, y) xor flip(y)``, and ``*`` stays ``*``.
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
            raise DomainError(
                f"flips must be at least 0 and below 2**{len(self.columns)}, not {self.flips}"
            )

    def cell(self, x: int, y: int) -> tuple[int, int]:
        """Return the image of an entry."""
        return self.rows[x], self.columns[y]

    def mask(self, ones: int, defined: int | None = None) -> int:
        """Return the image of a row, given by its ones and the columns where it is defined."""
        flipped = ones ^ (self.flips if defined is None else self.flips & defined)
        return sum(1 << image for y, image in enumerate(self.columns) if flipped >> y & 1)

    def inverse(self) -> Symmetry:
        """Return the inverse symmetry."""
        return Symmetry(
            tuple(sorted(range(len(self.rows)), key=self.rows.__getitem__)),
            tuple(sorted(range(len(self.columns)), key=self.columns.__getitem__)),
            sum(1 << image for y, image in enumerate(self.columns) if self.flips >> y & 1),
        )

    def verify(self, ones: Sequence[int], width: int, defined: Sequence[int] | None = None) -> None:
        """Raise an error unless the symmetry maps a matrix to itself."""
        if (len(self.rows), len(self.columns)) != (len(ones), width):
            shape = f"{len(self.rows)} x {len(self.columns)}"
            raise CertificateError(
                f"the symmetry acts on {shape} matrices, not on {len(ones)} x {width}"
            )
        flips = bits_of([self.flips], width)[0]
        values = bits_of(ones, width)
        moved = values[np.ix_(self.rows, self.columns)]
        wrong = (values ^ flips) != moved
        if defined is not None:
            inside = bits_of(defined, width)
            moved_inside = inside[np.ix_(self.rows, self.columns)]
            wrong = (wrong & (inside == 1)) | (inside != moved_inside)
        if wrong.any():
            x = int(np.flatnonzero(wrong.any(axis=1))[0])
            raise CertificateError(
                f"the entries of row {x} must be mapped to those of row {self.rows[x]}"
            )

    def restricted(self, rows: Sequence[int], columns: Sequence[int]) -> Symmetry:
        """Return the restriction of the symmetry to rows and columns that it permutes."""
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


def cell_orbits(
    cells: Sequence[tuple[int, int]], symmetries: Sequence[Symmetry], shape: tuple[int, int]
) -> list[int]:
    """Return the number of the orbit of each entry, in the order of the first entries of orbits.

    The entries lie in a matrix of the given shape, and the symmetries permute them.
    """
    if not symmetries:
        return list(range(len(cells)))
    places = np.zeros(shape, np.int64)
    x, y = np.array(cells, np.int64).reshape(-1, 2).T
    places[x, y] = np.arange(len(cells))
    moves = (places[np.array(g.rows)[x], np.array(g.columns)[y]] for g in symmetries)
    numbers: list[int] = orbit_numbers(len(cells), moves).tolist()
    return numbers


def symmetries_of(
    ones: Sequence[int],
    width: int,
    defined: Sequence[int] | None = None,
    apart: tuple[Collection[int], Collection[int]] = ((), ()),
    fixed: Sequence[int] = (),
    *,
    together: bool = False,
) -> tuple[Symmetry, ...]:
    """Return generators of the symmetry group of a 0/1/* matrix; columns may be flipped.

    Symmetries are the automorphisms of a graph with a vertex for each row and for each value of a
    column. A row is adjacent to its values, and the two values of a column to each other. If
    columns are flipped only all `together`, there is a vertex for each value, adjacent to that
    value of all columns.
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
    if together:
        edges += [(height + i, height + 2 * width + i % 2) for i in range(2 * width)]
        colors += [2 * len(fixed) + 5] * 2
    found = raw.canonize(len(colors), edges, colors=colors, generators=True)
    symmetries = []
    for image in found.generators:
        zeros = [image[height + 2 * y] - height for y in range(width)]
        flips = sum(1 << y for y, literal in enumerate(zeros) if literal & 1)
        symmetry = Symmetry(tuple(image[:height]), tuple(literal // 2 for literal in zeros), flips)
        symmetry.verify(ones, width, defined)
        symmetries.append(symmetry)
    return tuple(symmetries)


def symmetries_of_class(
    concept_class: ConceptClass, budget: Budget | None = None, most: int = _FEW_POINTS
) -> tuple[Symmetry, ...]:
    """Return generators of a group of symmetries of a class; the empty tuple if none is found.

    The generators are computed from the literals. If one of them does not permute the concepts and
    the class is small, they are computed by `symmetries_of`.
    """
    num = len(concept_class.points)
    if not 0 < num <= most or not concept_class.rows:
        return ()
    keys = np.array(concept_class.rows, np.uint64)
    order = np.argsort(keys)
    known = keys[order]
    symmetries = []
    for literals in (budget or Budget()).each(_literal_generators(class_bits(concept_class))):
        columns, flipped = literals[0::2] // 2, literals[0::2] % 2
        images = _images(keys, columns, flipped)
        rows = order[np.searchsorted(known, images).clip(max=len(keys) - 1)]
        if np.array_equal(keys[rows], images):
            flips = sum(1 << int(x) for x in np.flatnonzero(flipped))
            symmetries.append(Symmetry(tuple(rows.tolist()), tuple(columns.tolist()), flips))
        elif len(keys) * num <= _FEW_ENTRIES:
            return symmetries_of(concept_class.rows, num)
    return tuple(symmetries)


def literal_moves(symmetry: Symmetry) -> tuple[int, ...]:
    """Return the image of each literal ``2x + b``, "point x has label b", under a symmetry."""
    return tuple(
        2 * image + (b ^ (symmetry.flips >> x & 1))
        for x, image in enumerate(symmetry.columns)
        for b in (0, 1)
    )


def orbits_of_points(symmetries: Sequence[Symmetry], num_points: int) -> dict[int, int]:
    """Return, for each point, the first point of its orbit."""
    return orbits_of(range(num_points), [enumerate(symmetry.columns) for symmetry in symmetries])


def class_bits(concept_class: ConceptClass) -> npt.NDArray[np.uint8]:
    """Return a class as a 0/1 matrix with a row for each concept."""
    num = len(concept_class.points)
    width = 8 if num <= 64 else (num + 7) // 8
    if width == 8:
        data = np.array(concept_class.rows, "<u8").tobytes()
    else:
        data = b"".join([row.to_bytes(width, "little") for row in concept_class.rows])
    packed = np.frombuffer(data, np.uint8).reshape(len(concept_class), width)
    return np.unpackbits(packed, axis=1, count=num, bitorder="little")


def packed_columns(bits: npt.NDArray[np.uint8]) -> Words:
    """Return the columns of a 0/1 matrix as rows of 64-bit words."""
    size, num = bits.shape
    packed = np.packbits(np.ascontiguousarray(bits.T), axis=1, bitorder="little")
    columns = np.zeros((num, 8 * ((size + 63) // 64)), np.uint8)
    columns[:, : packed.shape[1]] = packed
    return columns.view(np.uint64)


def shared_literals(columns: Words, size: int) -> Ints:
    """Return the number of concepts that satisfy each pair of literals."""
    ones = np.array(
        [np.bitwise_count(columns & column).sum(axis=1) for column in columns], np.int64
    ).reshape(len(columns), len(columns))
    each = ones.diagonal()
    shared = np.empty((2 * len(ones), 2 * len(ones)), np.int64)
    shared[1::2, 1::2] = ones
    shared[1::2, 0::2] = each[:, None] - ones
    shared[0::2, 1::2] = each - ones
    shared[0::2, 0::2] = size - each[:, None] - each + ones
    return shared


def _images(keys: Words, columns: Ints, flipped: Ints) -> Words:
    """Return rows, as integers, with bits flipped and permuted, using tables for eight bits."""
    places = np.uint64(1) << columns.astype(np.uint64)
    bits = np.unpackbits(_BYTES, axis=1, bitorder="little").astype(np.uint64)
    images = np.full(len(keys), np.bitwise_or.reduce(places[flipped == 1]))
    for x in range(0, len(places), 8):
        moved = bits[:, : len(places) - x] @ places[x : x + 8]
        images ^= moved[keys >> np.uint64(x) & np.uint64(255)]
    return images


def _literal_generators(bits: npt.NDArray[np.uint8]) -> list[Ints]:
    """Return generators of the permutations of literals that preserve the counts of all pairs."""
    from canonaut import raw

    num = 2 * bits.shape[1]
    counts = shared_literals(packed_columns(bits), len(bits))
    alone = counts.diagonal().tolist()
    counts[np.arange(num), np.arange(num) ^ 1] = -1  # the two labels of a point
    above = np.triu_indices(num, 1)
    told = counts[above].tolist()
    often = [count for count, _ in Counter(told).most_common()]
    layers = max(1, (len(often) - 1).bit_length())
    code = dict(zip(often, sorted(range(1 << layers), key=int.bit_count), strict=False))
    edges = [(num * k + i, num * k + num + i) for k in range(layers - 1) for i in range(num)]
    digits = np.array([code[count] for count in told])
    for k in range(layers):
        ones = np.flatnonzero(digits >> k & 1)
        edges += zip(*[(one[ones] + num * k).tolist() for one in above], strict=True)
    kinds = [(k, count) for k in range(layers) for count in alone]
    number = {kind: color for color, kind in enumerate(sorted(set(kinds)))}
    colors = [number[kind] for kind in kinds]
    found = raw.canonize(len(kinds), edges, colors=colors, generators=True)
    return [np.array(image[:num]) for image in found.generators]


@frozen
class LiteralGroup:
    """A small group of symmetries of a class, acting on the literals of its essential columns.

    Literal ``2x + b`` is "column x has label b"; element number 0 is the identity. The least
    image of the literals common to a version space identifies it up to symmetry.
    """

    moves: tuple[Move, ...]  # the image of each literal under each element
    # generators whose product, from the first to the last, is the element
    words: tuple[tuple[int, ...], ...]
    symmetries: tuple[Symmetry, ...]  # the generators, each acting in another way

    @classmethod
    def generated(cls, symmetries: Sequence[Symmetry], copies: Copies) -> Self:
        """Return the group generated by symmetries, or the trivial group if it is too large."""
        identity = tuple(range(2 * len(copies)))
        named = moves_of(symmetries, copies)
        generators = list(named)
        words: dict[Move, tuple[int, ...]] = {identity: ()}
        for move in (waiting := [identity]):
            for number, generator in enumerate(generators):
                image = tuple([generator[i] for i in move])
                if image not in words:
                    words[image] = (*words[move], number)
                    waiting.append(image)
            if len(words) > MAX_ORDER or len(copies) > _MOST_COLUMNS:
                return cls((identity,), ((),), ())
        return cls(tuple(words), tuple(words.values()), tuple(named.values()))

    def back(self) -> list[list[int]]:
        """Return, for each pair of elements, the inverse of their product."""
        place = {move: number for number, move in enumerate(self.moves)}
        both = [[tuple([h[i] for i in g]) for h in self.moves] for g in self.moves]
        return [[place[tuple(np.argsort(move).tolist())] for move in moves] for moves in both]


def moves_of(symmetries: Sequence[Symmetry], copies: Copies) -> dict[Move, Symmetry]:
    """Return symmetries by their action on literals, one for each action except the identity."""
    place = {x: (i, flip) for i, points in enumerate(copies) for x, flip in points}
    named = {_move(symmetry, copies, place): symmetry for symmetry in symmetries}
    named.pop(tuple(range(2 * len(copies))), None)  # it exchanges points with the same column
    return named


def _move(symmetry: Symmetry, copies: Copies, place: dict[int, tuple[int, int]]) -> Move:
    """Return the image of each literal of the essential columns."""
    images = []
    for points in copies:
        x, flip = points[0]
        y, turn = place[symmetry.columns[x]]
        images += [2 * y + (b ^ flip ^ turn ^ (symmetry.flips >> x & 1)) for b in (0, 1)]
    return tuple(images)
