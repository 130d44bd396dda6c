"""Files written whole or not at all, and JSON read with limits."""

from __future__ import annotations

import json
import os
import re
import tempfile
from pathlib import Path
from typing import Any, NoReturn

from ccsim.errors import UnreadableInputError

__all__ = [
    "MAX_DEPTH",
    "MAX_FILE_BYTES",
    "MAX_LISTS",
    "check_writable",
    "read_json",
    "read_limited",
    "write_text_atomically",
]

MAX_FILE_BYTES = 1 << 28
"""Largest file that is read (256 MiB)."""
MAX_DEPTH = 64
"""Deepest nesting of a JSON file of data."""
MAX_LISTS = 1 << 22
"""Most lists and objects in a JSON file of data; each costs memory however short it is."""

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', re.DOTALL)


def check_writable(path: Path | str) -> None:
    """Refuse a file that `write_text_atomically` could not write, as far as one can tell.

    Raises
    ------
    UnreadableInputError
    """
    target = Path(path)
    if not target.parent.is_dir():
        msg = f"{path}: cannot be written: there is no directory {target.parent}"
    elif target.is_dir():
        msg = f"{path}: cannot be written: it is a directory"
    elif not os.access(target.parent, os.W_OK | os.X_OK):
        msg = f"{path}: cannot be written: no permission in {target.parent}"
    else:
        return
    raise UnreadableInputError(msg)


def write_text_atomically(path: Path | str, text: str) -> None:
    """Write a text file through a temporary neighbour, so that no reader sees half of it.

    Raises
    ------
    UnreadableInputError
        If the file cannot be written.
    """
    target = Path(path)
    temporary = None
    try:
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", dir=target.parent, prefix=f".{target.name}.", delete=False
        ) as stream:
            temporary = Path(stream.name)
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(mode)
        temporary.replace(target)
    except OSError as error:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        msg = f"{path}: cannot be written: {error.strerror or error}"
        raise UnreadableInputError(msg) from None
    except BaseException:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def read_limited(path: Path | str) -> bytes:
    """Return the bytes of a regular, non-empty file of at most `MAX_FILE_BYTES`.

    Raises
    ------
    UnreadableInputError
        If the file is missing, not a regular file, empty, too large or unreadable.
    """
    file = Path(path)
    try:
        if not file.exists():
            msg = f"{path}: no such file"
            raise UnreadableInputError(msg)
        if not file.is_file():
            msg = f"{path}: not a regular file"
            raise UnreadableInputError(msg)
        if (size := file.stat().st_size) > MAX_FILE_BYTES:
            msg = f"{path}: {size} bytes are above the limit of {MAX_FILE_BYTES} bytes"
            raise UnreadableInputError(msg)
        data = file.read_bytes()
    except (OSError, ValueError) as error:
        if isinstance(error, UnreadableInputError):
            raise
        msg = f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}"
        raise UnreadableInputError(msg) from None
    if not data.strip():
        msg = f"{path}: the file is empty"
        raise UnreadableInputError(msg)
    return data


def read_json(path: Path | str) -> Any:  # noqa: ANN401 - any JSON value
    """Return the value of a JSON file, with limits on size and depth and no repeated keys.

    Raises
    ------
    UnreadableInputError
        With the row and column where the text stops being JSON, or the limit that it breaks.
    """
    try:
        text = read_limited(path).decode("utf-8-sig")
        depth, lists = _structure(text)
        if depth > MAX_DEPTH:
            msg = f"{path}: nested {depth} levels deep, the limit is {MAX_DEPTH}"
            raise UnreadableInputError(msg)
        if lists > MAX_LISTS:
            msg = f"{path}: {lists} lists and objects are above the limit of {MAX_LISTS}"
            raise UnreadableInputError(msg)
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        msg = f"{path}: row {error.lineno}, column {error.colno}: not JSON: {error.msg}"
        raise UnreadableInputError(msg) from None
    except UnicodeDecodeError as error:
        msg = f"{path}: not UTF-8 text: byte {error.start}"
        raise UnreadableInputError(msg) from None
    except (ValueError, RecursionError) as error:
        if isinstance(error, UnreadableInputError):
            raise
        msg = f"{path}: not usable JSON: {error}"
        raise UnreadableInputError(msg) from None


def _structure(text: str) -> tuple[int, int]:
    """Return the deepest nesting of brackets outside strings, and how many open."""
    depth = deepest = lists = 0
    for token in _TOKEN.finditer(text):
        if token[0] in "[{":
            depth += 1
            lists += 1
            deepest = max(deepest, depth)
        elif token[0] in "]}":
            depth -= 1
    return deepest, lists


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        keys = [key for key, _ in pairs]
        repeated = next(key for key in keys if keys.count(key) > 1)
        msg = f"key {repeated!r} stands twice in one object"
        raise ValueError(msg)
    return result


def _refuse_constant(name: str) -> NoReturn:
    msg = f"{name} is not a number"
    raise ValueError(msg)
