"""Section 3.1: the least representations of points, and sample complexity of proper learners."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

from ccsim import (
    ConceptClass,
    HypothesisSet,
    deterministic_representation_size,
    points,
    representation_error,
)
from ccsim.exact.exponentials import power
from ccsim.representation import minimality, single_points
from ccsim.representation.size import DeterministicSizeResult
from proofs_check.claims.beimel_brenner.proper_lower_bounds import (
    ACCURACY,
    Others,
    Rows,
    concepts,
    least_failure,
)
from proofs_check.claims.claim import Kind, Verdict, claim
from proofs_check.claims.decision import Decision, above, all_of, at_least, equal, holds
from proofs_check.claims.evidence import recheck
from proofs_check.claims.feldman_xiao.learning import disagreement
from proofs_check.claims.grid import grid, table
from proofs_check.claims.variants import near, plus, times


def _points(number: int) -> Rows:
    return single_points(number).rows


@claim(
    "bbkn/prop-3.7",
    "Proposition 3.7",
    "Points are minimal for themselves",
    Kind.LEMMA,
    over=grid(points=[2, 3, 5], below=["1/100", "1/2", "3/4", "1"]).medium(points=[4, 8]),
    near=[
        near("The statement for an error of 1.", limit=plus(Fraction(1, 100))),
        near("The statement with the constant 0 added.", sets=lambda n: (0, *_points(n))),
        near("The statement without the last point.", sets=lambda n: _points(n)[:-1]),
    ],
)
def minimal_for_themselves(
    points: int,
    below: str,
    *,
    limit: Fraction = Fraction(1),
    sets: Callable[[int], Rows] = _points,
) -> Decision:
    """The class of at least two points represents itself with every error below 1, and no proper
    subset represents it.
    """
    H, error = HypothesisSet.from_rows(sets(points), points), limit - Fraction(below)
    result = recheck(minimality(H, single_points(points), error))
    return holds(result.minimal, f"error {error}: it errs {result.whole.value}")


def _functions(C: ConceptClass) -> Rows:
    return tuple(range(1 << len(C.points)))


@claim(
    "bbkn/cor-3.8",
    "Corollary 3.8, with explicit constants",
    "Proper private learning of points",
    Kind.COROLLARY,
    over=table("b m factor", (1, 1, 4), (1, 3, 2), (2, 1, 4), (2, 2, 2)).medium((3, 1, 2)),
    near=[
        near("The statement with 1/100 more than 2^b - 1.", others=times(Fraction(101, 100))),
        near("The statement with eps (m - 1).", steps=plus(-1)),
        near("The statement for learners with arbitrary outputs.", pool=_functions),
    ],
    uses=["bbkn/thm-3.6", "bbkn/prop-3.7"],
)
def points_need_their_logarithm(
    b: int,
    m: int,
    factor: int,
    *,
    others: Callable[[int], Fraction] = lambda b: Fraction(2**b - 1),
    steps: Callable[[int], int] = int,
    pool: Callable[[ConceptClass], Rows] = concepts,
) -> Decision:
    """Every proper eps-private learner of the 2^b points needs m >= (ln(2^b - 1) + ln((1 - beta) /
    beta)) / eps examples: beta e^(eps m) >= (2^b - 1) (1 - beta). Checked for the smallest beta, on
    distributions with a single point.
    """
    C = points(b)
    masses = (tuple(Fraction(x == y) for y in C.points) for x in C.points)
    beta = least_failure(C, pool(C), ACCURACY, tuple(enumerate(masses)), m, factor)
    least = others(b) * (1 - beta)
    return at_least(beta * factor ** steps(m), least, f"{beta} is the least failure")


@claim(
    "bbkn/lemma-3.9-printed",
    "proof of Lemma 3.9, as printed",
    "If a point has mass alpha, only its concept has error at most alpha",
    Kind.ERRATUM,
    over=table("b accuracy", (2, "1/10"), (3, "1/4")),
    near=[
        near("The statement with a mass larger by 1/100.", mass=times(Fraction(101, 100))),
        near("Every other c_j has error at least alpha.", more=at_least),
    ],
    recorded=Verdict.FAILS,
    survives="yes: masses slightly above the accuracy give a bound of this order",
)
def mass_equal_to_the_accuracy(
    b: int,
    accuracy: str,
    *,
    mass: Callable[[str], Fraction] = Fraction,
    more: Callable[[Fraction, Fraction], Decision] = above,
) -> Decision:
    """Let D_i have mass alpha on the point i >= 2 and the remaining mass on the point 1. Then a
    learner must output c_i on samples of D_i, because every other c_j has error above alpha.
    """
    C, alpha = points(b), Fraction(accuracy)
    distributions = enumerate(_beside(len(C.points), mass(accuracy)), 1)
    return all_of(
        (
            f"c_{j + 1} under D_{i + 1}",
            more(disagreement(distribution, C.rows[i], C.rows[j]), alpha),
        )
        for i, distribution in distributions
        for j in range(len(C.points))
        if j != i
    )


def _beside(number: int, mass: Fraction) -> Iterator[tuple[Fraction, ...]]:
    """Yield distributions on the first and another point, which has the given mass."""
    for i in range(1, number):
        yield tuple((1 - mass) * (x == 0) + mass * (x == i) for x in range(number))


@claim(
    "bbkn/lemma-3.9",
    "Lemma 3.9, corrected, with explicit constants",
    "Dependence of proper private learning of points on the accuracy",
    Kind.LEMMA,
    over=table("points m", (3, 1), (3, 2), (4, 1), (4, 2)).medium((3, 3), (5, 1)),
    near=[
        near("The statement with T - 1 in place of T - 2.", others=plus(1)),
        near("The statement with 4/7 (e^eps - 1).", growth=times(Fraction(4, 7))),
        near("The statement with masses equal to alpha.", mass=times(Fraction(5, 6))),
        near("The statement for learners with arbitrary outputs.", pool=_functions),
        near("The statement with eps in place of 4 eps.", printed=times(Fraction(1, 4))),
    ],
    uses=["bbkn/cor-3.8"],
    corrects="bbkn/lemma-3.9-printed",
)
def accuracy_multiplies_the_bound(
    points: int,
    m: int,
    *,
    others: Others = lambda T: T - 2,
    growth: Callable[[Fraction], Fraction] = lambda excess: excess,
    mass: Fraction = Fraction(6, 5),
    pool: Callable[[ConceptClass], Rows] = concepts,
    printed: int = 4,
) -> Decision:
    """Every proper eps-private (alpha, beta)-learner of T points needs m examples with (T - 2)(1 -
    beta) <= beta (1 + a (e^eps - 1))^m for every mass a > alpha, because for such a mass every
    other concept has error above alpha. So alpha (e^eps - 1) m >= ln(T - 2) + ln((1 - beta) /
    beta). This implies the inequality of the printed proof, (T - 2) e^(-4 eps a m) (1 - beta) <=
    beta, even without its factor e^(-a m / 3). Checked for the least beta, with e^eps = 4, alpha =
    1/4, a = 6/5 alpha.
    """
    C, alpha = single_points(points), Fraction(1, 4)
    a = mass * alpha
    targets = tuple(enumerate(_beside(points, a), 1))
    beta = least_failure(C, pool(C), alpha, targets, m, 4)
    least = others(points) * (1 - beta)
    return all_of(
        [
            ("growth", at_least(beta * (1 + growth(3 * a)) ** m, least)),
            ("as printed", at_least(beta * power(Fraction(4), printed * a * m), least)),
        ]
    )


@cache
def _least_size(points: int, error: Fraction) -> DeterministicSizeResult:
    return deterministic_representation_size(single_points(points), error)


@claim(
    "bbkn/lemma-3.10",
    "Lemma 3.10, sharpened by Sperner's theorem",
    "Representations of points have at least b hypotheses",
    Kind.LEMMA,
    over=table("points below", (2, "1/100"), (3, "1/4"), (4, "1/100"), (6, "1/100"), (7, "1/6"))
    .medium((5, "1/100"))
    .large((8, "1/100")),
    near=[
        near("binom(n, floor(n/2)) is above the number of points.", antichain=plus(-1)),
        near("The statement for an error of 1/2.", limit=plus(Fraction(1, 100))),
    ],
)
def at_least_logarithmic(
    points: int,
    below: str,
    *,
    limit: Fraction = Fraction(1, 2),
    antichain: Callable[[int], int] = lambda n: comb(n, n // 2),
) -> Decision:
    """If n hypotheses represent the single points of a domain with an error below 1/2, then
    binom(n, floor(n/2)) is at least the number of points, since the sets of hypotheses that accept
    a point form an antichain. For 2^b points this is stronger than the bound n >= b of the
    paper."""
    result = recheck(_least_size(points, limit - Fraction(below)))
    return at_least(antichain(result.size), points, f"{result.size} hypotheses are the fewest")


@claim(
    "bbkn/lemma-3.10-tight",
    "Lemma 3.10, converse",
    "Hypotheses represent as many points as Sperner's theorem allows",
    Kind.EXAMPLE,
    over=grid(k=[1, 2, 3]),
    near=[
        near("The statement with an error smaller by 1/100.", error=times(Fraction(99, 100))),
        near("The statement for the subsets of k + 1 hypotheses.", size=plus(1)),
    ],
    uses=["bbkn/lemma-3.10"],
)
def as_many_as_allowed(
    k: int,
    *,
    error: Callable[[int], Fraction] = lambda k: Fraction(k * k - 1, 2 * k * k - 1),
    size: Callable[[int], int] = int,
) -> Decision:
    """For odd n = 2k + 1 the bound of Lemma 3.10 is attained: n hypotheses represent binom(n, k)
    points with error (k^2 - 1)/(2k^2 - 1) < 1/2, where each point is accepted by k of them."""
    n = 2 * k + 1
    columns = list(combinations(range(n), size(k)))
    sets = tuple(sum((i in c) << x for x, c in enumerate(columns)) for i in range(n))
    H = HypothesisSet.from_rows(sets, len(columns))
    represented = recheck(representation_error(H, single_points(len(columns))))
    return all_of(
        [
            ("points", equal(len(columns), comb(n, n // 2))),
            ("error", equal(represented.value, error(k))),
        ]
    )
