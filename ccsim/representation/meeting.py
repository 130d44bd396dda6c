"""Sets of few hypotheses that hit rows of more than a target weight.

The search is in C; without the engine, Python runs the same search with words of 64 bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from ctypes import c_int64, c_void_p
from functools import reduce
from math import inf
from operator import or_, sub
from struct import unpack
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ccsim.budget import Budget
from ccsim.classes.masks import members
from ccsim.native import Library
from ccsim.representation.branching import Branching, Node, Refutation, Visited
from ccsim.representation.neighbourhoods import Neighbourhood

Booleans = NDArray[np.bool_]
Integers = NDArray[np.int64]
_SLICE = 1 << 24  # additions between two glances at the clock: some milliseconds
_MOST = 1 << 14  # sets, or steps, that are written at a time
_MOST_STEPS = 200_000_000  # of a check of a tree; three quarters of what the kernel allows
_BYTES, _INTEGERS = (np.ctypeslib.ndpointer(kind, flags="C_CONTIGUOUS") for kind in ("u1", "i8"))
_LIBRARY = Library(
    "meeting",
    {
        "made": (c_void_p, (_BYTES, _INTEGERS, _INTEGERS, *[c_int64] * 6)),
        "searched": (None, (c_void_p, c_int64, c_int64, *[_INTEGERS] * 3)),
        "freed": (None, (c_void_p,)),
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
    """Yield the sets of ``size`` columns (or all if fewer) that hit more than a target weight."""
    kinds = np.arange(holds.shape[1]) if kinds is None else kinds
    yield from _Search(holds, weights, kinds, size, target, budget, rising).sets()


def meeting_tree(
    holds: Booleans, weights: Integers, size: int, target: int, budget: Budget
) -> tuple[list[tuple[int, ...]], list[list[int]]] | None:
    """Return the sets that `meeting_sets` yields, and a tree that proves that there are no others.

    The tree lists the columns tried at each node, in preorder. It is None if it is too long to
    check.
    """
    steps: list[int] = []
    search = _Search(holds, weights, np.arange(holds.shape[1]), size, target, budget, steps=steps)
    sets = [*search.sets()]
    if len(steps) > search.most_steps:
        return None
    nodes: list[list[int]] = [[]]
    path = [0]
    for column in steps:
        if column < 0:
            path.pop()
        else:
            nodes[path[-1]].append(column)
            path.append(len(nodes))
            nodes.append([])
    return sets, nodes


class _Search(NamedTuple):
    holds: Booleans
    weights: Integers
    kinds: Integers
    size: int
    target: int
    budget: Budget
    rising: bool = False
    steps: list[int] | None = None  # noted: on with a column, or, as -1, back from one

    @property
    def most_steps(self) -> int:
        """Maximum number of steps of a tree for the kernel, which counts nodes in the same way."""
        rows, columns = map(int, self.holds.shape)
        each = (2 + (rows >> 10)) * 2 * (columns + 1) + 2 * columns + rows // 2
        return 2 * (_MOST_STEPS // each)

    def sets(self) -> Iterator[tuple[int, ...]]:
        """Yield the sets, and stop if there are too many steps."""
        size = min(self.size, self.holds.shape[1])
        if not size:
            return
        library = _LIBRARY.found()
        search = self._in_python(size) if library is None else self._in_c(library, size)
        for places in search:
            yield tuple(sorted(set(places)))

    def _in_c(self, library: SimpleNamespace, size: int) -> Iterator[list[int]]:
        steps, kinds = self.steps, self.kinds.astype(np.int64)
        each = (self.weights, kinds, *self.holds.shape, size, self.target, self.rising)
        rows = np.ascontiguousarray(self.holds, np.uint8)
        if not (state := library.made(rows, *each, steps is not None)):
            raise MemoryError
        sets, walked, out = (np.zeros(length, np.int64) for length in (_MOST * size, _MOST, 3))
        try:
            while not out[2] and len(steps or ()) <= self.most_steps:
                self.budget.spend()
                library.searched(state, _SLICE, _MOST, sets, walked, out)
                if steps is not None:
                    steps += walked[: out[1]].tolist()
                yield from sets[: out[0] * size].reshape(-1, size).tolist()
        finally:
            library.freed(state)

    def _in_python(self, size: int) -> Iterator[list[int]]:
        holds, kinds, steps = self.holds, self.kinds, self.steps
        number, walked = holds.shape[1], [] if steps is None else steps
        most_steps = inf if steps is None else self.most_steps
        held = [sum(1 << i for i in np.flatnonzero(column).tolist()) for column in holds.T]
        lanes = [sum(1 << 64 * j for j in np.flatnonzero(row).tolist()) for row in holds]
        parts = [lane * weight for lane, weight in zip(lanes, self.weights.tolist(), strict=True)]
        best = self.target

        def visit(
            gains: int, opened: int, left: Sequence[int], chosen: list[int], met: int
        ) -> Iterator[list[int]]:
            nonlocal best
            self.budget.spend()
            meets = unpack(f"<{number}Q", gains.to_bytes(8 * number, "little"))
            order, more = sorted(left, key=meets.__getitem__, reverse=True), size - len(chosen)

            def most() -> int:
                several = order[:more] if steps is None else order[:1] * more
                return met + sum(int(meets[j]) for j in several)

            while order and most() > best and len(walked) <= most_steps:
                first, *order = order
                further = [*chosen, first]
                if more > 1:
                    walked.append(first)
                if more > 1 and order:
                    closed = [parts[i] for i in members(opened & held[first])]
                    still, rest = reduce(sub, closed, gains), opened & ~held[first]
                    yield from visit(still, rest, order, further, met + meets[first])
                elif met + meets[first] > best:
                    yield further
                    best = met + meets[first] if self.rising else best
                if more > 1:
                    walked.append(-1)
                if not chosen:
                    order = [j for j in order if kinds[j] != kinds[first]]

        yield from visit(sum(parts), (1 << len(parts)) - 1, range(number), [], 0)


_BITS = 60


def tried(
    used: Sequence[Neighbourhood],
    items: Mapping[int, int],
    weights: Sequence[int],
    size: int,
    target: int,
    budget: Budget,
) -> Refutation | tuple[int, ...] | None:
    """Return hypotheses that hit more than a target weight, or a proof that none do.

    Return None if the proof would be too long to check.
    """
    masks, number = [*items], len(weights)
    holds = np.array([[mask >> i & 1 for mask in masks] for i in range(number)], bool)
    shift = max(0, sum(weights).bit_length() - _BITS)
    rounded = np.array([weight >> shift for weight in weights])
    *_, best = meeting_sets(holds, rounded, size, -1, budget, rising=True)
    close = int(rounded[holds[:, list(best)].any(1)].sum())
    # each weight is rounded by less than 1, and counts once for each hypothesis at most
    found = meeting_tree(holds, rounded, size, close - size * number * bool(shift), budget)
    if found is None:
        return None

    def union(places: Sequence[int]) -> int:
        return sum(weights[i] for i in members(reduce(or_, (masks[j] for j in places))))

    sets, tree = found
    best = max([best, *sets], key=union)
    most, total = union(best), sum(weights)
    if most > target:
        return tuple(items[masks[j]] for j in best)
    nodes = tuple(Node((), tuple(items[masks[j]] for j in branches)) for branches in tree)
    proof = Branching(tuple(used), (), nodes, tuple(weights))
    return Refutation(proof, [Visited(size, total - most, 0)])
