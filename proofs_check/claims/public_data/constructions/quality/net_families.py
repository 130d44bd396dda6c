"""The probability that public points are a net of thresholds or points, on larger domains.

Main definitions: `threshold_net_probability`, `point_net_probability`,
`line_net_probability`.

Nets are defined in `proofs_check.claims.public_data.constructions.quality.nets`. A product
``prod_(x in S) (y^w(x) - 1)``, with ``y^q`` read as ``(q / W)^m``, is the probability that the set
of the public points is ``S``; sums of these products over many sets are computed together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from ccsim.arguments.checked import checked_types
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact import as_fraction
from proofs_check.claims.public_data.constructions.quality.distance import numerators_of
from proofs_check.claims.public_data.constructions.quality.nets import (
    Number,
    Powers,
    check_sample,
    powers_value,
)

__all__ = [
    "line_net_probability",
    "point_net_probability",
    "threshold_net_probability",
]

MAX_TERMS = 1 << 16
"""Maximum number of different masses of sets of points."""


def _whole_weights(distribution: Sequence[Number]) -> list[int]:
    """Return integer weights in the proportions of a distribution."""
    masses = [as_fraction(p, "probability", 0) for p in distribution]
    if sum(masses) != 1:
        raise DomainError(f"probabilities must sum to 1, not {sum(masses)}")
    return numerators_of(masses)[0]


def _less_one(powers: Powers, weight: int) -> Counter[int]:
    """Return a sum of powers times ``y^weight - 1``."""
    found = Counter({q + weight: c for q, c in powers.items()})
    found.subtract(powers)
    if len(found) > MAX_TERMS:
        raise InstanceTooLargeError(
            f"sets of points have over {MAX_TERMS} different masses; round the probabilities"
        )
    return Counter({q: c for q, c in found.items() if c})


@checked_types
def threshold_net_probability(distribution: Sequence[Number], m: int, alpha: Number) -> Fraction:
    """Return the probability that ``m`` public points are an ``alpha``-net of all thresholds.

    They are a net if no interval without public points has mass above ``alpha``, since two
    thresholds that agree on the public points lie in the same gap between public points.

    Parameters
    ----------
    distribution : sequence of Fraction, int or str
        The probability of each point of the line, in order; at least one point.
    m : int
        At least 1.
    alpha : Fraction, int or str
        From 0 to 1.

    Returns
    -------
    Fraction
        As `net_probability` for the ``k + 1`` thresholds on ``k`` points.

    Raises
    ------
    DomainError
        If an argument is out of range.
    InstanceTooLargeError
        If there are more than `MAX_TERMS` different masses of sets of points.

    Notes
    -----
    Complexity: points times different masses, for every ``m``; milliseconds for a hundred equally
    likely points.

    Examples
    --------
    >>> uniform = ["1/100"] * 100
    >>> [round(float(threshold_net_probability(uniform, m, "1/10")), 3) for m in (20, 50)]
    [0.045, 0.887]
    """
    accuracy = check_sample(m, alpha)
    weights = _whole_weights(distribution)
    until = [0]
    for w in weights:
        until.append(until[-1] + w)
    limit = int(accuracy * until[-1])
    # last[j]: sets without large gaps whose last point is number j, from 1; 0 is the start
    last: list[Powers] = [{0: 1}]
    window, first = Counter({0: 1}), 0
    for j in range(1, len(weights) + 2):
        while until[j - 1] - until[first] > limit:
            window.subtract(last[first])
            first += 1
        if j <= len(weights):
            last.append(_less_one(window, weights[j - 1]))
            window.update(last[j])
    return powers_value(window, until[-1], m)


@checked_types
def point_net_probability(distribution: Sequence[Number], m: int, alpha: Number) -> Fraction:
    """Return the probability that ``m`` public points are an ``alpha``-net of the point functions.

    Each concept has one point. The concepts of points that are not public agree on all public
    points, so that the total mass of any two of these points must be at most ``alpha``.

    Parameters
    ----------
    distribution, m, alpha
        As for `threshold_net_probability`; the order of the points does not matter.

    Returns
    -------
    Fraction
        As `net_probability` for the class of all points.

    Raises
    ------
    DomainError
        If an argument is out of range.
    InstanceTooLargeError
        If there are more than `MAX_TERMS` different masses of sets of points.

    Notes
    -----
    Complexity: square of the points times different masses; a second for a hundred equally likely
    points any two of which have mass above ``alpha``.

    Examples
    --------
    >>> point_net_probability(["1/2", "1/4", "1/4"], 1, "1/2")
    Fraction(1, 2)
    """
    accuracy = check_sample(m, alpha)
    weights = sorted(_whole_weights(distribution), reverse=True)
    limit = int(accuracy * sum(weights))
    hit: Powers = {0: 1}
    total = Counter[int]()
    for i, heaviest in enumerate(weights):  # the heaviest point that is not public
        others, rest = hit, 0
        for w in weights[i + 1 :]:
            if heaviest + w > limit:
                others = _less_one(others, w)
            else:
                rest += w
        total.update({q + rest: c for q, c in others.items()})
        hit = _less_one(hit, heaviest)
    total.update(hit)
    return powers_value(total, sum(weights), m)


@checked_types
def line_net_probability(m: int, alpha: Number) -> Fraction:
    """Return the probability that ``m`` public points are an ``alpha``-net, without atoms.

    The class consists of all thresholds on a line, and the distribution is any without atoms. The
    ``m`` points divide ``[0, 1]`` into ``m + 1`` parts; the probability that no part is longer than
    ``alpha`` is ``sum_k (-1)^k C(m + 1, k) max(0, 1 - k alpha)^m``.

    Parameters
    ----------
    m : int
        At least 1.
    alpha : Fraction, int or str
        Above 0, at most 1.

    Raises
    ------
    DomainError
        If an argument is out of range.

    Notes
    -----
    Complexity: ``1 / alpha`` powers. Source: Stevens (1939), the longest of random intervals.

    Examples
    --------
    >>> line_net_probability(3, "1/2"), round(float(line_net_probability(300, "1/40")), 3)
    (Fraction(1, 2), 0.858)
    """
    accuracy = check_sample(m, alpha)
    if not accuracy:
        raise DomainError("alpha must be above 0 for a distribution without atoms")
    part, whole = accuracy.numerator, accuracy.denominator
    total, choices = 0, 1
    for k in range(min(m + 1, whole // part) + 1):
        total += (-1) ** k * choices * (whole - k * part) ** m
        choices = choices * (m + 1 - k) // (k + 1)
    return Fraction(total, whole**m)
