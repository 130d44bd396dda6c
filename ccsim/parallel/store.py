"""The answers of a survey, or the results of cubes, in an SQLite database.

Each batch of rows is written in one transaction, and locks allow several writers. A thread writes
the rows that arrived during the previous batch, so that no answer waits for another one.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import astuple, fields
from os import PathLike
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from types import TracebackType
from typing import Self

from ccsim.certificates.files import check_writable
from ccsim.data import frozen
from ccsim.errors import UnreadableInputError

APPLICATION = 0x63_63_73_76  # SQLite's number of the application that a file belongs to: ``ccsv``
FORMAT = 1
_PATIENCE = 600.0  # seconds that a writer waits for others
_TOGETHER = 1000

_TABLE = """
CREATE TABLE answers (
  instance TEXT NOT NULL, digest TEXT NOT NULL, question TEXT NOT NULL, version TEXT NOT NULL,
  status INTEGER NOT NULL, answer TEXT, message TEXT, seconds REAL NOT NULL,
  time_limit REAL NOT NULL, certificate TEXT,
  PRIMARY KEY (instance, digest, question, version)
) WITHOUT ROWID
"""


@frozen
class Row:
    """An answer of a survey; the first four fields are its key."""

    instance: str  # with its digest as in `ccsim.surveys.instances.Asked`
    digest: str
    question: str
    version: str  # of ccsim
    status: int  # 0 answered, 1 a crash, 2 refused, 3 not decided, 4 a certificate was rejected
    answer: str | None  # A JSON text
    message: str | None  # why there is no answer, or a note beside it
    seconds: float  # how long it took
    time_limit: float  # seconds that were allowed
    certificate: str | None = None  # name of the file in which the certificate is kept


_NAMES = tuple(field.name for field in fields(Row))
_KEY = _NAMES[:4]
# the columns and the table are constants of this file; values are handed over apart
_INSERT = (
    f"INSERT INTO answers ({', '.join(_NAMES)}) VALUES ({', '.join('?' * len(_NAMES))})"  # noqa: S608
    f" ON CONFLICT ({', '.join(_KEY)}) DO UPDATE SET "
    + ", ".join(f"{name} = excluded.{name}" for name in _NAMES[4:])
    + " WHERE excluded.status < answers.status OR excluded.time_limit > answers.time_limit"
    " OR (answers.certificate IS NULL AND excluded.certificate IS NOT NULL)"
)
"""An existing row is replaced only by a row that decides, had more time, or has a certificate."""
_SELECT = f"SELECT {', '.join(_NAMES)} FROM answers WHERE question = ? AND version = ?"  # noqa: S608


class Store:
    """A database of answers; as a context manager, it accepts rows and commits them in batches."""

    def __init__(self, path: PathLike[str] | str) -> None:
        check_writable(Path(path))
        self._path = path
        self._queue: SimpleQueue[Row | None] = SimpleQueue()
        self._failure: Exception | None = None
        self._thread: Thread | None = None
        with self._opened() as database, database:
            database.execute("BEGIN IMMEDIATE")
            (application,) = database.execute("PRAGMA application_id").fetchone()
            (version,) = database.execute("PRAGMA user_version").fetchone()
            (things,) = database.execute("SELECT count(*) FROM sqlite_master").fetchone()
            if not things and not application:
                database.execute(_TABLE)
                database.execute(f"PRAGMA application_id = {APPLICATION}")
                database.execute(f"PRAGMA user_version = {FORMAT}")
            elif (application, version) != (APPLICATION, FORMAT):
                raise UnreadableInputError(f"{path} is not a database of answers of this format")

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        try:
            path = str(self._path)
            with closing(sqlite3.connect(path, _PATIENCE, isolation_level=None)) as database:
                yield database
        except sqlite3.Error as error:
            raise UnreadableInputError(
                f"{self._path}: cannot be used as a database of answers: {error}"
            ) from None

    def rows(self, question: str, version: str) -> Iterator[Row]:
        """Yield the rows of a question and a version of ccsim, by instance and digest."""
        with self._opened() as database:
            ordered = f"{_SELECT} ORDER BY instance, digest"
            for found in database.execute(ordered, (question, version)):
                yield Row(*found)

    def put(self, row: Row) -> None:
        """Add a row, which is committed immediately or in the next batch.

        If a row could not be written, the next call, or else the end of the context, raises.
        """
        self._raise()
        self._queue.put(row)

    def __enter__(self) -> Self:
        self._queue, self._failure = SimpleQueue(), None
        self._thread = Thread(target=self._write)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self._queue.put(None)
        if self._thread is not None:
            self._thread.join()
        if error is None or isinstance(error, GeneratorExit):
            self._raise()

    def _raise(self) -> None:
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure

    def _write(self) -> None:
        """Commit rows in batches until the end of the queue."""
        try:
            with self._opened() as database:
                while batch := self._batch():
                    database.execute("BEGIN IMMEDIATE")
                    database.executemany(_INSERT, map(astuple, batch))
                    database.execute("COMMIT")
        except UnreadableInputError as error:
            self._failure = error

    def _batch(self) -> list[Row]:
        """Wait for a row, and return all waiting rows; at the end of the queue, an empty list."""
        batch: list[Row] = []
        while (row := self._queue.get()) is not None:
            batch.append(row)
            if len(batch) == _TOGETHER or self._queue.empty():
                return batch
        if batch:
            self._queue.put(None)
        return batch
