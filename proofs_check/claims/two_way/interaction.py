"""Minimax errors of interactive protocols: more rounds, interaction, and the order of speakers."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from ccsim import minimax_error
from ccsim.communication import InteractiveErrorResult
from ccsim.exact import ceil_log2
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, above, all_of, at_most, equal
from proofs_check.claims.evidence import recheck
from proofs_check.claims.grid import grid
from proofs_check.claims.variants import near, plus, times

_SMALL = [
    "equality:n=4",
    "greater_than:n=5",
    "disjointness:n=2",
    "index:d=2",
    "inner_product:n=2",
    *(f"random:m=5,n=5,seed={seed}" for seed in range(3)),
]
_LARGER = ["equality:n=7", "greater_than:n=7", "disjointness:n=3", "random:m=7,n=7,seed=0"]


@lru_cache(1024)
def error_of_bits(
    function: str, model: str, bits: int, rounds: int | None = None
) -> InteractiveErrorResult:
    """Return a minimax error, re-checked."""
    return recheck(minimax_error(function, bits=bits, model=model, rounds=rounds))


@claim(
    "kn/rounds",
    "section 4.2, for minimax errors",
    "More rounds do not increase the minimax error",
    Kind.LEMMA,
    over=grid(function=_SMALL, bits=[2, 3]).medium(function=_LARGER, bits=[2, 3]),
    near=near("Each further round decreases the error by a tenth.", factor=times(Fraction(9, 10))),
)
def rounds_do_not_hurt(function: str, bits: int, *, factor: Fraction = Fraction(1)) -> Decision:
    """For every number of bits, the public-coin error with r + 1 rounds is at most the error with r
    rounds, and that without a limit on the rounds at most each of them.
    """
    errors = [error_of_bits(function, "two-way", bits, r) for r in (1, 2, 3, None)]
    return all_of(
        (f"after {i} rounds", at_most(more.value, factor * fewer.value))
        for i, (fewer, more) in enumerate(pairwise(errors), 1)
    )


@claim(
    "kn/interaction",
    "chapter 3, for minimax errors",
    "Two-way protocols err no more than one-way and simultaneous protocols",
    Kind.LEMMA,
    over=grid(function=_SMALL, bits=[1, 2, 3]).medium(function=_LARGER, bits=[2, 3]),
    near=near("They err by a tenth less.", factor=times(Fraction(9, 10))),
)
def interaction_does_not_hurt(
    function: str, bits: int, *, factor: Fraction = Fraction(1)
) -> Decision:
    """If the answer counts as one of c bits, two-way protocols of c bits err no more than one-way
    protocols of c bits in either direction, and no more than simultaneous messages of c bits.
    """
    two_way = error_of_bits(function, "two-way", bits).value
    models = ("one-way", "one-way-from-bob", "simultaneous")
    return all_of(
        (model, at_most(two_way, factor * error_of_bits(function, model, bits).value))
        for model in models
    )


@claim(
    "kn/pointer-jumping",
    "section 4.2, two pointers",
    "Index is easy only if the player with the place begins",
    Kind.EXAMPLE,
    over=grid(d=[2, 3, 4]),
    near=[
        near("One bit less suffices if Bob begins.", fewer=1),
        near("Every protocol of d + 1 bits errs if Alice begins.", more=1),
    ],
)
def the_right_player_begins(d: int, *, fewer: int = 0, more: int = 0) -> Decision:
    """Alice has d bits, and Bob has a place. If Bob sends the place, ceil(log2 d) + 1 bits in two
    rounds suffice for error 0. If only Alice sends a message before Bob answers, every protocol of
    d bits errs on some input; d + 1 bits suffice.
    """
    function, bits = f"index:d={d}", ceil_log2(d) + 1 - fewer
    return all_of(
        [
            ("two rounds", equal(error_of_bits(function, "two-way", bits, 2).value, 0)),
            ("Bob begins", equal(error_of_bits(function, "one-way-from-bob", bits).value, 0)),
            ("Alice begins", above(error_of_bits(function, "one-way", d + more).value, 0)),
        ]
    )


@claim(
    "kn/greater-than-rounds",
    "chapter 3, smallest instances",
    "A third round decreases the error of greater-than",
    Kind.EXAMPLE,
    over=grid(n=[5, 6, 7]),
    near=[
        near("Two rounds suffice for the error of three rounds.", third=plus(-1)),
        near("One-way protocols err more than two rounds, even with one more bit.", bits=plus(1)),
    ],
)
def a_third_round_helps(n: int, *, third: int = 3, bits: int = 3) -> Decision:
    """For greater-than of n numbers, three rounds err less than two rounds with 3 bits, and one-way
    protocols err more than both.
    """
    function = f"greater_than:n={n}"
    two = error_of_bits(function, "two-way", 3, 2).value
    three = error_of_bits(function, "two-way", 3, third).value
    one_way = error_of_bits(function, "one-way", bits).value
    return all_of([("third round", above(two, three)), ("one-way", above(one_way, two))])
