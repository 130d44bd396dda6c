"""Binary linear codes, with decoders, that compress the inputs of index.

Hamming and Golay codes are perfect; the other codes cover nearly as well, or have very short
messages. `protocols.linear_code` describes codes and their decoding.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from ccsim.data import frozen
from protocols.binary import Words, words_from_int
from protocols.linear_code import LinearCode

__all__ = [
    "MAX_LENGTH",
    "MAX_M",
    "MAX_R",
    "EvenWeightCode",
    "GolayCode",
    "HammingCode",
    "ReedMullerCode",
    "RepetitionCode",
]

MAX_R = 16
"""Largest number of parity bits of a Hamming code: codewords of 65535 bits."""

MAX_M = 4
"""Largest order ``m`` of a Reed-Muller code of length ``2**m``."""

MAX_LENGTH = 4096
"""Longest repetition and even-weight codes."""


@frozen
class HammingCode(LinearCode):
    """The perfect Hamming code of length ``2**r - 1``, with ``r`` parity bits.

    Column ``i - 1`` of the parity-check matrix is ``i`` in binary. Exactly one codeword is within
    distance 1 of each word.

    Attributes
    ----------
    r : int
        Number of parity bits, 1 to `MAX_R`.

    Examples
    --------
    >>> code = HammingCode(3)
    >>> code.length, code.dimension, code.nearest(0b0000110), code.mean_distance
    (7, 4, 7, Fraction(7, 8))
    """

    family: ClassVar[str] = "covering_code"
    limits: ClassVar[tuple[int, int]] = (1, MAX_R)

    r: int

    @property
    def columns(self) -> tuple[int, ...]:
        """All non-zero columns."""
        return tuple(range(1, 1 << self.r))


@frozen
class EvenWeightCode(LinearCode):
    """The even-weight code of length ``d``, with one parity bit.

    Attributes
    ----------
    d : int
        Length, 2 to `MAX_LENGTH`.

    Examples
    --------
    >>> code = EvenWeightCode(4)
    >>> bin(code.nearest(0b0111)), code.mean_distance, code.balanced
    ('0b110', Fraction(1, 2), False)
    """

    family: ClassVar[str] = "even_weight"
    limits: ClassVar[tuple[int, int]] = (2, MAX_LENGTH)

    d: int

    @property
    def columns(self) -> tuple[int, ...]:
        """The same column at every position."""
        return (1,) * self.d


@frozen
class ReedMullerCode(LinearCode):
    """The first-order Reed-Muller code of length ``2**m``, with ``m + 1`` data bits.

    Codewords are the affine functions of ``m`` bits; position ``z`` holds the value at ``z``. The
    number of a codeword consists of its values at 0 and at the unit vectors.

    Attributes
    ----------
    m : int
        Number of bits, 2 to `MAX_M`; the length is ``2**m``.

    Examples
    --------
    >>> code = ReedMullerCode(4)
    >>> code.length, code.dimension, code.mean_distance
    (16, 5, Fraction(1961, 512))
    """

    family: ClassVar[str] = "reed_muller"
    limits: ClassVar[tuple[int, int]] = (2, MAX_M)

    m: int

    @property
    def columns(self) -> tuple[int, ...]:
        """A unit vector for each ``z`` of weight 2 or more; its check sums data bits."""
        checked = [z for z in range(1 << self.m) if z.bit_count() > 1]
        columns = {z: 1 << j for j, z in enumerate(checked)}
        columns[0] = sum(columns[z] for z in checked if z.bit_count() % 2 == 0)
        for i in range(self.m):
            columns[1 << i] = sum(columns[z] for z in checked if z >> i & 1)
        return tuple(columns[z] for z in range(1 << self.m))


@frozen
class GolayCode(LinearCode):
    """The perfect Golay code of length 23, with 12 data bits.

    Exactly one codeword is within distance 3 of each word. The code is cyclic, with generator
    ``1 + X^2 + X^4 + X^5 + X^6 + X^10 + X^11``.

    Examples
    --------
    >>> code = GolayCode()
    >>> code.length, code.dimension, code.mean_distance, code.balanced
    (23, 12, Fraction(2921, 1024), True)
    """

    family: ClassVar[str] = "golay"

    @property
    def columns(self) -> tuple[int, ...]:
        """Column ``i`` is ``X**i`` modulo the generator."""
        columns = [1]
        while len(columns) < 23:
            power = columns[-1] << 1
            columns.append(power ^ 0b110001110101 if power >> 11 else power)
        return tuple(columns)


@frozen
class RepetitionCode(LinearCode):
    """The repetition code of length ``d``; a word is decoded to its majority bit.

    A tie is decoded to the bit at position 0.

    Attributes
    ----------
    d : int
        Length, 2 to `MAX_LENGTH`.

    Examples
    --------
    >>> code = RepetitionCode(5)
    >>> code.nearest(0b01101), code.dimension, code.mean_distance
    (31, 1, Fraction(25, 16))
    """

    family: ClassVar[str] = "repetition"
    limits: ClassVar[tuple[int, int]] = (2, MAX_LENGTH)

    d: int

    @property
    def columns(self) -> tuple[int, ...]:
        """All unit vectors for the positions from 1, and their sum for position 0."""
        return ((1 << self.d - 1) - 1, *(1 << j for j in range(self.d - 1)))

    @property
    def length(self) -> int:
        """Number of positions."""
        return self.d

    @property
    def dimension(self) -> int:
        """Number of bits of a codeword's number, 1."""
        return 1

    @property
    def mean_distance(self) -> Fraction:
        """Average, over the words, of the smaller of the numbers of ones and zeros."""
        d = self.d
        return d * (Fraction(1, 2) - Fraction(comb(d - 1, (d - 1) // 2), 1 << d))

    @property
    def balanced(self) -> bool:
        """Whether there are no ties."""
        return self.d % 2 == 1

    def number(self, codeword: int) -> int:
        """Return the repeated bit."""
        return codeword & 1

    def codeword(self, number: int) -> int:
        """Return the codeword that repeats a bit."""
        return ((1 << self.d) - 1) * number

    def nearest(self, word: int) -> int:
        """Return the codeword that repeats the majority bit of a word."""
        ones = 2 * word.bit_count()
        return self.codeword(int(ones > self.d or (ones == self.d and word & 1 == 1)))

    def nearest_batch(self, words: Words) -> Words:
        """Return, for each word, the codeword that repeats its majority bit."""
        doubled = 2 * np.bitwise_count(words).sum(axis=1, dtype=np.int64)
        majority = (doubled > self.d) | ((doubled == self.d) & (words[:, 0] & np.uint64(1) == 1))
        repeated = words_from_int((1 << self.d) - 1, self.d)
        return np.where(majority[:, np.newaxis], repeated, np.uint64(0))

    def data_batch(self, codewords: Words) -> Words:
        """Return the repeated bit of each codeword."""
        return codewords[:, :1] & np.uint64(1)

    def bits_of_codewords(
        self, data: Words, positions: int | npt.NDArray[np.intp]
    ) -> npt.NDArray[np.uint8]:
        """Return the repeated bit of each codeword."""
        return data[:, 0].astype(np.uint8)
