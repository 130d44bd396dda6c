"""Simulation of procedural protocols: an observed error with an interval that is guaranteed."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from fractions import Fraction
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.communication.protocols.parameters import check_parameter
from ccsim.data import validated
from ccsim.errors import DomainError, NotDecidedError
from ccsim.exact import Interval, as_fraction, clopper_pearson
from ccsim.exact.binomial import check_trials

Batch: TypeAlias = npt.NDArray[Any]
"""One entry, or one row, for each run."""

_BLOCK_BYTES = 1 << 22
_BLOCK_RUNS = 1 << 16


@runtime_checkable
class Batched(Protocol):
    """A protocol that is run many times at once, such as every `ProceduralProtocol`."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """Family and parameters."""

    @property
    def run_bytes(self) -> int:
        """Memory that one run of a batch takes, roughly."""

    def check_inputs(self, x: int, y: int) -> None:
        """Refuse inputs that are out of range or outside the promise."""

    def value(self, x: int, y: int) -> int | None:
        """Return the value that Bob should answer, None outside the promise."""

    def error(self, x: int, y: int) -> Fraction:
        """Return the probability of a wrong answer."""

    def sample_coins(self, runs: int, rng: np.random.Generator) -> Batch:
        """Return independent uniform coins, one entry for each run."""

    def alice_batch(self, x: int, coins: Batch) -> Batch:
        """Return Alice's messages."""

    def bob_batch(self, messages: Batch, y: int, coins: Batch) -> Batch:
        """Return Bob's answers."""


@validated
class SimulationResult:
    """How often a protocol was wrong on one pair of inputs.

    Attributes
    ----------
    protocol : str
        Name of the protocol.
    x, y : int
        Inputs.
    runs, wrong : int
        Number of independent runs that were made, and of wrong answers among them.
    seed : int
        Seed of the numpy generator.
    confidence : Fraction
        Probability, at least, with which such an interval contains the true error.
    interval : Interval
        The interval of Clopper and Pearson, its ends rounded outwards.
    exact : Fraction
        The true error by the family's closed form.
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
    protocol: Batched,
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
        At least 1.
    seed : int
        At least 0; the same seed gives the same result, whatever ``jobs`` is.
    time_limit : float or Budget, optional
        Seconds after which the result is that of the runs that were finished. With a limit, however
        large, an interrupt (Ctrl-C) has the same effect.
    progress : callable, optional
        Called with the number of finished runs and ``runs``.
    confidence : Fraction, int or str
        Strictly between 0 and 1.
    jobs : int
        Number of threads, at least 1. They help where the family has vectorised batches.

    Returns
    -------
    SimulationResult

    Raises
    ------
    DomainError
        If an argument breaks its rule.
    InstanceTooLargeError
        If there are too many runs.
    NotDecidedError
        If no block of runs is finished in time.

    Notes
    -----
    The runs are cut into blocks whose size depends on the protocol alone; block ``b`` takes its
    coins from a generator of its own, that of numpy's ``SeedSequence`` for the pair of seed and
    ``b``.

    Complexity: ``runs`` times the work of one run, in memory of some ten megabytes for each job;
    ten million runs on inputs of 256 bits take 1 to 12 seconds on one core, whatever the family
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
        raise DomainError(f"confidence must lie strictly between 0 and 1, not {confidence}")
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
        raise NotDecidedError(f"{protocol.name}: no run was finished in time")
    interval = clopper_pearson(wrong, done, confidence)
    exact = protocol.error(x, y)
    return SimulationResult(protocol.name, x, y, done, wrong, seed, confidence, interval, exact)


def _blocks(protocol: Batched, runs: int) -> Iterator[tuple[int, int]]:
    """Yield number and size of each block of runs."""
    size = max(1, min(_BLOCK_RUNS, _BLOCK_BYTES // protocol.run_bytes))
    for number, start in enumerate(range(0, runs, size)):
        yield number, min(size, runs - start)


def _counted(
    protocol: Batched,
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
    protocol: Batched, inputs: tuple[int, int], runs: int, source: tuple[int, int]
) -> int:
    """Return the number of wrong answers in one block of runs."""
    seed, number = source
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))
    x, y = inputs
    coins = protocol.sample_coins(runs, rng)
    answers = protocol.bob_batch(protocol.alice_batch(x, coins), y, coins)
    return int(np.count_nonzero(answers != protocol.value(x, y)))
