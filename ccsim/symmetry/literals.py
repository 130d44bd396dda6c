"""A small group of symmetries of a class, acting on the literals of its essential columns.

Statement: a symmetry of a class maps the literals ``2x + b`` ("column x has label b") that the
concepts of a version space share onto those that the concepts of its image share. So both are told
apart from other version spaces, up to symmetry, by the least of the images of this set.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np

from ccsim.data import frozen
from ccsim.symmetry.matrix import Symmetry

MAX_ORDER = 8
"""Most elements; with more of them it takes long to go through the images of a version space."""
_MOST_COLUMNS = 32

Copies = Sequence[Sequence[tuple[int, int]]]
Move = tuple[int, ...]


@frozen
class LiteralGroup:
    """The elements of a group, number 0 being the identity."""

    moves: tuple[Move, ...]  # the image of each literal under each element
    # generators whose product, from the first to the last, is the element
    words: tuple[tuple[int, ...], ...]
    symmetries: tuple[Symmetry, ...]  # the generators, each acting in another way

    @classmethod
    def generated(cls, symmetries: Sequence[Symmetry], copies: Copies) -> Self:
        """Return the group that symmetries generate, or the trivial one instead of a large one."""
        identity = tuple(range(2 * len(copies)))
        named = moves_of(symmetries, copies)
        generators = list(named)
        words: dict[Move, tuple[int, ...]] = {identity: ()}
        for move in (waiting := [identity]):
            for number, generator in enumerate(generators):
                image = tuple([generator[i] for i in move])
                if image not in words:
                    words[image] = (*words[move], number)
                    waiting.append(image)
            if len(words) > MAX_ORDER or len(copies) > _MOST_COLUMNS:
                return cls((identity,), ((),), ())
        return cls(tuple(words), tuple(words.values()), tuple(named.values()))

    def back(self) -> list[list[int]]:
        """Return for each element, followed by each element, the one that undoes both."""
        place = {move: number for number, move in enumerate(self.moves)}
        both = [[tuple([h[i] for i in g]) for h in self.moves] for g in self.moves]
        return [[place[tuple(np.argsort(move).tolist())] for move in moves] for moves in both]


def moves_of(symmetries: Sequence[Symmetry], copies: Copies) -> dict[Move, Symmetry]:
    """Return symmetries by what they do to the literals, one for each, none for the identity."""
    place = {x: (i, flip) for i, points in enumerate(copies) for x, flip in points}
    named = {_move(symmetry, copies, place): symmetry for symmetry in symmetries}
    named.pop(tuple(range(2 * len(copies))), None)  # it exchanges points with the same column
    return named


def _move(symmetry: Symmetry, copies: Copies, place: dict[int, tuple[int, int]]) -> Move:
    """Return the image of each literal of the essential columns."""
    images = []
    for points in copies:
        x, flip = points[0]
        y, turn = place[symmetry.columns[x]]
        images += [2 * y + (b ^ flip ^ turn ^ (symmetry.flips >> x & 1)) for b in (0, 1)]
    return tuple(images)
