"""Atomic writing of files, reading with size limits, and lossless reading of JSON."""

from __future__ import annotations

import functools
import json
import os
import re
import secrets
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO, NoReturn

from ccsim.arguments.checked import checked_types
from ccsim.arguments.numbers import MAX_DIGITS
from ccsim.budget import Budget
from ccsim.errors import UnreadableInputError

MAX_FILE_BYTES = 1 << 28  # largest size of an input file in bytes (256 MiB)
MAX_DEPTH = 64  # maximum nesting depth of a JSON file of data
MAX_LISTS = 1 << 22
"""Maximum number of lists and objects in a JSON file of data."""
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', re.DOTALL)
STANDARD_INPUT = "-"  # standard input as the name of an input; ``./-`` is a file

_KINDS: Mapping[int, str] = MappingProxyType(
    {
        stat.S_IFLNK: "it is a symbolic link",
        stat.S_IFIFO: "it is a FIFO",
        stat.S_IFSOCK: "it is a socket",
        stat.S_IFCHR: "it is a device",
        stat.S_IFBLK: "it is a device",
    }
)


def check_outputs(outputs: Iterable[Path | str], inputs: Iterable[Path | str] = ()) -> None:
    """Raise an error, before any work, if outputs cannot be written or if two coincide."""
    read = [identity for path in inputs if (identity := _identity(path)) is not None]
    written: list[tuple[Path, tuple[int, int] | None]] = []
    for path in outputs:
        check_writable(path)
        target, identity = Path(os.path.realpath(path)), _identity(path)
        if identity is not None and identity in read:
            _refuse_output(path, "it is the input")
        if any(target == other or (identity and identity == same) for other, same in written):
            _refuse_output(path, "two outputs go to it")
        written.append((target, identity))


def _identity(path: Path | str) -> tuple[int, int] | None:
    """Return an identifier of a file that is independent of its name; None if it does not exist."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino


def check_writable(path: Path | str) -> None:
    """Raise an error if `write_text_atomically` would fail, tested with a temporary file."""
    with _failures_of(path), _neighbour(_target(path)):
        pass


@checked_types
def write_text_atomically(path: Path | str, text: str) -> None:
    """Write a text file as `write_bytes_atomically` does, in UTF-8."""
    with _failures_of(path):
        write_bytes_atomically(path, text.encode())


def write_bytes_atomically(path: Path | str, data: bytes) -> None:
    """Write a temporary file in the same folder and rename it, so that no file is left incomplete.

    A new file has the permissions given by the umask; a replaced file keeps its own.
    """
    with _failures_of(path):
        target = _target(path)
        with _neighbour(target) as (temporary, stream):
            if (old := _at(target)) is not None:
                os.fchmod(stream.fileno(), stat.S_IMODE(old.st_mode) & 0o777)
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
            _target(path)
            temporary.replace(target)


def make_folder(path: Path | str) -> Path:
    """Make a folder for outputs, and its parents, unless it exists."""
    if not str(path) or "\0" in str(path):
        raise UnreadableInputError(f"{str(path)!r}: cannot be created: not the name of a folder")
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UnreadableInputError(f"{path}: cannot be created: {error.strerror}") from None
    return Path(path)


def _target(path: Path | str) -> Path:
    """Return the path of an output after a check that a file at this path can be replaced."""
    name = os.fspath(path)
    if not name or "\0" in name:
        raise UnreadableInputError(f"{name!r}: cannot be written: not the name of a file")
    target = Path(name)
    if not target.parent.is_dir():
        _refuse_output(path, f"there is no directory {target.parent}")
    if name.endswith("/") or target.is_dir():
        _refuse_output(path, "it is a directory")
    found = _at(target)
    if found is None:
        return target
    if not stat.S_ISREG(found.st_mode):
        _refuse_output(path, _KINDS.get(stat.S_IFMT(found.st_mode), "it is not a regular file"))
    if not os.access(target, os.W_OK):
        _refuse_output(path, "it is read-only")
    return target


def _at(target: Path) -> os.stat_result | None:
    """Return the status of the file at a path (of a symbolic link itself).

    The result is None if there is none.
    """
    try:
        return target.lstat()
    except FileNotFoundError:
        return None


@contextmanager
def _neighbour(target: Path) -> Iterator[tuple[Path, BinaryIO]]:
    """Open a temporary file in the folder of an output; it is always removed at the end."""
    temporary = target.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        with temporary.open("xb") as stream:
            yield temporary, stream
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def _failures_of(path: Path | str) -> Iterator[None]:
    """Return a context that turns errors of the system about an output into one-line errors."""
    try:
        yield
    except OSError as error:
        _refuse_output(path, error.strerror or str(error))
    except UnicodeError:
        _refuse_output(path, "its name or its text contains an invalid character")


def _refuse_output(path: Path | str, reason: str) -> NoReturn:
    raise UnreadableInputError(f"{path}: cannot be written: {reason}") from None


def read_limited(path: Path | str) -> bytes:
    """Return the bytes of a file or of standard input; refuse an empty or too large file."""
    file = Path(path)
    try:
        if str(path) == STANDARD_INPUT:
            return standard_input(MAX_FILE_BYTES)
        if not file.exists():
            raise UnreadableInputError(f"{path}: no such file")
        if not file.is_file():
            raise UnreadableInputError(f"{path}: not a regular file")
        if (size := file.stat().st_size) > MAX_FILE_BYTES:
            raise UnreadableInputError(
                f"{path}: {size} bytes are above the limit of {MAX_FILE_BYTES} bytes"
            )
        data = file.read_bytes() if size else b""  # files of the kernel look empty, and may block
    except (OSError, ValueError) as error:
        if isinstance(error, UnreadableInputError):
            raise
        raise UnreadableInputError(
            f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}"
        ) from None
    if not data.strip():
        raise UnreadableInputError(f"{path}: the file is empty")
    return data


@functools.cache
def standard_input(limit: int) -> bytes:
    """Return the bytes of standard input, up to a limit on their number."""
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise UnreadableInputError("-: standard input is closed")
    data: bytes = stream.read(limit + 1)
    if len(data) > limit:
        raise UnreadableInputError(f"-: standard input exceeds the limit of {limit} bytes")
    if not data.strip():
        raise UnreadableInputError("-: standard input is empty")
    return data


@checked_types
def read_json(path: Path | str, budget: Budget | None = None, *, exact: bool = False) -> Any:  # noqa: ANN401 - any JSON value
    """Return the value of a JSON file, with limits on size and depth and no repeated keys."""
    return json_value(read_limited(path), path, budget, exact=exact)


END_EXPECTED = "expected the end of the file"
"""The message on further values after the first one, as in JSON Lines."""
_SYNTAX: Mapping[str, str] = MappingProxyType(
    {
        "Expecting value": "expected a value",
        "Expecting ',' delimiter": "expected a comma or a closing bracket",
        "Expecting ':' delimiter": "expected a colon",
        "Expecting property name enclosed in double quotes": "expected a key in double quotes",
        "Extra data": END_EXPECTED,
    }
)
"""Messages of Python's JSON reader, in words."""


def json_value(
    data: bytes, path: Path | str, budget: Budget | None = None, *, exact: bool = False
) -> Any:  # noqa: ANN401 - any JSON value
    """Return the value of JSON text, within the limits of `read_json`."""
    try:
        text = data.decode("utf-8-sig")
        depth, lists = _structure(text, budget or Budget())
        if depth > MAX_DEPTH:
            raise UnreadableInputError(
                f"{path}: nested {depth} levels deep; the limit is {MAX_DEPTH}"
            )
        if lists > MAX_LISTS:
            raise UnreadableInputError(
                f"{path}: {lists} lists and objects are above the limit of {MAX_LISTS}"
            )
        return json.loads(
            text,
            object_pairs_hook=_unique,
            parse_float=str if exact else _refuse_float,
            parse_constant=str if exact else _refuse_constant,
        )
    except json.JSONDecodeError as error:
        reason = _SYNTAX.get(error.msg, error.msg)
        raise UnreadableInputError(
            f"{path}: row {error.lineno}, column {error.colno}: not JSON: {reason}"
        ) from None
    except UnicodeDecodeError as error:
        raise UnreadableInputError(
            f"{path}: not UTF-8 text: byte {error.start} is invalid"
        ) from None
    except (ValueError, RecursionError) as error:
        if isinstance(error, UnreadableInputError):
            raise
        if longest := _longest_number(text, MAX_DIGITS):
            raise UnreadableInputError(
                f"{path}: numbers must have at most {MAX_DIGITS} digits, found one of {longest}"
            ) from None
        raise UnreadableInputError(f"{path}: not usable JSON: {error}") from None


def _longest_number(text: str, limit: int) -> int:
    """Return the number of digits of the longest number above a limit, or 0."""
    found = re.finditer(rf'"(?:[^"\\]|\\.)*+"?|[0-9]{{{limit + 1},}}', text, re.DOTALL)
    return max((len(token[0]) for token in found if token[0][0] != '"'), default=0)


def _structure(text: str, budget: Budget) -> tuple[int, int]:
    """Return the nesting depth of brackets outside strings, and the number of opening brackets."""
    depth = deepest = lists = 0
    for token in _TOKEN.finditer(text):
        budget.spend()
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
        raise ValueError(f"key {repeated!r} occurs twice in one object")
    return result


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


def _refuse_float(text: str) -> NoReturn:
    raise ValueError(f'{text[:40]} is not exact; write it as text, such as "1/10" or "0.1"')
