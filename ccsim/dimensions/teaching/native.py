"""The search for smallest teaching sets in C.

Main definition: `NativeSingling`.
"""

from __future__ import annotations

import ctypes
import weakref
from ctypes import c_char_p, c_int32, c_int64, c_void_p
from pathlib import Path

from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.native import Library, Sources

__all__ = ["NativeSingling", "found", "is_built", "is_possible"]

_YES, _PAUSED = 1, 2
_SLICE = 1 << 22
"""Words looked at between two glances at the clock: some milliseconds."""
_LIBRARY = Library(
    Sources("teaching_sets", (Path(__file__).with_name("hitting.c"),)),
    {
        "made": (c_void_p, (c_char_p, c_int32, c_int32)),
        "freed": (None, (c_void_p,)),
        "aimed": (c_int32, (c_void_p, c_int32, c_char_p)),
        "greedy": (c_int32, (c_void_p, c_void_p)),
        "begun": (c_int32, (c_void_p, c_int32)),
        "searched": (c_int32, (c_void_p, c_int64, c_void_p)),
    },
)
found, is_built, is_possible = _LIBRARY.found, _LIBRARY.is_built, _LIBRARY.is_possible


class NativeSingling:
    """Points that single out concepts of a class, as `Singling` finds them.

    Raises
    ------
    MemoryError
        Where there is no library, or no memory.
    """

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
