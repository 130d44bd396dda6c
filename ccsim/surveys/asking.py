"""Answers from many processes: joblib's own on one machine, or those of a Dask cluster.

Implementation notes: both are backends of joblib, so that the same lines serve them. A process that
somebody kills takes its answer with it; then each instance that was in work is asked again in a
process of its own, and the one that kills that too has *this* as its answer. Processes end soon
after the survey that started them, also where it had no time to say so.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from joblib import Parallel, delayed, parallel_config
from joblib.externals.loky import get_reusable_executor
from joblib.externals.loky.process_executor import TerminatedWorkerError

from ccsim.data import frozen
from ccsim.errors import DomainError, NotDecidedError
from ccsim.surveys.instances import Asked

CRASHED = 1
"""Status of an answer that ended in an error which is none of ours."""
_WATCH = 0.5
_ONE_BY_ONE = threading.Lock()
"""What is printed by a command is caught for the whole process: a thread at a time."""


@frozen
class Reply:
    """What came of a question."""

    status: int  # as in `ccsim.surveys.store.Row`
    answer: str | None = None  # A JSON text
    message: str | None = None  # one line
    certificate: str | None = None  # text of the certificate
    seconds: float = 0.0  # set by `replies`


Ask: TypeAlias = Callable[[str], Reply]
"""Answers the question about an instance, given by its text; it can be pickled."""


def replies(
    ask: Ask, asked: Sequence[Asked], jobs: int = 1, scheduler: str | None = None
) -> Iterator[tuple[Asked, Reply]]:
    """Ask about each instance and yield the replies as they come."""
    left = dict(enumerate(asked))
    with _backend(jobs, scheduler) as options:
        while left:
            begun: dict[int, Asked] = {}
            found = Parallel(return_as="generator_unordered", **options)(
                _begin(ask, list(left.items()), begun)
            )
            try:
                for number, reply in found:
                    yield left.pop(number), reply
            except TerminatedWorkerError:
                for number in begun.keys() & left.keys():
                    each = left.pop(number)
                    yield each, _alone(ask, each)
            finally:
                found.close()


def _begin(ask: Ask, asked: Sequence[tuple[int, Asked]], begun: dict[int, Asked]) -> Iterator[Any]:
    for number, each in asked:
        begun[number] = each
        yield delayed(_numbered)(ask, number, each, os.getpid())


@contextmanager
def _backend(jobs: int, scheduler: str | None) -> Iterator[Mapping[str, Any]]:
    if scheduler is None:
        yield {"n_jobs": jobs}
        return
    try:
        from dask.distributed import CancelledError, Client, KilledWorker
        from distributed.comm import CommClosedError
    except ImportError:
        raise DomainError(
            "a scheduler needs Dask: pip install 'ccsim[dask]', in a checkout pip install '.[dask]'"
        ) from None
    try:
        client = Client(scheduler, timeout=10)
    except (OSError, ValueError) as error:
        raise DomainError(f"no Dask scheduler answers at {scheduler}: {error}") from None
    try:
        with client, parallel_config(backend="dask"):
            yield {"n_jobs": -1}
    except KilledWorker as error:
        raise NotDecidedError(f"an answer killed several workers of the cluster: {error}") from None
    except (CommClosedError, CancelledError) as error:
        raise NotDecidedError(f"the cluster at {scheduler} was lost: {error}") from None


def _alone(ask: Ask, asked: Asked) -> Reply:
    """Ask in a process of its own, which may be killed."""
    executor = get_reusable_executor(max_workers=1, reuse=False)
    try:
        reply: Reply = executor.submit(_numbered, ask, 0, asked, os.getpid()).result()[1]
    except TerminatedWorkerError:
        reply = Reply(CRASHED, None, "the process that worked on it was killed; too much memory?")
    finally:
        executor.shutdown(wait=True, kill_workers=True)
    return reply


def _numbered(ask: Ask, number: int, asked: Asked, parent: int) -> tuple[int, Reply]:
    if os.getpid() != parent:
        _serve(parent)
    with _ONE_BY_ONE:
        begin = time.perf_counter()
        reply = _ask(ask, asked)
        return number, replace(reply, seconds=time.perf_counter() - begin)


def _ask(ask: Ask, asked: Asked) -> Reply:
    """Ask; the bytes of a file go into a new folder, which no answer mentions."""
    if asked.content is None:
        return ask(asked.text)
    with TemporaryDirectory() as folder:
        copy = Path(folder, Path(asked.text[1:]).name)
        copy.write_bytes(asked.content)
        reply = ask(f"@{copy}")
        here, there = str(copy), asked.text[1:]
        texts = {
            name: text.replace(here, there)
            for name in ("answer", "message", "certificate")
            if (text := getattr(reply, name)) is not None
        }
        return replace(reply, **texts)


_WATCHED: list[threading.Thread] = []


def _serve(parent: int) -> None:
    """Leave interrupts to the parent, and end with it; said once in each process of joblib's."""
    if _WATCHED or os.getppid() != parent:
        return
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    _WATCHED.append(threading.Thread(target=_watch, args=(parent,), daemon=True))
    _WATCHED[0].start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_WATCH)
    os._exit(CRASHED)
