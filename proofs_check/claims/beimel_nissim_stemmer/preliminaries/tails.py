"""Section 2.6: tail bounds for sums of independent coins."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor

from ccsim.exact import Epsilon, Interval
from ccsim.exact.epsilon import BallArithmetic
from proofs_check.claims.beimel_nissim_stemmer.constructions.binomial_tails import enclose_tail
from proofs_check.claims.claim import Kind, Verdict, claim
from proofs_check.claims.decision import Decision, all_of, at_most
from proofs_check.claims.grid import table
from proofs_check.claims.variants import near, times

THIRD = Fraction(1, 3)


def _exp(exponent: Fraction) -> Interval:
    """Enclose ``e^exponent``."""
    balls = BallArithmetic(Epsilon(Fraction(1)))
    with balls.working():
        found = balls.result(balls.exp(exponent))
    assert isinstance(found, Interval)  # noqa: S101 - of balls
    return found


def _above(n: int, p: Fraction, delta: Fraction) -> Interval:
    """Return ``Pr[X > (1 + delta) p n]``."""
    return enclose_tail(n, p, floor((1 + delta) * p * n) + 1)


def _below(n: int, p: Fraction, delta: Fraction) -> Interval:
    """Return ``Pr[X < (1 - delta) p n]``."""
    return enclose_tail(n, 1 - p, n - ceil((1 - delta) * p * n) + 1)


def _square(delta: Fraction) -> Fraction:
    return delta**2 / 3


@claim(
    "bns/chernoff-printed",
    "section 2.6, as printed",
    "The first tail bound holds for every delta > 0",
    Kind.ERRATUM,
    over=table("n p delta", (1, "1/10", "17/2"), (1000, "1/1000", "9"), (10**6, "1/1000", "2")),
    near=near(
        "The inequality with e^(-pn delta^2/(2 + delta)).",
        exponent=lambda delta: delta**2 / (2 + delta),
    ),
    recorded=Verdict.FAILS,
    survives="yes: the paper uses it only for delta <= 1; with 2 + delta in place of 3 it holds "
    "for every delta",
)
def printed_upper_tail(
    n: int, p: str, delta: str, *, exponent: Callable[[Fraction], Fraction] = _square
) -> Decision:
    """Pr[X > (1 + delta) pn] <= e^(-pn delta^2/3) for X = Bin(n, p) and every delta > 0. One coin
    of probability 1/10, which exceeds 19/20 with probability 1/10, refutes it.
    """
    q, d = Fraction(p), Fraction(delta)
    return at_most(_above(n, q, d), _exp(-q * n * exponent(d)))


@claim(
    "bns/chernoff",
    "section 2.6, corrected",
    "Tail bounds",
    Kind.LEMMA,
    over=table(
        "n p",
        *((n, p) for n in (1, 2, 20) for p in ("1/10", "1/2", "9/10")),
        (200, "1/3"),
        (10**6, "1/1000"),
        (10**8, "1/1000"),
    ),
    near=[
        near("The first inequality with e^(-2 pn delta^2/5).", above=times(Fraction(6, 5))),
        near("The first inequality for delta <= 2.", largest=times(2)),
        near("The second inequality with e^(-21/40 pn delta^2).", beneath=times(Fraction(21, 20))),
    ],
    corrects="bns/chernoff-printed",
)
def tail_bounds(
    n: int,
    p: str,
    *,
    above: Fraction = THIRD,
    beneath: Fraction = Fraction(1, 2),
    largest: int = 1,
) -> Decision:
    """For X = Bin(n, p): Pr[X > (1 + delta) pn] <= e^(-pn delta^2/3) for 0 < delta <= 1, and Pr[X <
    (1 - delta) pn] <= e^(-pn delta^2/2) for 0 < delta < 1. Checked with the binomial distribution
    for delta = 1/10, 1/4, 1/2, 9/10, and for delta = 1 in the first inequality."""
    q = Fraction(p)
    steps = [Fraction(1, 10), Fraction(1, 4), Fraction(1, 2), Fraction(9, 10), Fraction(1)]
    upper = (
        (f"above by {d}", at_most(_above(n, q, d), _exp(-above * q * n * d**2)))
        for d in (step * largest for step in steps)
    )
    lower = (
        (f"below by {d}", at_most(_below(n, q, d), _exp(-beneath * q * n * d**2)))
        for d in steps[:-1]
    )
    return all_of([*upper, *lower])
