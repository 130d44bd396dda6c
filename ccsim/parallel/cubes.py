"""Cubes: independent parts of one question, answered by several processes.

The list of cubes does not depend on the number of processes, and their results are used in the
order of the list; so the answer and its certificate are the same for any number of processes.
"""

from __future__ import annotations

import json
import math
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, nullcontext
from functools import partial
from hashlib import sha256
from heapq import heapreplace
from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias

from ccsim.budget import Budget, OutOfTimeError, StoppedWarning
from ccsim.data import frozen
from ccsim.errors import NotDecidedError, UnreadableInputError
from ccsim.version import __version__

if TYPE_CHECKING:
    from ccsim.parallel.store import Store

Data: TypeAlias = Any
"""JSON data: lists, mappings with texts as keys, texts, integers, truth values, None."""
Search: TypeAlias = Callable[[Data, Budget], Data]
"""A search that answers one cube; no call may depend on an earlier one."""

_KILLED = "three processes were killed while they worked on cube"
_GRACE = 1.5  # seconds after the time limit in which processes answer that they have no result


class CubesSampledError(NotDecidedError):
    """Raised instead of an answer if `Workers` asks for a sample of the cubes.

    Attributes
    ----------
    cubes : int
        The number of all cubes.
    seconds : tuple of float
        The seconds that each cube of the sample took.
    """

    def __init__(self, cubes: int, seconds: Sequence[float]) -> None:
        self.cubes, self.seconds = cubes, tuple(seconds)
        n = len(seconds)
        mean = math.fsum(seconds) / n
        spread = math.sqrt(math.fsum((s - mean) ** 2 for s in seconds) / max(n - 1, 1))
        error = 2 * spread / math.sqrt(n) * math.sqrt(1 - n / cubes)
        hours = [cubes * seconds / 3600 for seconds in (mean, error)]
        super().__init__(
            f"{cubes} cubes need about {hours[0]:.3g} core-hours, plus or minus {hours[1]:.2g} "
            f"(two standard errors of a sample of {n}; its slowest cube took {max(seconds):.3g} s)"
        )


@frozen
class _Task:
    """One cube, with all that a process needs to answer it."""

    kind: Callable[[Data], Search]
    shared: str  # a JSON text
    number: int
    cube: Data
    end: float | None  # the time limit, in seconds since 1970: the clocks of machines agree on it


@frozen
class _Found:
    """The result of a cube."""

    text: str | None  # a JSON text; None if the time was not enough
    seconds: float


def solved(
    kind: Callable[[Data], Search], shared: Data, cubes: Sequence[Data], budget: Budget
) -> Generator[Data, None, None]:
    """Yield the result of each cube, in the order of the cubes.

    ``kind(shared)`` returns the search; each process calls it once. `kind` is a name of a module.
    The iteration may be ended early. It raises `OutOfTimeError` if a result is missing.
    """
    run, sample = _Run(kind, shared, cubes, budget), budget.workers.sample
    if sample is not None:
        raise run.estimate(sample)
    yield from run.in_order()


def makespan(seconds: Sequence[float], workers: int) -> float:
    """Return the time that processes need for cubes that they take in the given order.

    >>> makespan([1, 1, 1, 3], 2), makespan([3, 1, 1, 1], 2)
    (4.0, 3.0)
    """
    free = [0.0] * workers
    for each in seconds:
        heapreplace(free, free[0] + each)
    return max(free)


class _Run:
    """The cubes of one question, and those of their results that are known."""

    def __init__(
        self, kind: Callable[[Data], Search], shared: Data, cubes: Sequence[Data], budget: Budget
    ) -> None:
        self._kind, self._cubes, self._budget = kind, cubes, budget
        self._shared = json.dumps(shared)
        digest = sha256(self._shared.encode()).hexdigest()
        self._question = f"cubes of {kind.__module__}.{kind.__qualname__}, {digest}"
        self._names = [json.dumps(cube) for cube in cubes]
        workers = budget.workers
        self._store: Store | None = None
        self._known: dict[str, str] = {}
        if workers.store is not None:
            from ccsim.parallel.store import Store

            self._store = Store(workers.store)
            rows = self._store.rows(self._question, __version__)
            self._known = {row.instance: row.answer for row in rows if row.answer is not None}

    def in_order(self) -> Iterator[Data]:
        """Yield the results in order."""
        missing = [i for i, name in enumerate(self._names) if name not in self._known]
        with closing(self._found(missing)) as found:
            for name in self._names:
                while name not in self._known:
                    if next(found, None) is None:
                        raise OutOfTimeError
                yield json.loads(self._known[name])

    def estimate(self, sample: int) -> CubesSampledError:
        """Return an estimate from the times of random cubes."""
        number = len(self._cubes)
        chosen = Random(0).sample(range(number), min(sample, number))  # noqa: S311 - a fixed sample
        with closing(self._found(sorted(chosen))) as found:
            seconds = list(found)
        if len(seconds) < len(chosen):
            raise OutOfTimeError
        return CubesSampledError(number, seconds)

    def _found(self, numbers: Sequence[int]) -> Generator[float, None, None]:
        """Answer the cubes with these numbers; yield the seconds of each when it is stored.

        The iteration ends early if the time is used up or a cluster or the database fails.
        """
        from ccsim.parallel.processes import Killed, LostClusterError, results

        workers, budget = self._budget.workers, self._budget
        alone = workers.scheduler is None and (workers.jobs == 1 or len(numbers) == 1)
        if alone:
            answer = partial(_timed, _search_of(self._kind, self._shared), budget)
        end = None if math.isinf(budget.remaining) else time.time() + budget.remaining
        tasks = (_Task(self._kind, self._shared, i, self._cubes[i], end) for i in numbers)
        try:
            with self._store or nullcontext():
                ran = results(
                    answer if alone else _answered,
                    tasks,
                    1 if alone else workers.jobs,
                    workers.scheduler,
                    lambda: None if math.isinf(budget.remaining) else budget.remaining + _GRACE,
                )
                with closing(ran):
                    for task, result in ran:
                        if isinstance(result, Killed):
                            budget.stop(f"{_KILLED} {task.number}, possibly for lack of memory")
                            return
                        if result.text is None:
                            return
                        if not self._keep(task.number, result.text, result.seconds):
                            return
                        yield result.seconds
        except LostClusterError as error:
            budget.stop(str(error))
        except UnreadableInputError as error:
            if self._store is None:
                raise
            # no further result is needed
            warnings.warn(StoppedWarning(f"{error}; results are missing in it"), stacklevel=2)

    def _keep(self, number: int, text: str, seconds: float) -> bool:
        """Store a result; return False, and end the search, if the database fails."""
        name, workers = self._names[number], self._budget.workers
        self._known[name] = text
        if self._store is not None:
            from ccsim.parallel.store import Row

            place = f"{number} of {len(self._names)}"
            row = Row(name, "", self._question, __version__, 0, text, place, seconds, math.inf)
            try:
                self._store.put(row)
            except UnreadableInputError as error:
                self._budget.stop(str(error))
                return False
        if workers.progress is not None:
            workers.progress(len(self._known), len(self._names))
        return True


_LATEST = threading.local()  # the latest search of each thread


def _search_of(kind: Callable[[Data], Search], shared: str) -> Search:
    """Return the search for data of all cubes; it is built once if lists of cubes share it."""
    key = kind, shared
    if getattr(_LATEST, "key", None) != key:
        _LATEST.search, _LATEST.key = kind(json.loads(shared)), key
    search: Search = _LATEST.search
    return search


def _answered(task: _Task) -> _Found:
    """Answer a cube in a process of its own."""
    budget = Budget(None if task.end is None else max(task.end - time.time(), 0))
    return _timed(_search_of(task.kind, task.shared), budget, task)


def _timed(search: Search, budget: Budget, task: _Task) -> _Found:
    begin = time.perf_counter()
    try:
        text = json.dumps(search(task.cube, budget))
    except OutOfTimeError:
        text = None
    return _Found(text, time.perf_counter() - begin)
