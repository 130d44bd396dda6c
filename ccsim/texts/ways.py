"""How a file is to be read: the options after its name, ``FILE:header=yes,index=no,signs=yes``."""

from __future__ import annotations

import re
from pathlib import Path

from ccsim.data import frozen
from ccsim.errors import UnreadableInputError

_OPTIONS = re.compile(r"(.+?):([a-z]+=[^:/\\]*)", re.DOTALL)


@frozen
class Ways:
    """How a file is to be read, where its format leaves that open."""

    # whether the first row of a text holds the labels of the columns; None if that is guessed
    header: bool | None = None
    # whether the first column of a text holds the labels of the rows, likewise
    index: bool | None = None
    signs: bool | None = None  # whether the entries are -1 and 1, where -1 means 1; None for no


_KEYS = ("header", "index", "signs")


def split_ways(text: str, keys: tuple[str, ...] = _KEYS) -> tuple[str, Ways]:
    """Return the name of a file and how it is to be read."""
    name, given = name_of_file(text), dict[str, bool]()
    for part in text[len(name) + 1 :].split(",") if name != text else ():
        key, _, value = part.partition("=")
        if key not in keys:
            raise UnreadableInputError(
                f"{name}: unknown option {key[:40]}; known: {', '.join(keys)}"
            )
        if key in given:
            raise UnreadableInputError(f"{name}: the option {key} stands twice")
        if value not in {"yes", "no"}:
            raise UnreadableInputError(f"{name}: {key} must be yes or no, not {value[:40]!r}")
        given[key] = value == "yes"
    return name, Ways(**given)


def name_of_file(text: str) -> str:
    """Return the name of a file without the options that may follow it, whatever they are."""
    match = _OPTIONS.fullmatch(text)
    return text if match is None or _is_file(text) else match[1]


def refuse_text_ways(ways: Ways, source: str) -> None:
    """Refuse options of texts for a file whose format has its own places for labels."""
    for key in ("header", "index"):
        if getattr(ways, key) is not None:
            raise UnreadableInputError(f"{source}: {key} is an option of csv, tsv and txt files")


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):  # a name that is too long, or no name
        return False
