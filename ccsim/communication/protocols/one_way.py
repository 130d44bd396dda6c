"""One-way protocols of any kind, and what a run of one shows."""

from __future__ import annotations

from abc import abstractmethod
from typing import Protocol, runtime_checkable

import numpy as np

from ccsim.communication.protocols.two_party import TwoPartyProtocol
from ccsim.data import validated
from ccsim.exact import ceil_log2


@validated
class Transcript:
    """The transcript of one run.

    Attributes
    ----------
    x, y : int
        Inputs.
    coins : int or None
        Number of the public component that was drawn; None without public coins.
    message : int
        Message that Alice sent.
    answer : int
        Bob's answer, 0 or 1.
    """

    x: int
    y: int
    coins: int | None
    message: int
    answer: int


@runtime_checkable
class OneWayProtocol(TwoPartyProtocol, Protocol):
    """Base class of all one-way protocols."""

    __slots__ = ()

    @property
    @abstractmethod
    def messages(self) -> int:
        """Number of different messages, at least 1."""

    @property
    def cost_bits(self) -> int:
        """Length of a message in bits."""
        return ceil_log2(self.messages)

    @abstractmethod
    def run(self, x: int, y: int, rng: np.random.Generator) -> Transcript:
        """Run the protocol once."""
