"""Section 4.3: private learners of points with few examples answer with heavy hypotheses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import combinations, product
from math import ceil

import numpy as np

from ccsim.exact import Epsilon
from ccsim.learning.learners.points import NonprivatePointLearner
from proofs_check.claims.beimel_brenner.constructions.optimal_mechanism import (
    Task,
    least_private_failure_on,
)
from proofs_check.claims.beimel_brenner.constructions.packing_sizes import packing_sample_size
from proofs_check.claims.beimel_brenner.constructions.reconstruction import LightReconstruction
from proofs_check.claims.beimel_brenner.efficient_learners import least_naming_failure
from proofs_check.claims.claim import Kind, Verdict, claim
from proofs_check.claims.decision import Decision, all_of, at_least, at_most, equal, holds
from proofs_check.claims.feldman_xiao.learning import disagreement
from proofs_check.claims.grid import grid, table
from proofs_check.claims.grids import distributions_with_denominator
from proofs_check.claims.variants import near, plus, times

ONE, HALF, QUARTER = Epsilon.of(1), Fraction(1, 2), Fraction(1, 4)


def _offered(h: int, points: int, accuracy: Fraction) -> tuple[int, ...]:
    """Return the reconstruction's candidates: the points with h = 1, otherwise the first few."""

    def make(a: Fraction, failure: Fraction, epsilon: Epsilon) -> NonprivatePointLearner:
        return NonprivatePointLearner(a, failure, epsilon, bits=1)

    learner = LightReconstruction(accuracy, QUARTER, ONE, points, points, make)
    return learner.candidates(np.array([h >> j & 1 for j in range(points)], dtype=np.bool_))


def _ones(h: int, points: int, _accuracy: Fraction) -> tuple[int, ...]:
    return tuple(j for j in range(points) if h >> j & 1)


@claim(
    "bbkn/def-4.10",
    "Definition 4.10",
    "Weight of hypotheses",
    Kind.DEFINITION,
    over=grid(points=[3, 6]).medium(points=[9]),
    near=near("The weight is the number of points on which the hypothesis is 0.", value=plus(-1)),
)
def weights(points: int, *, value: int = 1) -> Decision:
    """The weight of a hypothesis is the number of points on which it is 1. If the hypothesis is not
    zero, its weight is the number of its candidates in the reconstruction of Theorem 4.11.
    """
    return all_of(
        (
            f"h={h:b}",
            equal(len(_offered(h, points, HALF)), sum(h >> x & 1 == value for x in range(points))),
        )
        for h in range(1, 1 << points)
    )


def _represented(
    points: int,
    accuracy: Fraction,
    share: Fraction,
    hypotheses: Iterable[int],
    offered: Callable[[int, int, Fraction], Iterable[int]],
) -> Decision:
    """Decide whether every good hypothesis has a candidate of error at most half the accuracy."""
    cases = (
        (f"D={list(map(str, D))} t={t} h={h:b}", any(_errs(D, j, t) <= accuracy / 2 for j in offer))
        for h in hypotheses
        for offer in [tuple(offered(h, points, accuracy))]
        for D in distributions_with_denominator(points, 6)
        for t in range(points)
        if disagreement(D, h, 1 << t) <= share * accuracy
    )
    return all_of(cases, "some candidate has error at most accuracy/2")


def _errs(D: tuple[Fraction, ...], j: int, t: int) -> Fraction:
    return Fraction(0) if j == t else D[j] + D[t]


@claim(
    "bbkn/thm-4.11-printed",
    "proof of Theorem 4.11, as printed",
    "If h has small error, some c_j with h(j) = 1 has small error",
    Kind.ERRATUM,
    over=table("points accuracy", (2, "1/2"), (4, "1/2")),
    near=[
        near(
            "The statement for all hypotheses except zero.",
            hypotheses=lambda points: range(1, 1 << points),
        ),
        near(
            "The statement if h has error accuracy/4 and the zero function has ceil(4/accuracy) "
            "candidates.",
            share=times(HALF),
            offered=_offered,
        ),
    ],
    recorded=Verdict.FAILS,
    survives="yes: use ceil(4/accuracy) points as candidates of the zero function, and run the "
    "learner with accuracy/4",
)
def zero_has_no_candidate(
    points: int,
    accuracy: str,
    *,
    hypotheses: Callable[[int], Iterable[int]] = lambda points: range(1 << points),
    share: Fraction = HALF,
    offered: Callable[[int, int, Fraction], Iterable[int]] = _ones,
) -> Decision:
    """If the error of h on the target is at most accuracy/2, some concept c_j with h(j) = 1 has
    error at most accuracy/2. The zero function refutes this, because there is no such j.
    """
    return _represented(points, Fraction(accuracy), share, hypotheses(points), offered)


@claim(
    "bbkn/thm-4.11-corrected",
    "proof of Theorem 4.11, corrected",
    "Some candidate of a nonzero hypothesis is no worse than the hypothesis",
    Kind.LEMMA,
    over=table("accuracy points", ("9/10", 4), ("1/2", 3), ("1/10", 2)).medium(("1/2", 6)),
    near=[
        near(
            "The first point where h is 1 is such a j.",
            offered=lambda h, points, a: _ones(h, points, a)[:1],
        ),
        near("The statement for any ceil(4/accuracy) - 2 concepts.", arbitrary=plus(-2)),
        near("The statement if h has error at most 13/50 accuracy.", share=times(Fraction(26, 25))),
        near(
            "One of the concepts has error at most 49/100 accuracy.", half=times(Fraction(49, 50))
        ),
    ],
    uses=["bbkn/def-4.10"],
    corrects="bbkn/thm-4.11-printed",
)
def no_worse_candidate(
    accuracy: str,
    points: int,
    *,
    offered: Callable[[int, int, Fraction], Iterable[int]] = _offered,
    arbitrary: Callable[[Fraction], int] = lambda a: ceil(4 / a),
    share: Fraction = QUARTER,
    half: Fraction = HALF,
) -> Decision:
    """If h is not zero, some concept c_j with h(j) = 1 disagrees with the target only where h does.
    If h is zero and has error at most accuracy/4, one of any ceil(4/accuracy) concepts has error at
    most accuracy/2."""
    a = Fraction(accuracy)
    n = arbitrary(a)

    def included(h: int, t: int) -> bool:
        wrong = h ^ 1 << t
        return any((1 << j ^ 1 << t) & ~wrong == 0 for j in offered(h, points, a))

    def distributions() -> Iterator[tuple[str, tuple[Fraction, ...]]]:
        """Yield distributions on n points and the point of the target, which is the last one."""
        yield f"{n} equal masses", (*[(1 - share * a) / n] * n, share * a)
        if n <= 5:
            yield from (
                (str(list(map(str, D))), D) for D in distributions_with_denominator(n + 1, 6)
            )

    what = "some c_j with h(j) = 1 disagrees with c_t only where h does"
    hypotheses = product(range(1, 1 << points), range(points))
    best = (
        (name, at_most(min(_errs(D, j, n) for j in range(n)), half * a))
        for name, D in distributions()
        if D[n] <= share * a
    )
    nonzero = all_of(((f"h={h:b} t={t}", included(h, t)) for h, t in hypotheses), what)
    return all_of([("not zero", nonzero), ("zero", all_of(best))])


def _least_failure(points: int, weight: int, m: int, factor: int = 4) -> Fraction:
    """Return the least failure probability of private learners with hypotheses of one weight."""
    pool = list(combinations(range(points), weight))
    tasks: list[Task[int]] = [
        {((j,) * m, i): Fraction(1) for i, h in enumerate(pool) if j in h} for j in range(points)
    ]
    return least_private_failure_on(range(points), m, len(pool), tasks, Fraction(factor))


@claim(
    "bbkn/thm-4.11-weights",
    "Theorem 4.11, for distributions on one point",
    "The weight of hypotheses for distributions on one point",
    Kind.LEMMA,
    over=table("points weight m", (3, 1, 1), (3, 1, 2), (4, 2, 1), (4, 3, 1), (4, 2, 2)).medium(
        (5, 2, 1), (5, 3, 2)
    ),
    near=[
        near("The bound for weight w - 1.", heaviest=plus(-1)),
        near("The bound with e^(epsilon (m + 1)).", samples=plus(1)),
        near("The bound with e^(11/10 epsilon m).", growth=times(Fraction(11, 10))),
    ],
    uses=["bbkn/def-4.10"],
)
def weight_is_needed(
    points: int,
    weight: int,
    m: int,
    *,
    heaviest: Callable[[int], int] = int,
    samples: Callable[[int], int] = int,
    growth: int = 4,
) -> Decision:
    """Consider distributions on one of T points. An epsilon-private learner with m examples and
    hypotheses of weight w fails for some point with probability at least (T - w)/(T - w + w
    e^(epsilon m)), and for m = 1 some learner attains this bound. So the weight must grow like T
    e^(-epsilon m). Compared with the smallest failure probability of all ln(4)-private learners.
    """
    w = heaviest(weight)
    stated = Fraction(points - w, points - w + w * growth ** samples(m))
    return (equal if m == 1 else at_least)(_least_failure(points, weight, m), stated)


def _needed(points: int) -> int:
    return packing_sample_size(points, Epsilon.of("ln 4"), QUARTER)


@claim(
    "bbkn/thm-4.11-samples-printed",
    "proof of Theorem 4.11, step 2, as printed",
    "A learner with hypotheses of weight less than z needs log z examples",
    Kind.ERRATUM,
    over=grid(points=[3, 5]).medium(points=[6]),
    near=near("The statement with ceil(ln(3 (n - 1)) / epsilon) examples.", given=_needed),
    recorded=Verdict.FAILS,
    survives="yes: the learner is run on its own o(d) examples, which the total number of examples "
    "already includes",
)
def log_z_examples(points: int, *, given: Callable[[int], int] = lambda _: 1) -> Decision:
    """As printed: log2 z examples are enough for a learner with failure probability 1/4 whose
    hypotheses have weight less than z. This is refuted for z = 2, that is, for hypotheses that are
    1 on at most one point: from one example, every ln(4)-private learner fails with a larger
    probability for the distribution on one of n >= 3 points.
    """
    return at_most(least_naming_failure(points, given(points)), QUARTER, trivial=1)


@claim(
    "bbkn/thm-4.11-samples",
    "proof of Theorem 4.11, step 2, corrected",
    "The number of examples that a learner with light hypotheses needs",
    Kind.LEMMA,
    over=grid(points=[2, 3, 5]).medium(points=[6]),
    near=[
        near("One example fewer is enough.", given=plus(-1)),
        near("One more example is needed.", given=plus(1)),
    ],
    uses=["bbkn/efficient-lower-packing"],
    corrects="bbkn/thm-4.11-samples-printed",
)
def as_many_as_it_needs(points: int, *, given: Callable[[int], int] = _needed) -> Decision:
    """Consider private learners with failure probability 1/4 whose hypotheses are 1 on at most one
    point. For the distributions on one of n points, ceil(ln(3 (n - 1)) / epsilon) examples are
    enough, and fewer are not. So the number of examples grows with n, although each hypothesis is 1
    on at most one point. The check compares it with the minimum failure probability of all
    ln(4)-private learners.
    """
    m = given(points)
    enough = m > 0 and least_naming_failure(points, m) <= QUARTER
    fewer = m > 1 and least_naming_failure(points, m - 1) <= QUARTER
    return holds(enough and not fewer, f"{m} examples are enough, and no fewer")
