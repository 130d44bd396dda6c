"""Sections 2.2 and 2.4: learning and tail bounds, checked literally on small instances."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import reduce
from itertools import combinations, combinations_with_replacement, permutations, product
from math import ceil, prod
from operator import and_, or_
from typing import TypeAlias

from ccsim import ConceptClass
from ccsim.exact import LogSum, binomial_tail
from ccsim.exact.exponentials import exponential
from ccsim.instances import parse_class
from ccsim.learning import worst_failure
from ccsim.learning.learners.occam import Example, labelled_examples
from ccsim.privacy import Deterministic
from ccsim.representation import single_points
from proofs_check.claims.claim import Kind, Verdict, claim
from proofs_check.claims.decision import Decision, all_of, at_least, at_most, below, equal
from proofs_check.claims.evidence import vc_dimension
from proofs_check.claims.feldman_xiao.learning import disagreement
from proofs_check.claims.grid import grid, table
from proofs_check.claims.grids import classes_up_to_symmetry, distributions_with_denominator
from proofs_check.claims.variants import near, plus, times

Sample: TypeAlias = Iterable[Example]
WIDE = "all_functions:n=40"
"""A class too large to be listed, looked at under the uniform distribution alone."""


def _once_seen(sample: Sample) -> int:
    return next((1 << x for x, label in sample if label), 0)


def _zero(_sample: Sample) -> int:
    return 0


@claim(
    "bbkn/def-2.2",
    "Definition 2.2",
    "PAC learning",
    Kind.DEFINITION,
    over=grid(points=[2], n=[1, 2, 3], accuracy=["1/4", "1/2"]).medium(n=[4]),
    near=[
        near("The failure probability is smaller by 1/100.", failure=times(Fraction(99, 100))),
        near("The statement for the learner that always outputs 0.", learner=_zero),
    ],
)
def pac_learning(
    points: int,
    n: int,
    accuracy: str,
    *,
    learner: Callable[[Sample], int] = _once_seen,
    failure: Callable[[Fraction, int], Fraction] = lambda alpha, n: (1 - alpha) ** n,
) -> Decision:
    """A learner from n examples is an (alpha, beta)-PAC learner if its error exceeds alpha with
    probability at most beta, for every concept and distribution (the growth of n is not a finite
    statement). For the learner of points that outputs 0 unless the positive point occurs in the
    sample, the least beta is (1 - alpha)^n, which no distribution attains.
    """
    C, allowed = single_points(points), Fraction(accuracy)
    beta = failure(allowed, n)
    mechanism = Deterministic(labelled_examples(len(C.points)), learner)
    worst = worst_failure(mechanism, C, n, accuracy, gap="1/1000")  # type: ignore[arg-type]
    missed = (
        ((D, row), below(_missed(learner, row, D, n, allowed), beta))
        for D in distributions_with_denominator(len(C.points), 4)
        for row in C.rows
    )
    return all_of(
        [
            ("the grid of distributions", all_of(missed)),
            ("a distribution that is found", below(worst.lower, beta)),
            ("all distributions", at_least(worst.upper, beta)),
        ]
    )


def _missed(
    learner: Callable[[Sample], int], row: int, D: Sequence[Fraction], n: int, accuracy: Fraction
) -> Fraction:
    """Return the probability that the hypothesis of a learner has error above the accuracy."""
    missed = (
        prod((D[x] for x in drawn), start=Fraction(1))
        for drawn in product(range(len(D)), repeat=n)
        if disagreement(D, row, learner([(x, row >> x & 1) for x in drawn])) > accuracy
    )
    return sum(missed, Fraction(0))


@claim(
    "bbkn/def-2.3",
    "Definition 2.3",
    "VC dimension",
    Kind.DEFINITION,
    over=grid(points=[1, 2, 3]),
    near=[
        near("All labellings except one are enough.", labellings=plus(-1)),
        near("One concept is left out.", concepts=lambda C: C.rows[1:]),
    ],
)
def vc_by_definition(
    points: int,
    *,
    labellings: Callable[[int], int] = lambda size: 1 << size,
    concepts: Callable[[ConceptClass], Sequence[int]] = lambda C: C.rows,
) -> Decision:
    """The VC dimension is the size of a largest set of points on which a class has all labellings.
    Checked for every class on the given number of points, up to symmetry."""

    def shattered(C: ConceptClass) -> Iterator[int]:
        for size in range(points + 1):
            for Y in combinations(range(points), size):
                found = {tuple(row >> x & 1 for x in Y) for row in concepts(C)}
                if len(found) >= labellings(size):
                    yield size

    classes = (C for C in classes_up_to_symmetry(points) if len(C.points) == points)
    return all_of((C.rows, equal(vc_dimension(C), max(shattered(C), default=-1))) for C in classes)


@claim(
    "bbkn/thm-2.4",
    "Theorem 2.4, cited",
    "Sample complexity of PAC learning",
    Kind.THEOREM,
    over=table(
        "instance accuracy exponent",
        ("points:b=2", "1/4", 1),
        ("points:b=2", "1/4", 100),
        ("thresholds:b=2", "1/2", 100),
        ("all_functions:n=3", "1/4", 1),
        (WIDE, "1/2", 1),
    ).medium(("all_functions:n=3", "1/2", 100), ("intervals:n=4", "1/4", 100), (WIDE, "1/4", 1)),
    near=[
        near(
            "One seventh of the term 4/alpha log2(2/beta) is enough.",
            failure_term=times(Fraction(1, 7)),
        ),
        near(
            "The fraction 1/118 of the term 8d/alpha log2(13/alpha) is enough.",
            dimension_term=times(Fraction(1, 118)),
        ),
    ],
    uses=["bbkn/def-2.2", "bbkn/def-2.3"],
    recorded=Verdict.NOT_DECIDED,
    reason="a cited bound up to constants, for all classes; checked with the constants of Blumer "
    "et al. on a few classes and distributions",
)
def consistent_learners(
    instance: str,
    accuracy: str,
    exponent: int,
    *,
    failure_term: Fraction = Fraction(4),
    dimension_term: Fraction = Fraction(8),
) -> Decision:
    """A class of VC dimension d is learned by any consistent learner from O((d log(1/alpha) +
    log(1/beta))/alpha) examples: max(4/alpha log2(2/beta), 8d/alpha log2(13/alpha)) are enough.
    Checked for beta = 2^-exponent, where exponent is a parameter of the instance.
    """
    alpha, beta = Fraction(accuracy), Fraction(1, 2**exponent)
    C = None if instance == WIDE else parse_class(instance)
    d = 40 if C is None else vc_dimension(C).value
    by_failure = LogSum.log2(2 / beta) * (failure_term / alpha)
    by_dimension = LogSum.log2(13 / alpha) * (dimension_term * d / alpha)
    n = ceil(max(by_failure.enclose().upper, by_dimension.enclose().upper))
    if C is None:
        return at_most(_unseen(d, alpha, n), beta, f"{n} examples")
    return all_of(
        ((row, D), at_most(_bad_and_consistent(C, row, D, alpha, n), beta, f"{n} examples"))
        for D in _hard_distributions(len(C.points), alpha)
        for row in C.rows
    )


def _hard_distributions(points: int, alpha: Fraction) -> Iterator[tuple[Fraction, ...]]:
    """Yield distributions on two points, one with mass slightly above the accuracy."""
    mass = alpha + Fraction(1, 1000)
    for x, y in permutations(range(points), 2):
        yield tuple(mass if z == x else (1 - mass) * (z == y) for z in range(points))


def _unseen(points: int, alpha: Fraction, n: int) -> Fraction:
    """Return the probability that more than ``alpha points`` uniform points are never drawn."""
    ways = {0: 1}
    for _ in range(n):
        new = {seen + 1: (points - seen) * w for seen, w in ways.items() if seen < points}
        ways = {k: new.get(k, 0) + k * ways.get(k, 0) for k in {*new, *ways}}
    return Fraction(sum(w for seen, w in ways.items() if points - seen > alpha * points), points**n)


def _bad_and_consistent(
    C: ConceptClass, row: int, D: Sequence[Fraction], alpha: Fraction, n: int
) -> Fraction:
    """Return the probability that n examples are consistent with some bad concept."""
    wrong = {row ^ h for h in C.rows if disagreement(D, row, h) > alpha}
    least = [w for w in wrong if not any(v & w == v != w for v in wrong)]
    total = Fraction(0)
    for r in range(1, len(least) + 1):
        for chosen in combinations(least, r):
            union = reduce(or_, chosen)
            total -= (-1) ** r * (1 - disagreement(D, union, 0)) ** n
    return total


def _true(literals: Iterable[tuple[int, int]], x: int) -> Iterator[bool]:
    return (x >> i & 1 == sign for i, sign in literals)


@claim(
    "bbkn/obs-2.7",
    "Observation 2.7",
    "Private learning of DNF by CNF",
    Kind.REMARK,
    over=table("variables terms", (2, 1), (2, 2), (3, 1), (3, 2)).medium((3, 3)),
    near=[
        near("Every DNF of k terms is a (k - 1)-CNF.", width=plus(-1)),
        near("Every DNF of k + 1 terms is a k-CNF.", number=plus(1)),
    ],
    uses=["bbkn/def-2.5"],
    recorded=Verdict.NOT_DECIDED,
    reason="depends on RP != NP and on polynomial running times; for few variables, it is checked "
    "that every k-term DNF is a k-CNF",
)
def dnf_by_cnf(
    variables: int,
    terms: int,
    *,
    width: Callable[[int], int] = int,
    number: Callable[[int], int] = int,
) -> Decision:
    """Unless RP = NP, no efficient proper private learner learns k-term DNF, but an improper
    learner does, with k-CNF hypotheses: every DNF of k terms is a k-CNF, the conjunction of all
    clauses of k literals that it implies."""
    literals = list(product(range(variables), (0, 1)))
    inputs = range(1 << variables)

    def table(holds: Callable[[Iterable[bool]], bool], size: int) -> set[int]:
        chosen = (c for r in range(size + 1) for c in combinations(literals, r))
        return {sum(holds(_true(c, x)) << x for x in inputs) for c in chosen}

    clauses = table(any, width(terms))
    everything = (1 << len(inputs)) - 1

    def is_cnf(dnf: int) -> bool:
        implied = (clause for clause in clauses if dnf & ~clause == 0)
        return reduce(and_, implied, everything) == dnf

    of_terms = combinations_with_replacement(sorted(table(all, variables)), number(terms))
    functions = {reduce(or_, chosen) for chosen in of_terms}
    return all_of(((f"{f:b}", is_cnf(f)) for f in functions), f"a {terms}-CNF")


@claim(
    "bbkn/chernoff",
    "inequalities (2)",
    "Tail bounds",
    Kind.LEMMA,
    over=table(
        "n p", (2, "1/2"), (20, "9/10"), (60, "1/3"), (200, "1/2"), (4000, "1/10"), (5000, "1/100")
    ).medium((1, "1/10"), (5, "1/3"), (40, "2/3")),
    near=[
        near("The first inequality with e^(-11 pn delta^2/24).", above=times(Fraction(11, 8))),
        near("The second inequality with e^(-3 pn delta^2/4).", beneath=times(Fraction(3, 2))),
        near("The third inequality with e^(-16/7 delta^2/n).", away=times(Fraction(8, 7))),
        near("The third inequality with 4/3 in place of 2.", twice=times(Fraction(2, 3))),
        near("The first inequality for delta <= 3.", largest=times(3)),
    ],
)
def tail_bounds(
    n: int,
    p: str,
    *,
    above: Fraction = Fraction(1, 3),
    beneath: Fraction = Fraction(1, 2),
    away: Fraction = Fraction(2),
    twice: Fraction = Fraction(2),
    largest: int = 1,
) -> Decision:
    """For X = Bin(n, p) and 0 < delta <= 1: Pr[X >= (1+delta)pn] <= e^(-pn delta^2/3), Pr[X <=
    (1-delta)pn] <= e^(-pn delta^2/2); and Pr[|X - pn| >= delta] <= 2 e^(-2 delta^2/n) for delta >
    0. Checked with the exact binomial distribution for delta = 1/4, 1/2, 1 and, in the third
    inequality, for delta = 1/4, 1/2, 1 times min(n/2, 50).
    """
    q = Fraction(p)
    mean = n * q

    def cases() -> Iterator[tuple[str, Decision]]:
        for step in (Fraction(1, 4), Fraction(1, 2), Fraction(1)):
            t, far = step * largest, step * min(Fraction(n, 2), Fraction(50))
            up = binomial_tail(n, q, ceil(mean + t * mean))
            yield f"above by {t}", at_most(up, exponential(-above * mean * t**2))
            down = binomial_tail(n, 1 - q, ceil(n - (1 - step) * mean))
            yield f"below by {step}", at_most(down, exponential(-beneath * mean * step**2))
            both = binomial_tail(n, q, ceil(mean + far))
            both += binomial_tail(n, 1 - q, ceil(n - mean + far))
            bound = twice * exponential(-away * far**2 / n)
            yield f"away by {far}", at_most(both, bound, trivial=1)

    return all_of(cases())
