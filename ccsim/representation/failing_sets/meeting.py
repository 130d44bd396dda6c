"""Sets of few hypotheses that meet more than a target of the weight of some rows.

Main definition: `meeting_sets`.

Implementation notes: a depth-first search in C. Where there is no C compiler, the same search is
done in Python, with what each hypothesis meets side by side in one long integer, 64 bits each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from ctypes import CDLL, c_int64, c_void_p
from functools import reduce
from operator import sub
from pathlib import Path
from struct import unpack
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ccsim.budget import Budget
from ccsim.classes.masks import members
from ccsim.native import Library, Sources

__all__ = ["meeting_sets"]

Booleans = NDArray[np.bool_]
Integers = NDArray[np.int64]

_SLICE = 1 << 24
"""Additions between two glances at the clock: some milliseconds."""
_MOST = 1024
"""Sets that are written at a time."""
_BYTES, _INTEGERS = (np.ctypeslib.ndpointer(kind, flags="C_CONTIGUOUS") for kind in ("u1", "i8"))
_LIBRARY = Library(
    Sources("meeting_sets", (Path(__file__).with_name("meeting.c"),)),
    {
        "meeting_made": (
            c_void_p,
            (_BYTES, _INTEGERS, _INTEGERS, c_int64, c_int64, c_int64, c_int64, c_int64),
        ),
        "meeting_searched": (c_int64, (c_void_p, c_int64, c_int64, _INTEGERS, _INTEGERS)),
        "meeting_freed": (None, (c_void_p,)),
    },
)


def meeting_sets(
    holds: Booleans,
    weights: Integers,
    size: int,
    target: int,
    budget: Budget,
    *,
    kinds: Integers | None = None,
    rising: bool = False,
) -> Iterator[tuple[int, ...]]:
    """Yield the sets of so many columns, or of all, that meet more than a target.

    Parameters
    ----------
    holds : array, rows by columns
        Whether a column meets a row.
    weights : array
        Of the rows; their sum is below ``2^62``.
    size : int
        At least 1.
    target : int
    budget : Budget
    kinds : array, columns, optional
        Of the sets that have a column of some kind only those are told that have the first one
        which is tried.
    rising : bool, optional
        Whether a set is to meet more than those before it, so that the last one meets most.

    Raises
    ------
    OutOfTimeError

    Notes
    -----
    Complexity: exponential in the size; a tenth of a second for 6 of 64 columns and 600 rows.

    Examples
    --------
    >>> holds = np.array([[1, 0, 1], [1, 1, 0], [0, 1, 1]], bool)
    >>> found = meeting_sets(holds, np.array([1, 1, 3]), 1, 3, Budget())
    >>> list(found)
    [(1,), (2,)]
    """
    kinds = np.arange(holds.shape[1]) if kinds is None else kinds
    size = min(size, holds.shape[1])
    if not size:
        return
    library = _LIBRARY.found() if _LIBRARY.is_possible() else None
    search = _in_python if library is None else _in_c(library)
    for places in search(holds, weights, kinds.astype(np.int64), size, target, budget, rising):
        yield tuple(sorted(set(places)))


def _in_c(library: CDLL) -> Any:  # noqa: ANN401 - a function as `_in_python`
    def search(
        holds: Booleans,
        weights: Integers,
        kinds: Integers,
        size: int,
        target: int,
        budget: Budget,
        rising: bool,  # noqa: FBT001
    ) -> Iterator[list[int]]:
        table = np.ascontiguousarray(holds, np.uint8)
        state = library.meeting_made(table, weights, kinds, *table.shape, size, target, rising)
        if not state:
            raise MemoryError
        sets, ended = np.empty((_MOST, size), np.int64), np.zeros(1, np.int64)
        try:
            while not ended[0]:
                budget.spend()
                found = library.meeting_searched(state, _SLICE, _MOST, sets, ended)
                yield from sets[:found].tolist()
        finally:
            library.meeting_freed(state)

    return search


def _in_python(
    holds: Booleans,
    weights: Integers,
    kinds: Integers,
    size: int,
    target: int,
    budget: Budget,
    rising: bool,  # noqa: FBT001
) -> Iterator[list[int]]:
    number = holds.shape[1]
    held = [sum(1 << i for i in np.flatnonzero(column).tolist()) for column in holds.T]
    lanes = [sum(1 << 64 * j for j in np.flatnonzero(row).tolist()) for row in holds]
    parts = [lane * weight for lane, weight in zip(lanes, weights.tolist(), strict=True)]
    best = target

    def visit(
        gains: int, opened: int, left: Sequence[int], chosen: list[int], met: int
    ) -> Iterator[list[int]]:
        nonlocal best
        budget.spend()
        meets = unpack(f"<{number}Q", gains.to_bytes(8 * number, "little"))
        order, more = sorted(left, key=meets.__getitem__, reverse=True), size - len(chosen)
        while order and met + sum(meets[j] for j in order[:more]) > best:
            first, *order = order
            if more == 1 or not order:
                if met + meets[first] > best:
                    yield [*chosen, first]
                    best = met + meets[first] if rising else best
                continue
            closed = [parts[i] for i in members(opened & held[first])]
            rest = reduce(sub, closed, gains)
            further = [*chosen, first]
            yield from visit(rest, opened & ~held[first], order, further, met + meets[first])
            if not chosen:
                order = [j for j in order if kinds[j] != kinds[first]]

    yield from visit(sum(parts), (1 << len(parts)) - 1, range(number), [], 0)
