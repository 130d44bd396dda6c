"""Sets with small pairwise intersections, and the resulting packing of k-points.

Main definitions: `small_intersections`, `k_point_packing` (`bns` Lemma 5.7).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb

from ccsim.arguments.checked import checked_types
from ccsim.budget import in_time
from ccsim.classes import k_points
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact import as_fraction
from ccsim.learning.packing import LearningPacking
from ccsim.representation import HypothesisSet

__all__ = ["counting_bound", "k_point_packing", "small_intersections"]

MAX_SETS = 1 << 17
"""Maximum number of candidate sets of ``k`` points."""


@checked_types
def small_intersections(
    points: int, size: int, *, rule: str = "corrected"
) -> tuple[tuple[int, ...], ...]:
    """Return sets of ``k`` points any two of which share at most ``k/2``, chosen greedily.

    The first remaining set is chosen, and all sets that share more than ``k/2`` points with it are
    removed, including the chosen one.

    Parameters
    ----------
    points : int
        The sets are subsets of ``0 .. points - 1``.
    size : int
        ``k``, from 1 to ``points``.
    rule : str
        ``"corrected"`` or ``"printed"``. The printed rule removes the sets that share at most
        ``k/2`` points. It never removes the chosen set, so that the algorithm does not end;
        therefore it raises `DomainError`.

    Returns
    -------
    tuple of tuple of int
        At least `counting_bound` sets.

    Raises
    ------
    DomainError
    InstanceTooLargeError
        If there are more than `MAX_SETS` sets.

    Notes
    -----
    Complexity: pairs of a set and a chosen set; seconds for 10^5 sets.

    Source: `bns` Lemma 5.7.

    Examples
    --------
    >>> [len(small_intersections(7, k)) for k in (2, 3, 4)], len(small_intersections(15, 2))
    ([21, 7, 7], 105)
    >>> small_intersections(7, 2, rule="printed")
    Traceback (most recent call last):
    ...
    ccsim.errors.DomainError: rule 'printed' never ends: it keeps the set that was taken, which \
shares all 2 points with itself, and removes only sets that share at most 1
    """
    _check_sets(points, size)
    if rule == "printed":
        raise DomainError(
            "rule 'printed' never ends: it keeps the set that was taken, which shares all "
            f"{size} points with itself, and removes only sets that share at most {size // 2}"
        )
    if rule != "corrected":
        raise DomainError(f"rule must be 'corrected' or 'printed', not {rule!r}")
    if (number := comb(points, size)) > MAX_SETS:
        raise InstanceTooLargeError(f"sets must be at most {MAX_SETS}, not {number}")
    taken: list[int] = []
    for chosen in in_time(combinations(range(points), size)):
        mask = sum(1 << x for x in chosen)
        if all(2 * (mask & other).bit_count() <= size for other in taken):
            taken.append(mask)
    return tuple(tuple(x for x in range(points) if mask >> x & 1) for mask in taken)


def _check_sets(points: int, size: int) -> None:
    if not 1 <= size <= points:
        raise DomainError(f"size must be between 1 and the number of points, {points}, not {size}")


@checked_types
def counting_bound(points: int, size: int) -> Fraction:
    """Return a lower bound on the number of sets that the greedy algorithm chooses, by counting.

    At most ``comb(k, s) comb(N - s, k - s)`` sets share ``s`` points or more with a given one; with
    ``s`` the least integer above ``k/2``, the bound is ``comb(N, k)`` divided by this number. For
    even ``k`` it exceeds the paper's ``comb(N, k) / (comb(k, k/2) comb(N, k/2))``.

    Parameters
    ----------
    points, size : int
        ``N`` and ``k``, from 1 to ``N``.

    Raises
    ------
    DomainError

    Examples
    --------
    >>> str(counting_bound(15, 2)), str(counting_bound(7, 3))
    ('105', '7/3')
    """
    _check_sets(points, size)
    shared = size // 2 + 1
    return Fraction(comb(points, size), comb(size, shared) * comb(points - shared, size - shared))


@checked_types
def k_point_packing(b: int, k: int, accuracy: Fraction | int | str) -> LearningPacking:
    """Return the packing of `bns` Lemma 5.7 for proper learners of ``k``-points.

    Its concepts are sets without the first point, any two of which share at most half of their
    points. The distribution of a set has the mass ``1 - 5 alpha`` on the first point and ``5 alpha
    / k`` on each point of the set, so that every accurate answer shares at least ``4k/5`` points
    with the set.

    Parameters
    ----------
    b : int
        There are ``2^b`` points.
    k : int
        At least 1, below ``2^b``.
    accuracy : Fraction, int or str
        Positive, below 1/5.

    Examples
    --------
    >>> from ccsim.learning import packing_bound
    >>> packing = k_point_packing(3, 2, "1/10")
    >>> len(packing.targets), packing_bound(packing, "1/2", "1/2", [0]).samples
    (21, 17)
    """
    alpha = as_fraction(accuracy, "accuracy", 0)
    if not 0 < alpha < Fraction(1, 5):
        raise DomainError(f"accuracy must be strictly between 0 and 1/5, not {alpha}")
    C = k_points(b, k)
    n = len(C.points)
    number = {row: i for i, row in enumerate(C.rows)}
    targets = []
    for chosen in small_intersections(n - 1, k):
        distribution = [1 - 5 * alpha, *[Fraction(0)] * (n - 1)]
        for x in chosen:
            distribution[x + 1] = 5 * alpha / k
        targets.append((number[sum(2 << x for x in chosen)], tuple(distribution)))
    return LearningPacking(C, HypothesisSet.from_rows(C.rows, n), alpha, tuple(targets))
