"""How well hypotheses represent a class, and the best answers from random sets: exact games.

A set ``H`` represents ``f`` with error ``v`` exactly when a mixture of ``H`` disagrees with ``f``
on no point with probability above ``v``. A *selector* picks one hypothesis of every set of a random
representation; the best mixture of selectors is what Alice reaches in `fx` Theorem 7 (=3.1).
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import ClassVar, Self

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.certificates import Answer, Certificate, encode_fraction, weights_of
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.data import frozen, validated
from ccsim.exact import common_denominator
from ccsim.programs.game import solve_integer_game
from ccsim.representation.hypotheses import HypothesisSet, ProbabilisticRepresentation, check_points


@validated
class ConceptError:
    """How well a set of hypotheses represents one concept.

    Attributes
    ----------
    value : Fraction
        Largest, over distributions, of the least error of a hypothesis.
    distribution : tuple of Fraction
        Distribution over points under which every hypothesis errs at least ``value``.
    weights : tuple of Fraction
        Convex weights of the hypotheses that disagree on no point with probability above ``value``.
    """

    value: Fraction
    distribution: tuple[Fraction, ...]
    weights: tuple[Fraction, ...]


@checked_types
def concept_error(
    hypotheses: HypothesisSet, concept: int, budget: Budget | None = None
) -> ConceptError:
    """Return the representation error of one concept, given as a bit mask.

    Complexity: one game of points times hypotheses; 100 x 100 well under a second.

    Parameters
    ----------
    hypotheses : HypothesisSet
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
    >>> result = concept_error(HypothesisSet((0b01, 0b10), 2), 0b11)
    >>> result.value, result.weights
    (Fraction(1, 2), (Fraction(1, 2), Fraction(1, 2)))
    """
    if concept in hypotheses.rows:
        weights = pure(hypotheses.rows.index(concept), hypotheses.size)
        return ConceptError(Fraction(0), even_law(hypotheses.num_points), weights)
    if budget is not None:
        budget.spend()
    matrix = [
        [(row ^ concept) >> x & 1 for row in hypotheses.rows] for x in range(hypotheses.num_points)
    ]
    value, distribution, weights, _ = solve_integer_game(matrix, budget)
    return ConceptError(value, distribution, weights)


@frozen
class RepresentationResult(Answer[Fraction]):
    """The least error with which a set of hypotheses represents a class, or bounds on it.

    Attributes
    ----------
    concept_class : ConceptClass
    hypotheses : HypothesisSet
    lower, upper : Fraction
        Bounds on the largest representation error of a concept; equal unless time ran out.
    concept : int
        A concept with an error of at least ``lower``.
    distribution : tuple of Fraction
        Certificate from below: every hypothesis errs at least ``lower`` on ``concept`` under it.
    weights : tuple of tuple of Fraction
        Certificate from above: for each concept convex weights of the hypotheses, which disagree on
        no point with probability above ``upper``.
    """

    asked = ("concept_class", "hypotheses")

    quantity: ClassVar[str] = "the error of the representation"

    concept_class: ConceptClass
    hypotheses: HypothesisSet
    lower: Fraction
    upper: Fraction
    concept: int
    distribution: tuple[Fraction, ...]
    weights: tuple[tuple[Fraction, ...], ...]

    def represents(self, error: Fraction) -> bool | None:
        """Whether the set represents the class with the given error; None if not decided."""
        if self.upper <= error:
            return True
        return False if self.lower > error else None

    def without_upper(self) -> Self:
        """Return the result with the first hypothesis for each concept, as wrong as it may be."""
        C, H = self.concept_class, self.hypotheses
        upper = Fraction(int(any(row != H.rows[0] for row in C.rows)))
        return replace(self, upper=upper, weights=(pure(0, H.size),) * len(C))

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel."""
        bounds = {"lower": encode_fraction(self.lower), "upper": encode_fraction(self.upper)}
        return Certificate(
            "deterministic_representation",
            self.concept_class.to_json(),
            {"hypotheses": self.hypotheses.to_json(), **bounds},
            {
                "hard_distribution": {
                    "concept": self.concept,
                    "distribution": weights_of(self.distribution),
                }
            },
            {"mixtures": {"weights": [weights_of(weights) for weights in self.weights]}},
        )


@checked_types
def representation_error(
    hypotheses: HypothesisSet,
    concept_class: ClassLike,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> RepresentationResult:
    """Return the least error with which a set of hypotheses represents a class.

    Parameters
    ----------
    hypotheses : HypothesisSet
        Over the points of the class.
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
        At least one concept and one point.
    time_limit : float or Budget, optional
        Seconds after which there are bounds: the concepts whose games are not solved by then may
        have any error. With a limit, however large, an interrupt (Ctrl-C) has the same effect.
    progress : callable, optional
        Called with the lower and the upper bound after every concept.

    Raises
    ------
    DomainError
        If the numbers of points differ or the class is empty.

    Notes
    -----
    Source: `fx` Definition 4 (=2.3), decided as in the proof of Theorem 8 (=3.2).

    Examples
    --------
    >>> from ccsim.classes import points
    >>> result = representation_error(HypothesisSet((0b0000,), 4), points(2))
    >>> result.value, result.represents(Fraction(1, 2))
    (Fraction(1, 1), False)
    >>> result.check()
    """
    budget = Budget.of(time_limit)
    concept_class = as_class(concept_class, budget)
    check_points(hypotheses.num_points, concept_class)
    errors: list[ConceptError] = []
    with budget:
        for row in concept_class.rows:
            errors.append(concept_error(hypotheses, row, budget))
            if progress is not None:
                open_ones = len(errors) < len(concept_class)
                worst_now = max(error.value for error in errors)
                progress(worst_now, Fraction(1) if open_ones else worst_now)
    solved = len(errors)
    errors += [_unsolved(hypotheses, row) for row in concept_class.rows[solved:]]
    worst = max(range(max(solved, 1)), key=lambda f: errors[f].value)
    law = errors[worst].distribution
    least = min(mass(law, h ^ concept_class.rows[worst]) for h in hypotheses.rows)
    return RepresentationResult(
        concept_class,
        hypotheses,
        least,
        max(error.value for error in errors),
        worst,
        law,
        tuple(error.weights for error in errors),
    )


def _unsolved(hypotheses: HypothesisSet, concept: int) -> ConceptError:
    """Return what is known of a concept whose game is not solved."""
    if concept in hypotheses.rows:
        return concept_error(hypotheses, concept)
    weights = pure(0, hypotheses.size)
    return ConceptError(Fraction(1), even_law(hypotheses.num_points), weights)


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
