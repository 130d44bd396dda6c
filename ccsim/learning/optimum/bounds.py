"""Bounds on the least failure of private learners of a tiny class, proved from the definition.

*From below.* Targets with weights, drawn from the learner's sight, and flows between neighbouring
databases. Let ``c(S, h)`` be the chance that the sample is ``S`` and ``h`` is good for the target;
a flow ``y`` from ``S`` to ``T`` on ``h`` takes ``y`` from ``c(S, h)`` and adds ``e^epsilon y`` to
``c(T, h)``. Because a private learner has ``p(S, h) <= e^epsilon p(T, h)``, the sum of ``c p`` did
not fall, and it is at most ``sum over S of max over h of c(S, h)``: the success on average. With
``delta`` the sum may have fallen by ``delta`` times the largest flow on a hypothesis, for each two
neighbours ``S, T``: what ``p(S, h)`` has beyond ``e^epsilon p(T, h)`` sums to ``delta`` at most.

*From above.* The laws of a learner, and for each concept a subdivision of the simplex of all
distributions. On a part of it the hypotheses that are good at all corners are good everywhere, and
the success is a polynomial whose value is an average of those of its polar form at the corners.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, lcm
from typing import Any, ClassVar, Self, TypeAlias

from ccsim.certificates import Answer, Certificate, encode_fraction, encode_integers
from ccsim.classes import ConceptClass
from ccsim.data import frozen
from ccsim.errors import CertificateError
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.exponentials import rational
from ccsim.exact.law import Law
from ccsim.learning.learners.occam import TabledLearner, labelled_examples
from ccsim.learning.optimum.subdivisions import Database, Distribution, Subdivision, preorder

WeightedTarget: TypeAlias = tuple[int, Distribution, Fraction]
"""A concept (bit mask), a distribution over points, and a weight."""
Flow: TypeAlias = tuple[Database, Database, int, Fraction]
"""Two neighbouring databases, a hypothesis (bit mask), and an amount."""


@frozen
class LeastPrivateFailure(Answer[Fraction]):
    """Bounds on the least failure probability of private learners with so many examples.

    Attributes
    ----------
    concept_class : ConceptClass
    samples : int
    accuracy : Fraction
    epsilon : Epsilon
        With ``e^epsilon`` rational.
    lower, upper : Fraction
        No private learner fails less than ``lower`` on all targets; ``learner`` fails at most
        ``upper`` on each.
    targets : tuple of WeightedTarget
        On which the lower bound rests; their weights sum to 1.
    flows : tuple of Flow
        Why no private learner does better on them.
    learner : TabledLearner
    subdivisions : tuple of Subdivision
        For each concept a subdivision of the simplex of distributions, on which the upper bound
        rests.
    delta : Fraction
        0 for pure privacy.
    """

    question = "the least failure probability of private learners"
    asked = ("concept_class", "samples", "accuracy", "epsilon", "delta")

    quantity: ClassVar[str] = "the least failure probability"

    concept_class: ConceptClass
    samples: int
    accuracy: Fraction
    epsilon: Epsilon
    lower: Fraction
    upper: Fraction
    targets: tuple[WeightedTarget, ...]
    flows: tuple[Flow, ...]
    learner: TabledLearner
    subdivisions: tuple[Subdivision, ...]
    delta: Fraction = Fraction(0)

    def without_upper(self) -> Self:
        """Return the result with the learner that always answers the first concept.

        Its check takes no time. It is good for another concept only where any error is allowed.

        Examples
        --------
        >>> from ccsim import points
        >>> from ccsim.learning import least_private_failure
        >>> weaker = least_private_failure(points(1), 1, "1/4", "ln 3").without_upper()
        >>> weaker.lower, weaker.upper
        (Fraction(1, 4), Fraction(1, 1))
        """
        C, m = self.concept_class, len(self.concept_class.points)
        first = Law.of({C.rows[0]: Fraction(1)})
        learner = TabledLearner(m, tuple((S, first) for S in _databases(m, self.samples)))
        upper = Fraction(int(len(C) > 1 and self.accuracy < 1))
        return replace(self, upper=upper, learner=learner, subdivisions=(None,) * len(C))

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel."""
        C = self.concept_class
        if not C.points or not C.rows or self.learner.num_points != len(C.points):
            raise CertificateError(
                f"class and learner must be over the same points, at least one, with a concept, "
                f"not {len(C)} concepts over {len(C.points)} and {self.learner.num_points} points"
            )
        laws = encode_laws(self.learner, self.samples)
        trees = [preorder(tree) for tree in self.subdivisions]
        beyond = {"delta": encode_fraction(self.delta)} if self.delta else {}
        return Certificate(
            "approximate_private_failure" if self.delta else "private_failure",
            C.to_json(),
            {
                "samples": self.samples,
                "accuracy": encode_fraction(self.accuracy),
                "factor": encode_fraction(rational(self.epsilon.exp())),
                **beyond,
                "lower": encode_fraction(self.lower),
                "upper": encode_fraction(self.upper),
            },
            {"flows": self._flows()},
            {"learner": {"laws": laws, "trees": trees}},
        )

    def _flows(self) -> dict[str, Any]:
        """Return targets and flows in integers: chances of samples have one unit."""
        C, even = self.concept_class, Fraction(1, len(self.concept_class.points))
        targets = self.targets or ((C.rows[0], (even,) * len(C.points), Fraction(1)),)
        unit = lcm(*(p.denominator for _, law, _ in targets for p in law))
        factor, whole = rational(self.epsilon.exp()), unit**self.samples
        sent = [y * whole / factor.denominator for *_, y in self.flows]
        scale = lcm(*(p.denominator for p in (*sent, *(w for *_, w in targets))))
        numbers = {row: i for i, row in enumerate(C.rows)}
        place = {S: i for i, S in enumerate(_databases(len(C.points), self.samples))}
        laws = [encode_integers(int(p * unit) for p in law) for _, law, _ in targets]
        return {
            "targets": [
                [numbers.get(f, -1), law] for (f, *_), law in zip(targets, laws, strict=True)
            ],
            "weights": encode_integers(int(w * scale) for *_, w in targets),
            "flows": [
                [place.get(S, -1), place.get(T, -1), h, *encode_integers([int(y * scale)])]
                for (S, T, h, _), y in zip(self.flows, sent, strict=True)
            ],
        }


def encode_laws(learner: TabledLearner, samples: int) -> list[list[int | str]]:
    """Return the laws of a learner as integers of one unit, on all functions for each sample."""
    m, laws = learner.num_points, dict(learner.laws)
    if m < 1 or samples < 0 or comb(2 * m + samples - 1, samples) != len(learner.laws):
        raise CertificateError(f"the learner must have one law for every {samples} examples")
    exact = {S: {h: rational(p) for h, p in law.items} for S, law in laws.items()}
    unit = lcm(*(p.denominator for law in exact.values() for p in law.values()))
    databases, functions = _databases(m, samples), range(1 << m)
    if sorted(exact) != databases or any(h not in functions for law in exact.values() for h in law):
        raise CertificateError("the learner must have one law on functions for every sample")
    return [
        encode_integers(int(exact[S].get(h, Fraction(0)) * unit) for h in functions)
        for S in databases
    ]


def _databases(points: int, samples: int) -> list[Database]:
    return list(combinations_with_replacement(labelled_examples(points), samples))
