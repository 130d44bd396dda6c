"""Augmented index: index where Bob also knows the bits before his position.

Bob's input number ``2**(i-1) - 1 + P`` is position ``i`` with the prefix ``x_1 ... x_{i-1}`` in the
bits of ``P``, as in `ccsim.communication.problem.augmented_index`; outside the promise his prefix
is not that of ``x``.

Protocols: those of index (`protocols.index`); Bob makes no use of his prefix. Their errors, 0 and
exactly ``1/(d + 1)``, are errors for every ``x`` and ``i``, so they hold here as they are. The
prefix hardly helps any protocol: ``(1 - H(eps)) d`` bits are needed at error ``eps``.

References: Feldman & Xiao section 4, Lemma 4.1 (``fx/def-augindex``, ``fx/lemma-9``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ccsim.communication.problem import CommunicationProblem, augmented_index
from ccsim.communication.procedural import Batch, uniform_below
from protocols.index import IndexCoveringCode, IndexSendAll

__all__ = ["AugmentedIndexCoveringCode", "AugmentedIndexSendAll"]


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


@dataclass(frozen=True, slots=True)
class AugmentedIndexCoveringCode(IndexCoveringCode):
    """Augmented index with ``2**r - 1`` positions by a publicly shifted perfect Hamming code.

    Attributes
    ----------
    r : int
        Number of bits that are saved, 1 to `protocols.hamming.MAX_R`.

    Examples
    --------
    >>> protocol = AugmentedIndexCoveringCode(r=2)
    >>> protocol.messages, protocol.error(1, 0), protocol.error(1, 1)
    (2, Fraction(1, 4), Fraction(0, 1))
    """

    family: ClassVar[str] = "augmented_index_covering_code"

    @property
    def num_bob(self) -> int:
        """Number of inputs of Bob: ``2**(i-1)`` prefixes for each position ``i``."""
        return (1 << self.d) - 1

    def bob(self, message: int, y: int, coins: int) -> int:
        """Return what Bob answers to the index problem at his position."""
        return IndexCoveringCode.bob(self, message, _position(y), coins)

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
        return IndexCoveringCode.bob_batch(self, messages, _position(y), coins)
