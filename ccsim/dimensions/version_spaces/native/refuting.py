"""Refutations of mistake trees level by level, as the C library makes them.

Main definitions: `refute_by_levels`, `refute_by_orbits`.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
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
    from ccsim.symmetry.matrix import Symmetry

__all__ = ["TooManyEntriesError", "refute_by_levels", "refute_by_orbits"]

_SLICE = 1 << 26
_MOST_ELEMENTS = 1 << 16
"""Elements of a group after which no more are looked for."""
_MOST_IMAGES = 1 << 20
"""Images that are kept for the entries of one depth; later entries serve themselves only."""
Assignment: TypeAlias = "tuple[tuple[int, int], ...]"


class TooManyEntriesError(Exception):
    """A refutation is longer than was asked for."""


class _Words:
    """For each element of a group the generators that give it, one after the other."""

    def __init__(self, before: array[int], by: array[int]) -> None:
        self._before, self._by = before, by

    def __getitem__(self, element: int) -> tuple[int, ...]:
        word: list[int] = []
        while element:
            word.append(self._by[element])
            element = self._before[element]
        return tuple(reversed(word))


class _Generated(NamedTuple):
    """A group as entries name it: generators, and words in them."""

    moves: tuple[tuple[int, ...], ...]
    words: _Words
    symmetries: tuple[Symmetry, ...]


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
    library, engine = search.library, search.engine
    state = library.begun(engine, depth)
    if not state:
        raise SearchFailedError

    def expand(work: int) -> int:
        answer: int = library.expand(engine, state, work)
        return library.chosen(engine, state) if answer == YES else answer

    try:
        levels = list(_levels(state.contents, expand, partial(library.deeper, state), budget, most))
    finally:
        library.ended(state)
    group = search.group
    listed = partial(_entries, levels, search.copies, group)
    return LittlestoneRefutation.when_asked(listed, group.symmetries if group else ())


def _levels(
    now: Any,  # noqa: ANN401 - a structure
    expand: Callable[[int], int],
    deeper: Callable[[], object],
    budget: Budget,
    most: int | None = None,
) -> Iterator[_Level]:
    """Yield level by level what so much work, or some more of it, adds to a structure."""
    entries, origins = 0, array("i")
    while now.num:
        entries += now.num
        work, before, answer = _SLICE, -1, PAUSED
        while answer == PAUSED:
            budget.spend()
            answer = expand(work)
            work *= 2 if now.at == before else 1
            before = now.at
        if answer != YES:
            raise SearchFailedError
        budget.spend()
        yield _Level(now.depth, origins, _read("i", now.steps, 4 * now.num_steps))
        if most is not None and entries + now.num_chosen > most:
            raise TooManyEntriesError
        origins = _read("i", now.origins, 3 * now.num_chosen)
        deeper()


def refute_by_orbits(search: NativeSearch, depth: int, budget: Budget) -> LittlestoneRefutation:
    """Return the refutation of a depth that the class is known not to have, an entry an orbit.

    Built from the root downwards, level by level, up to the elements that the symmetries of the
    class generate, or many of them.

    Parameters
    ----------
    search : NativeSearch
        On a class of at most 32 points.
    depth : int
    budget : Budget

    Raises
    ------
    OutOfTimeError
        If the time is over.
    SearchFailedError
        If both sides of some point have trees.
    """
    from ccsim.symmetry.literals import moves_of

    if len(search.concept_class) < 1 << depth:
        return LittlestoneRefutation(())
    library, engine = search.library, search.engine
    named = moves_of(search.symmetries, search.copies)
    data, literals = b"".join(map(bytes, named)), 2 * len(search.copies)
    elements = library.elements(data, len(named), literals, _MOST_ELEMENTS)
    state = library.orbits_begun(engine, depth)

    def expand(work: int) -> int:
        answer: int = library.orbits_expand(engine, elements, state, work, _MOST_IMAGES)
        return answer

    try:
        if not elements or not state:
            raise SearchFailedError
        deeper = partial(library.orbits_deeper, state)
        levels = list(_levels(state.contents, expand, deeper, budget))
        found = elements.contents
        words = _Words(_read("i", found.before, found.num), _read("i", found.by, found.num))
    finally:
        library.elements_freed(elements)
        library.orbits_ended(state)
    whole = _Generated((), words, tuple(named.values()))
    listed = partial(_entries, levels, search.copies, whole)
    return LittlestoneRefutation.when_asked(listed, whole.symmetries)


def _spaces(
    levels: list[_Level], copies: Copies, group: LiteralGroup | _Generated | None
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
    levels: list[_Level], copies: Copies, group: LiteralGroup | _Generated | None
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
