"""The best two-way protocol for weighted inputs, from tables over rectangles.

The gain of a tree is the sum of the absolute balances of its leaves, where weights are positive on
value 1 and negative on value 0. The cost is half of the total weight minus the gain.
"""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import c_int64
from typing import Any, NamedTuple

import numpy as np

from ccsim.budget import Budget
from ccsim.classes.masks import members
from ccsim.communication.partitions.tables import Weights, integer_array
from ccsim.data import frozen
from ccsim.errors import InstanceTooLargeError
from ccsim.native import Library

Table = np.ndarray[Any, np.dtype[Any]]
Rectangle = tuple[int, int]
Node = tuple[int, int] | int
"""The side that speaks with the mask of the lines that send 0, or an answer."""
Tree = tuple[Node, ...]
"""Nodes in preorder; the subtree of the message 0 precedes that of the message 1."""

MAX_STEPS = 1 << 28  # maximum number of steps for a best protocol. Beyond: bounds on the error
MAX_ENTRIES = 1 << 20  # maximum number of entries of a table. Beyond: bounds on the error
_STEPS = 1 << 25  # steps of a loop between two looks at the clock
_MOST_LINES = 40  # of a side of which all sets are listed
_ROOTS = 12  # best moves of the first speaker whose trees are returned
_TABLE, _NUMBER = np.ctypeslib.ndpointer(np.int64, flags="C_CONTIGUOUS"), c_int64
_LIBRARY = Library("splits", {"best": (None, (_TABLE, _NUMBER, _TABLE, _NUMBER, _NUMBER))})


class State(NamedTuple):
    """The rest of a protocol: bits left, and the last speaker if the changes left matter."""

    bits: int
    speaker: int | None = None
    changes: int | None = None

    @classmethod
    def of(cls, bits: int, speaker: int | None, changes: int | None) -> State:
        """Return the state in which differences without effect on the value are removed."""
        if bits == 0 or changes is None or changes >= bits:
            return cls(bits)
        return cls(1 if changes == 0 else bits, speaker, changes)

    def moves(self) -> Iterator[tuple[int, State]]:
        """Yield the sides that may speak, each with the next state."""
        if not self.bits:
            return
        for side in (0, 1):
            if self.changes is None:
                yield side, State(self.bits - 1)
            elif self.speaker is None:  # nobody has spoken
                yield side, State.of(self.bits - 1, side, self.changes)
            elif side == self.speaker or self.changes:
                left = self.changes - (side != self.speaker)
                yield side, State.of(self.bits - 1, side, left)


@frozen
class Limits:
    """The bits and the rounds (None: any number) that a protocol may use."""

    bits: int
    rounds: int | None = None

    def start(self) -> State:
        """Return the state before the first message."""
        if self.rounds is None or self.rounds >= self.bits:
            return State(self.bits)
        return State(self.bits, None, self.rounds - 1)


class TreeSizes:
    """The tables that a best tree needs, with their sizes."""

    def __init__(self, rows: int, columns: int) -> None:
        self._sizes = rows, columns
        self._known: set[tuple[State, tuple[bool, bool]]] = set()
        self.steps = 0
        self.entries = 1  # of the largest table

    def visit(self, state: State, whole: tuple[bool, bool]) -> None:
        """Add a table of all sets of lines of each side, or of the whole side only."""
        if (state, whole) in self._known:
            return
        self._known.add((state, whole))
        exponents = [0 if w else n for w, n in zip(whole, self._sizes, strict=True)]
        entries = 1 << sum(exponents)
        self.entries = max(self.entries, entries)
        if state.bits <= 1:
            self.steps += (2 + max(self._sizes)) * entries
            return
        for side, after in state.moves():
            n, other = self._sizes[side], exponents[1 - side]
            self.steps += (1 << n if whole[side] else 3**n // 2) << other
            self.visit(after, (False, whole[1]) if side == 0 else (whole[0], False))


def steps_of_trees(rows: int, columns: int, limits: Limits) -> int:
    """Return the number of steps for a best tree; raise if there are too many."""
    sizes = TreeSizes(rows, columns)
    sizes.visit(limits.start(), (True, True))
    if sizes.steps > MAX_STEPS or sizes.entries > MAX_ENTRIES:
        raise InstanceTooLargeError(
            f"{rows} x {columns} inputs remain after reduction; a best tree of {limits.bits} bits "
            f"takes {sizes.steps} steps and a table of {sizes.entries} entries; the limits are "
            f"{MAX_STEPS} and {MAX_ENTRIES}"
        )
    return sizes.steps


def steps_to_check_trees(rows: int, columns: int, limits: Limits) -> int:
    """Return about the number of steps in which the kernel finds the cost of a best tree."""
    n, m = rows, columns
    if limits.bits <= 1 or limits.rounds == 1:
        return n * m
    if max(n, m) > _MOST_LINES:
        return MAX_STEPS
    tables = min(limits.bits - 2, n + m) * min(limits.rounds or 1, limits.bits)
    return 6 * (n << m) + 6 * (m << n) + tables * (int(3**n << m) + int(3**m << n) >> 3)


class TreeSearch:
    """Tables of the largest gain of a tree for each rectangle and state, and the best trees."""

    def __init__(self, weights: Weights, limits: Limits, budget: Budget | None = None) -> None:
        self._weights = integer_array(weights)
        self._budget = budget or Budget()
        self._start = limits.start()
        self._sizes = self._weights.shape
        self._all: Rectangle = ((1 << self._sizes[0]) - 1, (1 << self._sizes[1]) - 1)
        self._tables: dict[tuple[State, tuple[bool, bool]], Table] = {}
        self.total = int(np.abs(self._weights).sum())
        self.gain = int(self._table(self._start, (True, True))[0, 0])

    @property
    def cost(self) -> int:
        """The minimum weight of the inputs on which a tree errs."""
        return (self.total - self.gain) // 2

    def _table(self, state: State, whole: tuple[bool, bool]) -> Table:
        """Return the gains of the state for all sets of rows and columns, or for whole sides."""
        if (known := self._tables.get((state, whole))) is not None:
            return known
        if (known := self._tables.get((state, (False, False)))) is not None:
            return known[-1:, :] if whole[0] else known[:, -1:]
        self._budget.spend()
        if state.bits == 0:
            found = np.abs(self._sums(whole))
        elif state.bits == 1:
            sides = [side for side, _ in state.moves()]
            found = self._last(sides[0], whole)
            for side in sides[1:]:
                found = np.maximum(found, self._last(side, whole))
        else:
            parts = []
            for side, after in state.moves():
                below = self._table(after, (False, whole[1]) if side == 0 else (whole[0], False))
                turned = below if side == 0 else below.T
                split = self._split(turned, whole=whole[side])
                parts.append(split if side == 0 else split.T)
            found = parts[0] if len(parts) == 1 else np.maximum(*parts)
        self._tables[state, whole] = found
        return found

    def _sums(self, whole: tuple[bool, bool]) -> Table:
        """Return the balance of each rectangle."""
        rows = self._weights.sum(axis=0, keepdims=True) if whole[0] else _unions(self._weights)
        return rows.sum(axis=1, keepdims=True) if whole[1] else _unions(rows.T).T

    def _last(self, side: int, whole: tuple[bool, bool]) -> Table:
        """Return the gains if each line of a side determines the answer."""
        weights = self._weights if side == 0 else self._weights.T
        whole = whole if side == 0 else (whole[1], whole[0])
        if whole[1]:
            each = np.abs(weights.sum(axis=1, keepdims=True))
            found: Table = each.sum(axis=0, keepdims=True) if whole[0] else _unions(each)
        elif whole[0]:  # line by line, as a table of all lines may be too large
            found = np.zeros((1, 1 << weights.shape[1]), weights.dtype)
            for line in self._budget.each(weights):
                found += np.abs(_unions(line[:, None])).T
        else:
            found = _unions(np.abs(_unions(weights.T).T))
        return found if side == 0 else found.T

    def _split(self, gains: Table, *, whole: bool) -> Table:
        """Return the most that two parts of each set of rows gain together."""
        if whole:
            return np.asarray((gains + gains[::-1]).max(axis=0, keepdims=True))
        size, width = gains.shape
        found, library = np.empty_like(gains, order="C"), _LIBRARY.found()
        if library is None or gains.dtype == object:
            found[0] = gains[0]
            for s in self._budget.each(range(1, size)):
                parts = _parts(s)
                found[s] = (gains[parts] + gains[s ^ parts]).max(axis=0)
            return found
        gains = np.ascontiguousarray(gains)
        part = max(1, _STEPS * size // (width * 3 ** (size.bit_length() - 1)))
        for start in range(0, size, part):
            library.best(gains, width, found, start, min(start + part, size))
            self._budget.spend()
        return found

    def trees(self, least: int = 0, most: int = _ROOTS) -> list[Tree]:
        """Return a best tree and other trees whose gain is above a number, best first."""
        if self._start.bits <= 1:
            return [tuple(self._best(self._start, self._all))]
        found: list[tuple[int, int, int, State]] = []
        for side, after in self._start.moves():
            gains = self._gains(after, side, self._all[1 - side])
            both = gains + gains[::-1]
            half = both[: len(both) // 2]
            order = np.argsort(-half, kind="stable")[:most].tolist()
            found += [(-int(half[part]), side, part, after) for part in order]
        found.sort(key=lambda each: each[:3])
        chosen = [one for i, one in enumerate(found[:most]) if i == 0 or -one[0] > least]
        return [self._rooted(side, part, after) for _, side, part, after in chosen]

    def _rooted(self, side: int, part: int, after: State) -> Tree:
        """Return the best tree whose first message divides a side into a part and the rest."""
        rows, columns = self._all
        nodes: list[Node] = [(side, part)]
        for own in (part, self._all[side] ^ part):
            nodes += self._best(after, (own, columns) if side == 0 else (rows, own))
        return tuple(nodes)

    def _gains(self, state: State, side: int, other: int) -> Table:
        """Return the gains of a state for all sets of lines of a side, given the other side's."""
        whole = other == self._all[1 - side]
        table = self._table(state, (False, whole) if side == 0 else (whole, False))
        at = -1 if whole else other
        return table[:, at] if side == 0 else table[at]

    def _best(self, state: State, rectangle: Rectangle) -> list[Node]:
        """Return the nodes of a best tree for a rectangle."""
        rows, columns = (list(members(mask)) for mask in rectangle)
        part = self._weights[np.ix_(rows, columns)]
        if state.bits == 0 or not rows or not columns:
            return [int(part.sum() > 0)]
        if state.bits == 1:
            sides = [side for side, _ in state.moves()]
            side = max(sides, key=lambda s: np.abs(part.sum(axis=1 - s)).sum())
            ones = part.sum(axis=1 - side) > 0
            lines = zip((rows, columns)[side], ones, strict=True)
            own = sum(1 << line for line, one in lines if not one)
            return [int(bool(ones[0]))] if own in (0, rectangle[side]) else [(side, own), 0, 1]
        best: tuple[int, int, int, State] | None = None
        for side, after in state.moves():
            own, other = rectangle[side], rectangle[1 - side]
            gains, parts = self._gains(after, side, other), _parts(own)
            both = gains[parts] + gains[own ^ parts]
            at = int(both.argmax())
            if best is None or int(both[at]) > best[0]:
                best = int(both[at]), side, int(parts[at]), after
        if best is None:
            raise ValueError(state)
        _, side, chosen, after = best
        own, other = rectangle[side], rectangle[1 - side]
        if chosen == own:
            return self._best(after, rectangle)
        nodes: list[Node] = [(side, chosen)]
        for each in (chosen, own ^ chosen):
            nodes += self._best(after, (each, other) if side == 0 else (other, each))
        return nodes


def _unions(lines: Table) -> Table:
    """Return the sum of each set of the rows of a matrix."""
    found = np.zeros((1, lines.shape[1]), lines.dtype)
    for line in lines:
        found = np.concatenate((found, found + line))
    return found


def _parts(mask: int) -> Table:
    """Return the submasks of a mask that contain its lowest bit."""
    low = mask & -mask
    found = np.array([low], np.int64)
    rest = mask ^ low
    while rest:
        line = rest & -rest
        found = np.concatenate((found, found | line))
        rest ^= line
    return found


def answers_of(tree: Tree, shape: tuple[int, int]) -> Table:
    """Return the Boolean matrix of the answers of a tree."""
    found = np.zeros(shape, np.bool_)
    left: list[Rectangle] = [((1 << shape[0]) - 1, (1 << shape[1]) - 1)]
    for node in tree:
        rows, columns = left.pop()
        if isinstance(node, int):
            if node:
                found[np.ix_(list(members(rows)), list(members(columns)))] = True
            continue
        side, own = node
        if side == 0:
            left += [(rows & ~own, columns), (rows & own, columns)]
        else:
            left += [(rows, columns & ~own), (rows, columns & own)]
    return found
