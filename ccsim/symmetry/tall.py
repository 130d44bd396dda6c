"""Symmetries of a class with many concepts over few points.

Implementation notes: a symmetry moves the *literals* ``(x, b)``, "point x has label b", and keeps
the number of concepts with a given literal and with a given pair of them. So the symmetries are
among the automorphisms of a coloured graph on some copies of the literals, whose size depends on
the points alone. If a generator does not permute the concepts, the graph on concepts and literals
decides where that is small; elsewhere the others are kept, and missed symmetries cost time only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.symmetry.groups import orbits_of
from ccsim.symmetry.matrix import Symmetry, symmetries_of

Ints = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]

MAX_POINTS = 64
"""Most points for which symmetries are found: a row is one word."""
_FEW_POINTS = 32
"""Most for which they are looked for where literals are to fit in a word."""
_FEW_ENTRIES = 1 << 14
"""Concepts times points for which the graph on concepts takes milliseconds."""
_BYTES = np.arange(256, dtype=np.uint8)[:, None]


def class_bits(concept_class: ConceptClass) -> npt.NDArray[np.uint8]:
    """Return a class as a 0/1 matrix, a row for each concept."""
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
    """Return how many concepts have each pair of literals."""
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


def symmetries_of_class(
    concept_class: ConceptClass, budget: Budget | None = None, most: int = _FEW_POINTS
) -> tuple[Symmetry, ...]:
    """Return generators of a group of symmetries of a class; the empty tuple if none is found.

    Complexity: a second for the 94 572 halfspaces on {0,1}^5.
    """
    num = len(concept_class.points)
    if not 0 < num <= most or not concept_class.rows:
        return ()
    keys = np.array(concept_class.rows, np.uint64)
    order = np.argsort(keys)
    known = keys[order]
    symmetries = []
    for literals in _literal_generators(class_bits(concept_class)):
        if budget is not None:
            budget.spend()
        columns, flipped = literals[0::2] // 2, literals[0::2] % 2
        images = _images(keys, columns, flipped)
        rows = order[np.searchsorted(known, images).clip(max=len(keys) - 1)]
        if np.array_equal(keys[rows], images):
            flips = sum(1 << int(x) for x in np.flatnonzero(flipped))
            symmetries.append(Symmetry(tuple(rows.tolist()), tuple(columns.tolist()), flips))
        elif len(keys) * num <= _FEW_ENTRIES:
            return symmetries_of(concept_class.rows, num)
    return tuple(symmetries)


def orbits_of_points(symmetries: Sequence[Symmetry], num_points: int) -> dict[int, int]:
    """Return the first point of the orbit of each point."""
    return orbits_of(range(num_points), [enumerate(symmetry.columns) for symmetry in symmetries])


def _images(keys: Words, columns: Ints, flipped: Ints) -> Words:
    """Return rows, as numbers, with their bits flipped and moved: eight of them in one look."""
    places = np.uint64(1) << columns.astype(np.uint64)
    bits = np.unpackbits(_BYTES, axis=1, bitorder="little").astype(np.uint64)
    images = np.full(len(keys), np.bitwise_or.reduce(places[flipped == 1]))
    for x in range(0, len(places), 8):
        moved = bits[:, : len(places) - x] @ places[x : x + 8]
        images ^= moved[keys >> np.uint64(x) & np.uint64(255)]
    return images


def _literal_generators(bits: npt.NDArray[np.uint8]) -> list[Ints]:
    """Return generators of the permutations of literals that keep the numbers of concepts.

    Literal ``2x + b`` stands for label ``b`` on point ``x``. A number of concepts is written in
    binary, a layer of the graph for each digit: the commoner, the fewer ones.
    """
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
