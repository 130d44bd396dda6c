"""Section 3.1: thresholds have VC dimension 1, but the complexity of greater-than."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from operator import gt

from ccsim import distributional_error, evaluation_problem, greater_than, index, thresholds
from ccsim.exact import LogSum
from ccsim.information import fano_bound
from proofs_check.claims.claim import Kind, Verdict, claim
from proofs_check.claims.decision import Decision, all_of, at_least, at_most, equal
from proofs_check.claims.evidence import least_error, littlestone_dimension, recheck, vc_dimension
from proofs_check.claims.feldman_xiao.equivalence.public_coins import least_sizes
from proofs_check.claims.grid import grid, table
from proofs_check.claims.variants import near, plus, times

Bound = Callable[[Fraction, int], LogSum]


def _fano(error: Fraction, bits: int) -> LogSum:
    """Return the lower bound ``(1 - H(error)) bits`` on the cost."""
    return (1 - fano_bound(error)) * bits


@claim(
    "fx/app-thr",
    "section 3.1",
    "Thresholds are greater-than",
    Kind.EXAMPLE,
    over=grid(b=[1, 2, 3, 4, 5, 6]).medium(b=[7]),
    near=[
        near("Eval of Thr_b is the complement of x >= y.", greater=lambda x, y: x >= y),
        near("VC(Thr_b) = 2.", vc=plus(1)),
        near("LDim(Thr_b) = b + 1.", ldim=plus(1)),
    ],
    uses=["fx/app-4.1-1"],
)
def thresholds_are_greater_than(
    b: int,
    *,
    greater: Callable[[int, int], bool] = gt,
    vc: int = 1,
    ldim: Callable[[int], int] = int,
) -> Decision:
    """Eval of Thr_b, whose concepts t_x are 1 on all y >= x, is the complement of GT_b(x, y) = [x >
    y] on b bits. VC(Thr_b) = 1, while LDim(Thr_b) = b."""
    C, problem = thresholds(b), greater_than(2**b)
    cells = list(product(range(2**b), repeat=2))
    same = (
        ((x, y), C.value(x, y) == 1 - greater(x, y) and problem.value(x, y) == greater(x, y))
        for x, y in cells
    )
    return all_of(
        [
            ("their size", equal(len(problem.inputs()), len(cells))),
            ("the matrices", all_of(same, "complements")),
            ("VC dimension", equal(vc_dimension(C), vc)),
            ("Littlestone dimension", equal(littlestone_dimension(C), ldim(b))),
        ]
    )


@claim(
    "fx/intro-sample-gt",
    "section 3.1, cited; explicit",
    "Greater-than needs a linear number of bits",
    Kind.THEOREM,
    over=table("b messages", (2, 2), (2, 3), *((3, k) for k in range(2, 8))),
    near=[
        near("The number of bits is at least 5/4 of the bound.", bound=times(Fraction(5, 4))),
        near("The bound at error 1/3 is 0.082 b bits.", third=plus(Fraction(2, 1000))),
    ],
    uses=["fx/app-thr", "fx/cor-11"],
)
def greater_than_bits(
    b: int, messages: int, *, bound: Bound = _fano, third: Fraction = Fraction(80, 1000)
) -> Decision:
    """log2 k >= (1 - H(eps)) b, where eps is the least error of protocols with k < 2^b messages for
    greater-than on b bits. At eps = 1/3 the bound is 0.08 b bits.
    """
    error = least_error(greater_than(2**b), messages).value
    return all_of(
        [
            (f"error {error}", at_least(LogSum.log2(messages), bound(error, b))),
            ("at error 1/3", at_least(bound(Fraction(1, 3), b), third * b)),
        ]
    )


@claim(
    "fx/app-thr-prdim",
    "section 3.1, explicit",
    "Thresholds need large representations",
    Kind.COROLLARY,
    over=table("b eps delta", (1, "1/200", "1/200"), (2, "1/4", "1/4"), (2, "1/18", "1/18")),
    near=near("PRDim is at least 11/10 of the bound.", bound=times(Fraction(11, 10))),
    uses=["fx/intro-sample-gt", "fx/thm-7-ge"],
)
def thresholds_need_large_representations(
    b: int, eps: str, delta: str, *, bound: Bound = _fano
) -> Decision:
    """PRDim_{eps,delta}(Thr_b) >= (1 - H(1-(1-eps)(1-delta))) b, although VC(Thr_b) = 1; with
    Theorem 6, SCDP(Thr_b) = Omega(b)."""
    e, d = Fraction(eps), Fraction(delta)
    size = least_sizes(f"thresholds:b={b}", e, d).lower
    return at_least(LogSum.log2(size), bound(1 - (1 - e) * (1 - d), b))


@claim(
    "fx/app-vc-product",
    "section 3.1, cited",
    "VC dimension and product distributions",
    Kind.REMARK,
    over=table("d messages", (2, 2), (2, 3), *((3, k) for k in range(2, 8))),
    near=[
        near(
            "A shattered set of size d needs 5/4 (1 - H(eps)) d bits.", bound=times(Fraction(5, 4))
        ),
        near("Two messages have error at most 5/44 for thresholds.", error=times(Fraction(10, 11))),
    ],
    recorded=Verdict.NOT_DECIDED,
    reason="asymptotic, and about all product distributions; the lower bound on a shattered "
    "set and the bound for thresholds are checked under uniform distributions",
)
def product_distributions(
    d: int, messages: int, *, bound: Bound = _fano, error: Fraction = Fraction(1, 8)
) -> Decision:
    """The largest distributional one-way complexity over product distributions is of order VC(C).
    Checked: under the uniform distribution on a shattered set of size d, protocols with error eps
    need (1 - H(eps)) d bits; for Thr_d, which has VC dimension 1, two messages are enough for error
    1/8 under the uniform distribution, for every d.
    """
    problem, few = index(d), evaluation_problem(thresholds(d))
    mu, nu = (dict.fromkeys(p.inputs(), Fraction(1, len(p.inputs()))) for p in (problem, few))
    least = recheck(distributional_error(problem, mu, messages)).value
    two = recheck(distributional_error(few, nu, 2)).value
    return all_of(
        [
            (f"error {least}", at_least(LogSum.log2(messages), bound(least, d))),
            ("thresholds", at_most(two, error)),
        ]
    )
