"""Families of protocols given by rules instead of tables, for any size, and their simulation."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import fields
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar, TypeAlias, TypeGuard

import numpy as np
import numpy.typing as npt

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, Jobs, Progress, TimeLimit
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.play import MOST_LISTED
from ccsim.communication.protocols.two_party import TwoPartyProtocol
from ccsim.data import frozen, validated
from ccsim.errors import DomainError, InstanceTooLargeError, NotDecidedError
from ccsim.exact import Interval, as_fraction, clopper_pearson
from ccsim.exact.binomial import check_trials
from ccsim.parallel.threads import in_threads
from ccsim.texts.labels import MAX_ENTRIES

Batch: TypeAlias = npt.NDArray[Any]  # one entry, or one row, for each run

MAX_BITS = 1 << 20  # maximum number of bits of an input, and of the coins of one run
_BLOCK_BYTES = 1 << 22
_BLOCK_RUNS = 1 << 16


@frozen
class ProtocolByRules(TwoPartyProtocol):
    """A protocol with uniform public coins from a finite space, given by functions.

    A family is a frozen dataclass whose fields, all integers, are its parameters. Methods do not
    check the ranges of their arguments; `check_inputs` checks inputs given by a user.
    """

    family: ClassVar[str] = ""
    """Name of the family: that of its entry point."""

    @property
    def name(self) -> str:
        """Family and parameters, in the form used on the command line."""
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
    def value(self, x: int, y: int) -> int | None:
        """Return the correct answer; None outside the promise."""

    @abstractmethod
    def error(self, x: int, y: int) -> Fraction:
        """Return the probability of a wrong answer, from a closed form; 0 outside the promise."""

    @abstractmethod
    def hard_input(self, rng: np.random.Generator) -> tuple[int, int]:
        """Return random inputs that attain the worst-case error."""

    @abstractmethod
    def _problem(self) -> CommunicationProblem:
        """Return the problem as a table of values."""

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
        """Return the probability of the answer 1; raises `DomainError` outside the promise."""
        self.check_inputs(x, y)
        return 1 - self.error(x, y) if self.value(x, y) else self.error(x, y)

    def _own_problem(self) -> CommunicationProblem | None:
        is_small = max(self.num_alice, self.num_bob) <= MOST_LISTED
        return self.problem() if is_small else None

    def _names(self, about: CommunicationProblem | None) -> str:
        return self.name

    def _expected(self, x: int, y: int, about: CommunicationProblem | None) -> int | None:
        return self.value(x, y) if about is None else about.value(x, y)

    def _told(self, coins: int | None) -> str:
        if self.num_coins == 1:
            return "none"
        size = self.num_coins
        below = show_number(size) if size & size - 1 else _written(size)
        return f"{show_number(coins)}, uniform below {below}"

    @abstractmethod
    def answers_of_runs(self, x: int, y: int, runs: int, rng: np.random.Generator) -> Batch:
        """Return the answers of independent runs, an array of 0 and 1 with a single axis."""

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
        jobs: Jobs = None,
    ) -> SimulationResult:
        """Run the protocol many times on the same inputs and count the wrong answers.

        See `ccsim.simulate` for parameters, result and exceptions.
        """
        return simulate(
            self, x, y, runs, seed, time_limit=time_limit, progress=progress,
            confidence=confidence, jobs=jobs,
        )  # fmt: skip

    @property
    def run_bytes(self) -> int:
        """Approximate memory of one run in bytes, which determines the sizes of batches."""
        return 512

    def problem(self) -> CommunicationProblem:
        """Return the problem that the protocol solves, with inputs in the same order.

        Raises
        ------
        InstanceTooLargeError
            If it has more than `ccsim.classes.MAX_ENTRIES` entries.
        """
        self._refuse(self.num_alice * self.num_bob, MAX_ENTRIES, "problem")
        return self._problem()

    def _refuse(self, size: int, limit: int, what: str) -> None:
        if size > limit:
            raise InstanceTooLargeError(
                f"{self.name}: {what} would take {show_number(size)} entries; the limit is {limit}"
            )


@validated
class SimulationResult:
    """The observed frequency of errors of a protocol on one pair of inputs.

    Attributes
    ----------
    protocol : str
        Name of the protocol.
    x, y : int
        Numbers of the inputs.
    runs, wrong : int
        Number of independent runs, and number of wrong answers among them.
    seed : int
        Seed of the numpy generator.
    confidence : Fraction
        Confidence level of the interval.
    interval : Interval
        The Clopper-Pearson interval, with endpoints rounded outwards.
    exact : Fraction
        The exact error, from the closed form of the family.
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
    protocol: ProtocolByRules,
    x: int,
    y: int,
    runs: int,
    seed: int,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
    confidence: Fraction | int | str = Fraction(99, 100),
    jobs: Jobs = None,
) -> SimulationResult:
    """Run a protocol many times on the same inputs with fresh coins and count the wrong answers.

    Parameters
    ----------
    x, y : int
        Inputs inside the promise.
    runs : int
        Number of runs, at least 1.
    seed : int
        Seed of the coins, at least 0; the same seed gives the same result for every value of
        ``jobs``.
    time_limit : float or Budget, optional
        Seconds after which the result of the finished runs is returned. If there is a limit, an
        interrupt (Ctrl-C) has the same effect.
    progress : callable, optional
        Called with the number of finished runs and ``runs``.
    confidence : Fraction, int or str
        Confidence level of the interval, strictly between 0 and 1.
    jobs : int or Workers, optional
        The number of threads of this process; see `ccsim.Workers`. More threads help if the family
        has vectorised batch methods.

    Returns
    -------
    SimulationResult

    Raises
    ------
    NotDecidedError
        If no block of runs is finished within the time limit.

    Notes
    -----
    Block ``b`` of the runs draws its coins from numpy's ``SeedSequence`` of the seed and ``b``.

    Complexity: ``runs`` times the work of one run. Each thread uses about ten megabytes of memory
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
    confidence = as_fraction(confidence, "confidence")
    if not 0 < confidence < 1:
        raise DomainError(f"confidence must be strictly between 0 and 1, not {confidence}")
    protocol.check_inputs(x, y)
    done = wrong = 0
    with Budget.of(time_limit, jobs=jobs) as budget:
        mistakes, threads = partial(_mistakes, protocol, (x, y), seed), budget.workers.jobs
        for (_, block), found in in_threads(mistakes, _blocks(protocol, runs), threads):
            done, wrong = done + block, wrong + found
            if progress is not None:
                progress(done, runs)
            if done < runs:
                budget.spend()
    if not done:
        raise NotDecidedError(f"{protocol.name}: no run was finished within the time limit")
    interval = clopper_pearson(wrong, done, confidence)
    exact = protocol.error(x, y)
    return SimulationResult(protocol.name, x, y, done, wrong, seed, confidence, interval, exact)


def _blocks(protocol: ProtocolByRules, runs: int) -> Iterator[tuple[int, int]]:
    """Yield the number and the size of each block of runs."""
    size = max(1, min(_BLOCK_RUNS, _BLOCK_BYTES // protocol.run_bytes))
    for number, start in enumerate(range(0, runs, size)):
        yield number, min(size, runs - start)


def _mistakes(
    protocol: ProtocolByRules, inputs: tuple[int, int], seed: int, block: tuple[int, int]
) -> int:
    """Return the number of wrong answers in one block, given by its number and size."""
    number, runs = block
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))
    x, y = inputs
    return int(np.count_nonzero(protocol.answers_of_runs(x, y, runs, rng) != protocol.value(x, y)))


def check_parameter(name: str, value: object, least: int, most: int | None = None) -> None:
    """Raise `DomainError` unless a parameter is an integer from ``least`` to ``most``."""
    if not is_integer(value) or value < least:
        raise DomainError(f"{name} must be an integer, at least {least}, not {show_number(value)}")
    if most is not None and value > most:
        raise InstanceTooLargeError(f"{name} must be at most {most}, not {show_number(value)}")


def is_integer(value: object) -> TypeGuard[int]:
    """Return whether a value is an integer but not a bool."""
    return isinstance(value, int) and not isinstance(value, bool)


def show_number(value: object) -> str:
    """Return a value as text; a very long number is described by its size."""
    if isinstance(value, int) and value.bit_length() > 64:
        return f"a number of {value.bit_length()} bits"
    return repr(value)


def _written(value: int) -> str:
    """Return a parameter as text; a large power of two is written as ``2^256``."""
    power_of_two = value.bit_length() > 64 and value & value - 1 == 0
    return f"2^{value.bit_length() - 1}" if power_of_two else str(value)
