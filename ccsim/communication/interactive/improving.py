"""Good protocols of any size by local search: the players improve their messages in turn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ccsim.communication.interactive.messages import Pair, with_answers
from ccsim.communication.interactive.trees import Limits, Node, Table, Tree

_TURNS = 20


def good_tree(weights: Table, limits: Limits, rng: np.random.Generator) -> Tree:
    """Return a complete tree, found from random messages, that no player can improve."""
    search = _Messages(weights, limits, rng)
    last = -1.0
    for _ in range(_TURNS):
        search.improve(0)
        search.improve(1)
        if (gain := search.answer()) <= last:
            break
        last = gain
    return tuple(search.nodes())


class _Messages:
    """A complete tree: node 1 is the root; node ``i`` has the children ``2i`` and ``2i + 1``."""

    def __init__(self, weights: Table, limits: Limits, rng: np.random.Generator) -> None:
        self._weights, self._sizes = weights, weights.shape
        self._depth = limits.bits
        self._inner = 1 << limits.bits
        self._speaker = _speakers(limits, rng)
        # the bit of each line at each node, which is used only if its side speaks
        self._bits = [rng.random((self._inner, n)) < 1 / 2 for n in self._sizes]
        self._answers = np.where(rng.random(self._inner) < 1 / 2, 1.0, -1.0)
        self.answer()

    def _reached(self, side: int) -> Table:
        """Return which lines of a side lead to each leaf, as 0 and 1."""
        reached = np.ones((1, self._sizes[side]))
        for level in range(self._depth):
            nodes = slice(1 << level, 2 << level)
            both = np.repeat(reached[:, None, :], 2, axis=1)
            own = np.array(self._speaker[nodes]) == side
            bits = self._bits[side][nodes][own]
            both[own, 0] *= ~bits
            both[own, 1] *= bits
            reached = both.reshape(-1, self._sizes[side])
        return reached

    def improve(self, side: int) -> None:
        """Choose the best messages for each line of a side, given those of the other side."""
        weights = self._weights if side == 0 else self._weights.T
        gains = (self._answers[:, None] * self._reached(1 - side)) @ weights.T
        for level in reversed(range(self._depth)):
            nodes = slice(1 << level, 2 << level)
            zero, one = gains[0::2], gains[1::2]
            own = (np.array(self._speaker[nodes]) == side)[:, None]
            self._bits[side][nodes] = one > zero
            gains = np.where(own, np.maximum(zero, one), zero + one)

    def answer(self) -> float:
        """Give each leaf its best answer; return the gain."""
        rows, columns = self._reached(0), self._reached(1)
        sums = ((rows @ self._weights) * columns).sum(axis=1)
        self._answers = np.where(sums > 0, 1.0, -1.0)
        return float(np.abs(sums).sum())

    def nodes(self) -> list[Node]:
        """Return the tree without the nodes at which all remaining lines send the same bit."""
        found: list[Node] = []
        left = [(1, *((1 << n) - 1 for n in self._sizes))]
        while left:
            i, rows, columns = left.pop()
            if i >= self._inner:
                found.append(int(self._answers[i - self._inner] > 0))
                continue
            side = self._speaker[i]
            zeros = sum(1 << int(line) for line in np.flatnonzero(~self._bits[side][i]))
            own = (rows, columns)[side]
            parts = [own & zeros, own & ~zeros]
            if all(parts):
                found.append((side, parts[0]))
            left += [
                (2 * i + bit, part, columns) if side == 0 else (2 * i + bit, rows, part)
                for bit, part in ((1, parts[1]), (0, parts[0]))
                if part
            ]
        return found


def _speakers(limits: Limits, rng: np.random.Generator) -> list[int]:
    """Return a random speaker for each node, with the limit on changes on each path.

    With probability 1/2, one player sends all bits except the last one, as in a one-way protocol.
    """
    changes = limits.bits if limits.rounds is None else limits.rounds - 1
    if limits.bits and changes and rng.random() < 1 / 2:
        first, last = int(rng.integers(2)), 1 << limits.bits - 1
        return [first] * last + [1 - first] * last
    speaker, left = [0] * (1 << limits.bits), [changes] * (1 << limits.bits)
    if limits.bits:
        speaker[1] = int(rng.integers(2))
    for i in range(2, 1 << limits.bits):
        is_changed = left[i // 2] > 0 and rng.random() < 1 / 2
        speaker[i] = speaker[i // 2] ^ is_changed
        left[i] = left[i // 2] - is_changed
    return speaker


def good_pair(weights: Table, bits: Sequence[int], rng: np.random.Generator) -> Pair:
    """Return a simultaneous protocol, found from random messages, that no player can improve."""
    numbers = [min(1 << min(i, 32), n) for i, n in zip(bits, weights.shape, strict=True)]
    classes = [rng.integers(k, size=n) for k, n in zip(numbers, weights.shape, strict=True)]
    answers, last = np.ones((numbers[0], numbers[1])), -1.0
    for _ in range(_TURNS):
        members = [c[:, None] == np.arange(k) for c, k in zip(classes, numbers, strict=True)]
        sums = members[0].T @ (weights @ members[1])
        answers = np.where(sums > 0, 1.0, -1.0)
        if (gain := float(np.abs(sums).sum())) <= last:
            break
        last = gain
        for side in (0, 1):
            own = weights if side == 0 else weights.T
            told = answers if side == 0 else answers.T
            member = classes[1 - side][:, None] == np.arange(numbers[1 - side])
            classes[side] = ((own @ member) @ told.T).argmax(axis=1)
    return with_answers(weights, classes[0].tolist(), classes[1].tolist())
