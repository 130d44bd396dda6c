"""Signs of many concepts on many cells, one bit each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ccsim.appearance import one_line
from ccsim.budget import check_time
from ccsim.errors import DomainError

Signs = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float64]

_TOGETHER = 8
_EVERY = 1 << 10

_PATTERNS = 2.0 * np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).T - 1
"""The signs of eight cells that a byte stands for, one column a byte."""


@one_line
@dataclass(frozen=True, slots=True, eq=False)
class SignTable:
    """A table of signs, packed: eight cells a byte, and the bytes of all concepts together.

    Complexity of a sum over all cells for all concepts: one look-up for eight signs; 4000 concepts
    on 65536 cells take a tenth of a second.
    """

    cells: int
    # row ``j`` has one byte for each concept: its signs on the cells ``8 j .; 8 j + 7``
    packed: npt.NDArray[np.uint8]

    @classmethod
    def of(cls, *blocks: npt.ArrayLike) -> SignTable:
        """Return the table of some concepts, one row of signs each, in blocks of rows."""
        return cls.of_blocks(np.asarray(block) for block in blocks)

    @classmethod
    def of_blocks(cls, blocks: Iterable[npt.NDArray[np.generic]]) -> SignTable:
        """Return the table of all rows of some blocks, which are packed one after the other."""
        parts, widths = [], set()
        for block in blocks:
            check_time()
            widths.add(block.shape[1])
            parts.append(np.packbits(block > 0, axis=1))  # type: ignore[operator]
        if len(widths) != 1:
            raise DomainError(f"rows of signs must have one length, not {sorted(widths)}")
        return cls(widths.pop(), np.ascontiguousarray(np.concatenate(parts).T))

    @property
    def concepts(self) -> int:
        """How many rows there are."""
        return int(self.packed.shape[1])

    def row(self, concept: int) -> Signs:
        """Return the signs of a concept on all cells."""
        bits = np.unpackbits(self.packed[:, concept])[: self.cells]
        signs: Signs = 2 * bits.astype(np.int8) - 1
        return signs

    def columns(self, cells: Sequence[int]) -> Signs:
        """Return the signs of all concepts, one row each, on some cells."""
        found = np.empty((self.concepts, len(cells)), dtype=np.int8)
        for i, cell in enumerate(cells):
            bits = self.packed[cell // _TOGETHER] >> (7 - cell % _TOGETHER) & 1
            found[:, i] = 2 * bits.astype(np.int8) - 1
        return found

    def sums(self, weights: Floats) -> Floats:
        """Return the sum of signs times weights for every concept.

        Sums of integers are exact as long as their absolute values sum to less than ``2^53``.
        """
        padded = np.zeros(len(self.packed) * _TOGETHER)
        padded[: self.cells] = weights
        parts = padded.reshape(-1, _TOGETHER) @ _PATTERNS
        total = np.zeros(self.concepts)
        for number, (part, bytes_) in enumerate(zip(parts, self.packed, strict=True)):
            if number % _EVERY == 0:
                check_time()
            total += part.take(bytes_)
        return total
