"""Options for reading a file, ``FILE:form=pairs,header=yes``, and the assumptions of a reading."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ccsim.data import frozen
from ccsim.errors import UnreadableInputError
from ccsim.texts.sets import GraphSets

_OPTIONS = re.compile(r"(.+?):([a-z]+=[^:/\\]*)", re.DOTALL)
_YES_NO: Mapping[str, bool] = MappingProxyType({"yes": True, "no": False})
FORMS = ("matrix", "pairs", "sets", "edges", "adjacency", "rows", "columns")
SETS = ("neighbourhoods", "closed-neighbourhoods", "cliques", "maximal-cliques", "cuts")
_VALUES: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {
        "header": _YES_NO,
        "index": _YES_NO,
        "signs": _YES_NO,
        "normalise": _YES_NO,
        "form": MappingProxyType({form: form for form in FORMS}),
        "sets": MappingProxyType({sets: sets.replace("-", " ") for sets in SETS}),
    }
)
"""The options of a file, with the meanings of their values."""
_KEYS = ("header", "index", "signs", "form", "sets")  # of a matrix


class ReadingWarning(UserWarning):
    """A warning that a file can be read in two ways, of which one was chosen."""


@frozen
class Reading:
    """Assumptions made in reading a matrix."""

    source: str = ""  # the file, as messages name it; empty for a matrix in memory
    header: bool | None = None  # whether the first row labels the columns; None: the format says
    index: bool | None = None  # whether the first column labels the rows, likewise
    signs: bool = False  # whether -1 means 1
    outside: int = 0  # number of entries outside the promise
    guesses: tuple[str, ...] = ()  # what was guessed, and what decides it; a sentence each
    form: str = "matrix"  # or pairs, sets or graph

    def to_json(self) -> dict[str, object]:
        """Return the assumptions for the JSON of results."""
        told = {
            name: getattr(self, name) for name in ("header", "index", "signs", "outside", "form")
        }
        return told | {"guesses": list(self.guesses)}


_LISTENER: ContextVar[Callable[[Reading], object] | None] = ContextVar("listener", default=None)


def announce(reading: Reading) -> None:
    """Pass the assumptions to the listener; without a listener, each guess is a warning."""
    listener = _LISTENER.get()
    if listener is not None:
        listener(reading)
        return
    for guess in reading.guesses:
        warnings.warn(guess, ReadingWarning, stacklevel=2)


@contextmanager
def listening(listener: Callable[[Reading], object]) -> Iterator[None]:
    """Return a context in which the assumptions of every reading are passed to a function."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


@frozen
class Ways:
    """Options for reading a file, if its format is ambiguous."""

    header: bool | None = None  # whether the first row labels the columns; None if that is guessed
    index: bool | None = None  # whether the first column labels the rows, likewise
    signs: bool | None = None  # whether the entries are -1 and 1, where -1 means 1; None for no
    normalise: bool | None = None  # whether rows of numbers are divided by their sums, likewise
    form: str | None = None  # one of `FORMS`
    sets: GraphSets | None = None  # which sets of a graph are taken; the file is then a graph


def split_ways(text: str, keys: tuple[str, ...] = _KEYS) -> tuple[str, Ways]:
    """Return the name of a file and its options."""
    name, given = name_of_file(text), dict[str, Any]()
    for part in text[len(name) + 1 :].split(",") if name != text else ():
        key, _, value = part.partition("=")
        if key not in keys:
            raise UnreadableInputError(
                f"{name}: unknown option {key[:40]}; known: {', '.join(keys)}"
            )
        if key in given:
            raise UnreadableInputError(f"{name}: the option {key} is given twice")
        if value not in _VALUES[key]:
            *others, last = _VALUES[key]
            known = f"{', '.join(others)} or {last}"
            raise UnreadableInputError(f"{name}: {key} must be {known}, not {value[:40]!r}")
        given[key] = _VALUES[key][value]
    return name, Ways(**given)


ENDINGS = (
    *(".csv", ".tsv", ".txt", ".dat", ".edgelist", ".adjlist", ".json", ".jsonl", ".ndjson"),
    *(".npy", ".npz", ".parquet", ".xlsx", ".mtx", ".graphml", ".g6", ".s6"),
)
"""Endings of files with tables, sets and graphs; each may be followed by ``.gz``."""


def is_name_of_table(text: str) -> bool:
    """Return whether a text that is not an INSTANCE is, or looks like, a file name with options."""
    name = name_of_file(text)
    return name.lower().removesuffix(".gz").endswith(ENDINGS) or _is_file(name)


def name_of_file(text: str) -> str:
    """Return the name of a file without the options that may follow it."""
    match = _OPTIONS.fullmatch(text)
    return text if match is None or _is_file(text) else match[1]


def refuse_ways(ways: Ways, source: str, *allowed: str) -> None:
    """Refuse options for a format that does not support them."""
    for key in ("header", "index", "form"):
        if getattr(ways, key) is not None and key not in allowed:
            raise UnreadableInputError(
                f"{source}: the option {key} is allowed only for text files; remove it"
            )


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):  # a name that is too long, or no name
        return False
