"""Section 2.4: the Littlestone dimension is the optimal number of mistakes of an online learner."""

from __future__ import annotations

from collections.abc import Callable

from ccsim import ConceptClass
from ccsim.instances import parse_class
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, equal
from proofs_check.claims.evidence import littlestone_dimension
from proofs_check.claims.feldman_xiao.constructions.standard_optimal_algorithm import (
    StandardOptimalAlgorithm,
    standard_optimal_algorithm,
)
from proofs_check.claims.grid import grid
from proofs_check.claims.variants import near, plus

Rule = Callable[[StandardOptimalAlgorithm, int], int]
"""Prediction of a learner on a point, given the version space."""


def _majority(learner: StandardOptimalAlgorithm, x: int) -> int:
    values = [learner.concept_class.value(c, x) for c in learner.consistent]
    return int(2 * sum(values) > len(values))


def _first(learner: StandardOptimalAlgorithm, x: int) -> int:
    return learner.concept_class.value(learner.consistent[0], x)


def _most_mistakes(C: ConceptClass, rule: Rule | None = None) -> int:
    """Return the maximum number of mistakes of a rule (of the best one if none is given)."""
    found: dict[int, int] = {}

    def most(learner: StandardOptimalAlgorithm) -> int:
        if learner.version_space not in found:
            found[learner.version_space] = 0  # a label that is known is predicted
            found[learner.version_space] = max(
                min(
                    max(
                        (guess != label) + most(learner.update(x, label))
                        for label in {C.value(c, x) for c in learner.consistent}
                    )
                    for guess in ((0, 1) if rule is None else (rule(learner, x),))
                )
                for x in range(len(C.points))
            )
        return found[learner.version_space]

    return most(standard_optimal_algorithm(C))


@claim(
    "fx/ldim-mistakes",
    "section 2.4",
    "LDim is the optimal mistake bound",
    Kind.THEOREM,
    over=grid(
        instance=[
            *("points:b=2", "thresholds:b=3", "intervals:n=5", "lines:p=3"),
            "random:m=9,n=5,seed=0",
        ]
    ).medium(instance=["points:b=3", "boxes:b=1,d=3", "thresholds:b=4", "random:m=20,n=8,seed=0"]),
    near=[
        near("The halving algorithm is optimal.", rule=_majority),
        near("Predicting by the first remaining concept is optimal.", rule=_first),
        near("Some learner makes at most LDim(C) - 1 mistakes.", mistakes=plus(-1)),
    ],
)
def optimal_mistake_bound(
    instance: str,
    *,
    rule: Rule = StandardOptimalAlgorithm.predict,
    mistakes: Callable[[int], int] = int,
) -> Decision:
    """The standard optimal algorithm predicts the label whose version space has the larger LDim. It
    makes at most LDim(C) mistakes on every sequence of points that a concept of C labels, in any
    order, and the best learner that knows the version space makes LDim(C) mistakes on some
    sequence. Checked by playing all sequences; for the best learner, by solving the game."""
    C = parse_class(instance)
    bound = mistakes(littlestone_dimension(C).value)
    return all_of(
        [
            ("the algorithm", equal(_most_mistakes(C, rule), bound)),
            ("the best learner", equal(_most_mistakes(C), bound)),
        ]
    )
