"""Axis-parallel boxes (`bns` section 3.5): their class, its sizes, and the private learner."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations_with_replacement, product

from ccsim.classes import boxes
from ccsim.exact import Epsilon
from ccsim.exact.exponentials import rational
from ccsim.privacy import audit
from ccsim.release import max_threshold_error
from ccsim.release.rectangles import Rectangle, RectangleLearner, TreeCuts
from ccsim.release.sanitizers.thresholds import QuantileTree
from proofs_check.claims.claim import Kind, Verdict, claim
from proofs_check.claims.decision import Decision, all_of, at_least, at_most, equal
from proofs_check.claims.evidence import littlestone_dimension, recheck, vc_dimension
from proofs_check.claims.grid import grid, table
from proofs_check.claims.variants import near, plus, times

Point = tuple[int, ...]


def _between(a: int, x: int, b: int) -> bool:
    return a <= x <= b


def _any(a: Point, b: Point) -> bool:
    return True


@claim(
    "bns/def-3.20",
    "Definition 3.20",
    "Boxes are given by all pairs of corners",
    Kind.DEFINITION,
    over=table("d n", (1, 1), (2, 1), (1, 2), (1, 3)).medium((3, 1), (2, 2)),
    near=[
        near("The first corner is not in the box.", inside=lambda a, x, b: a < x <= b),
        near("Corners are ordered.", corners=lambda a, b: all(map(int.__le__, a, b))),
    ],
)
def corners(
    d: int,
    n: int,
    *,
    inside: Callable[[int, int, int], bool] = _between,
    corners: Callable[[Point, Point], bool] = _any,
) -> Decision:
    """RECTANGLE_d^n has, for any two points a, b of {0..2^d-1}^n, the function that is 1 where a_i
    <= x_i <= b_i on each axis. These functions are the concepts of `boxes(d, n)`. The zero function
    is a concept, because a may be larger than b. `Rectangle` with the same corners is the same
    function.
    """
    points = list(product(range(1 << d), repeat=n))
    stated = {
        tuple(int(all(map(inside, a, x, b))) for x in points)
        for a, b in product(points, repeat=2)
        if corners(a, b)
    }
    C = boxes(d, n)
    built = {tuple(row >> i & 1 for i in range(len(points))) for row in C.rows}
    called = {
        tuple(Rectangle(tuple(zip(a, b, strict=True)))(x) for x in points)
        for a, b in product(points, repeat=2)
    }
    return all_of([("class", stated == built), ("functions", stated == called)], "concepts")


@claim(
    "bns/rect-vc",
    "section 3.5, after Definition 3.20",
    "VC dimension of boxes",
    Kind.LEMMA,
    over=table("d n", (1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (3, 1)).medium((2, 3), (4, 1)),
    near=[
        near("The VC dimension is 2n + 1.", wide=lambda n: 2 * n + 1),
        near(
            "With two points on each axis the VC dimension is 2n as well.", narrow=lambda n: 2 * n
        ),
        near(
            "With two points on each axis the VC dimension is n, also for n = 1.",
            narrow=lambda n: n,
        ),
    ],
    uses=["bns/def-3.20"],
)
def dimension(
    d: int,
    n: int,
    *,
    wide: Callable[[int], int] = lambda n: 2 * n,
    narrow: Callable[[int], int] = lambda n: max(n, 2),
) -> Decision:
    """The VC dimension of RECTANGLE_d^n is 2n for d >= 2. (The paper states this for all d. With
    two points on each axis, where boxes are subcubes, the dimension is n for n >= 2, and 2 for n =
    1.)
    """
    found = vc_dimension(boxes(d, n))
    return equal(found.value, wide(n) if d > 1 else narrow(n))


@claim(
    "bns/rect-count",
    "section 3.5, after Definition 3.20",
    "Number of boxes",
    Kind.LEMMA,
    over=table("d n", (1, 1), (1, 2), (2, 1), (2, 2), (1, 3)).medium((2, 3), (5, 1)),
    near=[
        near("The empty box is not counted.", empty=0),
        near("The number is at most 2^(2 n d - 1).", exponent=plus(-1)),
    ],
    uses=["bns/def-3.20"],
)
def number(
    d: int,
    n: int,
    *,
    empty: int = 1,
    exponent: Callable[[int], int] = lambda sides: 2 * sides,
) -> Decision:
    """|RECTANGLE_d^n| = (2^d (2^d + 1) / 2)^n + 1, which is at most 2^(2 n d); the paper has
    2^O(nd)."""
    size, side = len(boxes(d, n)), 1 << d
    return all_of(
        [
            ("number", equal(size, (side * (side + 1) // 2) ** n + empty)),
            ("bound", at_most(size, 1 << exponent(n * d))),
        ]
    )


def _below(records: tuple[int, ...], b: int) -> int:
    """Return the number of records from 0 to b."""
    return sum(x <= b for x in records)


@claim(
    "bns/sec-3.5",
    "section 3.5, before Theorem 3.22",
    "Counts of intervals as differences",
    Kind.LEMMA,
    over=table("last records released", (2, 2, 2), (3, 2, 3), (2, 3, 2)).medium((4, 2, 2)),
    near=[
        near("#[a, b] = #[0, b] - #[0, a].", before=0),
        near(
            "The error on intervals is at most 19/10 of the error on thresholds.",
            factor=times(Fraction(19, 20)),
        ),
    ],
)
def differences(
    last: int,
    records: int,
    released: int,
    *,
    before: int = 1,
    factor: Fraction = Fraction(2),
) -> Decision:
    """#[a, b] = #[0, b] - #[0, a - 1], where #I is the number of records in the interval I. So a
    database with error at most a' on every threshold has error at most 2 a' on every interval.
    Checked for all pairs of databases of two sizes.
    """
    domain = range(last + 1)
    cases: list[tuple[object, Decision | bool]] = []
    for true in combinations_with_replacement(domain, records):
        for other in combinations_with_replacement(domain, released):
            largest = Fraction(0)
            for a, b in combinations_with_replacement(domain, 2):
                shares = [
                    Fraction(_below(x, b) - _below(x, a - before), len(x)) for x in (true, other)
                ]
                counted = Fraction(sum(a <= x <= b for x in true), records)
                cases.append(((true, a, b), shares[0] == counted))
                largest = max(largest, abs(shares[0] - shares[1]))
            near_by = max_threshold_error(true, other, last).error
            cases.append(((true, other), at_most(largest, factor * near_by)))
    return all_of(cases, "databases")


@claim(
    "bns/thm-3.22",
    "Theorem 3.22",
    "Private learning of rectangles",
    Kind.THEOREM,
    over=table("last records failure", (1, 1, "1/2"), (1, 2, "1/2")).medium((2, 2, "1/2")),
    near=[
        near("The learner is private with 3/4 of epsilon.", part=times(Fraction(3, 4))),
        near("The learner is private with the epsilon of the cuts.", counted=0),
    ],
    uses=["bns/def-3.20", "bns/sec-3.5", "bns/thm-3.21"],
    recorded=Verdict.NOT_DECIDED,
    reason="an asymptotic number of examples, from a sketch that states no constants and no "
    "threshold for significant counts; for the learner built from the sketch (cuts, noisy "
    "counts of positive examples, hull), an exact audit checks that its epsilon is the sum "
    "of the epsilons of its cuts and of its counts",
)
def learner(
    last: int,
    records: int,
    failure: str,
    *,
    part: Fraction = Fraction(1),
    counted: int = 1,
) -> Decision:
    """RECTANGLE_d^n has an efficient private proper learner from O~(n^3 8^(log* d)) examples. It
    uses a sanitizer for thresholds on each axis and a histogram of the positive examples.
    """
    each = Epsilon.of("ln 16")
    cuts = TreeCuts(QuantileTree(last, each, 1, 0))
    audited = RectangleLearner(1, cuts, each, Fraction(failure))
    found = recheck(audit(audited, audited.privacy[0], 0, records))
    least, whole = rational(found.factor or Fraction(0)), rational(each.exp(1 + counted))
    # e^(part epsilon) is no fraction, its 5th power is
    return at_most(least**5, whole ** int(5 * part), f"least e^epsilon {least}")


@claim(
    "bns/fn-4",
    "section 3.5, footnote 4",
    "Pure private learning of rectangles",
    Kind.THEOREM,
    over=grid(shape=["1 1", "1 2", "1 3", "2 1", "3 1", "2 2", "4 1"]).medium(shape=["2 3", "3 2"]),
    near=[
        near("The Littlestone dimension is at least n d + 2.", more=plus(1)),
        near("The logarithm is at most 2 n d - 1.", most=plus(-1)),
    ],
    uses=["bns/rect-count", "fx/cor-11"],
    recorded=Verdict.NOT_DECIDED,
    reason="asymptotic; checked for the quantities behind both bounds: the Littlestone dimension "
    "of the boxes, which gives the lower bound, is at least n d + 1, and the logarithm of "
    "their number, which gives the upper bound, is at most 2 n d",
)
def pure(
    shape: str,
    *,
    more: int = 1,
    most: Callable[[int], int] = lambda sides: 2 * sides,
) -> Decision:
    """Every pure private learner of RECTANGLE_d^n needs Omega(n d) examples, and the exponential
    mechanism over all boxes needs O(n d)."""
    d, n = map(int, shape.split())
    C = boxes(d, n)
    found = littlestone_dimension(C)
    return all_of(
        [
            ("Littlestone dimension", at_least(found.lower, n * d + more)),
            ("number of boxes", at_most(len(C), 1 << most(n * d))),
        ]
    )
