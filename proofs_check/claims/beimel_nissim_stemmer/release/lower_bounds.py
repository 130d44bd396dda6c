"""Sections 2.4 and 4.4: lower bounds on the records of private sanitizers."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import TypeAlias

from ccsim import ConceptClass, effective_domain_size
from ccsim.exact import Epsilon, Interval
from ccsim.exact.exponentials import Real, enclose_log, power
from ccsim.instances import parse_class
from ccsim.privacy import RandomizedResponse, audit
from ccsim.release import sanitizer_lower_bound
from proofs_check.claims.beimel_brenner.release import best_release
from proofs_check.claims.beimel_nissim_stemmer.constructions.accuracy_bound import (
    least_accuracy,
    least_failure_on_half,
    printed_least_accuracy,
)
from proofs_check.claims.claim import Kind, Verdict, claim
from proofs_check.claims.decision import Decision, above, all_of, at_least, equal
from proofs_check.claims.evidence import recheck, vc_dimension
from proofs_check.claims.grid import grid, once, table
from proofs_check.claims.variants import near, plus, times

Bound: TypeAlias = Callable[[Fraction, str], Real]
"""Lower bound on the accuracy, given failure and privacy parameter."""


def _printed(failure: Fraction, epsilon: str) -> Real:
    return printed_least_accuracy(epsilon)


@claim(
    "bns/thm-2.20-printed",
    "Theorem 2.20, as printed",
    "Sanitizers for VC/2 records have error >= 1/(4 + 16 epsilon), for every failure probability",
    Kind.ERRATUM,
    over=table("epsilon failure", ("1", "3/10"), ("1/2", "2/5")),
    near=[
        near(
            "The statement with the bound that depends on the failure probability.",
            bound=least_accuracy,
        ),
        near("The statement for 5/8 of the failure probability.", share=Fraction(5, 8)),
    ],
    recorded=Verdict.FAILS,
    survives="yes for small failure probabilities: the corrected bound implies the printed one "
    "for failure probabilities up to 0.1877 at epsilon = 1, and up to 0.2530 at epsilon "
    "= 1/2; for a given failure probability the counterexample is small: at VC = 4, "
    "exact answers for two records fail with probability 0.72 at epsilon = 1",
)
def printed_accuracy(
    epsilon: str, failure: str, *, bound: Bound = _printed, share: Fraction = Fraction(1)
) -> Decision:
    """For m <= VC/2, any beta bounded away from 1 and epsilon <= 1, every (alpha, beta, epsilon,
    m)-sanitizer has alpha >= 1/(4 + 16 epsilon). This is read for every class and a fixed beta,
    such as 3/10. (The paper does not restrict the statement to sufficiently large VC. The
    restricted statement is not refuted.) The counterexample is randomised response on one record of
    two points, where VC = 2. It is correct except with probability 1/(1 + e^epsilon), so its
    accuracy alpha at failure probability beta is 0 or 1.
    """
    response = RandomizedResponse((0, 1), Epsilon.of(epsilon))
    recheck(audit(response, epsilon, 0, 1))
    beta = share * Fraction(failure)
    alpha = 0 if response.distribution((0,))[(1,)] <= beta else 1
    return at_least(alpha, bound(beta, epsilon), f"at failure {beta}")


def _just_above(accuracy: Fraction, m: int) -> Fraction:
    """Return a number such that errors are below it iff they are at most the accuracy."""
    return Fraction(2 * int(2 * accuracy * m) + 1, 4 * m)


@cache
def _best(instance: str, m: int, accuracy: Fraction, factor: Fraction) -> Fraction:
    return best_release(parse_class(instance), m, _just_above(accuracy, m), factor)


@claim(
    "bns/thm-2.20",
    "Theorem 2.20, corrected",
    "Sanitizers need a number of records of order VC",
    Kind.THEOREM,
    over=table(
        "dimension accuracy factor",
        (2, "0", "3/2"),
        (2, "1/10", "3/2"),
        (2, "0", "3"),
        (4, "0", "3/2"),
    ).medium((4, "1/10", "5/4")),
    near=near("The failure probability is larger by 1/100.", failure=times(Fraction(101, 100))),
    corrects="bns/thm-2.20-printed",
)
def corrected_accuracy(
    dimension: int,
    accuracy: str,
    factor: str,
    *,
    failure: Callable[[str, str], Real] = least_failure_on_half,
) -> Decision:
    """Every epsilon-private sanitizer, proper or not, that is alpha-close on all databases of m <=
    VC/2 records except with probability beta has alpha >= (1 - e^epsilon beta / (1 - beta)) / (2 (1
    + e^epsilon)). The inequality is solved for beta and compared with the smallest failure
    probability of all sanitizers on a shattered set of 2m points.
    """
    best = _best(
        f"all_functions:n={dimension}", dimension // 2, Fraction(accuracy), Fraction(factor)
    )
    return at_least(best, failure(accuracy, f"ln({factor})"), trivial=0)


@claim(
    "bns/lemma-4.15",
    "Lemma 4.15, with explicit constants",
    "Pure private sanitizers and the effective domain",
    Kind.LEMMA,
    over=table(
        "instance m accuracy",
        ("points:b=1", 3, "1/3"),
        ("points:b=1", 4, "1/4"),
        ("points:b=2", 1, "1/3"),
        ("points:b=2", 2, "1/6"),
        ("random:m=2,n=6,seed=0", 1, "1/3"),
    ).medium(("points:b=1", 6, "1/3"), ("thresholds:b=2", 2, "1/3")),
    near=[
        near("The statement with X_C in place of X_C - 1.", others=plus(1)),
        near("The statement with all points in place of X_C.", others=lambda C: len(C.points) - 1),
        near("The statement with k - 1.", moved=plus(-1)),
        near("The statement with 29/10 in place of 3.", three=times(Fraction(29, 30))),
    ],
    uses=["bns/def-4.14"],
)
def sanitizers_need_records(
    instance: str,
    m: int,
    accuracy: str,
    *,
    others: Callable[[ConceptClass], int] = lambda C: effective_domain_size(C).value - 1,
    moved: Callable[[Fraction], int] = lambda doubled: int(doubled) + 1,
    three: Fraction = Fraction(3),
) -> Decision:
    """Every (alpha, beta, epsilon, m)-sanitizer, proper or improper, has (X_C - 1)(1 - beta) <=
    beta e^(epsilon k) for k = floor(2 alpha m) + 1, hence with k = 3 alpha m if that is an integer:
    m >= (1/(3 epsilon alpha)) (ln(X_C - 1) + ln((1 - beta)/beta)). Checked for the
    smallest failure probability beta of all ln(2)-private sanitizers of m records. At this beta,
    `sanitizer_lower_bound` returns at most m.
    """
    C, a = parse_class(instance), Fraction(accuracy)
    failure = _best(instance, m, a, Fraction(2))
    left = others(C) * (1 - failure)
    cases = [("k", at_least(failure * 2 ** moved(2 * a * m), left))]
    if (3 * a * m).denominator == 1:
        cases.append(("as printed", at_least(failure * power(Fraction(2), three * a * m), left)))
    bound = recheck(sanitizer_lower_bound(C, a, failure, "ln 2"))
    return all_of([*cases, ("the function", at_least(m, bound.records))])


@claim(
    "bns/thm-4.16-printed",
    "Theorem 4.16, derivation",
    "The printed Theorem 2.20 excludes (1/8, 1/8, 1/2)-sanitizers with VC/2 records",
    Kind.ERRATUM,
    over=once(),
    near=near("The statement with the corrected Theorem 2.20.", bound=least_accuracy),
    uses=["bns/thm-2.20-printed"],
    recorded=Verdict.FAILS,
    survives="yes: the corrected bound gives alpha >= 0.1443 at these parameters",
)
def printed_derivation(*, bound: Bound = _printed) -> Decision:
    """The paper derives Theorem 4.16 immediately from Theorem 2.20 and Lemma 4.15. At epsilon = 1/2
    the printed Theorem 2.20 gives alpha >= 1/12, which 1/8 satisfies. So it does not exclude
    sanitizers of accuracy 1/8 with VC/2 records.
    """
    return above(bound(Fraction(1, 8), "1/2"), Fraction(1, 8))


def _logarithmic(size: int) -> Interval:
    """Return (16/3) ln(7 (X_C - 1)), enclosed."""
    ends = enclose_log(Fraction(7 * (size - 1)))
    return Interval(Fraction(16, 3) * ends.lower, Fraction(16, 3) * ends.upper)


@claim(
    "bns/thm-4.16",
    "Theorem 4.16, with explicit constants",
    "Lower bound for pure private sanitizers",
    Kind.THEOREM,
    over=grid(
        instance=["points:b=1", "points:b=4", "thresholds:b=6", "lines:p=3", "k_points:b=3,k=2"]
    ),
    near=[
        near("The statement for 11/8 of the failure probability.", failure=times(Fraction(11, 8))),
        near("The statement for 12/7 of the number of records.", factor=times(Fraction(12, 7))),
    ],
    uses=["bns/lemma-4.15", "bns/thm-2.20"],
    corrects="bns/thm-4.16-printed",
)
def pure_sanitizers(
    instance: str, *, failure: Fraction = Fraction(1, 8), factor: int = 1
) -> Decision:
    """Every (1/8, 1/8, 1/2, m)-sanitizer has m > VC/2, since otherwise its accuracy is above 1/8 by
    the corrected Theorem 2.20, and m >= (16/3) ln(7 (X_C - 1)), so m = Omega(log X_C + VC). The
    second part is the bound of `sanitizer_lower_bound`, whose certificate the kernel checks.
    """
    C, eighth = parse_class(instance), Fraction(1, 8)
    bound = recheck(sanitizer_lower_bound(C, eighth, eighth, "1/2"))
    stated = _logarithmic(recheck(effective_domain_size(C)).value)
    least = Interval(factor * stated.lower, factor * stated.upper)
    return all_of(
        [
            ("VC", above(least_accuracy(failure, "1/2"), eighth)),
            ("X_C", at_least(bound.records, least)),
        ]
    )


def _left(n: int) -> list[int]:
    """Return all functions that are 0 outside the first n points."""
    return list(range(1 << n))


def _right(n: int, d: int) -> list[int]:
    """Return the point functions of the points after the first n."""
    return [1 << x for x in range(n, 1 << d)]


@claim(
    "bns/tightness-example",
    "section 4.4, after Theorem 4.16",
    "VC dimension and effective domain are independent",
    Kind.EXAMPLE,
    over=table("n d", (1, 2), (2, 3), (3, 4)).medium((4, 5)),
    near=[
        near("The VC dimension is n + 1.", dimension=plus(1)),
        near("The effective size is 2^d - 1.", size=plus(-1)),
        near(
            "The statement without the point functions of the other points.", right=lambda n, d: []
        ),
        near("The statement without the functions on the first n points.", left=lambda n: []),
    ],
)
def apart(
    n: int,
    d: int,
    *,
    dimension: int = 0,
    size: int = 0,
    left: Callable[[int], list[int]] = _left,
    right: Callable[[int, int], list[int]] = _right,
) -> Decision:
    """For n < d take the functions with arbitrary values on the first n of 2^d points and 0
    elsewhere, together with the point functions of the other points. This class has VC dimension n
    and effective size 2^d, so neither term of the lower bound Omega(log X_C + VC) follows from the
    other. Sanitizing both parts separately needs O(log X_C + VC log VC) records, by Theorem 2.19.
    """
    C = ConceptClass.from_rows([*left(n), *right(n, d)], range(1 << d))
    return all_of(
        [
            ("VC", equal(vc_dimension(C), n + dimension)),
            ("X_C", equal(effective_domain_size(C), (1 << d) + size)),
        ]
    )
