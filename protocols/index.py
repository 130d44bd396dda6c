"""Index: Alice holds ``x`` in ``{0,1}^d``, Bob a position ``i``, the value is ``x_i``.

Protocols: `IndexSendAll` sends all of ``x``. `IndexByCode` sends the number of a codeword: public
coins are a uniform shift ``s`` in ``{0,1}^d`` and a uniform rotation of the positions; Alice sends
the codeword ``c`` nearest to ``x``, rotated and shifted, and Bob answers the bit of ``c xor s`` in
the position that his own is rotated to. A code that is balanced needs no rotation.

Error of the second: the rotated and shifted input is uniform, and so is its coset, whatever ``x``
is. Bob errs iff the leader of the coset has a one in his rotated position. With a rotation that
position is uniform too and independent of the coset, so that the probability is the mean weight of
a leader over ``d``; without one it is the share of the leaders with a one in his position, which is
the same if the code is balanced. For the Hamming code with ``r = 3``: 4 bits for 7 positions, error
1/8 at each.

No code does better than `ccsim.communication.index_value.index_lower_bound` says, and perfect codes
and several others reach it.

References: index and its lower bound ``(1 - H(eps)) d`` as in Feldman & Xiao section 4
(``fx/lemma-9``); codes as quantisers are folklore.
"""

from __future__ import annotations

from abc import abstractmethod
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
from protocols.linear_code import LinearCode
from protocols.send_all import SendAll

__all__ = ["IndexByCode", "IndexSendAll"]


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

    @property
    def mistake_depth(self) -> int:
        """Littlestone dimension of index, which is the number of positions."""
        return self.d

    def value(self, x: int, y: int) -> int | None:
        """Return bit ``y`` of ``x``."""
        return x >> y & 1

    def _problem(self) -> CommunicationProblem:
        return index(self.d)


@dataclass(frozen=True, slots=True)
class IndexByCode(ProceduralProtocol):
    """Base of the protocols for index that send a codeword; a family says which code it is."""

    @property
    @abstractmethod
    def code(self) -> LinearCode:
        """The code that covers."""

    @property
    def d(self) -> int:
        """Number of positions."""
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
    def rotations(self) -> int:
        """Number of rotations: one if the code is balanced, otherwise one for each position."""
        return 1 if self.code.balanced else self.d

    @property
    def num_coins(self) -> int:
        """Number of shifts times number of rotations."""
        return self.rotations << self.d

    @property
    def mistake_depth(self) -> int:
        """Littlestone dimension of index, which is the number of positions."""
        return self.d

    @property
    def worst_error(self) -> Fraction:
        """Largest error, the mean distance to the code over ``d``; it is that on every input."""
        return self.code.mean_distance / self.d

    def alice(self, x: int, coins: int) -> int:
        """Return the number of the codeword nearest to the rotated and shifted input."""
        shift, rotation = coins & self.num_alice - 1, coins >> self.d
        low = x >> self.d - rotation  # position i goes to position i + rotation
        rotated = (x << rotation & self.num_alice - 1) | low
        return self.code.number(self.code.nearest(rotated ^ shift))

    def bob(self, message: int, y: int, coins: int) -> int:
        """Return the bit of the codeword, shifted back, in the rotated position."""
        position = (y + (coins >> self.d)) % self.d
        return (self.code.codeword(message) ^ coins) >> position & 1

    def value(self, x: int, y: int) -> int | None:
        """Return bit ``y`` of ``x``."""
        return x >> y & 1

    def error(self, x: int, y: int) -> Fraction:
        """Return the error inside the promise, which is the same everywhere."""
        return Fraction(0) if self.value(x, y) is None else self.worst_error

    def hard_input(self, rng: np.random.Generator) -> tuple[int, int]:
        """Return random inputs: none is harder than another."""
        return uniform_below(self.num_alice, rng), uniform_below(self.d, rng)

    def _problem(self) -> CommunicationProblem:
        return index(self.d)

    @property
    def run_bytes(self) -> int:
        """Memory of one run of a batch: a few rows of ``d`` bits and one of positions."""
        return 16 * self.d

    def sample_coins(self, runs: int, rng: np.random.Generator) -> Batch:
        """Return for each run a uniform shift as a row of bits, followed by a rotation."""
        shifts = rng.integers(2, size=(runs, self.d), dtype=np.uint8)
        return self._joined(shifts, rng.integers(self.rotations, size=runs))

    def coins_from_int(self, coins: Iterable[int]) -> Batch:
        """Return the batch of the given coins."""
        numbers = list(coins)
        shifts = np.array([bits_from_int(n, self.d) for n in numbers]).reshape(-1, self.d)
        return self._joined(shifts, np.array([n >> self.d for n in numbers], dtype=np.int64))

    def _joined(self, shifts: Batch, rotations: Batch) -> Batch:
        """Return shifts and rotations in one array; octets suffice when there is no rotation."""
        kind = np.uint8 if self.rotations == 1 else np.uint16
        return np.concatenate(
            [shifts, rotations[:, np.newaxis]], axis=1, dtype=kind, casting="unsafe"
        )

    def coins_as_int(self, coins: Batch) -> int:
        """Return one entry of a batch of coins as an integer."""
        return bits_as_int(coins[:-1].astype(np.uint8)) | int(coins[-1]) << self.d

    def message_as_int(self, message: Batch) -> int:
        """Return one entry of a batch of messages as an integer."""
        return bits_as_int(message)

    def alice_batch(self, x: int, coins: Batch) -> Batch:
        """Return Alice's message in each run, as a row of bits."""
        bits = bits_from_int(x, self.d)
        if self.rotations > 1:
            bits = bits[(np.arange(self.d) - coins[:, -1:].astype(np.intp)) % self.d]
        return self.code.numbers_of_nearest((coins[:, :-1] ^ bits).astype(np.uint8))

    def bob_batch(self, messages: Batch, y: int, coins: Batch) -> Batch:
        """Return Bob's answer in each run; only the bit that he needs is decoded."""
        if self.rotations == 1:
            shifted: Batch = self.code.bits_of_codewords(messages, y) ^ coins[:, y]
            return shifted
        positions = (y + coins[:, -1].astype(np.intp)) % self.d
        shifts = coins[np.arange(len(coins)), positions].astype(np.uint8)
        answers: Batch = self.code.bits_of_codewords(messages, positions) ^ shifts
        return answers
