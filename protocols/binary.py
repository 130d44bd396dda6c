"""Conversions of numbers to rows of bits or of words, least significant first.

A batch of long numbers is an array of 64-bit words with one number per row. Random numbers,
comparison, remainders and parities are exact at any length.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

__all__ = [
    "WORD",
    "Words",
    "are_below",
    "bits_as_int",
    "integers",
    "number_of_words",
    "parities",
    "random_words",
    "random_words_below",
    "remainders",
    "words_as_int",
    "words_from_int",
    "words_from_integers",
]

WORD = 64
"""Number of bits of a word."""

Words = npt.NDArray[np.uint64]
"""Numbers of a batch, one per row."""

_HALF = np.uint64(32)
_LOWER_HALF = np.uint64((1 << 32) - 1)


def bits_as_int(bits: npt.NDArray[np.uint8]) -> int:
    """Return the number with the given bits.

    Examples
    --------
    >>> bits_as_int(np.array([0, 1, 1, 0], dtype=np.uint8))
    6
    """
    return int.from_bytes(np.packbits(bits, bitorder="little").tobytes(), "little")


def words_from_int(number: int, length: int) -> Words:
    """Return the lowest ``length`` bits of a number in words of 64 bits.

    Examples
    --------
    >>> words_from_int(2**64 + 6, 65).tolist()
    [6, 1]
    """
    words = -(-length // WORD)
    octets = (number & (1 << length) - 1).to_bytes(8 * words, "little")
    return np.frombuffer(octets, "<u8").astype(np.uint64)


def words_as_int(words: Words) -> int:
    """Return the number with the given words.

    Examples
    --------
    >>> words_as_int(words_from_int(2**64 + 6, 65)) == 2**64 + 6
    True
    """
    return int.from_bytes(words.astype("<u8").tobytes(), "little")


def number_of_words(length: int) -> int:
    """Return the number of words for ``length`` bits.

    Examples
    --------
    >>> [number_of_words(length) for length in (0, 1, 64, 65)]
    [0, 1, 1, 2]
    """
    return -(-length // WORD)


def words_from_integers(numbers: Iterable[int], length: int) -> Words:
    """Return the lowest ``length`` bits of each number, one number per row.

    Examples
    --------
    >>> words_from_integers([2**64 + 6, 1], 65).tolist()
    [[6, 1], [1, 0]]
    """
    words, lowest = number_of_words(length), (1 << length) - 1
    rows = [(number & lowest).to_bytes(8 * words, "little") for number in numbers]
    return np.frombuffer(b"".join(rows), "<u8").astype(np.uint64).reshape(len(rows), words)


def integers(words: Words) -> list[int]:
    """Return the numbers of a batch as Python integers.

    Examples
    --------
    >>> integers(words_from_integers([2**64 + 6, 1], 65)) == [2**64 + 6, 1]
    True
    """
    octets, width = words.astype("<u8").tobytes(), 8 * words.shape[1]
    return [
        int.from_bytes(octets[run * width : (run + 1) * width], "little")
        for run in range(len(words))
    ]


def random_words(length: int, runs: int, rng: np.random.Generator) -> Words:
    """Return independent uniform numbers of ``length`` bits, one per row.

    Examples
    --------
    >>> random_words(65, 3, np.random.default_rng(0)).shape
    (3, 2)
    """
    words = rng.integers(1 << WORD, size=(runs, number_of_words(length)), dtype=np.uint64)
    words[:, -1:] >>= np.uint64(-length % WORD)
    return words


def random_words_below(bound: int, runs: int, rng: np.random.Generator) -> Words:
    """Return independent uniform numbers in ``[0, bound)``, one per row.

    Examples
    --------
    >>> are_below(random_words_below(3**50, 100, np.random.default_rng(0)), 3**50).all()
    np.True_
    """
    length = (bound - 1).bit_length()
    words = random_words(length, runs, rng)
    while (refused := np.flatnonzero(~are_below(words, bound))).size:
        words[refused] = random_words(length, refused.size, rng)
    return words


def are_below(words: Words, bound: int) -> npt.NDArray[np.bool_]:
    """Return, for each number of a batch, whether it is below a bound.

    Examples
    --------
    >>> are_below(words_from_integers([2**64, 2**64 + 1], 65), 2**64 + 1).tolist()
    [True, False]
    """
    length = WORD * words.shape[1]
    if bound >> length:
        return np.ones(len(words), dtype=np.bool_)
    below = np.zeros(len(words), dtype=np.bool_)
    for column, limit in zip(words.T, words_from_int(bound, length), strict=True):
        below = (column < limit) | ((column == limit) & below)
    return below


def remainders(words: Words, modulus: int) -> npt.NDArray[np.uint64] | npt.NDArray[np.object_]:
    """Return the remainders of a batch, as Python integers if the modulus is at least ``2**32``.

    Examples
    --------
    >>> remainders(words_from_integers([10**30, 7], 100), 1000).tolist()
    [0, 7]
    """
    if modulus >> 32:
        return np.array([number % modulus for number in integers(words)], dtype=object)
    remainder, divisor = np.zeros(len(words), dtype=np.uint64), np.uint64(modulus)
    for column in words.T[::-1]:  # what is left of higher words is below 2**32
        for half in (column >> _HALF, column & _LOWER_HALF):
            remainder = (remainder << _HALF | half) % divisor
    return remainder


def parities(words: Words) -> npt.NDArray[np.uint8]:
    """Return the parity of the number of ones of each number of a batch.

    Examples
    --------
    >>> parities(words_from_integers([0b111, 0b110], 3)).tolist()
    [1, 0]
    """
    folded: Words = np.bitwise_xor.reduce(words, axis=-1)
    return np.bitwise_count(folded) & np.uint8(1)
