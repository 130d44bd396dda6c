"""Equality: the least error for every number of inputs and messages, and its limit."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ccsim import equality, minimax_error
from ccsim.communication import MinimaxResult, equality_error, equality_limit
from ccsim.exact import compare
from proofs_check.claims.claim import Claim, Instance, Kind, Size
from proofs_check.claims.evidence import recheck
from protocols import EqualityOptimal

__all__ = ["CLAIMS"]


def equality_value(size: Size) -> Iterator[Instance]:
    """Compare with the search where it reaches; beyond, certify or check the closed form."""
    searched = {Size.SMALL: 5, Size.MEDIUM: 8, Size.LARGE: 12}[size]
    for n in range(1, searched + 1):
        for k in range(1, n + 1):
            result = minimax_error(equality(n), k)
            recheck(result)
            stated = equality_error(n, k)
            stated.check()
            detail = f"search {result.value}, closed form {stated.value}"
            yield Instance.of(f"equality:n={n} messages={k}", result.value == stated.value, detail)
    for n in {Size.SMALL: (7,), Size.MEDIUM: (7, 8), Size.LARGE: (7, 8, 11, 13)}[size]:
        for k in range(2, n):
            recheck(_certified(n, k))
            detail = f"{equality_error(n, k).value}: optimal protocol and hard distribution agree"
            yield Instance.of(f"equality:n={n} messages={k} certificate", holds=True, detail=detail)
    for n in (100, 1009, 2**64, 2**256, 10**400 + 7):
        for k in (2, 3, 4, 7, 1000):
            if k < n:
                equality_error(n, k).check()
                detail = "both directions by integer inequalities"
                yield Instance.of(f"equality:n={_short(n)} messages={k}", holds=True, detail=detail)


def _certified(n: int, k: int) -> MinimaxResult:
    """Return the closed form as a result with both certificates."""
    stated = equality_error(n, k)
    return MinimaxResult(
        equality(n),
        k,
        "public",
        stated.value,
        stated.value,
        EqualityOptimal(n, k).tabulate(),
        stated.hard_distribution(),
        "closed form",
    )


def _short(n: int) -> str:
    return str(n) if n < 10**18 else f"about 2^{n.bit_length() - 1}"


def limit_of_equality(size: Size) -> Iterator[Instance]:
    """Both inequalities, rigorously, for n from the least that the hypothesis allows."""
    for k in range(1, {Size.SMALL: 9, Size.MEDIUM: 25, Size.LARGE: 65}[size]):
        limit = equality_limit(k)
        least = next(n for n in range(1, k * k + 1) if 4 * n**2 >= k**3)
        for n in (least, k + 1, 2 * k + 1, k * k + 3, 10**6, 2**256):
            if n < least:
                continue
            value = equality_error(n, k).value
            orders = compare(limit, value), compare(value, limit * max(0, 1 - Fraction(k, n)))
            holds = None if None in orders else min(o for o in orders if o is not None) >= 0
            detail = f"{float(value):.6g}, limit {float(limit):.6g}, 1 - k/n = {1 - k / n:.6g}"
            yield Instance.of(f"equality:n={_short(n)} messages={k}", holds, detail)


CLAIMS = (
    Claim(
        "ccsim/equality-value",
        "closed-forms.md, Theorem 1",
        "Least error of equality, every n and k",
        "For n > k >= 2 the least error of a public-coin protocol with k messages for equality of "
        "n inputs is G / (n (n - 1 + m)), with G the pairs inside k even classes and m their "
        "excess over k - 1 classes of the best size t, for each input that these leave out.",
        Kind.THEOREM,
        equality_value,
        uses=("fx/eq-2.1",),
    ),
    Claim(
        "ccsim/equality-limit",
        "closed-forms.md, Theorem 2",
        "Limit of the least error of equality",
        "The least error of equality with k messages is at most "
        "L = (sqrt k + 1) / (sqrt k (k + sqrt k + 2)), and at least L (1 - k/n) if 4 n^2 >= k^3.",
        Kind.THEOREM,
        limit_of_equality,
        uses=("ccsim/equality-value",),
    ),
)
