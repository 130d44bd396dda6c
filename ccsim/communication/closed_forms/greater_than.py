"""A lower bound on the error of greater-than, with its hard distribution.

Main statement (`docs/closed-forms.md`, section 3). Cut the inputs ``0, ..., n-1`` into halves, the
halves into halves, and so on; let ``y`` be a cut between inputs ``y`` and ``y + 1``. Give weight 1
to the cell of each input with each cut of a part that it lies in. Then a class of ``s`` inputs
costs at least ``s - 1``, so that protocols with ``k`` messages err at least ``(n - k) / E``, where
the total weight ``E`` is the least external path length of a binary tree with ``n`` leaves. For
``k >= n/2`` that is conjectured to be the least error.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ccsim.border import checked_types
from ccsim.communication.hard_distribution import HardDistribution
from ccsim.errors import DomainError
from ccsim.exact import ceil_log2

__all__ = [
    "external_path_length",
    "greater_than_hard_distribution",
    "greater_than_joins",
    "greater_than_lower_bound",
]


@checked_types
def external_path_length(n: int) -> int:
    """Return the least sum of the depths of the leaves of a binary tree with ``n`` leaves.

    It is ``n - 1 + sum of ceil(log2 i) over i <= n``.

    Examples
    --------
    >>> [external_path_length(n) for n in range(1, 9)]
    [0, 2, 5, 8, 12, 16, 20, 24]
    """
    depth = ceil_log2(n)
    return n * (depth + 1) - (1 << depth)


@checked_types
def greater_than_lower_bound(n: int, messages: int) -> Fraction:
    """Return a lower bound on the public-coin error of greater-than, ``(n - k) / E(n)``.

    Parameters
    ----------
    n, messages : int
        At least 1; ``n`` may have thousands of bits.

    Raises
    ------
    DomainError
        If a parameter is below 1.

    Examples
    --------
    >>> greater_than_lower_bound(8, 4), greater_than_lower_bound(8, 8)
    (Fraction(1, 6), Fraction(0, 1))
    """
    for name, number in (("n", n), ("messages", messages)):
        if number < 1:
            raise DomainError(f"greater_than: {name} must be at least 1, not {number}")
    return Fraction(max(0, n - messages), max(1, external_path_length(n)))


@checked_types
def greater_than_hard_distribution(n: int) -> HardDistribution:
    """Return the distribution that proves `greater_than_lower_bound`, for ``n >= 2``.

    Raises
    ------
    DomainError
        If ``n`` is below 2, where there is nothing to err on.

    Examples
    --------
    >>> greater_than_hard_distribution(3).weights
    ((0, 0, 1), (0, 1, 1), (1, 0, 1), (1, 1, 1), (2, 1, 1))
    """
    if n < 2:
        raise DomainError(f"greater_than: a hard distribution needs n of at least 2, not {n}")
    return HardDistribution.from_integers((x, y, 1) for x, y in _cells(0, n))


def greater_than_joins(n: int) -> tuple[tuple[int, int, int], ...]:
    """Return the joins of inputs to one part that prove `greater_than_lower_bound`.

    Returns
    -------
    tuple of (y, x, z)
        In the column ``y`` the part of ``x`` has value 0, the part of ``z`` value 1; both are parts
        of earlier joins, or single inputs.

    Examples
    --------
    >>> greater_than_joins(4)
    ((0, 0, 1), (2, 2, 3), (1, 0, 2))
    """

    def joins(start: int, end: int) -> Iterator[tuple[int, int, int]]:
        if end - start > 1:
            middle = start + (end - start + 1) // 2
            yield from joins(start, middle)
            yield from joins(middle, end)
            yield middle - 1, start, middle

    return tuple(joins(0, n))


def _cells(start: int, end: int) -> Iterator[tuple[int, int]]:
    """Cells of the inputs from ``start`` to ``end - 1`` with the cuts of their parts."""
    if end - start > 1:
        middle = start + (end - start + 1) // 2
        yield from ((x, middle - 1) for x in range(start, end))
        yield from _cells(start, middle)
        yield from _cells(middle, end)
