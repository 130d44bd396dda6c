r"""Classes in records of the Combinatorial Parameters Database.

A record has no matrix. Its definition is text in LaTeX, from which a class is read if it lists the
concepts as words of 0 and 1, such as ``\{000,011,101\}`` or "the three strings 000, 011 and 101".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from ccsim.errors import UnreadableInputError
from ccsim.texts.tables import Table, found

_KEYS = ("definition", "short_name")
_TABLES: Mapping[str, str] = MappingProxyType(
    {
        "class_id": "the value of a parameter",
        "parameter_1_id": "a relationship between parameters",
        "category": "a parameter",
        "monotonic": "a parameter",
    }
)
"""Keys of records that describe no class."""
_COUNTS = (
    *("zero", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"),
    *("fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
_NEXT = r"(?:\s*,\s*(?:and\s+)?|\s+and\s+)"
_LIST = re.compile(
    rf"(?:\b(?P<count>\d{{1,7}}|{'|'.join(_COUNTS)})\s+(?:strings?|words?)\s+"
    rf"(?P<some>[01]++(?:{_NEXT}[01]++)*+)"
    rf"|(?<![\w.])(?P<many>[01]{{2,}}+(?:{_NEXT}[01]{{2,}}+)++))(?!\w)"
)
"""Words after their number, or two words or more that have two digits or more."""


def table_of_record(record: Mapping[str, Any], source: str) -> Table:
    """Return the class in a record."""
    for key, what in _TABLES.items():
        if key in record:
            raise UnreadableInputError(f"{source}: expected a class, found {what}")
    for key in _KEYS:
        if not isinstance(record.get(key), str):
            raise UnreadableInputError(
                f"{source}: {key} must be text, not {found(record.get(key))}"
            )
    words = words_of(record["definition"], source)
    return Table(source, record["short_name"], words, kind="class")


def words_of(definition: str, source: str) -> tuple[str, ...]:
    """Return the concepts that a definition lists; the labels of a word are in its order."""
    text = re.sub(r"\\(?:mathtt|texttt)\s*\{([01]+)\}", r"\1", definition).replace("$", "")
    lists = [*_LIST.finditer(text)]
    if not lists:
        raise UnreadableInputError(
            f"{source}: the definition does not list the concepts as words of 0 and 1; it may "
            "describe a family. Write the rows of one member to a .csv or .json file, or use one "
            "of 'ccsim families'"
        )
    first, *others = lists
    if others and "." not in text[first.end() : others[0].start()]:
        raise UnreadableInputError(
            f"{source}: the definition contains several lists of words; write the rows of the "
            "class to a .csv or .json file"
        )
    words = tuple(re.findall("[01]+", first["some"] or first["many"]))
    if len({*map(len, words)}) > 1:
        raise UnreadableInputError(f"{source}: the words of the definition differ in length")
    if len({*words}) < len(words):
        raise UnreadableInputError(f"{source}: the definition lists a word twice")
    count = first["count"]
    if count and (int(count) if count.isdigit() else _COUNTS.index(count)) != len(words):
        raise UnreadableInputError(
            f"{source}: the definition announces {count} words and lists {len(words)}"
        )
    return words
