"""Section 2.2: representations, and probabilistic ones as private learners (Theorem 6)."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np

from ccsim import (
    ConceptClass,
    HypothesisSet,
    ProbabilisticRepresentation,
    failure_probability,
    points,
    representation_error,
)
from ccsim.exact import Epsilon, Interval
from ccsim.instances import parse_class
from ccsim.learning import PublicCoinOccam, RepresentationLearner, Target
from ccsim.learning.learners.representation import hard_two_points, two_point_failure
from ccsim.learning.sample_size import log_ceiling
from ccsim.privacy import audit
from ccsim.representation import FailureResult, RepresentationResult, inner_product_representation
from proofs_check.claims.claim import Kind, Verdict, claim
from proofs_check.claims.decision import Decision, all_of, at_most, equal
from proofs_check.claims.evidence import recheck
from proofs_check.claims.feldman_xiao.introduction.sample_sizes import occam_size
from proofs_check.claims.feldman_xiao.learning import Compared, disagreement
from proofs_check.claims.grid import grid, table
from proofs_check.claims.grids import distributions_with_denominator, random_weights
from proofs_check.claims.variants import near, plus, times

HALF = Fraction(1, 2)


def _random_sets(instance: str, seed: int, number: int, most: int) -> list[HypothesisSet]:
    """Return random sets that consist of concepts and of concepts with one label changed."""
    C, rng = parse_class(instance), np.random.default_rng(seed)
    m = len(C.points)

    def hypothesis() -> int:
        flip = 1 << int(rng.integers(m)) if rng.integers(2) else 0
        return C.rows[int(rng.integers(len(C)))] ^ flip

    sizes = [int(rng.integers(2, most + 1)) for _ in range(number)]
    return [HypothesisSet.from_rows((hypothesis() for _ in range(n)), m) for n in sizes]


@cache
def _error(instance: str, seed: int) -> RepresentationResult:
    (H,) = _random_sets(instance, seed, 1, 5)
    return recheck(representation_error(H, parse_class(instance)))


INSTANCES = ["points:b=2", "thresholds:b=2", "all_functions:n=3", "random:m=6,n=4,seed=1"]


@claim(
    "fx/def-4",
    "Definition 4 (=2.3)",
    "Deterministic representation dimension",
    Kind.DEFINITION,
    over=grid(instance=INSTANCES, seed=range(5)).medium(seed=range(5, 25)),
    near=[
        near("The error is smaller by 1/100.", error=times(Fraction(99, 100))),
        near("The error is larger by 1/100.", error=times(Fraction(101, 100))),
        near("Every h in H has error at most eps.", chosen=max),
    ],
)
def deterministic_representations(
    instance: str,
    seed: int,
    *,
    error: Callable[[RepresentationResult], Fraction] = lambda found: found.value,
    chosen: Callable[[Iterable[Fraction]], Fraction] = min,
) -> Decision:
    """H represents C with error eps if for every f in C and every distribution D some h in H has
    error at most eps. The least eps is the value of a game: no distribution of a grid requires a
    larger error, and some distribution requires the error of the game.
    """
    found = _error(instance, seed)
    C, H, eps = found.concept_class, found.hypotheses, error(found)

    def needed(f: int, D: Sequence[Fraction]) -> Fraction:
        return chosen(disagreement(D, f, h) for h in H.rows)

    worst = max(
        needed(f, D) for f in C.rows for D in distributions_with_denominator(len(C.points), 4)
    )
    reached = needed(C.rows[found.concept], found.distribution)
    return all_of(
        [
            ("the grid", at_most(worst, eps, trivial=1)),
            ("the hard input distribution", equal(reached, eps)),
        ]
    )


@cache
def _failure(instance: str, seed: int, error: Fraction) -> FailureResult:
    sets = _random_sets(instance, seed, 3, 3)
    weights = random_weights(np.random.default_rng(seed), 3, least=1)
    R = ProbabilisticRepresentation.mixture(zip(weights, sets, strict=True))
    return recheck(failure_probability(R, parse_class(instance), error))


@claim(
    "fx/def-5",
    "Definition 5 (=2.4)",
    "Probabilistic representation dimension",
    Kind.DEFINITION,
    over=grid(instance=INSTANCES, seed=range(4), error=["1/4", "2/5", "1/2"]).medium(
        seed=range(4, 12)
    ),
    near=[
        near("The failure probability is smaller by 1/100.", delta=times(Fraction(99, 100))),
        near("The failure probability is larger by 1/100.", delta=times(Fraction(101, 100))),
        near("An error of exactly eps is too large.", beyond=operator.ge),
    ],
)
def probabilistic_representations(
    instance: str,
    seed: int,
    error: str,
    *,
    delta: Callable[[FailureResult], Fraction] = lambda found: found.value,
    beyond: Compared = operator.gt,
) -> Decision:
    """A distribution over sets H is an (eps, delta)-representation if for every f and every D a
    random H contains no hypothesis of error at most eps with probability at most delta. The least
    delta is checked: no distribution D of a grid requires a larger delta, and some D requires this
    delta.
    """
    eps = Fraction(error)
    found = _failure(instance, seed, eps)
    C, R = found.concept_class, found.representation

    def missed(f: int, D: Sequence[Fraction]) -> Fraction:
        pairs = zip(R.weights, R.sets, strict=True)
        bad = (w for w, H in pairs if all(beyond(disagreement(D, f, h), eps) for h in H.rows))
        return sum(bad, Fraction(0))

    worst = max(
        missed(f, D) for f in C.rows for D in distributions_with_denominator(len(C.points), 4)
    )
    return all_of(
        [
            ("the grid", at_most(worst, delta(found), trivial=1)),
            (
                "hard distribution",
                equal(missed(C.rows[found.concept], found.distribution), delta(found)),
            ),
        ]
    )


@cache
def _hashing(b: int) -> FailureResult:
    """Return a representation of points by two inner products, and its failure probability."""
    return recheck(failure_probability(inner_product_representation(b, 2), points(b), "1/4"))


def _learner(b: int, alpha: str, *, agnostic: bool = False) -> RepresentationLearner:
    proved = _hashing(b)
    failure = proved.upper + Fraction(1, 100)
    return RepresentationLearner.of(proved, HALF, failure, Epsilon.of(alpha), agnostic=agnostic)


@cache
def _hard_failure(b: int, alpha: str, examples: int) -> Interval:
    """Enclose the failure probability of the learner on the hardest target with two points."""
    return hard_two_points(_learner(b, alpha), points(b), Fraction(51, 100), examples)[1]


@cache
def _least_factor(examples: int) -> Fraction:
    mechanism = PublicCoinOccam(inner_product_representation(1, 2), Epsilon.of("ln 4"))
    found = recheck(audit(mechanism, "ln 4", 0, examples))
    return Fraction(str(found.factor))


@claim(
    "fx/thm-6",
    "Theorem 6 (=2.5), cited",
    "Sample complexity of private learning and PRDim",
    Kind.THEOREM,
    over=table("b alpha", (1, "ln 4"), (2, "ln 4"), (1, "1/8")).medium(
        (1, "1/2"), (2, "1/2"), (1, "2")
    ),
    near=[
        near("One twenty-fifth of the examples is enough.", examples=times(Fraction(1, 25))),
        near("The failure probability is at most delta/4.", failure=times(Fraction(1, 4))),
        near(
            "The mechanism is private with the factor 4/5 e^alpha.", privacy=times(Fraction(4, 5))
        ),
        near("The statement requires one example fewer.", size=plus(-1)),
    ],
    uses=["fx/def-5", "fx/def-scdp", "fx/intro-occam"],
    recorded=Verdict.NOT_DECIDED,
    reason="asymptotic, about all private learners, and cited from earlier work; the upper "
    "bound is checked with constants, for points represented by inner products",
)
def learning(
    b: int,
    alpha: str,
    *,
    examples: Callable[[RepresentationLearner], Fraction | int] = lambda learner: (
        learner.sample_size
    ),
    failure: Callable[[RepresentationLearner], Fraction] = lambda learner: learner.failure,
    privacy: Fraction = Fraction(4),
    size: Callable[[Fraction, Fraction, int, Epsilon], int] = occam_size,
) -> Decision:
    """SCDP_{alpha,eps,delta}(C) is of order PRDim_{1/4,1/4}(C) / (alpha eps), up to logarithms of
    1/eps and 1/delta. A consequence is checked: if random sets of at most s hypotheses are an
    (eps/2, gamma)-representation of C with gamma < delta, then the exponential mechanism over a
    random set is an alpha-private (eps, delta)-learner from max(72/eps, 12/(alpha eps))
    ln(3s/(delta - gamma)) examples. The check is on two points, at eps = 1/2.
    """
    learner = _learner(b, alpha)
    found = _hard_failure(b, alpha, max(1, int(examples(learner))))
    private = ((f"privacy of {n}", at_most(_least_factor(n), privacy)) for n in (2, 3))
    margin = learner.failure - _hashing(b).upper
    stated = size(learner.accuracy, margin, learner.hypotheses, learner.epsilon)
    asked = equal(learner.sample_size, stated, "stated number of examples")
    failing = at_most(found, failure(learner), trivial=1)
    return all_of([("failure", failing), ("size", asked), *private])


def _labelled(C: ConceptClass) -> Iterator[Target]:
    """Yield distributions on two labelled examples, with the error of the best concept."""
    masses = Fraction(3, 5), Fraction(2, 5)
    for x, y in product(range(min(len(C.points), 2)), repeat=2):
        for labels in product((0, 1), repeat=2):
            target = Target((x, y), masses, labels)
            values = (np.array([row >> p & 1 for p in (x, y)], dtype=np.bool_) for row in C.rows)
            yield replace(target, best=min(target.error(value) for value in values))


def _agnostic_size(eps: Fraction, delta: Fraction, hypotheses: int, alpha: Epsilon) -> int:
    inside = 2 * Fraction(hypotheses) / delta
    return max(log_ceiling(32 / eps**2, inside, Epsilon.of(1)), log_ceiling(8 / eps, inside, alpha))


@claim(
    "fx/thm-6-agnostic",
    "after Theorem 6 (=2.5), cited",
    "Agnostic private learning from a probabilistic representation",
    Kind.THEOREM,
    over=table("b alpha", (1, "1"), (2, "1"), (1, "1/16")),
    near=[
        near("One twentieth of the examples is enough.", examples=times(Fraction(1, 20))),
        near("The statement requires one example fewer.", size=plus(-1)),
    ],
    uses=["fx/thm-6", "fx/def-14"],
    recorded=Verdict.NOT_DECIDED,
    reason="asymptotic, and cited from earlier work; the bound is checked with constants, on "
    "two labelled examples",
)
def agnostic_learning(
    b: int,
    alpha: str,
    *,
    examples: Callable[[RepresentationLearner], Fraction | int] = lambda learner: (
        learner.sample_size
    ),
    size: Callable[[Fraction, Fraction, int, Epsilon], int] = _agnostic_size,
) -> Decision:
    """The upper bound of Theorem 6 holds for agnostic learning with 1/(alpha eps) + 1/eps^2 in
    place of 1/(alpha eps). A consequence is checked: max(32/eps^2, 8/(alpha eps)) ln(2s/(delta -
    gamma)) examples are enough for an error of at most eps above that of the best concept, at eps =
    1/2."""
    learner = _learner(b, alpha, agnostic=True)
    n = max(1, int(examples(learner)))
    margin = learner.failure - _hashing(b).upper
    stated = size(learner.accuracy, margin, learner.hypotheses, learner.epsilon)
    cases = [
        (
            (target.points, target.labels),
            at_most(two_point_failure(learner, target, n), learner.failure, trivial=1),
        )
        for target in _labelled(points(b))
    ]
    return all_of(
        [*cases, ("size", equal(learner.sample_size, stated, "stated number of examples"))]
    )
