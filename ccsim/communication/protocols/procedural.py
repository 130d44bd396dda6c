"""Public-coin protocols given by rules rather than by tables: any size, and their simulation.

Inputs, coins and messages of one run are integers from 0; a *batch* of runs is a numpy array whose
first axis is the run. `coins_from_int`, `coins_as_int` and `message_as_int` convert.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import fields
from fractions import Fraction
from typing import Any, ClassVar, TypeAlias, TypeGuard

import numpy as np
import numpy.typing as npt

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.one_way import OneWayProtocol, Transcript
from ccsim.communication.protocols.play import MOST_LISTED
from ccsim.communication.protocols.tables import DeterministicProtocol, PublicCoinProtocol
from ccsim.data import frozen, validated
from ccsim.errors import DomainError, InstanceTooLargeError, NotDecidedError
from ccsim.exact import Interval, as_fraction, clopper_pearson
from ccsim.exact.binomial import check_trials
from ccsim.exact.probability import uniform_below, uniform_numbers
from ccsim.texts.labels import MAX_ENTRIES

Batch: TypeAlias = npt.NDArray[Any]  # one entry, or one row, for each run

MAX_BITS = 1 << 20  # most bits of an input, and of the coins of one run
MAX_TABLE = 1 << 25
"""Largest ``num_coins * (num_alice * (1 + num_bob) + messages)`` that is tabulated."""
_TABLE_BYTES = 1 << 23
_BLOCK_BYTES = 1 << 22
_BLOCK_RUNS = 1 << 16


@frozen
class ProceduralProtocol(OneWayProtocol):
    """A one-way protocol with uniform public coins from a finite space, given by functions.

    A family is a frozen dataclass whose fields, all integers, are its parameters. As it is a
    `OneWayProtocol`, `amplify` applies at any size.

    Methods do not check the ranges of their arguments; `check_inputs` validates inputs of users.
    The batch methods have defaults that loop over the runs; a family overrides them for speed.
    """

    family: ClassVar[str] = ""
    """Name of the family: that of its entry point."""

    @property
    def name(self) -> str:
        """Family and parameters, as on the command line."""
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
        """Return the correct answer; None outside the promise."""

    @abstractmethod
    def error(self, x: int, y: int) -> Fraction:
        """Return the probability of a wrong answer, by a closed form; 0 outside the promise."""

    @abstractmethod
    def hard_input(self, rng: np.random.Generator) -> tuple[int, int]:
        """Return random inputs that attain the worst-case error."""

    @abstractmethod
    def _problem(self) -> CommunicationProblem:
        """Build the table of the function."""

    @property
    def mistake_depth(self) -> int | None:
        """Largest known depth of a mistake tree for the function; None if unknown.

        It bounds the cost of every protocol from below (`ccsim.communication.LittlestoneBound`).
        """
        return None

    def check_inputs(self, x: int, y: int) -> None:
        """Raise `DomainError` for inputs that are out of range or outside the promise."""
        for letter, number, size in (("x", x, self.num_alice), ("y", y, self.num_bob)):
            if not is_integer(number) or not 0 <= number < size:
                shown = show_number(size), show_number(number)
                raise DomainError(
                    f"{self.name}: {letter} must be at least 0 and below {shown[0]}, not {shown[1]}"
                )
        if self.value(x, y) is None:
            raise DomainError(
                f"{self.name}: inputs {show_number(x)} and {show_number(y)} are outside the promise"
            )

    def output_probability(self, x: int, y: int) -> Fraction:
        """Return the probability that Bob answers 1; raises `DomainError` outside the promise."""
        self.check_inputs(x, y)
        return 1 - self.error(x, y) if self.value(x, y) else self.error(x, y)

    def run(self, x: int, y: int, rng: np.random.Generator) -> Transcript:
        """Run the protocol once."""
        coins = uniform_below(self.num_coins, rng)
        message = self.alice(x, coins)
        return Transcript(x, y, coins, message, self.bob(message, y, coins))

    def _own_problem(self) -> CommunicationProblem | None:
        is_small = max(self.num_alice, self.num_bob) <= MOST_LISTED
        return self.problem() if is_small else None

    def _names(self, about: CommunicationProblem | None) -> str:
        return self.name

    def _expected(self, x: int, y: int, about: CommunicationProblem | None) -> int | None:
        return self.value(x, y) if about is None else about.value(x, y)

    def _senders(self, run: Transcript) -> tuple[int, ...]:
        coins, message = run.coins or 0, run.message
        return tuple(x for x in range(self.num_alice) if self.alice(x, coins) == message)

    def _told(self, run: Transcript) -> str:
        if self.num_coins == 1:
            return "none"
        return f"{show_number(run.coins)}, uniform below {_written(self.num_coins)}"

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

        Parameters, result and exceptions are those of `ccsim.simulate`.
        """
        return simulate(
            self, x, y, runs, seed, time_limit=time_limit, progress=progress,
            confidence=confidence, jobs=jobs,
        )  # fmt: skip

    @property
    def run_bytes(self) -> int:
        """Approximate memory of one run in bytes; simulations choose the sizes of batches by it."""
        return 512

    def sample_coins(self, runs: int, rng: np.random.Generator) -> Batch:
        """Return independent uniform coins, one entry for each run."""
        return self.coins_from_int(uniform_numbers(self.num_coins, runs, rng))

    def coins_from_int(self, coins: Iterable[int]) -> Batch:
        """Return the batch of the given coins."""
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

    def problem(self) -> CommunicationProblem:
        """Return the problem that the protocol solves, with inputs in the same order.

        Raises
        ------
        InstanceTooLargeError
            If it has more than `ccsim.classes.MAX_ENTRIES` entries.
        """
        self._refuse(self.num_alice * self.num_bob, MAX_ENTRIES, "problem")
        return self._problem()

    def tabulate(self, budget: Budget | None = None) -> PublicCoinProtocol:
        """Return the protocol as exact tables, a component for each distinct matrix of answers.

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

    def _refuse(self, size: int, limit: int, what: str) -> None:
        if size > limit:
            raise InstanceTooLargeError(
                f"{self.name}: {what} would take {show_number(size)} entries; the limit is {limit}"
            )

    def _rows(self, coins: int, budget: Budget) -> tuple[int, ...]:
        """For each input of Alice the bit mask of Bob's inputs that are answered 1."""
        sent = [self.alice(x, coins) for x in range(self.num_alice)]
        answers = {
            message: sum(self.bob(message, y, coins) << y for y in range(self.num_bob))
            for message in budget.each(set(sent))
        }
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


@validated
class SimulationResult:
    """The observed frequency of errors of a protocol on one pair of inputs.

    Attributes
    ----------
    protocol : str
        Name of the protocol.
    x, y : int
        Inputs.
    runs, wrong : int
        Number of independent runs, and number of wrong answers among them.
    seed : int
        Seed of the numpy generator.
    confidence : Fraction
        Confidence level of the interval.
    interval : Interval
        The Clopper-Pearson interval, with endpoints rounded outwards.
    exact : Fraction
        The exact error, by the closed form of the family.
    """

    protocol: str
    x: int
    y: int
    runs: int
    wrong: int
    seed: int
    confidence: Fraction
    interval: Interval
    exact: Fraction

    @property
    def estimate(self) -> Fraction:
        """Observed frequency of a wrong answer."""
        return Fraction(self.wrong, self.runs)

    @property
    def agrees(self) -> bool:
        """Whether the interval contains the exact error."""
        return self.interval.lower <= self.exact <= self.interval.upper


@checked_types
def simulate(  # noqa: PLR0913 - what describes an experiment, and how it is run
    protocol: ProceduralProtocol,
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
    """Run a protocol many times on the same inputs with fresh coins and count the wrong answers.

    Parameters
    ----------
    x, y : int
        Inputs inside the promise.
    runs : int
        Number of runs, at least 1.
    seed : int
        At least 0; the same seed gives the same result, whatever ``jobs`` is.
    time_limit : float or Budget, optional
        Seconds after which the result of the finished runs is returned. If there is a limit,
        however large, an interrupt (Ctrl-C) has the same effect.
    progress : callable, optional
        Called with the number of finished runs and ``runs``.
    confidence : Fraction, int or str
        Confidence level of the interval, strictly between 0 and 1.
    jobs : int
        Number of threads, at least 1. More threads help if the family has vectorised batch methods.

    Returns
    -------
    SimulationResult

    Raises
    ------
    NotDecidedError
        If no block of runs is finished within the time limit.

    Notes
    -----
    Block ``b`` of the runs draws its coins from numpy's ``SeedSequence`` for the seed and ``b``.

    Complexity: ``runs`` times the work of one run. Each thread uses some ten megabytes of memory
    (``docs/benchmarks-simulation.md``).

    Examples
    --------
    >>> from protocols import EqualityHashing
    >>> result = simulate(EqualityHashing(bits=256, repetitions=3), x=0, y=7, runs=1000, seed=0)
    >>> result.exact, result.agrees
    (Fraction(1, 8), True)
    """
    check_parameter("runs", runs, least=1)
    check_parameter("seed", seed, least=0)
    check_trials(runs)
    check_parameter("jobs", jobs, least=1)
    confidence = as_fraction(confidence, "confidence")
    if not 0 < confidence < 1:
        raise DomainError(f"confidence must be strictly between 0 and 1, not {confidence}")
    protocol.check_inputs(x, y)
    done = wrong = 0
    with Budget.of(time_limit) as budget:
        for block, mistakes in _counted(protocol, (x, y), _blocks(protocol, runs), seed, jobs):
            done, wrong = done + block, wrong + mistakes
            if progress is not None:
                progress(done, runs)
            if done < runs:
                budget.spend()
    if not done:
        raise NotDecidedError(f"{protocol.name}: no run was finished within the time limit")
    interval = clopper_pearson(wrong, done, confidence)
    exact = protocol.error(x, y)
    return SimulationResult(protocol.name, x, y, done, wrong, seed, confidence, interval, exact)


def _blocks(protocol: ProceduralProtocol, runs: int) -> Iterator[tuple[int, int]]:
    """Yield number and size of each block of runs."""
    size = max(1, min(_BLOCK_RUNS, _BLOCK_BYTES // protocol.run_bytes))
    for number, start in enumerate(range(0, runs, size)):
        yield number, min(size, runs - start)


def _counted(
    protocol: ProceduralProtocol,
    inputs: tuple[int, int],
    blocks: Iterator[tuple[int, int]],
    seed: int,
    jobs: int,
) -> Iterator[tuple[int, int]]:
    """Yield size and number of wrong answers of the blocks, in order, a few of them in work."""
    if jobs == 1:
        for number, size in blocks:
            yield size, _mistakes(protocol, inputs, size, (seed, number))
        return
    with ThreadPoolExecutor(jobs) as pool:
        waiting: deque[tuple[int, Future[int]]] = deque()
        try:
            for number, size in blocks:
                task = pool.submit(_mistakes, protocol, inputs, size, (seed, number))
                waiting.append((size, task))
                if len(waiting) > 2 * jobs:
                    done, task = waiting.popleft()
                    yield done, task.result()
            for done, task in waiting:
                yield done, task.result()
        finally:  # after an interrupt nobody asks for the rest
            pool.shutdown(cancel_futures=True)


def _mistakes(
    protocol: ProceduralProtocol, inputs: tuple[int, int], runs: int, source: tuple[int, int]
) -> int:
    """Return the number of wrong answers in one block of runs, whose source is seed and number."""
    rng = np.random.default_rng(np.random.SeedSequence(source[0], spawn_key=source[1:]))
    x, y = inputs
    coins = protocol.sample_coins(runs, rng)
    answers = protocol.bob_batch(protocol.alice_batch(x, coins), y, coins)
    return int(np.count_nonzero(answers != protocol.value(x, y)))


def check_parameter(name: str, value: object, least: int, most: int | None = None) -> None:
    """Refuse a parameter that is not an integer from ``least`` to ``most``."""
    if not is_integer(value) or value < least:
        raise DomainError(f"{name} must be an integer, at least {least}, not {show_number(value)}")
    if most is not None and value > most:
        raise InstanceTooLargeError(f"{name} must be at most {most}, not {show_number(value)}")


def is_integer(value: object) -> TypeGuard[int]:
    """Whether a value is an integer and no truth value."""
    return isinstance(value, int) and not isinstance(value, bool)


def show_number(value: object) -> str:
    """Write a value out, or its size if it is a number too long to read."""
    if isinstance(value, int) and value.bit_length() > 64:
        return f"a number of {value.bit_length()} bits"
    return repr(value)


def _written(value: int) -> str:
    """Write a parameter; a long power of two as such, ``2^256``."""
    power_of_two = value.bit_length() > 64 and value & value - 1 == 0
    return f"2^{value.bit_length() - 1}" if power_of_two else str(value)
