"""Bounds on the failure probability of a probabilistic representation, what proves them, the check.

Main definition: `FailureResult`. What finds the bounds is in `ccsim.representation.failure`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar, Self

from ccsim.appearance import one_line
from ccsim.border import checked_types
from ccsim.certificates import Answer, Certificate, encode_fraction, weights_of
from ccsim.classes import ConceptClass
from ccsim.exact.fractions import as_fraction
from ccsim.representation.failing_sets.families import Node, Tree
from ccsim.representation.failing_sets.selection import mass
from ccsim.representation.hypotheses import (
    ProbabilisticRepresentation,
)
from ccsim.texts.labels import text_row

__all__ = ["FailureResult", "failing_weight"]


@one_line
@dataclass(frozen=True, slots=True)
class FailureResult(Answer[Fraction]):
    """Bounds on the failure probability of a probabilistic representation.

    Attributes
    ----------
    concept_class : ConceptClass
    representation : ProbabilisticRepresentation
    error : Fraction
    lower, upper : Fraction
        Proved bounds; equal when the probability is known exactly.
    concept : int
        Certificate from below: under ``distribution`` sets of weight ``lower`` fail for it.
    distribution : tuple of Fraction
    selections : tuple of tuple of tuple of Fraction, or None
        Certificate from above by Markov's inequality: convex weights for each concept and set.
    trees : tuple or None
        Certificate from above by branching, one tree for each concept; None when not used.
    """

    asked = ("concept_class", "representation", "error")

    quantity: ClassVar[str] = "the failure probability"

    concept_class: ConceptClass
    representation: ProbabilisticRepresentation
    error: Fraction
    lower: Fraction
    upper: Fraction
    concept: int
    distribution: tuple[Fraction, ...]
    selections: tuple[tuple[tuple[Fraction, ...], ...], ...] | None
    trees: tuple[Tree, ...] | None

    def represents(self, failure: Fraction) -> bool | None:
        """Whether the class is represented with this failure probability; None if not decided."""
        if self.upper <= failure:
            return True
        return False if self.lower > failure else None

    def without_upper(self) -> Self:
        """Return the result with the upper bound 1, which needs no proof."""
        return replace(self, upper=Fraction(1), selections=None, trees=None)

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel."""
        R = self.representation
        upper: dict[str, Any] = {"branching": {"trees": [[[]]] * len(self.concept_class)}}  # is 1
        if self.upper < 1 and self.trees is not None:
            width = R.num_points
            trees = [[_node_json(node, width) for node in tree] for tree in self.trees]
            upper = {"branching": {"trees": trees}}
        elif self.upper < 1 and self.selections is not None:
            weights = [
                [w * p for w, law in zip(R.weights, laws, strict=False) for p in law]
                for laws in self.selections
            ]
            upper = {"selection": {"weights": list(map(weights_of, weights))}}
        law = weights_of(self.distribution)
        return Certificate(
            "probabilistic_representation",
            self.concept_class.to_json(),
            {
                "error": encode_fraction(self.error),
                "support": {
                    "sets": [H.to_json() for H in R.sets],
                    "weights": weights_of(R.weights),
                },
                "lower": encode_fraction(self.lower),
                "upper": encode_fraction(self.upper),
            },
            {"hard_distribution": {"concept": self.concept, "distribution": law}},
            upper,
        )


def _node_json(node: Node, width: int) -> list[int | str] | str | None:
    if node is None:
        return None
    return text_row(node, width) if isinstance(node, int) else weights_of(node) if node else []


@checked_types
def failing_weight(
    representation: ProbabilisticRepresentation,
    concept: int,
    error: Fraction | int | str,
    distribution: tuple[Fraction, ...],
) -> Fraction:
    """Return the weight of the sets all of whose hypotheses err more than ``error``.

    Examples
    --------
    >>> from ccsim.representation import HypothesisSet
    >>> R = ProbabilisticRepresentation.mixture(
    ...     [("1/3", HypothesisSet((0b01,), 2)), ("2/3", HypothesisSet((0b11,), 2))]
    ... )
    >>> failing_weight(R, 0b11, Fraction(1, 4), (Fraction(1, 2), Fraction(1, 2)))
    Fraction(1, 3)
    """
    error = as_fraction(error, "error")
    return sum(
        (
            weight
            for weight, H in zip(representation.weights, representation.sets, strict=True)
            if all(mass(distribution, h ^ concept) > error for h in H.rows)
        ),
        Fraction(0),
    )
