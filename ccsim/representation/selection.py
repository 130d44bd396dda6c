"""The best way to answer for one concept from a random set of hypotheses.

A *selector* picks one hypothesis from every set of a probabilistic representation. The least
worst-point error of a mixture of selectors is what Alice reaches in the protocol of `fx` Theorem 7
(=3.1): public coins draw the set, she names the hypothesis. It is the value of a game between
selectors and points, solved exactly by adding the best selector against the current distribution
until none is better.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ccsim.exact import common_denominator
from ccsim.exact.matrix_game import solve_integer_game
from ccsim.representation.hypotheses import ProbabilisticRepresentation

__all__ = ["Selection", "mass", "select"]


@dataclass(frozen=True, slots=True)
class Selection:
    """The least worst-point error for one concept, with the optimal strategies of both sides.

    Attributes
    ----------
    value : Fraction
        Error on the worst point.
    distribution : tuple of Fraction
        Distribution over points against which no selector errs less.
    weights : tuple of tuple of Fraction
        For each set convex weights of its hypotheses.
    """

    value: Fraction
    distribution: tuple[Fraction, ...]
    weights: tuple[tuple[Fraction, ...], ...]


def mass(distribution: tuple[Fraction, ...], points: int) -> Fraction:
    """Return the probability of a set of points given as a bit mask.

    Examples
    --------
    >>> mass((Fraction(1, 3), Fraction(2, 3)), 0b10)
    Fraction(2, 3)
    """
    return sum((p for x, p in enumerate(distribution) if points >> x & 1), Fraction(0))


def select(representation: ProbabilisticRepresentation, concept: int) -> Selection:
    """Return the optimal mixture of selectors for a concept, given as a bit mask.

    Complexity: a few dozen games of points times selectors found so far.

    Examples
    --------
    >>> from ccsim.representation import HypothesisSet
    >>> R = ProbabilisticRepresentation.mixture(
    ...     [("1/2", HypothesisSet((0b01,), 2)), ("1/2", HypothesisSet((0b10, 0b11), 2))]
    ... )
    >>> select(R, 0b11).value
    Fraction(1, 2)
    """
    points = range(representation.num_points)
    scale = common_denominator(representation.weights)
    shares = [int(weight * scale) for weight in representation.weights]
    uniform = (Fraction(1, len(points)),) * len(points)
    selectors = [_best_selector(representation, concept, uniform)]
    while True:
        matrix = [
            [
                sum(
                    share
                    for share, H, h in zip(shares, representation.sets, selector, strict=True)
                    if (H.rows[h] ^ concept) >> x & 1
                )
                for selector in selectors
            ]
            for x in points
        ]
        value, distribution, mixture, _ = solve_integer_game(matrix)
        best = _best_selector(representation, concept, distribution)
        against = sum(
            share * mass(distribution, H.rows[h] ^ concept)
            for share, H, h in zip(shares, representation.sets, best, strict=True)
        )
        if against >= value:
            weights = _marginals(representation, selectors, mixture)
            return Selection(value / scale, distribution, weights)
        selectors.append(best)


def _best_selector(
    representation: ProbabilisticRepresentation, concept: int, distribution: tuple[Fraction, ...]
) -> tuple[int, ...]:
    """For each set the first hypothesis with the least error under the distribution."""
    best = []
    for H in representation.sets:
        errors = [mass(distribution, row ^ concept) for row in H.rows]
        best.append(errors.index(min(errors)))
    return tuple(best)


def _marginals(
    representation: ProbabilisticRepresentation,
    selectors: list[tuple[int, ...]],
    mixture: tuple[Fraction, ...],
) -> tuple[tuple[Fraction, ...], ...]:
    """For each set the probability that the mixture picks each of its hypotheses."""
    result = [[Fraction(0)] * H.size for H in representation.sets]
    for selector, weight in zip(selectors, mixture, strict=True):
        for r, h in enumerate(selector):
            result[r][h] += weight
    return tuple(tuple(row) for row in result)
