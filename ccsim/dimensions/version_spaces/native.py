"""The search for mistake trees in C, with the methods of `PythonSearch`.

Trees and refutations are extracted from exact version spaces; if two of these share a hash,
`SearchFailedError` is raised. Symmetries are computed only if a refutation is long.
"""

from __future__ import annotations

import ctypes
import sys
import weakref
from array import array
from collections.abc import Callable, Iterator
from ctypes import POINTER, c_char_p, c_int32, c_int64, c_uint64, c_void_p, string_at
from functools import cached_property, partial
from typing import Any, NamedTuple

from ccsim.arguments.checked import constructor
from ccsim.budget import Budget
from ccsim.certificates.envelope import no_cycles
from ccsim.classes import ConceptClass
from ccsim.dimensions.mistake_trees import (
    LittlestoneRefutation,
    MistakeTree,
    RefutationEntry,
    Step,
)
from ccsim.dimensions.version_spaces.search import (
    MOST_ELEMENTS,
    MOST_IMAGES,
    ORBIT_LENGTH,
    Assignment,
    SearchFailedError,
    word_of,
)
from ccsim.native import Library
from ccsim.symmetry.matrix import (
    Copies,
    LiteralGroup,
    Symmetry,
    moves_of,
    orbits_of_points,
    symmetries_of_class,
)

NO, YES, PAUSED, FAILED, NO_MEMORY = range(5)


def _int32(names: str) -> list[tuple[str, Any]]:
    return [(name, c_int32) for name in names.split()]


_INT32S = POINTER(c_int32)


class Refuting(ctypes.Structure):
    """The first fields of the structure `Refutation` of ``tree_refutations.c``."""

    _fields_ = (
        *_int32("depth num at width num_steps num_chosen"),
        *(("steps", _INT32S), ("origins", _INT32S), ("chosen", POINTER(c_uint64))),
    )


class Elements(ctypes.Structure):
    """The first fields of the structure `Elements` of ``tree_orbits.c``."""

    _fields_ = (
        *_int32("num_literals num room most"),
        *(("moves", c_void_p), ("before", _INT32S), ("by", _INT32S)),
    )


class Orbits(ctypes.Structure):
    """The first fields of the structure `Orbits` of ``tree_orbits.c``."""

    _fields_ = (
        *_int32("depth num num_steps num_chosen"),
        *(("steps", _INT32S), ("origins", _INT32S), ("spaces", c_void_p), ("chosen", c_void_p)),
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


_SLICE = 1 << 26  # words looked at between two glances at the clock: some hundredths of a second
_FEW_ENTRIES = 1 << 8  # entries of a refutation that take about as long as finding symmetries
_MOST_POINTS = 32
_MOST_SLOTS = 1 << 26  # the memory takes 16 bytes a slot; a full one is no longer added to


class NativeSearch:
    """A search on one class in C: decisions, trees and refutations."""

    first_work = 1 << 22

    def __init__(self, concept_class: ConceptClass, budget: Budget | None = None) -> None:
        C, library = concept_class, found()
        if library is None or sys.byteorder == "big":  # it reads words of 64 bits
            raise SearchFailedError
        width = -(-len(C.points) // 64)
        if width == 1:
            data = array("Q", C.rows).tobytes()
        else:
            data = b"".join([row.to_bytes(8 * width, "little") for row in C.rows])
        self.concept_class, self.library, self.budget = C, library, budget
        self.data = data  # which the engine reads
        self.engine = library.made(data, len(C), len(C.points), _MOST_SLOTS)
        if not self.engine:
            raise SearchFailedError
        weakref.finalize(self, library.freed, self.engine)
        self.group: LiteralGroup | None = None

    @cached_property
    def column_of(self) -> list[int]:
        """Return a code of the column of each point.

        It is ``2 c`` if the column is essential column ``c``, ``2 c + 1`` if it is the complement
        of that column, and ``-2 - label`` if it is constant.
        """
        columns = array("i", bytes(4 * len(self.concept_class.points)))
        self.library.copied(self.engine, columns.buffer_info()[0])
        return columns.tolist()

    @cached_property
    def copies(self) -> list[list[tuple[int, int]]]:
        """The points of each essential column, each with 1 for a complemented copy, else 0."""
        found: list[list[tuple[int, int]]] = [
            [] for _ in range(max((c // 2 + 1 for c in self.column_of), default=0))
        ]
        for x, c in enumerate(self.column_of):
            if c >= 0:
                found[c >> 1].append((x, c & 1))
        return found

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """Generators of the symmetry group of the class."""
        return symmetries_of_class(self.concept_class, self.budget)

    @cached_property
    def has_long_orbits(self) -> bool:
        """Whether the orbits of points have at least four points on average."""
        orbits = orbits_of_points(self.symmetries, len(self.column_of))
        return ORBIT_LENGTH * len(set(orbits.values())) <= len(orbits)

    def decide(self, depth: int, budget: Budget) -> bool:
        """Decide whether the class has a complete mistake tree of the given depth."""
        most, before = _SLICE, -1
        while True:
            work = int(min(most, budget.work))
            answer = self.library.decide(self.engine, depth, work)
            if answer in {FAILED, NO_MEMORY}:
                raise SearchFailedError
            if answer != PAUSED:
                return bool(answer == YES)
            budget.spend(work)
            used = self.library.used(self.engine)
            most *= 2 if used == before else 1  # the way down took all of it
            before = used

    def _take_group(self) -> None:
        """Compute a small group of symmetries for later refutations up to symmetry."""
        fits = len(self.column_of) <= _MOST_POINTS
        self.group = LiteralGroup.generated(self.symmetries if fits else (), self.copies)
        if len(self.group.moves) > 1:
            moves = array("i", [i for move in self.group.moves for i in move]).tobytes()
            back = array("i", [i for row in self.group.back() for i in row]).tobytes()
            if not self.library.moved(self.engine, len(self.group.moves), moves, back):
                raise SearchFailedError

    @no_cycles()
    def tree(self, depth: int, budget: Budget) -> MistakeTree:
        """Return a complete mistake tree of the given depth, which is known to exist."""
        nodes = array("i", bytes(4 * (2 << depth) - 4))
        answer, most = PAUSED, _SLICE
        while answer == PAUSED:
            budget.spend()
            answer = self.library.tree(self.engine, depth, most, nodes.buffer_info()[0])
            most *= 2
        if answer != YES:
            raise SearchFailedError
        return MistakeTree.from_json(nodes.tolist())

    @no_cycles()
    def refutation(self, depth: int, budget: Budget) -> LittlestoneRefutation:
        """Return a refutation of a depth; if it is long and orbits are large, up to symmetry."""
        if len(self.column_of) > _MOST_POINTS:
            return refute_by_levels(self, depth, budget)
        if self.group is None:
            try:
                return refute_by_levels(self, depth, budget, _FEW_ENTRIES)
            except TooManyEntriesError:
                self._take_group()
        if self.has_long_orbits:
            return refute_by_orbits(self, depth, budget)
        return refute_by_levels(self, depth, budget)


class TooManyEntriesError(Exception):
    """A refutation exceeds the maximum number of entries."""


class _Words:
    """The elements of a group as words: products of generators."""

    def __init__(self, before: array[int], by: array[int]) -> None:
        self._before, self._by = before, by

    def __getitem__(self, element: int) -> tuple[int, ...]:
        return word_of(element, self._before, self._by)


class _Generated(NamedTuple):
    """A group given by generators and words, as in the entries of a refutation."""

    moves: tuple[tuple[int, ...], ...]
    words: _Words
    symmetries: tuple[Symmetry, ...]


class _Level(NamedTuple):
    """The version spaces refuted at one depth."""

    depth: int
    # for each in turn: version space of the level above, literal of the essential columns that
    # gives this one, and the symmetry that it is taken by
    origins: array[int]
    # in turn: version space, literal, version space of the next level that refutes this side, and
    # the symmetry from that to one that contains it
    steps: array[int]


def refute_by_levels(
    search: NativeSearch, depth: int, budget: Budget, most: int | None = None
) -> LittlestoneRefutation:
    """Return a refutation of a depth above the dimension, computed level by level."""
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
    return LittlestoneRefutation.deferred(listed, group.symmetries if group else ())


def _levels(
    now: Any,  # noqa: ANN401 - a structure
    expand: Callable[[int], int],
    deeper: Callable[[], object],
    budget: Budget,
    most: int | None = None,
) -> Iterator[_Level]:
    """Yield the levels of a refutation, computed in C in steps of limited work."""
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
    """Return a refutation of a depth, known to be impossible, with one entry for each orbit."""
    if len(search.concept_class) < 1 << depth:
        return LittlestoneRefutation(())
    library, engine = search.library, search.engine
    named = moves_of(search.symmetries, search.copies)
    data, literals = b"".join(map(bytes, named)), 2 * len(search.copies)
    elements = library.elements(data, len(named), literals, MOST_ELEMENTS)
    state = library.orbits_begun(engine, depth)

    def expand(work: int) -> int:
        answer: int = library.orbits_expand(engine, elements, state, work, MOST_IMAGES)
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
    return LittlestoneRefutation.deferred(listed, whole.symmetries)


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
    """Yield the entries, the deepest level first; a step holds for all points of a column."""
    make = constructor(RefutationEntry)
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
            yield make(assignment, level.depth, tuple(below_it))


def _read(kind: str, pointer: Any, num: int) -> array[int]:  # noqa: ANN401 - of C
    found = array(kind)
    if num:
        found.frombytes(string_at(pointer, num * found.itemsize))
    return found
