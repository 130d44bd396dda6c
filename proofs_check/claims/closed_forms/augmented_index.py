"""Augmented index: the minimax error by counting classes, and hard positions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache

from ccsim import augmented_index
from ccsim.communication import AugmentedIndexValue, augmented_index_error
from ccsim.programs import solve_matrix_game
from proofs_check.claims.claim import Kind, Verdict, claim
from proofs_check.claims.decision import Decision, all_of, equal
from proofs_check.claims.evidence import least_error, recheck
from proofs_check.claims.grid import table
from proofs_check.claims.grids import partitions
from proofs_check.claims.variants import near


@cache
def _by_counts(d: int, k: int) -> AugmentedIndexValue:
    return recheck(augmented_index_error(d, k))


@cache
def _game(d: int, k: int, count: Callable[[int, int], int]) -> Fraction:
    """Return the value of the game of Bob's positions against all partitions of Alice's inputs."""
    columns = set()
    for partition in partitions(2**d, k):
        paid = []
        for i in range(d):
            after = Counter((c, x & (1 << i) - 1, x >> i & 1) for x, c in enumerate(partition))
            below = {(c, prefix) for c, prefix, _ in after}
            paid.append(sum(count(after[*key, 0], after[*key, 1]) for key in below))
        columns.add(tuple(paid))
    payoff = [[Fraction(column[i], 2**d) for column in sorted(columns)] for i in range(d)]
    return recheck(solve_matrix_game(payoff)).value


@claim(
    "ccsim/augmented-index-value",
    "closed-forms.md, Theorem 7",
    "Minimax error of augmented index as the value of a game",
    Kind.THEOREM,
    over=table("d messages", *((d, k) for d in (2, 3) for k in range(1, 2**d)), (4, 2)).medium(
        (4, 3), (4, 4)
    ),
    near=[
        near("The payment is the larger of the two numbers.", count=max),
        near("There is one more message.", classes=lambda k: k + 1),
    ],
    uses=["fx/eq-2.1"],
)
def augmented_index_by_counts(
    d: int,
    messages: int,
    *,
    count: Callable[[int, int], int] = min,
    classes: Callable[[int], int] = int,
) -> Decision:
    """The public-coin error of augmented index is the value of the game between positions and
    partitions of {0,1}^d, where the payment of a partition in a position is the sum, over its
    classes and the prefixes, of the smaller number of words that continue the prefix with 0 or with
    1. Checked with all partitions for up to 3 positions, and for 4 positions with the value of
    `augmented_index_error`.
    """
    stated = _by_counts(d, messages)
    cases = [
        ("search", equal(least_error(augmented_index(d), messages), stated.value)),
    ]
    if d <= 3:
        cases.append(("all partitions", equal(stated.value, _game(d, classes(messages), count))))
    return all_of(cases)


def _equal_weights(d: int, _position: int) -> Fraction:
    return Fraction(1, d)


@claim(
    "ccsim/augmented-index-positions",
    "closed-forms.md, Conjecture 8",
    "Equal weights are hardest for augmented index",
    Kind.CONJECTURE,
    over=table("d messages", *((d, k) for d in (2, 3, 4) for k in range(1, 2**d)))
    .medium(*((5, k) for k in range(2, 6)))
    .large((5, 6), (5, 7)),
    near=near(
        "Later positions have larger weights.",
        weight=lambda d, i: Fraction(2 * (i + 1), d * (d + 1)),
    ),
    uses=["ccsim/augmented-index-value"],
    recorded=Verdict.NOT_DECIDED,
    reason="a conjecture for all d and k; finitely many instances can only refute it",
)
def equal_positions(
    d: int, messages: int, *, weight: Callable[[int, int], Fraction] = _equal_weights
) -> Decision:
    """The uniform distribution on inputs within the promise, with equal weights for all positions,
    is a hard input distribution for augmented index, for every d and every number of messages."""
    found = augmented_index_error(d, messages).weights
    return all_of((f"position {i + 1}", equal(w, weight(d, i))) for i, w in enumerate(found))
