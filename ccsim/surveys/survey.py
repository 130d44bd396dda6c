"""A question asked about many instances, in a file that any interruption leaves whole."""

from __future__ import annotations

import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from types import FrameType

from ccsim.budget import Budget, TimeLimit
from ccsim.certificates.files import make_folder, write_text_atomically
from ccsim.data import frozen
from ccsim.surveys.asking import Ask, Reply, replies
from ccsim.surveys.instances import Asked
from ccsim.surveys.store import Row, Store

NOT_DECIDED = 3
"""Status of an answer that ran out of time; it is asked again when there is more."""


@frozen
class Survey:
    """What is asked, and where the answers are kept."""

    question: str  # part of the key of an answer
    version: str  # of ccsim; part of the key
    asked: tuple[Asked, ...]
    store: Store
    # seconds that an answer may take, to which ``ask`` keeps; infinity for any time
    time_limit: float
    certificates: Path | None = None  # folder in which certificates are kept

    def rows(self) -> list[Row]:
        """Return the answers that are there, in the order of the instances."""
        known = {
            (row.instance, row.digest): row for row in self.store.rows(self.question, self.version)
        }
        keys = dict.fromkeys((each.text, each.digest) for each in self.asked)
        return [known[key] for key in keys if key in known]

    def missing(self) -> list[Asked]:
        """Return what is to be asked still: without an answer, or with one that can be bettered."""
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
        """Return the row of a reply; its certificate is written before."""
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
    """Ask what is missing in a survey; every answer is on disk soon after it came.

    An interrupt (Ctrl-C) ends it; a second call goes on. Several calls may fill one file at once;
    an answer that two of them found is kept once.
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
    """Note the signals that interrupt, which a search takes for the end of its time."""
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
