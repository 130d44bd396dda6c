"""The C library of the search for mistake trees, and how it is called.

Main definitions: `found`, `is_built`.
"""

from __future__ import annotations

import ctypes
from ctypes import POINTER, c_char_p, c_int32, c_int64, c_uint64, c_void_p
from functools import cache
from pathlib import Path

from ccsim.native import Sources, built
from ccsim.native import is_built as is_kept
from ccsim.native import is_possible as is_had

__all__ = [
    "FAILED",
    "NO",
    "NO_MEMORY",
    "PAUSED",
    "YES",
    "Refuting",
    "found",
    "is_built",
    "is_possible",
]

NO, YES, PAUSED, FAILED, NO_MEMORY = range(5)
_FOLDER = Path(__file__).parent
_SOURCES = Sources(
    "mistake_trees",
    tuple(_FOLDER / f"{name}.c" for name in ("engine", "spaces", "search", "refute", "cover")),
    (_FOLDER / "engine.h",),
)


class Refuting(ctypes.Structure):
    """The beginning of the `Refutation` of ``refute.c``."""

    _fields_ = (
        ("depth", c_int32),
        ("num", c_int32),
        ("at", c_int32),
        ("width", c_int32),
        ("num_steps", c_int32),
        ("num_chosen", c_int32),
        ("steps", POINTER(c_int32)),
        ("origins", POINTER(c_int32)),
        ("chosen", POINTER(c_uint64)),
    )


def is_built() -> bool:
    """Say whether the library can be had in milliseconds."""
    return found.cache_info().currsize > 0 or is_kept(_SOURCES)


def is_possible() -> bool:
    """Say whether the library is there, or there is a compiler for it."""
    return is_had(_SOURCES)


@cache
def found() -> ctypes.CDLL | None:
    """Return the library, built at the first call of an installation; None without a compiler."""
    library = built(_SOURCES)
    if library is None:
        return None
    engine, words, ints = c_void_p, c_char_p, c_char_p
    for name, result, arguments in (
        ("made", engine, (words, c_int32, c_int32, c_int64)),
        ("freed", None, (engine,)),
        ("copied", None, (engine, c_void_p)),
        ("moved", c_int32, (engine, c_int32, ints, ints)),
        ("used", c_int64, (engine,)),
        ("decide", c_int32, (engine, c_int32, c_int64)),
        ("decide_words", c_int32, (engine, words, c_int32, c_int64)),
        ("tree", c_int32, (engine, c_int32, c_int64, c_void_p)),
        ("begun", POINTER(Refuting), (engine, c_int32)),
        ("expand", c_int32, (engine, POINTER(Refuting), c_int64)),
        ("chosen", c_int32, (engine, POINTER(Refuting))),
        ("deeper", None, (POINTER(Refuting),)),
        ("ended", None, (POINTER(Refuting),)),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library
