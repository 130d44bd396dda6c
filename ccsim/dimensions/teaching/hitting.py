"""Smallest sets of points that meet given sets: what teaches a concept.

Main definitions: `differences`, `first_hitting_set`, `hitting_set`, `smallest_hitting_set`.

Points teach a concept if every other concept differs from it on one of them: they meet every set
of differences. Sets of points are bit masks.
"""

from __future__ import annotations

from collections.abc import Iterable

from ccsim.budget import Budget
from ccsim.classes.masks import members
from ccsim.errors import InstanceTooLargeError

__all__ = ["MAX_TAUGHT", "differences", "first_hitting_set", "hitting_set", "smallest_hitting_set"]

MAX_TAUGHT = 600
"""Most points of a teaching set that counting cannot exclude; the search recurses on them."""


def differences(row: int, others: Iterable[int]) -> list[int]:
    """Return where other concepts differ from one, the smallest sets first, each set once.

    Examples
    --------
    >>> differences(0b11, [0b11, 0b00, 0b01])
    [2, 3]
    """
    return sorted(
        {row ^ other for other in others} - {0}, key=lambda each: (each.bit_count(), each)
    )


def first_hitting_set(sets: list[int], budget: Budget) -> int:
    """Return points that meet all sets, each of them in vain for no set: none can be left out.

    Examples
    --------
    >>> first_hitting_set([0b011, 0b110, 0b100], Budget())
    6
    """
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
    """Return at most so many points that meet all sets, or None if there are none.

    Parameters
    ----------
    sets : list of int
        Masks, the smallest first.
    size : int
        At least 0.

    Raises
    ------
    InstanceTooLargeError
        If sets without common points leave room for more than `MAX_TAUGHT` points.

    Notes
    -----
    Complexity: branches on the points of a smallest set that is not met; sets without common points
    need a point each, which ends most branches. It recurses ``size`` deep at most.

    Examples
    --------
    >>> hitting_set([0b011, 0b101, 0b110], 1, Budget())
    >>> hitting_set([0b011, 0b101, 0b110], 2, Budget())
    3
    """
    budget.spend()
    if not sets:
        return 0
    used = apart = 0
    for each in sets:
        if not each & used:
            used, apart = used | each, apart + 1
            if apart > size:
                return None
    if size > MAX_TAUGHT:
        raise InstanceTooLargeError(
            f"a teaching set of up to {size} points is asked for; "
            f"the limit of the search is {MAX_TAUGHT}"
        )
    for x in members(sets[0]):
        rest = [each for each in sets if not each >> x & 1]
        if (found := hitting_set(rest, size - 1, budget)) is not None:
            return found | 1 << x
        sets = sorted((each & ~(1 << x) for each in sets), key=int.bit_count)
        if not sets[0]:
            break
    return None


def smallest_hitting_set(sets: list[int], known: int, budget: Budget) -> int:
    """Return a smallest set of points that meets all sets.

    Parameters
    ----------
    sets : list of int
        Masks, the smallest first, none of them empty.
    known : int
        Points that meet all sets.

    Examples
    --------
    >>> smallest_hitting_set([0b011, 0b101, 0b110], 0b111, Budget())
    3
    """
    while known:
        found = hitting_set(sets, known.bit_count() - 1, budget)
        if found is None:
            break
        known = found
    return known
