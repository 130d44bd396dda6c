"""Augmented index: index in which Bob also holds the bits before his position.

Bob's input number ``2**(i-1) - 1 + P`` is position ``i`` with the prefix ``x_1 ... x_{i-1}`` in the
bits of ``P``, as in `ccsim.communication.problem.augmented_index`; outside the promise, his prefix
is not a prefix of ``x``.

Protocols: those of index (`protocols.index`, `protocols.index_codes`); Bob ignores his prefix.
Their errors do not depend on ``x`` and ``i`` and are therefore the same for augmented index. The
lower bounds of `docs/closed-forms.md`, section 2, are the same for both problems.

References: Feldman & Xiao section 4, Lemma 4.1 (``fx/def-augindex``, ``fx/lemma-9``).
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ccsim.communication.problem import CommunicationProblem, augmented_index
from ccsim.communication.protocols.by_rules import Batch
from ccsim.data import frozen, validated
from ccsim.exact.probability import uniform_below
from protocols.codes import (
    EvenWeightCode,
    GolayCode,
    HammingCode,
    ReedMullerCode,
    RepetitionCode,
)
from protocols.index import IndexByCode, IndexProtocol, IndexSendAll
from protocols.index_codes import by_code

__all__ = [
    "AugmentedIndexByCode",
    "AugmentedIndexCoveringCode",
    "AugmentedIndexEvenWeight",
    "AugmentedIndexGolay",
    "AugmentedIndexReedMuller",
    "AugmentedIndexRepetition",
    "AugmentedIndexSendAll",
]


def _position(y: int) -> int:
    """Bob's position, counted from 0."""
    return (y + 1).bit_length() - 1


class _AugmentedIndex(IndexProtocol):
    """Inputs and values shared by the protocols for augmented index."""

    __slots__ = ()

    family: ClassVar[str] = "augmented_index"

    @property
    def num_bob(self) -> int:
        """Number of inputs of Bob: ``2**(i-1)`` prefixes for each position ``i``."""
        return (1 << self.d) - 1

    def value(self, x: int, y: int) -> int | None:
        """Return the bit of ``x`` at Bob's position; None if his prefix is not one of ``x``."""
        i = _position(y)
        prefix = y + 1 - (1 << i)
        return x >> i & 1 if x & (1 << i) - 1 == prefix else None

    def hard_input(self, rng: np.random.Generator) -> tuple[int, int]:
        """Return random inputs inside the promise; all are equally hard."""
        x, i = uniform_below(1 << self.d, rng), uniform_below(self.d, rng)
        return x, (1 << i) - 1 + (x & (1 << i) - 1)

    def _problem(self) -> CommunicationProblem:
        return augmented_index(self.d)


@validated
class AugmentedIndexSendAll(_AugmentedIndex, IndexSendAll):
    """Deterministic augmented index; Alice sends her whole word.

    Attributes
    ----------
    d : int
        Number of positions, at least 1.

    Examples
    --------
    >>> [AugmentedIndexSendAll(d=2).value(1, y) for y in range(3)]
    [1, None, 0]
    """


@frozen
class AugmentedIndexByCode(_AugmentedIndex, IndexByCode):
    """Augmented index by the protocol for index: Bob ignores his prefix.

    Attributes
    ----------
    code : LinearCode
        The covering code; its length is the number of positions.

    Examples
    --------
    >>> protocol = AugmentedIndexByCode(HammingCode(r=2))
    >>> protocol.name, protocol.messages, protocol.error(1, 0), protocol.error(1, 1)
    ('augmented_index_covering_code:r=2', 2, Fraction(1, 4), Fraction(0, 1))
    >>> AugmentedIndexByCode(RepetitionCode(d=3)).stated_error  # the least that one bit allows
    Fraction(1, 4)
    """

    def bob(self, message: int, y: int, coins: int) -> int:
        """Return Bob's answer to the index problem at his position."""
        return IndexByCode.bob(self, message, _position(y), coins)

    def bob_batch(self, messages: Batch, y: int, coins: Batch) -> Batch:
        """Return Bob's answer in each run."""
        return IndexByCode.bob_batch(self, messages, _position(y), coins)


AugmentedIndexCoveringCode = by_code(AugmentedIndexByCode, HammingCode)
AugmentedIndexEvenWeight = by_code(AugmentedIndexByCode, EvenWeightCode)
AugmentedIndexGolay = by_code(AugmentedIndexByCode, GolayCode)
AugmentedIndexReedMuller = by_code(AugmentedIndexByCode, ReedMullerCode)
AugmentedIndexRepetition = by_code(AugmentedIndexByCode, RepetitionCode)
