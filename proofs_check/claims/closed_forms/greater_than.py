"""Greater-than: a lower bound for every number of messages, its protocols, and a conjecture."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache

from ccsim import distributional_error, greater_than, worst_error
from ccsim.communication import greater_than_hard_distribution, greater_than_lower_bound
from ccsim.communication.closed_forms.greater_than import greater_than_protocol
from proofs_check.claims.claim import Kind, Verdict, claim
from proofs_check.claims.decision import Decision, all_of, at_least, equal
from proofs_check.claims.evidence import least_error, recheck
from proofs_check.claims.grid import grid
from proofs_check.claims.variants import near, times

JUST_LESS = times(Fraction(9999, 10000))
JUST_MORE = times(Fraction(10001, 10000))


@cache
def _path_length(n: int) -> int:
    """Return the least external path length of all binary trees with n leaves."""
    if n == 1:
        return 0
    return n + min(_path_length(left) + _path_length(n - left) for left in range(1, n))


def _bound(n: int, k: int) -> Fraction:
    return Fraction(n - k, n - 1 + sum((i - 1).bit_length() for i in range(1, n + 1)))


@claim(
    "ccsim/greater-than-bound",
    "closed-forms.md, Theorem 9",
    "Lower bound for greater-than",
    Kind.THEOREM,
    over=grid(n=range(2, 7)).medium(n=range(7, 10)).large(n=range(10, 13)),
    near=[
        near("The error is at least 10001/10000 of the bound.", bound=JUST_MORE),
        near("The distribution proves 9999/10000 of the bound.", bound=JUST_LESS),
    ],
    uses=["fx/eq-2.1"],
)
def lower_bound(n: int, *, bound: Callable[[int, int], Fraction] = _bound) -> Decision:
    """With k messages, the error of greater-than of n inputs is at least (n - k)/E(n), where E(n),
    the least external path length of a binary tree with n leaves, is n - 1 plus the sum of
    ceil(log2 i) over i <= n. The hard input distribution proves exactly this bound."""
    problem, mu = greater_than(n), greater_than_hard_distribution(n)

    def decided(k: int) -> Decision:
        least = at_least(least_error(problem, k), bound(n, k), trivial=0)
        forced = recheck(distributional_error(problem, mu, k)).value
        hard = at_least(forced, greater_than_lower_bound(n, k), trivial=0)
        proved = equal(greater_than_lower_bound(n, k), bound(n, k), "proved").at_risk_if(k < n)
        trees = equal(bound(n, k), Fraction(n - k, _path_length(n)), "all trees")
        parts = [("search", least), ("hard", hard), ("proved", proved), ("E(n)", trees)]
        return all_of(parts) if k < n else least

    return all_of((f"messages={k}", decided(k)) for k in range(1, n + 1))


def _sets(n: int) -> int:
    return 2 * ((n - 1).bit_length() - 1) + 3 if n > 2 else 2


@claim(
    "ccsim/greater-than-pairs",
    "closed-forms.md, Theorem 14",
    "Minimax error of greater-than with many messages",
    Kind.THEOREM,
    over=grid(n=range(2, 13)).medium(n=range(13, 21)).large(n=range(21, 41)),
    near=[
        near("The error is 9999/10000 of the stated value.", value=JUST_LESS),
        near("The error is 10001/10000 of the stated value.", value=JUST_MORE),
    ],
    uses=["ccsim/greater-than-bound"],
)
def pairs(n: int, *, value: Callable[[int, int], Fraction] = _bound) -> Decision:
    """Let E(n) be the least external path length of a binary tree with n leaves. Let c = 2 for
    n = 2, and c = 2 floor(log2(n - 1)) + 3 for n > 2. Let the number k of messages be at least
    n - floor(E(n)/c). The protocol in which random disjoint pairs of inputs, at distances that are
    powers of two, share a message has error exactly (n - k)/E(n) on the worst input of
    greater-than. This is the minimax error."""
    problem, least = greater_than(n), n - _path_length(n) // _sets(n)

    def decided(k: int) -> Decision:
        reached = worst_error(greater_than_protocol(n, k), problem).value
        least = equal(least_error(problem, k), value(n, k))
        return all_of([("pairs", equal(reached, value(n, k))), ("least", least)])

    return all_of((f"messages={k}", decided(k)) for k in range(least, n))


@claim(
    "ccsim/greater-than-half",
    "closed-forms.md, Conjecture 10",
    "Minimax error of greater-than with at least n/2 messages",
    Kind.CONJECTURE,
    over=grid(n=range(2, 7)).medium(n=range(7, 10)).large(n=range(10, 13)),
    near=[
        near("The error is 9999/10000 of the stated value.", value=JUST_LESS),
        near("The error is 10001/10000 of the stated value.", value=JUST_MORE),
        near("The statement for k >= n/3.", share=times(Fraction(2, 3))),
    ],
    uses=["ccsim/greater-than-bound"],
    recorded=Verdict.NOT_DECIDED,
    reason="a conjecture for all n; finitely many instances can only refute it",
)
def conjecture(
    n: int,
    *,
    value: Callable[[int, int], Fraction] = _bound,
    share: Fraction = Fraction(1, 2),
) -> Decision:
    """For k >= n/2 the public-coin error of greater-than of n inputs with k messages is (n -
    k)/E(n), where E(n) is the least external path length of a binary tree with n leaves."""
    counts = [k for k in range(1, n + 1) if k >= n * share]
    return all_of(
        (f"messages={k}", equal(least_error(greater_than(n), k), value(n, k))) for k in counts
    )
