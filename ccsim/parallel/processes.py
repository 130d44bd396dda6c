"""Tasks on the processes of one machine (loky) or of a Dask cluster.

Each local process belongs to an executor of its own, so that a killed process costs the task that
it worked on, and no other one. Processes end soon after the one that started them.
"""

from __future__ import annotations

import atexit
import logging
import os
import signal
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from ccsim.data import frozen
from ccsim.errors import DomainError

T = TypeVar("T")
R = TypeVar("R")

_WATCH, _BEGINNING = 0.5, 0.001  # seconds between two looks
_IDLE_SECONDS = 60  # after which a process without tasks ends
_FOR_EACH = 4  # tasks that a cluster is given for each of its threads
_MOST_KILLS = 3  # killed processes after which a task is not repeated
_LOGGERS = ("distributed", "distributed.client", "tornado.application")
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class LostClusterError(Exception):
    """The connection to a cluster was lost, or its workers died."""


@frozen
class Killed:
    """The result of a task that was tried three times, and each time its process was killed."""


def results(
    function: Callable[[T], R],
    tasks: Iterable[T],
    jobs: int = 1,
    scheduler: str | None = None,
    patience: Callable[[], float | None] = lambda: None,
) -> Generator[tuple[T, R | Killed], None, None]:
    """Yield tasks and their results, in the order in which they end.

    With one job and no scheduler, the tasks run in this process. A task whose process is killed is
    repeated, at most twice. If ``patience()`` seconds pass without a result, the iteration ends.
    Processes that still work on a task when it ends are killed.
    """
    if jobs == 1 and scheduler is None:
        for task in tasks:
            yield task, function(task)
        return
    with _places(jobs, scheduler) as places:
        yield from places.run(function, tasks, patience)


class _Places(Generic[T, R]):
    """The tasks in progress on several executors."""

    def __init__(self, executors: list[Executor], each: Callable[[], int], *, remote: bool) -> None:
        self._executors, self._each, self._remote = executors, each, remote
        self.running: dict[Future[Any], tuple[T, int]] = {}

    def run(
        self, function: Callable[[T], R], tasks: Iterable[T], patience: Callable[[], float | None]
    ) -> Generator[tuple[T, R | Killed], None, None]:
        from concurrent.futures.process import BrokenProcessPool  # loads twenty modules

        left, again = iter(tasks), deque[T]()
        kills: dict[int, int] = {}  # by the identity of a task that has not ended
        ended: list[tuple[T, Future[Any] | Killed]] = []
        while True:
            # free processes are given tasks before results are used, which may take time
            for place in self._room():
                task = again.popleft() if again else next(left, None)
                if task is None:
                    break
                self.running[self._submitted(place, function, task)] = task, place
            for task, result in ended:
                yield task, result if isinstance(result, Killed) else result.result()
            if not self.running:
                return
            seconds = patience()
            most = None if seconds is None else min(seconds, threading.TIMEOUT_MAX)
            done = wait(self.running, most, FIRST_COMPLETED).done
            if not done:
                return
            ended = []
            for future in done:
                task, place = self.running.pop(future)
                killed = kills.pop(id(task), 0)  # a later task may have the same identity
                if not isinstance(future.exception(), BrokenProcessPool):
                    ended.append((task, future))
                    continue
                self._executors[place] = _executor()
                if killed + 1 < _MOST_KILLS:
                    kills[id(task)] = killed + 1
                    again.append(task)
                else:
                    ended.append((task, Killed()))

    def _submitted(self, place: int, function: Callable[[T], R], task: T) -> Future[Any]:
        from concurrent.futures.process import BrokenProcessPool

        parent = 0 if self._remote else os.getpid()
        try:
            return self._executors[place].submit(_called, function, task, parent)
        except BrokenProcessPool:  # its process was killed while it had no task
            self._executors[place] = _executor()
            return self._executors[place].submit(_called, function, task, parent)

    def _room(self) -> list[int]:
        """Return the executors that accept tasks, repeated; a cluster may have grown."""
        busy, each = Counter(place for _, place in self.running.values()), self._each()
        return [i for i in range(len(self._executors)) for _ in range(each - busy[i])]


@contextmanager
def _places(jobs: int, scheduler: str | None) -> Iterator[_Places[Any, Any]]:
    if scheduler is not None:
        with _cluster(scheduler) as places:
            yield places
        return
    executors = [_IDLE.pop() if _IDLE else _executor() for _ in range(jobs)]
    places = _Places[Any, Any](executors, lambda: 1, remote=False)
    try:
        yield places
    finally:
        for future in places.running:
            while not (future.running() or future.done()):  # loky cannot end a task before it runs
                time.sleep(_BEGINNING)
        busy = {place for _, place in places.running.values()}
        for number, executor in enumerate(executors):
            if number in busy:
                executor.shutdown(wait=True, kill_workers=True)
            else:
                _IDLE.append(executor)


_IDLE: list[Any] = []  # executors that wait for tasks
atexit.register(_IDLE.clear)  # at the end, loky may print errors about modules that are gone


def _executor() -> Any:  # noqa: ANN401 - loky has no types
    from joblib.externals.loky import ProcessPoolExecutor

    # numpy must not start a thread for each core in each process
    env = dict.fromkeys(_THREADS, "1")
    return ProcessPoolExecutor(max_workers=1, timeout=_IDLE_SECONDS, env=env)


@contextmanager
def _cluster(scheduler: str) -> Iterator[_Places[Any, Any]]:
    try:
        from dask.distributed import CancelledError as Cancelled
        from dask.distributed import Client, KilledWorker
        from distributed.comm import CommClosedError
    except ImportError:
        raise DomainError(
            "a scheduler requires Dask; install it with pip install 'ccsim[dask]', "
            "or in a checkout with pip install '.[dask]'"
        ) from None
    try:
        with _unlogged():
            client = Client(scheduler, timeout=10)
    except (OSError, ValueError) as error:
        raise DomainError(f"no Dask scheduler answers at {scheduler}: {error}") from None
    try:
        with _unlogged(), client, client.get_executor(pure=False) as executor:

            def each() -> int:
                try:
                    threads: dict[str, int] = client.nthreads()
                except OSError:
                    raise CommClosedError from None
                return _FOR_EACH * max(sum(threads.values()), 1)

            places = _Places[Any, Any]([executor], each, remote=True)
            try:
                yield places
            finally:
                for future in places.running:
                    future.cancel()
    except KilledWorker as error:
        raise LostClusterError(
            f"several workers of the cluster died while computing an answer: {error}"
        ) from None
    except (CommClosedError, Cancelled, CancelledError):
        raise LostClusterError(f"the connection to the cluster at {scheduler} was lost") from None


@contextmanager
def _unlogged() -> Iterator[None]:
    """Return a context without the log messages of Dask about errors that are raised as well."""
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def _called(function: Callable[[T], R], task: T, parent: int) -> R:
    if parent:
        _serve(parent)
    return function(task)


_WATCHED: list[threading.Thread] = []


def _serve(parent: int) -> None:
    """Ignore interrupts, and end with the parent process; called in each worker process."""
    if _WATCHED or os.getppid() != parent:
        return
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    _WATCHED.append(threading.Thread(target=_watch, args=(parent,), daemon=True))
    _WATCHED[0].start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_WATCH)
    os._exit(1)
