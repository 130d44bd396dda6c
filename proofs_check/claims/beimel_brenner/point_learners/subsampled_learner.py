"""Section 4.2: the subsampled learner of points with a constant number of examples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import prod
from typing import Any

from ccsim.errors import DomainError
from ccsim.exact import Epsilon, Law, binomial_tail
from ccsim.exact.exponentials import Real, rational
from ccsim.learning import NoisyConsistentPoint, SubsampledPoint
from ccsim.learning.learners.noisy_points import NULL
from ccsim.learning.sample_size import log_ceiling
from ccsim.privacy import Mechanism, RandomizedResponse, Subsampled, audit, keeping_rate
from ccsim.privacy.mechanisms.subsampling import printed_keeping_rate
from proofs_check.claims.claim import Claim, Instance, Kind, Size
from proofs_check.claims.evidence import recheck, rounded_up
from proofs_check.claims.feldman_xiao.learning import disagreement
from proofs_check.claims.grids import laws_with_denominator

__all__ = ["CLAIMS", "LN4", "ONE", "Record", "answered", "finite"]

LN4, ONE = Epsilon.of("ln 4"), Epsilon.of(1)
Record = tuple[int, int] | None


def _law_of_steps(sample: Sequence[Record], T: int, noise: Fraction) -> dict[int | None, Fraction]:
    """Return the law of A1, step by step."""
    kept = [z for z in sample if z is not None]
    fitting = [j for j in range(T) if all(y == (x == j) for x, y in kept)]
    if not fitting:
        return {None: Fraction(1)}
    c = 1 << fitting[0] if any(y for _, y in kept) else 0
    law: dict[int | None, Fraction] = {}
    for h in range(1 << T):
        flips = (h ^ c).bit_count()
        law[h] = noise**flips * (1 - noise) ** (T - flips)
    return law


def noisy_consistent_point(size: Size) -> Iterator[Instance]:
    """Compare the law with the three steps on every database with null entries."""
    for T, m in ((2, 2), (3, 1)) if size is Size.SMALL else ((2, 3), (3, 2)):
        A1 = NoisyConsistentPoint(T, Fraction(1, 20))
        databases = combinations_with_replacement(A1.records, m)
        cases = (
            (S, A1.law(S).as_mapping() == _law_of_steps(S, T, Fraction(1, 20))) for S in databases
        )
        yield Instance.all_of(f"T={T} m={m} noise=1/20", cases, "law of steps 1 to 3")


def _missed(concept: int, D: Sequence[Fraction], law: Law[int | None], alpha: Fraction) -> Fraction:
    """Return the probability of an error of at least ``alpha``, or of no answer."""
    bad = (rational(p) for h, p in law.items if h is None or disagreement(D, concept, h) >= alpha)
    return sum(bad, Fraction(0))


def answered(
    inner: Mechanism[Record, int | None], D: Sequence[Fraction], m: int, alpha: Fraction
) -> Fraction:
    """Return the failure probability of a learner on concept 0 with m examples.

    The sample matters by which points occur in it alone; whether point 0 does, decides.
    """
    missing = (1 - D[0]) ** m
    seen, unseen = (inner.law([example]) for example in ((0, 1), (len(D) - 1, 0)))
    return (1 - missing) * _missed(1, D, seen, alpha) + missing * _missed(1, D, unseen, alpha)


def constant_utility(size: Size) -> Iterator[Instance]:
    """Add up the failure probability of A1 on a grid of distributions."""
    for alpha in (Fraction(2, 5), Fraction(1, 4)):
        m = log_ceiling(2 / alpha, Fraction(4), ONE)
        yield Instance.at_most(
            f"alpha={alpha} m={m}: the point is missing", (1 - alpha / 2) ** m, Fraction(1, 4)
        )
        for T in (2, 3) if size is Size.SMALL else (2, 3, 4):
            A1 = NoisyConsistentPoint(T, alpha / 8)
            cases = (
                (D, answered(A1, D, m, alpha), Fraction(1, 2)) for D in laws_with_denominator(T, 10)
            )
            yield Instance.tightest(f"alpha={alpha} m={m} T={T}: A1 fails", cases)


def subsampled_point(size: Size) -> Iterator[Instance]:
    """Compare the law with the mixture over all subsets of the database."""
    alpha = Fraction(2, 5)
    for T, m in ((2, 1), (2, 2)) if size is Size.SMALL else ((2, 3), (3, 2)):
        A2 = SubsampledPoint(T, alpha)
        cases = (
            (S, A2.law(S).as_mapping() == _law_over_subsets(S, T, alpha))
            for S in combinations_with_replacement(A2.records, m)
        )
        yield Instance.all_of(f"T={T} m={m} alpha={alpha}", cases, "law of steps 1 to 3")


def _law_over_subsets(
    sample: Sequence[Record], T: int, alpha: Fraction
) -> dict[int | None, Fraction]:
    law: dict[int | None, Fraction] = {None: alpha / 8}
    p = alpha / 4
    for kept in product((True, False), repeat=len(sample)):
        weight = (1 - alpha / 8) * prod((p if k else 1 - p for k in kept), start=Fraction(1))
        chosen = [z for z, k in zip(sample, kept, strict=True) if k]
        for h, q in _law_of_steps(chosen, T, alpha / 8).items():
            law[h] = law.get(h, Fraction(0)) + weight * q
    return law


def constant_privacy(size: Size) -> Iterator[Instance]:
    """Audit A2, and compare the tail of the subsample's size with 1/16."""
    grid = [(2, 1, "2/5"), (2, 2, "2/5"), (2, 2, "1/4"), (3, 1, "49/100")]
    if size is not Size.SMALL:
        grid += [(2, 3, "2/5"), (3, 2, "2/5"), (3, 2, "1/4")]
    for T, m, text in grid:
        alpha = Fraction(text)
        result = audit(SubsampledPoint(T, alpha), LN4, 0, m)
        recheck(result)
        factor, bound = finite(result.factor), 1 + 8 / (4 - alpha)
        yield Instance.at_most(f"T={T} m={m} alpha={alpha}: privacy", factor, bound, f"below {4}")
    for alpha in (Fraction(2, 5), Fraction(1, 4), Fraction(1, 10)):
        given = log_ceiling(32 / alpha**2, Fraction(4), ONE)
        needed = log_ceiling(2 / alpha, Fraction(4), ONE)
        few = rounded_up(binomial_tail(given, 1 - alpha / 4, given - needed + 1))
        yield Instance.at_most(f"alpha={alpha} m'={given}: too few are kept", few, Fraction(1, 16))
        total = Fraction(1, 16) + Fraction(1, 2) + alpha / 8
        yield Instance.at_most(f"alpha={alpha}: failure", total, Fraction(5, 8))


def finite(factor: Real | None) -> Fraction:
    """Return the least ``e^eps`` of an audit.

    Raises
    ------
    DomainError
        If there is none.
    """
    if factor is None:
        raise DomainError("no epsilon is enough")
    return rational(factor)


def subsampling(size: Size) -> Iterator[Instance]:
    """Check the identity and both rates, and audit subsampled mechanisms."""
    factors = [Fraction(n, d) for n, d in ((5, 4), (3, 2), (2, 1), (3, 1))]
    inner = [Fraction(2), Fraction(3), Fraction(4)]

    def identity() -> Iterator[tuple[object, bool]]:
        for e, f in product(factors, inner):
            q = (e - 1) / (f + e - e / f - 1)
            ratio = (1 + q * (f - 1)) / (1 - q * (1 - 1 / f))
            yield (e, f), ratio == e and (q <= 1) == (e <= f * f) and (q <= (e - 1) / (f - 1))

    yield Instance.all_of("e^eps, e^eps*", identity(), "(1+f(e^eps*-1))/(1-f(1-e^-eps*)) = e^eps")
    half = Epsilon.of("ln 2")
    mechanisms: dict[str, Mechanism[Any, Any]] = {
        "A2": SubsampledPoint(2, Fraction(2, 5)),
        "randomised response": RandomizedResponse((0, 1, NULL), LN4),
    }
    rates = {"printed": printed_keeping_rate(half, LN4), "larger": keeping_rate(half, LN4)}
    sizes = (1,) if size is Size.SMALL else (1, 2)
    for (label, mechanism), (name, rate), m in product(mechanisms.items(), rates.items(), sizes):
        result = audit(Subsampled(mechanism, rate, NULL), half, 0, m)
        recheck(result)
        of = f"{label} m={m} {name} rate {rate}"
        yield Instance.at_most(of, finite(result.factor), Fraction(2))


def starred_subsample(size: Size) -> Iterator[Instance]:
    """Compare the law with A2 on every choice of null entries."""
    alpha, epsilon = Fraction(2, 5), Epsilon.of("ln 2")
    rate = rational(printed_keeping_rate(epsilon, LN4))
    A2 = SubsampledPoint(2, alpha)
    A3 = Subsampled(A2, rate, NULL)
    for m in (1, 2):
        cases = (
            (S, A3.law(S).as_mapping() == _law_over_stars(A2, S, rate))
            for S in combinations_with_replacement(A2.records, m)
        )
        yield Instance.all_of(f"T=2 m={m} alpha={alpha} e^eps=2", cases, "A2 on random entries")


def _law_over_stars(
    A2: SubsampledPoint, sample: Sequence[Record], rate: Fraction
) -> dict[int | None, Fraction]:
    law: dict[int | None, Fraction] = {}
    for kept in product((True, False), repeat=len(sample)):
        weight = prod((rate if k else 1 - rate for k in kept), start=Fraction(1))
        masked = [z if k else NULL for z, k in zip(sample, kept, strict=True)]
        for h, p in A2.law(masked).items:
            law[h] = law.get(h, Fraction(0)) + weight * rational(p)
    return law


CLAIMS = (
    Claim(
        "bbkn/alg-A1",
        "section 4.2, algorithm A1",
        "Algorithm A1",
        "No answer on an inconsistent sample; else 0 or the consistent point function, each value "
        "flipped independently with a small probability. A sample with a negative example of every "
        "point is inconsistent as well, which the parenthesis of step 1 leaves out.",
        Kind.DEFINITION,
        noisy_consistent_point,
    ),
    Claim(
        "bbkn/A1-utility",
        "section 4.2, utility of A1",
        "Utility of A1",
        "From 2 ln 4 / alpha examples of a point function A1 with noise alpha/8 errs by alpha or "
        "more with probability at most 1/2.",
        Kind.LEMMA,
        constant_utility,
        uses=("bbkn/alg-A1",),
    ),
    Claim(
        "bbkn/alg-A2",
        "section 4.2, algorithm A2",
        "Algorithm A2",
        "No answer with probability alpha/8; else A1 on a subset of the sample that holds every "
        "entry with probability alpha/4.",
        Kind.DEFINITION,
        subsampled_point,
        uses=("bbkn/alg-A1",),
    ),
    Claim(
        "bbkn/claim-4.3",
        "Claim 4.3, sharpened",
        "Privacy and utility of A2",
        "For alpha < 1/2, A2 is ln 4-private, even ln(1 + 8/(4 - alpha))-private, and from 32 ln 4 "
        "/ alpha^2 examples errs by more than alpha with probability at most 5/8 (the paper's "
        "confidence 3/4 is a failure probability).",
        Kind.LEMMA,
        constant_privacy,
        uses=("bbkn/alg-A2", "bbkn/A1-utility", "bbkn/chernoff", "bbkn/def-2.1"),
    ),
    Claim(
        "bbkn/lemma-4.4",
        "Lemma 4.4, with the larger rate besides",
        "Privacy by subsampling",
        "Keeping every entry of the database of an eps*-private mechanism with probability "
        "(e^eps - 1)/(e^eps* + e^eps - e^(eps - eps*) - 1), else replacing it by a null entry, "
        "makes it eps-private. The larger rate (e^eps - 1)/(e^eps* - 1) does so, too.",
        Kind.LEMMA,
        subsampling,
        uses=("bbkn/def-2.1",),
    ),
    Claim(
        "bbkn/alg-A3",
        "proof of Claim 4.5, algorithm A3",
        "Algorithm A3",
        "A2 on a database whose entries are kept with the rate of Lemma 4.4, else null.",
        Kind.DEFINITION,
        starred_subsample,
        uses=("bbkn/alg-A2", "bbkn/lemma-4.4"),
    ),
)
