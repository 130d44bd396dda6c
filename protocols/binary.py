"""Numbers as rows of bits or of words, the lowest first: between scalar and batch forms."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["WORD", "bits_as_int", "bits_from_int", "words_as_int", "words_from_int"]

WORD = 64
"""Bits of a word."""


def bits_from_int(number: int, length: int) -> npt.NDArray[np.uint8]:
    """Return the lowest ``length`` bits of a number.

    Examples
    --------
    >>> bits_from_int(6, 4).tolist()
    [0, 1, 1, 0]
    """
    octets = (number & (1 << length) - 1).to_bytes((length + 7) // 8, "little")
    return np.unpackbits(np.frombuffer(octets, np.uint8), count=length, bitorder="little")


def bits_as_int(bits: npt.NDArray[np.uint8]) -> int:
    """Return the number with the given bits.

    Examples
    --------
    >>> bits_as_int(bits_from_int(6, 4))
    6
    """
    return int.from_bytes(np.packbits(bits, bitorder="little").tobytes(), "little")


def words_from_int(number: int, length: int) -> npt.NDArray[np.uint64]:
    """Return the lowest ``length`` bits of a number in words of 64 bits.

    Examples
    --------
    >>> words_from_int(2**64 + 6, 65).tolist()
    [6, 1]
    """
    words = -(-length // WORD)
    octets = (number & (1 << length) - 1).to_bytes(8 * words, "little")
    return np.frombuffer(octets, "<u8").astype(np.uint64)


def words_as_int(words: npt.NDArray[np.uint64]) -> int:
    """Return the number with the given words.

    Examples
    --------
    >>> words_as_int(words_from_int(2**64 + 6, 65)) == 2**64 + 6
    True
    """
    return int.from_bytes(words.astype("<u8").tobytes(), "little")
