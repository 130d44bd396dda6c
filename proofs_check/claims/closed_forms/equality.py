"""Equality: the minimax error for every number of inputs and messages, and its limit."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from ccsim import distributional_error, equality
from ccsim.communication import MinimaxResult, equality_error
from ccsim.exact.exponentials import Real, power
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, at_least, at_most, equal
from proofs_check.claims.evidence import least_error, recheck
from proofs_check.claims.grid import grid, table
from proofs_check.claims.variants import near, times
from protocols import EqualityOptimal

JUST_LESS = times(Fraction(9999, 10000))
JUST_MORE = times(Fraction(10001, 10000))


def _even_pairs(n: int, classes: int) -> int:
    """Count the ordered pairs of different elements that share one of the classes of even sizes."""
    return sum(s * (s - 1) for s in (n // classes + (i < n % classes) for i in range(classes)))


def _value(n: int, k: int) -> Fraction:
    """Return ``G / (n (n - 1 + m))`` with the largest slope ``m``, found by trying all slopes."""
    if k == 1 or k >= n:
        return Fraction(1, 2) if n > k else Fraction(0)
    G = _even_pairs(n, k)
    slopes = (Fraction(G - _even_pairs(a, k - 1), n - a) for a in range(0, n, k - 1))
    return G / (n * (n - 1 + max(slopes)))


def _certified(n: int, k: int) -> MinimaxResult:
    """Return the closed form as a result with certificates of both bounds."""
    stated = equality_error(n, k)
    return MinimaxResult(
        equality(n),
        k,
        "public",
        stated.value,
        stated.value,
        EqualityOptimal(n, k).tabulate(),
        distributional_error(equality(n), stated.hard_distribution(), k).below,
        "closed form",
    )


@claim(
    "ccsim/equality-value",
    "closed-forms.md, Theorem 1",
    "Minimax error of equality, for every n and k",
    Kind.THEOREM,
    over=table(
        "n searched",
        *((n, True) for n in range(2, 6)),
        *((n, False) for n in (7, 100, 1009)),
    ).medium((8, True), (11, False)),
    near=[
        near("The error is 9999/10000 of the stated value.", value=JUST_LESS),
        near("The error is 10001/10000 of the stated value.", value=JUST_MORE),
    ],
    uses=["fx/eq-2.1"],
)
def equality_value(
    n: int,
    searched: bool,  # noqa: FBT001
    *,
    value: Callable[[int, int], Fraction] = _value,
) -> Decision:
    """For n > k >= 2 the public-coin error of equality of n inputs with k messages is G / (n (n - 1
    + m)), where g(A, j) is the number of ordered pairs of different inputs in the same class if A
    inputs are divided into j classes of almost equal sizes, G = g(n, k), and m is the largest (G -
    g(A, k-1)) / (n - A) over multiples A of k - 1 below n. Compared with the search for n <= 5,
    with certificates of both bounds for n = 7, and for larger n with the closed form of the
    library, which is checked by integer inequalities.
    """

    def decided(k: int) -> Decision:
        stated = recheck(equality_error(n, k)).value
        if searched:
            return all_of(
                [
                    ("search", equal(least_error(equality(n), k), value(n, k))),
                    ("form", stated == value(n, k)),
                ],
                "the closed form",
            )
        return equal(_certified(n, k) if n < 12 else stated, value(n, k))

    messages = range(2, n) if n < 12 else (2, 3, 4, 7, 31, 99)
    counts = [k for k in messages if k < n] or [1]
    return all_of((f"messages={k}", decided(k)) for k in counts)


def _limit(k: int) -> Real:
    """Return ``(sqrt k + 1) / (sqrt k (k + sqrt k + 2))`` with a rational denominator."""
    root = power(Fraction(k), Fraction(1, 2))
    return (k + 1 + root * Fraction(2, k)) * Fraction(1, (k + 2) ** 2 - k)


@claim(
    "ccsim/equality-limit",
    "closed-forms.md, Theorem 2",
    "Limit of the minimax error of equality",
    Kind.THEOREM,
    over=grid(k=range(1, 9)).medium(k=range(9, 25)).large(k=range(25, 65)),
    near=[
        near("L is 9999/10000 of the stated value.", limit=JUST_LESS),
        near("L is 10001/10000 of the stated value.", limit=JUST_MORE),
        near("The error is at least L (1 - 11 k/(14 n)).", share=times(Fraction(11, 14))),
    ],
    uses=["ccsim/equality-value"],
)
def limit_of_equality(
    k: int, *, limit: Callable[[int], Real] = _limit, share: Callable[[int], Fraction] = Fraction
) -> Decision:
    """The public-coin error of equality with k messages is at most L = (sqrt k + 1) / (sqrt k (k +
    sqrt k + 2)), and at least L (1 - k/n) if 4 n^2 >= k^3."""
    least = next(n for n in range(1, k * k + 1) if 4 * n**2 >= k**3)
    sizes = sorted(
        {n for n in (least, k + 1, 2 * k + 1, k * k + 3, 10**6, 2**256) if n >= max(least, k + 1)}
    )

    def decided(n: int) -> Decision:
        value = recheck(equality_error(n, k)).value
        low = limit(k) * (1 - share(k) / n)
        both = ("above", at_most(value, limit(k))), ("below", at_least(value, low, trivial=0))
        return all_of(both)

    return all_of((f"n={n if n < 10**9 else '2^256'}", decided(n)) for n in sizes)
