"""Equality by hashing: constant communication with public coins.

Protocol: public coins are ``t`` uniform vectors in ``{0,1}^bits``. Alice sends the inner products
of her input with these vectors; Bob answers 1 iff his input has the same inner products.

Error: 0 if ``x = y``. If ``x != y``, Bob errs iff all ``t`` inner products agree, which has
probability exactly ``2**-t`` (`protocols.hashing`).

References: the protocol from which Feldman & Xiao obtain a private learner for points in section
3.1 (``fx/app-eq-hash``).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import ClassVar

import numpy as np

from ccsim.communication.problem import CommunicationProblem, equality
from ccsim.communication.protocols.by_rules import MAX_BITS, Batch, check_parameter
from ccsim.communication.protocols.procedural import ProceduralProtocol
from ccsim.data import validated
from ccsim.exact.probability import uniform_below
from protocols.binary import bits_as_int
from protocols.hashing import InnerProductHash

__all__ = ["EqualityHashing"]


@validated
class EqualityHashing(ProceduralProtocol):
    """Equality of binary numbers, by random inner products.

    Attributes
    ----------
    bits : int
        Length of the inputs, at least 1.
    repetitions : int
        Number ``t`` of inner products, at least 1; ``bits * t`` is at most `MAX_BITS`.

    Examples
    --------
    >>> protocol = EqualityHashing(bits=256, repetitions=20)
    >>> protocol.name, protocol.cost_bits, protocol.error(1, 2)
    ('equality:bits=256,repetitions=20', 20, Fraction(1, 1048576))
    >>> small = EqualityHashing(bits=4, repetitions=2).tabulate()
    >>> len(small.components), small.messages, small.output_probability(3, 5)
    (51, 4, Fraction(1, 4))
    """

    family: ClassVar[str] = "equality"

    bits: int
    repetitions: int

    def __post_init__(self) -> None:
        check_parameter("equality: bits", self.bits, 1, MAX_BITS)
        check_parameter("equality: repetitions", self.repetitions, 1, MAX_BITS // self.bits)

    @property
    def _hash(self) -> InnerProductHash:
        return InnerProductHash(self.bits, self.repetitions)

    @property
    def num_alice(self) -> int:
        """Number of inputs of Alice."""
        return 1 << self.bits

    @property
    def num_bob(self) -> int:
        """Number of inputs of Bob."""
        return 1 << self.bits

    @property
    def messages(self) -> int:
        """Number of messages, ``2**t``."""
        return 1 << self.repetitions

    @property
    def num_coins(self) -> int:
        """Number of choices of the ``t`` vectors."""
        return self._hash.num_maps

    @property
    def stated_error(self) -> Fraction:
        """Largest error, ``2**-t``."""
        return Fraction(1, self.messages)

    def alice(self, x: int, coins: int) -> int:
        """Return the hash of ``x``."""
        return self._hash.hash(x, coins)

    def bob(self, message: int, y: int, coins: int) -> int:
        """Return 1 iff the hash of ``y`` is the message."""
        return int(self._hash.hash(y, coins) == message)

    def value(self, x: int, y: int) -> int:
        """Return 1 iff ``x = y``."""
        return int(x == y)

    def error(self, x: int, y: int) -> Fraction:
        """Return 0 if ``x = y``, otherwise ``2**-t``."""
        return Fraction(0) if x == y else self.stated_error

    def hard_input(self, rng: np.random.Generator) -> tuple[int, int]:
        """Return two distinct random inputs."""
        x = uniform_below(self.num_alice, rng)
        return x, x ^ 1 + uniform_below(self.num_alice - 1, rng)

    def _problem(self) -> CommunicationProblem:
        return equality(self.num_alice)

    @property
    def run_bytes(self) -> int:
        """Memory in bytes of one run of a batch: the vectors and their masked copies."""
        return 16 * self.repetitions * self._hash.words

    def sample_coins(self, runs: int, rng: np.random.Generator) -> Batch:
        """Return ``t`` uniform vectors for each run."""
        return self._hash.sample(runs, rng)

    def coins_from_int(self, coins: Iterable[int]) -> Batch:
        """Return the given coins as a batch."""
        return self._hash.from_int(coins)

    def coins_as_int(self, coins: Batch) -> int:
        """Return one entry of a batch of coins as an integer."""
        return self._hash.as_int(coins)

    def message_as_int(self, message: Batch) -> int:
        """Return one entry of a batch of messages as an integer."""
        return bits_as_int(message)

    def answers_of_runs(self, x: int, y: int, runs: int, rng: np.random.Generator) -> Batch:
        """Return Bob's answers: hashes are linear, hence equal if ``x xor y`` has hash 0."""
        if type(self) is not EqualityHashing:  # a subclass may draw or answer in another way
            return ProceduralProtocol.answers_of_runs(self, x, y, runs, rng)
        return self._hash.hashes_to_zero(x ^ y, runs, rng)

    def alice_batch(self, x: int, coins: Batch) -> Batch:
        """Return the hash of ``x`` in each run, as a row of bits."""
        return self._hash.hash_batch(x, coins)

    def bob_batch(self, messages: Batch, y: int, coins: Batch) -> Batch:
        """Return Bob's answer in each run."""
        agree: Batch = np.all(self._hash.hash_batch(y, coins) == messages, axis=1)
        return agree
