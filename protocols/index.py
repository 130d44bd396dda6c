"""Index: Alice holds ``x`` in ``{0,1}^d``, Bob holds a position ``i``, and the value is ``x_i``.

Protocols: `IndexSendAll` sends all of ``x``. `IndexByCode` sends the number of a codeword. The
public coins are a uniform shift ``s`` in ``{0,1}^d`` and a uniform rotation of the positions. Alice
rotates and shifts ``x`` and sends the nearest codeword ``c``; Bob answers the bit of ``c xor s`` at
his rotated position. A balanced code needs no rotation.

Error of `IndexByCode`: for every ``x`` the rotated and shifted input is uniform, and so is its
coset. Bob errs iff the leader of the coset has a one at his rotated position. With a rotation, that
position is uniform and independent of the coset, so the error is the mean weight of a leader
divided by ``d``. Without a rotation, the error is the fraction of leaders with a one at his
position, which is the same number if the code is balanced. The Hamming code with ``r = 3`` sends 4
bits for 7 positions and has error 1/8 at each position.

`ccsim.communication.closed_forms.index.index_lower_bound` bounds the error from below; perfect
codes and several others attain the bound.

References: index and its lower bound ``(1 - H(eps)) d`` as in Feldman & Xiao section 4
(``fx/lemma-9``); codes as quantisers are folklore.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import field
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from ccsim.communication.problem import CommunicationProblem, index
from ccsim.communication.protocols.by_rules import MAX_BITS, Batch, check_parameter
from ccsim.communication.protocols.procedural import ProceduralProtocol
from ccsim.data import frozen, validated
from ccsim.errors import DomainError
from ccsim.exact.bounds import check_fields
from ccsim.exact.probability import uniform_below
from protocols.binary import (
    WORD,
    Words,
    number_of_words,
    random_words,
    words_as_int,
    words_from_integers,
)
from protocols.linear_code import LinearCode
from protocols.send_all import SendAll

__all__ = ["IndexByCode", "IndexProtocol", "IndexSendAll"]


class IndexProtocol(ProceduralProtocol):
    """Base class of the protocols for index."""

    __slots__ = ()

    family: ClassVar[str] = "index"

    @property
    @abstractmethod
    def d(self) -> int:
        """Number of positions."""

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


@validated
class IndexSendAll(IndexProtocol, SendAll):
    """Deterministic index; Alice sends her whole word.

    Attributes
    ----------
    d : int
        Number of positions, at least 1. Bob's input number ``y`` is position ``i = y + 1``.

    Examples
    --------
    >>> [IndexSendAll(d=3).value(0b110, y) for y in range(3)]
    [0, 1, 1]
    """

    d: int = field()  # so that the abstract property is not its default

    def __post_init__(self) -> None:
        check_parameter("index: d", self.d, 1, MAX_BITS)


@frozen
class IndexByCode(IndexProtocol):
    """Index by a code: Alice sends the codeword nearest to her word, rotated and shifted at random.

    Attributes
    ----------
    code : LinearCode
        The covering code; its length is the number of positions.

    Examples
    --------
    >>> from protocols.codes import GolayCode, HammingCode
    >>> protocol = IndexByCode(HammingCode(r=3))
    >>> protocol.name, protocol.num_bob, protocol.cost_bits, protocol.stated_error
    ('index_covering_code:r=3', 7, 4, Fraction(1, 8))
    >>> IndexByCode(GolayCode()).stated_error
    Fraction(127, 1024)
    """

    code: LinearCode

    def __post_init__(self) -> None:
        check_fields(self, DomainError)

    @property
    def name(self) -> str:
        """The problem and the code, in the form used on the command line."""
        return f"{self.family}_{self.code.name}"

    @property
    def d(self) -> int:
        """Number of positions."""
        return self.code.length

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
    def stated_error(self) -> Fraction:
        """Error on every input: the mean distance to the code, divided by ``d``."""
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

    def error(self, x: int, y: int) -> Fraction:
        """Return the error, which is the same on all inputs inside the promise."""
        return Fraction(0) if self.value(x, y) is None else self.stated_error

    def hard_input(self, rng: np.random.Generator) -> tuple[int, int]:
        """Return random inputs; all are equally hard."""
        return uniform_below(self.num_alice, rng), uniform_below(self.d, rng)

    @property
    def run_bytes(self) -> int:
        """Memory in bytes of one run of a batch: a few words of ``d`` bits."""
        return 32 * (self._words + 1)

    @property
    def _words(self) -> int:
        return number_of_words(self.d)

    def sample_coins(self, runs: int, rng: np.random.Generator) -> Batch:
        """Return, for each run, a uniform shift, followed by a rotation."""
        shifts = random_words(self.d, runs, rng)
        return self._joined(shifts, rng.integers(self.rotations, size=runs))

    def coins_from_int(self, coins: Iterable[int]) -> Batch:
        """Return the given coins as a batch."""
        numbers = list(coins)
        rotations = np.array([number >> self.d for number in numbers], dtype=np.int64)
        return self._joined(words_from_integers(numbers, self.d), rotations)

    def _joined(self, shifts: Words, rotations: npt.NDArray[np.int64]) -> Words:
        return np.column_stack((shifts, rotations.astype(np.uint64)))

    def coins_as_int(self, coins: Batch) -> int:
        """Return one entry of a batch of coins as an integer."""
        return words_as_int(coins[:-1]) | int(coins[-1]) << self.d

    def message_as_int(self, message: Batch) -> int:
        """Return one entry of a batch of messages as an integer."""
        return self.code.number(words_as_int(message))

    def alice_batch(self, x: int, coins: Batch) -> Batch:
        """Return Alice's message in each run: a codeword with its parity bits cleared."""
        rotated = _rotations(x, self.d, self.rotations)[coins[:, -1].astype(np.intp)]
        return self.code.data_batch(self.code.nearest_batch(coins[:, :-1] ^ rotated))

    def bob_batch(self, messages: Batch, y: int, coins: Batch) -> Batch:
        """Return Bob's answer in each run; only the required bit is decoded."""
        shifts: Batch
        if self.rotations == 1:
            bits = self.code.bits_of_codewords(messages, y)
            shifts = coins[:, y // WORD] >> np.uint64(y % WORD)
        else:
            places = (y + coins[:, -1].astype(np.intp)) % self.d
            bits = self.code.bits_of_codewords(messages, places)
            words = coins[np.arange(len(coins)), places // WORD]
            shifts = words >> (places % WORD).astype(np.uint64)
        answers: Batch = bits ^ (shifts & np.uint64(1)).astype(np.uint8)
        return answers


@lru_cache(maxsize=16)
def _rotations(x: int, d: int, count: int) -> Words:
    """Return a word of ``d`` bits rotated to the left by 0, 1, ..., ``count - 1`` places."""
    lowest = (1 << d) - 1
    return words_from_integers(((x << r & lowest) | x >> d - r for r in range(count)), d)
