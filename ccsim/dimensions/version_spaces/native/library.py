"""The C library of the search for mistake trees, and how it is called.

Main definition: `found`.
"""

from __future__ import annotations

import ctypes
from ctypes import POINTER, c_char_p, c_int32, c_int64, c_uint64, c_void_p

from ccsim.native import Library

__all__ = [
    "FAILED",
    "NO",
    "NO_MEMORY",
    "PAUSED",
    "YES",
    "Elements",
    "Orbits",
    "Refuting",
    "found",
]

NO, YES, PAUSED, FAILED, NO_MEMORY = range(5)


class Refuting(ctypes.Structure):
    """The beginning of the `Refutation` of ``tree_refutations.c``."""

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


class Elements(ctypes.Structure):
    """The beginning of the `Elements` of ``tree_orbits.c``."""

    _fields_ = (
        ("num_literals", c_int32),
        ("num", c_int32),
        ("room", c_int32),
        ("most", c_int32),
        ("moves", c_void_p),
        ("before", POINTER(c_int32)),
        ("by", POINTER(c_int32)),
    )


class Orbits(ctypes.Structure):
    """The beginning of the `Orbits` of ``tree_orbits.c``."""

    _fields_ = (
        ("depth", c_int32),
        ("num", c_int32),
        ("num_steps", c_int32),
        ("num_chosen", c_int32),
        ("steps", POINTER(c_int32)),
        ("origins", POINTER(c_int32)),
        ("spaces", c_void_p),
        ("chosen", c_void_p),
        ("at", c_int32),
    )


_ENGINE, _WORDS, _INTS = c_void_p, c_char_p, c_char_p
_LIBRARY = Library(
    "trees",
    {
        "made": (_ENGINE, (_WORDS, c_int32, c_int32, c_int64)),
        "freed": (None, (_ENGINE,)),
        "copied": (None, (_ENGINE, c_void_p)),
        "moved": (c_int32, (_ENGINE, c_int32, _INTS, _INTS)),
        "used": (c_int64, (_ENGINE,)),
        "decide": (c_int32, (_ENGINE, c_int32, c_int64)),
        "tree": (c_int32, (_ENGINE, c_int32, c_int64, c_void_p)),
        "begun": (POINTER(Refuting), (_ENGINE, c_int32)),
        "expand": (c_int32, (_ENGINE, POINTER(Refuting), c_int64)),
        "chosen": (c_int32, (_ENGINE, POINTER(Refuting))),
        "deeper": (None, (POINTER(Refuting),)),
        "ended": (None, (POINTER(Refuting),)),
        "elements": (POINTER(Elements), (_WORDS, c_int32, c_int32, c_int32)),
        "elements_freed": (None, (POINTER(Elements),)),
        "orbits_begun": (POINTER(Orbits), (_ENGINE, c_int32)),
        "orbits_expand": (c_int32, (_ENGINE, POINTER(Elements), POINTER(Orbits), c_int64, c_int64)),
        "orbits_deeper": (None, (POINTER(Orbits),)),
        "orbits_ended": (None, (POINTER(Orbits),)),
    },
)
found = _LIBRARY.found
