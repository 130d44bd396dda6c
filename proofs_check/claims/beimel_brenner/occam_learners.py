"""Sections 3 and 4.1, upper bounds: the exponential mechanism over a representation."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement
from math import ceil

import numpy as np

from ccsim import HypothesisSet, points, representation_error, thresholds, vc_dimension
from ccsim.errors import DomainError
from ccsim.exact import Epsilon
from ccsim.exact.exponentials import rational
from ccsim.exact.powers import exponential
from ccsim.learning import PointOccam, PrivateOccam, RepresentationLearner
from ccsim.learning.optimum.two_point_failure import hard_two_points
from ccsim.learning.sample_size import occam_sample_size
from ccsim.privacy import audit
from ccsim.representation import random_set_system, single_points
from proofs_check.claims.claim import Claim, Instance, Kind, Size, Verdict
from proofs_check.claims.evidence import recheck, rounded_up
from proofs_check.claims.feldman_xiao.learning import disagreement
from proofs_check.claims.grids import laws_with_denominator

__all__ = ["CLAIMS"]

QUARTER = Fraction(1, 4)


def representation(size: Size) -> Iterator[Instance]:
    """Compare the least error of random hypotheses with all distributions of a grid."""
    rng = np.random.default_rng(7)
    C = points(2)
    for i in range(3 if size is Size.SMALL else 20):
        H = HypothesisSet.from_rows((int(h) for h in rng.integers(16, size=3)), 4)
        result = representation_error(H, C)
        recheck(result)
        reached = min(disagreement(result.distribution, C.rows[result.concept], h) for h in H.rows)
        worst = max(
            min(disagreement(D, f, h) for h in H.rows)
            for D in laws_with_denominator(4, 4)
            for f in C.rows
        )
        detail = f"no distribution of the grid needs more than {worst}, one needs {reached}"
        holds = worst <= result.value == reached
        yield Instance.of(f"points:b=2 random={i} error={result.value}", holds, detail)


def occam(size: Size) -> Iterator[Instance]:
    """Audit small samples, and add up the failure probability at the stated sample size."""
    grid = [(points(2), Fraction(1, 2)), (thresholds(2), Fraction(1, 2))]
    if size is not Size.SMALL:
        grid += [(points(2), QUARTER), (thresholds(3), QUARTER)]
    for C, alpha in grid:
        for epsilon in (Epsilon.of("ln 4"), Epsilon.of("1/2")):
            learner = RepresentationLearner.occam(C, alpha, QUARTER, epsilon)
            target, failure = hard_two_points(learner, C, alpha + Fraction(1, 100))
            name = f"{C.name} alpha={alpha} beta=1/4 eps={epsilon} m={learner.sample_size}"
            yield Instance.at_most(
                name, rounded_up(failure.upper), QUARTER, f"points {target.points}"
            )
    mechanism = PrivateOccam(4, points(2).rows, Epsilon.of("ln 4"))
    result = audit(mechanism, "ln 4", 0, 2)
    recheck(result)
    detail = f"least e^eps = {result.factor}, at most 4"
    yield Instance.of("points:b=2 m=2 eps=ln 4: privacy", result.verdict == "holds", detail)


def point_class(_size: Size) -> Iterator[Instance]:
    """Compare the class with its definition."""
    for number in range(1, 9):
        rows = single_points(number).rows
        holds = all((rows[j] >> x & 1) == (x == j) for j in range(number) for x in range(number))
        yield Instance.of(f"T={number}", holds and len(rows) == number, "c_j(x) = 1 iff x = j")


def point_vc(_size: Size) -> Iterator[Instance]:
    """Compute the VC dimension of the single points."""
    for number in range(2, 10):
        result = vc_dimension(single_points(number))
        recheck(result)
        yield Instance.of(f"T={number}", result.value == 1, f"VC dimension {result.value}")


def printed_sampler(_size: Size) -> Iterator[Instance]:
    """Compare two neighbouring samples, one of them with an example twice."""
    sampler = PointOccam(4, Epsilon.of("ln 9/4"), seen=len)
    first, second = [(0, 1), (0, 1), (1, 1)], [(0, 1), (0, 1), (0, 1)]
    p, q = (rational(sampler.law(S)[1 << 1]) for S in (first, second))
    yield Instance.at_most("d=2 m=3 e^eps=9/4: Pr[c_1]", p, Fraction(9, 4) * q, f"ratio {p / q}")
    few = PointOccam(2, Epsilon.of("ln 9/4"), seen=len)
    try:
        few.law(first)
    except DomainError as error:
        yield Instance.of("d=1 m=3", holds=False, detail=str(error))


def corrected_sampler(size: Size) -> Iterator[Instance]:
    """Compare the law with the exponential mechanism on every sample, and audit it."""
    epsilon = Epsilon.of("ln 9/4")
    sampler = PointOccam(4, epsilon)
    occam_law = PrivateOccam(4, points(2).rows, epsilon).law
    for m in (1, 2) if size is Size.SMALL else (1, 2, 3):
        samples = combinations_with_replacement(sampler.records, m)
        cases = ((S, sampler.law(S).as_mapping() == occam_law(S).as_mapping()) for S in samples)
        yield Instance.all_of(f"d=2 m={m}", cases, "law of the exponential mechanism")
    result = audit(sampler, epsilon, 0, 2)
    recheck(result)
    holds = result.factor == Fraction(31, 16)
    yield Instance.of("d=2 m=2: privacy", holds, f"least e^eps = {result.factor} <= 9/4")


def logarithmic(size: Size) -> Iterator[Instance]:
    """Draw representations of the lemma, and compare examples with those of proper learning."""
    one, tenth = Epsilon.of(1), Fraction(1, 10)
    for b in (3,) if size is Size.SMALL else (3, 4):
        found = random_set_system(b, "1/3", seed=0)
        recheck(found)
        proved = representation_error(found.hypotheses, found.concept_class)
        learner = RepresentationLearner.of(proved, Fraction(9, 10), QUARTER, one)
        _, failure = hard_two_points(learner, points(b), Fraction(91, 100))
        name = f"points:b={b} alpha=9/10 beta=1/4 eps=1"
        yield Instance.at_most(name, rounded_up(failure.upper), QUARTER, f"{found.size} hypotheses")
    for b in (64, 256, 1024):
        e = exponential(1).enclose().upper
        sets = ceil(8 * e * b * (1 + 2 / tenth) ** 2)
        improper = occam_sample_size(sets, one, tenth, tenth)
        proper = occam_sample_size(1 << b, one, tenth, tenth)
        name = f"d={b} alpha=beta=1/10 eps=1"
        yield Instance.at_most(name, Fraction(improper), proper, f"{sets} hypotheses")


CLAIMS = (
    Claim(
        "bbkn/def-3.1",
        "Definition 3.1",
        "Representation of a class",
        "H alpha-represents C if for every concept and distribution some h in H errs at most "
        "alpha; the least alpha is the value of a game, reached by one distribution.",
        Kind.DEFINITION,
        representation,
    ),
    Claim(
        "bbkn/thm-3.2",
        "Theorem 3.2, with explicit constants",
        "Private learning from a representation",
        "If H alpha/2-represents C, the exponential mechanism over H on max(72/alpha, "
        "12/(eps alpha)) ln(3|H|/beta) examples is an eps-private (alpha, beta)-learner of C. The "
        "failure probability is enclosed on two points, one of which just matters.",
        Kind.THEOREM,
        occam,
        uses=("bbkn/def-3.1", "bbkn/chernoff"),
    ),
    Claim(
        "bbkn/def-3.3",
        "Definition 3.3",
        "Points",
        "POINT_d holds the T = 2^d functions c_j on T points with c_j(x) = 1 iff x = j.",
        Kind.DEFINITION,
        point_class,
    ),
    Claim(
        "bbkn/fn-6",
        "footnote 6",
        "VC dimension of points",
        "The single points of at least two points have VC dimension 1.",
        Kind.REMARK,
        point_vc,
        uses=("bbkn/def-3.3",),
    ),
    Claim(
        "bbkn/lemma-3.4-printed",
        "proof of Lemma 3.4, sampling procedure as printed",
        "Unseen points counted by the examples",
        "Giving the concepts of the points that do not occur among m examples the weight (2^d - m) "
        "e^(eps q_D / 2) together samples from the exponential mechanism, and is eps-private.",
        Kind.ERRATUM,
        printed_sampler,
        recorded=Verdict.FAILS,
    ),
    Claim(
        "bbkn/lemma-3.4",
        "Lemma 3.4, with the number of distinct points",
        "Efficient proper private learner of points",
        "With the number of distinct points of the sample in place of m, the procedure samples "
        "from the exponential mechanism in time linear in m, and is eps-private.",
        Kind.LEMMA,
        corrected_sampler,
        uses=("bbkn/thm-3.2", "bbkn/def-3.3"),
        corrects="bbkn/lemma-3.4-printed",
    ),
    Claim(
        "bbkn/thm-4.2",
        "Theorem 4.2, with explicit constants",
        "Improper private learning with O(log d) samples",
        "max(72/alpha, 12/(eps alpha)) ln(3|H|/beta) examples are enough for an improper learner "
        "of POINT_d, with |H| = ceil(8 e d (1 + ceil(2/alpha))^2); for large d that is less than "
        "proper learning takes by Theorem 3.2.",
        Kind.THEOREM,
        logarithmic,
        uses=("bbkn/thm-3.2", "bbkn/lemma-4.1"),
    ),
)
