"""Computing the atlas by surveys of all small classes, and checking its rows with the kernel."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np

from ccsim.budget import Budget, TimeLimit
from ccsim.certificates.answer import Certified
from ccsim.certificates.files import write_bytes_atomically
from ccsim.classes import ConceptClass
from ccsim.communication.minimax import communication_complexity, error_curve
from ccsim.communication.problem import evaluation_problem
from ccsim.data import frozen
from ccsim.dimensions import littlestone_dimension, vc_dimension
from ccsim.dimensions.teaching.no_clash import no_clash_teaching_dimension
from ccsim.dimensions.teaching.sets import recursive_teaching_dimension, teaching_dimension
from ccsim.dimensions.teaching.star import star_number
from ccsim.dimensions.threshold import threshold_dimension
from ccsim.dimensions.vc import dual_vc_dimension
from ccsim.errors import CcsimError, CertificateError, NotDecidedError
from ccsim.instances import parse_class
from ccsim.learning.least_failure import private_sample_complexity
from ccsim.parallel.store import Store
from ccsim.representation.random_sets import probabilistic_representation_size
from ccsim.representation.size import deterministic_representation_size
from ccsim.surveys.atlas.counted_dimensions import COUNTED, counted_dimensions
from ccsim.surveys.atlas.spans import Span, read_span, write_span
from ccsim.surveys.atlas.table import COLUMNS, ERRORS, MOST_POINTS, SAMPLES, Entry
from ccsim.surveys.instances import Asked, instances_of, small_classes
from ccsim.surveys.survey import NOT_DECIDED, Reply, Survey, survey
from ccsim.version import __version__

_TOGETHER = 1 << 14  # classes on 5 points that are counted in one answer
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
    """Compute the atlas by surveys, about 75 minutes on one core; return whether it is complete."""
    store = Store(answers)
    abouts: list[tuple[Survey, Callable[[str], Reply]]] = []
    for name, group in GROUPS.items():
        limit = group.seconds if seconds is None else seconds
        asked = [each for n in range(1, min(points, group.most_points) + 1) for each in _classes(n)]
        about = Survey(f"atlas {name}", __version__, tuple(asked), store, limit)
        abouts.append((about, Measure(name, limit)))
    asked = [each for n in range(1, points + 1) for each in _ranges(n)]
    abouts.append((Survey(_COUNTING, __version__, tuple(asked), store, 3600.0), _profiles))
    for about, ask in abouts:

        def told(counts: Counter[int], number: int, question: str = about.question) -> None:
            if progress is not None:
                progress(question, counts, number)

        if not survey(ask, about, jobs=jobs, progress=told):
            return False
    write_bytes_atomically(out, _file([about for about, _ in abouts]))
    return True


@lru_cache(maxsize=8)
def _small(n: int) -> tuple[int, ...]:
    return small_classes(n)


def _classes(n: int) -> list[Asked]:
    return [each for each in instances_of(f"all:n={n}") if not each.text.endswith("chosen=0")]


def _ranges(n: int) -> Iterator[Asked]:
    """Yield consecutive parts of the list of all nonempty classes on ``n`` points."""
    number = {1: 3, 2: 6, 3: 22, 4: 402, 5: 1228158}[n]
    for first in range(1, number, _TOGETHER):
        yield Asked(f"all:n={n},first={first},last={min(number, first + _TOGETHER) - 1}")


def _profiles(text: str) -> Reply:
    """Compute the dimensions of a part of all classes; on 5 points, count equal values."""
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
    """Return the database: a table of classes (on 5 points, of profiles), and one of metadata."""
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
    """Return the entries of a row; values that two methods have computed must agree."""
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
                raise NotDecidedError(f"{name} is {text} by the engine, but {low} by counting")
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
            about = {"version": __version__, "format": "1"}
            database.executemany("INSERT INTO about VALUES (?, ?)", about.items())
            database.execute("COMMIT")
            database.execute("VACUUM")
        return path.read_bytes()


@frozen
class Found:
    """Bounds on a quantity, and the results that prove them."""

    span: Span
    results: tuple[Certified, ...]


Findings: TypeAlias = Mapping[str, Found]


@frozen
class Group:
    """Quantities that are computed together."""

    most_points: int  # the classes on more points are not asked
    seconds: float  # time limit for a class; what is not decided then stands as an interval
    find: Callable[[ConceptClass, float], Findings]


def _found(result: Any) -> Found:  # noqa: ANN401 - any result with two bounds
    return Found((result.lower, result.upper), (result,))


def flipped(C: ConceptClass) -> tuple[ConceptClass, ...]:
    """Return the images of a class under all exchanges of 0 and 1 on sets of points."""
    n = len(C.points)
    return tuple(
        parse_class(f"some_functions:n={n},chosen={sum(1 << (row ^ flip) for row in C.rows)}")
        for flip in range(1 << n)
    )


_KEPT: Mapping[str, Callable[[ConceptClass], Any]] = MappingProxyType(
    {
        "vc": vc_dimension,
        "littlestone": littlestone_dimension,
        "star": star_number,
        "teaching": teaching_dimension,
        "recursive_teaching": recursive_teaching_dimension,
        "no_clash_teaching": no_clash_teaching_dimension,
    }
)
"""Dimensions that do not change if 0 and 1 are exchanged on points."""


def _dimensions(C: ConceptClass, seconds: float) -> Findings:
    del seconds  # they take milliseconds
    found = {name: _found(ask(C)) for name, ask in _KEPT.items()}
    for name, of_flip in (("dual_vc", dual_vc_dimension), ("threshold", threshold_dimension)):
        every = tuple(of_flip(D) for D in flipped(C))
        values = [each.value for each in every]
        found[f"{name}_least"] = Found((min(values), min(values)), every)
        found[f"{name}_most"] = Found((max(values), max(values)), every)
    return found


def _at_errors(
    name: str, ask: Callable[[ConceptClass, Fraction, float], Any]
) -> Callable[[ConceptClass, float], Findings]:
    """Return a function that bounds a quantity for each of the errors, in equal shares of time."""
    return lambda C, seconds: {
        f"{name}({error})": _found(ask(C, error, seconds / len(ERRORS))) for error in ERRORS
    }


def _public(C: ConceptClass, seconds: float) -> Findings:
    curve = error_curve(evaluation_problem(C), time_limit=seconds)
    return {f"error({one.messages})": _found(one) for one in curve}


def _samples(C: ConceptClass, seconds: float) -> Findings:
    one = private_sample_complexity(C, *SAMPLES, limit=8, time_limit=seconds)
    return {"samples": _found(one)}


_private = _at_errors(
    "private_messages",
    lambda C, e, t: communication_complexity(evaluation_problem(C), e, "private", time_limit=t),
)
_deterministic = _at_errors(
    "drsize", lambda C, e, t: deterministic_representation_size(C, e, time_limit=t)
)
_probabilistic = _at_errors(
    "prsize", lambda C, e, t: probabilistic_representation_size(C, e, e, time_limit=t)
)

GROUPS: Mapping[str, Group] = MappingProxyType(
    {
        "dimensions": Group(4, 60, _dimensions),
        "public": Group(4, 5, _public),
        "private": Group(4, 3, _private),
        "deterministic": Group(4, 20, _deterministic),
        "probabilistic": Group(4, 60, _probabilistic),
        "samples": Group(3, 60, _samples),
    }
)
"""The groups of quantities that are computed, by name."""


def measured(group: str, instance: str, seconds: float | None = None) -> Findings:
    """Return the bounds on the quantities of a group for an instance."""
    about = GROUPS[group]
    return about.find(parse_class(instance), about.seconds if seconds is None else seconds)


@frozen
class Measure:
    """A group of quantities as the question of a survey."""

    group: str
    seconds: float

    def __call__(self, instance: str) -> Reply:
        """Return a JSON object of bounds as texts, after the kernel has checked every result."""
        try:
            found = measured(self.group, instance, self.seconds)
            for one in found.values():
                for result in one.results:
                    result.check(Budget())
        except CcsimError as error:
            return Reply(2, None, " ".join(str(error).split()))
        spans = {name: one.span for name, one in found.items()}
        exact = all(lower == upper for lower, upper in spans.values())
        answer = json.dumps({name: write_span(span) for name, span in spans.items()})
        return Reply(0 if exact else NOT_DECIDED, answer)


@frozen
class Checked:
    """Quantities of a class whose certificates the kernel accepted."""

    certified: tuple[str, ...]  # quantities with accepted bounds that are as good as the row's
    weaker: tuple[str, ...]  # quantities with accepted bounds that allow the row, but are wider


def check_entry(entry: Entry, time_limit: TimeLimit = None) -> Checked:
    """Recompute the values of a class, in up to a minute, and check every certificate.

    `OutOfTimeError` is raised if a group of quantities was not begun within the time limit.
    """
    budget = Budget.of(time_limit)
    certified: list[str] = []
    weaker: list[str] = []
    for name, group in GROUPS.items():
        if entry.points > group.most_points and name != "dimensions":
            continue
        budget.spend()
        seconds = min(group.seconds, budget.remaining)
        for quantity, found in measured(name, entry.instance, seconds).items():
            for result in found.results:
                result.check(Budget())
            if quantity not in entry.values:
                raise CertificateError(f"{entry.instance}: the atlas has no value of {quantity}")
            low, high = entry.values[quantity]
            below, above = found.span
            if (high is not None and below > high) or (above is not None and above < low):
                raise CertificateError(
                    f"{entry.instance}: {quantity} is {write_span((low, high))} in the atlas, "
                    f"but the computed value is {write_span(found.span)}"
                )
            as_good = below >= low and (high is None or (above is not None and above <= high))
            (certified if as_good else weaker).append(quantity)
    return Checked(tuple(certified), tuple(weaker))
