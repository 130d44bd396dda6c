"""Stars of a partial class, all of whose concepts are defined on the points of the star."""

from __future__ import annotations

from collections.abc import Sequence

from ccsim.budget import Budget
from ccsim.classes.masks import members
from ccsim.classes.partial import PartialClass, sides

Sides = tuple[int, int]
Star = tuple[int, tuple[int, ...], tuple[int, ...]]  # a centre, points, and a neighbour for each


def largest_star(partial_class: PartialClass, budget: Budget) -> tuple[Star, int]:
    """Return a star of a nonempty class, and an upper bound on the size of stars."""
    C = partial_class
    upper = min(len(C.points), len(C) - 1)
    star: Star = (0, (), ())
    with budget:
        both = sides(C)
        while len(star[1]) < upper:
            size = len(star[1]) + 1
            budget.report(size - 1, upper)
            found = _grow(both, [], (1 << len(C)) - 1, [*range(len(both))], size, budget)
            if found is None:
                upper = size - 1
            else:
                star = found
        budget.report(len(star[1]), upper)
    return star, upper


def _grow(
    both: Sequence[Sides],
    own: list[tuple[int, int]],
    free: int,
    after: list[int],
    more: int,
    budget: Budget,
) -> Star | None:
    """Return a star with ``more`` further points from ``after``, or None if there is none.

    The concepts in ``free`` agree with the centre on all points so far; ``own`` has these points,
    each with the concepts that differ from the centre there and agree with it on the others.
    """
    if not more:
        points, sets = [x for x, _ in own], [next(members(each)) for _, each in own]
        return next(members(free)), tuple(points), tuple(sets)
    budget.spend()
    fit = [
        (x, same, free & other)
        for x in after
        for same, other in (both[x], both[x][::-1])
        if (free & same).bit_count() >= more
        and free & other
        and all(each & same for _, each in own)
    ]
    order = list(dict.fromkeys(x for x, *_ in fit))
    last = {x: i for i, x in enumerate(order[: max(0, len(order) - more + 1)], 1)}
    for x, same, other in fit:
        if x in last:
            rest = [*((y, each & same) for y, each in own), (x, other)]
            found = _grow(both, rest, free & same, order[last[x] :], more - 1, budget)
            if found is not None:
                return found
    return None
