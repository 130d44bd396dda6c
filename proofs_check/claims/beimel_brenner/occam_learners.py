"""Section 3, upper bounds: the exponential mechanism over a representation, and over the points."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from typing import TypeAlias

import numpy as np

from ccsim import (
    HypothesisSet,
    ProbabilisticRepresentation,
    deterministic_representation_size,
    points,
    representation_error,
)
from ccsim.exact import Epsilon
from ccsim.exact.exponentials import Real
from ccsim.instances import parse_class
from ccsim.learning import PrivateOccam, RepresentationLearner
from ccsim.learning.learners.occam import Example
from ccsim.learning.learners.representation import hard_two_points
from ccsim.learning.sample_size import log_ceiling
from ccsim.privacy import AuditResult, audit, neighbouring_databases
from ccsim.representation import single_points
from ccsim.representation.error import RepresentationResult
from proofs_check.claims.beimel_brenner.constructions.point_occam import PointOccam, distinct_points
from proofs_check.claims.claim import Kind, Verdict, claim
from proofs_check.claims.decision import Decision, all_of, at_most, equal, holds
from proofs_check.claims.evidence import recheck, rounded_up, vc_dimension
from proofs_check.claims.feldman_xiao.learning import disagreement
from proofs_check.claims.grid import grid, table
from proofs_check.claims.grids import distributions_with_denominator
from proofs_check.claims.variants import near, plus, times


@cache
def _random_hypotheses(instance: str, seed: int) -> RepresentationResult:
    C, rng = parse_class(instance), np.random.default_rng(seed)
    rows = {int(h) for h in rng.integers(1 << len(C.points), size=3)}
    return recheck(representation_error(HypothesisSet.from_rows(rows, len(C.points)), C))


@claim(
    "bbkn/def-3.1",
    "Definition 3.1",
    "Representation of a class",
    Kind.DEFINITION,
    over=grid(instance=["points:b=2", "thresholds:b=2", "parities:n=2"], seed=[0, 1]).medium(
        seed=range(2, 9)
    ),
    near=[
        near("Some smaller alpha is enough.", needed=times(Fraction(99, 100))),
        near("Every h in H has error at most alpha.", chosen=max),
    ],
)
def representation(
    instance: str,
    seed: int,
    *,
    needed: Callable[[Fraction], Fraction] = Fraction,
    chosen: Callable[[Iterable[Fraction]], Fraction] = min,
) -> Decision:
    """H alpha-represents C if for every concept and distribution some h in H has error at most
    alpha. The least alpha is the value of a game: no distribution of a grid requires a larger
    alpha, and the optimal distribution of the game requires this alpha. Checked for random H.
    """
    C, result = parse_class(instance), _random_hypotheses(instance, seed)
    H, alpha = result.hypotheses.rows, needed(result.value)

    def error(D: Sequence[Fraction], f: int) -> Fraction:
        return chosen(disagreement(D, f, h) for h in H)

    distributions = distributions_with_denominator(len(C.points), 4)
    everywhere = all_of(
        ((D, f), at_most(error(D, f), alpha)) for D in distributions for f in C.rows
    )
    reached = equal(error(result.distribution, C.rows[result.concept]), alpha)
    return all_of([("the grid of distributions", everywhere), ("the hardest one", reached)])


@cache
def _fewest(instance: str, error: Fraction) -> HypothesisSet:
    return recheck(
        deterministic_representation_size(parse_class(instance), error)
    ).representation.hypotheses


@cache
def _audited(H: HypothesisSet, exponent: Fraction) -> AuditResult:
    ln4 = Epsilon.of("ln 4")
    return recheck(audit(PrivateOccam(H.num_points, H.rows, ln4, 1 / (2 * exponent)), ln4, 0, 2))


@claim(
    "bbkn/thm-3.2",
    "Theorem 3.2, with explicit constants",
    "Private learning from a representation",
    Kind.THEOREM,
    over=table(
        "instance accuracy epsilon failure",
        ("points:b=2", "1/2", "ln 4", "1/4"),
        ("points:b=2", "1/4", "1/2", "1/4"),
        ("intervals:n=3", "1/4", "ln 4", "1/100"),
        ("thresholds:b=2", "1/2", "1/50", "1/4"),
        ("thresholds:b=2", "1/2", "1/50", "1e-9"),
        ("points:b=2", "1/10", "100", "1e-17"),
        ("points:b=2", "1/2", "1/10", "1/2"),
    ).medium(("intervals:n=3", "1/4", "1/100", "1/4"), ("thresholds:b=3", "1/4", "ln 4", "1e-9")),
    near=[
        near("H alpha-represents C.", share=times(2)),
        near("The mechanism has weights e^(-eps errors).", exponent=times(2)),
        near("The statement with 12/(7 eps alpha).", by_privacy=times(Fraction(1, 7))),
        near("The statement with 72/(91 alpha).", by_sampling=times(Fraction(1, 91))),
        near("The statement with ln(|H|/(7 beta)).", within=times(Fraction(1, 21))),
    ],
    uses=["bbkn/def-3.1", "bbkn/chernoff"],
)
def occam(  # noqa: PLR0913 - four parameters and five ingredients
    instance: str,
    accuracy: str,
    epsilon: str,
    failure: str,
    *,
    share: Fraction = Fraction(1, 2),
    exponent: Fraction = Fraction(1, 2),
    by_sampling: Fraction = Fraction(72),
    by_privacy: Fraction = Fraction(12),
    within: Fraction = Fraction(3),
) -> Decision:
    """If H alpha/2-represents C, the exponential mechanism over H with weights e^(-eps errors / 2)
    is eps-private, and it is an (alpha, beta)-learner of C on max(72/alpha, 12/(eps alpha))
    ln(3|H|/beta) examples. Checked for the smallest such H: privacy on two examples for e^eps = 4,
    and the failure probability on the worst two points, one of which has mass alpha + 1/100."""
    C, alpha, beta = parse_class(instance), Fraction(accuracy), Fraction(failure)
    eps = Epsilon.of(epsilon)
    H = _fewest(instance, share * alpha)
    private = _audited(H, exponent)
    size = within * H.size / beta
    m = max(
        log_ceiling(by_sampling / alpha, size, Epsilon.of(1)),
        log_ceiling(by_privacy / alpha, size, eps),
    )
    R = ProbabilisticRepresentation.mixture([(1, H)])
    learner = RepresentationLearner(alpha, beta, eps * (2 * exponent), R)
    target, missed = hard_two_points(learner, C, alpha + Fraction(1, 100), m)
    detail = f"{m} examples of the points {target.points}"
    return all_of(
        [
            ("privacy", holds(private.verdict == "holds", _least(private.factor))),
            ("failure", at_most(rounded_up(missed.upper), beta, detail)),
        ]
    )


@claim(
    "bbkn/def-3.3",
    "Definition 3.3",
    "Points",
    Kind.DEFINITION,
    over=grid(b=[0, 1, 2, 3]).medium(b=[4, 5]),
    near=[
        near("The statement without the last point.", number=plus(-1)),
        near("c_j(x) = 1 iff x <= j.", value=int.__le__),
    ],
)
def point_class(
    b: int,
    *,
    number: Callable[[int], int] = lambda b: 1 << b,
    value: Callable[[int, int], bool] = int.__eq__,
) -> Decision:
    """POINT_b has the T = 2^b functions c_j on T points with c_j(x) = 1 iff x = j."""
    T = range(number(b))
    stated = tuple(sum(value(x, j) << x for x in T) for j in T)
    return all_of(
        [
            ("points", equal(len(points(b).points), len(T))),
            ("functions", holds(points(b).rows == stated, f"{stated}")),
        ]
    )


@claim(
    "bbkn/fn-6",
    "footnote 6",
    "VC dimension of points",
    Kind.REMARK,
    over=grid(more=range(8)),
    near=[
        near("The VC dimension is 2.", dimension=plus(1)),
        near("The statement for a domain of one element.", least=plus(-1)),
    ],
    uses=["bbkn/def-3.3"],
)
def point_vc(more: int, *, least: int = 2, dimension: int = 1) -> Decision:
    """The class of points (singletons) of a domain of at least two elements has VC dimension 1."""
    return equal(vc_dimension(single_points(least + more)), dimension)


Counted: TypeAlias = Callable[[Sequence[Example]], int]
Chosen: TypeAlias = Callable[[PointOccam, int], Iterator[tuple[Example, ...]]]
NINE_QUARTERS = Epsilon.of("ln 9/4")


def _every(sampler: PointOccam, m: int) -> Iterator[tuple[Example, ...]]:
    return combinations_with_replacement(sampler.records, m)


def _without_repetition(sampler: PointOccam, m: int) -> Iterator[tuple[Example, ...]]:
    return (S for S in _every(sampler, m) if distinct_points(S) == m)


def _samples_exponentially(
    b: int, m: int, seen: Counted, samples: Chosen = _every, privacy: Fraction = Fraction(1)
) -> Decision:
    """Compare `PointOccam` with the exponential mechanism on all samples, and audit it on these."""
    sampler = PointOccam(1 << b, NINE_QUARTERS, seen)
    exact = PrivateOccam(1 << b, points(b).rows, NINE_QUARTERS)
    found = list(samples(sampler, m))
    known = set(found)
    same = all_of(
        (
            (S, sampler.distribution(S).as_mapping() == exact.distribution(S).as_mapping())
            for S in found
        ),
        "the distribution of the exponential mechanism",
    )
    every = neighbouring_databases(sampler.records, m)
    pairs = [(D, E) for D, E in every if {tuple(sorted(D)), tuple(sorted(E))} <= known]
    eps = Epsilon.of(f"ln {Fraction(9, 4) * privacy}")
    private = audit(sampler, eps, 0, m if samples is _every else pairs)
    private.check()
    least = holds(private.verdict == "holds", f"{_least(private.factor)} for {eps}")
    return all_of([("privacy", least), ("sampling", same)])


def _least(factor: Real | None) -> str:
    """Return the least e^eps of a mechanism as text; None if there is no finite epsilon."""
    return "private for no finite eps, but claimed" if factor is None else f"least e^eps {factor}"


@claim(
    "bbkn/lemma-3.4-printed",
    "proof of Lemma 3.4, sampling procedure as printed",
    "2^b - m points do not occur among m examples",
    Kind.ERRATUM,
    over=table("b m", (1, 2), (2, 2), (2, 3)),
    near=[
        near(
            "The statement with the number of distinct points in place of m.", seen=distinct_points
        ),
        near(
            "The statement for samples in which no point occurs twice.", samples=_without_repetition
        ),
    ],
    recorded=Verdict.FAILS,
    survives="yes: with the number of distinct points in place of m, the procedure is the "
    "exponential mechanism, and the lemma holds",
)
def printed_sampler(
    b: int,
    m: int,
    *,
    seen: Counted = len,
    samples: Chosen = _every,
) -> Decision:
    """As printed: the concepts of the points that do not occur among the m examples have the total
    weight (2^b - m) e^(eps q_D / 2), where q_D is their common score. Then the procedure samples
    from the exponential mechanism and is eps-private. Checked for e^eps = 9/4 on all samples,
    including samples in which a point occurs more than once.
    """
    return _samples_exponentially(b, m, seen, samples)


@claim(
    "bbkn/lemma-3.4",
    "Lemma 3.4, with the number of distinct points",
    "Efficient proper private learner of points",
    Kind.LEMMA,
    over=table("b m", (1, 2), (2, 1), (2, 2), (2, 3)).medium((3, 2), (1, 5)),
    near=[
        near("The statement with the number of examples.", seen=len),
        near("The procedure is private with e^eps smaller by 1/9.", privacy=times(Fraction(8, 9))),
        near("m weights are enough.", weights=plus(-1)),
    ],
    uses=["bbkn/thm-3.2", "bbkn/def-3.3"],
    corrects="bbkn/lemma-3.4-printed",
)
def corrected_sampler(
    b: int,
    m: int,
    *,
    seen: Counted = distinct_points,
    privacy: Fraction = Fraction(1),
    weights: Callable[[int], int] = lambda m: m + 1,
) -> Decision:
    """If the number of distinct points of the sample replaces m, the procedure samples from the
    exponential mechanism with at most m + 1 weights, and is eps-private.
    """
    sampler = PointOccam(1 << b, NINE_QUARTERS, seen)
    used = ((S, at_most(len(sampler.weights(S)[0]) + 1, weights(m))) for S in _every(sampler, m))
    samples = _samples_exponentially(b, m, seen, privacy=privacy)
    return all_of([("the procedure", samples), ("weights", all_of(used))])
