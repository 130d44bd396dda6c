"""Whether a family is an alpha-cover of a class under a distribution, exactly.

Main definitions: `CoverDistance`, `cover_distance`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.arguments.checked import checked_types
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.data import frozen
from ccsim.errors import DomainError
from ccsim.exact import as_fraction

__all__ = ["CoverDistance", "cover_distance"]

Table = npt.NDArray[Any]


@frozen
class CoverDistance:
    """The distance of a class from a family of concepts over the same points.

    Attributes
    ----------
    concept_class, family : ConceptClass
    distribution : tuple of Fraction
        One probability for each point.
    distance : Fraction
        The least ``alpha`` for which the family is an ``alpha``-cover of the class.
    nearest : tuple of int
        For each concept of the class a member of the family within this distance.
    worst : int
        A concept of the class with this distance from every nearest member.
    """

    concept_class: ConceptClass
    family: ConceptClass
    distribution: tuple[Fraction, ...]
    distance: Fraction
    nearest: tuple[int, ...]
    worst: int

    def is_cover(self, alpha: Fraction | int | str) -> bool:
        """Return whether the family is an alpha-cover of the class (`pap` Definition 1)."""
        return self.distance <= as_fraction(alpha, "alpha")


def checked_distribution(
    concept_class: ConceptClass, distribution: Sequence[Fraction | int | str]
) -> tuple[Fraction, ...]:
    """Return the probabilities of the points of a class as fractions, after checks.

    Raises
    ------
    DomainError
        If it is not a distribution, or the class has no concept.
    """
    masses = tuple(as_fraction(p, "probability", 0) for p in distribution)
    if len(masses) != len(concept_class.points) or sum(masses) != 1:
        raise DomainError(
            f"distribution must have one probability for each of {len(concept_class.points)} "
            f"points, with sum 1, not {len(masses)} with sum {sum(masses)}"
        )
    if not concept_class.rows:
        raise DomainError("class must have at least one concept, not 0")
    return masses


def label_table(concept_class: ConceptClass) -> Table:
    """Return the labels of a class, one row for each concept."""
    points = range(len(concept_class.points))
    return np.array([[row >> x & 1 for x in points] for row in concept_class.rows], dtype=np.int64)


def distance_table(rows: Table, others: Table, numerators: Sequence[int]) -> Table:
    """Return all distances between two lists of concepts, in units of the common denominator."""
    kind = np.int64 if sum(numerators) < 1 << 62 else object
    weights = np.array(numerators, dtype=kind)
    ones, zeros = rows.astype(kind), 1 - rows.astype(kind)
    found: Table = (ones * weights) @ (1 - others.astype(kind)).T
    found += (zeros * weights) @ others.astype(kind).T
    return found


def numerators_of(masses: Sequence[Fraction]) -> tuple[list[int], int]:
    """Return the numerators of probabilities, and their common denominator."""
    unit = lcm(*(p.denominator for p in masses))
    return [p.numerator * (unit // p.denominator) for p in masses], unit


@checked_types
def cover_distance(
    concept_class: ClassLike,
    family: ClassLike,
    distribution: Sequence[Fraction | int | str],
) -> CoverDistance:
    """Return the least ``alpha`` for which a family is an ``alpha``-cover of a class.

    Parameters
    ----------
    concept_class, family : ConceptClass
        Over the same points, with at least one concept each; the family need not be a subset.
    distribution : sequence of Fraction, int or str
        One probability for each point.

    Returns
    -------
    CoverDistance

    Raises
    ------
    DomainError
        If the points differ, or the probabilities do not sum to 1.

    Notes
    -----
    Complexity: concepts times members times points. Source: `pap` Definition 1.

    Examples
    --------
    >>> from ccsim.instances import parse_class
    >>> C = parse_class("thresholds:b=2")
    >>> found = cover_distance(C, C.subclass([0, 3]), ["1/2", "1/4", "1/8", "1/8"])
    >>> found.distance, found.nearest, found.is_cover("3/8"), found.is_cover("1/4")
    (Fraction(3, 8), (0, 1, 1, 1), True, False)
    """
    family = as_class(family)
    concept_class = as_class(concept_class)
    masses = checked_distribution(concept_class, distribution)
    if family.points != concept_class.points or not family.rows:
        raise DomainError("family must have at least one concept and the same points as the class")
    numerators, unit = numerators_of(masses)
    table = distance_table(label_table(concept_class), label_table(family), numerators)
    nearest = table.argmin(axis=1)
    least = table.min(axis=1)
    worst = int(least.argmax())
    distance = Fraction(int(least[worst]), unit)
    return CoverDistance(
        concept_class, family, masses, distance, tuple(int(k) for k in nearest), worst
    )
