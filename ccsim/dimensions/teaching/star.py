"""The star number (Hanneke and Yang 2015).

A *star* consists of a concept (its centre), points ``x_1 .. x_n`` and concepts ``c_1 .. c_n``, such
that ``c_i`` differs from the centre on ``x_i`` and on none of the other points.
"""

from __future__ import annotations

import weakref
from array import array
from collections.abc import Iterator, Sequence
from contextlib import closing
from ctypes import POINTER, byref, c_char_p, c_int32, c_void_p
from functools import partial
from math import comb
from typing import Any, NamedTuple, Protocol, TypeAlias

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, Jobs, OutOfWorkError, Progress, TimeLimit
from ccsim.certificates import Certificate
from ccsim.classes import ConceptClass, PartialClass
from ccsim.classes.concept_class import columns
from ccsim.classes.given import PartialClassLike, as_total_or_partial
from ccsim.classes.masks import members
from ccsim.data import frozen
from ccsim.dimensions.answer import ClassAnswer
from ccsim.dimensions.teaching.singling import PAUSED, SLICE, YES, singling
from ccsim.errors import InstanceTooLargeError
from ccsim.native import Library
from ccsim.parallel.cubes import solved
from ccsim.parallel.division import Branch, divided

MAX_STAR = 600
"""Maximum number of points of a class in the search for a star, which is recursive."""
_FIRST_WORK = 1 << 8
"""Number of sets of points tried for a size in the first round; it grows by a factor of 4."""
_LONG = 1 << 28
"""Words looked at in the last round before the question is divided: about a second."""
_FEWEST, _MOST = 8, 100  # cubes of a size, about
_EACH = 1 << 27  # words that a cube of the previous size would have looked at: a tenth of a second
_LEVELS, _POWER = 12, 4  # by which the length of a cube is estimated
_DEEPEST = 8  # choices of a cube, at most
_NO_MEMORY = 4
_STARS = Library(
    "stars",
    {
        "made": (c_void_p, (c_char_p, c_int32, c_int32)),
        "freed": (None, (c_void_p,)),
        "begun": (c_int32, (c_void_p, c_int32, c_void_p, c_int32, c_int32, c_int32)),
        "left": (c_int32, (c_void_p, c_void_p)),
        "searched": (c_int32, (c_void_p, POINTER(c_int32), c_void_p)),
    },
)


_State: TypeAlias = tuple[list[int], int, list[int], int]
"""For each chosen point the concepts that differ from the centre there only; those that agree with
it on all chosen points; the points that may be chosen; and how many of them are to be chosen."""
_Choices: TypeAlias = tuple[list[tuple[int, int]], list[int]]
"""Points with the concepts that agree with the centre there; and the order of these points."""


@frozen
class StarResult(ClassAnswer):
    """The star number of a class, or bounds on it, with a star that proves the lower bound.

    Attributes
    ----------
    concept_class : ConceptClass or PartialClass
    lower, upper : int
        Bounds, at least -1; equal unless the search was stopped.
    centre : int or None
        The centre of a star; None for the empty class.
    points, neighbours : tuple of int
        ``lower`` points and concepts: concept ``neighbours[i]`` differs from the centre on
        ``points[i]`` and on no other of these points.
    """

    quantity = "the star number"
    _kind = "star_number"

    centre: int | None
    points: tuple[int, ...]
    neighbours: tuple[int, ...]

    def certificate(self) -> Certificate:
        """Return the certificate of kind ``star_number``."""
        proof: dict[str, Any] = {"trivial": {}}
        if self.centre is not None:
            points, neighbours = list(self.points), list(self.neighbours)
            proof = {"star": {"centre": self.centre, "points": points, "neighbours": neighbours}}
        by_size = self.upper == len(self.concept_class) - 1
        return self._with_proofs(
            proof, {"rows": {}} if by_size else {"extension": {"size": self.upper + 1}}
        )


@checked_types
def star_number(
    concept_class: PartialClassLike,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
    jobs: Jobs = None,
) -> StarResult:
    """Return the star number of a class: the size of its largest star, with the star.

    In a partial class, all concepts of a star must be defined on all of its points.

    Parameters
    ----------
    concept_class : ConceptClass, PartialClass, problem, INSTANCE text or matrix
        A class over at most `MAX_STAR` points.
    time_limit, progress, jobs
        As for `vc_dimension`; a stopped search returns the largest star found so far.

    Returns
    -------
    StarResult
        The bounds lie between -1 and the number of points.

    Notes
    -----
    Complexity: exponential in the number of points in general. Source: Hanneke and Yang (2015),
    "Minimax analysis of active learning".

    Examples
    --------
    >>> from ccsim.classes import points, thresholds
    >>> result = star_number(thresholds(2))
    >>> result.value, result.centre, result.points, result.neighbours
    (2, 1, (0, 1), (0, 2))
    >>> star_number(points(2)).value
    3
    >>> result.check()
    """
    budget = Budget.of(time_limit, progress, jobs)
    C = as_total_or_partial(concept_class, budget)
    width = len(C.points)
    if width > MAX_STAR:
        raise InstanceTooLargeError(
            f"{C} has {width} points; the limit of the search is {MAX_STAR}"
        )
    if not len(C):
        return StarResult(C, -1, -1, None, (), ())
    if isinstance(C, PartialClass):
        from ccsim.dimensions.partial.stars import largest_star

        star, most = largest_star(C, budget.or_at_once())
        return StarResult(C, len(star[1]), most, *star)
    return _of_total(C, budget)


def _of_total(C: ConceptClass, budget: Budget) -> StarResult:
    """Return the star number of a nonempty class."""
    centre, best, upper = 0, 0, min(len(C.points), len(C) - 1)
    quick, among = singling(C), b"\1" * len(C)
    with budget.or_at_once() as first:
        for c in range(len(C)):
            found = quick.greedy(c, among, first)
            if found.bit_count() > best.bit_count():
                centre, best = c, found
                budget.report(best.bit_count(), upper)
    with budget:
        work = _FIRST_WORK
        search = _search(C)
        low = best.bit_count()  # sizes above it, up to the upper bound, are still to be tried
        while best.bit_count() < upper and work * _looks(C) <= _LONG:
            size = low + 1 if low == best.bit_count() else (low + upper + 1) // 2
            try:
                star = search.of_size(size, budget.share(work=work))
            except OutOfWorkError:
                low = size
            else:
                if star is None:
                    upper = size - 1
                else:
                    centre, best = star
                    low = size
                budget.report(best.bit_count(), upper)
            if low == upper:
                low, work = best.bit_count(), 4 * work
                search = _search(C)
        known = (centre, best), upper
        for star, upper in _in_cubes(C, *known, budget):
            centre, best = star
            budget.report(best.bit_count(), upper)
    points = tuple(members(best))
    return StarResult(C, len(points), upper, centre, points, tuple(_neighbours(C, centre, best)))


def _neighbours(C: ConceptClass, centre: int, points: int) -> Iterator[int]:
    """Yield, for each point, the first concept that differs from the centre on this point only."""
    first: dict[int, int] = {}
    for c, row in enumerate(C.rows):
        first.setdefault((row ^ C.rows[centre]) & points, c)
    yield from (first[1 << x] for x in members(points))


def _looks(C: ConceptClass) -> int:
    """Return the words looked at for one choice of a point, about."""
    return -(-len(C) // 64) * (len(C.points) + 1)


def _in_cubes(
    C: ConceptClass, star: tuple[int, int], upper: int, budget: Budget
) -> Iterator[tuple[tuple[int, int], int]]:
    """Yield the largest star so far and an upper bound, until they coincide."""
    work = _MOST * _EACH  # looked at for the previous size; not known for the first one
    while star[1].bit_count() < upper:
        found, work = _of_size(C, upper, work, budget)
        if found is None:
            upper -= 1
        else:
            star = found
        yield star, upper


def _of_size(
    C: ConceptClass, size: int, before: int, budget: Budget
) -> tuple[tuple[int, int] | None, int]:
    """Return the centre and the points of a star of a size, or None; and the words looked at.

    The number of cubes depends on the words that were looked at for the previous size.
    """
    search, deep = _search(C), min(size, _LEVELS)

    def branches(path: tuple[int, ...]) -> Iterator[Branch[tuple[int, ...]]]:
        budget.spend()
        more = deep - len(path) - 1
        for place, (points, concepts) in enumerate(search.left(size, path)):
            if points >= 0:
                length = comb(points, more) * concepts**_POWER
                below = partial(_longer, path, place)
                yield Branch(place, length, below, len(path) + 1 >= min(size - 1, _DEEPEST))

    shared = {"rows": [f"{row:x}" for row in C.rows], "points": len(C.points), "size": size}
    number = min(max(before // _EACH, _FEWEST), _MOST)
    cubes, work = divided(tuple[int, ...](), branches, number), 0
    with closing(solved(Stars, shared, cubes, budget)) as results:
        for star, choices in results:
            work += choices * _looks(C)
            if star is not None:
                return tuple(star), work
    return None, work


def _longer(path: tuple[int, ...], place: int) -> tuple[int, ...]:
    return (*path, place)


class Stars:
    """A search that answers a cube: cases that are tried in order."""

    def __init__(self, shared: dict[str, Any]) -> None:
        rows = [int(row, 16) for row in shared["rows"]]
        C = ConceptClass.from_rows(rows, range(shared["points"]))
        self._search, self._size = _search(C), shared["size"]

    def __call__(self, cube: Sequence[Any], budget: Budget) -> tuple[tuple[int, int] | None, int]:
        """Return the centre and the points of a star or None, and the number of choices tried."""
        counted = budget.share()
        before = counted.work
        cases = (Case(*case) for case in cube)
        stars = (self._search.of_size(self._size, counted, case) for case in cases)
        return next((star for star in stars if star is not None), None), before - counted.work


def _search(concept_class: ConceptClass) -> StarSearch:
    """Return the search in C, or the search in Python if there is no native engine."""
    return (_PlainStars if _STARS.found() is None else _NativeStars)(concept_class)


class Case(NamedTuple):
    """A part of a search: choices by their places, and a range of places of the next one."""

    path: Sequence[int]
    first: int
    last: int


_WHOLE = Case((), 0, 2 * MAX_STAR)


class StarSearch(Protocol):
    """A search for stars of given sizes."""

    def of_size(self, size: int, budget: Budget, case: Case = _WHOLE) -> tuple[int, int] | None:
        """Return the centre and the points of a star of the given size; None if there is none."""

    def left(self, size: int, path: Sequence[int]) -> list[tuple[int, int]]:
        """Return how many points and concepts each choice below a path leaves.

        The number of points is -1 if they are too few.
        """


class _PlainStars:
    """A search in Python that branches on points and on the centre's labels, like the kernel."""

    def __init__(self, concept_class: ConceptClass) -> None:
        self.everything = (1 << len(concept_class)) - 1
        self.ones = columns(concept_class)

    def of_size(self, size: int, budget: Budget, case: Case = _WHOLE) -> tuple[int, int] | None:
        chosen, state, (fit, order) = self._below(size, case.path)
        found = self._among(fit[case.first : case.last], order, state, budget)
        return None if found is None else (found[0], found[1] | chosen)

    def left(self, size: int, path: Sequence[int]) -> list[tuple[int, int]]:
        _, (_, free, _, more), (fit, order) = self._below(size, path)
        if more == 1 or len(order) < more:
            return []
        points = [len(order) - 1 - order.index(x) for x, _ in fit]
        concepts = [(free & same).bit_count() for _, same in fit]
        return [(x if x >= more - 1 else -1, c) for x, c in zip(points, concepts, strict=True)]

    def _below(self, size: int, path: Sequence[int]) -> tuple[int, _State, _Choices]:
        """Return the points chosen on a path, and the state and the choices at its end."""
        state: _State = [], self.everything, [*range(len(self.ones))], size
        chosen, choices = 0, self._choices(state)
        for place in path:
            x, same = choices[0][place]
            chosen |= 1 << x
            state = self._chosen(state, choices[1], x, same)
            choices = self._choices(state)
        return chosen, state, choices

    def _choices(self, state: _State) -> _Choices:
        """Return the points with the concepts that agree with the centre there, and an order."""
        own, free, after, more = state
        total = free.bit_count()
        fit: list[tuple[int, int, int]] = []
        for x in after:
            number = (free & (ones := self.ones[x])).bit_count()
            if 0 < number <= total - more:
                fit.append((total - number, x, self.everything ^ ones))
            if more <= number < total:
                fit.append((number, x, ones))
        for each in own:
            fit = [one for one in fit if each & one[2]]
        order = list(dict.fromkeys(x for _, x, _ in sorted(fit, reverse=True)))[::-1]
        return [(x, same) for _, x, same in fit], order

    def _chosen(self, state: _State, order: list[int], x: int, same: int) -> _State:
        own, free, _, more = state
        rest = [*(each & same for each in own), free & ~same]
        return rest, free & same, order[order.index(x) + 1 :], more - 1

    def _among(
        self, fit: list[tuple[int, int]], order: list[int], state: _State, budget: Budget
    ) -> tuple[int, int] | None:
        """Return a centre and the further points of a star with one of the choices, or None."""
        budget.spend()
        _, free, _, more = state
        if more == 1:
            return (next(members(free & fit[0][1])), 1 << fit[0][0]) if fit else None
        ends = set(order[len(order) - more + 1 :])
        for x, same in fit:
            if x not in ends and len(order) >= more:
                below = self._chosen(state, order, x, same)
                found = self._among(*self._choices(below), below, budget)
                if found is not None:
                    return found[0], found[1] | 1 << x
        return None


class _NativeStars:
    """The search of `StarSearch` in C."""

    def __init__(self, concept_class: ConceptClass) -> None:
        C, library = concept_class, _STARS.found()
        if library is None:
            raise MemoryError
        words = -(-len(C) // 64)
        data = b"".join([column.to_bytes(8 * words, "little") for column in columns(C)])
        self._library, self._choices = library, max(1, SLICE // _looks(C))
        self._width = len(C.points)
        self._state = library.made(data, len(C), len(C.points))
        if not self._state:
            raise MemoryError
        weakref.finalize(self, library.freed, self._state)

    def of_size(self, size: int, budget: Budget, case: Case = _WHOLE) -> tuple[int, int] | None:
        self._begin(size, case)
        out = array("i", bytes(4 * (size + 1)))
        answer, left = PAUSED, c_int32()
        while answer == PAUSED:
            choices = left.value = min(self._choices, budget.work)
            budget.spend(0)
            answer = self._library.searched(self._state, byref(left), out.buffer_info()[0])
            if answer == PAUSED:
                budget.spend(choices)
        budget.work -= choices - left.value
        if answer == _NO_MEMORY:
            raise MemoryError
        return (out[0], sum(1 << x for x in out[1:])) if answer == YES else None

    def left(self, size: int, path: Sequence[int]) -> list[tuple[int, int]]:
        self._begin(size, _WHOLE._replace(path=path))
        out = array("i", bytes(16 * self._width))
        number = self._library.left(self._state, out.buffer_info()[0])
        return [(out[2 * i], out[2 * i + 1]) for i in range(number)]

    def _begin(self, size: int, case: Case) -> None:
        path = array("i", case.path)
        places = path.buffer_info()[0], len(path), case.first, case.last
        if not self._library.begun(self._state, size, *places):
            raise MemoryError
