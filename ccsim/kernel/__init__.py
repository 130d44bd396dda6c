"""The trusted base: check certificates with only the Python standard library.

`docs/certificates.md` specifies each kind of certificate and explains why it is a proof. The kernel
does not search: it reads the instance, recomputes the bound of a proof, and compares it with the
statement exactly. It runs on its own, with ``python -I -S ccsim/kernel FILE ...``, also as a copy.
"""

from __future__ import annotations

import json
import os
import re
import stat
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import accumulate
from pathlib import Path
from typing import Any

from .reader import MAX_DIGITS, Rejected, choice, digest, fields, inside, require, show
from .rules import WORK, TooLong, Work, check_statement

__all__ = ["KINDS", "Rejected", "TooLong", "Unreadable", "check", "digest", "main", "named", "read"]

MAX_FILE_BYTES = 1 << 28  # largest size of a certificate in bytes (256 MiB)
MAX_WIDE_BYTES = 1 << 26  # largest size in bytes of a certificate with characters outside ASCII
MAX_DEPTH = 100  # maximum nesting depth of brackets, including brackets in strings
MAX_VALUES = 1 << 23  # maximum number of commas and opening brackets in a certificate
_KIND = re.compile(r'^class .*\bkind="(\w+)"', re.MULTILINE)
KINDS = {
    kind: path.stem
    for path in sorted(Path(__file__).parent.glob("*.py"))
    for kind in _KIND.findall(path.read_text(encoding="utf-8"))
}
"""The kinds of certificates and the modules that check them, as declared in their sources."""

_NO_MARK = bytes(set(range(256)) - set(b"[]{},"))
_LONG = re.compile(rb"(?<![0-9])[0-9]{%d}" % (MAX_DIGITS + 1))


class Unreadable(Exception):  # noqa: N818
    """The file is not JSON text within the limits on size and depth."""


def check(document: object, tell: Callable[[], object] | None = None, read: Any = None) -> str:  # noqa: ANN401
    """Check a certificate, or a list of certificates, and return a line for each proved statement.

    Raise `Rejected` at the first place that violates the format or does not prove the statement.
    The check calls `tell` repeatedly; an exception that `tell` raises ends the check. Checks that
    share the dictionary `read` read each instance once; instances must not change.
    """
    token = WORK.set(work := Work(tell=tell))
    work.instances = {} if read is None else read
    try:
        listed = document if isinstance(document, list) else [document]
        require(listed, "a list must contain at least one certificate")
        first = listed[0].get("instance") if isinstance(listed[0], dict) else None
        if not isinstance(document, list):
            return _check(document, first)
        return "\n".join(inside(i, _check, each, first) for i, each in enumerate(listed))
    except (RecursionError, MemoryError) as error:
        error.__traceback__ = None  # and with it go the values of its frames
        raise TooLong("too large: the check exceeds the memory or the recursion limit") from None
    finally:
        WORK.reset(token)


def _check(certificate: object, first: object) -> str:
    """Check one certificate; if its instance is null, use that of the first certificate listed."""
    keys = ("format", "kind", "instance", "statement", "lower", "upper", "made_by")
    version, kind, instance, *sides, _ = fields(certificate, *keys)
    require(type(version) is int and version == 2, "format must be 2, not {}", version)
    import_module(f".{KINDS[inside('kind', choice, kind, KINDS)]}", __name__)
    return check_statement(kind, first if instance is None else instance, *sides)


def named(document: Any, i: int = 0) -> str:  # noqa: ANN401 - what has been checked
    """Return the quoted name of the instance in a file; the kernel does not verify this name."""
    listed = document if isinstance(document, list) else [document]
    name = (listed[i]["instance"] or listed[0]["instance"]).get("name")
    return f" [named {show(name)} by the file]" if name else ""


def main(paths: Sequence[str]) -> int:
    """Print a line for each statement; return 0 if all are proved, 4 if one is rejected, else 2."""
    status = 0 if paths else 2
    for path in paths:
        try:
            document = read(path)
            said = enumerate(check(document).split("\n"))
            lines = [f"proved: {line}{named(document, i)}" for i, line in said]
        except Rejected as error:
            lines, status = [f"rejected: {error}"], 4
        except Unreadable as error:
            lines, status = [f"unreadable: {error}"], max(status, 2)
        text = "".join(f"{shown_path(path)}: {line}\n" for line in lines)
        sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
    return status


def shown_path(path: Path | str) -> str:
    """Return the name of a file on one line, quoted if it has characters that are not printable."""
    return text if (text := str(path)).isprintable() else ascii(text)


def read(path: Path | str) -> Any:  # noqa: ANN401 - a JSON value
    """Return the JSON value of a regular file with UTF-8 text; reading never blocks.

    Raise `Unreadable` unless the file is JSON text within the limits on size and depth. Raise
    `Rejected` if a key is repeated, or if a number is too long or not an integer.
    """
    faults: list[Rejected] = []  # of a text that is JSON all the same
    try:
        found = Path(path).stat()
        if not stat.S_ISREG(found.st_mode) or found.st_size > MAX_FILE_BYTES:
            raise Unreadable(f"not a regular file of at most {MAX_FILE_BYTES} bytes")
        no_wait = getattr(os, "O_NONBLOCK", 0)
        with os.fdopen(os.open(path, os.O_RDONLY | no_wait), "rb") as stream:
            value = _parse(stream.read() or b"", faults)
    except json.JSONDecodeError as error:
        place = f"row {error.lineno}, column {error.colno}"
        reason = "expected the end of the file" if error.msg == "Extra data" else error.msg
        raise Unreadable(f"{place}: not JSON: {reason}") from None
    except (OSError, ValueError, RecursionError, MemoryError) as error:
        raise Unreadable(str(getattr(error, "strerror", None) or error) or "too large") from None
    for fault in faults:
        raise fault
    return value


def _parse(data: bytes, faults: list[Rejected]) -> object:
    """Return the JSON value of a text; append violations of stricter rules to `faults`."""
    if len(data) > MAX_WIDE_BYTES and (b"\\u" in data or not data.isascii()):
        rule = f"files with non-ASCII characters must have at most {MAX_WIDE_BYTES} bytes"
        raise ValueError(f"{rule}, not {len(data)}")
    marks = data.translate(bytes.maketrans(b"{}", b"[]"), _NO_MARK)
    if (values := marks.count(b",") + marks.count(b"[")) > MAX_VALUES:
        raise ValueError(f"the file has {values} commas and brackets; the limit is {MAX_VALUES}")
    brackets = marks.replace(b",", b"")
    if (depth := max(accumulate(map(ord("\\").__sub__, brackets)), default=0)) > MAX_DEPTH:
        raise ValueError(f"brackets are nested {depth} levels deep; the limit is {MAX_DEPTH}")

    def number(literal: str) -> int:
        if len(literal) <= MAX_DIGITS and literal.removeprefix("-").isdigit():
            return int(literal)
        rule = f"numbers must be integers of at most {MAX_DIGITS} digits, not {{}}"
        faults[1:] = [Rejected(rule, literal)]  # at most two are kept, however many there are
        return 0

    def distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
        if len(result := dict(pairs)) < len(pairs):
            [(key, _)] = Counter(key for key, _ in pairs).most_common(1)
            faults[1:] = [Rejected("key {} occurs twice in one object", key)]
        return result

    integer = number if _LONG.search(data) else int  # Python's own is quicker
    decoder = json.JSONDecoder(
        object_pairs_hook=distinct, parse_int=integer, parse_float=number, parse_constant=number
    )
    return decoder.decode(data.decode("utf-8-sig"))
