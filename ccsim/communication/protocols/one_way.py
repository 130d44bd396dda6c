"""What every one-way protocol offers, whatever it is made of, and the record of one run."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, runtime_checkable

import numpy as np

from ccsim.appearance import one_line
from ccsim.border import checked_fields
from ccsim.exact import ceil_log2

__all__ = ["OneWayProtocol", "Transcript"]


@checked_fields
@one_line
@dataclass(frozen=True, slots=True)
class Transcript:
    """What happened in one run.

    Attributes
    ----------
    x, y : int
        Inputs.
    coins : int or None
        Number of the public component that was drawn; None without public coins.
    message : int
        What Alice sent.
    answer : int
        What Bob answered, 0 or 1.
    """

    x: int
    y: int
    coins: int | None
    message: int
    answer: int


@runtime_checkable
class OneWayProtocol(Protocol):
    """What every kind of one-way protocol offers.

    Attributes
    ----------
    num_alice, num_bob : int
        Numbers of inputs of Alice and of Bob.
    messages : int
        Number of different messages, at least 1.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def num_alice(self) -> int:
        """Number of inputs of Alice."""

    @property
    @abstractmethod
    def num_bob(self) -> int:
        """Number of inputs of Bob."""

    @property
    @abstractmethod
    def messages(self) -> int:
        """Number of messages."""

    @property
    def cost_bits(self) -> int:
        """Length of a message in bits."""
        return ceil_log2(self.messages)

    @abstractmethod
    def output_probability(self, x: int, y: int) -> Fraction:
        """Return the probability that Bob answers 1 on inputs ``x`` and ``y``."""

    @abstractmethod
    def run(self, x: int, y: int, rng: np.random.Generator) -> Transcript:
        """Run the protocol once."""
