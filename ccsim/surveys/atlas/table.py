"""Reading the atlas that is part of the package, and the names of its quantities."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from pathlib import Path
from types import MappingProxyType

from ccsim.data import frozen
from ccsim.errors import DomainError, InstanceTooLargeError, UnreadableInputError
from ccsim.surveys.atlas.contributions import with_contributions
from ccsim.surveys.atlas.spans import Bounds, read_span, write_span

ERRORS = (Fraction(1, 3), Fraction(1, 4))  # errors of representations and private messages
SAMPLES = (Fraction(1, 4), Fraction(1, 3), "ln 9")  # accuracy, failure, epsilon of private learners
MOST_POINTS = 5  # most points of a class
_FULL = 4  # most points of a class that has a row of its own, with all quantities but one
MOST_MESSAGES = 1 << _FULL  # most messages that such a class needs: one for each concept
_AT = " and ".join(map(str, ERRORS))


@frozen
class Quantity:
    """A quantity that may occur in questions."""

    meaning: str  # in one line
    most_points: int  # it is known up to so many points
    arguments: str = ""  # ``"k"`` messages, ``"e"`` any error, ``"e1"`` one of `ERRORS`


QUANTITIES: Mapping[str, Quantity] = MappingProxyType(
    {
        "points": Quantity("number of points", MOST_POINTS),
        "concepts": Quantity("number of distinct concepts", MOST_POINTS),
        "vc": Quantity("VC dimension", MOST_POINTS),
        "littlestone": Quantity("Littlestone dimension", MOST_POINTS),
        "dual_vc_least": Quantity("least dual VC dimension over all flips", MOST_POINTS),
        "dual_vc_most": Quantity("largest dual VC dimension over all flips", MOST_POINTS),
        "threshold_least": Quantity("least threshold dimension over all flips", MOST_POINTS),
        "threshold_most": Quantity("largest threshold dimension over all flips", MOST_POINTS),
        "star": Quantity("star number", MOST_POINTS),
        "teaching": Quantity("teaching dimension", MOST_POINTS),
        "recursive_teaching": Quantity("recursive teaching dimension", MOST_POINTS),
        "no_clash_teaching": Quantity("no-clash teaching dimension", MOST_POINTS),
        "hollow_star": Quantity("hollow star number", _FULL),
        "sign_rank": Quantity("sign rank of the matrix with entries 1 and -1", _FULL),
        "membership_queries": Quantity(
            "fewest membership queries that identify every concept", _FULL
        ),
        "proper_equivalence_queries": Quantity(
            "fewest equivalence queries with concepts as hypotheses", _FULL
        ),
        "membership_and_equivalence_queries": Quantity(
            "fewest membership and equivalence queries", _FULL
        ),
        "membership_and_proper_equivalence_queries": Quantity(
            "fewest membership and proper equivalence queries", _FULL
        ),
        "self_directed": Quantity("fewest mistakes of a self-directed learner", _FULL),
        "best_mistakes": Quantity("offline mistakes, best order of the points", _FULL),
        "worst_mistakes": Quantity("offline mistakes, worst order of the points", _FULL),
        "compression": Quantity("smallest sample compression scheme", _FULL),
        **{
            f"{properties.replace(', ', '_')}_compression": Quantity(
                f"smallest {properties} compression scheme", _FULL
            )
            for properties in (
                "proper",
                "stable",
                "stable, proper",
                "unlabelled",
                "unlabelled, stable",
            )
        },
        "error": Quantity("minimax error with k messages and public coins", _FULL, "k"),
        "messages": Quantity("fewest messages for error e, public coins: R_pub", _FULL, "e"),
        "private_messages": Quantity(
            f"fewest messages, private coins: R_priv; e = {_AT}", _FULL, "e1"
        ),
        "drsize": Quantity(f"smallest deterministic representation, e = {_AT}", _FULL, "e1"),
        "prsize": Quantity(f"smallest probabilistic one, failure e, e = {_AT}", _FULL, "e1"),
        "drdim": Quantity("DRDim, log2 of drsize(e)", _FULL, "e1"),
        "prdim": Quantity("PRDim, log2 of prsize(e)", _FULL, "e1"),
        "samples": Quantity(
            "private samples: accuracy {}, failure {}, epsilon {}".format(*SAMPLES), 3
        ),
    }
)
"""The quantities that may occur in questions, by name."""

_STORED = [name for name, each in QUANTITIES.items() if not each.arguments and name != "points"]
COLUMNS = (
    *_STORED[: _STORED.index("samples")],
    "error",
    *(f"{name}({e})" for name in ("private_messages", "drsize", "prsize") for e in ERRORS),
    "samples",
)
"""Columns of the file after those that name a class; ``error`` lists errors by messages."""

FILE = Path(__file__).with_name("atlas.db")  # the file that is shipped, an SQLite database
DIGEST = "1441387605584ae1442f22d46f4dc5750c89f06ceec3ea7465958b24bb4c9ffc"
"""SHA-256 of the shipped file, as in docs/atlas.md."""


@frozen
class Entry:
    """A class of the atlas, the first of its isomorphism type (on 5 points, with its values)."""

    points: int
    chosen: int  # as in `ccsim.classes.families.elementary.some_functions`
    classes: int  # how many isomorphism types have the row; 1 up to 4 points
    values: Mapping[str, Bounds]  # by column; ``error(k)`` for ``k`` up to the number of concepts

    @property
    def instance(self) -> str:
        """The INSTANCE text of the class."""
        return f"some_functions:n={self.points},chosen={self.chosen}"

    @property
    def identifier(self) -> str:
        """The permanent name of the class, such as ``C4.553``."""
        return f"C{self.points}.{self.chosen}"

    @property
    def concepts(self) -> tuple[str, ...]:
        """The concepts, as texts of their values on the points."""
        return tuple(
            "".join(str(row >> x & 1) for x in range(self.points)) for row in rows_of(self.chosen)
        )


def rows_of(chosen: int) -> list[int]:
    """Return the functions given by the bits of a number."""
    return [row for row in range(chosen.bit_length()) if chosen >> row & 1]


@lru_cache(maxsize=4)
def atlas(path: Path = FILE) -> tuple[Entry, ...]:
    """Return the atlas, sorted by points, concepts and ``chosen``, in about a tenth of a second.

    The shipped atlas contains the contributed bounds for each class with a row of its own.
    """
    entries = stored_entries(path)
    if Path(path) != FILE:
        return entries
    return tuple(improved(entry) if entry.classes == 1 else entry for entry in entries)


def improved(entry: Entry) -> Entry:
    """Return the entry of a class with the contributed bounds."""
    values = with_contributions(entry.points, entry.chosen, entry.values)
    return entry if values == entry.values else replace(entry, values=values)


@lru_cache(maxsize=4)
def stored_entries(path: Path = FILE) -> tuple[Entry, ...]:
    """Return the atlas without contributed values."""
    if Path(path) == FILE and path.is_file():
        _check_digest(path)
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            found = database.execute("SELECT * FROM atlas ORDER BY points, concepts, chosen")
            names = [column[0] for column in found.description][3:]
            rows = found.fetchall()
    except sqlite3.Error as error:
        raise UnreadableInputError(f"{path}: not an atlas: {error}") from None
    entries = []
    for points, chosen, classes, *texts in rows:
        values = _values(points, dict(zip(names, texts, strict=True)))
        entries.append(Entry(points, chosen, classes, MappingProxyType(values)))
    return tuple(entries)


def _check_digest(path: Path) -> None:
    """Raise an error if the shipped file was changed, because its values are then not proved."""
    try:
        found = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise UnreadableInputError(f"{path}: cannot be read: {error.strerror}") from None
    if found != DIGEST:
        raise UnreadableInputError(
            f"{path}: not the shipped atlas (SHA-256 {found[:16]}...); install ccsim again"
        )


def _values(points: int, found: Mapping[str, str | int | None]) -> dict[str, Bounds]:
    values: dict[str, Bounds] = {"points": (Fraction(points), Fraction(points))}
    for name, text in found.items():
        if text is None:
            continue
        if name != "error":
            values[name] = read_span(text)
            continue
        for k, each in enumerate(str(text).split(), 1):
            values[f"error({k})"] = read_span(each)
    return values


def texts_of(entry: Entry) -> list[str | int | None]:
    """Return the values of a class as the file contains them, by column."""
    numbers = range(1, int(entry.values["concepts"][0]) + 1)
    curve = [entry.values[f"error({k})"] for k in numbers if f"error({k})" in entry.values]
    texts: list[str | int | None] = []
    for name in COLUMNS:
        span = entry.values.get(name)
        text = write_span(span) if span else None
        if name == "error":
            text = " ".join(map(write_span, curve)) or None
        texts.append(int(text) if text is not None and text.isdecimal() else text)
    return texts


def first_isomorphic(n: int, rows: list[int]) -> int:
    """Return the number of the isomorphic class in the atlas, the minimum over all images."""
    best: tuple[int, ...] | None = None
    for order in permutations(range(n)):
        moved = [sum((row >> x & 1) << y for x, y in enumerate(order)) for row in range(1 << n)]
        for flip in rows:
            image = tuple(sorted(moved[row ^ flip] for row in rows))
            if best is None or image < best:
                best = image
    return sum(1 << row for row in best or ())


def entry_of(n: int, rows: list[int]) -> tuple[Entry | None, int]:
    """Return the entry of a class, or None, and the number of its isomorphic class."""
    if not rows or not n:
        raise DomainError(
            "the class must have at least one concept and one point to be in the atlas"
        )
    if n > MOST_POINTS:
        raise InstanceTooLargeError(
            f"the class must have at most {MOST_POINTS} points to be in the atlas, not {n}"
        )
    chosen = first_isomorphic(n, rows)
    found = (e for e in atlas() if (e.points, e.chosen) == (n, chosen))
    return next(found, None), chosen
