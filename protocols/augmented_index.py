"""Augmented index: index where Bob also knows the bits before his position.

Bob's input number ``2**(i-1) - 1 + P`` is position ``i`` with the prefix ``x_1 ... x_{i-1}`` in the
bits of ``P``, as in `ccsim.communication.problem.augmented_index`; outside the promise his prefix
is not that of ``x``.

Protocols: those of index (`protocols.index`, `protocols.index_codes`); Bob makes no use of his
prefix. Their errors are the same for every ``x`` and ``i``, so they hold here as they are. Nor does
the prefix help against the best of them: `docs/closed-forms.md`, section 2, bounds both problems
alike.

References: Feldman & Xiao section 4, Lemma 4.1 (``fx/def-augindex``, ``fx/lemma-9``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ccsim.communication.problem import CommunicationProblem, augmented_index
from ccsim.communication.protocols.procedural import Batch, uniform_below
from protocols.index import IndexByCode, IndexSendAll
from protocols.index_codes import (
    IndexCoveringCode,
    IndexEvenWeight,
    IndexGolay,
    IndexReedMuller,
    IndexRepetition,
)

__all__ = [
    "AugmentedIndexCoveringCode",
    "AugmentedIndexEvenWeight",
    "AugmentedIndexGolay",
    "AugmentedIndexReedMuller",
    "AugmentedIndexRepetition",
    "AugmentedIndexSendAll",
]


def _position(y: int) -> int:
    """Position, from 0, that Bob asks for."""
    return (y + 1).bit_length() - 1


def _value(x: int, y: int) -> int | None:
    i = _position(y)
    prefix = y + 1 - (1 << i)
    return x >> i & 1 if x & (1 << i) - 1 == prefix else None


def _random_input(d: int, rng: np.random.Generator) -> tuple[int, int]:
    """Uniform ``x`` and position, with the prefix that the promise asks for."""
    x, i = uniform_below(1 << d, rng), uniform_below(d, rng)
    return x, (1 << i) - 1 + (x & (1 << i) - 1)


@dataclass(frozen=True, slots=True)
class AugmentedIndexSendAll(IndexSendAll):
    """Deterministic augmented index; Alice sends ``x``.

    Attributes
    ----------
    d : int
        Number of positions, at least 1.

    Examples
    --------
    >>> [AugmentedIndexSendAll(d=2).value(1, y) for y in range(3)]
    [1, None, 0]
    """

    family: ClassVar[str] = "augmented_index"

    @property
    def num_bob(self) -> int:
        """Number of inputs of Bob: ``2**(i-1)`` prefixes for each position ``i``."""
        return (1 << self.d) - 1

    def value(self, x: int, y: int) -> int | None:
        """Return the bit of ``x`` in Bob's position; None if his prefix is not that of ``x``."""
        return _value(x, y)

    def hard_input(self, rng: np.random.Generator) -> tuple[int, int]:
        """Return random inputs inside the promise: none is harder than another."""
        return _random_input(self.d, rng)

    def _problem(self) -> CommunicationProblem:
        return augmented_index(self.d)


class _Augmented(IndexByCode):
    """Makes a protocol for index one for augmented index: Bob ignores his prefix."""

    __slots__ = ()

    @property
    def num_bob(self) -> int:
        """Number of inputs of Bob: ``2**(i-1)`` prefixes for each position ``i``."""
        return (1 << self.d) - 1

    def bob(self, message: int, y: int, coins: int) -> int:
        """Return what Bob answers to the index problem at his position."""
        return super().bob(message, _position(y), coins)

    def value(self, x: int, y: int) -> int | None:
        """Return the bit of ``x`` in Bob's position; None if his prefix is not that of ``x``."""
        return _value(x, y)

    def hard_input(self, rng: np.random.Generator) -> tuple[int, int]:
        """Return random inputs inside the promise: none is harder than another."""
        return _random_input(self.d, rng)

    def _problem(self) -> CommunicationProblem:
        return augmented_index(self.d)

    def bob_batch(self, messages: Batch, y: int, coins: Batch) -> Batch:
        """Return Bob's answer in each run."""
        return super().bob_batch(messages, _position(y), coins)


@dataclass(frozen=True, slots=True)
class AugmentedIndexCoveringCode(_Augmented, IndexCoveringCode):
    """Augmented index with ``2**r - 1`` positions by the perfect Hamming code; it saves ``r`` bits.

    Attributes
    ----------
    r : int
        Number of bits that are saved, 1 to `protocols.codes.MAX_R`.

    Examples
    --------
    >>> protocol = AugmentedIndexCoveringCode(r=2)
    >>> protocol.messages, protocol.error(1, 0), protocol.error(1, 1)
    (2, Fraction(1, 4), Fraction(0, 1))
    """

    family: ClassVar[str] = "augmented_index_covering_code"


@dataclass(frozen=True, slots=True)
class AugmentedIndexEvenWeight(_Augmented, IndexEvenWeight):
    """Augmented index by the even-weight code; it saves one bit, error ``1/(2 d)``.

    Attributes
    ----------
    d : int
        Number of positions, 2 to `protocols.codes.MAX_LENGTH`.

    Examples
    --------
    >>> AugmentedIndexEvenWeight(d=3).worst_error
    Fraction(1, 6)
    """

    family: ClassVar[str] = "augmented_index_even_weight"


@dataclass(frozen=True, slots=True)
class AugmentedIndexRepetition(_Augmented, IndexRepetition):
    """Augmented index with one bit: the majority of the shifted input. No protocol does better.

    Attributes
    ----------
    d : int
        Number of positions, 2 to `protocols.codes.MAX_LENGTH`.

    Examples
    --------
    >>> AugmentedIndexRepetition(d=3).worst_error
    Fraction(1, 4)
    """

    family: ClassVar[str] = "augmented_index_repetition"


@dataclass(frozen=True, slots=True)
class AugmentedIndexReedMuller(_Augmented, IndexReedMuller):
    """Augmented index with ``2**m`` positions by the Reed-Muller code of first order.

    Attributes
    ----------
    m : int
        Number of bits of a position, 2 to `protocols.codes.MAX_M`.

    Examples
    --------
    >>> AugmentedIndexReedMuller(m=3).worst_error
    Fraction(11, 64)
    """

    family: ClassVar[str] = "augmented_index_reed_muller"


@dataclass(frozen=True, slots=True)
class AugmentedIndexGolay(_Augmented, IndexGolay):
    """Augmented index with 23 positions by the perfect Golay code: 12 bits.

    Examples
    --------
    >>> AugmentedIndexGolay().worst_error
    Fraction(127, 1024)
    """

    family: ClassVar[str] = "augmented_index_golay"
