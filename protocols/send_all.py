"""The trivial protocol: Alice sends her whole input, and Bob computes the value."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ccsim.communication.protocols.by_rules import Batch
from ccsim.communication.protocols.procedural import ProceduralProtocol
from ccsim.data import frozen
from ccsim.exact.probability import uniform_below

__all__ = ["SendAll"]


@frozen
class SendAll(ProceduralProtocol):
    """Base class of the deterministic protocols in which Alice sends her whole input.

    A subclass defines the inputs and the value. The message is ``x``, and the error is 0.
    """

    @property
    def messages(self) -> int:
        """Number of messages: one for each input of Alice."""
        return self.num_alice

    @property
    def num_coins(self) -> int:
        """Size of the coin space: 1, since the protocol is deterministic."""
        return 1

    @property
    def stated_error(self) -> Fraction:
        """Largest error, 0."""
        return Fraction(0)

    def alice(self, x: int, coins: int) -> int:
        """Return ``x`` itself."""
        return x

    def bob(self, message: int, y: int, coins: int) -> int:
        """Return the value of the message and ``y``; 0 outside the promise."""
        return self.value(message, y) or 0

    def error(self, x: int, y: int) -> Fraction:
        """Return 0."""
        return Fraction(0)

    def hard_input(self, rng: np.random.Generator) -> tuple[int, int]:
        """Return random inputs; all inputs are equally hard."""
        return uniform_below(self.num_alice, rng), uniform_below(self.num_bob, rng)

    def sample_coins(self, runs: int, rng: np.random.Generator) -> Batch:
        """Return the single outcome of the coin space for each run."""
        return np.zeros(runs, dtype=np.uint8)

    def alice_batch(self, x: int, coins: Batch) -> Batch:
        """Return ``x`` for each run."""
        return np.full(len(coins), x, dtype=object)

    def bob_batch(self, messages: Batch, y: int, coins: Batch) -> Batch:
        """Return Bob's answer in each run, computed once for each distinct message."""
        answers = {message: self.bob(message, y, 0) for message in set(messages)}
        return np.fromiter((answers[message] for message in messages), np.uint8, len(messages))
