"""The probability that public points are a net, so that every choice of concepts is a cover.

Main definitions: `net_probability`; `check_sample`, `heavy_differences`, `powers_value`.

A cover has one arbitrary concept for each labelling of the public points (`pap` Algorithm 3). *For
every choice of these concepts*, each concept is within ``alpha`` of its projection if any two
concepts that agree on all public points differ with probability at most ``alpha``. Equivalently,
the points hit every set of mass above ``alpha`` on which two concepts differ: they are an
``alpha``-net of these sets. The proof of `pap` Lemma 11 shows this property for the numbers of
`proofs_check.claims.public_data.constructions.sizes.public_size`.

Method: all ``m`` points fall into a set ``U`` with probability ``(w(U) / W)^m``, where ``w(U)`` is
the weight of ``U`` and ``W`` is the total weight. By inclusion and
exclusion the probability is a sum of such powers, with integer coefficients that depend only on the
class.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ccsim.arguments.checked import checked_types
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact import as_fraction
from proofs_check.claims.public_data.constructions.quality.distance import (
    checked_distribution,
    numerators_of,
)

__all__ = ["check_sample", "heavy_differences", "net_probability", "powers_value"]

MAX_POINTS = 16
"""Maximum number of points of a domain; all sets of points are enumerated."""

Number: TypeAlias = Fraction | int | str
Powers: TypeAlias = Mapping[int, int]
"""Coefficients of powers ``y^q``, by ``q``: the probability that ``m`` points have mass ``q``."""


def check_sample(m: int, alpha: Number) -> Fraction:
    """Return the accuracy as a fraction; check it and the number of points.

    Raises
    ------
    DomainError
        If ``alpha`` is not between 0 and 1, or ``m`` is below 1.
    """
    if m < 1:
        raise DomainError(f"m must be at least 1, not {m}")
    return as_fraction(alpha, "alpha", 0, 1)


def powers_value(powers: Powers, total: int, m: int) -> Fraction:
    """Return a sum of powers ``y^q``, each read as the probability ``(q / total)^m``.

    Examples
    --------
    >>> powers_value({3: 1, 1: -1}, 4, 2)
    Fraction(1, 2)
    """
    return Fraction(sum(c * q**m for q, c in powers.items()), total**m)


def heavy_differences(concept_class: ConceptClass, weights: Sequence[int], limit: int) -> list[int]:
    """Return, as bit masks, the sets of mass above a limit on which two concepts differ.

    Examples
    --------
    >>> from ccsim.classes import thresholds
    >>> [bin(D) for D in heavy_differences(thresholds(2), [1, 1, 1, 1], 2)]
    ['0b111']
    """
    C = concept_class
    found = dict.fromkeys(a ^ b for i, a in enumerate(C.rows) for b in C.rows[i + 1 :])
    return [D for D in found if sum(w for x, w in enumerate(weights) if D >> x & 1) > limit]


@checked_types
def net_probability(
    concept_class: ClassLike, distribution: Sequence[Number], m: int, alpha: Number
) -> Fraction:
    """Return the probability that ``m`` public points are an ``alpha``-net of a finite class.

    If they are a net, every choice of one concept for each labelling of the points is an
    ``alpha``-cover, and every concept is within ``alpha`` of its projection. So the
    result is at most that of `cover_probability`, which chooses the first concepts.

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
        With at least one concept, and at most `MAX_POINTS` points.
    distribution : sequence of Fraction, int or str
        One probability for each point; the public points are independent.
    m : int
        At least 1.
    alpha : Fraction, int or str
        From 0 to 1.

    Returns
    -------
    Fraction

    Raises
    ------
    DomainError
        If an argument is out of range.
    InstanceTooLargeError
        If there are more than `MAX_POINTS` points.

    Notes
    -----
    Complexity: pairs of concepts, and all sets of points, whatever ``m`` is; a second for 16
    points.
    Source: `pap` Lemma 11.

    Examples
    --------
    >>> from ccsim.classes import thresholds
    >>> [round(float(net_probability(thresholds(3), ["1/8"] * 8, m, "1/4")), 3) for m in (2, 8)]
    [0.094, 0.899]
    """
    concept_class = as_class(concept_class)
    C, accuracy = concept_class, check_sample(m, alpha)
    n = len(C.points)
    if n > MAX_POINTS:
        raise InstanceTooLargeError(f"class must have at most {MAX_POINTS} points, not {n}")
    weights, total = numerators_of(checked_distribution(C, distribution))
    missed = np.zeros(1 << n, dtype=np.bool_)
    for D in heavy_differences(C, weights, int(accuracy * total)):
        missed[(1 << n) - 1 ^ D] = True
    for x in range(n):  # what a set misses its subsets miss
        view = missed.reshape(-1, 2, 1 << x)
        view[:, 0] |= view[:, 1]
    good: npt.NDArray[np.int64] = (~missed).astype(np.int64)
    for x in range(n):  # coefficient of U: over its supersets, signs by size
        signed = good.reshape(-1, 2, 1 << x)
        signed[:, 0] -= signed[:, 1]
    masses: npt.NDArray[Any] = np.zeros(1, dtype=object)
    for w in weights:
        masses = np.concatenate([masses, masses + w])
    powers = Counter[int]()
    for q, c in zip(masses.tolist(), good.tolist(), strict=True):
        powers[q] += c
    return powers_value(powers, total, m)
