"""The atlas made anew: surveys of all small classes, put together in one file."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from ccsim.certificates.files import write_bytes_atomically
from ccsim.errors import NotDecidedError
from ccsim.surveys.asking import Reply
from ccsim.surveys.atlas.counted_dimensions import COUNTED, counted_dimensions
from ccsim.surveys.atlas.measured import GROUPS, Measure
from ccsim.surveys.atlas.quantities import COLUMNS, MOST_POINTS, read_span, write_span
from ccsim.surveys.instances import Asked, instances_of
from ccsim.surveys.small_classes import small_classes
from ccsim.surveys.store import Store
from ccsim.surveys.survey import Survey, survey

_TOGETHER = 1 << 14
"""Classes on 5 points that are counted in one answer."""
_COUNTING = "atlas profiles"
Progress = Callable[[str, Counter[int], int], None]


def build_atlas(
    out: Path | str,
    answers: Path | str,
    *,
    points: int = MOST_POINTS,
    jobs: int = 1,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> bool:
    """Make the file of the atlas from surveys, and say whether it was made.

    About an hour and a quarter of one core for the file that is shipped.
    """
    store = Store(answers)
    abouts: list[tuple[Survey, Callable[[str], Reply]]] = []
    for name, group in GROUPS.items():
        limit = group.seconds if seconds is None else seconds
        asked = [each for n in range(1, min(points, group.most_points) + 1) for each in _classes(n)]
        about = Survey(f"atlas {name}", _version(), tuple(asked), store, limit)
        abouts.append((about, Measure(name, limit)))
    asked = [each for n in range(1, points + 1) for each in _ranges(n)]
    abouts.append((Survey(_COUNTING, _version(), tuple(asked), store, 3600.0), _profiles))
    for about, ask in abouts:

        def told(counts: Counter[int], number: int, question: str = about.question) -> None:
            if progress is not None:
                progress(question, counts, number)

        if not survey(ask, about, jobs=jobs, progress=told):
            return False
    write_bytes_atomically(out, _file([about for about, _ in abouts]))
    return True


def _version() -> str:
    try:
        return version("ccsim")
    except PackageNotFoundError:
        return "unknown"


@lru_cache(maxsize=8)
def _small(n: int) -> tuple[int, ...]:
    return small_classes(n)


def _classes(n: int) -> list[Asked]:
    return [each for each in instances_of(f"all:n={n}") if not each.text.endswith("chosen=0")]


def _ranges(n: int) -> Iterator[Asked]:
    """Yield parts of the list of all classes on so many points, the empty one left out."""
    number = {1: 3, 2: 6, 3: 22, 4: 402, 5: 1228158}[n]
    for first in range(1, number, _TOGETHER):
        yield Asked(f"all:n={n},first={first},last={min(number, first + _TOGETHER) - 1}")


def _profiles(text: str) -> Reply:
    """Count the dimensions of a part of all classes: how often each set of values, and where."""
    given = dict(part.split("=") for part in text.partition(":")[2].split(","))
    n, first, last = int(given["n"]), int(given["first"]), int(given["last"])
    classes = np.array(_small(n)[first : last + 1], np.int64)
    found = counted_dimensions(n, classes)
    if n < MOST_POINTS:
        rows = [(each, 1, row) for each, row in zip(classes.tolist(), found.tolist(), strict=True)]
    else:
        kinds, where, counts = np.unique(found, axis=0, return_index=True, return_counts=True)
        rows = list(zip(classes[where].tolist(), counts.tolist(), kinds.tolist(), strict=True))
    return Reply(0, json.dumps([[chosen, count, *row] for chosen, count, row in rows]))


def _file(abouts: list[Survey]) -> bytes:
    """Return the file: a table of classes, of profiles on 5 points, and of what the file is."""
    found: dict[str, dict[str, str]] = {}
    counted: list[tuple[int, list[list[int]]]] = []
    for about in abouts:
        rows = about.rows()
        for row in rows:
            if row.answer is None:
                raise NotDecidedError(f"{row.question} of {row.instance}: {row.message}")
            if about.question == _COUNTING:
                counted.append((int(row.instance[6]), json.loads(row.answer)))
            else:
                found.setdefault(row.instance, {}).update(json.loads(row.answer))
    merged: dict[tuple[int, ...], tuple[int, int]] = {}
    for n, each in counted:
        for chosen, count, *dimensions in each:
            key = (n, chosen if n < MOST_POINTS else 0, *dimensions)
            first, before = merged.get(key, (chosen, 0))
            merged[key] = (first, before + count)
    lines = []
    for (n, _, *dimensions), (chosen, count) in merged.items():
        known = found.get(f"some_functions:n={n},chosen={chosen}", {})
        lines.append((n, chosen, count, *_line(dimensions, known)))
    lines.sort(key=lambda line: (line[0], line[3], line[1]))
    return _database(lines)


def _line(dimensions: list[int], known: Mapping[str, str]) -> list[str | int | None]:
    """Return what stands in the columns; what both ways found must agree."""
    *exact, lower, upper = dimensions
    spans = {name: (value, value) for name, value in zip(COUNTED, exact, strict=False)}
    spans[COUNTED[-2]] = (lower, upper)
    curve = [known[f"error({k})"] for k in range(1, exact[0] + 1) if f"error({k})" in known]
    line: list[str | int | None] = []
    for name in COLUMNS:
        text = " ".join(curve) or None if name == "error" else known.get(name)
        if name in spans:
            low, high = spans[name]
            if text is not None and read_span(text) != read_span(write_span((low, high))):
                raise NotDecidedError(f"{name} is {text} by the engine and {low} by counting")
            text = write_span((low, high))
        line.append(int(text) if text is not None and text.isdecimal() else text)
    return line


def _database(lines: list[tuple[str | int | None, ...]]) -> bytes:
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
            about = {"version": _version(), "format": "1"}
            database.executemany("INSERT INTO about VALUES (?, ?)", about.items())
            database.execute("COMMIT")
            database.execute("VACUUM")
        return path.read_bytes()
