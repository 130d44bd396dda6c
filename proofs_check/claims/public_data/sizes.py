"""Section 3: numbers of private and public records of the release."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import floor

from ccsim import ConceptClass, dual_vc_dimension, vc_dimension
from ccsim.exact import Epsilon, Interval
from ccsim.exact.exponentials import enclose_log
from ccsim.instances import parse_class
from ccsim.release.queries.covers import ClassCover
from proofs_check.claims.claim import Kind, Verdict, claim
from proofs_check.claims.decision import Decision, all_of, at_most
from proofs_check.claims.evidence import recheck
from proofs_check.claims.grid import grid
from proofs_check.claims.public_data.constructions.sizes import assisted_sizes, cover_logarithms
from proofs_check.claims.variants import near, times

ONE, MILLIONTH = Epsilon.of(1), Fraction(1, 10**6)


def _dimensions(instance: str) -> tuple[int, int]:
    """Return the VC and the dual VC dimension."""
    C = parse_class(instance)
    return recheck(vc_dimension(C)).value, recheck(dual_vc_dimension(C)).value


def _ln(value: Fraction) -> Interval:
    return enclose_log(value)


def _double_sample(d: int, m: int, alpha: Fraction) -> Interval:
    """Return ``log2`` of ``2 (2 e m / d)^(2 d) 2^(-alpha m / 8)``."""
    two, ratio = _ln(Fraction(2)), _ln(Fraction(2 * m, d))
    low, high = 1 - alpha * m / 8, Fraction(2 * d)
    return Interval(
        low + high * (1 + ratio.lower) / two.upper, low + high * (1 + ratio.upper) / two.lower
    )


def _stated(d: int, p: int, alpha: Fraction, beta: Fraction) -> Interval:
    """Return the square of the expression inside O(...) for the private records, for eps = 1."""
    accuracy, failure, slack = _ln(1 / alpha), _ln(1 / beta), _ln(1 / MILLIONTH)
    ends = (
        (d * a + b) ** 3 * p * s / alpha**4
        for a, b, s in (
            (accuracy.lower, failure.lower, slack.lower),
            (accuracy.upper, failure.upper, slack.upper),
        )
    )
    return Interval(*ends)


GRID = tuple(product((Fraction(1, 2), Fraction(1, 1000)), (Fraction(1, 10), Fraction(1, 1000))))
"""Values of alpha and beta."""


@claim(
    "pap/thm-10",
    "Theorem 10, as read",
    "Sample sizes of the release with public data",
    Kind.THEOREM,
    over=grid(instance=["thresholds:b=3", "points:b=3", "intervals:n=6", "decision_stumps:p=3"]),
    near=[
        near("7/11 of the public records are enough.", public=times(Fraction(7, 11))),
        near("Covers have at most 8 (e m / d)^d / 11 concepts.", concepts=times(Fraction(8, 11))),
        near(
            "Representative domains have at most 11/16 (e |H| / p)^p cells.",
            cells=times(Fraction(11, 16)),
        ),
        near("The statement with 13 000 in place of 14 000.", constant=times(Fraction(13, 14))),
    ],
    recorded=Verdict.NOT_DECIDED,
    reason="asymptotic, and dependent on Lemma 7; the arithmetic of the proof is checked, with "
    "explicit constants",
    uses=["pap/lemma-7", "pap/alg-3"],
)
def sample_sizes(
    instance: str,
    *,
    public: Fraction = Fraction(1),
    concepts: Fraction = Fraction(1),
    cells: Fraction = Fraction(1),
    constant: Fraction = Fraction(14_000),
) -> Decision:
    """For VC dimension d and dual VC dimension p, n = O((d log(1/alpha) + log(1/beta))^(3/2) sqrt(p
    log(1/delta)) / (eps alpha^2)) private and m = O((d log(1/alpha) + log(1/beta)) / alpha) public
    records are enough. Three statements are checked: the double-sample bound 2 (2 e m / d)^(2 d)
    2^(-alpha m / 8) is at most beta / 2 for an explicit m; the sizes of covers from public points
    satisfy the bounds of Sauer's lemma and Claim 3; and Lemma 7 with alpha / 2, beta / 2 requires
    at most 14 000 times the expression inside O(), for alpha = 1/2 and 1/1000, beta = 1/10 and
    1/1000, eps = 1 and delta = 1/1 000 000.
    """
    C, (d, p) = parse_class(instance), _dimensions(instance)

    def cases() -> Iterator[tuple[object, Decision]]:
        for alpha, beta in GRID:
            n, m = assisted_sizes(d, p, alpha, beta, ONE, MILLIONTH)
            bound = _double_sample(d, floor(public * m.records), alpha)
            allowed = _ln(beta / 2)
            two = _ln(Fraction(2))
            yield ("cover", alpha, beta), at_most(bound, allowed.lower / two.lower)
            stated = _stated(d, p, alpha, beta)
            most = Interval(constant**2 * stated.lower, constant**2 * stated.upper)
            yield ("private", alpha, beta), at_most(n.records**2, most)
        for m_points in range(d, 4):
            for w in combinations_with_replacement(C.points, m_points):
                cover = ClassCover(C, w)
                most_concepts, _ = cover_logarithms(d, 1, m_points)
                size = _ln(Fraction(cover.concepts) / concepts)
                yield ("concepts", w), at_most(size, most_concepts)
                dual = recheck(dual_vc_dimension(_class_of(cover))).value
                if dual:
                    yield ("cells", w), _few_cells(cover, dual, cells)

    return all_of(cases())


def _class_of(cover: ClassCover) -> ConceptClass:
    rows = [[int(s > 0) for s in cover.signs(k)] for k in range(cover.concepts)]
    return ConceptClass.from_matrix(rows)


def _few_cells(cover: ClassCover, dual: int, share: Fraction) -> Decision:
    """Decide Claim 3 for a cover, in logarithms."""
    ratio = _ln(Fraction(cover.concepts, dual))
    bound = Interval(dual * (1 + ratio.lower), dual * (1 + ratio.upper))
    return at_most(_ln(Fraction(cover.cells) / share), bound)


@claim(
    "pap/thm-10-remark",
    "Theorem 10, remark, as read",
    "Sample sizes in terms of the VC dimension only",
    Kind.REMARK,
    over=grid(
        instance=[
            "decision_stumps:p=3",
            "decision_stumps:p=5",
            "thresholds:b=3",
            "intervals:n=6",
            "all_functions:n=3",
        ]
    ),
    near=near("The statement with 2^d in place of the dual dimension.", bound=lambda d: 2**d),
    uses=["pap/thm-10"],
)
def sizes_by_vc_dimension(
    instance: str, *, bound: Callable[[int], int] = lambda d: 2 ** (d + 1)
) -> Decision:
    """With 2^(d+1) in place of the dual dimension p, the private sample size of Theorem 10 with
    explicit constants does not decrease, and neither does the expression in its O, since p <
    2^(d+1) by Fact 4.
    """
    d, p = _dimensions(instance)

    def cases() -> Iterator[tuple[object, Decision]]:
        for alpha, beta in GRID:
            by_dual = assisted_sizes(d, p, alpha, beta, ONE, MILLIONTH)[0].records
            by_vc = assisted_sizes(d, bound(d), alpha, beta, ONE, MILLIONTH)[0].records
            yield (alpha, beta), at_most(by_dual, by_vc)

    return all_of(cases())
