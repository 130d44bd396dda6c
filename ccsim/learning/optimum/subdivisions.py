"""Subdivisions of the simplex of distributions over points, and polynomials on its parts.

The success of a learner on a concept is a polynomial in the distribution, homogeneous of the number
of examples. On a simplex its value is an average of those of its polar form at the corners.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from ccsim.errors import CertificateError
from ccsim.learning.learners.occam import Example

__all__ = ["Database", "Distribution", "Subdivision", "cut", "moved_corners", "preorder"]

Database: TypeAlias = tuple[Example, ...]
"""A non-decreasing tuple of labelled examples."""
Distribution: TypeAlias = tuple[Fraction, ...]
Subdivision: TypeAlias = "tuple[int, int, Subdivision, Subdivision] | None"
"""None for a simplex that is not cut; else two corners, and the parts in which the middle between
them replaces the first or the second one."""


def cut(node: object) -> tuple[int, int, Any, Any]:
    """Return the corners and parts of a subdivision, after a check that it has them."""
    if not isinstance(node, tuple) or len(node) != 4 or {*map(type, node[:2])} != {int}:
        raise CertificateError(f"a subdivision is two corners and two parts, not {node}")
    a, b, first, second = node
    return a, b, first, second


def preorder(tree: Subdivision) -> list[list[int] | None]:
    """Return the nodes of a subdivision in preorder, each a pair of corners or None.

    Raises
    ------
    CertificateError
        If it is none.

    Examples
    --------
    >>> preorder((0, 1, None, (0, 2, None, None)))
    [[0, 1], None, [0, 2], None, None]
    """
    nodes: list[list[int] | None] = []
    left: list[Any] = [tree]
    while left:
        node = left.pop()
        if node is None:
            nodes.append(None)
        else:
            a, b, first, second = cut(node)
            nodes.append([a, b])
            left += [second, first]
    return nodes


def moved_corners(tree: Subdivision, places: Sequence[int]) -> Subdivision:
    """Return a subdivision of the simplex after a permutation of its corners.

    Examples
    --------
    >>> moved_corners((0, 1, None, (0, 2, None, None)), (1, 2, 0))
    (1, 2, None, (1, 0, None, None))
    """
    if tree is None:
        return None
    a, b, first, second = cut(tree)
    return places[a], places[b], moved_corners(first, places), moved_corners(second, places)
