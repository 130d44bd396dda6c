"""Binary linear codes as covering codes: decoding of every word to a nearest codeword.

A code is given by its parity-check matrix: position ``i`` has a *column*, a vector over the field
of two elements. The *syndrome* of a word is the sum of the columns of its ones, and codewords are
the words with syndrome 0. Words with the same syndrome form a coset; a word of minimum weight in a
coset is its *leader*, and a word minus the leader of its coset is a nearest codeword. Hence the
mean distance of a uniform word to the code is the mean weight of the leaders.

Positions are numbered from 0; bit ``i`` of a number is position ``i``. Columns are numbers too, and
every unit vector ``1 << j`` is a column. The first position with such a column holds a parity bit;
the remaining positions, in increasing order, hold the bits of the codeword's number.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import combinations
from operator import xor
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from ccsim.communication.protocols.by_rules import check_parameter
from ccsim.data import frozen
from protocols.binary import WORD, Words, parities, words_from_int, words_from_integers

__all__ = ["LinearCode"]


@frozen
class LinearCode(ABC):
    """A binary linear code, decoded with coset leaders.

    A subclass defines the columns. Leaders are found by searching words in order of weight, in time
    and memory ``2**redundancy``. Codes with a large redundancy override `nearest_batch` and the
    properties computed from the leaders. The fields, all integers, are the parameters.
    """

    family: ClassVar[str] = ""
    """Part of the names of protocol families that send a codeword."""

    limits: ClassVar[tuple[int, int]] = (1, 1)
    """Smallest and largest value of a parameter."""

    def __post_init__(self) -> None:
        for field in fields(self):
            subject = f"{type(self).__name__}: {field.name}"
            check_parameter(subject, getattr(self, field.name), *self.limits)

    @property
    def name(self) -> str:
        """Family and parameters."""
        written = ",".join(f"{field.name}={getattr(self, field.name)}" for field in fields(self))
        return f"{self.family}:{written}" if written else self.family

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
        """Whether all positions are contained in the same number of leaders."""
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
        """Return the nearest codeword, which differs from the word by the leader of its coset."""
        return word ^ sum(1 << i for i in _tables(self).leaders[self.syndrome(word)])

    def nearest_batch(self, words: Words) -> Words:
        """Return the nearest codewords of a batch of words, as `nearest` does."""
        tables = _tables(self)
        syndromes = np.zeros(len(words), np.intp)
        for j, check in enumerate(tables.checks):
            syndromes |= parities(words & check).astype(np.intp) << j
        nearest = words.copy()
        runs = np.arange(len(words))
        for flipped in tables.padded.T:  # the position after the last stands for none
            places = flipped[syndromes]
            bits = np.uint64(1) << (places % WORD).astype(np.uint64)
            bits[places == self.length] = 0
            nearest[runs, np.minimum(places, self.length - 1) // WORD] ^= bits
        return nearest

    def data_batch(self, codewords: Words) -> Words:
        """Return the codewords of a batch with their parity bits cleared."""
        return codewords & _tables(self).data_mask

    def bits_of_codewords(
        self, data: Words, positions: int | npt.NDArray[np.intp]
    ) -> npt.NDArray[np.uint8]:
        """Return one bit of each codeword of a batch, given their data bits.

        There is one position for all codewords or one for each. A data bit depends only on itself,
        a parity bit on the data bits whose columns contain it.
        """
        if isinstance(positions, int):
            return parities(data & words_from_int(self._summands(positions), self.length))
        return parities(data & _all_summands(self)[positions])

    def _summands(self, position: int) -> int:
        """Return, as a word, the data bits whose sum is the bit at a position of a codeword."""
        tables = _tables(self)
        if position not in tables.parity:
            return 1 << position
        column = self.columns[position]
        return sum(1 << i for i in tables.data if self.columns[i] & column)


@lru_cache(maxsize=32)
def _all_summands(code: LinearCode) -> Words:
    return words_from_integers(map(code._summands, range(code.length)), code.length)


@dataclass(frozen=True, slots=True)
class _Tables:
    """Tables for decoding a code."""

    data: tuple[int, ...]
    parity: tuple[int, ...]
    leaders: tuple[tuple[int, ...], ...]
    """For each syndrome, the positions of the leader's ones."""
    padded: npt.NDArray[np.intp]
    """The same positions as a matrix; short rows are padded with the length."""
    leader_bits: tuple[int, ...]
    """For each position, the number of leaders with a one there."""
    checks: Words
    """For each parity bit, the positions whose columns contain it, as words."""
    data_mask: Words
    """The positions of the data bits, as words."""


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
    checks = (sum(1 << i for i, column in enumerate(columns) if column >> j & 1) for j in range(r))
    return _Tables(
        tuple(data),
        tuple(parity),
        ordered,
        table,
        tuple(counts),
        words_from_integers(checks, len(columns)),
        words_from_int(sum(1 << i for i in data), len(columns)),
    )
