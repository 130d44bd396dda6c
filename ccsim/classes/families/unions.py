"""Unions of intervals on a line."""

from __future__ import annotations

from itertools import combinations
from math import comb

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, TimeLimit
from ccsim.classes.concept_class import ConceptClass
from ccsim.errors import DomainError
from ccsim.texts.labels import MAX_ENTRIES, check_size


@checked_types
def unions(n: int, k: int, *, time_limit: TimeLimit = None) -> ConceptClass:
    """Return the unions of at most ``k`` intervals over ``n`` points, the empty one included.

    A union of ``j`` intervals and no fewer is a choice of its ``2j`` ends among the ``n + 1``
    places between and around the points: there are ``sum_{j <= k} comb(n + 1, 2j)`` concepts.

    Parameters
    ----------
    n, k : int
        At least 0.
    time_limit : float or Budget, optional

    Raises
    ------
    OutOfTimeError
        If it takes longer.
    DomainError
    InstanceTooLargeError

    Notes
    -----
    Complexity: ``k`` steps for each concept.

    Examples
    --------
    >>> unions(3, 2).concepts
    ('empty', '[0,0]', '[0,1]', '[0,2]', '[1,1]', '[1,2]', '[2,2]', '[0,0]+[2,2]')
    >>> print(unions(24, 2))
    unions:n=24,k=2: 12951 concepts over 24 points
    """
    if n < 0 or k < 0:
        raise DomainError(f"unions: n and k must be at least 0, not {n} and {k}")
    name = f"unions:n={n},k={k}"
    most = min(k, (n + 1) // 2)
    check_size(_count(n, most), n, name)
    budget, rows, labels = Budget.of(time_limit), [], []
    for j in range(most + 1):
        for ends in combinations(range(n + 1), 2 * j):
            budget.spend()
            parts = list(zip(ends[::2], ends[1::2], strict=True))
            rows.append(sum((1 << stop) - (1 << start) for start, stop in parts))
            labels.append("+".join(f"[{start},{stop - 1}]" for start, stop in parts) or "empty")
    return ConceptClass.from_rows(rows, range(n), labels, name)


def _count(n: int, most: int) -> int:
    """Return the number of concepts, or the first partial sum that is too large."""
    total = 0
    for j in range(most + 1):
        total += comb(n + 1, 2 * j)
        if total > MAX_ENTRIES:
            break
    return total
