"""Section 4.2, continued: boosting, compression by pseudorandom functions, and Table 1."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from math import ceil

from ccsim.exact import Epsilon, Law, binomial_tail
from ccsim.exact.exponentials import Real
from ccsim.exact.powers import exponential
from ccsim.learning import NoisyConsistentPoint
from ccsim.learning.learners.noisy_points import NULL, consistent_point
from ccsim.learning.learners.points import (
    ConstantPointLearner,
    NonprivatePointLearner,
    ProperPointLearner,
)
from ccsim.learning.packing.sizes import packing_sample_size, proper_point_lower_bound
from ccsim.learning.sample_size import constant_learner_runs, log_ceiling
from ccsim.privacy import CanonicalMechanism, Subsampled, audit
from ccsim.privacy.mechanisms.subsampling import printed_keeping_rate
from proofs_check.claims.beimel_brenner.point_learners.subsampled_learner import (
    LN4,
    ONE,
    Record,
    answered,
    finite,
)
from proofs_check.claims.claim import Claim, Instance, Kind, Size, Verdict, nothing_finite
from proofs_check.claims.evidence import recheck, rounded_up
from proofs_check.claims.grids import laws_with_denominator

__all__ = ["CLAIMS"]


def _selection_tails(alpha: Fraction, m: int) -> tuple[Fraction, Fraction]:
    """Return the chances that a good hypothesis looks bad, and a bad one good, on m examples."""
    looks_bad = binomial_tail(m, alpha / 8, int(alpha * m / 4) + 1)
    looks_good = binomial_tail(m, 1 - alpha, ceil(m - alpha * m / 2))
    return rounded_up(looks_bad), rounded_up(looks_good)


def printed_selection(_size: Size) -> Iterator[Instance]:
    """Take the size of the fresh sample from the second place of the proof."""
    alpha, beta = Fraction(1, 10), Fraction(1, 100)
    m = log_ceiling(24 / alpha, 3 / beta, ONE)
    looks_bad, _ = _selection_tails(alpha, m)
    yield Instance.at_most(f"alpha={alpha} beta={beta} eps=1 m={m}", looks_bad, beta**2 / 3)


def boosting(size: Size) -> Iterator[Instance]:
    """Follow the proof's probabilities with exact tails."""
    for n in range(1, 20):
        e = exponential(Fraction(n, 20))
        rate = printed_keeping_rate(Epsilon(Fraction(n, 20)), LN4)
        holds = rate > Fraction(n, 120)
        yield Instance.of(f"eps={n}/20: f > eps/6", holds, f"e^eps = {float(e):.4f}")
    for beta in (Fraction(1, 100), Fraction(1, 1000)):
        runs = constant_learner_runs(beta)
        yield Instance.at_most(f"beta={beta}: N <= 1/beta", Fraction(runs), 1 / beta)
        yield Instance.at_most(f"beta={beta}: (4/5)^N", Fraction(4, 5) ** runs, beta / 5)
        total = beta / 5 + beta**2 / 3 + beta / 3 + beta**2 / 27
        yield Instance.at_most(f"beta={beta}: failure", total, beta)
        for alpha in (Fraction(2, 5),) if size is Size.SMALL else (Fraction(2, 5), Fraction(1, 10)):
            m = log_ceiling(24 / alpha, 3 / beta**2, ONE)
            tails = _selection_tails(alpha, m)
            name = f"alpha={alpha} beta={beta} eps=1 m={m}"
            yield Instance.at_most(f"{name}: a good one looks bad", tails[0], beta**2 / 3)
            yield Instance.at_most(f"{name}: a bad one looks good", tails[1], beta**2 / 3)
            chosen = exponential(-alpha * m / 8)
            holds = chosen <= beta**3 / 27
            yield Instance.of(f"{name}: it is chosen", holds, f"{float(chosen):.2g} <= beta^3/27")


def biased_functions(_size: Size) -> Iterator[Instance]:
    """Compare the law of all values with the one of independent coins."""
    q = Fraction(1, 10)
    for T in (2, 3, 4):
        law = _biased(T, q)
        for x in range(T):
            yield Instance.of(
                f"T={T} x={x}",
                sum(p for h, p in law.items() if h >> x & 1) == q,
                f"Pr[H(x) = 1] = {q}",
            )


def _biased(T: int, q: Fraction) -> dict[int, Fraction]:
    return {h: q ** h.bit_count() * (1 - q) ** (T - h.bit_count()) for h in range(1 << T)}


class _IdealA4(CanonicalMechanism[Record, int | None]):
    """A4 with a truly random function: 1 on the positive point, biased coins elsewhere."""

    symmetric = True

    def __init__(self, T: int, bias: Fraction) -> None:
        self._T, self._bias = T, bias

    @property
    def records(self) -> tuple[Record, ...]:
        """All labelled examples, and the null record."""
        return NoisyConsistentPoint(self._T, Fraction(0)).records

    def law_of(self, database: tuple[Record, ...]) -> Law[int | None]:
        """Return the law of the function; None if no point is consistent."""
        c = consistent_point(database, self._T)
        if c is None:
            return Law[int | None].certain(None)
        weights: dict[int | None, Real] = {
            h: p for h, p in _biased(self._T, self._bias).items() if h & c == c
        }
        return Law.proportional(weights)


class _IdealA5(CanonicalMechanism[Record, int | None]):
    """No answer with a small probability, else A4 on a random subsample."""

    symmetric = True

    def __init__(self, T: int, alpha: Fraction) -> None:
        self._nothing = alpha / 8
        self._rest = Subsampled(_IdealA4(T, alpha / 4), alpha / 4, NULL)

    @property
    def records(self) -> tuple[Record, ...]:
        """All labelled examples, and the null record."""
        return self._rest.records

    def law_of(self, database: tuple[Record, ...]) -> Law[int | None]:
        """Return the law of the function."""
        law = {h: (1 - self._nothing) * p for h, p in self._rest.law(database).items}
        return Law.of({**law, None: law.get(None, Fraction(0)) + self._nothing})


def printed_markov(_size: Size) -> Iterator[Instance]:
    """Repeat the argument for A1 with noise alpha/4 in place of alpha/8."""
    for alpha in (Fraction(2, 5), Fraction(1, 4)):
        markov = (alpha / 4) / (alpha / 2)
        yield Instance.at_most(f"alpha={alpha}", Fraction(1, 4) + markov, Fraction(1, 2))


def efficient_steps(size: Size) -> Iterator[Instance]:
    """Add up the failure probability of A4, and audit A5, with truly random functions."""
    for alpha in (Fraction(2, 5), Fraction(1, 4)):
        m = log_ceiling(2 / alpha, Fraction(4), ONE)
        for T in (2, 3) if size is Size.SMALL else (2, 3, 4):
            A4 = _IdealA4(T, alpha / 4)
            cases = (
                (D, answered(A4, D, m, alpha), Fraction(1, 2)) for D in laws_with_denominator(T, 10)
            )
            yield Instance.tightest(f"alpha={alpha} m={m} T={T}: A4 fails", cases)
    for T, m in ((2, 1), (2, 2), (3, 1)) if size is Size.SMALL else ((2, 3), (3, 2)):
        result = audit(_IdealA5(T, Fraction(2, 5)), LN4, 0, m)
        recheck(result)
        name = f"alpha=2/5 T={T} m={m}: A5 is private"
        yield Instance.at_most(name, finite(result.factor), Fraction(4))


def same_for_all_domains(_size: Size) -> Iterator[Instance]:
    """Compare the number of examples of the constant learner on small and large domains."""
    tenth = Fraction(1, 10)
    sizes = {ConstantPointLearner(tenth, tenth, ONE, b).theorem_size for b in (1, 8, 64)}
    yield Instance.of("alpha=beta=1/10 eps=1, b=1, 8, 64", len(sizes) == 1, f"{sizes} examples")


def separation(_size: Size) -> Iterator[Instance]:
    """Compare the lower bound for proper learners with b ln 2 / eps, and with the improper one."""
    for b in (8, 16, 32, 64, 1000):
        least = packing_sample_size(1 << b, ONE, Fraction(1, 10))
        grows = log_ceiling(Fraction(b), Fraction(2), ONE)
        yield Instance.at_most(f"b={b} beta=1/10 eps=1: proper", Fraction(grows), least)
    quarter, tenth, b = Fraction(1, 4), Fraction(1, 10), 1 << 23
    improper = ConstantPointLearner(quarter, tenth, ONE, 64).theorem_size
    least = proper_point_lower_bound(1 << b, ONE, quarter, tenth)
    name = f"b={b} alpha=1/4 beta=1/10 eps=1: improper learner, any proper one"
    yield Instance.at_most(name, Fraction(improper), least, "examples")
    yield from same_for_all_domains(_size)


def table(_size: Size) -> Iterator[Instance]:
    """Compare how the learners' numbers of examples grow with the domain."""
    tenth = Fraction(1, 10)
    yield from separation(_size)
    without = {NonprivatePointLearner(tenth, tenth, ONE, b).theorem_size for b in (1, 8, 64)}
    yield Instance.of("not private, b=1, 8, 64", len(without) == 1, f"{without} examples")
    proper = [ProperPointLearner(tenth, tenth, ONE, b).theorem_size for b in (8, 16, 32, 64)]
    steps = [second - first for first, second in pairwise(proper)]
    holds = all(abs(2 * first - second) <= 2 for first, second in pairwise(steps))
    yield Instance.of("proper, b=8 to 64", holds, f"{proper} examples: linear in b")


CLAIMS = (
    Claim(
        "bbkn/claim-4.5-printed",
        "proof of Claim 4.5, size of the fresh sample in the second place",
        "24 ln(3/beta)/(eps alpha) examples show which hypothesis is good",
        "On m = 24 ln(3/beta)/(eps alpha) examples a hypothesis of error alpha/8 has empirical "
        "error above alpha/4 with probability at most beta^2/3.",
        Kind.ERRATUM,
        printed_selection,
        recorded=Verdict.FAILS,
    ),
    Claim(
        "bbkn/claim-4.5",
        "Claim 4.5, with 24 ln(3/beta^2)/(eps alpha) fresh examples",
        "Utility of A3, boosted",
        "For eps < 1 the rate of Lemma 4.4 is above eps/6. With ceil(log_5/4(5/beta)) runs of A3 "
        "at accuracy alpha/8 and m = 24 ln(3/beta^2)/(eps alpha) fresh examples, the exponential "
        "mechanism selects a hypothesis that errs by more than alpha with probability at most "
        "beta/5 + beta^2/3 + beta/3 + beta^2/27 <= beta, for beta <= 1/100.",
        Kind.THEOREM,
        boosting,
        uses=("bbkn/alg-A3", "bbkn/claim-4.3", "bbkn/chernoff"),
        corrects="bbkn/claim-4.5-printed",
    ),
    Claim(
        "bbkn/def-4.6",
        "Definition 4.6",
        "Biased random functions",
        "The values of H are independent, each 1 with probability q.",
        Kind.DEFINITION,
        biased_functions,
    ),
    Claim(
        "bbkn/def-4.7",
        "Definition 4.7",
        "Biased pseudorandom functions",
        "No family of circuits of polynomial size tells a function of the family from a q-biased "
        "random one with more than a negligible advantage.",
        Kind.DEFINITION,
        nothing_finite,
        uses=("bbkn/def-4.6",),
        recorded=Verdict.NOT_DECIDED,
        reason="about all circuits of polynomial size; that there are such functions is a "
        "cryptographic assumption",
    ),
    Claim(
        "bbkn/sec-4.2.1-printed",
        'section 4.2.1, "by the same arguments" as for A1',
        "Markov's inequality for A4 as for A1",
        "With noise alpha/4 the argument for A1, Markov's inequality at alpha/2 after a failure "
        "probability of 1/4, bounds the failure probability of A4 by 1/2.",
        Kind.ERRATUM,
        printed_markov,
        recorded=Verdict.FAILS,
    ),
    Claim(
        "bbkn/sec-4.2.1",
        "section 4.2.1, with a distinction of cases",
        "Algorithms A4 and A5",
        "With truly random functions A4 errs by alpha or more with probability at most 1/2 from "
        "2 ln 4 / alpha examples (if the point was seen, by Markov's inequality at alpha; if not "
        "and it is light, at alpha/2, and nothing else fails), and A5 is ln 4-private.",
        Kind.LEMMA,
        efficient_steps,
        uses=("bbkn/A1-utility", "bbkn/alg-A2", "bbkn/def-4.6"),
        corrects="bbkn/sec-4.2.1-printed",
    ),
    Claim(
        "bbkn/thm-4.8",
        "Theorem 4.8",
        "Efficient improper learner with O(1) samples",
        "POINT_d has an efficient improper private learner whose sample does not depend on d.",
        Kind.THEOREM,
        same_for_all_domains,
        uses=("bbkn/sec-4.2.1", "bbkn/claim-4.5", "bbkn/def-4.7"),
        recorded=Verdict.NOT_DECIDED,
        reason="rests on pseudorandom functions and is about polynomial running times; that the "
        "number of examples is the same for all domains is checked",
    ),
    Claim(
        "bbkn/thm-4.9",
        "Theorem 4.9",
        "Separation of proper from improper efficient learning",
        "Proper private learners of POINT_d need Omega((d + log(1/beta))/(eps alpha)) examples, an "
        "efficient improper one O(1).",
        Kind.THEOREM,
        separation,
        uses=("bbkn/thm-4.8", "bbkn/lemma-3.9"),
        recorded=Verdict.NOT_DECIDED,
        reason="about the growth with d, and conditional as Theorem 4.8; the lower bound is "
        "compared with d ln 2 / eps and with the upper one, which is the same for all domains",
    ),
    Claim(
        "bbkn/table-1",
        "Table 1",
        "Summary of sample complexities",
        "Learning points takes a constant number of examples without privacy and improperly with "
        "it, and Theta(d) for proper private learners; for the points of a pseudorandom generator "
        "efficient proper private learners need Theta(d), inefficient ones Theta(l(d)).",
        Kind.REMARK,
        table,
        uses=("bbkn/thm-4.9", "bbkn/lemma-3.4", "bbkn/lemma-3.9", "bbkn/thm-6.1"),
        recorded=Verdict.NOT_DECIDED,
        reason="a table of orders of growth, partly conditional; the growth of the explicit "
        "numbers is checked (ccsim sweep measures them)",
    ),
)
