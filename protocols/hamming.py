"""The perfect Hamming codes, which cover every word by exactly one codeword at distance at most 1.

Positions are numbered from 1; bit ``i - 1`` of a number is position ``i``. The *syndrome* of a word
is the exclusive or of the positions of its ones, a linear map onto ``{0,1}^r``; codewords are the
words with syndrome 0. Flipping position ``i`` adds ``i`` to the syndrome, so that a word with
syndrome ``i > 0`` has the one neighbour in the code that differs from it in position ``i``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import xor

import numpy as np
import numpy.typing as npt

from ccsim.communication.procedural import check_parameter

__all__ = ["MAX_R", "HammingCode"]

MAX_R = 16
"""Largest number of parity bits: codewords of 65535 bits."""


@dataclass(frozen=True, slots=True)
class HammingCode:
    """The binary Hamming code of length ``2**r - 1``.

    Attributes
    ----------
    r : int
        Number of parity bits, 1 to `MAX_R`.

    Notes
    -----
    The positions ``1, 2, 4, ...`` hold the parity bits, the others, in increasing order, the bits
    of the codeword's number.

    Examples
    --------
    >>> code = HammingCode(3)
    >>> code.length, code.dimension, code.nearest(0b0000110), code.syndrome(0b0000111)
    (7, 4, 7, 0)
    """

    r: int

    def __post_init__(self) -> None:
        check_parameter("Hamming code: r", self.r, 1, MAX_R)

    @property
    def length(self) -> int:
        """Number of positions."""
        return (1 << self.r) - 1

    @property
    def dimension(self) -> int:
        """Number of bits of a codeword's number: the code has ``2**dimension`` words."""
        return self.length - self.r

    def syndrome(self, word: int) -> int:
        """Return the exclusive or of the positions of the ones of a word."""
        return reduce(xor, (i for i in range(1, self.length + 1) if word >> i - 1 & 1), 0)

    def nearest(self, word: int) -> int:
        """Return the one codeword at distance at most 1."""
        i = self.syndrome(word)
        return word ^ 1 << i - 1 if i else word

    def number(self, codeword: int) -> int:
        """Return the number of a codeword, below ``2**dimension``."""
        return sum((codeword >> i - 1 & 1) << k for k, i in enumerate(self._data()))

    def codeword(self, number: int) -> int:
        """Return the codeword with the given number; the inverse of `number`."""
        word = sum((number >> k & 1) << i - 1 for k, i in enumerate(self._data()))
        parities = self.syndrome(word)
        return word | sum((parities >> j & 1) << (1 << j) - 1 for j in range(self.r))

    def numbers_of_nearest(self, words: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        """Return the numbers of the nearest codewords of a batch of words, as rows of bits."""
        positions = np.arange(1, self.length + 1, dtype=np.uint32)
        syndromes = np.bitwise_xor.reduce(words * positions, axis=1)
        nearest = words ^ (positions == syndromes[:, np.newaxis])
        numbers: npt.NDArray[np.uint8] = nearest[:, np.array(self._data(), dtype=np.intp) - 1]
        return numbers

    def bits_of_codewords(
        self, numbers: npt.NDArray[np.uint8], position: int
    ) -> npt.NDArray[np.uint8]:
        """Return the bit in one position (from 1) of the codewords with a batch of numbers."""
        data = np.array(self._data(), dtype=np.intp)
        # A data bit depends on itself alone, a parity bit on the data whose position contains it.
        is_parity = position.bit_count() == 1
        used = (data & position) != 0 if is_parity else data == position
        bits: npt.NDArray[np.uint8] = np.bitwise_xor.reduce(numbers[:, used], axis=1)
        return bits

    def _data(self) -> list[int]:
        """Positions that hold the codeword's number."""
        return [i for i in range(1, self.length + 1) if i.bit_count() > 1]
