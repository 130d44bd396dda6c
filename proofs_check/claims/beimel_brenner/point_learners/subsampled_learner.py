"""Section 4.2: the subsampled learner of points with a constant number of examples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import ceil, prod
from typing import Any, TypeAlias

import flint

from ccsim.errors import DomainError
from ccsim.exact import Epsilon, binomial_tail
from ccsim.exact.exponentials import Real, power, rational
from ccsim.exact.intervals import ball_interval, ball_of
from ccsim.learning import NoisyConsistentPoint, SubsampledPoint
from ccsim.learning.learners.noisy_points import NULL
from ccsim.learning.sample_size import log_ceiling
from ccsim.privacy import Mechanism, RandomizedResponse, Subsampled, audit
from ccsim.privacy.constructions import printed_keeping_rate
from proofs_check.claims.beimel_brenner.point_learners.noisy_learner import (
    ONE,
    Formula,
    PointMechanism,
    Record,
    Size,
    answered,
    distribution_of_steps,
    distributions,
    quarter_examples,
    same_distributions,
)
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, at_most, equal
from proofs_check.claims.evidence import recheck, rounded_up
from proofs_check.claims.grid import grid, table
from proofs_check.claims.variants import near, plus, times

Learner: TypeAlias = Callable[[int, Fraction], PointMechanism]
"""Of a number of points and an accuracy."""

LN4 = Epsilon.of("ln 4")


def _distribution_over_subsets(
    sample: Sequence[Record], rate: Fraction, distribution: Callable[[list[Record]], dict[Any, Any]]
) -> dict[int | None, Fraction]:
    """Return the mixture over all sets of kept entries; the other entries become null."""
    total: dict[int | None, Fraction] = {}
    for kept in product((True, False), repeat=len(sample)):
        weight = prod((rate if k else 1 - rate for k in kept), start=Fraction(1))
        masked = [z if k else NULL for z, k in zip(sample, kept, strict=True)]
        for h, q in distribution(masked).items():
            total[h] = total.get(h, Fraction(0)) + weight * q
    return total


@claim(
    "bbkn/alg-A2",
    "section 4.2, algorithm A2",
    "Algorithm A2",
    Kind.DEFINITION,
    over=table("T m", (2, 1), (2, 2)).medium((2, 3), (3, 2)),
    near=[
        near(
            "A2 gives no answer with a slightly larger probability.",
            silent=times(Fraction(101, 100)),
        ),
        near(
            "The mechanism keeps entries with a slightly larger probability.",
            rate=times(Fraction(101, 100)),
        ),
        near("A1 has slightly more noise.", noise=times(Fraction(101, 100))),
    ],
    uses=["bbkn/alg-A1"],
)
def subsampled_point(
    T: int,
    m: int,
    *,
    silent: Formula = lambda alpha: alpha / 8,
    rate: Formula = lambda alpha: alpha / 4,
    noise: Formula = lambda alpha: alpha / 8,
) -> Decision:
    """A2 gives no answer with probability alpha/8. Otherwise it runs A1, with noise alpha/8, on a
    subset of the sample that contains every entry independently with probability alpha/4."""
    a = Fraction(2, 5)

    def stated(S: Sequence[Record]) -> dict[int | None, Fraction]:
        distribution = _distribution_over_subsets(
            S, rate(a), lambda kept: distribution_of_steps(kept, T, noise(a))
        )
        mixed = {h: (1 - silent(a)) * p for h, p in distribution.items()}
        return {**mixed, None: mixed.get(None, Fraction(0)) + silent(a)}

    return same_distributions(SubsampledPoint(T, a), m, stated)


@cache
def least_factor(mechanism: Mechanism[Any, Any], m: int) -> Fraction:
    """Return the least ``e^eps`` for which a mechanism is private on m records, re-checked.

    Raises
    ------
    DomainError
        If there is none.
    """
    result = recheck(audit(mechanism, "ln 4", 0, m))
    if result.factor is None:
        raise DomainError("the mechanism is not private for any epsilon")
    return rational(result.factor)


@claim(
    "bbkn/claim-4.3",
    "Claim 4.3, sharpened",
    "Privacy of A2",
    Kind.LEMMA,
    over=table("alpha T m", ("2/5", 2, 2), ("1/4", 2, 1), ("49/100", 3, 1), ("1/100", 2, 1)).medium(
        ("2/5", 2, 3), ("2/5", 3, 2), ("1/4", 3, 2)
    ),
    near=[
        near("The privacy parameter is smaller by 1/1000.", factor=times(Fraction(999, 1000))),
        near(
            "The statement with noise alpha/9.", learner=lambda T, a: SubsampledPoint(T, a, a / 9)
        ),
    ],
    uses=["bbkn/alg-A2", "bbkn/def-2.1"],
)
def constant_privacy(
    alpha: str,
    T: int,
    m: int,
    *,
    factor: Formula = lambda alpha: 1 + 8 / (4 - alpha),
    learner: Learner = SubsampledPoint,
) -> Decision:
    """For alpha < 1/2, A2 is ln 4-private, and even ln(1 + 8/(4 - alpha))-private."""
    a = Fraction(alpha)
    return at_most(least_factor(learner(T, a), m), factor(a), trivial=4)


@claim(
    "bbkn/claim-4.3-utility",
    "Claim 4.3, sharpened, utility",
    "Utility of A2",
    Kind.LEMMA,
    over=table("alpha points", ("2/5", 3), ("49/100", 3)).medium(("1/4", 5)),
    near=[
        near("The statement with 3/4 of the examples.", examples=times(Fraction(3, 4))),
        near(
            "A2 keeps fewer than 11/2 ln 4 / alpha examples with the stated probability.",
            kept=times(Fraction(11, 8)),
        ),
        near(
            "A2 keeps too few examples with at most 4/73 of the stated probability.",
            few=times(Fraction(4, 73)),
        ),
        near("A2 fails with probability at most 15/88.", failure=times(Fraction(3, 11))),
    ],
    uses=["bbkn/alg-A2", "bbkn/A1-utility", "bbkn/chernoff"],
)
def subsampled_utility(
    alpha: str,
    points: int,
    *,
    examples: Size = lambda alpha: log_ceiling(32 / alpha**2, Fraction(4), ONE),
    kept: Formula = lambda alpha: Fraction(2 * quarter_examples(alpha)),
    few: Callable[[Fraction], Real] = lambda alpha: power(Fraction(4), -1 / alpha),
    failure: Fraction = Fraction(5, 8),
) -> Decision:
    """For alpha < 1/2 and 32 ln 4 / alpha^2 examples of a point function, A2 keeps fewer than 4 ln
    4 / alpha examples with probability at most exp(-ln 4 / alpha) < 1/16, and has error at least
    alpha with probability at most 5/8 (the confidence 3/4 in the paper is a failure
    probability)."""
    a = Fraction(alpha)
    m = int(examples(a))
    lost = binomial_tail(m, 1 - a / 4, m - ceil(kept(a)) + 1)
    A1 = NoisyConsistentPoint(points, a / 8)
    fails = (
        (list(map(str, D)), at_most(subsampled_failure(A1, D, m, a), failure))
        for D in distributions(points, a)
    )
    return all_of([("too few", at_most(rounded_up(lost), few(a))), ("A2", all_of(fails))])


def subsampled_failure(
    inner: PointMechanism, D: Sequence[Fraction], m: int, alpha: Fraction, rate: Real = Fraction(1)
) -> Fraction:
    """Return a bound on the failure probability of A2 or A5 on m examples after subsampling."""
    with flint.ctx.workprec(128):
        chance = ball_interval(ball_of(1 - D[0] * rational(rate) * alpha / 4) ** m)
    missing = rounded_up(chance.upper)
    return alpha / 8 + (1 - alpha / 8) * answered(inner, D, missing, alpha)


def _printed_rate(e: Fraction, f: Fraction) -> Fraction:
    return (e - 1) / (f + e - e / f - 1)


MECHANISMS: dict[str, Callable[[Fraction], Mechanism[Any, Any]]] = {
    "A2": lambda _: SubsampledPoint(2, Fraction(2, 5)),
    "response": lambda f: RandomizedResponse((0, 1, NULL), Epsilon(Fraction(0), f)),
}


@claim(
    "bbkn/lemma-4.4",
    "Lemma 4.4, and a larger rate",
    "Privacy by subsampling, for two rates",
    Kind.LEMMA,
    over=table(
        "mechanism inner factor",
        ("A2", "4", "2"),
        ("response", "4", "2"),
        ("response", "3", "5/4"),
        ("response", "2", "3/2"),
    ).medium(("A2", "4", "3/2"), ("response", "5", "3")),
    near=[
        near(
            "The printed rate can be larger by 1/100 in the proof.", rate=times(Fraction(101, 100))
        ),
        near("The larger rate can be larger by 1/100.", larger=times(Fraction(101, 100))),
        near(
            "The statement for a slightly smaller privacy parameter.", within=plus(Fraction(1, 100))
        ),
    ],
    uses=["bbkn/def-2.1"],
)
def subsampling(
    mechanism: str,
    inner: str,
    factor: str,
    *,
    rate: Callable[[Fraction, Fraction], Fraction] = _printed_rate,
    larger: Callable[[Fraction, Fraction], Fraction] = lambda e, f: (e - 1) / (f - 1),
    within: Callable[[str], Fraction] = Fraction,
) -> Decision:
    """Keep every entry of the database of an eps*-private mechanism with probability f = (e^eps -
    1)/(e^eps* + e^eps - e^(eps - eps*) - 1), and otherwise replace it by a null entry. This makes
    the mechanism eps-private, since (1 + f(e^eps* - 1))/(1 - f(1 - e^-eps*)) = e^eps. The larger
    rate (e^eps - 1)/(e^eps* - 1) makes it eps-private too."""
    e, f = Fraction(factor), Fraction(inner)
    private, kept, most = MECHANISMS[mechanism](within(inner)), rate(e, f), larger(e, f)
    return all_of(
        [
            ("the proof", equal((1 + kept * (f - 1)) / (1 - kept * (1 - 1 / f)), e)),
            ("f", at_most(least_factor(Subsampled(private, kept, NULL), 1), e)),
            ("the larger rate", at_most(least_factor(Subsampled(private, most, NULL), 1), e)),
        ]
    )


@claim(
    "bbkn/alg-A3",
    "proof of Claim 4.5, algorithm A3",
    "Algorithm A3",
    Kind.DEFINITION,
    over=grid(m=[1, 2]),
    near=[
        near(
            "The mechanism keeps entries with a slightly larger probability.",
            rate=times(Fraction(101, 100)),
        ),
        near(
            "The statement with noise alpha/9.", learner=lambda T, a: SubsampledPoint(T, a, a / 9)
        ),
    ],
    uses=["bbkn/alg-A2", "bbkn/lemma-4.4"],
)
def starred_subsample(
    m: int,
    *,
    rate: Callable[[Fraction, Fraction], Fraction] = _printed_rate,
    learner: Learner = SubsampledPoint,
) -> Decision:
    """A3 is A2 on a database whose entries are kept independently with the rate of Lemma 4.4 for
    eps* = ln 4, and are null otherwise."""
    alpha = Fraction(2, 5)
    A2 = learner(2, alpha)
    A3 = Subsampled(SubsampledPoint(2, alpha), printed_keeping_rate(Epsilon.of("ln 2"), LN4), NULL)
    kept = rate(Fraction(2), Fraction(4))
    return same_distributions(
        A3,
        m,
        lambda S: _distribution_over_subsets(S, kept, lambda Z: A2.distribution(Z).as_mapping()),
    )
