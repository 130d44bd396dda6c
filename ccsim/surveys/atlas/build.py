"""The file of the atlas: the values that certificates prove, and counts of classes on 5 points."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType

import numpy as np

from ccsim.certificates.files import write_bytes_atomically
from ccsim.errors import NotDecidedError
from ccsim.parallel.store import Store
from ccsim.surveys.atlas.certificates import FILE, certificates, check_agreement
from ccsim.surveys.atlas.counted_dimensions import counted_dimensions, counted_values
from ccsim.surveys.atlas.statements import Documents, check_documents, proved
from ccsim.surveys.atlas.table import COLUMNS, MOST_POINTS, Entry, stored_entries, texts_of
from ccsim.surveys.instances import Asked, small_classes
from ccsim.surveys.survey import Reply, Survey, survey
from ccsim.version import __version__

_TOGETHER = 1 << 14  # classes on 5 points that are counted in one answer
_NUMBER = 1228158  # of classes on 5 points, with the empty one


def build_atlas(
    out: Path | str,
    *,
    file: Path = FILE,
    answers: Path | str | None = None,
    points: int = MOST_POINTS,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> bool:
    """Write the atlas after the kernel has accepted the certificates; return whether it is done.

    The values of classes on at most 4 points are those that the certificates of a file prove. The
    rows on 5 points are those of the shipped atlas, unless `answers` is a database: then the
    classes are counted again in half an hour on one core.
    """
    entries = []
    for n in range(1, min(points, MOST_POINTS - 1) + 1):
        classes = np.array(small_classes(n)[1:], np.int64)
        for chosen, row in zip(classes, counted_dimensions(n, classes), strict=True):
            entries.append(Entry(n, int(chosen), 1, counted_values(n, row.tolist())))
    if points == MOST_POINTS:
        stored = [entry for entry in stored_entries() if entry.points == MOST_POINTS]
        found = stored if answers is None else _counted(Store(answers), jobs, progress)
        if found is None:
            return False
        entries += found
    shipped = certificates(file)
    write_bytes_atomically(out, _database(_proved(entry, shipped) for entry in entries))
    return True


def _proved(entry: Entry, shipped: Mapping[str, Documents]) -> Entry:
    """Return the entry of a class with the bounds that its documents prove."""
    documents = shipped.get(entry.identifier)
    if entry.classes > 1 or (documents is None and entry.points == MOST_POINTS):
        return entry
    if documents is None:
        raise NotDecidedError(f"{entry.identifier} has no certificates; run 'ccsim atlas prove'")
    check_documents(entry, documents)
    values = dict(entry.values)
    for name, found in proved(documents).items():
        if name in values:
            values[name] = check_agreement(entry, name, values[name], found)
        elif entry.points < MOST_POINTS:
            values[name] = found
    return replace(entry, values=MappingProxyType(values))


def _counted(
    store: Store, jobs: int, progress: Callable[[int, int], None] | None
) -> list[Entry] | None:
    """Return an entry for each list of values on 5 points; None if the survey was interrupted."""
    asked = (
        Asked(f"all:n={MOST_POINTS},first={first},last={min(_NUMBER, first + _TOGETHER) - 1}")
        for first in range(1, _NUMBER, _TOGETHER)
    )
    about = Survey("atlas profiles", __version__, tuple(asked), store, 3600.0)

    def told(counts: Counter[int], number: int) -> None:
        if progress is not None:
            progress(counts.total(), number)

    if not survey(_profiles, about, jobs=jobs, progress=told):
        return None
    merged: dict[tuple[int, ...], tuple[int, int]] = {}
    for row in about.rows():
        if row.answer is None:
            raise NotDecidedError(f"{row.question} of {row.instance}: {row.message}")
        for chosen, count, *dimensions in json.loads(row.answer):
            first, before = merged.get(tuple(dimensions), (chosen, 0))
            merged[tuple(dimensions)] = first, before + count
    return [
        Entry(MOST_POINTS, chosen, count, counted_values(MOST_POINTS, row))
        for row, (chosen, count) in merged.items()
    ]


@lru_cache(maxsize=1)
def _on_five() -> tuple[int, ...]:
    return small_classes(MOST_POINTS)


def _profiles(text: str) -> Reply:
    """Count the classes with equal dimensions in a part of all classes on 5 points."""
    given = dict(part.split("=") for part in text.partition(":")[2].split(","))
    classes = np.array(_on_five()[int(given["first"]) : int(given["last"]) + 1], np.int64)
    found = counted_dimensions(MOST_POINTS, classes)
    kinds, where, counts = np.unique(found, axis=0, return_index=True, return_counts=True)
    rows = zip(classes[where].tolist(), counts.tolist(), kinds.tolist(), strict=True)
    return Reply(0, json.dumps([[chosen, count, *row] for chosen, count, row in rows]))


def _database(entries: Iterable[Entry]) -> bytes:
    """Return the file: a table of classes (on 5 points, of their values), and one of metadata."""
    lines = [(e.points, e.chosen, e.classes, *texts_of(e)) for e in entries]
    lines.sort(key=lambda line: (line[0], line[3], line[1]))
    names = ("points", "chosen", "classes", *COLUMNS)
    quoted = ", ".join(f'"{name}"' for name in names)
    with TemporaryDirectory() as folder:
        path = Path(folder, "atlas.db")
        with closing(sqlite3.connect(path, isolation_level=None)) as database:
            database.execute(
                f"CREATE TABLE atlas ({quoted}, PRIMARY KEY (points, chosen)) WITHOUT ROWID"
            )
            database.execute("CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID")
            database.execute("BEGIN")
            marks = ", ".join("?" * len(names))
            database.executemany(f"INSERT INTO atlas VALUES ({marks})", lines)  # noqa: S608
            about = {"version": __version__, "format": "1"}
            database.executemany("INSERT INTO about VALUES (?, ?)", about.items())
            database.execute("COMMIT")
            database.execute("VACUUM")
        return path.read_bytes()
