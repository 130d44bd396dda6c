"""One-way protocols of any kind, and transcripts of their runs."""

from __future__ import annotations

from abc import abstractmethod
from typing import Protocol, runtime_checkable

import numpy as np

from ccsim.arguments.checked import checked_types
from ccsim.communication.given import ProblemLike, as_problem
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.play import (
    MOST_LISTED,
    PLAYERS,
    Play,
    PlayedMessage,
    bits_of,
    number_of,
)
from ccsim.communication.protocols.two_party import TwoPartyProtocol
from ccsim.data import validated
from ccsim.exact import ceil_log2
from ccsim.exact.probability import generator


@validated
class Transcript:
    """The transcript of one run.

    Attributes
    ----------
    x, y : int
        Numbers of the inputs.
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
        """Number of distinct messages, at least 1."""

    @property
    def cost_bits(self) -> int:
        """Length of a message in bits."""
        return ceil_log2(self.messages)

    @abstractmethod
    def run(self, x: int, y: int, rng: np.random.Generator) -> Transcript:
        """Run the protocol once."""

    @checked_types
    def play(
        self, x: int | str, y: int | str, problem: ProblemLike | None = None, *, seed: int = 0
    ) -> Play:
        """Run the protocol on two inputs and return coins, message and answer.

        Parameters
        ----------
        x, y : int or str
            Number of the input from 0, or its label if that is a text.
        problem : CommunicationProblem, ConceptClass, INSTANCE text or matrix, optional
            The problem that provides labels and the correct answer. Default: the problem of the
            family of protocols, if there is one.
        seed : int
            Seed of the coins, at least 0.

        Examples
        --------
        >>> from protocols import EqualityHashing
        >>> print(EqualityHashing(bits=3, repetitions=1).play(2, 7, seed=2))
        equality:bits=3,repetitions=1 on x = 2, y = 7
        coins: 6, uniform below 8
          1. Alice sends 1  Alice: 2, 3, 4, 5 (4 of 8); Bob: all 8
        answer: 0 (correct) after 1 bit
        """
        about = self._own_problem() if problem is None else as_problem(problem)
        if about is not None:
            self.check_shape(about)
        sizes = (self.num_alice, self.num_bob)
        labels = (None, None) if about is None else (about.alice, about.bob)
        i, j = (number_of(v, labels[s], s, sizes[s]) for s, v in enumerate((x, y)))
        run = self.run(i, j, generator(seed))
        alice = self._senders(run) if sizes[0] <= MOST_LISTED else None
        bob = tuple(range(sizes[1])) if sizes[1] <= MOST_LISTED else None
        bits = bits_of(run.message, self.messages)
        sent = PlayedMessage(PLAYERS[0], run.message, bits, alice, bob)
        name, expected = self._names(about), self._expected(i, j, about)
        coins = self._told(run.coins)
        return Play(name, i, j, seed, coins, (sent,), run.answer, expected, sizes, about)

    def _own_problem(self) -> CommunicationProblem | None:
        """Return the problem of a family of protocols; None if the protocol has none."""
        return None

    def _names(self, about: CommunicationProblem | None) -> str:
        return "" if about is None else about.name

    def _expected(self, x: int, y: int, about: CommunicationProblem | None) -> int | None:
        return None if about is None else about.value(x, y)

    def _senders(self, run: Transcript) -> tuple[int, ...] | None:
        """Return the inputs of Alice that send the message of a run with its public coins, or None.

        None means that they are unknown.
        """
        return None

    def _told(self, coins: int | None) -> str:
        """Return a description of the public coins, printed in a play."""
        return "none" if coins is None else str(coins)
