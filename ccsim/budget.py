"""Budgets of time and work, which end searches at their limits, and the processes of a search.

Loops call `Budget.spend`, and ``with budget:`` catches the end of the search. Functions without a
budget argument call `check_time`; their caller wraps the call in ``with budget.heard():``.
"""

from __future__ import annotations

import math
import re
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from fractions import Fraction
from os import PathLike
from types import TracebackType
from typing import Any, Self, TypeAlias, TypeVar

from ccsim.errors import DomainError

T = TypeVar("T")

_AT_ONCE = 0.5
_EVERY = 1 << 12  # things that take some hundredths of a second together

Progress: TypeAlias = Callable[[Any, Any], None]
"""A function that is called with both bounds whenever one of them changes."""


def _is_limit(given: object) -> bool:
    if isinstance(given, bool) or not isinstance(given, int | float):
        return False
    return given == math.inf or 0 <= given <= sys.float_info.max


@dataclass(frozen=True, slots=True)
class Workers:
    """The processes that work on one question, and the database of their results.

    A long search divides its question into *cubes*: independent parts, each of which is answered by
    one process. The answer and its certificate do not depend on the number of processes.

    Parameters
    ----------
    jobs : int, 1 to 256
        The number of processes of this machine. With 1, this process works alone.
    scheduler : str, optional
        The address ``tcp://HOST:PORT`` of a Dask scheduler, whose workers are used instead.
    store : path, optional
        An SQLite database that keeps the results of cubes. If it exists, the search continues with
        its results.
    sample : int, optional
        If it is given, a search that reaches its cubes answers only this number of random cubes,
        and raises `CubesSampledError`.
    progress : callable, optional
        It is called with the number of finished cubes and the number of all cubes.

    Raises
    ------
    DomainError
        If a parameter is invalid.

    Examples
    --------
    >>> Workers(jobs=2).jobs
    2
    """

    jobs: int = 1
    scheduler: str | None = None
    store: str | PathLike[str] | None = None
    sample: int | None = None
    progress: Callable[[int, int], None] | None = None

    def __post_init__(self) -> None:
        for name, most in (("jobs", MOST_JOBS), ("sample", MOST_SAMPLE)):
            given: object = getattr(self, name)
            if given is None and name == "sample":
                continue
            if isinstance(given, bool) or not isinstance(given, int) or not 1 <= given <= most:
                raise DomainError(f"{name} must be an integer from 1 to {most}, not {given!r:.40}")
        store: object = self.store
        if store is not None and not isinstance(store, str | PathLike):
            raise DomainError(f"store must be the name of a file, not {store!r:.40}")
        scheduler: object = self.scheduler
        if scheduler is None:
            return
        if not isinstance(scheduler, str) or not ADDRESS.fullmatch(scheduler):
            raise DomainError(f"scheduler must be tcp://HOST:PORT, not {scheduler!r:.40}")

    @property
    def is_alone(self) -> bool:
        """Whether only this process works, and keeps nothing of single cubes."""
        return (self.jobs, self.scheduler, self.store, self.sample) == (1, None, None, None)

    @classmethod
    def of(cls, jobs: Jobs) -> Workers:
        """Return the workers for a number of processes."""
        return jobs if isinstance(jobs, Workers) else cls(1 if jobs is None else jobs)


MOST_JOBS, MOST_SAMPLE = 256, 10**6
ADDRESS = re.compile(r"[a-z]+://[A-Za-z0-9.\-_\[\]:]{1,255}:[0-9]{1,5}")  # of a scheduler
Jobs: TypeAlias = int | Workers | None
"""A number of processes of this machine, or `Workers`; None for the workers of the time limit."""


class StoppedWarning(UserWarning):
    """Warns that a search ended early, or did not store all results, as a file or cluster failed.

    The bounds that have been proved are returned.
    """


class OutOfTimeError(Exception):
    """The time limit is reached; ``with budget:`` catches this exception."""


class OutOfWorkError(Exception):
    """The limit of work is reached; a search may be repeated with a larger limit."""


class Budget:
    """The remaining time, and the remaining work in units of the search.

    As a context manager, it ends its block at the time limit. If there is a limit, an interrupt
    (Ctrl-C) also ends the block, and this budget and its parents expire. Without a limit,
    interrupts propagate.
    """

    __slots__ = (
        "_clock",
        "_end",
        "_parent",
        "_progress",
        "interrupted",
        "limited",
        "work",
        "workers",
    )

    def __init__(
        self,
        seconds: float | None = None,
        progress: Progress | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        given: object = seconds
        if given is not None and not _is_limit(given):
            short = isinstance(given, bool | float) or (isinstance(given, int) and given < 0)
            shown = f"{given}" if short else f"of type {type(given).__name__}"
            raise DomainError(f"time limit must be a number of seconds, at least 0, not {shown}")
        if progress is not None and not callable(progress):
            raise DomainError(f"progress must be callable, not of type {type(progress).__name__}")
        self._clock, self._progress = clock, progress
        self.limited = seconds is not None
        self._end = math.inf if seconds is None else clock() + seconds
        self._parent: Budget | None = None
        self.work, self.interrupted = sys.maxsize, False
        self.workers = _ALONE

    @classmethod
    def of(cls, limit: TimeLimit, progress: Progress | None = None, jobs: Jobs = None) -> Budget:
        """Return a budget for a limit in seconds, or a share of the whole given budget."""
        budget = (
            limit.share(progress=progress) if isinstance(limit, Budget) else cls(limit, progress)
        )
        if jobs is not None:
            budget.workers = Workers.of(jobs)
        return budget

    @property
    def remaining(self) -> float:
        """The remaining seconds, at least 0."""
        return 0.0 if self.interrupted else max(self._end - self._clock(), 0.0)

    @property
    def expired(self) -> bool:
        """Whether the time limit is reached or the search was interrupted."""
        return self.interrupted or self._clock() >= self._end

    def share(
        self, part: float = 1, *, work: int = sys.maxsize, progress: Progress | None = None
    ) -> Budget:
        """Return a budget with a fraction of the remaining time and a limit of work."""
        shared = Budget(None, progress or self._progress, clock=self._clock)
        shared.limited, shared._parent, shared.work = self.limited, self, work
        shared._end = self._end if part == 1 else self._clock() + part * self.remaining
        shared.interrupted, shared.workers = self.interrupted, self.workers
        return shared

    def grace(self, seconds: float) -> Budget:
        """Return this budget or, after an interrupt, a budget of at most the given seconds."""
        return Budget(min(seconds, self._left()), clock=self._clock) if self.interrupted else self

    def at_least(self, seconds: float) -> Budget:
        """Return a budget of the given seconds, or of the remaining time if this is longer."""
        shared = self.share()
        shared._end = max(self._end, self._clock() + seconds)
        return shared

    def at_once(self) -> Budget:
        """Return a budget of half a second of processor time, for bounds that need no search."""
        first = Budget(_AT_ONCE, clock=time.process_time) if self.limited else self.share()
        first._parent = self
        return first

    def or_at_once(self) -> Budget:
        """Return this budget or, if it has expired, that of `at_once`."""
        return self.at_once() if self.expired else self

    @contextmanager
    def heard(self) -> Iterator[None]:
        """Return a context in which `check_time` uses this budget."""
        outside = _HEARD.set(self)
        try:
            yield
        finally:
            _HEARD.reset(outside)

    def _left(self) -> float:
        return max(self._end - self._clock(), 0.0)

    def spend(self, work: int = 1) -> None:
        """Subtract work from the budget; raise an exception if time or work is used up."""
        self.work -= work
        if self.expired:
            raise OutOfTimeError
        if self.work <= 0:
            raise OutOfWorkError

    def each(self, things: Iterable[T]) -> Iterator[T]:
        """Yield things, and call `spend` before yielding each of them."""
        for thing in things:
            self.spend()
            yield thing

    def stop(self, reason: str) -> None:
        """End this budget and its parents as at the time limit, and warn of the reason."""
        warnings.warn(StoppedWarning(reason), stacklevel=2)
        self._stop()

    def _stop(self) -> None:
        budget: Budget | None = self
        while budget is not None:
            budget.limited = budget.interrupted = True
            budget = budget._parent

    def report(self, lower: Fraction | float, upper: Fraction | float) -> None:
        """Pass the current bounds to ``progress``."""
        if self._progress is not None:
            self._progress(lower, upper)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: object, error: BaseException | None, _trace: TracebackType | None
    ) -> bool:
        if not self.limited:
            return False
        if isinstance(error, KeyboardInterrupt):
            self._stop()
        return isinstance(error, OutOfTimeError | KeyboardInterrupt)


_ALONE = Workers()
_HEARD: ContextVar[Budget | None] = ContextVar("heard", default=None)


def check_time() -> None:
    """Raise `OutOfTimeError` if the budget of the enclosing `Budget.heard` has expired."""
    if (budget := _HEARD.get()) is not None and budget.expired:
        raise OutOfTimeError


def in_time(things: Iterable[T]) -> Iterator[T]:
    """Yield things, and call `check_time` once for every 4096 of them."""
    for number, thing in enumerate(things, 1):
        if number % _EVERY == 0:
            check_time()
        yield thing


TimeLimit: TypeAlias = float | Budget | None  # seconds, a shared budget, or none
