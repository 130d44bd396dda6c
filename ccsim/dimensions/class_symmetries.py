"""Symmetries of a class with many concepts over few points.

Main definition: `symmetries_of_class`.

Implementation notes: a symmetry moves the *literals* ``(x, b)``, "point x has label b", and keeps
the number of concepts with a given literal and with a given pair of them. So the symmetries are
among the automorphisms of a coloured graph on literals and pairs, whose size depends on the points
alone. If a generator does not permute the concepts, the graph on concepts and literals decides
where that is small; elsewhere the others are kept, and missed symmetries cost time only.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import numpy.typing as npt

from ccsim.classes import ConceptClass
from ccsim.classes.symmetries import Symmetry, symmetries_of

__all__ = ["MAX_POINTS", "class_bits", "symmetries_of_class"]

MAX_POINTS = 32
"""Most points for which symmetries are looked for."""
_FEW_ENTRIES = 1 << 14
"""Concepts times points for which the graph on concepts takes milliseconds."""


def class_bits(concept_class: ConceptClass) -> npt.NDArray[np.uint8]:
    """Return a class as a 0/1 matrix, a row for each concept."""
    num = len(concept_class.points)
    width = (num + 7) // 8
    data = b"".join(row.to_bytes(width, "little") for row in concept_class.rows)
    packed = np.frombuffer(data, np.uint8).reshape(len(concept_class), width)
    return np.unpackbits(packed, axis=1, count=num, bitorder="little")


def symmetries_of_class(concept_class: ConceptClass) -> tuple[Symmetry, ...]:
    """Return generators of a group of symmetries of a class; the empty tuple if none is found.

    Parameters
    ----------
    concept_class : ConceptClass
        Over at most `MAX_POINTS` points; nothing is found for larger classes.

    Notes
    -----
    Complexity: a second for the 94 572 halfspaces on {0,1}^5.

    Examples
    --------
    >>> [s.columns for s in symmetries_of_class(ConceptClass.from_matrix([[0, 0], [0, 1], [1, 0]]))]
    [(1, 0)]
    """
    num = len(concept_class.points)
    if not 0 < num <= MAX_POINTS or not concept_class.rows:
        return ()
    bits = class_bits(concept_class)
    keys = _keys(bits)
    order = np.argsort(keys)
    symmetries = []
    for literals in _literal_generators(bits):
        columns, flipped = literals[0::2] // 2, literals[0::2] % 2
        moved = np.empty_like(bits)
        moved[:, columns] = bits ^ flipped.astype(np.uint8)
        images = _keys(moved)
        rows = order[np.searchsorted(keys, images, sorter=order).clip(max=len(keys) - 1)]
        if np.array_equal(keys[rows], images):
            flips = sum(1 << int(x) for x in np.flatnonzero(flipped))
            symmetries.append(Symmetry(tuple(rows.tolist()), tuple(columns.tolist()), flips))
        elif bits.size <= _FEW_ENTRIES:
            return symmetries_of(concept_class.rows, num)
    return tuple(symmetries)


def _keys(bits: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint64]:
    """Return the rows as numbers."""
    powers = np.uint64(1) << np.arange(bits.shape[1], dtype=np.uint64)
    keys: npt.NDArray[np.uint64] = bits.astype(np.uint64) @ powers
    return keys


def _literal_generators(bits: npt.NDArray[np.uint8]) -> list[npt.NDArray[np.int64]]:
    """Return generators of the permutations of literals that keep the numbers of concepts.

    Literal ``2x + b`` stands for label ``b`` on point ``x``. Pairs with the commonest number of
    concepts are left out of the graph.
    """
    from canonaut import raw

    num = 2 * bits.shape[1]
    holds = np.empty((len(bits), num))
    holds[:, 0::2], holds[:, 1::2] = 1 - bits, bits
    counts = (holds.T @ holds).astype(np.int64).tolist()
    pairs = [(i, j) for j in range(num) for i in range(j) if i // 2 != j // 2]
    common = Counter(counts[i][j] for i, j in pairs).most_common(1)
    told = [(i, j) for i, j in pairs if counts[i][j] != common[0][0]]
    kinds = [(0, counts[i][i]) for i in range(num)] + [(1, counts[i][j]) for i, j in told]
    number = {kind: color for color, kind in enumerate(sorted(set(kinds)))}
    edges = [(i, i + 1) for i in range(0, num, 2)]
    edges += [(i, num + k) for k, pair in enumerate(told) for i in pair]
    colors = [number[kind] for kind in kinds]
    found = raw.canonize(len(kinds), edges, colors=colors, generators=True)
    return [np.array(image[:num]) for image in found.generators]
