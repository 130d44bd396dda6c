"""Section 6 and appendix C: releasing the basic learner's output privately, and boosting it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from math import ceil
from typing import cast

import sympy

from ccsim.errors import NotDecidedError
from ccsim.exact import binomial_tail, compare, enclose
from ccsim.exact.exponentials import Real
from ccsim.privacy import (
    Epsilon,
    Law,
    Mechanism,
    PrivateOccam,
    StableMode,
    Subsampled,
    audit,
    laplace_tail,
)
from ccsim.privacy.occam import empirical_errors, labelled_examples
from ccsim.privacy.stable_mode import votes_to_change
from proofs_check.feldman_xiao.basic_learner import ZERO, Example, Hypothesis, learn
from proofs_check.registry import Claim, Instance, Kind, Size, Verdict, nothing_finite

__all__ = ["CLAIMS"]


def _ln(value: Fraction) -> sympy.Expr:
    return sympy.log(sympy.Rational(value.numerator, value.denominator))


def _ceil(expression: sympy.Expr) -> int:
    """Return the least integer at least a number that is no integer itself."""
    interval = enclose(expression)
    if ceil(interval.lower) != ceil(interval.upper):
        msg = f"{expression} is too close to an integer"
        raise NotDecidedError(msg)
    return ceil(interval.upper)


@dataclass(frozen=True, slots=True)
class LineLearner(Mechanism[Example, Hypothesis]):
    """The overall learner for a fixed t: a stable mode of the outputs on blocks of t examples."""

    p: int
    t: int
    epsilon: Epsilon
    delta: Fraction

    @property
    def symmetric(self) -> bool:  # type: ignore[override]
        """False: the blocks are cut in the order of the sample."""
        return False

    @property
    def records(self) -> tuple[Example, ...]:
        """Every point of the plane with either label."""
        plane = ((x, y) for x in range(self.p) for y in range(self.p))
        return tuple((point, label) for point in plane for label in (0, 1))

    def law(self, database: Sequence[Example]) -> Law[Hypothesis]:
        """Return the law of the released hypothesis."""
        blocks = range(0, len(database), self.t)
        votes = [learn(self.p, database[i : i + self.t]) for i in blocks]
        plane = list(product(range(self.p), repeat=2))
        candidates = (
            *(("line", a, b) for a, b in plane),
            *(("point", x, y) for x, y in plane),
            ZERO,
        )
        released = StableMode(candidates, ZERO, self.epsilon, self.delta).law(votes)
        return cast(Law[Hypothesis], released)


def overall_learner(size: Size) -> Iterator[Instance]:
    """Audit the learner on all samples of p = 2, consistent with a line or not."""
    shapes = ((1, 2),) if size is Size.SMALL else ((1, 2), (1, 3), (2, 1))
    for t, blocks in shapes:
        for alpha in ("ln 2", "1/2"):
            learner = LineLearner(2, t, Epsilon.of(alpha), Fraction(1, 8))
            result = audit(learner, alpha, Fraction(1, 8), neighbours=t * blocks)
            result.check()
            detail = f"{result.pairs} pairs of samples, least beta {result.least_delta}"
            name = f"p=2 t={t} blocks={blocks} alpha={alpha} beta=1/8"
            yield Instance.of(name, result.verdict.value == "holds", detail)


def _distance_by_definition(votes: tuple[int, ...], candidates: range) -> tuple[int, int]:
    """Return the mode and the least number of changed votes that changes it."""
    everything = product(candidates, repeat=len(votes))

    def mode(v: tuple[int, ...]) -> int:
        return max(candidates, key=lambda c: (v.count(c), -c))

    ours = mode(votes)
    others = (v for v in everything if mode(v) != ours)
    return ours, min(sum(a != b for a, b in zip(v, votes, strict=True)) for v in others)


def _close(one: tuple[int, int], other: tuple[int, int]) -> bool:
    (mode, c), (rival, d) = one, other
    return abs(c - d) <= 1 if mode == rival else c == d == 1


def mode_distance(size: Size) -> Iterator[Instance]:
    """Compare the formula with the definition on every vector of votes, and neighbours of it."""
    grids = [(2, 4), (3, 3)] + ([(3, 4)] if size is not Size.SMALL else [])
    for number, length in grids + ([(3, 5), (4, 4)] if size is Size.LARGE else []):
        candidates = range(number)
        table = {v: votes_to_change(v, candidates) for v in product(candidates, repeat=length)}
        name = f"{number} candidates, {length} votes"
        yield Instance.all_of(
            f"{name}: formula",
            ((v, found == _distance_by_definition(v, candidates)) for v, found in table.items()),
            "the formula is the definition",
        )
        neighbours = (
            (v, (*v[:i], c, *v[i + 1 :]))
            for v in table
            for i in range(length)
            for c in candidates
            if c != v[i]
        )

        yield Instance.all_of(
            f"{name}: neighbours",
            (((v, w), _close(table[v], table[w])) for v, w in neighbours),
            "c changes by at most 1 while the mode stays, and is 1 on both sides of a change",
        )


def release_privacy(size: Size) -> Iterator[Instance]:
    """Compare exact release probabilities at c and c + 1, and at a change of the mode."""
    most = {Size.SMALL: 20, Size.MEDIUM: 100, Size.LARGE: 400}[size]
    for alpha, beta in (("ln 2", "1/100"), ("ln 3/2", "1/3"), ("1/10", "1/2"), ("1", "1/1000")):
        epsilon, b = Epsilon.of(alpha), Fraction(beta)
        threshold = Epsilon(Fraction(0), 1 / (2 * b))
        chances = [laplace_tail(epsilon * (1 - c) + threshold) for c in range(1, most + 1)]
        factor = epsilon.exp()
        steps = pairwise(chances)
        fair = all(
            low <= factor * high
            and high <= factor * low
            and 1 - high <= factor * (1 - low)
            and 1 - low <= factor * (1 - high)
            for low, high in steps
        )
        name = f"alpha={alpha} beta={beta}"
        yield Instance.of(f"{name}, c <= {most}", fair, "ratio at most e^alpha from c to c + 1")
        detail = f"released with probability {chances[0]} when the mode changes"
        yield Instance.of(f"{name}, c = 1", chances[0] == b, detail)
    for votes in (2, 3):
        mechanism = StableMode(("a", "b", "0"), "0", Epsilon.of("ln 2"), Fraction(1, 8))
        result = audit(mechanism, "ln 2", Fraction(1, 8), neighbours=votes)
        result.check()
        detail = f"{result.pairs} pairs, least beta {result.least_delta}"
        yield Instance.of(f"audit of {votes} votes", result.least_delta == Fraction(1, 8), detail)


def integers_in_window(_size: Size) -> Iterator[Instance]:
    """Take delta = 9/20: an interval of length 40/3 may hold 13 integers only."""
    delta = Fraction(9, 20)
    held = int(6 / delta)
    name = f"delta={delta}, {held} integers in an interval of length {6 / delta}"
    yield Instance.at_most(name, Fraction(3, held), delta / 2, "three bad integers")


def _blocks(alpha: Epsilon, beta: Fraction, delta: Fraction) -> int:
    """Return the corrected number of blocks."""
    power = sympy.Rational(alpha.rational.numerator, alpha.rational.denominator) + _ln(alpha.factor)
    return max(
        _ceil(12 / power * _ln(1 / (beta * delta))) + 13,
        _ceil(72 * _ln(4 / delta)),
    )


def block_accuracy(size: Size) -> Iterator[Instance]:
    """Exact tails for the corrected number of blocks, and the exact chance of no release."""
    grid = [("ln 2", "1/100", "1/4"), ("ln 2", "1/10", "9/20")]
    if size is not Size.SMALL:
        grid += [("ln 3/2", "1/1000", "1/10"), ("1", "1/3", "1/3")]
    for alpha, b, d in grid:
        epsilon, beta, delta = Epsilon.of(alpha), Fraction(b), Fraction(d)
        blocks = _blocks(epsilon, beta, delta)
        need = ceil(Fraction(7 * blocks, 12))
        name = f"alpha={alpha} beta={b} delta={d}, {blocks} blocks"
        few = 1 - binomial_tail(blocks, Fraction(2, 3), need)
        slack = float(delta / 4 - few)
        yield Instance.of(f"{name}: 7/12 agree", few <= delta / 4, f"slack {slack:.3g}")
        votes = "a" * need + "b" * (blocks - need)
        _, c = votes_to_change(votes, "ab")
        yield Instance.at_most(f"{name}: distance", Fraction(blocks, 12), Fraction(c))
        law = StableMode(("a", "b", "0"), "0", epsilon, beta).law(votes)
        missed = 1 - law["a"]
        yield Instance.of(f"{name}: released", missed <= delta / 4, f"missed {float(missed):.3g}")
    for delta in (Fraction(9, 20), Fraction(1, 4), Fraction(1, 100)):
        window = ceil(16 / delta)
        yield Instance.at_most(f"delta={delta}: bad sizes", Fraction(8, window), delta / 2)


def boosting(size: Size) -> Iterator[Instance]:
    """Add up the three ways to fail, with exact binomial tails for the selection."""
    grid = [("1/4", "1/4", "1/4"), ("1/2", "1/4", "1/10")]
    if size is not Size.SMALL:
        grid += [("1/4", "1/2", "1/4"), ("1/2", "1/10", "1/20")]
    for e, d, a in grid:
        eps, delta, alpha = Fraction(e), Fraction(d), Fraction(a)
        runs = _ceil(_ln(3 / delta) / sympy.log(2))
        name = f"eps={e} delta={d} alpha={a}, {runs} runs"
        yield Instance.at_most(f"{name}: all runs fail", Fraction(1, 2) ** runs, delta / 3)
        n = _ceil(max(72 / eps, 12 / (eps * alpha)) * _ln(3 * runs / delta))
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


def _rarely_worse(learner: PrivateOccam, sample: Sequence[Example2], extra: int) -> bool:
    least = min(empirical_errors(sample, h) for h in learner.hypotheses)
    chance: Real = sum(
        (q for h, q in learner.law(sample).items if empirical_errors(sample, h) >= least + extra),
        Fraction(0),
    )
    return bool(chance <= len(learner.hypotheses) * learner.epsilon.exp(Fraction(-extra, 2)))


Example2 = tuple[int, int]
"""Number of a point, and its label."""


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


@dataclass(frozen=True, slots=True)
class Publish(Mechanism[Hashable, tuple[Hashable, ...]]):
    """Publish the database itself: any function of it is at least as private."""

    domain: tuple[Hashable, ...]

    @property
    def symmetric(self) -> bool:  # type: ignore[override]
        """False: the order is published."""
        return False

    @property
    def records(self) -> tuple[Hashable, ...]:
        """The domain."""
        return self.domain

    def law(self, database: Sequence[Hashable]) -> Law[tuple[Hashable, ...]]:
        """Return the law of a constant."""
        return Law.certain(tuple(database))


def subsampling(size: Size) -> Iterator[Instance]:
    """Audit the publication of a random subsample at alpha = 0."""
    for rate in (Fraction(1, 10), Fraction(1, 3)):
        mechanism = Subsampled(Publish(("a", "b", "none")), rate, "none")
        for n in (1, 2) if size is Size.SMALL else (1, 2, 3):
            result = audit(mechanism, 0, rate, neighbours=n)
            result.check()
            detail = f"least beta {result.least_delta} at alpha = 0"
            yield Instance.of(f"rate={rate} n={n}", result.verdict.value == "holds", detail)


CLAIMS = (
    Claim(
        "fx/c-formula",
        "algorithm of Lemma 16 (=6.2), step 2",
        "Number of changed votes that change the mode",
        "With ties broken by order, c is the least over rivals of ceil(d/2) for those before the "
        "mode and floor(d/2) + 1 for those after it, where d is the lead, and at least 1. It "
        "changes by at most 1 with one vote while the mode stays, and is 1 where the mode changes.",
        Kind.LEMMA,
        mode_distance,
    ),
    Claim(
        "fx/lemma-16-privacy",
        "proof of Lemma 16 (=6.2), privacy",
        "Privacy of releasing a stable mode",
        "Releasing the mode iff c + Lap(1/alpha) > ln(1/(2 beta))/alpha + 1 is (alpha, beta)-"
        "private for beta <= 1/2, and beta is the exact mass released where the mode changes.",
        Kind.LEMMA,
        release_privacy,
        uses=("fx/c-formula",),
    ),
    Claim(
        "fx/alg-overall",
        "algorithm of Lemma 16 (=6.2)",
        "Private learner of lines",
        "The mode of the basic learner's outputs on blocks of t examples, released if stable, is "
        "(alpha, beta)-private on all neighbouring samples.",
        Kind.DEFINITION,
        overall_learner,
        uses=("fx/alg-basic", "fx/lemma-16-privacy"),
    ),
    Claim(
        "fx/lemma-16-printed",
        "proof of Lemma 16 (=6.2), choice of k, as printed",
        "Three bad sizes are a fraction of at most delta/2",
        "Among the integers of an interval of length 6/delta, three are a fraction of at most "
        "delta/2.",
        Kind.ERRATUM,
        integers_in_window,
        recorded=Verdict.FAILS,
    ),
    Claim(
        "fx/lemma-16",
        "Lemma 16 (=6.2), with corrected constants",
        "Learner of lines with poor dependence on delta",
        "With k uniform among ceil(16/delta) integers and l = max(ceil(12/alpha ln(1/(beta delta)))"
        " + 13, ceil(72 ln(4/delta))) blocks of 2^k examples the learner fails with probability "
        "at most delta: at most delta/2 for a bad size, delta/4 that fewer than 7/12 of the blocks "
        "agree, and delta/4 that the mode is not released although c >= l/12.",
        Kind.LEMMA,
        block_accuracy,
        uses=("fx/claim-17-corrected", "fx/alg-overall"),
        corrects="fx/lemma-16-printed",
    ),
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
    Claim(
        "fx/footnote-beta",
        "footnote on the dependence on beta",
        "Subsampling and the second privacy parameter",
        "Any function of a random subsample in which each record is kept with probability beta is "
        "(0, beta)-private.",
        Kind.REMARK,
        subsampling,
    ),
)
