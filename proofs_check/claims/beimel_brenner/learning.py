"""Sections 2.2 and 2.4: learning and tail bounds, read literally on small objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import ceil, prod

from ccsim import points, thresholds, vc_dimension
from ccsim.exact import binomial_tail
from ccsim.exact.powers import exponential
from proofs_check.claims.claim import Claim, Instance, Kind, Size, Verdict
from proofs_check.claims.feldman_xiao.learning import disagreement
from proofs_check.claims.grids import classes_up_to_symmetry, laws_with_denominator

__all__ = ["CLAIMS", "exp_below"]


def exp_below(exponent: Fraction) -> Fraction:
    """Return a fraction slightly below ``e^exponent``."""
    return exponential(exponent).enclose().lower


def pac_learning(size: Size) -> Iterator[Instance]:
    """Enumerate samples for the learner that answers 0 unless it sees the positive point."""
    bits = 1 if size is Size.SMALL else 2
    for n in (1, 2, 3):
        for D in laws_with_denominator(1 << bits, 4):
            missed = Fraction(0)
            for sample in product(range(1 << bits), repeat=n):
                h = 1 if 0 in sample else 0
                if disagreement(D, 1, h) > Fraction(1, 4):
                    missed += prod((D[x] for x in sample), start=Fraction(1))
            closed = (1 - D[0]) ** n if D[0] > Fraction(1, 4) else Fraction(0)
            name = f"points:b={bits} n={n} D={','.join(map(str, D))}"
            yield Instance.of(name, missed == closed, f"fails with probability {missed}")


def vc_by_definition(_size: Size) -> Iterator[Instance]:
    """Look for shattered sets in every class on up to three points."""

    def cases() -> Iterator[tuple[object, bool]]:
        for C in classes_up_to_symmetry(3):
            result = vc_dimension(C)
            result.check()
            shattered = [
                r
                for r in range(len(C.points) + 1)
                for Y in combinations(range(len(C.points)), r)
                if len({tuple(row >> x & 1 for x in Y) for row in C.rows}) == 1 << r
            ]
            yield C.rows, result.value == max(shattered)

    yield Instance.all_of("classes on up to 3 points", cases(), "size of a largest shattered set")


def consistent_learners(_size: Size) -> Iterator[Instance]:
    """Exact chance that a concept with a large error is consistent with the sample."""
    alpha, beta = Fraction(1, 2), Fraction(1, 4)
    for C in (points(2), thresholds(2)):
        d = vc_dimension(C).value
        n = ceil(max(4 / alpha * 3, 8 * d / alpha * 5))  # log2(2/beta) = 3, log2(13/alpha) < 5
        cases = [
            ((f, D), _bad_and_consistent(C.rows, f, D, alpha, n), beta)
            for D in laws_with_denominator(4, 5)
            for f in C.rows
        ]
        yield Instance.tightest(f"{C.name} alpha={alpha} beta={beta} n={n}", cases)


def _bad_and_consistent(
    rows: Sequence[int], f: int, D: Sequence[Fraction], alpha: Fraction, n: int
) -> Fraction:
    """Return the chance, by inclusion and exclusion over the bad concepts."""
    bad = [f ^ h for h in rows if disagreement(D, f, h) > alpha]
    total = Fraction(0)
    for r in range(1, len(bad) + 1):
        for chosen in combinations(bad, r):
            union = 0
            for wrong in chosen:
                union |= wrong
            total -= (-1) ** r * (1 - disagreement(D, union, 0)) ** n
    return total


def dnf_by_cnf(size: Size) -> Iterator[Instance]:
    """Write every DNF of k terms as the CNF of all clauses with a literal of each term."""
    for n, k in ((2, 1), (2, 2), (3, 1)) if size is Size.SMALL else ((2, 2), (3, 1), (3, 2)):
        literals = [(i, s) for i in range(n) for s in (0, 1)]
        terms = [t for r in range(n + 1) for t in combinations(literals, r)]

        def true(literal: tuple[int, int], x: int) -> bool:
            return x >> literal[0] & 1 == literal[1]

        def equal(dnf: tuple[tuple[tuple[int, int], ...], ...], n: int = n) -> bool:
            clauses = list(product(*dnf))
            return all(
                any(all(true(v, x) for v in t) for t in dnf)
                == all(any(true(v, x) for v in clause) for clause in clauses)
                for x in range(1 << n)
            )

        cases = ((dnf, equal(dnf)) for dnf in combinations_with_replacement(terms, k))
        yield Instance.all_of(f"{k} terms over {n} variables", cases, f"equal to a {k}-CNF")


def tail_bounds(size: Size) -> Iterator[Instance]:
    """Compare exact binomial tails with the three bounds."""
    trials = (1, 5, 20) if size is Size.SMALL else (1, 2, 5, 10, 20, 40, 60)
    rates = [Fraction(1, 10), Fraction(1, 3), Fraction(1, 2), Fraction(9, 10)]
    steps = [Fraction(1, 4), Fraction(1, 2), Fraction(1)]
    grid = [(n, p, t) for n in trials for p in rates for t in steps]

    def upper() -> Iterator[tuple[object, Fraction, Fraction]]:
        for n, p, t in grid:
            tail = binomial_tail(n, p, ceil((1 + t) * n * p))
            yield f"n={n} p={p} delta={t}", tail, exp_below(-n * p * t**2 / 3)

    def lower() -> Iterator[tuple[object, Fraction, Fraction]]:
        for n, p, t in grid:
            tail = binomial_tail(n, 1 - p, ceil(n - (1 - t) * n * p))
            yield f"n={n} p={p} delta={t}", tail, exp_below(-n * p * t**2 / 2)

    def both() -> Iterator[tuple[object, Fraction, Fraction]]:
        for n, p, t in grid:
            far = t * n / 2
            tail = binomial_tail(n, p, ceil(n * p + far))
            tail += binomial_tail(n, 1 - p, ceil(n * (1 - p) + far))
            yield f"n={n} p={p} delta={far}", tail, 2 * exp_below(-2 * far**2 / n)

    yield Instance.tightest("above the mean by a factor 1 + delta", upper())
    yield Instance.tightest("below the mean by a factor 1 - delta", lower())
    yield Instance.tightest("away from the mean by delta", both())


CLAIMS = (
    Claim(
        "bbkn/def-2.2",
        "Definition 2.2",
        "PAC learning",
        "A learner errs by more than alpha with probability at most beta on every concept and "
        "distribution (for given alpha and beta; the growth of n is not finite). The learner that "
        "answers 0 until it sees the point of mass p > alpha fails with probability (1-p)^n.",
        Kind.DEFINITION,
        pac_learning,
    ),
    Claim(
        "bbkn/def-2.3",
        "Definition 2.3",
        "VC dimension",
        "The size of a largest set of points on which a class has all labellings.",
        Kind.DEFINITION,
        vc_by_definition,
    ),
    Claim(
        "bbkn/thm-2.4",
        "Theorem 2.4, cited",
        "Sample complexity of PAC learning",
        "A class of VC dimension d is learned by any consistent learner from O((d log(1/alpha) + "
        "log(1/beta))/alpha) examples.",
        Kind.THEOREM,
        consistent_learners,
        uses=("bbkn/def-2.2", "bbkn/def-2.3"),
        recorded=Verdict.NOT_DECIDED,
        reason="a cited bound up to constants, for all classes; checked with the constants of "
        "Blumer et al., max(4/alpha log2(2/beta), 8d/alpha log2(13/alpha)), on small classes and a "
        "grid of distributions",
    ),
    Claim(
        "bbkn/obs-2.7",
        "Observation 2.7",
        "Private learning of DNF by CNF",
        "Unless RP = NP no efficient proper private learner learns k-term DNF, but an improper one "
        "does by k-CNF: every DNF of k terms is a k-CNF.",
        Kind.REMARK,
        dnf_by_cnf,
        uses=("bbkn/def-2.5",),
        recorded=Verdict.NOT_DECIDED,
        reason="rests on RP != NP and on polynomial running times; that k-term DNF are k-CNF is "
        "checked for few variables",
    ),
    Claim(
        "bbkn/chernoff",
        "inequalities (2)",
        "Tail bounds",
        "For X = Bin(n, p) and 0 < delta <= 1: Pr[X >= (1+delta)pn] <= e^(-pn delta^2/3), Pr[X <= "
        "(1-delta)pn] <= e^(-pn delta^2/2); and Pr[|X - pn| >= delta] <= 2 e^(-2 delta^2/n) for "
        "delta > 0.",
        Kind.LEMMA,
        tail_bounds,
    ),
)
