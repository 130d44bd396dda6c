"""Which distribution of Alice, or which answer of Bob, of a case should be cut, in floats.

A mixture of corners (see `mixtures`) errs less than one protocol by what distributions and answers
vary together: the error is a sum of products, and the mean of a product is not the product of
means.

Implementation notes: the loops are in C; without the engine numpy takes their place, and rounds
alike.
"""

from __future__ import annotations

from ctypes import c_double, c_int64
from typing import Any, TypeAlias

import numpy as np

from ccsim.native import Library

Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]
Bytes: TypeAlias = np.ndarray[Any, np.dtype[np.int8]]
Best: TypeAlias = tuple[float, int, int, int, float, int, int]

_NEVER = 1e-12
_LONGER = 1.5

_FLOATS, _BYTES, _INTEGERS = (
    np.ctypeslib.ndpointer(kind, flags="C_CONTIGUOUS") for kind in ("f8", "i1", "i8")
)
_CASE = (_FLOATS, c_int64, c_int64, c_int64, _FLOATS, _BYTES, _FLOATS)
_MIXTURE = (c_int64, _FLOATS, _BYTES, _BYTES)
_LIBRARY = Library(
    "gains",
    {"best_cut": (c_int64, (*_CASE, *_MIXTURE, c_double, _FLOATS, _INTEGERS))},
)


def best_cut(
    signed: Floats,
    laws: Floats,
    sizes: Bytes,
    ends: Floats,
    mixture: tuple[Floats, Bytes, Bytes],
    finest: float,
) -> Best:
    """Return the gain of the best edge, and that of the best answer, with their places."""
    if (library := _LIBRARY.found()) is None:
        return _best_cut(signed, laws, sizes, ends, mixture, finest)
    best, places = np.zeros(2), np.zeros(5, np.int64)
    case, corners = (signed, *signed.shape, laws.shape[2], laws, sizes, ends), len(mixture[0])
    if not library.best_cut(*case, corners, *mixture, finest, best, places):
        raise MemoryError
    law, first, second, y, m = places.tolist()
    return float(best[0]), law, first, second, float(best[1]), y, m


def _best_cut(
    signed: Floats,
    laws: Floats,
    sizes: Bytes,
    ends: Floats,
    mixture: tuple[Floats, Bytes, Bytes],
    finest: float,
) -> Best:
    shares, vertices, high = mixture
    k = laws.shape[1]
    weighed = shares[:, None, None] * np.where(high == 1, ends[1], ends[0])
    best, law, first, second = 0.0, -1, 0, 0
    worth = np.zeros(ends.shape[1:])
    for x, vertex in enumerate(vertices.T):
        parts, sums = np.zeros(k), np.zeros((k, *worth.shape))
        np.add.at(parts, vertex, shares)
        np.add.at(sums, vertex, weighed)
        gains = np.zeros(worth.shape)
        for j in range(k):
            for i in range(j):
                if min(parts[i], parts[j]) > _NEVER:
                    apart = parts[j] * sums[i] - parts[i] * sums[j]
                    step = laws[x, i] - laws[x, j]
                    each = signed[x][:, None] * step * apart
                    gains += each
                    gain = float(np.maximum(each, 0.0).cumsum()[-1])
                    if gain > best and np.abs(step).max() > finest:
                        best, law, first, second = gain, x, i, j
        worth += np.maximum(gains, 0.0)
    if law >= 0:
        first, second = _longest(laws[law], int(sizes[law]), first, second)
    y, m = divmod(int(worth.argmax()), worth.shape[1])
    return best, law, first, second, float(worth[y, m]), y, m


def _longest(law: Floats, size: int, first: int, second: int) -> tuple[int, int]:
    """Return an edge, or the longest one of the simplex if that is much longer."""
    longest = _LONGER * np.abs(law[first] - law[second]).max()
    for j in range(size):
        for i in range(j):
            length = np.abs(law[i] - law[j]).max()
            if length > longest:
                longest, first, second = length, i, j
    return first, second
