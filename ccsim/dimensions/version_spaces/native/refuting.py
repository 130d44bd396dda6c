"""Refutations of mistake trees level by level, as the C library makes them.

Main definition: `refute_by_levels`.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from ctypes import string_at
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ccsim.budget import Budget
from ccsim.dimensions.mistake_trees.refutation import LittlestoneRefutation, RefutationEntry, Step
from ccsim.dimensions.version_spaces.closing_in import SearchFailedError
from ccsim.dimensions.version_spaces.native.library import PAUSED, YES

if TYPE_CHECKING:
    from ccsim.dimensions.version_spaces.native.search import NativeSearch
    from ccsim.symmetry.literals import Copies, LiteralGroup

__all__ = ["TooManyEntriesError", "refute_by_levels"]

_SLICE = 1 << 26
Assignment: TypeAlias = "tuple[tuple[int, int], ...]"


class TooManyEntriesError(Exception):
    """A refutation is longer than was asked for."""


class _Level(NamedTuple):
    """Version spaces that are refuted at one depth.

    Attributes
    ----------
    depth : int
    origins : array of int
        For each in turn: version space of the level above, literal of the essential columns that
        gives this one, and the symmetry that it is taken by.
    steps : array of int
        In turn: version space, literal, version space of the next level that refutes this side, and
        the symmetry from that to one that contains it.
    """

    depth: int
    origins: array[int]
    steps: array[int]


def refute_by_levels(
    search: NativeSearch, depth: int, budget: Budget, most: int | None = None
) -> LittlestoneRefutation:
    """Return the refutation of a depth that the class is known not to have.

    Built from the root downwards. Each level holds few sides that the level above rests on. The
    deepest level is listed first.

    Parameters
    ----------
    search : NativeSearch
    depth : int
    budget : Budget
    most : int, optional
        Entries that the refutation may have.

    Raises
    ------
    OutOfTimeError
        If the time is over.
    SearchFailedError
        If both sides of some point have trees.
    TooManyEntriesError
    """
    if len(search.concept_class) < 1 << depth:
        return LittlestoneRefutation(())
    state = search.library.begun(search.engine, depth)
    if not state:
        raise SearchFailedError
    try:
        levels = list(_levels(search, state, budget, most))
    finally:
        search.library.ended(state)
    group = search.group
    listed = partial(_entries, levels, search.copies, group)
    return LittlestoneRefutation.when_asked(listed, group.symmetries if group else ())


def _levels(
    search: NativeSearch,
    state: Any,  # noqa: ANN401 - a pointer
    budget: Budget,
    most: int | None,
) -> Iterator[_Level]:
    library, now, entries = search.library, state.contents, 0
    origins = array("i")
    while now.num:
        entries += now.num
        work, before, answer = _SLICE, -1, PAUSED
        while answer == PAUSED:
            budget.spend()
            answer = library.expand(search.engine, state, work)
            work *= 2 if now.at == before else 1
            before = now.at
        if answer != YES or library.chosen(search.engine, state) != YES:
            raise SearchFailedError
        budget.spend()
        yield _Level(now.depth, origins, _read("i", now.steps, 4 * now.num_steps))
        if most is not None and entries + now.num_chosen > most:
            raise TooManyEntriesError
        origins = _read("i", now.origins, 3 * now.num_chosen)
        library.deeper(state)


def _spaces(
    levels: list[_Level], copies: Copies, group: LiteralGroup | None
) -> Iterator[list[Assignment]]:
    """Yield the version spaces of each level as partial assignments."""
    first = [(points[0][0], b ^ points[0][1]) for points in copies for b in (0, 1)]
    moves = group.moves if group else ()
    images = [{first[i]: first[j] for i, j in enumerate(move)} for move in moves]
    spaces: list[Assignment] = [()]
    yield spaces
    for level in levels[1:]:
        origins = level.origins
        turns = zip(origins[0::3], origins[1::3], origins[2::3], strict=True)
        spaces = [
            tuple([images[element][turn] for turn in (*spaces[above], first[literal])])
            if element
            else (*spaces[above], first[literal])
            for above, literal, element in turns
        ]
        yield spaces


def _entries(
    levels: list[_Level], copies: Copies, group: LiteralGroup | None
) -> Iterator[RefutationEntry]:
    """Yield the entries, the deepest level first; a step serves all points of its column."""
    turns = [[(x, b ^ flip) for x, flip in points] for points in copies for b in (0, 1)]
    single = all(len(points) == 1 for points in copies)
    words = group.words if group and group.symmetries else None
    start = number = 0  # of the first entry of the level below, and of this one
    each = list(zip(levels, _spaces(levels, copies, group), strict=True))
    for level, spaces in reversed(each):
        rests: list[list[Step]] = [[] for _ in spaces]
        steps = level.steps
        quads = zip(steps[0::4], steps[1::4], steps[2::4], steps[3::4], strict=True)
        if words is not None:
            for space, literal, below, element in quads:
                word = words[element]
                rests[space] += [(x, b, start + below, word) for x, b in turns[literal]]
        elif single:
            flat = [turn[0] for turn in turns]
            for space, literal, below, _ in quads:
                x, b = flat[literal]
                rests[space].append((x, b, start + below))
        else:
            for space, literal, below, _ in quads:
                rests[space] += [(x, b, start + below) for x, b in turns[literal]]
        start = number
        number += len(spaces)
        for assignment, below_it in zip(spaces, rests, strict=True):
            yield RefutationEntry(assignment, level.depth, tuple(below_it))


def _read(kind: str, pointer: Any, num: int) -> array[int]:  # noqa: ANN401 - of C
    found = array(kind)
    if num:
        found.frombytes(string_at(pointer, num * found.itemsize))
    return found
