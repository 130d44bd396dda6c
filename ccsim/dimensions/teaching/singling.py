"""Points that single out a concept among others: searches in C and in Python.

A set of points singles out a concept if it intersects the difference with every other concept. The
engine (``hitting.c``) tries the same sets in the same order as Python, so both find the same
points.
"""

from __future__ import annotations

import ctypes
import weakref
from collections import Counter
from collections.abc import Iterable, Sequence
from ctypes import c_char_p, c_int32, c_int64, c_void_p
from itertools import compress
from typing import Protocol

from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.classes.concept_class import columns
from ccsim.classes.masks import members
from ccsim.errors import InstanceTooLargeError
from ccsim.native import Library

MAX_TAUGHT = 600
"""Maximum number of points of a teaching set in the search, which is recursive."""
_MOST_INSIDE = 32  # sets with which others are compared, to leave these out
_FEW = 2  # sets that are looked at for the next point, times two for each point that may be taken
YES, PAUSED = 1, 2
"""Return values of a search in C."""
SLICE = 1 << 22
"""Words of its work between two checks of the time: some milliseconds."""
_SINGLING = Library(
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


class Singling(Protocol):
    """A search for points that single out a concept among the concepts with byte 1 in ``among``."""

    def greedy(self, concept: int, among: bytes, budget: Budget) -> int:
        """Return a set of points that singles out a concept and is minimal under inclusion."""

    def within(self, concept: int, among: bytes, size: int, budget: Budget) -> int | None:
        """Return at most ``size`` points that single out a concept, or None if there are none."""


class _PlainSingling:
    """The search of `Singling` in Python."""

    def __init__(self, rows: Sequence[int]) -> None:
        self._rows = rows

    def greedy(self, concept: int, among: bytes, budget: Budget) -> int:
        return first_hitting_set(self._differences(concept, among), budget)

    def within(self, concept: int, among: bytes, size: int, budget: Budget) -> int | None:
        return hitting_set(self._differences(concept, among), size, budget)

    def _differences(self, concept: int, among: bytes) -> list[int]:
        return differences(self._rows[concept], compress(self._rows, among))


class _NativeSingling:
    """The search of `Singling` in C."""

    def __init__(self, concept_class: ConceptClass) -> None:
        C, library = concept_class, _SINGLING.found()
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
        budget.spend()
        self._look_at(concept, among)
        if self._library.greedy(self._state, self._out) < 0:
            raise MemoryError
        return self._points()

    def within(self, concept: int, among: bytes, size: int, budget: Budget) -> int | None:
        self._look_at(concept, among)
        if not self._library.begun(self._state, size):
            raise MemoryError
        answer = PAUSED
        while answer == PAUSED:
            budget.spend()
            answer = self._library.searched(self._state, SLICE, self._out)
        return self._points() if answer == YES else None

    def _look_at(self, concept: int, among: bytes) -> None:
        if self._aim != (concept, among):
            self._library.aimed(self._state, concept, among)
            self._aim = concept, among

    def _points(self) -> int:
        return int.from_bytes(self._out.raw[: self._bytes], "little")


def singling(concept_class: ConceptClass) -> Singling:
    """Return the search in C, or the search in Python if there is no native engine."""
    if _SINGLING.found() is not None:
        return _NativeSingling(concept_class)
    return _PlainSingling(concept_class.rows)


def by_halving(concept_class: ConceptClass, budget: Budget) -> list[int]:
    """Return points that single out each concept: the points that split its part of the class.

    Parts are split until they are single concepts, each time by the most balanced point of a
    largest part. If the budget expires, all points are returned.
    """
    C, everything = concept_class, (1 << len(concept_class.points)) - 1
    with budget:
        points, ones = [0] * len(C), columns(C)
        parts = [(1 << len(C)) - 1] if len(C) > 1 else []
        while parts:
            part = max(parts, key=int.bit_count)
            counts = [(part & column).bit_count() for column in ones]
            x = min(range(len(ones)), key=lambda x: abs(2 * counts[x] - part.bit_count()))
            halves = []
            for part in budget.each(parts):
                both = part & ones[x], part & ~ones[x]
                if all(both):
                    for c in members(part):
                        points[c] |= 1 << x
                halves += [half for half in both if half & half - 1]
            parts = halves
        return points
    return [everything if len(C) > 1 else 0] * len(C)


def smallest(
    search: Singling, concept: int, among: bytes, known: int, enough: int, budget: Budget
) -> tuple[int, bool]:
    """Return points that single out a concept, and whether their number is proved minimal."""
    while known.bit_count() > enough:
        found = search.within(concept, among, known.bit_count() - 1, budget)
        if found is None:
            return known, True
        known = found
    return known, False


def differences(row: int, others: Iterable[int]) -> list[int]:
    """Return the sets of points on which other rows differ from a row, smallest first.

    A set that contains a listed one may be omitted.
    """
    kept: list[int] = []
    for each in sorted(filter(None, (row ^ other for other in others)), key=int.bit_count):
        if all(other & ~each for other in kept[:_MOST_INSIDE]):
            kept.append(each)
    return kept


def first_hitting_set(sets: list[int], budget: Budget) -> int:
    """Return a greedy hitting set that is minimal under inclusion."""
    left, chosen = sets, 0
    while left:
        budget.spend()
        first = left[0]
        often = {x: sum(each >> x & 1 for each in left) for x in members(first)}
        best = max(often, key=lambda x: often[x])
        chosen |= 1 << best
        left = [each for each in left if not each >> best & 1]
    for x in members(chosen):
        if all(each & (chosen ^ 1 << x) for each in sets):
            chosen ^= 1 << x
    return chosen


def hitting_set(sets: list[int], size: int, budget: Budget) -> int | None:
    """Return at most ``size`` points that hit all sets, or None if there are none.

    The search branches on the points of a smallest set not yet hit; its depth is at most ``size``.
    """
    if size > MAX_TAUGHT and _apart(sets, -1, size)[1] <= size:
        raise InstanceTooLargeError(
            f"teaching sets may need {size} points; the limit of the search is {MAX_TAUGHT}"
        )
    often = Counter(x for each in sets for x in members(each))
    return _meeting(sets, -1, size, often, budget)


def _meeting(
    sets: list[int], allowed: int, size: int, often: Counter[int], budget: Budget
) -> int | None:
    """Return at most ``size`` allowed points that hit all sets, or None if there are none.

    Points in many sets are tried first.
    """
    budget.spend()
    if not sets or not size:
        return None if sets else 0
    if size == 1:
        for each in sets:
            allowed &= each
        return allowed & -allowed or None
    fewest, apart = _apart(sets, allowed, size)
    if apart > size:
        return None
    for x in sorted(members(fewest), key=lambda x: -often[x]):
        allowed &= ~(1 << x)  # what follows is without it
        rest = [each for each in sets if not each >> x & 1]
        if (found := _meeting(rest, allowed, size - 1, often, budget)) is not None:
            return found | 1 << x
    return None


def _apart(sets: list[int], allowed: int, size: int) -> tuple[int, int]:
    """Return the allowed points of a smallest set, and the number of disjoint sets found."""
    used = apart = 0
    fewest = sets[0] & allowed
    for each in sets[: _FEW << min(size, 16)]:
        left = each & allowed
        if left.bit_count() < fewest.bit_count():
            fewest = left
        if not left & used:
            used, apart = used | left, apart + 1
            if apart > size:
                break
    return fewest, apart
