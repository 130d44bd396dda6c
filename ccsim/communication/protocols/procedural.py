"""One-way protocols given by rules rather than by tables, and their exact tables.

Inputs, coins and messages of one run are integers from 0; a *batch* of runs is a numpy array whose
first axis is the run. `coins_from_int`, `coins_as_int` and `message_as_int` convert.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction

import numpy as np

from ccsim.budget import Budget
from ccsim.classes.masks import masks_of
from ccsim.communication.protocols.by_rules import Batch, ProtocolByRules
from ccsim.communication.protocols.one_way import OneWayProtocol, Transcript
from ccsim.communication.protocols.tables import DeterministicProtocol, PublicCoinProtocol
from ccsim.data import frozen
from ccsim.exact.probability import uniform_below, uniform_numbers

MAX_TABLE = 1 << 25
"""Maximum of ``num_coins * (num_alice * (1 + num_bob) + messages)`` for tables."""
_TABLE_BYTES = 1 << 23


@frozen
class ProceduralProtocol(ProtocolByRules, OneWayProtocol):
    """A one-way protocol with uniform public coins from a finite space, given by functions.

    As it is a `OneWayProtocol`, `amplify` applies at any size.

    The batch methods have defaults that loop over the runs; a family overrides them for speed.
    """

    @abstractmethod
    def alice(self, x: int, coins: int) -> int:
        """Return Alice's message."""

    @abstractmethod
    def bob(self, message: int, y: int, coins: int) -> int:
        """Return Bob's answer, 0 or 1."""

    @property
    def mistake_depth(self) -> int | None:
        """Largest known depth of a mistake tree for the function; None if unknown.

        It bounds the cost of every protocol from below (`ccsim.communication.LittlestoneBound`).
        """
        return None

    def run(self, x: int, y: int, rng: np.random.Generator) -> Transcript:
        """Run the protocol once."""
        coins = uniform_below(self.num_coins, rng)
        message = self.alice(x, coins)
        return Transcript(x, y, coins, message, self.bob(message, y, coins))

    def _senders(self, run: Transcript) -> tuple[int, ...]:
        coins, message = run.coins or 0, run.message
        return tuple(x for x in range(self.num_alice) if self.alice(x, coins) == message)

    def answers_of_runs(self, x: int, y: int, runs: int, rng: np.random.Generator) -> Batch:
        """Return Bob's answers of independent runs."""
        coins = self.sample_coins(runs, rng)
        return self.bob_batch(self.alice_batch(x, coins), y, coins)

    def sample_coins(self, runs: int, rng: np.random.Generator) -> Batch:
        """Return independent uniform coins, with one entry for each run."""
        return self.coins_from_int(uniform_numbers(self.num_coins, runs, rng))

    def coins_from_int(self, coins: Iterable[int]) -> Batch:
        """Return the given coins as a batch."""
        return np.array(list(coins), dtype=object)

    def coins_as_int(self, coins: Batch) -> int:
        """Return one entry of a batch of coins as an integer below ``num_coins``."""
        return int(coins)

    def message_as_int(self, message: Batch) -> int:
        """Return one entry of a batch of messages as an integer below ``messages``."""
        return int(message)

    def alice_batch(self, x: int, coins: Batch) -> Batch:
        """Return Alice's message in each run."""
        return np.array([self.alice(x, self.coins_as_int(c)) for c in coins], dtype=object)

    def bob_batch(self, messages: Batch, y: int, coins: Batch) -> Batch:
        """Return Bob's answer in each run, an array of 0 and 1 with a single axis."""
        pairs = zip(messages, coins, strict=True)
        answers = [self.bob(self.message_as_int(m), y, self.coins_as_int(c)) for m, c in pairs]
        return np.array(answers, dtype=np.uint8)

    def tabulate(self, budget: Budget | None = None) -> PublicCoinProtocol:
        """Return the protocol as exact tables, with one component per distinct matrix of answers.

        Coins with equal matrices of answers are merged. Unused messages are kept, so that the cost
        is unchanged. Complexity: ``num_coins * num_alice * num_bob`` answers of Bob.

        Raises
        ------
        InstanceTooLargeError
            If ``num_coins * (num_alice * (1 + num_bob) + messages)`` exceeds `MAX_TABLE`.
        """
        budget = budget or Budget()
        size = self.num_coins * (self.num_alice * (1 + self.num_bob) + self.messages)
        self._refuse(size, MAX_TABLE, "tables")
        one = self.num_coins == 1
        counts = Counter([self._rows(0, budget)] if one else self._rows_of_all_coins(budget))
        return PublicCoinProtocol.mixture(
            (Fraction(count, self.num_coins), self._component(rows))
            for rows, count in budget.each(counts.items())
        )

    def _rows(self, coins: int, budget: Budget) -> tuple[int, ...]:
        """Return, for each input of Alice, the mask of Bob's inputs with answer 1."""
        sent = [self.alice(x, coins) for x in range(self.num_alice)]
        answers = {
            message: sum(self.bob(message, y, coins) << y for y in range(self.num_bob))
            for message in budget.each(set(sent))
        }
        return tuple(answers[message] for message in sent)

    def _rows_of_all_coins(self, budget: Budget) -> Iterator[tuple[int, ...]]:
        """Yield `_rows` for every value of the coins, computed in batches."""
        shape = (self.num_alice, self.num_bob)
        step = max(1, _TABLE_BYTES // (shape[0] * shape[1] + self.run_bytes))
        for start in range(0, self.num_coins, step):
            coins = self.coins_from_int(range(start, min(start + step, self.num_coins)))
            answers = np.empty((len(coins), *shape), dtype=bool)
            for x in range(self.num_alice):
                messages = self.alice_batch(x, coins)
                for y in range(self.num_bob):
                    budget.spend()
                    answers[:, x, y] = self.bob_batch(messages, y, coins)
            yield from (tuple(masks_of(table)) for table in answers)

    def _component(self, rows: tuple[int, ...]) -> DeterministicProtocol:
        """Return the deterministic protocol with the given rows of answers."""
        message = {row: m for m, row in enumerate(dict.fromkeys(rows))}
        bob = tuple(message)
        unused = bob[-1:] * (self.messages - len(bob))
        alice = tuple(message[row] for row in rows)
        return DeterministicProtocol(alice, bob + unused, self.num_bob)
