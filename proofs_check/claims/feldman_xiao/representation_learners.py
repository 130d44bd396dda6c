"""Theorem 6 (=2.5), upper bounds: probabilistic representations as private learners."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np

from ccsim import ConceptClass, failure_probability, points
from ccsim.exact import Epsilon
from ccsim.learning import PublicCoinOccam, RepresentationLearner, Target
from ccsim.learning.optimum.two_point_failure import hard_two_points, two_point_failure
from ccsim.privacy import audit
from ccsim.representation import FailureResult, inner_product_representation
from proofs_check.claims.claim import Claim, Instance, Kind, Size, Verdict
from proofs_check.claims.evidence import recheck, rounded_up

__all__ = ["CLAIMS"]

HALF = Fraction(1, 2)


@cache
def _hashing(b: int) -> FailureResult:
    """Return a representation of points by two inner products, with its exact failure."""
    proved = failure_probability(inner_product_representation(b, 2), points(b), "1/4")
    recheck(proved)
    return proved


def learning(size: Size) -> Iterator[Instance]:
    """Enclose the failure probability on two points, one of which just matters."""
    alphas = ("ln 4",) if size is Size.SMALL else ("ln 4", "1/2", "2")
    for b in (1, 2):
        C, proved = points(b), _hashing(b)
        for alpha in map(Epsilon.of, alphas):
            delta = (1 + proved.upper) / 2
            learner = RepresentationLearner.of(proved, HALF, delta, alpha)
            _, failure = hard_two_points(learner, C, Fraction(51, 100))
            sets = f"{learner.hypotheses} hypotheses a set, n={learner.sample_size}"
            at = f"{C.name} alpha={alpha} eps=1/2 delta={delta}"
            yield Instance.at_most(at, rounded_up(failure.upper), delta, sets)
    mechanism = PublicCoinOccam(inner_product_representation(1, 2), Epsilon.of("ln 4"))
    result = audit(mechanism, "ln 4", 0, 2)
    recheck(result)
    detail = f"least e^alpha = {result.factor}, at most 4"
    yield Instance.of("points:b=1 n=2: privacy", result.verdict == "holds", detail)


def agnostic_learning(_size: Size) -> Iterator[Instance]:
    """Enclose the failure probability on two examples with any labels, even of one point."""
    for b in (1, 2):
        C, proved = points(b), _hashing(b)
        delta = (1 + proved.upper) / 2
        learner = RepresentationLearner.of(proved, HALF, delta, Epsilon.of(1), agnostic=True)
        cases = (
            (
                (target.points, target.labels),
                rounded_up(two_point_failure(learner, target).upper),
                delta,
            )
            for target in _labelled(C)
        )
        at = f"{C.name} alpha=1 eps=1/2 delta={delta} n={learner.sample_size}"
        yield Instance.tightest(at, cases)


def _labelled(C: ConceptClass) -> Iterator[Target]:
    """Yield laws on two labelled examples, with the error of the best concept."""
    masses = Fraction(3, 5), Fraction(2, 5)
    for x, y in product(range(min(len(C.points), 2)), repeat=2):
        for labels in product((0, 1), repeat=2):
            target = Target((x, y), masses, labels)
            values = (np.array([row >> p & 1 for p in (x, y)], dtype=np.bool_) for row in C.rows)
            yield replace(target, best=min(target.error(value) for value in values))


CLAIMS = (
    Claim(
        "fx/thm-6",
        "Theorem 6 (=2.5), cited",
        "Sample complexity of private learning and PRDim",
        "SCDP_{alpha,eps,delta}(C) is of order PRDim_{1/4,1/4}(C) / (alpha eps), up to logarithms "
        "of 1/eps and 1/delta. Consequence checked: if random sets of at most s hypotheses are an "
        "(eps/2, gamma)-representation of C with gamma < delta, the exponential mechanism in a "
        "drawn set is an alpha-private (eps, delta)-learner from max(72/eps, 12/(alpha eps)) "
        "ln(3s/(delta - gamma)) examples.",
        Kind.THEOREM,
        learning,
        uses=("fx/def-5", "fx/def-scdp", "fx/intro-occam"),
        recorded=Verdict.NOT_DECIDED,
        reason="asymptotic, and about all private learners; cited from earlier work. The upper "
        "bound is checked with constants, for points represented by inner products",
    ),
    Claim(
        "fx/thm-6-agnostic",
        "after Theorem 6 (=2.5), cited",
        "Agnostic private learning from a probabilistic representation",
        "The upper bound of Theorem 6 holds for agnostic learning with 1/(alpha eps) + 1/eps^2. "
        "Consequence checked: max(32/eps^2, 8/(alpha eps)) ln(2s/(delta - gamma)) examples are "
        "enough for an error of at most eps above the best concept's.",
        Kind.THEOREM,
        agnostic_learning,
        uses=("fx/thm-6", "fx/def-14"),
        recorded=Verdict.NOT_DECIDED,
        reason="asymptotic; cited from earlier work. The bound is checked with constants, on two "
        "labelled examples",
    ),
)
