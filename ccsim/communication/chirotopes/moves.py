"""Reorderings of lines, some negated, that keep the lines across, and the images of lemmas.

A line has the signs of its entries. The lines across are kept up to their order and their signs.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product

import numpy as np
import numpy.typing as npt

from ccsim.communication.chirotopes.cases import Line
from ccsim.communication.chirotopes.nodes import Move

Words = npt.NDArray[np.uint64]
Bits = npt.NDArray[np.bool_]
Literals = npt.NDArray[np.int16]

_MOST_MOVES = 1 << 14  # of a group


def moves_of(lines: Sequence[Line]) -> list[Move]:
    """Return generators of the moves that keep the lines across.

    They are the automorphisms of a graph whose vertices are lines and their opposites, on both
    sides; vertices are adjacent where the sign of the entry is positive.
    """
    from canonaut import raw

    k, width = len(lines), max((a | b).bit_length() for a, b in lines)
    edges = [(2 * i, 2 * i + 1) for i in range(k + width)]
    for (i, line), y, sign in product(enumerate(lines), range(width), (0, 1)):
        edges += [
            (2 * i + sign, 2 * (k + y) + (sign ^ negative))
            for negative in (0, 1)
            if line[negative] >> y & 1
        ]
    colors = [0] * 2 * k + [1] * 2 * width
    found = raw.canonize(2 * (k + width), edges, colors=colors, generators=True)
    moves = [
        Move(tuple(v // 2 for v in image[: 2 * k : 2]), tuple(v % 2 for v in image[: 2 * k : 2]))
        for image in found.generators
    ]
    identity = Move(tuple(range(k)), (0,) * k)
    return [move for move in dict.fromkeys(moves) if move != identity]


class Images:
    """Images of sets of signed determinants under a group of moves, and with all signs flipped."""

    def __init__(self, bases: list[tuple[int, ...]], moves: list[Move]) -> None:
        self.count = len(bases)
        lines = 1 + max(basis[-1] for basis in bases)
        self.identity = Move(tuple(range(lines)), (0,) * lines)
        number = {basis: v for v, basis in enumerate(bases)}
        # literal v is a positive, and count + v a negative determinant
        maps = [self._literals(bases, number, move) for move in moves]
        group: list[Literals] = [np.arange(2 * self.count, dtype=np.int16)]
        # for each element the one that it comes from, and the move after it
        self._origins: list[tuple[int, Move]] = [(0, self.identity)]
        seen = {group[0].tobytes()}
        for i, image in enumerate(group):  # grows while it is read
            for move, to in zip(moves, maps, strict=True):
                moved = to[image]
                if len(group) < _MOST_MOVES and (key := moved.tobytes()) not in seen:
                    seen.add(key)
                    group.append(moved)
                    self._origins.append((i, move))
        self.maps = np.stack(group)

    def _literals(
        self, bases: list[tuple[int, ...]], number: dict[tuple[int, ...], int], move: Move
    ) -> Literals:
        """Return the image of each literal under a move."""
        image = []
        for basis in bases:
            order = [move.order[line] for line in basis]
            negative = sum(a > b for a, b in combinations(order, 2))
            negative += sum(move.turned[line] for line in basis)
            image.append(number[tuple(sorted(order))] + self.count * (negative % 2))
        positive = np.array(image, dtype=np.int16)
        return np.concatenate((positive, (positive + self.count) % (2 * self.count)))

    def packed(self, bits: Bits) -> Words:
        """Return rows of bits as columns of words."""
        padded = np.zeros((len(bits), -(-2 * self.count // 64) * 64), dtype=bool)
        padded[:, : 2 * self.count] = bits
        words = np.packbits(padded, axis=1, bitorder="little").view(np.uint64)
        return np.ascontiguousarray(words.T)

    def literals(self, word: Words) -> list[int]:
        """Return the bits of a column of words."""
        bits = np.unpackbits(np.ascontiguousarray(word).view(np.uint8), bitorder="little")
        return [int(literal) for literal in np.flatnonzero(bits)]

    def orbit(self, literals: Sequence[int]) -> tuple[Words, npt.NDArray[np.int64]]:
        """Return the distinct images of a set under the group.

        For each image, also return a group element that yields it.
        """
        found = self.maps[:, list(literals)]
        found = np.concatenate((found, (found + self.count) % (2 * self.count)))
        bits = np.zeros((len(found), 2 * self.count), dtype=bool)
        bits[np.arange(len(found))[:, None], found] = True
        words = self.packed(bits)
        order = np.lexsort(words)
        fresh = np.ones(len(order), dtype=bool)
        fresh[1:] = (words[:, order[1:]] != words[:, order[:-1]]).any(0)
        first = order[fresh]
        return words[:, first], first % len(self.maps)

    def move(self, element: int) -> Move:
        """Return the move of an element of the group."""
        steps = []
        while element:
            element, move = self._origins[element]
            steps.append(move)
        found = self.identity
        for step in reversed(steps):
            found = step.after(found)
        return found
