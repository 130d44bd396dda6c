"""The grids ``{0..n_1-1} x ... x {0..n_d-1}`` on which the geometric families live.

Points are numbered with the last coordinate running fastest. In one dimension a point is labelled
by its coordinate, otherwise by ``(x_1,...,x_d)``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from ccsim.classes.families.elementary import power_of_two
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.texts.labels import MAX_ENTRIES, Label

MAX_DIMENSION = 62
"""Largest number of coordinates; a grid with two values of each is far above every limit."""


def cube(b: int, d: int, family: str) -> tuple[int, ...]:
    """Return the sides of ``{0..2**b-1}^d`` after a check of both parameters."""
    if d < 1:
        raise DomainError(f"{family}: d must be at least 1, not {d}")
    if d > MAX_DIMENSION:
        raise InstanceTooLargeError(f"{family}: d is limited to {MAX_DIMENSION}, got {d}")
    side = power_of_two(b, family, "b")
    if 1 << b * d > MAX_ENTRIES:
        raise InstanceTooLargeError(
            f"{family}: the grid has 2**{b * d} points; the limit is {MAX_ENTRIES} entries in all"
        )
    return (side,) * d


def check_sides(sides: Sequence[int], family: str) -> None:
    """Refuse sides that bound no grid."""
    if not sides or min(sides) < 1:
        raise DomainError(f"{family}: sides must be one or more integers >= 1, not {tuple(sides)}")


def check_bound(bound: int, sides: Sequence[int], name: str) -> None:
    """Refuse a grid on which Cover's bound on the concepts leaves room for too many."""
    if bound * prod(sides) > MAX_ENTRIES:
        raise InstanceTooLargeError(
            f"{name} may have {bound} x {prod(sides)} entries; the limit is {MAX_ENTRIES}"
        )


def grid_points(sides: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the points in the order of their numbers."""
    return list(product(*map(range, sides)))


def grid_labels(sides: Sequence[int]) -> list[Label]:
    """Return the labels of the points."""
    points = grid_points(sides)
    return [x[0] if len(x) == 1 else vector_text(x) for x in points]


def vector_text(vector: Sequence[object]) -> str:
    """Return ``(x_1,...,x_d)``."""
    return f"({','.join(map(str, vector))})"
