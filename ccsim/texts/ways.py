"""How a file is to be read: the options after its name, ``FILE:header=yes,index=no,signs=yes``.

Main definitions: `Ways`, `split_ways`, `name_of_file`, `refuse_text_ways`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from ccsim.appearance import one_line
from ccsim.errors import UnreadableInputError

__all__ = ["Ways", "name_of_file", "refuse_text_ways", "split_ways"]

_OPTIONS = re.compile(r"(.+?):([a-z]+=[^:/\\]*)", re.DOTALL)


@one_line
@dataclass(frozen=True, slots=True)
class Ways:
    """How a file is to be read, where its format leaves that open.

    Attributes
    ----------
    header : bool or None
        Whether the first row of a text holds the labels of the columns; None if that is guessed.
    index : bool or None
        Whether the first column of a text holds the labels of the rows, likewise.
    signs : bool or None
        Whether the entries are -1 and 1, where -1 means 1; None for no.
    """

    header: bool | None = None
    index: bool | None = None
    signs: bool | None = None


_KEYS = ("header", "index", "signs")


def split_ways(text: str, keys: tuple[str, ...] = _KEYS) -> tuple[str, Ways]:
    """Return the name of a file and how it is to be read.

    Parameters
    ----------
    text : str
        ``FILE`` or ``FILE:key=yes,key=no``. A file whose whole name is the text is meant by it.
    keys : tuple of str
        The options that are known.

    Raises
    ------
    UnreadableInputError
        At an option that is unknown, stands twice, or is neither ``yes`` nor ``no``.

    Examples
    --------
    >>> split_ways("had4.npy:signs=yes")
    ('had4.npy', Ways(header=None, index=None, signs=True))
    >>> split_ways("C:/data/f.csv")[0]
    'C:/data/f.csv'
    >>> split_ways("f.csv:head=yes")
    Traceback (most recent call last):
    ...
    ccsim.errors.UnreadableInputError: f.csv: unknown option head; known: header, index, signs
    """
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
    """Return the name of a file without the options that may follow it, whatever they are.

    Examples
    --------
    >>> name_of_file("f.csv:header=yes"), name_of_file("f.csv")
    ('f.csv', 'f.csv')
    """
    match = _OPTIONS.fullmatch(text)
    return text if match is None or _is_file(text) else match[1]


def refuse_text_ways(ways: Ways, source: str) -> None:
    """Refuse options of texts for a file whose format has its own places for labels.

    Raises
    ------
    UnreadableInputError

    Examples
    --------
    >>> refuse_text_ways(Ways(header=True), "f.npy")
    Traceback (most recent call last):
    ...
    ccsim.errors.UnreadableInputError: f.npy: header is an option of csv, tsv and txt files
    """
    for key in ("header", "index"):
        if getattr(ways, key) is not None:
            raise UnreadableInputError(f"{source}: {key} is an option of csv, tsv and txt files")


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):  # a name that is too long, or no name
        return False
