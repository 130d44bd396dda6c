"""The best way to answer for one concept from a random set of hypotheses.

A *selector* picks one hypothesis from every set of a probabilistic representation. The least
worst-point error of a mixture of selectors is what Alice reaches in the protocol of `fx` Theorem 7
(=3.1): public coins draw the set, she names the hypothesis. It is the value of a game between
selectors and points, solved exactly by adding the best selector against the current distribution
until none is better.
"""

from __future__ import annotations

from fractions import Fraction

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget
from ccsim.data import validated
from ccsim.exact import common_denominator
from ccsim.programs.game import solve_integer_game
from ccsim.representation.hypotheses import ProbabilisticRepresentation


@validated
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
    """Return the probability of a set of points given as a bit mask."""
    return sum((p for x, p in enumerate(distribution) if points >> x & 1), Fraction(0))


def pure(place: int, size: int) -> tuple[Fraction, ...]:
    """Return the distribution over so many outcomes that always draws one of them."""
    zero, one = Fraction(0), Fraction(1)
    return (zero,) * place + (one,) + (zero,) * (size - place - 1)


def even_law(size: int) -> tuple[Fraction, ...]:
    """Return the uniform distribution over so many outcomes."""
    return (Fraction(1, size),) * size


@checked_types
def select(
    representation: ProbabilisticRepresentation, concept: int, budget: Budget | None = None
) -> Selection:
    """Return the optimal mixture of selectors for a concept, given as a bit mask.

    Complexity: a few dozen games of points times selectors found so far.

    Parameters
    ----------
    representation : ProbabilisticRepresentation
    concept : int
        A bit mask over the same points.
    budget : Budget, optional
        Time that is left.

    Raises
    ------
    OutOfTimeError
        If the budget is over before.

    Examples
    --------
    >>> from ccsim.representation import HypothesisSet
    >>> R = ProbabilisticRepresentation.mixture(
    ...     [("1/2", HypothesisSet((0b01,), 2)), ("1/2", HypothesisSet((0b10, 0b11), 2))]
    ... )
    >>> select(R, 0b11).value
    Fraction(1, 2)
    """
    if all(concept in H.rows for H in representation.sets):
        exact = tuple(pure(H.rows.index(concept), H.size) for H in representation.sets)
        return Selection(Fraction(0), even_law(representation.num_points), exact)
    points = range(representation.num_points)
    scale = common_denominator(representation.weights)
    shares = [int(weight * scale) for weight in representation.weights]
    wrong = [[row ^ concept for row in H.rows] for H in representation.sets]
    stable = [1] * len(points)
    selectors: list[tuple[int, ...]] = []
    columns: list[list[int]] = []

    def add(law: list[int]) -> int:
        """Add the best selector against integer weights of the points and return its cost."""
        masses = [[_mass(law, mask) for mask in masks] for masks in wrong]
        selector = tuple(row.index(min(row)) for row in masses)
        if selector not in selectors:
            selectors.append(selector)
            chosen = [masks[h] for masks, h in zip(wrong, selector, strict=True)]
            columns.append(
                [sum(s for s, m in zip(shares, chosen, strict=True) if m >> x & 1) for x in points]
            )
        return sum(share * min(row) for share, row in zip(shares, masses, strict=True))

    add(stable)
    while True:
        if budget is not None:
            budget.spend()
        matrix = [list(row) for row in zip(*columns, strict=True)]
        value, distribution, mixture, _ = solve_integer_game(matrix, budget)
        unit = common_denominator(distribution)
        law = [int(p * unit) for p in distribution]
        if add(law) >= value * unit:
            weights = _marginals(representation, selectors, mixture)
            return Selection(value / scale, distribution, weights)
        total = sum(stable)  # a smoothed distribution, half way to the last one, moves less wildly
        stable = [
            (a * (1 << 30)) // total + (b * (1 << 30)) // unit
            for a, b in zip(stable, law, strict=True)
        ]
        add(stable)


def _mass(law: list[int], points: int) -> int:
    return sum(weight for x, weight in enumerate(law) if points >> x & 1)


def _marginals(
    representation: ProbabilisticRepresentation,
    selectors: list[tuple[int, ...]],
    mixture: tuple[Fraction, ...],
) -> tuple[tuple[Fraction, ...], ...]:
    """For each set the probability that the mixture picks each of its hypotheses."""
    result = [[Fraction(0)] * H.size for H in representation.sets]
    for selector, weight in zip(selectors, mixture, strict=False):  # the last one is unused
        for r, h in enumerate(selector):
            result[r][h] += weight
    return tuple(tuple(row) for row in result)
