"""A question about many instances, answered by processes on one machine or a Dask cluster.

If a worker process is killed, each instance in progress is repeated in a separate process; if this
process is also killed, a crash is recorded. Workers end soon after the survey that started them.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any, TypeAlias

from joblib import Parallel, delayed, parallel_config
from joblib.externals.loky import get_reusable_executor
from joblib.externals.loky.process_executor import TerminatedWorkerError

from ccsim.budget import Budget, TimeLimit
from ccsim.certificates.files import make_folder, write_text_atomically
from ccsim.data import frozen
from ccsim.errors import DomainError, NotDecidedError
from ccsim.parallel.store import Row, Store
from ccsim.surveys.instances import Asked

NOT_DECIDED = 3  # status of an answer that ran out of time; it is asked again when there is more
CRASHED = 1  # status of an answer that ended in an error which is none of ours
_WATCH = 0.5
_ONE_BY_ONE = threading.Lock()  # a command's output is captured for the whole process


@frozen
class Reply:
    """The result of a question about an instance."""

    status: int  # as in `ccsim.parallel.store.Row`
    answer: str | None = None  # A JSON text
    message: str | None = None  # one line
    certificate: str | None = None  # text of the certificate
    seconds: float = 0.0  # set by `replies`


Ask: TypeAlias = Callable[[str], Reply]  # answers about an instance text; can be pickled


@frozen
class Survey:
    """A question, its instances, and the store of its answers."""

    question: str  # part of the key of an answer
    version: str  # of ccsim; part of the key
    asked: tuple[Asked, ...]
    store: Store
    time_limit: float  # seconds that an answer may take; infinity for any time
    certificates: Path | None = None  # folder in which certificates are kept

    def rows(self) -> list[Row]:
        """Return the stored answers, in the order of the instances."""
        known = {
            (row.instance, row.digest): row for row in self.store.rows(self.question, self.version)
        }
        keys = dict.fromkeys((each.text, each.digest) for each in self.asked)
        return [known[key] for key in keys if key in known]

    def missing(self) -> list[Asked]:
        """Return the instances that have no answer, or an answer that may be improved."""
        done = {(row.instance, row.digest) for row in self.rows() if self._suffices(row)}
        left = {(each.text, each.digest): each for each in self.asked}
        return [each for key, each in left.items() if key not in done]

    def _suffices(self, row: Row) -> bool:
        if row.status == NOT_DECIDED and row.time_limit < self.time_limit:
            return False
        if self.certificates is None or row.status:
            return True
        return row.certificate is not None and (self.certificates / row.certificate).is_file()

    def row_of(self, asked: Asked, reply: Reply) -> Row:
        """Write the certificate of a reply, if any, and return its row."""
        key = asked.text, asked.digest, self.question, self.version
        certificate = None
        if self.certificates is not None and reply.certificate is not None:
            certificate = f"{sha256(repr(key).encode()).hexdigest()[:32]}.json"
            write_text_atomically(self.certificates / certificate, reply.certificate)
        found = reply.status, reply.answer, reply.message, reply.seconds
        return Row(*key, *found, self.time_limit, certificate)


def survey(
    ask: Ask,
    about: Survey,
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    progress: Callable[[Counter[int], int], None] | None = None,
    time_limit: TimeLimit = None,
) -> bool:
    """Compute the missing answers of a survey; return True unless it was interrupted.

    Answers are written to disk promptly. An interrupt (Ctrl-C) ends the survey; a second call
    resumes it. Several calls may write to one file at the same time; an answer found twice is
    stored once.
    """
    if about.certificates is not None:
        make_folder(about.certificates)
    missing, budget = about.missing(), Budget.of(time_limit)
    counts: Counter[int] = Counter()
    with about.store, _interrupts() as interrupted:
        try:
            for asked, reply in replies(ask, missing, jobs, scheduler):
                if interrupted:  # it may be cut short, as by a time limit
                    break
                if reply.status == NOT_DECIDED and budget.expired:
                    continue
                about.store.put(about.row_of(asked, reply))
                counts[reply.status] += 1
                if progress is not None:
                    progress(counts, len(missing))
        except KeyboardInterrupt:
            interrupted.append(signal.SIGINT)
    return not interrupted


@contextmanager
def _interrupts() -> Iterator[list[int]]:
    """Record interrupting signals, which a search treats as its time limit."""
    received: list[int] = []
    old: dict[int, Callable[[int, FrameType | None], object]] = {}

    def noting(number: int, before: Callable[[int, FrameType | None], object]) -> None:
        def note(_: int, frame: FrameType | None) -> None:
            received.append(number)
            before(number, frame)

        signal.signal(number, note)
        old[number] = before

    try:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                if callable(before := signal.getsignal(number)):
                    noting(number, before)
        yield received
    finally:
        for changed, handler in old.items():
            signal.signal(changed, handler)


def replies(
    ask: Ask, asked: Sequence[Asked], jobs: int = 1, scheduler: str | None = None
) -> Iterator[tuple[Asked, Reply]]:
    """Yield the replies for all instances in the order in which they are found."""
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
            "a scheduler requires Dask; install it with pip install 'ccsim[dask]', "
            "or in a checkout with pip install '.[dask]'"
        ) from None
    try:
        client = Client(scheduler, timeout=10)
    except (OSError, ValueError) as error:
        raise DomainError(f"no Dask scheduler answers at {scheduler}: {error}") from None
    try:
        with client, parallel_config(backend="dask"):
            yield {"n_jobs": -1}
    except KilledWorker as error:
        raise NotDecidedError(
            f"several workers of the cluster died while computing an answer: {error}"
        ) from None
    except (CommClosedError, CancelledError) as error:
        raise NotDecidedError(
            f"the connection to the cluster at {scheduler} was lost: {error}"
        ) from None


def _alone(ask: Ask, asked: Asked) -> Reply:
    """Compute a reply in a separate process, which may be killed."""
    executor = get_reusable_executor(max_workers=1, reuse=False)
    try:
        reply: Reply = executor.submit(_numbered, ask, 0, asked, os.getpid()).result()[1]
    except TerminatedWorkerError:
        reply = Reply(CRASHED, None, "the worker process was killed, possibly for lack of memory")
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
    """Compute a reply; files are copied to a temporary folder, which replies do not name."""
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
    os._exit(CRASHED)
