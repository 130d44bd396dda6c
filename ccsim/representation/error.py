"""Whether a set of hypotheses represents a class, decided by one rational game for each concept.

A set ``H`` represents ``f`` with error ``v`` when for every distribution ``D`` over points some
``h`` in ``H`` has ``Pr_D[h != f] <= v``. By the minimax theorem this is so exactly when a convex
mixture of ``H`` disagrees with ``f`` on no point with probability above ``v``: the mixture proves
it, and an optimal ``D`` refutes every smaller error.
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
from ccsim.programs.game import solve_integer_game
from ccsim.representation.failing_sets.selection import even_law, mass, pure
from ccsim.representation.hypotheses import HypothesisSet, check_points


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

    Complexity: one game of points times hypotheses; 100 x 100 well under a second.

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
