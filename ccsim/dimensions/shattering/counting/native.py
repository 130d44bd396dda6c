"""The steps of the search by numbers of rows in C.

Main definitions: `steps`, `found`.
"""

from __future__ import annotations

import ctypes
from ctypes import POINTER, byref, c_int32, c_int64, c_void_p
from types import SimpleNamespace

import numpy as np

from ccsim.dimensions.shattering.counting.stack import Stack, Steps
from ccsim.native import Library

__all__ = ["found", "steps"]


class _Stack(ctypes.Structure):
    """The `Stack` of ``cells.c``."""

    _fields_ = (
        ("words", c_int64),
        ("width", c_int64),
        ("size", c_int64),
        ("columns", c_void_p),
        ("cells", c_void_p),
        ("left", c_void_p),
        ("number", c_void_p),
        ("chosen", c_void_p),
        ("level", c_void_p),
        ("room", c_void_p),
    )


_STACK = POINTER(_Stack)
_LIBRARY = Library(
    "cells",
    {
        "extend": (c_int64, (_STACK, c_int64, c_int64, c_int64)),
        "advance": (c_int32, (_STACK, c_int64, c_int64, POINTER(c_int64))),
    },
)
found = _LIBRARY.found


def steps(stack: Stack, size: int) -> Steps | None:
    """Return the steps towards a shattered set of a size; None where there is no library."""
    library = found()
    if library is None:
        return None
    native = _Native(library, stack, size)
    return Steps(native.extend, native.advance)


class _Native:
    """The library at work on one stack."""

    def __init__(self, library: SimpleNamespace, stack: Stack, size: int) -> None:
        self._arrays = (*stack, np.empty(len(stack.cells), np.uint64))  # kept as long as pointers
        words, width = stack.columns.shape[1], stack.left.shape[1]
        self._stack = _Stack(words, width, size, *(array.ctypes.data for array in self._arrays))
        self._library = library

    def extend(self, level: int, column: int, more: int) -> int:
        return int(self._library.extend(byref(self._stack), level, column, more))

    def advance(self, base: int, most_work: int) -> tuple[int, int]:
        work = c_int64()
        answer = self._library.advance(byref(self._stack), base, most_work, byref(work))
        return int(answer), work.value
