"""Hashing by inner products with public random vectors over the field of two elements.

Main statement: different numbers ``x != x'`` below ``2**length`` have equal hashes with probability
exactly ``2**-count``. The vector ``x xor x'`` is not zero, so its inner product with a uniform
vector is a uniform bit; the ``count`` vectors are independent, and the hashes are equal if all
these bits are 0.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from ccsim.communication.protocols.by_rules import MAX_BITS, check_parameter
from ccsim.data import frozen
from ccsim.exact.draws import zero_products
from protocols.binary import WORD, words_as_int, words_from_int

__all__ = ["InnerProductHash"]


@frozen
class InnerProductHash:
    """The family of all maps ``x -> (<v_1, x>, ..., <v_count, x>)`` over ``{0,1}^length``.

    Attributes
    ----------
    length : int
        Number of bits of the hashed numbers, at least 1.
    count : int
        Number of bits of the hash, at least 1.

    Notes
    -----
    Map number ``coins`` has ``v_j`` in bits ``(j - 1) length, ..., j length - 1``. In a batch, a
    map is a row of ``count`` vectors of 64-bit words, so 256 bits take four operations.

    Examples
    --------
    >>> InnerProductHash(length=2, count=2).hash(0b11, coins=0b01_11)
    2
    """

    length: int
    count: int

    def __post_init__(self) -> None:
        check_parameter("hash: length", self.length, 1, MAX_BITS)
        check_parameter("hash: count", self.count, 1, MAX_BITS)
        check_parameter("hash: length * count", self.length * self.count, 1, MAX_BITS)

    @property
    def num_maps(self) -> int:
        """Number of maps, with repetitions: one for each choice of the vectors."""
        return 1 << self.length * self.count

    @property
    def words(self) -> int:
        """Number of 64-bit words of a vector."""
        return -(-self.length // WORD)

    def hash(self, x: int, coins: int) -> int:
        """Return the hash of ``x`` under map number ``coins``; inner product ``j`` is bit ``j``."""
        return sum(((coins >> j * self.length & x).bit_count() & 1) << j for j in range(self.count))

    def hash_batch(
        self, x: int | npt.NDArray[np.int64], maps: npt.NDArray[np.uint64]
    ) -> npt.NDArray[np.uint8]:
        """Return the hash of ``x`` under each map of a batch, as a row of ``count`` bits.

        If numbers fit into one word, ``x`` may be an array with one number for each map.
        """
        if isinstance(x, int):
            words = words_from_int(x, self.length)
        else:
            words = x.astype(np.uint64).reshape(-1, 1, 1)
        folded: npt.NDArray[np.uint64] = np.bitwise_xor.reduce(maps & words, axis=2)
        return np.bitwise_count(folded) & np.uint8(1)

    def sample(self, runs: int, rng: np.random.Generator) -> npt.NDArray[np.uint64]:
        """Return uniform maps, one for each run."""
        shape = (self.words, runs, self.count)  # equal words of all runs lie together
        maps = rng.integers(1 << WORD, size=shape, dtype=np.uint64)
        maps[-1] >>= np.uint64(-self.length % WORD)
        return np.moveaxis(maps, 0, 2)

    def hashes_to_zero(self, x: int, runs: int, rng: np.random.Generator) -> npt.NDArray[np.bool_]:
        """Return for each of some uniform maps, those that `sample` draws, if the hash is 0."""
        mask = words_from_int(x, self.length)
        mask[-1] <<= np.uint64(-self.length % WORD)  # `sample` drops the lowest bits
        drawn = zero_products(mask, runs, self.count, rng)
        if drawn is not None:
            return drawn
        zero: npt.NDArray[np.bool_] = self.hash_batch(x, self.sample(runs, rng)).max(axis=1) == 0
        return zero

    def from_int(self, numbers: Iterable[int]) -> npt.NDArray[np.uint64]:
        """Return the batch of the maps with the given numbers."""
        vector = (1 << self.length) - 1
        maps = [
            [
                words_from_int(number >> j * self.length & vector, self.length)
                for j in range(self.count)
            ]
            for number in numbers
        ]
        return np.array(maps, dtype=np.uint64).reshape(-1, self.count, self.words)

    def as_int(self, vectors: npt.NDArray[np.uint64]) -> int:
        """Return the number of one map of a batch."""
        return sum(words_as_int(vector) << j * self.length for j, vector in enumerate(vectors))
