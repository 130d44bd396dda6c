"""What the compiled search of one class works on, and how it grows.

Main definition: `Workspace`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ccsim.classes import ConceptClass
from ccsim.dimensions.version_spaces.compiled.data import Ints, Memory, Stack, Table, Words
from ccsim.dimensions.version_spaces.compiled.kernels import advance, ask, copy_memory
from ccsim.dimensions.version_spaces.compiled.spaces import put_root
from ccsim.symmetry.literals import LiteralGroup
from ccsim.symmetry.matrix import Symmetry
from ccsim.symmetry.tall import class_bits, packed_columns

__all__ = ["SLICE", "Workspace"]

SLICE = 1 << 26
"""Words looked at between two glances at the clock: some hundredths of a second."""
_FIRST_SLOTS = 1 << 14
_MOST_SLOTS = 1 << 26
"""The memory takes 18 bytes a slot; a full one is no longer added to."""


class Workspace:
    """The columns of a class, and what has been found out about its version spaces.

    Parameters
    ----------
    concept_class : ConceptClass
        Not empty.
    symmetries : sequence of Symmetry
        Of the class.

    Attributes
    ----------
    table : Table
        The essential columns.
    copies : list of lists of (point, flip)
        The points that share each of them; 1 if the column of the point is the complement.
    constant : list of (point, label)
        The points on which all concepts agree.
    group : LiteralGroup
        Symmetries of the class, if they are few.
    memory : Memory
    """

    def __init__(self, concept_class: ConceptClass, symmetries: Sequence[Symmetry]) -> None:
        size, bits = len(concept_class), class_bits(concept_class)
        flips = _flip(bits)
        columns = packed_columns(np.pad(bits, ((0, 0), (0, 1))))  # the last one has no ones
        first: dict[bytes, list[tuple[int, int]]] = {}
        varied = np.flatnonzero(columns.any(axis=1))
        for x in varied.tolist():
            first.setdefault(columns[x].tobytes(), []).append((x, int(flips[x])))
        self.copies = list(first.values())
        constant = np.setdiff1d(np.arange(bits.shape[1]), varied)
        self.constant = list(zip(constant.tolist(), flips[constant].tolist(), strict=True))
        self.group = LiteralGroup.generated(symmetries, self.copies)
        chosen = [points[0][0] for points in self.copies]
        concepts, ones = np.nonzero(bits[:, chosen])
        self.table = Table(
            columns=columns[[*chosen, -1]],
            starts=np.searchsorted(concepts, np.arange(size + 1)).astype(np.int64),
            ones=ones.astype(np.int32),
            salts=np.random.default_rng(0).integers(0, 1 << 64, columns.shape[1], np.uint64),
            counts=np.zeros(len(chosen), np.int64),
            everything=packed_columns(np.ones((size, 1), np.uint8))[0],
            moves=np.array(self.group.moves, np.int64),
        )
        self.memory = _memory(_FIRST_SLOTS)

    def ask(self, stack: Stack, concepts: Words, depth: int) -> int:
        """Put the question of a tree of a depth: no, yes, or paused before any work."""
        put_root(self.table, stack, concepts)
        return ask(self.table, self.memory, stack, depth, 0)

    def advance(self, stack: Stack, work: int) -> int:
        """Go on with a question: no, yes, or paused after so much work."""
        self.grow_memory()
        return advance(self.table, self.memory, stack, work)

    def grow_memory(self) -> bool:
        """Enlarge a memory that is half full, as long as it may grow; say whether that was so."""
        slots, used = len(self.memory.keys), int(self.memory.used[0])
        if 2 * used <= slots or not self.memory.used[1]:
            return False
        larger = _memory(4 * slots)
        copy_memory(self.memory, larger)
        self.memory = larger
        return True

    def stack(self, depth: int) -> Stack:
        """Return room for a search of a depth."""
        num, width = self.table.columns.shape
        levels, points = depth + 3, num - 1

        def room(*shape: int) -> Ints:
            return np.zeros((levels, *shape), np.int64)

        stack = Stack(
            words=np.zeros((levels, width), np.uint64),
            active=room(width),
            num_active=room(),
            keys=np.zeros((levels, 2), np.uint64),
            size=room(),
            depth=room(),
            shared=np.zeros(levels, np.uint64),
            points=room(points),
            ones=room(points),
            num_splits=room(),
            candidates=room(points),
            num_candidates=room(),
            position=room(),
            phase=room(),
            meta=np.array([1, -1]),
        )
        stack.candidates[0] = np.arange(points)
        stack.num_candidates[0] = points
        return stack


def _flip(bits: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Complement columns so that they have few ones; return which."""
    size = len(bits)
    flips = bits.sum(axis=0, dtype=np.int64) * 2 > size
    bits ^= flips
    # complementary halves are told apart by the first concept, which gets label 0
    halves = bits.sum(axis=0, dtype=np.int64) * 2 == size
    turn = halves & (bits[0] == 1)
    bits ^= turn
    flipped: npt.NDArray[np.uint8] = (flips ^ turn).astype(np.uint8)
    return flipped


def _memory(slots: int) -> Memory:
    return Memory(
        np.zeros((slots, 2), np.uint64),
        np.full((slots, 2), -1, np.int8),
        np.array([0, slots < _MOST_SLOTS]),
    )
