"""The star number (Hanneke and Yang 2015).

A *star* consists of a concept (its centre), points ``x_1 .. x_n`` and concepts ``c_1 .. c_n``, such
that ``c_i`` differs from the centre on ``x_i`` and on none of the other points.
"""

from __future__ import annotations

import weakref
from array import array
from collections.abc import Iterator
from ctypes import c_char_p, c_int32, c_void_p
from typing import Any, Protocol

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, OutOfWorkError, Progress, TimeLimit
from ccsim.certificates import Certificate
from ccsim.classes import ConceptClass, PartialClass
from ccsim.classes.concept_class import columns
from ccsim.classes.given import PartialClassLike, as_total_or_partial
from ccsim.classes.masks import members
from ccsim.data import frozen
from ccsim.dimensions.answer import ClassAnswer
from ccsim.dimensions.partial.stars import largest_star
from ccsim.dimensions.teaching.singling import PAUSED, SLICE, YES, singling
from ccsim.errors import InstanceTooLargeError
from ccsim.native import Library

MAX_STAR = 600
"""Maximum number of points of a class in the search for a star, which is recursive."""
_FIRST_WORK = 1 << 8
"""Number of sets of points tried for a size in the first round; it grows by a factor of 4."""
_NO_MEMORY = 4
_STARS = Library(
    "stars",
    {
        "made": (c_void_p, (c_char_p, c_int32, c_int32)),
        "freed": (None, (c_void_p,)),
        "begun": (c_int32, (c_void_p, c_int32)),
        "searched": (c_int32, (c_void_p, c_int32, c_void_p)),
    },
)


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
) -> StarResult:
    """Return the star number of a class: the size of its largest star, with the star.

    In a partial class, all concepts of a star must be defined on all of its points.

    Parameters
    ----------
    concept_class : ConceptClass, PartialClass, problem, INSTANCE text or matrix
        A class over at most `MAX_STAR` points.
    time_limit, progress
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
    budget = Budget.of(time_limit, progress)
    C = as_total_or_partial(concept_class, budget)
    width = len(C.points)
    if width > MAX_STAR:
        raise InstanceTooLargeError(
            f"{C} has {width} points; the limit of the search is {MAX_STAR}"
        )
    if not len(C):
        return StarResult(C, -1, -1, None, (), ())
    if isinstance(C, PartialClass):
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
        while best.bit_count() < upper:
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
    points = tuple(members(best))
    return StarResult(C, len(points), upper, centre, points, tuple(_neighbours(C, centre, best)))


def _neighbours(C: ConceptClass, centre: int, points: int) -> Iterator[int]:
    """Yield, for each point, the first concept that differs from the centre on this point only."""
    first: dict[int, int] = {}
    for c, row in enumerate(C.rows):
        first.setdefault((row ^ C.rows[centre]) & points, c)
    yield from (first[1 << x] for x in members(points))


def _search(concept_class: ConceptClass) -> StarSearch:
    """Return the search in C, or the search in Python if there is no native engine."""
    return (_PlainStars if _STARS.found() is None else _NativeStars)(concept_class)


class StarSearch(Protocol):
    """A search for stars of given sizes."""

    def of_size(self, size: int, budget: Budget) -> tuple[int, int] | None:
        """Return the centre and the points of a star of the given size; None if there is none."""


class _PlainStars:
    """A search in Python that branches on points and on the centre's labels, like the kernel."""

    def __init__(self, concept_class: ConceptClass) -> None:
        self.everything = (1 << len(concept_class)) - 1
        self.ones = columns(concept_class)

    def of_size(self, size: int, budget: Budget) -> tuple[int, int] | None:
        return self._grow([], self.everything, [*range(len(self.ones))], size, budget)

    def _grow(
        self, own: list[int], free: int, after: list[int], more: int, budget: Budget
    ) -> tuple[int, int] | None:
        """Return a centre and ``more`` further points from ``after``, or None if there are none.

        The concepts in ``free`` agree with the centre on all points so far; the concepts in an
        entry of ``own`` differ from it on exactly one of these points.
        """
        budget.spend()
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
        if more == 1:
            return (next(members(free & fit[0][2])), 1 << fit[0][1]) if fit else None
        order = list(dict.fromkeys(x for _, x, _ in sorted(fit, reverse=True)))[::-1]
        last = {x: i for i, x in enumerate(order[: max(0, len(order) - more + 1)], 1)}
        for _, x, same in fit:
            if x in last:
                rest = [*(each & same for each in own), free & ~same]
                found = self._grow(rest, free & same, order[last[x] :], more - 1, budget)
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
        self._library, self._choices = library, max(1, SLICE // (words * (len(C.points) + 1)))
        self._state = library.made(data, len(C), len(C.points))
        if not self._state:
            raise MemoryError
        weakref.finalize(self, library.freed, self._state)

    def of_size(self, size: int, budget: Budget) -> tuple[int, int] | None:
        if not self._library.begun(self._state, size):
            raise MemoryError
        out = array("i", bytes(4 * (size + 1)))
        answer = PAUSED
        while answer == PAUSED:
            choices = min(self._choices, budget.work)
            budget.spend(0)
            answer = self._library.searched(self._state, choices, out.buffer_info()[0])
            if answer == PAUSED:
                budget.spend(choices)
        if answer == _NO_MEMORY:
            raise MemoryError
        return (out[0], sum(1 << x for x in out[1:])) if answer == YES else None
