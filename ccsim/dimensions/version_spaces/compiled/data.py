"""What the compiled search works on: columns, a hash table and a stack, all in arrays.

Main definitions: `Table`, `Memory`, `Stack`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["Ints", "Memory", "Stack", "Table", "Words"]

Words = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]


class Table(NamedTuple):
    """The essential columns of a class, each complemented if needed to have few ones.

    Attributes
    ----------
    columns : uint64, points by words
    starts, ones : int64, int32
        The ones of concept ``c`` are ``ones[starts[c]:starts[c + 1]]``.
    salts : uint64
        A random number for each word.
    counts : int64
        Room for one count for each point.
    everything : uint64
        A bit for each concept.
    moves : int64, elements by literals
        Image of each literal ``2x + b``, "point x has label b", under a group of symmetries, the
        identity first; more than one element only for at most 32 points.
    """

    columns: Words
    starts: Ints
    ones: npt.NDArray[np.int32]
    salts: Words
    counts: Ints
    everything: Words
    moves: Ints


class Memory(NamedTuple):
    """Open hash table from version spaces to a lower and an upper bound of their dimension.

    Attributes
    ----------
    keys : uint64, slots by 2
    bounds : int8, slots by 2
        A negative lower bound marks a free slot.
    used : int64
        The number of slots in use, and whether the table may grow.
    """

    keys: Words
    bounds: npt.NDArray[np.int8]
    used: Ints


class Stack(NamedTuple):
    """One version space for each level of a depth-first search; level 0 stands above the root.

    Attributes
    ----------
    words, active, num_active : arrays
        The words of each level, and which of them are not zero.
    keys, size, depth : arrays
        Key into the memory, number of concepts and the depth in question.
    shared : uint64
        The literals that all concepts share, one bit each; only where there are symmetries.
    points, ones, num_splits : arrays
        The points left to try, with the number of concepts on the side of label 1.
    candidates, num_candidates : arrays
        The points that may still split some subset.
    position, phase : arrays
        Where the level stands: in its list of points, and on the smaller (0) or larger side.
    meta : int64
        Current level, and the answer of the level above it or -1.
    """

    words: Words
    active: Ints
    num_active: Ints
    keys: Words
    size: Ints
    depth: Ints
    shared: Words
    points: Ints
    ones: Ints
    num_splits: Ints
    candidates: Ints
    num_candidates: Ints
    position: Ints
    phase: Ints
    meta: Ints
