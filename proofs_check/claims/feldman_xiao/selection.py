"""Section 6 and appendix C: the exponential mechanism, and boosting the learner of lines."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import ceil, comb

import flint

from ccsim.exact import Epsilon, Interval, binomial_tail, ceil_log2
from ccsim.exact.exponentials import Real, enclose_log, rational
from ccsim.learning import LineLearner, PrivateOccam
from ccsim.learning.learners.occam import Example, empirical_errors, labelled_examples
from ccsim.learning.sample_size import occam_sample_size
from ccsim.privacy import audit
from proofs_check.claims.claim import Kind, Verdict, claim, not_checked
from proofs_check.claims.decision import Decision, all_of, at_least, at_most, equal, holds
from proofs_check.claims.evidence import recheck
from proofs_check.claims.grid import grid, table
from proofs_check.claims.variants import near, plus, times

ONE = Epsilon.of(1)


_audit = cache(audit)


@claim(
    "fx/thm-C.1",
    "Theorem C.1 of the full version, as read",
    "Exponential mechanism",
    Kind.THEOREM,
    over=grid(hypotheses=["00 11", "00 01 11"], alpha=["ln 4", "2"], n=[3]).medium(n=[4]),
    near=[
        near("The statement with 8/7 alpha in the exponent.", sensitivity=times(Fraction(7, 8))),
        near("The statement with |H| - 2 in place of |H|.", size=plus(-2)),
        near("The statement with (5/3)/alpha in place of 2/alpha.", rate=times(Fraction(6, 5))),
    ],
)
def exponential_mechanism(
    hypotheses: str,
    alpha: str,
    n: int,
    *,
    sensitivity: Fraction = Fraction(1),
    size: Callable[[Collection[int]], int] = len,
    rate: Fraction = Fraction(1, 2),
) -> Decision:
    """Choosing h with probability proportional to e^(-alpha errors / 2) is alpha-private. The
    number of errors exceeds the minimum by (2/alpha)(ln|H| + tau) or more with probability at most
    e^-tau, that is, by at least j with probability at most |H| e^(-alpha j / 2). Checked on all
    samples on two points.
    """
    rows = tuple(int(h, 2) for h in hypotheses.split())
    epsilon = Epsilon.of(alpha)
    learner = PrivateOccam(2, rows, epsilon, sensitivity)

    def worse(sample: Sequence[Example]) -> Iterator[tuple[object, Decision]]:
        errors = {h: empirical_errors(sample, h) for h in rows}
        distribution = learner.distribution(sample)
        for j in range(1, n + 1):
            far = (q for h, q in distribution.items if errors[h] >= min(errors.values()) + j)
            chance: Real = sum(far, Fraction(0))
            yield (sample, j), at_most(chance, size(rows) * epsilon.exp(-rate * j), trivial=1)

    samples = combinations_with_replacement(labelled_examples(2), n)
    audited = recheck(_audit(learner, alpha, 0, n))
    useful = all_of(case for sample in samples for case in worse(sample))
    private = holds(audited.verdict.value == "holds", f"ratio {audited.factor}")
    return all_of([("private", private), ("useful", useful)])


TAILS = table(
    "eps n",
    *product(["1/2", "1/4", "1/10", "3/7"], [1, 8, 36, 120]),
    ("1/10", 10000),
).medium(*product(["1/2", "1/4", "1/10", "3/7"], [64, 190, 400]))
"""At 10000 examples the exponents are seen."""


def _bad_tail(n: int, error: Fraction, most: Fraction) -> Fraction:
    """Return the probability of at most ``most`` errors on n examples."""
    return binomial_tail(n, 1 - error, n - int(most))


def _good_tail(n: int, error: Fraction, least: Fraction) -> Fraction:
    """Return the probability of at least ``least`` errors on n examples."""
    return 1 - binomial_tail(n, 1 - error, n + 1 - ceil(least))


@claim(
    "fx/eq-3.1C",
    "eq. (3.1) in appendix C of the full version, as read",
    "Bad hypotheses have a large empirical error",
    Kind.LEMMA,
    over=TAILS,
    near=[
        near("The statement with e^(-7 eps n / 360).", rate=times(Fraction(7, 5))),
        near("The statement for at most 13/15 eps n errors.", shown=times(Fraction(26, 25))),
        near("The statement for error above 0.96 eps.", error=times(Fraction(24, 25))),
    ],
)
def bad_hypotheses(
    eps: str,
    n: int,
    *,
    error: Callable[[str], Fraction] = lambda eps: 1 * Fraction(eps),
    shown: Fraction = Fraction(5, 6),
    rate: Fraction = Fraction(1, 72),
) -> Decision:
    """A hypothesis of error above eps has at most 5/6 eps n errors on n examples with probability
    at most e^(-eps n / 72). Checked for error eps (the limit) and for error (1 + eps)/2.
    """
    expected = Fraction(eps) * n
    bound = ONE.exp(-rate * expected)
    return all_of(
        (f"error {e}", at_most(_bad_tail(n, e, shown * expected), bound))
        for e in (error(eps), (1 + error(eps)) / 2)
    )


@claim(
    "fx/eq-3.2C",
    "eq. (3.2) in appendix C of the full version, as read",
    "Good hypotheses have a small empirical error",
    Kind.LEMMA,
    over=TAILS,
    near=[
        near("The statement with e^(-8 eps n / 270).", rate=times(Fraction(8, 5))),
        near("The statement for at least 47/75 eps n errors.", shown=times(Fraction(47, 50))),
        near("The statement for error at most 0.54 eps.", error=times(Fraction(27, 25))),
    ],
)
def good_hypotheses(
    eps: str,
    n: int,
    *,
    error: Callable[[str], Fraction] = lambda eps: Fraction(eps) / 2,
    shown: Fraction = Fraction(2, 3),
    rate: Fraction = Fraction(1, 54),
) -> Decision:
    """A hypothesis of error at most eps/2 has at least 2/3 eps n errors on n examples with
    probability at most e^(-eps n / 54). Checked for the errors eps/2 and eps/6.
    """
    expected = Fraction(eps) * n
    bound = ONE.exp(-rate * expected)
    return all_of(
        (f"error {e}", at_most(_good_tail(n, e, shown * expected), bound))
        for e in (error(eps), error(eps) / 3)
    )


def _ratio(alpha: Epsilon) -> Fraction:
    """Return the factor by which one more error lowers the probability of a choice."""
    distribution = PrivateOccam(1, (0, 1), alpha).distribution([(0, 0)])
    return rational(distribution[1]) / rational(distribution[0])


@cache
def _failure(runs: int, n: int, eps: Fraction, ratio: Fraction) -> Interval:
    """Enclose the probability that a bad run is chosen, if each run is good with probability 1/2.

    All good runs err on the same examples, of probability eps/2, and bad runs on other examples, of
    probability just above eps. The coefficients of the polynomial are proportional to the
    probabilities that the numbers of errors differ by d - n.
    """
    a, b = eps.numerator, 2 * eps.denominator
    total = Fraction(0)
    for d, ways in enumerate((flint.fmpz_poly([a, b - 3 * a, 2 * a]) ** n).coeffs()):
        weight = Fraction(int(ratio ** abs(d - n) * 2**96), 2**96)
        x, y = (weight, 1) if d > n else (1, weight)
        bad = sum(comb(runs, g) * (runs - g) * x / (g * y + (runs - g) * x) for g in range(1, runs))
        total += Fraction(int((1 + bad) * 2**64), 2**64) * int(ways)
    total /= b**n * 2**runs
    return Interval(total - Fraction(1, 2**60), total + Fraction(1, 2**60))


@claim(
    "fx/thm-12",
    "Theorem 12",
    "Learning lines with (alpha, beta)-privacy",
    Kind.THEOREM,
    over=table(
        "eps delta alpha",
        ("1/2", "1/10", "ln 400/361"),
        ("1/4", "1/4", "ln 4"),
        ("1/2", "1/4", "ln 16/9"),
    ).medium(("1/4", "1/10", "ln 400/361")),
    near=[
        near("The statement with one run fewer.", runs=plus(-1)),
        near(
            "The statement for runs that fail with probability 0.51.", bad=times(Fraction(51, 50))
        ),
        near("The statement with 0.97 of the fresh examples.", fresh=times(Fraction(97, 100))),
        near(
            "The statement with a uniformly random choice among the outputs.",
            choice=lambda _alpha: Fraction(1),
        ),
    ],
    uses=["fx/lemma-16", "fx/thm-C.1", "fx/eq-3.1C", "fx/eq-3.2C"],
)
def boosting(
    eps: str,
    delta: str,
    alpha: str,
    *,
    runs: Callable[[Fraction], int] = lambda delta: ceil_log2(ceil(3 / delta)),
    bad: Fraction = Fraction(1, 2),
    fresh: Callable[..., int] = occam_sample_size,
    choice: Callable[[Epsilon], Fraction] = _ratio,
) -> Decision:
    """Run the learner of Lemma 16 K = ceil(log2(3/delta)) times with accuracy eps/2 and failure
    probability 1/2, then the exponential mechanism among the outputs on max(72/eps, 12/(eps alpha))
    ln(3K/delta) fresh examples. This fails with probability at most delta. Each of three events has
    probability at most delta/3: no run is good, some empirical error is far from the error, and the
    mechanism chooses a hypothesis with many empirical errors. The learner of `ccsim.learning` uses
    K runs and at least as many fresh examples as stated. The failure probability is also checked if
    each run is good with probability 1/2.
    """
    e, d, epsilon = Fraction(eps), Fraction(delta), Epsilon.of(alpha)
    K = runs(d)
    n, ratio = int(fresh(K, epsilon, e, d)), choice(epsilon)
    least, most = ceil(2 * e * n / 3), int(5 * e * n / 6) + 1
    mislead = (K - 1) * _bad_tail(n, e, 5 * e * n / 6) + _good_tail(n, e / 2, 2 * e * n / 3)
    learner = LineLearner(e, d, epsilon, Fraction(1, 4), 2, 20)
    return all_of(
        [
            ("no run is good", at_most(bad**K, d / 3)),
            ("errors mislead", at_most(mislead, d / 3, trivial=1)),
            ("choice", at_most(K * ratio ** (most - least + 1), d / 3, trivial=1)),
            ("all", at_most(_failure(K, n, e, ratio), d)),
            ("the learner's runs", equal(learner.runs, K)),
            ("a run of the learner", at_most(learner.stage.failure, bad)),
            ("the learner's fresh examples", at_least(learner.selection_size, n)),
        ]
    )


@claim(
    "fx/thm-15",
    "Theorem 15 (=6.1)",
    "Learning lines with (alpha, beta)-privacy, restated",
    Kind.THEOREM,
    over=grid(
        p=[2, 1009],
        eps=["1/2", "1/100"],
        delta=["1/2", "1/1000"],
        alpha=["1/2", "1/50"],
        beta=["1/2", "1/10000"],
    ),
    near=near("Six elevenths of these examples are enough.", constant=times(Fraction(6, 11))),
    uses=["fx/thm-12"],
    recorded=Verdict.NOT_DECIDED,
    reason="for every prime and all parameters, with an unstated constant; checked for the number "
    "of examples of the learner of ccsim.learning, with block sizes of 32 powers of two",
)
def restated(
    p: int, eps: str, delta: str, alpha: str, beta: str, *, constant: Fraction = Fraction(2**41)
) -> Decision:
    """Line_p is learnable with (alpha, beta)-privacy from O(1/(eps alpha) log(1/beta) log(1/delta))
    examples, for every prime p: 2^41 ln(1/beta) ln(1/delta) / (eps alpha) examples are enough."""
    e, d, b, epsilon = Fraction(eps), Fraction(delta), Fraction(beta), Epsilon.of(alpha)
    taken = LineLearner(e, d, epsilon, b, p).sample_size
    logs = enclose_log(1 / b).lower * enclose_log(1 / d).lower
    return at_most(taken, constant * logs / (e * Fraction(alpha)))


separation = not_checked(
    "fx/thm-3",
    "Theorem 3 (=1.3)",
    "Separation of pure from approximate privacy",
    Kind.THEOREM,
    "Lines are learnable with (alpha, beta)-privacy from a number of examples that does not depend "
    "on p, while pure privacy needs a number of order log p.",
    reason="asymptotic, for every prime; its two finite forms are fx/thm-12 and fx/thm-5.3-sharper",
    uses=["fx/thm-12", "fx/thm-5.3-sharper"],
)
