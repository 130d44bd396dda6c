"""The probability that public points give an alpha-cover: exact on small domains, or simulated.

Main definitions: `cover_probability`, `cover_frequency`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from ccsim.arguments.checked import checked_types
from ccsim.budget import check_time
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.data import frozen
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact import Interval, as_fraction
from ccsim.exact.binomial import clopper_pearson
from ccsim.exact.probability import draw
from proofs_check.claims.public_data.constructions.quality.distance import (
    checked_distribution,
    distance_table,
    label_table,
    numerators_of,
)

__all__ = ["CoverFrequency", "cover_frequency", "cover_probability"]

MAX_SUPPORT = 16
"""Maximum number of points of positive probability; all sets of them are enumerated."""
MAX_CONCEPTS = 1 << 11
"""Maximum number of concepts; all pairs are compared."""
_MOST_EXACT = 1 << 62


class _Covers:
    """Distances of the covers from sets of public points, for one class and distribution."""

    def __init__(
        self, concept_class: ConceptClass, masses: Sequence[Fraction], *, projected: bool
    ) -> None:
        if len(concept_class) > MAX_CONCEPTS:
            raise InstanceTooLargeError(
                f"class must have at most {MAX_CONCEPTS} concepts, not {len(concept_class)}"
            )
        self.labels, self.projected = label_table(concept_class), projected
        numerators, self.unit = numerators_of(masses)
        self.table = distance_table(self.labels, self.labels, numerators)

    def distance(self, points: Sequence[int]) -> Fraction:
        """Return the distance of the class from the cover of a set of public points."""
        seen = self.labels[:, list(points)]
        _, first, number = np.unique(seen, axis=0, return_index=True, return_inverse=True)
        if self.projected:
            worst = self.table[np.arange(len(self.labels)), first[number.ravel()]].max()
        else:
            worst = self.table[:, first].min(axis=1).max()
        return Fraction(int(worst), self.unit)


@checked_types
def cover_probability(
    concept_class: ClassLike,
    distribution: Sequence[Fraction | int | str],
    m: int,
    alpha: Fraction | int | str,
    *,
    projected: bool = False,
) -> Fraction:
    """Return the probability that m public points from a distribution give an alpha-cover, exactly.

    The cover contains the first concept for each labelling of the points, as in `ClassCover`.

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
        With at least one, at most 2048 concepts.
    distribution : sequence of Fraction, int or str
        One probability for each point; at most 16 are positive.
    m : int
        At least 1.
    alpha : Fraction, int or str
    projected : bool
        Whether every concept must be within ``alpha`` of its projection, instead of within
        ``alpha`` of some member of the cover.

    Raises
    ------
    DomainError
        If a parameter is out of range.
    InstanceTooLargeError
        If the class or the support is too large.

    Notes
    -----
    The cover depends only on the set of the points, and ``P(set inside S) = P(S)^m``. Complexity:
    one cover for each set of points of positive probability. Source: `pap` Lemma 11.

    Examples
    --------
    >>> from ccsim.instances import parse_class
    >>> C = parse_class("thresholds:b=2")
    >>> [str(cover_probability(C, ["1/4"] * 4, m, "1/4")) for m in (1, 2, 3)]
    ['1/2', '3/4', '7/8']
    >>> str(cover_probability(C, ["1/4"] * 4, 2, "1/4", projected=True))
    '9/16'
    """
    concept_class = as_class(concept_class)
    masses, most = checked_distribution(concept_class, distribution), as_fraction(alpha, "alpha")
    _check_size(m)
    support = [x for x, p in enumerate(masses) if p]
    if len(support) > MAX_SUPPORT:
        raise InstanceTooLargeError(
            f"distribution must have at most {MAX_SUPPORT} points of positive probability, "
            f"not {len(support)}"
        )
    covers = _Covers(concept_class, masses, projected=projected)
    numerators = numerators_of(masses)[0]
    exactly = [0] * (1 << len(support))  # first within the set, then exactly the set
    for chosen in range(len(exactly)):
        check_time()
        inside = sum(numerators[x] for i, x in enumerate(support) if chosen >> i & 1)
        exactly[chosen] = inside**m
    for i in range(len(support)):
        for chosen in range(len(exactly)):
            if chosen >> i & 1:
                exactly[chosen] -= exactly[chosen ^ 1 << i]
    good = 0
    for chosen, ways in enumerate(exactly):
        check_time()
        points = [x for i, x in enumerate(support) if chosen >> i & 1]
        if ways and covers.distance(points) <= most:
            good += ways
    return Fraction(good, covers.unit**m)


def _check_size(m: int) -> None:
    if m < 1:
        raise DomainError(f"m must be at least 1, not {m}")


@frozen
class CoverFrequency:
    """Frequency with which simulated public points gave an alpha-cover.

    Attributes
    ----------
    covers, runs : int
    interval : Interval
        Confidence interval of Clopper and Pearson for the probability.
    confidence : Fraction
        Coverage probability of the interval.
    """

    covers: int
    runs: int
    interval: Interval
    confidence: Fraction


@checked_types
def cover_frequency(  # noqa: PLR0913 - a distribution, a sample and a simulation
    concept_class: ClassLike,
    distribution: Sequence[Fraction | int | str],
    m: int,
    alpha: Fraction | int | str,
    runs: int,
    rng: np.random.Generator,
    *,
    projected: bool = False,
    confidence: Fraction | int | str = Fraction(99, 100),
) -> CoverFrequency:
    """Simulate m public points and return the frequency of alpha-covers, with an interval.

    See `cover_probability` for the parameters; any number of points may have positive probability,
    and each sample is decided exactly.

    Raises
    ------
    DomainError
        If a parameter is out of range.
    InstanceTooLargeError
        If the class is too large.

    Examples
    --------
    >>> from ccsim.instances import parse_class
    >>> C, rng = parse_class("thresholds:b=2"), np.random.default_rng(0)
    >>> found = cover_frequency(C, ["1/4"] * 4, 2, "1/4", 400, rng)
    >>> found.covers, bool(found.interval.lower < Fraction(3, 4) < found.interval.upper)
    (306, True)
    """
    confidence = as_fraction(confidence, "confidence")
    concept_class = as_class(concept_class)
    masses, most = checked_distribution(concept_class, distribution), as_fraction(alpha, "alpha")
    _check_size(m)
    if runs < 1:
        raise DomainError(f"runs must be at least 1, not {runs}")
    covers = _Covers(concept_class, masses, projected=projected)
    good = 0
    for _ in range(runs):
        check_time()
        good += covers.distance(_drawn(masses, m, rng)) <= most
    return CoverFrequency(good, runs, clopper_pearson(good, runs, confidence), confidence)


def _drawn(masses: Sequence[Fraction], m: int, rng: np.random.Generator) -> list[int]:
    """Return the set of points in m independent draws from the exact distribution."""
    numerators, unit = numerators_of(masses)
    if unit >= _MOST_EXACT:
        return sorted({draw(masses, rng) for _ in range(m)})
    ends = np.cumsum(np.array(numerators, dtype=np.int64))
    drawn = rng.integers(0, unit, size=m, dtype=np.int64)
    return [int(x) for x in np.unique(np.searchsorted(ends, drawn, side="right"))]
