"""Subdivisions of the simplex of distributions over points, and polynomials on its parts.

The success of a learner on a concept is a polynomial in the distribution, homogeneous of the number
of examples. On a simplex its value is an average of those of its polar form at the corners.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeAlias, cast

from ccsim.errors import CertificateError
from ccsim.learning.learners.occam import Example

Database: TypeAlias = tuple[Example, ...]
"""A non-decreasing tuple of labelled examples."""
Distribution: TypeAlias = tuple[Fraction, ...]
Edge: TypeAlias = "tuple[int, int] | tuple[int, int, int, int]"
"""Two corners, between which the middle is meant, or their weights at a point between them."""
Subdivision: TypeAlias = (
    "tuple[int, int, Subdivision, Subdivision]"
    " | tuple[int, int, int, int, Subdivision, Subdivision] | None"
)
"""None for a simplex that is not cut; else an edge, and the parts in which the point between its
corners replaces the first or the second one."""


def cut(node: object) -> tuple[tuple[int, ...], Any, Any]:
    """Return the edge and the parts of a subdivision, after a check that it has them."""
    if not isinstance(node, tuple) or len(node) not in {4, 6} or {*map(type, node[:-2])} != {int}:
        raise CertificateError(f"a subdivision is two corners and two parts, not {node}")
    return node[:-2], node[-2], node[-1]


def preorder(tree: Subdivision) -> list[list[int] | None]:
    """Return the nodes of a subdivision in preorder, each an edge or None."""
    nodes: list[list[int] | None] = []
    left: list[Any] = [tree]
    while left:
        node = left.pop()
        if node is None:
            nodes.append(None)
        else:
            edge, first, second = cut(node)
            nodes.append(list(edge))
            left += [second, first]
    return nodes


def moved_corners(tree: Subdivision, places: Sequence[int]) -> Subdivision:
    """Return a subdivision of the simplex after a permutation of its corners."""
    if tree is None:
        return None
    (a, b, *weights), first, second = cut(tree)
    parts = moved_corners(first, places), moved_corners(second, places)
    found: Any = (places[a], places[b], *weights, *parts)
    return cast("Subdivision", found)
