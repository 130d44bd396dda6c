"""A question about many instances, answered by processes on one machine or a Dask cluster.

If a worker process is killed, its instance is repeated, at most twice; then a crash is recorded.
Workers end soon after the survey that started them.
"""

from __future__ import annotations

import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import TypeAlias

from ccsim.budget import Budget, TimeLimit
from ccsim.certificates.files import make_folder, write_text_atomically
from ccsim.data import frozen
from ccsim.errors import NotDecidedError
from ccsim.parallel.processes import Killed, LostClusterError, results
from ccsim.parallel.store import Row, Store
from ccsim.surveys.instances import Asked

NOT_DECIDED = 3  # status of an answer that ran out of time; it is asked again when there is more
CRASHED = 1  # status of an answer that ended in an error which is none of ours
_ONE_BY_ONE = threading.Lock()  # a command's output is captured for the whole process


@frozen
class Reply:
    """The result of a question about an instance."""

    status: int  # as in `ccsim.parallel.store.Row`
    answer: str | None = None  # A JSON text
    message: str | None = None  # one line
    certificate: str | None = None  # text of the certificate
    seconds: float = 0.0  # set by `replies`


_KILLED = Reply(CRASHED, None, "the worker process was killed, possibly for lack of memory")
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
    try:
        with closing(results(partial(_timed, ask), asked, jobs, scheduler)) as found:
            for each, reply in found:
                yield each, _KILLED if isinstance(reply, Killed) else reply
    except LostClusterError as error:
        raise NotDecidedError(str(error)) from None


def _timed(ask: Ask, asked: Asked) -> Reply:
    with _ONE_BY_ONE:
        begin = time.perf_counter()
        reply = _ask(ask, asked)
        return replace(reply, seconds=time.perf_counter() - begin)


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
