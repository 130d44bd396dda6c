"""Binary linear codes as covering codes: every word, and a codeword nearest to it.

A code is given by its parity check: position ``i`` has a *column*, a vector over the field of two
elements, the *syndrome* of a word is the sum of the columns of its ones, and codewords are the
words with syndrome 0. Words with the same syndrome form a coset; a word of least weight in it is
its *leader*, and a word minus the leader of its coset is a nearest codeword. So if a word is
uniform, its distance to the code is that of a uniform syndrome: the mean weight of the leaders.

Positions are numbered from 0, bit ``i`` of a number is position ``i``. Columns are numbers too, and
every unit vector ``1 << j`` is one of them; the first position with that column holds a parity bit,
the others, in increasing order, hold the bits of the codeword's number.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import combinations
from operator import xor

import numpy as np
import numpy.typing as npt

__all__ = ["Bits", "LinearCode"]

Bits = npt.NDArray[np.uint8]
"""Words of a batch, one a row."""


@dataclass(frozen=True, slots=True)
class LinearCode(ABC):
    """A binary linear code, with the coset leaders that decode it.

    A code gives its columns; leaders are found by searching words in the order of their weights,
    which takes time and memory ``2**redundancy``. Codes with more redundancy override
    `numbers_of_nearest` and the properties that come from the leaders.
    """

    @property
    @abstractmethod
    def columns(self) -> tuple[int, ...]:
        """Columns of the parity check."""

    @property
    def length(self) -> int:
        """Number of positions."""
        return len(self.columns)

    @property
    def redundancy(self) -> int:
        """Number of parity bits."""
        return max(self.columns).bit_length()

    @property
    def dimension(self) -> int:
        """Number of bits of a codeword's number: the code has ``2**dimension`` words."""
        return self.length - self.redundancy

    @property
    def mean_distance(self) -> Fraction:
        """Average distance of a word to the code."""
        return Fraction(sum(_tables(self).leader_bits), 1 << self.redundancy)

    @property
    def balanced(self) -> bool:
        """Whether every position is in equally many leaders."""
        return len(set(_tables(self).leader_bits)) == 1

    def syndrome(self, word: int) -> int:
        """Return the sum of the columns of the ones of a word."""
        return reduce(xor, (c for i, c in enumerate(self.columns) if word >> i & 1), 0)

    def number(self, codeword: int) -> int:
        """Return the number of a codeword, below ``2**dimension``."""
        return sum((codeword >> i & 1) << k for k, i in enumerate(_tables(self).data))

    def codeword(self, number: int) -> int:
        """Return the codeword with the given number; the inverse of `number`."""
        tables = _tables(self)
        word = sum((number >> k & 1) << i for k, i in enumerate(tables.data))
        parities = self.syndrome(word)
        return word | sum((parities >> j & 1) << i for j, i in enumerate(tables.parity))

    def nearest(self, word: int) -> int:
        """Return the nearest codeword that differs from the word by the leader of its coset."""
        return word ^ sum(1 << i for i in _tables(self).leaders[self.syndrome(word)])

    def numbers_of_nearest(self, words: Bits) -> Bits:
        """Return the numbers of the nearest codewords of a batch of words, as rows of bits."""
        tables = _tables(self)
        columns = np.array(self.columns, dtype=np.uint32)
        syndromes = np.bitwise_xor.reduce(words * columns, axis=1)
        nearest = np.concatenate([words, np.zeros((len(words), 1), np.uint8)], axis=1)
        runs = np.arange(len(words))
        for flipped in tables.padded[syndromes].T:  # the extra position stands for none
            nearest[runs, flipped] ^= 1
        numbers: Bits = nearest[:, np.array(tables.data, np.intp)]
        return numbers

    def bits_of_codewords(self, numbers: Bits, positions: int | npt.NDArray[np.intp]) -> Bits:
        """Return one bit of each codeword of a batch of numbers.

        Positions may be one for all or one for each. A data bit depends on itself alone, a parity
        bit on the data whose columns contain it.
        """
        tables = _tables(self)
        column = np.array(self.columns, dtype=np.uint32)
        data = np.array(tables.data, np.intp)
        where = np.atleast_1d(np.asarray(positions))[:, np.newaxis]
        parity = (column[data] & column[where]) != 0
        used = np.where(np.isin(where, tables.parity), parity, where == data)
        chosen = numbers[:, used[0]] if len(used) == 1 else numbers & used
        bits: Bits = np.bitwise_xor.reduce(chosen, axis=1)
        return bits


@dataclass(frozen=True, slots=True)
class _Tables:
    """What decoding a code looks up."""

    data: tuple[int, ...]
    parity: tuple[int, ...]
    leaders: tuple[tuple[int, ...], ...]
    """For each syndrome the positions of the leader's ones."""
    padded: npt.NDArray[np.intp]
    """The same as a matrix, rows filled up with the length."""
    leader_bits: tuple[int, ...]
    """For each position the number of leaders that have a one there."""


@lru_cache(maxsize=32)
def _tables(code: LinearCode) -> _Tables:
    columns, r = code.columns, code.redundancy
    parity = [columns.index(1 << j) for j in range(r)]
    data = sorted(set(range(len(columns))) - set(parity))
    leaders: dict[int, tuple[int, ...]] = {}
    for weight in range(len(columns) + 1):
        for positions in combinations(range(len(columns)), weight):
            leaders.setdefault(reduce(xor, (columns[i] for i in positions), 0), positions)
        if len(leaders) == 1 << r:
            break
    counts = [0] * len(columns)
    table = np.full((1 << r, max(map(len, leaders.values()))), len(columns), dtype=np.intp)
    for syndrome, positions in leaders.items():
        table[syndrome, : len(positions)] = positions
        for i in positions:
            counts[i] += 1
    ordered = tuple(leaders[syndrome] for syndrome in range(1 << r))
    return _Tables(tuple(data), tuple(parity), ordered, table, tuple(counts))
