"""The searches for smallest teaching sets and for stars in C."""

from __future__ import annotations

import ctypes
import weakref
from array import array
from ctypes import c_char_p, c_int32, c_int64, c_void_p

from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.classes.concept_class import columns
from ccsim.native import Library

_YES, _PAUSED, _NO_MEMORY = 1, 2, 4
_SLICE = 1 << 22
"""Words looked at between two glances at the clock: some milliseconds."""
_LIBRARY = Library(
    "singling",
    {
        "made": (c_void_p, (c_char_p, c_int32, c_int32)),
        "freed": (None, (c_void_p,)),
        "aimed": (c_int32, (c_void_p, c_int32, c_char_p)),
        "greedy": (c_int32, (c_void_p, c_void_p)),
        "begun": (c_int32, (c_void_p, c_int32)),
        "searched": (c_int32, (c_void_p, c_int64, c_void_p)),
    },
)
_STARS = Library(
    "stars",
    {
        "made": (c_void_p, (c_char_p, c_int32, c_int32)),
        "freed": (None, (c_void_p,)),
        "begun": (c_int32, (c_void_p, c_int32)),
        "searched": (c_int32, (c_void_p, c_int32, c_void_p)),
    },
)
found = _LIBRARY.found


class NativeSingling:
    """Points that single out concepts of a class, as `Singling` finds them."""

    def __init__(self, concept_class: ConceptClass) -> None:
        C, library = concept_class, found()
        if library is None:
            raise MemoryError
        self._bytes = 8 * -(-len(C.points) // 64)
        data = b"".join([row.to_bytes(self._bytes, "little") for row in C.rows])
        self._library, self._size = library, len(C)
        self._state = library.made(data, len(C), len(C.points))
        if not self._state:
            raise MemoryError
        weakref.finalize(self, library.freed, self._state)
        self._out = ctypes.create_string_buffer(self._bytes or 1)
        self._aim: tuple[int, bytes] | None = None

    def greedy(self, concept: int, among: bytes, budget: Budget) -> int:
        """Return points that single a concept out, none of them in vain."""
        budget.spend()
        self._look_at(concept, among)
        if self._library.greedy(self._state, self._out) < 0:
            raise MemoryError
        return self._points()

    def within(self, concept: int, among: bytes, size: int, budget: Budget) -> int | None:
        """Return at most so many points that single a concept out, or None if there are none."""
        self._look_at(concept, among)
        if not self._library.begun(self._state, size):
            raise MemoryError
        answer = _PAUSED
        while answer == _PAUSED:
            budget.spend()
            answer = self._library.searched(self._state, _SLICE, self._out)
        return self._points() if answer == _YES else None

    def _look_at(self, concept: int, among: bytes) -> None:
        if self._aim != (concept, among):
            self._library.aimed(self._state, concept, among)
            self._aim = concept, among

    def _points(self) -> int:
        return int.from_bytes(self._out.raw[: self._bytes], "little")


class NativeStars:
    """Stars of given sizes in a class, as `StarSearch` finds them."""

    def __init__(self, concept_class: ConceptClass) -> None:
        C, library = concept_class, _STARS.found()
        if library is None:
            raise MemoryError
        words = -(-len(C) // 64)
        data = b"".join([column.to_bytes(8 * words, "little") for column in columns(C)])
        self._library, self._choices = library, max(1, _SLICE // (words * (len(C.points) + 1)))
        self._state = library.made(data, len(C), len(C.points))
        if not self._state:
            raise MemoryError
        weakref.finalize(self, library.freed, self._state)

    def of_size(self, size: int, budget: Budget) -> tuple[int, int] | None:
        """Return the centre and the points of a star of a size, at least 1; None without any."""
        if not self._library.begun(self._state, size):
            raise MemoryError
        out = array("i", bytes(4 * (size + 1)))
        answer = _PAUSED
        while answer == _PAUSED:
            choices = min(self._choices, budget.work)
            budget.spend(0)
            answer = self._library.searched(self._state, choices, out.buffer_info()[0])
            if answer == _PAUSED:
                budget.spend(choices)
        if answer == _NO_MEMORY:
            raise MemoryError
        return (out[0], sum(1 << x for x in out[1:])) if answer == _YES else None
