"""The least failure of any private learner of a tiny class, by linear programming over mechanisms.

There are infinitely many distributions over points: those that hurt most are added one by one. The
linear program over the targets added so far bounds the failure of *every* private learner from
below; its solution is a private learner, whose failure over *all* distributions is enclosed by
subdividing their simplex.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from ccsim.classes import ConceptClass
from ccsim.errors import DomainError
from ccsim.exact import as_fraction
from ccsim.exact.exponentials import rational
from ccsim.privacy.epsilon import Epsilon
from ccsim.privacy.learning_program import LearningProgram, LearningSolution
from ccsim.privacy.least_success import LeastSuccess
from ccsim.privacy.private_failure import LeastFailure
from ccsim.privacy.tabled_learner import TabledLearner

__all__ = ["least_private_failure"]

Progress = Callable[[Fraction, Fraction], None]


def least_private_failure(
    concept_class: ConceptClass,
    samples: int,
    accuracy: Fraction | str,
    epsilon: Epsilon | str,
    gap: Fraction | str = Fraction(1, 1000),
    progress: Progress | None = None,
    threshold: Fraction | None = None,
) -> LeastFailure:
    """Bound the least failure probability of an ``epsilon``-private learner of a class.

    A learner fails on a concept and a distribution if its hypothesis has error above ``accuracy``.
    Hypotheses are arbitrary functions (improper learning).

    Parameters
    ----------
    concept_class : ConceptClass
        At most 3 points or so.
    samples : int
        Examples of the learner, at least 1.
    accuracy : Fraction or str
        At least 0, below 1.
    epsilon : Epsilon or str
        With ``e^epsilon`` rational, such as ``"ln 2"``.
    gap : Fraction or str
        The search ends when the bounds are so close.
    progress : callable, optional
        Called with both bounds after every round.
    threshold : Fraction, optional
        The search also ends when it is known on which side of it the least failure lies.

    Returns
    -------
    LeastFailure

    Raises
    ------
    InstanceTooLargeError
        If there are more than `MAX_VARIABLES` probabilities.

    Notes
    -----
    Complexity: a rational program with ``C(2m + n - 1, n) 2**m`` variables for ``m`` points and
    ``n`` examples in each round, and some ten rounds.

    Examples
    --------
    >>> from ccsim import points
    >>> result = least_private_failure(points(1), 1, "1/4", "ln 3")
    >>> result.lower, result.upper
    (Fraction(1, 4), Fraction(1, 4))
    """
    allowed = as_fraction(accuracy, "accuracy", 0, 1)
    bound = Epsilon.of(epsilon)
    target_gap = as_fraction(gap, "gap", 0, 1)
    if samples < 1:
        msg = f"samples must be at least 1, not {samples}"
        raise DomainError(msg)
    m = len(concept_class.points)
    if not m:
        msg = f"{concept_class.name} must have a point"
        raise DomainError(msg)
    program = LearningProgram(m, samples, allowed, rational(bound.exp()))
    targets = [(concept, (Fraction(1, m),) * m) for concept in concept_class.rows]
    best: tuple[Fraction, TabledLearner] | None = None
    while True:
        solution = program.solve(targets)
        worst, added = solution.value, []
        for concept in concept_class.rows:
            success = LeastSuccess(concept, solution.learner, samples, allowed)
            worst = max(worst, 1 - success.bound(target_gap / 2))
            if 1 - success.least > solution.value:
                added.append((concept, success.worst))
        if best is None or worst < best[0]:
            best = worst, solution.learner
        if progress is not None:
            progress(solution.value, best[0])
        fresh = [target for target in added if target not in targets]
        decided = threshold is not None and not solution.value <= threshold < best[0]
        if best[0] - solution.value <= target_gap or decided or not fresh:
            return _proved(concept_class, samples, allowed, bound, solution, *best)
        targets += fresh


def _proved(
    C: ConceptClass,
    samples: int,
    accuracy: Fraction,
    epsilon: Epsilon,
    solution: LearningSolution,
    failure: Fraction,
    learner: TabledLearner,
) -> LeastFailure:
    """Return the bounds with a subdivision for each concept, no finer than the failure needs."""
    trees, least = [], Fraction(1)
    for concept in C.rows:
        success = LeastSuccess(concept, learner, samples, accuracy)
        tree, proved = success.subdivide(1 - failure)
        trees.append(tree)
        least = min(least, proved)
    return LeastFailure(
        C, samples, accuracy, epsilon, solution.value, 1 - least,
        solution.targets, solution.flows, learner, tuple(trees),
    )  # fmt: skip
