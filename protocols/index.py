"""Index: Alice holds ``x`` in ``{0,1}^d``, Bob a position ``i``, the value is ``x_i``.

Protocols: `IndexSendAll` sends all of ``x``. `IndexCoveringCode` saves ``r`` of ``d = 2**r - 1``
bits: with a uniform public shift ``s`` in ``{0,1}^d`` Alice sends the number of the codeword ``c``
of the Hamming code that is nearest to ``x xor s``; Bob answers position ``i`` of ``c xor s``.

Error of the second: ``z = x xor s`` is uniform, and so is its syndrome, as the image of a uniform
word under a linear map onto ``{0,1}^r``. Codeword ``c`` differs from ``z`` exactly in the position
that the syndrome names (nowhere if it is 0), so that Bob errs iff the syndrome is ``i``: with
probability exactly ``2**-r = 1/(d + 1)``, whatever ``x`` and ``i`` are. For ``r = 3``: 4 bits
for 7 positions, error 1/8 at each.

References: index and its lower bound ``(1 - H(eps)) d`` as in Feldman & Xiao section 4
(``fx/lemma-9``); the Hamming code as a covering code is folklore.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from ccsim.communication.problem import CommunicationProblem, index
from ccsim.communication.procedural import (
    MAX_BITS,
    Batch,
    ProceduralProtocol,
    check_parameter,
    uniform_below,
)
from protocols.binary import bits_as_int, bits_from_int
from protocols.hamming import MAX_R, HammingCode
from protocols.send_all import SendAll

__all__ = ["IndexCoveringCode", "IndexSendAll"]


@dataclass(frozen=True, slots=True)
class IndexSendAll(SendAll):
    """Deterministic index; Alice sends ``x``.

    Attributes
    ----------
    d : int
        Number of positions, at least 1. Bob's input number ``y`` is position ``i = y + 1``.

    Examples
    --------
    >>> [IndexSendAll(d=3).value(0b110, y) for y in range(3)]
    [0, 1, 1]
    """

    family: ClassVar[str] = "index"

    d: int

    def __post_init__(self) -> None:
        check_parameter("index: d", self.d, 1, MAX_BITS)

    @property
    def num_alice(self) -> int:
        """Number of inputs of Alice."""
        return 1 << self.d

    @property
    def num_bob(self) -> int:
        """Number of inputs of Bob."""
        return self.d

    def value(self, x: int, y: int) -> int | None:
        """Return bit ``y`` of ``x``."""
        return x >> y & 1

    def _problem(self) -> CommunicationProblem:
        return index(self.d)


@dataclass(frozen=True, slots=True)
class IndexCoveringCode(ProceduralProtocol):
    """Index with ``d = 2**r - 1`` positions by a publicly shifted perfect Hamming code.

    Attributes
    ----------
    r : int
        Number of bits that are saved, 1 to `protocols.hamming.MAX_R`.

    Examples
    --------
    >>> protocol = IndexCoveringCode(r=3)
    >>> protocol.num_bob, protocol.cost_bits, protocol.worst_error
    (7, 4, Fraction(1, 8))
    """

    family: ClassVar[str] = "index_covering_code"

    r: int

    def __post_init__(self) -> None:
        check_parameter(f"{self.family}: r", self.r, 1, MAX_R)

    @property
    def code(self) -> HammingCode:
        """The code that covers."""
        return HammingCode(self.r)

    @property
    def d(self) -> int:
        """Number of positions, ``2**r - 1``."""
        return self.code.length

    @property
    def num_alice(self) -> int:
        """Number of inputs of Alice."""
        return 1 << self.d

    @property
    def num_bob(self) -> int:
        """Number of inputs of Bob."""
        return self.d

    @property
    def messages(self) -> int:
        """Number of messages: one for each codeword."""
        return 1 << self.code.dimension

    @property
    def num_coins(self) -> int:
        """Number of shifts."""
        return 1 << self.d

    @property
    def worst_error(self) -> Fraction:
        """Largest error, ``1/(d + 1)``; it is the error on every input."""
        return Fraction(1, self.d + 1)

    def alice(self, x: int, coins: int) -> int:
        """Return the number of the codeword nearest to the shifted input."""
        return self.code.number(self.code.nearest(x ^ coins))

    def bob(self, message: int, y: int, coins: int) -> int:
        """Return bit ``y`` of the codeword, shifted back."""
        return (self.code.codeword(message) ^ coins) >> y & 1

    def value(self, x: int, y: int) -> int | None:
        """Return bit ``y`` of ``x``."""
        return x >> y & 1

    def error(self, x: int, y: int) -> Fraction:
        """Return ``1/(d + 1)`` inside the promise."""
        return Fraction(0) if self.value(x, y) is None else self.worst_error

    def hard_input(self, rng: np.random.Generator) -> tuple[int, int]:
        """Return random inputs: none is harder than another."""
        return uniform_below(self.num_alice, rng), uniform_below(self.d, rng)

    def _problem(self) -> CommunicationProblem:
        return index(self.d)

    @property
    def run_bytes(self) -> int:
        """Memory of one run of a batch: a few rows of ``d`` bits and one of positions."""
        return 8 * self.d

    def sample_coins(self, runs: int, rng: np.random.Generator) -> Batch:
        """Return a uniform shift for each run, as a row of bits."""
        return rng.integers(2, size=(runs, self.d), dtype=np.uint8)

    def coins_from_int(self, coins: Iterable[int]) -> Batch:
        """Return the batch of the given shifts."""
        return np.array([bits_from_int(shift, self.d) for shift in coins]).reshape(-1, self.d)

    def coins_as_int(self, coins: Batch) -> int:
        """Return one entry of a batch of shifts as an integer."""
        return bits_as_int(coins)

    def message_as_int(self, message: Batch) -> int:
        """Return one entry of a batch of messages as an integer."""
        return bits_as_int(message)

    def alice_batch(self, x: int, coins: Batch) -> Batch:
        """Return Alice's message in each run, as a row of bits."""
        return self.code.numbers_of_nearest(coins ^ bits_from_int(x, self.d))

    def bob_batch(self, messages: Batch, y: int, coins: Batch) -> Batch:
        """Return Bob's answer in each run; only the bit that he needs is decoded."""
        answers: Batch = self.code.bits_of_codewords(messages, y + 1) ^ coins[:, y]
        return answers
