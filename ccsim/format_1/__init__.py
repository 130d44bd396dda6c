"""Certificates of format 1, which are translated into format 2 before the kernel checks them.

No part of the trusted base: what is checked, and printed, is the translation. A translator passes
the instance and the bounds on, writes the proofs in the forms of `docs/certificates.md`, and has
the library find what a proof of format 1 left to be recomputed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ccsim.certificates import verify
from ccsim.errors import CcsimError
from ccsim.format_1 import (
    communication,
    dimensions,
    learning,
    privacy,
    private_coins,
    representations,
)
from ccsim.format_1.table import Translator
from ccsim.kernel import Rejected, Unreadable
from ccsim.kernel import read as read_format_2
from ccsim.kernel.reader import show

__all__ = ["MAX_DEPTH", "TRANSLATORS", "read", "translated", "verify_any"]

MAX_DEPTH = 2000
"""Deepest nesting of a file of format 1, whose trees were nested lists."""

TRANSLATORS: Mapping[str, Translator] = MappingProxyType(
    dimensions.KINDS
    | communication.KINDS
    | private_coins.KINDS
    | representations.KINDS
    | privacy.KINDS
    | learning.KINDS
)
"""The translator of each kind."""

_KEYS = {"format", "kind", "instance", "statement", "lower", "upper", "made_by"}
_DATA = ("instance", "statement")
_BROKEN = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


def translated(document: object) -> Any:  # noqa: ANN401 - a JSON value
    """Return what a certificate of format 1 says in format 2.

    Parameters
    ----------
    document : object
        A JSON value.

    Returns
    -------
    dict or list
        A certificate, or several, for the kernel.

    Raises
    ------
    Rejected
        If it is no certificate of format 1, or its data are too broken to be written otherwise.

    Examples
    --------
    >>> translated({"format": 1, "kind": "unknown"})
    Traceback (most recent call last):
    ...
    ccsim.kernel.reader.Rejected: certificate: key 'instance' is missing
    """
    if not isinstance(document, dict):
        raise Rejected("must be an object, not {}", document)
    for key in sorted(_KEYS - set(document)):
        raise Rejected("key {} is missing", key)
    for key in document:
        if key not in _KEYS:
            raise Rejected("unknown key {}", key)
    kind = document["kind"]
    if not isinstance(kind, str) or kind not in TRANSLATORS:
        raise _rejected("kind", f"must be a kind of format 1, not {show(kind)}")
    for side in ("instance", "statement", "lower", "upper"):
        if not isinstance(document[side], dict) and (document[side] is not None or side in _DATA):
            raise _rejected(side, f"must be an object, not {show(document[side])}")
    with _deep():
        try:
            return TRANSLATORS[kind](document)
        except (*_BROKEN, CcsimError) as error:
            why = ascii(str(error))[:200] if isinstance(error, CcsimError) else type(error).__name__
            raise _rejected("certificate", f"cannot be translated from format 1: {why}") from None


def verify_any(document: object) -> str:
    """Verify a certificate of either format, and say what is proved.

    Parameters
    ----------
    document : object
        A JSON value.

    Raises
    ------
    Rejected
        With the place, the rule, and what was found there.

    Examples
    --------
    >>> from ccsim import HypothesisSet, points, representation_error
    >>> found = representation_error(HypothesisSet.from_rows([0], 4), points(2))
    >>> verify_any(found.certificate().to_dict()).partition(", ")[0]
    'deterministic_representation of a 4 x 4 concept class'
    """
    if not _is_old(document):
        return verify(document)
    lines = verify(translated(document)).split("\n")
    return "\n".join(f"{line} (translated from format 1)" for line in lines)


def _rejected(place: str, rule: str) -> Rejected:
    """Return a rejection whose text is ready, braces and all."""
    error = Rejected(rule.replace("{", "{{").replace("}", "}}"))
    error.place.append(place)
    return error


def read(path: Path | str) -> Any:  # noqa: ANN401 - a JSON value
    """Return the JSON value of a file of either format.

    Raises
    ------
    Unreadable
        If it is no JSON text within the limits.
    Rejected
        If it is, but repeats a key or holds a number that is none of a certificate.
    """
    try:
        return read_format_2(path)
    except Unreadable:
        with _deep():
            document = read_format_2(path, MAX_DEPTH)
        if not _is_old(document):
            raise
        return document


def _is_old(document: object) -> bool:
    version = document.get("format") if isinstance(document, dict) else None
    return type(version) is int and version == 1


@contextmanager
def _deep() -> Iterator[None]:
    """Let Python recurse as deeply as a file of format 1 may be nested."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(limit + 4 * MAX_DEPTH)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
