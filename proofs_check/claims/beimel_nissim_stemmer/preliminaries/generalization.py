"""Section 2.2.3: sample sizes for learning, and for empirical errors close to the errors."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import ceil, comb, floor

from ccsim.exact import Epsilon, Interval, binomial_tail
from ccsim.exact.exponentials import power
from ccsim.learning.sample_size import log_ceiling
from proofs_check.claims.beimel_nissim_stemmer.constructions.binomial_tails import enclose_tail
from proofs_check.claims.claim import Kind, Verdict, claim
from proofs_check.claims.decision import Decision, Side, at_least, at_most
from proofs_check.claims.grid import grid, table
from proofs_check.claims.variants import near, times

ONE = Epsilon(Fraction(1))


def _log(factor: Fraction, argument: Fraction) -> int:
    """Return ``ceil(factor ln(argument))``."""
    return log_ceiling(factor, argument, ONE)


def _seen(points: int, light: Fraction, draws: int, most: int | None = None) -> list[Fraction]:
    """Return the distribution of the number of distinct light points drawn.

    All light points have equal masses, ``light`` in total. If ``most`` is given, larger numbers are
    omitted.
    """
    p, q = light.numerator, light.denominator
    whole = q * points
    ways = [1]
    for _ in range(draws):
        new = [0] * min(len(ways) + 1, points + 1)
        for seen, w in enumerate(ways):
            fresh = (points - seen) * p
            new[seen] += w * (whole - fresh)
            if fresh:
                new[seen + 1] += w * fresh
        ways = new if most is None else new[: most + 1]
    return [Fraction(w, whole**draws) for w in ways]


@claim(
    "bns/thm-2.12",
    "Theorem 2.12, cited",
    "Lower bound for PAC learning",
    Kind.THEOREM,
    over=grid(dimension=[2, 3, 9, 33, 129, 257], accuracy=["1/8"]).medium(accuracy=["1/16"]),
    near=[
        near("The statement for (VC - 1)/(9/2 alpha) examples.", divisor=times(Fraction(3, 4))),
        near("Every learner fails with probability at least 1/6.", failure=times(Fraction(5, 3))),
        near(
            "The statement with mass 11/4 alpha on the other points.", light=times(Fraction(1, 2))
        ),
    ],
    uses=["bns/def-2.7", "bns/def-2.11"],
)
def learning_needs_dimension(
    dimension: int,
    accuracy: str,
    *,
    divisor: Fraction = Fraction(6),
    failure: Fraction = Fraction(1, 10),
    light: Fraction = Fraction(11, 2),
) -> Decision:
    """Every learner needs Omega(VC/alpha) examples: from at most (VC - 1)/(6 alpha) examples every
    learner fails with probability at least 1/10 on some concept and distribution. Decided for all
    classes of the given dimension: one point of a shattered set has mass 1 - 11/2 alpha, and the
    others have equal masses; under random labels, all guesses of unseen labels are equally good.
    """
    alpha, others = Fraction(accuracy), dimension - 1
    m, mass = floor(others / (divisor * alpha)), light * alpha
    enough = floor(alpha * others / mass) + 1  # so many wrong labels are an error above alpha
    missed = (
        chance * binomial_tail(others - seen, Fraction(1, 2), enough)
        for seen, chance in enumerate(_seen(others, mass, m))
    )
    return at_least(sum(missed, Fraction(0)), failure, f"{m} examples")


@cache
def _growth(dimension: int, size: int) -> int:
    """Return the maximum number of labellings of ``size`` points (Sauer's lemma)."""
    return sum(comb(size, i) for i in range(dimension + 1))


@claim(
    "bns/thm-2.13",
    "Theorem 2.13, cited",
    "Consistent hypotheses generalise",
    Kind.THEOREM,
    over=table(
        "dimension accuracy failure",
        (1, "1/2", "1/10"),
        (1, "1/100", "1/1000"),
        (20, "9/10", "9/10"),
        (100, "1", "1"),
        (1, "1/10", "1e-300"),
    ),
    near=[
        near("The statement with 4/alpha in place of 8/alpha.", constant=times(Fraction(1, 2))),
        near(
            "The statement with ln(4/alpha) in place of ln(16/alpha).", inside=times(Fraction(1, 4))
        ),
        near("The statement with ln(2/beta)/3 in place of ln(2/beta).", rare=times(Fraction(1, 3))),
    ],
    uses=["bns/def-2.6", "bns/def-2.8", "bns/def-2.11"],
)
def consistent_hypotheses(
    dimension: int,
    accuracy: str,
    failure: str,
    *,
    constant: Fraction = Fraction(8),
    inside: Fraction = Fraction(16),
    rare: Fraction = Fraction(1),
) -> Decision:
    """With m >= (8/alpha)(VC ln(16/alpha) + ln(2/beta)) examples of a concept, with probability at
    least 1 - beta no concept of error above alpha is consistent with all examples. Decided for all
    classes and distributions at once by the bound in the proof of Blumer et al.: the failure
    probability is at most twice the number of labellings of 2m points, by Sauer's lemma, times
    2^(-alpha m / 2). This bound is too large to prove the variants; see bns/thm-2.13-exact.
    """
    alpha, beta = Fraction(accuracy), Fraction(failure)
    spread = _log(constant / alpha * dimension, inside / alpha)
    m = max(spread + _log(constant / alpha * rare, 2 / beta) - 1, 1)  # no more than is asked
    needed = power(Fraction(2), -alpha * m / 2) * 2 * _growth(dimension, 2 * m)
    return at_most(needed, beta, f"{m} examples")


@claim(
    "bns/thm-2.13-exact",
    "Theorem 2.13, cited",
    "Consistent hypotheses of single classes generalise",
    Kind.THEOREM,
    over=table(
        "concepts accuracy failure",
        (2, "1/100", "1e-300"),
        (2, "1/2", "1/10"),
        (2**80, "1/2", "9/10"),
    ),
    near=[
        near(
            "The statement with 3/28 ln(2/beta) in place of ln(2/beta).",
            rare=times(Fraction(3, 28)),
        ),
        near("The statement with VC/125 in place of VC.", wide=times(Fraction(1, 125))),
    ],
    uses=["bns/thm-2.13"],
)
def single_classes(
    concepts: int,
    accuracy: str,
    failure: str,
    *,
    rare: Fraction = Fraction(1),
    wide: Fraction = Fraction(1),
) -> Decision:
    """The number of examples of Theorem 2.13 is enough for two concepts that differ with
    probability slightly above alpha, and for all functions on 80 equally likely points. Checked
    with the exact probability that a bad concept is consistent. The number is larger than necessary
    by factors of 8 to 10 and of about 100, respectively.
    """
    alpha, beta = Fraction(accuracy), Fraction(failure)
    spread = _log(8 / alpha * (concepts.bit_length() - 1) * wide, 16 / alpha)
    m = max(spread + _log(8 / alpha * rare, 2 / beta) - 1, 1)
    if concepts == 2:
        return at_most((1 - alpha) ** m, beta, f"{m} examples")
    points = concepts.bit_length() - 1
    most = ceil(points * (1 - alpha)) - 1  # so few seen points leave an error above alpha
    return at_most(sum(_seen(points, Fraction(1), m, most), Fraction(0)), beta, f"{m} examples")


def _size(
    dimension: int,
    alpha: Fraction,
    beta: Fraction,
    constant: Fraction,
    exponent: int,
    *,
    logarithm: bool = True,
) -> int:
    """Return ``constant dimension / alpha^exponent ln(1/(alpha beta))`` rounded up, at least 1."""
    factor = constant * dimension / alpha**exponent
    return max(_log(factor, 1 / (alpha * beta)) if logarithm else ceil(factor), 1)


def _one(m: int, alpha: Fraction) -> Side:
    """Return the probability that m tosses have a number of heads over alpha m away from m/2."""
    half = Fraction(1, 2)
    tail = enclose_tail(m, half, floor(m * (half + alpha)) + 1)
    return Interval(2 * tail.lower, 2 * tail.upper)


def _thresholds(m: int, alpha: Fraction, cells: int = 4) -> Side:
    """Return the failure probability of uniform convergence for thresholds on uniform points."""
    inside = [1] + [0] * m  # samples by the number of examples so far, none of them off
    for i in range(1, cells + 1):
        inside = [
            sum(inside[c - j] * comb(m - c + j, j) for j in range(c + 1))
            if abs(Fraction(c, m) - Fraction(i, cells)) <= alpha
            else 0
            for c in range(m + 1)
        ]
    return 1 - Fraction(inside[m], cells**m)


def _all_functions(m: int, alpha: Fraction, points: int) -> Side:
    """Return the failure probability of uniform convergence for all functions on uniform points.

    There are at most as many examples as points. Then the frequency of every point in the sample is
    at least its mass, and the function that is 1 on the unseen points deviates most.
    """
    if m > points:
        return Interval(Fraction(0), Fraction(1))
    most = ceil(points * (1 - alpha)) - 1
    return sum(_seen(points, Fraction(1), m, most), Fraction(0))


DIMENSIONS = {"one": 0, "thresholds": 1, "all functions": 1000}


def _off(hypotheses: str, m: int, alpha: Fraction) -> Side:
    if hypotheses == "one":
        return _one(m, alpha)
    if hypotheses == "thresholds":
        return _thresholds(m, alpha)
    return _all_functions(m, alpha, DIMENSIONS[hypotheses])


DEVIATIONS = (
    ("one", "1/4", "1/10"),
    ("one", "1/1000", "1/10"),
    ("one", "1/4", "1e-50"),
    ("thresholds", "1/2", "1/2"),
    ("thresholds", "4/5", "1/2"),
    ("all functions", "99/100", "9999/10000"),
)


def _at_least_one(dimension: int) -> int:
    return max(dimension, 1)


def _itself(dimension: int) -> int:
    return dimension


@claim(
    "bns/thm-2.14-printed",
    "Theorem 2.14, as printed",
    "For a class of one hypothesis, no examples are needed for uniform convergence",
    Kind.ERRATUM,
    over=table("hypotheses accuracy failure", *DEVIATIONS[:2]),
    near=near("The statement with max(VC, 1) in place of VC.", dimension_of=_at_least_one),
    recorded=Verdict.FAILS,
    survives="yes: with max(VC, 1) in place of VC; the paper uses the theorem only for dimensions "
    "of at least 1",
)
def printed_uniform_convergence(
    hypotheses: str,
    accuracy: str,
    failure: str,
    *,
    dimension_of: Callable[[int], int] = _itself,
) -> Decision:
    """For every H, m >= (50 VC(H)/alpha^2) ln(1/(alpha beta)) examples are enough for all empirical
    errors to be within alpha of the errors. For a single hypothesis, VC = 0, so no example is
    needed: but a hypothesis of error 1/2 has empirical error 0 or 1 on one example."""
    alpha, beta = Fraction(accuracy), Fraction(failure)
    m = _size(dimension_of(DIMENSIONS[hypotheses]), alpha, beta, Fraction(50), 2)
    return at_most(_off(hypotheses, m, alpha), beta, f"{m} examples")


@claim(
    "bns/thm-2.14",
    "Theorem 2.14, cited, corrected",
    "Uniform convergence",
    Kind.THEOREM,
    over=table("hypotheses accuracy failure", *DEVIATIONS),
    near=[
        near("The statement with 50/59 in place of 50.", constant=times(Fraction(1, 59))),
        near("The statement with alpha in place of alpha^2.", exponent=1),
        near("The statement without the logarithm.", logarithm=False),
        near("The statement with VC in place of max(VC, 1).", dimension_of=_itself),
    ],
    uses=["bns/def-2.6", "bns/def-2.8", "bns/def-2.11"],
    corrects="bns/thm-2.14-printed",
)
def uniform_convergence(
    hypotheses: str,
    accuracy: str,
    failure: str,
    *,
    constant: Fraction = Fraction(50),
    exponent: int = 2,
    logarithm: bool = True,
    dimension_of: Callable[[int], int] = _at_least_one,
) -> Decision:
    """With m >= (50 max(VC(H), 1)/alpha^2) ln(1/(alpha beta)) examples, with probability at least 1
    - beta the empirical error of every h in H is within alpha of its error. Checked with the exact
    probability for a hypothesis of error 1/2, for thresholds on four points and for all functions
    on a thousand points; the target is 0 and the points are equally likely."""
    alpha, beta = Fraction(accuracy), Fraction(failure)
    m = _size(
        dimension_of(DIMENSIONS[hypotheses]), alpha, beta, constant, exponent, logarithm=logarithm
    )
    return at_most(_off(hypotheses, m, alpha), beta, f"{m} examples")
