"""Greater-than: a lower bound for every number of messages, and a conjecture."""

from __future__ import annotations

from collections.abc import Iterator

from ccsim import greater_than, minimax_error
from ccsim.communication import greater_than_hard_distribution, greater_than_lower_bound
from proofs_check.claims.claim import Claim, Instance, Kind, Size, Verdict
from proofs_check.claims.evidence import recheck

__all__ = ["CLAIMS"]

LARGEST = {Size.SMALL: 6, Size.MEDIUM: 9, Size.LARGE: 12}
"""Number of inputs up to which least errors are searched for."""


def lower_bound(size: Size) -> Iterator[Instance]:
    """Check the hard distribution for every number of messages."""
    for n in range(2, LARGEST[size] + 1):
        problem, mu = greater_than(n), greater_than_hard_distribution(n)
        for k in range(1, n + 1):
            stated = greater_than_lower_bound(n, k)
            mu.check(problem, k, stated)
            result = minimax_error(problem, k)
            recheck(result)
            yield Instance.at_most(f"greater_than:n={n} messages={k}", stated, result.value)


def conjecture(size: Size) -> Iterator[Instance]:
    """Compare the conjectured value with the least error that the search finds."""
    for n in range(2, LARGEST[size] + 1):
        for k in range((n + 1) // 2, n + 1):
            result = minimax_error(greater_than(n), k)
            recheck(result)
            stated = greater_than_lower_bound(n, k)
            detail = f"search {result.value}, conjectured {stated}"
            yield Instance.of(f"greater_than:n={n} messages={k}", result.value == stated, detail)


CLAIMS = (
    Claim(
        "ccsim/greater-than-bound",
        "closed-forms.md, Theorem 9",
        "Lower bound for greater-than",
        "With k messages, greater-than of n inputs errs at least (n - k)/(n - 1 + B(n)), where "
        "B(n) adds up ceil(log2 i) over i <= n.",
        Kind.THEOREM,
        lower_bound,
        uses=("fx/eq-2.1",),
    ),
    Claim(
        "ccsim/greater-than-half",
        "closed-forms.md, Conjecture 10",
        "Least error of greater-than with at least n/2 messages",
        "For k >= n/2 the least error of greater-than of n inputs with k messages is "
        "(n - k)/(n - 1 + B(n)), where B(n) adds up ceil(log2 i) over i <= n.",
        Kind.CONJECTURE,
        conjecture,
        uses=("ccsim/greater-than-bound",),
        recorded=Verdict.NOT_DECIDED,
        reason="a conjecture about every n, which instances can only refute",
    ),
)
