"""How often a given learner fails at worst, over all concepts and all distributions, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb
from typing import ClassVar

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget
from ccsim.certificates import Answer, Certificate, encode_fraction, weights_of
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.data import frozen
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact import as_fraction
from ccsim.learning.learners.occam import Example, TabledLearner, labelled_examples
from ccsim.learning.optimum.bounds import encode_laws
from ccsim.learning.optimum.least_success import LeastSuccess
from ccsim.learning.optimum.subdivisions import Subdivision, preorder
from ccsim.privacy.mechanism import Mechanism, is_symmetric

MAX_SAMPLES = 1 << 12
"""Most multisets of examples whose laws are tabled."""


@frozen
class WorstFailure(Answer[Fraction]):
    """Bounds on the failure probability of a learner on its worst target.

    Attributes
    ----------
    concept_class : ConceptClass
    samples : int
    accuracy : Fraction
    learner : TabledLearner
        The laws of the learner.
    lower, upper : Fraction
        ``lower`` is reached by the target.
    concept : int
        Number of a concept of the class.
    distribution : tuple of Fraction
    subdivisions : tuple of Subdivision
        For each concept a subdivision of the simplex of distributions, on which the upper bound
        rests.
    """

    question = "the worst failure probability of a learner"
    asked = ("concept_class", "learner", "samples", "accuracy")

    quantity: ClassVar[str] = "the failure probability"

    concept_class: ConceptClass
    samples: int
    accuracy: Fraction
    learner: TabledLearner
    lower: Fraction
    upper: Fraction
    concept: int
    distribution: tuple[Fraction, ...]
    subdivisions: tuple[Subdivision, ...]

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel."""
        return Certificate(
            "learner_failure",
            self.concept_class.to_json(),
            {
                "samples": self.samples,
                "accuracy": encode_fraction(self.accuracy),
                "laws": encode_laws(self.learner, self.samples),
                "lower": encode_fraction(self.lower),
                "upper": encode_fraction(self.upper),
            },
            {"target": {"target": [self.concept, weights_of(self.distribution)]}},
            {"subdivisions": {"trees": [preorder(tree) for tree in self.subdivisions]}},
        )


def tabled(learner: Mechanism[Example, int], num_points: int, samples: int) -> TabledLearner:
    """Return the table of a symmetric learner on all multisets of so many examples.

    A learner that calls itself symmetric, but does not sort its examples, is asked for its laws on
    all orders.
    """
    if not learner.symmetric:
        raise DomainError(f"{type(learner).__name__} must not depend on the order of its examples")
    if (number := comb(2 * num_points + samples - 1, samples)) > MAX_SAMPLES:
        raise InstanceTooLargeError(
            f"{number} samples up to reordering are above the limit of {MAX_SAMPLES}"
        )
    every: list[Sequence[Example]] = list(
        combinations_with_replacement(labelled_examples(num_points), samples)
    )
    if not is_symmetric(learner):
        _check_orders(learner, labelled_examples(num_points), samples)
    return TabledLearner(num_points, tuple((tuple(S), learner.law(S)) for S in every))


def _check_orders(
    learner: Mechanism[Example, int], examples: Sequence[Example], samples: int
) -> None:
    """Require that a learner has one law on all orders of a sample."""
    if samples > MAX_SAMPLES.bit_length() or len(examples) ** samples > MAX_SAMPLES:
        raise InstanceTooLargeError(
            f"{len(examples)}^{samples} samples in any order are above the limit of {MAX_SAMPLES}"
        )
    for sample in product(examples, repeat=samples):
        ordered = tuple(sorted(sample))
        if learner.law(sample).as_mapping() != learner.law(ordered).as_mapping():
            raise DomainError(
                f"{type(learner).__name__} must not depend on the order of its examples: its laws "
                f"on {ordered} and {sample} differ"
            )


@checked_types
def worst_failure(
    learner: Mechanism[Example, int],
    concept_class: ClassLike,
    samples: int,
    accuracy: Fraction | int | str,
    *,
    gap: Fraction | int | str = Fraction(1, 1000),
) -> WorstFailure:
    """Enclose the largest failure probability of a learner, over all concepts and distributions.

    Parameters
    ----------
    learner : Mechanism
        From labelled examples to hypotheses (bit masks over the points of the class); symmetric,
        with rational probabilities.
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
        At least one concept; 3 points or so.
    samples : int
        Examples, at least 1.
    accuracy : Fraction, int or str
        The learner fails if the error of its hypothesis is above.
    gap : Fraction, int or str
        Positive; how close the bounds shall be.

    Returns
    -------
    WorstFailure
        Both bounds, and a concept and a distribution that reach the lower one.

    Notes
    -----
    Complexity: the simplex of distributions is halved where the polar form of the success is too
    small (`ccsim.learning.optimum.least_success`): thousands of parts for 3 points.

    Examples
    --------
    >>> from ccsim import points
    >>> from ccsim.exact import Epsilon
    >>> from ccsim.learning import PrivateOccam
    >>> occam = PrivateOccam(2, points(1).rows, Epsilon.of("ln 4"))
    >>> found = worst_failure(occam, points(1), 2, "1/4")
    >>> found.lower, found.upper
    (Fraction(1, 5), Fraction(1, 5))
    """
    allowed, close = as_fraction(accuracy, "accuracy", 0, 1), as_fraction(gap, "gap", 0, 1)
    concept_class = as_class(concept_class)
    if samples < 1 or not close:
        raise DomainError(f"samples must be at least 1 and gap positive, not {samples} and {close}")
    if not len(concept_class) or not concept_class.points:
        raise DomainError(f"{concept_class.name} must have a concept and a point")
    table = tabled(learner, len(concept_class.points), samples)
    searched = [LeastSuccess(f, table, samples, allowed) for f in concept_class.rows]
    most = max(1 - success.bound(close, Budget()) for success in searched)
    worst = min(range(len(searched)), key=lambda i: searched[i].least)
    proofs = [success.subdivide(1 - most) for success in searched]
    return WorstFailure(
        concept_class, samples, allowed, table,
        1 - searched[worst].least, 1 - min(proved for _, proved in proofs),
        worst, searched[worst].worst, tuple(tree for tree, _ in proofs),
    )  # fmt: skip
