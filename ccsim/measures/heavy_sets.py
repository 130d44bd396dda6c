"""Sets of rows whose rectangle with the best columns weighs more than a limit.

The search is in C; without the engine, Python runs the same search.
"""

from __future__ import annotations

from ctypes import c_int32, c_int64
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.budget import Budget
from ccsim.native import Library

GROUP = 8
"""Columns whose subsets are tabulated: the bound of a case takes the best subset of each group."""
_SLICE = 1 << 24  # sums that are formed between two glances at the clock: some milliseconds
_YES, _PAUSED, _FAILED = 1, 2, 3
_ENTER = 2
Integers = npt.NDArray[np.int64]
Rows = npt.NDArray[np.uint8]
_INTEGERS, _SHORT, _BYTES, _STATES = (
    np.ctypeslib.ndpointer(kind, flags="C_CONTIGUOUS") for kind in ("i8", "i4", "u1", "i1")
)
_LIBRARY = Library(
    "powers",
    {
        "heavy": (
            c_int32,
            (
                *[_INTEGERS] * 2,
                *[c_int64] * 3,
                _SHORT,
                *[c_int64] * 4,
                *[_INTEGERS] * 2,
                *[_SHORT] * 2,
                _INTEGERS,
                _STATES,
                *[_BYTES] * 2,
            ),
        )
    },
)


def heavy_sets(
    weights: Integers, moved: npt.NDArray[np.int32], limit: int, most: int, budget: Budget
) -> tuple[Rows, bool]:
    """Return sets of rows that weigh more than a limit with the best columns, and if these are all.

    The search stops after ``most`` sets. A unit of work is a sum of weights. Each permutation
    ``moved[g]`` of the rows, together with a permutation of the columns, preserves the weights; a
    set is left out if its image is lexicographically larger. The absolute values of the weights
    must sum to less than 2^62.
    """
    search = _Search(weights, moved, limit, most)
    answer, most_nodes = _PAUSED, max(1, _SLICE // search.width)
    while answer == _PAUSED:
        before = int(search.state[2])
        answer = search.step(min(most_nodes, budget.work // search.width + 1))
        budget.spend((int(search.state[2]) - before) * search.width)
    return search.found[: search.state[1]], answer == _YES


class _Search:
    """A search through the sets of rows, decided from the first row to the last."""

    def __init__(
        self, weights: Integers, moved: npt.NDArray[np.int32], limit: int, most: int
    ) -> None:
        rows, self.limit, self.most = len(weights), limit, most
        self.weights = _sums(weights)
        self.rows, self.groups, self.size = self.weights.shape
        self.width = self.groups * self.size
        later = np.maximum(self.weights, 0)[::-1].cumsum(axis=0)[::-1]
        self.above = np.concatenate((later, np.zeros_like(self.weights[:1])))
        self.moved, perms = np.ascontiguousarray(moved, np.int32), len(moved)
        self.state = np.zeros(3, np.int64)  # the numbers of decided rows, of sets found, of cases
        self.sums = np.zeros((rows + 1, self.groups, self.size), np.int64)
        self.tied = np.tile(np.arange(perms, dtype=np.int32), (rows + 1, 1))
        self.place = np.zeros((rows + 1, perms), np.int32)
        self.ties = np.full(rows + 1, perms, np.int64)
        self.next = np.full(rows + 1, _ENTER, np.int8)
        self.taken = np.zeros(rows, np.uint8)
        self.found = np.zeros((most, rows), np.uint8)

    def step(self, work: int) -> int:
        """Enter at most ``work`` cases; return whether the search ended or paused."""
        if (library := _LIBRARY.found()) is not None:
            return self._compiled(library, work)
        while work > 0:
            i = int(self.state[0])
            if self.next[i] == _ENTER:
                work -= 1
                self.state[2] += 1
                if self._enter(i) == self.most:
                    return _FAILED
            elif self.next[i] >= 0:
                self._decide(i)
            elif not i:
                return _YES
            else:
                self.state[0] -= 1
        return _PAUSED

    def _compiled(self, library: SimpleNamespace, work: int) -> int:
        shape = (self.rows, self.groups, self.size)
        tables = (self.sums, self.tied, self.place, self.ties, self.next, self.taken, self.found)
        numbers = (len(self.moved), self.limit, self.most, work)
        data: tuple[Any, ...] = (self.weights, self.above, *shape, self.moved, *numbers)
        answer: int = library.heavy(*data, self.state, *tables)
        return answer

    def _enter(self, i: int) -> int:
        """Keep the set if it is heavy, and close the case if none in it is; count the sets."""
        sums = self.sums[i]
        value = int(np.maximum(sums.max(axis=1), 0).sum())
        bound = int((sums + self.above[i]).max(axis=1).sum())
        self.next[i] = 1 if bound > self.limit and i < self.rows else -1
        if value > self.limit and i and self.taken[i - 1]:
            self.found[self.state[1], :i] = self.taken[:i]
            self.state[1] += 1
        else:
            return -1
        return int(self.state[1])

    def _decide(self, i: int) -> None:
        """Take or leave row i, unless a permutation makes the set larger."""
        self.taken[i] = self.next[i]
        self.next[i] -= 1
        ties, depth, taken = int(self.ties[i]), i + 1, self.taken.tolist()
        kept = []
        for g, start in zip(self.tied[i, :ties].tolist(), self.place[i].tolist(), strict=False):
            image, at = self.moved[g], start
            while at < depth and image[at] < depth and taken[image[at]] == taken[at]:
                at += 1
            if at >= depth or image[at] >= depth:
                kept += [(g, at)] if at < self.rows else []
            elif taken[image[at]]:
                return
        self.tied[depth, : len(kept)] = [g for g, _ in kept]
        self.place[depth, : len(kept)] = [at for _, at in kept]
        self.ties[depth], self.state[0], self.next[depth] = len(kept), depth, _ENTER
        self.sums[depth] = self.sums[i] + (self.weights[i] if taken[i] else 0)


def _sums(weights: Integers) -> Integers:
    """Return, for each row and each group of columns, the sums of all subsets of the group."""
    groups = max(1, -(-weights.shape[1] // GROUP))
    padded = np.zeros((len(weights), groups, GROUP), np.int64)
    padded.reshape(len(weights), -1)[:, : weights.shape[1]] = weights
    sums = np.zeros((len(weights), groups, 1), np.int64)
    for y in range(GROUP):
        sums = np.concatenate((sums, sums + padded[:, :, y : y + 1]), axis=2)
    return sums
