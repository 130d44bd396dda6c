"""Public-coin protocols given by their rules rather than by tables: any size, exact when small.

Implementation notes: inputs, coins and messages of a single run are Python integers from 0, so that
256-bit inputs are nothing special. Many runs at once (*a batch*) are numpy arrays whose first axis
is the run; what the other axes mean is the family's own business, and the pairs
`coins_from_int` / `coins_as_int` and `message_as_int` tie the two forms together.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import fields
from fractions import Fraction
from typing import ClassVar

import numpy as np

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.one_way import OneWayProtocol, Transcript
from ccsim.communication.protocols.parameters import is_integer, show_number
from ccsim.communication.protocols.simulation import Batch, SimulationResult, simulate
from ccsim.communication.protocols.tables import DeterministicProtocol, PublicCoinProtocol
from ccsim.data import frozen
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact.probability import uniform_below, uniform_numbers
from ccsim.texts.labels import MAX_ENTRIES

MAX_BITS = 1 << 20
"""Largest length of an input, and of the coins of one run, in bits."""

MAX_TABLE = 1 << 25
"""Largest ``num_coins * (num_alice * (1 + num_bob) + messages)`` that is tabulated."""

_TABLE_BYTES = 1 << 23


@frozen
class ProceduralProtocol(OneWayProtocol):
    """A one-way protocol with a finite space of uniform public coins, given by its rules.

    A family is a frozen dataclass whose fields, all integers, are its parameters. It also is a
    `ccsim.communication.protocols.one_way.OneWayProtocol`, so that `amplify` applies at any size.

    Arguments are trusted to lie in their ranges; `check_inputs` checks inputs at the border.
    The batch methods have defaults that loop over the runs; a family overrides them for speed.
    """

    family: ClassVar[str] = ""
    """Name of the family: that of its entry point."""

    @property
    def name(self) -> str:
        """Family and parameters, as one writes them on the command line."""
        written = [f"{field.name}={_written(getattr(self, field.name))}" for field in fields(self)]
        return f"{self.family}:{','.join(written)}" if written else self.family

    @property
    @abstractmethod
    def num_coins(self) -> int:
        """Size of the space of the uniform public coins; 1 if the protocol is deterministic."""

    @property
    @abstractmethod
    def stated_error(self) -> Fraction:
        """Largest error over the inputs inside the promise."""

    @abstractmethod
    def alice(self, x: int, coins: int) -> int:
        """Return Alice's message."""

    @abstractmethod
    def bob(self, message: int, y: int, coins: int) -> int:
        """Return Bob's answer, 0 or 1."""

    @abstractmethod
    def value(self, x: int, y: int) -> int | None:
        """Return the value that Bob should answer, None outside the promise."""

    @abstractmethod
    def error(self, x: int, y: int) -> Fraction:
        """Return the probability of a wrong answer, by a closed form; 0 outside the promise."""

    @abstractmethod
    def hard_input(self, rng: np.random.Generator) -> tuple[int, int]:
        """Return random inputs on which the error is the worst."""

    @abstractmethod
    def _problem(self) -> CommunicationProblem:
        """Build the table of the function."""

    @property
    def mistake_depth(self) -> int | None:
        """Depth of a mistake tree for the function, as large as is known; None if none is given.

        It bounds the cost of every protocol from below (`ccsim.communication.LittlestoneBound`).
        """
        return None

    def check_inputs(self, x: int, y: int) -> None:
        """Refuse inputs that are out of range or outside the promise.

        Raises
        ------
        DomainError
        """
        for letter, number, size in (("x", x, self.num_alice), ("y", y, self.num_bob)):
            if not is_integer(number) or not 0 <= number < size:
                shown = show_number(size), show_number(number)
                raise DomainError(
                    f"{self.name}: {letter} must lie in [0, {shown[0]}), not {shown[1]}"
                )
        if self.value(x, y) is None:
            raise DomainError(
                f"{self.name}: inputs {show_number(x)} and {show_number(y)} are outside the promise"
            )

    def output_probability(self, x: int, y: int) -> Fraction:
        """Return the probability that Bob answers 1; refused outside the promise, as unknown."""
        self.check_inputs(x, y)
        return 1 - self.error(x, y) if self.value(x, y) else self.error(x, y)

    def run(self, x: int, y: int, rng: np.random.Generator) -> Transcript:
        """Run the protocol once."""
        coins = uniform_below(self.num_coins, rng)
        message = self.alice(x, coins)
        return Transcript(x, y, coins, message, self.bob(message, y, coins))

    @checked_types
    def simulate(  # noqa: PLR0913 - the experiment, and how it is run
        self,
        x: int,
        y: int,
        runs: int,
        seed: int,
        *,
        time_limit: TimeLimit = None,
        progress: Progress | None = None,
        confidence: Fraction | int | str = Fraction(99, 100),
        jobs: int = 1,
    ) -> SimulationResult:
        """Run the protocol many times on the same inputs and count the wrong answers.

        Parameters, result and errors are those of `ccsim.simulate`.
        """
        return simulate(
            self, x, y, runs, seed, time_limit=time_limit, progress=progress,
            confidence=confidence, jobs=jobs,
        )  # fmt: skip

    @property
    def run_bytes(self) -> int:
        """Memory that one run of a batch takes, roughly; simulations choose their chunks by it."""
        return 512

    def sample_coins(self, runs: int, rng: np.random.Generator) -> Batch:
        """Return independent uniform coins, one entry for each run."""
        return self.coins_from_int(uniform_numbers(self.num_coins, runs, rng))

    def coins_from_int(self, coins: Iterable[int]) -> Batch:
        """Return the batch of the given coins."""
        return np.array(list(coins), dtype=object)

    def coins_as_int(self, coins: Batch) -> int:
        """Return one entry of a batch of coins as the integer below ``num_coins`` that it is."""
        return int(coins)

    def message_as_int(self, message: Batch) -> int:
        """Return one entry of a batch of messages as the integer below ``messages`` that it is."""
        return int(message)

    def alice_batch(self, x: int, coins: Batch) -> Batch:
        """Return Alice's message in each run."""
        return np.array([self.alice(x, self.coins_as_int(c)) for c in coins], dtype=object)

    def bob_batch(self, messages: Batch, y: int, coins: Batch) -> Batch:
        """Return Bob's answer in each run, an array of 0 and 1 with a single axis."""
        pairs = zip(messages, coins, strict=True)
        answers = [self.bob(self.message_as_int(m), y, self.coins_as_int(c)) for m, c in pairs]
        return np.array(answers, dtype=np.uint8)

    def problem(self) -> CommunicationProblem:
        """Return the table of the function that is computed, with the same order of inputs.

        Raises
        ------
        InstanceTooLargeError
            If it has more than `ccsim.classes.MAX_ENTRIES` entries.
        """
        self._refuse(self.num_alice * self.num_bob, MAX_ENTRIES, "problem")
        return self._problem()

    def tabulate(self, budget: Budget | None = None) -> PublicCoinProtocol:
        """Return the protocol as exact tables, one component for each function that it computes.

        Given the coins, Alice and Bob compute a matrix of answers, and up to the names of the
        messages that matrix is all there is: equal rows may share a message, and coins with equal
        matrices are joined. Messages that remain unused are kept, so that the cost is the same.

        Complexity: ``num_coins * num_alice * num_bob`` answers of Bob; some seconds at the limit.

        Raises
        ------
        InstanceTooLargeError
            If ``num_coins * (num_alice * (1 + num_bob) + messages)`` exceeds `MAX_TABLE`.
        OutOfTimeError
            If a budget is given and is over before.
        """
        budget = budget or Budget()
        size = self.num_coins * (self.num_alice * (1 + self.num_bob) + self.messages)
        self._refuse(size, MAX_TABLE, "tables")
        one = self.num_coins == 1
        counts = Counter([self._rows(0, budget)] if one else self._rows_of_all_coins(budget))
        parts = []
        for rows, count in counts.items():
            budget.spend()
            parts.append((Fraction(count, self.num_coins), self._component(rows)))
        return PublicCoinProtocol.mixture(parts)

    def _refuse(self, size: int, limit: int, what: str) -> None:
        if size > limit:
            raise InstanceTooLargeError(
                f"{self.name}: {what} would take {show_number(size)} entries; the limit is {limit}"
            )

    def _rows(self, coins: int, budget: Budget) -> tuple[int, ...]:
        """For each input of Alice the bit mask of Bob's inputs that are answered 1."""
        sent = [self.alice(x, coins) for x in range(self.num_alice)]
        answers = {}
        for message in set(sent):
            budget.spend()
            bits = (self.bob(message, y, coins) << y for y in range(self.num_bob))
            answers[message] = sum(bits)
        return tuple(answers[message] for message in sent)

    def _rows_of_all_coins(self, budget: Budget) -> Iterator[tuple[int, ...]]:
        """`_rows` for each value of the coins, by batches of coins."""
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
            for table in np.packbits(answers, axis=2, bitorder="little"):
                yield tuple(int.from_bytes(row.tobytes(), "little") for row in table)

    def _component(self, rows: tuple[int, ...]) -> DeterministicProtocol:
        """Return the deterministic protocol with the given rows of answers."""
        message = {row: m for m, row in enumerate(dict.fromkeys(rows))}
        bob = tuple(message)
        unused = bob[-1:] * (self.messages - len(bob))
        alice = tuple(message[row] for row in rows)
        return DeterministicProtocol(alice, bob + unused, self.num_bob)


def _written(value: int) -> str:
    """Write a parameter; a long power of two as such, ``2^256``."""
    power_of_two = value.bit_length() > 64 and value & value - 1 == 0
    return f"2^{value.bit_length() - 1}" if power_of_two else str(value)
