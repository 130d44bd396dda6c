"""Files of certificates: guarded reading of JSON, in which nothing is waited for."""

from __future__ import annotations

import json
import os
import re
import stat
import sys
from collections import Counter
from itertools import accumulate
from pathlib import Path
from typing import Any, cast

from .parts import MAX_DIGITS, Part

__all__ = ["Unreadable", "read", "shown_path"]

MAX_FILE_BYTES = 1 << 28  # 256 MiB
MAX_DEPTH = 2000  # of lists and objects inside each other
MAX_VALUES = 1 << 23  # of a file: commas, and brackets that open

_STRING = re.compile(rb'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
_NO_MARK = bytes(set(range(256)) - set(b"[]{},"))
_LONG = re.compile(rb"(?<![0-9])[0-9]{%d}" % (MAX_DIGITS + 1))


class Unreadable(Exception):  # noqa: N818
    """The file is not JSON within the limits; the message names the file."""


def read(path: Path | str) -> dict[str, Any]:
    """Return the JSON object that a file of UTF-8 text holds.

    `Unreadable` if there is no JSON text within the limits of size and depth; `Rejected` if there
    is, but it is no object, repeats a key, or holds a number that is no integer or too long.
    """
    faults: list[tuple[str, object]] = []  # of a text that is JSON all the same
    try:
        value = _parse(Path(path), faults)
    except json.JSONDecodeError as error:
        place = f"row {error.lineno}, column {error.colno}"
        raise Unreadable(f"{shown_path(path)}: {place}: not JSON: {error.msg}") from None
    except (OSError, ValueError, RecursionError) as error:
        raise Unreadable(
            f"{shown_path(path)}: {getattr(error, 'strerror', None) or error}"
        ) from None
    if not isinstance(value, dict):
        faults.append(("must be an object, not {}", value))
    for rule, found in faults:
        Part(value).reject(rule, found)
    return cast(dict[str, Any], value)


def shown_path(path: Path | str) -> str:
    """Return the name of a file on one line, quoted if a terminal would not show it as it is."""
    return text if (text := str(path)).isprintable() else ascii(text)


def _content(path: Path) -> bytes:
    """Return the bytes of a regular file; nothing else is opened, and nothing is waited for."""
    found, no_wait = path.stat(), getattr(os, "O_NONBLOCK", 0)
    if not stat.S_ISREG(found.st_mode) or found.st_size > MAX_FILE_BYTES:
        raise OSError(f"not a regular file of at most {MAX_FILE_BYTES} bytes")
    with os.fdopen(os.open(path, os.O_RDONLY | no_wait), "rb") as stream:
        return stream.read() or b""


def _parse(path: Path, faults: list[tuple[str, object]]) -> object:
    """Return the JSON value in a file; note what JSON allows and a certificate does not."""
    data = _content(path)
    marks = _STRING.sub(b"", data).translate(bytes.maketrans(b"{}", b"[]"), _NO_MARK)
    if (values := marks.count(b",") + marks.count(b"[")) > MAX_VALUES:
        raise ValueError(f"{values} commas and brackets, the limit is {MAX_VALUES}")
    brackets = marks.replace(b",", b"")
    if (depth := max(accumulate(map(ord("\\").__sub__, brackets)), default=0)) > MAX_DEPTH:
        raise ValueError(f"nested {depth} levels deep, the limit is {MAX_DEPTH}")

    def number(literal: str) -> int:
        digits = literal.removeprefix("-")
        if len(digits) <= MAX_DIGITS and digits.isdigit():
            return int(literal)
        faults[1:] = [(f"numbers are integers of at most {MAX_DIGITS} digits, not {{}}", literal)]
        return 0

    def distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
        if len(result := dict(pairs)) < len(pairs):
            [(key, _)] = Counter(key for key, _ in pairs).most_common(1)
            faults[1:] = [("key {} stands twice in one object", key)]
        return result

    integer = number if _LONG.search(data) else int  # Python's own is quicker
    decoder = json.JSONDecoder(
        object_pairs_hook=distinct, parse_int=integer, parse_float=number, parse_constant=number
    )
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(limit + 2 * MAX_DEPTH)  # the parser recurses; nothing after it does
    try:
        return decoder.decode(data.decode("utf-8-sig"))
    finally:
        sys.setrecursionlimit(limit)
