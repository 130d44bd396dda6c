"""Section 4.2: lines over Z_p have Littlestone dimension 2, but larger communication complexity."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations

from ccsim import evaluation_problem, lines
from proofs_check.claims.claim import Kind, claim, not_checked
from proofs_check.claims.decision import Decision, above, all_of, equal, holds
from proofs_check.claims.evidence import least_error, littlestone_dimension
from proofs_check.claims.grid import grid, table
from proofs_check.claims.variants import near, plus

THIRD = Fraction(1, 3)


@claim(
    "fx/def-line",
    "section 4.2 (=section 5)",
    "Lines over a prime field",
    Kind.DEFINITION,
    over=grid(p=[2, 3, 5]).medium(p=[7, 11]),
    near=[
        near("f_{a,b} is the line y = a x - b.", sign=-1),
        near("No two lines share a point.", shared=plus(-1)),
    ],
)
def definition(p: int, *, sign: int = 1, shared: int = 1) -> Decision:
    """Line_p has the p^2 concepts f_{a,b}(x, y) = 1 iff a x + b = y with a, b in Z_p (the text
    prints Z_p^2), in the order of (a, b), on the points (x, y) in their order. Any two lines share
    at most one point.
    """
    C = lines(p)
    field = range(p)
    stated = [
        sum(1 << p * x + y for x in field for y in field if (a * x + sign * b - y) % p == 0)
        for a in field
        for b in field
    ]
    pairs = combinations(C.rows, 2)
    meet = all_of(((pair, (pair[0] & pair[1]).bit_count() <= shared) for pair in pairs), "meet")
    return all_of([("the rows", holds(list(C.rows) == stated, "ax + b = y")), ("pairs", meet)])


@claim(
    "fx/ldim-line",
    "section 4.2",
    "Lines have LDim 2",
    Kind.EXAMPLE,
    over=grid(p=[2, 3, 5]).medium(p=[7]),
    near=near("LDim(Line_p) = 3.", dimension=plus(1)),
    uses=["fx/def-line"],
)
def lines_have_dimension_two(p: int, *, dimension: int = 2) -> Decision:
    """LDim(Line_p) = 2 for every prime p."""
    return equal(littlestone_dimension(lines(p)), dimension)


aaronson = not_checked(
    "fx/aaronson",
    "section 4.2, cited",
    "Quantum one-way complexity of lines",
    Kind.REMARK,
    "The quantum one-way complexity of Line_p is of order log2(p).",
    reason="quantum protocols are not modelled; the statement is cited, not used",
)


@claim(
    "fx/thm-2",
    "Theorem 2 (=1.2)",
    "Complexity grows while LDim stays 2",
    Kind.THEOREM,
    over=table("bits p", (1, 3), (2, 5)),
    near=[
        near("The statement at error 2/5.", error=plus(Fraction(1, 15))),
        near(
            "The statement for the next smaller prime.",
            prime=lambda p: max(q for q in (2, 3) if q < p),
        ),
        near("The statement with LDim 1.", dimension=plus(-1)),
    ],
    uses=["fx/cor-11", "fx/thm-5.3-sharper", "fx/ldim-line"],
)
def separation(
    bits: int,
    p: int,
    *,
    error: Fraction = THIRD,
    prime: Callable[[int], int] = int,
    dimension: int = 2,
) -> Decision:
    """For every t there is a class with LDim 2 whose evaluation needs at least t bits at error 1/3:
    the lines over a prime p of order 2^t. For t = 1, 2 this is checked by exact least errors with
    2^(t-1) messages, which exceed 1/3. For larger t, and for the inequality R^pub(Eval_C) >= (1 -
    H(eps)) LDim(C), see the claims that this claim uses."""
    C = lines(prime(p))
    missed = least_error(evaluation_problem(C), 2 ** (bits - 1))
    return all_of(
        [
            ("the dimension", equal(littlestone_dimension(C), dimension)),
            ("one bit fewer", above(missed, error, f"with {2 ** (bits - 1)} messages")),
        ]
    )
