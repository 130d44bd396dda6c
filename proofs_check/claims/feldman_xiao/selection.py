"""Section 6 and appendix C: the exponential mechanism, and boosting the learner of lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import ceil

import sympy

from ccsim.exact import Epsilon, binomial_tail, ceil_log2, compare, enclose
from ccsim.exact.exponentials import Real
from ccsim.learning import PrivateOccam
from ccsim.learning.learners.occam import Example, empirical_errors, labelled_examples
from ccsim.learning.sample_size import occam_sample_size
from ccsim.privacy import audit
from proofs_check.claims.claim import Claim, Instance, Kind, Size, Verdict, nothing_finite

__all__ = ["CLAIMS"]


def boosting(size: Size) -> Iterator[Instance]:
    """Add up the three ways to fail, with exact binomial tails for the selection."""
    grid = [("1/4", "1/4", "1/4"), ("1/2", "1/4", "1/10")]
    if size is not Size.SMALL:
        grid += [("1/4", "1/2", "1/4"), ("1/2", "1/10", "1/20")]
    for e, d, a in grid:
        eps, delta, alpha = Fraction(e), Fraction(d), Fraction(a)
        runs = ceil_log2(ceil(3 / delta))
        name = f"eps={e} delta={d} alpha={a}, {runs} runs"
        yield Instance.at_most(f"{name}: all runs fail", Fraction(1, 2) ** runs, delta / 3)
        n = occam_sample_size(runs, Epsilon.of(alpha), eps, delta)
        tails = _bad_tail(n, eps) * runs + _good_tail(n, eps)
        name = f"{name}, {n} fresh examples"
        slack = float(delta / 3 - tails)
        yield Instance.of(f"{name}: empirical errors", tails <= delta / 3, f"slack {slack:.3g}")
        # a bad hypothesis is chosen only at the cost of more than eps n / 6 errors
        gap = alpha * eps * n / 12
        order = compare(runs * sympy.exp(-sympy.Rational(gap)), sympy.Rational(delta / 3))
        decided = None if order is None else order <= 0
        yield Instance.of(f"{name}: selection", decided, f"{runs} e^-{float(gap):.4g} <= delta/3")


def exponential_privacy(size: Size) -> Iterator[Instance]:
    """Audit the mechanism over hypotheses on two points, and its errors on every sample."""
    hypotheses = (0b00, 0b01, 0b11)
    for alpha in ("ln 4", "1/2"):
        learner = PrivateOccam(2, hypotheses, Epsilon.of(alpha))
        for n in (1, 2) if size is Size.SMALL else (1, 2, 3, 4):
            result = audit(learner, alpha, 0, neighbours=n)
            result.check()
            name = f"alpha={alpha} n={n}"
            detail = f"{result.pairs} pairs, worst ratio {result.factor}"
            yield Instance.of(f"{name}: privacy", result.verdict.value == "holds", detail)
            yield Instance.all_of(
                f"{name}: utility",
                (
                    ((sample, extra), _rarely_worse(learner, sample, extra))
                    for sample in product(labelled_examples(2), repeat=n)
                    for extra in range(1, n + 1)
                ),
                "Pr[errors >= least + j] <= |H| e^(-alpha j / 2), exactly",
            )


def _rarely_worse(learner: PrivateOccam, sample: Sequence[Example], extra: int) -> bool:
    least = min(empirical_errors(sample, h) for h in learner.hypotheses)
    chance: Real = sum(
        (q for h, q in learner.law(sample).items if empirical_errors(sample, h) >= least + extra),
        Fraction(0),
    )
    return bool(chance <= len(learner.hypotheses) * learner.epsilon.exp(Fraction(-extra, 2)))


def _bad_tail(n: int, eps: Fraction) -> Fraction:
    """Return the probability that n examples show error at most 5/6 eps when it is eps."""
    return 1 - binomial_tail(n, eps, int(Fraction(5, 6) * eps * n) + 1)


def _good_tail(n: int, eps: Fraction) -> Fraction:
    """Return the probability that n examples show error at least 2/3 eps when it is eps/2."""
    return binomial_tail(n, eps / 2, ceil(Fraction(2, 3) * eps * n))


def _tails(size: Size) -> Iterator[tuple[str, Fraction, int]]:
    most = {Size.SMALL: 120, Size.MEDIUM: 400, Size.LARGE: 2000}[size]
    for eps in (Fraction(1, 2), Fraction(1, 4), Fraction(1, 10), Fraction(3, 7)):
        for n in range(1, most + 1, 7):
            yield f"eps={eps} n={n}", eps, n


def bad_hypotheses(size: Size) -> Iterator[Instance]:
    """Exact lower tails at error eps, the worst case, against exp(-eps n / 72)."""
    for name, eps, n in _tails(size):
        yield _below_exp(name, _bad_tail(n, eps), eps * n / 72)


def good_hypotheses(size: Size) -> Iterator[Instance]:
    """Exact upper tails at error eps/2, the worst case, against exp(-eps n / 54)."""
    for name, eps, n in _tails(size):
        yield _below_exp(name, _good_tail(n, eps), eps * n / 54)


def _below_exp(name: str, chance: Fraction, exponent: Fraction) -> Instance:
    bound = enclose(sympy.exp(-sympy.Rational(exponent.numerator, exponent.denominator)))
    slack = bound.lower - chance
    decided = True if slack >= 0 else False if chance > bound.upper else None
    instance = Instance.of(name, decided, f"{float(chance):.4g} <= {float(bound.upper):.4g}")
    return Instance(name, instance.verdict, instance.detail, slack)


CLAIMS = (
    Claim(
        "fx/thm-C.1",
        "Theorem C.1 of the full version",
        "Exponential mechanism",
        "Choosing h with probability proportional to e^(-alpha errors / 2) is alpha-private, and "
        "errors exceed the least by (2/alpha)(ln|H| + tau) with probability at most e^-tau.",
        Kind.THEOREM,
        exponential_privacy,
    ),
    Claim(
        "fx/eq-3.1C",
        "eq. (3.1) in appendix C of the full version",
        "Bad hypotheses show a large empirical error",
        "A hypothesis of error above eps shows at most 5/6 eps n errors on n examples with "
        "probability at most e^(-eps n / 72).",
        Kind.LEMMA,
        bad_hypotheses,
    ),
    Claim(
        "fx/eq-3.2C",
        "eq. (3.2) in appendix C of the full version",
        "Good hypotheses show a small empirical error",
        "A hypothesis of error at most eps/2 shows at least 2/3 eps n errors on n examples with "
        "probability at most e^(-eps n / 54).",
        Kind.LEMMA,
        good_hypotheses,
    ),
    Claim(
        "fx/thm-12",
        "Theorem 12",
        "Learning lines with (alpha, beta)-privacy",
        "ceil(log2(3/delta)) runs of Lemma 16 with accuracy eps/2 and failure 1/2, and the "
        "exponential mechanism among their outputs K on max(72/eps, 12/(eps alpha)) ln(3K/delta) "
        "fresh examples, fail with probability at most delta.",
        Kind.THEOREM,
        boosting,
        uses=("fx/lemma-16", "fx/thm-C.1", "fx/eq-3.1C", "fx/eq-3.2C"),
    ),
    Claim(
        "fx/thm-15",
        "Theorem 15 (=6.1)",
        "Learning lines with (alpha, beta)-privacy, restated",
        "Line_p is learnable with (alpha, beta)-privacy from O(1/(eps alpha) log(1/beta) "
        "log(1/delta)) examples, for every prime p.",
        Kind.THEOREM,
        nothing_finite,
        uses=("fx/thm-12",),
        recorded=Verdict.NOT_DECIDED,
        reason="asymptotic, for every prime; its finite form is fx/thm-12, where p does not occur",
    ),
    Claim(
        "fx/thm-3",
        "Theorem 3 (=1.3)",
        "Separation of pure from approximate privacy",
        "Lines are learnable with (alpha, beta)-privacy from a number of examples that does not "
        "depend on p, while pure privacy needs a number of order log p.",
        Kind.THEOREM,
        nothing_finite,
        uses=("fx/thm-12", "fx/thm-5.3"),
        recorded=Verdict.NOT_DECIDED,
        reason="asymptotic, for every prime; the two finite forms are fx/thm-12 and fx/thm-5.3",
    ),
)
