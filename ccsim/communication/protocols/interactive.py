"""Two-way protocols given by rules rather than by trees, and their exact trees."""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction
from typing import Any

import numpy as np

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget
from ccsim.communication.given import ProblemLike, as_problem
from ccsim.communication.protocols.by_rules import Batch, ProtocolByRules
from ccsim.communication.protocols.play import (
    MOST_LISTED,
    PLAYERS,
    Play,
    PlayedMessage,
    number_of,
)
from ccsim.communication.protocols.two_way import PublicCoinTwoWayProtocol, TwoWayProtocol
from ccsim.data import frozen
from ccsim.exact.probability import generator, uniform_below, uniform_numbers

MAX_TREES = 1 << 20
"""Maximum of ``num_coins * num_alice * num_bob`` for a conversion to trees."""
Sent = tuple[int, ...]


@frozen
class InteractiveProtocol(ProtocolByRules):
    """A two-way protocol with uniform public coins from a finite space, given by functions.

    The messages sent so far decide who speaks next. A family is a frozen dataclass whose fields,
    all integers, are its parameters. Its members can be played and simulated at any size, and
    `tabulate` converts small ones to trees.
    """

    @abstractmethod
    def turn(self, sent: tuple[int, ...], coins: int) -> tuple[str, int] | int:
        """Return the next speaker and the length of the message in bits, or the answer 0 or 1."""

    @abstractmethod
    def message(self, own: int, sent: tuple[int, ...], coins: int) -> int:
        """Return the message of the speaker, who has the input ``own``."""

    def tabulate(self, budget: Budget | None = None) -> PublicCoinTwoWayProtocol:
        """Return the protocol as a mixture of trees, one for each value of the coins.

        Equal trees are merged. Turns with only one possible message are omitted, so some trees have
        lower cost.

        Raises
        ------
        InstanceTooLargeError
            If ``num_coins * num_alice * num_bob`` exceeds `MAX_TREES`.
        """
        self._refuse(self.num_coins * self.num_alice * self.num_bob, MAX_TREES, "trees")
        budget, problem = budget or Budget(), self.problem()
        return PublicCoinTwoWayProtocol.mixture(
            (Fraction(1, self.num_coins), self._tree(coins).for_problem(problem))
            for coins in budget.each(range(self.num_coins))
        )

    def _tree(self, coins: int) -> TwoWayProtocol:
        def rule(sent: Sent) -> Any:  # noqa: ANN401 - an answer, or speaker and function
            turn = self.turn(sent, coins)
            if isinstance(turn, int):
                return turn
            return turn[0], lambda own: self.message(own, sent, coins)

        return TwoWayProtocol.from_functions(rule, range(self.num_alice), range(self.num_bob))

    def _played(self, x: int, y: int, coins: int) -> tuple[list[tuple[str, int, int]], int]:
        """Return speaker, message and length of each turn, and the answer."""
        turns, sent = list[tuple[str, int, int]](), list[int]()
        while not isinstance(turn := self.turn(tuple(sent), coins), int):
            own = (x, y)[PLAYERS.index(turn[0])]
            sent.append(self.message(own, tuple(sent), coins))
            turns.append((turn[0], sent[-1], turn[1]))
        return turns, turn

    @checked_types
    def play(
        self, x: int | str, y: int | str, problem: ProblemLike | None = None, *, seed: int = 0
    ) -> Play:
        """Run the protocol on two inputs and return coins, messages and answer.

        See `OneWayProtocol.play` for the parameters.
        """
        about = self._own_problem() if problem is None else as_problem(problem)
        if about is not None:
            self.check_shape(about)
        sizes = (self.num_alice, self.num_bob)
        labels = (None, None) if about is None else (about.alice, about.bob)
        i, j = (number_of(v, labels[s], s, sizes[s]) for s, v in enumerate((x, y)))
        coins = uniform_below(self.num_coins, generator(seed))
        turns, answer = self._played(i, j, coins)
        left = [tuple(range(n)) if n <= MOST_LISTED else None for n in sizes]
        sent, messages = list[int](), list[PlayedMessage]()
        for speaker, message, length in turns:
            side, before = PLAYERS.index(speaker), tuple(sent)
            if (own := left[side]) is not None:
                same = (n for n in own if self.message(n, before, coins) == message)
                left[side] = tuple(same)
            bits = format(message, f"0{length}b") if length else ""
            messages.append(PlayedMessage(speaker, message, bits, left[0], left[1]))
            sent.append(message)
        expected, told = self._expected(i, j, about), self._told(coins)
        return Play(self.name, i, j, seed, told, tuple(messages), answer, expected, sizes, about)

    def answers_of_runs(self, x: int, y: int, runs: int, rng: np.random.Generator) -> Batch:
        """Return the answers of independent runs."""
        coins = uniform_numbers(self.num_coins, runs, rng)
        return np.fromiter((self._played(x, y, each)[1] for each in coins), np.uint8, runs)
