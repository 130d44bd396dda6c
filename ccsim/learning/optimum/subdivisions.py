"""Subdivisions of the simplex of distributions over points, and polynomials on its parts.

The success of a learner on a concept is a polynomial in the distribution, homogeneous of the number
of examples. On a simplex its value is an average of those of its polar form at the corners.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, TypeAlias

from ccsim.errors import CertificateError
from ccsim.learning.learners.occam import Example

__all__ = ["Database", "Distribution", "Subdivision", "average_over", "cut", "subdivision_json"]

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


def average_over(
    chance: dict[Database, Fraction], concept: int, laws: tuple[Distribution, ...]
) -> Fraction:
    """Return the average of a function of the sample whose entries are drawn from several laws."""
    samples: dict[Database, Fraction] = {(): Fraction(1)}
    for law in laws:
        longer: dict[Database, Fraction] = {}
        for S, p in samples.items():
            for x, w in enumerate(law):
                if w:
                    T = tuple(sorted((*S, (x, concept >> x & 1))))
                    longer[T] = longer.get(T, Fraction(0)) + p * w
        samples = longer
    return sum((p * chance[S] for S, p in samples.items()), Fraction(0))


def subdivision_json(tree: Subdivision) -> Any:  # noqa: ANN401 - any JSON value
    """Return a subdivision as it stands in a certificate.

    Examples
    --------
    >>> subdivision_json((0, 1, None, (0, 2, None, None)))
    [0, 1, None, [0, 2, None, None]]
    """
    if tree is None:
        return None
    a, b, first, second = tree
    return [a, b, subdivision_json(first), subdivision_json(second)]
