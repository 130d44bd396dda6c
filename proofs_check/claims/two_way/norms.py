"""Discrepancy, the norm gamma_2 and the partition bound: inequalities, and two exact values."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from ccsim.communication.given import as_problem
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, at_least, at_most
from proofs_check.claims.evidence import least_error
from proofs_check.claims.grid import grid, table
from proofs_check.claims.two_way.measured import FUNCTIONS, MORE_FUNCTIONS, measured, number
from proofs_check.claims.variants import near, times


@claim(
    "ls/equality",
    "section 2",
    "The norm gamma_2 of equality",
    Kind.EXAMPLE,
    over=grid(n=[2, 3, 4, 8]).medium(n=[6, 12, 16]),
    near=[
        near("The norm is 9999/10000 of the stated value.", value=times(Fraction(9999, 10000))),
        near("The norm is 10001/10000 of the stated value.", value=times(Fraction(10001, 10000))),
    ],
)
def gamma_of_equality(
    n: int, *, value: Callable[[int], Fraction] = lambda n: 3 - Fraction(4, n)
) -> Decision:
    """The norm gamma_2 of the sign matrix of equality on n >= 2 inputs is 3 - 4/n. Checked up to
    1/100000."""
    found, near_by = measured("gamma_2", f"equality:n={n}"), Fraction(1, 100000)
    return all_of(
        [
            ("from below", at_least(value(n) + near_by, found.upper)),
            ("from above", at_most(value(n) - near_by, found.lower)),
        ]
    )


@claim(
    "ls/gamma-2-and-rank",
    "section 2",
    "The squared norm gamma_2 is at most the rank of the sign matrix",
    Kind.LEMMA,
    over=grid(function=FUNCTIONS).medium(function=MORE_FUNCTIONS[:3]),
    near=[near("The squared norm is at most the rank of the matrix of zeros and ones.", more=0)],
)
def gamma_and_rank(function: str, *, more: int = 1) -> Decision:
    """The norm gamma_2 of the sign matrix of a total function satisfies gamma_2^2 <= r + 1, where r
    is the rank of the matrix f of zeros and ones, since the sign matrix is 2 f - 1. Checked up to
    1/100000.
    """
    squared = measured("gamma_2", function).upper ** 2
    return at_most(squared, number("rank", function) + more + Fraction(1, 100000))


@claim(
    "kn/discrepancy",
    "section 3.5",
    "The discrepancy bounds the error of public-coin protocols",
    Kind.LEMMA,
    over=table(
        "function messages",
        ("inner_product:n=2", 2),
        ("inner_product:n=3", 2),
        ("equality:n=4", 2),
        ("equality:n=5", 2),
        ("index:d=3", 2),
        ("random:m=6,n=6,seed=1", 2),
        ("random:m=6,n=6,seed=2", 3),
    ),
    near=[near("The number of rectangles is k/2.", rectangles=times(Fraction(1, 4)))],
)
def discrepancy_bound(
    function: str, messages: int, *, rectangles: Callable[[int], Fraction | int] = lambda k: 2 * k
) -> Decision:
    """A public-coin one-way protocol with k messages and error e divides the inputs into 2 k
    rectangles, so 1 - 2 e <= 2 k disc, where disc is the discrepancy under the uniform or under the
    worst distribution. Instances with 2 k disc >= 1 cannot fail.
    """
    error = least_error(as_problem(function), messages).lower
    cases = []
    for distribution in ("uniform", "worst"):
        most = rectangles(messages) * measured("discrepancy", function, distribution).lower
        cases.append((distribution, at_most(1 - 2 * error, most, trivial=1)))
    return all_of(cases)


@claim(
    "jk/partition-bound",
    "communication complexity",
    "The partition bound bounds the number of messages of public-coin protocols",
    Kind.THEOREM,
    over=table(
        "function messages",
        ("equality:n=4", 2),
        ("equality:n=5", 2),
        ("equality:n=6", 3),
        ("greater_than:n=4", 2),
        ("inner_product:n=2", 2),
        ("index:d=2", 2),
        ("random:m=6,n=6,seed=1", 2),
        ("random:m=6,n=6,seed=2", 3),
    ),
    near=[near("The number of rectangles is k.", rectangles=times(Fraction(1, 2)))],
)
def partition_bound_of_messages(
    function: str, messages: int, *, rectangles: Callable[[int], Fraction | int] = lambda k: 2 * k
) -> Decision:
    """For each outcome of the coins, a public-coin one-way protocol with k messages divides the
    inputs into 2 k rectangles with values. So the partition bound at its error is at most 2 k.
    """
    error = least_error(as_problem(function), messages).lower
    return at_most(measured("partition_bound", function, error).upper, rectangles(messages))


@claim(
    "jk/rectangle-bounds",
    "communication complexity",
    "The partition bound is at least the rectangle bounds and the discrepancy bound",
    Kind.LEMMA,
    over=grid(
        function=[
            "equality:n=4",
            "greater_than:n=4",
            "inner_product:n=2",
            "random:m=4,n=5,seed=1",
        ],
        error=[Fraction(1, 10), Fraction(1, 3)],
    ),
    near=[
        near(
            "The sum of the smooth rectangle bounds is multiplied by 1001/1000.",
            smooth=times(Fraction(1001, 1000)),
        ),
        near("The discrepancy bound is multiplied by 4/3.", gain=times(Fraction(4, 3))),
    ],
)
def rectangle_bounds(
    function: str,
    error: Fraction,
    *,
    smooth: Callable[[Fraction], Fraction] = lambda total: total,
    gain: Callable[[Fraction], Fraction] = lambda e: 1 - 2 * e,
) -> Decision:
    """For an error e below 1/2, the rectangle bound of each value is at most its smooth rectangle
    bound. The partition bound is at least the sum of the smooth rectangle bounds of both values. It
    is also at least (1 - 2 e) / disc, where disc is the discrepancy under the worst distribution.
    """
    bound = measured("partition_bound", function, error).upper
    plain, smoothed = (
        [measured(question, function, error, value) for value in (0, 1)]
        for question in ("rectangle_bound", "smooth_rectangle_bound")
    )
    cases = [(f"value {v}", at_most(plain[v].lower, smoothed[v].upper)) for v in (0, 1)]
    cases.append(("both values", at_most(smooth(smoothed[0].lower + smoothed[1].lower), bound)))
    by_discrepancy = gain(error) / measured("discrepancy", function).upper
    return all_of([*cases, ("discrepancy", at_most(by_discrepancy, bound))])
