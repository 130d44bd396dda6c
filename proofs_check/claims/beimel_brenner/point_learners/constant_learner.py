"""Section 4.2, continued: boosting the subsampled learner of points."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import ceil

from ccsim.exact import Epsilon, binomial_tail
from ccsim.exact.exponentials import Real, power
from ccsim.learning import NoisyConsistentPoint
from ccsim.learning.sample_size import constant_learner_runs, log_ceiling
from ccsim.privacy import ExponentialMechanism
from ccsim.privacy.constructions import printed_keeping_rate
from proofs_check.claims.beimel_brenner.point_learners.noisy_learner import (
    ONE,
    Formula,
    Size,
    distributions,
)
from proofs_check.claims.beimel_brenner.point_learners.subsampled_learner import (
    LN4,
    subsampled_failure,
)
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, above, all_of, at_most
from proofs_check.claims.evidence import rounded_up
from proofs_check.claims.grid import table
from proofs_check.claims.variants import near, plus, times

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)


@claim(
    "bbkn/claim-4.5-run",
    "proof of Claim 4.5, one run",
    "Utility of A3",
    Kind.LEMMA,
    over=table("alpha epsilon", ("2/5", "1"), ("49/100", "1/2"), ("49/100", "1/10")),
    near=[
        near("The rate is above 83/300 eps.", rate=times(Fraction(83, 50))),
        near("The statement with 17/20 of the examples.", examples=times(Fraction(17, 20))),
        near(
            "Fewer than 6/5 of this number are kept with at most the stated probability.",
            kept=times(Fraction(6, 5)),
        ),
        near("Too few are kept with probability at most 4^-44.", few=times(Fraction(11, 8))),
        near("A3 fails with probability at most 1/6.", failure=times(Fraction(5, 24))),
    ],
    uses=["bbkn/alg-A3", "bbkn/claim-4.3-utility", "bbkn/chernoff"],
)
def one_run(
    alpha: str,
    epsilon: str,
    *,
    rate: Fraction = Fraction(1, 6),
    examples: Callable[[Fraction, Epsilon], int] = lambda a, epsilon: log_ceiling(
        384 / a**2, Fraction(4), epsilon
    ),
    kept: Size = lambda alpha: log_ceiling(32 / alpha**2, Fraction(4), ONE),
    few: Fraction = Fraction(32),
    failure: Fraction = Fraction(4, 5),
) -> Decision:
    """For eps <= 1 the rate of Lemma 4.4 is above eps/6. At that rate, fewer than 32 ln 4 / alpha^2
    of 384 ln 4 / (eps alpha^2) examples are kept with probability at most exp(-32 ln 4), and A3 has
    error at least alpha with probability below 4/5."""
    a, e = Fraction(alpha), Fraction(epsilon)
    m, sixth, A1 = int(examples(a, Epsilon(e))), e / 6, NoisyConsistentPoint(3, a / 8)
    lost = binomial_tail(m, 1 - sixth, m - ceil(kept(a)) + 1)
    fails = (subsampled_failure(A1, D, m, a, sixth) for D in distributions(3, a))
    return all_of(
        [
            ("the rate", above(printed_keeping_rate(Epsilon(e), LN4), rate * e)),
            ("too few", at_most(lost, power(QUARTER, few))),
            ("A3", at_most(max(fails), failure)),
        ]
    )


def _fresh(alpha: Fraction, beta: Fraction) -> int:
    return log_ceiling(24 / alpha, 3 / beta**2, ONE)


def _looks(
    alpha: Fraction, m: int, good: Fraction = QUARTER, bad: Fraction = HALF
) -> tuple[Fraction, Fraction]:
    """Return the probabilities that m examples misjudge a good hypothesis, and a bad one."""
    looks_bad = binomial_tail(m, alpha / 8, int(good * alpha * m) + 1)
    return rounded_up(looks_bad), rounded_up(binomial_tail(m, 1 - alpha, ceil(m - bad * alpha * m)))


SMALL = ("2/5", "1/100"), ("49/100", "1/1000")
PARAMETERS = table("alpha beta", *SMALL).medium(("1/10", "1/100"))


@claim(
    "bbkn/claim-4.5-fresh",
    "proof of Claim 4.5, the fresh examples",
    "Fresh examples distinguish good hypotheses from bad ones",
    Kind.LEMMA,
    over=table("alpha beta", *SMALL, ("1/10", "9/10")).medium(("1/10", "1/100")),
    near=[
        near("The statement with 3/5 of the examples.", fresh=times(Fraction(3, 5))),
        near("The statement with 7/32 alpha in place of alpha/4.", good=times(Fraction(7, 8))),
        near("The statement with 17/20 alpha in place of alpha/2.", bad=times(Fraction(17, 10))),
        near("The statement with beta^2/18 in place of beta^2/3.", rarely=times(Fraction(1, 6))),
    ],
    uses=["bbkn/chernoff"],
)
def fresh_examples(
    alpha: str,
    beta: str,
    *,
    fresh: Callable[[Fraction, Fraction], int] = _fresh,
    good: Fraction = QUARTER,
    bad: Fraction = HALF,
    rarely: Formula = lambda beta: beta**2 / 3,
) -> Decision:
    """On 24 ln(3/beta^2)/(eps alpha) examples, for eps <= 1, a hypothesis of error alpha/8 has an
    empirical error above alpha/4 with probability at most beta^2/3, and a hypothesis of error alpha
    has an empirical error of at most alpha/2 with probability at most beta^2/3. (The printed proof
    has this number in one place, and 3/beta in place of 3/beta^2 in another place, where the
    statement is weaker; see bbkn/claim-4.5.)
    """
    a, b = Fraction(alpha), Fraction(beta)
    looks_bad, looks_good = _looks(a, int(fresh(a, b)), good, bad)
    return all_of(
        [("good", at_most(looks_bad, rarely(b))), ("bad", at_most(looks_good, rarely(b)))]
    )


@cache
def _chosen(m: int, low: int, high: int) -> Real:
    """Return the probability that the exponential mechanism chooses the worse of two hypotheses."""
    records = ((0, 0), (0, 1), (1, 1))
    select = ExponentialMechanism(records, (0, 1), lambda S, h: -sum(z[h] for z in S), ONE)
    rest = [(0, 1)] * (high - low) + [(0, 0)] * (m - high)
    return select.distribution([(1, 1)] * low + rest)[1]


@claim(
    "bbkn/claim-4.5",
    "Claim 4.5, with explicit constants",
    "Utility of A3, boosted",
    Kind.THEOREM,
    over=PARAMETERS,
    near=[
        near("One run fewer is enough.", runs=plus(-1)),
        near("The statement for beta <= 1/20.", limit=times(5)),
        near("The statement with 19/20 of the examples.", second=times(Fraction(19, 20))),
        near(
            "A bad hypothesis is chosen with probability at most 7 beta^3 / 297.",
            chosen=times(Fraction(7, 11)),
        ),
        near(
            "The learner fails with probability at most 3/16 beta.", failure=times(Fraction(3, 16))
        ),
    ],
    uses=["bbkn/claim-4.5-run", "bbkn/claim-4.5-fresh"],
)
def boosting(
    alpha: str,
    beta: str,
    *,
    runs: Size = constant_learner_runs,
    limit: Fraction = Fraction(1, 100),
    second: Callable[[Fraction, Fraction], int] = lambda a, b: log_ceiling(24 / a, 3 / b, ONE),
    chosen: Formula = lambda beta: beta**3 / 27,
    failure: Fraction = Fraction(1),
) -> Decision:
    """N = ceil(log_5/4(5/beta)) runs of A3 at accuracy alpha/8 all fail with probability at most
    beta/5; for beta <= 1/100, N is at most 1/beta. On 24 ln(3/beta)/(eps alpha) fresh examples, if
    some hypothesis has empirical error alpha/4, the exponential mechanism chooses a given
    hypothesis of empirical error alpha/2 with probability at most beta^3/27. With 24
    ln(3/beta^2)/(eps alpha) fresh examples, as in the other place of the proof, the error exceeds
    alpha with probability at most beta.
    """
    a, b = Fraction(alpha), Fraction(beta)

    def rounded(m: int) -> Real:
        return _chosen(m, int(a * m / 4), ceil(a * m / 2))

    N, m, m2 = runs(b), _fresh(a, b), int(second(a, b))
    looks_bad, looks_good = _looks(a, m)
    total = Fraction(4, 5) ** N + looks_bad + N * looks_good + N * chosen(b)
    return all_of(
        [
            ("the runs", at_most(Fraction(4, 5) ** N, b / 5)),
            ("their number", at_most(runs(limit), 1 / limit)),
            ("the choice", at_most(rounded(m2), chosen(b))),
            ("all", at_most(total, failure * b)),
        ]
    )
